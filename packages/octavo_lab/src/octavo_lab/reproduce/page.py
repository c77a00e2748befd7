"""A record as one page that fetches nothing and runs nothing: the table, what stands behind it, and what went wrong.

Pictures of pages are files beside it that its links lead to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any
from urllib.parse import quote

from octavo_lab.report import html
from octavo_lab.report.html import Html, Look, element, join, table, whole_page
from octavo_lab.reproduce import texts

Record = Mapping[str, Any]
Pictures = Mapping[tuple[str, str, int], str]
_BAR, _BAR_HEIGHT = 220, 12


def page(record: Record, pictures: Pictures) -> str:
    """Return the page; `pictures` are the places of page pictures by benchmark, document and page."""
    main = element(
        "main",
        element("h1", f"{record['paper']}, {record['place']}"),
        element("p", record["title"]),
        element("p", f"{record['cite']}. {texts.said_of_run(record)}", class_="facts"),
        _table(record),
        element("p", _LEGEND, class_="muted"),
        element("ul", *(element("li", note) for note in texts.notes_of(record))),
        _problems(record),
        *_curves(record),
        *_histograms(record),
        element("h2", "What it took") if record["took"] else "",
        _took(record),
        *_breakdowns(record),
        *_failures(record, pictures),
    )
    return whole_page(f"{record['paper']}, {record['place']}", main)


_LEGEND = (
    "Above, the paper's figure; below, the one measured, its 95 % interval (questions drawn anew) and the number of "
    "questions. ▲ and ▼ mark a measured figure that is higher or lower and whose interval leaves out the paper's, of "
    "ten questions and more. A "
    "dash is a figure that is not printed, or was not measured; the list says why."
)


def _table(record: Record) -> Html:
    columns = record["columns"]
    over = [
        element("th", _called(record, name), colspan=count, class_="part span first") for name, count in _runs(columns)
    ]
    heads = [element("th", one["label"], class_=f"group{_edge(columns, at)}") for at, one in enumerate(columns)]
    body: list[Html] = []
    reader = ""
    for at, row in enumerate(record["rows"]):
        if row["reader"] != reader:
            reader = row["reader"]
            body.append(element("tr", element("th", reader, colspan=len(heads) + 1, class_="part")))
        cells = (_cell(cell, row, record, _edge(columns, place)) for place, cell in enumerate(row["cells"]))
        body.append(element("tr", _row_head(record, row, at), *cells))
    head = element("thead", element("tr", element("th", "", rowspan=2), *over), element("tr", *heads))
    return element("div", element("table", head, element("tbody", *body), class_="paper"), class_="wide")


def _runs(columns: Sequence[Record]) -> list[tuple[str, int]]:
    """Return the benchmarks of columns from left to right, each with how many columns it has there."""
    return [(name, len(list(some))) for name, some in groupby(column["benchmark"] for column in columns)]


def _called(record: Record, benchmark: str) -> str:
    return next((one["title"] for one in record["benchmarks"] if one["name"] == benchmark), benchmark)


def _edge(columns: Sequence[Record], at: int) -> str:
    """Return the class that parts the columns of one benchmark from those before."""
    return " first" if at == 0 or columns[at]["benchmark"] != columns[at - 1]["benchmark"] else ""


def _row_head(record: Record, row: Record, at: int) -> Html:
    """Return the name of a row, which leads to its failures where some are listed."""
    is_listed = any(
        one["row"] == row["label"] and one["system"].startswith(row["system"]) for one in record["failures"]
    )
    is_listed = is_listed and bool(row["system"]) and not row["why_not"]
    name = element("a", row["label"], href=f"#{_anchor(row['label'])}") if is_listed else row["label"]
    return element("th", name, element("br"), element("small", row["system"] or "not run"), id=f"row-{at}")


def _anchor(label: str) -> str:
    return "wrong-" + _plain(label)


def _plain(text: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in text.lower())


def _cell(cell: Record, row: Record, record: Record, edge: str) -> Html:
    printed = "–" if cell["printed"] is None else texts.number(cell["printed"], record)
    why = row["why_not"] or cell["why_not"]
    if cell["value"] is None:
        return element("td", element("small", printed), "–", class_=f"number muted{edge}", title=why or None)
    between = ""
    if cell["low"] is not None:
        between = f"{texts.number(cell['low'], record)}–{texts.number(cell['high'], record)}, "
    arrow = {"above": element("span", " ▲", class_="up"), "below": element("span", " ▼", class_="down")}
    return element(
        "td",
        element("small", printed),
        element("strong", texts.number(cell["value"], record)),
        arrow.get(cell["verdict"], ""),
        element("small", f"{between}n={cell['questions']}"),
        class_=f"number{edge}",
    )


def _problems(record: Record) -> Html | str:
    found = [problem for one in record["benchmarks"] for problem in one["problems"]]
    if not found:
        return ""
    shown = [element("li", problem) for problem in found[:50]]
    more = [element("li", f"and {len(found) - 50} more")] if len(found) > 50 else []
    return join([element("h2", "Left out"), element("ul", *shown, *more, class_="problems")])


def _curves(record: Record) -> Iterator[Html]:
    """Draw perfect recall against irrelevant pages for each benchmark, with a ring for what each row took."""
    names = list(dict.fromkeys(one["benchmark"] for one in record["curves"]))
    if names:
        yield element("h2", "Perfect recall against irrelevant pages")
    drawn: list[Html] = []
    for name in names:
        found = [one for one in record["curves"] if one["benchmark"] == name]
        look = {one["row"]: Look(at % html.COLORS, at // html.COLORS % html.MARKS) for at, one in enumerate(found)}
        lines = [html.Series(one["row"], look[one["row"]], [tuple(point) for point in one["at"]]) for one in found]
        rings = [html.Series(one["row"], look[one["row"]], [tuple(one["own"])]) for one in found]
        places = [0.0, 0.25, 0.5, 0.75, 1.0]
        picture = html.curves(lines, rings, across="irrelevant pages ratio", up="perfect recall", places=places)
        told = f"{name}: the first 1 to 20 pages of each ranking; a ring is what the row handed to its reader."
        drawn.append(element("figure", picture, element("figcaption", told), html.legend(look)))
    if drawn:
        yield element("div", *drawn, class_="plots")


def _histograms(record: Record) -> Iterator[Html]:
    if record["histograms"]:
        yield element("h2", "Distribution")
    for one in record["histograms"]:
        most = max((count for _, count in one["counts"]), default=1) or 1
        rows = (
            element(
                "tr",
                element("th", label),
                element("td", _bar(count / most)),
                element("td", f"{count:,}", class_="number"),
            )
            for label, count in one["counts"]
        )
        yield element("h3", f"{one['row']} on {one['benchmark']}: {one['of']} by {one['metric']}")
        yield table([element("th", one["metric"]), element("th", ""), element("th", one["of"], class_="number")], rows)


def _bar(share: float) -> Html:
    width = max(1, round(share * _BAR))
    bar = element("rect", x=0, y=0, width=width, height=_BAR_HEIGHT, class_="fill0")
    return element(
        "svg", bar, viewBox=f"0 0 {_BAR} {_BAR_HEIGHT}", width=_BAR, height=_BAR_HEIGHT, preserveAspectRatio="none"
    )


def _took(record: Record) -> Html | str:
    if not record["took"]:
        return ""
    heads = (
        "",
        "benchmark",
        "questions",
        "calls",
        "tokens in",
        "tokens out",
        "cost",
        "seconds",
        "by model, kept, rule",
    )
    rows = (
        element(
            "tr",
            element("th", one["row"]),
            element("td", one["benchmark"]),
            *(element("td", cell, class_="number") for cell in _costs(one)),
        )
        for one in record["took"]
    )
    first, second, *others = heads
    head = [element("th", first), element("th", second), *(element("th", one, class_="group") for one in others)]
    told = _MEANS + _indexing(record)
    return join([table(head, rows), element("p", told, class_="muted")])


_MEANS = (
    "Means of a question. Calls whose replies were kept count with the mean tokens and seconds of their decision; the "
    "cost is what was paid now. Indexing: "
)


def _costs(one: Record) -> list[str]:
    cost = "–" if one["cost"] is None else f"{one['cost']:.4f}"
    by = " / ".join(f"{one['decided_by'][who]:.1f}" for who in ("model", "cache", "rule"))
    calls = one["calls"] + one["cached_calls"]
    counts = [f"{one['questions']:,}", f"{calls:.1f}", f"{one['input_tokens']:,.0f}", f"{one['output_tokens']:,.0f}"]
    return [*counts, cost, f"{one['seconds']:.2f}", by]


def _indexing(record: Record) -> str:
    found: list[str] = []
    for one in record["benchmarks"]:
        took, usage = one["indexing"], one["indexing"]["indexing_usage"]
        calls = (usage.get("calls") or 0) + (usage.get("cached_calls") or 0)
        tokens = (usage.get("input_tokens") or 0) + (usage.get("output_tokens") or 0)
        found.append(f"{one['name']} {took['indexing_seconds']:.0f} s, {calls:,} calls, {tokens:,} tokens in this run")
    return "; ".join(found) + "."


def _breakdowns(record: Record) -> Iterator[Html]:
    if record["breakdowns"]:
        yield element("h2", "Breakdowns")
    keys = dict.fromkeys((one["benchmark"], one["by"], one["metric"]) for one in record["breakdowns"])
    for benchmark, by, metric in keys:
        found = [one for one in record["breakdowns"] if (one["benchmark"], one["by"]) == (benchmark, by)]
        names = list(dict.fromkeys(name for one in found for name in one["groups"]))
        heads = [element("th", ""), *(element("th", name, class_="group") for name in names)]
        rows = (
            element("tr", element("th", one["row"]), *(_group(one["groups"].get(name)) for name in names))
            for one in found
        )
        yield element("h3", f"{benchmark}: {metric} by {by}")
        yield table(heads, rows)


def _group(group: Record | None) -> Html:
    if group is None or group["value"] is None:
        return element("td", "–", class_="number muted")
    small = element("small", f"n={group['questions']}")
    return element("td", f"{group['value']:.3f}", small, class_="number")


def _failures(record: Record, pictures: Pictures) -> Iterator[Html]:
    if record["failures"]:
        yield element("h2", "Wrong answers")
        told = "The first of each row. Links lead to pictures of pages with the evidence and to the document itself."
        yield element("p", told, class_="muted")
    for label in dict.fromkeys(one["row"] for one in record["failures"]):
        found = [one for one in record["failures"] if one["row"] == label]
        yield element("h3", label, id=_anchor(label))
        for benchmark in dict.fromkeys(one["benchmark"] for one in found):
            some = [one for one in found if one["benchmark"] == benchmark]
            counted = ", ".join(f"{count} {name}" for name, count in _classes(some).items())
            shown = f"{benchmark}: {some[0]['wrong']} wrong, {len(some)} shown ({counted})"
            yield element("p", shown, class_="muted")
            yield join(_failure(one, pictures) for one in some)


def _classes(found: Sequence[Record]) -> dict[str, int]:
    names = [one["error_class"] or "not sorted" for one in found]
    return {name: names.count(name) for name in dict.fromkeys(names)}


def _failure(one: Record, pictures: Pictures) -> Html:
    where = f"{one['document'] or 'all documents'} · {one['id']} · {one['error_class'] or 'not sorted'}"
    summary = element(
        "summary",
        element("span", where, class_="place"),
        element("span", one["question"], class_="words"),
    )
    anchor = f"{_anchor(one['row'])}-{_plain(one['benchmark'])}-{_plain(one['id'])}"
    entries: list[tuple[str, object]] = [
        ("question", element("a", one["id"], href=f"#{anchor}")),
        ("expected", one["expected"]),
        ("given", one["given"] or f"none ({one['outcome']})"),
        ("read as", one["prediction"]),
        ("failed", one["error"]),
        ("evidence", join(_evidence(one, pictures))),
        ("retrieved", ", ".join(map(str, one["pages"]))),
        ("read", _read(one)),
        ("took", f"{one['calls']} calls, {one['tokens']:,} tokens" if one["calls"] else ""),
    ]
    listed = [part for name, told in entries if told for part in (element("dt", name), element("dd", told))]
    inside = element("div", element("dl", *listed), class_="inside")
    return element("details", summary, inside, class_="question", id=anchor)


def _read(one: Record) -> str:
    if one["pages_read"] is None:
        return "by no model"
    return ", ".join(map(str, one["pages_read"])) or "no page"


def _evidence(one: Record, pictures: Pictures) -> Iterator[object]:
    """Yield the gold pages, each with its picture and its place in the document, then gold documents and texts."""
    for page_number in one["gold_pages"]:
        picture = pictures.get((one["benchmark"], one["document"], page_number))
        yield element("a", f"picture of page {page_number}", href=picture) if picture else f"page {page_number}"
        if one["file"]:
            yield " ("
            yield element("a", "in the document", href=f"{quote(one['file'])}#page={page_number}")
            yield ")"
        yield " "
    if one["file"] and not one["gold_pages"]:
        yield element("a", one["document"], href=quote(one["file"]))
    for name in one["gold_documents"]:
        yield f"{name} "
    for text in one["evidence"]:
        yield element("blockquote", text)

"""The report as one page that fetches nothing and runs nothing.

A question's entry is one line, and inside it everything each system did, with filters over all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from octavo_documents.document import number_of
from octavo_lab.metrics.registry import METRICS, of_answers
from octavo_lab.report.figures import figures
from octavo_lab.report.html import Html, Look, element, join, legend, looks, whole_page
from octavo_lab.report.tables import (
    Summary,
    asked_together,
    at_equal_length,
    at_matched_pages,
    is_plain,
    overview,
    results,
    shown,
)

Row = Mapping[str, Any]
Place = tuple[str, int]
"""A page with the name of its document, "" where one document was asked."""

_FILTERS = (
    ("all", "all"),
    ("only-missed", "not fully right in some system"),
    ("only-split", "systems differ"),
    ("only-failed", "failed"),
)
_LONGEST_TEXT = 4000
_MOST_STEPS = 60
"""Rows of a trace that are shown; an agent's may be far longer, and report.json has all."""


def questions(systems: Sequence[Mapping[str, Any]], main: str) -> Html:
    """Return the filters and an entry per question; all systems have the same questions in the same order."""
    rows = list(zip(*(system["rows"] for system in systems), strict=True))
    look = looks(systems)
    return join([_filters(), *(_entry(look, of_systems, main) for of_systems in rows)])


def _filters() -> Html:
    options = (
        element(
            "label",
            element("input", type="radio", name="only", id=key, checked="checked" if key == "all" else None),
            f" {told}",
        )
        for key, told in _FILTERS
    )
    return element("fieldset", *options)


def _entry(named: Mapping[str, Look], rows: Sequence[Row], main: str) -> Html:
    first = rows[0]
    gold = ", ".join(f"{name} {page}" if name else str(page) for name, page in _gold_pages(first)) or "none"
    place = f"{first['document'] or 'several documents'} · gold pages: {gold}"
    chips = element(
        "span",
        *(_chip(name, look, row, main) for (name, look), row in zip(named.items(), rows, strict=True)),
        class_="chips",
    )
    summary = element(
        "summary",
        element("span", place, class_="place"),
        element("span", first["question"], class_="words"),
        chips,
    )
    cards = (_card(name, look, row) for (name, look), row in zip(named.items(), rows, strict=True))
    inside = element("div", _gold(first), element("div", *cards, class_="answers"), class_="inside")
    return element("details", summary, inside, class_=f"question{_marks(rows)}")


def _marks(rows: Sequence[Row]) -> str:
    scores = [row["score"] for row in rows if row["score"] is not None]
    marks = ""
    if any(score < 1 for score in scores):
        marks += " missed"
    if len(set(scores)) > 1:
        marks += " split"
    if any(row["error"] for row in rows):
        marks += " failed"
    return marks


def _chip(name: str, look: Look, row: Row, main: str) -> Html:
    score = row["score"]
    shown = "failed" if row["error"] else "–" if score is None else f"{score:.2f}"
    found = row["metrics"].get("pr")
    told = f"{name}: {main} {shown}" + ("" if found is None else f", PR {found:.0f}")
    return element("span", shown, class_=f"chip side{look.color} {_grade(score)}", title=told)


def _grade(score: float | None) -> str:
    if score is None:
        return "muted"
    return "good" if score >= 0.999 else "fair" if score > 0 else "bad"


def _gold_pages(row: Row) -> list[Place]:
    """Return the pages that hold the answer, all together or each by itself, with "" for the one document asked."""
    name = next(iter(row["right_documents"]), "")
    return [_place(page, name) for page in row["evidence_pages"] or row["sufficient_pages"]]


def _place(page: Any, name: str = "") -> Place:
    """Return a page as it stands in a row: its number, or where several documents are asked their name with it."""
    return (name, page) if isinstance(page, int) else (str(page[0]), int(page[1]))


def _gold(row: Row) -> Html:
    facts = {
        "answer": element("span", _written(row["answer"]), class_="long"),
        "all of": element("span", _written(row["items"]), class_="long") if row["items"] else "",
        "kind": row["kind"],
        "format": "" if row["kind"] else row["answer_format"],
        "evidence": ", ".join(row["evidence_sources"]),
        "gold documents": ", ".join(row["evidence_documents"]),
        "type": row["question_type"],
        "id": element("code", row["id"]),
    }
    return _question_facts(facts)


def _card(name: str, look: Look, row: Row) -> Html:
    gold = set(_gold_pages(row))
    facts: dict[str, object] = {
        "error": element("span", row["error"], class_="bad") if row["error"] else "",
        "final answer": "" if row["kind"] else element("span", _written(row["prediction"]), class_="long"),
        "outcome": row["outcome"] if row["kind"] else "",
        "response": element("span", _written(row["response"]), class_="long"),
        "to the reader": _pages([(page.get("document", ""), page["page"]) for page in row["pages"]], gold),
        "ranking": _pages([_place(page) for page in row["ranking"]], gold),
        "metrics": _metrics(row["metrics"]),
        "took": _took(row),
    }
    return element(
        "section",
        element("h4", name),
        _question_facts(facts),
        *(_passage(passage, gold) for passage in row["passages"]),
        *(_citation(cited, gold) for cited in row["citations"]),
        _steps(row["trace"]),
        class_=f"card edge{look.color}",
    )


def _metrics(values: Mapping[str, float]) -> str:
    """Return the answer metrics and what was retrieved for the reader; the ranking itself shows the rest."""
    wanted = {*of_answers(), "pr", "ipr", "block_recall"}
    shown = ((METRICS[name].label, value) for name, value in values.items() if name in wanted)
    return ", ".join(f"{label} {value:.2f}" for label, value in shown)


def _took(row: Row) -> str:
    usage = row["usage"]
    if not usage:
        return ""
    tokens = usage.get("input_tokens", 0) + usage.get("output_tokens", 0)
    parts = [f"{usage.get('seconds', 0.0):.3f} s", *([f"{tokens:,} tokens"] if tokens else [])]
    decided = ", ".join(f"{who} {count}" for who, count in row["decided_by"].items())
    return ", ".join(parts) + (f"; decided by {decided}" if decided else "")


def _pages(pages: Sequence[Place], gold: set[Place]) -> Html | str:
    if not pages:
        return ""
    return element(
        "span",
        *(_page(page, gold, title=page[0] or None) for page in pages),
        class_="pages",
    )


def _page(place: Place, gold: set[Place], *, title: str | None = None) -> Html:
    is_gold = not gold.isdisjoint((place, ("", place[1])))
    return element("span", place[1], class_="page gold" if is_gold else "page", title=title)


def _passage(passage: Mapping[str, Any], gold: set[Place]) -> Html:
    page = _page((passage["document"], passage["page"]), gold)
    place = element("small", f"shows a {passage['kind']} of {passage['document']}, page ", page)
    return join([place, element("blockquote", _written(passage["text"]))])


def _citation(cited: Mapping[str, Any], gold: set[Place]) -> Html:
    is_held = cited["is_verbatim"]
    held = element("span", "verbatim" if is_held else "not verbatim", class_="good" if is_held else "bad")
    page = _page((cited["document"], cited["page"]), gold)
    place = element("small", f"cites {cited['document']}, page ", page, f", block {cited['block']}, ", held)
    return join([place, element("blockquote", _written(cited["quote"]))])


def _steps(trace: Sequence[Mapping[str, Any]]) -> Html | str:
    if not trace:
        return ""
    rows = list(_rows(trace, 0))
    more = f"{len(rows) - _MOST_STEPS} more in report.json" if len(rows) > _MOST_STEPS else ""
    table = element("table", *rows[:_MOST_STEPS], class_="steps")
    return element("details", element("summary", "steps"), table, element("small", more) if more else "")


def _rows(trace: Sequence[Mapping[str, Any]], depth: int) -> Iterator[Html]:
    """Yield a row per step, and after it those of the steps and decisions inside it."""
    for step in trace:
        words = ("· " * depth, element("code", _step(step)))
        took = f"{step['seconds']:.3f} s" + (f", {step['calls']} calls" if step.get("calls") else "")
        moved = f"{step['rows_in']} → {step['rows_out']}" if step["rows_in"] or step["rows_out"] else ""
        yield element(
            "tr",
            element("td", *words),
            element("td", moved, class_="number"),
            element("td", took, class_="number"),
        )
        yield from _rows(step.get("steps", ()), depth + 1)


def _step(step: Mapping[str, Any]) -> str:
    return f"{step['step']}({', '.join(f'{name}={value}' for name, value in step['parameters'].items())})"


def _question_facts(facts: Mapping[str, object]) -> Html:
    return element("dl", *(join([element("dt", name), element("dd", value)]) for name, value in facts.items() if value))


def _written(value: object) -> str:
    text = "; ".join(map(str, value)) if isinstance(value, list) else str(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + " …"


_SHORT = 0.1
"""Seconds that are not worth a word."""
_FEW = 6
"""Systems up to which the table of all metrics is open from the start, unless the first one says what matters."""


def page(summary: Summary) -> str:
    """Return the page for a summary, as `summary.summarize` makes it."""
    title = f"{summary['title']}: {', '.join(system['system'] for system in shown(summary))}"
    return whole_page(title, _main(summary))


def _main(summary: Summary) -> Html:
    return element(
        "main",
        element("h1", summary["title"]),
        element("p", _facts(summary), class_="facts"),
        legend(looks(shown(summary))),
        _problems(summary),
        element("h2", "Results"),
        element("p", *_legend(summary), class_="muted"),
        overview(summary),
        _stood_in(summary),
        at_matched_pages(summary),
        at_equal_length(summary),
        _all_metrics(summary),
        element("h2", "Pages and cost"),
        figures(summary),
        element("h2", "Questions"),
        questions(shown(summary), summary["metrics"][summary["main_metric"]]["label"]),
        element("h2", "How it was run"),
        _how(summary),
    )


def _facts(summary: Summary) -> str:
    runs: Sequence[Mapping[str, Any]] = summary["runs"]
    indexing, asking = (sum(run[f"{part}_seconds"] for run in runs) for part in ("indexing", "asking"))
    parts = [
        number_of(summary["questions"], "question"),
        f"{asked_together(summary) or number_of(summary['documents'], 'document')} with "
        f"{number_of(summary['pages'], 'page')}",
        f"indexed in {_seconds(indexing)}{_layers(runs, summary['pages'])}, asked in {_seconds(asking)}",
    ]
    if len(runs) > 1:
        parts[-1] += f" over {len(runs)} runs"
    memory = max((run["peak_memory"] or 0 for run in runs), default=0)
    if memory:
        parts.append(f"{memory / 2**20:,.0f} MiB at most")
    return " · ".join(parts)


def _layers(runs: Sequence[Mapping[str, Any]], pages: int) -> str:
    """Say what indexing took per page, what of it was for layers, and what models took for these."""
    total, layers = (sum(run[f"{part}_seconds"] for run in runs) for part in ("indexing", "layer"))
    used = [run["indexing_usage"] for run in runs if run["indexing_usage"]]
    calls = sum(usage["calls"] for usage in used)
    tokens = sum(usage["input_tokens"] + usage["output_tokens"] for usage in used)
    parts = [f"{total / pages:.2f} s a page"] if pages and total >= _SHORT * pages else []
    if layers >= _SHORT:
        asked = f" with {calls:,} model calls, {tokens / max(pages, 1):,.0f} tokens a page" if calls else ""
        parts.append(f"{_seconds(layers)} of it for layers{asked}")
    return f" ({', '.join(parts)})" if parts else ""


def _seconds(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{seconds:.1f} s"


def _stood_in(summary: Summary) -> Html | str:
    """Warn where figures are partly those of the rules although a model was asked."""
    told = [
        f"{system['system']}: {count} of {system['questions']}"
        for system in shown(summary)
        if (count := system["usage"]["stood_in"]["questions"])
    ]
    if not told:
        return ""
    words = "Questions where a model was asked, gave nothing usable, and a rule stood in: "
    return element("p", words, ", ".join(told), ".", class_="fair")


def _all_metrics(summary: Summary) -> Html:
    is_open = (len(shown(summary)) <= _FEW and not is_plain(summary)) or None
    told = element("summary", element("strong", "All metrics with their intervals and definitions"))
    return element("details", told, results(summary), open="open" if is_open else None, class_="all")


def _problems(summary: Summary) -> Html | str:
    if not summary["problems"]:
        return ""
    count = len(summary["problems"])
    told = f"{count:,} rows or documents were left out" if count > 1 else "A row or document was left out"
    lines = (element("li", problem) for problem in summary["problems"])
    return element("details", element("summary", told), element("ul", *lines, class_="problems"))


def _legend(summary: Summary) -> list[object]:
    first = summary["systems"][0]["system"] if summary["systems"] else ""
    told: list[object] = ["Best first by the first column; the best figure of a column is bold. "]
    if len(shown(summary)) > 1:
        told.append(f"▲ and ▼ mark differences from {first} whose 95 % interval (paired bootstrap) leaves out 0. ")
    told.append("Averages count every question: one that failed counts as wrong.")
    return told


def _option(name: str, value: object) -> str:
    """Return an option as words: "limit 10", "total caps: calls 60"."""
    told = name.replace("_", " ")
    if value is True:
        return told
    if isinstance(value, Mapping):
        given = cast(Mapping[str, object], value).items()
        return f"{told}: " + ", ".join(f"{key} {cap}" for key, cap in given if cap is not None)
    return f"{told} {', '.join(map(str, cast(list[object], value))) if isinstance(value, list) else value}"


def _assessed(by: Mapping[str, int]) -> str:
    """Say who really assessed: where the model fails the rule does."""
    return f" (model {by.get('model', 0)}, cache {by.get('cache', 0)}, rule {by.get('rule', 0)})" if by else ""


def _how(summary: Summary) -> Html:
    plans = (
        join([element("dt", system["system"]), element("dd", element("code", system["plan"]))])
        for system in shown(summary)
    )
    options = ", ".join(_option(name, value) for name, value in summary["options"].items() if value)
    models = ", ".join(f"{role}: {name}" for role, name in summary["models"].items()) or "none, the rules decided"
    return join(
        [
            element("dl", *plans),
            element("p", _scored(summary)),
            element("p", f"Models: {models}."),
            element("p", f"Options: {options}.", class_="muted"),
        ]
    )


def _scored(summary: Summary) -> str:
    """Say how answers were scored, and what of the gold was seen by whom."""
    is_by_rule = summary["assessor"] == "rule"
    by = "by rule" if is_by_rule else f"by {summary['assessor']}{_assessed(summary['assessed_by'])}"
    if is_plain(summary):
        told = "What was answered and shown was compared with the acceptable answers. No system saw any gold."
        return told if is_by_rule else f"{told} Judged {by}."
    is_given, is_told = summary["options"]["give_format"], summary["options"].get("tell_format", False)
    systems = " Systems that ask by the type of the answer were told the gold's." if is_told else ""
    if is_given:
        return f"Answers were extracted {by}, with the gold's answer format given.{systems}"
    if is_told:
        return f"Answers were extracted {by} from question and response alone.{systems}"
    return (
        f"Answers were extracted {by} from question and response alone; neither system nor extraction saw a gold "
        "answer, gold page or answer format."
    )

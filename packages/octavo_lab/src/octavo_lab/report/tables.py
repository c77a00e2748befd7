"""The tables of a report: all metrics, kinds of question, sweeps, and systems compared at as many pages or as much
text; and what of a summary is looked at first: which systems, in which order, and which metrics.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from octavo_documents.document import number_of
from octavo_lab.metrics.registry import of_answers, of_faithfulness, of_plain_questions
from octavo_lab.report.html import Html, breakable, element, join, looks, sample, table

Summary = Mapping[str, Any]
"""What `summary.summarize` returns; a system is one of its `systems`."""
System = Mapping[str, Any]

KIND = "kind"
"""The breakdown that a user's own questions are read by."""
BESIDE = {
    "document@1": "first page is of the right document",
    "judged": "judged right by {assessor}",
    "pr@5": "all pages needed together among the first five",
    "document_pr": "all documents needed together among those read",
}
"""What is shown too where all documents are asked, a model judges, or several pages or documents are all needed."""


def shown(summary: Summary) -> list[System]:
    """Return the systems that were named; points of sweeps have plots of their own."""
    return [system for system in summary["systems"] if not system["swept"]]


def ordered(summary: Summary) -> list[System]:
    """Return the systems best first by the main metric, each with its variants under it, these best first too."""
    main = summary["main_metric"]

    def worth(system: System) -> float:
        value = system["metrics"].get(main)
        return -1.0 if value is None else float(value)

    groups: dict[str, list[System]] = {}
    for system in shown(summary):
        groups.setdefault(system["base"], []).append(system)
    families = [sorted(group, key=lambda one: (one["system"] != one["base"], -worth(one))) for group in groups.values()]
    families.sort(key=lambda family: -worth(family[0]))
    return [system for family in families for system in family]


def is_plain(summary: Summary) -> bool:
    """Return whether the questions are measured as a user's own ones are."""
    return summary["main_metric"] in of_plain_questions()


def asked_together(summary: Summary) -> str:
    """Return a phrase that says that every question was asked of all documents; "" where they name theirs."""
    asked = summary["together"]
    if asked is None:
        return ""
    others = f", {asked['beside']} of them beside the benchmark's" if asked["beside"] else ""
    return f"asked of all {number_of(asked['documents'], 'document')} together{others}"


def headline(summary: Summary) -> list[str]:
    """Return the metrics to look at first that concern any question; none where a benchmark has a rule of its own."""
    names = (*of_plain_questions(), *BESIDE) if is_plain(summary) else ()
    return [name for name in names if any(one["metrics"].get(name) is not None for one in shown(summary))]


Usage = Mapping[str, Any]
MISSING = element("td", "–", class_="number muted")
"""The cell of a figure that there is not."""
_FIRST = ("pr", "ipr", "pages", "pr@5", "document@1", "citations_verbatim", "refused_answerable")
_SPANS = {"single page": "PR, single page", "multi page": "PR, multi page"}
_BEFORE_SPANS = 2
"""Columns before those: the main metric and PR over all."""
_COST: tuple[tuple[str, str, Callable[[Usage], str]], ...] = (
    ("seconds per question", "", lambda usage: f"{usage['seconds']:.3f}"),
    ("seconds, slowest twentieth", "", lambda usage: f"{usage['seconds_p95']:.3f}"),
    ("model calls per question", "made for it, failed attempts included", lambda usage: f"{usage['calls']:.2f}"),
    ("replies from the cache", "calls a question did not have to make", lambda usage: f"{usage['cached_calls']:.2f}"),
    ("input tokens per question", "cached or not", lambda usage: f"{usage['input_tokens']:,.0f}"),
    ("output tokens per question", "cached or not", lambda usage: f"{usage['output_tokens']:,.0f}"),
    ("cost per question", "in the currency of the prices", lambda usage: _money(usage["cost"])),
    ("decisions per question", "by model, cache and rule", lambda usage: _by(usage["decided_by"])),
    ("a rule stood in", "questions where a model was asked and gave nothing usable", lambda usage: _stood_in(usage)),
)
_OF_PASSAGES = ("passage_em", "block_recall", "block_pr")


def figure(value: float, *, share: bool = True) -> str:
    """Return a figure as the report writes it."""
    return f"{value:.3f}" if share else f"{value:,.1f}"


def arrow(found: Mapping[str, Any], better: int, against: str) -> Html | str:
    """Return the mark of a difference with its interval; nothing where the interval has 0 in it."""
    if not better or not found["interval"] or found["interval"][0] * found["interval"][1] <= 0:
        return ""
    up = found["difference"] > 0
    low, high = found["interval"]
    told = f"{found['difference']:+.3f} against {against} ({low:+.3f} to {high:+.3f})"
    return element("span", " ▲" if up else " ▼", class_="up" if up == (better > 0) else "down", title=told)


def heads(systems: Sequence[System]) -> list[Html]:
    """Return the head of a column for each system."""
    return [element("th", breakable(system["system"]), class_="number") for system in systems]


def overview(summary: Summary) -> Html:
    """Return what one looks at first, a line per system; a mark stands for a sure difference from the first named."""
    names = headline(summary) or _of_benchmark(summary)
    titles = [_SPANS.get(name) or summary["metrics"][name]["label"] for name in names] + ["tokens", "seconds"]
    rows = [_overview_row(summary, system, names) for system in ordered(summary)]
    columns = (element("th", told, class_="group") for told in titles)
    return table([element("th", "system"), *columns], rows, class_="overview")


def _of_benchmark(summary: Summary) -> list[str]:
    names = [name for name in (summary["main_metric"], *_FIRST) if name in summary["metrics"]]
    names[_BEFORE_SPANS:_BEFORE_SPANS] = [
        key for key in _SPANS if any(_span_value(system, key) is not None for system in shown(summary))
    ]
    return names


def _overview_row(summary: Summary, system: System, names: Sequence[str]) -> Html:
    cells = [_span(summary, system, name) if name in _SPANS else _value(summary, system, name) for name in names]
    used = (_tokens(system["usage"]), f"{system['usage']['seconds']:.3f}")
    return element("tr", _name(summary, system), *cells, *(element("td", told, class_="number") for told in used))


def _tokens(usage: Usage) -> str:
    return f"{usage['input_tokens'] + usage['output_tokens']:,.0f}"


def _name(summary: Summary, system: System) -> Html:
    name, base = system["system"], system["base"]
    is_variant = name != base and any(one["system"] == base for one in shown(summary))
    told = name.removeprefix(base) if is_variant else name
    failed = element("small", f" {system['failed']} failed", class_="bad") if system["failed"] else ""
    return element("th", sample(looks(shown(summary))[name]), told, failed, class_="variant" if is_variant else None)


def _span(summary: Summary, system: System, key: str) -> Html:
    value = _span_value(system, key)
    if value is None:
        return MISSING
    best = _best([_span_value(one, key) for one in shown(summary)], 1)
    return element("td", element("span", figure(value), class_="best" if value == best else None), class_="number")


def _span_value(system: System, key: str) -> float | None:
    return system["by"].get("span", {}).get(key, {}).get("pr")


def _value(summary: Summary, system: System, name: str, *more: Html) -> Html:
    """Return the cell of a metric: bold where it is the best, with a mark for a sure difference."""
    value, known = system["metrics"].get(name), summary["metrics"][name]
    if value is None:
        return MISSING
    best = _best([one["metrics"].get(name) for one in shown(summary)], known["better"])
    written = element("span", figure(value, share=known["is_share"]), class_="best" if value == best else None)
    return element("td", written, _sure(summary, system["system"], name), *more, class_="number")


def _best(values: Sequence[float | None], better: int) -> float | None:
    """Return the best value; None where there is nothing to choose from, or neither direction is better."""
    known = [value for value in values if value is not None]
    if not better or len(set(known)) < 2:
        return None
    return max(known) if better > 0 else min(known)


def _sure(summary: Summary, system: str, name: str) -> Html | str:
    """Mark a difference to the first system whose interval leaves out 0."""
    first = summary["systems"][0]["system"]
    for comparison in summary["comparisons"]:
        if comparison["system"] == system and comparison["against"] == first:
            found = comparison["metrics"].get(name)
            return arrow(found, summary["metrics"][name]["better"], first) if found else ""
    return ""


def results(summary: Summary) -> Html:
    """Return every metric, a column per system: value, interval, and a mark for a sure difference."""
    systems, names = shown(summary), list(summary["metrics"])
    answers, faithful = set(of_answers()), of_faithfulness()
    parts = {
        "Answers": [name for name in names if name in answers],
        "Retrieval": [name for name in names if name not in answers and name not in faithful],
        "Faithfulness": [name for name in names if name in faithful],
    }
    body: list[Html] = []
    for title, found in parts.items():
        if found:
            body += [_part(title, len(systems) + 2), *(_result(summary, name) for name in found)]
    return table(
        [element("th", ""), *heads(systems), element("th", "what it is")],
        [*body, _part("Cost", len(systems) + 2), *_cost(systems)],
    )


def _part(title: str, span: int) -> Html:
    return element("tr", element("th", title, colspan=span, class_="part"))


def _result(summary: Summary, name: str) -> Html:
    known = summary["metrics"][name]
    cells = (_value(summary, system, name, _interval(system, name, known)) for system in shown(summary))
    return element("tr", element("th", known["label"]), *cells, element("td", known["definition"], class_="definition"))


def _interval(system: System, name: str, known: Mapping[str, Any]) -> Html:
    between = system["intervals"].get(name)
    return element("small", " – ".join(figure(end, share=known["is_share"]) for end in between) if between else "")


def _cost(systems: Sequence[System]) -> list[Html]:
    rows: list[Html] = []
    for label, told, written in _COST:
        cells = [element("td", written(system["usage"]), class_="number") for system in systems]
        rows.append(element("tr", element("th", label), *cells, element("td", told, class_="definition")))
    return rows


def _money(cost: float | None) -> str:
    return "–" if cost is None else f"{cost:.6f}".rstrip("0").rstrip(".")


def _by(decided: Mapping[str, float]) -> str:
    return " / ".join(f"{decided[who]:.1f}" for who in ("model", "cache", "rule"))


def _stood_in(usage: Usage) -> str:
    found = usage["stood_in"]
    why = ", ".join(f"{kind} {count}" for kind, count in found["why"].items())
    return f"{found['questions']}" + (f" ({why})" if why else "")


def by_kind(summary: Summary) -> Html:
    """Return what is looked at first for each kind of question, a line for each system under the other."""
    names, systems = headline(summary), shown(summary)
    body: list[Html] = []
    for kind in systems[0]["by"][KIND]:
        groups = [system["by"][KIND][kind] for system in systems]
        body.append(_part(f"{kind} ({groups[0]['questions']})", len(names) + 1))
        for system, group in zip(systems, groups, strict=True):
            cells = ("–" if group[name] is None else figure(group[name]) for name in names)
            numbers = (element("td", cell, class_="number") for cell in cells)
            body.append(element("tr", element("th", system["system"]), *numbers))
    titles = (element("th", summary["metrics"][name]["label"], class_="group") for name in names)
    return table([element("th", ""), *titles], body)


def points(summary: Summary, sweep: Summary) -> Html:
    """Return the points of a sweep: a line per system and value."""
    wanted = (summary["main_metric"], "pr", "ipr", "pages", "passage_em", "block_recall", "block_pr", "passage_tokens")
    names = [name for name in wanted if name in summary["metrics"]]
    titles = [sweep["setting"], *(summary["metrics"][name]["label"] for name in names), "tokens", "seconds"]
    rows = (element("tr", element("th", point["from"]), *_point(summary, point, names)) for point in sweep["points"])
    return table([element("th", "system"), *(element("th", told, class_="number") for told in titles)], rows)


def _point(summary: Summary, point: Summary, names: Sequence[str]) -> list[Html]:
    cells = [point["value"]]
    for name in names:
        value = point["metrics"].get(name)
        cells.append("–" if value is None else figure(value, share=summary["metrics"][name]["is_share"]))
    cells += [_tokens(point["usage"]), f"{point['usage']['seconds']:.3f}"]
    return [element("td", cell, class_="number") for cell in cells]


def at_matched_pages(summary: Summary) -> Html | str:
    """Return PR at matched pages; nothing where all systems hand over the same number of pages."""
    systems = shown(summary)
    counting = _counting(systems)
    if len(counting) < 2 or not any(system["pr_at"] for system in systems):
        return ""
    body = [
        element("tr", _head(base, "pages", "{:.1f} pages"), *(_pages_cell(summary, base, one) for one in systems))
        for base in counting
    ]
    told = element(
        "p",
        "Perfect recall of each ranking (columns) cut, question by question, to as many pages as the system of the row "
        "handed to its reader. Small figures are the 95 % interval of the paired difference from that system; ▲ and ▼ "
        "mark those that leave out 0; “as good at 12” says that 12 pages of the ranking reach its PR. Systems with the "
        "same number of pages for every question share a row.",
        class_="muted",
    )
    drawn = table([element("th", "as many pages as"), *heads(systems)], body)
    return join([element("h3", "At matched pages"), told, drawn])


def at_equal_length(summary: Summary) -> Html | str:
    """Return a table for each metric of passages; nothing where they were not measured or there is one system."""
    names = [name for name in _OF_PASSAGES if name in summary["metrics"]]
    if not summary["matched_passages"] or not names or len(shown(summary)) < 2:
        return ""
    told = element(
        "p",
        "The best passages of each system (columns), cut to the mean length of what the system of the row handed to "
        "its reader. Small figures are the 95 % interval of the paired difference from that system; ▲ and ▼ mark those "
        "that leave out 0.",
        class_="muted",
    )
    return join([element("h3", "At equal length"), told, *(_lengths(summary, name) for name in names)])


def _lengths(summary: Summary, name: str) -> Html:
    systems = shown(summary)
    first = element("th", f"{summary['metrics'][name]['label']} at the length of")
    rows = (
        element(
            "tr",
            _head(base, "passage_tokens", "{:,.0f} tokens"),
            *(_length_cell(summary, base, one, name) for one in systems),
        )
        for base in systems
    )
    return table([first, *heads(systems)], rows)


def _counting(systems: Sequence[System]) -> list[System]:
    """Return the first of all systems that hand over the same number of pages for each question."""
    found: dict[tuple[int, ...], System] = {}
    for system in systems:
        found.setdefault(tuple(len(row["pages"]) for row in system["rows"]), system)
    return list(found.values())


def _head(system: System, metric: str, told: str) -> Html:
    """Return the head of a row: the system, and how much it handed over."""
    value = system["metrics"].get(metric)
    return element("th", system["system"], element("small", "" if value is None else f" {told.format(value)}"))


def _pages_cell(summary: Summary, base: System, one: System) -> Html:
    if base is one:
        return _own(base, "pr")
    value = summary["matched_pages"][base["system"]][one["system"]]
    found = summary["matched_differences"][base["system"]].get(one["system"])
    if value is None or found is None:
        return MISSING
    needed = summary["pages_to_match"][base["system"]][one["system"]]
    reached = "not within 20 pages" if needed is None else f"as good at {needed}"
    return _compared(value, found, base, element("small", reached))


def _length_cell(summary: Summary, base: System, one: System, name: str) -> Html:
    if base is one:
        return _own(base, name)
    found = summary["matched_passages"][base["system"]][one["system"]][name]
    return MISSING if found["value"] is None or found["interval"] is None else _compared(found["value"], found, base)


def _own(base: System, name: str) -> Html:
    own = base["metrics"].get(name)
    return element("td", "–" if own is None else element("span", figure(own)), class_="number self")


def _compared(value: float, found: Mapping[str, Any], base: System, *more: Html) -> Html:
    low, high = found["interval"]
    small = element("small", f"{low:+.3f} – {high:+.3f}")
    return element("td", figure(value), arrow(found, 1, base["system"]), small, *more, class_="number")

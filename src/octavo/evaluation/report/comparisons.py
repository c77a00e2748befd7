"""Systems compared where one's rankings or passages are cut to what another handed to its reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from octavo.evaluation.report.html import Html, element, join, table
from octavo.evaluation.report.selection import Summary, System, shown
from octavo.evaluation.report.tables import MISSING, arrow, figure, heads

_OF_PASSAGES = ("passage_em", "block_recall", "block_pr")


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

"""The tables at equal length: each system's passages cut to the mean length of another's.

Owns their rows and columns. Knows nothing about how figures were computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from octavo.evaluation.report.figure import arrow, figure
from octavo.evaluation.report.markup import Html, breakable, element, join
from octavo.evaluation.report.style import shown

Summary = Mapping[str, Any]

_SHOWN = ("passage_em", "block_recall", "block_pr")


def lengths(summary: Summary) -> Html | str:
    """Return a table for each metric; nothing where passages were not measured or there is one system."""
    names = [name for name in _SHOWN if name in summary["metrics"]]
    if not summary["matched_passages"] or not names or len(shown(summary)) < 2:
        return ""
    told = element(
        "p",
        "The best passages of each system (columns), cut to the mean length of what the system of the row handed to "
        "its reader. Small figures are the 95 % interval of the paired difference from that system; ▲ and ▼ mark those "
        "that leave out 0.",
        class_="muted",
    )
    return join([element("h3", "At equal length"), told, *(_table(summary, name) for name in names)])


def _table(summary: Summary, name: str) -> Html:
    systems = shown(summary)
    head = [
        element("th", f"{summary['metrics'][name]['label']} at the length of"),
        *(element("th", breakable(one["system"]), class_="number") for one in systems),
    ]
    body = [element("tr", element("th", _sized(one)), *_cells(summary, one, systems, name)) for one in systems]
    table = element("table", element("thead", element("tr", *head)), element("tbody", *body))
    return element("div", table, class_="wide")


def _sized(system: Mapping[str, Any]) -> Html:
    tokens = system["metrics"].get("passage_tokens")
    return join([system["system"], element("small", "" if tokens is None else f" {tokens:,.0f} tokens")])


def _cells(summary: Summary, base: Mapping[str, Any], systems: Sequence[Mapping[str, Any]], name: str) -> list[Html]:
    found = summary["matched_passages"][base["system"]]
    return [_cell(base, found[one["system"]][name]) if one is not base else _own(base, name) for one in systems]


def _own(base: Mapping[str, Any], name: str) -> Html:
    own = base["metrics"].get(name)
    return element("td", "–" if own is None else element("span", figure(own, share=True)), class_="number self")


def _cell(base: Mapping[str, Any], found: Mapping[str, Any]) -> Html:
    if found["value"] is None or found["interval"] is None:
        return element("td", "–", class_="number muted")
    low, high = found["interval"]
    small = element("small", f"{low:+.3f} – {high:+.3f}")
    return element("td", figure(found["value"], share=True), arrow(found, 1, base["system"]), small, class_="number")

"""Breakdowns of many systems: a table with a shade per value.

Owns the table and its shades. Knows nothing about how figures were computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from octavo.evaluation.report.markup import Html, element, join

MOST_DOTS = 5
"""Systems up to which dots are drawn instead."""
_SHADES = 10


def heat(
    systems: Sequence[Mapping[str, Any]], key: str, groups: Sequence[str], metrics: Mapping[str, Mapping[str, Any]]
) -> Html:
    """Return a table with a row per system and a column per group, for each metric; shades go from 0 to 1."""
    names = list(metrics)
    counts = {group: systems[0]["by"][key][group]["questions"] for group in groups}
    over = [element("th", metrics[name]["label"], colspan=len(groups), class_="part span first") for name in names]
    heads = [
        element("th", f"{one} ({counts[one]})", class_=f"group{_edge(one, groups)}") for _ in names for one in groups
    ]
    body = (
        element(
            "tr",
            element("th", one["system"]),
            *(_cell(one["by"][key][group].get(name), _edge(group, groups)) for name in names for group in groups),
        )
        for one in systems
    )
    return element(
        "div",
        element(
            "table",
            element("thead", element("tr", element("th", "", rowspan=2), *over), element("tr", *heads)),
            element("tbody", join(body)),
            class_="heat",
        ),
        class_="wide",
    )


def _edge(group: str, groups: Sequence[str]) -> str:
    """Return the class that parts one metric's columns from those before."""
    return " first" if group == groups[0] else ""


def _cell(value: float | None, edge: str) -> Html:
    if value is None:
        return element("td", "–", class_=f"number muted{edge}")
    shade = round(max(0.0, min(1.0, value)) * _SHADES)
    return element("td", f"{value:.2f}", class_=f"number heat{shade}{edge}")

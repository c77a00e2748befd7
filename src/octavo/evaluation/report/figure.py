"""How single figures are written and marked in the report's tables.

Owns digits, what is best, and the mark of a sure difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from octavo.evaluation.report.markup import Html, element


def figure(value: float, *, share: bool) -> str:
    """Return a figure as the report writes it."""
    return f"{value:.3f}" if share else f"{value:,.1f}"


def best_of(values: Sequence[float | None], better: int) -> float | None:
    """Return the best value; None where there is nothing to choose from, or neither direction is better."""
    known = [value for value in values if value is not None]
    if not better or len(known) < 2 or len(set(known)) < 2:
        return None
    return max(known) if better > 0 else min(known)


def sure(summary: Mapping[str, Any], system: str, name: str) -> Html | str:
    """Mark a difference to the first system whose interval leaves out 0."""
    first = summary["systems"][0]["system"]
    for comparison in summary["comparisons"]:
        if comparison["system"] == system and comparison["against"] == first:
            found = comparison["metrics"].get(name)
            return arrow(found, summary["metrics"][name]["better"], first) if found else ""
    return ""


def arrow(found: Mapping[str, Any], better: int, against: str) -> Html | str:
    """Return the mark of a difference with its interval; nothing where the interval has 0 in it."""
    if not better or not found["interval"] or found["interval"][0] * found["interval"][1] <= 0:
        return ""
    up = found["difference"] > 0
    low, high = found["interval"]
    told = f"{found['difference']:+.3f} against {against} ({low:+.3f} to {high:+.3f})"
    return element("span", " ▲" if up else " ▼", class_="up" if up == (better > 0) else "down", title=told)

"""What a comparison on own questions says in words: which system to use, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_FEW = 20
"""Questions below which intervals say little."""


def advice(summary: Mapping[str, Any]) -> str:
    """Return two or three sentences on the systems of a report, "" where there is one alone.

    The system with the best main figure is named, the faster of equals. Where the interval of its difference from the
    first system holds 0 that is said: then the first, which is compared with, will do.
    """
    systems: Sequence[Mapping[str, Any]] = summary["systems"]
    main: str = summary["main_metric"]
    measured = [one for one in systems if one["metrics"].get(main) is not None]
    if len(measured) < 2:
        return ""
    first = measured[0]
    best = max(measured, key=lambda one: (_figure(one, main), -_seconds(one)))
    label = summary["metrics"][main]["definition"]
    told = f"{best['system']} does best: {_shown(best, main)} ({label})"
    if best is first:
        return f"Use {first['system']}: {told}.{_few(summary)}"
    against = f"{first['system']} has {_shown(first, main)}"
    interval = _interval(summary, best["system"], first["system"], main)
    if interval is None or interval[0] > 0:
        return f"Use {best['system']}: {told}; {against}.{_few(summary)}"
    return (
        f"Use {first['system']}: {told} and {against}, but with these questions the difference may be chance "
        f"({interval[0]:+.2f} to {interval[1]:+.2f}).{_few(summary)}"
    )


def _figure(system: Mapping[str, Any], main: str) -> float:
    return float(system["metrics"][main])


def _shown(system: Mapping[str, Any], main: str) -> str:
    figure = _figure(system, main)
    return f"{figure:.0%}" if 0 <= figure <= 1 else f"{figure:.2f}"


def _seconds(system: Mapping[str, Any]) -> float:
    return float(system["usage"].get("seconds") or 0)


def _interval(summary: Mapping[str, Any], system: str, against: str, main: str) -> tuple[float, float] | None:
    for row in summary["comparisons"]:
        if (row["system"], row["against"]) == (system, against) and main in row["metrics"]:
            low, high = row["metrics"][main]["interval"]
            return float(low), float(high)
    return None


def _few(summary: Mapping[str, Any]) -> str:
    count = int(summary["questions"])
    return f" {count} questions are few: with {_FEW} or more it is surer." if count < _FEW else ""

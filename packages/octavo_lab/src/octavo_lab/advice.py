"""What a comparison on own questions says in words: which system to use, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

DEFAULT_SYSTEM = "auto"
"""What is asked with where nobody names a system; the one to keep to among equals."""
_FEW = 20
"""Questions below which intervals say little."""


def advice(summary: Mapping[str, Any]) -> str:
    """Return one to three sentences on the systems of a report, "" where there is one alone.

    The system with the best main figure is named. Where others equal it, or do so but for what may be chance, that is
    said, and of all these `auto` is recommended if it is one, else the first. Points of a sweep are no systems to use.
    """
    systems: Sequence[Mapping[str, Any]] = [one for one in summary["systems"] if not one["swept"]]
    main: str = summary["main_metric"]
    measured = [one for one in systems if one["metrics"].get(main) is not None]
    if len(measured) < 2:
        return ""
    near = [one for one in measured if one["system"] in summary["best"]]
    chosen = next((one for one in near if one["system"] == DEFAULT_SYSTEM), near[0])
    label = summary["metrics"][main]["definition"]
    return f"Use {chosen['system']}: {_reason(near, chosen, measured, main, label)}.{_few(summary)}"


def _reason(
    near: Sequence[Mapping[str, Any]],
    chosen: Mapping[str, Any],
    measured: Sequence[Mapping[str, Any]],
    main: str,
    label: str,
) -> str:
    best = max(near, key=lambda one: _figure(one, main))
    equal = [one["system"] for one in near if _figure(one, main) == _figure(best, main)]
    by_chance = [f"{one['system']} has {_shown(one, main)}" for one in near if one["system"] not in equal]
    if len(equal) > 1:
        told = f"{_listed(equal)} are equal: {_shown(best, main)} ({label})"
    else:
        told = f"{best['system']} does best: {_shown(best, main)} ({label})"
    if by_chance:
        return f"{told}, {_listed(by_chance)}, but with these questions the difference may be chance"
    if len(equal) > 1 or chosen is measured[0]:
        return told
    return f"{told}; {measured[0]['system']} has {_shown(measured[0], main)}"


def _listed(texts: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(texts[:-1]), texts[-1]) if part)


def _figure(system: Mapping[str, Any], main: str) -> float:
    return float(system["metrics"][main])


def _shown(system: Mapping[str, Any], main: str) -> str:
    figure = _figure(system, main)
    return f"{figure:.0%}" if 0 <= figure <= 1 else f"{figure:.2f}"


def _few(summary: Mapping[str, Any]) -> str:
    count = int(summary["questions"])
    return f" {count} questions are few: with {_FEW} or more it is surer." if count < _FEW else ""

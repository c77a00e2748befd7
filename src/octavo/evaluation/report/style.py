"""How the report looks, in light and dark, and how its systems are told apart.

Owns the style sheet, and the colour and mark of each system. Nothing is fetched: fonts are the reader's own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

COLORS = 8
MARKS = 4


@dataclasses.dataclass(frozen=True)
class Look:
    """A colour, 0 to 7, and a mark with its kind of line, 0 to 3."""

    color: int
    mark: int


@cache
def sheet() -> str:
    """Return the style sheet."""
    return resources.files("octavo.evaluation.report").joinpath("style.css").read_text(encoding="utf-8")


def shown(summary: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the systems that were named; points of sweeps have plots of their own."""
    return [system for system in summary["systems"] if not system["swept"]]


def looks(systems: Sequence[Mapping[str, Any]]) -> dict[str, Look]:
    """Return a look for each system, by name: variants have the colour of their base, all 32 looks come before a twin.

    Systems without variants take the colours in order, and after the eighth the next mark.
    """
    bases = list(dict.fromkeys(str(system["base"]) for system in systems))
    colors = {base: number % COLORS for number, base in enumerate(bases)}
    found: dict[str, Look] = {}
    for system in systems:
        taken = set(found.values())
        wanted = _from(colors[str(system["base"])])
        found[str(system["system"])] = next(
            (look for look in wanted if look not in taken), Look(len(found) % COLORS, len(found) // COLORS % MARKS)
        )
    return found


def _from(color: int) -> Iterator[Look]:
    """Yield all looks, those of a colour first."""
    for step in range(COLORS):
        yield from (Look((color + step) % COLORS, mark) for mark in range(MARKS))

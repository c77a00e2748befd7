"""How the report looks, in light and dark.

Owns the style sheet and the number of colours for systems. Nothing is fetched: fonts are the reader's own.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

COLORS = 8


@cache
def sheet() -> str:
    """Return the style sheet."""
    return resources.files("octavo.evaluation.report").joinpath("style.css").read_text(encoding="utf-8")


def color(number: int) -> int:
    """Return the colour of the system in this place; colours come round again."""
    return number % COLORS

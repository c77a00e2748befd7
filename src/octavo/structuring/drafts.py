"""Blocks in the making: lines grouped, kind and level still open.

Owns the draft and how one is made from lines. Knows nothing about why lines belong together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from octavo.document import FigureKind, Kind
from octavo.parsing.content import Box
from octavo.structuring.breaks import Words, joined
from octavo.structuring.lines import Look, PageLines, common_look


@dataclass(slots=True, eq=False)
class Draft:
    """A block before the table is built. `lines` are rows of its page's lines; `column` counts columns on the page."""

    kind: Kind
    page: int
    """0-based."""
    text: str
    box: Box
    look: Look
    lines: tuple[int, ...] = ()
    confidence: float = 1.0
    level: int = 0
    column: int = 0
    grid: str = ""
    figure: FigureKind = FigureKind.OTHER
    is_told: bool = False
    """A layout model says what it is."""
    targets: list[tuple[Draft, int]] = field(default_factory=list["tuple[Draft, int]"])
    """Links to other drafts, each with its `LinkKind`."""
    references: list[tuple[Draft, str, float]] = field(default_factory=list["tuple[Draft, str, float]"])
    """Drafts its text refers to, each with the words that do and how sure the link is (0..1)."""


def draft(kind: Kind, page: PageLines, lines: Sequence[int], words: Words, *, column: int = 0) -> Draft:
    """Return a draft of running text; `lines` are rows of `page` in reading order, at least one."""
    return written(kind, page, lines, joined([page.texts[row] for row in lines], words), column=column)


def written(kind: Kind, page: PageLines, lines: Sequence[int], text: str, *, column: int = 0) -> Draft:
    """Return a draft whose text is given."""
    return Draft(
        kind=kind,
        page=page.index,
        text=text,
        box=page.hull(lines),
        look=common_look([page.looks[row] for row in lines], [len(page.texts[row]) for row in lines]),
        lines=tuple(lines),
        confidence=sum(page.confidences[row] for row in lines) / len(lines),
        column=column,
    )

"""The kinds of block the handbook's text is made of. Knows nothing about markup, numbers or layout."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Heading:
    """`style` is `numbered`, `appendix` or `bare`; level 1 opens a new page."""

    title: str
    level: int
    style: str
    key: str
    columns: int = 1


@dataclass(frozen=True)
class Prose:
    """A paragraph; `role` is `paragraph`, `lead`, `quote`, `warning` or `centred`."""

    text: str
    role: str = "paragraph"


@dataclass(frozen=True)
class Item:
    """A list item; `depth` is 0 or 1; `marker` is the bullet or number as printed."""

    text: str
    marker: str
    depth: int


@dataclass(frozen=True)
class Definition:
    """One entry of a glossary or a list of acronyms."""

    term: str
    text: str


@dataclass(frozen=True)
class Grid:
    """A table: `look` is `ruled`, `lines` or `plain`; columns are (alignment, width in points)."""

    key: str
    look: str
    columns: tuple[tuple[str, float], ...]
    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Figure:
    """A drawing or picture, named as in `figures.FIGURES`."""

    key: str
    drawing: str
    caption: str


@dataclass(frozen=True)
class Code:
    """Lines set in a monospaced face."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Formula:
    """A displayed formula in inline markup, numbered at the right."""

    key: str
    text: str


@dataclass(frozen=True)
class Command:
    """A layout command: `contents`, `break`, `columns`."""

    name: str


Block = Heading | Prose | Item | Definition | Grid | Figure | Code | Formula | Command

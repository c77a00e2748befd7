"""What layout writes down while it draws: which text came to lie on which page, and where.

Boxes are left, top, right, bottom in points from the page's top left corner. Pages are physical, from 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from reportlab.lib.pagesizes import inch
from reportlab.platypus import Paragraph

from .inline import Inline, letters, plain

PAGE_SIZE = (6.5 * inch, 9.25 * inch)


@dataclass(frozen=True)
class Piece:
    """One drawn piece of a block: a paragraph broken over a page has two."""

    key: str
    kind: str
    page: int
    box: tuple[float, float, float, float]
    text: str


@dataclass(frozen=True)
class Sighting:
    """A mark (reference or footnote number) and the page on which it was drawn."""

    page: int
    kind: str
    text: str
    target: str


@dataclass
class Record:
    """Everything one pass of layout has drawn, in drawing order."""

    pieces: list[Piece] = field(default_factory=list)
    sightings: list[Sighting] = field(default_factory=list)
    pages: dict[str, int] = field(default_factory=dict)
    furniture: list[tuple[int, str, str]] = field(default_factory=list)
    hyphenated: list[tuple[int, str]] = field(default_factory=list)
    page_count: int = 0
    front_pages: int = 0

    def place(self, key: str, kind: str, canvas: Any, size: tuple[float, float], text: str) -> None:
        """Write down a piece whose lower left corner is the canvas's origin now."""
        x, y = canvas.absolutePosition(0, 0)
        width, height = size
        page = canvas.getPageNumber()
        box = (x, PAGE_SIZE[1] - y - height, x + width, PAGE_SIZE[1] - y)
        rounded = (round(box[0], 1), round(box[1], 1), round(box[2], 1), round(box[3], 1))
        self.pieces.append(Piece(key, kind, page, rounded, text))
        self.pages.setdefault(key, page)


@dataclass
class Source:
    """The text a paragraph is drawn from; `done` counts the letters drawn so far."""

    key: str
    kind: str
    inline: Inline
    record: Record
    done: int = 0


class RecordedParagraph(Paragraph):
    """A paragraph that writes each of its drawn parts into a record."""

    source: Source

    def split(self, aW: float, aH: float) -> list[Any]:  # noqa: N803 - ReportLab's own names
        """Split as a paragraph does; both parts keep the source."""
        parts = super().split(aW, aH)
        for part in parts:
            part.source = self.source
        return parts

    def draw(self) -> None:
        """Draw, and record the text drawn."""
        super().draw()
        source, page = self.source, self.canv.getPageNumber()
        start = source.done
        for line in self.blPara.lines:
            text = _line_text(line)
            source.done += len(letters(text))
            self._note_hyphen(text, page)
        for mark in source.inline.marks:
            if start <= mark.offset < source.done:
                source.record.sightings.append(Sighting(page, mark.kind, mark.text, mark.target))
        text = plain(_slice(source.inline.drawn, start, source.done))
        source.record.place(source.key, source.kind, self.canv, (self.width, self.height), text)

    def _note_hyphen(self, line: str, page: int) -> None:
        source = self.source
        cut = _cut(source.inline.drawn, source.done)
        drawn = source.inline.drawn
        if line.endswith("-") and drawn[cut - 1 : cut] != "-" and drawn[cut : cut + 1] not in ("", "-"):
            head, tail = drawn[:cut].split(" ")[-1], drawn[cut:].split(" ")[0]
            source.record.hyphenated.append((page, plain(head + tail).strip(".,;:()")))


def recorded(source: Source, style: Any, *, bullet: str | None = None) -> RecordedParagraph:
    """Return a paragraph for a source."""
    paragraph = RecordedParagraph(source.inline.xml, style, bulletText=bullet)
    paragraph.source = source
    return paragraph


def _line_text(line: Any) -> str:
    if isinstance(line, tuple):
        return " ".join(line[1])
    return "".join(getattr(word, "text", "") for word in line.words).rstrip()


def _cut(text: str, count: int) -> int:
    """Return the index in `text` just after its `count`-th letter."""
    if count <= 0:
        return 0
    seen = 0
    for index, character in enumerate(text):
        seen += len(letters(character))
        if seen == count:
            return index + 1
    return len(text)


def _slice(text: str, start: int, end: int) -> str:
    return text[_cut(text, start) : _cut(text, end)].strip()

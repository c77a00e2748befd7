"""What a reader of flowing text gives: blocks with the kind and level the source gives, without pages or geometry."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from octavo_documents.document import Kind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing.inline_marks import settled
from octavo_documents.parsing.look_marks import has_looks, taken, unmarked
from octavo_documents.text.lines import on_one_line

DEEPEST = 6
"""Files in files that are opened: a letter in a letter in a letter."""


class NoText(Exception):
    """The bytes are no document of their format, or one that only sends on to another.

    `reason` is `redirect` or one of `SourceError`: `format`, `empty`, `damaged`, `encrypted`, `too_large`.
    """

    def __init__(self, message: str, reason: str = "format") -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class CarriedFile:
    """A file in a file. `kind` is its media type where that is told; `content` is a message that is read already."""

    name: str
    kind: str = ""
    data: bytes = b""
    content: FlowContent | None = None


@dataclass(frozen=True, slots=True)
class FlowBlock:
    """One block. `level` is the depth of a heading or the nesting of a list item, both from 1; 0 elsewhere."""

    kind: Kind
    text: str
    level: int = 0
    grid: Grid | None = None
    """The cells of a table."""
    goes_on: bool = False
    """Whether it is a part of the table before it, which was too long for one block."""
    bold: bool = False
    """Whether all of it is set bold."""
    part: str = ""
    """The label of the part that begins with it, "slide 4" or "sheet Costs"; "" for one that goes on."""
    box: tuple[float, float, float, float] | None = None
    """Where it stands on the page that its part is, in points from the top left, for what was laid out elsewhere."""
    confidence: float = 1.0
    """How sure the text is (0..1), of words that OCR reads."""
    file: CarriedFile | None = None
    """Of a heading, the file whose text comes under it; of a figure, the picture whose words become its text."""
    styled: str = ""
    """Its words that look otherwise than the rest, as the block table has them; taken from the marks in its text."""

    def __post_init__(self) -> None:
        """Take the marks of looks out of the text and the cells."""
        if not has_looks(self.text):
            return
        text, styled = taken(self.text)
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "styled", styled)
        if self.grid is not None:
            cells = tuple(replace(cell, text=unmarked(cell.text)) for cell in self.grid.cells)
            object.__setattr__(self, "grid", replace(self.grid, cells=cells))


@dataclass(frozen=True, slots=True)
class FlowContent:
    """A whole source file as read. `title` is what the file says of itself, not a heading in its text."""

    blocks: tuple[FlowBlock, ...]
    title: str = ""
    author: str = ""
    created: str = ""
    warnings: tuple[str, ...] = field(default=())


def attached(file: CarriedFile, level: int) -> FlowBlock:
    """Return the heading under which a file in a file is read; where it cannot be, its name is told in its place."""
    return FlowBlock(Kind.HEADING, f"Attachment: {collapse_whitespace(file.name)}", level, file=file)


def table(rows: list[list[str]], header_rows: int, *, header_columns: int = 0) -> FlowBlock | None:
    """Return the block of a table of plain rows; None when no cell says anything."""
    if not any(any(texts) for texts in rows):
        return None
    grid = Grid.of_rows(rows, header_rows=min(header_rows, len(rows)), header_columns=header_columns)
    return FlowBlock(Kind.TABLE, grid.text(), grid=grid)


def collapse_whitespace(text: str) -> str:
    """Return running text on one line: white space of any sort and length is one space, raised text written out."""
    words = on_one_line(text)
    return settled(words) if words else ""

"""What a parser of flowing text yields: blocks with the kind and level the source gives, without pages or geometry."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field

from octavo.document import Kind
from octavo.document.grid import Grid
from octavo.parsing.encodings import guessed, wide


class NoText(Exception):
    """The bytes are no document of their format, or one that only sends on to another.

    `reason` is `redirect` or one of `SourceError`: `format`, `empty`, `damaged`, `encrypted`, `too_large`.
    """

    def __init__(self, message: str, reason: str = "format") -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class FlowBlock:
    """One block. `level` is the depth of a heading or the nesting of a list item, both from 1; 0 elsewhere."""

    kind: Kind
    text: str
    level: int = 0
    grid: Grid | None = None
    """The cells of a table."""
    bold: bool = False
    """Whether all of it is set bold."""
    part: str = ""
    """The label of the part that begins with it, "slide 4" or "sheet Costs"; "" for one that goes on."""


@dataclass(frozen=True, slots=True)
class FlowContent:
    """A whole source file as read. `title` is what the file says of itself, not a heading in its text."""

    blocks: tuple[FlowBlock, ...]
    title: str = ""
    author: str = ""
    created: str = ""
    warnings: tuple[str, ...] = field(default=())


def table(rows: list[list[str]], header_rows: int, *, header_columns: int = 0) -> FlowBlock | None:
    """Return the block of a table of plain rows; None when no cell says anything."""
    if not any(any(texts) for texts in rows):
        return None
    grid = Grid.of_rows(rows, header_rows=min(header_rows, len(rows)), header_columns=header_columns)
    return FlowBlock(Kind.TABLE, grid.text(), grid=grid)


MOST_CELLS = 200_000
"""Places in a table; cells that span beyond are taken as cells of one place."""


class Places:
    """Gives the cells of a table with spans their places, row after row, from left to right."""

    def __init__(self) -> None:
        self._taken: set[tuple[int, int]] = set()

    def put(self, row: int, column: int, down: int, across: int) -> tuple[int, int, int]:
        """Return the first free column of a row from one on, and how far down and across a cell there may reach."""
        while (row, column) in self._taken:
            column += 1
        if len(self._taken) + down * across > MOST_CELLS:
            down = across = 1
        if down == across == 1:
            self._taken.add((row, column))
        else:
            self._taken.update((row + y, column + x) for y in range(down) for x in range(across))
        return column, down, across

    @property
    def width(self) -> int:
        """How many columns are taken."""
        return max((column for _, column in self._taken), default=-1) + 1


def tidy(text: str) -> str:
    """Return running text on one line: white space of any sort and length is one space."""
    return " ".join(text.split())


def whole_number(text: str, *, digits: int = 8) -> int | None:
    """Return the whole number that a file writes; None where it writes none, or one of more digits.

    `str.isdigit` takes "²" for a number, and `int` refuses numbers of thousands of digits.
    """
    return int(text) if text.isdecimal() and len(text) <= digits else None


# Bytes to text

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9._:-]{2,40})""")
_LOOKED_AT = 2048
_BINARY = 0.02
"""Share of control characters from which on bytes are no text."""


def text_of(data: bytes, *, says_encoding: bool = False) -> tuple[str, tuple[str, ...]]:
    """Return bytes as text, and a warning when the encoding had to be guessed.

    A byte order mark decides, then what a file that `says_encoding` declares in its first lines, then UTF-8, then
    which letters come most often, then Windows-1252, which takes any byte. Raises NoText.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _checked(data.decode(encoding, "replace")), ()
    declared = _DECLARED.search(data[:_LOOKED_AT]) if says_encoding else None
    for encoding in (_known(declared[1]) if declared else "", wide(data), "utf-8"):
        if encoding:
            try:
                return _checked(data.decode(encoding)), ()
            except UnicodeDecodeError:
                continue
    encoding = guessed(data)
    return _checked(data.decode(encoding or "cp1252", "replace")), (f"not UTF-8: read as {encoding or 'Windows-1252'}",)


def _known(name: bytes) -> str:
    """Return the name of a text encoding there is, "" for any other."""
    try:
        found = codecs.lookup(name.decode("ascii"))
    except LookupError:
        return ""
    return found.name if found._is_text_encoding else ""  # pyright: ignore[reportPrivateUsage]


def _checked(text: str) -> str:
    # Bytes are gone through by table, ten times faster than characters.
    data = text.encode("utf-8", "surrogatepass")
    shown = data.translate(None, _CONTROLS)
    controls = len(data) - len(shown)
    if controls > max(_BINARY * len(text), 8):
        raise NoText("its bytes are those of another kind of file")
    if controls:
        text = shown.decode("utf-8", "surrogatepass")
    return text.replace("\ufeff", "").replace("\r\n", "\n").replace("\r", "\n")


_CONTROLS = bytes((*range(9), *range(14, 32)))

"""The block table: a document as rows in reading order, where a section is a slice."""

from __future__ import annotations

import dataclasses
import enum
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from octavo_documents.document.columns import Rows, Table, TextColumn, column, text_column


class Kind(enum.IntEnum):
    """What a block is. The number is what the table stores, `label` what people and JSON see."""

    TITLE = 0
    HEADING = 1
    PARAGRAPH = 2
    LIST_ITEM = 3
    TABLE = 4
    FIGURE = 5
    CHART = 6
    FORMULA = 7
    CAPTION = 8
    FOOTNOTE = 9
    CODE = 10
    PAGE_HEADER = 11
    PAGE_FOOTER = 12

    @property
    def label(self) -> str:
        """The kind in lower case, as in JSON: `list_item`."""
        return self.name.lower()


KIND_BY_LABEL = {kind.label: kind for kind in Kind}


class FigureKind(enum.IntEnum):
    """What sort of figure a FIGURE block is; charts have a `Kind` of their own. The number is what the table stores."""

    OTHER = 0
    """A figure of no sort told here, and every block that is no figure."""
    PHOTO = 1
    DIAGRAM = 2
    MAP = 3
    LOGO = 4

    @property
    def label(self) -> str:
        """The sort in lower case, as in JSON: `photo`; empty for OTHER."""
        return "" if self == FigureKind.OTHER else self.name.lower()


_KINDS, _FIGURE_KINDS = tuple(Kind), tuple(FigureKind)
"""By number. An enum takes several times as long to call."""

FURNITURE = (Kind.PAGE_HEADER, Kind.PAGE_FOOTER)
"""Kinds that belong to the page, not to what the document says."""
PICTURED = (Kind.FIGURE, Kind.CHART)
"""Kinds that are drawn: what their words say is not all that they show."""


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class BlockTable(Table):
    """Blocks in reading order, which is the pre-order of the section tree.

    The section of the heading in row r is the slice `[r, end[r])`; a block without children has `end = row + 1`.
    `parent` is the row of the heading a block stands under, -1 at the document's root. Rows that start on one page
    are contiguous too. Boxes are points, origin at the top left of the page.
    """

    row_space: ClassVar[str] = "block"

    kind: npt.NDArray[np.uint8] = column("u1")
    text: TextColumn = text_column()
    page: npt.NDArray[np.int32] = column("<i4")
    """Physical page on which the block starts, 1-based, never decreasing."""
    box: npt.NDArray[np.float32] = column("<f4", width=4)
    """(n, 4) x0, y0, x1, y1 in points."""
    level: npt.NDArray[np.uint8] = column("u1")
    """Depth of a heading (1 is the highest) or nesting of a list item (1 is the outermost); 0 elsewhere."""
    parent: npt.NDArray[np.int32] = column("<i4", rows_of="block")
    end: npt.NDArray[np.int32] = column("<i4", rows_of="block")
    size: npt.NDArray[np.float32] = column("<f4")
    """Font size of most of the block's characters, in points; 0 when there is no text."""
    bold: npt.NDArray[np.bool_] = column("?")
    italic: npt.NDArray[np.bool_] = column("?")
    color: npt.NDArray[np.uint32] = column("<u4")
    """0xRRGGBB of most of the block's characters."""
    confidence: npt.NDArray[np.float32] = column("<f4")
    """1.0 for a text layer; the recogniser's mean score (0..1) for OCR."""
    grid: TextColumn = text_column()
    """A table's cells, and the values read from a chart, as `document.grid.Grid` stores them (JSON); empty elsewhere.

    The text of such a chart ends with the rows of its grid.
    """
    figure: npt.NDArray[np.uint8] = column("u1", absent=FigureKind.OTHER)
    """The `FigureKind` of a figure; 0 elsewhere."""
    styled: TextColumn = text_column(absent="")
    """Words that look otherwise than the rest of the block, as `document.styled_words` packs them; "" for none.

    All that is underlined or highlighted, and what is bold or italic in a block that is not so as a whole.
    """

    def kind_of(self, row: int) -> Kind:
        """Return what the block is; to compare an element of `kind` itself with a `Kind` takes thirty times as long."""
        return _KINDS[self.kind.item(row)]

    def figure_kind_of(self, row: int) -> FigureKind:
        """Return what sort of figure the block is, OTHER if none."""
        return _FIGURE_KINDS[self.figure.item(row)]

    def subtree(self, row: int) -> slice:
        """Return the rows of the section (or the single block) that starts at `row`."""
        return slice(row, int(self.end[row]))

    def headings(self) -> Rows:
        """Return the rows of headings in order."""
        return np.flatnonzero(self.kind == Kind.HEADING)

    def ancestors(self, row: int) -> list[int]:
        """Return the heading rows above `row`, outermost first; a heading is not its own ancestor."""
        path: list[int] = []
        above = int(self.parent[row])
        while above >= 0:
            path.append(above)
            above = int(self.parent[above])
        return path[::-1]

    def section_path(self, row: int) -> tuple[str, ...]:
        """Return the titles of the sections `row` stands in, outermost first, a heading's own title included."""
        rows = self.ancestors(row)
        if self.kind_of(row) == Kind.HEADING:
            rows.append(row)
        return tuple(self.text.take(rows))

    def check(self) -> None:
        """Raise ValueError unless the rows are a well-formed pre-order table."""
        rows = np.arange(len(self))
        heading = self.kind == Kind.HEADING
        inside = self.parent >= 0
        can_be_figure = (self.kind == Kind.FIGURE) | np.isin(self.kind, FURNITURE)
        claims = {
            "a kind is unknown": bool((self.kind <= max(Kind)).all()),
            "a figure kind is unknown": bool((self.figure <= max(FigureKind)).all()),
            "a block that is no figure has a figure kind": not self.figure[~can_be_figure].any(),
            "pages decrease or are below 1": bool((self.page >= 1).all() and (np.diff(self.page) >= 0).all()),
            "a box is not finite": bool(np.isfinite(self.box).all()),
            "a box is turned inside out": bool((self.box[:, :2] <= self.box[:, 2:]).all()),
            "a heading has no level": bool((self.level[heading] >= 1).all()),
            "a parent is not an earlier row": bool(((self.parent >= -1) & (self.parent < rows)).all()),
            "an end is not a later row": bool(((self.end > rows) & (self.end <= len(self))).all()),
            "a parent is not a heading": bool(heading[self.parent[inside]].all()),
            "a slice leaves its parent's": bool((self.end[inside] <= self.end[self.parent[inside]]).all()),
            "a block that is no heading has children": bool((self.end[~heading] == rows[~heading] + 1).all()),
        }
        for claim, holds in claims.items():
            if not holds:
                raise ValueError(claim)
        parent, end = nest(self.kind, self.level)
        if not (np.array_equal(parent, self.parent) and np.array_equal(end, self.end)):
            raise ValueError("the nesting does not follow the heading levels")


def nest(
    kind: npt.NDArray[np.uint8], level: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return the (parent, end) columns that the heading levels of rows in reading order imply.

    A heading of level n ends every open section of level n or deeper; any other block belongs to the innermost open
    section, -1 before the first heading.
    """
    size = len(kind)
    end = np.arange(1, size + 1, dtype=np.int32)
    rows = np.flatnonzero(kind == Kind.HEADING)
    last = np.full(size, -1, np.int32)
    last[rows] = rows
    parent = np.maximum.accumulate(last) if size else last
    open_rows: list[int] = []
    for row, depth in zip(rows.tolist(), level[rows].tolist(), strict=True):
        while open_rows and level[open_rows[-1]] >= depth:
            end[open_rows.pop()] = row
        parent[row] = open_rows[-1] if open_rows else -1
        open_rows.append(row)
    end[open_rows] = size
    return parent, end

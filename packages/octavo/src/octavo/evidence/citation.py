"""Places in documents that an answer stands on: citations with their words, and passages that a person reads."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from octavo.errors import UsageError
from octavo.evidence.citation_ids import CitationId
from octavo.evidence.view import View
from octavo_documents.document.grid import Grid
from octavo_documents.text.lines import on_one_line
from octavo_documents.wording import t

if TYPE_CHECKING:
    from PIL.Image import Image

    from octavo.evidence.answer_shapes import CitationShape, PassageShape, PlaceShape


@dataclasses.dataclass(frozen=True, slots=True)
class BlockPlace:
    """Where a block of a document stands. `document` is its name, `block` the block's id in the view."""

    document: str
    document_title: str = dataclasses.field(default="", kw_only=True)
    """What the document is called (`Document.title`); "" where its name has to do."""
    document_id: str
    block: str
    page: int
    """Physical page, 1-based."""
    page_label: str
    box: tuple[float, float, float, float]
    """Points, origin top left."""
    section: tuple[str, ...]
    kind: str
    cells: str = dataclasses.field(default="", kw_only=True)
    """The range of cells of a table in a sheet, "B4:D9", or the one that is cited, "B7"; "" for all else."""

    @property
    def cells_told(self) -> str:
        """Return "cells B4:D9" or "cell B7" for people, "" where there are none."""
        if not self.cells:
            return ""
        return t("cells {range}", range=self.cells) if ":" in self.cells else t("cell {name}", name=self.cells)

    @classmethod
    def of_block(cls, view: View, row: int) -> BlockPlace:
        """Return where a block stands."""
        return BlockPlace(**_place(view, row))

    def place_json(self) -> PlaceShape:
        """Return where it stands as JSON, without a range where there is none."""
        place: PlaceShape = {
            "document": self.document,
            "document_title": self.document_title,
            "document_id": self.document_id,
            "block": self.block,
            "page": self.page,
            "page_label": self.page_label,
            "box": self.box,
            "section": [*self.section],
            "kind": self.kind,
        }
        if self.cells:
            place["cells"] = self.cells
        return place


@dataclasses.dataclass(frozen=True, slots=True)
class Citation(BlockPlace):
    """Where an answer stands: a block, its page and box, and words that are verbatim in the block."""

    quote: str
    id: str = ""
    """Names the words for good: see `octavo.evidence.citation_ids`; "" where they come from no document."""
    drawn_by: Callable[[str, int], Image] | None = dataclasses.field(
        default=None, compare=False, repr=False, kw_only=True
    )
    """Draws the page by the citation's id and a width in pixels; None where no corpus has asked."""

    def picture(self, width: int = 900) -> Image:
        """Return its page as a picture, the cited words marked. Raises UsageError where there is no page to draw."""
        if self.drawn_by is None:
            raise UsageError("a citation is drawn by the corpus that was asked: Corpus.picture_of(id) draws it too")
        return self.drawn_by(self.id, width)

    def to_json(self) -> CitationShape:
        """Return the citation as JSON."""
        return {**self.place_json(), "quote": self.quote, "id": self.id}

    @classmethod
    def of(cls, view: View, row: int, quote: str) -> Citation | None:
        """Cite a block; None when the quote is not in it. The quote kept is the block's own, white space included."""
        found = _verbatim(quote, view.blocks.text[row])
        return None if found is None else cls.between(view, row, *found)

    @classmethod
    def of_cell(cls, view: View, row: int, quotes: Sequence[str], texts: Sequence[str]) -> Citation | None:
        """Cite the first of some quotes that is in a block, in a sheet with the cell that one of some texts is."""
        found = next(filter(None, (cls.of(view, row, quote) for quote in quotes)), None)
        return found and dataclasses.replace(found, cells=cell_of(view, row, found.quote, *texts))

    @classmethod
    def between(cls, view: View, row: int, start: int, stop: int) -> Citation:
        """Cite the words [start, stop) of a block's text; 0, 0: the block without words."""
        words = view.blocks.text[row][start:stop]
        return cls(**_place(view, row), quote=words, id=_id(view, row, start, stop))

    @classmethod
    def at(cls, view: View, row: int) -> Citation:
        """Cite a block by its place alone, without words."""
        return cls.between(view, row, 0, 0)


def _place(view: View, row: int) -> dict[str, Any]:
    at = int(view.document[row])
    document = view.documents[at]
    return {
        "document": view.names[at],
        "document_title": document.title,
        "document_id": document.id,
        "block": view.block_id(row),
        "page": int(view.blocks.page[row]),
        "page_label": view.page_label(row),
        "box": box_of(view, row),
        "section": view.blocks.section_path(row),
        "kind": view.blocks.kind_of(row).label,
        "cells": cells_of(view, row),
    }


def _id(view: View, row: int, start: int, stop: int) -> str:
    document = int(view.document[row])
    return str(CitationId.of(view.documents[document], row - int(view.row_starts[document]), start, stop))


def _verbatim(quote: str, text: str) -> tuple[int, int] | None:
    """Return the stretch of `text` that reads like `quote`, white space aside."""
    wanted, flat = on_one_line(quote), on_one_line(text)
    start = flat.find(wanted) if wanted else -1
    if start < 0:
        return None
    if flat == text:
        return start, start + len(wanted)
    letters = [at for at, letter in enumerate(text) if not letter.isspace()]
    first = start - flat.count(" ", 0, start)
    return letters[first], letters[first + len(wanted) - wanted.count(" ") - 1] + 1


def cells_of(view: View, row: int) -> str:
    """Return the range of cells of a table in a sheet, "B4:D9"; "" for any other block."""
    stored = view.blocks.grid[row]
    return Grid.from_json(stored).range if '"origin"' in stored else ""


def cell_of(view: View, row: int, quote: str, *texts: str) -> str:
    """Return the cell of a sheet that one of some texts is in the table row that is quoted, "B7".

    The range of the table where no cell is that text or several are, "" for any block but a table of a sheet.
    """
    stored = view.blocks.grid[row]
    if '"origin"' not in stored:
        return ""
    grid, quoted = Grid.from_json(stored), on_one_line(quote)
    lines = [
        (at, cells) for at, cells in enumerate(grid.rows()) if on_one_line(" | ".join(cells).rstrip(" |")) == quoted
    ]
    for text in map(on_one_line, texts):
        found = [(at, column) for at, cells in lines for column, cell in enumerate(cells) if on_one_line(cell) == text]
        if text and len(found) == 1:
            return grid.cell_name(*found[0])
    return grid.range


def box_of(view: View, row: int) -> tuple[float, float, float, float]:
    """Return a block's box in points, rounded to a tenth."""
    x0, y0, x1, y1 = (round(float(value), 1) for value in view.blocks.box[row])
    return (x0, y0, x1, y1)


@dataclasses.dataclass(frozen=True, slots=True)
class Passage(BlockPlace):
    """A stretch of a document that a person can read alone: whole sentences, a table row with its column heads, a list.

    Unlike a citation's quote its text may join what stands apart (a row and the head of its columns).
    """

    text: str
    emphasis: tuple[tuple[int, int], ...] = ()
    """[start, stop) in characters of `text`: the words that matter, in order, apart from each other."""
    score: float = 0.0
    """How likely it holds the answer, 0..1."""
    id: str = ""
    """Names its words for good, as a citation's does; its block as a whole where they do not stand together in it."""
    whole: str = ""
    """The row of a table, verbatim, that the text shows in part; "" where the text leaves nothing of a row out."""

    def to_json(self) -> PassageShape:
        """Return the passage as JSON, without a whole row where there is none."""
        emphasis = [*self.emphasis]
        shape: PassageShape = {
            **self.place_json(),
            "text": self.text,
            "emphasis": emphasis,
            "score": self.score,
            "id": self.id,
        }
        if self.whole:
            shape["whole"] = self.whole
        return shape

    @classmethod
    def at(
        cls,
        view: View,
        row: int,
        text: str,
        *,
        emphasis: tuple[tuple[int, int], ...] = (),
        score: float = 0.0,
        whole: str = "",
    ) -> Passage:
        """Return a passage that stands at a block; `whole` is a row of it that the text shows in part."""
        start, stop = _verbatim(whole or text, view.blocks.text[row]) or (0, 0)
        identity = _id(view, row, start, stop)
        return cls(**_place(view, row), text=text, emphasis=emphasis, score=score, id=identity, whole=whole)

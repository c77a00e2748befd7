"""Places on pages: stretches that are marked, quotes that were found, what the id of a citation means now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from octavo.evidence.citation import Citation
from octavo.evidence.citation_ids import State
from octavo_documents.document.page_words import Box, Spot


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A place that a citation stands at: a page, a box on it, and, of a table, the cell there.

    The cell is row and column (from 0) in the whole table, which may have begun pages before; None for what is in no
    table, and for a table as a whole.
    """

    page: int
    box: Box
    cell: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Cited:
    """What the id of a citation means now. `start` and `stop` are characters of the block's text, 0 and 0 for all."""

    citation: Citation
    start: int
    stop: int
    boxes: tuple[Spot, ...]
    """What to mark: one a line of print where the words are found on the page, else that of the block."""
    places: tuple[CitedPlace, ...]
    """All that it stands at, in order: cell by cell in a table, line by line in a text, page by page of a table over
    pages that is cited as a whole. Where nothing is found on the page it is the place of the block."""
    state: State
    """`moved` where the words stand elsewhere in the document than the id says, since it was read anew."""


Found: TypeAlias = Literal["exact", "normalised", "near", "none"]
"""How a quote stands in documents: letter for letter, but for white space, case and typography, nearly, or not."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a text stands on a page: a box for each line of print, and each cell of a table; none when not found."""

    text: str
    page: int
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class FoundQuote:
    """A place where a quote stands. `similarity` is 1 for all but nearly the same words, then 0..1."""

    citation: Citation
    similarity: float


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether documents hold a quote."""

    found: Found
    places: tuple[FoundQuote, ...]
    """The most alike first."""
    searched: int
    """Documents that were looked through."""
    is_complete: bool
    """Whether these were all in scope: of many documents only those that fit the quote best are looked through."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place where a text stands: the words, and a snippet of what is around them, in which they are [start, stop)."""

    citation: Citation
    snippet: str
    start: int
    stop: int


Spans: TypeAlias = tuple[tuple[int, int], ...]
"""Stretches [start, stop) of a text."""


@dataclass(frozen=True, slots=True)
class DocumentFinds:
    """What a document has of a text: where its title and name have it, and places in the order of its pages."""

    document_id: str
    document: str
    title: str
    in_title: Spans
    in_name: Spans
    total: int
    """How many places there are; those that were asked for are told."""
    places: tuple[Occurrence, ...]


@dataclass(frozen=True, slots=True)
class Finds:
    """Documents that have a text: those first whose title or name has it, then those that have it most often."""

    text: str
    documents: tuple[DocumentFinds, ...]
    total: int
    searched: int
    """Documents that were looked through."""
    is_complete: bool
    """Whether these were all in scope."""

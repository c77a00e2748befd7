"""Passages, the unit of text retrieval, and summaries, text that stands for other text; the terms of passages."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from octavo.document.columns import Table, TextColumn, column, text_column


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class PassageTable(Table):
    """Runs of blocks inside one page and one section.

    A passage holds the blocks of rows `[start, stop)` that are not page furniture. A block too long for one passage
    is split: then `stop = start + 1` and the text is characters `[char_start, char_stop)` of that block.
    """

    row_space: ClassVar[str] = "passage"

    text: TextColumn = text_column()
    heading: TextColumn = text_column()
    """The heading path, outermost first, joined by " > "; it prefixes the text in search, never in quotes."""
    start: npt.NDArray[np.int32] = column("<i4", rows_of="block")
    stop: npt.NDArray[np.int32] = column("<i4", rows_of="block")
    page: npt.NDArray[np.int32] = column("<i4")
    char_start: npt.NDArray[np.int32] = column("<i4")
    char_stop: npt.NDArray[np.int32] = column("<i4")


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class SummaryTable(Table):
    """Text that stands for a page, a section, an element or a cluster."""

    row_space: ClassVar[str] = "summary"

    text: TextColumn = text_column()
    target: TextColumn = text_column()
    """What it summarises: `page`, `section`, `element` or `cluster`."""
    start: npt.NDArray[np.int32] = column("<i4", rows_of="block")
    stop: npt.NDArray[np.int32] = column("<i4", rows_of="block")
    level: npt.NDArray[np.int32] = column("<i4")


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class TermTable(Table):
    """The vocabulary of one document, sorted; term i's postings are rows `[first[i], first[i + 1])`."""

    term: TextColumn = text_column()
    first: npt.NDArray[np.int32] = column("<i4")
    """Row of the term's first posting; the last row holds the empty term and the number of postings."""


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class PostingTable(Table):
    """Postings grouped by term: in passage `passage` the term stands `count` times."""

    passage: npt.NDArray[np.int32] = column("<i4", rows_of="passage")
    count: npt.NDArray[np.int32] = column("<i4")

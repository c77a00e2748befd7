"""Runs of words as passages: chunks that end after so many words or tokens, wherever a sentence or a section ends."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from octavo.evidence import PassageTable
from octavo_documents.document import Document, TextColumn

Word = tuple[int, int, int]
"""Row, first character, character after the last."""
_WORD = re.compile(r"\S{1,30}")
"""In a script without spaces a word is 30 characters."""


def words_of(document: Document, rows: Iterable[int]) -> Iterator[Word]:
    """Yield each word of some rows, in their order."""
    for row in rows:
        for found in _WORD.finditer(document.blocks.text[row]):
            yield row, *found.span()


def passages_of(document: Document, runs: Sequence[Sequence[Word]], *, heading: str = "") -> PassageTable:
    """Return a passage for each run: rows `[start, stop)` hold words of it; its text has a line for each such row.

    `char_start` is where it begins in its first row, `char_stop` where it ends in its last.
    """
    return PassageTable(
        text=TextColumn.of(_text(document, run) for run in runs),
        heading=TextColumn.of([heading] * len(runs)),
        start=np.array([run[0][0] for run in runs], np.int32),
        stop=np.array([run[-1][0] + 1 for run in runs], np.int32),
        page=document.blocks.page[[run[0][0] for run in runs]] if runs else np.zeros(0, np.int32),
        char_start=np.array([run[0][1] for run in runs], np.int32),
        char_stop=np.array([run[-1][2] for run in runs], np.int32),
    )


def _text(document: Document, run: Sequence[Word]) -> str:
    spans: dict[int, tuple[int, int]] = {}
    for row, start, stop in run:
        spans[row] = (spans[row][0] if row in spans else start, stop)
    return "\n".join(document.blocks.text[row][start:stop] for row, (start, stop) in spans.items())

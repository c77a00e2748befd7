"""The words inside figures, as text of their blocks.

Many files keep them as pixels or outlines and not as text.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from octavo_documents.document import Document, FigureKind, Kind, TextColumn
from octavo_documents.document.columns import Rows
from octavo_documents.parsing.content import Spot, TextLine
from octavo_documents.structuring.figures.kinds import is_number
from octavo_documents.structuring.reading_order import row_groups


class _Words:
    """What read words in a figure count as text, chosen by hand."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    LEAST_WIDTH = 24.0  # points; in less there is room for an icon and not for words
    LEAST_HEIGHT = 12.0  # points; see LEAST_WIDTH
    # Letters and digits in parts of two or more: patterns, wheels and windows are read as letters too
    FEWEST_CHARACTERS = 8
    FEWEST_NUMBERS = 4  # numbers in a chart
    MANY_NUMBERS = 0.4  # share of a chart's lines that are numbers


Read = Callable[[Sequence[Spot]], Sequence[Sequence[TextLine]]]
"""Returns the lines in each of several boxes."""


def with_words(document: Document, read: Read) -> Document:
    """Return the document with text in the figures that had none, where there are words in them."""
    return filled(document, words_in_figures(document, read))


def words_in_figures(document: Document, read: Read) -> dict[int, list[TextLine]]:
    """Return the words of the figures that have no text, by their rows; boxes in points from the figure's corner.

    On scanned pages figures are left as they are: those pages were read as a whole.
    """
    rows = _silent(document).tolist()
    found = read([spot_of(document, row) for row in rows]) if rows else ()
    return {row: words for row, lines in zip(rows, found, strict=True) if (words := _words(document, row, lines))}


def filled(document: Document, lines_of: Mapping[int, Sequence[TextLine]]) -> Document:
    """Return the document with lines as the text of some of its rows; blocks keep their places and rows."""
    if not lines_of:
        return document
    blocks = document.blocks
    text, confidence = list(blocks.text), blocks.confidence.copy()
    kind, figure = blocks.kind.copy(), blocks.figure.copy()
    for row, lines in lines_of.items():
        text[row] = written(lines)
        confidence[row] = np.mean([line.confidence for line in lines])
        if _is_chart(lines):
            kind[row], figure[row] = Kind.CHART, FigureKind.OTHER
    changed = dataclasses.replace(blocks, text=TextColumn.of(text), confidence=confidence, kind=kind, figure=figure)
    return dataclasses.replace(document, blocks=changed)


def _silent(document: Document) -> Rows:
    """Return the rows of figures without text, large enough for words, on pages that have a text layer."""
    blocks = document.blocks
    sides = blocks.box[:, 2:] - blocks.box[:, :2]
    is_large = (sides[:, 0] >= _Words.LEAST_WIDTH) & (sides[:, 1] >= _Words.LEAST_HEIGHT)
    is_figure = np.isin(blocks.kind, (Kind.FIGURE, Kind.CHART)) & (blocks.text.lengths() == 0)
    return np.flatnonzero(is_figure & is_large & ~document.pages.is_scanned[blocks.page - 1])


def spot_of(document: Document, row: int) -> Spot:
    """Return where a block stands."""
    x0, y0, x1, y1 = document.blocks.box[row].tolist()
    return Spot(int(document.blocks.page[row]), (x0, y0, x1, y1))


def _words(document: Document, row: int, lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines in a figure that are words, and no text of the page stands on; none where that is too little.

    What is printed over a photograph is there already.
    """
    blocks, page = document.blocks, document.on_page(int(document.blocks.page[row]))
    known = blocks.box[page][blocks.text.lengths()[page] > 0]
    left, top = blocks.box[row][:2].tolist()
    words: list[TextLine] = []
    for line in lines:
        x, y = left + (line.box[0] + line.box[2]) / 2, top + (line.box[1] + line.box[3]) / 2
        is_known = (known[:, 0] <= x) & (x <= known[:, 2]) & (known[:, 1] <= y) & (y <= known[:, 3])
        if not is_known.any() and any(map(str.isalnum, line.text)):
            words.append(line)
    return words if say_enough(words) else []


def say_enough(lines: Sequence[TextLine]) -> bool:
    """Whether lines read in a figure say enough to be words."""
    return sum(_characters(line.text) for line in lines) >= _Words.FEWEST_CHARACTERS


def _characters(text: str) -> int:
    count = sum(map(str.isalnum, text))
    return count if count > 1 else 0


def written(lines: Sequence[TextLine]) -> str:
    """Return the lines as text, what stands side by side in one row, as in the figures of scanned pages."""
    boxes = np.array([line.box for line in lines], np.float64)
    groups = row_groups(boxes, range(len(lines)))
    return "\n".join(" ".join(lines[at].text for at in group) for group in groups)


def _is_chart(lines: Sequence[TextLine]) -> bool:
    numbers = sum(is_number(line.text) for line in lines)
    return numbers >= max(_Words.FEWEST_NUMBERS, _Words.MANY_NUMBERS * len(lines))

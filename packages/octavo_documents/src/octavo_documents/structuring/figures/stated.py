"""Charts with the values that they state, as tables."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np

from octavo_documents.document import Document, FigureKind, Kind, TextColumn
from octavo_documents.document.grid import Grid
from octavo_documents.models.ports import Raster
from octavo_documents.parsing.content import Box, PageContent, Spot, TextLine
from octavo_documents.structuring.figures.chart_labels import UNREAD
from octavo_documents.structuring.figures.chart_values import Values, has_values, stated_values
from octavo_documents.structuring.figures.figure_words import spot_of, written
from octavo_documents.structuring.lines import box_around, inside

_DPI = 108.0
"""At which figures are drawn: type of six points is nine pixels high."""
_AROUND = 2.0
"""Points that the middle of a label may lie outside of its figure."""
_MARGIN = 12.0
"""Points around a figure that are drawn with it: its legend may stand at the edge."""
_LEAST_SURE = 0.8
"""Of a line that OCR read."""
_MOST_LINES = 300
"""Lines of a figure that are looked at: more are a map or a drawing, and time grows with their square."""
_SORTS = (FigureKind.OTHER, FigureKind.DIAGRAM)
_LABELS = (Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.HEADING, Kind.CODE)


class _Label:
    """Lines around a figure that may be its labels, chosen by hand."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    LONGEST = 40  # characters of a line
    MOST = 160  # characters of its block: a legend may be one
    NEAR = 60.0  # points from the figure, or from another such line


class Draw(Protocol):
    """Draws boxes on pages, each with its pixels a point; None for what cannot be drawn."""

    def __call__(self, spots: Sequence[Spot], *, dpi: float) -> Iterable[tuple[Raster | None, float]]:
        """Yield a picture for each box."""
        ...


@dataclasses.dataclass(frozen=True, slots=True)
class _Figure:
    """A figure with the labels in it and around it, boxes in points from the corner of `spot`."""

    spot: Spot
    lines: list[TextLine]
    own: frozenset[int]
    """Which of the lines are the words of its block."""


def with_values(
    document: Document, pages: Sequence[PageContent], words: Mapping[int, Sequence[TextLine]], draw: Draw
) -> Document:
    """Return the document with the values that its charts state as their tables; blocks keep their places and rows.

    `words` are the lines of figures that OCR read, by their rows; those of other figures are on `pages`.
    """
    figures = {row: figure for row in _rows(document) if (figure := _figure(document, pages, words, row))}
    found: dict[int, Values] = {}
    pictures = draw([figure.spot for figure in figures.values()], dpi=_DPI) if figures else ()
    for (row, figure), (raster, scale) in zip(figures.items(), pictures, strict=True):
        if raster is None:
            continue
        values = stated_values([_sure(line) for line in figure.lines], raster, scale)
        if values:
            found[row] = values
    return _with_charts(document, figures, found) if found else document


def _sure(line: TextLine) -> tuple[str, Box]:
    """Return the text and the box of a line, without the text of one that is turned or hard to read."""
    if line.confidence < _LEAST_SURE:
        return UNREAD if any(map(str.isdigit, line.text)) else "", line.box
    return "" if line.angle else line.text, line.box


def _rows(document: Document) -> list[int]:
    blocks = document.blocks
    is_figure = (blocks.kind == Kind.FIGURE) & np.isin(blocks.figure, _SORTS)
    is_told = (blocks.text.lengths() > 0) & (blocks.grid.lengths() == 0)
    return np.flatnonzero(((blocks.kind == Kind.CHART) | is_figure) & is_told).tolist()


def _figure(
    document: Document, pages: Sequence[PageContent], words: Mapping[int, Sequence[TextLine]], row: int
) -> _Figure | None:
    """Return a figure, None where there are too many lines in it or too few numbers."""
    own, spot = list(words.get(row, ())), spot_of(document, row)
    around: list[TextLine] = []
    if row in words:
        own = [dataclasses.replace(line, box=_moved(line.box, spot.box[0], spot.box[1])) for line in own]
    else:
        text, page = document.blocks.text[row], pages[spot.page - 1]
        own = [line for line in page.lines if line.text.strip() in text and _is_in(line.box, spot.box)]
        around = _around(document, page, row) if has_values([line.text for line in own]) else []
    lines = [*own, *around]
    if len(lines) > _MOST_LINES or not has_values([line.text for line in lines]):
        return None
    page = pages[spot.page - 1]
    x0, y0, x1, y1 = box_around(spot.box, *(line.box for line in lines))
    x0, y0, x1, y1 = inside((x0 - _MARGIN, y0 - _MARGIN, x1 + _MARGIN, y1 + _MARGIN), page.width, page.height)
    placed = [dataclasses.replace(line, box=_moved(line.box, -x0, -y0)) for line in lines]
    return _Figure(Spot(spot.page, (x0, y0, x1, y1)), placed, frozenset(range(len(own))))


def _around(document: Document, page: PageContent, row: int) -> list[TextLine]:
    """Return the short lines around a figure, each near it or near another: its legend, what stands at its axes."""
    blocks, rows = document.blocks, document.on_page(page.number)
    labels: list[list[float]] = [
        blocks.box[at].tolist()
        for at in range(rows.start, rows.stop)
        if blocks.kind_of(at) in _LABELS and len(blocks.text[at]) <= _Label.MOST
    ]
    waiting = [
        line
        for line in page.lines
        if 0 < len(line.text.strip()) <= _Label.LONGEST and any(_is_in(line.box, box) for box in labels)
    ]
    found: list[TextLine] = []
    hull = spot_of(document, row).box
    while near := [line for line in waiting if _is_near(line.box, hull)]:
        found += near
        waiting = [line for line in waiting if line not in near]
        hull = box_around(hull, *(line.box for line in near))
    return found


def _is_in(box: Box, outer: Sequence[float]) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return outer[0] - _AROUND < x < outer[2] + _AROUND and outer[1] - _AROUND < y < outer[3] + _AROUND


def _is_near(box: Box, hull: Sequence[float]) -> bool:
    gaps = (hull[0] - box[2], box[0] - hull[2], hull[1] - box[3], box[1] - hull[3])
    return max(gaps) < _Label.NEAR


def _moved(box: Box, x: float, y: float) -> Box:
    return box[0] + x, box[1] + y, box[2] + x, box[3] + y


def _with_charts(document: Document, figures: Mapping[int, _Figure], found: Mapping[int, Values]) -> Document:
    """Return the document with tables in charts, whose text is the words that are in no table, and the table's rows."""
    blocks = document.blocks
    text, grids = list(blocks.text), list(blocks.grid)
    kind, figure = blocks.kind.copy(), blocks.figure.copy()
    for row, values in found.items():
        lines, corner = figures[row].lines, figures[row].spot.box
        rest = [lines[at] for at in sorted(figures[row].own - values.lines)]
        grid = _placed(values.grid, corner[0], corner[1])
        text[row] = "\n".join(filter(None, (written(rest) if rest else "", grid.text())))
        grids[row] = grid.to_json()
        kind[row], figure[row] = Kind.CHART, FigureKind.OTHER
    changed = dataclasses.replace(blocks, text=TextColumn.of(text), grid=TextColumn.of(grids), kind=kind, figure=figure)
    return dataclasses.replace(document, blocks=changed)


def _placed(grid: Grid, x: float, y: float) -> Grid:
    """Return a grid with its boxes from the corner of the page instead of the figure's."""
    cells = (dataclasses.replace(cell, box=_moved(cell.box, x, y)) if cell.box else cell for cell in grid.cells)
    return dataclasses.replace(grid, cells=tuple(cells))

"""Pages that are written in another direction than they are shown in: sideways, upside down, mirrored.

Such a page is laid out as if it were upright, and what is found is put back where it is shown.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from octavo_documents.document.grid import Grid
from octavo_documents.parsing.content import MIRRORED, Box, PageContent, TextLine

Boxes = npt.NDArray[np.float64]

_MOSTLY = 0.7
"""Share of a page's characters that are written in one direction, from which on the page is; chosen by hand."""


@dataclass(frozen=True, slots=True)
class Turn:
    """How writing at `angle` (degrees, `MIRRORED` added where it is so) on a page of a size stands upright.

    At another angle than a right one it stays as it is.
    """

    angle: int
    width: float
    height: float

    @property
    def size(self) -> tuple[float, float]:
        """Return width and height of the upright page."""
        return (self.height, self.width) if self.angle % 180 == 90 else (self.width, self.height)

    def upright(self, boxes: Boxes) -> Boxes:
        """Return (n, 4) boxes as they stand on the upright page."""
        x0, y0, x1, y1 = boxes.T
        turned = {
            90: (self.height - y1, x0, self.height - y0, x1),
            180: (self.width - x1, self.height - y1, self.width - x0, self.height - y0),
            270: (y0, self.width - x1, y1, self.width - x0),
        }.get(self.angle % MIRRORED, (x0, y0, x1, y1))
        return self._flipped(np.stack(turned, axis=1))

    def shown(self, box: Box) -> Box:
        """Return a box on the upright page as it is shown."""
        x0, y0, x1, y1 = self._flipped(np.array([box], np.float64))[0].tolist()
        return {
            90: (y0, self.height - x1, y1, self.height - x0),
            180: (self.width - x1, self.height - y1, self.width - x0, self.height - y0),
            270: (self.width - y1, x0, self.width - y0, x1),
        }.get(self.angle % MIRRORED, (x0, y0, x1, y1))

    def shown_grid(self, stored: str) -> str:
        """Return a stored grid with the boxes of its cells as they are shown."""
        grid = Grid.from_json(stored)
        cells = (dataclasses.replace(cell, box=cell.box and self.shown(cell.box)) for cell in grid.cells)
        return dataclasses.replace(grid, cells=tuple(cells)).to_json()

    def _flipped(self, boxes: Boxes) -> Boxes:
        if self.angle < MIRRORED:
            return boxes
        height = self.size[1]
        x0, y0, x1, y1 = boxes.T
        return np.stack((x0, height - y1, x1, height - y0), axis=1)


def turn_of(page: PageContent) -> Turn | None:
    """Return how a page is turned that is mostly written in another direction than it is shown in, else None."""
    if page.regions or not any(line.angle for line in page.lines):
        return None
    written: Counter[int] = Counter()
    for line in page.lines:
        written[line.angle] += len(line.text)
    angle, count = written.most_common(1)[0]
    is_turned = angle and angle % 90 == 0 and count >= _MOSTLY * written.total()
    return Turn(angle, page.width, page.height) if is_turned else None


def upright(page: PageContent, turn: Turn) -> PageContent:
    """Return a page as it is read; its lines keep their places in the sequence."""
    width, height = turn.size
    boxes = turn.upright(np.array([item.box for item in page.graphics], np.float64).reshape(-1, 4)).round(2).tolist()
    graphics = (dataclasses.replace(item, box=tuple(box)) for item, box in zip(page.graphics, boxes, strict=True))
    lines = tuple(_upright_line(line, turn) for line in page.lines)
    return dataclasses.replace(page, width=width, height=height, lines=lines, graphics=tuple(graphics))


def _upright_line(line: TextLine, turn: Turn) -> TextLine:
    boxes = np.array([line.box, *(span.box for span in line.spans)], np.float64)
    return _moved(line, turn.upright(boxes).round(2).tolist(), (line.angle - turn.angle) % MIRRORED)


def shown_line(line: TextLine, turn: Turn) -> TextLine:
    """Return a line of the upright page as it is shown."""
    boxes = [turn.shown(box) for box in (line.box, *(span.box for span in line.spans))]
    return _moved(line, np.array(boxes).round(2).tolist(), (line.angle + turn.angle) % MIRRORED)


def _moved(line: TextLine, boxes: list[Box], angle: int) -> TextLine:
    box, *others = (tuple(row) for row in boxes)
    spans = tuple(dataclasses.replace(span, box=other) for span, other in zip(line.spans, others, strict=True))
    return dataclasses.replace(line, box=box, spans=spans, angle=angle)

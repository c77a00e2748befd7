"""Characters by their height on a page, so that what stands at a height is found without looking at all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from octavo_documents.parsing.pdf.characters import Integers, Mask, Numbers
from octavo_documents.parsing.pdf.pdfium import Boxes

_SLACK = 1e-3
"""Points by which the bounds are widened: what is found is held against the exact ones."""


class Heights:
    """The heights of characters, sorted: one for each stretch of characters of the same height."""

    def __init__(self, heights: Numbers) -> None:
        self._starts = np.concatenate(([0], np.flatnonzero(heights[1:] != heights[:-1]) + 1))[: len(heights)]
        self._stops = np.append(self._starts[1:], len(heights))[: len(heights)]
        levels = heights[self._starts]
        self._order = np.argsort(levels, kind="stable")
        self._sorted = levels[self._order]

    def between(self, low: Numbers, high: Numbers) -> list[tuple[int, int, int]]:
        """Return number, start and stop, for `rows`, of each pair of bounds between which there are characters."""
        starts = np.searchsorted(self._sorted, low - _SLACK)
        stops = np.searchsorted(self._sorted, high + _SLACK, side="right")
        held = np.flatnonzero(stops > starts)
        return list(zip(held.tolist(), starts[held].tolist(), stops[held].tolist(), strict=True))

    def least(self, values: Numbers, bands: Sequence[tuple[int, int, int]]) -> list[float]:
        """Return the least of the values, one for each character, of each band that was found."""
        edges = np.array([band[1:] for band in bands], np.int64).reshape(-1)
        of_stretch = np.minimum.reduceat(values, self._starts)[self._order]
        least: list[float] = np.minimum.reduceat(np.append(of_stretch, np.inf), edges)[::2].tolist()
        return least

    def rows(self, start: int, stop: int) -> Integers:
        """Return the rows of characters found, in order."""
        found = np.sort(self._order[start:stop])
        starts, counts = self._starts[found], self._stops[found] - self._starts[found]
        offsets = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.repeat(starts, counts) + offsets


class Points:
    """Points of a page, each with a time, by their heights."""

    def __init__(self, points: Boxes, times: Numbers) -> None:
        self._points = points
        self._times = times
        self._heights = Heights(points[:, 1])

    def inside(self, boxes: Boxes, before: Numbers | None = None) -> list[tuple[int, Integers]]:
        """Return the number of each box that has points inside, in order, and their rows.

        Boxes at whose height no point is of a time `before` that of the box are left out.
        """
        found: list[tuple[int, Integers]] = []
        bands = self._heights.between(boxes[:, 1], boxes[:, 3])
        if before is not None and bands:
            earliest = self._heights.least(self._times, bands)
            bands = [band for band, time in zip(bands, earliest, strict=True) if time < before[band[0]]]
        for at, start, stop in bands:
            rows = self._heights.rows(start, stop)
            rows = rows[inside(self._points[rows], boxes[at])]
            if len(rows):
                found.append((at, rows))
        return found


def inside(points: Boxes, box: npt.NDArray[np.float64]) -> Mask:
    """Return which points lie inside of a box."""
    x, y = points[:, 0], points[:, 1]
    return (x > box[0]) & (x < box[2]) & (y > box[1]) & (y < box[3])

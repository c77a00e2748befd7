"""The colours of a chart, which tell which label belongs to what is drawn: under a label, and in a legend's swatch.

They are compared with room for what JPEG and smooth edges do to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from octavo_documents.models.ports import Raster
from octavo_documents.parsing.content import Box

Color: TypeAlias = tuple[int, int, int]
"""Red, green and blue, 0..255."""
_Codes = npt.NDArray[np.int32]


class _Patch:
    """Thresholds for a colour of a patch, chosen by hand; lengths are in heights of the label unless they say so."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    STEP = 16  # colours (0..255) that are counted as one
    SAMPLED = 4  # of so many pixels in each direction one is looked at for the background
    SAME = 40  # greatest difference of a channel between two sights of one colour
    LEAST_SHARE = 0.4  # share of a patch that its colour fills
    LEAST_SWATCH = 0.04  # the same of a swatch, which may be a line
    SWATCH_REACH = 2.2  # how far left of a label its swatch lies
    LONGEST_SWATCH = 4.5
    HIGHEST_SWATCH = 1.8
    GAP = 0.15  # gap between a swatch and its label
    SOLID = 0.6  # share of the box around a swatch that it fills
    LEAST_WIDTH = 0.25  # width of a swatch
    INK = 0.45  # half of the height of the strip in which a swatch is looked for


class Colors:
    """The colours of a figure drawn as `raster`, `scale` pixels a point."""

    def __init__(self, raster: Raster, scale: float, labels: Sequence[Box]) -> None:
        """Take the picture, and the boxes of its labels in points: their ink is no swatch."""
        self._raster, self._scale = raster, scale
        self._is_ink = np.zeros(raster.shape[:2], np.bool_)
        for x0, y0, x1, y1 in labels:
            rows, columns = (
                slice(max(round(y0 * scale), 0), round(y1 * scale)),
                slice(max(round(x0 * scale), 0), round(x1 * scale)),
            )
            self._is_ink[rows, columns] = True
        # The shades of a smooth edge go to the colour whose step they fall into
        rough = ((raster.astype(np.int16) + _Patch.STEP // 2) // _Patch.STEP).astype(np.int32)
        self._codes: _Codes = (rough[:, :, 0] << 12) | (rough[:, :, 1] << 6) | rough[:, :, 2]
        sample = slice(None, None, _Patch.SAMPLED)
        values, counts = np.unique(self._codes[sample, sample], return_counts=True)
        self._ground = int(values[counts.argmax()])
        self.ground = self._color(self._codes[sample, sample], self._ground, raster[sample, sample])

    def of(self, box: Box, *, least: float = _Patch.LEAST_SHARE, on_ground: bool = True) -> Color | None:
        """Return the colour that fills most of a box in points; None where none fills `least` of it.

        Without `on_ground` the figure's background does not count, nor what lies under labels.
        """
        x0, y0, x1, y1 = (round(side * self._scale) for side in box)
        height, width = self._codes.shape
        x0, x1, y0, y1 = max(x0, 0), min(max(x1, x0 + 1), width), max(y0, 0), min(max(y1, y0 + 1), height)
        if x1 <= x0 or y1 <= y0:
            return None
        patch = self._codes[y0:y1, x0:x1]
        seen = patch if on_ground else patch[~self._is_ink[y0:y1, x0:x1]]
        values, counts = np.unique(seen, return_counts=True)
        if not on_ground:
            kept = ~self._is_ground(values)
            values, counts = values[kept], counts[kept]
        if not len(values) or counts.max() < least * patch.size:
            return None
        return self._color(patch, int(values[counts.argmax()]), self._raster[y0:y1, x0:x1])

    def is_ground(self, color: Color) -> bool:
        """Return whether it is the background of the figure."""
        return is_same(color, self.ground)

    def swatch(self, box: Box) -> Color | None:
        """Return the colour of the small patch or short line left of a label; None without one."""
        x0, y0, _, y1 = box
        high, middle = y1 - y0, (y0 + y1) / 2
        strip = (
            x0 - _Patch.SWATCH_REACH * high,
            middle - _Patch.INK * high,
            x0 - 0.1 * high,
            middle + _Patch.INK * high,
        )
        color = self.of(strip, least=_Patch.LEAST_SWATCH, on_ground=False)
        if color:
            return color if self._is_small(color, strip, high) else None
        return self._swatch_within(box)

    def _swatch_within(self, box: Box) -> Color | None:
        """Return the colour of the swatch that the box of a label holds at its left, as OCR may draw it."""
        x0, y0, x1, y1 = (max(round(side * self._scale), 0) for side in box)
        patch = self._codes[y0:y1, x0:x1]
        is_drawn = ~self._is_ground(patch.ravel()).reshape(patch.shape)
        columns = np.flatnonzero(is_drawn.any(axis=0))
        gaps = np.flatnonzero(np.diff(columns) > _Patch.GAP * (y1 - y0))
        if not len(gaps):
            return None
        first, stop = int(columns[0]), int(columns[gaps[0]]) + 1
        rows = np.flatnonzero(is_drawn[:, first:stop].any(axis=1))
        block = patch[rows[0] : rows[-1] + 1, first:stop]
        values, counts = np.unique(block, return_counts=True)
        is_solid = counts.max() >= _Patch.SOLID * block.size
        if not is_solid or not _Patch.LEAST_WIDTH * (y1 - y0) <= stop - first <= _Patch.SWATCH_REACH * (y1 - y0):
            return None
        top, left = y0 + int(rows[0]), x0 + first
        raster = self._raster[top : top + block.shape[0], left : left + block.shape[1]]
        return self._color(block, int(values[counts.argmax()]), raster)

    def _is_small(self, color: Color, strip: Box, high: float) -> bool:
        """Return whether a patch ends soon on all sides, unlike the bar or the slice that a label stands at."""
        reach = _Patch.LONGEST_SWATCH * high
        x0, x1 = (round(side * self._scale) for side in (strip[2] - reach - 0.3 * high, strip[2]))
        y0, y1 = (round(side * self._scale) for side in (strip[1] - 0.7 * high, strip[3] + 0.7 * high))
        x0, y0 = max(x0, 0), max(y0, 0)
        around = self._raster[y0:y1, x0:x1].astype(np.int32)
        is_it = (np.abs(around - np.array(color)) <= _Patch.SAME).all(axis=2) & ~self._is_ink[y0:y1, x0:x1]
        columns, rows = np.flatnonzero(is_it.any(axis=0)), np.flatnonzero(is_it.any(axis=1))
        if not len(columns):
            return False
        # The run that ends at the label: what lies beyond a gap is another entry of the legend
        gaps = np.flatnonzero(np.diff(columns) > max(0.25 * high * self._scale, 2))
        first = columns[gaps[-1] + 1] if len(gaps) else columns[0]
        is_short = columns[-1] - first < (reach * self._scale) and first > 0
        tall = is_it[:, first : columns[-1] + 1].sum(axis=0).max()
        return bool(is_short and tall <= _Patch.HIGHEST_SWATCH * high * self._scale and len(rows))

    def _is_ground(self, codes: _Codes) -> npt.NDArray[np.bool_]:
        parts = np.stack((codes >> 12, codes >> 6 & 63, codes & 63))
        ground = np.array((self._ground >> 12, self._ground >> 6 & 63, self._ground & 63))
        return np.all(np.abs(parts - ground[:, None]) <= 2, axis=0).astype(np.bool_)

    @staticmethod
    def _color(codes: _Codes, code: int, raster: Raster) -> Color:
        red, green, blue = np.median(raster[codes == code], axis=0).tolist()
        return int(red), int(green), int(blue)


def is_same(a: Color, b: Color) -> bool:
    """Return whether two sights are of one colour."""
    return max(abs(one - other) for one, other in zip(a, b, strict=True)) <= _Patch.SAME


def nearest(color: Color, known: list[Color]) -> int | None:
    """Return which of some colours a colour is a sight of; None where none is, or two are as near."""
    ranked = sorted(
        (max(abs(one - other) for one, other in zip(color, item, strict=True)), at) for at, item in enumerate(known)
    )
    if not ranked or ranked[0][0] > _Patch.SAME:
        return None
    is_clear = len(ranked) == 1 or ranked[1][0] >= 2 * ranked[0][0] + 6
    return ranked[0][1] if is_clear else None

"""The regions that a layout model sees on pages, checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from octavo_documents.document import Kind
from octavo_documents.models.ports import LayoutRegion, Raster
from octavo_documents.parsing.recognition import POINTS_PER_INCH

_MOST_REGIONS = 300
_THINNEST = 1.0
"""Points of the shorter side of a region."""
_KNOWN = frozenset(Kind)


@dataclass(frozen=True, slots=True)
class Detection:
    """How a layout model is asked: `detect` is its `LayoutModel.detect`, `dpi` the resolution it wants."""

    detect: Callable[[Raster, float], Sequence[LayoutRegion]]
    dpi: float

    @property
    def scale(self) -> float:
        """Pixels per point to draw a page at."""
        return self.dpi / POINTS_PER_INCH

    def regions(self, raster: Raster, width: float, height: float) -> tuple[LayoutRegion, ...]:
        """Return the checked regions of a page of `width` x `height` points that was drawn as `raster`."""
        dpi = POINTS_PER_INCH * raster.shape[1] / width
        return checked_regions(self.detect(raster, dpi), width, height)


def checked_regions(found: Sequence[LayoutRegion], width: float, height: float) -> tuple[LayoutRegion, ...]:
    """Return the regions that can be used, clipped to their page and best first, at most 300.

    Those of an unknown kind, with a score that is no number over 0, and without an area on the page are dropped.
    """
    usable: list[LayoutRegion] = []
    for region in found:
        box = _clipped(region.box, width, height)
        if box is not None and region.kind in _KNOWN and region.score > 0:
            usable.append(LayoutRegion(Kind(region.kind), box, min(float(region.score), 1.0)))
    return tuple(sorted(usable, key=lambda region: (-region.score, region.box, region.kind))[:_MOST_REGIONS])


def _clipped(box: Sequence[float], width: float, height: float) -> tuple[float, float, float, float] | None:
    if len(box) != 4 or not all(map(math.isfinite, box)):
        return None
    x0, x1 = (round(min(max(float(value), 0.0), width), 2) for value in (box[0], box[2]))
    y0, y1 = (round(min(max(float(value), 0.0), height), 2) for value in (box[1], box[3]))
    return (x0, y0, x1, y1) if x1 - x0 >= _THINNEST and y1 - y0 >= _THINNEST else None

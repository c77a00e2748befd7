"""What a layout model says of a page, settled and laid over the rules.

**Between regions.** The better score goes first. A region that shares more than half of its area, and of the other's,
with a better one is the same thing seen twice and is dropped; so is a table, figure or chart of which better regions of
other kinds cover more than half. Where one lies in another, a line belongs to the smaller
of them, save in a table, figure or chart: what lies in it is part of it, captions and footnotes aside. Equal areas go
by score.

**Over the rules.** A line belongs to the region its centre lies in and gets that region's kind; lines in no region are
left to the rules. Tables, figures and charts become one block each, their lines in it; a table without lines is a
figure, for it is a picture. A table or drawing that the rules find is dropped where half of it lies in regions.
Running text (PARAGRAPH) is no heading, table or header, but the rules part it into paragraphs and still tell list
items, captions, code, formulas and footnotes in it. Headers and footers are added to those the rules find, and none is
taken away: that a line comes back on every page is what no model of one page sees. Order stays that of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from octavo_documents.document import FURNITURE, Kind
from octavo_documents.models.ports import LayoutRegion
from octavo_documents.parsing.content import Box
from octavo_documents.structuring.clusters import area, overlap
from octavo_documents.structuring.lines import PageLines
from octavo_documents.structuring.regions import Region

_SOLID = (Kind.TABLE, Kind.FIGURE, Kind.CHART)
_BESIDE_SOLID = (Kind.CAPTION, Kind.FOOTNOTE)
_SAME = 0.5
"""Share of the larger one over which two regions are one, and of a region over which it is what others say."""
_NONE = -1


class ModelRegions:
    """The regions of one page and the lines in them; without regions everything is left to the rules."""

    def __init__(self, regions: Sequence[LayoutRegion], page: PageLines) -> None:
        self._regions, self._page = _settled(regions), page
        self._owner = _owners(self._regions, page)

    def furniture(self, marked: Mapping[int, Kind]) -> dict[int, Kind]:
        """Return headers and footers by row: those of the rules and those in such regions."""
        if not self._regions:
            return dict(marked)
        found = dict(marked)
        for row in range(len(self._page)):
            kind = self.kind(row)
            if kind is not None and kind in FURNITURE:
                found.setdefault(row, kind)
        return found

    def kind(self, row: int) -> Kind | None:
        """Return what a line is, None when that is left to the rules."""
        return None if self._owner[row] == _NONE else self._regions[self._owner[row]].kind

    def free(self, rows: Sequence[int]) -> list[int]:
        """Return those of some lines that are left to the rules."""
        return [row for row in rows if self._owner[row] == _NONE]

    def solid(self, rows: Sequence[int]) -> list[Region]:
        """Return the tables, figures and charts with those of the lines `rows` in them."""
        held: dict[int, list[int]] = {}
        for row in rows:
            held.setdefault(self._owner[row], []).append(row)
        found: list[Region] = []
        for at, region in enumerate(self._regions):
            lines = held.get(at, [])
            if region.kind == Kind.TABLE and any(self._page.angles[row] for row in lines):
                continue
            if region.kind in _SOLID:
                kind = Kind.FIGURE if region.kind == Kind.TABLE and not lines else region.kind
                found.append(Region(kind, region.box, tuple(lines), is_from_model=True))
        return found

    def leaves(self, box: Box) -> bool:
        """Return whether most of a box lies in no region."""
        return sum(overlap(box, region.box) for region in self._regions) <= _SAME * max(area(box), 1.0)

    def runs(self, rows: Sequence[int]) -> Iterator[tuple[Kind | None, list[int]]]:
        """Part lines in reading order where the region changes; yield each part and its kind."""
        if not self._regions:
            yield from [(None, list(rows))] if rows else []
            return
        before, run = _NONE, list[int]()
        for row in rows:
            owner = self._owner[row]
            if run and owner != before:
                yield self.kind(run[0]), run
                run = []
            before = owner
            run.append(row)
        if run:
            yield self.kind(run[0]), run


def _settled(regions: Sequence[LayoutRegion]) -> list[LayoutRegion]:
    """Return the regions that no better one says again, best first."""
    kept: list[LayoutRegion] = []
    for region in sorted(regions, key=lambda region: -region.score):
        if not (any(_is_same(region.box, other.box) for other in kept) or _is_denied(region, kept)):
            kept.append(region)
    return kept


def _is_same(a: Box, b: Box) -> bool:
    return overlap(a, b) > _SAME * max(area(a), area(b))


def _is_denied(region: LayoutRegion, better: Sequence[LayoutRegion]) -> bool:
    """Return whether better regions see text where this one sees a table or drawing."""
    text = sum(overlap(region.box, other.box) for other in better if other.kind not in _SOLID)
    return region.kind in _SOLID and text > _SAME * area(region.box)


def _owners(regions: Sequence[LayoutRegion], page: PageLines) -> list[int]:
    """Return for each line the region it belongs to, -1 for none."""
    owners = np.full(len(page), _NONE)
    if not regions or not len(page):
        return owners.tolist()
    x, y = (page.boxes[:, 0] + page.boxes[:, 2]) / 2, (page.boxes[:, 1] + page.boxes[:, 3]) / 2
    for at in sorted(range(len(regions)), key=lambda at: _precedence(regions[at]), reverse=True):
        x0, y0, x1, y1 = regions[at].box
        owners[(x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)] = at
    return owners.tolist()


def _precedence(region: LayoutRegion) -> tuple[int, float, float]:
    """Return what sorts regions: the first of those a line lies in has it."""
    rank = 0 if region.kind in _BESIDE_SOLID else 1 if region.kind in _SOLID else 2
    return rank, area(region.box), -region.score

"""Regions of a page told by its graphics: ruled tables, charts and pictures, with the lines inside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from octavo_documents.document import FigureKind, Kind
from octavo_documents.parsing.content import Box, Graphic, PageContent
from octavo_documents.structuring import markers
from octavo_documents.structuring.clusters import (
    THIN,
    Cluster,
    area,
    clusters_of,
    height,
    hull_of,
    is_drawing,
    is_rule,
    is_striped,
    is_upright,
    is_white,
    merged,
    overlap,
    rule_heights,
    sides,
    stacks,
    whole_pictures,
    whole_rules,
    with_bars,
)
from octavo_documents.structuring.figures.by_caption import Surroundings, framed_texts, is_in, panels
from octavo_documents.structuring.figures.kinds import draws_data, is_number, kind_of
from octavo_documents.structuring.figures.plots import axis_numbers, has_axis, read_charts
from octavo_documents.structuring.lines import PageLines
from octavo_documents.structuring.reading_order import row_groups
from octavo_documents.structuring.tables.ruled import (
    are_of_a_page,
    is_lattice,
    is_painted_row,
    is_parted,
    is_titled,
    labels_beside,
    lines_between,
    runs_on,
    stripes,
)
from octavo_documents.structuring.tables.unruled import is_tabular


class _Region:
    """What makes a region of graphics and lines, chosen by hand; lengths are in points unless they say otherwise."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    BACKGROUND = 0.6  # share of the page's area from which paint lies behind all of it
    APART = 9.0  # gap between parts of one drawing
    FAR_APART = 24.0  # gap between parts of a diagram whose text is all small
    FEWEST_FRAMED = 3  # lines in a frame that is a figure
    TOUCH = 3.0  # how far a label may stand out of a chart that is read
    LITTLE = 0.25  # share of running text in a chart that is read
    TITLE = 1.5  # type size of a title over a chart, by the usual one of its labels
    FEWEST_NUMBERS = 4  # numbers in a chart that is read
    MANY_NUMBERS = 0.4  # share of a read chart's lines that are numbers
    MOST_OF_PAGE = 0.8  # share of the page's width of what is no part of a diagram
    SMALL = 0.93  # type size of a label, by the body's
    SMALLER = 0.8  # type size of a label that may be twice as long, by the body's
    LEAST_PICTURE = 0.008  # share of the page's area
    PROSE = 44  # characters of a line of running text
    PANEL = 0.03  # share of the page's area of a panel under text
    LABEL = 34  # characters of a label
    MARGIN = 9.0  # gap between a label and its drawing
    NUMBER_MARGIN = 20.0  # gap between a number and its drawing
    AXIS_MARGIN = 30.0  # gap between the middle of a number at an axis, however large, and its drawing
    LEAST_PLOT = 48.0  # shorter side of a plot told by numbers alone
    CAPTION_GAP = 26.0  # gap between a caption and its figure
    MOST_TRIES = 4  # rules at either end of a stack that a table may start or end at
    MOST_GRAPHICS = 1500  # graphics of a page that are looked at: bounds the time on a hostile one
    WHOLE = 0.85  # share of the page's area of a scan
    WIDE = 0.7  # share of a frame's width that its lines fill
    MOSTLY = 0.6  # share of a frame's characters in lines that fill it


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the page that stays together: its box, and the rows of the lines in it."""

    kind: Kind
    box: Box
    lines: tuple[int, ...]
    is_from_model: bool = False
    """A layout model says what it is."""
    figure: FigureKind = FigureKind.OTHER


def regions(content: PageContent, page: PageLines, free: Sequence[int], body: float) -> list[Region]:
    """Return the ruled tables, charts and pictures of a page; `free` are the upright lines that may lie in them."""
    if not content.graphics:
        return []
    graphics = whole_pictures(content.graphics[: _Region.MOST_GRAPHICS])
    is_scan = _is_scan(content, graphics)
    finder = _Finder(page, list(free), body, max(content.width * content.height, 1.0))
    read = finder.read_figures(graphics, is_read=content.is_scanned) if is_scan or content.is_scanned else []
    framed = [*read, *finder.captioned_panels(graphics)]
    striped = stripes(page, graphics, body)
    rows = [band for bands in striped for band in bands]
    shown = [item for item in graphics if not finder.is_background(item)]
    drawn = [item for item in shown if item.kind != "image"]
    clusters = clusters_of(drawn)
    found = [*framed, *(region for cluster in clusters if (region := finder.ruled_table(cluster)))]
    rules = whole_rules([item for item in drawn if height(item.box) < THIN])
    found.extend(finder.stacked_tables(rules))
    if rows:
        clusters = clusters_of([item for item in drawn if not is_painted_row(item, rows)])
        clusters = [cluster for cluster in clusters if not _is_ruling(cluster, striped)]
    loose = [cluster for cluster in clusters if not is_rule(cluster)]
    if not content.is_scanned:
        loose.extend(Cluster(list(item.box), [item]) for item in shown if item.kind == "image")
    if loose:
        found.extend(finder.drawings(merged([*with_bars(loose), *finder.labels(striped)], _Region.APART), found))
        found.extend(finder.scattered(loose, found))
    return finder.captioned(found, graphics, rules, is_scan=is_scan)


def _is_scan(content: PageContent, graphics: Sequence[Graphic]) -> bool:
    """Return whether a picture lies behind a page: a scan, whether its text was in the file or was read by OCR."""
    page = content.width * content.height
    return any(item.kind == "image" and area(item.box) > _Region.WHOLE * page for item in graphics)


def _is_ruling(cluster: Cluster, striped: Sequence[Sequence[Box]]) -> bool:
    """Return whether thin rules are those on the painted rows of a table: under its sums and its headers."""
    if any(min(sides(item.box)) > THIN for item in cluster.members):
        return False
    return any(overlap(cluster.box, hull_of(bands)) > 0.5 * area(cluster.box) for bands in striped)


class _Finder:
    """What has been taken on one page; lines go to the first region that holds them."""

    def __init__(self, page: PageLines, free: list[int], body: float, area: float) -> None:
        self._page, self._free, self._body, self._area = page, free, body, area
        places = page.boxes
        self._middles = ((places[:, 0] + places[:, 2]) / 2).tolist(), ((places[:, 1] + places[:, 3]) / 2).tolist()
        self._small = {row for row in free if self._is_small(row)}
        has_captions = any(markers.caption(page.texts[row]) for row in free)
        self._around = Surroundings(page, free, body) if has_captions else None
        self._captions = [item.box for item in self._around.captions if not item.is_table] if self._around else []

    def is_background(self, item: Graphic, *, white: bool = True) -> bool:
        """Return whether a fill is ground: page-wide, a panel under running text, `white` paint."""
        covered = area(item.box)
        if covered >= _Region.BACKGROUND * self._area or (white and item.kind == "fill" and is_white(item.color)):
            return True
        if covered < _Region.PANEL * self._area or item.kind == "line":
            return False
        lines = self._inside(item.box)
        return runs_on(self._page, lines) if item.kind == "image" else self._prose_share(lines) > 0.4

    def _prose_share(self, lines: Sequence[int]) -> float:
        """Return the share (0..1) of characters in lines as long as those of running text."""
        lengths = [0 if self._is_label(row) else len(self._page.texts[row]) for row in lines]
        return sum(length for length in lengths if length >= _Region.PROSE) / max(sum(lengths), 1)

    def _is_filled(self, lines: Sequence[int], box: Box) -> bool:
        """Return whether text fills a frame from side to side, as no row of cells does."""
        places, breadth = self._page.boxes, _Region.WIDE * (box[2] - box[0])
        rows = row_groups(places, lines)
        filled = [
            row for group in rows if float((places[group, 2] - places[group, 0]).sum()) > breadth for row in group
        ]
        texts = self._page.texts
        return len(rows) > 1 and sum(len(texts[row]) for row in filled) >= _Region.MOSTLY * sum(
            len(texts[row]) for row in lines
        )

    def _inside(self, box: Sequence[float], margin: float = 0.0) -> list[int]:
        if not self._free:
            return []
        x0, y0, x1, y1 = box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin
        x, y = self._middles
        return [row for row in self._free if x0 < x[row] < x1 and y0 < y[row] < y1]

    def _take(
        self, kind: Kind, box: Sequence[float], lines: list[int], figure: FigureKind = FigureKind.OTHER
    ) -> Region:
        taken = set(lines)
        self._free = [row for row in self._free if row not in taken]
        boxes = [list(box), *self._page.boxes[lines].tolist()]
        x0, y0, x1, y1 = hull_of(boxes)
        return Region(kind, (x0, y0, x1, y1), tuple(lines), figure=figure)

    def _take_figure(self, members: Sequence[Graphic], box: Sequence[float], lines: list[int]) -> Region:
        texts = [self._page.texts[row] for row in lines]
        kind, figure = kind_of(members, texts, (box[0], box[1], box[2], box[3]), self._area)
        return self._take(kind, box, lines, figure)

    def ruled_table(self, cluster: Cluster) -> Region | None:
        """Take a cluster of touching rules and cells that holds rows of text pieces."""
        box = cluster.box
        if len(cluster.members) < 3 or box[2] - box[0] < 60 or box[3] - box[1] < 2 * self._body:
            return None
        lines = self._inside(box)
        is_text = self._prose_share(lines) > 0.5
        if is_lattice(self._page, cluster, lines, is_text=is_text) and not self._is_captioned(box):
            return self._take(Kind.TABLE, box, lines)
        bent = sum(1 for item in cluster.members if item.kind == "stroke" and min(sides(item.box)) > THIN)
        if bent > 0.3 * len(cluster.members):
            return None
        is_open = sum(1 for item in cluster.members if is_upright(item.box)) < 2
        if len(lines) < 4 or (is_open and is_text) or not is_tabular(self._page, lines) or has_axis(self._page, lines):
            return None
        return self._take(Kind.TABLE, box, lines) if len(rule_heights(cluster.members, box)) > 2 else None

    def stacked_tables(self, rules: Sequence[Graphic]) -> list[Region]:
        """Take the text between the first and last of several rules of one width, if it is a table."""
        found: list[Region] = []
        for stack in stacks(rules):
            region = self._between(stack)
            if region:
                found.append(region)
        return found

    def _between(self, stack: list[Box]) -> Region | None:
        """Take the longest tabular stretch between rules that starts at the first it can, under a title if it can."""
        titled: tuple[list[float], list[int]] | None = None
        for first in range(min(len(stack) - 1, _Region.MOST_TRIES)):
            for last in range(len(stack) - 1, max(first, len(stack) - 1 - _Region.MOST_TRIES), -1):
                box = hull_of([list(rule) for rule in stack[first : last + 1]])
                lines = self._inside(box)
                if len(lines) < 4 or self._prose_share(lines) >= 0.5 or not is_tabular(self._page, lines):
                    continue
                if are_of_a_page(self._page, lines, last - first) or is_parted(self._page, lines, self._free, box):
                    continue
                if has_axis(self._page, lines):
                    return None
                labels = labels_beside(self._page, lines, self._free, box)
                if labels is None:
                    return None
                if not is_titled(self._page, lines, (stack[first], stack[first + 1]), self._body):
                    return self._take(Kind.TABLE, box, [*labels, *lines])
                titled = titled or (box, [*labels, *lines])
        return self._take(Kind.TABLE, *titled) if titled else None

    def captioned_panels(self, graphics: Sequence[Graphic]) -> list[Region]:
        """Take painted or framed areas with a figure's caption right under or over them, whatever text they hold."""
        found: list[Region] = []
        for item in graphics if self._captions else ():
            is_panel = (
                item.kind in ("fill", "stroke") and _Region.PANEL < area(item.box) / self._area < _Region.BACKGROUND
            )
            if not is_panel or not self._is_captioned(item.box):
                continue
            if any(overlap(item.box, region.box) > 0.2 * area(item.box) for region in found):
                continue
            lines = self._inside(item.box)
            if item.kind == "stroke" and len(lines) < _Region.FEWEST_FRAMED:
                continue
            members = [other for other in graphics if other is not item and is_in(other.box, item.box)]
            found.append(self._take_figure(members, item.box, lines))
        return found

    def _is_captioned(self, box: Sequence[float]) -> bool:
        """Return whether a figure's caption stands right under or over a box."""
        for caption in self._captions:
            shared = min(caption[2], box[2]) - max(caption[0], box[0])
            gap = max(caption[1] - box[3], box[1] - caption[3])
            if shared > 0.5 * min(caption[2] - caption[0], box[2] - box[0]) and -2.0 < gap < _Region.CAPTION_GAP:
                return True
        return False

    def drawings(self, clusters: Sequence[Cluster], tables: Sequence[Region]) -> list[Region]:
        """Take pictures and clusters of shapes with the labels in and around them.

        A cluster that holds running text is tried again without the text that joins its parts, then its large pictures.
        """
        found: list[Region] = []
        for cluster in clusters:
            if any(overlap(cluster.box, table.box) > 0.5 * area(cluster.box) for table in tables):
                continue
            region = self._drawing(cluster)
            parts = [] if region or len(cluster.members) < 2 else _parts(cluster)
            tried = [region, *(self._drawing(part) for part in parts)]
            found.extend(item for item in tried if item)
        return found

    def scattered(self, clusters: Sequence[Cluster], found: Sequence[Region]) -> list[Region]:
        """Take the parts of drawings that stand apart, as the boxes of a diagram do, when all text in them is small."""
        left = [
            cluster
            for cluster in clusters
            if max(sides(cluster.box)) < _Region.MOST_OF_PAGE * self._page.width
            and not any(is_in(cluster.box, region.box) for region in found)
        ]
        taken: list[Region] = []
        for cluster in merged(left, _Region.FAR_APART) if len(left) > 1 else ():
            lines = self._inside(cluster.box)
            is_labelled = bool(lines) and all(self._is_label(row) for row in lines)
            if is_labelled and is_drawing(cluster) and not any(overlap(cluster.box, region.box) for region in found):
                taken.append(self._take_figure(cluster.members, cluster.box, lines))
        return taken

    def _drawing(self, cluster: Cluster) -> Region | None:
        has_picture = any(item.kind == "image" for item in cluster.members)
        if has_picture and area(cluster.box) < _Region.LEAST_PICTURE * self._area:
            return None
        is_shown = has_picture or draws_data(cluster) or self._is_plot(cluster)
        if not (is_shown or is_drawing(cluster)):
            return None
        if not has_picture and is_striped(cluster, self._body):
            striped = self._inside(cluster.box)
            return self._take(Kind.TABLE, cluster.box, striped) if is_tabular(self._page, striped) else None
        if not is_shown and self._is_boxed_table(cluster):
            return None
        lines = self._labels(cluster.box)
        if lines is None:
            return None
        return self._take_figure(cluster.members, cluster.box, lines)

    def read_figures(self, graphics: Sequence[Graphic], *, is_read: bool) -> list[Region]:
        """Take the charts on a page of pictures that the numbers in them tell, and pictures with no text to read in.

        `is_read` says that OCR read the page. A picture of words is text: a slide's panels are no figures.
        """
        found: list[Region] = []
        for box in list(read_charts(self._page, self._free)):
            lines = self._without_titles(self._inside(box, _Region.TOUCH))
            if lines and self._prose_share(lines) < _Region.LITTLE:
                found.append(self._take(Kind.CHART, box, lines))
        pictures = [item for item in graphics if item.kind == "image" and not self.is_background(item)]
        for item in pictures if is_read else ():
            lines = self._inside(item.box)
            numbers = sum(is_number(self._page.texts[row]) for row in lines)
            is_chart = numbers >= max(_Region.FEWEST_NUMBERS, _Region.MANY_NUMBERS * len(lines))
            is_large = area(item.box) > _Region.LEAST_PICTURE * self._area
            if is_large and (is_chart or not lines) and not any(overlap(item.box, other.box) for other in found):
                kind, figure = kind_of([item], [], item.box, self._area)
                kind, figure = (Kind.CHART, FigureKind.OTHER) if is_chart else (kind, figure)
                found.append(self._take(kind, item.box, lines, figure))
        return found

    def _without_titles(self, lines: list[int]) -> list[int]:
        """Return lines without those much larger than most, which head the page."""
        sizes = sorted(self._page.looks[row].size for row in lines)
        return [row for row in lines if self._page.looks[row].size < _Region.TITLE * sizes[len(sizes) // 2]]

    def captioned(
        self, found: list[Region], graphics: Sequence[Graphic], rules: Sequence[Graphic], *, is_scan: bool
    ) -> list[Region]:
        """Return the regions with those that captions speak for, which may take the place of several."""
        if self._around is None:
            return found
        tables = [region.box for region in found if region.kind == Kind.TABLE]
        for box in framed_texts(self._around, stacks(rules), tables):
            lines = self._inside(box)
            if self._is_filled(lines, box):
                found.append(self._take(Kind.TABLE, box, lines))
        figures = [region for region in found if region.kind != Kind.TABLE]
        tables = [region.box for region in found if region.kind == Kind.TABLE]
        boxes = [region.box for region in figures]
        shown = [item for item in graphics if not self.is_background(item, white=False)]
        for panel in panels(self._around, shown, boxes, tables, is_scan=is_scan):
            parts = [figures[at] for at in panel.replaced]
            if any(part not in found for part in parts):
                continue
            found = [region for region in found if region not in parts]
            free = set(self._free)
            lines = [row for part in parts for row in part.lines] + [row for row in panel.lines if row in free]
            found.append(self._take_figure(panel.members, panel.box, lines))
        return found

    def _is_boxed_table(self, cluster: Cluster) -> bool:
        """Return whether shapes are boxes and thin rules, and no curve, with rows of text in them."""
        thickest = max((min(sides(item.box)) for item in cluster.members if item.kind != "fill"), default=0.0)
        return 0.0 < thickest < _Region.LEAST_PLOT and is_tabular(self._page, self._inside(cluster.box))

    def _is_plot(self, cluster: Cluster) -> bool:
        """Return whether a curve has so few shapes around it that only the numbers at its axes show what it is."""
        if len(cluster.members) < _Region.FEWEST_FRAMED or min(sides(cluster.box)) < _Region.LEAST_PLOT:
            return False
        if is_tabular(self._page, self._inside(cluster.box)):
            return False
        texts = [self._page.texts[row] for row in self._labels(cluster.box) or ()]
        box = cluster.box
        return kind_of(cluster.members, texts, (box[0], box[1], box[2], box[3]), self._area)[0] == Kind.CHART

    def labels(self, striped: Sequence[Sequence[Box]]) -> list[Cluster]:
        """Return the short, small lines that may label a drawing, and hold it together; none on `striped` rows."""
        page = self._page
        cells = {row for bands in striped for row in lines_between(page, bands, self._free)}
        rows = [row for row in self._free if self._is_label(row) and row not in cells]
        return [Cluster(page.boxes[row].tolist(), []) for row in rows]

    def _is_label(self, row: int) -> bool:
        return row in self._small

    def _is_small(self, row: int) -> bool:
        text, size = self._page.texts[row], self._page.looks[row].size
        length = _Region.LABEL if size > _Region.SMALLER * self._body else 2 * _Region.LABEL
        return size < _Region.SMALL * self._body and len(text) <= length and not markers.caption(text)

    def _labels(self, box: Sequence[float]) -> list[int] | None:
        """Return the lines that label a drawing, None when what lies on it is running text."""
        page = self._page
        within = self._inside(box)
        is_captioned = area(box) < _Region.BACKGROUND * self._area and self._is_captioned(box)
        if self._prose_share(within) > 0.4 and not is_captioned:
            return None
        if not is_captioned and any(
            page.looks[row].size > 1.6 * self._body and len(page.texts[row]) > 12 for row in within
        ):
            return None
        known = set(within)
        around = [row for row in self._inside(box, _Region.AXIS_MARGIN) if row not in known]
        at_axis = axis_numbers(page, around)
        near, by = ({*self._inside(box, margin)} for margin in (_Region.MARGIN, _Region.NUMBER_MARGIN))
        is_labelled = (
            self._is_label(row) and (row in near or (row in by and is_number(page.texts[row]))) for row in around
        )
        return within + [row for row, is_near in zip(around, is_labelled, strict=True) if is_near or row in at_axis]


def _parts(cluster: Cluster) -> list[Cluster]:
    """Return the touching groups of a cluster's graphics; when they are one, its pictures one by one."""
    parts = clusters_of(cluster.members)
    if len(parts) > 1:
        return parts
    return [Cluster(list(item.box), [item]) for item in cluster.members if item.kind == "image"]

"""What sort of figure a drawing is, by rule: bars, slices, curves and axes make a chart, and so on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from octavo_documents.document import FigureKind, Kind
from octavo_documents.parsing.content import Box, Graphic
from octavo_documents.structuring.clusters import THIN, Cluster, area, is_white, sides
from octavo_documents.structuring.figures.dimensions import is_dimensioned
from octavo_documents.text.raised import MARK

_NUMBER = re.compile(r"[^\w\d]*(?:[$€£¥]|US\$)?[-–−+]?\d[\d.,]*\s?(?:%|[kKmMbB]n?|°C?)?[^\w\d]*(?:" + MARK + r")?")
_NAMES: tuple[tuple[re.Pattern[str], Kind, FigureKind], ...] = (
    (re.compile(r"\b(?:charts?|graphs?|plots?|histograms?|curves?)\b", re.I), Kind.CHART, FigureKind.OTHER),
    (re.compile(r"\b(?:photos?|photographs?|photographed|snapshot)\b", re.I), Kind.FIGURE, FigureKind.PHOTO),
    (re.compile(r"\bmaps?\b", re.I), Kind.FIGURE, FigureKind.MAP),
    (
        re.compile(
            r"\b(?:diagrams?|schematics?|flow ?charts?|architectures?|overviews?|pipelines?|frameworks?|workflows?)\b",
            re.I,
        ),
        Kind.FIGURE,
        FigureKind.DIAGRAM,
    ),
)


class _Sign:
    """Signs of the sorts of figures, in points unless they say otherwise; chosen by hand."""

    # A tenth higher costs .009 of the figures of generated books, a tenth lower none (`benchmarks/ablation.py`).
    SIDE = 1.5  # difference between sides that are counted as one
    LEAST_CHART = 36.0  # shorter side of a chart
    LEAST_SHARE = 0.12  # share of the shapes that are bars of one row
    LEAST_BAR = 8.0  # longer side of a bar
    LEAST_SLICE = 0.15  # least length of a slice by that of the largest; what is smaller are letters drawn as shapes
    FEWEST_BARS = 3  # bars of different lengths
    LEAD = 120  # characters of a caption in which its subject is named; what follows tells of details
    FEWEST_SLICES = 3  # slices of different colours
    FEWEST_NUMBERS = 4  # numbers in a chart without shapes
    FEWEST_AXIS_NUMBERS = 3  # numbers at the axes of a plot, rules across it
    LEAST_CURVE = 20.0  # shorter side of a curve
    LARGEST_POINT = 12.0  # longer side of a mark
    SQUARE = 1.35  # longer side by the shorter of what is square
    AXIS = 0.4  # share of the chart's side that an axis runs over
    LEAST_PIECE = 4.0  # side of the smallest piece
    SMALL = 0.025  # share of the page's area of a logo
    MOST_SMALL_LINES = 3  # lines of text in a logo
    FEWEST_LAND = 12  # shapes of a map
    IRREGULAR = 0.7  # share of a map's shapes with a size of their own
    MOST_STRAIGHT = 0.3  # rules, or shapes at one edge, by the shapes of a map
    FEWEST_LABELS = 2  # lines of text in a diagram


@dataclass(frozen=True, slots=True)
class _Shapes:
    """The members of a drawing by what they may be part of."""

    filled: list[Graphic]
    curves: list[Graphic]
    points: list[Graphic]
    rules: list[Graphic]
    images: list[Graphic]


def kind_of(members: Sequence[Graphic], texts: Sequence[str], box: Box, page_area: float) -> tuple[Kind, FigureKind]:
    """Return the kind of a figure's block and its sort; `texts` are the lines in it, `page_area` in square points."""
    shapes = _shapes(members)
    numbers = sum(map(is_number, texts))
    if is_chart(shapes, numbers, texts, box):
        return Kind.CHART, FigureKind.OTHER
    return Kind.FIGURE, _figure_kind(shapes, texts, box, page_area)


def kind_in_words(caption: str) -> tuple[Kind, FigureKind] | None:
    """Return what the first of the words of a caption that name a sort of figure says it is, None without any."""
    found = [
        (match.start(), kind, sort) for words, kind, sort in _NAMES if (match := words.search(caption[: _Sign.LEAD]))
    ]
    return min(found)[1:] if found else None


def is_number(text: str) -> bool:
    """Return whether a text is a number as at an axis or a bar, with its currency or unit."""
    return bool(_NUMBER.fullmatch(text))


def draws_data(cluster: Cluster) -> bool:
    """Return whether there are bars or slices, which need no further shape to be a chart."""
    width, height = sides(cluster.box)
    filled = _shapes(cluster.members).filled if min(width, height) > _Sign.LEAST_CHART else []
    return _has_bars(filled, least=_Sign.LEAST_CHART) or _has_slices(filled)


def _shapes(members: Sequence[Graphic]) -> _Shapes:
    shapes = _Shapes([], [], [], [], [])
    for item in members:
        width, height = sides(item.box)
        least, most = min(width, height), max(width, height)
        if item.kind == "image":
            shapes.images.append(item)
        elif least < THIN and most > 3 * THIN:
            shapes.rules.append(item)
        elif most <= _Sign.LARGEST_POINT and most < _Sign.SQUARE * max(least, 0.1):
            shapes.points.append(item)
        elif item.kind == "stroke" and least > _Sign.LEAST_CURVE:
            shapes.curves.append(item)
        if item.kind == "fill" and most > _Sign.LEAST_PIECE and not is_white(item.color):
            shapes.filled.append(item)
    return shapes


def is_chart(shapes: _Shapes, numbers: int, texts: Sequence[str], box: Box) -> bool:
    """Return whether it is a chart: bars, slices or curves, the last with numbers at an axis; or mostly numbers."""
    if len(shapes.images) > len(shapes.filled) + len(shapes.curves) + len(shapes.points):
        return False
    if _has_slices(shapes.filled) or _has_bars(shapes.filled, least=_Sign.LEAST_CHART if numbers < 2 else 0.0):
        return True
    if numbers < _Sign.FEWEST_AXIS_NUMBERS or is_dimensioned(shapes.rules, texts):
        return False
    if shapes.curves and _has_axes(shapes, box):
        return True
    return numbers >= max(_Sign.FEWEST_NUMBERS, 0.4 * len(texts)) and not shapes.images


def _has_bars(filled: Sequence[Graphic], *, least: float) -> bool:
    """Return whether shapes are bars: of one width, from one line, of different lengths, the longest at least `least`.

    Without numbers nothing but their length tells them from letters that are drawn as shapes.
    """
    large = [item for item in filled if max(sides(item.box)) >= _Sign.LEAST_BAR]
    standing, lying = dict[tuple[int, int], set[int]](), dict[tuple[int, int], set[int]]()
    for item in large:
        x0, y0, x1, y1 = item.box
        standing.setdefault((round(y1 / _Sign.SIDE), round((x1 - x0) / _Sign.SIDE)), set()).add(round(y1 - y0))
        lying.setdefault((round(x0 / _Sign.SIDE), round((y1 - y0) / _Sign.SIDE)), set()).add(round(x1 - x0))
    rows = (*standing.values(), *lying.values())
    fewest = max(_Sign.FEWEST_BARS, _Sign.LEAST_SHARE * len(large))
    return any(len(lengths) >= fewest and max(lengths) >= least for lengths in rows)


def _has_slices(filled: Sequence[Graphic]) -> bool:
    """Return whether shapes are the slices of a pie: of different colours, meeting in the middle of a square."""
    longest = max((max(sides(item.box)) for item in filled), default=0.0)
    slices = [
        item for item in filled if max(sides(item.box)) > _Sign.LEAST_SLICE * longest and min(sides(item.box)) > THIN
    ]
    if len({item.color for item in slices}) < _Sign.FEWEST_SLICES:
        return False
    x0, y0 = min(item.box[0] for item in slices), min(item.box[1] for item in slices)
    x1, y1 = max(item.box[2] for item in slices), max(item.box[3] for item in slices)
    x, y, reach = (x0 + x1) / 2, (y0 + y1) / 2, 0.04 * (x1 - x0) + 1
    if not 1 / _Sign.SQUARE < (x1 - x0) / max(y1 - y0, 1.0) < _Sign.SQUARE:
        return False
    meeting = [
        item
        for item in slices
        if item.box[0] - reach <= x <= item.box[2] + reach and item.box[1] - reach <= y <= item.box[3] + reach
    ]
    whole = [item for item in meeting if area(item.box) > 0.9 * (x1 - x0) * (y1 - y0)]
    return len(meeting) >= max(_Sign.FEWEST_SLICES, 0.8 * len(slices)) and len(whole) <= 1


def _has_axes(shapes: _Shapes, box: Box) -> bool:
    """Return whether there is a long rule along the foot, several across, or a frame around the plot."""
    width, height = sides(box)
    across = sum(1 for item in shapes.rules if sides(item.box)[0] > _Sign.AXIS * width)
    upright = sum(1 for item in shapes.rules if sides(item.box)[1] > _Sign.AXIS * height)
    framed = any(sides(i.box)[0] > _Sign.AXIS * width and sides(i.box)[1] > _Sign.AXIS * height for i in shapes.curves)
    return (across > 0 and upright > 0) or across >= _Sign.FEWEST_AXIS_NUMBERS or framed


def _figure_kind(shapes: _Shapes, texts: Sequence[str], box: Box, page_area: float) -> FigureKind:
    drawn = len(shapes.filled) + len(shapes.curves) + len(shapes.rules)
    is_small = area(box) < _Sign.SMALL * page_area and len(texts) <= _Sign.MOST_SMALL_LINES
    if shapes.images:
        pictured = sum(area(item.box) for item in shapes.images)
        if len(texts) > _Sign.MOST_SMALL_LINES and (drawn >= _Sign.FEWEST_BARS or pictured < 0.5 * area(box)):
            return FigureKind.DIAGRAM
        if is_small:
            return FigureKind.LOGO
        photographed = sum(area(item.box) for item in shapes.images if item.is_photographic)
        return FigureKind.PHOTO if photographed > 0.5 * pictured else FigureKind.OTHER
    if _is_map(shapes):
        return FigureKind.MAP
    if is_small and not texts:
        return FigureKind.LOGO
    return FigureKind.DIAGRAM if len(texts) >= _Sign.FEWEST_LABELS else FigureKind.OTHER


def _is_map(shapes: _Shapes) -> bool:
    """Return whether shapes are lands: many of all sizes, hardly any of the same width, with few straight rules."""
    lands = [item for item in shapes.filled if min(sides(item.box)) > _Sign.LEAST_PIECE]
    if len(lands) < _Sign.FEWEST_LAND or len(shapes.rules) > _Sign.MOST_STRAIGHT * len(lands):
        return False
    sizes = {(round(sides(item.box)[0]), round(sides(item.box)[1])) for item in lands}
    edges = Counter(round(item.box[0]) for item in lands)
    return len(sizes) > _Sign.IRREGULAR * len(lands) and max(edges.values()) < _Sign.MOST_STRAIGHT * len(lands)

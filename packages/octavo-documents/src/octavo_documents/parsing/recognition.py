"""What models see in pictures of pages: which pages OCR reads, as which lines and words, and a layout model's regions.

OCR gives the box of a line and its text. It is cut into words where its picture has columns without ink: the gaps
between words are those that lie nearest to where the words should end by their numbers of characters, wide gaps before
narrow ones.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from octavo_documents.document import Kind
from octavo_documents.models.ports import LayoutRegion, Raster, RecognizedLine
from octavo_documents.parsing.content import Box, Graphic, Span, TextLine, normalise
from octavo_documents.text.struck import without_signs

OcrMode = Literal["auto", "always", "never"]
"""Which pages OCR reads: those whose words are in pictures, all, or none."""
Recognize = Callable[[Raster], Sequence[RecognizedLine]]
"""Reads the lines in a picture, their boxes in pixels."""
Progress = Callable[[int, int], None]
"""Receives (done, in all)."""
POINTS_PER_INCH = 72.0


class _Scan:
    """What tells a page whose words are in pictures or outlines, chosen by hand; shares are of the page's area."""

    FEW_CHARACTERS = 80  # text of a page that a picture covers
    HARDLY_ANY = 20  # text of a page that pictures cover in part
    MOST_OF_PAGE = 0.6  # share of pictures that cover a page
    SOME_OF_PAGE = 0.2  # share of pictures that cover it in part
    MANY_GRAPHICS = 10  # graphics that do as well
    MANY_OUTLINES = 200  # letters drawn as shapes, from which a page with only a header for text is one of outlines
    LETTER = 24.0  # points of the longer side of such a letter
    FOREIGN = 0.1  # share of ideographs under which those of a page are signs that were misread
    MOSTLY_COVERED = 0.5  # share of a line read by OCR that a line of the text layer covers


_IDEOGRAPH = re.compile(r"[\u2e80-\u9fff]")
_BULLET_READ = re.compile(r"^[\u2e80-\u9fff](?=$|\s*[^\W\d_\u2e80-\u9fff]{2})\s*")
"""A sign at the start of a line of letters, read as the ideograph that it looks like."""
_FAINTEST = 24
"""Least difference (0..255) between the lightest and the darkest pixel of a picture with words; chosen by hand."""
_SLIDE, _SHEET = (1280, 720), (1600, 1130)
"""Pixels (long side, short side) to render for OCR.

Measured with PP-OCRv6: slides lose nothing at 1280 against 2000, which costs 1.7 times as much. Of nine dense A4 pages
99.6% of the words are read right at 1280 and at 1600, but small print loses the spaces between its words under 1600.
"""
_LONGEST_SIDE = 4000
_SIZE_OF_BOX = 0.78
"""Type size by the height of the box that OCR draws around a line; a typographic convention."""
_MOST_REGIONS = 300
_THINNEST = 1.0
"""Points of the shorter side of a region."""
_KNOWN = frozenset(Kind)


def is_scan(lines: Sequence[TextLine], graphics: Sequence[Graphic], *, width: float, height: float) -> bool:
    """Tell whether a page's words are (nearly) all in pictures or outlines: hardly any text for what is drawn."""
    characters = sum(len(line.text) for line in lines)
    if not characters or not graphics:
        return bool(graphics)
    share = _image_share(graphics, width * height)
    if share >= _Scan.MOST_OF_PAGE or _outlined(graphics) >= _Scan.MANY_OUTLINES:
        return characters < _Scan.FEW_CHARACTERS
    return characters < _Scan.HARDLY_ANY and (share >= _Scan.SOME_OF_PAGE or len(graphics) >= _Scan.MANY_GRAPHICS)


def _outlined(graphics: Sequence[Graphic]) -> int:
    """Return how many graphics are small painted shapes, as letters are that were turned into outlines."""
    sides = ((x1 - x0, y1 - y0) for x0, y0, x1, y1 in (item.box for item in graphics if item.kind == "fill"))
    return sum(max(width, height) < _Scan.LETTER for width, height in sides)


def _image_share(graphics: Sequence[Graphic], page_area: float) -> float:
    """Return the area of all images by that of the page; overlaps count twice, tiles of one scan add up."""
    boxes = [graphic.box for graphic in graphics if graphic.kind == "image"]
    return sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes) / max(page_area, 1.0)


def ocr_scale(width: float, height: float) -> float:
    """Return pixels per point at which a page is given to OCR, by whether it is a slide or a sheet."""
    longest, shortest = max(width, height, 1.0), max(min(width, height), 1.0)
    long_side, short_side = _SLIDE if width > height else _SHEET
    return min(max(long_side / longest, short_side / shortest), _LONGEST_SIDE / longest)


def is_blank(raster: Raster) -> bool:
    """Tell a picture of one colour, in which there is nothing to read."""
    return int(raster.max()) - int(raster.min()) < _FAINTEST


def recognized_lines(found: Sequence[RecognizedLine], *, scale: float) -> tuple[TextLine, ...]:
    """Turn OCR results (pixels) into lines in points; `scale` is pixels per point."""
    lines: list[TextLine] = []
    texts = [without_signs(" ".join(normalise(line.text).split())) for line in found]
    is_latin = sum(len(_IDEOGRAPH.findall(text)) for text in texts) < _Scan.FOREIGN * sum(map(len, texts))
    for line, read in zip(found, texts, strict=True):
        text = _BULLET_READ.sub("• ", read).strip() if is_latin else read
        if not text:
            continue
        x0, y0, x1, y1 = (round(value / scale, 2) for value in line.box)
        is_upright = y1 - y0 > 2 * (x1 - x0) and len(text) > 2
        size = round((x1 - x0 if is_upright else y1 - y0) * _SIZE_OF_BOX, 1)
        box = (x0, y0, x1, y1)
        span = Span(0, len(text), box, "", size, bold=False, italic=False, color=0)
        lines.append(TextLine(text, box, (span,), round(float(line.confidence), 4), 90 if is_upright else 0))
    return tuple(lines)


def with_recognized(layer: Sequence[TextLine], recognized: Sequence[TextLine]) -> tuple[TextLine, ...]:
    """Return the text layer's lines and those recognised lines that do not read the same spot again.

    Lines of the layer count together: OCR reads as one what a stamp prints in several pieces.
    """
    return (*layer, *(line for line in recognized if _covered(line.box, layer) <= _Scan.MOSTLY_COVERED))


def _covered(box: Box, layer: Sequence[TextLine]) -> float:
    """Return which share (0..1, more where they overlap) of a line read by OCR lines of the text layer cover.

    Only widths count: OCR draws its boxes higher than type. What is level has its middle in the other, or holds it.
    """
    level = [
        known.box
        for known in layer
        if box[1] < (known.box[1] + known.box[3]) / 2 < box[3] or known.box[1] < (box[1] + box[3]) / 2 < known.box[3]
    ]
    shared = (min(known[2], box[2]) - max(known[0], box[0]) for known in level)
    return sum(max(width, 0.0) for width in shared) / max(box[2] - box[0], 1e-6)


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

    Dropped are those of an unknown kind, with a score that is no number over 0, and without an area on the page.
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


_DARK = 0.4
"""Share of the strongest difference from the background that counts as ink."""
"""The least difference (0..255) that is ink."""
_MARGIN = 0.2
"""Heights of the line that its first and last letters may reach beyond the box of OCR."""
_WIDE_GAP = 2.0
"""How much more the width of a gap counts than its place, by the widest gap and by the length of a word."""
_NARROW, _WIDE = frozenset("iljtfrI1.,;:'|!()[]-"), frozenset("mwMW@%")
_WIDTHS = 0.5, 1.0, 1.5
"""Widths of narrow, common and wide characters, roughly as in most type."""
_SPACE = 0.6
_MOST = 400
"""Gaps of a line that are looked at."""

Runs = npt.NDArray[np.int64]
"""(n, 2) int64: [start, stop) of columns."""


Word = tuple[str, list[float], int]
"""Text, box in points as displayed, number of its line."""


def words_read(raster: Raster, line: RecognizedLine, scale: float, number: int) -> Iterator[Word]:
    """Yield the words of a line that OCR read, as they are kept; `scale` is pixels a point."""
    for word, box in words_in_line(raster, line):
        cleaned = without_signs(normalise(word))
        if cleaned:
            yield cleaned, [round(side / scale, 2) for side in box], number


def words_in_line(raster: Raster, line: RecognizedLine) -> Iterator[tuple[str, Box]]:
    """Yield the words of a line and their boxes in pixels: as high as the line's, as wide as their ink.

    Upright lines, and those whose ink has too few gaps, are cut in proportion to their characters.
    """
    words = line.text.split()
    x0, y0, x1, y1 = line.box
    if y1 - y0 > 2 * (x1 - x0) and len(line.text) > 2:
        for word, (low, high) in zip(words, _proportional(words, y0, y1), strict=True):
            yield word, (x0, low, x1, high)
        return
    margin = _MARGIN * (y1 - y0)
    left = max(int(x0 - margin), 0)
    ink = _inked(raster[max(int(y0), 0) : int(np.ceil(y1)), left : int(np.ceil(x1 + margin))])
    places = _cut(_within(ink, x0 - left, x1 - left), words) if len(words) else None
    spans = _proportional(words, x0, x1) if places is None else [(left + a, left + b) for a, b in places]
    for word, (start, stop) in zip(words, spans, strict=True):
        yield word, (start, y0, stop, y1)


def _proportional(words: list[str], start: float, stop: float) -> list[tuple[float, float]]:
    """Return where words start and stop if their characters are as wide as in most type."""
    widths = [sum(map(_width, word)) for word in words]
    ends = np.cumsum([width + _SPACE for width in widths]) - _SPACE
    step = (stop - start) / float(ends[-1]) if words else 0.0
    return [
        (start + (end - width) * step, start + end * step) for end, width in zip(ends.tolist(), widths, strict=True)
    ]


def _width(character: str) -> float:
    narrow, common, wide = _WIDTHS
    return narrow if character in _NARROW else wide if character in _WIDE else common


def _inked(picture: Raster) -> npt.NDArray[np.bool_]:
    """Tell the columns of a picture that have ink: pixels unlike the background, which is its most common grey."""
    if not picture.size:
        return np.zeros(0, np.bool_)
    grey = picture.mean(axis=2)
    background = float(np.bincount((grey / 4).astype(np.int64).ravel(), minlength=64).argmax()) * 4 + 2
    difference = np.abs(grey - background)
    strongest = float(np.percentile(difference, 99))
    return (difference > max(_DARK * strongest, _FAINTEST)).any(axis=0)


def _within(ink: npt.NDArray[np.bool_], start: float, stop: float) -> npt.NDArray[np.bool_]:
    """Return the ink of letters that stand between two columns, at least in part."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], ink.astype(np.int8), [0])))).reshape(-1, 2)
    kept = np.zeros_like(ink)
    for first, last in edges[(edges[:, 1] > start) & (edges[:, 0] < stop)].tolist():
        kept[first:last] = True
    return kept


def _cut(ink: npt.NDArray[np.bool_], words: list[str]) -> list[tuple[int, int]] | None:
    """Return the columns [start, stop) of each word; None where there are fewer gaps than words."""
    inked = np.flatnonzero(ink)
    if not len(inked):
        return None
    first, last = int(inked[0]), int(inked[-1]) + 1
    gaps = _gaps(ink, first, last)
    if len(gaps) < len(words) - 1:
        return None
    chosen = _best(gaps, [stop for _, stop in _proportional(words, first, last)][:-1], last - first)
    starts = [first, *(int(gaps[at][1]) for at in chosen)]
    stops = [*(int(gaps[at][0]) for at in chosen), last]
    return [*zip(starts, stops, strict=True)]


def _gaps(ink: npt.NDArray[np.bool_], first: int, last: int) -> Runs:
    """Return the stretches of columns without ink between the first ink and the last, the widest ones of many."""
    edges = np.flatnonzero(np.diff(ink[first:last].astype(np.int8))) + first + 1
    gaps = edges.reshape(-1, 2)
    if len(gaps) > _MOST:
        widest = np.argsort(gaps[:, 0] - gaps[:, 1], kind="stable")[:_MOST]
        gaps = gaps[np.sort(widest)]
    return gaps


def _best(gaps: Runs, expected: list[float], width: int) -> list[int]:
    """Return one gap for each expected end of a word, in order: wide, and near to it (dynamic programming)."""
    widths, middles = gaps[:, 1] - gaps[:, 0], gaps.mean(axis=1)
    widest = max(float(widths.max(initial=1)), 1.0)
    reach = max(width / (len(expected) + 1), 1.0)
    best = np.zeros(len(gaps) + 1)
    steps: list[npt.NDArray[np.int64]] = []
    for at, place in enumerate(expected):
        value = _WIDE_GAP * widths / widest - np.abs(middles - place) / reach
        ended = best[:-1] + value
        ended[:at] = -np.inf
        higher = np.maximum.accumulate(ended)
        is_new = ended >= higher
        steps.append(np.maximum.accumulate(np.where(is_new, np.arange(len(gaps)), 0)))
        best = np.concatenate(([-np.inf], higher))
    chosen: list[int] = []
    stop = len(gaps)
    for last in reversed(steps):
        stop = int(last[stop - 1])
        chosen.append(stop)
    return chosen[::-1]

"""Pages whose text is in pictures: telling them, choosing a resolution, and reading OCR results back as lines.

Owns those three rules. Knows nothing about file formats or recognisers.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.models.ports import Raster, RecognizedLine
from octavo.parsing.characters import normalise
from octavo.parsing.content import Box, Graphic, Span, TextLine

_FEW_CHARACTERS, _HARDLY_ANY = 80, 20
_MOST_OF_PAGE, _SOME_OF_PAGE = 0.6, 0.2
_MANY_GRAPHICS = 10
_MANY_OUTLINES, _LETTER = 200, 24.0
"""Painted shapes with sides under so many points from which a page with only a header for text is one of outlines."""
_FAINTEST = 24
_SLIDE, _SHEET = (1280, 720), (1600, 1130)
"""Pixels (long side, short side) to render for OCR.

Measured with PP-OCRv6: slides lose nothing at 1280 against 2000, which costs 1.7 times as much. Of nine dense A4 pages
99.6% of the words are read right at 1280 and at 1600, but small print loses the spaces between its words under 1600.
"""
_LONGEST_SIDE = 4000
_SIZE_OF_BOX = 0.78
_MOSTLY_COVERED = 0.5


def is_scan(lines: Sequence[TextLine], graphics: Sequence[Graphic], *, width: float, height: float) -> bool:
    """Tell whether a page's words are (nearly) all in pictures or outlines: hardly any text for what is drawn."""
    characters = sum(len(line.text) for line in lines)
    if not characters or not graphics:
        return bool(graphics)
    share = _image_share(graphics, width * height)
    if share >= _MOST_OF_PAGE or _outlined(graphics) >= _MANY_OUTLINES:
        return characters < _FEW_CHARACTERS
    return characters < _HARDLY_ANY and (share >= _SOME_OF_PAGE or len(graphics) >= _MANY_GRAPHICS)


def _outlined(graphics: Sequence[Graphic]) -> int:
    """Return how many graphics are small painted shapes, as letters are that were turned into outlines."""
    sides = ((x1 - x0, y1 - y0) for x0, y0, x1, y1 in (item.box for item in graphics if item.kind == "fill"))
    return sum(max(width, height) < _LETTER for width, height in sides)


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
    for line in found:
        text = " ".join(normalise(line.text).split())
        if not text:
            continue
        x0, y0, x1, y1 = (round(value / scale, 2) for value in line.box)
        is_upright = y1 - y0 > 2 * (x1 - x0) and len(text) > 2
        size = round((x1 - x0 if is_upright else y1 - y0) * _SIZE_OF_BOX, 1)
        box = (x0, y0, x1, y1)
        span = Span(0, len(text), box, "", size, bold=False, italic=False, color=0)
        lines.append(TextLine(text, box, (span,), round(float(line.confidence), 4), 90 if is_upright else 0))
    return tuple(lines)


def merged(layer: Sequence[TextLine], recognized: Sequence[TextLine]) -> tuple[TextLine, ...]:
    """Return the text layer's lines and those recognised lines that do not read the same spot again."""
    return (*layer, *(line for line in recognized if not any(_covers(known.box, line.box) for known in layer)))


def _covers(known: Box, box: Box) -> bool:
    width = min(known[2], box[2]) - max(known[0], box[0])
    height = min(known[3], box[3]) - max(known[1], box[1])
    area = max((box[2] - box[0]) * (box[3] - box[1]), 1e-6)
    return width > 0 and height > 0 and width * height > _MOSTLY_COVERED * area

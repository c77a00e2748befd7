"""Which pages OCR reads, how large it is shown them, and the lines that it reads as those of a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from octavo_documents.models.ports import OCR_SCRIPTS, Raster, RecognizedLine
from octavo_documents.parsing.content import Box, Graphic, Span, TextLine, named_pages, normalise
from octavo_documents.parsing.turning import Turn, shown_line
from octavo_documents.text.lines import on_one_line
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
    LITTLE_TEXT = 1500  # characters of a page that may be a picture of a page besides
    PAPER = 150  # brightness (0..255) of most of such a picture at least
    DARKER = 70  # ink, by the brightness of its paper
    INKED = 0.004  # share of the page's pixels with ink where no text of the layer stands
    MORE_INK = 0.5  # such ink, by all ink of the page
    BANDS = 4  # heights apart at which such ink stands: lines, and no logo
    MORE_READ = 0.5  # share of the layer's characters that OCR reads besides at least


class _Turned:
    """What tells a scan that lies on its side or its head, chosen by hand."""

    FEWEST = 40  # characters that are read
    MOSTLY = 0.7  # share of them in lines that stand on end
    SURE = 0.85  # confidence in a page that is the right way up


class _Unknown:
    """What tells a page in a script that the recogniser does not know, chosen by hand.

    It leaves the letters of some out, and reads those of others as what they look like, without certainty. Pages of
    print in Latin letters have 1.5 characters for each height of a line, in Chinese .8; in Cyrillic and Hebrew .2.
    """

    FEWEST = 3  # lines
    ROOM = 60.0  # length of all lines, by their height
    SHORTEST = 3.0  # length of a line that counts, by its height
    SPARSE = 0.5  # characters of a line, by its length in heights
    UNSURE = 0.75  # confidence
    MOSTLY = 0.6  # share of such lines


_IDEOGRAPH = re.compile(r"[\u2e80-\u9fff]")
_BULLET_READ = re.compile(r"^[\u2e80-\u9fff](?=$|\s*[^\W\d_\u2e80-\u9fff]{2})\s*")
"""A sign at the start of a line of letters, read as the ideograph that it looks like."""
FAINTEST = 24
"""Least difference (0..255) between the lightest and the darkest pixel of a picture with words; chosen by hand."""
_SLIDE, _SHEET = (1280, 720), (1600, 1130)
"""Pixels (long side, short side) to render for OCR.

Measured with PP-OCRv6: slides lose nothing at 1280 against 2000, which costs 1.7 times as much. Of nine dense A4 pages
99.6% of the words are read right at 1280 and at 1600, but small print loses the spaces between its words under 1600.
"""
_LONGEST_SIDE = 4000
_SIZE_OF_BOX = 0.78
"""Type size by the height of the box that OCR draws around a line; a typographic convention."""


def is_scan(lines: Sequence[TextLine], graphics: Sequence[Graphic], *, width: float, height: float) -> bool:
    """Return whether a page's words are (nearly) all in pictures or outlines: hardly any text for what is drawn."""
    characters = sum(len(line.text) for line in lines)
    if not characters or not graphics:
        return bool(graphics)
    share = _image_share(graphics, width * height)
    if share >= _Scan.MOST_OF_PAGE or _outlined(graphics) >= _Scan.MANY_OUTLINES:
        return characters < _Scan.FEW_CHARACTERS
    return characters < _Scan.HARDLY_ANY and (share >= _Scan.SOME_OF_PAGE or len(graphics) >= _Scan.MANY_GRAPHICS)


def may_be_scan(lines: Sequence[TextLine], graphics: Sequence[Graphic], *, width: float, height: float) -> bool:
    """Return whether a picture covers most of a page with not much text: it may be a page that was scanned."""
    share = _image_share(graphics, width * height) if graphics else 0.0
    return share >= _Scan.MOST_OF_PAGE and sum(len(line.text) for line in lines) < _Scan.LITTLE_TEXT


def has_other_ink(raster: Raster, lines: Sequence[TextLine], scale: float) -> bool:
    """Return whether a page as drawn (`scale` pixels per point) has ink on paper beside the lines of its text layer."""
    light = raster.min(axis=2).astype(np.int16)
    paper = int(np.median(light))
    if paper < _Scan.PAPER:
        return False
    is_ink = light < paper - _Scan.DARKER
    everywhere = float(is_ink.mean())
    for line in lines:
        x0, y0, x1, y1 = (max(round(value * scale), 0) for value in line.box)
        is_ink[max(y0 - 1, 0) : y1 + 1, max(x0 - 1, 0) : x1 + 1] = False
    rows = is_ink.any(axis=1)
    bands = int((rows[1:] & ~rows[:-1]).sum())
    return bands >= _Scan.BANDS and float(is_ink.mean()) >= max(_Scan.INKED, _Scan.MORE_INK * everywhere)


def reads_more(recognized: Sequence[TextLine], layer: Sequence[TextLine]) -> bool:
    """Return whether OCR reads about a text of its own where the text layer has none."""
    others = sum(len(line.text) for line in with_recognized(layer, recognized)[len(layer) :])
    return others >= max(_Scan.FEW_CHARACTERS, _Scan.MORE_READ * sum(len(line.text) for line in layer))


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
    """Return whether a picture has one colour: there is nothing to read in it."""
    return int(raster.max()) - int(raster.min()) < FAINTEST


def recognized_lines(found: Sequence[RecognizedLine], *, scale: float) -> tuple[TextLine, ...]:
    """Turn OCR results (pixels) into lines in points; `scale` is pixels per point."""
    lines: list[TextLine] = []
    texts = [without_signs(on_one_line(normalise(line.text))) for line in found]
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


def recognized_page(
    raster: Raster, recognize: Recognize, *, scale: float, width: float, height: float
) -> tuple[TextLine, ...] | None:
    """Return the lines that OCR reads on a page as drawn (`scale` pixels per point), which may lie on another side.

    Where they stand on end, or are hardly readable, the page is shown to OCR turned. None for a page of writing that
    it cannot read.
    """
    read = recognize(raster)
    found = _right_way_up(raster, recognize, recognized_lines(read, scale=scale), width, height)
    return None if is_unknown(found if len(found) > len(read) / 2 else read) else found


def unknown_script(pages: Sequence[int]) -> str:
    """Return the warning that pages could not be read."""
    verb = "is" if len(pages) == 1 else "are"
    return f"{named_pages(pages)} {verb} in a script that OCR does not read: it knows {OCR_SCRIPTS}"


def _right_way_up(
    raster: Raster, recognize: Recognize, found: tuple[TextLine, ...], width: float, height: float
) -> tuple[TextLine, ...]:
    """Return the lines of a page, as they were found or, where it lies on another side, as they are found then."""
    count = sum(len(line.text) for line in found)
    if count < _Turned.FEWEST:
        return found
    on_end = sum(len(line.text) for line in found if line.angle)
    if on_end >= _Turned.MOSTLY * count:
        return max((_read_turned(raster, recognize, Turn(angle, width, height)) for angle in (90, 270)), key=_sureness)
    if _sureness(found) >= _Turned.SURE * count:
        return found
    return max(found, _read_turned(raster, recognize, Turn(180, width, height)), key=_sureness)


def is_unknown(lines: Sequence[RecognizedLine] | Sequence[TextLine]) -> bool:
    """Return whether lines are in a script that OCR does not know: mostly unread, with gaps, or guessed at."""
    sides = [sorted((line.box[2] - line.box[0], line.box[3] - line.box[1])) for line in lines]
    known = [
        (line, tall / max(short, 1e-6))
        for line, (short, tall) in zip(lines, sides, strict=True)
        if tall >= _Unknown.SHORTEST * short
    ]
    room = sum(length for _, length in known)
    unread = sum(
        length
        for line, length in known
        if line.confidence < _Unknown.UNSURE or len(line.text.replace(" ", "")) < _Unknown.SPARSE * length
    )
    return len(known) >= _Unknown.FEWEST and room >= _Unknown.ROOM and unread >= _Unknown.MOSTLY * room


def _read_turned(raster: Raster, recognize: Recognize, turn: Turn) -> tuple[TextLine, ...]:
    turned = np.ascontiguousarray(np.rot90(raster, -turn.angle // 90))
    lines = recognized_lines(recognize(turned), scale=turned.shape[1] / turn.size[0])
    return tuple(shown_line(line, turn) for line in lines)


def _sureness(lines: Sequence[TextLine]) -> float:
    """Return about how many characters of lines are read rightly."""
    return sum(line.confidence * len(line.text) for line in lines)


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

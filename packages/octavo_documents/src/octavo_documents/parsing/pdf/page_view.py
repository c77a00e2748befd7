"""A page of a PDF as somebody looks at it: drawn, whole or a box on it, as a picture, and its words with their boxes.

Boxes are read by OCR as finely as a scanned page is; a picture that stands on many pages is read once. Words are of
the same characters and lines as the page's blocks.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np

from octavo_documents.document.page_words import PageWords
from octavo_documents.errors import SourceError
from octavo_documents.models.ports import Raster
from octavo_documents.parsing import DEFAULT_LIMITS, Limits
from octavo_documents.parsing.content import MIRRORED, Box, Spot, TextLine, normalise
from octavo_documents.parsing.page_checks import check_page
from octavo_documents.parsing.pdf import pdfium
from octavo_documents.parsing.pdf.characters import Characters, Integers, Mask, Numbers, UnreadableText, read_characters
from octavo_documents.parsing.pdf.features import features_of
from octavo_documents.parsing.pdf.forms import read_fields
from octavo_documents.parsing.pdf.frame import Frame, frame_of
from octavo_documents.parsing.pdf.graphics import read_drawn
from octavo_documents.parsing.pdf.lines import LineText, arranged, hulls, shown, typeset_lines
from octavo_documents.parsing.pdf.pdfium import Boxes
from octavo_documents.parsing.pdf.unseen_characters import Page, stretches, unseen
from octavo_documents.parsing.recognition import (
    POINTS_PER_INCH,
    Progress,
    Recognize,
    is_blank,
    ocr_scale,
    recognized_lines,
)
from octavo_documents.parsing.word_boxes import Word, words_read

_WHITE = 0xFFFFFFFF
_LONGEST_SIDE = 16_000


def render_page(page: pdfium.Handle, frame: Frame, *, scale: float, box: Box | None = None, pixels: int) -> Raster:
    """Draw `box` (default: the whole page) at `scale` pixels per point, coarser where that exceeds `pixels`."""
    x0, y0, x1, y1 = box or (0.0, 0.0, frame.width, frame.height)
    x0, y0, x1, y1 = max(0.0, x0), max(0.0, y0), min(frame.width, x1), min(frame.height, y1)
    if not (x1 > x0 and y1 > y0):
        raise SourceError("format", "the box to draw lies outside the page")
    scale = _fitting(x1 - x0, y1 - y0, scale, pixels)
    width, height = max(1, math.ceil((x1 - x0) * scale)), max(1, math.ceil((y1 - y0) * scale))
    raster = np.empty((height, width, 3), np.uint8)
    bitmap = pdfium.create_bitmap(width, height, pdfium.BGR, raster.ctypes.data, raster.strides[0])
    if not bitmap:
        raise SourceError(
            "too_large", f"a picture of {width} x {height} pixels cannot be drawn; use fewer dots per inch"
        )
    try:
        pdfium.fill_bitmap(bitmap, 0, 0, width, height, _WHITE)
        matrix = np.array((scale, 0, 0, scale, -x0 * scale, -y0 * scale), np.float32)
        clip = np.array((0, 0, width, height), np.float32)
        flags = pdfium.DRAW_ANNOTATIONS | pdfium.REVERSE_BYTES
        pdfium.render_matrix(bitmap, page, matrix.ctypes.data, clip.ctypes.data, flags)
        form = pdfium.form_of(page)
        if form:
            place = (round(value * scale) for value in (-x0, -y0, frame.width, frame.height))
            pdfium.draw_form(form, bitmap, page, *place, 0, flags)
    finally:
        pdfium.destroy_bitmap(bitmap)
    return raster


def render_index(document: pdfium.Handle, index: int, *, dpi: float, box: Box | None, pixels: int) -> Raster:
    """Draw page `index` (from 0) of an open document."""
    with pdfium.page_opened(document, index) as page:
        if not page:
            raise SourceError("damaged", f"page {index + 1} is damaged and cannot be drawn")
        return render_page(page, frame_of(page), scale=dpi / POINTS_PER_INCH, box=box, pixels=pixels)


def _fitting(width: float, height: float, scale: float, pixels: int) -> float:
    scale = min(scale, math.sqrt(pixels / width / height), _LONGEST_SIDE / max(width, height))
    return max(scale, 1e-6)


def read_spots(
    path: Path,
    spots: Sequence[Spot],
    recognize: Recognize,
    *,
    password: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    progress: Progress | None = None,
) -> list[tuple[TextLine, ...]]:
    """Return the lines that OCR reads in each box, their boxes in points from its corner; none past `limits.pictures`.

    A box of one colour, or that cannot be drawn, has no lines. Pictures that look the same are read once. `progress`
    receives (boxes done, boxes in all). Raises SourceError when the file cannot be opened.
    """
    known: dict[bytes, tuple[TextLine, ...]] = {}
    found: list[tuple[TextLine, ...]] = [()] * len(spots)
    spots = spots[: limits.pictures]
    for at, (raster, scale) in enumerate(draw_spots(path, spots, password=password, limits=limits)):
        if progress:
            progress(at, len(spots))
        if raster is None or is_blank(raster):
            continue
        look = hashlib.sha256(repr(raster.shape).encode() + raster.tobytes()).digest()
        if look not in known:
            known[look] = recognized_lines(recognize(raster), scale=scale)
        found[at] = known[look]
    return found


def draw_spots(
    path: Path, spots: Sequence[Spot], *, dpi: float = 0.0, password: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> Iterator[tuple[Raster | None, float]]:
    """Yield each box as a picture, and its pixels a point; None where there is none.

    `dpi` 0 draws as finely as OCR is shown a page. Raises SourceError when the file cannot be opened.
    """
    with pdfium.opened(path, password=password, limits=limits) as (document, _):
        for spot in spots:
            with pdfium.page_opened(document, spot.page - 1) as page:
                if not page:
                    yield None, 1.0
                    continue
                frame = frame_of(page)
                scale = dpi / POINTS_PER_INCH or ocr_scale(frame.width, frame.height)
                try:
                    raster = render_page(page, frame, scale=scale, box=spot.box, pixels=limits.pixels)
                except SourceError:
                    yield None, 1.0
                    continue
                yield raster, raster.shape[1] / max(spot.box[2] - spot.box[0], 1.0)


@dataclass(frozen=True, slots=True)
class VisibleText:
    """The characters of a text layer that are seen on the page, None where it has none, and how many words are not."""

    characters: Characters | None
    hidden_words: int


def seen_characters(text: pdfium.Handle, page: Page, *, most: int) -> VisibleText:
    """Return at most `most` characters of an open text page that are seen.

    Raises UnreadableText where the layer means nothing.
    """
    characters = read_characters(text, page.frame, most=most)
    if characters is None:
        return VisibleText(None, 0)
    boxes = characters.boxes
    for angle in filter(None, characters.angles):
        boxes = boxes.copy() if boxes is characters.boxes else boxes
        rows = characters.angle == angle
        boxes[rows] = shown(boxes[rows], page.frame, angle)
    hidden = unseen(page, characters, boxes)
    if not hidden.any():
        return VisibleText(characters, 0)
    words = sum(1 for _ in stretches(characters, boxes, hidden))
    return VisibleText(None if hidden.all() else characters.take(~hidden), words)


def page_of(handle: pdfium.Handle, frame: Frame, limits: Limits, *, may_hide_layers: bool) -> Page:
    """Return an open page as its text is looked at."""

    def draw(box: Box, scale: float) -> Raster:
        return render_page(handle, frame, scale=scale, box=box, pixels=limits.pixels)

    return Page(frame, read_drawn(handle, frame, most=limits.graphics_per_page), draw, may_hide_layers)


_REACH = 0.5
"""Ems that ink may reach beyond the room of its line; what a font says beyond that is wrong."""
_COVERED = 0.5
"""Share of a line read by OCR that words of the text layer cover, from which on it is the same line."""


def words(
    path: Path,
    page: int,
    *,
    recognize: Recognize | None = None,
    password: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> PageWords:
    """Return the words of page `page` (1-based): those of its text layer, with `recognize` those that OCR reads too.

    Raises SourceError when the file or page cannot be read.
    """
    with pdfium.opened(path, password=password, limits=limits) as (document, _):
        check_page(path, page, int(pdfium.page_count(document)))
        with pdfium.page_opened(document, page - 1) as handle:
            if not handle:
                raise SourceError("damaged", f"page {page} of {path} is damaged and cannot be read")
            frame = frame_of(handle)
            seen = page_of(handle, frame, limits, may_hide_layers=features_of(path).may_hide_layers)
            found = [*_of_text_layer(handle, seen, limits)]
            found += _of_fields(handle, frame, limits, 1 + max((line for *_, line in found), default=-1))
            if recognize is not None:
                found += _recognized(handle, frame, recognize, limits, found)
    source = "text" if recognize is None else "ocr"
    return PageWords.of(found[: limits.glyphs_per_page], rotation=90 * frame.turns, source=source)


def _of_text_layer(handle: pdfium.Handle, page: Page, limits: Limits) -> Iterator[Word]:
    text = pdfium.load_text(handle)
    if not text:
        return
    try:
        characters = seen_characters(text, page, most=limits.glyphs_per_page).characters
        if characters:
            yield from _words(text, characters, page.frame)
    except UnreadableText:
        return
    finally:
        pdfium.close_text(text)


def _of_fields(page: pdfium.Handle, frame: Frame, limits: Limits, first: int) -> Iterator[Word]:
    """Yield the words of the values of a form, which share the room of their line; lines are numbered from `first`."""
    lines = (line for field in read_fields(page, frame, most=limits.links_per_page) for line in field.lines)
    for number, line in enumerate(lines, start=first):
        x0, y0, x1, y1 = line.box
        step, at = (x1 - x0) / len(line.text), 0
        for word in line.text.split():
            at = line.text.index(word, at)
            yield word, [x0 + at * step, y0, x0 + (at + len(word)) * step, y1], number
            at += len(word)


def _words(text: pdfium.Handle, characters: Characters, frame: Frame) -> Iterator[Word]:
    """Yield the words of a text layer, lines in the order of its first characters."""
    lines: list[tuple[int, list[tuple[str, list[float]]]]] = []
    for angle in characters.angles:
        rows = np.flatnonzero(characters.angle == angle)
        ordered, starts = arranged(characters, rows)
        is_first = np.zeros(len(ordered.row), bool)
        is_first[starts] = True
        typeset = typeset_lines(characters, ordered, starts)
        firsts = np.flatnonzero(is_first | typeset.is_spaced)
        boxes = _boxes(text, characters, frame, ordered, firsts, angle).round(2).tolist()
        points = typeset.pieces()
        stops = [*firsts[1:].tolist(), len(points)]
        for first, stop, box in zip(firsts.tolist(), stops, boxes, strict=True):
            if is_first[first]:
                lines.append((int(ordered.row[first]), []))
            word = normalise("".join(points[first:stop]).strip())
            if word and frame.holds(box):
                lines[-1][1].append((word, box))
    lines.sort(key=lambda line: line[0])
    for number, (_, held) in enumerate(lines):
        yield from ((word, box, number) for word, box in held)


def _boxes(
    text: pdfium.Handle, characters: Characters, frame: Frame, ordered: LineText, firsts: Integers, angle: int
) -> Boxes:
    """Return (n, 4) boxes of words as displayed: along the line those of their ink, across it the room of the line."""
    room = shown(hulls(characters.boxes[ordered.row], firsts), frame, angle)
    ink, is_sound = _ink(text, characters, frame, ordered)
    reach = _REACH * np.maximum.reduceat(ordered.size, firsts)
    inked = _hulls_of(ink, is_sound, firsts)
    limits = room + np.stack([-reach, -reach, reach, reach], axis=1)
    has_ink = (inked[:, :2] < limits[:, 2:]).all(axis=1) & (inked[:, 2:] > limits[:, :2]).all(axis=1)
    inked = np.where(has_ink.reshape(-1, 1), inked, room)
    clipped = np.concatenate([np.maximum(inked[:, :2], limits[:, :2]), np.minimum(inked[:, 2:], limits[:, 2:])], axis=1)
    along = {0: (0, 2), 180: (0, 2), 90: (1, 3), 270: (1, 3)}.get(angle % MIRRORED, (0, 1, 2, 3))
    united = np.concatenate([np.minimum(room[:, :2], clipped[:, :2]), np.maximum(room[:, 2:], clipped[:, 2:])], axis=1)
    united[:, along] = clipped[:, along]
    return united


def _ink(text: pdfium.Handle, characters: Characters, frame: Frame, ordered: LineText) -> tuple[Boxes, Mask]:
    """Return (n, 4) boxes of the ink of characters as displayed, and which of them have any."""
    tight = np.zeros((len(ordered.row), 4), np.float64)
    pdfium.fill_fields(pdfium.character_box, characters.index[ordered.row].tolist(), tight, owner=text)
    left, right, bottom, top = tight.T
    return frame.boxes(np.stack([left, top, right, bottom], axis=1)), (right > left) & (top > bottom)


def _hulls_of(boxes: Boxes, is_sound: Mask, firsts: Integers) -> Boxes:
    """Return the hulls of the sound boxes from each of `firsts` on; infinite where there are none."""
    edges = np.where(is_sound.reshape(-1, 1), boxes, np.array([np.inf, np.inf, -np.inf, -np.inf]))
    return hulls(edges, firsts)


def _recognized(
    page: pdfium.Handle, frame: Frame, recognize: Recognize, limits: Limits, known: list[Word]
) -> list[Word]:
    """Return the words that OCR reads where the text layer has none, their lines numbered after those known."""
    raster = render_page(page, frame, scale=ocr_scale(frame.width, frame.height), pixels=limits.pixels)
    if is_blank(raster):
        return []
    scale = raster.shape[1] / frame.width
    layer = np.array([box for _, box, _ in known], np.float64).reshape(-1, 4)
    numbers = count(1 + max((line for *_, line in known), default=-1))
    found: list[Word] = []
    for line in recognize(raster):
        if not line.text or _covered(np.array(line.box, np.float64) / scale, layer) > _COVERED:
            continue
        number = next(numbers)
        found += words_read(raster, line, scale, number)
    return found


def _covered(box: Numbers, words: Boxes) -> float:
    """Return the share of a box that words cover, at most 1 where they do not overlap each other."""
    width = np.minimum(words[:, 2], box[2]) - np.maximum(words[:, 0], box[0])
    height = np.minimum(words[:, 3], box[3]) - np.maximum(words[:, 1], box[1])
    area = max(float((box[2] - box[0]) * (box[3] - box[1])), 1e-6)
    return float((np.maximum(width, 0) * np.maximum(height, 0)).sum()) / area

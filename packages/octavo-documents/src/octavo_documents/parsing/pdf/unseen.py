"""Characters of a PDF page that its text layer has and nobody sees: covered, hidden, without contrast, without paint.

What may be unseen is told from how it is set and what is drawn before and after it. Whether it is, is then looked up:
the page is drawn with and without these text objects, and what changes nothing is not seen. The text layer of a scan
is kept: there are words in the picture where it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import repeat
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from octavo_documents.models.ports import Raster
from octavo_documents.parsing.content import Box, Graphic
from octavo_documents.parsing.pdf import pdfium
from octavo_documents.parsing.pdf.characters import Characters, Integers, Mask
from octavo_documents.parsing.pdf.graphics import Drawn
from octavo_documents.parsing.pdf.heights import Points, inside
from octavo_documents.parsing.pdf.pdfium import Boxes, Frame

Draw = Callable[[Box, float], Raster]
"""Draws a box of the page (points as displayed) at some pixels a point."""


class _Unseen:
    """What may be unseen, and what is; chosen by hand. Colours are 0..255."""

    CONTRAST = 28  # between text and ground, under which it may be without contrast
    CHANGE = 10  # of a pixel, from which on text is seen
    INK = 24  # between the lightest and darkest pixel of a place where something is printed
    ALPHA = 13  # how opaque text is at least
    SMALLEST = 1.0  # type size in points
    COVER = 3.0  # points of the shorter side of what may cover text or be its ground
    MOST_COVERS = 400
    SAME_LINE = 0.3  # ems between baselines
    PICTURE = 0.5  # share of the page of pictures that make it a scan
    SCALE = 2.0  # pixels a point
    PIXELS = 4_000_000
    MOST_TWINS = 1000  # text objects that are the same printed again
    SAME_PLACE = 1.5  # points between the sides of the same printed again
    INSET = 0.2  # of a character's width that its neighbours' ink may reach into
    MOST_SEEN = 0.3  # of the characters of a word that is not seen


@dataclass(frozen=True, slots=True)
class _Ground:
    """What may hide text or stand behind it: boxes, times, colours (n, 3), and which are pictures."""

    boxes: Boxes
    times: npt.NDArray[np.float64]
    colors: Integers
    is_image: Mask
    is_opaque: Mask

    @classmethod
    def of(cls, drawn: Drawn) -> _Ground:
        areas = [
            (at, item)
            for at, item in enumerate(drawn.graphics)
            if item.kind in ("fill", "image")
            and min(item.box[2] - item.box[0], item.box[3] - item.box[1]) >= _Unseen.COVER
        ]
        if len(areas) > _Unseen.MOST_COVERS:
            areas = sorted(sorted(areas, key=_area, reverse=True)[: _Unseen.MOST_COVERS], key=itemgetter(0))
        rows = np.array([at for at, _ in areas], np.int64)
        boxes = np.array([item.box for _, item in areas], np.float64).reshape(-1, 4)
        colors = _channels(np.array([item.color for _, item in areas], np.int64))
        is_image = np.array([item.kind == "image" for _, item in areas], np.bool_)
        return cls(boxes, drawn.times[rows], colors, is_image, drawn.is_opaque[rows])

    def pictured(self, frame: Frame) -> bool:
        """Whether pictures cover the page, as those of a scan do."""
        sides = self.boxes[self.is_image, 2:] - self.boxes[self.is_image, :2]
        return float(sides.prod(axis=1).sum()) >= _Unseen.PICTURE * frame.width * frame.height


def _area(one: tuple[int, Graphic]) -> float:
    x0, y0, x1, y1 = one[1].box
    return (x1 - x0) * (y1 - y0)


def _channels(colors: Integers) -> Integers:
    return np.stack(((colors >> 16) & 255, (colors >> 8) & 255, colors & 255), axis=1)


@dataclass(frozen=True, slots=True)
class Page:
    """A page whose characters are looked at: its frame, what is drawn on it, and how it is drawn."""

    frame: Frame
    drawn: Drawn
    draw: Draw
    may_hide_layers: bool


def unseen(page: Page, characters: Characters, boxes: Boxes) -> Mask:
    """Return which characters nobody sees; `boxes` are theirs as displayed."""
    ground = _Ground.of(page.drawn)
    suspects = _suspects(page, characters, boxes, ground)
    if not suspects.any():
        return suspects
    may_be_layer = characters.is_invisible[characters.object] | ground.pictured(page.frame)
    return _looked_up(page, characters, boxes, suspects, may_be_layer)


def stretches(characters: Characters, boxes: Boxes, rows: Mask) -> Iterator[Integers]:
    """Yield the rows of some characters word by word; `boxes` are those of all, as displayed."""
    found = np.flatnonzero(rows)
    starts = (np.diff(found) != 1) | characters.spaced[found[1:]]
    starts |= np.abs(boxes[found[1:], 1] - boxes[found[:-1], 1]) > characters.sizes[found[1:]]
    yield from np.split(found, np.flatnonzero(starts) + 1)


def _suspects(page: Page, characters: Characters, boxes: Boxes, ground: _Ground) -> Mask:
    """Return which characters may be unseen. What few pages have is looked for only where they have it."""
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    object_of, is_invisible = characters.object, characters.is_invisible
    suspects = characters.sizes < _Unseen.SMALLEST
    is_clear = characters.alphas < _Unseen.ALPHA
    if is_clear.any():
        suspects |= is_clear[object_of]
    if len(ground.times):
        times = _times(page.drawn, characters.handles)[object_of]
        suspects |= _covered(ground, middles, times, is_scan=ground.pictured(page.frame))
    else:
        times = np.empty(0)
    bare = _without_contrast(ground, middles, characters, times)
    if is_invisible.any():
        bare &= ~is_invisible[object_of]
        suspects |= is_invisible[object_of] & ~_inside_any(middles, ground.boxes[ground.is_image])
    suspects |= bare
    in_form = _in_form(page.drawn, characters.handles)
    suspects |= _clipped(page, characters, middles, boxes, in_form)
    if page.may_hide_layers:
        suspects |= (in_form | _is_optional(characters.handles))[object_of]
    return suspects


def _times(drawn: Drawn, handles: Integers) -> npt.NDArray[np.float64]:
    """Return when text objects are drawn, infinitely late where that is not known."""
    order = np.argsort(drawn.texts, kind="stable")
    known = drawn.texts[order]
    if not len(known):
        return np.full(len(handles), np.inf)
    place = order[np.minimum(np.searchsorted(known, handles), len(known) - 1)]
    return np.where(drawn.texts[place] == handles, drawn.text_times[place], np.inf)


def _in_form(drawn: Drawn, handles: Integers) -> Mask:
    """Return which text objects are drawn by a form."""
    if not drawn.in_form.any():
        return np.zeros(len(handles), np.bool_)
    return np.isin(handles, drawn.texts[drawn.in_form])


def _inside_any(points: Boxes, boxes: Boxes) -> Mask:
    found = np.zeros(len(points), np.bool_)
    for box in boxes:
        found |= inside(points, box)
    return found


def _covered(ground: _Ground, middles: Boxes, times: npt.NDArray[np.float64], *, is_scan: bool) -> Mask:
    """Return which characters have something opaque drawn over them; the pictures of a scan cover its text layer."""
    found = np.zeros(len(times), np.bool_)
    latest = ground.times > times.min()
    covers = np.flatnonzero(latest & ground.is_opaque & ~(ground.is_image & is_scan))
    if not len(covers):
        return found
    for at, rows in Points(middles, times).inside(ground.boxes[covers], ground.times[covers]):
        found[rows] |= times[rows] < ground.times[covers[at]]
    return found


def _without_contrast(ground: _Ground, middles: Boxes, characters: Characters, times: npt.NDArray[np.float64]) -> Mask:
    """Return which characters have the colour of what is drawn last behind them; where nothing is, it is white."""
    styles = _channels(np.array([style.color for style in characters.styles], np.int64))
    known = np.concatenate((ground.colors[~ground.is_image], [[255, 255, 255]]))
    apart = np.abs(styles[:, None, :] - known[None, :, :]).max(axis=2).min(axis=1)
    is_near = apart < _Unseen.CONTRAST
    found = np.zeros(len(middles), np.bool_)
    if not is_near.any():
        return found
    near = np.flatnonzero(is_near[characters.style])
    behind = np.full((len(near), 3), 255, np.int64)
    order = np.argsort(ground.times, kind="stable")
    if len(order):
        points, drawn = Points(middles[near], times[near]), times[near]
        for place, rows in points.inside(ground.boxes[order]):
            at = order[place]
            is_behind = rows[drawn[rows] > ground.times[at]]
            # A picture may be of any colour; what is not opaque leaves what is behind it.
            behind[is_behind] = -255 if ground.is_image[at] or not ground.is_opaque[at] else ground.colors[at]
    found[near] = np.abs(behind - styles[characters.style[near]]).max(axis=1) < _Unseen.CONTRAST
    return found


def _clipped(page: Page, characters: Characters, middles: Boxes, boxes: Boxes, in_form: Mask) -> Mask:
    """Return which characters lie outside of the box that their text object is clipped to.

    Objects that go on a line are clipped as the first of it is.
    """
    object_of = characters.object
    first = np.concatenate(([0], np.flatnonzero(object_of[1:] != object_of[:-1]) + 1))
    starts, before = boxes[first[1:]], boxes[first[1:] - 1]
    size = characters.sizes[first[1:]]
    apart = np.abs(starts[:, 1] - before[:, 1]) > _Unseen.SAME_LINE * size
    apart |= np.abs(starts[:, 0] - before[:, 2]) > size
    leads = np.concatenate(([True], apart))
    objects = object_of[first[leads]]
    clips = _clips(characters.handles[objects], page.frame)
    clips[in_form[objects]] = np.inf, np.inf, -np.inf, -np.inf  # in coordinates of its own
    around = clips[clips[:, 2] > clips[:, 0]]
    (x0, x1), (y0, y1) = ((side.min(), side.max()) for side in middles.T)
    if not ((around[:, :2] > (x0, y0)) | (around[:, 2:] < (x1, y1))).any():
        return np.zeros(len(middles), np.bool_)
    of = clips[np.cumsum(leads) - 1][object_of]
    return (of[:, 2] > of[:, 0]) & ((middles < of[:, :2]) | (middles > of[:, 2:])).any(axis=1)


def _clips(handles: Integers, frame: Frame) -> Boxes:
    """Return (n, 4) boxes as displayed of the innermost clips of text objects, inside out where there is none."""
    boxes = np.tile(np.array([np.inf, np.inf, -np.inf, -np.inf]), (len(handles), 1))
    paths: list[int] = list(map(pdfium.object_clip, handles.tolist()))
    counts = np.fromiter(map(pdfium.count_clips, paths), np.int64, len(paths))
    rows = np.flatnonzero(counts > 0)
    if not len(rows):
        return boxes
    last: list[int] = (counts[rows] - 1).tolist()
    corners = np.full((len(rows), 4), np.nan, np.float32)
    for corner, segment in ((0, 0), (2, 2)):  # of a rectangle, which is drawn around
        segments = list(map(pdfium.clip_segment, [paths[row] for row in rows.tolist()], last, repeat(segment)))
        pdfium.fill_fields(pdfium.segment_point, segments, corners[:, corner : corner + 2])
    sound = np.isfinite(corners).all(axis=1)
    boxes[rows[sound]] = frame.boxes(corners[sound].astype(np.float64))
    return boxes


def _is_optional(handles: Integers) -> Mask:
    """Return which text objects are marked as part of a layer; many share their marks."""
    known: dict[pdfium.Handle, bool] = {}
    found = np.zeros(len(handles), np.bool_)
    objects: list[int] = handles.tolist()
    for at, count in enumerate(map(pdfium.count_marks, objects)):
        for mark in map(pdfium.get_mark, repeat(objects[at]), range(count)):
            if mark not in known:
                known[mark] = _is_layer(mark)
            found[at] |= known[mark]
    return found


def _is_layer(mark: pdfium.Handle) -> bool:
    name, size = np.zeros(32, np.uint8), np.zeros(1, np.uint32)
    pdfium.mark_name(mark, name.ctypes.data, len(name), size.ctypes.data)
    return name.tobytes().startswith("OC\0".encode("utf-16-le"))


def _looked_up(page: Page, characters: Characters, boxes: Boxes, suspects: Mask, may_be_layer: Mask) -> Mask:
    """Return which of the suspects are unseen: the page looks the same without them.

    Where `may_be_layer`, it is enough that something is printed at their place.
    """
    around = _around(boxes[suspects], page.frame)
    if around is None:
        return suspects
    scale = min(_Unseen.SCALE, (_Unseen.PIXELS / max((around[2] - around[0]) * (around[3] - around[1]), 1.0)) ** 0.5)
    suspected = np.unique(characters.handles[np.unique(characters.object[suspects])])
    objects: list[int] = [*suspected.tolist(), *_twins(page.drawn, characters, suspected)]
    shown = page.draw(around, scale)
    for handle in objects:
        pdfium.set_active(handle, 0)
    try:
        bare = page.draw(around, scale)
    finally:
        for handle in objects:
            pdfium.set_active(handle, 1)
    is_changed = _differ(shown, bare)
    found = np.zeros(len(suspects), np.bool_)
    places = _pixels(_insides(boxes[suspects]), around, scale, is_changed.shape)
    done = 0
    for rows in stretches(characters, boxes, suspects):
        of_word, done = places[done : done + len(rows)], done + len(rows)
        if not _is_unchanged(is_changed, of_word):
            continue
        hull = np.concatenate((boxes[rows, :2].min(axis=0), boxes[rows, 2:].max(axis=0)))
        x0, y0, x1, y1 = _pixels(hull[None, :], around, scale, is_changed.shape)[0]
        ink = shown[y0:y1, x0:x1]
        found[rows] = not (may_be_layer[rows].any() and ink.size and int(np.ptp(ink)) >= _Unseen.INK)
    return found


def _differ(one: Raster, other: Raster) -> Mask:
    """Return (height, width) which pixels of two pictures differ in any channel."""
    changes = (np.maximum(one, other) - np.minimum(one, other)) >= _Unseen.CHANGE
    return changes[:, :, 0] | changes[:, :, 1] | changes[:, :, 2]


def _twins(drawn: Drawn, characters: Characters, handles: Integers) -> list[int]:
    """Return text objects at the place of others that PDFium has left out of the text as the same printed again."""
    left_out = np.setdiff1d(drawn.texts, characters.handles)[: _Unseen.MOST_TWINS]
    if not len(left_out):
        return []
    bounds = np.zeros((len(handles) + len(left_out), 4), np.float32)
    pdfium.fill_fields(pdfium.object_bounds, [*handles.tolist(), *left_out.tolist()], bounds)
    known, others = bounds[: len(handles)], bounds[len(handles) :]
    known = known[np.argsort(known[:, 0], kind="stable")]
    starts = np.searchsorted(known[:, 0], others[:, 0] - _Unseen.SAME_PLACE).tolist()
    stops = np.searchsorted(known[:, 0], others[:, 0] + _Unseen.SAME_PLACE, side="right").tolist()
    return [
        handle
        for handle, box, start, stop in zip(left_out.tolist(), others, starts, stops, strict=True)
        if stop > start and (np.abs(known[start:stop] - box).max(axis=1) < _Unseen.SAME_PLACE).any()
    ]


def _around(boxes: Boxes, frame: Frame) -> Box | None:
    """Return the box around boxes on the page; None where they lie outside of it."""
    x0, y0 = np.maximum(boxes[:, :2].min(axis=0), 0.0).tolist()
    x1, y1 = np.minimum(boxes[:, 2:].max(axis=0), (frame.width, frame.height)).tolist()
    return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None


def _insides(boxes: Boxes) -> Boxes:
    """Return what of the boxes of characters the ink of their neighbours does not reach into."""
    inset = _Unseen.INSET * (boxes[:, 2] - boxes[:, 0])
    return boxes + np.stack((inset, np.zeros_like(inset), -inset, np.zeros_like(inset)), axis=1)


def _is_unchanged(is_changed: Mask, places: list[list[int]]) -> bool:
    """Tell a word most of whose characters are not seen, by the changes at the place of each."""
    seen, most = 0, _Unseen.MOST_SEEN * len(places)
    for x0, y0, x1, y1 in places:
        seen += bool(is_changed[y0:y1, x0:x1].any())
        if seen > most:
            return False
    return True


def _pixels(boxes: Boxes, around: Box, scale: float, shape: tuple[int, ...]) -> list[list[int]]:
    """Return x0, y0, x1, y1 of boxes in pixels of the box around them, inside of a picture of `shape`."""
    pixels = (boxes - np.array(around[:2] * 2)) * scale
    pixels[:, :2], pixels[:, 2:] = np.floor(pixels[:, :2]), np.ceil(pixels[:, 2:])
    found: list[list[int]] = np.clip(pixels, 0, np.array((*shape[1::-1], *shape[1::-1]))).astype(np.int64).tolist()
    return found

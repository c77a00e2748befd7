"""Finding what the text layer of a PDF page has and nobody sees: covered, hidden, without contrast, without paint.

What may be unseen is told from how it is set and what is drawn before and after it. Whether it is, is then looked up:
the page is drawn with and without these text objects, and what changes nothing is not seen. The text layer of a scan
is kept: there are words in the picture where it stands. Characters that show on no page are left to `text.unseen`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from octavo_documents.models.ports import Raster
from octavo_documents.parsing.content import Box, Graphic
from octavo_documents.parsing.pdf import pdfium
from octavo_documents.parsing.pdf.characters import Characters, Integers, Mask
from octavo_documents.parsing.pdf.frame import Frame
from octavo_documents.parsing.pdf.graphics import PageDrawing
from octavo_documents.parsing.pdf.heights import Points, inside
from octavo_documents.parsing.pdf.pdfium import Boxes

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
    PAIRS = 1 << 18  # of covers and text objects that are looked at together
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
    def of(cls, drawn: PageDrawing) -> _Ground:
        areas = [
            (at, item)
            for at, item in enumerate(drawn.graphics)
            if item.kind in ("fill", "image")
            and min(item.box[2] - item.box[0], item.box[3] - item.box[1]) >= _Unseen.COVER
        ]
        if not areas:
            return _BARE
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


_BARE = _Ground(np.empty((0, 4)), np.empty(0), np.empty((0, 3), np.int64), np.empty(0, np.bool_), np.empty(0, np.bool_))
"""The ground of a page on which nothing is painted."""


def _area(one: tuple[int, Graphic]) -> float:
    x0, y0, x1, y1 = one[1].box
    return (x1 - x0) * (y1 - y0)


def _channels(colors: Integers) -> Integers:
    return np.stack(((colors >> 16) & 255, (colors >> 8) & 255, colors & 255), axis=1)


@dataclass(frozen=True, slots=True)
class Page:
    """A page whose characters are looked at: its frame, what is drawn on it, and how it is drawn."""

    frame: Frame
    drawn: PageDrawing
    draw: Draw
    may_hide_layers: bool


class _Placed:
    """Characters, where they stand and when they are drawn; that is worked out for the few pages that ask for it."""

    def __init__(self, characters: Characters, boxes: Boxes, drawn: PageDrawing) -> None:
        self.characters = characters
        self.boxes = boxes
        self._drawn = drawn

    @cached_property
    def middles(self) -> Boxes:
        """Return the (n, 2) middles of the characters."""
        return (self.boxes[:, :2] + self.boxes[:, 2:]) / 2

    @cached_property
    def object_times(self) -> npt.NDArray[np.float64]:
        """Return when each text object is drawn, infinitely late where that is not known."""
        return _times(self._drawn, self.characters.handles)

    @cached_property
    def times(self) -> npt.NDArray[np.float64]:
        """Return when each character is drawn."""
        return self.object_times[self.characters.object]

    @cached_property
    def firsts(self) -> Integers:
        """Return the first character of each text object."""
        of = self.characters.object
        return np.concatenate(([0], np.flatnonzero(of[1:] != of[:-1]) + 1))

    @cached_property
    def hulls(self) -> Boxes:
        """Return (n, 4) boxes around the middles of the characters of each text object."""
        least = np.minimum.reduceat(self.middles, self.firsts, axis=0)
        return np.concatenate((least, np.maximum.reduceat(self.middles, self.firsts, axis=0)), axis=1)


def unseen(page: Page, characters: Characters, boxes: Boxes) -> Mask:
    """Return which characters nobody sees; `boxes` are theirs as displayed."""
    ground = _Ground.of(page.drawn)
    suspects = _suspects(page, _Placed(characters, boxes, page.drawn), ground)
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


def _suspects(page: Page, placed: _Placed, ground: _Ground) -> Mask:
    """Return which characters may be unseen. What few pages have is looked for only where they have it."""
    characters = placed.characters
    object_of, is_invisible = characters.object, characters.is_invisible
    suspects = characters.sizes < _Unseen.SMALLEST
    is_clear = characters.alphas < _Unseen.ALPHA
    if is_clear.any():
        suspects |= is_clear[object_of]
    covers = _covers(page, ground)
    covered = _covered(ground, covers, placed) if len(covers) else None
    if covered is not None:
        suspects |= covered
    bare = _without_contrast(ground, placed)
    if is_invisible.any():
        if bare is not None:
            bare &= ~is_invisible[object_of]
        suspects |= is_invisible[object_of] & ~_inside_any(placed.middles, ground.boxes[ground.is_image])
    if bare is not None:
        suspects |= bare
    in_form = _in_form(page.drawn, characters.handles)
    clipped = _clipped(page, placed, in_form)
    if clipped is not None:
        suspects |= clipped
    if page.may_hide_layers:
        suspects |= (in_form | _is_optional(characters.handles))[object_of]
    return suspects


def _times(drawn: PageDrawing, handles: Integers) -> npt.NDArray[np.float64]:
    """Return when text objects are drawn, infinitely late where that is not known."""
    order = np.argsort(drawn.texts, kind="stable")
    known = drawn.texts[order]
    if not len(known):
        return np.full(len(handles), np.inf)
    place = order[np.minimum(np.searchsorted(known, handles), len(known) - 1)]
    return np.where(drawn.texts[place] == handles, drawn.text_times[place], np.inf)


def _in_form(drawn: PageDrawing, handles: Integers) -> Mask:
    """Return which text objects are drawn by a form."""
    if not drawn.in_form.any():
        return np.zeros(len(handles), np.bool_)
    return np.isin(handles, drawn.texts[drawn.in_form])


def _inside_any(points: Boxes, boxes: Boxes) -> Mask:
    found = np.zeros(len(points), np.bool_)
    for box in boxes:
        found |= inside(points, box)
    return found


def _covers(page: Page, ground: _Ground) -> Integers:
    """Return what is drawn opaque after the first text; not the pictures of a scan, which cover its text layer."""
    if not len(ground.times) or not len(page.drawn.texts):
        return np.empty(0, np.int64)
    is_cover = ground.is_opaque & (ground.times > page.drawn.text_times.min())
    if is_cover.any() and ground.pictured(page.frame):
        is_cover &= ~ground.is_image
    return np.flatnonzero(is_cover)


def _covered(ground: _Ground, covers: Integers, placed: _Placed) -> Mask | None:
    """Return which characters have one of the `covers` drawn over them; None where none may."""
    covers = covers[_meets(ground, covers, placed, lambda rows: placed.object_times < ground.times[rows, None])[0]]
    if not len(covers):
        return None
    times = placed.times
    found = np.zeros(len(times), np.bool_)
    for at, rows in Points(placed.middles, times).inside(ground.boxes[covers], ground.times[covers]):
        found[rows] |= times[rows] < ground.times[covers[at]]
    return found


def _meets(ground: _Ground, rows: Integers, placed: _Placed, may: Callable[[Integers], Mask]) -> tuple[Mask, Mask]:
    """Return which of some rows of the ground have text objects in their box that `may` says, and which objects.

    `may` gets rows of the ground and returns (rows, objects).
    """
    hulls = placed.hulls
    is_met, meets = np.zeros(len(rows), np.bool_), np.zeros(len(hulls), np.bool_)
    step = max(1, _Unseen.PAIRS // len(hulls))
    for start in range(0, len(rows), step):
        some = rows[start : start + step]
        x0, y0, x1, y1 = ground.boxes[some].T[:, :, None]
        found = (hulls[:, 0] < x1) & (hulls[:, 2] > x0) & (hulls[:, 1] < y1) & (hulls[:, 3] > y0)
        if found.any():
            found &= may(some)
            is_met[start : start + step] = found.any(axis=1)
            meets |= found.any(axis=0)
    return is_met, meets


def _may_lack_contrast(ground: _Ground, placed: _Placed) -> Mask | None:
    """Return which text objects have the colour of what is painted behind them, or that of a white page; or None."""
    characters = placed.characters
    styles = _channels(np.array([style.color for style in characters.styles], np.int64))
    is_white = styles.min(axis=1) > 255 - _Unseen.CONTRAST
    rows = np.flatnonzero(ground.is_opaque & ~ground.is_image)
    is_near: Mask = np.abs(ground.colors[:, None, :] - styles[None, :, :]).max(axis=2) < _Unseen.CONTRAST
    rows = rows[is_near[rows].any(axis=1)]
    if not len(rows) and not is_white.any():
        return None
    style_of = characters.style[placed.firsts]
    found: Mask = is_white[style_of]
    if len(rows):

        def may_be_on(some: Integers) -> Mask:
            return is_near[some][:, style_of] & (placed.object_times > ground.times[some, None])

        found |= _meets(ground, rows, placed, may_be_on)[1]
    return found


def _without_contrast(ground: _Ground, placed: _Placed) -> Mask | None:
    """Return which characters have the colour of what is drawn last behind them, white where nothing is; None for none.

    What few text objects may is told by their hulls.
    """
    objects = _may_lack_contrast(ground, placed)
    if objects is None or not objects.any():
        return None
    characters = placed.characters
    styles = _channels(np.array([style.color for style in characters.styles], np.int64))
    found = np.zeros(len(characters), np.bool_)
    near = np.flatnonzero(objects[characters.object])
    behind = np.full((len(near), 3), 255, np.int64)
    order = np.argsort(ground.times, kind="stable")
    if len(order):
        drawn = placed.times[near]
        for place, rows in Points(placed.middles[near], drawn).inside(ground.boxes[order]):
            at = order[place]
            is_behind = rows[drawn[rows] > ground.times[at]]
            # A picture may be of any colour; what is not opaque leaves what is behind it.
            behind[is_behind] = -255 if ground.is_image[at] or not ground.is_opaque[at] else ground.colors[at]
    found[near] = np.abs(behind - styles[characters.style[near]]).max(axis=1) < _Unseen.CONTRAST
    return found


def _clipped(page: Page, placed: _Placed, in_form: Mask) -> Mask | None:
    """Return which characters lie outside of the box that their text object is clipped to; None where none may.

    Objects that go on a line are clipped as the first of it is.
    """
    characters, boxes = placed.characters, placed.boxes
    object_of = characters.object
    first = placed.firsts
    starts, before = boxes[first[1:]], boxes[first[1:] - 1]
    size = characters.sizes[first[1:]]
    apart = np.abs(starts[:, 1] - before[:, 1]) > _Unseen.SAME_LINE * size
    apart |= np.abs(starts[:, 0] - before[:, 2]) > size
    leads = np.concatenate(([True], apart))
    objects = object_of[first[leads]]
    is_own = ~in_form[objects]  # those of a form have coordinates of its own
    found = _clips(characters.handles[objects[is_own]], page.frame)
    if found is None:
        return None
    around = found[found[:, 2] > found[:, 0]]
    (x0, x1), (y0, y1) = ((side.min(), side.max()) for side in placed.middles.T)
    if not ((around[:, :2] > (x0, y0)) | (around[:, 2:] < (x1, y1))).any():
        return None
    clips = np.tile(_UNCLIPPED, (len(objects), 1))
    clips[is_own] = found
    of = clips[np.cumsum(leads) - 1][object_of]
    middles = placed.middles
    return (of[:, 2] > of[:, 0]) & ((middles < of[:, :2]) | (middles > of[:, 2:])).any(axis=1)


_UNCLIPPED = np.array([np.inf, np.inf, -np.inf, -np.inf])
_OPPOSITE = 2
"""The corner of a rectangle, which is drawn around, opposite to its first."""


def _clips(handles: Integers, frame: Frame) -> Boxes | None:
    """Return (n, 4) boxes as displayed of the innermost clips of text objects, inside out for those without; or None.

    Objects that are clipped together share the path, whose corners are asked for once.
    """
    paths: list[int] = list(map(pdfium.object_clip, handles.tolist()))
    counts: list[int] = list(map(pdfium.count_clips, paths))
    rows = [row for row, count in enumerate(counts) if count > 0]
    if not rows:
        return None
    firsts: list[int] = [pdfium.clip_segment(paths[row], counts[row] - 1, 0) for row in rows]
    shared = dict(zip(firsts, rows, strict=True))
    others = [pdfium.clip_segment(paths[row], counts[row] - 1, _OPPOSITE) for row in shared.values()]
    corners = np.full((len(shared), 4), np.nan, np.float32)
    pdfium.fill_fields(pdfium.segment_point, [*shared], corners[:, :2])
    pdfium.fill_fields(pdfium.segment_point, others, corners[:, 2:])
    sound = np.isfinite(corners).all(axis=1)
    shown = np.tile(_UNCLIPPED, (len(shared), 1))
    shown[sound] = frame.boxes(corners[sound].astype(np.float64))
    place = {first: at for at, first in enumerate(shared)}
    boxes = np.tile(_UNCLIPPED, (len(handles), 1))
    boxes[rows] = shown[[place[first] for first in firsts]]
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


def _twins(drawn: PageDrawing, characters: Characters, handles: Integers) -> list[int]:
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
    """Return whether most characters of a word are not seen, by the changes at the place of each."""
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

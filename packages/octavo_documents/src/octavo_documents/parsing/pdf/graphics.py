"""What is drawn on a PDF page besides text: pictures, painted areas, rules, curves, and which pictures are photographs.

A picture counts as a photograph by how it is packed, without being unpacked: photographs need more bytes for a pixel
than drawings do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import repeat

import numpy as np
import numpy.typing as npt

from octavo_documents.parsing.content import Graphic
from octavo_documents.parsing.pdf import pdfium
from octavo_documents.parsing.pdf.frame import Frame
from octavo_documents.parsing.pdf.pdfium import Boxes
from octavo_documents.parsing.pdf.pieces import IDENTITY, Matrix, Path, mapped, pieces_of

Integers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
_DEEPEST_FORM = 6
_THIN = 2.0
_HAIRLINE = 1.5
_ABUTTING = 0.6
_SMALLEST = 0.5
_KINDS = {pdfium.IMAGE_OBJECT: "image", pdfium.SHADING_OBJECT: "fill", pdfium.PATH_OBJECT: ""}
_IS_DRAWN = np.isin(np.arange(256), [*_KINDS])
"""By the type of an object."""
_LEAST_LOSSY = {b"DCTDecode": 0.11, b"DCT": 0.11, b"JPXDecode": 0.05}
_LEAST_LOSSLESS = 0.8
_LEAST_PIXELS = 64 * 64
_LONGEST_FILTER = 32


@dataclass(frozen=True, slots=True)
class _Group:
    """Objects that share a coordinate system: handles and types of the page itself or of one form."""

    objects: Integers
    types: Integers
    matrix: Matrix
    start: float
    step: float
    """When the first object is drawn, and the time to the next: a page's objects are drawn at 1, 2 and so on."""

    def times(self, rows: Integers) -> npt.NDArray[np.float64]:
        """Return when objects are drawn."""
        return self.start + self.step * rows.astype(np.float64)

    @classmethod
    def of(cls, get: Callable[[int, int], int], owner: pdfium.Handle, count: int, matrix: Matrix) -> _Group:
        """Read `count` objects of a page or form with the call that returns them one by one."""
        objects = np.fromiter(map(get, repeat(owner), range(count)), np.int64, count)
        types = np.fromiter(map(pdfium.object_type, objects.tolist()), np.int64, count)
        return cls(objects, types, matrix, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class PageDrawing:
    """What is drawn on a page: graphics, when each is drawn and which may hide what is under it; its text objects.

    `texts` are handles, `text_times` when they are drawn, `in_form` which of them are drawn by a form; arrays are
    parallel to `graphics` or `texts`.
    """

    graphics: tuple[Graphic, ...]
    times: npt.NDArray[np.float64]
    is_opaque: Mask
    texts: Integers
    text_times: npt.NDArray[np.float64]
    in_form: Mask
    pieces: tuple[Graphic, ...] = ()
    """The lines of paths that draw several, which are one graphic each."""


_OPAQUE = 250
"""Of 255, from which on a fill hides what is under it."""


def read_drawn(page: pdfium.Handle, frame: Frame, *, most: int) -> PageDrawing:
    """Return what is drawn on an open page: at most `most` graphics that touch the visible page, in order per form."""
    found: list[Graphic] = []
    times, is_opaque = [np.empty(0)], [np.empty(0, np.bool_)]
    texts: list[Integers] = []
    text_times: list[npt.NDArray[np.float64]] = []
    in_form: list[Mask] = []
    paths: list[Path] = []
    for group in _groups(page, most):
        rows = np.flatnonzero(group.types == pdfium.TEXT_OBJECT)
        texts.append(group.objects[rows])
        text_times.append(group.times(rows))
        in_form.append(np.full(len(rows), group.matrix is not IDENTITY))
        if len(found) < most and len(rows) < len(group.types):
            graphics, when, opaque = _read_group(group, frame, most - len(found), paths)
            found += graphics
            times.append(when)
            is_opaque.append(opaque)
    return PageDrawing(
        graphics=tuple(found),
        times=np.concatenate(times),
        is_opaque=np.concatenate(is_opaque),
        texts=np.concatenate(texts),
        text_times=np.concatenate(text_times),
        pieces=pieces_of(paths, frame),
        in_form=np.concatenate(in_form),
    )


def _groups(page: pdfium.Handle, most: int) -> Iterator[_Group]:
    count = min(int(pdfium.count_objects(page)), 20 * most)
    waiting = [(_Group.of(pdfium.get_object, page, count, IDENTITY), 0)]
    forms = 0
    while waiting:
        group, depth = waiting.pop()
        yield group
        if depth == _DEEPEST_FORM:
            continue
        for at in np.flatnonzero(group.types == pdfium.FORM_OBJECT).tolist():
            forms += 1
            if forms > most:
                return
            inner = _form_group(int(group.objects[at]), group.matrix, most)
            step = group.step / (len(inner.objects) + 2)
            waiting.append((replace(inner, start=group.start + group.step * at + step, step=step), depth + 1))


def _form_group(form: pdfium.Handle, outer: Matrix, most: int) -> _Group:
    count = min(max(int(pdfium.count_form_objects(form)), 0), 20 * most)
    values = np.zeros(6, np.float32)
    pdfium.object_matrix(form, values.ctypes.data)
    a, b, c, d, e, f = (float(value) for value in values)
    ka, kb, kc, kd, ke, kf = outer
    matrix = (
        a * ka + b * kc,
        a * kb + b * kd,
        c * ka + d * kc,
        c * kb + d * kd,
        e * ka + f * kc + ke,
        e * kb + f * kd + kf,
    )
    return _Group.of(pdfium.get_form_object, form, count, matrix)


def _read_group(
    group: _Group, frame: Frame, most: int, paths: list[Path]
) -> tuple[list[Graphic], npt.NDArray[np.float64], Mask]:
    """Return the graphics of a group, when each is drawn, and whether it may hide what is under it; add its paths."""
    drawn = np.flatnonzero(_IS_DRAWN[group.types])[:most]
    objects: list[int] = group.objects[drawn].tolist()
    types: list[int] = group.types[drawn].tolist()
    if not objects:
        return [], np.empty(0), np.empty(0, np.bool_)
    bounds = np.zeros((len(objects), 4), np.float32)
    pdfium.fill_fields(pdfium.object_bounds, objects, bounds)
    boxes = frame.boxes(mapped(bounds.astype(np.float64), group.matrix))
    boxes = np.clip(boxes, (0, 0, 0, 0), (frame.width, frame.height, frame.width, frame.height)).round(2)
    sides = boxes[:, 2:] - boxes[:, :2]
    is_seen = sides.max(axis=1) > _SMALLEST
    is_image = np.array(types) == pdfium.IMAGE_OBJECT
    is_thin = (sides.min(axis=1) <= np.where(is_image, _HAIRLINE, _THIN)) & (sides.max(axis=1) > 3 * _THIN)
    is_thin &= ~(is_image & _is_strip(boxes))
    kinds, colors, is_opaque = _paints(objects, types)
    graphics = [
        Graphic(
            "line" if thin else kind,
            (row[0], row[1], row[2], row[3]),
            color,
            is_photographic=kind == "image" and is_photographic(item),
        )
        for item, kind, color, row, thin, seen in zip(
            objects, kinds, colors, boxes.tolist(), is_thin.tolist(), is_seen.tolist(), strict=True
        )
        if seen
    ]
    paths += [
        Path(item, kind, color, group.matrix)
        for item, type_, kind, color, seen in zip(objects, types, kinds, colors, is_seen.tolist(), strict=True)
        if seen and type_ == pdfium.PATH_OBJECT
    ]
    return graphics, group.times(drawn[is_seen]), is_opaque[is_seen]


def _is_strip(boxes: Boxes) -> Mask:
    """Return which boxes go on the one drawn before or after: the strips some producers cut a picture into."""
    across = np.abs(boxes[1:] - boxes[:-1])
    under = (across[:, (0, 2)].max(axis=1) < _ABUTTING) & (np.abs(boxes[1:, 1] - boxes[:-1, 3]) < _ABUTTING)
    over = (across[:, (0, 2)].max(axis=1) < _ABUTTING) & (np.abs(boxes[1:, 3] - boxes[:-1, 1]) < _ABUTTING)
    beside = (across[:, (1, 3)].max(axis=1) < _ABUTTING) & (np.abs(boxes[1:, 0] - boxes[:-1, 2]) < _ABUTTING)
    touches = under | over | beside
    return np.concatenate((touches, [False])) | np.concatenate(([False], touches))


def _paints(objects: list[pdfium.Handle], types: list[int]) -> tuple[list[str], list[int], Mask]:
    """Return the kinds and colours of objects, and which may hide what is under them.

    Filled paths have the colour of their fill, others that of their stroke, images 0.
    """
    modes = np.zeros((len(objects), 2), np.int32)
    pdfium.fill_fields(pdfium.path_draw_mode, objects, modes)
    fill, stroke = np.zeros((len(objects), 4), np.uint32), np.zeros((len(objects), 4), np.uint32)
    pdfium.fill_fields(pdfium.fill_color, objects, fill)
    is_filled = modes[:, 0] > 0
    if not is_filled.all():
        pdfium.fill_fields(pdfium.stroke_color, objects, stroke)
    channels = np.where(is_filled[:, None], fill, stroke).astype(np.int64) & 255
    is_path = np.array(types) == pdfium.PATH_OBJECT
    colors = np.where(is_path, (channels[:, 0] << 16) | (channels[:, 1] << 8) | channels[:, 2], 0)
    painted = np.where(is_filled, "fill", "stroke").tolist()
    kinds = [_KINDS[kind] or paint for kind, paint in zip(types, painted, strict=True)]
    is_opaque = (is_filled & (fill[:, 3] >= _OPAQUE)) | ~is_path
    return kinds, colors.tolist(), is_opaque


def is_photographic(image: pdfium.Handle) -> bool:
    """Return whether an image is packed as photographs are: more bytes a pixel than flat colours and lines take."""
    size = np.zeros(2, np.uint32)
    pdfium.image_pixels(image, size.ctypes.data, size.ctypes.data + size.itemsize)
    pixels = int(size[0]) * int(size[1])
    if pixels < _LEAST_PIXELS:
        return False
    return int(pdfium.image_data(image, 0, 0)) >= _LEAST_LOSSY.get(_last_filter(image), _LEAST_LOSSLESS) * pixels


def _last_filter(image: pdfium.Handle) -> bytes:
    """Return the name of the filter that packs the pixels; others may be laid over it."""
    count = int(pdfium.count_filters(image))
    name = np.zeros(_LONGEST_FILTER, np.uint8)
    if count < 1 or pdfium.image_filter(image, count - 1, name.ctypes.data, len(name)) > len(name):
        return b""
    return name.tobytes().rstrip(b"\0")

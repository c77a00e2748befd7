"""Annotations of a PDF, read and added: where its links point, and highlights; its outline, page labels and properties.

Highlights are shown by every viewer; what was in the file stays as it was.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from octavo_documents.errors import SourceError
from octavo_documents.parsing import DEFAULT_LIMITS, Limits
from octavo_documents.parsing.content import Annotation, Box, OutlineEntry, normalise
from octavo_documents.parsing.pdf import pdfium
from octavo_documents.parsing.pdf.frame import Frame, as_box, frame_of
from octavo_documents.text.lines import on_one_line

_LONGEST_TITLE = 1000


def read_annotations(
    document: pdfium.Handle, page: pdfium.Handle, frame: Frame, *, most: int
) -> tuple[Annotation, ...]:
    """Return at most `most` links of an open page that lead to a page or a URI."""
    corners: list[tuple[float, ...]] = []
    targets: list[tuple[int, float | None, str, float | None]] = []
    position, link, sides = np.zeros(1, np.int32), np.zeros(1, np.uint64), np.zeros(4, np.float32)
    addresses = position.ctypes.data, link.ctypes.data
    for _ in range(most):
        if not pdfium.next_link(page, *addresses):
            break
        handle = int(link[0])
        target = _target(document, pdfium.link_destination(document, handle), pdfium.link_action(handle))
        if (target[0] or target[2]) and pdfium.link_box(handle, sides.ctypes.data):
            corners.append(tuple(sides.tolist()))
            targets.append(target)
    if not targets:
        return ()
    boxes = frame.boxes(np.array(corners, np.float64))
    return tuple(Annotation(as_box(box), *target) for box, target in zip(boxes, targets, strict=True))


def _target(document: pdfium.Handle, destination: int, action: int) -> tuple[int, float | None, str, float | None]:
    """Return the page (1-based, 0 for none), y in the page's own coordinates, the URI and x of a target."""
    if not destination and action:
        if pdfium.action_type(action) == pdfium.URI_ACTION:
            uri = pdfium.read_string(
                lambda address, size: pdfium.action_uri(document, action, address, size), encoding="utf-8"
            )
            return 0, None, uri, None
        destination = pdfium.action_destination(document, action)
    if not destination:
        return 0, None, "", None
    page = int(pdfium.destination_page(document, destination)) + 1
    if page < 1:
        return 0, None, "", None
    has, place = np.zeros(3, np.int32), np.zeros(3, np.float32)
    flag, value = has.ctypes.data, place.ctypes.data
    pdfium.destination_place(destination, flag, flag + 4, flag + 8, value, value + 4, value + 8)
    x, y = (float(value) for value in place[:2])
    return page, y if has[1] else None, "", x if has[0] and has[1] else None


def read_outline(document: pdfium.Handle, *, limits: Limits) -> tuple[OutlineEntry, ...]:
    """Return the bookmarks in order; loops, too deep and too many entries are cut off."""
    entries: list[OutlineEntry] = []
    for bookmark, level in _bookmarks(document, limits):
        title = on_one_line(
            normalise(
                pdfium.read_string(lambda address, size, item=bookmark: pdfium.bookmark_title(item, address, size))
                .replace("\r", " ")
                .replace("\n", " ")
            )
        )[:_LONGEST_TITLE]
        page, y, *_ = _target(
            document, pdfium.bookmark_destination(document, bookmark), pdfium.bookmark_action(bookmark)
        )
        if title:
            entries.append(OutlineEntry(title, level, page, y))
    return tuple(entries)


def _bookmarks(document: pdfium.Handle, limits: Limits) -> Iterator[tuple[pdfium.Handle, int]]:
    seen: set[int] = set()
    waiting = [(int(pdfium.first_bookmark(document, 0)), 1)]
    while waiting and len(seen) < limits.outline_entries:
        bookmark, level = waiting.pop()
        if not bookmark or bookmark in seen:
            continue
        seen.add(bookmark)
        yield bookmark, level
        waiting.append((int(pdfium.next_bookmark(document, bookmark)), level))
        if level < limits.outline_depth:
            waiting.append((int(pdfium.first_bookmark(document, bookmark)), level + 1))


def read_label(document: pdfium.Handle, index: int) -> str:
    """Return the printed label of page `index` (from 0), or its number as text where the file states none."""
    label = pdfium.read_string(lambda address, size: pdfium.page_label(document, index, address, size))
    return normalise(label) or str(index + 1)


def read_property(document: pdfium.Handle, name: str) -> str:
    """Return a document property such as `Title`, or "" where there is none."""
    key = name.encode()
    value = pdfium.read_string(lambda address, size: pdfium.meta_text(document, key, address, size))
    return on_one_line(normalise(value))


_YELLOW = (255, 226, 89)
_OPACITY = 255
_PRINTED = 4
"""The flag of an annotation that is printed too (PDF 32000-1, table 165)."""
_AUTHOR = "Octavo"


@dataclass(frozen=True, slots=True)
class Highlight:
    """Boxes on a page (1-based), in points from its top left as displayed, and what a viewer says about them."""

    page: int
    boxes: Sequence[Box]
    note: str


def highlighted(
    path: Path, highlights: Sequence[Highlight], *, password: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> bytes:
    """Return the bytes of a PDF with highlights, added at its end.

    Raises SourceError when it cannot be read or written.
    """
    with pdfium.opened(path, password=password, limits=limits) as (document, is_rebuilt):
        for one in highlights:
            with pdfium.page_opened(document, one.page - 1) as page:
                if not page:
                    raise SourceError("no_pages", f"page {one.page} of {path} is not there or damaged")
                _add(page, frame_of(page), one)
        return _saved(document, path, is_whole=is_rebuilt, most=limits.output_bytes)


def _add(page: pdfium.Handle, frame: Frame, one: Highlight) -> None:
    """Add one highlight; its quadrilaterals go top left, top right, bottom left, bottom right as displayed."""
    corners = np.array([[(x0, y0), (x1, y0), (x0, y1), (x1, y1)] for x0, y0, x1, y1 in one.boxes], np.float64)
    if not len(corners):
        return
    quads = np.ascontiguousarray(frame.unshown(corners.reshape(-1, 2)).reshape(-1, 8), np.float32)
    x, y = quads[:, 0::2], quads[:, 1::2]
    bounds = np.array([x.min(), y.max(), x.max(), y.min()], np.float32)
    annotation = pdfium.create_annotation(page, pdfium.HIGHLIGHT)
    try:
        pdfium.set_annotation_box(annotation, bounds.ctypes.data)
        pdfium.set_annotation_color(annotation, pdfium.ANNOTATION_COLOR, *_YELLOW, _OPACITY)
        pdfium.set_annotation_flags(annotation, _PRINTED)
        for quad in quads:
            pdfium.append_quad(annotation, quad.ctypes.data)
        for key, value in ((b"Contents", one.note), (b"T", _AUTHOR)):
            pdfium.set_annotation_text(annotation, key, (value + "\0").encode("utf-16-le", "replace"))
    finally:
        pdfium.close_annotation(annotation)


def _saved(document: pdfium.Handle, path: Path, *, is_whole: bool, most: int) -> bytes:
    """Return the bytes of an open document: the file's own with what was added, or all of it written anew."""
    written = bytearray()

    def take(_: int, data: int, size: int) -> int:
        if len(written) + size > most:
            return 0
        written.extend(ctypes.string_at(data, size))
        return 1

    if not pdfium.save(document, take, is_whole=is_whole):
        raise SourceError("too_large", f"{path} with its highlights cannot be written: it has more than {most:,} bytes")
    return bytes(written)

"""Where a PDF points: link annotations, outline, page labels and document properties."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from octavo.parsing import Limits
from octavo.parsing.content import Annotation, OutlineEntry, normalise
from octavo.parsing.pdf import pdfium
from octavo.parsing.pdf.pdfium import Frame, as_box

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
        title = " ".join(
            normalise(
                pdfium.read_string(lambda address, size, item=bookmark: pdfium.bookmark_title(item, address, size))
                .replace("\r", " ")
                .replace("\n", " ")
            ).split()
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
    return " ".join(normalise(value).split())

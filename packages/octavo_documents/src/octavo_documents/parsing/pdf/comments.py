"""What readers wrote on a PDF page: text boxes, notes and the comments of marks, with author."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from html import unescape

import numpy as np
import pypdfium2.raw as raw

from octavo_documents.parsing.content import Comment, normalise
from octavo_documents.parsing.pdf import pdfium
from octavo_documents.parsing.pdf.frame import Frame
from octavo_documents.text.lines import on_one_line

_UNREAD = (pdfium.WIDGET, pdfium.LINK)
MARKS = tuple(int(getattr(raw, f"FPDF_ANNOT_{name}")) for name in ("HIGHLIGHT", "UNDERLINE", "SQUIGGLY", "STRIKEOUT"))
_HIDDEN = 1 << 1
_TAG = re.compile(r"<[^<>]*>")
_LONGEST, _LONGEST_QUOTE = 10_000, 200
_MOST_QUADS = 8
_INSET = 0.1
"""Of the height of a mark, that it may reach into its neighbours."""


def kinds_of(page: pdfium.Handle, *, most: int) -> set[int]:
    """Return which kinds of annotations are among the first `most` of an open page."""
    found: set[int] = set()
    for index in range(min(pdfium.count_annotations(page), most)):
        item = pdfium.get_annotation(page, index)
        if item:
            found.add(int(pdfium.annotation_type(item)))
            pdfium.close_annotation(item)
    return found


def read_comments(page: pdfium.Handle, text: pdfium.Handle, frame: Frame, *, most: int) -> tuple[Comment, ...]:
    """Return the comments among the first `most` annotations of an open page and its text page (0 for none)."""
    found: dict[tuple[str, str], Comment] = {}
    for index in range(min(pdfium.count_annotations(page), most)):
        item = pdfium.get_annotation(page, index)
        if not item:
            continue
        try:
            kind = int(pdfium.annotation_type(item))
            if kind not in _UNREAD and not pdfium.annotation_flags(item) & _HIDDEN:
                for one in _comments(item, kind, text, frame):
                    said = one.text.rpartition(": ")[2] if kind == pdfium.POPUP else one.text
                    if kind != pdfium.POPUP or not any(known.text.endswith(said) for known in found.values()):
                        found.setdefault((one.text, str(one.box)), one)
        finally:
            pdfium.close_annotation(item)
    return tuple(found.values())


def _comments(item: pdfium.Handle, kind: int, text: pdfium.Handle, frame: Frame) -> Iterator[Comment]:
    said = _value(item, b"Contents") or on_one_line(unescape(_TAG.sub(" ", _value(item, b"RC")))).strip()
    sides = np.zeros(4, np.float32)
    if not said or not pdfium.annotation_box(item, sides.ctypes.data) or not np.isfinite(sides).all():
        return
    left, top, right, bottom = sides.tolist()
    box, author = frame.box((left, top, right, bottom)), _value(item, b"T")
    if kind == pdfium.FREE_TEXT and not pdfium.has_entry(item, b"IRT"):
        yield Comment(said, box, is_printed=True)
        return
    name = "Reply" if pdfium.has_entry(item, b"IRT") else "Comment"
    quote = _quoted(text, item) if kind in MARKS and text else ""
    about = f" on \u201c{quote}\u201d" if quote and quote != said else ""
    yield Comment(f"{name}{f' by {author}' if author else ''}{about}: {said}", box)


def _value(item: pdfium.Handle, key: bytes) -> str:
    found = pdfium.read_string(lambda address, size: pdfium.annotation_text(item, key, address, size))
    return normalise(on_one_line(found)).strip()[:_LONGEST]


def _quoted(text: pdfium.Handle, item: pdfium.Handle) -> str:
    """Return the words of a text page that are marked, as far as the first few marks tell."""
    quad, words = np.zeros(8, np.float32), list[str]()
    for at in range(min(int(pdfium.count_quads(item)), _MOST_QUADS)):
        if not pdfium.get_quad(item, at, quad.ctypes.data) or not np.isfinite(quad).all():
            break
        xs, ys = quad[0::2], quad[1::2]
        height = float(ys.max() - ys.min())
        inset = min(_INSET * height, float(xs.max() - xs.min()) / 3)
        low, high = float(ys.min()) + _INSET * height, float(ys.max()) - _INSET * height
        sides = (float(xs.min()) + inset, high, float(xs.max()) - inset, low)
        words.append(_bounded(text, sides))
    return " ".join(words)[:_LONGEST_QUOTE].strip()


def _bounded(text: pdfium.Handle, sides: tuple[float, float, float, float]) -> str:
    buffer = np.zeros(_LONGEST_QUOTE + 1, np.uint16)
    written = int(pdfium.bounded_text(text, *sides, buffer.ctypes.data, _LONGEST_QUOTE))
    found = ctypes.string_at(buffer.ctypes.data, 2 * max(min(written, _LONGEST_QUOTE), 0))
    return normalise(on_one_line(found.decode("utf-16-le", "replace"))).strip()

"""Headings set in several blocks: a chapter's label or number on a line of its own over its title.

Owns what makes them one. Knows nothing about levels or outlines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from octavo.document import Kind
from octavo.structuring import markers
from octavo.structuring.drafts import Draft

_COUNT = rf"(?:\d{{1,3}}|[A-Z]|[IVXLC]{{1,7}}|{markers.NUMBER_WORD})"
_WORD = r"(?:chapter|part|unit|module|lesson|section|appendix|annex|schedule)"
_LABEL = re.compile(rf"{_WORD}\s+{_COUNT}\s*[.:]?", re.I)
_BARE_LABEL = re.compile(rf"{_WORD}", re.I)
_NUMBER = re.compile(rf"{_COUNT}\s*[.:]?", re.I)
_TITLE_SIZE = 1.12
_NUMBER_SIZE = 1.3
_LONGEST = 140
_FARTHEST = 6.0
_TEXT = (Kind.PARAGRAPH, Kind.LIST_ITEM)


def join_labels(pages: Sequence[list[Draft]], body: float) -> None:
    """Put labels ("Chapter 3", "THREE", "3") that stand over a title into the title; `body` is the body type size."""
    for page in pages:
        at = 0
        while at < len(page):
            count = _label_length(page, at, body)
            title = page[at + count] if count and at + count < len(page) else None
            if title is not None and _is_title(page[at + count - 1], title, body):
                _join(page[at : at + count], title)
                del page[at : at + count]
            at += 1


def _label_length(page: Sequence[Draft], at: int, body: float) -> int:
    """Return how many blocks from `at` on are a label, 0 when none is."""
    item = page[at]
    if item.kind not in _TEXT or len(item.text) > 24:
        return 0
    if _LABEL.fullmatch(item.text):
        return 1
    following = page[at + 1] if at + 1 < len(page) else None
    if _BARE_LABEL.fullmatch(item.text):
        return 2 if following is not None and _NUMBER.fullmatch(following.text) else 0
    is_large = item.look.size >= _NUMBER_SIZE * body
    return 1 if is_large and item.text[:1].isdigit() and _NUMBER.fullmatch(item.text) else 0


def _is_title(label: Draft, title: Draft, body: float) -> bool:
    look, text, number = title.look, title.text, markers.numbering(title.text)
    gap = max(title.box[1] - label.box[3], label.box[1] - title.box[3])
    return (
        title.kind in _TEXT
        and (look.size >= _TITLE_SIZE * body or (look.bold and look == label.look))
        and len(text) <= _LONGEST
        and gap < _FARTHEST * look.size
        and any(letter.isalpha() for letter in text)
        and (number is None or number.mark == ":")
        and not markers.bullet(text)
    )


def _join(labels: Sequence[Draft], title: Draft) -> None:
    parts = [*labels, title]
    title.text = " ".join(part.text for part in parts)
    title.lines = tuple(row for part in parts for row in part.lines)
    title.box = (
        min(part.box[0] for part in parts),
        min(part.box[1] for part in parts),
        max(part.box[2] for part in parts),
        max(part.box[3] for part in parts),
    )

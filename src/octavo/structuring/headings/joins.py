"""Headings set in several blocks: a label or number on a line over its title, a title that wraps.

Owns what makes them one. Knows nothing about levels or outlines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from octavo.document import Kind
from octavo.structuring import markers
from octavo.structuring.drafts import Draft
from octavo.structuring.headings.candidates import Candidate

_COUNT = rf"(?:\d{{1,3}}[A-Z]?|[A-Z]|[IVXLC]{{1,7}}|{markers.NUMBER_WORD})"
_WORD = r"(?:chapter|part|unit|module|lesson|section|appendix|annex|schedule|item|article|note)"
_LABEL = re.compile(rf"{_WORD}\s+{_COUNT}\s*[.:]?", re.I)
_BARE_LABEL = re.compile(rf"{_WORD}", re.I)
_NUMBER = re.compile(rf"{_COUNT}\s*[.:]?", re.I)


class _Join:
    """What parts of one heading are told by, in type sizes unless it says otherwise; chosen by hand."""

    TITLE_SIZE = 1.12  # size of a title under a label, by the body's
    NUMBER_SIZE = 1.3  # size of a number that is a label, by the body's
    LONGEST = 140  # characters of a title
    FARTHEST = 6.0  # gap between a label and its title
    TIGHT = 0.35  # gap between the lines of one title
    LEVEL = 0.6  # difference of height on one line, by the label's height
    BESIDE = 8.0  # widest gap between a label and a title on its line


_TEXT = (Kind.PARAGRAPH, Kind.LIST_ITEM)


def join_labels(pages: Sequence[list[Draft]], body: float) -> None:
    """Put labels ("Chapter 3", "THREE", "3") that stand over a title into the title; `body` is the body type size."""
    for page in pages:
        _join_beside(page, body)
        at = 0
        while at < len(page):
            count = _label_length(page, at, body)
            title = page[at + count] if count and at + count < len(page) else None
            if title is not None and _is_title(page[at + count - 1], title, body):
                _join(page[at : at + count], title)
                del page[at : at + count]
            at += 1


def _join_beside(page: list[Draft], body: float) -> None:
    """Put labels that stand left of a title, on its line ("ITEM 5." and the title in a column beside), into it."""
    for label in [item for item in page if item.kind in _TEXT and _LABEL.fullmatch(item.text)]:
        beside = [item for item in page if _is_beside(label, item)]
        title = min(beside, key=lambda item: item.box[0], default=None)
        if title is not None and _is_title(label, title, body) and title.text[:1].isupper():
            _join([label], title)
            page.remove(label)


def _is_beside(label: Draft, item: Draft) -> bool:
    """Tell a block that starts on a label's line, right of it and near."""
    tall = label.box[3] - label.box[1]
    is_level = abs(item.box[1] - label.box[1]) < _Join.LEVEL * tall
    return item is not label and is_level and -tall < item.box[0] - label.box[2] < _Join.BESIDE * tall


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
    is_large = item.look.size >= _Join.NUMBER_SIZE * body
    return 1 if is_large and item.text[:1].isdigit() and _NUMBER.fullmatch(item.text) else 0


def _is_title(label: Draft, title: Draft, body: float) -> bool:
    look, text, number = title.look, title.text, markers.numbering(title.text)
    gap = max(title.box[1] - label.box[3], label.box[1] - title.box[3])
    return (
        title.kind in _TEXT
        and (look.size >= _Join.TITLE_SIZE * body or (look.bold and look == label.look))
        and len(text) <= _Join.LONGEST
        and gap < _Join.FARTHEST * look.size
        and any(letter.isalpha() for letter in text)
        and (number is None or number.mark == ":")
        and not markers.bullet(text)
    )


def join_wrapped(found: Sequence[Candidate], pages: Sequence[list[Draft]]) -> list[Candidate]:
    """Put a heading that wraps into its first block and off its page; return the candidates that are left."""
    kept: list[Candidate] = []
    for candidate in found:
        page = pages[candidate.item.page]
        if kept and _wraps(kept[-1], candidate) and page.index(candidate.item) == page.index(kept[-1].item) + 1:
            page.remove(candidate.item)
            _merge([kept[-1].item, candidate.item], kept[-1].item)
        else:
            kept.append(candidate)
    return kept


def _wraps(first: Candidate, second: Candidate) -> bool:
    """Tell two lines of one heading: one style, tight, and the first set off from nothing."""
    above, below = first.item, second.item
    if above.page != below.page or first.style != second.style or second.number is not None:
        return False
    size = first.style.size
    is_tight = -0.3 * size < below.box[1] - above.box[3] < _Join.TIGHT * size
    is_centred = abs((above.box[0] + above.box[2]) - (below.box[0] + below.box[2])) < 2 * size
    is_left = abs(above.box[0] - below.box[0]) < 0.2 * size
    is_whole = len(above.text) + len(below.text) <= _Join.LONGEST and not above.text.endswith((".", "!", "?", ":"))
    return is_tight and is_whole and (is_centred or is_left)


def _join(labels: Sequence[Draft], title: Draft) -> None:
    _merge([*labels, title], title)


def _merge(parts: Sequence[Draft], title: Draft) -> None:
    title.text = " ".join(part.text for part in parts)
    title.lines = tuple(row for part in parts for row in part.lines)
    title.box = (
        min(part.box[0] for part in parts),
        min(part.box[1] for part in parts),
        max(part.box[2] for part in parts),
        max(part.box[3] for part in parts),
    )

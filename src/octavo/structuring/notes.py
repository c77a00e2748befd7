"""Footnotes and the nesting of list items on a page.

Owns both rules. Knows nothing about other pages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from octavo.document import Kind, LinkKind
from octavo.parsing.content import PageContent, TextLine
from octavo.structuring.drafts import Draft

_MARK = re.compile(r"(\d{1,3}|[*†‡§¶]{1,3})(?=\s|[A-Z“\"(h])")
_LEADER = re.compile(r"(?:[.·…]\s?){4,}")
_SMALL = 0.92
_RAISED = 0.85
_LOWER_HALF = 0.5
_STEP = 5.0


def set_footnotes(drafts: Sequence[Draft], content: PageContent, body: float) -> None:
    """Turn small, marked text at the foot of columns into footnotes, each linked to the block that bears its mark."""
    last: dict[int, bool] = {}
    notes: list[tuple[str, Draft]] = []
    for item in reversed(drafts):
        below = last.get(item.column, True)
        mark = _MARK.match(item.text)
        is_small = item.kind in (Kind.PARAGRAPH, Kind.LIST_ITEM) and 0 < item.look.size < _SMALL * body
        is_low = item.box[1] > _LOWER_HALF * content.height
        last[item.column] = below and is_small
        if below and is_small and is_low and mark and not _LEADER.search(item.text):
            item.kind, item.level = Kind.FOOTNOTE, 0
            notes.append((mark[1], item))
    if notes:
        _link(notes, drafts, content.lines)


def _link(notes: Sequence[tuple[str, Draft]], drafts: Sequence[Draft], lines: Sequence[TextLine]) -> None:
    bearers: dict[str, Draft] = {}
    for item in drafts:
        if item.kind == Kind.FOOTNOTE:
            continue
        for row in item.lines:
            for mark in _raised(lines[row]):
                bearers.setdefault(mark, item)
    for mark, note in notes:
        if mark in bearers:
            note.targets.append((bearers[mark], LinkKind.FOOTNOTE_OF))


def _raised(line: TextLine) -> list[str]:
    """Return the texts of the small spans of a line."""
    if len(line.spans) < 2:
        return []
    size = max(span.size for span in line.spans)
    return [line.text[span.start : span.stop].strip() for span in line.spans if span.size < _RAISED * size]


def set_nesting(drafts: Sequence[Draft]) -> None:
    """Set the level of list items from their indents: 1 for the outermost of a run, one more for each step in."""
    indents: list[float] = []
    for item in drafts:
        left = item.box[0]
        if item.kind != Kind.LIST_ITEM:
            if indents and left <= indents[0] + _STEP:
                indents = []
            continue
        while indents and left < indents[-1] - _STEP:
            indents.pop()
        if not indents or left > indents[-1] + _STEP:
            indents.append(left)
        item.level = len(indents)

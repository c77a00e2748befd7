"""Footnotes, the notes under tables and the nesting of list items on a page.

Owns these rules. Knows nothing about other pages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from octavo.document import Kind, LinkKind
from octavo.parsing.content import PageContent, TextLine
from octavo.structuring.drafts import Draft

_MARK = re.compile(r"(\d{1,3}|[*†‡§¶]{1,3})(?=\s|[A-Z“\"(h])")
_WORD = re.compile(r"[^\W\d_]{2,}")
_TABLE_MARK = re.compile(r"\((?:\d{1,2}|[a-z*†‡])\)\s*\S|(?:\d{1,2}|[a-z]|[*†‡§¶]{1,3})\s+[A-Z“\"(]")
_RULE = re.compile(r"[_—–-]{4,}")
_LEADER = re.compile(r"(?:[.·…]\s?){4,}")


class _Note:
    """What footnotes and list items are told by, chosen by hand."""

    SMALL = 0.92  # type size of a note, by the body's
    RAISED = 0.85  # type size of a raised mark, by the largest of its line
    LOWER_HALF = 0.5  # share of the page's height under which footnotes stand
    STEP = 5.0  # points between the indents of two levels of a list
    UNDER = 2.5  # ems under a table, or under its note before, in which a note may start


def set_footnotes(drafts: Sequence[Draft], content: PageContent, body: float) -> None:
    """Turn small, marked text at the foot of columns into footnotes, each linked to the block that bears its mark.

    Such text right under a table becomes footnotes linked to the table.
    """
    _set_table_notes(drafts, body)
    last: dict[int, bool] = {}
    notes: list[tuple[str, Draft]] = []
    for item in reversed(drafts):
        below = last.get(item.column, True)
        mark = _MARK.match(item.text) if _WORD.search(item.text) else None
        is_small = item.kind in (Kind.PARAGRAPH, Kind.LIST_ITEM) and 0 < item.look.size < _Note.SMALL * body
        is_low = item.box[1] > _Note.LOWER_HALF * content.height
        last[item.column] = below and is_small
        if below and is_small and is_low and mark and not _LEADER.search(item.text):
            item.kind, item.level = Kind.FOOTNOTE, 0
            notes.append((mark[1], item))
    if notes:
        _link(notes, drafts, content.lines)


def _set_table_notes(drafts: Sequence[Draft], body: float) -> None:
    table: Draft | None = None
    bottom = 0.0
    for item in drafts:
        if item.kind == Kind.TABLE:
            table, bottom = item, item.box[3]
            continue
        is_near = table is not None and -body < item.box[1] - bottom < _Note.UNDER * body
        is_small = item.kind in (Kind.PARAGRAPH, Kind.LIST_ITEM) and 0 < item.look.size < _Note.SMALL * body
        if table is None or not is_near or not (is_small or _RULE.fullmatch(item.text)):
            table = None
            continue
        bottom = item.box[3]
        if is_small and _TABLE_MARK.match(item.text) and _WORD.search(item.text):
            item.kind, item.level = Kind.FOOTNOTE, 0
            item.targets.append((table, LinkKind.FOOTNOTE_OF))


def _link(notes: Sequence[tuple[str, Draft]], drafts: Sequence[Draft], lines: Sequence[TextLine]) -> None:
    """Link each note to the first block that bears its mark in the note's column, else to the first on the page."""
    bearers: dict[str, list[Draft]] = {}
    for item in drafts:
        if item.kind == Kind.FOOTNOTE:
            continue
        for row in item.lines:
            for mark in _raised(lines[row]):
                bearers.setdefault(mark, []).append(item)
    for mark, note in notes:
        if mark in bearers:
            note.targets.append((min(bearers[mark], key=partial(_distance, note)), LinkKind.FOOTNOTE_OF))


def _distance(note: Draft, bearer: Draft) -> tuple[bool, bool]:
    """Return whether a block stands beside a note's column, and whether it is parted from it by what spans columns."""
    is_over = bearer.box[0] < note.box[2] and note.box[0] < bearer.box[2]
    return not is_over, bearer.column != note.column


def _raised(line: TextLine) -> list[str]:
    """Return the texts of the small spans of a line."""
    if len(line.spans) < 2:
        return []
    size = max(span.size for span in line.spans)
    return [line.text[span.start : span.stop].strip() for span in line.spans if span.size < _Note.RAISED * size]


def set_nesting(drafts: Sequence[Draft], lines: Sequence[TextLine]) -> None:
    """Set the level of list items from their indents: 1 for the outermost of a run, one more for each step in.

    An indent counts from the left edge of its column, so that a list may go on in the next one; an item's is that of
    its first line, since others may be set further left.
    """
    edges: dict[int, float] = {}
    for item in drafts:
        edges[item.column] = min(edges.get(item.column, item.box[0]), item.box[0])
    indents: list[float] = []
    for item in drafts:
        left = (lines[item.lines[0]].box[0] if item.lines else item.box[0]) - edges[item.column]
        if item.kind != Kind.LIST_ITEM:
            if indents and left <= indents[0] + _Note.STEP:
                indents = []
            continue
        while indents and left < indents[-1] - _Note.STEP:
            indents.pop()
        if not indents or left > indents[-1] + _Note.STEP:
            indents.append(left)
        item.level = len(indents)

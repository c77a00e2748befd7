"""What on a page belongs to something beside it: captions, labels of drawings, footnotes; and levels of list items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from octavo_documents.document import PICTURED, FigureKind, Kind, LinkKind
from octavo_documents.parsing.content import Box, PageContent, TextLine
from octavo_documents.structuring import markers
from octavo_documents.structuring.drafts import Draft
from octavo_documents.structuring.figures.kinds import kind_in_words
from octavo_documents.structuring.lines import PageLines, box_around
from octavo_documents.structuring.reading_order import row_groups
from octavo_documents.text.raised import marks_in, with_plain_start


class _Caption:
    """How far captions and labels stand from what they belong to, in points but for sizes; chosen by hand."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    FARTHEST = 60.0  # gap between a caption and what it names
    SIDEWAYS = 12.0  # surcharge on the gap of a caption that stands beside
    CLOSE = 30.0  # gap to what stands in the caption's column without sharing its width
    LABEL_SIZE = 0.85  # type size of a label, by the body's
    LABEL_LENGTH = 40  # characters of a label's line
    BESIDE = 45.0  # gap of a label beside a drawing
    NAMES_BESIDE = 120.0  # gap of a column of names left of a chart
    FEWEST_NAMES = 3  # names of such a column
    ALIGNED = 3.0  # difference between the left, or right, edges of its names
    UNDER = 16.0  # gap of a label over or under a drawing


_NOTE_MARK = re.compile(r"(\d{1,3}|[*†‡§¶]{1,3})(?=\s|[A-Z“\"(h])")
_WORD = re.compile(r"[^\W\d_]{2,}")
_TABLE_MARK = re.compile(r"\((?:\d{1,2}|[a-z*†‡])\)\s*\S|(?:\d{1,2}|[a-z]|[*†‡§¶]{1,3})\s+[A-Z“\"(]")
_RULE = re.compile(r"[_—–-]{4,}")
_LEADER = re.compile(r"(?:[.·…]\s?){4,}")


class _Note:
    """Thresholds for footnotes and list items, chosen by hand."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    SMALL = 0.92  # type size of a note, by the body's
    RAISED = 0.85  # type size of a raised mark, by the largest of its line
    LOWER_HALF = 0.5  # share of the page's height under which footnotes stand
    STEP = 5.0  # points between the indents of two levels of a list
    UNDER = 2.5  # ems under a table, or under its note before, in which a note may start


def link_captions(drafts: Sequence[Draft]) -> None:
    """Link each caption to a table or figure of its sort over, under or beside it, each to one at most.

    Where the nearest would leave some without, all captions of the page stand on one side of what they name. What is
    called an exhibit and names nothing on the page is no caption, but the head of a part.
    """
    captions = [item for item in drafts if item.kind == Kind.CAPTION]
    shown = [item for item in drafts if item.kind in (Kind.TABLE, *PICTURED)]
    pairs = [
        _Pair(distance, at, to, is_under=caption.box[1] > target.box[1])
        for at, caption in enumerate(captions)
        for to, target in enumerate(shown)
        if _fits(caption, target) and (distance := _caption_distance(caption, target)) < _Caption.FARTHEST
    ]
    ways = (
        _matched(sorted(pairs, key=lambda pair: (pair.distance, pair.at, pair.to))),
        _matched(sorted(pairs, key=lambda pair: (not pair.is_under, pair.distance, pair.at, pair.to))),
        _matched(sorted(pairs, key=lambda pair: (pair.is_under, pair.distance, pair.at, pair.to))),
    )
    matched = max(ways, key=lambda way: (len(way), -sum(pair.distance for pair in way)))
    for pair in matched:
        caption, target = captions[pair.at], shown[pair.to]
        caption.targets.append((target, LinkKind.CAPTION_OF))
        _name(target, caption.text)
    for caption in captions:
        if not caption.targets and not caption.is_from_model and _word(caption) == "exh":
            caption.kind = Kind.PARAGRAPH


def _name(target: Draft, caption: str) -> None:
    """Set the kind of a figure whose shapes do not tell it by the words of its caption."""
    is_open = target.kind == Kind.FIGURE and target.figure == FigureKind.OTHER and not target.is_from_model
    if is_open and (named := kind_in_words(caption)):
        target.kind, target.figure = named


@dataclass(frozen=True, slots=True)
class _Pair:
    """A caption and what it may name, by their places in the page's lists; `distance` in points."""

    distance: float
    at: int
    to: int
    is_under: bool


def _matched(pairs: Iterable[_Pair]) -> list[_Pair]:
    """Return the pairs in the order given that share no caption and no target with one before."""
    found: list[_Pair] = []
    linked, taken = set[int](), set[int]()
    for pair in pairs:
        if pair.at not in linked and pair.to not in taken:
            found.append(pair)
            linked.add(pair.at)
            taken.add(pair.to)
    return found


def take_labels(drafts: list[Draft], page: PageLines, body: float) -> None:
    """Move small text beside or under a drawing (legends, axis titles) into its block; shortens `drafts`.

    A column of names left of a chart stands with the rows of it.
    """
    for shown in [item for item in drafts if item.kind in PICTURED]:
        x0, y0, x1, y1 = shown.box
        labels = [item for item in drafts if _is_label(item, body) and _is_around(item, (x0, y0, x1, y1))]
        names = _names_left_of(shown, drafts, body)
        for label in (*labels, *(name for name in names if name not in labels)):
            drafts.remove(label)
            shown.text = f"{shown.text}\n{label.text}".strip()
            shown.lines = shown.lines + label.lines
            shown.box = box_around(shown.box, label.box)
        if names:
            groups = row_groups(page.places, shown.lines)
            shown.text = "\n".join(" ".join(page.texts[row] for row in group) for group in groups)


def _names_left_of(shown: Draft, drafts: Sequence[Draft], body: float) -> list[Draft]:
    """Return the column of short names left of a chart, each at the height of lines of it; none where there is none."""
    left, top, _, bottom = shown.box
    if shown.kind != Kind.CHART or shown.grid or not shown.lines:
        return []
    beside = [
        item for item in drafts if item.box[2] <= left + 2 and top - 2 < (item.box[1] + item.box[3]) / 2 < bottom + 2
    ]
    names = [item for item in beside if _is_label(item, body) and len(item.lines) == 1]
    if len(names) < max(_Caption.FEWEST_NAMES, len(beside)):
        return []
    edges = ([item.box[side] for item in names] for side in (0, 2))
    is_aligned = any(max(ends) - min(ends) < _Caption.ALIGNED for ends in edges)
    is_near = left - max(item.box[2] for item in names) < _Caption.NAMES_BESIDE
    return names if is_aligned and is_near else []


def _is_label(item: Draft, body: float) -> bool:
    return (
        item.kind in (Kind.PARAGRAPH, Kind.LIST_ITEM)
        and not item.is_from_model
        and 0 < item.look.size < _Caption.LABEL_SIZE * body
        and len(item.text) < _Caption.LABEL_LENGTH * len(item.lines)
        and not markers.is_source_note(item.text)
    )


def _is_around(item: Draft, box: Box) -> bool:
    a = item.box
    beside = a[1] >= box[1] - 3 and a[3] <= box[3] + 3 and max(a[0] - box[2], box[0] - a[2]) < _Caption.BESIDE
    under = a[0] >= box[0] - 20 and a[2] <= box[2] + 20 and max(a[1] - box[3], box[1] - a[3]) < _Caption.UNDER
    return beside or under


def _word(caption: Draft) -> str:
    """Return the first three letters of a caption's label."""
    return markers.caption(caption.text)[:3].lower()


def _fits(caption: Draft, target: Draft) -> bool:
    word = _word(caption)
    if word == "tab":
        return target.kind == Kind.TABLE
    if word == "fig":
        return target.kind in PICTURED or target.kind == Kind.TABLE
    return True


def _caption_distance(caption: Draft, target: Draft) -> float:
    """Return the gap in points between a caption and what it may name, with a surcharge for what is less usual.

    It is infinite for boxes that share neither enough of their width nor of their height.
    """
    a, b = caption.box, target.box
    unusual = 20.0 if target.kind == Kind.TABLE and _word(caption) == "fig" else 0.0
    if min(a[2], b[2]) - max(a[0], b[0]) >= 0.3 * min(a[2] - a[0], b[2] - b[0]):
        return _gap(a, b) + unusual
    if caption.column == target.column and _gap(a, b) < _Caption.CLOSE:
        return _gap(a, b) + _Caption.SIDEWAYS + unusual
    if min(a[3], b[3]) - max(a[1], b[1]) >= 0.5 * min(a[3] - a[1], b[3] - b[1]):
        return max(b[0] - a[2], a[0] - b[2], 0.0) + _Caption.SIDEWAYS + unusual
    return float("inf")


def _gap(a: Box, b: Box) -> float:
    """Return the height in points between two boxes."""
    return max(b[1] - a[3], a[1] - b[3], 0.0)


def set_footnotes(drafts: Sequence[Draft], content: PageContent, body: float) -> None:
    """Turn small, marked text at the foot of columns into footnotes, each linked to the block that bears its mark.

    Such text right under a table becomes footnotes linked to the table.
    """
    _set_table_notes(drafts, body)
    last: dict[int, bool] = {}
    notes: list[tuple[str, Draft]] = []
    for item in reversed(drafts):
        below = last.get(item.column, True)
        is_small = item.kind in (Kind.PARAGRAPH, Kind.LIST_ITEM) and 0 < item.look.size < _Note.SMALL * body
        last[item.column] = below and is_small
        if not (below and is_small and item.box[1] > _Note.LOWER_HALF * content.height):
            continue
        mark = _NOTE_MARK.match(with_plain_start(item.text)) if _WORD.search(item.text) else None
        if mark and not _LEADER.search(item.text):
            item.kind, item.level = Kind.FOOTNOTE, 0
            notes.append((mark[1], item))
    if notes:
        _link_notes(notes, drafts, content.lines)


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
        if is_small and _TABLE_MARK.match(with_plain_start(item.text)) and _WORD.search(item.text):
            item.kind, item.level = Kind.FOOTNOTE, 0
            item.targets.append((table, LinkKind.FOOTNOTE_OF))


def _link_notes(notes: Sequence[tuple[str, Draft]], drafts: Sequence[Draft], lines: Sequence[TextLine]) -> None:
    """Link each note to the first block that bears its mark in the note's column, else to the first on the page."""
    bearers: dict[str, list[Draft]] = {}
    for item in drafts:
        if item.kind == Kind.FOOTNOTE:
            continue
        for row in item.lines:
            for mark in {*_raised(lines[row]), *marks_in(lines[row].text)}:
                bearers.setdefault(mark, []).append(item)
    for mark, note in notes:
        if mark in bearers:
            note.targets.append((min(bearers[mark], key=partial(_mark_distance, note)), LinkKind.FOOTNOTE_OF))


def _mark_distance(note: Draft, bearer: Draft) -> tuple[bool, bool]:
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

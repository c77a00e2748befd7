"""Lines of one column to paragraphs, list items, code and captions."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from octavo_documents.structuring import markers
from octavo_documents.structuring.lines import LineLook, PageLines
from octavo_documents.text.punctuation import COLONS, SENTENCE_ENDS


class _Break:
    """Where a paragraph ends; lengths are in type sizes unless they say otherwise. Chosen by hand."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    SAME_SIZE = 0.12  # difference between the type sizes of one paragraph's lines, by the larger
    LEADING = 1.42  # step from line to line, by the usual one, from which it is far
    DEFAULT_LEADING = 1.35  # usual step where too few lines tell it; a typographic convention
    WIDEST = 2.2  # step from line to line, in type sizes: double spacing
    SAME_EDGE = 6.0  # points between the left edges of a paragraph's lines
    FEWEST_SPACES = 2  # spaces in a line that is part of a sentence, not a word of a list
    NEARLY = 0.85  # share of a column's width of a ragged line that is full
    LONG = 40  # characters of a line that text goes on from: no item of a list
    FEWEST_INSIDE = 3  # steps inside sentences that tell how a page is spaced
    ALIKE = 1.3  # ratio of the type sizes that OCR reads of lines set alike
    FEW = 6  # steps from which the usual one is trusted, lines from which the widest tells where lines end
    WIDE = 30.0  # width of a column whose widest line tells it, however few there are
    TAIL = 40  # characters at the end of a line in which its end is looked for
    LABEL = 24  # characters of a label in a row of labels
    LABEL_GAP = 1.4  # widest gap between two labels that are one
    SPREAD_GAP = 2.5  # widest gap in a line of running text
    MARKER_GAP = 6.0  # widest gap between a list number and its item
    INDENT = 0.9  # least first-line indent
    DEEPEST_INDENT = 6.0  # greatest hanging indent
    FULL = 1.5  # room left at the end of a full line
    FEWEST_HANGING = 2  # entries with a hanging indent from which a column has them
    UNDER_LABEL = 1.7  # step from the foot of a caption's label to that of the title under it
    MOST_FULL = 0.4  # share of entries that end with a full line


_INLINE = re.compile(r"\((\d{1,2})\)")
_NAME = re.compile(r"[A-Z][^\W\d_]{2,}(?:$|.*[^\W\d_]$)")
_LEADER = re.compile(r"(?:[.·…_]\s?){3,}$")
_LED = re.compile(r"(?:[.·…_]\s?){3,}\s*(?:\d{1,4}|[ivxlc]{1,7})$")
_PAGE = re.compile(r"\d{1,4}|[ivxlc]{1,7}")
_UNFINISHED = re.compile(
    r"(?:,|\w[-\u2010]|\b(?:an?|and|as|at|by|for|from|in|its|of|on|or|our|that|the|their|this|to|with))$"
)
"""Ends of a line after which a sentence goes on."""
_TERMINAL = (*SENTENCE_ENDS, *COLONS, ";", "；", ".”", '."', ".)", "。”", "。」", "。）", "…")


@dataclass(frozen=True, slots=True)
class _Line:
    """What the rules look at, read once per line."""

    row: int
    x0: float
    y0: float
    x1: float
    y1: float
    look: LineLook
    text: str
    is_read: bool
    """Read by OCR: its size is only that of its box."""
    hang: float | None
    """Where its text hangs that begins with a label beside it; None for other lines."""
    leads: bool
    """Opens with a bold heading that ends with a stop, and goes on in another type."""
    opens: bool
    """Starts with a bullet, a list number, a caption label or a section number."""


@dataclass(frozen=True, slots=True)
class _Edges:
    """Between which x the lines of a column run."""

    left: float
    right: float
    text: float
    """Where full lines of text end; nowhere when there are too few lines to tell text from a title."""


def line_step(page: PageLines) -> float:
    """Return the step from line to line inside the sentences of a page, in type sizes; the usual one by default.

    A line that starts small after one that ends no sentence goes on from it, however the lines are spaced.
    """
    order = sorted(
        (row for row in range(len(page)) if not page.angles[row] and page.texts[row]), key=page.boxes[:, 1].item
    )
    steps: list[float] = []
    last: dict[int, int] = {}
    for row in order:
        edge = round(float(page.boxes[row, 0]) / _Break.SAME_EDGE)
        above = next((last[at] for at in (edge, edge - 1, edge + 1) if at in last), None)
        last[edge] = row
        if above is None or not _runs_on(page.texts[above], page.texts[row]):
            continue
        sizes = page.looks[row].size, page.looks[above].size
        step = float(page.boxes[row, 3] - page.boxes[above, 3]) / max(*sizes, 1.0)
        if 0.8 < step < _Break.WIDEST and max(sizes) < _Break.ALIKE * min(sizes):
            steps.append(step)
    if len(steps) < _Break.FEWEST_INSIDE:
        return _Break.DEFAULT_LEADING
    return max(sorted(steps)[len(steps) // 2], _Break.DEFAULT_LEADING)


def _runs_on(above: str, text: str) -> bool:
    return len(above) >= _Break.LONG and text[0].islower() and not above.endswith(_TERMINAL)


def paragraphs(page: PageLines, rows: Sequence[int], *, step: float = _Break.DEFAULT_LEADING) -> list[list[int]]:
    """Group the lines of one column, in reading order, into paragraphs; every line once, order kept.

    `step` is the page's usual one from line to line, in type sizes.
    """
    lines = [_line(page, row) for row in rows]
    if not lines:
        return []
    leading = _leadings(lines, step)
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    is_column = len(lines) >= _Break.FEW or right - left > _Break.WIDE * _size(lines[0])
    edges = _Edges(left, right, right if is_column else float("inf"))
    is_hanging = _is_hanging(lines, right)
    groups = [[lines[0]]]
    for at in range(1, len(lines)):
        following = lines[at + 1] if at + 1 < len(lines) else None
        if _begins_or_leaves_entry(groups[-1][0], lines[at]):
            groups.append([lines[at]])
        elif (
            _is_in_entry(groups[-1][0], lines[at]) or (is_hanging and _hangs(groups[-1], lines[at], left, right))
        ) and not _is_far(groups[-1][-1], lines[at], leading):
            groups[-1].append(lines[at])
        elif _stands_aside(groups[-1], lines[at], lines[at - 2] if at > 1 else None) or _breaks(
            groups[-1], lines[at], following, leading, edges
        ):
            groups.append([lines[at]])
        else:
            groups[-1].append(lines[at])
    return [[line.row for line in group] for group in groups]


def _line(page: PageLines, row: int) -> _Line:
    x0, y0, x1, y1 = page.places[row].tolist()
    text = page.texts[row]
    return _Line(
        row=row,
        x0=x0,
        y0=y0,
        x1=x1,
        y1=y1,
        look=page.looks[row],
        text=text,
        is_read=page.confidences[row] < 1.0,
        hang=page.entries.get(row),
        leads=row in page.leads,
        opens=is_opening(text),
    )


def _begins_or_leaves_entry(first: _Line, line: _Line) -> bool:
    """Return whether a line begins an entry with a label beside its text, or stands left of the text of one."""
    return line.hang is not None or (first.hang is not None and line.x0 < first.hang - _Break.INDENT * _size(line))


def _is_in_entry(first: _Line, line: _Line) -> bool:
    """Return whether a line stands where the text of an entry hangs, and is no item of a list in it."""
    return first.hang is not None and not line.opens and abs(line.x0 - first.hang) < _Break.INDENT * _size(line)


def is_opening(text: str) -> bool:
    """Return whether a line opens a list item, a caption or a numbered heading by its first characters."""
    return bool(
        markers.bullet(text)
        or markers.enumeration(text)
        or markers.caption(text)
        or markers.starts_numbered(text)
        or markers.is_lone_marker(text)
    )


def _leadings(lines: Sequence[_Line], default: float) -> dict[float, float]:
    """Return the usual distance from line to line for each type size, the lower median of those seen.

    Sizes of which too few lines are seen have at most the `default`, in type sizes.
    """
    steps: dict[float, list[float]] = {}
    for before, line in itertools.pairwise(lines):
        step = line.y1 - before.y1
        if before.look.size == line.look.size and 0.8 * line.look.size < step < _Break.WIDEST * line.look.size:
            steps.setdefault(line.look.size, []).append(step)
    usual = {size: sorted(seen)[(len(seen) - 1) // 3] for size, seen in steps.items() if len(seen) > 1}
    known = {
        size: step if len(steps[size]) >= _Break.FEW else min(step, default * size) for size, step in usual.items()
    }
    return {line.look.size: known.get(line.look.size, default * line.look.size) for line in lines}


def _is_hanging(lines: Sequence[_Line], right: float) -> bool:
    """Return whether entries have hanging indents: indented lines go on full ones, new ones follow short ones."""
    pairs = [(a, b) for a, b in itertools.pairwise(lines) if b.y0 > a.y0]
    entries = sum(
        _is_full(a, right) and _Break.INDENT < (b.x0 - a.x0) / _size(a) < _Break.DEEPEST_INDENT for a, b in pairs
    )
    ends = [_is_full(a, right) for a, b in pairs if a.x0 - b.x0 > _Break.INDENT * _size(a)]
    return entries >= _Break.FEWEST_HANGING and bool(ends) and sum(ends) <= _Break.MOST_FULL * len(ends)


def _hangs(group: Sequence[_Line], line: _Line, left: float, right: float) -> bool:
    """Return whether this is the second line of an entry with a hanging indent, whatever its first line ends with."""
    first = group[-1]
    is_marked = line.opens and not line.text[0].isupper()
    is_first = len(group) == 1 and first.x0 < left + _size(first) and _is_full(first, right) and not first.opens
    is_in = _Break.INDENT < (line.x0 - first.x0) / _size(first) < _Break.DEEPEST_INDENT
    return is_first and is_in and not is_marked and line.look.size == first.look.size


def _is_far(before: _Line, line: _Line, leading: dict[float, float]) -> bool:
    return line.y1 - before.y1 > _Break.LEADING * leading[line.look.size]


def _is_full(line: _Line, right: float) -> bool:
    return line.x1 > right - _Break.FULL * _size(line)


def _size(line: _Line) -> float:
    return max(line.look.size, 1.0)


def _breaks(
    group: list[_Line],
    line: _Line,
    following: _Line | None,
    leading: dict[float, float],
    edges: _Edges,
) -> bool:
    """Return whether a paragraph ends before `line`."""
    before = group[-1]
    size = max(line.look.size, before.look.size, 1.0)
    if _ends_entry(group):
        return True
    if _is_title_under(group, line, size):
        return False
    if _beside(before, line):
        is_marked = len(group) == 1 and markers.is_lone_marker(before.text) and line.text[:1].isalpha()
        if _PAGE.fullmatch(line.text) and line.x1 > edges.right - size and len(group) == 1 and not before.opens:
            return False
        is_far = line.x0 - before.x1 > (_Break.MARKER_GAP if is_marked else _widest_gap(before, line)) * size
        return is_far and not _LEADER.search(before.text[-_Break.TAIL :])
    if before.look.monospace and line.look.monospace:
        return line.y0 - before.y1 > 1.2 * size
    usual = leading[line.look.size]
    step = line.y1 - before.y1
    if (step > _Break.LEADING * usual and line.y0 - before.y1 > 0.3 * size) or step < -0.5 * size:
        return not _goes_on_loosely(before, line, step)
    is_close = step < 1.2 * usual and not (line.look.bold and line.look.color != before.look.color)
    is_inside = before.x1 > edges.left + _Break.NEARLY * (edges.right - edges.left) and _is_inside(before, line)
    if _changes(group, line, size, runs_on=is_close and (is_inside or before.x1 > edges.text - 1.5 * size)):
        return True
    if markers.counts_on(group[0].text, line.text) or (line.leads and before.text.endswith(_TERMINAL)):
        return True
    is_bare = markers.is_lone_marker(line.text) and not (following and _beside(line, following))
    if line.opens and not is_bare:
        return _opens(group, line, edges)
    return _indented(group, line, following, edges, size) or _ended(before, line, edges, size)


def _stands_aside(group: Sequence[_Line], line: _Line, last: _Line | None) -> bool:
    """Return whether a line in another row shares no width with a group: of another column of labels.

    It may go on from the last piece of a row of text; `last` is the line before the group's last.
    """
    before = group[-1]
    if _beside(before, line) or before.look.monospace:
        return False
    if last is not None and _beside(last, before) and before.x0 - last.x1 < _Break.SPREAD_GAP * _size(before):
        return False
    return line.x0 > max(other.x1 for other in group) or line.x1 < min(other.x0 for other in group)


def _goes_on_loosely(before: _Line, line: _Line, step: float) -> bool:
    """Return whether a line of several words goes on a sentence set in one type with much room between its lines."""
    are_words = min(before.text.count(" "), line.text.count(" ")) >= _Break.FEWEST_SPACES
    is_near = 0 < step < _Break.WIDEST * _size(line) and abs(line.x0 - before.x0) < _size(line)
    is_open = line.text[:1].islower() and before.text[-1:].isalpha()
    return are_words and is_near and is_open and line.look == before.look


def _is_inside(before: _Line, line: _Line) -> bool:
    """Return whether a line starts small after one that ends no sentence, in the same weight and pitch."""
    look, other = line.look, before.look
    return (look.bold, look.monospace) == (other.bold, other.monospace) and _runs_on(before.text, line.text)


def _is_title_under(group: Sequence[_Line], line: _Line, size: float) -> bool:
    """Return whether it is the title of a table or figure centred close under its label, as in "TABLE II"."""
    label = group[0]
    if len(group) > 1 or line.opens or label.text.rstrip(" .:") != markers.caption(label.text):
        return False
    is_centred = abs((line.x0 + line.x1) - (label.x0 + label.x1)) < 2 * size
    return is_centred and line.x0 < label.x0 and 0 < line.y1 - label.y1 < _Break.UNDER_LABEL * size


def _ends_entry(group: Sequence[_Line]) -> bool:
    """Return whether a line of contents is whole: leader and page, in one line or parted."""
    before = group[-1]
    if _LED.search(before.text[-_Break.TAIL :]):
        return True
    if len(group) == 1 or not _PAGE.fullmatch(before.text) or not _beside(group[-2], before):
        return False
    is_far = before.x0 - group[-2].x1 > _Break.SPREAD_GAP * _size(before)
    return is_far or _LEADER.search(group[-2].text[-_Break.TAIL :]) is not None


def _widest_gap(before: _Line, line: _Line) -> float:
    """Return how many ems may part two pieces of one line: few between labels, many where a sentence goes on."""
    if line.look != before.look:
        return 1.0
    are_labels = all(len(item.text) <= _Break.LABEL and _NAME.match(item.text) for item in (before, line))
    return _Break.LABEL_GAP if are_labels and not line.look.monospace else _Break.SPREAD_GAP


def _beside(before: _Line, line: _Line) -> bool:
    overlap = min(before.y1, line.y1) - max(before.y0, line.y0)
    return overlap > 0.5 * min(before.y1 - before.y0, line.y1 - line.y0) and line.x0 >= before.x0


def _changes(group: list[_Line], line: _Line, size: float, *, runs_on: bool) -> bool:
    """Return whether the type changes: size, weight of whole lines, or colour of a heading.

    `runs_on` says that the line before is full and this one follows closely: then only a plain change of size counts.
    """
    before = group[-1].look
    look = line.look
    mixed = look.monospace != before.monospace
    if abs(look.size - before.size) > (2.5 if mixed or line.is_read else 1.0) * _Break.SAME_SIZE * size:
        return True
    if runs_on:
        return False
    if mixed:
        return len(line.text) > 20 or line.x0 < group[-1].x1
    if look.bold != before.bold:
        return before.bold or len(group) > 1 or group[-1].x1 < line.x1
    if look.bold and look.italic != before.italic:
        return True
    if _is_centred_over(group[-1], line, size) or group[-1].text.isupper() != line.text.isupper():
        is_title = len(group) == 1 or (line.text[:1] == "(" and all(other.text.isupper() for other in group))
        return is_title and len(line.text) > 3
    return look.color != before.color and (look.bold or len(group) == 1)


def _is_centred_over(before: _Line, line: _Line, size: float) -> bool:
    return before.x0 > line.x0 + 2 * size and before.x1 < line.x1 - 2 * size


def _opens(group: list[_Line], line: _Line, edges: _Edges) -> bool:
    """Return whether an opening is real, no number or dash that a line break happened to put first."""
    before = group[-1]
    if _goes_on_inside(group, line, edges.right):
        return False
    if markers.caption(line.text) or (markers.bullet(line.text) and line.text[0] not in "–—-*"):
        return (
            before.x1 < edges.right - 2 * before.look.size
            or before.text.endswith(_TERMINAL)
            or markers.bullet(line.text) > 0
        )
    if group[0].opens or before.text.endswith(_TERMINAL):
        return True
    return before.x1 < edges.right - 4 * before.look.size or line.look != before.look


def _goes_on_inside(group: Sequence[_Line], line: _Line, right: float) -> bool:
    """Return whether a number is inside an item's text ("pp. 532-/547. Springer"), or counts on inside a paragraph."""
    before = group[-1]
    if group[0].opens and line.x0 > group[0].x0 + 0.5 * _size(line) and not markers.bullet(line.text):
        return _is_full(before, right) and not before.text.endswith(_TERMINAL)
    number = _INLINE.match(line.text)
    counted = f"({int(number[1]) - 1}) " if number else ""
    return (
        bool(counted)
        and _is_full(before, right)
        and any(other.text.find(counted) >= (other is group[0]) for other in group)
    )


def _indented(group: list[_Line], line: _Line, following: _Line | None, edges: _Edges, size: float) -> bool:
    """Return whether a line has a first-line indent, or returns from an item's hanging indent."""
    before = group[-1]
    shift = line.x0 - before.x0
    is_centred = abs((line.x0 + line.x1) - (before.x0 + before.x1)) < size
    if is_centred and not (_is_full(before, edges.right) and _is_full(line, edges.right)):
        return False
    if group[0].opens and not _is_flush(group):
        return line.x0 < group[0].x0 - 0.5 * size and not _goes_on_flush(before, line, edges.right)
    if shift > _Break.INDENT * size and shift < 6 * size:
        goes_back = following is None or following.x0 < line.x0 - 0.5 * size
        return goes_back and (len(group) > 1 or before.text.endswith(_TERMINAL))
    return False


def _is_flush(group: Sequence[_Line]) -> bool:
    """Return whether the first line of an item alone is indented."""
    return min(line.x0 for line in group) < group[0].x0 - 0.5 * _size(group[0])


def _goes_on_flush(before: _Line, line: _Line, right: float) -> bool:
    """Return whether an item's second line is set further left than its first, as in letters and forms."""
    if _UNFINISHED.search(before.text[-_Break.TAIL :]):
        return True
    return _is_full(before, right) and not before.text.endswith(_TERMINAL) and line.text[:1].islower()


def _ended(before: _Line, line: _Line, edges: _Edges, size: float) -> bool:
    """Return whether the line before stopped although the next word had room, as only a last line does."""
    first = line.text.split(" ", 1)[0]
    letters = max(len(line.text), 1)
    room = edges.right - before.x1
    needed = (line.x1 - line.x0) / letters * (len(first) + 1)
    if room < needed + 0.5 * size:
        return False
    if before.text.endswith(_TERMINAL):
        return line.text[:1].isupper() or not line.text[:1].isalpha()
    return room > 0.5 * (edges.right - edges.left) and line.text[:1].isupper() and line.x1 - line.x0 > 0.6 * room

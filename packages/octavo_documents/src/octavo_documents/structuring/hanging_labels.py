"""Labels that stand beside what is said of them, as lists of arguments, options and terms are printed.

A label has a column of its own, and the lines of its text hang in another one. Read column by column the labels would
stand apart from their texts, so each is joined to the first line of its text, which then begins an entry of a list.
"""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from octavo_documents.structuring.lines import PageLines
from octavo_documents.structuring.markers import is_lone_marker
from octavo_documents.structuring.reading_order import row_groups
from octavo_documents.text.punctuation import COLONS, SENTENCE_ENDS


class _Hung:
    """What tells such a list from columns of text and from tables, chosen by hand; lengths are in ems unless said."""

    GAP = 0.7  # least room between a label and its text
    SAME_EDGE = 1.5  # points between the edges of one column
    LONGEST = 40  # characters of a label
    SHORT = 22.0  # mean characters of the labels of a list
    WORDY = 20.0  # mean characters of the lines of their texts
    TIMES = 1.5  # by which lines of the texts are longer than labels on average
    FEWEST = 2  # entries of a list, but of one set as another of the page
    GOING_ON = 0.25  # lines that go on a text, for each entry
    FAR = 2.2  # step from line to line at which a list ends
    NEAR = 1.35  # greatest step from line to line within a text
    FULL = 60  # characters of a line that a text goes on from, where the next word had no room
    BESIDE = 2.0  # difference between the left edges of labels and of such a column
    AROUND = 6.0  # how far over and under a list a column of text is looked for
    LARGER = 1.12  # type size of headings beside their text, by that of the text


@dataclass
class _Entry:
    """A label with the lines of its text: the pieces of the label, none where the parser joined it to its text."""

    label: list[int]
    first: int
    more: list[int] = field(default_factory=list[int])


@dataclass(eq=False)
class _List:
    """Entries under each other: where their texts begin, where their labels do, and where these end."""

    hang: float
    left: float
    right: float
    entries: list[_Entry]
    bottom: float


def with_hanging_labels(page: PageLines, rows: Sequence[int], em: float) -> PageLines:
    """Return a page whose labels are joined to the texts beside them; the rows of the labels stay, empty.

    `rows` are upright lines that are free; `em` is the body type size in points. Lines that begin an entry are
    `PageLines.entries`.
    """
    found = list(_lists(page, row_groups(page.places, rows), em)) if len(rows) > _Hung.FEWEST else []
    found = [one for one in found if not _is_beside_column(page, one, rows, em)]
    sure = [one for one in found if _is_list(page, one)]
    sure += [one for one in found if one not in sure and _is_like(page, one, sure)]
    if not sure:
        return page
    texts, boxes, places = list(page.texts), page.boxes.copy(), page.places.copy()
    entries: dict[int, float] = {}
    for one in sure:
        for entry in one.entries:
            entries[entry.first] = one.hang
            if entry.label:
                held = [*entry.label, entry.first]
                texts[entry.first] = " ".join(page.texts[row] for row in held)
                for changed in (boxes, places):
                    changed[entry.first, :2] = changed[held, :2].min(axis=0)
                    changed[entry.first, 2:] = changed[held, 2:].max(axis=0)
            for row in entry.label:
                texts[row] = ""
    gaps = {row: gaps for row, gaps in page.gaps.items() if row not in entries}
    return dataclasses.replace(page, texts=texts, boxes=boxes, places=places, gaps=gaps, entries=entries)


def _lists(page: PageLines, groups: Sequence[Sequence[int]], em: float) -> Iterator[_List]:
    """Yield what may be lists, top to bottom."""
    one: _List | None = None
    above: Sequence[int] = ()
    for group, below in zip(groups, [*groups[1:], ()], strict=True):
        far = one is not None and float(page.places[group[0], 3]) - one.bottom > _Hung.FAR * em
        if one is not None and (far or not _goes_on(page, one, group, below, em)):
            yield one
            one = None
        if one is None:
            one = _begun(page, group, em)
            one = None if one is not None and _is_inside(page, one, above, em) else one
        above = group
        if one is not None:
            one.bottom = float(page.places[group[-1], 3])
    if one is not None:
        yield one


def _goes_on(page: PageLines, one: _List, group: Sequence[int], below: Sequence[int], em: float) -> bool:
    """Take a row of lines into a list where it goes on a text of it or is an entry; return whether it did.

    `below` is the row under it: where the text begins there, a label stands over its text alone.
    """
    x0 = float(page.places[group[0], 0])
    if len(group) == 1 and x0 > one.hang - _Hung.SAME_EDGE:
        one.entries[-1].more.append(group[0])
        return True
    if len(group) == 1 and abs(x0 - one.left) < _Hung.SAME_EDGE and len(page.texts[group[0]]) <= _Hung.LONGEST:
        is_over = len(below) == 1 and abs(float(page.places[below[0], 0]) - one.hang) < _Hung.SAME_EDGE
        if is_over and float(page.places[below[0], 3] - page.places[group[0], 3]) < _Hung.NEAR * em:
            one.entries.append(_Entry([], group[0]))
        return is_over
    other = _begun(page, group, em)
    if other is None or abs(other.hang - one.hang) > _Hung.SAME_EDGE:
        return False
    if min(abs(other.left - one.left), abs(other.right - one.right)) > _Hung.SAME_EDGE:
        return False
    if _labels_on(page, one, group, em):
        one.entries[-1].label.append(group[0])
        one.entries[-1].more.append(group[1])
    else:
        one.entries.extend(other.entries)
    return True


def _labels_on(page: PageLines, one: _List, group: Sequence[int], em: float) -> bool:
    """Return whether a label goes on beside its text: the line over the text is full and ends no sentence."""
    if len(group) < 2 or not one.entries[-1].label:
        return False
    entry = one.entries[-1]
    last, text = [entry.first, *entry.more][-1], page.texts[group[1]]
    is_close = float(page.places[group[1], 3] - page.places[last, 3]) < _Hung.NEAR * em
    is_open = len(page.texts[last]) >= _Hung.FULL and not page.texts[last].endswith((*SENTENCE_ENDS, *COLONS, ";"))
    in_column = np.abs(page.places[:, 0] - one.hang) < _Hung.SAME_EDGE
    right = float(page.places[in_column, 2].max())
    letter = float(page.places[group[1], 2] - page.places[group[1], 0]) / max(len(text), 1)
    needed = letter * (len(text.split(" ", 1)[0]) + 1)
    return is_close and is_open and right - float(page.places[last, 2]) < needed + _Hung.GAP * em


def _is_inside(page: PageLines, one: _List, above: Sequence[int], em: float) -> bool:
    """Return whether the line over the first text stands in its column: text that goes on, of which this is a part."""
    return any(
        abs(float(page.places[row, 0]) - one.hang) < _Hung.SAME_EDGE
        and one.bottom - float(page.places[row, 3]) < _Hung.FAR * em
        for row in above
    )


def _begun(page: PageLines, group: Sequence[int], em: float) -> _List | None:
    """Return the list that a row of lines begins: a short label, and a text far enough beside it."""
    if len(group) > 2:
        return None
    x0, _, x1, bottom = page.places[group[0]].tolist()
    if len(group) == 2:
        hang = float(page.places[group[1], 0])
        label = page.texts[group[0]]
        if len(label) > _Hung.LONGEST or hang - x1 < _Hung.GAP * em or _is_mark(label):
            return None
        return _List(hang, x0, x1, [_Entry([group[0]], group[1])], bottom)
    gaps = page.gaps.get(group[0], ())
    gap = gaps[0] if len(gaps) == 1 else None
    if gap is None or gap.offset > _Hung.LONGEST or gap.x1 - gap.x0 < _Hung.GAP * em:
        return None
    if _is_mark(page.texts[group[0]][: gap.offset].strip()):
        return None
    return _List(gap.x1, x0, gap.x0, [_Entry([], group[0])], bottom)


def _is_beside_column(page: PageLines, one: _List, rows: Sequence[int], em: float) -> bool:
    """Return whether lines of running text stand over, under or between the labels and end where these do."""
    top = float(page.places[one.entries[0].first, 1]) - _Hung.AROUND * em
    return any(
        len(page.texts[row]) > _Hung.LONGEST
        and top < float(page.places[row, 1]) < one.bottom + _Hung.AROUND * em
        and abs(float(page.places[row, 0]) - one.left) < _Hung.BESIDE * em
        and float(page.places[row, 2]) < one.hang
        for row in rows
    )


def _is_mark(text: str) -> bool:
    """Return whether a label is but the bullet or number of an item."""
    return is_lone_marker(text) or not any(map(str.isalnum, text.replace(".", "x")))


def _is_list(page: PageLines, one: _List) -> bool:
    """Return whether labels are short, most of their texts sentences that go on beside nothing, and none a heading."""
    parted = [entry for entry in one.entries if entry.label]
    going_on = [row for entry in one.entries for row in entry.more]
    if len(one.entries) < _Hung.FEWEST or not parted or len(going_on) < _Hung.GOING_ON * len(one.entries):
        return False
    return _reads_as_list(page, one)


def _is_like(page: PageLines, one: _List, sure: Sequence[_List]) -> bool:
    """Return whether what is too short to tell stands as a list of the page does."""
    alike = any(max(abs(one.hang - other.hang), abs(one.left - other.left)) < _Hung.SAME_EDGE for other in sure)
    return alike and any(entry.label for entry in one.entries) and _reads_as_list(page, one)


def _reads_as_list(page: PageLines, one: _List) -> bool:
    """Return whether labels are short and in words, their texts longer, and neither headings nor code among them."""
    labels = [row for entry in one.entries for row in entry.label]
    lines = [row for entry in one.entries if entry.label for row in (entry.first, *entry.more)]
    size = statistics.fmean(page.looks[row].size for row in lines)
    if any(page.looks[row].size > _Hung.LARGER * size for row in labels):
        return False
    if sum(page.looks[row].monospace for row in lines) > len(lines) / 2:
        return False
    if sum(any(map(str.isalnum, page.texts[row])) for row in labels) < len(labels) / 2:
        return False
    short = statistics.fmean(len(page.texts[row]) for row in labels)
    long = statistics.fmean(len(page.texts[row]) for row in lines)
    return short < _Hung.SHORT and long > max(_Hung.WORDY, _Hung.TIMES * short)

"""Items of lists that a question names by number: "step 12", "the steps after step 3", "items 4 to 6".

The numbers are those that stand before the items; of a file that only says that a list is ordered, a reader has
written them. What stands between two items that count on, such as code, belongs to the first of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from octavo.evidence import View
from octavo.question import Question, Reference, understand
from octavo_documents.document import Kind
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.things import canonical

_NAMED = ("step", "item")
"""What items of lists are called."""
_MARKER = lazy_regex(
    r"\s*\(?(?P<word>steps?\s+|items?\s+)?(?P<number>\d{1,4}(?:\.\d{1,3})*|[A-Za-z]|[ivxlc]{2,7})(?:[.):](?!\d)|\s+[–—-]\s)",
    re.IGNORECASE,
)
_BARE = lazy_regex(r"\s*(\d{1,4})\s+\S")
_MOST = 3
"""Lists that have an item with the number, at most: of more nobody tells which is meant."""


def items_named(question: Question, view: View, near: Iterable[int] = ()) -> list[range]:
    """Return the rows of the items that a question names, a range for each list that has them.

    `near` are rows of the view, the likeliest first: a list in the section of one of them is taken first, and others
    only where there is none. Of the items after or before one, all are given. Nothing where more than three lists have
    the number.
    """
    asked = _asked(question)
    if asked is None:
        return []
    first, last, relation = asked
    runs = list(_runs(view, first))
    sections = dict.fromkeys((int(view.document[row]), section) for row in near for section in _sections(view, row))
    ranked = [run for section in sections for run in runs if run[0] == section]
    found = ranked[:_MOST] or (runs if len(runs) <= _MOST else [])
    meant = [_meant(rows, numbers, at, last, relation) for _, rows, numbers, at in found]
    return [rows for rows in meant if rows]


def _asked(question: Question) -> tuple[str, str, str] | None:
    """Return the first and last number asked for, and whether what stands before or after is meant; None for none."""
    for one in question.references:
        if one.what not in _NAMED:
            continue
        named = _anchor(one)
        if named is not None and named.numbers():
            numbers = named.numbers()
            return numbers[0], numbers[-1], one.relation if one.relation in ("before", "after") else ""
    return None


def _anchor(one: Reference) -> Reference | None:
    """Return the item that a reference names, or that what it names is told from."""
    if one.relation not in ("before", "after"):
        return one if one.number else None
    return next((other for other in understand(one.anchor).references if other.number), None)


def _sections(view: View, row: int) -> Iterator[int]:
    """Yield the section that a row stands in, before it a heading itself."""
    if view.blocks.kind_of(row) == Kind.HEADING:
        yield row
    yield int(view.blocks.parent[row])


_Run = tuple[tuple[int, int], range, list[str], int]
"""Document and section of a list, its rows, the number of each row or "", and the place of the item in it."""


def _runs(view: View, number: str) -> Iterator[_Run]:
    """Yield the lists with an item of this number."""
    blocks = view.blocks
    is_item = np.isin(blocks.kind, (Kind.LIST_ITEM, Kind.PARAGRAPH, Kind.HEADING)) & view.is_content
    for row in np.flatnonzero(is_item).tolist():
        if _number(view, row) == number:
            bounds = view.rows_of(int(view.document[row]))
            last = _furthest(view, row, range(row + 1, bounds.stop), 1)
            rows = range(_furthest(view, row, range(row - 1, bounds.start - 1, -1), -1), last + 1)
            section = (int(view.document[row]), int(blocks.parent[row]))
            yield section, rows, [_number(view, one) for one in rows], row - rows.start


def _furthest(view: View, row: int, others: Iterable[int], step: int) -> int:
    """Return the last of other rows to which a list counts on from an item, by 1 or back by -1: its own row for none.

    Items of lists within the list are passed over, and so is what is no item; a list that begins anew after such ends
    it.
    """
    number, reached, is_apart = _number(view, row), row, False
    for other in _in_section(view, row, others):
        own = _number(view, other)
        if own and own == _counted(number, step):
            number, reached, is_apart = own, other, False
        elif own and is_apart:
            break
        is_apart = is_apart or view.blocks.kind_of(other) != view.blocks.kind_of(row)
    return reached


def _in_section(view: View, own: int, rows: Iterable[int]) -> Iterator[int]:
    """Yield the rows of the section that an item stands in, up to the next heading that is no item itself."""
    blocks, section = view.blocks, int(view.blocks.parent[own])
    for row in rows:
        if row == section or (blocks.kind_of(row) == Kind.HEADING and blocks.kind_of(own) != Kind.HEADING):
            return
        if view.is_content[row] and blocks.parent[row] == section:
            yield row


def _counted(number: str, step: int) -> str:
    """Return the number after another, or before it: 13 after 12, c after b; "" where nobody tells."""
    if number.isdecimal():
        return str(int(number) + step)
    return chr(ord(number) + step) if len(number) == 1 else ""


def _number(view: View, row: int) -> str:
    """Return the number before an item as `canonical` writes it; "" for none, and for text that is no item."""
    is_item = view.blocks.kind_of(row) == Kind.LIST_ITEM
    found = _MARKER.match(view.blocks.text[row])
    if found is None:
        return _bare(view, row) if is_item else ""
    return canonical(found["number"]) if is_item or found["word"] else ""


def _bare(view: View, row: int) -> str:
    """Return the number before an item that has no mark after it; "" where the items beside it do not count with it."""
    found = [_BARE.match(view.blocks.text[at]) if 0 <= at < len(view) else None for at in (row - 1, row, row + 1)]
    before, own, after = (int(one[1]) if one else None for one in found)
    return str(own) if own is not None and (before == own - 1 or after == own + 1) else ""


def _meant(rows: range, numbers: Sequence[str], at: int, last: str, relation: str) -> range:
    """Return the rows from the item at a place to the one with the `last` number, or those after or before it."""
    stop = next((place for place in range(at, len(rows)) if numbers[place] == last), at)
    counted = _counted(numbers[stop], 1)
    end = next((place for place in range(stop + 1, len(rows)) if numbers[place] == counted), stop + 1)
    if relation == "after":
        return rows[end:]
    return rows[:at] if relation == "before" else rows[at:end]

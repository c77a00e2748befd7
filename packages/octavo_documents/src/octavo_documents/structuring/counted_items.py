"""Items of lists whose numbers have no mark after them ("1 Switch off", "2 Drain"): told by counting on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from octavo_documents.document import FURNITURE, Kind
from octavo_documents.structuring.drafts import Draft

_NUMBER = re.compile(r"(\d{1,3})\s+\W?[^\W\d_]")
_FEWEST, _FROM_ONE = 4, 3
"""Items of such a list, and of one that begins with 1; chosen by hand."""
_SAME_SIZE = 0.6
"""Points by which the type sizes of two items differ."""


def set_counted_items(drafts: Iterable[Draft]) -> None:
    """Make paragraphs that follow each other, each with the next number before its words, the items of a list."""
    run: list[Draft] = []
    last = 0
    for item in drafts:
        if item.kind in FURNITURE:
            continue
        found = _NUMBER.match(item.text) if item.kind == Kind.PARAGRAPH else None
        number = int(found[1]) if found else 0
        if not (run and number == last + 1 and _are_alike(run[-1], item)):
            _make_items(run, last)
            run = []
        if number:
            run.append(item)
        last = number
    _make_items(run, last)


def _are_alike(one: Draft, other: Draft) -> bool:
    return abs(one.look.size - other.look.size) < _SAME_SIZE and one.look.bold == other.look.bold


def _make_items(run: Sequence[Draft], last: int) -> None:
    if len(run) >= (_FROM_ONE if last == len(run) else _FEWEST):
        for item in run:
            item.kind, item.level = Kind.LIST_ITEM, 1

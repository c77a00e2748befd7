"""The passages of the items of a list that a question names by number, each item whole, with what the list is of."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from octavo.evidence import View
from octavo.operators.extractive.passages import expand_passage
from octavo.operators.extractive.unit_scores import ScoredUnit, under_headings
from octavo.operators.extractive.units import MOST_WORDS, Span, Stream, stream_of
from octavo.operators.score.listed_items import items_named
from octavo.question import Question

_MOST = 3
"""Passages over the items of one list."""


def units_of_items(question: Question, view: View, units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return the items that a question names ("step 12", "the steps after step 3") as units, of likely lists first.

    Each has the score of the best of `units`, one or more, whose sections tell which lists are likely. Items that
    follow each other are read together, 120 words at a time.
    """
    lists = items_named(question, view, [one.unit.row for one in units])
    return [
        dataclasses.replace(
            units[0],
            stream=stream,
            at=at,
            span=span,
            page=int(view.page_index[stream.units[at].row]),
            text=under_headings(view, stream.units[at]),
        )
        for rows in lists
        for stream, at, span in _spans(view, rows)
    ]


def _spans(view: View, rows: range) -> Iterator[tuple[Stream, int, Span]]:
    """Yield the units around some rows, the first unit of a passage over them, and that passage."""
    row = rows.start
    for _ in range(_MOST):
        stream = stream_of(view, int(view.page_index[row]))
        own = [at for at, unit in enumerate(stream.units) if unit.row in range(row, rows.stop)]
        if not own:
            return
        last = _last(stream, own)
        around = expand_passage(view, stream, own[0])
        is_all = stream.units[last].row == stream.units[own[-1]].row
        is_alone = is_all and row == rows.start
        yield (
            stream,
            own[0],
            Span(min(around.first, own[0]), max(around.last, last)) if is_alone else Span(own[0], last),
        )
        row = stream.units[last].row + 1
        if row >= rows.stop:
            return


def _last(stream: Stream, own: Sequence[int]) -> int:
    """Return the last of some units that are read together from the first on: its row whole, others as room allows."""
    words = 0
    last = own[0]
    for at in own:
        words += stream.units[at].words
        if words > MOST_WORDS and stream.units[at].row != stream.units[own[0]].row:
            break
        last = at
    while stream.units[last].row != stream.units[own[0]].row and _goes_on(stream, last, own):
        last -= 1
    return last


def _goes_on(stream: Stream, at: int, own: Sequence[int]) -> bool:
    """Return whether the unit after one is of its row."""
    return at + 1 <= own[-1] and stream.units[at + 1].row == stream.units[at].row

"""What a question or its best passages lead to in one step, which a reader would else have to ask for.

That is a figure or table that the question names by its label, the rest of a list or table that a passage cuts, and
the entry of the bibliography that a line cites.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from octavo.document import Kind, LinkKind, View
from octavo.operators.read.packing import PICTURED, Packed
from octavo.operators.score.refer import rows_of_references
from octavo.question import understand
from octavo.text.analyzer import analyze

_LABELLED = ("figure", "chart", "table")
_CAPTIONED = (*PICTURED, Kind.TABLE, Kind.CAPTION)
_MOST_ITEMS = 12
"""Items of a list that are added after the last one of a passage."""
_HEAD_LINES, _LIKELY_LINES, _MOST_CITED = 2, 2, 3
_CITED = re.compile(r"\[(\d{1,3})\]")
_ENTRY = re.compile(r"\s*\[(\d{1,3})\]\s")


def named_rows(view: View, question: str) -> list[int]:
    """Return the rows of figures, charts and tables that a question names by label, with their captions."""
    pointed = [one for one in understand(question).references if one.what in _LABELLED and one.number]
    rows = set(rows_of_references(pointed, view))
    links = view.links
    caption = links.kind == LinkKind.CAPTION_OF
    rows |= set(links.target[caption & np.isin(links.source, [*rows])].tolist())
    return sorted(row for row in rows if view.blocks.kind[row] in _CAPTIONED)


def following_rows(view: View, best: Sequence[Packed], question: str) -> list[int]:
    """Return the rows that go on from the best passages, and the entries of what their likeliest lines cite."""
    shown = {row for one in best for row in one.rows}
    found = {*_continued(view, shown), *_cited(view, best, understand(question).asked)}
    for one in best:
        found |= {*_rest_of_list(view, max(one.rows, default=-1))}
    return sorted(found - shown)


def _continued(view: View, rows: set[int]) -> Iterator[int]:
    """Yield the tables and lists that go on from some rows or to them."""
    links = view.links
    goes_on = links.kind == LinkKind.CONTINUES
    for source, target in zip(links.source[goes_on].tolist(), links.target[goes_on].tolist(), strict=True):
        kinds = {int(view.blocks.kind[source]), int(view.blocks.kind[target])}
        if kinds <= {Kind.TABLE, Kind.LIST_ITEM}:
            yield from (other for row, other in ((source, target), (target, source)) if row in rows)


def _rest_of_list(view: View, last: int) -> Iterator[int]:
    """Yield the items after the last row of a passage, where that is one of a list, across pages too."""
    blocks = view.blocks
    if last < 0 or blocks.kind[last] != Kind.LIST_ITEM:
        return
    rows = (row for row in range(last + 1, len(view)) if view.is_content[row])
    for _, row in zip(range(_MOST_ITEMS), rows, strict=False):
        if blocks.kind[row] != Kind.LIST_ITEM or view.document[row] != view.document[last]:
            return
        yield row


def _cited(view: View, best: Sequence[Packed], asked: frozenset[str]) -> Iterator[int]:
    """Yield the entries that the lines which say most of the question cite; a row of a table says its heads too."""
    told: list[tuple[int, str]] = []
    for one in best:
        lines = one.shown.text.splitlines()
        is_table = view.blocks.kind[max(one.rows, default=0)] == Kind.TABLE
        heads = asked.intersection(analyze(" ".join(lines[:_HEAD_LINES]))) if is_table else set[str]()
        told += [(len(heads.union(asked.intersection(analyze(line)))), line) for line in lines]
    likeliest = sorted(told, key=lambda one: -one[0])[:_LIKELY_LINES]
    wanted = {number for _, line in likeliest for number in _CITED.findall(line)[:_MOST_CITED]}
    for document in {int(view.document[row]) for one in best for row in one.rows} if wanted else ():
        rows = view.rows_of(document)
        for row in range(rows.start, rows.stop):
            entry = _ENTRY.match(view.blocks.text[row])
            if entry and entry[1] in wanted:
                yield row

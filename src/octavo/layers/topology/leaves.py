"""The leaves of the tree: runs of whole sentences of about 100 tokens, each inside one passage.

A leaf never begins or ends inside a sentence that fits, a word, a number or a short form. A table is said row by row
with its headers.
"""

from __future__ import annotations

import dataclasses
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from octavo.document import FURNITURE, BlockTable, Document, Kind, PassageTable
from octavo.document.grid import Grid
from octavo.layers.passages import group, without_leaders
from octavo.models.wordpiece import count_tokens
from octavo.text.sentences import Span, line_spans, sentence_spans

LEAF_TOKENS = 100
"""The most tokens of a leaf, except for a single word or number that is longer."""
_WORD = re.compile(r"(?:[$€£¥]\s?)?(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\S+)\s*")
"""A word with the white space after it; "$ 5" and "12 000" are one."""
_ATOM = re.compile(r"[$€£¥+-]?\d+(?:[.,:/'’-]\d+)*%?\s*|(?:[^\W\d_]\.){2,}\s*|[^\W\d_]|.", re.DOTALL)
"""What even text without spaces is not cut inside of: a number with its sign and unit, a short form, a letter."""


@dataclasses.dataclass(frozen=True, slots=True)
class Leaf:
    """A text, the rows of the blocks it is of in order, and the passage its middle lies in."""

    text: str
    blocks: tuple[int, ...]
    passage: int


@dataclasses.dataclass(frozen=True, slots=True)
class _Unit:
    """A piece of a block's text, which ends where a leaf may end."""

    row: int
    text: str


def leaves_of(document: Document, passages: PassageTable) -> list[Leaf]:
    """Return the leaves in reading order; those of one passage cover its text, or that of a block it is a part of."""
    starts: list[int] = [*np.flatnonzero(passages.char_start == 0).tolist(), len(passages)]
    return [
        leaf
        for first, stop in pairwise(starts)
        for leaf in _placed(list(_leaves(_units(document.blocks, passages, first), first)), passages, stop)
    ]


def sentence_units(text: str, tokens: int = LEAF_TOKENS) -> list[Span]:
    """Return spans that cover a text: its sentences, those of more than `tokens` tokens cut between words."""
    return _fitting(text, sentence_spans(text), tokens)


def _placed(found: list[Leaf], passages: PassageTable, stop: int) -> list[Leaf]:
    """Return leaves of a block that was split, from the first passage of its parts on, with the part each is of.

    Parts are told by the share of the text before, since the leaves of a table say more than the table.
    """
    first = found[0].passage if found else stop
    if stop - first < 2:
        return found
    total, before = sum(len(leaf.text) for leaf in found), 0
    ends: list[int] = passages.char_stop[first:stop].tolist()
    placed: list[Leaf] = []
    for leaf in found:
        middle = (before + len(leaf.text) / 2) / total * ends[-1]
        placed.append(dataclasses.replace(leaf, passage=first + bisect_left(ends, middle)))
        before += len(leaf.text)
    return placed


def _units(blocks: BlockTable, passages: PassageTable, at: int) -> list[_Unit]:
    """Return the units of a passage; the first part of a block that was split stands for all of it."""
    rows = range(int(passages.start[at]), int(passages.stop[at]))
    return [
        _Unit(row, text)
        for row in rows
        if blocks.kind[row] not in FURNITURE and blocks.text[row].strip()
        for text in _pieces(blocks, row)
    ]


def _pieces(blocks: BlockTable, row: int) -> Iterator[str]:
    text = blocks.text[row]
    is_table = blocks.kind[row] == Kind.TABLE
    if is_table and (lines := list(filter(None, Grid.from_json(blocks.grid[row]).linearised()))):
        text = "\n".join(lines)
    text = without_leaders(text)
    spans = _fitting(text, line_spans(text), LEAF_TOKENS) if is_table else sentence_units(text)
    for start, stop in spans:
        yield text[start:stop]


def _leaves(units: Sequence[_Unit], passage: int) -> Iterator[Leaf]:
    for first, last in group(count_tokens([unit.text for unit in units]), LEAF_TOKENS):
        members = units[first : last + 1]
        text = _joined(members).strip()
        if text:
            yield Leaf(text, tuple(dict.fromkeys(unit.row for unit in members)), passage)


def _joined(units: Iterable[_Unit]) -> str:
    """Return the text of units; blocks begin on a line of their own."""
    text, row = "", -1
    for unit in units:
        text = f"{text.rstrip()}\n{unit.text}" if text and unit.row != row else text + unit.text
        row = unit.row
    return text


def _fitting(text: str, spans: Sequence[Span], tokens: int) -> list[Span]:
    """Return the spans, those that are too long cut between words; words too long between numbers and letters."""
    sizes = count_tokens([text[start:stop] for start, stop in spans])
    return [
        part
        for span, size in zip(spans, sizes, strict=True)
        for part in ([span] if size <= tokens else _cut(text, span, tokens))
    ]


def _cut(text: str, span: Span, tokens: int) -> Iterator[Span]:
    """Yield the parts of a span that is too long."""
    for start, stop in _runs(text, span, tokens, _WORD):
        is_short = count_tokens([text[start:stop]])[0] <= tokens
        yield from [(start, stop)] if is_short else _runs(text, (start, stop), tokens, _ATOM)


def _runs(text: str, span: Span, tokens: int, unit: re.Pattern[str]) -> Iterator[Span]:
    """Yield runs of units of at most `tokens` tokens, which cover the span; a longer unit is alone."""
    start, stop = span
    cuts = [start, *(found.end() for found in unit.finditer(text, start, stop))]
    pieces = [(left, right) for left, right in pairwise([*cuts, stop]) if left < right]
    lengths = count_tokens([text[left:right] for left, right in pieces])
    for first, last in group(lengths, tokens):
        yield pieces[first][0], pieces[last][1]

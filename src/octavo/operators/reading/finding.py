"""All candidates in the evidence: every finder over every block.

Owns which finder reads which block and what surrounds a block. Knows nothing about choosing.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cache, partial
from itertools import takewhile

import numpy as np

from octavo.decisions.rules.values import values_in
from octavo.document import Evidence, Kind, View
from octavo.operators.reader.matching import Matcher
from octavo.operators.reading.bridging import bridged
from octavo.operators.reading.candidate import Candidate, Quote
from octavo.operators.reading.cells import from_table
from octavo.operators.reading.choices import from_options, options_of
from octavo.operators.reading.columns import from_columns
from octavo.operators.reading.comparing import from_comparing
from octavo.operators.reading.contacts import asked_way, from_contacts
from octavo.operators.reading.counting import from_counting
from octavo.operators.reading.expansions import from_expansions
from octavo.operators.reading.grids import read_table
from octavo.operators.reading.judging import Terms, judged
from octavo.operators.reading.lists import from_headings, from_list, from_series, is_contents_line
from octavo.operators.reading.measures import from_measures
from octavo.operators.reading.sentences import from_sentence, sentences
from octavo.operators.reading.titles import from_titles
from octavo.operators.reading.trends import from_trends

_NO_STATEMENT = (Kind.TITLE, Kind.HEADING, Kind.CAPTION)
"""Kinds that name what follows or stands beside them; they are context, and answer nothing themselves."""
_SHORT_VALUE, _SHORT_LABEL = 24, 60
"""Characters of a block that is only a value, and of one that is only its label."""
_MOST_HEADS = 6
"""Blocks above a table that may head its columns."""
_SHORT_LEAD = 160
"""Characters; a short block before another one introduces it."""
_OVER_ALL = (from_counting, from_measures, from_trends, from_expansions, from_titles)
"""Finders that read whole documents, and only for questions of their kind."""


def candidates_in(matcher: Matcher, evidence: Evidence, by: str) -> list[Candidate]:
    """Return the candidates of all blocks in row order, each with its block's relevance scaled to 0..1."""
    if not len(evidence):
        return []
    scores = np.nan_to_num(evidence.scores[by], nan=0.0)
    best = float(scores.max())
    read_block = _ways if asked_way(matcher.question) else _in_block
    found: list[Candidate] = []
    around = cache(partial(_context, matcher, evidence.view))
    for row, score in zip(evidence.rows.tolist(), scores.tolist(), strict=True):
        relevance = max(score, 0.0) / best if best > 0 else 0.0
        inside = read_block(matcher, evidence.view, row, around(row))
        found.extend(dataclasses.replace(one, relevance=relevance) for one in inside)
    found = judged(matcher.question, evidence.view, around, found)
    for finder in _OVER_ALL:
        found.extend(finder(matcher.question, evidence.view))
    options = options_of(matcher.question.text)
    offered = list(from_options(matcher.question.text, options, found)) if options else []
    if offered:
        return offered
    return bridged(matcher, evidence.view, found)


def _ways(matcher: Matcher, view: View, row: int, context: Terms) -> Iterator[Candidate]:
    yield from from_contacts(matcher, row, view.blocks.text[row], context)


def _in_block(matcher: Matcher, view: View, row: int, context: Terms) -> Iterator[Candidate]:
    text = view.blocks.text[row]
    if is_contents_line(text):
        return
    stored = view.blocks.grid[row]
    table = read_table(stored, _just_before(view, row)) if stored else None
    if table is not None:
        yield from from_table(matcher, row, text, table, context)
        yield from from_comparing(matcher, row, text, table, context)
        yield from from_columns(matcher, row, text, table, context)
    elif view.blocks.kind[row] not in _NO_STATEMENT:
        for sentence in sentences(text):
            yield from from_sentence(matcher, (Quote(row, sentence),), sentence, context)
            yield from from_series(matcher, row, sentence, context)
        yield from _under_label(matcher, view, row, context)
    yield from from_list(matcher, view, row, context)
    yield from from_headings(matcher, view, row, context)


def _under_label(matcher: Matcher, view: View, row: int, context: Terms) -> Iterator[Candidate]:
    """Yield what a short block says together with the short one before it, as on slides: "Lower fares" / "18 %"."""
    text, before = view.blocks.text[row], view.blocks.text[row - 1] if row else ""
    is_pair = 0 < len(text) <= _SHORT_VALUE and 0 < len(before) <= _SHORT_LABEL
    is_labelled = is_pair and bool(values_in(text)) and not values_in(before)
    if is_labelled and view.page_index[row - 1] == view.page_index[row] and view.is_content[row - 1]:
        quotes = (Quote(row, text), Quote(row - 1, before))
        yield from from_sentence(matcher, quotes, f"{before} {text}", context)


def _just_before(view: View, row: int) -> list[str]:
    """Return the short blocks right above a table on its page: headers that stand outside its grid, in order."""
    first = max(row - _MOST_HEADS, int(view.page_rows(int(view.page_index[row])).start))
    texts = takewhile(
        lambda text: len(text) <= _SHORT_LABEL, (view.blocks.text[at] for at in range(row - 1, first - 1, -1))
    )
    return list(texts)[::-1]


def _context(matcher: Matcher, view: View, row: int) -> Terms:
    """Return the terms that surround a block: its headings, a short block or caption before it, a caption after it.

    Among several documents the name of its own is one of them: an article seldom repeats what it is about.
    """
    blocks = view.blocks
    around = list(blocks.text.take(blocks.ancestors(row)))
    if len(view.documents) > 1:
        own = view.documents[int(view.document[row])]
        around.append(own.metadata.title or own.name.rpartition(".")[0] or own.name)
    before, after = row - 1, row + 1
    if before >= 0 and view.page_index[before] == view.page_index[row] and view.is_content[before]:
        around.append(blocks.text[before][:_SHORT_LEAD])
    if after < len(view) and blocks.kind[after] == Kind.CAPTION:
        around.append(blocks.text[after])
    return tuple(dict.fromkeys(term for text in around for term in matcher.terms(text)))

"""All candidates in the evidence: every finder over every block.

Owns which finder reads which block and what surrounds a block. Knows nothing about choosing.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from octavo.document import Evidence, Kind, View
from octavo.models.analyzer import analyze
from octavo.operators.reading.candidate import Candidate
from octavo.operators.reading.cells import from_table, grid_of
from octavo.operators.reading.lists import from_list, from_series
from octavo.operators.reading.matching import Matcher
from octavo.operators.reading.sentences import from_sentence, sentences

_SHORT_LEAD = 160
"""Characters; a short block before another one introduces it."""


def candidates_in(matcher: Matcher, evidence: Evidence, by: str) -> list[Candidate]:
    """Return the candidates of all blocks in row order, each with its block's relevance scaled to 0..1."""
    if not len(evidence):
        return []
    scores = np.nan_to_num(evidence.scores[by], nan=0.0)
    best = float(scores.max())
    found: list[Candidate] = []
    for row, score in zip(evidence.rows.tolist(), scores.tolist(), strict=True):
        relevance = max(score, 0.0) / best if best > 0 else 0.0
        found.extend(dataclasses.replace(one, relevance=relevance) for one in _in_block(matcher, evidence.view, row))
    return found


def _in_block(matcher: Matcher, view: View, row: int) -> Iterator[Candidate]:
    text = view.blocks.text[row]
    context = _context(view, row)
    grid = grid_of(view.blocks.grid[row])
    if grid:
        yield from from_table(matcher, row, text, grid, context)
    if view.blocks.kind[row] not in (Kind.TITLE, Kind.HEADING):
        for sentence in sentences(text):
            yield from from_sentence(matcher, row, sentence, context)
            yield from from_series(matcher, row, sentence, context)
    yield from from_list(matcher, view, row, context)


def _context(view: View, row: int) -> tuple[str, ...]:
    """Return the terms that surround a block: its headings, a short block or caption before it, a caption after it."""
    blocks = view.blocks
    around = list(blocks.text.take(blocks.ancestors(row)))
    before, after = row - 1, row + 1
    if before >= 0 and view.page_index[before] == view.page_index[row] and view.is_content[before]:
        around.append(blocks.text[before][:_SHORT_LEAD])
    if after < len(view) and blocks.kind[after] == Kind.CAPTION:
        around.append(blocks.text[after])
    return tuple(dict.fromkeys(term for text in around for term in analyze(text)))

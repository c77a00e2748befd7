"""The search by meaning (LAD-RAG section 2.2, tool 1), over the scores that an operator gives.

Owns what the agent is shown of them. Knows nothing about how scores are made.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import ClassVar

import numpy as np

from octavo.decisions.investigate import ToolCall, ToolName
from octavo.document import Evidence, Query
from octavo.document.columns import Rows
from octavo.operators.core.base import Operator
from octavo.operators.core.run import Run
from octavo.operators.score.fuse import FUSED
from octavo.operators.search_agent.tools.base import Called, Refused, Tool
from octavo.text.analyzer import analyze

_EACH_PAGE = 2
"""Blocks of one page that are shown: more would all be of the best passage."""
_LOOKED_AT = 300
"""Blocks, best first, whose own words are compared with what is searched for."""


@dataclasses.dataclass(frozen=True)
class NeuroSemanticSearch(Tool):
    """Score all blocks by words of the agent's own; the evidence keeps every score, `count` of the best are shown.

    The paper searches an index over summaries of elements. Vectors of summaries made by rule find about as many gold
    pages as those of passages, fewer than words and vectors of passages together, and add nothing to these: `search`
    is therefore the operator that scores passages.
    """

    search: Operator[Query, Evidence]
    count: int = 10
    name: ClassVar[ToolName] = "neuro_semantic_search"
    column: ClassVar[str] = FUSED

    def needs(self) -> frozenset[str]:
        """Return what the search needs."""
        return self.search.needs()

    def call(self, call: ToolCall, rows: Rows, using: Run) -> Called:
        """Return all scored blocks, the best to be shown; raise Refused without words."""
        words = call.query if isinstance(call.query, str) else ""
        if not words.strip():
            raise Refused("query: give the words to search for")
        branch = using.branch(dataclasses.replace(using.query, question=words))
        found = self.search(branch.query, branch)
        using.join(branch)
        best = spread_out(found, call.k or self.count, frozenset(analyze(words)))
        return Called(found, best, note=f"the {len(best)} best", asked=words, steps=tuple(branch.trace))


def spread_out(found: Evidence, count: int, terms: frozenset[str] = frozenset()) -> Rows:
    """Return the best rows, at most two of a page, best first.

    All blocks of a passage score alike: those come first that have most of the terms themselves.
    """
    taken: Counter[int] = Counter()
    rows: list[int] = []
    ranked = found.ranked(FUSED)[:_LOOKED_AT]
    scores = found.scores[FUSED][found.ranking(FUSED)[:_LOOKED_AT]]
    own = np.array([len(terms.intersection(analyze(found.view.blocks.text[row]))) for row in ranked.tolist()])
    for row in ranked[np.lexsort((ranked, -own, -np.nan_to_num(scores, nan=-np.inf)))].tolist():
        page = int(found.view.page_index[row])
        if len(rows) < count and taken[page] < _EACH_PAGE:
            taken[page] += 1
            rows.append(row)
    return np.array(rows, np.int64)

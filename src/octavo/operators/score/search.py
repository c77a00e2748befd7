"""Search: from a question to the blocks of the passages that match it, by words or by vectors."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence, Query, View
from octavo.document.columns import damaged
from octavo.errors import UsageError
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.score.lexical import bm25, idf, terms_of
from octavo.text.analyzer import analyze

Floats = npt.NDArray[np.float64]


def _bm25(query: Query, using: Run) -> Floats:
    """Return (n_passages,) BM25 scores, nan where no term matches."""
    scores = bm25(terms_of(using.view), analyze(query.question))
    return np.where(scores > 0, scores, np.nan)


def _bm25_page(query: Query, using: Run) -> Floats:
    """Return (n_passages,) BM25 scores of the passages' pages as wholes, nan where no term matches."""
    view = using.view
    page = view.page_index[view.passages.start]
    scores = bm25(terms_of(view), analyze(query.question), units=page)[page]
    return np.where(scores > 0, scores, np.nan)


def _dense(query: Query, using: Run) -> Floats:
    """Return (n_passages,) cosines with the question."""
    return using.view.cosines("vectors", using.vectors([query.question])[0])


def _dense_page(query: Query, using: Run) -> Floats:
    """Return (n_passages,) mean cosine with the question of the passages on each one's page."""
    page = using.view.page_index[using.view.passages.start]
    totals, counts = np.bincount(page, weights=_dense(query, using)), np.bincount(page)
    return (totals / np.maximum(counts, 1))[page]


def _coverage(query: Query, using: Run) -> Floats:
    """Return (n_passages,) share of the question's terms in each passage, weighed by idf, 0..1; nan for none."""
    index = terms_of(using.view)
    held, total = np.zeros(len(index)), 0.0
    for term in dict.fromkeys(analyze(query.question)):
        weight = idf(index, term)
        held[index.postings(term)[0]] += weight
        total += weight
    return np.where(held > 0, held / total if total else 0.0, np.nan)


@dataclasses.dataclass(frozen=True)
class _Kind:
    score: Callable[[Query, Run], Floats]
    needs: frozenset[str]


KINDS: dict[str, _Kind] = {
    "bm25": _Kind(_bm25, frozenset({"passages", "terms"})),
    "bm25_page": _Kind(_bm25_page, frozenset({"passages", "terms"})),
    "coverage": _Kind(_coverage, frozenset({"passages", "terms"})),
    "dense": _Kind(_dense, frozenset({"passages", "vectors"})),
    "dense_page": _Kind(_dense_page, frozenset({"passages", "vectors"})),
}


@dataclasses.dataclass(frozen=True)
class Search(Step[Query, Evidence]):
    """Score every passage against the question; a block takes the score of its best passage, in the column `kind`.

    Kinds: `bm25` (passages), `bm25_page` (their pages as wholes), `coverage` (share of the question's terms), `dense`
    (cosine of vectors), `dense_page` (mean over the passages of a page).
    """

    kind: str

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"There is no search called {self.kind!r}: choose one of {', '.join(KINDS)}")

    def needs(self) -> frozenset[str]:
        """Return the layers this kind of search reads."""
        return KINDS[self.kind].needs

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the blocks of all passages that have a score."""
        return spread(using.view, self.kind, KINDS[self.kind].score(value, using))


def spread(view: View, name: str, scores: Floats) -> Evidence:
    """Return the content blocks of passages with their best score, in column `name`; nan scores are left out."""
    passages = view.passages
    if len(scores) != len(passages):
        raise damaged(f"{len(scores)} scores for {len(passages)} passages")
    chosen = np.flatnonzero(~np.isnan(scores))
    start, stop = passages.start[chosen].astype(np.int64), passages.stop[chosen].astype(np.int64)
    sizes = stop - start
    # Row numbers of every passage one after the other: each run counts up from its own start.
    rows = np.repeat(start - np.cumsum(sizes) + sizes, sizes) + np.arange(int(sizes.sum()))
    inside = view.is_content[rows]
    return Evidence.of(view, rows[inside], source=name, **{name: np.repeat(scores[chosen], sizes)[inside]})

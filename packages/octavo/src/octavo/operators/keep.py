"""From scored blocks to the pages, or the passages, that a reader is handed.

The columns that say what ranks or chose them are named here; readers look at them.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from octavo.errors import UsageError
from octavo.evidence import Evidence, View
from octavo.operators.columns import Columns
from octavo.operators.core import Run, Step
from octavo.operators.sentence_forms import Sentence, kept
from octavo.question import Expects, Question, understand
from octavo_documents.document import Mask, Rows

Floats = npt.NDArray[np.float64]

RELEVANCE = "relevance"
"""The column that ranks pages and, within a page, blocks."""
AS_FOUND = "as_found"
"""The column of what `relevance` was before units ranked the pages anew: by it their units are scored again alike."""
ROUTED = "routed"
"""The column of content that a router chose, all of which a reader is shown: 1 for the first that was chosen in its
document, less for later ones; nan elsewhere."""
LISTED = "listed"
"""The column of the blocks that an agent ended with: 1."""
CHOSEN_ORDER = "chosen_order"
"""The column of the same blocks that ranks them as the agent named them: 1 for the first, then less."""
READ_FIRST = "read_first"
"""The column of blocks that a reader shows before all others, 1: on pages that the question names, or chosen so."""
CONTEXTUAL = "contextual"
"""The column of blocks around others: how near they are, 1 in the same unit and less with each link."""
SAME_UNIT = "same_unit"
"""The column of those of them that complete the unit of a block, 1."""
MEANT_ALONE = "meant_alone"
"""The column of the blocks of documents that are surely meant, and that were scored as if these alone were asked: 1."""
THING = "thing"
"""The column that says which of several things that are asked about a block's document is of, from 0; nan for none."""


@dataclasses.dataclass(frozen=True)
class RankPages(Step[Evidence, Evidence]):
    """Keep the blocks of the best pages by the column `by`: as many pages as the question's limit, `most` at most.

    A page's score is its best block's. The column `relevance` is a block's score, so that one column ranks pages and
    blocks alike. Where several things are asked about, each has its share of the pages.
    """

    sentence: ClassVar[Sentence] = kept("Kept what stands on the pages that fit best")

    by: str
    most: int | None = None

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(reads={self.by}, uses={THING}, writes={RELEVANCE})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows on the chosen pages, with their relevance."""
        scores = np.nan_to_num(value.scores[self.by], nan=0.0)
        page = value.view.page_index[value.rows]
        best = best_of(value, scores, missing=-np.inf)
        count = using.query.limit if self.most is None else min(using.query.limit, self.most)
        order = np.argsort(-best, kind="stable")
        order = order[each_share(things_of(value, order.tolist()), count)] if THING in value.scores else order
        chosen = np.zeros(len(best), np.bool_)
        chosen[order[: max(count, 0)]] = True
        return value.with_score(RELEVANCE, scores).keep(chosen[page])


def best_of(evidence: Evidence, scores: Floats, *, missing: float) -> Floats:
    """Return (n_pages,) the best score of each page's rows; `missing` for a page without any."""
    best = np.full(int(evidence.view.page_starts[-1]), -np.inf)
    np.maximum.at(best, evidence.view.page_index[evidence.rows], scores)
    return np.where(np.isinf(best), missing, best)


def ranked_pages(evidence: Evidence) -> tuple[Floats, Rows]:
    """Return (n_pages,) the relevance of each page, -inf without any, and the pages that have one, best first."""
    score = best_of(evidence, evidence.scores[RELEVANCE], missing=-np.inf)
    return score, np.argsort(-score, kind="stable")[: int(np.isfinite(score).sum())]


def things_of(evidence: Evidence, pages: Sequence[int]) -> list[int]:
    """Return for each page which of several things that are asked about its document is of; -1 for none of them."""
    if THING not in evidence.scores:
        return [-1] * len(pages)
    of_page = best_of(evidence, np.nan_to_num(evidence.scores[THING], nan=-1.0), missing=-1.0)
    return of_page[pages].astype(np.int64).tolist()


def each_first(things: Sequence[int]) -> list[int]:
    """Return the places of what is ranked, that of the first of each thing before all others.

    >>> each_first([0, 0, -1, 1, 0])
    [0, 3, 1, 2, 4]
    """
    first = {thing: at for at, thing in reversed([*enumerate(things)]) if thing >= 0}
    leading = sorted(first.values()) if len(first) > 1 else []
    return [*leading, *(at for at in range(len(things)) if at not in {*leading})]


def each_share(things: Sequence[int], count: int) -> list[int]:
    """Return the places of what is ranked, those first that are each thing's share of `count`, all in their order.

    >>> each_share([0, 0, 0, 0, 1], 3)
    [0, 4, 1, 2, 3]
    """
    several = len({*things} - {-1})
    seen, shared = Counter[int](), list[int]()
    for at, thing in enumerate(things):
        seen[thing] += 1
        if several > 1 and thing >= 0 and seen[thing] <= max(1, count // (several + 1)):
            shared.append(at)
    taken = {*shared}
    return [*shared, *(at for at in range(len(things)) if at not in taken)]


def pages_with(evidence: Evidence, column: str) -> Mask:
    """Return (n_pages,) bool, true for pages with a block that has a score in the column."""
    found = np.zeros(int(evidence.view.page_starts[-1]), np.bool_)
    if column in evidence.scores:
        found[evidence.view.page_index[evidence.rows[~np.isnan(evidence.scores[column])]]] = True
    return found


def on_pages(evidence: Evidence, pages: Rows) -> Evidence:
    """Return the rows of the evidence on these pages."""
    chosen = np.zeros(int(evidence.view.page_starts[-1]), np.bool_)
    chosen[pages] = True
    return evidence.keep(chosen[evidence.view.page_index[evidence.rows]])


# Dynamic size (LAD-RAG section 2.2): how many pages a question needs, never a fixed k.
# Sizes were chosen with the documents of each question left out: the perfect recall of those left out is within a point
# of that of all, for a mean of 7 to 10 pages.
@dataclasses.dataclass(frozen=True)
class KeepByScoreGap(Step[Evidence, Evidence]):
    """Keep as many of the best pages by `relevance` as a question needs, never more than its limit.

    Pages are kept that score at most `gap` less than the best: few where one stands out, many where all are alike. A
    question that wants a list or a count is given `wider` more. There are at least `least` and at most `most`, and only
    `sure` where the best page scores `alone` more than the next, as a page does that the question names. A question
    that goes through all things of a kind takes `whole`. What completes the unit of a found block (`same_unit`) comes
    on top. Where an agent listed its blocks (`listed`), their pages are kept and the `added` best beside them.
    """

    declares: ClassVar[Columns] = Columns(reads={RELEVANCE}, uses={LISTED, SAME_UNIT})
    sentence: ClassVar[Sentence] = kept("Kept the pages that fit clearly better than the rest")

    gap: float = 0.45
    wider: float = 0.2
    alone: float = 0.8
    sure: int = 3
    least: int = 5
    most: int = 20
    whole: int = 20
    added: int = 3

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the blocks of the kept pages."""
        score, order = ranked_pages(value)
        listed, unit = (pages_with(value, column) for column in (LISTED, SAME_UNIT))
        kept = (listed if listed.any() else unit).copy()
        kept[order[: self.added if listed.any() else self._count(score[order], understand(using.query.question))]] = (
            True
        )
        return on_pages(value, _first(order, kept, listed, using.query.limit))

    def _count(self, scores: Floats, question: Question) -> int:
        """Return how many of the pages, best first, a question needs by their scores."""
        if not len(scores):
            return 0
        if question.goes_through_all:
            return self.whole
        wants_several = question.expects in (Expects.LIST, Expects.COUNT)
        gap = self.gap + self.wider * wants_several
        stands_alone = not (scores[1:] > scores[0] - self.alone).any()
        return int(np.clip((scores >= scores[0] - gap).sum(), self.sure if stands_alone else self.least, self.most))


def _first(order: Rows, kept: Mask, preferred: Mask, limit: int) -> Rows:
    """Return the kept pages, no more than the limit: the preferred ones first, each kind in its order."""
    pages = order[kept[order]]
    return pages[np.argsort(~preferred[pages], kind="stable")][: max(limit, 0)]


# Passages, the units of text that vector stores retrieve (MMRAG-DocQA, equation 11)


@dataclasses.dataclass(frozen=True)
class BestPassages(Step[Evidence, Evidence]):
    """Keep the blocks of the best `count` passages by the column `by`; a passage scores as its best block does.

    Where these stand on fewer than `pages` pages, the next best are kept too, until there are as many.
    """

    sentence: ClassVar[Sentence] = kept("Kept the passages that fit best")

    by: str
    count: int = 30
    pages: int = 0

    def __post_init__(self) -> None:
        if self.count < 1 or self.pages < 0:
            raise UsageError("BestPassages takes one passage or more, on 0 pages or more")

    def needs(self) -> frozenset[str]:
        """Return the layer of passages."""
        return frozenset({"passages"})

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(reads={self.by})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows of the chosen passages; ties go to the first in the document."""
        view = value.view
        scores = passage_scores(view, value, self.by)
        best = np.argsort(-scores, kind="stable")
        edges = np.zeros(len(view) + 1, np.int64)
        chosen = self._first(view, best[scores[best] > -np.inf])
        np.add.at(edges, view.passages.start[chosen], 1)
        np.add.at(edges, view.passages.stop[chosen], -1)
        return value.keep(np.cumsum(edges)[value.rows] > 0)

    def _first(self, view: View, best: Rows) -> Rows:
        pages = view.page_index[view.passages.start[best]]
        # The place of each page's first passage, ascending: one more page from each of these on.
        firsts = np.sort(np.unique(pages, return_index=True)[1])[: self.pages]
        return best[: max(self.count, int(firsts[-1]) + 1 if len(firsts) else 0)]


def passage_scores(view: View, evidence: Evidence, by: str) -> Floats:
    """Return (n_passages,) the score of each passage's best block in a column, -inf for those without any."""
    passages = view.passages
    if not len(passages):
        return np.zeros(0)
    rows = np.full(len(view) + 1, -np.inf)
    rows[evidence.rows] = np.nan_to_num(evidence.scores[by], nan=-np.inf)
    bounds = np.stack([passages.start, passages.stop], axis=1).astype(np.int64).reshape(-1)
    return np.maximum.reduceat(rows, bounds)[::2]

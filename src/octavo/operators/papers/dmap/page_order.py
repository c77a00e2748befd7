"""In which order pages are read: the union of retrieval paths (DMAP equation 9), and pages that a model chose first."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import RELEVANCE, best_of
from octavo.operators.read.image_evidence import LOCATED, NAMED_ELEMENT
from octavo.operators.score.fuse import FUSED, scaled
from octavo.operators.score.refer import NAMED
from octavo.operators.score.visual_search import VISUAL
from octavo.question import understand
from octavo.text.analyzer import coverages

_MOST = 4
"""Pages that are sure to be read."""
_FEW_WORDS = 12


@dataclasses.dataclass(frozen=True)
class InterleaveRankings(Step[Evidence, Evidence]):
    """Rank the pages that have a score in any column: all of the column `first`, then by turns the best of the others.

    The column `relevance` counts down from the number of pages; within a page blocks are ordered by the column
    `within`, those the question names itself first. The question's limit caps the pages.
    """

    first: str = LOCATED
    others: tuple[str, ...] = (RELEVANCE, VISUAL)
    within: str = FUSED

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows on the chosen pages, with their relevance."""
        page = value.view.page_index[value.rows]
        pages = [*_ranked(value, self.first), *_by_turns([_ranked(value, name) for name in self.others])]
        order = list(dict.fromkeys(pages))[: max(using.query.limit, 0)]
        place = np.full(int(value.view.page_starts[-1]), -1)
        place[order] = np.arange(len(order), 0, -1)
        chosen = place[page] > 0
        return value.with_score(RELEVANCE, place[page] + 0.9 * self._own(value)).keep(chosen)

    def _own(self, value: Evidence) -> npt.NDArray[np.float64]:
        """Return (n,) what puts blocks of one page in order, 0..1."""
        own = np.nan_to_num(scaled(value.scores[self.within])) if self.within in value.scores else np.zeros(len(value))
        return np.where(value.sources.get(NAMED_ELEMENT, np.zeros(len(value), np.bool_)), 1.0, own)


def _ranked(value: Evidence, column: str) -> list[int]:
    """Return the pages with a score in a column, best first."""
    if column not in value.scores:
        return []
    best = best_of(value, np.nan_to_num(value.scores[column], nan=-np.inf), missing=-np.inf)
    return np.argsort(-best, kind="stable")[: np.count_nonzero(best > -np.inf)].tolist()


def _by_turns(lists: Sequence[Sequence[int]]) -> Iterator[int]:
    for at in range(max(map(len, lists), default=0)):
        yield from (ranked[at] for ranked in lists if at < len(ranked))


def read_first(value: Evidence, pages: Sequence[int], wanted: str) -> Evidence:
    """Return the evidence with a block of each of the first four page indices as if it was named by the question.

    It is the one that says most of what is wanted. Readers show what is named before all else.
    """
    terms = understand(wanted).terms
    on = value.view.page_index[value.rows]
    texts = [value.view.blocks.text[row] for row in value.rows.tolist()]
    shares = np.array(coverages(terms, texts))
    named = value.scores.get(NAMED, np.full(len(value), np.nan)).copy()
    for page in pages[:_MOST]:
        own = [at for at in np.flatnonzero(on == page).tolist() if texts[at].strip()]
        if own:
            named[max(own, key=lambda at: (shares[at], -at))] = 1.0
    return value.with_score(NAMED, named)


def hardly_in_words(value: Evidence) -> list[int]:
    """Return the page indices that are read first although they have hardly any words: to be looked at as a whole."""
    named = value.scores.get(NAMED)
    if named is None:
        return []
    view, found = value.view, list[int]()
    for page in dict.fromkeys(view.page_index[value.rows[named >= 1.0]].tolist()):
        span = view.page_rows(page)
        words = " ".join(view.blocks.text[row] for row in range(span.start, span.stop) if view.is_content[row])
        found += [page] if len(words.split()) < _FEW_WORDS else []
    return found

"""How promising each page is: by what a search says, by summaries, by the sections it belongs to, and by signs on it.

Owns this mix, which stands for the navigation of the document map where no model navigates it, and gives a model that
does its candidates (DMAP section 3.3.1). Knows nothing about references or decisions.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence, View
from octavo.document.columns import Mask
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import beside
from octavo.operators.papers.dmap.document_map import DocumentMap
from octavo.operators.score.fuse import scaled
from octavo.operators.score.page_features import page_signs
from octavo.question import understand
from octavo.text.overlap import coverages

Floats = npt.NDArray[np.float64]

# The middle of a plateau over 32 documents: means of PR@1 to 10 change little between half and twice these weights.
_BESIDE = 0.05
_SUMMARY = 0.05
_SHARED = 0.06
_SIGNS = 0.17
_LONGEST_SHARED = 6
"""Pages of the longest section whose pages speak for each other."""


def page_promise(evidence: Evidence, by: str, using: Run) -> Floats:
    """Return (n_pages,) how promising each page of the view is, 0 or more; only the order means something.

    A page gets the score of its best block in the column `by`, where the evidence has it, a share of that of the pages
    beside it and of the best other page of a short section of its own, and what its summary, those of its elements and
    of its sections have in common with the question.
    """
    found = _searched(evidence, by)
    total = found + _BESIDE * np.maximum(0.0, beside(evidence.view, found)) + _SHARED * _shared(evidence.view, found)
    for summarised in _by_summaries(evidence.view, using, with_words=by not in evidence.scores):
        total += _SUMMARY * np.nan_to_num(scaled(summarised))
    signs = page_signs(using.query.question, evidence.view)
    return np.maximum(total + _SIGNS * total.max(initial=0.0) * signs, 0.0)


def _searched(evidence: Evidence, by: str) -> Floats:
    """Return (n_pages,) the best score on each page, 0 where there is none."""
    best = np.zeros(int(evidence.view.page_starts[-1]))
    if by in evidence.scores:
        np.maximum.at(best, evidence.view.page_index[evidence.rows], np.nan_to_num(evidence.scores[by]))
    return best


def _shared(view: View, scores: Floats) -> Floats:
    """Return (n_pages,) the best score among the other pages of a page's short sections, 0 without any."""
    found = np.zeros(len(scores))
    for section in DocumentMap.of(view).sections:
        if 1 < len(section.pages) <= _LONGEST_SHARED:
            span = slice(section.first, section.last + 1)
            inside = scores[span]
            others = np.full(len(inside), inside.max())
            others[inside.argmax()] = np.sort(inside)[-2]
            found[span] = np.maximum(found[span], others)
    return found


def _by_summaries(view: View, using: Run, *, with_words: bool) -> list[Floats]:
    """Return (n_pages,) scores of the page, element and section summaries of each page, nan where there are none.

    They are cosines with the question; `with_words` the shares of its words too, which a search has weighed already.
    """
    vectors, table = view.vectors("summary_vectors"), view.summaries
    if not len(table) or len(vectors) != len(table):
        return []
    question = using.query.question
    scores = [(vectors @ using.vectors([question])[0]).astype(np.float64)]
    if with_words:
        scores.append(np.array(coverages(understand(question).terms, list(table.text))))
    target = np.array(list(table.target))
    return [_on_pages(view, one, target == name) for one in scores for name in ("page", "element", "section")]


def _on_pages(view: View, scores: Floats, chosen: Mask) -> Floats:
    """Return (n_pages,) the best score among the chosen summaries of what stands on each page, nan without any."""
    first = view.page_index[view.summaries.start]
    last = view.page_index[np.maximum(view.summaries.stop - 1, view.summaries.start)]
    best = np.full(int(view.page_starts[-1]), -np.inf)
    np.maximum.at(best, first[chosen], scores[chosen])
    for at in np.flatnonzero(chosen & (last > first)).tolist():
        span = slice(int(first[at]), int(last[at]) + 1)
        best[span] = np.maximum(best[span], scores[at])
    return np.where(np.isfinite(best), best, np.nan)

"""How promising each page is: by what a search says, by summaries, and by the sections it belongs to.

Owns this mix, which stands for the navigation of the document map where no model navigates it, and gives a model that
does its candidates (DMAP section 3.3.1). Knows nothing about references or decisions.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence, View
from octavo.operators.document_map import DocumentMap
from octavo.operators.fuse import scaled
from octavo.operators.pages import beside
from octavo.operators.run import Run

Floats = npt.NDArray[np.float64]

# The middle of a plateau over 32 documents: means of PR@1 to 10 change little between half and twice these weights.
_BESIDE = 0.05
_SUMMARY = 0.05
_SHARED = 0.06
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
    for summarised in _by_summaries(evidence.view, using):
        total += _SUMMARY * np.nan_to_num(scaled(summarised))
    return total


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


def _by_summaries(view: View, using: Run) -> list[Floats]:
    """Return (n_pages,) the best cosine with the question of page, element and section summaries, nan without any."""
    vectors, table = view.vectors("summary_vectors"), view.summaries
    if not len(table) or len(vectors) != len(table):
        return []
    cosines = (vectors @ using.vectors([using.query.question])[0]).astype(np.float64)
    first = view.page_index[table.start]
    last = view.page_index[np.maximum(table.stop - 1, table.start)]
    target = np.array(list(table.target))
    found: list[Floats] = []
    for name in ("page", "element", "section"):
        best = np.full(int(view.page_starts[-1]), -np.inf)
        chosen = np.flatnonzero(target == name)
        if name == "section":
            for at in chosen.tolist():
                span = slice(int(first[at]), int(last[at]) + 1)
                best[span] = np.maximum(best[span], cosines[at])
        else:
            np.maximum.at(best, first[chosen], cosines[chosen])
        found.append(np.where(np.isfinite(best), best, np.nan))
    return found

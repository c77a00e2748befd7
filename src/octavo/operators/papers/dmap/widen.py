"""Widening evidence over the document map: same section, then the section above, then the pages beside (DMAP 3.3.2).

Owns which pages come next and where they rank. Knows nothing about why more is wanted.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from octavo.document import Evidence, View
from octavo.errors import UsageError
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import RELEVANCE
from octavo.operators.papers.dmap.document_map import DocumentMap
from octavo.operators.papers.dmap.navigate import page_summaries
from octavo.operators.papers.dmap.read_first import read_first
from octavo.operators.score.fuse import scaled
from octavo.question import understand
from octavo.text.overlap import coverages

WIDENED = "widened"
"""The source of blocks that were not in the evidence before."""
_READER = "answer_from_evidence"
_MOST_COMPARED = 200
"""Pages whose summaries are compared with what is looked for."""


@dataclasses.dataclass(frozen=True)
class Widen(Step[Evidence, Evidence]):
    """Add up to `pages` pages that are near the `around` best ones: the first step over the map that has new ones.

    What is looked for orders them: the titles in the query's `sections`, wherever these are, then the words of its
    `sub_questions`, or of the question. New pages rank behind those they are near and before the rest. With them there
    are no more pages than the question's limit: the last ones make room for them, and those they are near stay. Under
    a small limit that is half of it. The new pages are sure to be read where a model reads.
    """

    pages: int = 4
    around: int = 3

    def __post_init__(self) -> None:
        if self.pages < 1 or self.around < 1:
            raise UsageError("Widen takes one page or more, around one page or more")

    def needs(self) -> frozenset[str]:
        """Return the layers of summaries, and of passages for documents without an outline."""
        return frozenset({"passages", "vectors", "descriptions", "summaries"})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the evidence with the new pages; the same evidence when the map has nothing new."""
        limit = max(using.query.limit, 0)
        near = _best(value, min(self.around, max(limit // 2, 1))) if len(value) else []
        chosen = self._chosen(value, near, using)[: max(limit - len(near), 0)]
        if not chosen:
            return value
        view = value.view
        place = {page: len(chosen) - at for at, page in enumerate(chosen)}
        rows = np.flatnonzero(np.isin(view.page_index, chosen) & view.is_content)
        if not len(rows):
            return value
        base = float(np.nan_to_num(value.scores[RELEVANCE]).max(initial=0.0))
        scores = [base + place[int(view.page_index[row])] for row in rows.tolist()]
        wider = value | Evidence.of(view, rows, source=WIDENED, **{RELEVANCE: scores})
        wider = lifted(wider, near)
        wider = wider.keep(np.isin(view.page_index[wider.rows], _best(wider, limit)))
        if not using.judge.has_model(_READER):
            return wider
        return read_first(wider, chosen, " ".join(using.query.sub_questions) or using.query.question)

    def _chosen(self, value: Evidence, near: list[int], using: Run) -> list[int]:
        view = value.view
        known = set(np.unique(view.page_index[value.rows]).tolist())
        filled = set(np.unique(view.page_index[view.is_content]).tolist())
        document_map = DocumentMap.of(view)
        named = _titled(document_map, using.query.sections)
        found = self._ranked(view, [page for page in named if page in filled - known], using)
        steps = document_map.widened(near) if near else ()
        new = ([page for page in pages if page in filled - known and page not in found] for _, pages in steps)
        first = next((pages for pages in new if pages), list[int]())
        return (found + self._ranked(view, first, using))[: self.pages]

    def _ranked(self, view: View, pages: list[int], using: Run) -> list[int]:
        """Return pages, those first whose summaries have most of what is looked for."""
        wanted = understand(" ".join(using.query.sub_questions) or using.query.question).terms
        said = page_summaries(view, pages[:_MOST_COMPARED])
        shares = coverages(wanted, [said[page] for page in said])
        return [page for _, page in sorted(zip((-share for share in shares), said, strict=True))]


def _best(value: Evidence, count: int) -> list[int]:
    starts = value.view.page_starts
    return [int(starts[hit.document]) + hit.page - 1 for hit in value.pages(RELEVANCE)[:count]]


def _titled(document_map: DocumentMap, titles: Sequence[str]) -> list[int]:
    """Return the pages of the sections with these titles."""
    wanted = {" ".join(title.casefold().split()) for title in titles}
    sections = [section for section in document_map.sections if section.title.casefold() in wanted]
    return sorted({page for section in sections for page in section.pages})


def lifted(value: Evidence, pages: Sequence[int]) -> Evidence:
    """Return the evidence with the blocks on some page indices ranked above all others."""
    is_lifted = np.isin(value.view.page_index[value.rows], pages)
    scores = np.nan_to_num(value.scores[RELEVANCE])
    raised = scores.max(initial=0.0) + 1.0 + 0.9 * np.nan_to_num(scaled(scores))
    return value.with_score(RELEVANCE, np.where(is_lifted, raised, scores))

"""Locate: where in the document map a question's answer stands (DMAP section 3.3.1, equation 6).

Places that the question names come first, then sections, then their pages. How promising a page is stands for the
navigation of the map where no model navigates it, and gives a model that does its candidates.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from octavo.decisions.locate_references import LOCATE_REFERENCES, LocateInput
from octavo.decisions.select_sections import SELECT_SECTIONS
from octavo.document import Evidence, Query, View
from octavo.document.columns import Mask
from octavo.errors import UsageError
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import best_of
from octavo.operators.papers.dmap.document_map import DocumentMap
from octavo.operators.papers.dmap.navigate import navigate
from octavo.operators.papers.dmap.page_order import read_first
from octavo.operators.read.image_evidence import LOCATED, NAMED_ELEMENT
from octavo.operators.score.fuse import FUSED, scaled
from octavo.operators.score.page_features import page_signs
from octavo.operators.score.refer import page_scores, rows_of_references
from octavo.question import Reference, understand
from octavo.text.analyzer import coverages

Floats = npt.NDArray[np.float64]
_WORKED_OUT = 0.4
_NOTHING = 1e-9
_PROMISE = 0.05
"""What promise adds: enough to order pages that are named alike, too little to change their places with others."""
# The middle of a plateau over 32 documents: means of PR@1 to 10 change little between half and twice these weights.
_SUMMARY = 0.05
_SHARED = 0.06
_SIGNS = 0.17
_LONGEST_SHARED = 6
"""Pages of the longest section whose pages speak for each other."""


@dataclasses.dataclass(frozen=True)
class Locate(Step[Evidence, Evidence]):
    """Find the pages a question names; where it names none, those that promise most, at most `pages`.

    `by` is the column of the incoming evidence that says what a search makes of each block; without it the summaries
    decide. A model, where there is one, chooses up to `sections` sections, then judges their pages, of which the best
    are sure to be read; without one those pages are located that promise at least the share `least` (0..1) of what the
    best does.
    """

    by: str = FUSED
    pages: int = 16
    least: float = 0.5
    sections: int = 5

    def __post_init__(self) -> None:
        if self.pages < 1 or self.sections < 1:
            raise UsageError("Locate takes one page and one section or more")

    def needs(self) -> frozenset[str]:
        """Return the layers of summaries, and of passages for documents without an outline."""
        return frozenset({"passages", "vectors", "summaries", "summary_vectors"})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the content blocks of the located pages with the column `located`, and the columns they came with."""
        view = value.view
        promise = page_promise(value, self.by, using)
        found = _named(using, view)
        pages = self._named_pages(found, promise, view, using.query)
        is_named = bool(np.any(pages))
        if not is_named:
            pages = self._worked_out(view, promise, using) * _WORKED_OUT
        located = _evidence(value, pages + _PROMISE * _relative(promise) * (pages > 0), found)
        if is_named or not using.judge.has_model(SELECT_SECTIONS.name):
            return located
        return read_first(located, located.page_indices(LOCATED), using.query.question)

    def _worked_out(self, view: View, promise: Floats, using: Run) -> Floats:
        """Return (n_pages,) how much each page helps, 0..1, 0 for those that are not located."""
        if using.judge.has_model(SELECT_SECTIONS.name):
            return navigate(view, promise, using, pages=self.pages, sections=self.sections)
        relative = _relative(promise)
        located = np.where(relative >= max(self.least, _NOTHING), relative, 0.0)
        located[np.argsort(-located, kind="stable")[self.pages :]] = 0.0
        return located

    def _named_pages(self, found: Sequence[Reference], promise: Floats, view: View, query: Query) -> Floats:
        """Return (n_pages,) 1 for pages that are named, 0.5 for those of things, of which the most promising stay."""
        scores = page_scores(found, view)
        scores = np.maximum(scores, _pages_of_sections(found, scores, promise, view, self.pages))
        order = np.lexsort((np.arange(len(scores)), -promise, -scores))
        scores[order[max(query.limit, 0) :]] = 0.0
        return scores


def _named(using: Run, view: View) -> Sequence[Reference]:
    """Return what the question points at; a model is asked where the grammar can have missed something."""
    question = understand(using.query.question)
    if question.is_settled or not using.judge.has_model(LOCATE_REFERENCES.name):
        return question.references
    return using.judge.decide(LOCATE_REFERENCES, LocateInput(question.text)).output.references


def _pages_of_sections(found: Sequence[Reference], scores: Floats, promise: Floats, view: View, most: int) -> Floats:
    """Return (n_pages,) 0.5 for the most promising pages of the sections that are named, their first page included."""
    inside = np.zeros(len(scores))
    document_map = DocumentMap.of(view)
    numbers = [document_map.number_of(row) for row in rows_of_references(found, view)]
    for number in numbers:
        if number is not None:
            pages = np.array(document_map.sections[number].pages)
            inside[pages[np.argsort(-promise[pages], kind="stable")[: most - 1]]] = 0.5
    return inside


def _relative(promise: Floats) -> Floats:
    best = float(promise.max()) if len(promise) else 0.0
    return promise / best if best > 0 else promise


def _evidence(value: Evidence, pages: Floats, found: Sequence[Reference]) -> Evidence:
    view = value.view
    rows = np.flatnonzero((pages[view.page_index] > 0) & view.is_content)
    located = Evidence.of(view, rows, source=LOCATED, **{LOCATED: pages[view.page_index[rows]]})
    named = np.isin(rows, rows_of_references(found, view))
    located = dataclasses.replace(located, sources={**located.sources, NAMED_ELEMENT: named})
    return located | value.keep(np.isin(value.rows, rows))


def page_promise(evidence: Evidence, by: str, using: Run) -> Floats:
    """Return (n_pages,) how promising each page of the view is, 0 or more; only the order means something.

    A page gets the score of its best block in the column `by`, where the evidence has it, a share of that of the best
    other page of a short section of its own, and what its summary, those of its elements and of its sections have in
    common with the question.
    """
    scores = np.nan_to_num(evidence.scores.get(by, np.zeros(len(evidence))))
    found = np.maximum(best_of(evidence, scores, missing=0.0), 0.0)
    total = found + _SHARED * _shared(evidence.view, found)
    for summarised in _by_summaries(evidence.view, using, with_words=by not in evidence.scores):
        total += _SUMMARY * np.nan_to_num(scaled(summarised))
    signs = page_signs(using.query.question, evidence.view)
    return np.maximum(total + _SIGNS * total.max(initial=0.0) * signs, 0.0)


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

"""Locate: where in the document map a question's answer stands (DMAP section 3.3.1, equation 6).

Places that the question names come first. Else a model locates pages by the outline and the summaries of all of them,
and judges these where there are many. How promising a page is stands for that where no model locates, and where a
question is about all pages.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from octavo.decisions.judge_page_relevance import JUDGE_PAGE_RELEVANCE, PageItem, PagesQuestion
from octavo.errors import UsageError
from octavo.evidence import Evidence, Query, View
from octavo.evidence.layer_tables import SUMMARIES_TABLE
from octavo.operators.columns import Columns
from octavo.operators.core import Run, Step
from octavo.operators.keep import READ_FIRST, best_of
from octavo.operators.read.image_evidence import LOCATED, NAMED_ELEMENT, NAMED_PAGE
from octavo.operators.read.passage_choice import page_excerpts, page_name
from octavo.operators.score.fuse import FUSED, scaled
from octavo.operators.score.page_features import page_signs
from octavo.operators.score.refer import is_named_page, page_scores, rows_of_references, rows_with, spellings
from octavo.operators.sentence_forms import Sentence, kept
from octavo.question import Reference, understand
from octavo_documents.document.columns import Mask
from octavo_documents.text.analyzer import analyze, coverages
from octavo_documents.text.lines import on_one_line
from octavo_methods.dmap.decisions.locate_on_map import LOCATE_ON_MAP, PageLine, place_in
from octavo_methods.dmap.decisions.locate_references import LOCATE_REFERENCES, LocateInput
from octavo_methods.dmap.decisions.map_page import NO_CONTENT
from octavo_methods.dmap.document_map import DocumentMap, read_first
from octavo_methods.dmap.paths import fitted

Floats = npt.NDArray[np.float64]

_LEAST_RELEVANCE = 0.5
_LEAST = 0.1
"""What a page counts for at least that is located although little speaks for it."""
_FEW = 4
"""Pages that are not worth another question."""
_SHORT = 8
"""Pages of a document that is read whole."""
_NEAREST_TOKENS = 240
_LEAST_NEW = 2
"""Words of a summary that its page does not have: less is a copy of what the page says."""


def navigate(view: View, promise: Floats, using: Run, *, pages: int, sections: int) -> Floats | None:
    """Return (n_pages,) how much each located page helps, 0..1, 0 for those that are not located; at most `pages` are.

    A model locates pages by the outline and the summaries of all pages, those of up to `sections` sections where all do
    not fit its context (equation 6). Of more than four it judges the first ones by what of them comes nearest to the
    question, but not in a short document. None where no model gave an answer.
    """
    document_map = DocumentMap.of(view)
    asked = fitted(using.query.question, tuple(_page_lines(view)), document_map, using, sections)
    decided = using.judge.decide(LOCATE_ON_MAP, asked)
    if decided.by == "rule":
        return None
    ranked = np.array(list(dict.fromkeys(_pages_of(view, decided.output.location))), np.int64)
    ranked = ranked[: JUDGE_PAGE_RELEVANCE.per_call]
    helps = np.maximum(1.0 - np.arange(len(ranked)) / max(len(ranked), 1), _LEAST)
    if len(ranked) > _FEW and len(promise) > _SHORT:
        ranked, helps = _relevant(ranked, _judged(view, ranked, helps, using))
    located = np.zeros(len(promise))
    located[ranked[:pages]] = helps[:pages]
    return located


def _relevant(ranked: npt.NDArray[np.int64], relevance: Floats) -> tuple[npt.NDArray[np.int64], Floats]:
    """Return the pages that help and how much, the best first; where none does, the best two as far as they do."""
    order = np.argsort(-relevance, kind="stable")
    helping = int(np.count_nonzero(relevance >= _LEAST_RELEVANCE))
    kept = order[: helping or 2]
    return ranked[kept], np.maximum(relevance[kept], _LEAST)


def _page_lines(view: View) -> Iterator[PageLine]:
    """Yield all pages with their summaries and those of the elements on them."""
    for page, said in page_summaries(view, list(range(int(view.page_starts[-1])))).items():
        first, *elements = said.splitlines() or [NO_CONTENT]
        # What a rule sums up begins with the page, which the line says already.
        own = first.removeprefix(f"page {view.locate_page(page)[1]} > ")
        yield PageLine(page + 1, own, tuple(elements))


def _pages_of(view: View, places: Sequence[str]) -> Iterator[int]:
    """Yield the page indices of located places, those of tables and figures by their labels."""
    for what, number in filter(None, map(place_in, places)):
        if what == "page":
            yield int(number) - 1
        else:
            for row in rows_with(view.blocks, spellings(what, number)):
                yield int(view.page_index[row])


def _judged(view: View, pages: npt.NDArray[np.int64], promise: Floats, using: Run) -> Floats:
    """Return how much each of some pages helps, 0..1, by summaries and by what of it is nearest to the question."""
    numbers: list[int] = pages.tolist()
    said = page_summaries(view, numbers)
    nearest = page_excerpts(view, numbers, using, tokens=_NEAREST_TOKENS)
    items = [
        PageItem("\n".join((*_of_its_own(view, page, said[page]), text)), page_name(view, page), score)
        for page, text, score in zip(numbers, nearest, promise.tolist(), strict=True)
    ]
    decided = using.judge.decide_items(JUDGE_PAGE_RELEVANCE, PagesQuestion(using.query.question), items)
    return np.array([one.output.relevance for one in decided])


def _of_its_own(view: View, page: int, summaries: str) -> Iterator[str]:
    """Yield the summaries that say what the page does not in the same words: those that no rule copied from it."""
    span = view.page_rows(page)
    rows = range(span.start, span.stop)
    path = (title for row in rows for title in view.blocks.section_path(row))
    known = set(analyze(" ".join((page_name(view, page), *path, *(view.blocks.text[row] for row in rows)))))
    for line in dict.fromkeys(summaries.splitlines()):
        if len(set(analyze(line)) - known) >= _LEAST_NEW:
            yield line


def page_summaries(view: View, pages: list[int]) -> dict[int, str]:
    """Return by page index the summary of each page and of the elements on it, a line each, "" where there are none."""
    table = view.layer(SUMMARIES_TABLE)
    first = view.page_index[table.start] if len(table) else np.zeros(0, np.int64)
    lines: defaultdict[int, list[str]] = defaultdict(list)
    elements: defaultdict[int, list[str]] = defaultdict(list)
    for at in np.flatnonzero(np.isin(first, pages)).tolist():
        kept = {"page": lines, "element": elements}.get(table.target[at])
        if kept is not None:
            kept[int(first[at])].append(on_one_line(table.text[at]))
    return {page: "\n".join((*lines[page], *elements[page])) for page in pages}


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
    decide. A model, where there is one, locates them by the outline and all summaries (of up to `sections` sections
    where these do not fit its context), and the best are sure to be read. Without one, and for a question that goes
    through all pages, those are located that promise at least the share `least` (0..1) of what the best does.
    """

    sentence: ClassVar[Sentence] = kept("Chose the sections that most likely hold the answer")

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

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(uses={self.by, READ_FIRST}, writes={LOCATED, NAMED_PAGE}, may_write={READ_FIRST})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return content blocks of the located pages with `located`, `named_page`, and the columns they came with."""
        view = value.view
        promise = page_promise(value, self.by, using)
        found = _named(using, view)
        pages = self._named_pages(found, promise, view, using.query)
        are_named = bool(np.any(pages))
        if not are_named:
            pages = self._worked_out(view, promise, using) * _WORKED_OUT
        is_named = is_named_page(found, view) & are_named
        located = _evidence(value, pages + _PROMISE * _relative(promise) * (pages > 0), is_named, found)
        if are_named or not _is_navigated(using):
            return located
        return read_first(located, located.page_indices(LOCATED), using.query.question)

    def _worked_out(self, view: View, promise: Floats, using: Run) -> Floats:
        """Return (n_pages,) how much each page helps, 0..1, 0 for those that are not located."""
        if _is_navigated(using):
            found = navigate(view, promise, using, pages=self.pages, sections=self.sections)
            if found is not None:
                return found
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


def _is_navigated(using: Run) -> bool:
    """Return whether a model locates pages: one of all pages is not found by choosing some."""
    return using.judge.has_model(LOCATE_ON_MAP.name) and not understand(using.query.question).goes_through_all


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


def _evidence(value: Evidence, pages: Floats, is_named: Mask, found: Sequence[Reference]) -> Evidence:
    view = value.view
    rows = np.flatnonzero((pages[view.page_index] > 0) & view.is_content)
    page = view.page_index[rows]
    columns = {LOCATED: pages[page], NAMED_PAGE: np.where(is_named, pages, np.nan)[page]}
    located = Evidence.of(view, rows, source=LOCATED, **columns)
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
    vectors, table = view.vectors("summary_vectors"), view.layer(SUMMARIES_TABLE)
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
    first = view.page_index[view.layer(SUMMARIES_TABLE).start]
    last = view.page_index[np.maximum(view.layer(SUMMARIES_TABLE).stop - 1, view.layer(SUMMARIES_TABLE).start)]
    best = np.full(int(view.page_starts[-1]), -np.inf)
    np.maximum.at(best, first[chosen], scores[chosen])
    for at in np.flatnonzero(chosen & (last > first)).tolist():
        span = slice(int(first[at]), int(last[at]) + 1)
        best[span] = np.maximum(best[span], scores[at])
    return np.where(np.isfinite(best), best, np.nan)

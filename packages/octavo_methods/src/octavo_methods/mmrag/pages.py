"""Parent pages, and pages judged by a model: MMRAG-DocQA, equations 11 and 12.

Parent pages bring pictures and tables beside the passages along. They are judged several in a call, and ranked by a mix
of judgement and similarity.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache, partial
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from octavo.errors import UsageError
from octavo.evidence import Evidence, View
from octavo.operators.columns import Columns
from octavo.operators.core import Run, Step
from octavo.operators.keep import RELEVANCE, best_of
from octavo.operators.score.fuse import scaled
from octavo.operators.score.page_features import page_signs
from octavo.operators.sentence_forms import Sentence, always
from octavo_documents.document import Mask, Rows

SIMILARITY = "similarity"
"""The column of blocks: how near their page comes to the question, 0..1."""
Floats = npt.NDArray[np.float64]
_OWN = 0.1
"""What a block's own score changes below its page's: it orders the blocks of a page."""
JUDGED = "judged"
"""The column of blocks: the verdict of a model on their page, 0..1."""
_AHEAD = 1e-3
"""What a page has at least more than one that was rated lower."""
_SIGNS = 0.25
"""What signs on a page count for beside its similarity, in the verdict by rule."""


@dataclasses.dataclass(frozen=True)
class ParentPages(Step[Evidence, Evidence]):
    """Take every content block of the pages that the evidence stands on; a page is as near as its best block by `by`.

    Blocks that come along have no score in the columns that came in. The best page has a similarity of 1, or with
    `as_scored` the score it came with.
    """

    sentence: ClassVar[Sentence] = always("Took the whole pages that these passages stand on")

    by: str
    as_scored: bool = False

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(reads={self.by}, writes={SIMILARITY})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the blocks of the pages with the column `similarity`."""
        view = value.view
        pages = best_of(value, np.nan_to_num(value.scores[self.by]), missing=-np.inf)
        found = pages > -np.inf
        if not self.as_scored:
            pages[found] = scaled(pages[found], floor=min(0.0, float(pages[found].min(initial=0.0))))
        rows = np.flatnonzero(found[view.page_index] & view.is_content) if len(view) else value.rows
        return value | Evidence.of(view, rows, source="parent_page", **{SIMILARITY: pages[view.page_index[rows]]})


@dataclasses.dataclass(frozen=True)
class JudgePages(Step[Evidence, Evidence]):
    """Judge the pages of the evidence and add `relevance`: `judged` times the verdict plus `similar` times similarity.

    A model gives the verdicts, 0..1 in steps of 0.1, for several pages in a call; else a reranker that is configured.
    Without either the verdict is similarity with what else speaks for a page (`page_signs`). The `most` likeliest by
    reranker or rule are judged, and the others left out, and so are pages that a model finds worthless where it
    finds any of worth. A page comes before all that a model rated lower, so that none of these is kept where it is not,
    and pages that it was not asked about, since one before them holds the whole answer, come last. The verdicts of a
    model are the column `judged`. Within a page blocks are ordered by the column `by`. Where verdicts count nothing
    nobody is asked for them.
    """

    sentence: ClassVar[Sentence] = always("Decided page by page whether it helps to answer the question")

    by: str
    judged: float = 0.7
    similar: float = 0.3
    most: int = 16

    def __post_init__(self) -> None:
        if min(self.judged, self.similar) < 0 or self.judged + self.similar <= 0:
            raise UsageError("JudgePages takes two weights of 0 or more, not both 0")
        if self.most < 1:
            raise UsageError("JudgePages takes one page or more")

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(reads={self.by, SIMILARITY}, writes={RELEVANCE}, may_write={JUDGED})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows of the judged pages with their relevance, 0..1 where the weights add up to 1."""
        if not len(value):
            return value.with_score(RELEVANCE, np.zeros(0))
        similarity = best_of(value, np.nan_to_num(value.scores[SIMILARITY]), missing=-np.inf)
        pages = np.flatnonzero(np.isfinite(similarity))
        text_of = cache(partial(_text, value.view))
        likely = _likely(value.view, pages, similarity[pages], text_of, using)
        chosen = np.sort(np.argsort(-likely, kind="stable")[: self.most])
        pages, likely = pages[chosen], likely[chosen]
        verdicts, kept, by_model = self._verdicts(value.view, pages, likely, using)
        if by_model.any():
            rated = np.full(len(similarity), np.nan)
            rated[pages[by_model]] = verdicts[by_model]
            value = value.with_score(JUDGED, rated[value.view.page_index[value.rows]])
        relevance = np.full(len(similarity), -np.inf)
        mixed = self.judged * np.nan_to_num(verdicts) + self.similar * similarity[pages]
        relevance[pages[kept]] = _never_behind(mixed, verdicts, by_model)[kept]
        return _ranked(value, relevance, np.nan_to_num(scaled(value.scores[self.by])))

    def _verdicts(self, view: View, pages: Rows, likely: Floats, using: Run) -> tuple[Floats, Mask, Mask]:
        """Return (n_pages,) verdicts, a model's where one is asked; which to keep; which a model judged."""
        if not self.judged or not using.judge.has_model("judge_page_relevance"):
            return likely, np.ones(len(pages), np.bool_), np.zeros(len(pages), np.bool_)
        from octavo_methods.mmrag.page_verdicts import verdicts_by_model  # late: its replies are of pydantic

        return verdicts_by_model(view, pages, likely, using)


def _ranked(value: Evidence, relevance: Floats, own: Floats) -> Evidence:
    """Return the rows on pages with a relevance: the best row of a page has its page's, the others a little less."""
    page = value.view.page_index[value.rows]
    behind = best_of(value, own, missing=0.0)[page] - own
    return value.with_score(RELEVANCE, relevance[page] - _OWN * behind).keep(np.isfinite(relevance[page]))


def _never_behind(mixed: Floats, verdicts: Floats, by_model: Mask) -> Floats:
    """Return (n_pages,) the mixes, each raised over those of all pages that the model rated lower or did not see."""
    is_rated, raised = by_model | np.isnan(verdicts), mixed.copy()
    rated = np.nan_to_num(verdicts, nan=-1.0)  # less than any rating, 0..1
    for verdict in np.unique(rated[is_rated])[1:]:
        lower, own = is_rated & (rated < verdict), is_rated & (rated == verdict)
        raised[own] = np.maximum(raised[own], raised[lower].max() + _AHEAD)
    return raised


def _likely(view: View, pages: Rows, similarity: Floats, text_of: Callable[[int], str], using: Run) -> Floats:
    """Return (n_pages,) how likely each page helps, 0..1, by the reranker, or by rule: the best page has 1."""
    question = using.query.question
    if using.reranker is not None:
        texts = [text_of(page) for page in pages.tolist()]
        return using.reranker().score(question, texts).astype(np.float64)
    return scaled(np.maximum(similarity + _SIGNS * page_signs(question, view)[pages], 0.0), floor=0.0)


def _text(view: View, page: int) -> str:
    rows = view.page_rows(page)
    return "\n".join(view.blocks.text[row] for row in range(rows.start, rows.stop) if view.is_content[row])

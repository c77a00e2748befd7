"""Whole pages judged for a question, several in a call, and the mix of judgement and similarity (MMRAG-DocQA, eq. 12).

Owns what of a page is shown and how the two scores mix. Knows nothing about how pages were found or are ranked.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence, View
from octavo.errors import UsageError
from octavo.operators.base import Step
from octavo.operators.fuse import scaled
from octavo.operators.pages import RELEVANCE
from octavo.operators.parent_pages import SIMILARITY
from octavo.operators.run import Run

Floats = npt.NDArray[np.float64]

_OWN = 0.1
"""What a block's own score changes below its page's: it orders the blocks of a page."""


@dataclasses.dataclass(frozen=True)
class JudgePages(Step[Evidence, Evidence]):
    """Judge every page of the evidence and add `relevance`: `judged` times the verdict plus `similar` times similarity.

    A model gives the verdicts, 0..1 in steps of 0.1, for several pages in a call; else a reranker that is configured,
    and without either similarity itself stands for them. Within a page blocks are ordered by the column `by`.
    """

    by: str
    judged: float = 0.7
    similar: float = 0.3

    def __post_init__(self) -> None:
        if min(self.judged, self.similar) < 0 or self.judged + self.similar <= 0:
            raise UsageError("JudgePages takes two weights of 0 or more, not both 0")

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with their relevance, 0..1 where the weights add up to 1."""
        if not len(value):
            return value.with_score(RELEVANCE, np.zeros(0))
        pages, of_row = np.unique(value.view.page_index[value.rows], return_inverse=True)
        similarity = np.zeros(len(pages))
        np.maximum.at(similarity, of_row, np.nan_to_num(value.scores[SIMILARITY]))
        verdicts = self._verdicts(value.view, pages, similarity, using)
        page = self.judged * verdicts + self.similar * similarity
        own = np.nan_to_num(scaled(value.scores[self.by]))
        best = np.zeros(len(pages))
        np.maximum.at(best, of_row, own)
        return value.with_score(RELEVANCE, page[of_row] - _OWN * (best[of_row] - own))

    def _verdicts(self, view: View, pages: npt.NDArray[np.int64], similarity: Floats, using: Run) -> Floats:
        """Return (n_pages,) how much each page helps, 0..1."""
        has_model = using.judge.has_model("judge_page_relevance")
        if not has_model and using.reranker is None:
            return similarity
        texts = [_text(view, int(page)) for page in pages]
        scores: Floats = similarity
        if using.reranker is not None:
            scores = using.reranker().score(using.query.question, texts).astype(np.float64)
        return _judged(view, pages, texts, scores, using) if has_model else scores


def _judged(view: View, pages: npt.NDArray[np.int64], texts: list[str], scores: Floats, using: Run) -> Floats:
    """Return (n_pages,) verdicts, the likeliest pages asked about first: a budget may end the asking early."""
    from octavo.decisions.judge_page_relevance import JUDGE_PAGE_RELEVANCE, PageItem, PagesQuestion

    order: list[int] = np.argsort(-scores, kind="stable").tolist()
    items = [PageItem(texts[at], _label(view, int(pages[at])), float(scores[at])) for at in order]
    decided = using.judge.decide_items(JUDGE_PAGE_RELEVANCE, PagesQuestion(using.query.question), items)
    verdicts = np.zeros(len(pages))
    verdicts[order] = [one.output.relevance for one in decided]
    return verdicts


def _text(view: View, page: int) -> str:
    rows = view.page_rows(page)
    return "\n".join(view.blocks.text[row] for row in range(rows.start, rows.stop) if view.is_content[row])


def _label(view: View, page: int) -> str:
    document, number = view.locate_page(page)
    name = f"{view.documents[document].name}, " if len(view.documents) > 1 else ""
    return f"{name}page {number}"

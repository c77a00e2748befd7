"""Whole pages judged for a question, several in a call, and the mix of judgement and similarity (MMRAG-DocQA, eq. 12).

Owns what of a page is shown, the verdict by rule and how the two scores mix. Knows nothing about how pages were found
or are ranked.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence, Mask, Rows, View
from octavo.errors import UsageError
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import RELEVANCE, best_of
from octavo.operators.papers.mmrag.parent_pages import SIMILARITY
from octavo.operators.score.fuse import scaled
from octavo.operators.score.page_features import page_signs

if TYPE_CHECKING:
    from octavo.operators.read.packing import Packed

Floats = npt.NDArray[np.float64]

_OWN = 0.1
"""What a block's own score changes below its page's: it orders the blocks of a page."""
_WORTHLESS, _OF_WORTH = 0.2, 0.3
"""A page that a model rates below the first is left out where another is rated the second or more."""
_EXCERPT_TOKENS, _LABEL_TOKENS = 120, 30
_SIGNS = 0.25
"""What signs on a page count for beside its similarity, in the verdict by rule."""


@dataclasses.dataclass(frozen=True)
class JudgePages(Step[Evidence, Evidence]):
    """Judge the pages of the evidence and add `relevance`: `judged` times the verdict plus `similar` times similarity.

    A model gives the verdicts, 0..1 in steps of 0.1, for several pages in a call; else a reranker that is configured.
    Without either the verdict is similarity with what else speaks for a page (`page_signs`). The `most` likeliest by
    reranker or rule are judged, and the others left out, and so are pages that a model finds next to worthless where
    it finds any of worth. Within a page blocks are ordered by the column `by`.
    """

    by: str
    judged: float = 0.7
    similar: float = 0.3
    most: int = 16

    def __post_init__(self) -> None:
        if min(self.judged, self.similar) < 0 or self.judged + self.similar <= 0:
            raise UsageError("JudgePages takes two weights of 0 or more, not both 0")
        if self.most < 1:
            raise UsageError("JudgePages takes one page or more")

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
        verdicts, kept = _judged(value.view, pages, likely, using)
        relevance = np.full(len(similarity), -np.inf)
        relevance[pages[kept]] = (self.judged * verdicts + self.similar * similarity[pages])[kept]
        return _ranked(value, relevance, np.nan_to_num(scaled(value.scores[self.by])))


def _ranked(value: Evidence, relevance: Floats, own: Floats) -> Evidence:
    """Return the rows on pages with a relevance: the best row of a page has its page's, the others a little less."""
    page = value.view.page_index[value.rows]
    behind = best_of(value, own, missing=0.0)[page] - own
    return value.with_score(RELEVANCE, relevance[page] - _OWN * behind).keep(np.isfinite(relevance[page]))


def _likely(view: View, pages: Rows, similarity: Floats, text_of: Callable[[int], str], using: Run) -> Floats:
    """Return (n_pages,) how likely each page helps, 0..1, by the reranker, or by rule: the best page has 1."""
    question = using.query.question
    if using.reranker is not None:
        texts = [text_of(page) for page in pages.tolist()]
        return using.reranker().score(question, texts).astype(np.float64)
    return scaled(np.maximum(similarity + _SIGNS * page_signs(question, view)[pages], 0.0), floor=0.0)


def _judged(view: View, pages: Rows, likely: Floats, using: Run) -> tuple[Floats, Mask]:
    """Return (n_pages,) verdicts, a model's where there is one, and which pages are worth keeping.

    A model is asked about the likeliest pages first, and is shown what of each page is nearest to the question. A
    budget may end the asking early.
    """
    if not using.judge.has_model("judge_page_relevance"):
        return likely, np.ones(len(pages), np.bool_)
    from octavo.decisions.judge_page_relevance import JUDGE_PAGE_RELEVANCE, PageItem, PagesQuestion

    order: list[int] = np.argsort(-likely, kind="stable").tolist()
    texts = _excerpts(view, pages, JUDGE_PAGE_RELEVANCE.item_tokens - _LABEL_TOKENS, using)
    items = [PageItem(texts[at], _label(view, int(pages[at])), float(likely[at])) for at in order]
    decided = using.judge.decide_items(JUDGE_PAGE_RELEVANCE, PagesQuestion(using.query.question), items)
    verdicts = np.zeros(len(pages))
    verdicts[order] = [one.output.relevance for one in decided]
    is_worthless = np.zeros(len(pages), np.bool_)
    is_worthless[order] = [one.by != "rule" and one.output.relevance < _WORTHLESS for one in decided]
    return verdicts, ~is_worthless if (verdicts >= _OF_WORTH).any() else np.ones(len(pages), np.bool_)


def _excerpts(view: View, pages: Rows, tokens: int, using: Run) -> list[str]:
    """Return what of each page a model is shown: its passages that are nearest to the question, within `tokens`.

    Pictures are named, whether or not they have words.
    """
    from octavo.operators.read.packing import pack
    from octavo.operators.read.settling_passages import settling

    content = np.flatnonzero(view.is_content)
    texts: list[str] = []
    for page in pages.tolist():
        rows = content[view.page_index[content] == page]
        packed = pack(
            Evidence.of(view, rows, source="page", **{RELEVANCE: np.zeros(len(rows))}), RELEVANCE, unit=_EXCERPT_TOKENS
        )
        kept = settling(packed, using, tokens=tokens)
        texts.append("\n".join((*_by_section(kept), *_pictured(view, rows))))
    return texts


def _by_section(kept: Sequence[Packed]) -> Iterator[str]:
    """Yield the passages of a page in order, and before them where they stand, once for those that stand together."""
    place = ""
    for one in sorted(kept, key=lambda one: one.shown.number):
        if one.shown.where != place:
            place = one.shown.where
            yield f"[{place}]"
        yield one.shown.text


def _pictured(view: View, rows: Rows) -> Iterator[str]:
    """Yield what pictures without words a page has."""
    from octavo.operators.read.packing import PICTURED, depicted, is_logo

    found = [
        depicted(view, row)
        for row in rows.tolist()
        if view.blocks.kind[row] in PICTURED and not view.blocks.text[row].strip() and not is_logo(view, row)
    ]
    if found:
        yield f"Pictures without words: {', '.join(found)}"


def _text(view: View, page: int) -> str:
    rows = view.page_rows(page)
    return "\n".join(view.blocks.text[row] for row in range(rows.start, rows.stop) if view.is_content[row])


def _label(view: View, page: int) -> str:
    document, number = view.locate_page(page)
    name = f"{view.documents[document].name}, " if len(view.documents) > 1 else ""
    return f"{name}page {number}"

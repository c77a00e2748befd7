"""Having a model judge pages, several in a call, the likeliest first: MMRAG-DocQA, equation 11."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from octavo.decisions.judge_page_relevance import JUDGE_PAGE_RELEVANCE, PageItem, PagesQuestion
from octavo.evidence import View
from octavo.operators.core import Run
from octavo.operators.read.passage_choice import needs_several, page_excerpts, page_name
from octavo_documents.document import Mask, Rows

Floats = npt.NDArray[np.float64]
HOLDS_A_PART = 0.7
"""The least verdict on a page that holds the answer or a part of it."""
HOLDS_THE_WHOLE = 0.9
"""The least verdict on a page that holds the whole answer."""
NOT_ASKED = np.nan
"""Stands for the verdict on a page that the model was not asked about."""
_OF_WORTH = 0.3
"""A page that a model rates below this is left out where another is not."""
_LABEL_TOKENS = 30


def verdicts_by_model(view: View, pages: Rows, likely: Floats, using: Run) -> tuple[Floats, Mask, Mask]:
    """Return (n_pages,) verdicts; which pages are worth keeping; which the model judged.

    The model is asked about the likeliest pages first, and is shown what of each page is nearest to the question. Where
    one of these holds the whole answer to a question of one place, it is not asked about the others. A budget may end
    the asking early.
    """
    order: list[int] = np.argsort(-likely, kind="stable").tolist()
    verdicts, by_model = np.full(len(pages), NOT_ASKED), np.zeros(len(pages), np.bool_)
    first = len(order) if needs_several(using.query) else JUDGE_PAGE_RELEVANCE.per_call
    for some in (order[:first], order[first:]):
        if some and verdicts[by_model].max(initial=0.0) < HOLDS_THE_WHOLE:
            verdicts[some], by_model[some] = _asked(view, pages[some], likely[some], using)
    is_worthless = by_model & (verdicts < _OF_WORTH)
    kept = ~is_worthless if (verdicts >= _OF_WORTH).any() else np.ones(len(pages), np.bool_)
    return verdicts, kept, by_model


def _asked(view: View, pages: Rows, likely: Floats, using: Run) -> tuple[Floats, Mask]:
    """Return (n_pages,) the verdicts on some pages, and which of them a model gave."""
    numbers: list[int] = pages.tolist()
    texts = page_excerpts(view, numbers, using, tokens=JUDGE_PAGE_RELEVANCE.item_tokens - _LABEL_TOKENS)
    items = [
        PageItem(text, page_name(view, page), score)
        for page, text, score in zip(numbers, texts, likely.tolist(), strict=True)
    ]
    decided = using.judge.decide_items(JUDGE_PAGE_RELEVANCE, PagesQuestion(using.query.question), items)
    by_model = np.array([one.by != "rule" for one in decided])
    return np.array([one.output.relevance for one in decided]), by_model

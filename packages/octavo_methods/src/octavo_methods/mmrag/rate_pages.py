"""Rating each parent page by itself, with reasons (MMRAG-DocQA, equation 12)."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from octavo.evidence import Evidence
from octavo.operators.columns import Columns
from octavo.operators.core import Run, Step
from octavo.operators.keep import RELEVANCE, best_of
from octavo.operators.read.passage_choice import page_name
from octavo_methods.mmrag.decisions.rate_page import RATE_PAGE, PageRated
from octavo_methods.mmrag.pages import JUDGED, SIMILARITY
from octavo_methods.mmrag.two_level_index import page_text

_ALIKE = 0.01
"""What similarity, -1..1, adds to a rating: less than one of its steps, so that it parts equal ones only."""


@dataclasses.dataclass(frozen=True)
class RatePages(Step[Evidence, Evidence]):
    """Rate every page of the evidence, a prompt for each, and add `relevance`, which ranks pages by their rating alone.

    Of pages that are rated alike the nearer one comes first. All blocks of a page have its relevance, and no page is
    left out. With `descriptions` a page is shown with those of its pictures.
    """

    declares: ClassVar[Columns] = Columns(reads={SIMILARITY}, writes={JUDGED, RELEVANCE})

    descriptions: bool = True

    def needs(self) -> frozenset[str]:
        """Return the layer of what pages say."""
        return frozenset({"page_texts"})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with their page's relevance, and its rating, 0..1, as the column `judged`."""
        if not len(value):
            return value.with_score(RELEVANCE, np.zeros(0))
        similarity = best_of(value, value.scores[SIMILARITY], missing=-np.inf)
        pages = np.flatnonzero(np.isfinite(similarity))
        rated = np.full(len(similarity), np.nan)
        rated[pages] = self._ratings(value, pages.tolist(), similarity, using)
        page = value.view.page_index[value.rows]
        return value.with_score(JUDGED, rated[page]).with_score(RELEVANCE, (rated + _ALIKE * similarity)[page])

    def _ratings(self, value: Evidence, pages: list[int], similarity: np.ndarray, using: Run) -> list[float]:
        """Return how much each page helps, 0..1, in the steps of 0.1 that a model is asked for; a rule is finer."""
        view, question = value.view, using.query.question
        asked = [
            PageRated(
                question,
                page_text(view, page, descriptions=self.descriptions),
                float(similarity[page]),
                page_name(view, page),
            )
            for page in pages
        ]
        decided = using.judge.decide_many(RATE_PAGE, asked)
        return [one.output.relevance if one.by == "rule" else round(one.output.relevance, 1) for one in decided]

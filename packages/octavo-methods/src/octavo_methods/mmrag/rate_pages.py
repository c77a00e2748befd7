"""Rating each parent page by itself, with reasons (MMRAG-DocQA, equation 12)."""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.errors import UsageError
from octavo.evidence import Evidence
from octavo.operators.core import Run, Step
from octavo.operators.keep import RELEVANCE, best_of
from octavo_methods.mmrag.pages import JUDGED, SIMILARITY
from octavo_methods.mmrag.two_level_index import page_text


@dataclasses.dataclass(frozen=True)
class RatePages(Step[Evidence, Evidence]):
    """Rate every page of the evidence, a prompt for each, and add `relevance`.

    It is `judged` times the rating plus `similar` times the page's similarity; where `judged` is 0 nobody is asked. All
    blocks of a page have its relevance, and no page is left out. With `descriptions` a page is shown with those of its
    pictures.
    """

    judged: float = 0.7
    similar: float = 0.3
    descriptions: bool = True

    def __post_init__(self) -> None:
        if min(self.judged, self.similar) < 0 or self.judged + self.similar <= 0:
            raise UsageError("RatePages takes two weights of 0 or more, not both 0")

    def needs(self) -> frozenset[str]:
        """Return the layer of what pages say."""
        return frozenset({"page_texts"}) if self.judged else frozenset()

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with their page's relevance, and its rating as the column `judged`."""
        if not len(value):
            return value.with_score(RELEVANCE, np.zeros(0))
        similarity = best_of(value, value.scores[SIMILARITY], missing=-np.inf)
        pages = np.flatnonzero(np.isfinite(similarity))
        relevance = self.similar * similarity
        page = value.view.page_index[value.rows]
        if self.judged:
            rated = np.full(len(similarity), np.nan)
            rated[pages] = self._ratings(value, pages.tolist(), similarity, using)
            relevance[pages] += self.judged * rated[pages]
            value = value.with_score(JUDGED, rated[page])
        return value.with_score(RELEVANCE, relevance[page])

    def _ratings(self, value: Evidence, pages: list[int], similarity: np.ndarray, using: Run) -> list[float]:
        """Return how much each page helps, 0..1."""
        from octavo.decisions.rate_page import RATE_PAGE, PageRated
        from octavo.operators.read.packing import place_of

        view, question = value.view, using.query.question
        asked = [
            PageRated(
                question,
                page_text(view, page, descriptions=self.descriptions),
                ", ".join(place_of(view, page)),
                float(similarity[page]),
            )
            for page in pages
        ]
        return [one.output.relevance for one in using.judge.decide_many(RATE_PAGE, asked)]

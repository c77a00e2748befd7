"""The content that a router chose, as a reader gets it, and how sure its answer is (RDR2 equations 5 and 6)."""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.document import Answer, Evidence, Rows
from octavo.errors import UsageError
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import RELEVANCE, ROUTED, on_pages, ranked_pages
from octavo.operators.papers.rdr2.route import documents_in_order
from octavo.operators.papers.rdr2.structure_tree import RETRIEVED, retrieved_rows
from octavo.operators.score.fuse import FUSED

UNSURE = "unsure"
"""The source of rows that nobody chose: they are read because every document was refused."""


@dataclasses.dataclass(frozen=True)
class RoutedPassages(Step[Evidence, Evidence]):
    """Keep the routed content with the headings over it on its page, on the question's limit of pages.

    Documents come in the order of retrieval: the column `relevance` sets those first that have the better passage, and
    in each the content that scores best by the column `by`. Where every document was refused the retrieved content is
    kept, its source `unsure`; with `strict`, nothing is. Without a router the retrieved content is what there is.
    """

    by: str = FUSED
    strict: bool = False

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return these rows with the column `relevance`."""
        chosen = value.rows[np.isfinite(value.scores[ROUTED])] if ROUTED in value.scores else retrieved_rows(value)
        is_unsure = not len(chosen)
        if is_unsure and not self.strict:
            chosen = retrieved_rows(value)
        ranked = self._ranked(value, chosen)
        kept = on_pages(ranked, ranked_pages(ranked)[1][: max(using.query.limit, 0)])
        sources = {**kept.sources, **({UNSURE: np.ones(len(kept), np.bool_)} if is_unsure else {})}
        return dataclasses.replace(kept, sources=sources)

    def told(self, result: Evidence, using: Run) -> dict[str, bool]:
        """Return whether every document was refused."""
        return {UNSURE: UNSURE in result.sources}

    def _ranked(self, value: Evidence, chosen: Rows) -> Evidence:
        """Return the chosen rows and their headings, ranked by document and score."""
        view = value.view
        place = np.zeros(len(view.documents))
        order = documents_in_order(value)
        place[order] = np.arange(len(order), 0, -1)
        relevance = np.full(len(view), -np.inf)
        relevance[chosen] = place[view.document[chosen]] + 0.5 * _within(value, chosen, self.by)
        for row in chosen.tolist():
            above = [one for one in view.blocks.ancestors(row) if view.page_index[one] == view.page_index[row]]
            relevance[above] = np.maximum(relevance[above], relevance[row])
        kept = value | Evidence.of(view, chosen)
        return kept.with_score(RELEVANCE, relevance[kept.rows]).keep(np.isfinite(relevance[kept.rows]))


def _within(evidence: Evidence, rows: Rows, by: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return (n,) how good rows are beside others of their document, 0..1."""
    column = next((one for one in (by, ROUTED, RETRIEVED) if one in evidence.scores), None)
    if column is None or not len(rows):
        return np.ones(len(rows))
    scores = np.maximum(0.0, np.nan_to_num(evidence.scores[column][np.isin(evidence.rows, rows)]))
    return scores / max(float(scores.max()), 1e-9)


@dataclasses.dataclass(frozen=True)
class LowerConfidence(Step[Answer, Answer]):
    """Take a `share` (0..1) of an answer's confidence where any of its evidence has the source `source`."""

    source: str = UNSURE
    share: float = 0.5

    def __post_init__(self) -> None:
        if not 0.0 <= self.share <= 1.0:
            raise UsageError("LowerConfidence takes a share between 0 and 1")

    def apply(self, value: Answer, using: Run) -> Answer:
        """Return the answer with its confidence."""
        marked = value.evidence.sources.get(self.source)
        if marked is None or not marked.any():
            return value
        return dataclasses.replace(value, confidence=round(value.confidence * self.share, 3))

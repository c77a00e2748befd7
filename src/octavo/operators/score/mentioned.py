"""The second hop: documents that the best ones mention by title, which share few words with the question themselves.

Owns what such a document gains. Knows nothing about how blocks were scored, or which documents were opened.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.document import Evidence, View
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.text.titles import by_title, mentioned_in

MENTIONED = "mentioned"
"""The source of blocks of documents that a better one mentions by title."""


@dataclasses.dataclass(frozen=True)
class Mentioned(Step[Evidence, Evidence]):
    """Raise the best blocks of documents that the best `sources` documents mention by title, in the column `by`.

    Documents rank by their best block. The best `count` of those mentioned gain `weight`, in their best block. Where
    a single document is asked nothing changes.
    """

    by: str
    weight: float
    sources: int = 1
    count: int = 2

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows; those that gained have the source `mentioned`, and a column of that name their gain."""
        view = value.view
        if len(view.documents) < 2 or not len(value):
            return value
        scores, of = np.nan_to_num(value.scores[self.by]), view.document[value.rows]
        best = np.full(len(view.documents), -np.inf)
        np.maximum.at(best, of, scores)
        order = np.argsort(-best, kind="stable").tolist()
        first = [at for at in order[: self.sources] if best[at] > 0]
        mentioned = {other for at in first for other in _mentions(view, at)} - set(first)
        raised = [at for at in order if at in mentioned and best[at] > -np.inf][: self.count]
        gains = np.isin(of, raised) & (scores == best[of])
        if not gains.any():
            return value
        gained = np.where(gains, self.weight, np.nan)
        marked = value.with_score(self.by, value.scores[self.by] + self.weight * gains).with_score(MENTIONED, gained)
        return dataclasses.replace(marked, sources={**marked.sources, MENTIONED: gains})

    def told(self, result: Evidence, using: Run) -> dict[str, int]:
        """Return how many documents gained."""
        gained = result.rows[result.sources[MENTIONED]] if MENTIONED in result.sources else result.rows[:0]
        return {"documents": len(np.unique(result.view.document[gained]))}


def _mentions(view: View, document: int) -> list[int]:
    """Return the documents of the view that the text of one of them mentions by title."""

    def found() -> list[int]:
        titles = view.derived("titles", lambda: by_title((at, one.name) for at, one in enumerate(view.documents)))
        return mentioned_in("\n".join(view.documents[document].blocks.text), titles)

    return view.derived(f"mentions of {document}", found)

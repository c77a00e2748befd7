"""Preferring the documents that a question means: by the names, periods, kinds and versions in it."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from octavo.evidence import Evidence
from octavo.evidence.meant_documents import Floats, Groups
from octavo.operators.columns import Columns
from octavo.operators.core import Run, Step
from octavo.operators.keep import THING
from octavo.operators.sentence_forms import Sentence, silent

_LEAST = -2.0
"""What a document is behind at most: one of another name, period and kind."""


@dataclasses.dataclass(frozen=True)
class PreferDocuments(Step[Evidence, Evidence]):
    """Lower blocks in the column `by` by `weight` times how far their document is behind those that are meant.

    Documents that fit the question's names best lose nothing, one of another name the whole weight. Where several
    things are asked about that have documents of their own, the best block of each is as good as that of all, and the
    column `thing` says which they are of. Where the question names none, or one document is asked, nothing changes.
    """

    sentence: ClassVar[Sentence] = silent

    by: str
    weight: float = 1.0

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(reads={self.by}, writes={self.by}, may_write={THING})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with the scores lowered."""
        if not using.meant:
            return value
        ids = [one.id for one in value.view.documents]
        behind = np.maximum(using.meant.of(ids), _LEAST)
        behind = self.weight * (behind - behind.max(initial=_LEAST))
        scores = value.scores[self.by] + behind[value.view.document[value.rows]]
        things = using.meant.groups_of(ids)[value.view.document[value.rows]]
        if (things < 0).all():
            return value.with_score(self.by, scores)
        marked = value.with_score(THING, np.where(things < 0, np.nan, things))
        return marked.with_score(self.by, _levelled(scores, things))


def _levelled(scores: Floats, groups: Groups) -> Floats:
    """Return (n,) scores with the best of each group as high as the best of all, so that each has its places."""
    best = {group: float(np.nanmax(scores[groups == group])) for group in np.unique(groups[groups >= 0]).tolist()}
    if len(best) < 2:
        return scores
    top, levelled = max(best.values()), scores.copy()
    for group, own in best.items():
        levelled[groups == group] += top - own
    return levelled

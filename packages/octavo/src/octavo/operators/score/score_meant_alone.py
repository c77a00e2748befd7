"""Scores of the documents that a question surely means, as if these alone were asked."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from octavo.evidence import Evidence, Query, View
from octavo.evidence.meant_documents import SURELY
from octavo.operators.columns import Columns, Given
from octavo.operators.core import Operator, Run, rows_of
from octavo.operators.keep import MEANT_ALONE
from octavo.operators.sentence_forms import Sentence, silent
from octavo_documents.document.columns import Mask, Rows


@dataclasses.dataclass(frozen=True)
class ScoreMeantAlone(Operator[Query, Evidence]):
    """The evidence of `step`; in the column `by` blocks of documents that are surely meant score as if asked alone.

    Their best block has the score that it has among all. What tells one page of a document from another is then what it
    is with that document given: among many a company's name weighs most, and every page of its report has that. The
    column `meant_alone` marks them, 1. Where no name is sure, or one document is asked, it is the evidence of `step`.
    """

    declares: ClassVar[Columns] = Columns()
    sentence: ClassVar[Sentence] = silent

    step: Operator[Query, Evidence]
    by: str

    def __call__(self, value: Query, using: Run) -> Evidence:
        """Return the evidence of all documents, that of the meant ones scored among themselves."""
        found, meant = self.step(value, using), _meant(using)
        if not meant:
            return found
        timer, alone = using.timer(), using.view.derived(view_of, meant)
        branch = dataclasses.replace(using.branch(value), view=alone)
        scored = self.step(value, branch)
        using.join(dataclasses.replace(branch, pages_read=set()))
        result = _replaced(found, scored, _rows(using.view, meant)[scored.rows], self.by)
        told = {"documents": len(meant), "by": self.by}
        using.note(timer.step(type(self).__name__, told, (len(found), rows_of(result, using)), branch.trace))
        return result

    def needs(self) -> frozenset[str]:
        """Return what the step needs."""
        return self.step.needs()

    def after(self, given: Given = None) -> Given:
        """Return the columns after the step."""
        return Columns(reads={self.by}, may_write={MEANT_ALONE}).after(type(self).__name__, self.step.after(given))


def _meant(using: Run) -> tuple[int, ...]:
    """Return the documents of the view that are surely meant; none where that is all of them."""
    if not using.meant or using.meant.confidence < SURELY:
        return ()
    documents = using.view.documents
    found = tuple(at for at, one in enumerate(documents) if using.meant.may_be_stated(one.id))
    return found if len(found) < len(documents) else ()


def view_of(view: View, documents: tuple[int, ...]) -> View:
    """Return some documents of a view as a view."""
    return View.of([view.parts[at] for at in documents], [view.names[at] for at in documents])


def _rows(view: View, documents: tuple[int, ...]) -> Rows:
    """Return the rows of some documents, in order."""
    return np.flatnonzero(np.isin(view.document, documents))


def _replaced(found: Evidence, alone: Evidence, rows: Rows, by: str) -> Evidence:
    """Return evidence with the scores of `rows` those they have alone, shifted so that their best is as it was."""
    scores = np.full(len(found.view), np.nan)
    scores[found.rows] = found.scores[by]
    marks = np.full(len(found.view), np.nan)
    inside: Mask = np.isin(found.view.document, np.unique(found.view.document[rows]))
    best = float(np.nan_to_num(scores[inside], nan=-np.inf).max(initial=-np.inf))
    if not len(rows) or not np.isfinite(best):
        return found
    own = np.nan_to_num(alone.scores[by])
    scores[inside & ~np.isnan(scores)] = best - float(own.max())
    scores[rows] = own + best - float(own.max())
    marks[inside] = 1.0
    every = found | Evidence.of(found.view, rows)
    return every.with_score(by, scores[every.rows]).with_score(MEANT_ALONE, marks[every.rows])

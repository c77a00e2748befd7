"""One ranking column made of several, and what is added to it for whole pages and documents.

A page that stands alone in a document about something else fits by chance more often than one among others that fit. A
document that the best one mentions by title, the second hop of a question, may share few words with it.
"""

from __future__ import annotations

import dataclasses
import itertools
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from octavo.evidence import Evidence, View
from octavo.operators.columns import Columns
from octavo.operators.core import Run, Step
from octavo.operators.keep import RELEVANCE, best_of
from octavo.operators.sentence_forms import Sentence, silent
from octavo_documents.text.titles import TitleWords, by_title, mentioned_in

Floats = npt.NDArray[np.float64]
FUSED = "fused"
"""The column that fusing adds."""
STANDING = "standing"
"""The column that says how far the best pages of a block's document are behind those of the best document."""
MENTIONED = "mentioned"
"""The source of blocks of documents that a better one mentions by title."""


@dataclasses.dataclass(frozen=True)
class Part:
    """A column's part in a fusion. `floor` is the score that is worth nothing; None takes the column's lowest.

    `doubt` (0..1) of the weight counts only as far as the best row goes in the column `by`, whose scores are 0..1:
    words that no passage has together say less.
    """

    column: str
    weight: float
    floor: float | None = None
    doubt: float = 0.0
    by: str = ""


@dataclasses.dataclass(frozen=True)
class Fuse(Step[Evidence, Evidence]):
    """Add the column `fused`: the weighted sum of columns, each first scaled so that its best row has 1.

    A row without a score in a column gets nothing from it.
    """

    sentence: ClassVar[Sentence] = silent

    parts: tuple[Part, ...]

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(
            reads={part.column for part in self.parts} | {part.by for part in self.parts if part.doubt}, writes={FUSED}
        )

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with the fused column; raise KeyError when a column is missing."""
        fused = np.zeros(len(value))
        for part in self.parts:
            fused += _weight(part, value) * np.nan_to_num(scaled(value.scores[part.column], floor=part.floor))
        return value.with_score(FUSED, fused)


def _weight(part: Part, evidence: Evidence) -> float:
    if not part.doubt or not len(evidence):
        return part.weight
    best = float(np.nan_to_num(evidence.scores[part.by]).max())
    return part.weight * (1 - part.doubt + part.doubt * best)


def scaled(scores: Floats, *, floor: float | None = None) -> Floats:
    """Return (n,) scores with `floor` (the lowest for None) at 0 and the highest at 1; nan stays.

    Where all scores are alike they are 1 above the floor and 0 on it.
    """
    known = scores[~np.isnan(scores)]
    if not len(known):
        return scores
    low = float(known.min()) if floor is None else floor
    span = float(known.max()) - low
    return (scores - low) / span if span > 0 else np.where(np.isnan(scores), np.nan, 0.0)


@dataclasses.dataclass(frozen=True)
class AddPageBonuses(Step[Evidence, Evidence]):
    """Add the column `relevance`: a block's score in the column `by`, 0 without one, plus what its page gains.

    For each (column, weight) of `bonuses` a page gains the weight times the best value of that column on it. Scores are
    added as they are, so that gaps keep their meaning.
    """

    sentence: ClassVar[Sentence] = silent

    by: str
    bonuses: tuple[tuple[str, float], ...] = ()

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(reads={self.by}, uses={column for column, _ in self.bonuses}, writes={RELEVANCE})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with their relevance; a column that is not there gives nothing."""
        page = value.view.page_index[value.rows]
        scores = np.nan_to_num(value.scores[self.by])
        gained = np.zeros(int(value.view.page_starts[-1]))
        for column, weight in self.bonuses:
            if column in value.scores:
                gained += weight * best_of(value, np.nan_to_num(value.scores[column]), missing=0.0)
        return value.with_score(RELEVANCE, scores + gained[page])


@dataclasses.dataclass(frozen=True)
class AddNeighbourPages(Step[Evidence, Evidence]):
    """Raise blocks in the column `by` by `weight` times the better best score of the pages beside theirs.

    What a question needs often runs over a page break.
    """

    sentence: ClassVar[Sentence] = silent

    by: str
    weight: float

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(reads={self.by}, writes={self.by})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with the scores raised; pages of another document are not beside."""
        view = value.view
        best = best_of(value, np.nan_to_num(value.scores[self.by]), missing=-np.inf)
        before, after = np.full(len(best), -np.inf), np.full(len(best), -np.inf)
        before[1:], after[:-1] = best[:-1], best[1:]
        starts = view.page_starts
        before[starts[:-1][starts[:-1] < len(best)]] = -np.inf
        after[starts[1:][starts[1:] > 0] - 1] = -np.inf
        gained = self.weight * np.maximum(0.0, np.maximum(before, after))
        return value.with_score(self.by, value.scores[self.by] + gained[view.page_index[value.rows]])


@dataclasses.dataclass(frozen=True)
class DocumentScoreGap(Step[Evidence, Evidence]):
    """Add the column `standing`: the mean score in the column `by` of the best `pages` pages of a block's document.

    It is told as the distance to the document that stands best: 0 for this one, below 0 for others, so that a single
    document's scores keep their meaning.
    """

    sentence: ClassVar[Sentence] = silent

    by: str
    pages: int = 3

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(reads={self.by}, writes={STANDING})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with the column."""
        view = value.view
        best = np.maximum(best_of(value, np.nan_to_num(value.scores[self.by]), missing=0.0), 0.0)
        starts = view.page_starts.tolist()
        standing = np.array(
            [
                np.sort(best[start:stop])[::-1][: self.pages].mean() if stop > start else 0.0
                for start, stop in itertools.pairwise(starts)
            ]
        )
        behind = standing - standing.max(initial=0.0)
        return value.with_score(STANDING, behind[view.document[value.rows]])


@dataclasses.dataclass(frozen=True)
class BoostMentionedDocuments(Step[Evidence, Evidence]):
    """Raise the best blocks of documents that the best `sources` documents mention by title, in the column `by`.

    Documents rank by their best block. The best `count` of those mentioned gain `weight`, in their best block. Where
    a single document is asked nothing changes.
    """

    sentence: ClassVar[Sentence] = silent

    by: str
    weight: float
    sources: int = 1
    count: int = 2

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(reads={self.by}, may_write={self.by, MENTIONED})

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

    def details(self, result: Evidence, using: Run) -> dict[str, int]:
        """Return how many documents gained."""
        gained = result.rows[result.sources[MENTIONED]] if MENTIONED in result.sources else result.rows[:0]
        return {"documents": len(np.unique(result.view.document[gained]))}


def title_words(view: View) -> list[TitleWords]:
    """Return for each document of a view where its text may mention titles, found out once for each document."""
    return view.each(_title_words)


def _title_words(view: View) -> TitleWords:
    return TitleWords.of("\n".join(view.blocks.text))


def _mentions(view: View, document: int) -> list[int]:
    """Return the documents of the view that the text of one of them mentions by title."""
    return mentioned_in(title_words(view.parts[document])[0], view.derived(_titles))


def _titles(view: View) -> dict[str, list[int]]:
    return by_title((at, one.name) for at, one in enumerate(view.documents))

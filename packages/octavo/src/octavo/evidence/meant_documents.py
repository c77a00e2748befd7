"""Which documents a question means, by the names, periods, kinds and versions in it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from octavo.evidence.own_words import in_turn
from octavo_documents.wording import t

if TYPE_CHECKING:
    from octavo.evidence.answer_shapes import MeantShape

Floats = npt.NDArray[np.float64]
Groups = npt.NDArray[np.int64]
MEANT = "MeantDocuments"
"""The step that tells which documents a question means."""
NAMED = ("named", "periods", "kinds", "versions", "strangers", "uncovered")
"""What it tells of the question."""
SURELY = 0.6
"""How sure a name must be (0..1) for the documents of other names to be left aside."""
NEARLY, CLOSE, OTHER = 0.05, 0.15, 0.6
"""How far behind the best a document is that may be meant as well, of another period or kind, and of another name."""


@dataclasses.dataclass(frozen=True, eq=False)
class MeantDocuments:
    """How well documents fit what a question names. One that names nothing prefers none."""

    named: tuple[str, ...] = ()
    """Words of the question that are names of documents, or of who issued them, as it writes them."""
    periods: tuple[str, ...] = ()
    """Years, quarters and days that it names: "2022", "2023 Q2", "2023-08-30"."""
    kinds: tuple[str, ...] = ()
    """Kinds of documents that it names: "annual report"."""
    versions: tuple[str, ...] = ()
    age: str = ""
    """"newest", "oldest" or "previous" where that told one document of a name from others, "" else."""
    strangers: tuple[str, ...] = ()
    """Words that it writes as names and that no document is about."""
    beside: tuple[str, ...] = ()
    """Words that it writes as parts of a name, where documents are about the other parts: "Law" of "Faculty of Law"."""
    uncovered: tuple[str, ...] = ()
    """Years it asks about that no document of the name it names speaks of."""
    confidence: float = 0.0
    """How surely a name is meant as one, 0..1."""
    rows: Mapping[str, int] = dataclasses.field(default_factory=dict[str, int], repr=False)
    """Row of each document that says what it is about, by id."""
    scores: Floats = dataclasses.field(default_factory=lambda: np.zeros(0), repr=False)
    """(n,) by row: 0 for those that fit best, less for others, -1 and below for those of another name."""

    other_versions: frozenset[int] = frozenset()
    """Rows of the documents that are of another version than one that is asked for."""
    groups: Groups = dataclasses.field(default_factory=lambda: np.zeros(0, np.int64), repr=False)
    """(n,) by row: which of several things that are asked about the document is of, from 0; -1 for none of them."""

    def __bool__(self) -> bool:
        return bool(len(self.scores)) and float(self.scores.min()) < 0

    def best(self, most: int) -> list[str]:
        """Return the ids of the documents that fit best, of those that are nearly as good, `most` at most."""
        return [one for one in self.in_order(most) if self.scores[self.rows[one]] > -NEARLY] if self else []

    def in_order(self, most: int) -> list[str]:
        """Return the ids of the documents that fit best, `most` at most; of equal ones those of the least ids.

        So the order is the same however the documents came into the corpus, and wherever it is kept.
        """
        if not 0 < most < len(self.scores):
            rows = range(len(self.scores) if most > 0 else 0)
        else:
            rows = np.flatnonzero(self.scores >= np.partition(self.scores, -most)[-most]).tolist()
        ids = [*self.rows]
        return [ids[row] for row in sorted(rows, key=lambda row: (-self.scores[row], ids[row]))[:most]]

    def may_hold(self, document_id: str) -> bool:
        """Whether a value in a document may be of what the question names: not one of another name."""
        row = self.rows.get(document_id)
        return row is None or self.confidence < SURELY or float(self.scores[row]) > -OTHER * self.confidence

    def may_be_stated(self, document_id: str) -> bool:
        """Whether a value in a document is of what the question names: of the name, and of the period, that fit best.

        What another year's document says of a year may be of a quarter of it, or restated.
        """
        row = self.rows.get(document_id)
        if row in self.other_versions:
            return False
        return row is None or self.confidence < SURELY or float(self.scores[row]) > -CLOSE or self._group(row) >= 0

    def _group(self, row: int) -> int:
        return int(self.groups[row]) if len(self.groups) == len(self.rows) else -1

    def of(self, ids: Sequence[str]) -> Floats:
        """Return (n,) the scores of some documents; one that does not say what it is about is preferred to none."""
        known = np.array([self.scores[self.rows[one]] if one in self.rows else np.nan for one in ids], np.float64)
        return np.where(np.isnan(known), min(0.0, float(np.nanmean(known)) if np.isfinite(known).any() else 0.0), known)

    def groups_of(self, ids: Sequence[str]) -> Groups:
        """Return (n,) the groups of some documents."""
        has_any = len(self.groups) == len(self.rows) > 0
        return np.array([self.groups[self.rows[one]] if has_any and one in self.rows else -1 for one in ids], np.int64)


NONE_MEANT = MeantDocuments()
"""Of a question that is asked of one document, or names none."""


def strangers_in_words(meant: MeantShape | None) -> str:
    """Return the names that no document is about, quoted: "“Tesla” or “Ford”"; "" for none."""
    return in_turn([f"“{name}”" for name in meant.get("strangers", [])]) if meant else ""


def preferred_in_words(meant: MeantShape | None) -> str:
    """Return which documents were preferred and for what: "ADOBE_2022_10K.pdf, for “Adobe” and 2022"; "" for none."""
    documents = [one["document"] for one in meant["documents"]] if meant else []
    if meant is None or not documents:
        return ""
    named = f"“{' '.join(meant.get('named', []))}”" if meant.get("named") else ""
    for_what = [part for part in (named, *meant.get("periods", [])[:3], *meant.get("kinds", [])) if part]
    told = [*for_what, *meant.get("versions", []), *([t(f"as the {meant['age']}")] if "age" in meant else [])]
    why = t(" and ").join(filter(None, (", ".join(told[:-1]), told[-1])))
    if len(documents) > 3:
        shown = t("{names} and {n} more", names=", ".join(documents[:2]), n=len(documents) - 2)
    else:
        shown = ", ".join(documents)
    return t("{documents}, for {why}", documents=shown, why=why)

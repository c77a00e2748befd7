"""A candidate: one possible answer, where it stands, and what speaks for it.

Owns the shape all finders of candidates share. Knows none of them.
"""

from __future__ import annotations

import dataclasses

from octavo.decisions.rules.values import Value


@dataclasses.dataclass(frozen=True)
class Quote:
    """Words that stand in the block of a row, white space aside."""

    row: int
    text: str


@dataclasses.dataclass(frozen=True)
class Candidate:
    """One possible answer.

    `text` is the answer as printed and `quotes` what it is taken from; `statement` is what is compared with the
    question by meaning. The figures are 0..1: `coverage` of the question's terms by the statement and its context,
    `nearness` of the terms to the answer, `fit` of its form to what is asked, `relevance` of its block in retrieval.
    """

    text: str
    quotes: tuple[Quote, ...]
    statement: str
    coverage: float
    nearness: float
    fit: float
    relevance: float = 0.0
    value: Value | None = None
    items: tuple[str, ...] = ()
    similarity: float = 0.0
    """Cosine of the statement with the question; 0 when not compared."""
    linked: float = 0.0
    """How much more of the question, 0..1, another statement tells that shares a name with this one."""

    @property
    def row(self) -> int:
        """Row of the block the answer is taken from first."""
        return self.quotes[0].row

"""Evidence: the rows a retriever found, with named scores and where each came from; and its set algebra."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from octavo.evidence.view import View
from octavo_documents.document.blocks import Kind
from octavo_documents.document.columns import Mask, Rows

Scores = npt.NDArray[np.float64]
"""(n,) float64, nan where a row has no such score."""


_Value = TypeVar("_Value", bound=np.generic)


@dataclasses.dataclass(frozen=True, slots=True)
class PageHit:
    """A page of the view and its score. `document` is the document's index, `page` its physical number, 1-based."""

    document: int
    page: int
    score: float


@dataclasses.dataclass(frozen=True, eq=False)
class Evidence:
    """A set of rows of one view. Immutable: every operation returns another one.

    `rows` is (n,) int64, ascending and without repeats. Each column of `scores` is (n,) float64, higher is better, nan
    for a row that has no such score; `sources` names the steps that found rows, one (n,) bool column each.
    Ties in any ranking are broken by row order.
    """

    view: View
    rows: Rows
    scores: Mapping[str, Scores] = dataclasses.field(default_factory=dict[str, Scores])
    sources: Mapping[str, Mask] = dataclasses.field(default_factory=dict[str, Mask])

    def __post_init__(self) -> None:
        rows = np.asarray(self.rows, np.int64)
        if len(rows) and (rows[0] < 0 or rows[-1] >= len(self.view) or bool((np.diff(rows) <= 0).any())):
            raise ValueError("rows must be ascending, without repeats, and inside the view")
        for name, values in [*self.scores.items(), *self.sources.items()]:
            if len(values) != len(rows):
                raise ValueError(f"column {name} has {len(values)} rows, not {len(rows)}")
        object.__setattr__(self, "rows", rows)

    @classmethod
    def of(cls, view: View, rows: Iterable[int], *, source: str = "", **scores: npt.ArrayLike) -> Evidence:
        """Build evidence from rows in any order; a repeated row keeps the highest of its scores."""
        given = np.fromiter(rows, np.int64)
        unique, inverse = np.unique(given, return_inverse=True)
        columns: dict[str, Scores] = {}
        for name, values in scores.items():
            column = np.full(len(unique), np.nan)
            np.fmax.at(column, inverse, np.asarray(values, np.float64))
            columns[name] = column
        return cls(view, unique, columns, {source: np.ones(len(unique), np.bool_)} if source else {})

    @classmethod
    def where(cls, view: View, mask: Mask, *, source: str = "") -> Evidence:
        """Build evidence from a (n_rows,) mask over the view."""
        rows = np.flatnonzero(mask)
        return cls(view, rows, {}, {source: np.ones(len(rows), np.bool_)} if source else {})

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"Evidence({self.summary()}, scores: {', '.join(self.scores) or 'none'})"

    def summary(self) -> str:
        """Return what it holds in words: "12 blocks on 5 pages of 2 documents"."""
        pages = np.unique(self.view.page_index[self.rows])
        documents = np.unique(self.view.document[self.rows])
        return f"{len(self)} blocks on {len(pages)} pages of {len(documents)} documents"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Evidence):
            return NotImplemented
        return (
            self.view is other.view
            and np.array_equal(self.rows, other.rows)
            and self.scores.keys() == other.scores.keys()
            and self.sources.keys() == other.sources.keys()
            and all(np.array_equal(self.scores[name], other.scores[name], equal_nan=True) for name in self.scores)
            and all(np.array_equal(self.sources[name], other.sources[name]) for name in self.sources)
        )

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    # Set algebra

    def __or__(self, other: Evidence) -> Evidence:
        """Return rows of either; a score both have is the higher one."""
        either = np.zeros(len(self.view), np.bool_)
        either[self.rows] = True
        either[self._beside(other).rows] = True
        return self._merge(other, np.flatnonzero(either))

    def __and__(self, other: Evidence) -> Evidence:
        """Return rows of both, with the scores of both."""
        return self._merge(other, self.rows[self._beside(other)._positions(self.rows) >= 0])

    def __sub__(self, other: Evidence) -> Evidence:
        """Return the rows that `other` does not have."""
        return self.keep(self._beside(other)._positions(self.rows) < 0)

    def _beside(self, other: Evidence) -> Evidence:
        if other.view is not self.view:
            raise ValueError("evidence of two views cannot be combined")
        return other

    def _merge(self, other: Evidence, rows: Rows) -> Evidence:
        here, there = self._positions(rows), other._positions(rows)
        scores = {
            name: np.fmax(self._spread(name, here), other._spread(name, there))
            for name in sorted(self.scores.keys() | other.scores.keys())
        }
        sources = {
            name: self._found_by(name, here) | other._found_by(name, there)
            for name in sorted(self.sources.keys() | other.sources.keys())
        }
        return Evidence(self.view, rows, scores, sources)

    def _positions(self, rows: Rows) -> Rows:
        """Return where each of `rows` stands in this evidence, -1 where it does not."""
        if not len(self.rows):
            return np.full(len(rows), -1)
        at = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
        return np.where(self.rows[at] == rows, at, -1)

    def _spread(self, name: str, positions: Rows) -> Scores:
        values = self.scores.get(name)
        return np.full(len(positions), np.nan) if values is None else _at(values, positions, missing=np.nan)

    def _found_by(self, name: str, positions: Rows) -> Mask:
        found = self.sources.get(name)
        return np.zeros(len(positions), np.bool_) if found is None else _at(found, positions, missing=False)

    # Selection

    def keep(self, mask: Mask) -> Evidence:
        """Return the rows for which the (n,) mask is true, columns alike."""
        return Evidence(
            self.view,
            self.rows[mask],
            {name: values[mask] for name, values in self.scores.items()},
            {name: values[mask] for name, values in self.sources.items()},
        )

    def of_kind(self, *kinds: Kind) -> Evidence:
        """Return the rows of these kinds."""
        return self.keep(np.isin(self.view.blocks.kind[self.rows], kinds))

    def on_pages(self, pages: Iterable[int], *, document: int = 0) -> Evidence:
        """Return the rows on these physical pages of one document."""
        return self.keep(self.view.on_pages(pages, document=document)[self.rows])

    def within(self, row: int) -> Evidence:
        """Return the rows inside the section that starts at `row`."""
        span = self.view.subtree(row)
        return self.keep((self.rows >= span.start) & (self.rows < span.stop))

    def top(self, count: int, by: str) -> Evidence:
        """Return the `count` best rows by a score column; rows without that score come last."""
        chosen = np.zeros(len(self), np.bool_)
        chosen[self.ranking(by)[: max(count, 0)]] = True
        return self.keep(chosen)

    def with_score(self, name: str, values: npt.ArrayLike) -> Evidence:
        """Return the same rows with one column added or replaced."""
        return dataclasses.replace(self, scores={**self.scores, name: np.asarray(values, np.float64)})

    # Reading

    def ranking(self, by: str) -> Rows:
        """Return positions (not rows) of the evidence, best first by a column; raise KeyError for an unknown one."""
        values = self.scores[by]
        return np.argsort(np.where(np.isnan(values), np.inf, -values), kind="stable")

    def ranked(self, by: str) -> Rows:
        """Return the rows, best first by a column."""
        return self.rows[self.ranking(by)]

    def pages(self, by: str) -> tuple[PageHit, ...]:
        """Return every page that has a row, best first; a page's score is its best row's, -inf where none has one."""
        if not len(self):
            return ()
        index = self.view.page_index[self.rows]
        pages, inverse = np.unique(index, return_inverse=True)
        best = np.full(len(pages), -np.inf)
        np.maximum.at(best, inverse, np.nan_to_num(self.scores[by], nan=-np.inf))
        order = np.argsort(-best, kind="stable")
        return tuple(PageHit(*self.view.locate_page(int(pages[at])), float(best[at])) for at in order)

    def page_indices(self, by: str, *, least: float = -np.inf) -> list[int]:
        """Return the page index of every page that has a row, best first; of those that score `least` or more."""
        starts = self.view.page_starts
        return [int(starts[hit.document]) + hit.page - 1 for hit in self.pages(by) if hit.score >= least]


def _at(values: npt.NDArray[_Value], positions: Rows, *, missing: object) -> npt.NDArray[_Value]:
    """Return the values at some positions, `missing` where a position is -1."""
    if not len(values):
        return np.full(len(positions), missing, values.dtype)
    return np.where(positions < 0, np.asarray(missing, values.dtype), values[positions])

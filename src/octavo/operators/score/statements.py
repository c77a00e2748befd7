"""Pages of the financial statements that a measure is worked out of.

The three statements are told by their lines and titles. All figures are chosen by hand.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence, Kind, Query, View
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.question import understand
from octavo.text.statements import TITLES, Statement, line_of

Floats = npt.NDArray[np.float64]

STATEMENT = "statement"
"""The column of blocks on the pages of a statement: 1 on the page that has most of it."""

_LEAST_LINES = 5.0
"""Lines a page has of a statement at least; excerpts and notes have fewer."""
_TITLED = 1.5
"""A page with the statement's title counts for more than one that only shares its lines."""
_PART = 0.5
"""Share of the best page's lines at which another page holds a part of the same statement."""
_TITLE_LENGTH = 90
"""Characters of a block that may be a title."""


@dataclasses.dataclass(frozen=True)
class Statements(Step[Query, Evidence]):
    """Find the pages of the statements behind a financial measure; none when none is asked for or none is there."""

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the content blocks of those pages with the column `statement`, 0..1."""
        view = using.view
        asked = understand(value.question).statements
        scores = np.zeros(int(view.page_starts[-1]))
        for statement in sorted(asked, key=lambda one: one.value):
            scores = np.maximum(scores, statement_pages(view)[statement])
        rows = np.flatnonzero((scores[view.page_index] > 0) & view.is_content)
        return Evidence.of(view, rows, source=STATEMENT, **{STATEMENT: scores[view.page_index[rows]]})


def statement_pages(view: View) -> dict[Statement, Floats]:
    """Return for each statement (n_pages,) how much of it a page has: 1 for the best of its document, 0 for none."""
    found = view.each("statements", _statements)
    return {statement: np.concatenate([np.zeros(0), *(own[statement] for own in found)]) for statement in Statement}


def _statements(view: View) -> dict[Statement, Floats]:
    """Return the same of one document."""
    pages = int(view.page_starts[-1])
    lines: dict[Statement, set[tuple[int, str]]] = {statement: set() for statement in Statement}
    titled = {statement: np.ones(pages) for statement in Statement}
    is_table, page_index = view.of_kind(Kind.TABLE), view.page_index.tolist()
    for row in np.flatnonzero(view.is_content).tolist():
        page, text = page_index[row], view.blocks.text[row]
        for line in text.splitlines():
            found = line_of(line)
            if found:
                lines[found[0]].add((page, found[1]))
        if not is_table[row] and len(text) <= _TITLE_LENGTH:
            for statement, title in TITLES.items():
                if title.search(text):
                    titled[statement][page] = _TITLED
    return {
        statement: _shares(np.bincount([page for page, _ in found], minlength=pages) * titled[statement])
        for statement, found in lines.items()
    }


def _shares(scores: Floats) -> Floats:
    """Return (n_pages,) scores over the best of them; 0 where they are too low for a statement."""
    best = float(scores.max(initial=0.0))
    if best < _LEAST_LINES:
        return np.zeros(len(scores))
    return np.where(scores >= _PART * best, scores / best, 0.0)

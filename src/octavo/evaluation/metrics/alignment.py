"""The best one-to-one pairing of two lists.

Owns the assignment problem (Kuhn 1955, in the shortest augmenting path form of Jonker and Volgenant). Knows nothing
about what is paired.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def best_alignment(scores: Sequence[Sequence[float]]) -> list[float]:
    """Return the pairs' scores of the one-to-one pairing with the highest sum, one per row of the shorter side."""
    table = np.asarray(scores, np.float64)
    if table.ndim != 2 or not table.size:
        return []
    if table.shape[0] > table.shape[1]:
        table = table.T
    columns = _assign(-table)
    return [float(table[row, column]) for row, column in enumerate(columns)]


def _assign(costs: npt.NDArray[np.float64]) -> list[int]:
    """Return the column of each row at the least total cost; needs no more rows than columns."""
    rows, columns = costs.shape
    row_potential, column_potential = np.zeros(rows), np.zeros(columns + 1)
    row_of = np.full(columns + 1, -1)
    for row in range(rows):
        _augment(costs, row, row_potential, column_potential, row_of)
    chosen = [0] * rows
    for column in range(columns):
        if row_of[column] >= 0:
            chosen[int(row_of[column])] = column
    return chosen


def _augment(
    costs: npt.NDArray[np.float64],
    row: int,
    row_potential: npt.NDArray[np.float64],
    column_potential: npt.NDArray[np.float64],
    row_of: npt.NDArray[np.int64],
) -> None:
    """Give `row` a column along the cheapest alternating path; the last column is the path's made-up start."""
    columns = costs.shape[1]
    row_of[columns], column = row, columns
    least, came_from = np.full(columns, np.inf), np.full(columns, columns)
    seen = np.zeros(columns + 1, np.bool_)
    while row_of[column] >= 0:
        seen[column] = True
        at = int(row_of[column])
        reduced = costs[at] - row_potential[at] - column_potential[:columns]
        better = ~seen[:columns] & (reduced < least)
        least[better], came_from[better] = reduced[better], column
        following = int(np.argmin(np.where(seen[:columns], np.inf, least)))
        step = least[following]
        row_potential[row_of[seen]] += step
        column_potential[seen] -= step
        least[~seen[:columns]] -= step
        column = following
    while column != columns:
        row_of[column] = row_of[came_from[column]]
        column = int(came_from[column])
    row_of[columns] = -1

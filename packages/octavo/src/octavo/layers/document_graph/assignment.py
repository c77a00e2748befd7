"""The cheapest way to give each of some things a place of its own: linear assignment, by shortest augmenting paths."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def assigned(cost: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return the (n,) column of each row of an (n, m) matrix, no two alike, of the least cost in all; n is at most m.

    Rows are taken one after the other. Each goes to the column that is nearest by costs less what rows and columns have
    been charged so far, and the rows on the way there move on by one.
    """
    rows, columns = cost.shape
    holder = np.full(columns, -1, np.int64)
    of_row, of_column = np.zeros(rows), np.zeros(columns)
    for start in range(rows):
        far, before = np.full(columns, np.inf), np.full(columns, -1, np.int64)
        reached = np.zeros(columns, np.bool_)
        row, at, away = start, -1, 0.0
        while row >= 0:
            through = away + cost[row] - of_row[row] - of_column
            is_nearer = ~reached & (through < far)
            far[is_nearer], before[is_nearer] = through[is_nearer], at
            at = int(np.argmin(np.where(reached, np.inf, far)))
            away, reached[at], row = float(far[at]), True, int(holder[at])
        of_row[start] += away
        held = reached & (holder >= 0)
        of_row[holder[held]] += away - far[held]
        of_column[reached] -= away - far[reached]
        while at >= 0:
            holder[at] = start if before[at] < 0 else holder[before[at]]
            at = int(before[at])
    found = np.zeros(rows, np.int64)
    found[holder[holder >= 0]] = np.flatnonzero(holder >= 0)
    return found

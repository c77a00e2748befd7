"""Topic shifts: where a run of pages goes over to something else.

Owns the cuts between topics, by how alike the pages before and after are (Hearst, 1997, TextTiling: depth of valleys).
Knows nothing about what the vectors stand for.
"""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]

_BESIDE = 2
"""Pages on either side of a gap that are compared."""
_LEAST = 2
"""Pages that a topic has."""
_LEAST_DEPTH = 0.05
"""Cosine that a valley must be deep, whatever the others are like."""


def topics_of(vectors: Vectors) -> list[tuple[int, int]]:
    """Return (first, last) rows of each stretch about one topic, both included, that together cover all rows.

    Args:
        vectors: (n, dimension), a row for each page in order; a row of zeros, for a page without words, is like any.
    """
    count = len(vectors)
    if not count:
        return []
    starts = [0, *_cuts(_depths(_likeness(vectors))), count]
    return [(first, after - 1) for first, after in itertools.pairwise(starts)]


def _likeness(vectors: Vectors) -> Floats:
    """Return (n - 1,) the cosine of the pages before each gap with those after; nan where either has no words."""
    found = np.full(max(len(vectors) - 1, 0), np.nan)
    for gap in range(len(found)):
        before = vectors[max(gap + 1 - _BESIDE, 0) : gap + 1].sum(axis=0)
        after = vectors[gap + 1 : gap + 1 + _BESIDE].sum(axis=0)
        length = float(np.linalg.norm(before) * np.linalg.norm(after))
        if length > 0:
            found[gap] = float(before @ after) / length
    return np.nan_to_num(found, nan=float(np.nanmean(found)) if not np.isnan(found).all() else 1.0)


def _depths(likeness: Floats) -> Floats:
    """Return (n,) how far each value lies under the peaks that rise from it on both sides, together."""
    depths = np.zeros(len(likeness))
    for at, value in enumerate(likeness):
        left = right = at
        while left > 0 and likeness[left - 1] >= likeness[left]:
            left -= 1
        while right < len(likeness) - 1 and likeness[right + 1] >= likeness[right]:
            right += 1
        depths[at] = likeness[left] + likeness[right] - 2 * value
    return depths


def _cuts(depths: Floats) -> list[int]:
    """Return the rows that begin a topic: after gaps deeper than most, the deepest first where two are too near."""
    least = max(float(depths.mean() + depths.std() / 2), _LEAST_DEPTH) if len(depths) else 0.0
    chosen: list[int] = []
    for gap in np.argsort(-depths, kind="stable").tolist():
        start = gap + 1
        is_apart = all(abs(start - other) >= _LEAST for other in (*chosen, 0, len(depths) + 1))
        if depths[gap] > least and is_apart:
            chosen.append(start)
    return sorted(chosen)

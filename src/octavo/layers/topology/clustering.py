"""One level of the tree: vectors to overlapping clusters.

Owns when one mixture is fitted and when too many vectors are first parted. Knows nothing about text or levels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.document import Rows
from octavo.layers.topology.mixtures import LEAST_PROBABILITY, Memberships, best_mixture, memberships, probabilities
from octavo.layers.topology.reduction import NEIGHBOURS, nearest, spectral
from octavo.models.ports import Vectors

FEW = 6
"""Nodes that are summed up together, without clustering."""
MOST_TOGETHER = 1200
"""Vectors of one mixture; more are parted before, since the time for one grows with the square of their number."""


def clusters_of(vectors: Vectors, sizes: npt.NDArray[np.int64], room: int) -> Memberships:
    """Return the clusters of vectors of length 1.

    There are at least so many that a cluster of mean size has its text in `room`, where `sizes` are those of the texts.
    """
    if len(vectors) <= FEW:
        return [dict.fromkeys(range(len(vectors)), 1.0)] if len(vectors) else []
    from threadpoolctl import threadpool_limits

    found: Memberships = []
    # Matrices of 10 by 10 are faster on one thread, and the same on every machine.
    with threadpool_limits(limits=1, user_api="blas"):
        for rows in _parted(vectors, np.arange(len(vectors))):
            least = min(max(2, -(-int(sizes[rows].sum()) // room)), len(rows) // 2)
            coordinates = spectral(vectors[rows])
            local = memberships(probabilities(best_mixture(coordinates, least), coordinates))
            found += [{int(rows[at]): weight for at, weight in cluster.items()} for cluster in local]
    return found


def assigned(vectors: Vectors, known: Vectors, probabilities: Any) -> npt.NDArray[np.float64]:
    """Return (n, n_clusters) probabilities of new vectors: those of their nearest known ones, weighted by cosine.

    Measured, this puts them nearer to the centre of their cluster than the mixture does after `reduction.extend`.
    `probabilities` are the (n_known, n_clusters) of the known ones, dense or sparse; the result is dense.
    """
    from scipy import sparse

    rows, cosines = nearest(vectors, known, NEIGHBOURS)
    weights = cosines**8 + 1e-12  # near ones count most: at equal weight a cluster of 8 loses against one of 40
    starts = np.arange(len(rows) + 1) * rows.shape[1]
    votes: Any = sparse.csr_array((weights.ravel(), rows.ravel(), starts), shape=(len(vectors), len(known)))
    voted: npt.NDArray[np.float64] = (votes @ sparse.csr_array(probabilities)).toarray()
    voted /= voted.sum(axis=1, keepdims=True)
    voted[voted <= np.minimum(LEAST_PROBABILITY, voted.max(axis=1, keepdims=True) * 0.999)] = 0.0
    return voted


def _parted(vectors: Vectors, rows: Rows) -> list[Rows]:
    """Return rows in parts of at most `MOST_TOGETHER`, halved along the direction in which they differ most."""
    if len(rows) <= MOST_TOGETHER:
        return [rows]
    centred = vectors[rows] - vectors[rows].mean(axis=0)
    _, directions = np.linalg.eigh(centred.T @ centred)
    order = np.argsort(centred @ directions[:, -1], kind="stable")
    half = len(rows) // 2
    return [part for side in (order[:half], order[half:]) for part in _parted(vectors, np.sort(rows[side]))]

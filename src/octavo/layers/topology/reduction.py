"""From vectors to few coordinates: spectral embedding of the graph of nearest neighbours, by cosine.

Owns the graph and its eigenvectors. Chosen by measurement over principal components and random projection
(`benchmarks/topology.py`): mixtures over it agree best between seeds and BIC finds clusters of a useful size. UMAP,
which published code uses, compiles for seconds, is not the same on every run with threads, and costs most of the time.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.models.ports import Vectors

DIMENSIONS = 10
NEIGHBOURS = 15
Coordinates = npt.NDArray[np.float64]
"""(n, dimensions) float64, each column of variance 1."""


def nearest(vectors: Vectors, among: Vectors, count: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return the rows of the `count` nearest of `among` to each vector, nearest first, and their cosines, 0 or more."""
    cosines = vectors @ among.T
    rows = np.argsort(-cosines, axis=1, kind="stable")[:, :count]
    return rows, np.maximum(np.take_along_axis(cosines, rows, axis=1), 0.0).astype(np.float64)


def spectral(vectors: Vectors) -> Coordinates:
    """Return the coordinates of vectors of length 1, at least 3: eigenvectors of their normalised neighbour graph.

    Signs are fixed, so that equal vectors give equal bytes.
    """
    from scipy import linalg

    size = len(vectors)
    kept = min(DIMENSIONS, max(2, math.isqrt(size)), size - 1)
    affinity = _graph(vectors)
    degree = np.sqrt(affinity.sum(axis=1))
    normal = affinity / degree[:, None] / degree[None, :]
    solve: Any = linalg.eigh  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    found: Coordinates = solve(normal, subset_by_index=[size - 1 - kept, size - 2], check_finite=False)[1]
    coordinates = found[:, ::-1] / degree[:, None]
    largest = np.take_along_axis(coordinates, np.abs(coordinates).argmax(axis=0)[None], axis=0)
    spread = coordinates.std(axis=0)
    return coordinates * np.where(largest < 0, -1.0, 1.0) / np.where(spread > 0, spread, 1.0)


def extend(vectors: Vectors, known: Vectors, coordinates: Coordinates) -> Coordinates:
    """Return coordinates of vectors that were not there: the mean of their nearest neighbours' by cosine."""
    rows, cosines = nearest(vectors, known, NEIGHBOURS)
    weights = cosines + 1e-9
    return np.einsum("ij,ijk->ik", weights / weights.sum(axis=1, keepdims=True), coordinates[rows])


def _graph(vectors: Vectors) -> npt.NDArray[np.float64]:
    """Return the symmetric (n, n) graph: the cosine where one is among the nearest of the other.

    A little is added everywhere, so that no part stands apart and every degree is above 0.
    """
    size = len(vectors)
    rows, cosines = nearest(vectors, vectors, min(NEIGHBOURS, size - 1) + 1)
    affinity = np.zeros((size, size))
    np.put_along_axis(affinity, rows, cosines, axis=1)
    np.fill_diagonal(affinity, 0.0)
    return np.maximum(affinity, affinity.T) + 1e-6

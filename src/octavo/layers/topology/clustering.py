"""One level of the tree: vectors to overlapping clusters, by Gaussian mixtures over few coordinates.

The coordinates are a spectral embedding of the graph of nearest neighbours, by cosine. It was chosen by measurement
over principal components and random projection (`benchmarks/topology.py`): mixtures over it agree best between seeds
and BIC finds clusters of a useful size. UMAP, which published code uses, compiles for seconds, is not the same on every
run with threads, and costs most of the time.
"""

from __future__ import annotations

import dataclasses
import math
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.document import Rows
from octavo.models.ports import Vectors

FEW = 6
"""Nodes that are summed up together, without clustering."""
MOST_TOGETHER = 1200
"""Vectors of one mixture; more are parted before, since the time for one grows with the square of their number."""
DIMENSIONS = 10
NEIGHBOURS = 15
Coordinates = npt.NDArray[np.float64]
"""(n, dimensions) float64, each column of variance 1."""
Floats = npt.NDArray[np.float64]
LEAST_PROBABILITY = 0.1
"""A row belongs to every component more probable than this."""
_STEP = 1.15
"""Each number of components tried is so many times the one before: BIC is flat between."""
_PATIENCE = 3
"""Numbers in a row that may fail to improve BIC before the search ends."""
_SEED = 0
_ITERATIONS = 50
_SMALL_GAIN = 1e-3
"""Mean log-likelihood that an iteration adds when it is the last."""
_LEAST_SPREAD = 1e-3
"""Added to the variances, which are 1 over all rows: rows that coincide have a finite density."""
_NOTHING = 1e-14
"""Added to the weight of components, of which some may be left empty."""
Memberships = list[dict[int, float]]
"""For each cluster its rows, ascending, with their probabilities."""


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

    Measured, this puts them nearer to the centre of their cluster than the mixture does for the mean coordinates of
    their neighbours (`benchmarks/topology.py`). `probabilities` are the (n_known, n_clusters) of the known ones, dense
    or sparse; the result is dense.
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


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Mixture:
    """Gaussians that share their covariance.

    `means` are (n_components, dimensions), `weights` (n_components,) sum to 1, and rows times the (dimensions,
    dimensions) `whitening` have variance 1 about their component.
    """

    means: Floats
    weights: Floats
    whitening: Floats

    @property
    def n_components(self) -> int:
        """The number of components."""
        return len(self.means)

    def densities(self, coordinates: Coordinates) -> Floats:
        """Return (n, n_components) the logarithms of weight times density of each component at each row."""
        rows, means = coordinates @ self.whitening, self.means @ self.whitening
        far = np.einsum("ij,ij->i", rows, rows)[:, None] + np.einsum("ij,ij->i", means, means) - 2.0 * rows @ means.T
        volume = np.log(np.diag(self.whitening)).sum() - 0.5 * rows.shape[1] * np.log(2 * np.pi)
        return np.log(self.weights) + volume - 0.5 * far

    def score(self, coordinates: Coordinates) -> float:
        """Return the mean log-likelihood of rows."""
        return float(_shares(self.densities(coordinates))[1].mean())

    def bic(self, coordinates: Coordinates) -> float:
        """Return the Bayesian information criterion for rows; lower is better."""
        number, size = self.means.shape
        free = size * (size + 1) // 2 + number * size + number - 1
        return -2 * len(coordinates) * self.score(coordinates) + free * float(np.log(len(coordinates)))

    def predict(self, coordinates: Coordinates) -> npt.NDArray[np.int64]:
        """Return (n,) the most probable component of each row."""
        return self.densities(coordinates).argmax(axis=1)


def numbers_tried(least: int, most: int) -> list[int]:
    """Return the numbers of components in the order they are tried, growing by 15 %."""
    numbers = [least]
    while (following := max(numbers[-1] + 1, round(numbers[-1] * _STEP))) <= most:
        numbers.append(following)
    return numbers


def best_mixture(coordinates: Coordinates, least: int) -> Mixture:
    """Return the mixture with the lowest BIC, from `least` components to a third of the rows; ends when BIC rises."""
    best, lowest, failed = None, np.inf, 0
    for number in numbers_tried(least, max(least, len(coordinates) // 3)):
        fitted = fit(coordinates, number)
        score = fitted.bic(coordinates)
        if best is None or score < lowest:
            best, lowest, failed = fitted, score, 0
            continue
        failed += 1
        if failed == _PATIENCE:
            break
    if best is None:
        raise ValueError("a mixture needs at least one component")
    return best


def fit(coordinates: Coordinates, number: int, seed: int = _SEED) -> Mixture:
    """Return a mixture of `number` components, begun at k-means."""
    products = coordinates.T @ coordinates
    mixture = _begun(coordinates, products, number, seed)
    reached = -np.inf
    for _ in range(_ITERATIONS):
        shares, likelihoods = _shares(mixture.densities(coordinates))
        mixture = _mixture(coordinates, products, shares)
        before, reached = reached, float(likelihoods.mean())
        if reached - before < _SMALL_GAIN:
            break
    return mixture


def _begun(coordinates: Coordinates, products: Floats, number: int, seed: int) -> Mixture:
    from scipy.cluster import vq

    with warnings.catch_warnings():
        # Clusters left empty are no fault here: the best of several mixtures is taken.
        warnings.simplefilter("ignore")
        kmeans: Any = vq.kmeans2  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        labels: npt.NDArray[np.int64] = kmeans(coordinates, number, minit="++", seed=np.random.default_rng(seed))[1]
    shares = np.zeros((len(coordinates), number))
    shares[np.arange(len(labels)), labels] = 1.0
    return _mixture(coordinates, products, shares)


def _mixture(coordinates: Coordinates, products: Floats, shares: Floats) -> Mixture:
    """Return the mixture of highest likelihood for (n, n_components) shares; `products` are those of columns."""
    sums = shares.sum(axis=0) + _NOTHING
    means = shares.T @ coordinates / sums[:, None]
    covariance = (products - (sums[:, None] * means).T @ means) / sums.sum() + _LEAST_SPREAD * np.eye(len(products))
    algebra: Any = np.linalg
    whitening: Floats = algebra.inv(algebra.cholesky(covariance)).T
    return Mixture(means, sums / sums.sum(), whitening)


def _shares(densities: Floats) -> tuple[Floats, Floats]:
    """Return how probable each component is for each row, and the log-likelihood of each row."""
    highest = densities.max(axis=1, keepdims=True)
    shares = np.exp(densities - highest)
    total = shares.sum(axis=1, keepdims=True)
    shares /= total
    return shares, (highest + np.log(total))[:, 0]


def probabilities(mixture: Mixture, coordinates: Coordinates) -> Floats:
    """Return (n, n_components) how probable each component is for each row."""
    return _shares(mixture.densities(coordinates))[0]


def memberships(shares: Floats) -> Memberships:
    """Return the clusters of (n, n_components) probabilities; empty ones and repeats are left out.

    A row that no component claims with more than 0.1 belongs to its most probable one.
    """
    belongs = shares > LEAST_PROBABILITY
    belongs[np.arange(len(belongs)), shares.argmax(axis=1)] = True
    found: dict[tuple[int, ...], dict[int, float]] = {}
    for number in range(shares.shape[1]):
        rows = np.flatnonzero(belongs[:, number])
        if len(rows):
            found.setdefault(tuple(rows.tolist()), dict(zip(rows.tolist(), shares[rows, number].tolist(), strict=True)))
    return list(found.values())

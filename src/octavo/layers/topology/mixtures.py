# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
"""Gaussian mixtures over few coordinates: how many components, and which rows belong to which.

Owns the fit (expectation maximisation, one covariance that all components share), the search over the number of
components by BIC, with an early stop, and soft assignment. Knows nothing about text.
"""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.layers.topology.reduction import Coordinates

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
        kmeans: Any = vq.kmeans2
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

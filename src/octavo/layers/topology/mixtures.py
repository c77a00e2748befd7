# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
"""Gaussian mixtures over few coordinates: how many components, and which rows belong to which.

Owns the search over the number of components by BIC, with an early stop, and soft assignment. Knows nothing about text.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from octavo.layers.topology.reduction import Coordinates

if TYPE_CHECKING:
    from sklearn.mixture import GaussianMixture

LEAST_PROBABILITY = 0.1
"""A row belongs to every component more probable than this."""
_STEP = 1.15
"""Each number of components tried is so many times the one before: BIC is flat between."""
_PATIENCE = 3
"""Numbers in a row that may fail to improve BIC before the search ends."""
_SEED = 0
_ITERATIONS = 50
_LEAST_SPREAD = 1e-3
"""Added to the variances, which are 1 over all rows: rows that coincide have a finite density."""
Memberships = list[dict[int, float]]
"""For each cluster its rows, ascending, with their probabilities."""


def numbers_tried(least: int, most: int) -> list[int]:
    """Return the numbers of components in the order they are tried, growing by 15 %."""
    numbers = [least]
    while (following := max(numbers[-1] + 1, round(numbers[-1] * _STEP))) <= most:
        numbers.append(following)
    return numbers


def best_mixture(coordinates: Coordinates, least: int) -> GaussianMixture:
    """Return the mixture with the lowest BIC, from `least` components to a third of the rows; ends when BIC rises."""
    best, lowest, failed = None, np.inf, 0
    for number in numbers_tried(least, max(least, len(coordinates) // 3)):
        fitted = fit(coordinates, number)
        score = float(fitted.bic(coordinates))
        if best is None or score < lowest:
            best, lowest, failed = fitted, score, 0
            continue
        failed += 1
        if failed == _PATIENCE:
            break
    if best is None:
        raise ValueError("a mixture needs at least one component")
    return best


def fit(coordinates: Coordinates, number: int, covariance: str = "tied", seed: int = _SEED) -> GaussianMixture:
    """Return a mixture of `number` components, begun at k-means; `covariance` as scikit-learn names it."""
    from scipy.cluster import vq
    from sklearn.mixture import GaussianMixture

    with warnings.catch_warnings():
        # Clusters left empty and iterations used up are no faults here: the best of several mixtures is taken.
        warnings.simplefilter("ignore")
        kmeans: Any = vq.kmeans2
        means, labels = kmeans(coordinates, number, minit="++", seed=np.random.default_rng(seed))
        counts = np.bincount(labels, minlength=number) + 1.0
        mixture = GaussianMixture(
            number,
            covariance_type=covariance,
            means_init=means,
            weights_init=counts / counts.sum(),
            precisions_init=_precisions(coordinates - means[labels], number, covariance),
            reg_covar=_LEAST_SPREAD,
            max_iter=_ITERATIONS,
        )
        return mixture.fit(coordinates)


def _precisions(residuals: Coordinates, number: int, covariance: str) -> npt.NDArray[np.float64]:
    """Return the inverse of the spread about the means, the same for all components, in scikit-learn's shape."""
    size = residuals.shape[1]
    pooled = residuals.T @ residuals / len(residuals) + _LEAST_SPREAD * np.eye(size)
    if covariance == "diag":
        return np.tile(1.0 / np.diag(pooled), (number, 1))
    inverse = np.asarray(np.linalg.inv(pooled), np.float64)
    return inverse if covariance == "tied" else np.tile(inverse, (number, 1, 1))


def probabilities(mixture: GaussianMixture, coordinates: Coordinates) -> npt.NDArray[np.float64]:
    """Return (n, n_components) how probable each component is for each row."""
    return mixture.predict_proba(coordinates)


def memberships(shares: npt.NDArray[np.float64]) -> Memberships:
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

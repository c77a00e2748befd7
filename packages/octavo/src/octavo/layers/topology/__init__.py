"""The topology layer: leaves of a document, clustered by meaning across its pages, summed up level by level.

MMRAG-DocQA, equations 7 and 8. Leaves have the vectors of the passages they are of, which are there already and know
the headings above. When a document changes, new leaves join clusters there are, and only what changed is summed up
again.

Clusters overlap: they are Gaussian mixtures over few coordinates, a spectral embedding of the graph of nearest
neighbours, by cosine. It was chosen by measurement over principal components and random projection
(`benchmarks/topology.py`): mixtures over it agree best between seeds and BIC finds clusters of a useful size. UMAP,
which published code uses, compiles for seconds, is not the same on every run with threads, and costs most of the time.
"""

from __future__ import annotations

import dataclasses
import math
import warnings
from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.decisions.summarize import SUMMARIZE
from octavo.evidence import PassageTable
from octavo.evidence.view import vectors_of_bytes
from octavo.layers.base import Layer, LayerInputs, rehearsed, text_embedding
from octavo.layers.topology.tree import (
    LEAF_TOKENS,
    ROOM,
    Leaf,
    Levels,
    TreeNode,
    cluster,
    leaf,
    leaves_of,
    of_bytes,
    size_of,
    summed_up,
    to_bytes,
)
from octavo.layers.vectors import unit
from octavo.models.ports import Vectors
from octavo_documents.document import Document, Rows

FEW = 6
"""Nodes that are summed up together, without clustering."""
MOST_TOGETHER = 1200
"""Vectors of one mixture; more are parted before, since the time for one grows with the square of their number."""
DIMENSIONS = 10
NEIGHBOURS = 15
Coordinates = npt.NDArray[np.float64]
"""(n, dimensions) float64, each column of variance 1."""
Floats = npt.NDArray[np.float64]
_LEAST_PROBABILITY = 0.1
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
_Memberships = list[dict[int, float]]
"""For each cluster its rows, ascending, with their probabilities."""


def clusters_of(vectors: Vectors, sizes: npt.NDArray[np.int64], room: int) -> _Memberships:
    """Return the clusters of vectors of length 1.

    There are at least so many that a cluster of mean size has its text in `room`, where `sizes` are those of the texts.
    """
    if len(vectors) <= FEW:
        return [dict.fromkeys(range(len(vectors)), 1.0)] if len(vectors) else []
    from threadpoolctl import threadpool_limits

    found: _Memberships = []
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
    voted[voted <= np.minimum(_LEAST_PROBABILITY, voted.max(axis=1, keepdims=True) * 0.999)] = 0.0
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
        return float(_responsibilities(self.densities(coordinates))[1].mean())

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
        shares, likelihoods = _responsibilities(mixture.densities(coordinates))
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


def _responsibilities(densities: Floats) -> tuple[Floats, Floats]:
    """Return how probable each component is for each row, and the log-likelihood of each row."""
    highest = densities.max(axis=1, keepdims=True)
    shares = np.exp(densities - highest)
    total = shares.sum(axis=1, keepdims=True)
    shares /= total
    return shares, (highest + np.log(total))[:, 0]


def probabilities(mixture: Mixture, coordinates: Coordinates) -> Floats:
    """Return (n, n_components) how probable each component is for each row."""
    return _responsibilities(mixture.densities(coordinates))[0]


def memberships(shares: Floats) -> _Memberships:
    """Return the clusters of (n, n_components) probabilities; empty ones and repeats are left out.

    A row that no component claims with more than 0.1 belongs to its most probable one.
    """
    belongs = shares > _LEAST_PROBABILITY
    belongs[np.arange(len(belongs)), shares.argmax(axis=1)] = True
    found: dict[tuple[int, ...], dict[int, float]] = {}
    for number in range(shares.shape[1]):
        rows = np.flatnonzero(belongs[:, number])
        if len(rows):
            found.setdefault(tuple(rows.tolist()), dict(zip(rows.tolist(), shares[rows, number].tolist(), strict=True)))
    return list(found.values())


MOST_LEVELS = 5
"""Levels above the leaves."""
_MOST_NEW = 0.2
"""Share of leaves that may be new: a tree that has grown more is built anew, as no cluster is ever parted here."""
_TOGETHER = 256
"""New leaves that are compared with all old ones at a time, which bounds the memory."""


def built(inputs: LayerInputs) -> Levels:
    """Return the tree of a document; no level at all for one without text."""
    found, headings = read(inputs.document, PassageTable.from_bytes(inputs.stored["passages"]))
    if not found:
        return []
    levels = [nodes_of(inputs, found, headings)]
    groups = [one.passage for one in found]
    while len(levels) <= MOST_LEVELS and len(levels[-1]) > 1:
        below = levels[-1]
        levels.append(summed_up(inputs, below, _clusters(below, groups)))
        groups = list(range(len(levels[-1])))
    return levels


def _clusters(below: Sequence[TreeNode], groups: Sequence[int]) -> _Memberships:
    """Return the clusters of nodes; those of one group, which have one vector, are clustered as one."""
    members: defaultdict[int, list[int]] = defaultdict(list)
    for at, group in enumerate(groups):
        members[group].append(at)
    together = list(members.values())
    sizes = np.array([sum(size_of(below[at].text) for at in rows) for rows in together])
    found = clusters_of(unit(np.stack([below[rows[0]].vector for rows in together])), sizes, ROOM)
    return [{at: weight for number, weight in cluster.items() for at in together[number]} for cluster in found]


def read(document: Document, passages: PassageTable) -> tuple[list[Leaf], list[str]]:
    """Return the leaves of a document and the innermost heading of each."""
    found = leaves_of(document, passages)
    # Later parts of a block that was split have a table's header at the end of their path.
    whole = np.maximum.accumulate(np.where(passages.char_start == 0, np.arange(len(passages)), 0))
    return found, [passages.heading[int(whole[one.passage])].split(" > ")[-1] for one in found]


def nodes_of(inputs: LayerInputs, found: Sequence[Leaf], headings: Sequence[str]) -> list[TreeNode]:
    """Return leaves as nodes, with the vectors of their passages."""
    vectors = vectors_of_bytes(inputs.stored["vectors"])
    nodes = zip(found, headings, strict=True)
    return [leaf(one.text, vectors[one.passage], one.blocks, heading) for one, heading in nodes]


@dataclasses.dataclass(frozen=True, slots=True)
class _Change:
    """What became of a level: where its old nodes are now, and which of the new ones say something new."""

    nodes: list[TreeNode]
    moved: dict[int, int]
    fresh: frozenset[int]


def is_alike(stored: bytes, inputs: LayerInputs) -> bool:
    """Whether most leaves of the document of `inputs` are in a stored tree, and most of the tree's in the document."""
    levels = of_bytes(stored)
    found, _ = read(inputs.document, PassageTable.from_bytes(inputs.stored["passages"]))
    old, new = (
        Counter(node.text for node in levels[0]) if levels else Counter[str](),
        Counter(one.text for one in found),
    )
    return (old & new).total() >= (1 - _MOST_NEW) * max(old.total(), new.total(), 1)


def updated(stored: bytes, inputs: LayerInputs) -> bytes:
    """Return a stored tree brought up to the document of `inputs`, of which it was an earlier state.

    Leaves are known by their text. New ones go to the clusters of their nearest neighbours; a cluster whose members
    are the same and say the same keeps its summary, and no decision is asked for it.
    """
    levels = of_bytes(stored)
    if len(levels) < 2:
        return to_bytes(built(inputs))
    change = _leaves(levels[0], inputs)
    joined = _joined(levels, change)
    grown: Levels = [change.nodes]
    for level in levels[1:]:
        change = _level(level, change, joined, inputs)
        joined = {}
        grown.append(change.nodes)
    return to_bytes([level for level in grown if level])


def _leaves(old: Sequence[TreeNode], inputs: LayerInputs) -> _Change:
    """Match the leaves of the document with those of the tree by text, in order; make nodes of those that are new."""
    found, headings = read(inputs.document, PassageTable.from_bytes(inputs.stored["passages"]))
    known: defaultdict[str, deque[int]] = defaultdict(deque)
    for at, node in enumerate(old):
        known[node.text].append(at)
    before = [known[one.text].popleft() if known[one.text] else None for one in found]
    new = [at for at, was in enumerate(before) if was is None]
    nodes = dict(zip(new, nodes_of(inputs, [found[at] for at in new], [headings[at] for at in new]), strict=True))
    for at, was in enumerate(before):
        if was is not None:
            nodes[at] = dataclasses.replace(old[was], blocks=frozenset(found[at].blocks))
    moved = {was: at for at, was in enumerate(before) if was is not None}
    return _Change([nodes[at] for at in range(len(found))], moved, frozenset(new))


def _joined(levels: Levels, change: _Change) -> dict[int, dict[int, float]]:
    """Return the new leaves of each first-level cluster with their probabilities."""
    new = sorted(change.fresh)
    joined: defaultdict[int, dict[int, float]] = defaultdict(dict)
    if not new:
        return joined
    known, shares = np.stack([node.vector for node in levels[0]]), _shares(levels)
    for first in range(0, len(new), _TOGETHER):
        some = new[first : first + _TOGETHER]
        found = assigned(np.stack([change.nodes[at].vector for at in some]), known, shares)
        for at, number in zip(*np.nonzero(found), strict=True):
            joined[int(number)][some[int(at)]] = float(found[at, number])
    return joined


def _shares(levels: Levels) -> Any:
    """Return the sparse (n_leaves, n_clusters) probabilities of the leaves in the clusters of the first level."""
    from scipy.sparse import csr_array

    places = [(at, number) for number, node in enumerate(levels[1]) for at in node.members]
    weights = [weight for node in levels[1] for weight in node.members.values()]
    return csr_array((weights, np.array(places, np.int64).reshape(-1, 2).T), shape=(len(levels[0]), len(levels[1])))


def _level(
    level: Sequence[TreeNode], change: _Change, joined: dict[int, dict[int, float]], inputs: LayerInputs
) -> _Change:
    """Return a level over a changed one: clusters left empty are gone, those with other members summed up again."""
    kept: list[tuple[int, dict[int, float]]] = []
    stale: list[int] = []
    for number, node in enumerate(level):
        members = {change.moved[at]: weight for at, weight in node.members.items() if at in change.moved}
        lost = len(members) < len(node.members)
        members |= joined.get(number, {})
        if members and (lost or change.fresh & members.keys()):
            stale.append(len(kept))
        if members:
            kept.append((number, members))
    renewed = dict(zip(stale, summed_up(inputs, change.nodes, [kept[at][1] for at in stale]), strict=True))
    nodes = [
        renewed.get(at) or cluster(level[was].text, level[was].vector, change.nodes, members)
        for at, (was, members) in enumerate(kept)
    ]
    fresh = frozenset(at for at in stale if nodes[at].text != level[kept[at][0]].text)
    return _Change(nodes, {was: at for at, (was, _) in enumerate(kept)}, fresh)


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `Topology` of a document, with the vectors of its nodes under "vectors".

    Where a model sums up and most of the text was there before, the tree of before grows: what did not change is not
    paid for again.
    """
    if inputs.earlier is not None and inputs.judge.has_model(SUMMARIZE.name) and is_alike(inputs.earlier, inputs):
        return updated(inputs.earlier, inputs)
    return to_bytes(built(inputs))


TOPOLOGY = Layer(
    name="topology",
    version=2,
    reads=("passages", "vectors"),
    build=build,
    model=text_embedding,
    decisions=(SUMMARIZE.name,),
    parameters=(
        f"leaf={LEAF_TOKENS} room={ROOM} dimensions={DIMENSIONS} neighbours={NEIGHBOURS} "
        f"probability={_LEAST_PROBABILITY} levels={MOST_LEVELS}"
    ),
    estimate=rehearsed(build),
    keeps_previous=True,
)

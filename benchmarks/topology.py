"""The cross-page tree: time to cluster, quality against a full search with full covariances, and whole trees.

    python benchmarks/topology.py blobs [--leaves 800] [--seeds 3] [--step 4]
    python benchmarks/topology.py documents --corpus INDEX --only NAME ... [--step 4] [--reductions]
    python benchmarks/topology.py scale [--leaves 2000,6000,12000,25000,50000]

`blobs` clusters made vectors whose components are known: adjusted Rand index with them. `documents` takes the vectors
of indexed documents' passages. Both fit on four fifths of the vectors and compare the mixture the layer uses (tied
covariance, early stop) with the best BIC of a sweep, every `--step`th number of components from 2 to twice the least
the layer tries, with tied and with full covariances: seconds, adjusted Rand index, mean log-likelihood of the other
fifth. Seconds are of the processor. `documents` also prints the tree that the rules build, the share of members that
summaries are made from, and how near the estimate of calls comes. `--reductions` compares ways to reduce. `scale`
builds the whole trees of generated documents of about so many leaves, with the rules and vectors of hashed words:
seconds, and the most memory that the process has taken so far.
"""

from __future__ import annotations

import argparse
import dataclasses
import resource
import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture

import octavo
from layers import generated
from octavo.decisions.engine.judge import Judge
from octavo.evidence.layer_tables import Topology
from octavo.layers import LAYERS
from octavo.layers.base import LayerInputs
from octavo.layers.topology import (
    DIMENSIONS,
    NEIGHBOURS,
    TOPOLOGY,
    assigned,
    best_mixture,
    built,
    clusters_of,
    fit,
    nearest,
    numbers_tried,
    probabilities,
    spectral,
)
from octavo.layers.topology.tree import ROOM, shown_of, size_of
from octavo.models.embedders import embedder
from octavo.models.ports import TextEmbedder, Vectors
from octavo.models.scripted import ScriptedModel
from octavo_documents.document import Document

SIZE = 150
"""Estimated tokens of a leaf where there is no text."""
LEAVES_OF_A_PAGE = 9
"""Leaves that a page of a generated document has."""
Ints = npt.NDArray[np.int64]


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    started = time.process_time()
    return work(), time.process_time() - started


def swept(coordinates: npt.NDArray[np.float64], numbers: Sequence[int], covariance: str) -> Any:
    """Return the mixture of the lowest BIC of the numbers of components."""
    tried = [fitted(coordinates, number, covariance) for number in numbers]
    return min(tried, key=lambda mixture: mixture.bic(coordinates))


def fitted(coordinates: npt.NDArray[np.float64], number: int, covariance: str, seed: int = 0) -> Any:
    """Return a mixture: the layer's own, or that of scikit-learn where components do not share their covariance."""
    if covariance == "tied":
        return fit(coordinates, number, seed)
    made = GaussianMixture(
        number, covariance_type=covariance, init_params="k-means++", reg_covar=1e-3, max_iter=50, random_state=seed
    )
    return made.fit(coordinates)


def extend(vectors: Vectors, known: Vectors, coordinates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return coordinates of vectors that were not there: the mean of their nearest neighbours' by cosine."""
    rows, cosines = nearest(vectors, known, NEIGHBOURS)
    weights = cosines + 1e-9
    return np.einsum("ij,ijk->ik", weights / weights.sum(axis=1, keepdims=True), coordinates[rows])


def compare(name: str, vectors: Vectors, sizes: Ints, labels: Ints | None, step: int) -> None:
    """Print the figures of one set of vectors."""
    order = np.random.default_rng(0).permutation(len(vectors))
    test, train = order[: len(order) // 5], np.sort(order[len(order) // 5 :])
    _, whole = timed(lambda: clusters_of(vectors, sizes, ROOM))
    coordinates = spectral(vectors[train])
    held = extend(vectors[test], vectors[train], coordinates)
    least = max(2, -(-int(sizes[train].sum()) // ROOM))
    numbers = range(2, 2 * least + 1, step)
    runs = {
        "layer": timed(lambda: best_mixture(coordinates, least)),
        "tied, swept": timed(lambda: swept(coordinates, numbers, "tied")),
        "full, swept": timed(lambda: swept(coordinates, numbers, "full")),
    }
    runs["full, as many"] = timed(lambda: fitted(coordinates, runs["layer"][0].n_components, "full"))
    print(f"{name}: {len(vectors)} vectors clustered in {whole:.2f} s; at least {least} components")
    own = runs["layer"][0].predict(coordinates)
    for what, (mixture, seconds) in runs.items():
        predicted = mixture.predict(coordinates)
        known = "" if labels is None else f", with the truth {adjusted_rand_score(labels[train], predicted):.2f}"
        print(
            f"  {what:18} {mixture.n_components:4} components {seconds:6.2f} s; Rand with layer "
            f"{adjusted_rand_score(own, predicted):.2f}{known}; log-likelihood held out {mixture.score(held):7.2f}, "
            f"fitted {mixture.score(coordinates):7.2f}; BIC {mixture.bic(coordinates):9.0f}"
        )
    mixture = runs["layer"][0]
    shares = probabilities(mixture, coordinates)
    ways = {"vote": assigned(vectors[test], vectors[train], shares).argmax(axis=1), "mixture": mixture.predict(held)}
    near = {way: nearness(vectors, train, test, own, found) for way, found in ways.items()}
    print(f"  new leaves, cosine to the centre of their cluster: {', '.join(f'{w} {v:.3f}' for w, v in near.items())}")
    again = [best_fixed(coordinates, mixture.n_components, seed) for seed in (1, 2)]
    print(f"  Rand between seeds {adjusted_rand_score(*again):.2f}")


def nearness(vectors: Vectors, train: Ints, test: Ints, own: Ints, found: Ints) -> float:
    """Return the mean cosine of new vectors to the centres of the clusters they were given."""
    centres = np.zeros((max(own.max(), found.max()) + 1, vectors.shape[1]))
    np.add.at(centres, own, vectors[train])
    centres /= np.maximum(np.linalg.norm(centres, axis=1, keepdims=True), 1e-9)
    return float((vectors[test] * centres[found]).sum(axis=1).mean())


def best_fixed(coordinates: npt.NDArray[np.float64], number: int, seed: int) -> Ints:
    return fit(coordinates, number, seed=seed).predict(coordinates)


def blobs(leaves: int, seed: int) -> tuple[Vectors, Ints]:
    """Return vectors about 60 centres of a space of 384 dimensions, clusters of unequal size."""
    draw = np.random.default_rng(seed)
    shares = draw.dirichlet(np.full(60, 2.0))
    labels = draw.choice(60, size=leaves, p=shares)
    centres = draw.normal(size=(60, 384))
    vectors = (centres[labels] + 1.6 * draw.normal(size=(leaves, 384))).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True), labels.astype(np.int64)


# Ways to reduce


def principal(vectors: Vectors, size: int) -> npt.NDArray[np.float64]:
    centred = vectors - vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    return standard(centred @ directions[:size].T)


def projected(vectors: Vectors, size: int) -> npt.NDArray[np.float64]:
    return standard(vectors @ np.random.default_rng(0).normal(size=(vectors.shape[1], size)))


def standard(values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    return np.asarray(values / values.std(), np.float64)


def reductions(vectors: Vectors) -> None:
    """Print, by way to reduce: components by BIC from 2, how near leaves are to their centre, agreement of seeds."""
    ways = {
        "spectral": spectral,
        "principal": lambda one: principal(one, DIMENSIONS),
        "random": lambda one: projected(one, 40),
    }
    for name, reduce in ways.items():
        for covariance in ("tied", "diag"):
            coordinates, seconds = timed(lambda reduce=reduce: reduce(vectors))
            tried = [fitted(coordinates, number, covariance) for number in numbers_tried(2, len(vectors) // 3)]
            chosen = min(tried, key=lambda mixture: mixture.bic(coordinates)).n_components
            number = max(2, len(vectors) // 10)
            found = [fitted(coordinates, number, covariance, seed).predict(coordinates) for seed in (0, 1)]
            print(
                f"  {name:10} {covariance}: reduced in {seconds:.2f} s; {chosen:3} components by BIC; with {number}: "
                f"cosine to the centre {cohesion(vectors, found[0]):.3f}, "
                f"Rand between seeds {adjusted_rand_score(*found):.2f}"
            )


def cohesion(vectors: Vectors, labels: Ints) -> float:
    """Return the mean cosine of vectors to the mean of the others of their cluster; those alone count 0."""
    total = np.zeros((labels.max() + 1, vectors.shape[1]))
    np.add.at(total, labels, vectors)
    others = total[labels] - vectors
    return float(np.mean((vectors * others).sum(axis=1) / np.maximum(np.linalg.norm(others, axis=1), 1e-9)))


# Documents


def inputs_of(document: Document, model: Callable[[], TextEmbedder] = embedder) -> LayerInputs:
    """Return what the tree is built from."""
    stored: dict[str, bytes] = {}
    for name in ("passages", "vectors"):
        stored[name] = LAYERS[name].build(LayerInputs(document, stored, embedder=model))
    return LayerInputs(document, stored, embedder=model)


def show_tree(name: str, inputs: LayerInputs) -> None:
    document = inputs.document
    levels, seconds = timed(lambda: built(inputs))
    pairs = list(pairwise(levels))
    seen = [
        sum(len(shown_of(below, node.members)) for node in level) / sum(len(node.members) for node in level)
        for below, level in pairs
    ]
    calls = sum(-(-len(level) // 6) for _, level in pairs)
    pages = [
        np.mean([len({int(document.blocks.page[row]) for row in node.blocks}) for node in level]) for level in levels
    ]
    print(
        f"{name}: {len(document.pages)} pages, nodes {[len(level) for level in levels]}, built in {seconds:.1f} s; "
        f"members read {[f'{share:.0%}' for share in seen]}; pages of a node {[f'{mean:.1f}' for mean in pages]}; "
        f"{calls} calls, {estimated(inputs)} estimated"
    )


def estimated(inputs: LayerInputs) -> int:
    """Return the calls that the layer says it will take."""
    judge = Judge({"language": ScriptedModel([])})
    return len(TOPOLOGY.estimate(dataclasses.replace(inputs, judge=judge))) if TOPOLOGY.estimate else 0


def measure_documents(index: str, only: list[str], *, step: int, with_reductions: bool) -> None:
    corpus = octavo.open(index)
    for info in corpus.list():
        if not any(info.name.startswith(name) for name in only):
            continue
        view = corpus.view([info.id], layers=("passages", "vectors"))
        show_tree(info.name, inputs_of(view.documents[0]))
        vectors, texts = view.vectors("vectors"), view.passages.text
        compare(info.name, vectors, np.array([size_of(text) for text in texts]), None, step)
        if with_reductions:
            reductions(vectors)


# Size


class HashedWords:
    """An `Embedder` without a model: counts of hashed words, projected."""

    name = "hashed words"
    dimension = 384

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> Vectors:
        del progress
        projection = np.random.default_rng(0).standard_normal((4096, self.dimension)).astype(np.float32)
        counts = HashingVectorizer(n_features=len(projection), norm=None).transform(texts)
        vectors = np.asarray(counts @ projection, np.float32)
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def scale(leaves: Sequence[int]) -> None:
    """Print seconds and memory for documents of about so many leaves, small ones first."""
    for number in sorted(leaves):
        document = generated(max(1, number // LEAVES_OF_A_PAGE))
        inputs = inputs_of(document, HashedWords)
        tree, seconds = timed(lambda inputs=inputs: Topology.from_bytes(TOPOLOGY.build(inputs)))
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        print(
            f"{len(document.blocks):6} blocks, nodes {np.bincount(tree.nodes.level).tolist()}: {seconds:6.1f} s, "
            f"{1000 * seconds / np.count_nonzero(tree.nodes.level == 0):.2f} ms a leaf; at most {most / 1e9:.2f} GB",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="what", required=True)
    made = commands.add_parser("blobs")
    made.add_argument("--leaves", type=int, default=800)
    made.add_argument("--seeds", type=int, default=1)
    documents = commands.add_parser("documents")
    documents.add_argument("--corpus", required=True)
    documents.add_argument("--only", nargs="+", required=True)
    documents.add_argument("--reductions", action="store_true")
    sized = commands.add_parser("scale")
    sized.add_argument("--leaves", default="2000,6000,12000,25000,50000")
    for command in (made, documents):
        command.add_argument("--step", type=int, default=4)
    options = parser.parse_args()
    if options.what == "documents":
        measure_documents(options.corpus, options.only, step=options.step, with_reductions=options.reductions)
        return
    if options.what == "scale":
        scale([int(number) for number in options.leaves.split(",")])
        return
    for seed in range(options.seeds):
        vectors, labels = blobs(options.leaves, seed)
        compare(f"blobs {seed}", vectors, np.full(options.leaves, SIZE), labels, options.step)


if __name__ == "__main__":
    main()

"""What is said of clusters: which of their members are read, the decision that sums them up, and what it means.

Owns how members share the room of one summary, and the vectors of clusters: what a model writes is embedded, and where
the rule copies sentences a cluster has the mean of its members. That mean is not scaled to length 1, so that its
product with a question is the mean of theirs: measured, a search over all levels then finds more, as no cluster stands
before the best of its members. Knows nothing about how clusters are found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from octavo.decisions.engine.fitting import first_that_fit
from octavo.decisions.summarize import SUMMARIZE, Part, SummaryContext
from octavo.layers.base import LayerInputs
from octavo.layers.topology.tree import Node, Vector, cluster
from octavo.models.language import estimate_tokens

ROOM = SUMMARIZE.item_tokens - 80
"""Estimated tokens of the members that one summary is made from; the rest is for the headings."""
KIND = "group of passages"
_LONGEST_WHERE = 120


def summed_up(inputs: LayerInputs, below: Sequence[Node], clusters: Sequence[Mapping[int, float]]) -> list[Node]:
    """Return a node for each cluster of `below`, with its summary and its vector."""
    if not clusters:
        return []
    asked = [_part(below, members) for members in clusters]
    decided = inputs.judge.decide_items(SUMMARIZE, context_of(inputs), asked)
    vectors = [_mean(below, members) for members in clusters]
    written = [at for at, one in enumerate(decided) if one.by != "rule"]
    if written:
        meant = inputs.embedder().embed([decided[at].output.summary for at in written])
        for at, vector in zip(written, meant, strict=True):
            vectors[at] = vector
    rows = zip(decided, vectors, clusters, strict=True)
    return [cluster(one.output.summary, vector, below, members) for one, vector, members in rows]


def _mean(below: Sequence[Node], members: Mapping[int, float]) -> Vector:
    """Return the mean of the members' vectors, weighted by their probabilities."""
    weights = np.array(list(members.values()), np.float32)
    return weights @ np.stack([below[row].vector for row in members]) / weights.sum()


def context_of(inputs: LayerInputs) -> SummaryContext:
    """Return what all summaries of a document are asked with."""
    return SummaryContext(inputs.document.metadata.title.strip() or inputs.document.name)


def shown_of(below: Sequence[Node], members: Mapping[int, float]) -> list[int]:
    """Return the members that are read, in order: those nearest to the middle of the cluster that fit together."""
    rows = list(members)
    middle = np.sum([below[row].vector * weight for row, weight in members.items()], axis=0)
    central = sorted(rows, key=lambda row: (-round(float(below[row].vector @ middle), 4), row))
    fitting, _ = first_that_fit([below[row].text for row in central], ROOM)
    return sorted(central[: len(fitting)])


def _part(below: Sequence[Node], members: Mapping[int, float]) -> Part:
    """Return what is asked about a cluster; headings are said over leaves only: summaries say theirs themselves."""
    shown = shown_of(below, members)
    where = "" if below[shown[0]].members else cluster("", below[shown[0]].vector, below, members).heading
    return Part(KIND, where[:_LONGEST_WHERE], "\n".join(below[row].text for row in shown))


def size_of(text: str) -> int:
    """Return what a member takes of the room."""
    return estimate_tokens(text) + 1

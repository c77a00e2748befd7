"""The topology layer: leaves of a document, clustered by meaning across its pages, summed up level by level.

Owns the layer's row: what is stored, what it depends on, what its summaries will cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from octavo.decisions.summarize import SUMMARIZE
from octavo.document import PassageTable
from octavo.layers.base import Layer, LayerInputs, text_embedding
from octavo.layers.topology.building import MOST_LEVELS, built
from octavo.layers.topology.clustering import FEW
from octavo.layers.topology.growth import updated
from octavo.layers.topology.leaves import LEAF_TOKENS, leaves_of
from octavo.layers.topology.mixtures import LEAST_PROBABILITY
from octavo.layers.topology.reduction import DIMENSIONS, NEIGHBOURS
from octavo.layers.topology.summaries import ROOM, context_of, size_of
from octavo.layers.topology.tree import to_bytes
from octavo.models.language import estimate_tokens

_SUMMARY_TOKENS = 120
_MORE_THAN_LEAST = 1.25
"""Clusters found for each one that the room asks for, measured."""
_FILLED = 0.75
"""Share of the room that a cluster's members fill, measured."""


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `Topology` of a document, with the vectors of its nodes under "vectors"."""
    return to_bytes(built(inputs))


def estimate(inputs: LayerInputs) -> Sequence[tuple[str, int, int]]:
    """Return (decision, input tokens, output tokens) of each call, from the number and length of the leaves."""
    passages = PassageTable.from_bytes(inputs.stored["passages"])
    sizes = [size_of(leaf.text) for leaf in leaves_of(inputs.document, passages)]
    fixed = estimate_tokens(SUMMARIZE.template.instructions) + estimate_tokens(context_of(inputs).document)
    return [call for items in _levels(len(sizes), sum(sizes)) for call in _calls(items, fixed)]


def _levels(nodes: int, tokens: int) -> Iterator[list[int]]:
    """Yield the tokens of the clusters of each level."""
    for _ in range(MOST_LEVELS):
        if nodes < 2:
            return
        least = max(2, -(-tokens // ROOM))
        clusters = 1 if nodes <= FEW else min(max(2, round(_MORE_THAN_LEAST * least)), nodes // 2)
        yield [min(tokens // clusters, int(_FILLED * ROOM))] * clusters
        nodes, tokens = clusters, clusters * _SUMMARY_TOKENS


def _calls(items: Sequence[int], fixed: int) -> Iterator[tuple[str, int, int]]:
    for first in range(0, len(items), SUMMARIZE.per_call):
        group = items[first : first + SUMMARIZE.per_call]
        yield SUMMARIZE.name, fixed + sum(group), len(group) * SUMMARIZE.verdict_tokens


TOPOLOGY = Layer(
    name="topology",
    version=1,
    reads=("passages",),
    build=build,
    model=text_embedding,
    decisions=(SUMMARIZE.name,),
    parameters=(
        f"leaf={LEAF_TOKENS} room={ROOM} dimensions={DIMENSIONS} neighbours={NEIGHBOURS} "
        f"probability={LEAST_PROBABILITY} levels={MOST_LEVELS}"
    ),
    estimate=estimate,
)

__all__ = ["TOPOLOGY", "updated"]

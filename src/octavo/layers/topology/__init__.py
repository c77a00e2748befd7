"""The topology layer: leaves of a document, clustered by meaning across its pages, summed up level by level."""

from __future__ import annotations

from octavo.decisions.summarize import SUMMARIZE
from octavo.layers.base import Layer, LayerInputs, rehearsed, text_embedding
from octavo.layers.topology.building import MOST_LEVELS, built, is_alike, updated
from octavo.layers.topology.clustering import DIMENSIONS, LEAST_PROBABILITY, NEIGHBOURS
from octavo.layers.topology.leaves import LEAF_TOKENS
from octavo.layers.topology.tree import ROOM, to_bytes


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
        f"probability={LEAST_PROBABILITY} levels={MOST_LEVELS}"
    ),
    estimate=rehearsed(build),
    grows=True,
)

__all__ = ["TOPOLOGY", "updated"]

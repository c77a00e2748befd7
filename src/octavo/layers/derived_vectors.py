"""The layers of vectors of what other layers made: summaries, descriptions, entities, nodes of the cross-page tree.

What a model wrote is embedded. What a rule copied from the document has the mean of the vectors of its passages, which
finds as many pages and costs nothing. An entity that rules describe lies between its name and the mean of the passages
that mention it, which costs a fifth of embedding its description.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.document import Graph, PassageTable, Rows, SummaryTable
from octavo.document.columns import pack, unpack
from octavo.document.view import vectors_of_bytes
from octavo.layers.base import Layer, LayerInputs, text_embedding
from octavo.layers.vectors import embed, embedded, packed, unit
from octavo.models.ports import Vectors

WRITTEN = "written"
"""The stored (n,) bool array that says of each text of a layer whether a model wrote it, and no rule copied it."""
Weights = npt.NDArray[np.float64]
_MOST_ALIASES = 3
_LONGEST_TEXT = 240


class PassageMeans:
    """Means of the vectors of a document's passages; `inputs` must have the layers `passages` and `vectors`."""

    def __init__(self, inputs: LayerInputs) -> None:
        passages = PassageTable.from_bytes(inputs.stored["passages"])
        self._vectors = vectors_of_bytes(inputs.stored["vectors"])
        self._start = passages.start.astype(np.int64)
        self._stop = passages.stop.astype(np.int64)
        self._size = passages.text.lengths().astype(np.float64)

    def of_blocks(self, owner: Rows, block: Rows, owners: int) -> Vectors:
        """Return (owners, dimension), for each owner the mean of the passages that hold its blocks, each once.

        Pair i says that `owner[i]` has `block[i]`. Rows are of length 1, or 0 where no passage holds any of them.
        """
        from scipy.sparse import csr_array

        first = np.searchsorted(self._stop, block, side="right")
        is_inside = first < np.searchsorted(self._start, block, side="right")
        pairs = np.unique(np.stack([owner[is_inside], first[is_inside]], axis=1), axis=0).astype(np.int64)
        shares: Any = csr_array((np.ones(len(pairs), np.float32), pairs.T), shape=(owners, len(self._vectors)))
        return unit(shares @ self._vectors)

    def of_spans(self, start: Rows, stop: Rows) -> Vectors:
        """Return (n, dimension), for each run of blocks `[start, stop)` the mean of the passages in it.

        A passage counts by its length, the first and the last of a run by the share of its blocks that is in the run.
        Rows are of length 1, or 0 for runs without any passage.
        """
        first = np.searchsorted(self._stop, start, side="right")
        last = np.maximum(np.searchsorted(self._start, stop, side="left"), first)
        weighted = self._vectors * self._size[:, None]
        sums = np.concatenate([np.zeros((1, weighted.shape[1])), np.cumsum(weighted, axis=0)])
        means = sums[last] - sums[first]
        for edge, counts in ((first, last > first), (last - 1, last > first + 1)):
            at = edge[counts]
            means[counts] -= weighted[at] * self._outside(at, start[counts], stop[counts])[:, None]
        return unit(means)

    def _outside(self, passage: Rows, start: Rows, stop: Rows) -> Weights:
        """Return the share of each passage's blocks that is not in its run."""
        first, last = self._start[passage], self._stop[passage]
        return 1.0 - (np.minimum(last, stop) - np.maximum(first, start)) / (last - first)


def _summaries(inputs: LayerInputs) -> bytes:
    """Return the packed (n_summaries, dimension) float16 matrix named "vectors", row by row of the `SummaryTable`."""
    return standing_for(inputs, "summaries")


def standing_for(inputs: LayerInputs, layer: str) -> bytes:
    """Return the packed vectors of the `SummaryTable` of a layer; where it does not say who wrote, all is embedded."""
    stored = inputs.stored[layer]
    table = SummaryTable.from_bytes(stored)
    vectors = PassageMeans(inputs).of_spans(table.start.astype(np.int64), table.stop.astype(np.int64))
    written = unpack(stored)[0].get(WRITTEN, np.ones(len(table), np.bool_))
    # A figure without words stands in no passage: it is known by what is said of it alone.
    asked = np.flatnonzero(written | ~vectors.any(axis=1))
    if len(asked):
        vectors[asked] = embed(inputs, [table.text[at] for at in asked.tolist()])
    return packed(vectors)


SUMMARY_VECTORS = Layer(
    name="summary_vectors",
    version=2,
    reads=("passages", "vectors", "summaries"),
    build=_summaries,
    model=text_embedding,
)


def _elements(inputs: LayerInputs) -> bytes:
    """Return the packed (n_elements, dimension) float16 matrix named "vectors", row by row of the descriptions."""
    return standing_for(inputs, "descriptions")


ELEMENT_VECTORS = Layer(
    name="element_vectors",
    version=2,
    reads=("passages", "vectors", "descriptions"),
    build=_elements,
    model=text_embedding,
)


def _entities(inputs: LayerInputs) -> bytes:
    """Return the packed (n_entities, dimension) float16 matrix named "vectors", rows of length 1."""
    from octavo.layers.entities import DESCRIBED

    graph = Graph.from_bytes(inputs.stored["entities"])
    if graph.statistics.get(DESCRIBED):
        return embedded(inputs, entity_texts(graph))
    names = embed(inputs, list(graph.entities.name))
    entity, block = (column.astype(np.int64) for column in (graph.mentions.entity, graph.mentions.block))
    return packed(unit(names + PassageMeans(inputs).of_blocks(entity, block, len(graph))))


def entity_texts(graph: Graph) -> list[str]:
    """Return what each entity that a model described is embedded as: "Name (other name, other name): description"."""
    rows = zip(graph.entities.name, graph.entities.aliases, graph.entities.description, strict=True)
    return [_entity_text(name, aliases.split("\n") if aliases else [], said) for name, aliases, said in rows]


def _entity_text(name: str, aliases: list[str], description: str) -> str:
    known = {name.casefold()}
    others = [alias for alias in aliases if not (alias.casefold() in known or known.add(alias.casefold()))]
    named = f"{name} ({', '.join(others[:_MOST_ALIASES])})" if others else name
    return f"{named}: {description}"[:_LONGEST_TEXT] if description and description != name else named


ENTITY_VECTORS = Layer(
    name="entity_vectors", version=2, reads=("passages", "vectors", "entities"), build=_entities, model=text_embedding
)


def _nodes(inputs: LayerInputs) -> bytes:
    """Return the packed (n_nodes, dimension) float16 matrix named "vectors", row by row of the tree's nodes."""
    arrays, _ = unpack(inputs.stored["topology"])
    return pack({"vectors": arrays["vectors"]}, {})


TOPOLOGY_VECTORS = Layer(name="topology_vectors", version=1, reads=("topology",), build=_nodes, model=text_embedding)

"""The entity_vectors layer: one vector per entity, of its name and of the text it stands in.

Owns what is embedded. Entities that a model described are embedded with their other names and what it said of them.
What the rules say of one is a sentence of the document: there the vector lies between that of the name and the mean of
the passages that mention it, which costs a fifth. Knows nothing about search.
"""

from __future__ import annotations

import numpy as np

from octavo.document import Graph
from octavo.layers.base import Layer, LayerInputs, text_embedding
from octavo.layers.embedding import embed, embedded, packed, unit
from octavo.layers.entities import DESCRIBED
from octavo.layers.means import PassageMeans

_MOST_ALIASES = 3
_LONGEST = 240


def build(inputs: LayerInputs) -> bytes:
    """Return the packed (n_entities, dimension) float16 matrix named "vectors", rows of length 1."""
    graph = Graph.from_bytes(inputs.stored["entities"])
    if graph.statistics.get(DESCRIBED):
        return embedded(inputs, entity_texts(graph))
    names = embed(inputs, list(graph.entities.name))
    entity, block = (column.astype(np.int64) for column in (graph.mentions.entity, graph.mentions.block))
    return packed(unit(names + PassageMeans(inputs).of_blocks(entity, block, len(graph))))


def entity_texts(graph: Graph) -> list[str]:
    """Return what each entity that a model described is embedded as: "Name (other name, other name): description"."""
    rows = zip(graph.entities.name, graph.entities.aliases, graph.entities.description, strict=True)
    return [_text(name, aliases.split("\n") if aliases else [], said) for name, aliases, said in rows]


def _text(name: str, aliases: list[str], description: str) -> str:
    known = {name.casefold()}
    others = [alias for alias in aliases if not (alias.casefold() in known or known.add(alias.casefold()))]
    named = f"{name} ({', '.join(others[:_MOST_ALIASES])})" if others else name
    return f"{named}: {description}"[:_LONGEST] if description and description != name else named


ENTITY_VECTORS = Layer(
    name="entity_vectors", version=2, reads=("passages", "vectors", "entities"), build=build, model=text_embedding
)

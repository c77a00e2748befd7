"""The entity_vectors layer: one vector per entity, of its name, its other names and what is said of it.

Owns what is embedded and how vectors are stored (float16). Knows nothing about search.
"""

from __future__ import annotations

import numpy as np

from octavo.document import Graph
from octavo.document.columns import pack
from octavo.layers.base import Layer, LayerInputs, text_embedding

_MOST_ALIASES = 3
_LONGEST = 240


def build(inputs: LayerInputs) -> bytes:
    """Return the packed (n_entities, dimension) float16 matrix named "vectors", rows of length 1."""
    texts = entity_texts(Graph.from_bytes(inputs.stored["entities"]))
    report = inputs.progress

    def advance(done: int) -> None:
        if report:
            report(done, len(texts))

    return pack({"vectors": inputs.embedder().embed(texts, progress=advance).astype(np.float16)}, {})


def entity_texts(graph: Graph) -> list[str]:
    """Return what each entity is embedded as: "Name (other name, other name): description"."""
    rows = zip(graph.entities.name, graph.entities.aliases, graph.entities.description, strict=True)
    return [_text(name, aliases.split("\n") if aliases else [], said) for name, aliases, said in rows]


def _text(name: str, aliases: list[str], description: str) -> str:
    known = {name.casefold()}
    others = [alias for alias in aliases if not (alias.casefold() in known or known.add(alias.casefold()))]
    named = f"{name} ({', '.join(others[:_MOST_ALIASES])})" if others else name
    return f"{named}: {description}"[:_LONGEST] if description and description != name else named


ENTITY_VECTORS = Layer(name="entity_vectors", version=1, reads=("entities",), build=build, model=text_embedding)

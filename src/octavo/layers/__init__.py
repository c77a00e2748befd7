"""Layers: what indexing adds to a document, each computed from the document and the layers before it.

Owns the table of layers in build order. A layer's stored bytes are keyed by a fingerprint of everything it depends on.
"""

from __future__ import annotations

from octavo.layers.base import Layer, LayerInputs
from octavo.layers.communities import COMMUNITIES
from octavo.layers.descriptions import DESCRIPTIONS
from octavo.layers.element_vectors import ELEMENT_VECTORS
from octavo.layers.entities import ENTITIES
from octavo.layers.entity_vectors import ENTITY_VECTORS
from octavo.layers.links import LINKS
from octavo.layers.passages import PASSAGES, search_texts
from octavo.layers.summaries import SUMMARIES
from octavo.layers.summary_vectors import SUMMARY_VECTORS
from octavo.layers.terms import TERMS
from octavo.layers.topology import TOPOLOGY
from octavo.layers.topology_vectors import TOPOLOGY_VECTORS
from octavo.layers.vectors import VECTORS

LAYERS: dict[str, Layer] = {layer.name: layer for layer in (PASSAGES, TERMS, VECTORS)}
"""Every layer that is built for each document, by name, each after those it reads."""

OPTIONAL_LAYERS: dict[str, Layer] = {
    layer.name: layer
    for layer in (
        LINKS,
        COMMUNITIES,
        DESCRIPTIONS,
        SUMMARIES,
        ENTITIES,
        ENTITY_VECTORS,
        TOPOLOGY,
        SUMMARY_VECTORS,
        ELEMENT_VECTORS,
        TOPOLOGY_VECTORS,
    )
}
"""Layers that only some systems read, by name, each after those it reads."""

__all__ = ["LAYERS", "OPTIONAL_LAYERS", "Layer", "LayerInputs", "search_texts"]

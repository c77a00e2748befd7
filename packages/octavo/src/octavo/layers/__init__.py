"""Layers: what indexing adds to a document, each computed from the document and the layers before it.

A layer's stored bytes are keyed by a fingerprint of everything it depends on.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from octavo.layers.about import ABOUT
from octavo.layers.base import Layer, LayerInputs
from octavo.layers.passages import PASSAGES, TERMS, search_texts
from octavo.layers.vectors import VECTORS
from octavo_documents.lazy import LazyTable

LAYERS: dict[str, Layer] = {layer.name: layer for layer in (PASSAGES, TERMS, ABOUT, VECTORS)}
"""Every layer that is built for each document, by name, each after those it reads."""


def _layer(module: ModuleType, name: str) -> Layer:
    return getattr(module, name.upper())


_OPTIONAL = {
    "about_read": "about_read",
    "links": "links",
    "communities": "links",
    "descriptions": "descriptions",
    "summaries": "summaries",
    "entities": "entities",
    "basic_entities": "entities",
    "bookindex": "entities",
    "entity_vectors": "vectors",
    "basic_entity_vectors": "vectors",
    "topology": "topology",
    "document_graph": "document_graph",
    "document_graph_communities": "document_graph",
    "document_graph_vectors": "document_graph",
    "summary_vectors": "vectors",
    "element_vectors": "vectors",
    "topology_vectors": "vectors",
}
OPTIONAL_LAYERS: Mapping[str, Layer] = LazyTable(
    {name: f"{__name__}.{module}" for name, module in _OPTIONAL.items()}, _layer, "octavo.layers"
)
"""Layers that only some systems read, by name."""

__all__ = ["LAYERS", "OPTIONAL_LAYERS", "Layer", "LayerInputs", "search_texts"]

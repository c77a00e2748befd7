"""Layers: what indexing adds to a document, each computed from the document and the layers before it.

Owns the table of layers in build order. A layer's stored bytes are keyed by a fingerprint of everything it depends on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from octavo.layers.base import Layer, LayerInputs
from octavo.layers.passages import PASSAGES, search_texts
from octavo.layers.terms import TERMS
from octavo.layers.vectors import VECTORS

LAYERS: dict[str, Layer] = {layer.name: layer for layer in (PASSAGES, TERMS, VECTORS)}
"""Every layer that is built for each document, by name, each after those it reads."""


class _Table(Mapping[str, Layer]):
    """Layers by name; the module of one, named as the layer, is imported when it is first asked for."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def __getitem__(self, name: str) -> Layer:
        if name not in self._names:
            raise KeyError(name)
        layer: Layer = getattr(import_module(f"{__name__}.{name}"), name.upper())
        return layer

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


OPTIONAL_LAYERS: Mapping[str, Layer] = _Table(
    "links",
    "communities",
    "descriptions",
    "summaries",
    "entities",
    "entity_vectors",
    "topology",
    "summary_vectors",
    "element_vectors",
    "topology_vectors",
)
"""Layers that only some systems read, by name, each after those it reads."""

__all__ = ["LAYERS", "OPTIONAL_LAYERS", "Layer", "LayerInputs", "search_texts"]

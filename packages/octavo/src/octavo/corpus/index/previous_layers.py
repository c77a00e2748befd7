"""Previous states of layers that models were paid for: kept when a document is read anew, for the layer's builder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from octavo.corpus.index import fingerprints
from octavo.corpus.store import DocumentPart, Lease, PartKey, Store
from octavo.corpus.store.protocol import PREVIOUS_SUFFIX

if TYPE_CHECKING:
    from octavo.layers import Layer


def previous_name(layer: str) -> str:
    """Return the name of the part that keeps a layer's previous state."""
    return layer + PREVIOUS_SUFFIX


def keep_previous(store: Store, lease: Lease, replaces: str, layers: Iterable[Layer]) -> dict[str, str]:
    """Store the previous states of some layers; return their fingerprints by the names of these parts.

    A document takes them over from itself, read by another version, and from the one it replaces. Raises LeaseLost.
    """
    wanted = {layer.name for layer in layers if layer.keeps_previous}
    if not wanted:
        return {}
    kept: dict[str, str] = {}
    for key in store.published([lease.document_id, *([replaces] if replaces else [])]):
        layer = key.name.removesuffix(PREVIOUS_SUFFIX)
        if layer in wanted and fingerprints.decided_by(key.fingerprint) != fingerprints.RULE:
            data = store.load(key)
            if data is not None and previous_name(layer) not in kept:
                store.stage(lease, DocumentPart(previous_name(layer), key.fingerprint, data))
                kept[previous_name(layer)] = key.fingerprint
    return kept


def usable_previous(layer: Layer, model: str, parts: Mapping[str, PartKey]) -> PartKey | None:
    """Return the previous state that a layer may be built from, None for none or one of another embedding model."""
    key = parts.get(previous_name(layer.name))
    is_alike = key is not None and fingerprints.embedding_of(key.fingerprint) == fingerprints.embedding(model)
    return key if layer.keeps_previous and is_alike else None

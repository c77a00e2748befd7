"""The previous state of layers that grow: kept when a document is read anew, until the layer is built from it.

States that models were paid for are worth keeping. A document takes them over from itself, read by another version, and
from the document whose place it takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from octavo.corpus.index import fingerprints
from octavo.corpus.store import Lease, Part, PartKey, Store
from octavo.corpus.store.paths import path_key
from octavo.corpus.store.protocol import PREVIOUS_SUFFIX

if TYPE_CHECKING:
    from octavo.layers import Layer


def name_of(layer: str) -> str:
    """Return the name of the part that keeps a layer's previous state."""
    return layer + PREVIOUS_SUFFIX


def keep(store: Store, lease: Lease, path: str, layers: Iterable[Layer], parts: Mapping[str, str]) -> dict[str, str]:
    """Store the previous states of layers that are not among `parts`; return them as parts to publish.

    Raises LeaseLost.
    """
    wanted = {layer.name for layer in layers if layer.grows and layer.name not in parts}
    if not wanted:
        return {}
    before = store.sources([path]).get(path_key(path))
    ids = [lease.document_id, *([before.document_id] if before else [])]
    kept: dict[str, str] = {}
    for key in store.published(ids):
        layer = key.name.removesuffix(PREVIOUS_SUFFIX)
        if layer in wanted and fingerprints.decided_by(key.fingerprint) != fingerprints.RULE:
            data = store.load(key)
            if data is not None and name_of(layer) not in kept:
                store.stage(lease, Part(name_of(layer), key.fingerprint, data))
                kept[name_of(layer)] = key.fingerprint
    return kept


def usable(layer: Layer, model: str, parts: Mapping[str, PartKey]) -> PartKey | None:
    """Return the previous state that a layer may be built from, None for none or one of another embedding model."""
    key = parts.get(name_of(layer.name))
    is_alike = key is not None and fingerprints.embedding_of(key.fingerprint) == fingerprints.embedding(model)
    return key if layer.grows and is_alike else None

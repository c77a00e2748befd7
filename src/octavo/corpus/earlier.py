"""The earlier state of layers that grow: kept when a document is read anew, until the layer is built from it.

Owns which states are worth keeping, those that models were paid for, and the name they are kept under. A document takes
them over from itself, read by another version, and from the one whose place it takes. Knows nothing about what grows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from octavo.corpus import fingerprints, sources
from octavo.corpus.store import Lease, Part, PartKey, Store

if TYPE_CHECKING:
    from octavo.layers import Layer

_SUFFIX = ".earlier"


def name_of(layer: str) -> str:
    """Return the name of the part that keeps a layer's earlier state."""
    return layer + _SUFFIX


def is_earlier(part: str) -> bool:
    """Whether a part is the earlier state of a layer, which nobody reads but its builder."""
    return part.endswith(_SUFFIX)


def keep(store: Store, lease: Lease, path: str, layers: Iterable[Layer], parts: Mapping[str, str]) -> dict[str, str]:
    """Store the earlier states of layers that are not among `parts`; return them as parts to publish.

    Raises LeaseLost.
    """
    wanted = {layer.name for layer in layers if layer.grows and layer.name not in parts}
    if not wanted:
        return {}
    before = store.sources([path]).get(sources.path_key(path))
    ids = [lease.document_id, *([before.document_id] if before else [])]
    kept: dict[str, str] = {}
    for key in store.published(ids):
        layer = key.name.removesuffix(_SUFFIX)
        if layer in wanted and fingerprints.decided_by(key.fingerprint) != fingerprints.RULE:
            data = store.load(key)
            if data is not None and name_of(layer) not in kept:
                store.stage(lease, Part(name_of(layer), key.fingerprint, data))
                kept[name_of(layer)] = key.fingerprint
    return kept


def usable(layer: Layer, model: str, parts: Mapping[str, PartKey]) -> PartKey | None:
    """Return the earlier state that a layer may be built from, None for none or one of another embedding model."""
    key = parts.get(name_of(layer.name))
    is_alike = key is not None and fingerprints.embedding_of(key.fingerprint) == fingerprints.embedding(model)
    return key if layer.grows and is_alike else None

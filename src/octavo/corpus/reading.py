"""Opening views: documents from the store, their layers when first asked for.

Owns the tie between a view and the parts it was opened on. Knows nothing about questions.
"""

from __future__ import annotations

import dataclasses
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence

from octavo.corpus.store import DOCUMENT_PART, DocumentInfo, PartKey, Store
from octavo.document import Document, View
from octavo.errors import CorpusError

_KEPT_VIEWS = 2


class Changed(CorpusError):
    """A document was changed or removed while it was being read; reading again gives the new state."""


class PinnedLayers:
    """A `LayerSource` over the parts a view was opened on: never those of a later version, whose rows differ."""

    def __init__(self, store: Store, keys: Mapping[tuple[str, str], PartKey]) -> None:
        self._store = store
        self._keys = keys

    def load(self, document_id: str, layer: str) -> bytes | None:
        """Return the layer's bytes, None when it was not built. Raises Changed when it has gone since."""
        key = self._keys.get((document_id, layer))
        return None if key is None else fetch(self._store, key)


def fetch(store: Store, key: PartKey) -> bytes:
    """Return a part. Raises Changed when it has gone, CorpusError (`damaged`) when its checksum is wrong."""
    data = store.load(key)
    if data is None:
        raise Changed("missing", f"Document {key.document_id[:19]} was changed while it was read: ask again")
    return data


class Views:
    """Opens views and keeps the last few, as long as nothing in them changes."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[object, ...], View] = OrderedDict()
        self._lock = threading.Lock()

    def open(self, store: Store, infos: Sequence[DocumentInfo]) -> View:
        """Return a view of these documents, in this order."""
        keys = {(key.document_id, key.name): key for key in store.published([info.id for info in infos])}
        state = (tuple((info.id, info.name) for info in infos), frozenset(key.number for key in keys.values()))
        with self._lock:
            if state in self._kept:
                self._kept.move_to_end(state)
                return self._kept[state]
        view = View([_read(store, info, keys) for info in infos], PinnedLayers(store, keys))
        with self._lock:
            self._kept[state] = view
            while len(self._kept) > _KEPT_VIEWS:
                self._kept.popitem(last=False)
        return view

    def clear(self) -> None:
        """Let go of every view."""
        with self._lock:
            self._kept.clear()


def _read(store: Store, info: DocumentInfo, keys: Mapping[tuple[str, str], PartKey]) -> Document:
    key = keys.get((info.id, DOCUMENT_PART))
    if key is None:
        raise Changed("missing", f"{info.name} was removed while it was read: ask again")
    document = Document.from_bytes(fetch(store, key), checked=False)
    # The file it was first found under may have gone since it was read.
    return document if document.name == info.name else dataclasses.replace(document, name=info.name)

"""Opening views: documents from the store, their layers when first asked for."""

from __future__ import annotations

import dataclasses
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence

from octavo.corpus.store import DOCUMENT_PART, DocumentInfo, PartKey, Store
from octavo.document import Document, View
from octavo.errors import CorpusError

_KEPT_BYTES = 256 << 20
"""Packed bytes of documents and layers in the views that are kept; the last one is kept whatever its size."""


class Changed(CorpusError):
    """A document was changed or removed while it was being read; reading again gives the new state."""


class PinnedLayers:
    """A `LayerSource` over the parts a view was opened on: never those of a later version, whose rows differ.

    Asked for a layer of one document it reads that of all, since a view asks for each in turn. Used under the lock of
    its view.
    """

    def __init__(self, store: Store, keys: Mapping[tuple[str, str], PartKey]) -> None:
        self._store = store
        self._keys = keys
        self._waiting: dict[int, bytes] = {}
        self.bytes_read = 0

    def load(self, document_id: str, layer: str) -> bytes | None:
        """Return the layer's bytes, None when it was not built. Raises Changed when it has gone since."""
        key = self._keys.get((document_id, layer))
        if key is None:
            return None
        if key.number not in self._waiting:
            self._waiting = fetch(self._store, [key for key in self._keys.values() if key.name == layer])
            self.bytes_read += sum(map(len, self._waiting.values()))
        return self._waiting.pop(key.number)


def fetch(store: Store, keys: Sequence[PartKey]) -> dict[int, bytes]:
    """Return parts by number. Raises Changed when one has gone, CorpusError (`damaged`) when a checksum is wrong."""
    found = store.load_all(keys)
    for key in keys:
        if key.number not in found:
            raise Changed("missing", f"Document {key.document_id[:19]} was changed while it was read: ask again")
    return found


class Views:
    """Opens views and keeps the last ones, as long as nothing in them changes."""

    def __init__(self, kept_bytes: int = _KEPT_BYTES) -> None:
        self._kept_bytes = kept_bytes
        self._kept: OrderedDict[tuple[object, ...], tuple[View, PinnedLayers]] = OrderedDict()
        self._lock = threading.Lock()

    def open(self, store: Store, infos: Sequence[DocumentInfo]) -> View:
        """Return a view of these documents, in this order."""
        keys = {(key.document_id, key.name): key for key in store.published([info.id for info in infos])}
        state = (tuple((info.id, info.name) for info in infos), frozenset(key.number for key in keys.values()))
        with self._lock:
            if state in self._kept:
                self._kept.move_to_end(state)
                return self._kept[state][0]
        layers = PinnedLayers(store, keys)
        view = View(_documents(layers, infos), layers)
        with self._lock:
            self._kept[state] = view, layers
            while len(self._kept) > 1 and sum(kept.bytes_read for _, kept in self._kept.values()) > self._kept_bytes:
                self._kept.popitem(last=False)
        return view

    def clear(self) -> None:
        """Let go of every view."""
        with self._lock:
            self._kept.clear()


def _documents(layers: PinnedLayers, infos: Sequence[DocumentInfo]) -> list[Document]:
    documents: list[Document] = []
    for info in infos:
        data = layers.load(info.id, DOCUMENT_PART)
        if data is None:
            raise Changed("missing", f"{info.name} was removed while it was read: ask again")
        document = Document.from_bytes(data, checked=False)
        # The file it was first found under may have gone since it was read.
        is_so = document.name == info.name
        documents.append(document if is_so else dataclasses.replace(document, name=info.name))
    return documents

"""Views of documents as they are stored, kept from one question to the next as long as nothing in them changes."""

from __future__ import annotations

import dataclasses
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from octavo.corpus.store import DOCUMENT_PART, DocumentInfo, PartKey, Store
from octavo.errors import CorpusError
from octavo.evidence import View
from octavo_documents.document import Document

_KEPT_BYTES = 256 << 20
"""Packed bytes of documents and layers that are kept; what the last question was asked of is kept whatever its size."""
_KEPT_JOINED = 4
"""Views of several documents that are kept: putting one together again takes milliseconds."""


class Changed(CorpusError):
    """A document was changed or removed while it was being read; reading again gives the new state."""


class PinnedLayers:
    """A `LayerSource` over the parts a view was opened on: never those of a later version, whose rows differ."""

    def __init__(self, store: Store, keys: Mapping[str, PartKey]) -> None:
        self._store = store
        self._keys = keys
        self.bytes_read = 0

    def load(self, document_id: str, layer: str) -> bytes | None:
        """Return the layer's bytes, None when it was not built. Raises Changed when it has gone since."""
        key = self._keys.get(layer)
        if key is None:
            return None
        data = fetch(self._store, [key])[key.number]
        self.bytes_read += len(data)
        return data


def fetch(store: Store, keys: Sequence[PartKey]) -> dict[int, bytes]:
    """Return parts by number. Raises Changed when one has gone, CorpusError (`damaged`) when a checksum is wrong."""
    found = store.load_all(keys)
    for key in keys:
        if key.number not in found:
            raise Changed("missing", f"Document {key.document_id[:19]} was changed while it was read: ask again")
    return found


_State = tuple[str, str, frozenset[int]]
"""Of a document: its id, its name and the numbers of its parts."""
_Joined = tuple[tuple[_State, ...], tuple[str, ...]]
"""Of several: each document, and what they are called."""
_AS_NAMED: Mapping[str, str] = MappingProxyType({})


class Views:
    """Opens views and keeps what was read of the last documents, as long as nothing in them changes. Thread-safe."""

    def __init__(self, kept_bytes: int = _KEPT_BYTES) -> None:
        self._kept_bytes = kept_bytes
        self._alone: OrderedDict[_State, tuple[View, PinnedLayers]] = OrderedDict()
        self._joined: OrderedDict[_Joined, View] = OrderedDict()
        self._lock = threading.Lock()

    def open(self, store: Store, infos: Sequence[DocumentInfo], called: Mapping[str, str] = _AS_NAMED) -> View:
        """Return a view of these documents, in this order; `called` says by id what tells like names apart."""
        keys = defaultdict[str, dict[str, PartKey]](dict)
        for key in store.published([info.id for info in infos]):
            keys[key.document_id][key.name] = key
        states = [(info.id, info.name, frozenset(key.number for key in keys[info.id].values())) for info in infos]
        with self._lock:
            kept = {state: self._alone[state] for state in states if state in self._alone}
            names = tuple(called.get(info.id, info.name) for info in infos)
            joined = self._joined.get((tuple(states), names))
        new = [(state, info) for state, info in zip(states, infos, strict=True) if state not in kept]
        opened = kept | _opened(store, [(state, info, keys[info.id]) for state, info in new])
        if joined is None:
            joined = View.of([opened[state][0] for state in states], names)
        self._keep(opened, (tuple(states), names), joined)
        return joined

    def _keep(self, opened: Mapping[_State, tuple[View, PinnedLayers]], joined: _Joined, view: View) -> None:
        """Keep the last documents as long as there is room, and the last views of several of them."""
        states, names = joined
        with self._lock:
            for state in states:
                self._alone[state] = self._alone.get(state) or opened[state]
                self._alone.move_to_end(state)
            size = sum(layers.bytes_read for _, layers in self._alone.values())
            while len(self._alone) > len(states) and size > self._kept_bytes:
                size -= self._alone.popitem(last=False)[1][1].bytes_read
            if len(states) > 1 or names != tuple(name for _, name, _ in states):
                self._joined[joined] = view
                self._joined.move_to_end(joined)
            while len(self._joined) > _KEPT_JOINED:
                self._joined.popitem(last=False)

    def clear(self) -> None:
        """Let go of every view."""
        with self._lock:
            self._alone.clear()
            self._joined.clear()


def _opened(
    store: Store, documents: Sequence[tuple[_State, DocumentInfo, Mapping[str, PartKey]]]
) -> dict[_State, tuple[View, PinnedLayers]]:
    """Return a view of each document alone, all read at once."""
    wanted = [keys[DOCUMENT_PART] for _, _, keys in documents if DOCUMENT_PART in keys]
    data = fetch(store, wanted) if wanted else {}
    opened: dict[_State, tuple[View, PinnedLayers]] = {}
    for state, info, keys in documents:
        if DOCUMENT_PART not in keys:
            raise Changed("missing", f"{info.name} was removed while it was read: ask again")
        layers = PinnedLayers(store, keys)
        packed = data[keys[DOCUMENT_PART].number]
        layers.bytes_read = len(packed)
        document = Document.from_bytes(packed, checked=False)
        # The file it was first found under may have gone since it was read.
        is_so = document.name == info.name
        opened[state] = View([document if is_so else dataclasses.replace(document, name=info.name)], layers), layers
    return opened

"""What documents are called where others have the same name: by as much of the end of their path as tells them apart.

Names of the corpus are kept as long as nothing in it changes.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence

from octavo.corpus.store import DocumentInfo
from octavo.corpus.store.catalogue import Catalogue, Stamp
from octavo.corpus.store.paths import ends_apart


class NamesApart:
    """Names that tell the documents of a corpus apart. Thread-safe."""

    def __init__(self) -> None:
        """Begin with nothing; names are looked up when they are first wanted."""
        self._lock = threading.Lock()
        self._stamp: Stamp | None = None
        self._ends: dict[str, Mapping[str, str]] = {}
        """By name: what the documents of the corpus that share it are called, by id."""

    def of(self, catalogue: Catalogue, infos: Sequence[DocumentInfo]) -> dict[str, str]:
        """Return, by id, what some documents are called, no two alike; one whose name no other has is left out."""
        with self._lock:
            stamp = catalogue.stamp()
            if stamp != self._stamp:
                self._ends, self._stamp = {}, stamp
            self._ends |= catalogue.names_apart({info.name for info in infos} - self._ends.keys())
            found = {info.id: end for info in infos if (end := self._ends[info.name].get(info.id))}
        return found | _among(infos, found)


def _among(infos: Sequence[DocumentInfo], called: Mapping[str, str]) -> dict[str, str]:
    """Return what tells those apart that are still called alike: files of more than one name, or of very many alike."""
    alike = defaultdict[str, dict[str, str]](dict)
    for info in infos:
        alike[called.get(info.id, info.name)][info.id] = info.path
    return {
        identity: end
        for paths in alike.values()
        if len(paths) > 1
        for identity, end in zip(paths, ends_apart([*paths.values()]), strict=True)
    }

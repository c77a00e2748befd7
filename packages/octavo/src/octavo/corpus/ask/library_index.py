"""What all documents of a corpus are about, kept in step with the store: of what changed, only that is read."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection
from pathlib import PurePath

import numpy as np

from octavo.about.description import GONE
from octavo.about.in_force import with_years_in_force
from octavo.about.library import Library
from octavo.about.library_issuers import told_by_others
from octavo.about.profile import BY_MODEL, BY_RULE, DocumentProfile
from octavo.corpus.store import PartKey, Store
from octavo.corpus.store.catalogue import Catalogue, Stamp

_FOLDERS = 3
"""Folders of a file whose names say what it is about, from the innermost."""
_KEPT_SCOPES = 8
"""Libraries of some of the documents that are kept, for the next question about the same ones."""
_AT_ONCE = 2_000
"""Profiles that are read at once: a few kilobytes each."""


class LibraryIndex:
    """Gives the library of a corpus, from memory as far as it is up to date. Thread-safe."""

    def __init__(self) -> None:
        """Begin with nothing; the library is read when it is first wanted."""
        self._lock = threading.Lock()
        self._stamp: Stamp | None = None
        self._profiles: dict[int, tuple[str, DocumentProfile]] = {}
        """By number of the part: the document's id, and what it is about."""
        self._numbers: dict[str, int] = {}
        self._library = Library((), ())
        self._scopes: OrderedDict[frozenset[str], Library] = OrderedDict()
        self._hidden: frozenset[str] = frozenset()

    def current(self, store: Store, catalogue: Catalogue, among: Collection[str] | None = None) -> Library:
        """Return the library of the visible documents, of all or those of some ids. Raises CorpusError.

        A document that does not say what it is about, indexed before there were profiles, is left out.
        """
        with self._lock:
            self._get_in_step(store, catalogue)
            return self._library if among is None else self._scoped(frozenset(among))

    def read(self, store: Store, catalogue: Catalogue) -> dict[str, DocumentProfile]:
        """Return what rules found of each document that has it, by id. Raises CorpusError."""
        with self._lock:
            self._get_in_step(store, catalogue)
            return dict(self._profiles.values())

    def shown(self, store: Store, catalogue: Catalogue) -> list[int] | None:
        """Return the numbers of the documents that are not hidden, in order; None where none is. Raises CorpusError."""
        with self._lock:
            self._get_in_step(store, catalogue)
            hidden = self._hidden
        if not hidden:
            return None
        left_out = {number for one in hidden for number in catalogue.numbers_of(one)}
        return [number for number in catalogue.ordered(None, None, "path") if number not in left_out]

    def ids(self, store: Store, catalogue: Catalogue, numbers: Collection[int]) -> list[str]:
        """Return the ids of the documents of some numbers that the library has. Raises CorpusError."""
        wanted = {*numbers}
        with self._lock:
            self._get_in_step(store, catalogue)
            return [document_id for document_id, number in self._numbers.items() if number in wanted]

    def numbers(self, ids: Collection[str]) -> dict[str, int]:
        """Return the numbers of some documents, by id, of those that the library had when it was last asked for."""
        return {one: self._numbers[one] for one in ids if one in self._numbers}

    def _get_in_step(self, store: Store, catalogue: Catalogue) -> None:
        stamp = catalogue.stamp()
        if stamp != self._stamp:
            self._refresh(store)
            parts = np.array([*self._profiles], np.int64)
            self._numbers = {document_id: number for number, document_id, _ in catalogue.owners(parts)}
            self._stamp = stamp

    def _scoped(self, ids: frozenset[str]) -> Library:
        library = self._scopes.pop(ids, None) or self._library.within(ids)
        self._scopes[ids] = library
        while len(self._scopes) > _KEPT_SCOPES:
            self._scopes.popitem(last=False)
        return library

    def _refresh(self, store: Store) -> None:
        keys = {key.number: key for key in profiles_stored(store)}
        self._profiles = {number: held for number, held in self._profiles.items() if number in keys}
        new = [key for number, key in keys.items() if number not in self._profiles]
        for at in range(0, len(new), _AT_ONCE):
            batch = new[at : at + _AT_ONCE]
            data = store.load_all(batch)
            paths = {info.id: info.path for info in store.bulk.find_documents([key.document_id for key in batch])}
            for key in batch:
                if key.number in data:  # else it has gone since
                    folders, file = _place(paths.get(key.document_id, ""))
                    profile = DocumentProfile.from_bytes(data[key.number]).within(folders, file)
                    self._profiles[key.number] = key.document_id, profile
        self._scopes.clear()
        held, described = self._profiles.values(), store.described()
        self._hidden = frozenset(one for one, said in described.items() if said.fields.get(GONE))
        told = [described[item].over(profile) if item in described else profile for item, profile in held]
        self._library = Library([document_id for document_id, _ in held], with_years_in_force(told_by_others(told)))

    def clear(self) -> None:
        """Let go of all."""
        with self._lock:
            self._stamp, self._profiles, self._numbers, self._library = None, {}, {}, Library((), ())
            self._hidden = frozenset()
            self._scopes.clear()


def profiles_stored(store: Store, ids: Collection[str] | None = None) -> list[PartKey]:
    """Return the part that says what a document is about, of each of all visible documents or some: a model's first."""
    keys = sorted(store.published(ids, names=(BY_RULE, BY_MODEL)), key=lambda key: key.name == BY_MODEL)
    return [*{key.document_id: key for key in keys}.values()]


def _place(path: str) -> tuple[list[str], str]:
    """Return the names of the folders a file lies in, as far as they may say what it is about, and its own."""
    parts = PurePath(path.partition("#")[0].replace("\\", "/")).parts
    return [*parts[1:-1]][-_FOLDERS:], parts[-1] if parts else ""

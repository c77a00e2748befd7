"""Opening a corpus in PostgreSQL and object storage, and reaching its searchers in a Ray cluster."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from octavo.corpus import location
from octavo.corpus.ask.derived import DerivedIndex
from octavo.corpus.backend import Backend
from octavo.corpus.location import Location
from octavo.errors import UsageError

INSTALL = "pip install 'octavo[cluster]'"


def opened(place: Location, ray: str, *, partial: bool) -> Backend:
    """Open a corpus (`octavo.corpus.backend.Engine`). Nothing of Ray is imported without an address of it."""
    try:
        from octavo_cluster.postgresql import PostgresCare, PostgresCatalogue, PostgresJournal, PostgresStore
    except ImportError as error:
        raise UsageError(f"{place} needs what talks to PostgreSQL and to object storage: {INSTALL}") from error
    searching = searchers() if ray else None
    store = PostgresStore(place.url)
    catalogue = PostgresCatalogue(store)
    first_stage = (
        searching.sharded(place.url, catalogue, ray, partial=partial)
        if searching
        else DerivedIndex(location.derived(place.folder), catalogue)
    )
    return Backend(store, catalogue, PostgresJournal(store), first_stage, PostgresCare(store))


def connect(ray: str) -> None:
    """Connect this process to a Ray cluster, in its main thread. Raises CorpusError (`unreachable`), UsageError."""
    searchers().connect(ray)


def searchers() -> ModuleType:
    """Return what runs and asks searchers. Raises UsageError where Ray is not installed."""
    try:
        return import_module("octavo_cluster.searchers")
    except ImportError as error:
        raise UsageError(f"searchers need Ray: {INSTALL}") from error

"""What a corpus stands on, of one engine: a store, its catalogue and care, the journal of replies, the first stage.

A folder is a corpus in one SQLite file, and a URL names the engine that many machines share. Nothing of an engine that
is not used is imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from octavo.corpus import location, private
from octavo.corpus.ask.derived import DerivedIndex
from octavo.corpus.ask.passage_index import Scope
from octavo.corpus.location import Location
from octavo.corpus.store import Store, StoreCare
from octavo.corpus.store.catalogue import Catalogue
from octavo.corpus.store.sqlite import SqliteCare, SqliteCatalogue, SqliteJournal, SqliteStore
from octavo.errors import CorpusError, UsageError
from octavo.evidence import Unsearched
from octavo.models.gateway import Journal
from octavo.models.question_vectors import QuestionVectors
from octavo_documents import plugins


class Ranking(Protocol):
    """All passages of a corpus at one moment, ranked for a question; documents go by their best passage."""

    @property
    def passages(self) -> int:
        """Return how many there are."""
        ...

    @property
    def embeddings(self) -> frozenset[str]:
        """Return which models made the vectors."""
        ...

    @property
    def has_other_languages(self) -> bool:
        """Return whether a model of many languages read any."""
        ...

    @property
    def segments(self) -> Sequence[object]:
        """Return what they lie in."""
        ...

    @property
    def unsearched(self) -> Unsearched | None:
        """Return what the rankings asked for so far leave out."""
        ...

    def example(self, embedding: str) -> str:
        """Return the id of a document whose vectors a model of `embeddings` made."""
        ...

    def documents_with(self, terms: Sequence[str]) -> list[int]:
        """Return for each term, each once, how many documents have it."""
        ...

    def lexical(self, terms: Sequence[str], scope: Scope, limit: int) -> list[int]:
        """Return the numbers of documents by how well terms fit them (BM25 over the whole corpus), best first."""
        ...

    def dense(self, query: QuestionVectors, scope: Scope, limit: int) -> list[int]:
        """Return the numbers of documents by how near they are to a question, best first."""
        ...


class FirstStage(Protocol):
    """Finds the documents a question may be about, among all of a corpus. Thread-safe."""

    def current(self) -> Ranking:
        """Return the ranking of all visible documents. Raises CorpusError (`full`, `locked`, `damaged`)."""
        ...

    def prepare(self) -> None:
        """Get in step with the store where a question would look; what stands in the way is told when one is asked."""
        ...

    def forget(self, numbers: Iterable[int]) -> None:
        """Leave nothing of these documents anywhere."""
        ...

    def damage(self) -> list[Path]:
        """Return files that are damaged or left over; reads all."""
        ...

    def close(self) -> None:
        """Let go of files."""
        ...


@dataclass(frozen=True)
class Backend:
    """What a corpus is read from and written to."""

    store: Store
    catalogue: Catalogue
    journal: Journal
    first_stage: FirstStage
    care: StoreCare

    def close(self) -> None:
        """Give back files, connections and leases."""
        self.first_stage.close()
        self.store.close()


class Engine(Protocol):
    """What a package brings that keeps corpora elsewhere than in a folder: an entry point of `octavo.stores`.

    The name of the entry point is what the URL of such a corpus begins with, before "://".
    """

    def opened(self, place: Location, ray: str, *, partial: bool) -> Backend:
        """Open a corpus; `ray` and `partial` as in `opened` below. Raises CorpusError, UsageError."""
        ...

    def connect(self, ray: str) -> None:
        """Connect this process to a Ray cluster, in its main thread. Raises CorpusError, UsageError."""
        ...


def exists(place: Location) -> bool:
    """Whether there is a corpus to be opened; a shared one is looked for by opening it."""
    return bool(place.url) or location.database(place.folder).exists()


def opened(place: Location, ray: str = "", *, partial: bool = False) -> Backend:
    """Open a corpus; in a folder it is made when there is none. Raises CorpusError.

    `ray` is the address of the Ray cluster whose searchers hold the passages of a shared one, "" for this machine; with
    `partial` what none of them answers for is left out of rankings. Raises UsageError where these make no sense.
    """
    if place.url:
        return engine_of(place).opened(place, ray, partial=partial)
    if ray:
        raise UsageError(
            f"{place} is a folder, and Ray searches shared corpora only: leave --ray and OCTAVO_RAY out, or "
            "name one with --corpus postgresql://HOST/DATABASE"
        )
    try:
        if not place.is_fixed:
            private.make_folder(place.folder)
            private.make_file(location.database(place.folder))
    except OSError as error:
        raise CorpusError("locked", f"{place} cannot be made: {error.strerror}") from error
    return _embedded(SqliteStore(location.database(place.folder), is_fixed=place.is_fixed), place)


def engine_of(place: Location) -> Engine:
    """Return what opens a shared corpus. Raises UsageError where the package for it is not installed."""
    scheme = place.url.partition("://")[0]
    try:
        return plugins.load("octavo.stores", scheme)
    except KeyError:
        raise UsageError(f"{place} needs another package: pip install 'octavo[cluster]'") from None


def empty(place: Location) -> Backend:
    """Return an empty corpus in memory, for one that was never written."""
    return _embedded(SqliteStore(None), place)


def _embedded(store: SqliteStore, place: Location) -> Backend:
    catalogue = SqliteCatalogue(store)
    index = DerivedIndex(location.derived(place.folder), catalogue, is_fixed=store.is_read_only)
    return Backend(store, catalogue, SqliteJournal(store), index, SqliteCare(store))

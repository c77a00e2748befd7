"""What is in a corpus, asked for piece by piece: some documents, some parts, counts.

These are the questions to the store that must not touch every document.
"""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import apsw
import numpy as np
import numpy.typing as npt

from octavo.corpus.store import references
from octavo.corpus.store.connections import rows_of
from octavo.corpus.store.paths import container_of, loaded_text, place_of, shown
from octavo.corpus.store.protocol import DocumentInfo, PartKey, StoredPart, is_layer
from octavo.corpus.store.sqlite import CHECKSUM_BYTES, INFO, SqliteStore, info_of, sound
from octavo.errors import UnknownDocumentError, UsageError

Numbers = npt.NDArray[np.int64]

_BATCH = 500
"""Documents that are read at once: a listing begins before it is whole."""
_NAMED = 8
"""Documents that a message names at most: it stays a few lines."""
_ORDERED = """
SELECT number FROM documents {}
ORDER BY (SELECT path FROM sources WHERE document = number ORDER BY rowid LIMIT 1), id
"""
_SOME = "IN (SELECT value FROM json_each(?))"
_OWNERS = """
SELECT DISTINCT number, id, passages FROM parts JOIN documents ON id = document_id
WHERE blob IN (SELECT value FROM json_each(?)) ORDER BY number
"""
_LAYERS = """
SELECT document_id, name, fingerprint, blob, checksum, data FROM parts LEFT JOIN blobs ON number = blob
WHERE document_id IN (SELECT value FROM json_each(?)) AND name IN (SELECT value FROM json_each(?)) AND is_published
"""


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over the visible documents."""

    documents: int
    pages: int
    passages: int


@dataclass(frozen=True, slots=True)
class Holding:
    """What one place brought into the corpus: a folder, or a file that holds many documents."""

    path: str
    documents: int
    pages: int
    passages: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class State:
    """What there is to search at one moment: the store's identity and generation, and the parts to be searched.

    `terms` and `vectors` are (n, 2) int64: number and mark of each visible part of that name. A mark is an int64 that
    tells a part from every other one, as its number does within one history of the store.
    """

    identity: str
    generation: int
    terms: Numbers
    vectors: Numbers


class Catalogue:
    """Reads the visible documents of a store."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self._connections = store.connections

    # Documents

    def count(self) -> int:
        """Return how many documents there are."""
        with self._connections.reading() as connection:
            return int(connection.execute("SELECT count(*) FROM documents").get or 0)

    def totals(self) -> Totals:
        """Return how many documents, pages and passages there are."""
        sql = "SELECT count(*), ifnull(sum(pages), 0), ifnull(sum(passages), 0) FROM documents"
        with self._connections.reading() as connection:
            return Totals(*rows_of(connection, sql)[0])

    def documents(self, numbers: Sequence[int]) -> list[DocumentInfo]:
        """Return the documents of these numbers, in their order; those that have gone are left out."""
        sql = f"{INFO} WHERE number {_SOME}".replace("SELECT id", "SELECT number, id", 1)
        with self._connections.reading() as connection:
            rows = connection.execute(sql, (json.dumps([*numbers]),))
            found = {row[0]: info_of(row[1:]) for row in rows}
        return [found[number] for number in numbers if number in found]

    def names(self, numbers: Iterable[int]) -> dict[int, str]:
        """Return what the documents of these numbers are called, by number."""
        sql = "SELECT number, name FROM documents WHERE number IN (SELECT value FROM json_each(?))"
        with self._connections.reading() as connection:
            return dict(rows_of(connection, sql, (json.dumps([*numbers]),)))

    def listing(self, numbers: Iterable[int] | None = None, *, limit: int | None = None) -> Iterator[DocumentInfo]:
        """Yield documents in the order of their paths: all or those of some numbers, and no more than `limit`."""
        where = "" if numbers is None else f"WHERE number {_SOME}"
        bindings = () if numbers is None else (json.dumps([int(number) for number in numbers]),)
        with self._connections.reading() as connection:
            ordered = rows_of(connection, _ORDERED.format(where), bindings)[:limit]
        for at in range(0, len(ordered), _BATCH):
            yield from self.documents([row[0] for row in ordered[at : at + _BATCH]])

    def find(self, reference: str | None, *, limit: int | None = None) -> Iterator[DocumentInfo]:
        """Yield documents in the order of their paths: all, or those a reference means, be there none."""
        if reference is None:
            yield from self.listing(limit=limit)
            return
        numbers = self._of_one(reference) or self._of_many(reference) or self._of_part(reference)
        yield from self.listing(numbers, limit=limit)

    def holdings(self) -> list[Holding]:
        """Return what each folder and each file of many documents brought in, by path."""
        sql = (
            "SELECT path, key, pages, passages, size_bytes FROM documents JOIN sources ON document = number "
            "GROUP BY number HAVING sources.rowid = min(sources.rowid)"
        )
        found: dict[str, list[int]] = {}
        places: dict[str, str] = {}
        with self._connections.reading() as connection:
            for path, key, pages, passages, size in rows_of(connection, sql):
                place = place_of(key)
                if place not in places:
                    places[place] = _holder(path, key)
                sums = found.setdefault(places[place], [0, 0, 0, 0])
                sums[0] += 1
                sums[1] += pages
                sums[2] += passages
                sums[3] += size
        return [Holding(shown(path), *found[path]) for path in sorted(found)]

    def path(self, document_id: str) -> str:
        """Return the file a document was first found in, "" when there is no such document."""
        sql = "SELECT path FROM sources JOIN documents ON number = document WHERE id = ? ORDER BY sources.rowid LIMIT 1"
        with self._connections.reading() as connection:
            return loaded_text(connection.execute(sql, (document_id,)).get or "")

    # What people call them

    def resolve(self, reference: str, *, in_full: bool = False) -> int:
        """Return the number of the one document a reference means: an id, the start of a hash, a name or a path.

        A title or part of a name or title will do, case aside, unless it is to be given in full. Raises CorpusError
        (`unknown`) when there is none, with the names that are near, and UsageError when there are several.
        """
        numbers = self._of_one(reference) or self._of_many(reference)
        if not numbers and not in_full:
            numbers = self._of_part(reference)
        if not numbers:
            raise UnknownDocumentError(reference, self._near(reference))
        if len(numbers) > 1:
            raise UsageError(
                f"{reference!r} means {len(numbers):,} documents: {self._named(numbers)}; "
                "give more of the name, the path or the hash"
            )
        return numbers[0]

    def _named(self, numbers: Sequence[int]) -> str:
        """Return what tells documents apart: their names where those differ, else their paths."""
        infos = self.documents(numbers[:_NAMED])
        names = [info.name for info in infos]
        told = names if len({*names}) == len(names) else [f"{info.path} ({info.id[7:15]})" for info in infos]
        return ", ".join(sorted(told)) + (f" and {len(numbers) - _NAMED:,} more" if len(numbers) > _NAMED else "")

    def numbers_of(self, reference: str, *, in_full: bool = False) -> list[int]:
        """Return the numbers of all documents a reference means, ascending.

        That is one document as `resolve` has it, all that a folder or a file of many documents brought in, or all
        whose name or path fits a pattern with `*`, `?` and `[...]`. Raises as `resolve` does.
        """
        one = self._of_one(reference)
        return one if len(one) == 1 else self._of_many(reference) or [self.resolve(reference, in_full=in_full)]

    def scope(self, names: references.Names, *, in_full: bool = False) -> list[int]:
        """Return the numbers of the documents that names mean, in the order of the names. Raises as `resolve` does."""
        found = (number for name in references.listed(names) for number in self.numbers_of(name, in_full=in_full))
        return [*dict.fromkeys(found)]

    def _of_one(self, reference: str) -> list[int]:
        with self._connections.reading() as connection:
            return references.of_one(connection, reference)

    def _of_many(self, reference: str) -> list[int]:
        with self._connections.reading() as connection:
            return references.of_many(connection, reference)

    def _of_part(self, reference: str) -> list[int]:
        with self._connections.reading() as connection:
            return references.of_part(connection, reference)

    def _near(self, reference: str) -> tuple[str, ...]:
        with self._connections.reading() as connection:
            names = (row[0] for row in connection.execute("SELECT name FROM documents"))
            return references.near(reference, names)

    # What is searched and read

    def stamp(self) -> tuple[str, int]:
        """Return the store's identity and generation."""
        return self._store.identity(), self._store.generation()

    def state(self) -> State:
        """Return what there is to search, all of one moment."""
        with self._connections.reading() as connection:
            return State(*self.stamp(), _marked(connection, "terms"), _marked(connection, "vectors"))

    def owners(self, parts: Numbers) -> list[tuple[int, str, int]]:
        """Return (number, id, passages) of the visible documents that have any of these parts, by number."""
        with self._connections.reading() as connection:
            return rows_of(connection, _OWNERS, (json.dumps(parts.tolist()),))

    def load(self, ids: Iterable[str], names: Iterable[str]) -> Iterator[StoredPart]:
        """Yield the visible parts of some names of some documents. Raises CorpusError (`damaged`)."""
        with self._connections.reading() as connection:
            for *key, stored, data in rows_of(connection, _LAYERS, (json.dumps([*ids]), json.dumps([*names]))):
                part = PartKey(*key)
                yield StoredPart(part, mark_of(part.number, stored), sound(part, stored, data))

    def layers(self) -> Mapping[str, int]:
        """Return how many documents have each layer."""
        sql = "SELECT name, count(*) FROM parts WHERE is_published GROUP BY name"
        with self._connections.reading() as connection:
            counts: dict[str, int] = dict(rows_of(connection, sql))
        return {name: count for name, count in counts.items() if is_layer(name)}


def _holder(path: str | bytes, key: str | bytes) -> str:
    """Return where a source came from: the file that holds it and others, else its folder."""
    return container_of(path, key) or str(Path(loaded_text(path)).parent)


def mark_of(number: int, stored: bytes) -> int:
    """Return the mark of a part: its number and its checksum in one int64."""
    return int(_marks(np.array([number], np.int64), [stored])[0])


def _marks(numbers: Numbers, checksums: Sequence[bytes]) -> Numbers:
    if {*map(len, checksums)} <= {CHECKSUM_BYTES}:
        sums = np.frombuffer(b"".join(checksums), "<i8")[:: CHECKSUM_BYTES // 8]
    else:  # some are damaged
        sums = np.frombuffer(b"".join(item[:8].ljust(8, b"\0") for item in checksums), "<i8")
    return numbers * _SPREAD ^ sums.astype(np.int64)


_SPREAD = np.int64(0x1E3779B97F4A7C15)
"""Spreads consecutive numbers over 64 bits, as 2**64 over the golden ratio does (Knuth, TAOCP 6.4); odd, in int64."""


def _marked(connection: apsw.Connection, name: str) -> Numbers:
    rows = rows_of(connection, "SELECT blob, checksum FROM parts WHERE name = ? AND is_published", (name,))
    numbers = np.array([row[0] for row in rows], np.int64)
    return np.stack([numbers, _marks(numbers, [row[1] for row in rows])], axis=1)

"""The catalogue of a store in SQLite."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

import apsw
import numpy as np

from octavo.corpus.store.catalogue import Catalogue, CatalogueState, Stamp, Totals
from octavo.corpus.store.checksums import Numbers, mark_of, marks_of, sound
from octavo.corpus.store.paths import container_of, folder_of, loaded_text, stored_text
from octavo.corpus.store.protocol import DocumentInfo, PartKey, StoredPart, is_layer
from octavo.corpus.store.sqlite.connections import rows_of
from octavo.corpus.store.sqlite.rows import INFO, changes, info_of, token_of
from octavo.corpus.store.sqlite.store import SqliteStore

_ORDERED = "SELECT number FROM documents {} ORDER BY {} LIMIT ?"
_ORDERS = {
    "path": "(SELECT CAST(path AS BLOB) FROM sources WHERE document = number ORDER BY rowid LIMIT 1), id",
    "newest": "added DESC, number DESC",
    "pages": "pages DESC, id",
}
_SOME = "IN (SELECT value FROM json_each(?))"
# A damaged index leads to another row: what is asked for is compared with the row itself (`+` keeps the index out).
_WITH_ID = "SELECT number FROM documents WHERE number IN (SELECT number FROM documents WHERE id = ?1) AND +id = ?1"
_WITH_KEY = "SELECT document FROM sources WHERE rowid IN (SELECT rowid FROM sources WHERE key = ?1) AND +key = ?1"
_OWNERS = """
SELECT DISTINCT number, id, passages FROM parts JOIN documents ON id = document_id
WHERE blob IN (SELECT value FROM json_each(?)) ORDER BY number
"""
_LAYERS = """
SELECT document_id, name, fingerprint, blob, checksum, data FROM parts LEFT JOIN blobs ON number = blob
WHERE document_id IN (SELECT value FROM json_each(?)) AND name IN (SELECT value FROM json_each(?)) AND is_published
"""
_CALLED = """
SELECT number, name, coalesce(json_extract(said.value, '$.hand.title'), json_extract(said.value, '$.sidecar.title'),
    json_extract(said.value, '$.zotero.title'), json_extract(read.value, '$.title'), '')
FROM documents LEFT JOIN meta AS read ON read.key = 'about:' || id
LEFT JOIN meta AS said ON said.key = 'described:' || id ORDER BY number
"""
_SHARED = """
SELECT document, path, key FROM sources AS file
WHERE {}EXISTS (SELECT 1 FROM sources WHERE document = file.document AND rowid <> file.rowid) ORDER BY rowid
"""
_MARKED = "SELECT blob, checksum FROM parts WHERE name = ? AND is_published"


class SqliteCatalogue(Catalogue):
    """A `Catalogue` over the connections of an SQLite store."""

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

    def found(self, numbers: Iterable[int]) -> dict[int, DocumentInfo]:
        """Return the documents of these numbers, by number; those that have gone are left out."""
        sql = f"{INFO} WHERE number {_SOME}".replace("SELECT id", "SELECT number, id", 1)
        with self._connections.reading() as connection:
            rows = connection.execute(sql, (json.dumps([int(number) for number in numbers]),))
            return {row[0]: info_of(row[1:]) for row in rows}

    def names(self, numbers: Iterable[int]) -> dict[int, str]:
        """Return what the documents of these numbers are called, by number."""
        sql = "SELECT number, name FROM documents WHERE number IN (SELECT value FROM json_each(?))"
        with self._connections.reading() as connection:
            return dict(rows_of(connection, sql, (json.dumps([*numbers]),)))

    def ordered(
        self, numbers: Iterable[int] | None, limit: int | None, sort: Literal["path", "newest", "pages"]
    ) -> list[int]:
        """Return documents in an order: all or some, and no more than `limit`."""
        where = "" if numbers is None else f"WHERE number {_SOME}"
        bindings = () if numbers is None else (json.dumps([int(number) for number in numbers]),)
        with self._connections.reading() as connection:
            rows = rows_of(
                connection, _ORDERED.format(where, _ORDERS[sort]), (*bindings, -1 if limit is None else limit)
            )
            return [row[0] for row in rows]

    def held(self) -> Iterator[tuple[str, str, int, int, int]]:
        """Yield where each document comes from: holder, key of its first source, pages, passages and bytes."""
        sql = (
            "SELECT path, key, pages, passages, size_bytes FROM documents JOIN sources ON document = number "
            "GROUP BY number HAVING sources.rowid = min(sources.rowid)"
        )
        with self._connections.reading() as connection:
            for path, key, *counts in rows_of(connection, sql):
                holder = container_of(path, key) or folder_of(loaded_text(path))
                yield holder, loaded_text(key), *counts

    def path(self, document_id: str) -> str:
        """Return the file a document was first found in, "" when there is no such document."""
        sql = "SELECT path FROM sources JOIN documents ON number = document WHERE id = ? ORDER BY sources.rowid LIMIT 1"
        with self._connections.reading() as connection:
            return loaded_text(connection.execute(sql, (document_id,)).get or "")

    # What people call them

    def with_id(self, document_id: str) -> list[int]:
        """Return the document of an id."""
        return self._numbers(_WITH_ID, document_id)

    def with_key(self, key: str) -> list[int]:
        """Return the document that the source of this key leads to."""
        return self._numbers(_WITH_KEY, stored_text(key))

    def with_keys(self, first: str, after: str) -> list[int]:
        """Return the documents that sources with keys from one up to another lead to."""
        # Keys that are no UTF-8 are blobs, which sort after all texts.
        sql = (
            "SELECT document FROM sources WHERE key >= ?1 AND key < ?2 "
            "OR key >= CAST(?1 AS BLOB) AND key < CAST(?2 AS BLOB)"
        )
        return self._numbers(sql, stored_text(first), stored_text(after))

    def with_name(self, name: str, first: str, after: str) -> list[int]:
        """Return the documents of a name, and those with ids from one up to another."""
        return self._numbers("SELECT number FROM documents WHERE name = ? OR id >= ? AND id < ?", name, first, after)

    def with_names(self, names: Iterable[str]) -> list[tuple[int, str]]:
        """Return number and name of the documents that have any of some names."""
        sql = f"SELECT number, name FROM documents WHERE name {_SOME}"  # noqa: S608
        with self._connections.reading() as connection:
            return rows_of(connection, sql, (json.dumps([*names]),))

    def fitting(self, name: str, path: str) -> list[int]:
        """Return the documents whose name or whose path fits a pattern with `*`, `?` and `[...]`."""
        sql = "SELECT number FROM documents WHERE name GLOB ? UNION SELECT document FROM sources WHERE path GLOB ?"
        return self._numbers(sql, name, path)

    def _numbers(self, sql: str, *bindings: Any) -> list[int]:
        with self._connections.reading() as connection:
            return [int(row[0]) for row in rows_of(connection, sql, bindings)]

    def called(self) -> list[tuple[int, str, str]]:
        """Return number, name and title, the one that was set before its own, of every document, by number."""
        with self._connections.reading() as connection:
            return rows_of(connection, _CALLED)

    def shared(self, numbers: Iterable[int] | None = None) -> list[tuple[int, str, str]]:
        """Return number, path and key of the files of documents that several lead to, of all or some documents."""
        with self._connections.reading() as connection:
            if numbers is None:
                totals = "SELECT (SELECT count(*) FROM sources) - (SELECT count(*) FROM documents)"
                if not connection.execute(totals).get:
                    return []
                found = rows_of(connection, _SHARED.format(""))
            else:
                among = (json.dumps([int(number) for number in numbers]),)
                found = rows_of(connection, _SHARED.format(f"document {_SOME} AND "), among)
            return [(int(row[0]), loaded_text(row[1]), loaded_text(row[2])) for row in found]

    def some_names(self, most: int) -> list[str]:
        """Return the names of documents, of so many at most."""
        with self._connections.reading() as connection:
            return [row[0] for row in rows_of(connection, "SELECT name FROM documents LIMIT ?", (most,))]

    # What is searched and read

    def stamp(self) -> Stamp:
        """Return the state the store is in."""
        with self._connections.reading() as connection:
            generation = self._store.generation()
            return Stamp(self._store.identity(), generation, token_of(connection, generation))

    def state(self, since: Stamp | None = None) -> CatalogueState:
        """Return what there is to search, all of one moment; of what changed `since` a stamp, where that is known."""
        with self._connections.reading() as connection:
            stamp = self.stamp()
            changed = changes(connection, since, stamp) if since else None
            terms, vectors = (_marked(connection, name, changed) for name in ("terms", "vectors"))
            return CatalogueState(stamp, terms, vectors, changed)

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


def _marked(connection: apsw.Connection, name: str, documents: Numbers | None) -> Numbers:
    """Return (n, 2) number and mark of the visible parts of a name, of all documents or some."""
    sql, bindings = _MARKED, (name,)
    if documents is not None:
        sql += f" AND document_id IN (SELECT id FROM documents WHERE number {_SOME})"  # noqa: S608
        bindings = (name, json.dumps(documents.tolist()))
    rows = rows_of(connection, sql, bindings)
    numbers = np.array([row[0] for row in rows], np.int64)
    return np.stack([numbers, marks_of(numbers, [row[1] for row in rows])], axis=1)

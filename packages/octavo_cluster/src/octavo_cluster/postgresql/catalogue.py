"""The catalogue of a store in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, LiteralString, NamedTuple

import numpy as np

from octavo.corpus.store.catalogue import Catalogue, CatalogueState, Stamp, Totals
from octavo.corpus.store.checksums import Numbers
from octavo.corpus.store.paths import container_of, folder_of
from octavo.corpus.store.protocol import DocumentInfo, PartKey, StoredPart, is_layer
from octavo.corpus.store.references import expression_of
from octavo_cluster.postgresql import rows
from octavo_cluster.postgresql.bulk import INSIDE, range_of
from octavo_cluster.postgresql.connections import Connection
from octavo_cluster.postgresql.store import PostgresStore

_ORDERED: LiteralString = "SELECT number FROM documents WHERE %s::bigint[] IS NULL OR number = ANY(%s) ORDER BY "
_ORDERS: dict[str, LiteralString] = {
    "path": "(SELECT path FROM sources WHERE document = documents.number ORDER BY sources.number LIMIT 1), id",
    "newest": "added DESC, number DESC",
    "pages": "pages DESC, id",
}
_HELD: LiteralString = """
SELECT DISTINCT ON (documents.number) path, key, pages, passages, size_bytes
FROM documents JOIN sources ON document = documents.number ORDER BY documents.number, sources.number
"""
_STAMP: LiteralString = """
SELECT identity, corpus.generation, coalesce(token, '') FROM corpus
LEFT JOIN changes ON changes.generation = corpus.generation
"""
_MARKED: LiteralString = "SELECT number, mark FROM parts WHERE name = %s AND is_published"
_OF_SOME: LiteralString = " AND document_id IN (SELECT id FROM documents WHERE number = ANY(%s))"
_SHARD_OF: LiteralString = "mod(('x' || left(md5({}), 8))::bit(32)::bigint, %s)"
_OF_SHARD: LiteralString = f" AND {_SHARD_OF.format('document_id')} = %s"
_COUNT_OF_SHARDS: LiteralString = f"SELECT count(*) FROM documents WHERE {_SHARD_OF.format('id')} = ANY(%s)"
_SHARED: LiteralString = """
SELECT document, path, key FROM sources AS file
WHERE {}EXISTS (SELECT 1 FROM sources WHERE document = file.document AND number <> file.number) ORDER BY number
"""
_OWNERS: LiteralString = """
SELECT DISTINCT documents.number, id, passages FROM parts JOIN documents ON id = document_id
WHERE parts.number = ANY(%s) ORDER BY documents.number
"""
_LAYERS: LiteralString = """
SELECT document_id, name, fingerprint, number, mark, checksum FROM parts
WHERE document_id = ANY(%s) AND name = ANY(%s) AND is_published
"""


class Shard(NamedTuple):
    """One of so many shards, counted from 0: documents by the hash of their ids."""

    at: int
    of: int


class PostgresCatalogue(Catalogue):
    """A `Catalogue` over a store in PostgreSQL; with a shard, what is searched is that of its documents."""

    def __init__(self, store: PostgresStore, shard: Shard = Shard(0, 1)) -> None:  # noqa: B008  (a tuple)
        self._store, self._connections, self._shard = store, store.connections, shard

    def _rows(self, sql: LiteralString, *bindings: Any) -> list[Any]:
        with self._connections.reading() as connection:
            return connection.execute(sql, bindings).fetchall()

    def _numbers(self, sql: LiteralString, *bindings: Any) -> list[int]:
        return [int(row[0]) for row in self._rows(sql, *bindings)]

    # Documents

    def count(self) -> int:
        """Return how many documents there are."""
        return self._numbers("SELECT documents FROM corpus")[0]

    def totals(self) -> Totals:
        """Return how many documents, pages and passages there are."""
        sql: LiteralString = (
            "SELECT count(*), coalesce(sum(pages), 0)::bigint, coalesce(sum(passages), 0)::bigint FROM documents"
        )
        return Totals(*self._rows(sql)[0])

    def found(self, numbers: Iterable[int]) -> dict[int, DocumentInfo]:
        """Return the documents of these numbers, by number; those that have gone are left out."""
        listed = self._rows(f"{rows.INFO} WHERE number = ANY(%s)", [int(number) for number in numbers])
        return {row[0]: rows.info_of(row) for row in listed}

    def names(self, numbers: Iterable[int]) -> dict[int, str]:
        """Return what the documents of these numbers are called, by number."""
        wanted = [int(number) for number in numbers]
        return dict(self._rows("SELECT number, name FROM documents WHERE number = ANY(%s)", wanted))

    def ordered(
        self, numbers: Iterable[int] | None, limit: int | None, sort: Literal["path", "newest", "pages"]
    ) -> list[int]:
        """Return documents in an order: all or some, and no more than `limit`."""
        wanted = None if numbers is None else [int(number) for number in numbers]
        return self._numbers(f"{_ORDERED}{_ORDERS[sort]} LIMIT %s", wanted, wanted, limit)

    def held(self) -> Iterator[tuple[str, str, int, int, int]]:
        """Yield where each document comes from: holder, key of its first source, pages, passages and bytes."""
        for path, key, *counts in self._rows(_HELD):
            yield container_of(path, key) or folder_of(path), key, *counts

    def path(self, document_id: str) -> str:
        """Return the file a document was first found in, "" when there is no such document."""
        sql: LiteralString = (
            "SELECT path FROM sources JOIN documents ON documents.number = document WHERE id = %s "
            "ORDER BY sources.number LIMIT 1"
        )
        return next((row[0] for row in self._rows(sql, document_id)), "")

    def layers(self) -> Mapping[str, int]:
        """Return how many documents have each layer."""
        counted = self._rows("SELECT name, count(*) FROM parts WHERE is_published GROUP BY name ORDER BY name")
        return {name: count for name, count in counted if is_layer(name)}

    # What people call them

    def with_id(self, document_id: str) -> list[int]:
        """Return the document of an id."""
        return self._numbers("SELECT number FROM documents WHERE id = %s", document_id)

    def with_key(self, key: str) -> list[int]:
        """Return the document that the source of this key leads to."""
        return self._numbers("SELECT document FROM sources WHERE md5(key) = md5(%s)", key)

    def with_keys(self, first: str, after: str) -> list[int]:
        """Return the documents that sources with keys from one up to another lead to."""
        return self._numbers(f"SELECT DISTINCT document FROM sources WHERE {INSIDE}", *range_of(first, after))

    def with_name(self, name: str, first: str, after: str) -> list[int]:
        """Return the documents of a name, and those with ids from one up to another."""
        sql: LiteralString = (
            "SELECT number FROM documents WHERE md5(name) = md5(%s) "
            "UNION SELECT number FROM documents WHERE id >= %s AND id < %s"
        )
        return self._numbers(sql, name, first, after)

    def with_names(self, names: Iterable[str]) -> list[tuple[int, str]]:
        """Return number and name of the documents that have any of some names."""
        sql: LiteralString = (
            "SELECT number, name FROM documents WHERE md5(name) IN (SELECT md5(one) FROM unnest(%s::text[]) AS one)"
        )
        return self._rows(sql, [*names])

    def fitting(self, name: str, path: str) -> list[int]:
        """Return the documents whose name or whose path fits a pattern with `*`, `?` and `[...]`."""
        sql: LiteralString = (
            "SELECT number FROM documents WHERE name ~ %s UNION SELECT document FROM sources WHERE path ~ %s"
        )
        return self._numbers(sql, expression_of(name), expression_of(path))

    def called(self) -> list[tuple[int, str, str]]:
        """Return number, name and title, the one that was set before its own, of every document, by number."""
        said = {document: one.fields.get("title") for document, one in self._store.described().items()}
        found = self._rows("SELECT number, id, name, title FROM documents ORDER BY number")
        return [(number, name, str(said.get(document) or title)) for number, document, name, title in found]

    def shared(self, numbers: Iterable[int] | None = None) -> list[tuple[int, str, str]]:
        """Return number, path and key of the files of documents that several lead to, of all or some documents."""
        if numbers is None:
            totals: LiteralString = "SELECT (SELECT count(*) FROM sources) - (SELECT count(*) FROM documents)"
            return self._rows(_SHARED.format("")) if self._numbers(totals)[0] else []
        return self._rows(_SHARED.format("document = ANY(%s) AND "), [int(number) for number in numbers])

    def some_names(self, most: int) -> list[str]:
        """Return the names of documents, of so many at most."""
        return [row[0] for row in self._rows("SELECT name FROM documents ORDER BY number LIMIT %s", most)]

    # What is searched and read

    def stamp(self) -> Stamp:
        """Return the state the store is in."""
        return Stamp(*self._rows(_STAMP)[0])

    def state(self, since: Stamp | None = None) -> CatalogueState:
        """Return what there is to search, all of one moment; of what changed `since` a stamp, where that is known."""
        with self._connections.snapshot() as connection:
            row: Any = connection.execute(_STAMP).fetchone()
            stamp = Stamp(*row)
            changed = rows.changes(connection, since, stamp) if since else None
            terms, vectors = (_marked(connection, name, changed, self._shard) for name in ("terms", "vectors"))
        return CatalogueState(stamp, terms, vectors, changed)

    def count_of_shards(self, shards: Sequence[int], of: int) -> int:
        """Return how many documents are in some of so many shards."""
        return self._numbers(_COUNT_OF_SHARDS, of, [*shards])[0]

    def owners(self, parts: Numbers) -> list[tuple[int, str, int]]:
        """Return (number, id, passages) of the visible documents that have any of these parts, by number."""
        return self._rows(_OWNERS, parts.tolist())

    def load(self, ids: Iterable[str], names: Iterable[str]) -> Iterator[StoredPart]:
        """Yield the visible parts of some names of some documents. Raises CorpusError (`damaged`)."""
        found = self._rows(_LAYERS, [*ids], [*names])
        wanted = [(PartKey(*row[:4]), row[4], row[5]) for row in found]
        named = {key.number: (key, mark) for key, mark, _ in wanted}
        for number, data in self._store.fetched(wanted):
            yield StoredPart(*named[number], data)


def _marked(connection: Connection, name: str, documents: Numbers | None, shard: Shard) -> Numbers:
    """Return (n, 2) number and mark of the visible parts of a name, of all documents of a shard or some."""
    sql, bindings = _MARKED, list[Any]([name])
    if documents is not None:
        sql, bindings = sql + _OF_SOME, [*bindings, documents.tolist()]
    if shard.of > 1:
        sql, bindings = sql + _OF_SHARD, [*bindings, shard.of, shard.at]
    return np.array(connection.execute(sql, bindings).fetchall(), np.int64).reshape(-1, 2)

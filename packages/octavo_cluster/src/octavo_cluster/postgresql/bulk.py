"""Many documents in one transaction, and the files that hold many of them, in PostgreSQL.

A file that holds many articles is read from its beginning each time; every article found is marked with the number of
the reading, so that at the end those without it are the ones that have gone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, LiteralString

from octavo.corpus.store.paths import article_key, path_key
from octavo.corpus.store.protocol import DocumentInfo, FoundArticle, Lease, ReadDocument, Ready, Source
from octavo_cluster.postgresql import rows

if TYPE_CHECKING:
    from octavo_cluster.postgresql.store import PostgresStore

INSIDE: LiteralString = "left(key, 500) >= left(%s, 500) AND left(key, 500) <= left(%s, 500) AND key >= %s AND key < %s"
"""Whether a key lies in a range; twice what `range_of` gives."""
_AT_ONCE = 500
"""Articles removed in one transaction, which keeps other writers waiting for well under a second."""


def range_of(first: str, after: str) -> tuple[str, str, str, str]:
    """Return what is bound in `INSIDE` for keys from one up to another."""
    return first, after, first, after


class PostgresBulkStore:
    """A `BulkStore` over a store in PostgreSQL."""

    def __init__(self, store: PostgresStore) -> None:
        self._store, self._connections = store, store.connections

    # Containers

    def last_read(self, container: str) -> ReadDocument | None:
        """Return what is known of a container, None when it was never read to its end."""
        sql: LiteralString = "SELECT size, mtime_ns, fingerprint, skipped FROM containers WHERE md5(key) = md5(%s)"
        with self._connections.reading() as connection:
            row = connection.execute(sql, (path_key(container),)).fetchone()
        return ReadDocument(row[0], row[1], row[2], json.loads(row[3])) if row and row[2] else None

    def begin_reading(self, container: str) -> int:
        """Return the number of a new reading of a container, larger than those before."""
        sql: LiteralString = (
            "INSERT INTO containers (key, size, mtime_ns, fingerprint, reading, skipped) "
            "VALUES (%s, 0, -1, '', 1, '{}') ON CONFLICT (md5(key)) "
            "DO UPDATE SET reading = containers.reading + 1, fingerprint = '' RETURNING reading"
        )
        with self._connections.writing() as connection:
            return int(rows.value_of(connection, sql, path_key(container)))

    def finish_reading(self, container: str, reading: int, read: ReadDocument) -> int:
        """Note that a container was read to its end; the articles not found any more go. Return how many."""
        gone = 0
        while removed := self._remove_older(container, reading):
            gone += removed
        with self._connections.writing() as connection:
            connection.execute(
                "UPDATE containers SET size = %s, mtime_ns = %s, fingerprint = %s, skipped = %s "
                "WHERE md5(key) = md5(%s)",
                (read.size, read.mtime_ns, read.fingerprint, json.dumps(dict(read.skipped)), path_key(container)),
            )
        return gone

    def _remove_older(self, container: str, reading: int) -> int:
        """Remove some of the articles that were last found before a reading; return how many."""
        sql: LiteralString = (
            "DELETE FROM sources WHERE number IN "
            f"(SELECT number FROM sources WHERE {INSIDE} AND mtime_ns < %s LIMIT %s) RETURNING document"
        )
        marks: list[int] = []
        with self._connections.writing() as connection:
            rows.lock(connection)
            found = connection.execute(sql, (*_bounds(container), reading, _AT_ONCE)).fetchall()
            for (document,) in found:
                marks += rows.leave(connection, document)
        self._store.discard(marks)
        return len(found)

    def count_articles(self, container: str) -> int:
        """Return how many articles of a container are visible."""
        sql: LiteralString = f"SELECT count(*) FROM sources WHERE {INSIDE}"
        with self._connections.reading() as connection:
            return int(rows.value_of(connection, sql, *_bounds(container)))

    def article_ids(self, container: str) -> list[tuple[str, str]]:
        """Return the document and the path of each article of a container."""
        sql: LiteralString = (
            f"SELECT id, path FROM sources JOIN documents ON documents.number = document WHERE {INSIDE} "
            "ORDER BY sources.number"
        )
        with self._connections.reading() as connection:
            return [(row[0], row[1]) for row in connection.execute(sql, _bounds(container)).fetchall()]

    def find_names(self, container: str, names: Sequence[str]) -> dict[str, FoundArticle]:
        """Return the articles of these names."""
        keys = {article_key(container, name): name for name in names}
        sql: LiteralString = (
            "SELECT key, id, mtime_ns FROM sources JOIN documents ON documents.number = document "
            "WHERE md5(key) = ANY(SELECT md5(unnest(%s::text[])))"
        )
        with self._connections.reading() as connection:
            found = connection.execute(sql, ([*keys],)).fetchall()
        return {keys[key]: FoundArticle(document, reading) for key, document, reading in found if key in keys}

    def find_ids(self, container: str, ids: Sequence[str]) -> dict[str, int]:
        """Return, for documents that are articles of a container, the last reading that found them there."""
        sql: LiteralString = (
            "SELECT id, max(mtime_ns) FROM documents JOIN sources ON document = documents.number "
            f"WHERE id = ANY(%s) AND {INSIDE} GROUP BY id"
        )
        with self._connections.reading() as connection:
            return dict(connection.execute(sql, ([*ids], *_bounds(container))).fetchall())

    # Documents

    def find_documents(self, ids: Sequence[str]) -> list[DocumentInfo]:
        """Return what is listed of the visible documents among these."""
        with self._connections.reading() as connection:
            found = connection.execute(f"{rows.INFO} WHERE id = ANY(%s)", ([*ids],)).fetchall()
        return [rows.info_of(row) for row in found]

    def claim_many(self, items: Sequence[tuple[str, str]]) -> list[Lease | None]:
        """Take the right to index documents, as `Store.claim` does each."""
        return self._store.claim_many(items)

    def release_many(self, leases: Sequence[Lease]) -> None:
        """Give leases back, and what was staged under them up."""
        with self._connections.writing() as connection:
            gone = [mark for lease in leases for mark in self._store.released(connection, lease)]
        self._store.discard(gone)

    def attach_many(self, sources: Sequence[Source]) -> list[bool]:
        """Let sources lead to visible documents; return for each whether its document is there."""
        if not sources:
            return []
        with self._connections.writing() as connection:
            rows.lock(connection)
            ids = [source.document_id for source in sources]
            found = connection.execute("SELECT id, number FROM documents WHERE id = ANY(%s)", (ids,)).fetchall()
            numbers: dict[str, int] = dict(found)
            there = [source for source in sources if source.document_id in numbers]
            gone = rows.point(connection, [(source, numbers[source.document_id]) for source in there])
        self._store.discard(gone)
        return [source.document_id in numbers for source in sources]

    def publish_many(self, batch: Sequence[Ready]) -> list[bool]:
        """Make documents visible in one step; return for each whether its lease was still held."""
        if not batch:
            return []
        written = iter(self._store.write([part for ready in batch for part in ready.parts]))
        placed = [(ready, [next(written) for _ in ready.parts]) for ready in batch]
        with self._connections.writing() as connection:
            rows.lock(connection)
            held = rows.held(connection, [ready.lease for ready in batch])
            lost = [one.mark for ready, kept in placed if ready.lease not in held for one in kept]
            ours = [(ready, kept) for ready, kept in placed if ready.lease in held]
            parts = [(ready.lease.document_id, one) for ready, kept in ours for one in kept]
            gone = rows.keep(connection, parts, is_published=True)
            if ours:
                stay = self._store.keep_jobs(ready.lease.document_id for ready, _ in ours)
                gone += rows.publish(connection, [(ready.publication, ready.source) for ready, _ in ours], stay=stay)
        self._store.discard(gone + lost)
        return [ready.lease in held for ready in batch]


def _bounds(container: str) -> tuple[str, str, str, str]:
    """Return the range of the keys of a container's articles."""
    first = article_key(container, "")
    return range_of(first, first[:-1] + chr(ord(first[-1]) + 1))

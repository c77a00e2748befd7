"""Many documents in one transaction, and the files that hold many of them, in SQLite.

A file that holds many articles is read from its beginning each time; every article found is marked with the number of
the reading, so that at the end those without it are the ones that have gone.
"""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import apsw

from octavo.corpus.store.paths import article_key, loaded_text, path_key, stored_text
from octavo.corpus.store.protocol import DocumentInfo, Found, Lease, LeaseLost, Read, Ready, Source
from octavo.corpus.store.sqlite import rows as written
from octavo.corpus.store.sqlite.connections import Connections, rows_of
from octavo.corpus.store.sqlite.leases import Leases

_INSIDE = "key >= ? AND key < ?"
_READINGS = f"""
SELECT id, max(mtime_ns) FROM documents JOIN sources ON document = number
WHERE id IN (SELECT value FROM json_each(?)) AND {_INSIDE} GROUP BY id
"""  # noqa: S608  (the text above)
_AT_ONCE = 500
"""Articles removed in one transaction, which keeps other writers waiting for well under a second."""


class SqliteBulkStore:
    """A `BulkStore` over the connections of an SQLite store."""

    def __init__(self, connections: Connections, leases: Leases) -> None:
        self._connections, self._leases = connections, leases

    # Containers

    def last_read(self, container: str) -> Read | None:
        """Return what is known of a container, None when it was never read to its end."""
        with self._connections.reading() as connection:
            row: Any = connection.execute(
                "SELECT size, mtime_ns, fingerprint, skipped FROM containers WHERE key = ?", (_key(container),)
            ).get
        return Read(row[0], row[1], row[2], json.loads(row[3])) if row and row[2] else None

    def begin_reading(self, container: str) -> int:
        """Return the number of a new reading of a container, larger than those before."""
        with self._connections.writing() as connection:
            connection.execute(
                "INSERT INTO containers (key, size, mtime_ns, fingerprint, reading, skipped) "
                "VALUES (?, 0, -1, '', 1, '{}') ON CONFLICT DO UPDATE SET reading = reading + 1, fingerprint = ''",
                (_key(container),),
            )
            row: Any = connection.execute("SELECT reading FROM containers WHERE key = ?", (_key(container),)).get
            return int(row)

    def finish_reading(self, container: str, reading: int, read: Read) -> int:
        """Note that a container was read to its end; the articles not found any more go. Return how many."""
        gone = 0
        while removed := self._remove_older(container, reading):
            gone += removed
        with self._connections.writing() as connection:
            connection.execute(
                "UPDATE containers SET size = ?, mtime_ns = ?, fingerprint = ?, skipped = ? WHERE key = ?",
                (read.size, read.mtime_ns, read.fingerprint, json.dumps(dict(read.skipped)), _key(container)),
            )
        return gone

    def _remove_older(self, container: str, reading: int) -> int:
        """Remove some of the articles that were last found before a reading; return how many."""
        with self._connections.writing() as connection:
            sql = f"SELECT rowid, document FROM sources WHERE {_INSIDE} AND mtime_ns < ? LIMIT ?"  # noqa: S608
            rows = rows_of(connection, sql, (*_bounds(container), reading, _AT_ONCE))
            for number, document in rows:
                connection.execute("DELETE FROM sources WHERE rowid = ?", (number,))
                written.leave(connection, document)
            return len(rows)

    def count_articles(self, container: str) -> int:
        """Return how many articles of a container are visible."""
        with self._connections.reading() as connection:
            sql = f"SELECT count(*) FROM sources WHERE {_INSIDE}"  # noqa: S608
            return int(_value(connection, sql, _bounds(container)))

    def article_ids(self, container: str) -> list[tuple[str, str]]:
        """Return the document and the path of each article of a container."""
        with self._connections.reading() as connection:
            rows: Any = connection.execute(
                f"SELECT id, path FROM sources JOIN documents ON number = document WHERE {_INSIDE} "  # noqa: S608
                "ORDER BY sources.rowid",
                _bounds(container),
            )
            return [(str(document), loaded_text(path)) for document, path in rows]

    def find_names(self, container: str, names: Sequence[str]) -> dict[str, Found]:
        """Return the articles of these names."""
        sql = "SELECT id, mtime_ns FROM sources JOIN documents ON number = document WHERE key = ?"
        with self._connections.reading() as connection:
            rows: dict[str, Any] = {
                name: connection.execute(sql, (stored_text(article_key(container, name)),)).get for name in names
            }
        return {name: Found(*found) for name, found in rows.items() if found}

    def find_ids(self, container: str, ids: Sequence[str]) -> dict[str, int]:
        """Return, for documents that are articles of a container, the last reading that found them there."""
        with self._connections.reading() as connection:
            rows: Any = connection.execute(_READINGS, (json.dumps([*ids]), *_bounds(container)))
            return {str(document): int(reading) for document, reading in rows}

    # Documents

    def find_documents(self, ids: Sequence[str]) -> list[DocumentInfo]:
        """Return what is listed of the visible documents among these."""
        with self._connections.reading() as connection:
            sql = f"{written.INFO} WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608  (names of columns)
            rows: Any = connection.execute(sql, (json.dumps([*ids]),))
            return [written.info_of(row) for row in rows]

    def claim_many(self, items: Sequence[tuple[str, str]]) -> list[Lease | None]:
        """Take the right to index documents, as `Store.claim` does each."""
        now = written.now()
        with self._connections.writing() as connection:
            return [self._leases.claim(connection, document, stored_text(path), now) for document, path in items]

    def release_many(self, leases: Sequence[Lease]) -> None:
        """Give leases back, and what was staged under them up."""
        with self._connections.writing() as connection:
            for lease in leases:
                held = (lease.document_id, lease.token)
                connection.execute("DELETE FROM jobs WHERE document_id = ? AND token = ?", held)
                if connection.changes():
                    gone = "DELETE FROM parts WHERE document_id = ? AND NOT is_published"
                    connection.execute(gone, (lease.document_id,))

    def attach_many(self, sources: Sequence[Source]) -> None:
        """Let sources lead to visible documents; those whose document has gone are left out."""
        with self._connections.writing() as connection:
            for source in sources:
                number = _value(connection, "SELECT number FROM documents WHERE id = ?", (source.document_id,))
                if number is not None:
                    written.point(connection, source, number)

    def publish_many(self, batch: Sequence[Ready]) -> list[bool]:
        """Make documents visible in one step; return for each whether its lease was still held."""
        with self._connections.writing() as connection:
            return [self._publish(connection, ready) for ready in batch]

    def _publish(self, connection: apsw.Connection, ready: Ready) -> bool:
        try:
            self._leases.verify(connection, ready.lease)
        except LeaseLost:
            return False
        for part in ready.parts:
            written.keep(connection, ready.lease.document_id, part, is_published=False)
        written.publish(connection, ready.publication, ready.source)
        return True


def _key(container: str) -> str | bytes:
    return stored_text(path_key(container))


def _bounds(container: str) -> tuple[str | bytes, str | bytes]:
    """Return the first key of a container's articles and the first one after them."""
    first = article_key(container, "")
    return stored_text(first), stored_text(first[:-1] + chr(ord(first[-1]) + 1))


def _value(connection: apsw.Connection, sql: str, bindings: tuple[Any, ...]) -> Any:
    return connection.execute(sql, bindings).get

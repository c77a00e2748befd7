"""Looking for damage in a shared store and taking it out, and sweeping up bytes that no row names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import LiteralString

from octavo.corpus.store.checksums import checksum
from octavo.corpus.store.protocol import Job, PartKey
from octavo_cluster.postgresql import descriptions, rows, table_cells
from octavo_cluster.postgresql.journal import PostgresJournal
from octavo_cluster.postgresql.store import PostgresStore

_AT_ONCE = 64
"""Parts that are read at once."""
_ORPHANS: dict[str, LiteralString] = {
    "stored data without a document": "is_published AND NOT EXISTS (SELECT 1 FROM documents WHERE id = document_id)",
    "unfinished data that nobody works on": (
        "NOT is_published AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.document_id = parts.document_id)"
    ),
}


class PostgresCare:
    """The `StoreCare` of a store in PostgreSQL, and of the journal in it."""

    def __init__(self, store: PostgresStore) -> None:
        self._store, self._connections = store, store.connections

    def integrity(self, *, mend: bool) -> tuple[list[str], list[str]]:
        """Return no problems: the files of the database are its server's to look after."""
        del mend
        return [], []

    def damaged_parts(self) -> Iterator[tuple[PartKey, bool]]:
        """Read every stored part; yield those that are damaged, and whether they are visible."""
        after = -1
        sql: LiteralString = (
            "SELECT document_id, name, fingerprint, number, is_published, mark, checksum FROM parts "
            "WHERE number > %s ORDER BY number LIMIT %s"
        )
        while True:
            with self._connections.reading() as connection:
                found = connection.execute(sql, (after, _AT_ONCE)).fetchall()
            if not found:
                return
            after = found[-1][3]
            read = self._store.bucket.get_all([row[5] for row in found])
            if None in read:
                self._store.confirm_bucket()
            for (*key, is_published, _, stored), data in zip(found, read, strict=True):
                if (data is None or checksum(data) != stored) and self._is_there(key[3]):
                    yield PartKey(*key), is_published

    def _is_there(self, number: int) -> bool:
        """Whether a part has not gone meanwhile."""
        with self._connections.reading() as connection:
            return rows.value_of(connection, "SELECT 1 FROM parts WHERE number = %s", number) is not None

    def drop(self, key: PartKey) -> None:
        """Take a stored part out."""
        sql: LiteralString = "DELETE FROM parts WHERE number = %s RETURNING mark"
        with self._connections.writing() as connection:
            gone = [row[0] for row in connection.execute(sql, (key.number,)).fetchall()]
        self._store.discard(gone)

    def orphans(self, *, remove: bool) -> dict[str, int]:
        """Return how many parts belong to nothing, by what they are; `remove` them."""
        found: dict[str, int] = {}
        gone: list[int] = []
        with self._connections.writing() as connection:
            rows.lock(connection)
            for what, where in _ORPHANS.items():
                marks = [row[0] for row in connection.execute(f"SELECT mark FROM parts WHERE {where}").fetchall()]
                if marks:
                    found[what] = len(marks)
                if remove:
                    connection.execute("DELETE FROM parts WHERE mark = ANY(%s)", (marks,))
                    gone += marks
            if left := descriptions.orphans(connection, remove=remove):
                found["what was set of no document"] = left
            if left := table_cells.orphans(connection, remove=remove):
                found["cells of no document"] = left
        self._store.discard(gone)
        return found

    def abandoned(self, *, forget: bool) -> tuple[Job, ...]:
        """Return the jobs whose process went away without giving up its lease; `forget` gives the leases up."""
        sql: LiteralString = (
            f"SELECT document_id FROM jobs WHERE token <> '' AND NOT {rows.WAITS} AND expires <= clock_timestamp()"
        )
        with self._connections.reading() as connection:
            ids = [row[0] for row in connection.execute(sql).fetchall()]
        found = tuple(job for job in self._store.jobs(ids) if not job.is_running) if ids else ()
        if forget and found:
            free: LiteralString = (
                "UPDATE jobs SET token = '' WHERE document_id = ANY(%s) AND expires <= clock_timestamp()"
            )
            with self._connections.writing() as connection:
                connection.execute(free, ([job.document_id for job in found],))
        return found

    def replies(self, *, forget: bool) -> int:
        """Return how many kept replies of models are damaged; `forget` removes them, so that they are asked again."""
        return PostgresJournal(self._store).damaged(forget=forget)

    def sweep(self, older: float) -> tuple[int, int]:
        """Remove bytes that no row names and that were written longer ago than so many seconds.

        Return how many objects there are, as far as they are so old, and how many were removed.
        """
        seen = removed = 0
        for marks in self._store.bucket.older(older):
            with self._connections.reading() as connection:
                named = connection.execute("SELECT mark FROM parts WHERE mark = ANY(%s)", (marks,)).fetchall()
            left = [*{*marks} - {row[0] for row in named}]
            self._store.bucket.delete_all(left)
            seen, removed = seen + len(marks), removed + len(left)
        return seen, removed

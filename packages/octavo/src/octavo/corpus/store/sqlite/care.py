"""Looking for damage in an SQLite store, and taking it out."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterator

import apsw

from octavo.corpus.store.checksums import checksum
from octavo.corpus.store.protocol import Job, PartKey
from octavo.corpus.store.sqlite.connections import explained, rows_of
from octavo.corpus.store.sqlite.journal import SqliteJournal
from octavo.corpus.store.sqlite.rows import DESCRIBED, OF_NO_DOCUMENT, WITH_DESCRIPTION
from octavo.corpus.store.sqlite.store import SqliteStore
from octavo.errors import CorpusError

MOST_PROBLEMS = 100
"""How many problems SQLite looks for before it gives up."""
_ORPHANS = {
    "stored data without a document": "parts WHERE is_published AND document_id NOT IN (SELECT id FROM documents)",
    "unfinished data that nobody works on": (
        "parts WHERE NOT is_published AND document_id NOT IN (SELECT document_id FROM jobs)"
    ),
    "stored bytes without a name": "blobs WHERE number NOT IN (SELECT blob FROM parts)",
    "a file that leads to no document": "sources WHERE document NOT IN (SELECT number FROM documents)",
    "what was set of no document": (
        f"meta WHERE {WITH_DESCRIPTION} AND NOT EXISTS (SELECT 1 FROM documents WHERE '{DESCRIBED}' || id = key)"  # noqa: S608
    ),
    "cells of no document": f"meta WHERE {OF_NO_DOCUMENT}",
}


class SqliteCare:
    """The `StoreCare` of a store in SQLite, and of the journal in it."""

    def __init__(self, store: SqliteStore) -> None:
        self._store, self._connections = store, store.connections

    def integrity(self, *, mend: bool) -> tuple[list[str], list[str]]:
        """Ask SQLite whether its pages and indexes are sound; return its problems, and those left after mending."""
        problems = self._problems()
        if not problems or not mend:
            return problems, problems
        self._mend_indexes()
        return problems, self._problems()

    def _problems(self) -> list[str]:
        try:
            with explained(self._store.path):
                rows = rows_of(self._connections.get(), f"PRAGMA integrity_check({MOST_PROBLEMS})")
        except CorpusError as error:
            if error.reason != "damaged":  # a full disk, a busy file
                raise
            return [str(error.__cause__)]
        lines = [line.strip() for row in rows if row[0] != "ok" for line in str(row[0]).splitlines()]
        return [line for line in lines if not line.startswith("***")] or lines  # *** stands before a database's name

    def _mend_indexes(self) -> None:
        with explained(self._store.path):
            try:
                self._connections.get().execute("REINDEX")
            except (apsw.CorruptError, apsw.ConstraintError):
                return

    def damaged_parts(self) -> Iterator[tuple[PartKey, bool]]:
        """Read every stored part; yield those that are damaged, and whether they are visible."""
        sql = "SELECT document_id, name, fingerprint, blob, is_published, checksum FROM parts"
        with self._connections.reading() as connection:
            stored = rows_of(connection, sql)
        for *key, is_published, wanted in stored:
            with self._connections.reading() as connection:
                data = connection.execute("SELECT data FROM blobs WHERE number = ?", (key[3],)).get
            if not isinstance(data, bytes) or checksum(data) != wanted:
                yield PartKey(*key), bool(is_published)

    def drop(self, key: PartKey) -> None:
        """Take a stored part out."""
        with self._connections.writing() as connection:
            connection.execute("DELETE FROM parts WHERE blob = ?", (key.number,))

    def orphans(self, *, remove: bool) -> dict[str, int]:
        """Return how many rows belong to nothing, by what they are; `remove` them."""
        found: dict[str, int] = {}
        with self._connections.writing() as connection:
            for what, rows in _ORPHANS.items():
                count = connection.execute(f"SELECT count(*) FROM {rows}").get  # noqa: S608  (from the table above)
                if count and remove:
                    connection.execute(f"DELETE FROM {rows}")  # noqa: S608
                if count:
                    found[what] = int(count)
        return found

    def abandoned(self, *, forget: bool) -> tuple[Job, ...]:
        """Return the jobs whose process went away without giving up its lease; `forget` gives the leases up."""
        with self._connections.writing() as connection:
            held = {row[0] for row in connection.execute("SELECT document_id FROM jobs WHERE token <> ''")}
            held -= self._store.leases.unreleased  # these were left, if not in writing
            found = tuple(job for job in self._store.jobs() if job.document_id in held and not job.is_running)
            if forget:
                free = "UPDATE jobs SET token = '', expires = 0 WHERE document_id = ?"
                connection.executemany(free, [(job.document_id,) for job in found])
            return found

    def replies(self, *, forget: bool) -> int:
        """Return how many kept replies of models are damaged; `forget` removes them, so that they are asked again."""
        return SqliteJournal(self._store).damaged(forget=forget)

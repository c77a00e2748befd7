"""The store in one SQLite file.

Parts are written as they are finished; the one transaction that makes a document visible only marks them.
"""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import apsw

from octavo.about.description import DocumentDescription, SetBy
from octavo.about.fields import FieldValue
from octavo.corpus.store.checksums import damaged_part, sound
from octavo.corpus.store.paths import article_key, container_of, loaded_text, path_key, stored_text
from octavo.corpus.store.protocol import (
    LEASE_SECONDS,
    DocumentInfo,
    DocumentPart,
    FoundArticle,
    Job,
    Lease,
    LeaseLost,
    PartKey,
    Quarantined,
    ReadDocument,
    Ready,
    Source,
)
from octavo.corpus.store.sqlite import rows
from octavo.corpus.store.sqlite.connections import Connections, damaged, prepare, rows_of
from octavo.corpus.store.sqlite.leases import Leases
from octavo.corpus.store.sqlite.reserve import Reserve
from octavo.errors import CorpusError
from octavo.models.gateway.journal import now


class SqliteStore:
    """A `Store` in the file at `path`, made when missing; in memory and empty when `path` is None.

    With `is_fixed` the file is only read.
    """

    def __init__(self, path: Path | None, *, clock: Callable[[], float] = time.time, is_fixed: bool = False) -> None:
        self.path = path
        self.connections = Connections(path, lambda connection: prepare(connection, path), is_fixed=is_fixed)
        self.leases = Leases(clock)
        self._closing: list[Callable[[], None]] = []
        self.connections.get()
        self.reserve = None if path is None or self.is_read_only else Reserve(path.parent)
        """Room that is given up while something is removed."""
        if self.reserve is not None:
            self.reserve.make()

    @property
    def bulk(self) -> SqliteBulkStore:
        """The part of the store that takes many documents at once."""
        return SqliteBulkStore(self.connections, self.leases)

    @property
    def lease_seconds(self) -> float:
        """After how long a lease ends that is not renewed."""
        return LEASE_SECONDS

    @property
    def is_read_only(self) -> bool:
        """Whether nothing can be written from here."""
        return self.connections.is_read_only

    def before_close(self, action: Callable[[], None]) -> None:
        """Have something written while the file is still open; when that fails the file is closed all the same."""
        self._closing.append(action)

    def close(self) -> None:
        """Give back leases and close the file."""
        for action in self._closing:
            with contextlib.suppress(CorpusError):
                action()
        if not self.connections.is_gone and not self.is_read_only:
            with self.connections.writing() as connection:
                self.leases.give_up(connection)
        self.connections.close()

    # What is visible

    def documents(self) -> tuple[DocumentInfo, ...]:
        """Return the visible documents in the order of their paths."""
        with self.connections.reading() as connection:
            return tuple(map(rows.info_of, connection.execute(f"{rows.INFO} ORDER BY 3, id")))

    def ocr_modes(self) -> dict[str, str]:
        """Return, by document id, the mode it was read with."""
        with self.connections.reading() as connection:
            return dict(connection.execute("SELECT id, ocr FROM documents"))

    def sources(self, paths: Iterable[str] | None = None, *, ids: Iterable[str] | None = None) -> dict[str, Source]:
        """Return the files that visible documents came from, by `path_key` of the path, the first found first.

        All, or those of some paths, or those of some documents.
        """
        sql = "SELECT path, size, mtime_ns, id, key FROM sources JOIN documents ON number = document"
        with self.connections.reading() as connection:
            selected: Iterable[Any]
            if paths is not None:
                keys = [(stored_text(path_key(path)),) for path in paths]
                selected = connection.executemany(f"{sql} WHERE key = ?", keys)
            else:
                among, bindings = _among("id", ids)
                selected = connection.execute(f"{sql} {among} ORDER BY sources.rowid", bindings)
            found = [
                Source(loaded_text(one[0]), one[1], one[2], one[3], container_of(one[0], one[4])) for one in selected
            ]
        return {path_key(source.path): source for source in found}

    def published(self, ids: Iterable[str] | None = None, *, names: Iterable[str] | None = None) -> list[PartKey]:
        """Return the parts of visible documents, of all or of some, of all names or of some."""
        sql = "SELECT document_id, name, fingerprint, blob FROM parts WHERE is_published"
        bindings: list[str] = []
        for column, values in (("document_id", ids), ("name", names)):
            if values is not None:
                sql += f" AND {column} IN (SELECT value FROM json_each(?))"  # noqa: S608  (names of columns)
                bindings.append(json.dumps([*values]))
        with self.connections.reading() as connection:
            return [PartKey(*row) for row in connection.execute(sql, bindings)]

    def generation(self) -> int:
        """Return a number that grows with every change of the visible documents."""
        with self.connections.reading() as connection:
            return int(self._meta(connection, "generation"))

    def identity(self) -> str:
        """Return 32 hex digits that tell this store from every other one."""
        with self.connections.reading() as connection:
            return str(self._meta(connection, "corpus"))

    def _meta(self, connection: apsw.Connection, key: str) -> Any:
        value = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).get
        if value is None:
            raise damaged(self.path or Path())
        return value

    def size_bytes(self) -> int:
        """Return what the file and its journal take on disk."""
        if self.path is None:
            return 0
        files = [self.path.with_name(self.path.name + suffix) for suffix in ("", "-wal", "-shm")]
        return sum(file.stat().st_size for file in files if file.exists())

    # Parts

    def staged(self, document_id: str) -> dict[str, PartKey]:
        """Return every part stored for a document, by fingerprint, whether it is visible or not."""
        with self.connections.reading() as connection:
            rows = connection.execute(
                "SELECT document_id, name, fingerprint, blob FROM parts WHERE document_id = ?", (document_id,)
            )
            return {row[2]: PartKey(*row) for row in rows}

    def load(self, key: PartKey) -> bytes | None:
        """Return a part, None when it has gone. Raises CorpusError (`damaged`) when its checksum is wrong."""
        with self.connections.reading() as connection:
            row: Any = connection.execute(
                f"SELECT {_PART} FROM parts LEFT JOIN blobs ON number = blob WHERE blob = ?",  # noqa: S608
                (key.number,),
            ).get
        return None if row is None else _sound(key, row)

    def load_all(self, keys: Sequence[PartKey]) -> dict[int, bytes]:
        """Return the bytes of parts by number, without those that have gone. Raises as `load` does."""
        sql = (
            f"SELECT {_PART} FROM parts LEFT JOIN blobs ON number = blob "  # noqa: S608
            "WHERE blob IN (SELECT value FROM json_each(?))"
        )
        named = {key.number: key for key in keys}
        with self.connections.reading() as connection:
            rows: Any = connection.execute(sql, (json.dumps([*named]),))
            return {row[3]: _sound(named.get(row[3]), row) for row in rows}

    def stage(self, lease: Lease, part: DocumentPart) -> None:
        """Keep a finished part of a document that is not visible yet. Raises LeaseLost."""
        with self.connections.writing() as connection:
            self.leases.verify(connection, lease)
            rows.keep(connection, lease.document_id, part, is_published=False)

    # Changes of what is visible

    def replace_part(self, lease: Lease, part: DocumentPart, *, without: Sequence[str] = ()) -> None:
        """Make a part of a visible document visible, in the place of the one of its name; the parts `without` go.

        Raises LeaseLost.
        """
        with self.connections.writing() as connection:
            self.leases.verify(connection, lease)
            gone = "DELETE FROM parts WHERE document_id = ? AND name = ? AND is_published"
            connection.executemany(gone, [(lease.document_id, name) for name in (part.name, *without)])
            rows.keep(connection, lease.document_id, part, is_published=True)

    def remove(self, ids: Iterable[str]) -> None:
        """Remove documents and all that was made from them, and give the room back to the disk."""
        with self._removing() as connection:
            for document in ids:
                number = connection.execute("SELECT number FROM documents WHERE id = ?", (document,)).get
                if number is not None:
                    rows.read_again(connection, number)
                    connection.execute("DELETE FROM sources WHERE document = ?", (number,))
                    rows.drop(connection, number)
                rows.forget(connection, document)

    @contextlib.contextmanager
    def _removing(self) -> Generator[apsw.Connection]:
        """Run statements that remove, on a full disk too: what is set aside, and the log, have the room it takes."""
        with contextlib.nullcontext() if self.reserve is None else self.reserve.lent():
            self.connections.shrink()
            with self.connections.writing() as connection:
                yield connection
            self.connections.shrink()

    def detach(self, sources: Iterable[Source]) -> list[str]:
        """Let files lead to their documents no more, in one step; return the ids of the documents that went."""
        with self._removing() as connection:
            return [source.document_id for source in sources if rows.detach(connection, source)]

    # What was set of documents

    def described(self, ids: Iterable[str] | None = None) -> dict[str, DocumentDescription]:
        """Return what was set of visible documents, by id, of all or of some; those without are left out."""
        with self.connections.reading() as connection:
            return rows.described(connection, ids)

    def describe(
        self, document_id: str, by: SetBy, fields: Mapping[str, FieldValue | None], *, anew: bool = False
    ) -> bool:
        """Set fields of a visible document; return whether there is one. Raises UsageError."""
        with self.connections.writing() as connection:
            return rows.describe(connection, document_id, by, fields, anew=anew)

    def cells(self, ids: Iterable[str]) -> dict[str, dict[str, str]]:
        """Return the cells of tables that are kept of visible documents: by id and key, each as it was kept."""
        with self.connections.reading() as connection:
            return {one: found for one in ids if (found := rows.cells(connection, one))}

    def keep_cell(self, document_id: str, key: str, cell: str | None) -> bool:
        """Keep a cell of a visible document, or none; return whether there is one."""
        with self.connections.writing() as connection:
            return rows.keep_cell(connection, document_id, key, cell)

    # Jobs

    def claim(self, document_id: str, path: str) -> Lease | None:
        """Take the right to index a document; None while someone else who lives has it."""
        with self.connections.writing() as connection:
            return self.leases.claim(connection, document_id, stored_text(path), now())

    def renew(self) -> None:
        """Put off the end of every lease this store holds."""
        with self.connections.writing() as connection:
            self.leases.renew(connection)

    def release(self, lease: Lease, *, keep: bool) -> None:
        """Give a lease back; `keep` keeps what was staged, for whoever goes on."""
        try:
            self._release(lease, keep=keep)
        except CorpusError:
            self.leases.unreleased.add(lease.document_id)
            raise

    def _release(self, lease: Lease, *, keep: bool) -> None:
        with self.connections.writing() as connection:
            if keep:
                held = (lease.document_id, lease.token)
                connection.execute("UPDATE jobs SET token = '', expires = 0 WHERE document_id = ? AND token = ?", held)
            else:
                rows.release(connection, lease)

    def jobs(self, ids: Iterable[str] | None = None) -> tuple[Job, ...]:
        """Return the documents being indexed, and those whose indexing was interrupted; all or those among some."""
        columns = "document_id, path, started, token, host, pid, pid_started, expires"
        among, bindings = _among("document_id", ids)
        with self.connections.reading() as connection:
            jobs = connection.execute(f"SELECT {columns} FROM jobs {among} ORDER BY started", bindings)  # noqa: S608
            found = [(row[0], loaded_text(row[1]), row[2], self._is_running(row[0], row[3:])) for row in jobs]
            return tuple(Job(*job, parts=rows.unpublished(connection, job[0])) for job in found)

    def _is_running(self, document_id: str, holder: Any) -> bool:
        return not (self.leases.is_free(*holder) or self.leases.is_left(document_id, holder[0]))

    # Files that killed their parser

    def quarantine(self, case: Quarantined) -> None:
        """Remember that a file killed its parser."""
        with self.connections.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO quarantine (document_id, path, parser, reason, message) VALUES (?, ?, ?, ?, ?)",
                (case.document_id, stored_text(case.path), case.parser, case.reason, case.message),
            )

    def quarantined(self, ids: Iterable[str] | None = None) -> dict[str, Quarantined]:
        """Return the files that killed their parser, all or those among some documents, by document id."""
        among, bindings = _among("document_id", ids)
        with self.connections.reading() as connection:
            sql = f"SELECT document_id, path, parser, reason, message FROM quarantine {among}"  # noqa: S608
            cases = connection.execute(sql, bindings)
            return {row[0]: Quarantined(row[0], loaded_text(row[1]), *row[2:]) for row in cases}

    def clear_quarantine(self) -> int:
        """Forget every quarantined file; return how many there were."""
        with self.connections.writing() as connection:
            connection.execute("DELETE FROM quarantine")
            return connection.changes()


def _among(column: str, values: Iterable[str] | None) -> tuple[str, tuple[str, ...]]:
    """Return the condition that a column has one of some values, if not any, and what is bound to it."""
    if values is None:
        return "", ()
    return f"WHERE {column} IN (SELECT value FROM json_each(?))", (json.dumps([*values]),)  # noqa: S608  (a column's name)


_PART = "document_id, name, fingerprint, blob, checksum, data"


def _sound(key: PartKey | None, row: Sequence[Any]) -> bytes:
    """Return the bytes of the row that a key led to, if it is that of the key: a damaged index leads to another."""
    *named, stored, data = row
    if (found := PartKey(*named)) != key:
        raise damaged_part(key or found)
    return sound(found, stored, data)


_INSIDE = "key >= ? AND key < ?"
_READINGS = f"""
SELECT id, max(mtime_ns) FROM documents JOIN sources ON document = number
WHERE id IN (SELECT value FROM json_each(?)) AND {_INSIDE} GROUP BY id
"""  # noqa: S608  (the text above)
_AT_ONCE = 500
"""Articles removed in one transaction, which keeps other writers waiting for well under a second."""


class SqliteBulkStore:
    """A `BulkStore` over the connections of an SQLite store.

    A file that holds many articles is read from its beginning each time; every article found is marked with the number
    of the reading, so that at the end those without it are the ones that have gone.
    """

    def __init__(self, connections: Connections, leases: Leases) -> None:
        self._connections, self._leases = connections, leases

    # Containers

    def last_read(self, container: str) -> ReadDocument | None:
        """Return what is known of a container, None when it was never read to its end."""
        with self._connections.reading() as connection:
            row: Any = connection.execute(
                "SELECT size, mtime_ns, fingerprint, skipped FROM containers WHERE key = ?", (_key(container),)
            ).get
        return ReadDocument(row[0], row[1], row[2], json.loads(row[3])) if row and row[2] else None

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

    def finish_reading(self, container: str, reading: int, read: ReadDocument) -> int:
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
            found = rows_of(connection, sql, (*_bounds(container), reading, _AT_ONCE))
            for number, document in found:
                connection.execute("DELETE FROM sources WHERE rowid = ?", (number,))
                rows.leave(connection, document)
            return len(found)

    def count_articles(self, container: str) -> int:
        """Return how many articles of a container are visible."""
        with self._connections.reading() as connection:
            sql = f"SELECT count(*) FROM sources WHERE {_INSIDE}"  # noqa: S608
            return int(rows.row_of(connection, sql, _bounds(container)))

    def article_ids(self, container: str) -> list[tuple[str, str]]:
        """Return the document and the path of each article of a container."""
        with self._connections.reading() as connection:
            found: Any = connection.execute(
                f"SELECT id, path FROM sources JOIN documents ON number = document WHERE {_INSIDE} "  # noqa: S608
                "ORDER BY sources.rowid",
                _bounds(container),
            )
            return [(str(document), loaded_text(path)) for document, path in found]

    def find_names(self, container: str, names: Sequence[str]) -> dict[str, FoundArticle]:
        """Return the articles of these names."""
        sql = "SELECT id, mtime_ns FROM sources JOIN documents ON number = document WHERE key = ?"
        with self._connections.reading() as connection:
            found: dict[str, Any] = {
                name: connection.execute(sql, (stored_text(article_key(container, name)),)).get for name in names
            }
        return {name: FoundArticle(*row) for name, row in found.items() if row}

    def find_ids(self, container: str, ids: Sequence[str]) -> dict[str, int]:
        """Return, for documents that are articles of a container, the last reading that found them there."""
        with self._connections.reading() as connection:
            found: Any = connection.execute(_READINGS, (json.dumps([*ids]), *_bounds(container)))
            return {str(document): int(reading) for document, reading in found}

    # Documents

    def find_documents(self, ids: Sequence[str]) -> list[DocumentInfo]:
        """Return what is listed of the visible documents among these."""
        with self._connections.reading() as connection:
            sql = f"{rows.INFO} WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608  (names of columns)
            found: Any = connection.execute(sql, (json.dumps([*ids]),))
            return [rows.info_of(row) for row in found]

    def claim_many(self, items: Sequence[tuple[str, str]]) -> list[Lease | None]:
        """Take the right to index documents, as `Store.claim` does each."""
        begun = now()
        with self._connections.writing() as connection:
            return [self._leases.claim(connection, document, stored_text(path), begun) for document, path in items]

    def release_many(self, leases: Sequence[Lease]) -> None:
        """Give leases back, and what was staged under them up."""
        try:
            with self._connections.writing() as connection:
                for lease in leases:
                    rows.release(connection, lease)
        except CorpusError:
            self._leases.unreleased.update(lease.document_id for lease in leases)
            raise

    def attach_many(self, sources: Sequence[Source]) -> list[bool]:
        """Let sources lead to visible documents; return for each whether its document is there."""
        there: list[bool] = []
        with self._connections.writing() as connection:
            for source in sources:
                number = rows.row_of(connection, "SELECT number FROM documents WHERE id = ?", (source.document_id,))
                if number is not None:
                    rows.point(connection, source, number)
                there.append(number is not None)
        return there

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
            rows.keep(connection, ready.lease.document_id, part, is_published=False)
        rows.publish(connection, ready.publication, ready.source)
        return True


def _key(container: str) -> str | bytes:
    return stored_text(path_key(container))


def _bounds(container: str) -> tuple[str | bytes, str | bytes]:
    """Return the first key of a container's articles and the first one after them."""
    first = article_key(container, "")
    return stored_text(first), stored_text(first[:-1] + chr(ord(first[-1]) + 1))

"""The store in one SQLite file.

Parts are written as they are finished; the one transaction that makes a document visible only marks them.
"""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from octavo.corpus.store.connections import Connections, damaged, rows_of
from octavo.corpus.store.leases import Leases
from octavo.corpus.store.paths import container_of, loaded_text, path_key, shown, source_key, source_name, stored_text
from octavo.corpus.store.protocol import DocumentInfo, Job, Lease, Part, PartKey, Publication, Quarantined, Source
from octavo.corpus.store.schema import prepare
from octavo.errors import CorpusError

if TYPE_CHECKING:
    from octavo.corpus.store.bulk_publish import SqliteBulkStore

ABOUT = "about:"
"""Begins the key in `meta` of what else is listed of a document, its title and damage; it goes on with the id."""
_COUNTS = "pages, scanned_pages, blocks, sections, passages, size_bytes, added"
INFO = f"""
SELECT id, name, (SELECT path FROM sources WHERE document = number ORDER BY rowid LIMIT 1), {_COUNTS},
(SELECT value FROM meta WHERE key = '{ABOUT}' || id) FROM documents
"""  # noqa: S608  (names of columns, from this file)
"""Selects what is listed of documents."""
CHECKSUM_BYTES = 16
"""Of the SHA-256 of a part: 128 bits tell damage apart."""


class SqliteStore:
    """A `Store` in the file at `path`, made when missing; in memory and empty when `path` is None."""

    def __init__(self, path: Path | None, *, clock: Callable[[], float] = time.time) -> None:
        self.path = path
        self.connections = Connections(path, lambda connection: prepare(connection, path))
        self.leases = Leases(clock)
        self._closing: list[Callable[[], None]] = []
        self.connections.get()

    @property
    def bulk(self) -> SqliteBulkStore:
        """The part of the store that takes many documents at once."""
        from octavo.corpus.store.bulk_publish import SqliteBulkStore

        return SqliteBulkStore(self.connections, self.leases, _now)

    def before_close(self, action: Callable[[], None]) -> None:
        """Have something written while the file is still open; when that fails the file is closed all the same."""
        self._closing.append(action)

    def close(self) -> None:
        """Give back leases and close the file."""
        for action in self._closing:
            with contextlib.suppress(CorpusError):
                action()
        if not self.connections.is_read_only:
            with self.connections.writing() as connection:
                self.leases.give_up(connection)
        self.connections.close()

    # What is visible

    def documents(self) -> tuple[DocumentInfo, ...]:
        """Return the visible documents in the order of their paths."""
        with self.connections.reading() as connection:
            return tuple(map(info_of, connection.execute(f"{INFO} ORDER BY 3, id")))

    def ocr_modes(self) -> dict[str, str]:
        """Return, by document id, the mode it was read with."""
        with self.connections.reading() as connection:
            return dict(connection.execute("SELECT id, ocr FROM documents"))

    def sources(self, paths: Iterable[str] | None = None) -> dict[str, Source]:
        """Return the files that visible documents came from, all or those of some paths, by `path_key` of the path."""
        sql = "SELECT path, size, mtime_ns, id, key FROM sources JOIN documents ON number = document"
        with self.connections.reading() as connection:
            rows: Iterable[Any]
            if paths is None:
                rows = connection.execute(f"{sql} ORDER BY sources.rowid")
            else:
                keys = [(stored_text(path_key(path)),) for path in paths]
                rows = connection.executemany(f"{sql} WHERE key = ?", keys)
            found = [Source(loaded_text(row[0]), row[1], row[2], row[3], container_of(row[0], row[4])) for row in rows]
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
                "SELECT checksum, data FROM parts LEFT JOIN blobs ON number = blob WHERE blob = ?", (key.number,)
            ).get
        if row is None:
            return None
        return sound(key, *row)

    def load_all(self, keys: Sequence[PartKey]) -> dict[int, bytes]:
        """Return the bytes of parts by number, without those that have gone. Raises as `load` does."""
        sql = (
            "SELECT blob, checksum, data FROM parts LEFT JOIN blobs ON number = blob "
            "WHERE blob IN (SELECT value FROM json_each(?))"
        )
        named = {key.number: key for key in keys}
        with self.connections.reading() as connection:
            rows: Any = connection.execute(sql, (json.dumps([*named]),))
            return {number: sound(named[number], stored, data) for number, stored, data in rows}

    def stage(self, lease: Lease, part: Part) -> None:
        """Keep a finished part of a document that is not visible yet. Raises LeaseLost."""
        with self.connections.writing() as connection:
            self.leases.verify(connection, lease)
            keep(connection, lease.document_id, part, is_published=False)

    # Publication

    def publish(self, lease: Lease, publication: Publication, source: Source) -> DocumentInfo:
        """Make a document visible in one step, in the place of what `source` led to before. Raises LeaseLost."""
        with self.connections.writing() as connection:
            self.leases.verify(connection, lease)
            number = publish(connection, publication, source)
            return info_of(_row(connection, f"{INFO} WHERE number = ?", (number,)))

    def extend(self, lease: Lease, part: Part, *, without: Sequence[str] = ()) -> None:
        """Make a part of a visible document visible, in the place of the one of its name; the parts `without` go.

        Raises LeaseLost.
        """
        with self.connections.writing() as connection:
            self.leases.verify(connection, lease)
            gone = "DELETE FROM parts WHERE document_id = ? AND name = ? AND is_published"
            connection.executemany(gone, [(lease.document_id, name) for name in (part.name, *without)])
            keep(connection, lease.document_id, part, is_published=True)

    def attach(self, source: Source) -> DocumentInfo | None:
        """Let one more file lead to a visible document; None when the document is not visible."""
        with self.connections.writing() as connection:
            row = connection.execute("SELECT number FROM documents WHERE id = ?", (source.document_id,)).get
            if row is None:
                return None
            point(connection, source, row)
            return info_of(_row(connection, f"{INFO} WHERE number = ?", (row,)))

    def remove(self, ids: Iterable[str]) -> None:
        """Remove documents and all that was made from them, and give the room back to the disk."""
        self.connections.shrink()  # on a full disk the journal may hold the room that deleting takes
        with self.connections.writing() as connection:
            for document in ids:
                number = connection.execute("SELECT number FROM documents WHERE id = ?", (document,)).get
                if number is not None:
                    _read_again(connection, number)
                    connection.execute("DELETE FROM sources WHERE document = ?", (number,))
                    _drop(connection, number)
                _forget(connection, document)
        self.connections.shrink()

    # Jobs

    def claim(self, document_id: str, path: str) -> Lease | None:
        """Take the right to index a document; None while someone else who lives has it."""
        with self.connections.writing() as connection:
            return self.leases.claim(connection, document_id, stored_text(path), _now())

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
            held = "document_id = ? AND token = ?"
            if keep:
                connection.execute(
                    f"UPDATE jobs SET token = '', expires = 0 WHERE {held}",  # noqa: S608
                    (lease.document_id, lease.token),
                )
                return
            connection.execute(f"DELETE FROM jobs WHERE {held}", (lease.document_id, lease.token))  # noqa: S608
            if connection.changes():
                connection.execute("DELETE FROM parts WHERE document_id = ? AND NOT is_published", (lease.document_id,))

    def jobs(self) -> tuple[Job, ...]:
        """Return the documents being indexed, and those whose indexing was interrupted."""
        with self.connections.reading() as connection:
            rows = connection.execute(
                "SELECT document_id, path, started, token, host, pid, pid_started, expires FROM jobs ORDER BY started"
            )
            found = [(row[0], loaded_text(row[1]), row[2], self._is_running(row[0], row[3:])) for row in rows]
            return tuple(Job(*job, parts=_unpublished(connection, job[0])) for job in found)

    def _is_running(self, document_id: str, holder: Any) -> bool:
        return not (self.leases.is_free(*holder) or self.leases.is_left(document_id, holder[0]))

    def abandoned(self, *, forget: bool) -> tuple[Job, ...]:
        """Return the jobs whose process went away without giving up its lease; `forget` gives the leases up."""
        with self.connections.writing() as connection:
            held = {row[0] for row in connection.execute("SELECT document_id FROM jobs WHERE token <> ''")}
            held -= self.leases.unreleased  # these were left, if not in writing
            found = tuple(job for job in self.jobs() if job.document_id in held and not job.is_running)
            if forget:
                free = "UPDATE jobs SET token = '', expires = 0 WHERE document_id = ?"
                connection.executemany(free, [(job.document_id,) for job in found])
            return found

    # Files that killed their parser

    def quarantine(self, case: Quarantined) -> None:
        """Remember that a file killed its parser."""
        with self.connections.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO quarantine (document_id, path, parser, reason, message) VALUES (?, ?, ?, ?, ?)",
                (case.document_id, stored_text(case.path), case.parser, case.reason, case.message),
            )

    def quarantined(self) -> dict[str, Quarantined]:
        """Return the files that killed their parser, by document id."""
        with self.connections.reading() as connection:
            rows = connection.execute("SELECT document_id, path, parser, reason, message FROM quarantine")
            return {row[0]: Quarantined(row[0], loaded_text(row[1]), *row[2:]) for row in rows}

    def pardon(self) -> int:
        """Forget every quarantined file; return how many there were."""
        with self.connections.writing() as connection:
            connection.execute("DELETE FROM quarantine")
            return connection.changes()


def checksum(data: bytes) -> bytes:
    """Return what tells damaged bytes from sound ones."""
    return hashlib.sha256(data).digest()[:CHECKSUM_BYTES]


def sound(key: PartKey, stored: bytes, data: bytes | None) -> bytes:
    """Return a part's bytes if they have the checksum that was stored, else raise CorpusError (`damaged`)."""
    if data is None or checksum(data) != stored:
        raise CorpusError(
            "damaged", f"The stored {key.name} of {key.document_id[:19]} is damaged: run 'octavo check --repair'"
        )
    return data


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _row(connection: apsw.Connection, sql: str, bindings: tuple[Any, ...]) -> Any:
    return connection.execute(sql, bindings).get


def info_of(row: Any) -> DocumentInfo:
    """Return what a row of `INFO` says."""
    counts, about = row[3:-1], row[-1]
    told: dict[str, str] = json.loads(about) if about else {}
    title, damage = told.get("title", ""), told.get("damage", "")
    return DocumentInfo(row[0], row[1], shown(loaded_text(row[2] or "")), *counts, title=title, damage=damage)


def keep(connection: apsw.Connection, document: str, part: Part, *, is_published: bool) -> None:
    """Write a part in the place of the one with its fingerprint."""
    key = (document, part.name, part.fingerprint)
    connection.execute("DELETE FROM parts WHERE document_id = ? AND name = ? AND fingerprint = ?", key)
    connection.execute("INSERT INTO blobs (data) VALUES (?)", (part.data,))
    connection.execute(
        "INSERT INTO parts (document_id, name, fingerprint, is_published, checksum, blob) VALUES (?, ?, ?, ?, ?, ?)",
        (*key, is_published, checksum(part.data), connection.last_insert_rowid()),
    )


def _mark_published(connection: apsw.Connection, document: str, publication: Publication) -> None:
    """Make exactly the parts of a publication the visible ones; what they replace goes."""
    wanted = {(name, fingerprint) for name, fingerprint in publication.parts.items()}
    stored: set[tuple[str, str]] = set(
        connection.execute("SELECT name, fingerprint FROM parts WHERE document_id = ?", (document,))
    )
    if missing := wanted - stored:
        raise CorpusError("missing", f"{publication.info.name} lost its {min(missing)[0]} while it was indexed: add it")
    key = "document_id = ? AND name = ? AND fingerprint = ?"
    connection.executemany(f"DELETE FROM parts WHERE {key}", [(document, *part) for part in stored - wanted])  # noqa: S608
    connection.execute("UPDATE parts SET is_published = 1 WHERE document_id = ?", (document,))


def _write_document(connection: apsw.Connection, publication: Publication) -> int:
    info = publication.info
    connection.execute(
        f"INSERT INTO documents (id, name, ocr, {_COUNTS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "  # noqa: S608
        "ON CONFLICT (id) DO UPDATE SET ocr = excluded.ocr, pages = excluded.pages, blocks = excluded.blocks, "
        "scanned_pages = excluded.scanned_pages, sections = excluded.sections, passages = excluded.passages",
        (
            info.id,
            info.name,
            publication.ocr,
            info.pages,
            info.scanned_pages,
            info.blocks,
            info.sections,
            info.passages,
            info.size_bytes,
            _now(),
        ),
    )
    about = {name: text for name, text in (("title", info.title), ("damage", info.damage)) if text}
    if about:
        sql = "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)"
        connection.execute(sql, (ABOUT + info.id, json.dumps(about)))
    else:
        connection.execute("DELETE FROM meta WHERE key = ?", (ABOUT + info.id,))
    return int(_row(connection, "SELECT number FROM documents WHERE id = ?", (info.id,)))


def publish(connection: apsw.Connection, publication: Publication, source: Source) -> int:
    """Make a document visible whose parts are stored; return its number. The lease is verified by the caller."""
    document = publication.info.id
    _mark_published(connection, document, publication)
    number = _write_document(connection, publication)
    point(connection, source, number)
    connection.execute("DELETE FROM jobs WHERE document_id = ?", (document,))
    connection.execute("DELETE FROM quarantine WHERE document_id = ?", (document,))
    _count_change(connection)
    return number


def point(connection: apsw.Connection, source: Source, number: int) -> None:
    """Let a file lead to a document; the one it led to before goes when no other file leads there."""
    key = stored_text(source_key(source))
    before = _row(connection, "SELECT document FROM sources WHERE key = ?", (key,))
    if before == number:
        # Readings of one container may overlap: the last one counts.
        newest = "max(mtime_ns, ?)" if source.container else "?"
        connection.execute(
            f"UPDATE sources SET size = ?, mtime_ns = {newest} WHERE key = ?",  # noqa: S608  (one of two texts)
            (source.size, source.mtime_ns, key),
        )
        return
    connection.execute("DELETE FROM sources WHERE key = ?", (key,))
    connection.execute(
        "INSERT INTO sources (key, path, size, mtime_ns, document) VALUES (?, ?, ?, ?, ?)",
        (key, stored_text(source.path), source.size, source.mtime_ns, number),
    )
    if before is not None:
        leave(connection, before)


def leave(connection: apsw.Connection, number: int) -> None:
    """A file no longer leads to a document: it takes the name of the next file, or goes with the last one."""
    row: Any = _row(connection, "SELECT path, key FROM sources WHERE document = ? ORDER BY rowid LIMIT 1", (number,))
    if row is not None:
        name = shown(source_name(*row))
        connection.execute("UPDATE documents SET name = ? WHERE number = ?", (name, number))
        return
    document = str(_row(connection, "SELECT id FROM documents WHERE number = ?", (number,)))
    _drop(connection, number)
    _forget(connection, document)


def _read_again(connection: apsw.Connection, number: int) -> None:
    """Have the containers of a document that goes read again by the next `add`."""
    rows: list[Any] = rows_of(connection, "SELECT path, key FROM sources WHERE document = ?", (number,))
    for path, key in rows:
        if container := container_of(path, key):
            connection.execute(
                "UPDATE containers SET fingerprint = '' WHERE key = ?", (stored_text(path_key(container)),)
            )


def _drop(connection: apsw.Connection, number: int) -> None:
    """Remove a document without sources from sight."""
    connection.execute("DELETE FROM documents WHERE number = ?", (number,))
    _count_change(connection)


def _forget(connection: apsw.Connection, document: str) -> None:
    """Remove what is stored for a document that is not visible."""
    for table in ("parts", "jobs", "quarantine"):
        connection.execute(f"DELETE FROM {table} WHERE document_id = ?", (document,))  # noqa: S608
    connection.execute("DELETE FROM meta WHERE key = ?", (ABOUT + document,))


def _unpublished(connection: apsw.Connection, document: str) -> tuple[str, ...]:
    rows = connection.execute("SELECT name FROM parts WHERE document_id = ? AND NOT is_published", (document,))
    return tuple(str(row[0]) for row in rows)


def _count_change(connection: apsw.Connection) -> None:
    connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'")

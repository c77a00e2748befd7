"""The store in PostgreSQL, with the bytes of parts in object storage."""

from __future__ import annotations

import contextlib
import threading
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, LiteralString

from octavo.about.description import DocumentDescription, SetBy
from octavo.about.fields import FieldValue
from octavo.corpus.store.checksums import checksum, damaged_part, mark_of, sound
from octavo.corpus.store.paths import container_of, path_key
from octavo.corpus.store.protocol import (
    DocumentInfo,
    DocumentPart,
    Job,
    Lease,
    LeaseLost,
    PartKey,
    Quarantined,
    Source,
    Taken,
)
from octavo.errors import CorpusError
from octavo.models.gateway.journal import now
from octavo_cluster.postgresql import connections, descriptions, rows, table_cells
from octavo_cluster.postgresql.bulk import PostgresBulkStore
from octavo_cluster.postgresql.connections import Connection, Connections
from octavo_cluster.postgresql.objects import Bucket
from octavo_cluster.postgresql.rows import Written

if TYPE_CHECKING:
    from collections.abc import Callable


_SOURCES: LiteralString = (
    "SELECT path, size, mtime_ns, id, key FROM sources JOIN documents ON documents.number = document"
)


class PostgresStore:
    """A `Store` in the database at `url`; processes on many machines may open it. Raises CorpusError as it says."""

    def __init__(self, url: str) -> None:
        self.connections = Connections(url)
        self._identity, self.bucket_url, self._lease_seconds = connections.opened(self.connections)
        self._token = uuid.uuid4().hex
        self._taken: set[str] = set()
        """Documents whose lease was taken from the queue, and that nobody here works on yet."""
        self._from_queue: set[str] = set()
        """Documents that were taken from the queue: their jobs stay until they are settled, whatever happens."""
        self._lock = threading.Lock()
        self._bucket: Bucket | None = None
        self._closing: list[Callable[[], None]] = []

    @property
    def bucket(self) -> Bucket:
        """Where bytes are. Raises CorpusError when it is not this corpus's."""
        with self._lock:
            if self._bucket is None:
                opened = Bucket(self.bucket_url)
                opened.confirm(self._identity)
                self._bucket = opened
            return self._bucket

    def confirm_bucket(self) -> None:
        """Raise CorpusError unless the bucket is there, and this corpus's: else it is not a part that is missing."""
        self.bucket.confirm(self._identity)

    @property
    def bulk(self) -> PostgresBulkStore:
        """The part of the store that takes many documents at once."""
        return PostgresBulkStore(self)

    @property
    def token(self) -> str:
        """What this store's leases are held under."""
        return self._token

    def give_up(self, token: str) -> None:
        """Give up all leases of a store, this one or one whose process has died."""
        with self.connections.writing() as connection:
            connection.execute("UPDATE jobs SET token = '', expires = now() WHERE token = %s", (token,))

    @property
    def lease_seconds(self) -> float:
        """After how long a lease ends that is not renewed."""
        return self._lease_seconds

    @property
    def is_read_only(self) -> bool:
        """Whether nothing can be written from here: the user has no right to, or the database only follows another."""
        sql: LiteralString = "SELECT pg_is_in_recovery() OR NOT has_table_privilege('jobs', 'INSERT')"
        with self.connections.reading() as connection:
            return bool(rows.value_of(connection, sql))

    def before_close(self, action: Callable[[], None]) -> None:
        """Have something written while connections are there; when that fails they are closed all the same."""
        self._closing.append(action)

    def close(self) -> None:
        """Give back leases and connections."""
        for action in self._closing:
            with contextlib.suppress(CorpusError):
                action()
        with contextlib.suppress(CorpusError):  # else they end by themselves
            self.give_up(self._token)
        if self._bucket is not None:
            self._bucket.close()
        self.connections.close()

    # What is visible

    def documents(self) -> tuple[DocumentInfo, ...]:
        """Return the visible documents in the order of their paths."""
        with self.connections.reading() as connection:
            return tuple(map(rows.info_of, connection.execute(f"{rows.INFO} ORDER BY 4, id").fetchall()))

    def ocr_modes(self) -> dict[str, str]:
        """Return, by document id, the mode it was read with."""
        with self.connections.reading() as connection:
            return dict(connection.execute("SELECT id, ocr FROM documents").fetchall())

    def sources(self, paths: Iterable[str] | None = None, *, ids: Iterable[str] | None = None) -> dict[str, Source]:
        """Return the files that visible documents came from, as `Store.sources` does."""
        with self.connections.reading() as connection:
            if paths is not None:
                keys = [path_key(path) for path in paths]
                among: LiteralString = "WHERE md5(key) = ANY(SELECT md5(unnest(%s::text[]))) AND key = ANY(%s)"
                found = connection.execute(f"{_SOURCES} {among}", (keys, keys)).fetchall()
            elif ids is not None:
                of_some: LiteralString = "WHERE id = ANY(%s) ORDER BY sources.number"
                found = connection.execute(f"{_SOURCES} {of_some}", ([*ids],)).fetchall()
            else:
                found = connection.execute(f"{_SOURCES} ORDER BY sources.number").fetchall()
        listed = (
            Source(path, size, mtime, document, container_of(path, key)) for path, size, mtime, document, key in found
        )
        return {path_key(source.path): source for source in listed}

    def published(self, ids: Iterable[str] | None = None, *, names: Iterable[str] | None = None) -> list[PartKey]:
        """Return the parts of visible documents, of all or of some, of all names or of some."""
        sql: LiteralString = "SELECT document_id, name, fingerprint, number FROM parts WHERE is_published"
        bindings: list[list[str]] = []
        if ids is not None:
            sql += " AND document_id = ANY(%s)"
            bindings.append([*ids])
        if names is not None:
            sql += " AND name = ANY(%s)"
            bindings.append([*names])
        with self.connections.reading() as connection:
            return [PartKey(*row) for row in connection.execute(sql, bindings).fetchall()]

    def generation(self) -> int:
        """Return a number that grows with every change of the visible documents."""
        with self.connections.reading() as connection:
            return int(rows.value_of(connection, "SELECT generation FROM corpus"))

    def identity(self) -> str:
        """Return 32 hex digits that tell this store from every other one."""
        return self._identity

    def size_bytes(self) -> int:
        """Return what rows and parts take together."""
        sql: LiteralString = (
            "SELECT coalesce((SELECT sum(size) FROM parts), 0) + (SELECT sum(pg_total_relation_size(oid)) "
            "FROM pg_class WHERE relkind = 'r' AND relnamespace = 'octavo'::regnamespace)"
        )
        with self.connections.reading() as connection:
            return int(rows.value_of(connection, sql))

    # Parts

    def staged(self, document_id: str) -> dict[str, PartKey]:
        """Return every part stored for a document, by fingerprint, whether it is visible or not."""
        sql: LiteralString = "SELECT document_id, name, fingerprint, number FROM parts WHERE document_id = %s"
        with self.connections.reading() as connection:
            return {row[2]: PartKey(*row) for row in connection.execute(sql, (document_id,)).fetchall()}

    def load(self, key: PartKey) -> bytes | None:
        """Return a part, None when it has gone. Raises CorpusError (`damaged`) when its checksum is wrong."""
        return self.load_all([key]).get(key.number)

    def load_all(self, keys: Sequence[PartKey]) -> dict[int, bytes]:
        """Return the bytes of parts by number, without those that have gone. Raises as `load` does."""
        named = {key.number: key for key in keys}
        sql: LiteralString = "SELECT number, mark, checksum FROM parts WHERE number = ANY(%s)"
        with self.connections.reading() as connection:
            found = connection.execute(sql, ([*named],)).fetchall()
        return dict(self.fetched([(named[row[0]], row[1], row[2]) for row in found]))

    def fetched(self, wanted: Sequence[tuple[PartKey, int, bytes]]) -> list[tuple[int, bytes]]:
        """Return the bytes of parts by number, from their keys, marks and checksums; without those that went meanwhile.

        Raises CorpusError (`damaged`).
        """
        data = self.bucket.get_all([mark for _, mark, _ in wanted])
        absent = [key for (key, _, _), found in zip(wanted, data, strict=True) if found is None]
        if absent:
            self.confirm_bucket()
            sql: LiteralString = "SELECT number FROM parts WHERE number = ANY(%s)"
            with self.connections.reading() as connection:
                still = {row[0] for row in connection.execute(sql, ([key.number for key in absent],)).fetchall()}
            for key in absent:
                if key.number in still:
                    raise damaged_part(key)
        return [
            (key.number, sound(key, stored, found))
            for (key, _, stored), found in zip(wanted, data, strict=True)
            if found is not None
        ]

    def write(self, parts: Sequence[DocumentPart]) -> list[Written]:
        """Put the bytes of parts into the bucket; no row names them yet."""
        if not parts:
            return []
        sql: LiteralString = "SELECT nextval('part_numbers') FROM generate_series(1, %s)"
        with self.connections.reading() as connection:
            numbers = [int(row[0]) for row in connection.execute(sql, (len(parts),)).fetchall()]
        written: list[Written] = []
        for number, part in zip(numbers, parts, strict=True):
            stored = checksum(part.data)
            mark = mark_of(number, stored)
            written.append(Written(part.name, part.fingerprint, number, mark, stored, len(part.data)))
        self.bucket.put_all([(one.mark, part.data) for one, part in zip(written, parts, strict=True)])
        return written

    def discard(self, marks: Sequence[int]) -> None:
        """Remove bytes that no row names any more; what cannot be removed now is swept up later."""
        if marks:
            with contextlib.suppress(CorpusError):
                self.bucket.delete_all(marks)

    def stage(self, lease: Lease, part: DocumentPart) -> None:
        """Keep a finished part of a document that is not visible yet. Raises LeaseLost."""
        self._kept(lease, part, (), is_published=False)

    def replace_part(self, lease: Lease, part: DocumentPart, *, without: Sequence[str] = ()) -> None:
        """Make a part of a visible document visible, in the place of the one of its name; the parts `without` go.

        Raises LeaseLost.
        """
        self._kept(lease, part, (part.name, *without), is_published=True)

    def _kept(self, lease: Lease, part: DocumentPart, without: Sequence[str], *, is_published: bool) -> None:
        [written] = self.write([part])
        sql: LiteralString = (
            "DELETE FROM parts WHERE document_id = %s AND name = ANY(%s) AND is_published RETURNING mark"
        )
        try:
            with self.connections.writing() as connection:
                rows.verify(connection, lease)
                gone = [row[0] for row in connection.execute(sql, (lease.document_id, [*without])).fetchall()]
                gone += rows.keep(connection, [(lease.document_id, written)], is_published=is_published)
        except LeaseLost:
            self.discard([written.mark])  # after any other error it may be that the row is there
            raise
        self.discard(gone)

    # Changes of what is visible

    def remove(self, ids: Iterable[str]) -> None:
        """Remove documents and all that was made from them."""
        gone: list[int] = []
        with self.connections.writing() as connection:
            rows.lock(connection)
            for document in ids:
                number = rows.value_of(connection, "SELECT number FROM documents WHERE id = %s", document)
                if number is not None:
                    rows.read_again(connection, number)
                    rows.drop(connection, number)
                gone += rows.forget(connection, document)
        self.discard(gone)

    def detach(self, sources: Iterable[Source]) -> list[str]:
        """Let files lead to their documents no more, in one step; return the ids of the documents that went."""
        with self.connections.writing() as connection:
            documents, gone = rows.detach(connection, [*sources])
        self.discard(gone)
        return documents

    # What was set of documents

    def described(self, ids: Iterable[str] | None = None) -> dict[str, DocumentDescription]:
        """Return what was set of visible documents, by id, of all or of some; those without are left out."""
        with self.connections.reading() as connection:
            return descriptions.described(connection, ids)

    def describe(
        self, document_id: str, by: SetBy, fields: Mapping[str, FieldValue | None], *, anew: bool = False
    ) -> bool:
        """Set fields of a visible document; return whether there is one. Raises UsageError."""
        with self.connections.writing() as connection:
            return rows.describe(connection, document_id, by, fields, anew=anew)

    def cells(self, ids: Iterable[str]) -> dict[str, dict[str, str]]:
        """Return the cells of tables that are kept of visible documents: by id and key, each as it was kept."""
        with self.connections.reading() as connection:
            return table_cells.cells(connection, ids)

    def keep_cell(self, document_id: str, key: str, cell: str | None) -> bool:
        """Keep a cell of a visible document, or none; return whether there is one."""
        with self.connections.writing() as connection:
            return table_cells.keep_cell(connection, document_id, key, cell)

    # Jobs

    def claim(self, document_id: str, path: str) -> Lease | None:
        """Take the right to index a document; None while someone else has it."""
        return self.claim_many([(document_id, path)])[0]

    def claim_many(self, items: Sequence[tuple[str, str]]) -> list[Lease | None]:
        """Take the right to index documents, as `claim` does each."""
        with self._lock:
            mine = self._taken.intersection(document for document, _ in items)
            self._taken -= mine
        wanted = {document: path for document, path in items if document not in mine}
        held = set(self._still_held(mine))
        if wanted:
            ids, paths = [*wanted], [*wanted.values()]
            terms = (now(), self._token, self._lease_seconds)
            with self.connections.writing() as connection:
                held |= {row[0] for row in connection.execute(rows.CLAIM_NEW, (*terms, ids, paths)).fetchall()}
                rest = [document for document in ids if document not in held]
                if rest:
                    found = connection.execute(rows.CLAIM_FREE, (*terms, ids, paths, rest)).fetchall()
                    held |= {row[0] for row in found}
        leases: list[Lease | None] = []
        for document, _ in items:
            leases.append(Lease(document, self._token) if document in held else None)
            held.discard(document)  # of one that is wanted twice, the first has it
        return leases

    def _still_held(self, documents: Iterable[str]) -> list[str]:
        """Return those of some documents whose leases are this store's."""
        if not (ids := [*documents]):
            return []
        sql: LiteralString = "SELECT document_id FROM jobs WHERE document_id = ANY(%s) AND token = %s"
        with self.connections.reading() as connection:
            return [row[0] for row in connection.execute(sql, (ids, self._token)).fetchall()]

    def renew(self) -> None:
        """Put off the end of every lease this store holds, but of those that another thread is just writing under."""
        sql: LiteralString = (
            "UPDATE jobs SET expires = clock_timestamp() + %s * interval '1 second' WHERE document_id IN "
            "(SELECT document_id FROM jobs WHERE token = %s FOR UPDATE SKIP LOCKED)"
        )
        with self.connections.writing() as connection:
            connection.execute(sql, (self._lease_seconds, self._token))

    def release(self, lease: Lease, *, keep: bool) -> None:
        """Give a lease back; `keep` keeps what was staged, for whoever goes on."""
        gone: list[int] = []
        held = (lease.document_id, lease.token)
        with self.connections.writing() as connection:
            if keep:
                sql: LiteralString = "UPDATE jobs SET token = '', expires = now() WHERE document_id = %s AND token = %s"
                connection.execute(sql, held)
            else:
                gone = self.released(connection, lease)
        self.discard(gone)

    def keep_jobs(self, documents: Iterable[str]) -> set[str]:
        """Return those of some documents whose leases are kept when they are published: from the queue, not settled.

        Layers are built after that; were the job gone, nobody would go on with them when this process dies.
        """
        with self._lock:
            kept = self._from_queue.intersection(documents)
            self._taken |= kept
        return kept

    def released(self, connection: Connection, lease: Lease) -> list[int]:
        """Give a lease back and what was staged under it up; return the marks of that.

        The lease of a document from the queue is kept until it is settled: were its job gone, an error or a signal
        that ends the work now would lose it.
        """
        sql: LiteralString = (
            "SELECT 1 FROM jobs WHERE document_id = %s AND token = %s FOR UPDATE"
            if self.keep_jobs([lease.document_id])
            else "DELETE FROM jobs WHERE document_id = %s AND token = %s"
        )
        if connection.execute(sql, (lease.document_id, lease.token)).rowcount:
            return rows.unpublished(connection, lease.document_id)
        return []

    def jobs(self, ids: Iterable[str] | None = None) -> tuple[Job, ...]:
        """Return the documents being indexed, and those whose indexing was interrupted; all or those among some.

        Among some, what this store took from the queue and does not work on counts as running nowhere: it may go on.
        """
        with self.connections.reading() as connection:
            if ids is None:
                found = connection.execute(f"{rows.JOBS} ORDER BY started, document_id").fetchall()
            else:
                among: LiteralString = "WHERE document_id = ANY(%s) ORDER BY started, document_id"
                found = connection.execute(f"{rows.JOBS} {among}", ([*ids],)).fetchall()
        with self._lock:
            own = set[str]() if ids is None else set(self._taken)
        return tuple(
            Job(document, path, started, is_running=running and document not in own, parts=tuple(parts))
            for document, path, started, running, parts in found
        )

    # The queue: jobs that nobody works on

    def queue(self, items: Sequence[tuple[str, str]]) -> int:
        """Have documents indexed by whoever takes them; return how many were not waiting or being indexed already."""
        sql: LiteralString = (
            "INSERT INTO jobs (document_id, path, started, token, expires) SELECT document_id, path, %s, '', now() "
            "FROM unnest(%s::text[], %s::text[]) AS wanted (document_id, path) ORDER BY document_id "
            "ON CONFLICT DO NOTHING"
        )
        ids, paths = [document for document, _ in items], [path for _, path in items]
        with self.connections.writing() as connection:
            return connection.execute(sql, (now(), ids, paths)).rowcount

    def take(self, most: int) -> list[Taken]:
        """Take the leases of some documents that nobody works on; `claim` then gives each to one thread here."""
        with self.connections.writing() as connection:
            found = connection.execute(rows.TAKE, (most, self._token, self._lease_seconds)).fetchall()
        with self._lock:
            self._taken |= {row[0] for row in found}
            self._from_queue |= {row[0] for row in found}
        return [
            Taken(document, path, int(earlier.removeprefix(rows.AGAIN)) if earlier.startswith(rows.AGAIN) else 0)
            for document, path, earlier in found
        ]

    def put_back(self, items: Sequence[tuple[str, int, float]]) -> None:
        """Have documents that were taken wait in the queue for another attempt.

        Each is an id, how many attempts failed, which `take` tells, and for how many seconds nobody takes it.
        """
        columns = [[one[0] for one in items], [f"{rows.AGAIN}{one[1]}" for one in items], [one[2] for one in items]]
        with self.connections.writing() as connection:
            connection.execute(rows.PUT_BACK, (*columns, self._token))
        with self._lock:
            self._taken.difference_update(columns[0])
            self._from_queue.difference_update(columns[0])

    def queued(self) -> tuple[int, int]:
        """Return how many documents wait for somebody to index them, and how many are being indexed."""
        counts: LiteralString = f"count(*) FILTER (WHERE NOT {rows.RUNS}), count(*) FILTER (WHERE {rows.RUNS})"
        with self.connections.reading() as connection:
            row = connection.execute(f"SELECT {counts} FROM jobs").fetchone()
        return (row[0], row[1]) if row else (0, 0)

    def to_be_tried_again(self) -> int:
        """Return how many of those that wait have failed before."""
        with self.connections.reading() as connection:
            return int(rows.value_of(connection, f"SELECT count(*) FROM jobs WHERE {rows.WAITS}"))

    def settle(self, documents: Iterable[str]) -> None:
        """Take documents off the queue that were taken and need no work, or could not be read."""
        with self._lock:
            settled = {*documents}
            left = self._taken & settled
            self._taken -= settled
            self._from_queue -= settled
        for document in left:
            self.release(Lease(document, self._token), keep=False)

    # Files that killed their parser

    def quarantine(self, case: Quarantined) -> None:
        """Remember that a file killed its parser."""
        with self.connections.writing() as connection:
            connection.execute(
                "INSERT INTO quarantine (document_id, path, parser, reason, message) VALUES (%s, %s, %s, %s, %s) "
                "ON CONFLICT (document_id) DO UPDATE SET path = excluded.path, parser = excluded.parser, "
                "reason = excluded.reason, message = excluded.message",
                (case.document_id, case.path, case.parser, case.reason, case.message),
            )

    def quarantined(self, ids: Iterable[str] | None = None) -> dict[str, Quarantined]:
        """Return the files that killed their parser, all or those among some documents, by document id."""
        sql: LiteralString = "SELECT document_id, path, parser, reason, message FROM quarantine"
        with self.connections.reading() as connection:
            if ids is None:
                found = connection.execute(sql).fetchall()
            else:
                found = connection.execute(f"{sql} WHERE document_id = ANY(%s)", ([*ids],)).fetchall()
        return {row[0]: Quarantined(*row) for row in found}

    def clear_quarantine(self) -> int:
        """Forget every quarantined file; return how many there were."""
        with self.connections.writing() as connection:
            return connection.execute("DELETE FROM quarantine").rowcount

"""The rows of documents, parts and sources, as they are written and read inside a transaction.

What writes rows returns the marks of the parts that no row names any more: their bytes go once the transaction is done.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, LiteralString

import numpy as np

from octavo.corpus.store.catalogue import Stamp
from octavo.corpus.store.checksums import Numbers
from octavo.corpus.store.paths import container_of, path_key, shown, source_key, source_name
from octavo.corpus.store.postgresql.connections import Connection
from octavo.corpus.store.protocol import DocumentInfo, Lease, LeaseLost, Publication, Source
from octavo.errors import CorpusError

INFO: LiteralString = """
SELECT number, id, name, (SELECT path FROM sources WHERE document = documents.number ORDER BY sources.number LIMIT 1),
pages, scanned_pages, blocks, sections, passages, size_bytes, added, title, damage FROM documents
"""
"""Selects what is listed of documents, by number."""
_KEPT_CHANGES = 1 << 20
"""Changes that are known by document: whoever last looked before them looks at everything again."""
_COUNT: LiteralString = """
WITH counted AS (UPDATE corpus SET generation = generation + 1, documents = documents + %s RETURNING generation),
forgotten AS (DELETE FROM changes USING counted WHERE changes.generation = counted.generation - %s)
INSERT INTO changes (generation, document, token) SELECT generation, %s, gen_random_uuid()::text FROM counted
"""
_WRITE: LiteralString = """
INSERT INTO documents
(id, name, title, damage, ocr, pages, scanned_pages, blocks, sections, passages, size_bytes, added)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (id) DO UPDATE SET title = excluded.title, damage = excluded.damage, ocr = excluded.ocr,
pages = excluded.pages, scanned_pages = excluded.scanned_pages, blocks = excluded.blocks,
sections = excluded.sections, passages = excluded.passages RETURNING number, xmax = 0
"""


@dataclass(frozen=True, slots=True)
class Written:
    """A part whose bytes are in the bucket."""

    name: str
    fingerprint: str
    number: int
    mark: int
    checksum: bytes
    size: int


def now() -> str:
    """Return the time of day (UTC, ISO 8601)."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def value_of(connection: Connection, sql: LiteralString, *bindings: Any) -> Any:
    """Return the one value of a query, None without a row."""
    row = connection.execute(sql, bindings).fetchone()
    return row[0] if row else None


def info_of(row: Any) -> DocumentInfo:
    """Return what a row of `INFO` says."""
    _, identity, name, path, *counts, title, damage = row
    return DocumentInfo(identity, name, shown(path or ""), *counts, title=title, damage=damage)


def lock(connection: Connection) -> None:
    """Let nobody else change what is visible until the transaction ends."""
    connection.execute("SELECT 1 FROM corpus FOR UPDATE")


def verify(connection: Connection, lease: Lease) -> None:
    """Raise LeaseLost unless a lease is still held; it stays so until the transaction ends."""
    sql: LiteralString = "SELECT 1 FROM jobs WHERE document_id = %s AND token = %s FOR UPDATE"
    if value_of(connection, sql, lease.document_id, lease.token) is None:
        raise LeaseLost(lease.document_id)


def keep(connection: Connection, document: str, part: Written, *, is_published: bool) -> list[int]:
    """Write the row of a part in the place of the one with its fingerprint."""
    key = (document, part.name, part.fingerprint)
    gone = connection.execute(
        "DELETE FROM parts WHERE document_id = %s AND name = %s AND fingerprint = %s RETURNING mark", key
    ).fetchall()
    connection.execute(
        "INSERT INTO parts (document_id, name, fingerprint, number, mark, checksum, size, is_published) "
        "VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
        (*key, part.number, part.mark, part.checksum, part.size, is_published),
    )
    return [row[0] for row in gone]


def publish(connection: Connection, publication: Publication, source: Source) -> tuple[int, list[int]]:
    """Make a document visible whose parts are stored; return its number, and marks. The lease is the caller's to check.

    The corpus is locked.
    """
    info = publication.info
    gone = _mark_published(connection, publication)
    columns = (info.pages, info.scanned_pages, info.blocks, info.sections, info.passages, info.size_bytes, now())
    texts = (info.id, info.name, info.title, info.damage, publication.ocr)
    row: Any = connection.execute(_WRITE, (*texts, *columns)).fetchone()
    number, is_new = row
    gone += point(connection, source, number)
    connection.execute("DELETE FROM jobs WHERE document_id = %s", (info.id,))
    connection.execute("DELETE FROM quarantine WHERE document_id = %s", (info.id,))
    _count_change(connection, number, 1 if is_new else 0)
    return number, gone


def _mark_published(connection: Connection, publication: Publication) -> list[int]:
    """Make exactly the parts of a publication the visible ones; what they replace goes."""
    document, wanted = publication.info.id, set(publication.parts.items())
    rows = connection.execute(
        "SELECT name, fingerprint, number FROM parts WHERE document_id = %s", (document,)
    ).fetchall()
    if missing := wanted - {(name, fingerprint) for name, fingerprint, _ in rows}:
        raise CorpusError("missing", f"{publication.info.name} lost its {min(missing)[0]} while it was indexed: add it")
    other = [number for name, fingerprint, number in rows if (name, fingerprint) not in wanted]
    gone = (
        connection.execute("DELETE FROM parts WHERE number = ANY(%s) RETURNING mark", (other,)).fetchall()
        if other
        else []
    )
    connection.execute("UPDATE parts SET is_published = true WHERE document_id = %s AND NOT is_published", (document,))
    return [row[0] for row in gone]


def point(connection: Connection, source: Source, number: int) -> list[int]:
    """Let a file lead to a document; the one it led to before goes when no other file leads there."""
    key = source_key(source)
    before = value_of(connection, "SELECT document FROM sources WHERE md5(key) = md5(%s) AND key = %s", key, key)
    if before == number:
        # Readings of one container may overlap: the last one counts.
        connection.execute(
            "UPDATE sources SET size = %s, mtime_ns = CASE WHEN %s THEN greatest(mtime_ns, %s) ELSE %s END "
            "WHERE md5(key) = md5(%s)",
            (source.size, bool(source.container), source.mtime_ns, source.mtime_ns, key),
        )
        return []
    connection.execute("DELETE FROM sources WHERE md5(key) = md5(%s)", (key,))
    connection.execute(
        "INSERT INTO sources (key, path, size, mtime_ns, document) VALUES (%s, %s, %s, %s, %s)",
        (key, source.path, source.size, source.mtime_ns, number),
    )
    return leave(connection, before) if before is not None else []


def leave(connection: Connection, number: int) -> list[int]:
    """A file no longer leads to a document: it takes the name of the next file, or goes with the last one."""
    sql: LiteralString = "SELECT path, key FROM sources WHERE document = %s ORDER BY number LIMIT 1"
    row = connection.execute(sql, (number,)).fetchone()
    if row is not None:
        connection.execute("UPDATE documents SET name = %s WHERE number = %s", (shown(source_name(*row)), number))
        return []
    document = str(value_of(connection, "SELECT id FROM documents WHERE number = %s", number))
    drop(connection, number)
    return forget(connection, document)


def read_again(connection: Connection, number: int) -> None:
    """Have the containers of a document that goes read again by the next `add`."""
    for path, key in connection.execute("SELECT path, key FROM sources WHERE document = %s", (number,)).fetchall():
        if container := container_of(path, key):
            connection.execute(
                "UPDATE containers SET fingerprint = '' WHERE md5(key) = md5(%s)", (path_key(container),)
            )


def drop(connection: Connection, number: int) -> None:
    """Remove a document and its sources from sight. The corpus is locked."""
    connection.execute("DELETE FROM sources WHERE document = %s", (number,))
    connection.execute("DELETE FROM documents WHERE number = %s", (number,))
    _count_change(connection, number, -1)


def forget(connection: Connection, document: str) -> list[int]:
    """Remove what is stored for a document that is not visible."""
    connection.execute("DELETE FROM jobs WHERE document_id = %s", (document,))
    connection.execute("DELETE FROM quarantine WHERE document_id = %s", (document,))
    gone = connection.execute("DELETE FROM parts WHERE document_id = %s RETURNING mark", (document,)).fetchall()
    return [row[0] for row in gone]


def unpublished(connection: Connection, document: str) -> list[int]:
    """Remove the parts of a document that are not visible."""
    sql: LiteralString = "DELETE FROM parts WHERE document_id = %s AND NOT is_published RETURNING mark"
    return [row[0] for row in connection.execute(sql, (document,)).fetchall()]


def _count_change(connection: Connection, number: int, documents: int) -> None:
    """Count that a document changed or went, keep which, and how many there are more."""
    connection.execute(_COUNT, (documents, _KEPT_CHANGES, number))


def changes(connection: Connection, since: Stamp, until: Stamp) -> Numbers | None:
    """Return the numbers of documents that changed or went between two states, None when not all are known."""
    token = value_of(connection, "SELECT token FROM changes WHERE generation = %s", since.generation)
    if since.identity != until.identity or token is None or token != since.token:
        return None
    found = connection.execute(
        "SELECT document FROM changes WHERE generation > %s AND generation <= %s", (since.generation, until.generation)
    ).fetchall()
    is_whole = len(found) == until.generation - since.generation
    return np.unique(np.array([row[0] for row in found], np.int64)) if is_whole else None

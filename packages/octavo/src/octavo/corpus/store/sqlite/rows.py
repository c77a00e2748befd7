"""The rows of documents, parts and sources, as they are written and read inside a transaction."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping
from typing import Any

import apsw
import numpy as np

from octavo.about.description import DocumentDescription, SetBy
from octavo.about.fields import FieldValue
from octavo.corpus.store.catalogue import Stamp
from octavo.corpus.store.checksums import Numbers, checksum
from octavo.corpus.store.paths import container_of, loaded_text, path_key, shown, source_key, source_name, stored_text
from octavo.corpus.store.protocol import DocumentInfo, DocumentPart, Lease, Publication, Source
from octavo.corpus.store.sqlite.connections import rows_of
from octavo.errors import CorpusError
from octavo.models.gateway.journal import now

ABOUT = "about:"
"""Begins the key in `meta` of what else is listed of a document, its title and damage; it goes on with the id."""
DESCRIBED = "described:"
"""The same of what was set of it."""
WITH_DESCRIPTION = "key >= 'described:' AND key < 'described;'"
"""Selects these rows of `meta`."""
CELL = "cell:"
"""Begins the key of a cell of a table of answers; it goes on with the id of its document, ":" and its own key."""
OF_NO_DOCUMENT = (
    "key >= 'cell:' AND key < 'cell;' AND "
    "substr(rtrim(rtrim(key, '0123456789abcdef'), ':'), 6) NOT IN (SELECT id FROM documents)"
)
"""Selects the cells of documents that are not there."""
_COUNTS = "pages, scanned_pages, blocks, sections, passages, size_bytes, added"
INFO = f"""
SELECT id, name, (SELECT path FROM sources WHERE document = number ORDER BY rowid LIMIT 1), {_COUNTS},
(SELECT value FROM meta WHERE key = '{ABOUT}' || id) FROM documents
"""  # noqa: S608  (names of columns, from this file)
"""Selects what is listed of documents."""


def row_of(connection: apsw.Connection, sql: str, bindings: tuple[Any, ...]) -> Any:
    """Return the first row of a query, or its one value; None without a row."""
    return connection.execute(sql, bindings).get


def info_of(row: Any) -> DocumentInfo:
    """Return what a row of `INFO` says."""
    counts, about = row[3:-1], row[-1]
    named: dict[str, str] = json.loads(about) if about else {}
    title, damage = named.get("title", ""), named.get("damage", "")
    return DocumentInfo(row[0], row[1], shown(loaded_text(row[2] or "")), *counts, title=title, damage=damage)


def keep(connection: apsw.Connection, document: str, part: DocumentPart, *, is_published: bool) -> None:
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
            now(),
        ),
    )
    about = {name: text for name, text in (("title", info.title), ("damage", info.damage)) if text}
    if about:
        sql = "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)"
        connection.execute(sql, (ABOUT + info.id, json.dumps(about)))
    else:
        connection.execute("DELETE FROM meta WHERE key = ?", (ABOUT + info.id,))
    return int(row_of(connection, "SELECT number FROM documents WHERE id = ?", (info.id,)))


def publish(connection: apsw.Connection, publication: Publication, source: Source) -> int:
    """Make a document visible whose parts are stored; return its number. The lease is verified by the caller."""
    document = publication.info.id
    _mark_published(connection, document, publication)
    number = _write_document(connection, publication)
    _take_over(connection, source, document)
    point(connection, source, number)
    connection.execute("DELETE FROM jobs WHERE document_id = ?", (document,))
    connection.execute("DELETE FROM quarantine WHERE document_id = ?", (document,))
    _count_change(connection, number)
    return number


def release(connection: apsw.Connection, lease: Lease) -> None:
    """Give a lease back, and what was staged under it up."""
    held = (lease.document_id, lease.token)
    connection.execute("DELETE FROM jobs WHERE document_id = ? AND token = ?", held)
    if connection.changes():
        connection.execute("DELETE FROM parts WHERE document_id = ? AND NOT is_published", (lease.document_id,))


def point(connection: apsw.Connection, source: Source, number: int) -> None:
    """Let a file lead to a document; the one it led to before goes when no other file leads there."""
    key = stored_text(source_key(source))
    before = row_of(connection, "SELECT document FROM sources WHERE key = ?", (key,))
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
    row: Any = row_of(connection, "SELECT path, key FROM sources WHERE document = ? ORDER BY rowid LIMIT 1", (number,))
    if row is not None:
        name = shown(source_name(*row))
        connection.execute("UPDATE documents SET name = ? WHERE number = ?", (name, number))
        return
    document = str(row_of(connection, "SELECT id FROM documents WHERE number = ?", (number,)))
    drop(connection, number)
    forget(connection, document)


def read_again(connection: apsw.Connection, number: int) -> None:
    """Have the containers of a document that goes read again by the next `add`."""
    rows: list[Any] = rows_of(connection, "SELECT path, key FROM sources WHERE document = ?", (number,))
    for path, key in rows:
        if container := container_of(path, key):
            _read_container_again(connection, container)


def _read_container_again(connection: apsw.Connection, container: str) -> None:
    connection.execute("UPDATE containers SET fingerprint = '' WHERE key = ?", (stored_text(path_key(container)),))


def detach(connection: apsw.Connection, source: Source) -> bool:
    """Let a file lead to its document no more, if it still does; return whether the document went with it."""
    key = stored_text(source_key(source))
    sql = "SELECT number FROM sources JOIN documents ON number = document WHERE key = ? AND id = ?"
    number = row_of(connection, sql, (key, source.document_id))
    if number is None:
        return False
    if source.container:
        _read_container_again(connection, source.container)
    connection.execute("DELETE FROM sources WHERE key = ?", (key,))
    leave(connection, number)
    return row_of(connection, "SELECT number FROM documents WHERE number = ?", (number,)) is None


def drop(connection: apsw.Connection, number: int) -> None:
    """Remove a document without sources from sight."""
    connection.execute("DELETE FROM documents WHERE number = ?", (number,))
    _count_change(connection, number)


def forget(connection: apsw.Connection, document: str) -> None:
    """Remove what is stored for a document that is not visible."""
    for table in ("parts", "jobs", "quarantine"):
        connection.execute(f"DELETE FROM {table} WHERE document_id = ?", (document,))  # noqa: S608
    connection.execute("DELETE FROM meta WHERE key IN (?, ?)", (ABOUT + document, DESCRIBED + document))
    connection.execute("DELETE FROM meta WHERE key > ? AND key < ?", _cells_of(document))


def described(connection: apsw.Connection, ids: Iterable[str] | None = None) -> dict[str, DocumentDescription]:
    """Return what was set of documents, of all or of some."""
    where, bindings = WITH_DESCRIPTION, list[str]()
    if ids is not None:
        where, bindings = "key IN (SELECT value FROM json_each(?))", [json.dumps([DESCRIBED + one for one in ids])]
    found: Any = connection.execute(f"SELECT key, value FROM meta WHERE {where}", bindings)  # noqa: S608  (texts above)
    return {str(key).removeprefix(DESCRIBED): DocumentDescription.from_json(value) for key, value in found}


def describe(
    connection: apsw.Connection, document: str, by: SetBy, fields: Mapping[str, FieldValue | None], *, anew: bool
) -> bool:
    """Set fields of a visible document; return whether there is one."""
    number = row_of(connection, "SELECT number FROM documents WHERE id = ?", (document,))
    if number is None:
        return False
    before = described(connection, [document]).get(document, DocumentDescription())
    after = before.with_set(by, fields, anew=anew)
    if after != before:
        connection.execute("DELETE FROM meta WHERE key = ?", (DESCRIBED + document,))
        if after:
            sql = "INSERT INTO meta (key, value) VALUES (?, ?)"
            connection.execute(sql, (DESCRIBED + document, after.to_json()))
        _count_change(connection, number)
    return True


def cells(connection: apsw.Connection, document: str) -> dict[str, str]:
    """Return the cells of tables that are kept of a visible document, by key."""
    sql = "SELECT key, value FROM meta WHERE key > ? AND key < ? AND EXISTS (SELECT 1 FROM documents WHERE id = ?)"
    first, after = _cells_of(document)
    return {key.removeprefix(first): cell for key, cell in rows_of(connection, sql, (first, after, document))}


def keep_cell(connection: apsw.Connection, document: str, key: str, cell: str | None) -> bool:
    """Keep a cell of a visible document, or none; return whether there is one."""
    if row_of(connection, "SELECT number FROM documents WHERE id = ?", (document,)) is None:
        return False
    at = f"{CELL}{document}:{key}"
    if cell is None:
        connection.execute("DELETE FROM meta WHERE key = ?", (at,))
    else:
        connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (at, cell))
    return True


def _cells_of(document: str) -> tuple[str, str]:
    """Return what stands before the keys of the cells of a document, and what is after all of them."""
    return f"{CELL}{document}:", f"{CELL}{document};"


def _take_over(connection: apsw.Connection, source: Source, document: str) -> None:
    """Give a document of which nothing was set what was set of the one that its file led to before."""
    connection.execute(
        "INSERT OR IGNORE INTO meta (key, value) SELECT ?, value FROM meta WHERE key = "
        "(SELECT ? || id FROM documents JOIN sources ON document = number WHERE key = ?)",
        (DESCRIBED + document, DESCRIBED, stored_text(source_key(source))),
    )


def unpublished(connection: apsw.Connection, document: str) -> tuple[str, ...]:
    """Return the names of the parts of a document that are stored and not visible."""
    rows = connection.execute("SELECT name FROM parts WHERE document_id = ? AND NOT is_published", (document,))
    return tuple(str(row[0]) for row in rows)


_CHANGE = "change:"
"""Begins the key in `meta` of a change of the visible documents; it goes on with the generation.

The value is the number of the document and a token, made up for this change.
"""
_KEPT_CHANGES = 1 << 16
"""Changes that are known by document: whoever last looked before them looks at everything again."""


def _key_of(generation: int) -> str:
    return f"{_CHANGE}{generation:016d}"


def _count_change(connection: apsw.Connection, number: int) -> None:
    """Count that a document changed or went, and keep which."""
    connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'")
    generation = int(row_of(connection, "SELECT value FROM meta WHERE key = 'generation'", ()))
    change = f"{number} {secrets.token_hex(8)}"
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (_key_of(generation), change))
    connection.execute("DELETE FROM meta WHERE key = ?", (_key_of(generation - _KEPT_CHANGES),))


def token_of(connection: apsw.Connection, generation: int) -> str:
    """Return the token of the change that led to a generation, "" when it is not kept."""
    change = row_of(connection, "SELECT value FROM meta WHERE key = ?", (_key_of(generation),))
    return str(change or "").rpartition(" ")[2]


def changes(connection: apsw.Connection, since: Stamp, until: Stamp) -> Numbers | None:
    """Return the numbers of documents that changed or went between two states, None when not all are known."""
    distance = until.generation - since.generation
    is_known = since.identity == until.identity and since.token == token_of(connection, since.generation) != ""
    if not is_known or not 0 <= distance < _KEPT_CHANGES:
        return None
    sql = "SELECT value FROM meta WHERE key > ? AND key <= ?"
    found = rows_of(connection, sql, (_key_of(since.generation), _key_of(until.generation)))
    numbers = np.unique(np.array([int(row[0].partition(" ")[0]) for row in found], np.int64))
    return numbers if len(found) == distance else None

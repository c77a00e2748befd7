"""What was set of documents, in a table that databases made before it lack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import LiteralString

from octavo.about.description import DocumentDescription, SetBy
from octavo.about.fields import FieldValue
from octavo.corpus.store.paths import source_key
from octavo.corpus.store.protocol import Source
from octavo_cluster.postgresql.connections import DESCRIPTIONS, Connection

_IS_THERE: LiteralString = "SELECT to_regclass('octavo.descriptions') IS NOT NULL"
_MAY_READ: LiteralString = "SELECT has_table_privilege(to_regclass('octavo.descriptions')::oid, 'SELECT')"
_WRITE: LiteralString = """
INSERT INTO descriptions (document_id, fields) VALUES (%s, %s)
ON CONFLICT (document_id) DO UPDATE SET fields = excluded.fields
"""
_TAKE_OVER: LiteralString = """
INSERT INTO descriptions (document_id, fields)
SELECT new.id, descriptions.fields FROM unnest(%s::text[], %s::text[]) AS new (key, id)
JOIN sources ON md5(sources.key) = md5(new.key) JOIN documents ON documents.number = sources.document
JOIN descriptions ON descriptions.document_id = documents.id WHERE documents.id <> new.id
ON CONFLICT DO NOTHING
"""


def _holds(connection: Connection, sql: LiteralString) -> bool:
    row = connection.execute(sql).fetchone()
    return bool(row and row[0])


def described(connection: Connection, ids: Iterable[str] | None = None) -> dict[str, DocumentDescription]:
    """Return what was set of documents, of all or of some; nothing where there is no table, or it may not be read."""
    if not _holds(connection, _MAY_READ):
        return {}
    sql: LiteralString = "SELECT document_id, fields FROM descriptions"
    if ids is None:
        found = connection.execute(sql).fetchall()
    else:
        found = connection.execute(f"{sql} WHERE document_id = ANY(%s)", ([*ids],)).fetchall()
    return {row[0]: DocumentDescription.from_json(row[1]) for row in found}


def set_fields(
    connection: Connection, document: str, by: SetBy, fields: Mapping[str, FieldValue | None], *, anew: bool
) -> bool:
    """Set fields of a document; return whether this changes any. The corpus is locked."""
    before = described(connection, [document]).get(document, DocumentDescription())
    after = before.with_set(by, fields, anew=anew)
    if after == before:
        return False
    if not _holds(connection, _IS_THERE):
        connection.execute(DESCRIPTIONS)
    if after:
        connection.execute(_WRITE, (document, after.to_json()))
    else:
        connection.execute("DELETE FROM descriptions WHERE document_id = %s", (document,))
    return True


def take_over(connection: Connection, made: Sequence[tuple[str, Source]]) -> None:
    """Give documents of which nothing was set what was set of those that their files led to before."""
    if made and _holds(connection, _IS_THERE):
        keys = [source_key(source) for _, source in made]
        connection.execute(_TAKE_OVER, (keys, [document for document, _ in made]))


def forget(connection: Connection, document: str) -> None:
    """Remove what was set of a document."""
    if _holds(connection, _IS_THERE):
        connection.execute("DELETE FROM descriptions WHERE document_id = %s", (document,))


def orphans(connection: Connection, *, remove: bool) -> int:
    """Return of how many documents something is set that are not there; `remove` it."""
    if not _holds(connection, _IS_THERE):
        return 0
    where: LiteralString = "NOT EXISTS (SELECT 1 FROM documents WHERE id = document_id)"
    row = connection.execute(f"SELECT count(*) FROM descriptions WHERE {where}").fetchone()
    if remove:
        connection.execute(f"DELETE FROM descriptions WHERE {where}")
    return int(row[0]) if row else 0

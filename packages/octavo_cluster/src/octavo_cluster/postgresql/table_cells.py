"""Cells of tables of answers, in a table that databases made before it lack."""

from __future__ import annotations

from collections.abc import Iterable
from typing import LiteralString

from octavo_cluster.postgresql.connections import CELLS, Connection

_IS_THERE: LiteralString = "SELECT to_regclass('octavo.cells') IS NOT NULL"
_MAY_READ: LiteralString = "SELECT has_table_privilege(to_regclass('octavo.cells')::oid, 'SELECT')"
_READ: LiteralString = """
SELECT document_id, key, cell FROM cells JOIN documents ON documents.id = document_id WHERE document_id = ANY(%s)
"""
_WRITE: LiteralString = """
INSERT INTO cells (document_id, key, cell) VALUES (%s, %s, %s)
ON CONFLICT (document_id, key) DO UPDATE SET cell = excluded.cell
"""


def _holds(connection: Connection, sql: LiteralString) -> bool:
    row = connection.execute(sql).fetchone()
    return bool(row and row[0])


def cells(connection: Connection, ids: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return cells by document and key; nothing where there is no table, or it may not be read."""
    found: dict[str, dict[str, str]] = {}
    if _holds(connection, _MAY_READ):
        for document, key, cell in connection.execute(_READ, ([*ids],)).fetchall():
            found.setdefault(document, {})[key] = cell
    return found


def keep_cell(connection: Connection, document: str, key: str, cell: str | None) -> bool:
    """Keep a cell of a visible document, or none; return whether there is one."""
    # The document's row is held, so that it does not go before the cell is there.
    sql: LiteralString = "SELECT number FROM documents WHERE id = %s FOR SHARE"
    if connection.execute(sql, (document,)).fetchone() is None:
        return False
    if not _holds(connection, _IS_THERE):
        connection.execute(CELLS)
    if cell is None:
        connection.execute("DELETE FROM cells WHERE document_id = %s AND key = %s", (document, key))
    else:
        connection.execute(_WRITE, (document, key, cell))
    return True


def forget(connection: Connection, document: str) -> None:
    """Remove the cells of a document."""
    if _holds(connection, _IS_THERE):
        connection.execute("DELETE FROM cells WHERE document_id = %s", (document,))


def orphans(connection: Connection, *, remove: bool) -> int:
    """Return how many cells are of documents that are not there; `remove` them."""
    if not _holds(connection, _IS_THERE):
        return 0
    where: LiteralString = "NOT EXISTS (SELECT 1 FROM documents WHERE id = document_id)"
    row = connection.execute(f"SELECT count(*) FROM cells WHERE {where}").fetchone()
    if remove:
        connection.execute(f"DELETE FROM cells WHERE {where}")
    return int(row[0]) if row else 0

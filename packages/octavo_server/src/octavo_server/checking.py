"""What may be wrong with what the server keeps beside a corpus, for `octavo check`: file, answers, conversations."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import apsw

from octavo.corpus.reports import Finding
from octavo.corpus.store.sqlite.connections import opened_to_read, rows_of
from octavo.errors import CorpusError
from octavo_server.store import FILE_NAME, Store, forget

_UNREADABLE = "SELECT id FROM answers WHERE NOT json_valid(body) OR NOT json_valid(documents) OR NOT json_valid(turn)"
_LOST = (
    ("owners", "SELECT answer FROM owners WHERE answer NOT IN (SELECT id FROM answers)"),
    ("histories", "SELECT conversation FROM histories WHERE conversation NOT IN (SELECT id FROM conversations)"),
    ("conversations", "SELECT id FROM conversations WHERE id NOT IN (SELECT ifnull(conversation, '') FROM answers)"),
)
"""Rows of tables that lead nowhere."""


def examine(folder: Path, *, repair: bool) -> list[Finding]:
    """Return what is wrong with what a server keeps in the folder of a corpus; with `repair`, mend what can be."""
    file = folder / FILE_NAME
    if not file.exists():
        return []
    if (broken := _broken(file)) is not None:
        return [Finding("integrity", "", f"{FILE_NAME} is damaged ({broken}): move it away; keys are made anew then")]
    try:
        store = Store.beside(folder)
    except CorpusError as error:
        return [Finding("integrity", "", str(error))]
    with contextlib.closing(store):
        return [*_answers(store, repair=repair), *_rows(store, repair=repair)]


def _broken(file: Path) -> str | None:
    """Return what SQLite says of a damaged file, None of a sound one."""
    try:
        with contextlib.closing(opened_to_read(file)) as connection:
            told = str(connection.execute("PRAGMA integrity_check(1)").get)
    except (apsw.Error, CorpusError) as error:
        return str(error)
    return None if told == "ok" else told


def _answers(store: Store, *, repair: bool) -> Iterator[Finding]:
    damaged = [row[0] for row in store.rows(_UNREADABLE)]
    if not damaged:
        return
    is_mended = repair and store.path is not None
    if is_mended:
        with store.writing() as connection:
            forget(connection, damaged)
    count = f"{len(damaged):,} kept answer{'s' if len(damaged) > 1 else ''} cannot be read"
    yield Finding("kept_answer", "", f"{FILE_NAME}: {count}", repaired=is_mended)


def _rows(store: Store, *, repair: bool) -> Iterator[Finding]:
    for table, sql in _LOST:
        lost = store.rows(sql)
        if not lost:
            continue
        is_mended = repair and store.path is not None
        if is_mended:
            column = sql.split()[1]
            with store.writing() as connection:
                rows_of(connection, f"DELETE FROM {table} WHERE {column} IN ({sql})")  # noqa: S608  (our own words)
        yield Finding("kept_answer", "", f"{FILE_NAME}: {len(lost):,} of {table} without answers", repaired=is_mended)

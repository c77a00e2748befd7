"""The tables of a corpus file, and how a file is told from a foreign, an older or a newer one."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import uuid
from pathlib import Path

import apsw

from octavo.corpus.store.sqlite.connections import configure, explained
from octavo.errors import CorpusError

APPLICATION_ID = 0x4F435456
"""Marks an SQLite file as a corpus: "OCTV"."""

VERSION = 4
"""Of the tables, kept as `user_version`: a file of another version is refused."""

# Of `calls`, a row without a reply is a call under way; the reply comes last, so that sums over the other columns never
# read it. `containers` are files that hold many articles: their fingerprint is what they were read with, once they were
# read to their end. Passages are searched in files beside this one, which are made from the stored terms.
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;

CREATE TABLE documents (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    ocr TEXT NOT NULL,
    pages INTEGER NOT NULL,
    scanned_pages INTEGER NOT NULL,
    blocks INTEGER NOT NULL,
    sections INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL,
    added TEXT NOT NULL
) STRICT;

CREATE TABLE sources (
    key ANY NOT NULL UNIQUE,
    path ANY NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    document INTEGER NOT NULL REFERENCES documents (number)
) STRICT;
CREATE INDEX sources_document ON sources (document);

CREATE TABLE blobs (number INTEGER PRIMARY KEY AUTOINCREMENT, data BLOB NOT NULL) STRICT;

CREATE TABLE parts (
    document_id TEXT NOT NULL,
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    is_published INTEGER NOT NULL DEFAULT 0,
    checksum BLOB NOT NULL,
    blob INTEGER NOT NULL UNIQUE,
    PRIMARY KEY (document_id, name, fingerprint)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER parts_deleted AFTER DELETE ON parts BEGIN DELETE FROM blobs WHERE number = old.blob; END;

CREATE TABLE jobs (
    document_id TEXT PRIMARY KEY,
    path ANY NOT NULL,
    started TEXT NOT NULL,
    token TEXT NOT NULL,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    pid_started TEXT NOT NULL,
    expires REAL NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE quarantine (
    document_id TEXT PRIMARY KEY,
    path ANY NOT NULL,
    parser TEXT NOT NULL,
    reason TEXT NOT NULL,
    message TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE calls (
    key TEXT PRIMARY KEY,
    token TEXT NOT NULL,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    pid_started TEXT NOT NULL,
    expires REAL NOT NULL,
    decision TEXT,
    version TEXT,
    model TEXT,
    created TEXT,
    input_tokens INTEGER,
    output_tokens INTEGER,
    seconds REAL,
    cost REAL,
    hits INTEGER NOT NULL DEFAULT 0,
    checksum BLOB,
    reply TEXT
) STRICT;

CREATE TABLE containers (
    key ANY NOT NULL PRIMARY KEY,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    reading INTEGER NOT NULL,
    skipped TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""


def prepare(connection: apsw.Connection, path: Path | None) -> None:
    """Make a connection ready; in a new file the tables are created.

    Raises CorpusError (`version`) for a file of a newer or an older Octavo, and (`damaged`) for one that is no corpus.
    """
    with explained(path):
        connection.execute("BEGIN")  # one state of the file: another process may be creating it
        try:
            is_new = _is_new(connection, path)
        finally:
            connection.execute("ROLLBACK")
        if connection.readonly("main"):
            if is_new:
                raise _older(path, 0)
            return
        if is_new:
            connection.pragma("auto_vacuum", "incremental")
        configure(connection)
        if is_new:
            _create(connection, path)


def _is_new(connection: apsw.Connection, path: Path | None) -> bool:
    """Whether the file is empty. Raises CorpusError for any other file than a corpus of this version."""
    application = int(connection.pragma("application_id"))
    version = int(connection.pragma("user_version"))
    if application == APPLICATION_ID:
        if version > VERSION:
            raise CorpusError(
                "version",
                f"{path} was made by a newer Octavo (format {version}, this one reads up to {VERSION}): "
                "upgrade with 'pip install --upgrade octavo'",
            )
        if version < VERSION:
            raise _older(path, version)
        return False
    if application or version or connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").get:
        raise CorpusError(
            "damaged", f"{path} belongs to another program: choose another folder for the corpus with --corpus"
        )
    return True


def _older(path: Path | None, version: int) -> CorpusError:
    return CorpusError(
        "version",
        f"{path} was made by an older Octavo (format {version}, this one reads {VERSION}): "
        "add the files to another corpus",
    )


def _create(connection: apsw.Connection, path: Path | None) -> None:
    """Create the tables; another process may have done so since the file was looked at."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _is_new(connection, path):
            connection.execute(_TABLES)
            connection.execute(
                "INSERT INTO meta (key, value) VALUES ('corpus', ?), ('generation', 0)", (uuid.uuid4().hex,)
            )
            connection.pragma("application_id", APPLICATION_ID)
            connection.pragma("user_version", VERSION)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")

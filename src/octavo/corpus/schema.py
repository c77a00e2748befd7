"""The tables of a corpus file, and how a file is told from a foreign, an older or a newer one.

Owns the SQL that creates and migrates. Knows nothing about what is written into the tables.
"""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import uuid
from pathlib import Path

import apsw

from octavo.corpus.connections import configure, explained
from octavo.errors import CorpusError

APPLICATION_ID = 0x4F435456
"""Marks an SQLite file as a corpus: "OCTV"."""

_FIRST_TABLES = """
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
"""

_TERMS = """
CREATE VIRTUAL TABLE terms USING fts5(
    stems, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 tokenchars '.'"
);
"""

# A row without a reply is a call under way; the reply comes last, so that sums over the other columns never read it.
_CALLS = """
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
"""

# Files that hold many articles. `fingerprint` is what they were read with, once they were read to their end.
_CONTAINERS = """
CREATE TABLE containers (
    key ANY NOT NULL PRIMARY KEY,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    reading INTEGER NOT NULL,
    skipped TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""

# Passages are searched in files beside this one, which are made from the stored terms.
_NO_TERMS = "DROP TABLE terms;"

MIGRATIONS = (_FIRST_TABLES + _TERMS, _CALLS, _CONTAINERS, _NO_TERMS)
"""Statements that lead from one version to the next; the version is their number."""


def prepare(connection: apsw.Connection, path: Path | None) -> None:
    """Make a connection ready: create the tables in a new file, bring an older one up to date.

    Raises CorpusError (`version`) for a file from a newer Octavo, or an older one where nothing can be written, and
    (`damaged`) for one that is no corpus.
    """
    with explained(path):
        connection.execute("BEGIN")  # one state of the file: another process may be creating it
        try:
            version = _version(connection, path)
        finally:
            connection.execute("ROLLBACK")
        if connection.readonly("main"):
            _require_current(version, path)
            return
        if version == 0:
            connection.pragma("auto_vacuum", "incremental")
        configure(connection)
        if version < len(MIGRATIONS):
            _migrate(connection, path)


def _require_current(version: int, path: Path | None) -> None:
    if version < len(MIGRATIONS):
        raise CorpusError(
            "version",
            f"{path} was made by an older Octavo (format {version}, this one reads {len(MIGRATIONS)}) and cannot be "
            "written: open it once where it can be, or add the files to another corpus",
        )


def _version(connection: apsw.Connection, path: Path | None) -> int:
    """Return the version of the file, 0 when it is empty."""
    application = int(connection.pragma("application_id"))
    version = int(connection.pragma("user_version"))
    if application == APPLICATION_ID:
        if version > len(MIGRATIONS):
            raise CorpusError(
                "version",
                f"{path} was made by a newer Octavo (format {version}, this one reads up to {len(MIGRATIONS)}): "
                "upgrade with 'pip install --upgrade octavo'",
            )
        return version
    if application or version or connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").get:
        raise CorpusError(
            "damaged", f"{path} belongs to another program: choose another folder for the corpus with --corpus"
        )
    return 0


def _migrate(connection: apsw.Connection, path: Path | None) -> None:
    """Run the missing migrations; another process may have done so since the version was read."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for number in range(_version(connection, path), len(MIGRATIONS)):
            connection.execute(MIGRATIONS[number])
            if number == 0:
                connection.execute(
                    "INSERT INTO meta (key, value) VALUES ('corpus', ?), ('generation', 0)", (uuid.uuid4().hex,)
                )
        connection.pragma("application_id", APPLICATION_ID)
        connection.pragma("user_version", len(MIGRATIONS))
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")

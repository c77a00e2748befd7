"""The database of a shared corpus: connections, how transactions run, its tables, and what errors mean to a user."""

from __future__ import annotations

import contextlib
import os
import re
import threading
import time
import uuid
from collections.abc import Callable, Generator
from typing import Any, LiteralString, TypeAlias

import psycopg
from psycopg import errors
from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.rows import TupleRow

from octavo.corpus.location import without_password
from octavo.corpus.store.protocol import LEASE_SECONDS
from octavo.errors import CorpusError

Connection: TypeAlias = psycopg.Connection[TupleRow]

SCHEMA = "octavo"
"""Holds all tables, so that the database may have others."""
_CONNECT_SECONDS = 10
_IDLE_SECONDS = 5.0
"""A connection not used for so long is asked whether it lives: the database may have been started anew."""
_MOST_IDLE = 8
"""Connections that are kept open when nobody uses them."""
_TEXT = 25
"""PostgreSQL's number of the type text."""


class Connections:
    """Lends connections of one process to its threads. Thread-safe; a process forked from this one opens its own."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.name = without_password(url)
        self._lock = threading.Lock()
        self._idle: list[tuple[float, Connection]] = []
        self._process = os.getpid()

    @contextlib.contextmanager
    def reading(self) -> Generator[Connection]:
        """Run statements that each see the last state."""
        with self.explained(), self._lent() as connection:
            yield connection

    @contextlib.contextmanager
    def snapshot(self) -> Generator[Connection]:
        """Run statements that see one state."""
        with self.explained(), self._lent() as connection, connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Generator[Connection]:
        """Run statements that happen all or not at all."""
        with self.explained(), self._lent() as connection, connection.transaction():
            yield connection

    def close(self) -> None:
        """Close the connections that nobody uses."""
        with self._lock:
            idle, self._idle = self._idle, []
        if self._process == os.getpid():
            for _, connection in idle:
                connection.close()

    @contextlib.contextmanager
    def _lent(self) -> Generator[Connection]:
        connection = self._taken() or self._connect()
        try:
            yield connection
        finally:
            with self._lock:
                is_sound = not connection.closed and connection.pgconn.transaction_status == _IDLE
                if is_sound and len(self._idle) < _MOST_IDLE:
                    self._idle.append((time.monotonic(), connection))
                    connection = None
            if connection is not None:
                connection.close()

    def _taken(self) -> Connection | None:
        """Return a connection that was opened before and lives."""
        if self._process != os.getpid():
            self._idle, self._process = [], os.getpid()
        while True:
            with self._lock:
                if not self._idle:
                    return None
                since, connection = self._idle.pop()
            if time.monotonic() - since < _IDLE_SECONDS:
                return connection
            with contextlib.suppress(psycopg.Error):
                connection.execute("SELECT 1")
                return connection
            connection.close()

    def _connect(self) -> Connection:
        connection = psycopg.connect(self._url, autocommit=True, connect_timeout=_CONNECT_SECONDS)
        connection.adapters.register_dumper(str, _TextDumper)
        connection.adapters.register_loader(_TEXT, _TextLoader)
        connection.execute(f"SET search_path TO {SCHEMA}")
        return connection

    @contextlib.contextmanager
    def explained(self) -> Generator[None]:
        """Turn PostgreSQL's errors into a CorpusError that says what to do."""
        try:
            yield
        except (errors.DiskFull, errors.OutOfMemory) as error:
            raise CorpusError(
                "full",
                f"No space left at {self.name}: make some and run the command again, what is indexed is kept",
            ) from error
        except (errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction) as error:
            raise CorpusError(
                "locked", f"{self.name} may not be used so ({_first_line(error)}): give the user rights on it"
            ) from error
        except (errors.UndefinedTable, errors.InvalidSchemaName) as error:
            raise _not_set_up(self.name) from error
        except (errors.DeadlockDetected, errors.LockNotAvailable, errors.QueryCanceled) as error:
            raise CorpusError("locked", f"{self.name} is busy ({_first_line(error)}): try again") from error
        except psycopg.OperationalError as error:
            raise CorpusError(
                "unreachable",
                f"{self.name} cannot be reached ({_first_line(error)}): check that the database runs there",
            ) from error
        except psycopg.Error as error:
            raise CorpusError(
                "damaged", f"{self.name} does not answer as it should ({_first_line(error)}): check the database"
            ) from error


_IDLE = psycopg.pq.TransactionStatus.IDLE


def _not_set_up(name: str) -> CorpusError:
    """Return the error for a database without a corpus in it."""
    return CorpusError("missing", f"{name} holds no corpus yet: set one up with 'octavo cluster init {name} BUCKET'")


def _first_line(error: Exception) -> str:
    """Return the last of what libpq says of a failed connection, else the first line of an error."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    failed = [line for line in lines if "failed" in line]
    line = (failed or lines or [type(error).__name__])[0]
    return line.rpartition("failed: ")[2] or line


# PostgreSQL's text holds no NUL and nothing that is no Unicode, which the names of files may hold. Their bytes stand in
# it as characters of a private area, as in OPTU-8/16; where that area is used, so do its own.

_FIRST = 0xEF00
_PRIVATE = re.compile("[\0\ud800-\udfff\uef00-\uefff]")


def stored(text: str) -> str:
    """Return a text as the database can hold it."""
    return _PRIVATE.sub(_bytes_of, text) if _PRIVATE.search(text) else text


def _bytes_of(found: re.Match[str]) -> str:
    letter = found[0]
    data = bytes([ord(letter) - 0xDC00]) if "\udc80" <= letter <= "\udcff" else letter.encode("utf-8", "surrogatepass")
    return "".join(chr(_FIRST + byte) for byte in data)


def loaded(text: str) -> str:
    """Return the text that `stored` wrote."""
    if not _PRIVATE.search(text):
        return text
    data = b"".join(
        bytes([ord(letter) - _FIRST]) if "\uef00" <= letter <= "\uefff" else letter.encode() for letter in text
    )
    return data.decode("utf-8", "surrogateescape")


class _TextDumper(Dumper):
    """Writes every `str` as `stored` text."""

    oid = _TEXT

    def dump(self, obj: Any) -> bytes:
        return stored(obj).encode()


class _TextLoader(Loader):
    """Reads every text as `loaded` does."""

    def load(self, data: Buffer) -> str:
        text = bytes(data).decode()
        return loaded(text) if b"\xee" in bytes(data) else text


Claim: TypeAlias = Callable[[str], None]

VERSION = 1
"""Of the tables: a database of another version is refused."""

DESCRIPTIONS: LiteralString = """
CREATE TABLE octavo.descriptions (document_id TEXT COLLATE "C" PRIMARY KEY, fields TEXT NOT NULL);
"""
"""What was set of documents. A database that was made before lacks the table until something is set."""
CELLS: LiteralString = """
CREATE TABLE octavo.cells (
    document_id TEXT COLLATE "C", key TEXT COLLATE "C", cell TEXT NOT NULL, PRIMARY KEY (document_id, key)
);
"""
"""Cells of tables of answers. A database that was made before lacks the table until the first one is kept."""

# Keys and names may be longer than an index takes: they are found by their hash, and ranges of keys by their beginning.
# `corpus` has one row, which every transaction that changes what is visible locks first: so changes are numbered in the
# order they become visible, and no two of them wait for each other. Of `calls`, a row without a reply is a call under
# way. A job without a token is to be done, or to be taken up again.
_TABLES: LiteralString = """
CREATE SCHEMA octavo;
SET LOCAL search_path TO octavo;

CREATE TABLE corpus (
    version INTEGER NOT NULL,
    identity TEXT NOT NULL,
    bucket TEXT NOT NULL,
    lease_seconds DOUBLE PRECISION NOT NULL,
    generation BIGINT NOT NULL DEFAULT 0,
    documents BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX corpus_one ON corpus ((true));

CREATE TABLE changes (
    generation BIGINT PRIMARY KEY,
    document BIGINT NOT NULL,
    token TEXT NOT NULL
);

CREATE TABLE documents (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    name TEXT COLLATE "C" NOT NULL,
    title TEXT NOT NULL,
    damage TEXT NOT NULL,
    ocr TEXT NOT NULL,
    pages INTEGER NOT NULL,
    scanned_pages INTEGER NOT NULL,
    blocks INTEGER NOT NULL,
    sections INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    size_bytes BIGINT NOT NULL,
    added TEXT NOT NULL
);
CREATE INDEX documents_name ON documents (md5(name));

CREATE TABLE sources (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key TEXT COLLATE "C" NOT NULL,
    path TEXT COLLATE "C" NOT NULL,
    size BIGINT NOT NULL,
    mtime_ns BIGINT NOT NULL,
    document BIGINT NOT NULL REFERENCES documents (number)
);
CREATE UNIQUE INDEX sources_key ON sources (md5(key));
CREATE INDEX sources_range ON sources (left(key, 500));
CREATE INDEX sources_document ON sources (document, number);

CREATE SEQUENCE part_numbers;
CREATE TABLE parts (
    number BIGINT PRIMARY KEY,
    document_id TEXT COLLATE "C" NOT NULL,
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    is_published BOOLEAN NOT NULL,
    checksum BYTEA NOT NULL,
    mark BIGINT NOT NULL UNIQUE,
    size BIGINT NOT NULL,
    UNIQUE (document_id, name, fingerprint)
);

CREATE TABLE jobs (
    document_id TEXT COLLATE "C" PRIMARY KEY,
    path TEXT COLLATE "C" NOT NULL,
    started TEXT NOT NULL,
    token TEXT NOT NULL,
    expires TIMESTAMPTZ NOT NULL
);
CREATE INDEX jobs_expires ON jobs (expires);

CREATE TABLE quarantine (
    document_id TEXT COLLATE "C" PRIMARY KEY,
    path TEXT COLLATE "C" NOT NULL,
    parser TEXT NOT NULL,
    reason TEXT NOT NULL,
    message TEXT NOT NULL
);

CREATE TABLE calls (
    key TEXT COLLATE "C" PRIMARY KEY,
    token TEXT NOT NULL,
    expires TIMESTAMPTZ NOT NULL,
    decision TEXT,
    version TEXT,
    model TEXT,
    created TEXT,
    input_tokens BIGINT,
    output_tokens BIGINT,
    seconds DOUBLE PRECISION,
    cost DOUBLE PRECISION,
    hits BIGINT NOT NULL DEFAULT 0,
    checksum BYTEA,
    reply TEXT
);

CREATE TABLE containers (
    key TEXT COLLATE "C" NOT NULL,
    size BIGINT NOT NULL,
    mtime_ns BIGINT NOT NULL,
    fingerprint TEXT NOT NULL,
    reading BIGINT NOT NULL,
    skipped TEXT NOT NULL
);
CREATE UNIQUE INDEX containers_key ON containers (md5(key));
"""


def create(connections: Connections, bucket: str, claim: Claim) -> str:
    """Create the tables of a new corpus whose bytes go to a bucket; return its identity.

    `claim` marks the bucket as that of this identity, or raises. Raises CorpusError (`locked`) when there is one.
    """
    identity = uuid.uuid4().hex
    with connections.writing() as connection:
        connection.execute("SELECT pg_advisory_xact_lock(hashtext('octavo'))")
        there = connection.execute("SELECT to_regnamespace('octavo') IS NOT NULL").fetchone()
        if there and there[0]:
            raise CorpusError(
                "locked", f"{connections.name} holds a corpus already: use it, or choose another database"
            )
        connection.execute(_TABLES)
        connection.execute(DESCRIPTIONS)
        connection.execute(CELLS)
        connection.execute(
            "INSERT INTO corpus (version, identity, bucket, lease_seconds) VALUES (%s, %s, %s, %s)",
            (VERSION, identity, bucket, LEASE_SECONDS),
        )
        claim(identity)
    return identity


def opened(connections: Connections) -> tuple[str, str, float]:
    """Return a corpus's identity, its bucket, and how long its leases last.

    Raises CorpusError (`missing`) when there is none, and (`version`) for one of a newer or an older Octavo.
    """
    with connections.reading() as connection:
        row = connection.execute("SELECT version, identity, bucket, lease_seconds FROM octavo.corpus").fetchone()
    if row is None:
        raise _not_set_up(connections.name)
    version, identity, bucket, lease_seconds = row
    if version != VERSION:
        made, advice = (
            ("a newer", "upgrade with 'pip install --upgrade octavo[cluster]'")
            if version > VERSION
            else ("an older", "import it into another database with the Octavo that made it")
        )
        raise CorpusError(
            "version",
            f"{connections.name} was made by {made} Octavo (format {version}, this one reads {VERSION}): {advice}",
        )
    return identity, bucket, lease_seconds

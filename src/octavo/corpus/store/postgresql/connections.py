"""Connections to the database, how transactions run, and what PostgreSQL's errors mean to a user."""

from __future__ import annotations

import contextlib
import os
import re
import threading
import time
from collections.abc import Generator
from typing import Any, TypeAlias

import psycopg
from psycopg import errors
from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.rows import TupleRow

from octavo.corpus.location import without_password
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
            raise not_set_up(self.name) from error
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


def not_set_up(name: str) -> CorpusError:
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

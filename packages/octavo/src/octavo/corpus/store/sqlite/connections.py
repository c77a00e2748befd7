"""The file of a store: connections, one per thread, how transactions run, tables, and what errors mean to a user."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import contextlib
import os
import shutil
import threading
import time
import uuid
import weakref
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw

from octavo.errors import CorpusError, disk_full

BUSY_SECONDS = 60.0
"""How long to wait for another process's write; writes take less than a second."""
_PAUSE_SECONDS = 0.01
"""Between two tries for a lock."""
_STRAGGLER_SECONDS = 5.0
"""How long `close` waits for threads that still use a connection."""
_NEARLY_FULL = 1 << 20
"""Free bytes under which an error of the disk is put down to a full one."""
_VACUUM_PAGES = 64
"""Pages that are given back at once: each moves another through the log, which a full disk has little room for."""
_WAL_KEPT = 16 << 20
"""Bytes that the write-ahead log keeps on disk when it is not in use."""


class Connections:
    """Gives each thread its own connection, prepared once by `prepare`."""

    def __init__(
        self, path: Path | None, prepare: Callable[[apsw.Connection], None], *, is_fixed: bool = False
    ) -> None:
        """Connect to a file, only to read with `is_fixed`, or to nothing (an empty store in memory): `path` is None."""
        self.path, self._is_fixed = path, is_fixed
        self._prepare = prepare
        self._file: FileId | None = None
        self._identity: object = None
        self._local = threading.local()
        self._open: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()
        self._lock = threading.Lock()

    def get(self) -> apsw.Connection:
        """Return this thread's connection.

        Raises CorpusError (`gone`) where the file was deleted, moved away or replaced since it was opened.
        """
        self._check_place()
        found: apsw.Connection | None = getattr(self._local, "connection", None)
        if found is None:
            found = self._local.connection = self._connect()
            with self._lock:
                self._open.add(found)
        return found

    def close(self) -> None:
        """Close every connection. A thread that still uses one, as after Ctrl-C, is waited for, though not for ever."""
        deadline = time.monotonic() + _STRAGGLER_SECONDS
        with self._lock:
            for connection in list(self._open):
                _close(connection, deadline)
            self._open.clear()
        self._local = threading.local()

    @property
    def is_read_only(self) -> bool:
        """Whether the file cannot be written from here."""
        return self.get().readonly("main")

    @property
    def is_gone(self) -> bool:
        """Whether another file is, or none, where the one that is connected to was opened."""
        return self.path is not None and self._file is not None and file_at(self.path) != self._file

    def _check_place(self) -> None:
        """SQLite goes on reading and writing a file that was deleted or moved away, which nobody else sees."""
        if self.path is None or not self.is_gone:
            return
        with self._lock:
            if self.is_gone and not self._goes_on(self.path):
                raise gone(self.path)

    def _goes_on(self, path: Path) -> bool:
        """Connect to a copy of the same corpus that took the place of the file, as from a backup."""
        former: apsw.Connection | None = getattr(self._local, "connection", None)
        is_between = former is None or not former.in_transaction
        if not is_between or _identity_at(path) != self._identity:
            return False
        self._local, self._file = threading.local(), file_at(path)
        return True

    def _connect(self) -> apsw.Connection:
        with explained(self.path):
            connection = _opened(self.path, is_fixed=self._is_fixed)
        try:
            connection.set_busy_handler(_Patience())
            self._prepare(connection)
            if self.path is not None and self._file is None:
                self._identity, self._file = _identity_of(connection), file_at(self.path)
        except BaseException:
            connection.close()
            raise
        return connection

    def shrink(self) -> None:
        """Give free pages back to the disk, as far as nobody stands in the way and there is room to do so."""
        connection = self.get()
        connection.set_busy_handler(None)
        try:
            with explained(self.path), contextlib.suppress(apsw.BusyError, apsw.LockedError, apsw.FullError):
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
                left = 0
                while (free := int(connection.pragma("freelist_count"))) and free != left:
                    left = free
                    connection.execute(f"PRAGMA incremental_vacuum({_VACUUM_PAGES})").fetchall()
                    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        finally:
            connection.set_busy_handler(_Patience())

    @contextlib.contextmanager
    def reading(self) -> Generator[apsw.Connection]:
        """Run statements that see one state of the file."""
        with explained(self.path), _transaction(self.get(), "BEGIN") as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Generator[apsw.Connection]:
        """Run statements that happen all or not at all."""
        with explained(self.path), _transaction(self.get(), "BEGIN IMMEDIATE") as connection:
            yield connection


def _opened(path: Path | None, *, is_fixed: bool) -> apsw.Connection:
    if path is None:
        return apsw.Connection(":memory:")
    return opened_to_read(path) if is_fixed or _is_fixed(path) else apsw.Connection(str(path))


FileId = tuple[int, int]
"""The device and the number of a file, which tell it from every other one on this machine."""


def file_at(path: Path) -> FileId | None:
    """Return which file is at a path, None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def gone(path: Path) -> CorpusError:
    """Return the error for a file that was opened and is no longer at its path."""
    if file_at(path) is not None:
        what = (
            "is another file than the one that was opened: put that one back, or start this program again to use this"
        )
    else:
        what = "was deleted or moved away while in use: put it back and all goes on, or start this program again"
    return CorpusError("gone", f"{path if path.parent.exists() else path.parent} {what}")


def _identity_at(path: Path) -> object:
    """Return which corpus is in a file, None where there is none."""
    try:
        connection = opened_to_read(path)
    except apsw.Error:
        return None
    try:
        return _identity_of(connection)
    except apsw.Error:
        return None
    finally:
        connection.close()


def _identity_of(connection: apsw.Connection) -> object:
    return connection.execute("SELECT value FROM meta WHERE key = 'corpus'").get


def _is_fixed(path: Path) -> bool:
    """Whether there is a file that cannot be written to, as on a disk that is mounted for reading."""
    return path.exists() and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def opened_to_read(path: Path) -> apsw.Connection:
    """Return a connection that changes nothing.

    SQLite reads a file in WAL together with the files beside it that writers keep. Where these are not there and cannot
    be made, nobody writes, and the file is read as it stands.
    """
    flags, name = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI, f"file:{quote(str(path))}"
    connection = apsw.Connection(name, flags=flags)
    try:
        connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        connection.close()
        if _has_content(path.with_name(f"{path.name}-wal")):
            raise
        return apsw.Connection(f"{name}?immutable=1", flags=flags)
    return connection


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:
        return False


def _close(connection: apsw.Connection, deadline: float) -> None:
    """Close a connection once its thread lets go of it; one that never does ends with the process."""
    while True:
        try:
            connection.close()
            return
        except apsw.ThreadingViolationError:
            if time.monotonic() > deadline:
                return
            time.sleep(_PAUSE_SECONDS)


class _Patience:
    """A busy handler in Python, so that Ctrl-C is heard while waiting."""

    def __init__(self) -> None:
        self._deadline = 0.0

    def __call__(self, tries: int) -> bool:
        if tries == 0:
            self._deadline = time.monotonic() + BUSY_SECONDS
        time.sleep(_PAUSE_SECONDS)
        return time.monotonic() < self._deadline


@contextlib.contextmanager
def _transaction(connection: apsw.Connection, begin: str) -> Generator[apsw.Connection]:
    if connection.in_transaction:  # a step of a larger transaction
        yield connection
        return
    try:
        connection.execute(begin)
        yield connection
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def configure(connection: apsw.Connection) -> None:
    """Set what every connection needs.

    In WAL with synchronous NORMAL a crash of the process loses nothing and a power cut at worst the last documents,
    which are indexed again; the file stays sound either way.
    """
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "normal")
    connection.pragma("foreign_keys", value=True)
    connection.pragma("secure_delete", "fast")
    connection.pragma("journal_size_limit", _WAL_KEPT)


def rows_of(connection: apsw.Connection, sql: str, bindings: tuple[Any, ...] = ()) -> list[Any]:
    """Return all rows of a query."""
    found: list[Any] = []
    found.extend(connection.execute(sql, bindings))
    return found


@contextlib.contextmanager
def explained(path: Path | None) -> Generator[None]:
    """Turn SQLite's errors into a CorpusError that says what to do."""
    where = path or Path("memory")
    try:
        yield
    except apsw.FullError as error:
        raise disk_full(where) from error
    except (apsw.BusyError, apsw.LockedError) as error:
        raise CorpusError(
            "locked", f"{where} is being written by another program: try again when it has finished"
        ) from error
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError) as error:
        raise CorpusError(
            "locked", f"{where} cannot be opened for writing: check the permissions of it and its folder"
        ) from error
    except apsw.NotADBError as error:
        raise CorpusError(
            "damaged", f"{where} is not an Octavo corpus: move it away, or choose another folder with --corpus"
        ) from error
    except apsw.IOError as error:
        raise (disk_full(where) if _is_nearly_full(where) else _unreadable(where, error)) from error
    except (apsw.Error, UnicodeDecodeError) as error:  # even "no such column": the tables were sound when made
        raise damaged(where) from error


def damaged(path: Path) -> CorpusError:
    """Return the error for a file whose content is not what was written."""
    return CorpusError("damaged", f"{path} is damaged: run 'octavo check --repair'")


def _unreadable(path: Path, error: Exception) -> CorpusError:
    return CorpusError("damaged", f"{path} cannot be read or written ({error}): check the disk")


def _is_nearly_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < _NEARLY_FULL
    except OSError:
        return False


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
CREATE INDEX documents_name ON documents (name);

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
            if connection.in_transaction:  # an error of the disk has ended it
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

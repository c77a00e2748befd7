"""What the server itself keeps: keys, answers, conversations and jobs, in `server.db` in the corpus folder."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import json
import os
import threading
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import apsw

from octavo.corpus import private
from octavo.corpus.store.sqlite.connections import configure, explained, file_at, gone, opened_to_read, rows_of
from octavo.errors import CorpusError

if TYPE_CHECKING:
    from octavo_server.responses import AnswerShape

FILE_NAME = "server.db"
MOST_ANSWERS = 2_000
"""Answers that are kept: the latest. Those before are forgotten when one comes in."""
_MOST_GONE = 50_000
"""Ids of answers that were forgotten, which are told from those that never were."""
_VERSION = 2
_BUSY_MS = 10_000
_UNWRITABLE = ("full", "locked", "gone")
"""Reasons for which what was paid for or waited for is kept in memory instead of lost."""
_SCHEMA = """
CREATE TABLE keys (
    name TEXT PRIMARY KEY, digest BLOB NOT NULL UNIQUE, scope TEXT NOT NULL, created TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE conversations (id TEXT PRIMARY KEY, created TEXT NOT NULL, documents TEXT) STRICT, WITHOUT ROWID;
CREATE TABLE answers (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, conversation TEXT, created TEXT NOT NULL,
    body TEXT NOT NULL, documents TEXT NOT NULL, turn TEXT
) STRICT;
CREATE INDEX answers_of_conversation ON answers(conversation) WHERE conversation IS NOT NULL;
CREATE TABLE answer_documents (
    document TEXT NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (document, answer)
) STRICT, WITHOUT ROWID;
CREATE TABLE jobs (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, path TEXT NOT NULL,
    digest TEXT NOT NULL, state TEXT NOT NULL, stage TEXT NOT NULL, done INTEGER NOT NULL, total INTEGER NOT NULL,
    document TEXT, created TEXT NOT NULL, heartbeat TEXT NOT NULL, error TEXT, owner TEXT NOT NULL, lease REAL NOT NULL
) STRICT;
CREATE INDEX jobs_by_digest ON jobs(digest);
"""
_GONE = """
CREATE TABLE gone (number INTEGER PRIMARY KEY, answer TEXT NOT NULL UNIQUE) STRICT;
CREATE INDEX documents_of_answer ON answer_documents(answer);
"""
"""What version 2 brought."""
_SESSIONS = """
CREATE TABLE IF NOT EXISTS sessions (
    digest BLOB PRIMARY KEY, holder BLOB NOT NULL, begun REAL NOT NULL, used REAL NOT NULL
) STRICT, WITHOUT ROWID
"""
"""Of browsers (`sessions.py`)."""
_HISTORY = """
CREATE TABLE IF NOT EXISTS owners (answer TEXT PRIMARY KEY, owner TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS histories (
    conversation TEXT PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, changed TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS histories_of_owner ON histories(owner);
"""
"""Whose answers and conversations are (`history.py`): the hash of a key; what was kept before is nobody's own."""
_SURPLUS = "SELECT id FROM answers WHERE number <= (SELECT max(number) FROM answers) - ?"
_OF_DOCUMENT = "SELECT answer FROM answer_documents WHERE document = ?"


@dataclasses.dataclass(frozen=True, slots=True)
class StoredConversation:
    """A conversation: `documents` are what questions are asked of, as they were named; None: all."""

    id: str
    created: str
    documents: tuple[str, ...] | None


@dataclasses.dataclass(frozen=True, slots=True)
class Key:
    """A key: its name, the hash of it, what it may do, and when it was made."""

    name: str
    digest: bytes
    scope: str
    created: str


def now() -> str:
    """Return the time as it is stored: UTC, ISO 8601."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


class Store:
    """The server's own tables. Thread-safe; several servers may open the same file."""

    def __init__(self, path: Path | None, *, before: Path | None = None) -> None:
        """Open a file, made where it is missing; None keeps everything in memory.

        What is in the file `before` is only read, beside what is kept in memory.
        """
        self.path, self._file = path, path or before
        self._lock = threading.RLock()
        self._spare: Store | None = None
        """In memory: what came while there was no room."""
        self._before: apsw.Connection | None = None
        self._connection = self._made() if path is None else self._opened(path)
        if path is None and before is not None:
            self._before = _opened_before(before)
        self._found_as = None if self._file is None else file_at(self._file)

    def _made(self) -> apsw.Connection:
        return self._prepared(apsw.Connection(":memory:"))

    def _opened(self, path: Path) -> apsw.Connection:
        with explained(path):
            private.make_file(path)
            connection = apsw.Connection(str(path))
            connection.set_busy_timeout(_BUSY_MS)
            configure(connection)
            with contextlib.suppress(OSError):
                path.chmod(0o600)
            return self._prepared(connection)

    def check_place(self) -> None:
        """Raise CorpusError (`gone`) where the file was deleted or moved away; one that took its place is opened."""
        if self._file is None or file_at(self._file) == self._found_as:
            return
        with self._lock:
            found = file_at(self._file)
            if found is None:
                raise gone(self._file)
            try:
                self._take_up(self._file)
            except CorpusError as error:
                raise gone(self._file) from error
            self._found_as = found

    def _take_up(self, file: Path) -> None:
        if self.path is None:
            self._before = _opened_before(file)
        else:
            self._connection = self._opened(file)

    @classmethod
    def beside(cls, folder: Path, *, read_only: bool = False) -> Store:
        """Return the store of a corpus folder: a file in it, or in memory where the folder is not to be written.

        Keys and answers that are there are known then too; what comes is forgotten with the process.
        """
        file = folder / FILE_NAME
        if read_only:
            return cls(None, before=file if file.exists() else None)
        try:
            private.make_folder(folder)
        except OSError:
            return cls(None)
        can_write = os.access(folder, os.W_OK) and (not file.exists() or os.access(file, os.W_OK))
        return cls(file) if can_write else cls(None, before=file if file.exists() else None)

    def _prepared(self, connection: apsw.Connection) -> apsw.Connection:
        """Return a connection to a file that has the tables."""
        with explained(self.path), _written(connection):
            version = int(connection.pragma("user_version") or 0)
            if version > _VERSION:
                raise CorpusError("version", f"{FILE_NAME} was written by a newer Octavo: update this one")
            if version == 0:
                connection.execute(_SCHEMA)
            if version < _VERSION:
                connection.execute(_GONE)
                connection.pragma("user_version", _VERSION)
            connection.execute(_SESSIONS)
            connection.execute(_HISTORY)
        return connection

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()
            if self._before is not None:
                self._before.close()

    def _found(self, sql: str, bindings: tuple[Any, ...] = ()) -> list[Any]:
        """Return the rows of a query, those of the file that is only read among them."""
        with self._lock, explained(self.path):
            self.check_place()
            before = [] if self._before is None else rows_of(self._before, sql, bindings)
            after = [] if self._spare is None else rows_of(self._spare._connection, sql, bindings)
            return [*before, *rows_of(self._connection, sql, bindings), *after]

    def _else_in_memory(self, keep: Callable[[Store], None]) -> bool:
        """Keep something here, or in memory where there is no room; return whether it outlives the process."""
        try:
            keep(self)
        except CorpusError as error:
            if error.reason not in _UNWRITABLE:
                raise
            with self._lock:
                self._spare = self._spare or Store(None)
            keep(self._spare)
            return False
        return self.path is not None

    @contextlib.contextmanager
    def reading(self) -> Generator[apsw.Connection]:
        """Run statements that only read."""
        with self._lock, explained(self.path):
            self.check_place()
            yield self._connection

    @contextlib.contextmanager
    def writing(self) -> Generator[apsw.Connection]:
        """Run statements that happen all or not at all."""
        with self._lock, explained(self.path):
            self.check_place()
            with _written(self._connection) as connection:
                yield connection

    # Keys

    def all_keys(self) -> tuple[Key, ...]:
        """Return all keys by name."""
        return tuple(Key(*row) for row in self._found("SELECT name, digest, scope, created FROM keys ORDER BY name"))

    def add_key(self, name: str, digest: bytes, scope: str) -> None:
        """Keep the hash of a key."""
        with self.writing() as connection:
            connection.execute("INSERT INTO keys VALUES (?, ?, ?, ?)", (name, digest, scope, now()))

    def remove_key(self, name: str) -> bool:
        """Remove a key; return whether there was one."""
        with self.writing() as connection:
            return bool(rows_of(connection, "DELETE FROM keys WHERE name = ? RETURNING name", (name,)))

    # Answers and conversations

    def keep_answer(
        self,
        identity: str,
        value: AnswerShape,
        documents: Sequence[str],
        conversation: str | None,
        turn: dict[str, Any] | None,
        owner: str = "",
    ) -> bool:
        """Keep an answer as it was given, the ids of its documents, its turn of a conversation, and whose it is.

        Of more than `MOST_ANSWERS` the first ones are forgotten, with conversations that have no answer left. Returns
        whether it outlives the process: where there is no room it is kept in memory.
        """
        row = (identity, conversation, now(), json.dumps(value), json.dumps([*documents]), json.dumps(turn))
        return self._else_in_memory(lambda one: one._insert_answer(row, documents, owner))

    def _insert_answer(
        self, row: tuple[str, str | None, str, str, str, str], documents: Sequence[str], owner: str
    ) -> None:
        with self.writing() as connection:
            if owner:
                connection.execute("INSERT INTO owners VALUES (?, ?)", (row[0], owner))
            connection.execute(
                "INSERT INTO answers (id, conversation, created, body, documents, turn) VALUES (?, ?, ?, ?, ?, ?)", row
            )
            connection.executemany(
                "INSERT OR IGNORE INTO answer_documents VALUES (?, ?)", [(one, row[0]) for one in documents]
            )
            forget(connection, [row[0] for row in rows_of(connection, _SURPLUS, (MOST_ANSWERS,))])

    def answer(self, identity: str) -> tuple[AnswerShape, list[str]] | None:
        """Return an answer as it was given and the ids of its documents."""
        rows = self._found("SELECT body, documents FROM answers WHERE id = ?", (identity,))
        return (_answer(rows[0][0]), json.loads(rows[0][1])) if rows else None

    def answers_of(self, conversation: str) -> list[AnswerShape]:
        """Return the answers of a conversation, oldest first."""
        sql = "SELECT body FROM answers WHERE conversation = ? ORDER BY number"
        return [_answer(row[0]) for row in self._found(sql, (conversation,))]

    def turns(self, conversation: str) -> list[dict[str, Any] | None]:
        """Return the turns of a conversation, oldest first."""
        sql = "SELECT turn FROM answers WHERE conversation = ? ORDER BY number"
        return [json.loads(row[0]) for row in self._found(sql, (conversation,))]

    def owner_of(self, *, answer: str = "", conversation: str = "") -> str:
        """Return whose an answer or a conversation is, "" for nobody's own."""
        sql = (
            "SELECT owner FROM owners WHERE answer = ?"
            if answer
            else "SELECT owner FROM histories WHERE conversation = ?"
        )
        rows = self._found(sql, (answer or conversation,))
        return rows[-1][0] if rows else ""

    def rows(self, sql: str, bindings: tuple[Any, ...] = ()) -> list[Any]:
        """Return the rows of a query over all that is kept."""
        return self._found(sql, bindings)

    def change(self, act: Callable[[apsw.Connection], int]) -> int:
        """Change what is kept in the file and in memory; return how many rows that were."""
        changed = 0
        for one in filter(None, (self, self._spare)):
            with one.writing() as connection:
                changed += act(connection)
        return changed

    def is_gone(self, identity: str) -> bool:
        """Whether there was such an answer, which has been forgotten."""
        return bool(self._found("SELECT 1 FROM gone WHERE answer = ?", (identity,)))

    def forget_answer(self, identity: str) -> None:
        """Forget an answer."""
        with self.writing() as connection:
            forget(connection, [identity])

    def forget_document(self, document: str) -> None:
        """Forget the answers that stand on a document."""
        with self.writing() as connection:
            forget(connection, [row[0] for row in rows_of(connection, _OF_DOCUMENT, (document,))])

    def keep_conversation(self, identity: str, documents: Sequence[str] | None, owner: str = "") -> None:
        """Keep a conversation, what its next question is asked of and whose it is; in memory where there is no room."""
        told = None if documents is None else json.dumps([*documents])

        def keep(one: Store) -> None:
            with one.writing() as connection:
                connection.execute(
                    "INSERT INTO conversations VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET documents = ?",
                    (identity, now(), told, told),
                )
                if owner:
                    connection.execute(
                        "INSERT INTO histories VALUES (?1, ?2, '', ?3) ON CONFLICT DO UPDATE SET changed = ?3",
                        (identity, owner, now()),
                    )

        self._else_in_memory(keep)

    def conversation(self, identity: str) -> StoredConversation | None:
        """Return a conversation."""
        rows = self._found("SELECT id, created, documents FROM conversations WHERE id = ?", (identity,))
        if not rows:
            return None
        documents = None if rows[-1][2] is None else tuple(json.loads(rows[-1][2]))
        return StoredConversation(rows[-1][0], rows[-1][1], documents)


@contextlib.contextmanager
def _written(connection: apsw.Connection) -> Generator[apsw.Connection]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _opened_before(path: Path) -> apsw.Connection | None:
    """Return a file that is only read; None where it is of another version: its tables are not those asked here."""
    with explained(path):
        found = opened_to_read(path)
        if int(found.pragma("user_version") or 0) == _VERSION:
            if not rows_of(found, "SELECT 1 FROM sqlite_master WHERE name = 'histories'"):
                found.execute(_HISTORY.replace("CREATE TABLE", "CREATE TEMP TABLE").split("CREATE INDEX")[0])
            return found
        found.close()
        return None


def _answer(body: str) -> AnswerShape:
    """Return a kept answer; one that was kept before answers had first words has none."""
    return cast("AnswerShape", {"lead": "", **json.loads(body)})


def forget(connection: apsw.Connection, answers: Sequence[str]) -> None:
    """Forget answers, and conversations that have none left; only the ids of the answers stay."""
    if not answers:
        return
    rows = [(identity,) for identity in answers]
    connection.executemany("DELETE FROM answer_documents WHERE answer = ?", rows)
    connection.executemany("DELETE FROM answers WHERE id = ?", rows)
    connection.executemany("DELETE FROM owners WHERE answer = ?", rows)
    connection.executemany("INSERT OR IGNORE INTO gone (answer) VALUES (?)", rows)
    connection.execute("DELETE FROM gone WHERE number <= (SELECT max(number) FROM gone) - ?", (_MOST_GONE,))
    connection.execute(
        "DELETE FROM conversations WHERE id NOT IN (SELECT conversation FROM answers WHERE conversation IS NOT NULL)"
    )
    connection.execute("DELETE FROM histories WHERE conversation NOT IN (SELECT id FROM conversations)")

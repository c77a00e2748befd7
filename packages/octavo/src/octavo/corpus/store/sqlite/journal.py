"""The journal of model calls in the corpus file. A lease ends with its process, so that whoever waits takes over."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, LiteralString

import apsw

from octavo.corpus.store.calls import COLUMNS, Statements, TableJournal
from octavo.corpus.store.sqlite.connections import explained
from octavo.corpus.store.sqlite.leases import Leases, Owner
from octavo.corpus.store.sqlite.store import SqliteStore

_HOLDER = "SELECT token, host, pid, pid_started, expires, reply IS NOT NULL FROM calls WHERE key = ?"
_LEASE = """
INSERT INTO calls (key, token, host, pid, pid_started, expires) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (key) DO UPDATE SET token = ?2, host = ?3, pid = ?4, pid_started = ?5, expires = ?6
WHERE calls.reply IS NULL AND calls.token = ?7
"""
_STATEMENTS = Statements(
    find=f"SELECT {COLUMNS} FROM calls WHERE key = ? AND reply IS NOT NULL",  # noqa: S608
    all=f"SELECT {COLUMNS}, key FROM calls WHERE reply IS NOT NULL",  # noqa: S608
    forget="DELETE FROM calls WHERE key = ? AND checksum IS ?",
    settle="""
INSERT OR REPLACE INTO calls (key, token, host, pid, pid_started, expires, model, decision, version, seconds, cost,
    created, input_tokens, output_tokens, checksum, reply)
SELECT ?1, '', '', 0, '', 0, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11
WHERE NOT EXISTS (SELECT 1 FROM calls WHERE key = ?1 AND reply IS NOT NULL)
""",
    count="""
UPDATE calls SET hits = hits + used.value FROM json_each(?) AS used WHERE calls.key = used.key
""",
    fail="""
INSERT INTO calls (key, token, host, pid, pid_started, expires, decision, model, hits, input_tokens, output_tokens,
    cost)
VALUES (?1, '', '', 0, '', 0, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (key) DO UPDATE SET hits = hits + ?4, input_tokens = input_tokens + ?5,
    output_tokens = output_tokens + ?6, cost = cost + ?7
""",
    usage="""
SELECT decision, model, count(reply), sum(iif(reply IS NULL, 0, hits)), sum(iif(reply IS NULL, 0, input_tokens)),
    sum(iif(reply IS NULL, 0, output_tokens)), total(seconds), sum(iif(reply IS NULL, NULL, cost)),
    sum(iif(reply IS NULL, hits, 0)), sum(iif(reply IS NULL, input_tokens + output_tokens, 0)),
    sum(iif(reply IS NULL, cost, NULL))
FROM calls WHERE decision IS NOT NULL GROUP BY decision, model ORDER BY decision, model
""",
    release="DELETE FROM calls WHERE key = ? AND token = ? AND reply IS NULL",
)


class SqliteJournal(TableJournal):
    """A `Journal` in the file of a store. Thread-safe, and safe to use from several processes at once."""

    _statements = _STATEMENTS

    def __init__(
        self,
        store: SqliteStore,
        *,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Keep calls in a store; `clock` is the time of day that leases end by."""
        super().__init__(monotonic)
        self._store = store
        self._leases = Leases(clock)
        self._clock = clock
        self._overdue: dict[tuple[str, str], float] = {}
        store.before_close(self._uses.flush)

    def lease(self, key: str, token: str, *, seconds: float) -> bool:
        """Take the right to make a call; False while a living taker has it, or when the call was made already."""
        row = self._one(_HOLDER, key)
        if row is not None and (row[5] or not self._is_free(key, row, seconds)):
            return False  # whoever waits only reads
        owner, before = self._leases.owner, "" if row is None else row[0]
        end = self._clock() + seconds
        return self._change(_LEASE, key, token, owner.host, owner.pid, owner.started, end, before) > 0

    def _is_free(self, key: str, row: Any, seconds: float) -> bool:
        """Whether nobody has the right to a call any more.

        The time of day may jump. A holder that still lives, as far as one can see, has one more term to show it, by a
        clock that does not: paying twice is worse than waiting.
        """
        held = key, row[0]
        if not self._leases.is_free(*row[:5]):
            self._overdue.pop(held, None)
            return False
        if not row[0] or not Owner(*row[:4]).is_alive():
            return True
        return self._monotonic() - self._overdue.setdefault(held, self._monotonic()) >= seconds

    def renew(self, key: str, token: str, *, seconds: float) -> None:
        """Put off the end of a lease to `seconds` from now; nothing happens when it is not held any more."""
        self._change("UPDATE calls SET expires = ? WHERE key = ? AND token = ?", self._clock() + seconds, key, token)

    def _connection(self) -> apsw.Connection:
        """Return this thread's connection, outside any transaction.

        Nobody calls a journal inside one: a transaction that is open here was left by an operation that Ctrl-C broke.
        """
        connection = self._store.connections.get()
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        return connection

    def _one(self, sql: LiteralString, *bindings: Any) -> Any:
        with explained(self._store.path):
            return self._connection().execute(sql, bindings).get

    def _rows(self, sql: LiteralString) -> Iterable[Any]:
        with explained(self._store.path):
            yield from self._connection().execute(sql)

    def _change(self, sql: LiteralString, *bindings: Any) -> int:
        with explained(self._store.path):
            connection = self._connection()
            connection.execute(sql, bindings)
            return connection.changes()

"""The journal of model calls in the corpus file: a paid reply is committed before anyone sees it.

A lease ends with its process, so that whoever waits takes over. Every change is one statement and so one transaction:
Ctrl-C in the middle leaves it done or not done.
"""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import apsw

from octavo.corpus.store.replies import COLUMNS, Uses, entry_of, failure_of, is_sound, values_of
from octavo.corpus.store.sqlite.connections import explained
from octavo.corpus.store.sqlite.leases import Leases, Owner
from octavo.corpus.store.sqlite.store import SqliteStore
from octavo.models.gateway import Entry, Spend, UsageRow

_FIND = f"SELECT {COLUMNS} FROM calls WHERE key = ? AND reply IS NOT NULL"  # noqa: S608
_ALL = f"SELECT {COLUMNS}, key FROM calls WHERE reply IS NOT NULL"  # noqa: S608
_FORGET = "DELETE FROM calls WHERE key = ? AND checksum IS ?"
_HOLDER = "SELECT token, host, pid, pid_started, expires, reply IS NOT NULL FROM calls WHERE key = ?"
_LEASE = """
INSERT INTO calls (key, token, host, pid, pid_started, expires) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (key) DO UPDATE SET token = ?2, host = ?3, pid = ?4, pid_started = ?5, expires = ?6
WHERE calls.reply IS NULL AND calls.token = ?7
"""
_SETTLE = """
INSERT OR REPLACE INTO calls (key, token, host, pid, pid_started, expires, model, decision, version, seconds, cost,
    created, input_tokens, output_tokens, checksum, reply)
SELECT ?1, '', '', 0, '', 0, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11
WHERE NOT EXISTS (SELECT 1 FROM calls WHERE key = ?1 AND reply IS NOT NULL)
"""
_COUNT = """
UPDATE calls SET hits = hits + used.value FROM json_each(?) AS used WHERE calls.key = used.key
"""
_FAIL = """
INSERT INTO calls (key, token, host, pid, pid_started, expires, decision, model, hits, input_tokens, output_tokens,
    cost)
VALUES (?1, '', '', 0, '', 0, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (key) DO UPDATE SET hits = hits + ?4, input_tokens = input_tokens + ?5,
    output_tokens = output_tokens + ?6, cost = cost + ?7
"""
_USAGE = """
SELECT decision, model, count(reply), sum(iif(reply IS NULL, 0, hits)), sum(iif(reply IS NULL, 0, input_tokens)),
    sum(iif(reply IS NULL, 0, output_tokens)), total(seconds), sum(iif(reply IS NULL, NULL, cost)),
    sum(iif(reply IS NULL, hits, 0)), sum(iif(reply IS NULL, input_tokens + output_tokens, 0)),
    sum(iif(reply IS NULL, cost, NULL))
FROM calls WHERE decision IS NOT NULL GROUP BY decision, model ORDER BY decision, model
"""


class SqliteJournal:
    """A `Journal` in the file of a store. Thread-safe, and safe to use from several processes at once."""

    def __init__(
        self,
        store: SqliteStore,
        *,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Keep calls in a store; `clock` is the time of day that leases end by."""
        self._store = store
        self._leases = Leases(clock)
        self._clock = clock
        self._monotonic = monotonic
        self._overdue: dict[tuple[str, str], float] = {}
        self._uses = Uses(lambda counted: self._change(_COUNT, json.dumps(counted)), monotonic)
        store.before_close(self._uses.flush)

    def find(self, key: str) -> Entry | None:
        """Return the reply kept under a key, and count that it was used. A damaged one is forgotten."""
        row = self._one(_FIND, key)
        if row is None:
            return None
        if not is_sound(key, row):
            self._change(_FORGET, key, row[8])
            return None
        self._uses.count(key)
        return entry_of(row)

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

    def settle(self, key: str, token: str, entry: Entry) -> None:
        """Keep a paid reply and end the lease; returns when it is committed. The first reply under a key stays.

        A reply is kept also when the lease ran out meanwhile: it was paid for.
        """
        self._change(_SETTLE, key, *values_of(key, entry))

    def release(self, key: str, token: str) -> None:
        """Give up a lease; nothing happens when it is not held."""
        self._change("DELETE FROM calls WHERE key = ? AND token = ? AND reply IS NULL", key, token)

    def fail(self, decision: str, model: str, spend: Spend) -> None:
        """Count attempts that brought no reply and may have been billed, with what they took at worst."""
        self._change(_FAIL, *failure_of(decision, model, spend))

    def usage(self) -> tuple[UsageRow, ...]:
        """Return what was used, by decision and model, in this order."""
        self._uses.flush()
        with explained(self._store.path):
            return tuple(UsageRow(*row) for row in self._connection().execute(_USAGE))

    def entries(self) -> Iterator[tuple[str, Entry]]:
        """Yield every kept reply that is sound, with its key."""
        with explained(self._store.path):
            for row in self._connection().execute(_ALL):
                if is_sound(row[-1], row):
                    yield row[-1], entry_of(row[:-1])

    def damaged(self, *, forget: bool) -> int:
        """Return how many kept replies are damaged; `forget` removes them, so that they are asked for again."""
        with explained(self._store.path):
            rows = self._connection().execute(_ALL)
            wrong = [(row[-1], row[8]) for row in rows if not is_sound(row[-1], row)]
        for key, stored in wrong if forget else ():
            self._change(_FORGET, key, stored)
        return len(wrong)

    def _connection(self) -> apsw.Connection:
        """Return this thread's connection, outside any transaction.

        Nobody calls a journal inside one: a transaction that is open here was left by an operation that Ctrl-C broke.
        """
        connection = self._store.connections.get()
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        return connection

    def _one(self, sql: str, *bindings: Any) -> Any:
        with explained(self._store.path):
            return self._connection().execute(sql, bindings).get

    def _change(self, sql: str, *bindings: Any) -> int:
        """Run one statement that happens wholly or not at all; return how many rows it changed."""
        with explained(self._store.path):
            connection = self._connection()
            connection.execute(sql, bindings)
            return connection.changes()

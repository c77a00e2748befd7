"""The journal of model calls in the corpus file: a paid reply is committed before anyone sees it.

A lease ends with its process, so that whoever waits takes over. Every change is one statement and so one transaction:
Ctrl-C in the middle leaves it done or not done.
"""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import contextlib
import json
import time
from collections import Counter
from collections.abc import Callable
from threading import Lock
from typing import Any

import apsw

from octavo.corpus.store.checksums import checksum
from octavo.corpus.store.sqlite.connections import explained
from octavo.corpus.store.sqlite.leases import Leases, Owner
from octavo.corpus.store.sqlite.store import SqliteStore
from octavo.errors import CorpusError
from octavo.models.gateway import Entry, Spend, UsageRow
from octavo.models.language import Reply

_FLUSH_SECONDS = 2.0
"""Counts of uses are written after so long at the latest."""
_FLUSH_HITS = 64
"""Uses of kept replies are counted in memory and written now and then: reading stays reading."""

_COLUMNS = "model, decision, version, seconds, cost, created, input_tokens, output_tokens, checksum, reply"
_FIND = f"SELECT {_COLUMNS} FROM calls WHERE key = ? AND reply IS NOT NULL"  # noqa: S608
_ALL = f"SELECT {_COLUMNS}, key FROM calls WHERE reply IS NOT NULL"  # noqa: S608
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
_FAILED = "failed"
"""Starts the key of the row that counts, in `hits`, the failed attempts of a decision and model; it has no reply."""
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
        self._hits: Counter[str] = Counter()
        self._flushed = monotonic()
        self._lock = Lock()
        self._has_counted = False

    def find(self, key: str) -> Entry | None:
        """Return the reply kept under a key, and count that it was used. A damaged one is forgotten."""
        row = self._one(_FIND, key)
        if row is None:
            return None
        if not _is_sound(key, row):
            self._change(_FORGET, key, row[8])
            return None
        self._count(key)
        return _entry(row)

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
        reply = entry.reply
        cost = None if entry.cost is None else float(entry.cost)
        head = (entry.model, entry.decision, entry.version, float(entry.seconds), cost, entry.created)
        columns = (*head, reply.input_tokens, reply.output_tokens)
        text = _packed(reply)
        self._change(_SETTLE, key, *columns, checksum(_covered(key, columns, text)), text)

    def release(self, key: str, token: str) -> None:
        """Give up a lease; nothing happens when it is not held."""
        self._change("DELETE FROM calls WHERE key = ? AND token = ? AND reply IS NULL", key, token)

    def fail(self, decision: str, model: str, spend: Spend) -> None:
        """Count attempts that brought no reply and may have been billed, with what they took at worst."""
        key = "\n".join((_FAILED, decision, model))
        cost = None if spend.cost is None else float(spend.cost)
        self._change(_FAIL, key, decision, model, spend.calls, spend.input_tokens, spend.output_tokens, cost)

    def usage(self) -> tuple[UsageRow, ...]:
        """Return what was used, by decision and model, in this order."""
        self._flush()
        with explained(self._store.path):
            return tuple(UsageRow(*row) for row in self._connection().execute(_USAGE))

    def damaged(self, *, forget: bool) -> int:
        """Return how many kept replies are damaged; `forget` removes them, so that they are asked for again."""
        with explained(self._store.path):
            rows = self._connection().execute(_ALL)
            wrong = [(row[-1], row[8]) for row in rows if not _is_sound(row[-1], row)]
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

    def _count(self, key: str) -> None:
        with self._lock:
            if not self._has_counted:
                self._has_counted = True
                self._store.before_close(self._flush)
            self._hits[key] += 1
            is_due = self._hits.total() >= _FLUSH_HITS or self._monotonic() - self._flushed > _FLUSH_SECONDS
        if is_due:
            with contextlib.suppress(CorpusError):  # the counts stay and are written another time
                self._flush()

    def _flush(self) -> None:
        """Write the counts of uses; on an error they are kept for the next time."""
        with self._lock:
            counted, self._hits, self._flushed = self._hits, Counter(), self._monotonic()
        if not counted:
            return
        try:
            self._change(_COUNT, json.dumps(counted))
        except BaseException:
            with self._lock:
                self._hits += counted
            raise


def _covered(key: str, columns: tuple[Any, ...], reply: str) -> bytes:
    """Return the bytes a row's checksum is made of: all that is read from it, and the key it is kept under."""
    return "\n".join([key, *map(repr, columns), reply]).encode("utf-8", "surrogatepass")


def _is_sound(key: str, row: Any) -> bool:
    """Whether a row is as it was written."""
    return checksum(_covered(key, row[:8], row[9])) == row[8]


def _packed(reply: Reply) -> str:
    """Return a reply as JSON, in ASCII: whatever a model says can be stored."""
    return json.dumps({"text": reply.text, "finish": reply.finish})


def _entry(row: Any) -> Entry:
    model, decision, version, seconds, cost, created, read, written, _, text = row
    values: Any = json.loads(text)
    reply = Reply(values["text"], read, written, values["finish"])
    return Entry(reply, model, decision, version, seconds, cost, created)

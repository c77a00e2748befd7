"""The journal of model calls in PostgreSQL: a paid reply is committed before anyone sees it.

A lease ends by the clock of the database. Every change is one statement and so one transaction.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import Any, LiteralString

from octavo.corpus.store.postgresql.store import PostgresStore
from octavo.corpus.store.replies import COLUMNS, Uses, entry_of, failure_of, is_sound, values_of
from octavo.models.gateway import Entry, Spend, UsageRow

_FIND: LiteralString = f"SELECT {COLUMNS} FROM calls WHERE key = %s AND reply IS NOT NULL"
_HELD: LiteralString = "SELECT 1 FROM calls WHERE key = %s AND (reply IS NOT NULL OR expires > clock_timestamp())"
_LEASE: LiteralString = """
INSERT INTO calls (key, token, expires) VALUES (%s, %s, clock_timestamp() + %s * interval '1 second')
ON CONFLICT (key) DO UPDATE SET token = excluded.token, expires = excluded.expires
WHERE calls.reply IS NULL AND calls.expires <= clock_timestamp()
"""
_SETTLE: LiteralString = f"""
INSERT INTO calls (key, token, expires, {COLUMNS}) VALUES (%s, '', now(), %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (key) DO UPDATE SET token = '', model = excluded.model, decision = excluded.decision,
    version = excluded.version, seconds = excluded.seconds, cost = excluded.cost, created = excluded.created,
    input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens, checksum = excluded.checksum,
    reply = excluded.reply
WHERE calls.reply IS NULL
"""
_COUNT: LiteralString = """
UPDATE calls SET hits = hits + used.value::bigint FROM jsonb_each_text(%s::jsonb) AS used WHERE calls.key = used.key
"""
_FAIL: LiteralString = """
INSERT INTO calls (key, token, expires, decision, model, hits, input_tokens, output_tokens, cost)
VALUES (%s, '', now(), %s, %s, %s, %s, %s, %s)
ON CONFLICT (key) DO UPDATE SET hits = calls.hits + excluded.hits,
    input_tokens = calls.input_tokens + excluded.input_tokens,
    output_tokens = calls.output_tokens + excluded.output_tokens, cost = calls.cost + excluded.cost
"""
_USAGE: LiteralString = """
SELECT decision, model, count(reply), coalesce(sum(hits) FILTER (WHERE reply IS NOT NULL), 0)::bigint,
    coalesce(sum(input_tokens) FILTER (WHERE reply IS NOT NULL), 0)::bigint,
    coalesce(sum(output_tokens) FILTER (WHERE reply IS NOT NULL), 0)::bigint,
    coalesce(sum(seconds), 0), sum(cost) FILTER (WHERE reply IS NOT NULL),
    coalesce(sum(hits) FILTER (WHERE reply IS NULL), 0)::bigint,
    coalesce(sum(input_tokens + output_tokens) FILTER (WHERE reply IS NULL), 0)::bigint,
    sum(cost) FILTER (WHERE reply IS NULL)
FROM calls WHERE decision IS NOT NULL GROUP BY decision, model ORDER BY decision COLLATE "C", model COLLATE "C"
"""


class PostgresJournal:
    """A `Journal` in the database of a store. Thread-safe; processes on many machines may share it."""

    def __init__(self, store: PostgresStore, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._connections = store.connections
        self._uses = Uses(self._add_uses, monotonic)
        store.before_close(self._uses.flush)

    def find(self, key: str) -> Entry | None:
        """Return the reply kept under a key, and count that it was used. A damaged one is forgotten."""
        with self._connections.reading() as connection:
            row = connection.execute(_FIND, (key,)).fetchone()
        if row is None:
            return None
        if not is_sound(key, row):
            self._forget(key, row[8])
            return None
        self._uses.count(key)
        return entry_of(row)

    def lease(self, key: str, token: str, *, seconds: float) -> bool:
        """Take the right to make a call; False while another's has not ended, or when the call was made already."""
        with self._connections.reading() as connection:
            is_held = connection.execute(_HELD, (key,)).fetchone()
        return is_held is None and self._change(_LEASE, key, token, seconds) > 0  # whoever waits only reads

    def renew(self, key: str, token: str, *, seconds: float) -> None:
        """Put off the end of a lease to `seconds` from now; nothing happens when it is not held any more."""
        sql: LiteralString = (
            "UPDATE calls SET expires = clock_timestamp() + %s * interval '1 second' WHERE key = %s AND token = %s"
        )
        self._change(sql, seconds, key, token)

    def settle(self, key: str, token: str, entry: Entry) -> None:
        """Keep a paid reply and end the lease; returns when it is committed. The first reply under a key stays.

        A reply is kept also when the lease ran out meanwhile: it was paid for.
        """
        self._change(_SETTLE, key, *values_of(key, entry))

    def release(self, key: str, token: str) -> None:
        """Give up a lease; nothing happens when it is not held."""
        self._change("DELETE FROM calls WHERE key = %s AND token = %s AND reply IS NULL", key, token)

    def fail(self, decision: str, model: str, spend: Spend) -> None:
        """Count attempts that brought no reply and may have been billed, with what they took at worst."""
        self._change(_FAIL, *failure_of(decision, model, spend))

    def usage(self) -> tuple[UsageRow, ...]:
        """Return what was used, by decision and model, in this order."""
        self._uses.flush()
        with self._connections.reading() as connection:
            return tuple(UsageRow(*row) for row in connection.execute(_USAGE).fetchall())

    def damaged(self, *, forget: bool) -> int:
        """Return how many kept replies are damaged; `forget` removes them, so that they are asked for again."""
        sql: LiteralString = f"SELECT {COLUMNS}, key FROM calls WHERE reply IS NOT NULL"
        with self._connections.writing() as connection, connection.cursor("replies") as cursor:
            wrong = [(row[-1], row[8]) for row in cursor.execute(sql) if not is_sound(row[-1], row)]
        for key, stored in wrong if forget else ():
            self._forget(key, stored)
        return len(wrong)

    def _forget(self, key: str, stored: bytes | None) -> None:
        self._change("DELETE FROM calls WHERE key = %s AND checksum IS NOT DISTINCT FROM %s", key, stored)

    def _add_uses(self, counted: Mapping[str, int]) -> None:
        self._change(_COUNT, json.dumps(dict(counted)))

    def _change(self, sql: LiteralString, *bindings: Any) -> int:
        """Run one statement that happens wholly or not at all; return how many rows it changed."""
        with self._connections.reading() as connection:
            return connection.execute(sql, bindings).rowcount

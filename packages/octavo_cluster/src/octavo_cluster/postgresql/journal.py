"""The journal of model calls in PostgreSQL. A lease ends by the clock of the database."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, LiteralString

from octavo.corpus.store.calls import COLUMNS, Statements, TableJournal
from octavo_cluster.postgresql.store import PostgresStore

_HELD: LiteralString = "SELECT 1 FROM calls WHERE key = %s AND (reply IS NOT NULL OR expires > clock_timestamp())"
_LEASE: LiteralString = """
INSERT INTO calls (key, token, expires) VALUES (%s, %s, clock_timestamp() + %s * interval '1 second')
ON CONFLICT (key) DO UPDATE SET token = excluded.token, expires = excluded.expires
WHERE calls.reply IS NULL AND calls.expires <= clock_timestamp()
"""
_STATEMENTS = Statements(
    find=f"SELECT {COLUMNS} FROM calls WHERE key = %s AND reply IS NOT NULL",
    all=f"SELECT {COLUMNS}, key FROM calls WHERE reply IS NOT NULL",
    forget="DELETE FROM calls WHERE key = %s AND checksum IS NOT DISTINCT FROM %s",
    settle=f"""
INSERT INTO calls (key, token, expires, {COLUMNS}) VALUES (%s, '', now(), %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (key) DO UPDATE SET token = '', model = excluded.model, decision = excluded.decision,
    version = excluded.version, seconds = excluded.seconds, cost = excluded.cost, created = excluded.created,
    input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens, checksum = excluded.checksum,
    reply = excluded.reply
WHERE calls.reply IS NULL
""",
    count="""
UPDATE calls SET hits = hits + used.value::bigint FROM jsonb_each_text(%s::jsonb) AS used WHERE calls.key = used.key
""",
    fail="""
INSERT INTO calls (key, token, expires, decision, model, hits, input_tokens, output_tokens, cost)
VALUES (%s, '', now(), %s, %s, %s, %s, %s, %s)
ON CONFLICT (key) DO UPDATE SET hits = calls.hits + excluded.hits,
    input_tokens = calls.input_tokens + excluded.input_tokens,
    output_tokens = calls.output_tokens + excluded.output_tokens, cost = calls.cost + excluded.cost
""",
    usage="""
SELECT decision, model, count(reply), coalesce(sum(hits) FILTER (WHERE reply IS NOT NULL), 0)::bigint,
    coalesce(sum(input_tokens) FILTER (WHERE reply IS NOT NULL), 0)::bigint,
    coalesce(sum(output_tokens) FILTER (WHERE reply IS NOT NULL), 0)::bigint,
    coalesce(sum(seconds), 0), sum(cost) FILTER (WHERE reply IS NOT NULL),
    coalesce(sum(hits) FILTER (WHERE reply IS NULL), 0)::bigint,
    coalesce(sum(input_tokens + output_tokens) FILTER (WHERE reply IS NULL), 0)::bigint,
    sum(cost) FILTER (WHERE reply IS NULL)
FROM calls WHERE decision IS NOT NULL GROUP BY decision, model ORDER BY decision COLLATE "C", model COLLATE "C"
""",
    release="DELETE FROM calls WHERE key = %s AND token = %s AND reply IS NULL",
)


class PostgresJournal(TableJournal):
    """A `Journal` in the database of a store. Thread-safe; processes on many machines may share it."""

    _statements = _STATEMENTS

    def __init__(self, store: PostgresStore, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        super().__init__(monotonic)
        self._connections = store.connections
        store.before_close(self._uses.flush)

    def lease(self, key: str, token: str, *, seconds: float) -> bool:
        """Take the right to make a call; False while another's has not ended, or when the call was made already."""
        is_held = self._one(_HELD, key)
        return is_held is None and self._change(_LEASE, key, token, seconds) > 0  # whoever waits only reads

    def renew(self, key: str, token: str, *, seconds: float) -> None:
        """Put off the end of a lease to `seconds` from now; nothing happens when it is not held any more."""
        sql: LiteralString = (
            "UPDATE calls SET expires = clock_timestamp() + %s * interval '1 second' WHERE key = %s AND token = %s"
        )
        self._change(sql, seconds, key, token)

    def _one(self, sql: LiteralString, *bindings: Any) -> Any:
        with self._connections.reading() as connection:
            return connection.execute(sql, bindings).fetchone()

    def _rows(self, sql: LiteralString) -> Iterable[Any]:
        with self._connections.writing() as connection, connection.cursor("replies") as cursor:
            yield from cursor.execute(sql)

    def _change(self, sql: LiteralString, *bindings: Any) -> int:
        with self._connections.reading() as connection:
            return connection.execute(sql, bindings).rowcount

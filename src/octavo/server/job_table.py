"""The queue of files to be indexed, kept in the server's tables, so that it outlives every server."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Sequence
from typing import Any, Literal

from octavo.corpus.store.sqlite.connections import rows_of
from octavo.server.store import Store, now

JobState = Literal["queued", "running", "done", "failed", "cancelled"]
ENDED = ("done", "failed", "cancelled")
RETRY = "retry"
"""The stage of a job that is to be tried again: a file that was left alone for what it did is read all the same."""
LEASE_SECONDS = 15.0
"""A running job whose server is silent for so long is anyone's."""
_COLUMNS = "id, name, path, digest, state, stage, done, total, document, created, heartbeat, error"
_JOB = f"SELECT {_COLUMNS} FROM jobs"  # noqa: S608  (a constant)
_TAKE = """
UPDATE jobs SET state = 'running', done = 0, total = 0, error = NULL, owner = ?, lease = ?, heartbeat = ?
WHERE number = (
    SELECT number FROM jobs WHERE state = 'queued' OR state = 'running' AND lease < ? ORDER BY number LIMIT 1
) RETURNING id
"""


@dataclasses.dataclass(frozen=True, slots=True)
class JobError:
    """Why a job failed, or what could not be read in one that is done: a word of `SourceError`, a line for people, and
    what they can do.
    """

    reason: str
    detail: str
    advice: str


@dataclasses.dataclass(frozen=True, slots=True)
class Job:
    """A file that is to be indexed, is being indexed, or was. `digest` is the SHA-256 of its bytes in hex."""

    id: str
    name: str
    path: str
    digest: str
    state: JobState
    stage: str
    done: int
    total: int
    document_id: str | None
    created: str
    heartbeat: str
    error: JobError | None

    def to_json(self) -> dict[str, Any]:
        """Return the job as the API has it, without its path."""
        value = dataclasses.asdict(self)
        return {name: value[name] for name in value if name not in ("path", "digest")}


class JobTable:
    """Jobs in a store. Thread-safe; several servers share one table, and each job is taken by one."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, identity: str, name: str, path: str, digest: str, document: str | None = None) -> Job:
        """Put a file in the queue; one whose document is there already is done."""
        state = "queued" if document is None else "done"
        with self._store.writing() as connection:
            connection.execute(
                "INSERT INTO jobs (id, name, path, digest, state, stage, done, total, document, created, heartbeat, "
                "owner, lease) VALUES (?, ?, ?, ?, ?, '', 0, 0, ?, ?, ?, '', 0)",
                (identity, name, path, digest, state, document, now(), now()),
            )
        found = self.job(identity)
        assert found is not None
        return found

    def job(self, identity: str) -> Job | None:
        """Return a job by its id."""
        with self._store.reading() as connection:
            rows = rows_of(connection, f"{_JOB} WHERE id = ?", (identity,))
        return _job(rows[0]) if rows else None

    def of_digest(self, digest: str) -> Job | None:
        """Return the last job on these bytes."""
        with self._store.reading() as connection:
            rows = rows_of(connection, f"{_JOB} WHERE digest = ? ORDER BY number DESC LIMIT 1", (digest,))
        return _job(rows[0]) if rows else None

    def listing(self, start: int, limit: int) -> list[Job]:
        """Return jobs, the last one first."""
        with self._store.reading() as connection:
            rows = rows_of(connection, f"{_JOB} ORDER BY number DESC LIMIT ? OFFSET ?", (limit, start))
        return [_job(row) for row in rows]

    def counts(self) -> dict[str, int]:
        """Return how many jobs are in each state."""
        with self._store.reading() as connection:
            return dict(rows_of(connection, "SELECT state, count(*) FROM jobs GROUP BY state"))

    def take(self, owner: str) -> Job | None:
        """Take the oldest job that waits, or whose server has gone silent."""
        at = time.time()
        with self._store.writing() as connection:
            rows = rows_of(connection, _TAKE, (owner, at + LEASE_SECONDS, now(), at))
        return self.job(rows[0][0]) if rows else None

    def beat(self, identity: str, owner: str, stage: str, done: int, total: int) -> bool:
        """Tell how far a job is; return whether it still is the owner's, not cancelled or taken by another."""
        sql = (
            "UPDATE jobs SET stage = ?, done = ?, total = ?, heartbeat = ?, lease = ? "
            "WHERE id = ? AND owner = ? AND state = 'running' RETURNING id"
        )
        bindings = (stage, done, total, now(), time.time() + LEASE_SECONDS, identity, owner)
        with self._store.writing() as connection:
            return bool(rows_of(connection, sql, bindings))

    def end(self, identity: str, owner: str, document: str | None, error: JobError | None) -> None:
        """End a job of the owner's: done with its document, which an error may say was read in part, or failed."""
        told = None if error is None else json.dumps(dataclasses.asdict(error))
        with self._store.writing() as connection:
            connection.execute(
                "UPDATE jobs SET state = ?, document = ?, error = ?, heartbeat = ?, done = iif(? IS NULL, done, total) "
                "WHERE id = ? AND owner = ? AND state = 'running'",
                ("done" if document is not None else "failed", document, told, now(), document, identity, owner),
            )

    def release(self, owner: str) -> None:
        """Put the running jobs of a server that ends back into the queue."""
        with self._store.writing() as connection:
            connection.execute("UPDATE jobs SET state = 'queued' WHERE owner = ? AND state = 'running'", (owner,))

    def cancel(self, identity: str) -> None:
        """Cancel a job that has not ended; its server ends the work."""
        sql = "UPDATE jobs SET state = 'cancelled', heartbeat = ? WHERE id = ? AND state IN ('queued', 'running')"
        with self._store.writing() as connection:
            connection.execute(sql, (now(), identity))

    def retry(self, identity: str) -> None:
        """Put a job that failed or was cancelled back into the queue."""
        sql = (
            "UPDATE jobs SET state = 'queued', error = NULL, stage = ?, done = 0, total = 0, heartbeat = ? "
            "WHERE id = ? AND state IN ('failed', 'cancelled')"
        )
        with self._store.writing() as connection:
            connection.execute(sql, (RETRY, now(), identity))

    def forget(self, identity: str) -> None:
        """Forget a job that has ended."""
        with self._store.writing() as connection:
            connection.execute(
                "DELETE FROM jobs WHERE id = ? AND state IN ('done', 'failed', 'cancelled')", (identity,)
            )

    def forget_digest(self, digest: str) -> None:
        """Forget the ended jobs on these bytes."""
        with self._store.writing() as connection:
            connection.execute(
                "DELETE FROM jobs WHERE digest = ? AND state IN ('done', 'failed', 'cancelled')", (digest,)
            )


def _job(row: Sequence[Any]) -> Job:
    return Job(*row[:11], error=None if row[11] is None else JobError(**json.loads(row[11])))

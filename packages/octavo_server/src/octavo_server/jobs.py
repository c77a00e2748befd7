"""Indexing for a server: takes jobs one by one and has a child process do them.

The queue is kept in the server's tables, so that it outlives every server.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from octavo.corpus.store.sqlite.connections import rows_of
from octavo.errors import CorpusError
from octavo_documents.wording import translated
from octavo_server import IndexingSettings
from octavo_server.problems import said
from octavo_server.store import Store, now

# pyright: reportUnknownMemberType=false


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
        if self.error is not None:
            value["error"] |= {"detail": translated(self.error.detail), "advice": translated(self.error.advice)}
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
        """Note how far a job is; return whether it still is the owner's, not cancelled or taken by another."""
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


_BEAT_SECONDS = 2.0
_LOOK_SECONDS = 1.0
"""Between two looks for a job that another server queued."""
_SILENT_SECONDS = 900.0
"""How long a job may go without telling anything before it is given up."""
_END_SECONDS = 2.0
"""From the signal that ends a worker until it is killed."""
_ADVICE = {
    "encrypted": "Save it without a password and add it again, or start the server with OCTAVO_PASSWORD.",
    "password": "Save it without a password and add it again, or start the server with its OCTAVO_PASSWORD.",
    "damaged": "Open it in a program that can repair it, save it anew, and add that file.",
    "beside": "The document can be asked; mend the file beside it, which says what it is about, and add it again.",
    "empty": "The file has no content; check whether it was saved whole.",
    "no_pages": "The file has no pages; check whether it was saved whole.",
    "format": "Save it in one of the formats that are read, such as PDF.",
    "too_large": "Split it and add the parts.",
    "too_many_pages": "Split it and add the parts.",
    "timeout": "Try again when the machine is less busy, or split the file.",
    "quarantined": "It broke its reader before; save it anew with another program, or try again.",
    "crashed": "It broke its reader; save it anew with another program, or try again.",
    "full": "Make room on the disk of the server and try again.",
    "locked": "Another program is writing to the corpus; try again when it has finished.",
    "killed": "Its process was ended from outside, as when memory runs out; try again.",
}
_USUAL_ADVICE = "Try again; if it fails again, the log of the server says more."


@dataclasses.dataclass
class _LastLine:
    stage: str = ""
    done: int = 0
    total: int = 0
    at: float = dataclasses.field(default_factory=time.monotonic)


class Worker:
    """One child process. Used by one thread."""

    def __init__(self, corpus: Path, indexing: IndexingSettings) -> None:
        config = {"corpus": str(corpus), **dataclasses.asdict(indexing)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "octavo_server.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.lines: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        """What it told; None when it has ended."""
        threading.Thread(target=self._listen, name="octavo-worker", daemon=True).start()
        self.send(config)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            for line in self._process.stdout:
                self.lines.put(json.loads(line))
        self.lines.put(None)

    def send(self, value: dict[str, Any]) -> None:
        """Send a line; a process that has ended is told by `lines`."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(json.dumps(value) + "\n")
            self._process.stdin.flush()

    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def ended_how(self) -> str:
        """Return how a process that has ended did so: "signal 9"."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        code = self._process.returncode
        return f"signal {-code}" if code is not None and code < 0 else f"status {code}"

    def end(self) -> None:
        """End the process and those it started."""
        self._signal(signal.SIGTERM)
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._signal(signal.SIGKILL)
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)


class JobRunner:
    """A thread that does the jobs of a table as long as the server runs."""

    def __init__(self, table: JobTable, corpus: Path, indexing: IndexingSettings) -> None:
        self._table, self._corpus, self._indexing = table, corpus, indexing
        self._owner = uuid.uuid4().hex
        self._news, self._stops = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="octavo-jobs", daemon=True)
        self._worker: Worker | None = None

    @property
    def worker_pid(self) -> int | None:
        """The number of the child process, None where there is none."""
        worker = self._worker
        return None if worker is None else worker.pid

    def start(self) -> None:
        """Begin to take jobs."""
        self._thread.start()

    def notice(self) -> None:
        """Look for work now: a job was queued or cancelled."""
        self._news.set()

    def stop(self) -> None:
        """End the child; what it had begun is queued again."""
        self._stops.set()
        self._news.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            while not self._stops.is_set():
                job = self._taken()
                if job is None:
                    self._news.wait(_LOOK_SECONDS)
                    self._news.clear()
                else:
                    self._do(job)
        finally:
            self._drop()
            with contextlib.suppress(CorpusError):
                self._table.release(self._owner)

    def _taken(self) -> Job | None:
        try:
            return self._table.take(self._owner)
        except CorpusError:  # the file is busy or full: the queue waits
            return None

    def _do(self, job: Job) -> None:
        worker = self._ready()
        worker.send({"path": job.path, "again": job.stage == RETRY})
        try:
            outcome = self._watched(job, worker)
            if outcome is not None:
                self._table.end(job.id, self._owner, *outcome)
        except CorpusError:  # nothing can be written: the lease runs out, and the job is taken again
            self._drop()

    def _ready(self) -> Worker:
        if self._worker is None or not self._worker.is_alive():
            self._drop()
            self._worker = Worker(self._corpus, self._indexing)
        return self._worker

    def _drop(self) -> None:
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def _watched(self, job: Job, worker: Worker) -> tuple[str | None, JobError | None] | None:
        """Return the document of a job, and what is wrong with it; None where the job is no longer this server's."""
        heard, beaten = _LastLine(), 0.0
        while True:
            try:
                line = worker.lines.get(timeout=0.2)
            except queue.Empty:
                line = {}
            if line is None:
                self._drop()
                return None, _error("killed", f"The process that read it ended ({worker.ended_how()}).")
            if "documents" in line:
                return _outcome(job, line)
            if "stage" in line:
                heard = _LastLine(line["stage"], line["done"], line["total"])
            if line or time.monotonic() - beaten > _BEAT_SECONDS or self._news.is_set():
                self._news.clear()
                beaten = time.monotonic()
                if self._stops.is_set() or not self._table.beat(
                    job.id, self._owner, heard.stage, heard.done, heard.total
                ):
                    self._drop()
                    return None
            if time.monotonic() - heard.at > _SILENT_SECONDS:
                self._drop()
                return None, _error("timeout", "Nothing was heard of it for a quarter of an hour.")


def _outcome(job: Job, line: dict[str, Any]) -> tuple[str | None, JobError | None]:
    folder = str(Path(job.path).parent) + os.sep
    if line["documents"]:
        damage, notes = line.get("damage"), line.get("notes")
        error = _error("damaged", f"The file is damaged: {damage}.") if damage else None
        if notes and error is None:
            error = _error("beside", said(notes.replace(folder, ""), job.path))
        return line["documents"][0], error
    failed = line["failed"][0] if line["failed"] else {"reason": "format", "message": "Nothing in it could be read."}
    return None, _error(failed["reason"], said(failed["message"].replace(folder, ""), job.path))


def _error(reason: str, detail: str) -> JobError:
    return JobError(reason, detail, _ADVICE.get(reason, _USUAL_ADVICE))

"""Tools that change the library: add a file out of allowed folders, see how far that is, remove a document."""

from __future__ import annotations

import dataclasses
import os
import re
import secrets
import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

from pydantic import Field

from octavo.corpus.store.paths import name_of_address
from octavo.errors import OctavoError, UsageError
from octavo.evidence.citation_ids import document_digits
from octavo_documents.document import number_of
from octavo_server.mcp import results
from octavo_server.mcp.fencing import Fence, Said
from octavo_server.mcp.reading import Name
from octavo_server.mcp.tool import Arguments, Reply, Tool, ToolCall, ToolContext, ToolFailure, tool_message
from octavo_server.problems import Problem
from octavo_server.shapes import planned, removal_sentence
from octavo_server.store import now
from octavo_server.uploads import Upload, Uploads, clean_name

if TYPE_CHECKING:
    from octavo.corpus import Corpus
    from octavo.corpus.reports import Removal

_KEPT = 200
"""Jobs that are remembered."""
_WAITING = 50
MOST_TEXT = 2_000_000
"""Characters of a text that is added."""
_TEXT_ENDINGS = (".md", ".markdown", ".txt", ".html", ".htm", ".csv", ".tsv", ".rst", ".tex", ".adoc")
_WEB = re.compile(r"https://|s3://")
_NAMED = 8
"""Copies of a document that are named at most."""


class Additions(Protocol):
    """Takes files in, one after the other, beside all else, and documents out.

    A job is a dict as `GET /v1/jobs/{id}` gives it.
    """

    def add(self, source: Path | str) -> dict[str, Any]:
        """Begin to index a file, or what is at an address; return the job."""
        ...

    def add_text(self, name: str, text: str) -> dict[str, Any]:
        """Begin to index a text, which is kept as a file of a name; return the job."""
        ...

    def job(self, identity: str) -> dict[str, Any] | None:
        """Return a job, None for one that there is not."""
        ...

    def cancel(self, identity: str) -> None:
        """End a job that has not ended, as far as it can be."""
        ...

    def remove(self, identity: str) -> Removal:
        """Remove a document with all its files."""
        ...


class Roots:
    """The folders that files may be added from, and the addresses below which what is there may be.

    An agent may be told by a document to fetch an address that carries what it has read: so none may be fetched but
    those that the user allows.
    """

    def __init__(self, roots: Sequence[str | Path]) -> None:
        """Raise UsageError for a folder that is none."""
        self._addresses = tuple(str(root).rstrip("/") + "/" for root in roots if _WEB.match(str(root)))
        folders = [root for root in roots if not _WEB.match(str(root))]
        self._folders = tuple(Path(folder).resolve() for folder in folders)
        for folder, given in zip(self._folders, folders, strict=True):
            if not folder.is_dir():
                raise UsageError(f"--root {given} is no folder")

    def file(self, given: str) -> Path:
        """Return the file that a path means, without links, where it stands in an allowed folder.

        Raises ToolFailure otherwise, with one message for what is elsewhere and what is nowhere.
        """
        for folder in self._folders:
            found = _resolved(folder / given)
            if found is not None and any(found.is_relative_to(root) for root in self._folders) and found.is_file():
                return found
        allowed = ", ".join(map(str, self._folders)) or "none: the user starts the server with --root FOLDER"
        raise ToolFailure(f"there is no such file in the folders that files may be added from ({allowed})")

    def address(self, given: str) -> str:
        """Return an address where it is below an allowed one. Raises ToolFailure otherwise."""
        is_plain = _WEB.match(given) and not re.search(r"[\s\\@]|/\.{1,2}(?:/|$)|%2e", given, re.IGNORECASE)
        if is_plain and any(given.startswith(root) for root in self._addresses):
            return given
        allowed = ", ".join(self._addresses) or "none: the user starts the server with --root https://HOST/"
        raise ToolFailure(f"that is below none of the addresses that may be fetched ({allowed})")


def kept_text(uploads: Uploads, name: str, text: str) -> Upload:
    """Keep a text as a file that was sent, Markdown where its name has no ending of a text that is read."""
    try:
        cleaned = clean_name(name)
        ending = "" if cleaned.lower().endswith(_TEXT_ENDINGS) else ".md"
        return uploads.saved(cleaned + ending, text.encode("utf-8", "replace"))
    except Problem as problem:
        raise ToolFailure(problem.detail) from problem


def _resolved(path: Path) -> Path | None:
    try:
        return path.resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        return None


@dataclasses.dataclass
class _Job:
    """A file on its way in, told as `Progress`."""

    id: str
    source: Path | str
    state: str = "queued"
    stage: str = ""
    done: int = 0
    total: int = 0
    document_id: str | None = None
    error: dict[str, str] | None = None
    created: str = dataclasses.field(default_factory=now)

    def start(self, path: str, stage: str, total: int) -> None:
        del path
        self.stage, self.total, self.done = stage, total, 0

    def advance(self, path: str, stage: str, done: int) -> None:
        del path, stage
        self.done = done

    def finish(self, path: str, outcome: str) -> None:
        del path, outcome
        self.done = self.total

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "name": self.source.name if isinstance(self.source, Path) else name_of_address(self.source),
            "state": self.state,
            "stage": self.stage,
            "done": self.done,
            "total": self.total,
            "document_id": self.document_id,
            "created": self.created,
            "error": self.error,
        }


class Indexer:
    """Takes files into a corpus in a thread, one at a time."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._jobs: dict[str, _Job] = {}
        self._queue: deque[_Job] = deque()
        self._lock = threading.Lock()
        self._is_running = False

    def add(self, source: Path | str) -> dict[str, Any]:
        """Begin to index a file, or what is at an address, or return the job that does so already."""
        with self._lock:
            known = next((job for job in self._queue if job.source == source and job.state != "cancelled"), None)
            if known is not None:
                return known.to_json()
            if len(self._queue) >= _WAITING:
                raise ToolFailure(f"{_WAITING} files wait to be indexed; add more when job_status says that some are")
            job = _Job(secrets.token_hex(8), source)
            self._queue.append(job)
            self._jobs[job.id] = job
            for old in [*self._jobs][:-_KEPT]:
                del self._jobs[old]
            if not self._is_running:
                self._is_running = True
                threading.Thread(target=self._work, name="octavo-indexing", daemon=True).start()
        return job.to_json()

    def add_text(self, name: str, text: str) -> dict[str, Any]:
        """Begin to index a text."""
        return self.add(Path(kept_text(Uploads(self._corpus.path, MOST_TEXT), name, text).path))

    def job(self, identity: str) -> dict[str, Any] | None:
        """Return a job, None for one that there is not."""
        job = self._jobs.get(identity)
        return None if job is None else job.to_json()

    def cancel(self, identity: str) -> None:
        """End a job that waits; a file that is being read is read to its end."""
        with self._lock:
            job = self._jobs.get(identity)
            if job is not None and job.state == "queued":
                job.state = "cancelled"

    def remove(self, identity: str) -> Removal:
        """Remove a document."""
        return self._corpus.remove(planned(self._corpus, identity))[0]

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._queue:
                    self._is_running = False
                    return
                job = self._queue[0]
            self._index(job)
            with self._lock:
                self._queue.popleft()

    def _index(self, job: _Job) -> None:
        with self._lock:
            if job.state == "cancelled":
                return
            job.state = "running"
        try:
            report = self._corpus.add(job.source, progress=job)
        except OctavoError as error:
            job.state, job.error = "failed", {"reason": "corpus", "detail": tool_message(error)}
            return
        except Exception as error:  # noqa: BLE001  (a job must end, whatever happens in it)
            job.state, job.error = "failed", {"reason": "bug", "detail": type(error).__name__}
            return
        done = (*report.added, *report.unchanged)
        if report.failed:
            job.error = {"reason": report.failed[0].reason, "detail": report.failed[0].message}
        elif report.damaged:
            job.error = {"reason": "damaged", "detail": report.damaged[0].damage}
        elif report.notes:
            job.error = {"reason": "beside", "detail": _told_of(job.source, report.notes)}
        job.document_id = done[0].id if done else None
        job.state = "failed" if report.failed else "done"


class AddArguments(Arguments):
    """Arguments of `add_document`."""

    path: Annotated[str | None, Field(min_length=1, max_length=4000, description="A file in an allowed folder.")] = None
    address: Annotated[str | None, Field(min_length=1, max_length=4000, description="Below an allowed address.")] = None
    text: Annotated[str | None, Field(min_length=1, max_length=MOST_TEXT, description="Markdown; give a name.")] = None
    name: Annotated[str | None, Field(min_length=1, max_length=200)] = None


def _add(context: ToolContext, _call: ToolCall, given: AddArguments) -> Reply:
    assert context.additions is not None and context.roots is not None
    if [given.path, given.address, given.text].count(None) != 2:
        raise ToolFailure("give one of path, address and text")
    if given.text is not None:
        if given.name is None:
            raise ToolFailure("give the text a name, such as notes.md")
        return job_reply(context.additions.add_text(given.name, given.text))
    if given.address is not None:
        return job_reply(context.additions.add(context.roots.address(given.address)))
    return job_reply(context.additions.add(context.roots.file(given.path or "")))


def _told_of(source: Path | str, notes: Sequence[str]) -> str:
    told = " ".join(notes)
    return told.replace(f"{source.parent}{os.sep}", "") if isinstance(source, Path) else told


class JobArguments(Arguments):
    """Arguments of `job_status`."""

    job: Annotated[str, Field(max_length=80)]


def _job(context: ToolContext, _call: ToolCall, given: JobArguments) -> Reply:
    assert context.additions is not None
    found = context.additions.job(given.job)
    if found is None:
        raise ToolFailure("there is no such job; add_document gives ids of jobs")
    return job_reply(found)


def job_reply(job: dict[str, Any]) -> Reply:
    """Return how far a job is as tools tell it."""
    identity = str(job["document_id"] or "").removeprefix("sha256:")[:16] or None
    error = Said("" if not job["error"] else f"{job['error']['reason']}: {job['error']['detail']}")
    steps = {
        "done": [f"search(documents=['{identity}']) or get_outline(document='{identity}')"],
        "failed": ["Tell the user why; another file, or the same one mended, may be added"],
        "cancelled": ["Add it again where it is still wanted"],
    }.get(job["state"], [f"job_status(job='{job['id']}') in a few seconds"])
    result = results.JobState(
        job=job["id"],
        state=job["state"],
        stage=job["stage"] or "",
        done=job["done"] or 0,
        total=job["total"] or 0,
        document_id=identity,
        error=error,
        next=steps,
    )
    far = f", {result.stage} {result.done} of {result.total}" if result.total else ""
    fence = Fence()
    why = f" {fence.rule()}\n{fence.around(error)}" if error else ""
    text = f"Job {result.job}: {result.state}{far}.{why}\nNext: {'; '.join(steps)}."
    return Reply(result, text)


class RemoveArguments(Arguments):
    """Arguments of `remove_document`."""

    document: Annotated[Name, Field(description="The document's id, of 16 digits or more, from list_documents.")]


def _remove(context: ToolContext, _call: ToolCall, given: RemoveArguments) -> Reply:
    assert context.additions is not None
    info = context.library.info(given.document)
    removal = context.additions.remove(info.id)
    copies = removal.forgotten[1:]
    digits = document_digits(info.id)
    result = results.Removed(
        removed=Said(info.name),
        document_id=digits,
        copies=len(copies),
        is_gone=removal.is_gone,
        deleted=[Said(Path(path).name) for path in removal.deleted],
        next=[_after_removal(removal)],
    )
    others = f" and its {number_of(len(copies), 'copy')}" if copies else ""
    return Reply(result, f"{digits}{others}: {removal_sentence(removal)}")


def _after_removal(removal: Removal) -> str:
    if not removal.deleted:
        return "add_document takes it in again; its file was left alone"
    if removal.is_gone:
        return "It cannot be taken in again from here: its bytes are gone"
    return "remove_document again forgets the other files too"


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="add_document",
        title="Add a document",
        description="Add to the library: a file, what is at an address, or a text. Returns a job.",
        arguments=AddArguments,
        result=results.JobState,
        run=_add,
        writes=True,
        is_long=True,
    ),
    Tool(
        name="job_status",
        title="Progress of an addition",
        description="Tell how far the indexing of an added file is.",
        arguments=JobArguments,
        result=results.JobState,
        run=_job,
    ),
    Tool(
        name="remove_document",
        title="Remove a document",
        description="Remove a document from the library. Files on disk stay; of one that was uploaded the only copy is "
        "deleted. Only when the user asks for it.",
        arguments=RemoveArguments,
        result=results.Removed,
        run=_remove,
        writes=True,
        destroys=True,
    ),
)

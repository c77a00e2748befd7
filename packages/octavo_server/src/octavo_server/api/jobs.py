"""Adding and removing documents: files are sent, and jobs tell how far their indexing is."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from pydantic import Field
from starlette.responses import Response

from octavo.corpus.reports import Removal
from octavo.errors import CorpusError
from octavo.example import example_file
from octavo_server import shapes
from octavo_server.forms import FormFile, is_form
from octavo_server.jobs import ENDED, Job
from octavo_server.library import CURSOR, MOST_ROWS, USUAL_ROWS, position
from octavo_server.problems import Problem
from octavo_server.questions import new_id
from octavo_server.responses import JobEvents, JobShape, JobsShape, QueuedShape, RemovedShape
from octavo_server.routes import Call, Query, Route, encoded, json_response, read
from octavo_server.scopes import READ, WRITE
from octavo_server.services import Services
from octavo_server.streams import EventStream, Feed
from octavo_server.uploads import Upload

_LOOK_SECONDS = 0.5
"""Between two looks at jobs that are watched."""


class UploadQuery(Query):
    """What a file is called; one in a form has its name there."""

    name: str = Field(
        "", max_length=1000, description="The file's name; not needed in a form.", examples=["report.pdf"]
    )


class JobRows(Query):
    """Which jobs."""

    limit: int = Field(USUAL_ROWS, ge=1, le=MOST_ROWS)
    cursor: str | None = Field(None, pattern=CURSOR, description="The `next` of the page before.")


async def add_document(call: Call) -> Response:
    """Take a file."""
    services = call.services
    _check_writable(services)
    given, name, parts = call.request.headers.get("content-length", ""), call.query_of(UploadQuery).name, None
    if is_form(call.request):
        form = FormFile(call.request)
        named, parts = await form.begin(), form.parts()
        name = name or named
    upload = await services.uploads.receive(
        name, parts or call.request.stream(), int(given) if given.isdecimal() else None
    )
    return await _queue(services, lambda: upload)


async def add_example(call: Call) -> Response:
    """Add the example."""
    services, path = call.services, example_file()
    _check_writable(services)
    if path is None:
        raise CorpusError("unknown", "this installation came without the example document")
    return await _queue(services, lambda: services.uploads.copied(path))


async def _queue(services: Services, upload: Callable[[], Upload]) -> Response:
    """Return the job of a file, which is made in a thread."""
    job, is_new = await services.searches.run(lambda: queued(services, upload()))
    if services.runner is not None:
        services.runner.notice()
    headers = {"Location": f"/v1/jobs/{job.id}"}
    return json_response(encoded({"job": job.to_json()}), 202 if is_new else 200, headers)


def queued(services: Services, upload: Upload) -> tuple[Job, bool]:
    """Return the job of a file, made where there is none, and whether there is anything left to do."""
    document = f"sha256:{upload.digest}"
    known = services.jobs.of_digest(upload.digest)
    if services.corpus.layers([document]):
        is_told = known is not None and known.state == "done"
        job = known if is_told else services.jobs.add(new_id(), upload.name, str(upload.path), upload.digest, document)
        assert job is not None
        return job, False
    if known is None or known.state == "done":  # the document was removed since
        return services.jobs.add(new_id(), upload.name, str(upload.path), upload.digest), True
    services.jobs.retry(known.id)
    return services.jobs.job(known.id) or known, True


def _check_writable(services: Services) -> None:
    if services.store.path is None:
        raise Problem(403, "read_only", "The folder of the corpus cannot be written: nothing is added or removed.")


async def remove_document(call: Call) -> Response:
    """Remove a document; tell what was deleted and what was left alone where JSON is asked for."""
    services = call.services
    _check_writable(services)
    removal = await services.searches.run(lambda: remove(services, call.path["id"]))
    if "application/json" in call.request.headers.get("accept", ""):
        return json_response(encoded(shapes.removal(removal)))
    return Response(status_code=204)


def remove(services: Services, reference: str) -> Removal:
    """Remove a document and all that is kept of it. Raises CorpusError (`unknown`).

    Of one that was sent and that other files lead to as well, the file that was sent is forgotten and deleted, and the
    document stays.
    """
    info = services.library.info(reference)
    (removal,) = services.corpus.remove(shapes.planned(services.corpus, info.id))
    if removal.is_gone:
        services.pictures.forget(info.id)
    with services.removing(), contextlib.suppress(CorpusError):  # a full disk: answers without a document are not shown
        services.jobs.forget_digest(info.id.removeprefix("sha256:"))
        if removal.is_gone:
            services.store.forget_document(info.id)
    return removal


async def jobs(call: Call) -> Response:
    """List jobs, or tell of them as they change."""
    wanted, services = call.query_of(JobRows), call.services

    def listed() -> dict[str, Any]:
        start = position(wanted.cursor)
        found = services.jobs.listing(start, wanted.limit + 1)
        items = [one.to_json() for one in found[: wanted.limit]]
        following = str(start + wanted.limit) if len(found) > wanted.limit else None
        return {"items": items, "next": following, "total": sum(services.jobs.counts().values())}

    if call.wants_events():
        return _watched(services, lambda: services.jobs.listing(0, wanted.limit), ends=False)
    return await read(call, listed)


async def job(call: Call) -> Response:
    """Return a job, or tell of it as it changes."""
    services, identity = call.services, call.path["job"]
    found = await services.searches.run(lambda: _found(services, identity))
    if call.wants_events():
        return _watched(services, lambda: [_found(services, identity)], ends=True)
    return json_response(encoded(found.to_json()))


def _found(services: Services, identity: str) -> Job:
    found = services.jobs.job(identity)
    if found is None:
        raise CorpusError("unknown", "there is no such job here; GET /v1/jobs lists all")
    return found


async def retry_job(call: Call) -> Response:
    """Queue a job again."""
    return await _changed(call, call.services.jobs.retry)


async def cancel_job(call: Call) -> Response:
    """Cancel a job; one that has ended stays as it is."""
    return await _changed(call, call.services.jobs.cancel)


async def forget_job(call: Call) -> Response:
    """Forget a job that has ended."""
    services = call.services

    def forget(identity: str) -> None:
        job = _found(services, identity)
        if job.state not in ENDED:
            raise Problem(
                409,
                "unfinished",
                f"The job has not ended: POST /v1/jobs/{identity}/cancel ends it, and then it can go.",
            )
        _forget(services, job)

    return await _changed(call, forget)


def _forget(services: Services, ended: Job) -> None:
    """Forget a job, and its file where no document came of it."""
    services.jobs.forget(ended.id)
    if ended.state != "done" and not services.corpus.layers([f"sha256:{ended.digest}"]):
        services.uploads.forget(ended.digest)


async def _changed(call: Call, change: Callable[[str], None]) -> Response:
    services, identity = call.services, call.path["job"]

    def changed() -> Job:
        before = _found(services, identity)
        change(identity)
        return services.jobs.job(identity) or before

    found = await services.searches.run(changed)
    if services.runner is not None:
        services.runner.notice()
    return json_response(encoded(found.to_json()))


def _watched(services: Services, look: Callable[[], list[Job]], *, ends: bool) -> Response:
    """Return a stream of jobs, each when it has changed; it ends with them where it is to, and with the server."""
    feed = Feed(asyncio.get_running_loop())

    async def watch() -> None:
        told: dict[str, Job] = {}
        while not services.ending.is_set():
            try:
                found = await services.searches.run(look)
            except (CorpusError, Problem):  # busy for once, or forgotten
                found = []
            for one in found:
                if told.get(one.id) != one:
                    told[one.id] = one
                    feed.put("job", one.to_json())
            if ends and (not found or all(one.state in ENDED for one in found)):
                break
            await asyncio.sleep(_LOOK_SECONDS)
        feed.end()

    watching = asyncio.ensure_future(watch())
    leave = services.metrics.stream(lambda: _cancel(watching))
    return EventStream(feed, services.settings.heartbeat, leave)


def _cancel(task: asyncio.Future[None]) -> None:
    task.cancel()


ROUTES = (
    Route(
        method="POST",
        path="/v1/documents",
        name="add_document",
        summary="Take a file, as the body or in a form, and index it; the same bytes twice are one document.",
        handler=add_document,
        response=QueuedShape,
        scope=WRITE,
        query=UploadQuery,
        raw_body="application/octet-stream",
        takes_form=True,
        status=202,
        statuses=(200,),
        errors=(400, 408, 413, 415, 507),
    ),
    Route(
        method="POST",
        path="/v1/examples",
        name="add_example",
        summary="Index the example document that comes with Octavo; `example` of the status names it.",
        handler=add_example,
        response=QueuedShape,
        scope=WRITE,
        status=202,
        statuses=(200,),
        errors=(404, 507),
    ),
    Route(
        method="DELETE",
        path="/v1/documents/{id}",
        name="remove_document",
        summary="Remove a document, what was made from it, the answers on it, and its bytes where they were sent here.",
        handler=remove_document,
        response=RemovedShape,
        scope=WRITE,
        statuses=(204,),
        errors=(404,),
    ),
    Route(
        method="GET",
        path="/v1/jobs",
        name="list_jobs",
        summary="Files that are indexed or were, the last one first; as they change where events are accepted.",
        handler=jobs,
        response=JobsShape,
        scope=READ,
        query=JobRows,
        events=JobEvents,
    ),
    Route(
        method="GET",
        path="/v1/jobs/{job}",
        name="get_job",
        summary="How far a job is; as it changes where events are accepted.",
        handler=job,
        response=JobShape,
        events=JobEvents,
        errors=(404,),
    ),
    Route(
        method="POST",
        path="/v1/jobs/{job}/retry",
        name="retry_job",
        summary="Queue a job again that failed or was cancelled.",
        handler=retry_job,
        response=JobShape,
        scope=WRITE,
        errors=(404,),
    ),
    Route(
        method="POST",
        path="/v1/jobs/{job}/cancel",
        name="cancel_job",
        summary="Cancel a job; one that has ended stays as it is.",
        handler=cancel_job,
        response=JobShape,
        scope=WRITE,
        errors=(404,),
    ),
    Route(
        method="DELETE",
        path="/v1/jobs/{job}",
        name="forget_job",
        summary="Forget a job that has ended, and its file where no document came of it.",
        handler=forget_job,
        response=JobShape,
        scope=WRITE,
        errors=(404, 409),
    ),
)

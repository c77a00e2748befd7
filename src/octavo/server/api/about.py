"""The server itself: its status, health and description."""

from __future__ import annotations

from starlette.responses import Response

from octavo.server.metrics import MEDIA_TYPE
from octavo.server.responses import HealthShape, StatusShape
from octavo.server.routes import Call, Route, encoded, json_response, read


async def status(call: Call) -> Response:
    """Return what there is."""
    return await read(call, call.services.library.status)


async def health(call: Call) -> Response:
    """Tell that the server is up and the corpus can be read."""
    await call.services.searches.run(call.services.corpus.count)
    return json_response(encoded({"status": "ok"}))


async def metrics(call: Call) -> Response:
    """Return what the server did, counted."""
    services = call.services
    counts = await services.searches.run(services.jobs.counts)
    return Response(services.metrics.text(services.pools, counts), media_type=MEDIA_TYPE)


async def description(call: Call) -> Response:
    """Return the description of the API."""
    from octavo.server import api
    from octavo.server.openapi import described

    return await read(call, lambda: described(api.ROUTES))


ROUTES = (
    Route(
        method="GET",
        path="/openapi.json",
        name="get_description",
        summary="This description.",
        handler=description,
        media=("application/json",),
    ),
    Route(
        method="GET",
        path="/metrics",
        name="get_metrics",
        summary="Requests, streams, jobs and load in the text format of Prometheus.",
        handler=metrics,
        media=("text/plain",),
    ),
    Route(
        method="GET",
        path="/v1/status",
        name="get_status",
        summary="The corpus in figures, its models, and what may be asked of it.",
        handler=status,
        response=StatusShape,
    ),
    Route(
        method="GET",
        path="/health",
        name="get_health",
        summary="Whether it is up.",
        handler=health,
        scope=None,
        response=HealthShape,
    ),
)

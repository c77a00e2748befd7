"""The server itself: its status and health, and the description of the API (OpenAPI 3.1), made of the route table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import core_schema
from starlette.responses import Response

from octavo_server.problems import MEDIA_TYPE as PROBLEM
from octavo_server.responses import DescriptionShape, HealthShape, ProblemShape, StatusShape
from octavo_server.routes import BYTES_TYPE, Call, Route, encoded, json_response, read
from octavo_server.services import METRICS_TYPE
from octavo_server.streams import EVENTS_TYPE


async def status(call: Call) -> Response:
    """Return what there is."""
    return await read(call, call.services.library.status)


async def health(call: Call) -> Response:
    """Return that the server is up, where the corpus can be read."""
    await call.services.health.check(call.services.searches)
    return json_response(encoded({"status": "ok", "instance": call.services.library.instance}))


async def sign_out(call: Call) -> Response:
    """End the session of a browser; a key goes on, for it is no session."""
    access, cookies = call.services.access, call.request.cookies
    response = Response(status_code=204)
    for name in await call.services.searches.run(lambda: access.end(cookies)):
        response.delete_cookie(name, path="/", httponly=True, samesite="lax", secure=name.startswith("__Host-"))
    return response


async def metrics(call: Call) -> Response:
    """Return what the server did, counted."""
    services = call.services
    counts = await services.searches.run(services.jobs.counts)
    return Response(services.metrics.text(services.pools, counts), media_type=METRICS_TYPE)


async def description(call: Call) -> Response:
    """Return the description of the API."""
    return await read(call, lambda: described(call.table))


ROUTES = (
    Route(
        method="GET",
        path="/openapi.json",
        name="get_description",
        summary="This description.",
        handler=description,
        response=DescriptionShape,
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
        method="DELETE",
        path="/v1/session",
        name="sign_out",
        summary="End the session of this browser.",
        handler=sign_out,
        status=204,
        errors=(507,),
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


_REF = "#/components/schemas/{model}"


class _SchemaWriter(GenerateJsonSchema):
    """Writes schemas in which lists of fixed length say what their items are, as generators of clients want it."""

    def tuple_schema(self, schema: core_schema.TupleSchema) -> JsonSchemaValue:
        """Return the schema of a list of fixed length."""
        made = super().tuple_schema(schema)
        if "prefixItems" in made:
            kinds = [one for at, one in enumerate(made["prefixItems"]) if one not in made["prefixItems"][:at]]
            made["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
            if len(kinds) == 1:
                del made["prefixItems"]
        return made


_PATH = {
    "page": ({"type": "integer", "minimum": 1}, "The page's number in the file, from 1."),
    "layer": (
        {"type": "string", "enum": ["entities", "links", "summaries", "clusters", "communities"]},
        "The layer's name.",
    ),
}
"""Schemas and meanings of what stands in paths; the others are ids."""
_TAGS = {
    "documents": "Documents, their sections and pages, and what indexing added to them.",
    "questions": "Evidence, answers, conversations, citations, quotes and exports.",
    "tables": "Tables of answers: questions as columns, documents as rows.",
    "history": "Conversations that a key has had: listed, named, deleted.",
    "completions": "Questions in the form of OpenAI's chat completions.",
    "jobs": "Adding and removing documents.",
    "server": "The server itself.",
}
_ID = ({"type": "string", "minLength": 1, "maxLength": 200}, "Its id.")
_EVENTS = "x-events"
"""Says what the events of a stream are: OpenAPI 3.1 has no word for it."""
_BINARY = {"type": "string", "format": "binary"}
_FORM = {"type": "object", "required": ["file"], "properties": {"file": _BINARY}}
_MEANINGS = {
    204: "Done; who accepts JSON is told what was.",
    304: "It is what the caller has already.",
    400: "The body is no JSON, or no form.",
    401: "No key.",
    403: "A key that may not do this, a read-only server, or a page of another site.",
    404: "There is no such thing.",
    405: "The address does not take this method.",
    408: "The sender fell silent.",
    409: "It is not there to be read: an empty corpus, a file that changed since it was indexed, or layers that are "
    "not built; or a job that has not ended.",
    410: "It has gone: the file it is drawn from, an answer that is no longer kept, or documents that a conversation "
    "is about.",
    413: "The body is too large.",
    415: "The body is of a kind that is not taken.",
    422: "A value does not fit; the detail says which.",
    502: "A model, or the process that reads files, failed.",
    503: "Too much to do at once, or the corpus is being written or is no longer where it was: try again after "
    "Retry-After.",
    504: "It took too long.",
    507: "No room on the server's disk.",
}


def described(table: Sequence[Route]) -> dict[str, Any]:
    """Return the description of a route table."""
    taken = [route.body for route in table if route.body is not None]
    given = [kind for route in table for kind in (route.response, route.events) if kind is not None]
    schemas = _schemas({"validation": taken, "serialization": [*given, ProblemShape]})
    paths: dict[str, dict[str, Any]] = {}
    for route in table:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Octavo",
            "version": metadata.version("octavo"),
            "summary": "Answers questions over long documents, with page, box and quote.",
        },
        "tags": [{"name": name, "description": told} for name, told in _TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
    }


def _schemas(kinds: Mapping[JsonSchemaMode, Sequence[type]]) -> dict[str, JsonSchemaValue]:
    """Return the schemas of types, and of those that stand in them, by name."""
    adapters: list[tuple[str, JsonSchemaMode, TypeAdapter[Any]]] = [
        (one.__name__, mode, TypeAdapter(one)) for mode, listed in kinds.items() for one in dict.fromkeys(listed)
    ]
    _, made = TypeAdapter.json_schemas(adapters, ref_template=_REF, schema_generator=_SchemaWriter)
    return made["$defs"]


def tag_of(route: Route) -> str:
    """Return what a route is listed under: the module of its handler."""
    module = route.handler.__module__.rpartition(".")[2]
    return "server" if module == "about" else module


def errors_of(route: Route) -> tuple[int, ...]:
    """Return the statuses of errors that a route may answer with."""
    found = {403, 503, *route.errors}
    if route.scope is not None:
        found.add(401)
    if route.body is not None:
        found |= {400, 408, 413, 415}
    if route.body is not None or route.query is not None or "{" in route.path:
        found.add(422)
    if "{" in route.path:
        found.add(404)
    return tuple(sorted(found))


def _operation(route: Route) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.name,
        "tags": [tag_of(route)],
        "summary": route.summary,
        "description": f"Needs the scope `{route.scope}`." if route.scope else "Open to all.",
        "parameters": [*_in_path(route.path), *_in_query(route.query)],
        "responses": _responses(route),
        "security": [{"key": []}] if route.scope else [],
    }
    if route.body is not None:
        schema = {"$ref": _REF.format(model=route.body.__name__)}
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    if route.raw_body:
        form = {"multipart/form-data": {"schema": _FORM}} if route.takes_form else {}
        operation["requestBody"] = {"required": True, "content": {route.raw_body: {"schema": _BINARY}, **form}}
    return operation


def _in_path(path: str) -> Iterable[dict[str, Any]]:
    for name in re.findall(r"\{(\w+)\}", path):
        schema, meaning = _PATH.get(name, _ID)
        yield {"name": name, "in": "path", "required": True, "schema": schema, "description": meaning}


def _in_query(kind: type[BaseModel] | None) -> Iterable[dict[str, Any]]:
    if kind is None:
        return
    schema = kind.model_json_schema()
    for name, value in schema["properties"].items():
        value.pop("title", None)
        meaning = value.pop("description", "")
        parameter = {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", ()),
            "schema": _given(value),
        }
        yield {**parameter, "description": meaning} if meaning else parameter


def _given(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of what a query says where it says something: no null."""
    kinds = [one for one in schema.get("anyOf", ()) if one.get("type") != "null"]
    return kinds[0] if len(kinds) == 1 else schema


def _responses(route: Route) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if route.response is not None:
        content["application/json"] = {"schema": {"$ref": _REF.format(model=route.response.__name__)}}
    if route.files:
        content |= {media: {"schema": _BINARY} for media in (BYTES_TYPE, *route.files)}
    content |= {media: {"schema": {"type": "string"}} for media in route.media}
    if route.events is not None:
        content[EVENTS_TYPE] = {
            "schema": {"type": "string"},
            _EVENTS: {"$ref": _REF.format(model=route.events.__name__)},
        }
    good: dict[str, Any] = {"description": route.summary, **({"content": content} if content else {})}
    found: dict[str, Any] = {str(route.status): good}
    for status in route.statuses:
        found[str(status)] = {"description": _MEANINGS[status]} if status in _MEANINGS else good
    problem = {PROBLEM: {"schema": {"$ref": _REF.format(model="ProblemShape")}}}
    for status in errors_of(route):
        found[str(status)] = {"description": _MEANINGS[status], "content": problem}
    return found

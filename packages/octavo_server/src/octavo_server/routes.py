"""The typed route table: each route says what it takes, returns and allows, and the server and its description follow.

A module of `octavo_server.api` has a table `ROUTES`. `starlette_routes` makes handlers of it that check the caller,
parse path, query and body, and turn every error into a problem; `openapi` describes the same rows.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ConfigDict
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route as StarletteRoute

from octavo_server.problems import Problem, problem_of
from octavo_server.scopes import READ, can_write, check_scope, holder_of

if TYPE_CHECKING:
    from octavo_server.services import Services

_M = TypeVar("_M", bound=BaseModel)


def whole(value: object) -> object:
    """Return a whole number that is written with a point as JSON Schema sees it: 2.0 is 2."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Body(BaseModel):
    """Base of JSON bodies: a key that is not known is refused, a value of another type too."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Query(BaseModel):
    """Base of query parameters; those that are not known are passed over."""

    model_config = ConfigDict(extra="ignore")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Call:
    """One request, parsed."""

    request: Request
    services: Services
    table: Sequence[Route]
    """All routes, for what describes them."""
    path: Mapping[str, str]
    query: BaseModel | None
    body: BaseModel | None

    def query_of(self, kind: type[_M]) -> _M:
        """Return the query parameters as the route declares them."""
        assert isinstance(self.query, kind)
        return self.query

    def body_of(self, kind: type[_M]) -> _M:
        """Return the body as the route declares it."""
        assert isinstance(self.body, kind)
        return self.body

    def may_write(self) -> bool:
        """Whether the caller may change what the server holds."""
        return can_write(self.request, self.services)

    def holder(self) -> str:
        """Return whose key the caller has."""
        return holder_of(self.request.scope)

    def wants_events(self) -> bool:
        """Whether the caller asks for server-sent events."""
        return "text/event-stream" in self.request.headers.get("accept", "")


BYTES_TYPE = "application/octet-stream"
"""The media type of bytes of any kind."""
Handler = Callable[[Call], Awaitable[Response]]
_Endpoint = Callable[[Request], Awaitable[Response]]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Route:
    """A row of the table."""

    method: str
    path: str
    name: str
    """Its operation id."""
    summary: str
    """One sentence for people."""
    handler: Handler
    scope: str | None = READ
    """The least scope of a key; None: open to all."""
    query: type[BaseModel] | None = None
    body: type[BaseModel] | None = None
    raw_body: str = ""
    """Media type of a body that the handler reads itself, "" where there is none."""
    takes_form: bool = False
    """Whether it may come as the file of a form too."""
    response: type | None = None
    """A type that describes the JSON returned; None for no JSON."""
    events: type | None = None
    """A type whose keys are the server-sent events that are returned to who asks for them, each with its data."""
    media: tuple[str, ...] = ()
    """Media types of text that are returned besides JSON."""
    files: tuple[str, ...] = ()
    """Media types of files that are returned; a caller that accepts bytes of any kind alone is given them as such."""
    status: int = 200
    statuses: tuple[int, ...] = ()
    """Further statuses of success."""
    errors: tuple[int, ...] = ()
    """Statuses of errors besides those that every route has."""


def starlette_routes(table: Sequence[Route], services: Services) -> list[StarletteRoute]:
    """Return the routes of a table for a Starlette application."""
    paths: dict[str, dict[str, _Endpoint]] = {}
    for route in table:
        paths.setdefault(route.path, {})[route.method] = _endpoint(route, table, services)
    return [
        StarletteRoute(path, _by_method(endpoints), methods=[*endpoints], name=path)
        for path, endpoints in paths.items()
    ]


def _by_method(endpoints: Mapping[str, _Endpoint]) -> _Endpoint:
    async def endpoint(request: Request) -> Response:
        return await endpoints["GET" if request.method == "HEAD" else request.method](request)

    return endpoint


def _endpoint(route: Route, table: Sequence[Route], services: Services) -> _Endpoint:
    async def endpoint(request: Request) -> Response:
        try:
            check_scope(request, route.scope, services)
            return await route.handler(await _call(route, table, request, services))
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as error:  # noqa: BLE001  (the last place that can turn a failure into words)
            return answered(error)

    return endpoint


def answered(error: Exception) -> Response:
    """Return the response that tells an error."""
    return problem_of(error).response()


async def _call(route: Route, table: Sequence[Route], request: Request, services: Services) -> Call:
    path = {name: str(value) for name, value in request.path_params.items()}
    query = None if route.query is None else route.query.model_validate(_parameters(request, route.query))
    body = None if route.body is None else await _body(request, route.body, services.settings.max_body)
    return Call(request=request, services=services, table=table, path=path, query=query, body=body)


def _parameters(request: Request, kind: type[BaseModel]) -> dict[str, Any]:
    """Return the query parameters that a model knows: a list where it takes several, else the last one."""
    given = request.query_params
    return {
        name: given.getlist(name) if "list" in str(field.annotation) else given[name]
        for name, field in kind.model_fields.items()
        if name in given
    }


async def _body(request: Request, kind: type[BaseModel], most: int) -> BaseModel:
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != "application/json":
        raise Problem(415, "media_type", "Send the body as JSON, with 'Content-Type: application/json'.")
    return kind.model_validate_json(await read_body(request, most))


async def read_body(request: Request, most: int) -> bytes:
    """Return the body of a request. Raises Problem 413 as soon as more than `most` bytes have come."""
    parts, size = list[bytes](), 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise Problem(413, "too_large", f"The body is larger than {most:,} bytes, the most that is taken here.")
        parts.append(part)
    return b"".join(parts)


def encoded(value: object) -> bytes:
    """Return a value as JSON bytes; made in a worker thread, so that long results do not hold up the event loop."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def file_response(call: Call, data: bytes, media_type: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return a file, as bytes of no kind where the caller accepts nothing else."""
    accepted = call.request.headers.get("accept", "").partition(";")[0].strip()
    kind = BYTES_TYPE if accepted == BYTES_TYPE else media_type
    return Response(data, headers=headers, media_type=kind)


def json_response(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response of JSON bytes."""
    return Response(body, status, headers, "application/json")


async def read(call: Call, task: Callable[[], object]) -> Response:
    """Return the JSON of what a task of the library returns; it runs in the pool of searches.

    Layers that it lacks are built before, where the caller may write.
    """
    services = call.services
    return json_response(
        await services.layers.with_layers(
            lambda: services.searches.run(lambda: encoded(task())), may_write=call.may_write()
        )
    )

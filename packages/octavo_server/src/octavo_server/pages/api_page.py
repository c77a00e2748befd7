"""The page of the API: what may be asked of the server, route by route, to read, and to try where scripts run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from octavo_server.api.about import described

if TYPE_CHECKING:
    from octavo_server.routes import Route

_METHODS = ("get", "post", "put", "patch", "delete")
_JSON, _EVENTS = "application/json", "text/event-stream"


def api_view(table: Sequence[Route]) -> dict[str, Any]:
    """Return the page of a route table."""
    told = described(table)
    operations = [
        _operation(method, path, one, told["components"]["schemas"])
        for path, methods in told["paths"].items()
        for method, one in methods.items()
        if method in _METHODS
    ]
    groups = [{**tag, "operations": [one for one in operations if one["tag"] == tag["name"]]} for tag in told["tags"]]
    return {"view": "api", "title": "API", "groups": groups, "version": told["info"]["version"]}


def _operation(method: str, path: str, told: Mapping[str, Any], schemas: Mapping[str, Any]) -> dict[str, Any]:
    content = told.get("requestBody", {}).get("content", {})
    body = content[_JSON]["schema"]["$ref"].rpartition("/")[2] if _JSON in content else ""
    return {
        "id": told["operationId"],
        "tag": told["tags"][0],
        "method": method.upper(),
        "path": path,
        "summary": told["summary"],
        "description": told["description"],
        "parameters": [_parameter(one) for one in told["parameters"]],
        "body": _example(schemas[body]) if body else "",
        "fields": _fields(schemas[body]) if body else [],
        "file": bool(content) and not body,
        "streams": any(_EVENTS in one.get("content", {}) for one in told["responses"].values()),
    }


def _parameter(told: Mapping[str, Any]) -> dict[str, Any]:
    schema = told["schema"]
    example = (schema.get("examples") or [schema.get("default")])[0]
    kinds = {"integer": "number", "number": "number"}
    return {
        "name": told["name"],
        "where": told["in"],
        "required": told["required"],
        "kind": kinds.get(schema.get("type", ""), "text"),
        "choices": schema.get("enum", []),
        "told": told.get("description", ""),
        "example": "" if example is None else str(example),
    }


def _fields(schema: Mapping[str, Any]) -> list[dict[str, str]]:
    return [
        {"name": name, "told": one["description"]} for name, one in schema["properties"].items() if "description" in one
    ]


def _example(schema: Mapping[str, Any]) -> str:
    """Return a body to begin with: what is required; where nothing is, what has an example."""
    given = {name: one["examples"][0] for name, one in schema["properties"].items() if one.get("examples")}
    required = {name: given.get(name, "") for name in schema.get("required", ())}
    return json.dumps(required or given, indent=2, ensure_ascii=False)

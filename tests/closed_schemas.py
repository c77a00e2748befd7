"""JSON held to types: every key that stands in it is one that its type names, and has the type that stands there."""

from __future__ import annotations

import json
from typing import Any, cast

import jsonschema
from pydantic import TypeAdapter


def closed(schema: Any) -> Any:
    """Return a schema whose objects have no keys but those it names."""
    if isinstance(schema, list):
        return [closed(one) for one in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    made = {name: closed(one) for name, one in cast("dict[str, Any]", schema).items()}
    return {**made, "additionalProperties": False} if made.get("type") == "object" and "properties" in made else made


def check(value: object, kind: Any) -> None:
    """Raise where a value is not as its type says once it is written as JSON, or has a key that the type has not."""
    schema = closed(TypeAdapter[Any](kind).json_schema(mode="serialization"))
    jsonschema.validate(json.loads(json.dumps(value)), schema)

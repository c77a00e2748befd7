"""The description of the API is one that generators of clients can use whole: typed, tagged, with files as bytes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import jsonschema
import pytest
from openapi_spec_validator import validate

import octavo
from octavo_server.api import ROUTES
from octavo_server.api.about import described
from octavo_server.routes import BYTES_TYPE
from serving import serving

TOLD = described(ROUTES)
FREE = {"TraceStepShape.parameters"} | {f"DescriptionShape.{name}" for name in ("info", "paths", "components")}
"""Values of any kind."""


def operations() -> list[Any]:
    return [
        pytest.param(path, method, one, id=one["operationId"])
        for path, methods in TOLD["paths"].items()
        for method, one in methods.items()
    ]


def untyped(schema: Any, name: str) -> Iterator[str]:
    """Yield the names of values that a schema says nothing of."""
    if not isinstance(schema, dict):
        return
    known = cast("dict[str, Any]", schema)
    if not {"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"} & known.keys():
        yield name
    if known.get("type") == "array" and "items" not in known:
        yield name
    if known.get("type") == "object" and "properties" not in known:
        inner = known.get("additionalProperties")
        if not isinstance(inner, dict):
            yield name
    for key in ("anyOf", "oneOf", "allOf"):
        for one in known.get(key, ()):
            yield from untyped(one, name)
    for key in ("items", "additionalProperties"):
        if isinstance(known.get(key), dict):
            yield from untyped(known[key], name)
    for field, one in known.get("properties", {}).items():
        yield from untyped(one, f"{name}.{field}")


def test_it_is_valid_and_each_value_has_a_type() -> None:
    validate(TOLD)
    found = {one for name, schema in TOLD["components"]["schemas"].items() for one in untyped(schema, name)}
    assert found == FREE


@pytest.mark.parametrize(("path", "method", "told"), operations())
def test_an_operation_can_be_generated(path: str, method: str, told: dict[str, Any]) -> None:
    tags = {one["name"] for one in TOLD["tags"]}
    assert len(told["tags"]) == 1 and set(told["tags"]) <= tags and told["summary"].endswith(".")
    for media, content in told.get("requestBody", {}).get("content", {}).items():
        assert "schema" in content, media
        schema = content["schema"]
        sent = schema["properties"]["file"] if media == "multipart/form-data" else schema
        assert media == "application/json" or sent == {"type": "string", "format": "binary"}
    for status, response in told["responses"].items():
        content = response.get("content", {})
        if not content:
            assert status in ("204", "304")
            continue
        first, of_first = next(iter(content.items()))
        assert first.endswith(("/json", "+json")) or first.startswith("text/") or first == BYTES_TYPE
        is_file = first == BYTES_TYPE
        assert (of_first["schema"] == {"type": "string", "format": "binary"}) == is_file
        for media, one in content.items():
            assert media.startswith("text/") or is_file or "$ref" in one["schema"], media
    names = [one["name"] for one in told["parameters"]]
    assert len(names) == len(set(names)) and method in ("get", "post", "delete", "put", "patch") and path


def test_ids_are_of_one_operation_and_examples_are_such_as_are_taken() -> None:
    ids = [one.values[2]["operationId"] for one in operations()]
    assert len(ids) == len(set(ids))
    count = 0
    for name, schema in TOLD["components"]["schemas"].items():
        for field, one in schema.get("properties", {}).items():
            for example in one.get("examples", ()):
                jsonschema.validate(example, {**one, "components": TOLD["components"]})
                count += 1
                assert name.endswith("Body") and field
    for _, _, told in (one.values for one in operations()):
        for parameter in told["parameters"]:
            for example in parameter["schema"].get("examples", ()):
                jsonschema.validate(example, parameter["schema"])
                count += 1
    assert count >= 8


def test_a_file_is_given_as_bytes_to_who_takes_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "pier.md").write_text("# Piers\n\nThe east pier was built in 1987.\n")
    with octavo.open(tmp_path / "library") as corpus, serving(corpus) as client:
        corpus.add(tmp_path / "pier.md")
        cited = client.post("/v1/search", json={"question": "pier"}).json()["passages"][0]["id"]
        body = {"citations": [cited], "format": "bibtex"}
        usual = client.post("/v1/export", json=body)
        plain = client.post("/v1/export", json=body, headers={"accept": BYTES_TYPE})
        assert usual.headers["content-type"].startswith("application/x-bibtex")
        assert plain.headers["content-type"] == BYTES_TYPE and plain.content == usual.content

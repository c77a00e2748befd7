"""From a model's reply to a typed output: the one place where what a model wrote is parsed.

The JSON in a reply is found and validated; nothing is evaluated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

Out = TypeVar("Out", bound=BaseModel)

MAX_CHARACTERS = 400_000
"""A longer reply is not parsed: no decision asks for so much."""
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f]")
_SHOWN_ERRORS = 5
_LENGTHS = {"minLength", "maxLength", "minItems", "maxItems"}
_COUNTABLE = 100


class InvalidReply(ValueError):
    """The reply is not what was asked for; the message says what is wrong, in words a model can act on."""


def parse(
    text: str, output: type[Out], *, is_cut: bool = False, read: Callable[[str], Out | None] | None = None
) -> Out:
    """Return the output that a reply holds: bare JSON, fenced JSON, or JSON with words around it.

    `is_cut` allows a reply that ends in the middle: the values that are whole are kept. `read` is a decision's own
    format, tried first; it returns None for what it cannot read. Raises InvalidReply.
    """
    if len(text) > MAX_CHARACTERS:
        raise InvalidReply(f"The reply has {len(text)} characters; give the JSON object only.")
    if not text.strip():
        raise InvalidReply("The reply was empty; give the JSON object.")
    if read is not None and (own := read(text)) is not None:
        return own
    last: InvalidReply | None = None
    for candidate in _candidates(text):
        try:
            return output.model_validate(_load(candidate, is_cut=is_cut))
        except ValidationError as error:
            last = InvalidReply(_explain(error))
        except ValueError as error:
            last = last or InvalidReply(f"The reply is not valid JSON: {error}. Give one JSON object and nothing else.")
    raise last or InvalidReply("The reply holds no JSON object; give one and nothing else.")


def schema_of(output: type[BaseModel]) -> str:
    """Return the JSON schema of an output as JSON text, the same for every call.

    Fields keep their order: a model that is held to the schema writes them in it, and reasons before it decides.
    Lengths over a hundred are left out: grammars that count so far are refused by servers, or end them. What comes
    back is checked against the whole.
    """
    return json.dumps(_without_long_lengths(output.model_json_schema()), separators=(",", ":"))


def _without_long_lengths(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_long_lengths(part) for part in schema]  # pyright: ignore[reportUnknownVariableType]
    if not isinstance(schema, dict):
        return schema
    named: dict[str, Any] = schema  # pyright: ignore[reportUnknownVariableType]
    return {name: _without_long_lengths(part) for name, part in named.items() if not _is_long(name, part)}


def _is_long(name: str, part: Any) -> bool:
    """Whether this is a bound on a length that is too large to be counted; a property of such a name is an object."""
    return name in _LENGTHS and isinstance(part, int) and part > _COUNTABLE


def _candidates(text: str) -> list[str]:
    """Return what may be the JSON, the likeliest first."""
    found = [text.strip()]
    found += [match.group(1).strip() for match in _FENCE.finditer(text)]
    start = text.find("{")
    if start >= 0:
        found += [text[start : text.rfind("}") + 1], text[start:]]
    return list(dict.fromkeys(candidate for candidate in found if candidate.startswith(("{", "["))))


def _load(text: str, *, is_cut: bool) -> Any:
    """Return the value of JSON text; a line break that a model forgot to escape inside a string is a space."""
    return from_json(_CONTROL.sub(" ", text), allow_partial=is_cut, allow_inf_nan=False)


def _explain(error: ValidationError) -> str:
    """Return what is wrong, a line for each error."""
    lines = [
        f"- {'.'.join(map(str, one['loc'])) or 'the object'}: {one['msg']}"
        for one in error.errors(include_url=False, include_input=False)
    ]
    more = f"\n- and {len(lines) - _SHOWN_ERRORS} more" if len(lines) > _SHOWN_ERRORS else ""
    return "The JSON does not fit the schema:\n" + "\n".join(lines[:_SHOWN_ERRORS]) + more

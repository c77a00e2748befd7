"""From a model's reply to a typed output: the one place where what a model wrote is parsed.

The JSON in a reply is found and validated; nothing is evaluated. Of many small judgements in one call the verdicts are
read back by the numbers of their items: one that does not fit its schema costs itself only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError, WrapValidator, create_model, model_validator
from pydantic_core import from_json

from octavo.decisions.engine import Context, Decision, Filled, Item, ItemsDecision, Verdict, inert, shorten
from octavo.models.language import Picture, estimate_tokens

Out = TypeVar("Out", bound=BaseModel)
MAX_CHARACTERS = 400_000
"""A longer reply is not parsed: no decision asks for so much."""
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f]")
_SHOWN_ERRORS = 5
_LENGTHS = {"minLength", "maxLength", "minItems", "maxItems"}
_COUNTABLE = 100
Model = TypeVar("Model", bound=BaseModel)


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


@cache
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


class _Listed(BaseModel):
    """A reply that is a list of verdicts, with or without the object around it."""

    @model_validator(mode="before")
    @classmethod
    def _bare_list(cls, value: Any) -> Any:
        return {"items": value} if isinstance(value, list) else value  # pyright: ignore[reportUnknownVariableType]


class Numbered(BaseModel):
    """What every verdict of a batch carries beside itself."""

    id: int


@cache
def reply_type(verdict: type[BaseModel]) -> type[BaseModel]:
    """Return the type of a reply that lists verdicts of one type under the numbers of their items."""
    numbered = create_model(f"Numbered{verdict.__name__}", __base__=(verdict, Numbered))  # the number is written first
    adapter: TypeAdapter[Any] = TypeAdapter(numbered)

    def skip_invalid(value: Any, _handler: Callable[[Any], Any]) -> list[Any]:
        if not isinstance(value, list):
            raise ValueError("items must be a list with one object for each numbered item")
        kept: list[Any] = []
        for one in value:  # pyright: ignore[reportUnknownVariableType]
            try:
                kept.append(adapter.validate_python(one))
            except ValidationError:
                continue
        return kept

    items: Any = Annotated[list[numbered], WrapValidator(skip_invalid)]
    return create_model(f"{verdict.__name__}List", __base__=_Listed, items=(items, ...))


class Batch(Generic[Context, Item, Verdict]):
    """The items of one call, numbered from 1, as a decision of their own."""

    def __init__(
        self, decision: ItemsDecision[Context, Item, Verdict], context: Context, items: Sequence[Item]
    ) -> None:
        self._decision = decision
        self._context = context
        self._items = items

    def as_decision(self) -> Decision[None, BaseModel]:
        """Return the decision that asks about these items."""
        asked = self._decision
        return Decision(
            name=asked.name,
            version=asked.version,
            template=asked.template,
            output=reply_type(asked.verdict),
            render=self._render,
            role=asked.role,
            max_output_tokens=48 + len(self._items) * (asked.verdict_tokens + 12),
        )

    def verdicts(self, reply: BaseModel) -> dict[int, Verdict]:
        """Return the verdicts of a reply by position of their item; numbers that were not asked about are dropped."""
        found: dict[int, Verdict] = {}
        for numbered in getattr(reply, "items", ()):
            at = numbered.id - 1
            if 0 <= at < len(self._items) and at not in found:
                found[at] = self._decision.verdict.model_validate(numbered.model_dump(exclude={"id"}))
        return found

    def _render(self, _value: None, _room: int) -> Filled:
        shown, pictures, cut = list[str](), list[Picture](), 0
        for number, item in enumerate(self._items, start=1):
            text, words = shorten(self._decision.render_item(item), self._decision.item_tokens)
            picture = self._decision.picture_of(item) if self._decision.picture_of else None
            if picture is not None:
                pictures.append(picture)
                text = f"(picture {len(pictures)})\n{text}"
            shown.append(f"<item id={number}>\n{inert(text)}\n</item>")
            cut += bool(words)
        values = {**self._decision.render_context(self._context), "items": "\n".join(shown)}
        return Filled(values, pictures=tuple(pictures), left_out=cut)


def split(decision: ItemsDecision[Context, Item, Verdict], items: Sequence[Item], room: int) -> list[list[int]]:
    """Return the positions of the items in groups that go into one call each, in order.

    `room` is how many tokens the items of a call and their verdicts may have together.
    """
    groups: list[list[int]] = []
    left = 0
    for at, item in enumerate(items):
        size = min(estimate_tokens(decision.render_item(item)), decision.item_tokens) + 12
        size += decision.verdict_tokens + 12
        if not groups or size > left or len(groups[-1]) >= decision.per_call:
            groups.append([])
            left = room
        groups[-1].append(at)
        left -= size
    return groups

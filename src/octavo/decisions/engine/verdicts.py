"""Many small judgements in one call: numbering the items, and reading back the verdicts that carry a number.

One verdict that does not fit its schema costs itself only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError, WrapValidator, create_model, model_validator

from octavo.decisions.engine.base import Context, Decision, Filled, Item, ItemsDecision, Verdict
from octavo.decisions.engine.fitting import shorten
from octavo.decisions.engine.prompt import inert
from octavo.models.language import estimate_tokens

Model = TypeVar("Model", bound=BaseModel)


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
        shown, cut = list[str](), 0
        for number, item in enumerate(self._items, start=1):
            text, words = shorten(self._decision.render_item(item), self._decision.item_tokens)
            shown.append(f"<item id={number}>\n{inert(text)}\n</item>")
            cut += bool(words)
        values = {**self._decision.render_context(self._context), "items": "\n".join(shown)}
        return Filled(values, left_out=cut)


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

"""Which of the items that were found count: one look at all of them together before they are counted or listed.

One thing that was cut in two counts once, and what is no such thing does not count. The rule keeps all.
"""

from __future__ import annotations

import dataclasses

from pydantic import BaseModel, ConfigDict, Field

from octavo.decisions.engine import Decision, Filled, Template, first_that_fit, inert, shorten
from octavo.models.language import Picture


@dataclasses.dataclass(frozen=True, slots=True)
class FoundItem:
    """An item: what it is called, its kind, its page, and its picture where it has one and a model sees."""

    name: str
    kind: str
    page: int
    picture: Picture | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class ReviewInput:
    """A question that counts or lists, and the items found for it in reading order; they are numbered from 1."""

    question: str
    items: tuple[FoundItem, ...]


class ReviewedItems(BaseModel):
    """The numbers of the items that count, each thing once."""

    model_config = ConfigDict(json_schema_extra={"required": ["reason", "counted"]})

    reason: str = ""
    counted: list[int] = Field(default_factory=list[int])


def _render(value: ReviewInput, room: int) -> Filled:
    question, cut = shorten(value.question, room // 4)
    pictures = [item for item in value.items if item.picture]
    numbers = {id(item): at for at, item in enumerate(pictures, start=1)}
    lines = [
        f"[{number}] page {item.page}, {item.kind}: {item.name}"
        + (f" (picture {numbers[id(item)]})" if item.picture else "")
        for number, item in enumerate(value.items, start=1)
    ]
    shown, left_out = first_that_fit(lines, room // 2)
    return Filled(
        {"question": inert(question), "items": inert("\n".join(shown))},
        pictures=tuple(item.picture for item in pictures if item.picture),
        left_out=left_out + bool(cut),
    )


def _rule(value: ReviewInput) -> ReviewedItems:
    return ReviewedItems(counted=list(range(1, len(value.items) + 1)))


def _check(value: ReviewInput, output: ReviewedItems) -> ReviewedItems:
    """Keep the numbers there are. Raises ValueError where numbers are given and none is one of an item."""
    known = [number for number in dict.fromkeys(output.counted) if 1 <= number <= len(value.items)]
    if output.counted and not known:
        raise ValueError("counted: give numbers that stand in square brackets before the items")
    return output.model_copy(update={"counted": sorted(known)})


REVIEW_ITEMS: Decision[ReviewInput, ReviewedItems] = Decision(
    name="review_items",
    version="1",
    finds=True,
    template=Template.beside(__file__),
    output=ReviewedItems,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=500,
)

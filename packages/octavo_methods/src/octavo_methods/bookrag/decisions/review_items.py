"""Which of the items that were found count: one look at all of them together before they are counted or listed.

One thing that was cut in two counts once, one item that shows several counts for each of them, and what is no such
thing does not count. The rule keeps all.
"""

from __future__ import annotations

import dataclasses

from pydantic import BaseModel, ConfigDict, Field

from octavo.decisions.engine import Decision, Filled, Template, first_that_fit, inert, shorten
from octavo.models.language import Picture

_MOST_IN_ONE = 50


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


class Several(BaseModel):
    """An item that counts more than once: it shows so many of the things that are asked for."""

    id: int
    times: int


class ReviewedItems(BaseModel):
    """The numbers of the items that count, each thing once, and those of them that show several things."""

    model_config = ConfigDict(json_schema_extra={"required": ["reason", "counted", "several"]})

    reason: str = ""
    counted: list[int] = Field(default_factory=list[int])
    several: list[Several] = Field(default_factory=list[Several])

    def times(self, number: int) -> int:
        """Return how often an item counts."""
        return next((one.times for one in self.several if one.id == number), 1)


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
    several = [one for one in output.several if one.id in known and 1 <= one.times <= _MOST_IN_ONE]
    return output.model_copy(update={"counted": sorted(known), "several": several})


REVIEW_ITEMS: Decision[ReviewInput, ReviewedItems] = Decision(
    name="review_items",
    version="2",
    finds=True,
    template=Template.beside(__file__),
    output=ReviewedItems,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=500,
)

"""What a figure, chart, table or formula shows: its sort, a description and the text in it, in one vision call."""

from __future__ import annotations

import dataclasses
from typing import Literal

from pydantic import BaseModel, Field, field_validator

from octavo.decisions.describe_element import rule
from octavo.decisions.engine.base import Decision, Filled
from octavo.decisions.engine.fitting import share
from octavo.decisions.engine.prompt import Template, inert
from octavo.models.language import Picture

Sort = Literal["photo", "chart", "diagram", "map", "logo", "screenshot", "table", "formula", "other"]
SORTS: tuple[Sort, ...] = ("photo", "chart", "diagram", "map", "logo", "screenshot", "table", "formula", "other")


@dataclasses.dataclass(frozen=True, slots=True)
class Element:
    """An element as it stands in its document.

    `kind` is what the rules take it for, `inside` the text in it (a table's rows with their headers), `mentions` the
    sentences that refer to it, `picture` its crop; None where it cannot be drawn.
    """

    kind: str
    caption: str = ""
    inside: str = ""
    mentions: tuple[str, ...] = ()
    picture: Picture | None = None


class Description(BaseModel):
    """What the element is and shows."""

    sort: Sort
    description: str = Field(min_length=1, max_length=4000)
    text: str = ""

    @field_validator("sort", mode="before")
    @classmethod
    def _known(cls, value: object) -> object:
        """Take a sort that is not in the list for "other": the description counts."""
        return value if not isinstance(value, str) or value in SORTS else "other"


def _render(value: Element, room: int) -> Filled:
    """Show caption, text inside and mentions, each shortened to a fair share when they do not fit."""
    (caption, inside, mentions), cut = share([value.caption, value.inside, "\n".join(value.mentions)], room)
    return Filled(
        {"kind": value.kind, "caption": inert(caption), "inside": inert(inside), "mentions": inert(mentions)},
        pictures=(value.picture,) if value.picture else (),
        left_out=cut,
    )


def _rule(value: Element) -> Description:
    sort = value.kind if value.kind in SORTS else "other"
    text = rule.description(value.kind, value.caption, value.inside, value.mentions)
    return Description.model_validate({"sort": sort, "description": text, "text": ""})


DESCRIBE_ELEMENT: Decision[Element, Description] = Decision(
    name="describe_element",
    version="1",
    template=Template.beside(__file__),
    output=Description,
    render=_render,
    rule=_rule,
    role="vision",
    max_output_tokens=600,
)

__all__ = ["DESCRIBE_ELEMENT", "SORTS", "Description", "Element"]

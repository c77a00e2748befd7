"""What a figure, chart, table or formula shows: its sort, a description and the text in it, in one vision call.

The rule describes it by its caption, what the text says of it, and the text inside it, in this order.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field, field_validator

from octavo.decisions.engine import Decision, Filled, Template, inert, share
from octavo.models.language import Picture
from octavo_documents.text.lines import on_one_line

Sort = Literal["photo", "chart", "diagram", "map", "logo", "screenshot", "table", "formula", "other"]
SORTS: tuple[Sort, ...] = ("photo", "chart", "diagram", "map", "logo", "screenshot", "table", "formula", "other")
_LONGEST = 1200
"""Characters of a description."""
_LONGEST_MENTION = 300
_MENTIONS = 3


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
    text = _description(value.kind, value.caption, value.inside, value.mentions)
    return Description.model_validate({"sort": sort, "description": text, "text": ""})


def _description(kind: str, caption: str, inside: str, mentions: Sequence[str]) -> str:
    """Return caption, the first sentences that refer to the element, and its text; the kind when there is nothing."""
    parts = [
        on_one_line(caption),
        *(on_one_line(one)[:_LONGEST_MENTION] for one in mentions[:_MENTIONS]),
        inside.strip(),
    ]
    text = "\n".join(dict.fromkeys(part for part in parts if part))
    return text[:_LONGEST].rstrip() or kind.replace("_", " ") or "element"


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

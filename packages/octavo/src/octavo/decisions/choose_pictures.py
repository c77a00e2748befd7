"""Choose, from small numbered pictures of all figures or pages, those that a question is about.

Its rule goes by the words that stand beside the pictures: captions and places.
"""

from __future__ import annotations

import dataclasses

from pydantic import BaseModel, ConfigDict, Field

from octavo.decisions.engine import Decision, Filled, Template, inert, share
from octavo.models.language import Picture
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.lines import on_one_line

_LONGEST_SEEN = 400


@dataclasses.dataclass(frozen=True, slots=True)
class Overview:
    """A question, contact sheets, and what stands beside each small picture on them; these are numbered from 1.

    `left_out` counts the pictures for which there was no place.
    """

    question: str
    places: tuple[str, ...]
    sheets: tuple[Picture, ...]
    left_out: int = 0


class Chosen(BaseModel):
    """The numbers of the pictures that matter, and what was seen of them in small."""

    model_config = ConfigDict(json_schema_extra={"required": ["numbers", "seen"]})

    numbers: list[int] = Field(default_factory=list[int])
    seen: str = ""


def _render(value: Overview, room: int) -> Filled:
    """Say what stands beside each picture, long captions cut to a fair share."""
    (question, *places), cut = share([value.question, *value.places], room)
    left_out = f"{value.left_out} more had no place on the sheets." if value.left_out else ""
    return Filled(
        {
            "question": inert(question),
            "pictures": "\n".join(f"[{number}] {inert(place)}" for number, place in enumerate(places, start=1)),
            "left_out": left_out,
        },
        pictures=value.sheets,
        left_out=cut,
    )


def _rule(value: Overview) -> Chosen:
    """Choose those beside which most words of the question stand; none where no word does."""
    wanted = set(analyze(value.question))
    shared = [len(wanted.intersection(analyze(place))) for place in value.places]
    most = max(shared, default=0)
    return Chosen(numbers=[at for at, count in enumerate(shared, start=1) if count == most > 0])


def _check(value: Overview, reply: Chosen) -> Chosen:
    """Keep the numbers that were shown, each once."""
    known = [number for number in dict.fromkeys(reply.numbers) if 1 <= number <= len(value.places)]
    if reply.numbers and not known:
        raise ValueError(f'"numbers" has none of the numbers on the sheets, 1 to {len(value.places)}.')
    return Chosen(numbers=known, seen=on_one_line(reply.seen)[:_LONGEST_SEEN])


CHOOSE_PICTURES: Decision[Overview, Chosen] = Decision(
    name="choose_pictures",
    version="2",
    template=Template.beside(__file__),
    output=Chosen,
    render=_render,
    rule=_rule,
    check=_check,
    role="vision",
    max_output_tokens=500,
)

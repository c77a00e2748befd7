"""Answer a question from pictures of pages, figures, charts and tables, naming those the answer stands on (DMAP).

Its rule answers nothing: who does not see leaves the question to those who read.
"""

from __future__ import annotations

import dataclasses

from pydantic import BaseModel, ConfigDict, Field

from octavo.decisions.answer_from_evidence import Seen, without_preface
from octavo.decisions.engine import Decision, Filled, Template, inert, share


@dataclasses.dataclass(frozen=True, slots=True)
class Looking:
    """A question and the pictures to answer it from, best first; they are numbered from 1."""

    question: str
    pictures: tuple[Seen, ...]


class PictureReply(BaseModel):
    """An answer and the numbers of the pictures it stands on, or that there is none."""

    model_config = ConfigDict(json_schema_extra={"required": ["used", "seen", "answerable", "answer"]})

    used: list[int] = Field(default_factory=list[int])
    answerable: bool
    answer: str = ""
    seen: str = ""
    """What the pictures show of it, in a sentence or two, also where they do not settle it."""


def _render(value: Looking, room: int) -> Filled:
    """Say what each picture is of; long captions are shortened to a fair share."""
    (question, *places), cut = share([value.question, *(seen.where for seen in value.pictures)], room)
    shown = "\n".join(f"[{number}] {inert(place)}" for number, place in enumerate(places, start=1))
    return Filled(
        {"question": inert(question), "pictures": shown},
        pictures=tuple(seen.picture for seen in value.pictures),
        left_out=cut,
    )


def _rule(_value: Looking) -> PictureReply:
    return PictureReply(answerable=False)


def _check(value: Looking, reply: PictureReply) -> PictureReply:
    """Keep the numbers of pictures that were shown; where none is named all of them are meant."""
    if not reply.answerable:
        return PictureReply(used=_used(value, reply), answerable=False, seen=without_preface(reply.seen))
    if not reply.answer.strip():
        raise ValueError('"answerable" is true but "answer" is empty.')
    used = _used(value, reply) or list(range(1, len(value.pictures) + 1))
    return reply.model_copy(update={"answer": reply.answer.strip(), "seen": without_preface(reply.seen), "used": used})


def _used(value: Looking, reply: PictureReply) -> list[int]:
    return [number for number in dict.fromkeys(reply.used) if 1 <= number <= len(value.pictures)]


ANSWER_FROM_PICTURES: Decision[Looking, PictureReply] = Decision(
    name="answer_from_pictures",
    version="2",
    template=Template.beside(__file__),
    output=PictureReply,
    render=_render,
    rule=_rule,
    check=_check,
    role="vision",
    max_output_tokens=400,
)

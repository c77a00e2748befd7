"""What one picture shows that bears on a question, for whoever answers it (MMRAG-DocQA, equation 14).

Its rule notes nothing: who does not see leaves the question to those who read.
"""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator

from octavo.decisions.answer_from_evidence import Seen
from octavo.decisions.engine import Decision, Filled, Template, inert, shorten
from octavo.models.language import estimate_tokens
from octavo_documents.text.lines import on_one_line


@dataclasses.dataclass(frozen=True, slots=True)
class PictureQuestion:
    """A question and the picture that is looked at for it, with its page and caption (equation 14)."""

    question: str
    seen: Seen


def _as_text(value: Any) -> Any:
    return "" if value is None else value


class PictureNote(BaseModel):
    """What bears on the question, "" where nothing does."""

    evidence: Annotated[str, BeforeValidator(_as_text)]


def _render(value: PictureQuestion, room: int) -> Filled:
    question, cut = shorten(value.question, room - estimate_tokens(value.seen.where))
    told = {"question": inert(question), "where": inert(value.seen.where)}
    return Filled(told, pictures=(value.seen.picture,), left_out=int(bool(cut)))


def _rule(_value: PictureQuestion) -> PictureNote:
    return PictureNote(evidence="")


def _check(_value: PictureQuestion, note: PictureNote) -> PictureNote:
    return PictureNote(evidence=on_one_line(note.evidence))


NOTE_PICTURE: Decision[PictureQuestion, PictureNote] = Decision(
    name="note_picture",
    version="3",
    template=Template.beside(__file__),
    output=PictureNote,
    render=_render,
    rule=_rule,
    check=_check,
    role="vision",
    max_output_tokens=300,
)

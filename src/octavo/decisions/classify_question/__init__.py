"""How far a question reaches (one place, many, the whole document) and what its answer stands in."""

from __future__ import annotations

import dataclasses

from pydantic import BaseModel

from octavo.decisions.classify_question import rule
from octavo.decisions.classify_question.rule import Modality, Reach
from octavo.decisions.engine.base import Decision, Filled
from octavo.decisions.engine.fitting import shorten
from octavo.decisions.engine.prompt import Template, inert


@dataclasses.dataclass(frozen=True, slots=True)
class ClassifyInput:
    """A question, as typed."""

    question: str


class QuestionClass(BaseModel):
    """Where an answer has to be looked for."""

    reach: Reach
    modality: Modality


def _render(value: ClassifyInput, room: int) -> Filled:
    question, cut = shorten(value.question, room)
    return Filled({"question": inert(question)}, left_out=int(bool(cut)))


def _rule(value: ClassifyInput) -> QuestionClass:
    return QuestionClass(reach=rule.reach(value.question), modality=rule.modality(value.question))


CLASSIFY_QUESTION: Decision[ClassifyInput, QuestionClass] = Decision(
    name="classify_question",
    version="1",
    template=Template.beside(__file__),
    output=QuestionClass,
    render=_render,
    rule=_rule,
    max_output_tokens=64,
)

__all__ = ["CLASSIFY_QUESTION", "ClassifyInput", "Modality", "QuestionClass", "Reach"]

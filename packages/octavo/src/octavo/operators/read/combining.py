"""One answer made of several by a decision: what it says, and which of them it stands on."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from octavo.decisions.combine_answers import COMBINE_ANSWERS, CombineInput, PartAnswer
from octavo.evidence import Answer, AnswerFormat
from octavo.evidence.answer_shapes import Value
from octavo.operators.core import Run
from octavo.operators.extractive.short_answers import typed_answer


@dataclasses.dataclass(frozen=True)
class OneOfSeveral:
    """What is said of several answers together, its value, and the answers that it stands on, one or more."""

    text: str
    value: Value
    format: AnswerFormat
    used: tuple[Answer, ...]


def combine(
    parts: Sequence[PartAnswer], answers: Sequence[Answer], using: Run, *, synthesis: tuple[str, ...] = ()
) -> OneOfSeveral | None:
    """Return what a decision makes of answers, which it is shown as `parts`; None when they settle nothing.

    `synthesis` are the questions that say how parts go together.
    """
    question = using.query.question
    made = using.judge.decide(COMBINE_ANSWERS, CombineInput(question, tuple(parts), synthesis)).output
    used = tuple(answers[number - 1] for number in made.used)
    if not made.answerable or not used:
        return None
    return OneOfSeveral(made.answer, *typed_answer(question, made.answer), used)

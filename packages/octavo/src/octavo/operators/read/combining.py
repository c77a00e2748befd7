"""One answer made of several by a decision: what it says, and which of them it stands on."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from itertools import chain

from octavo.decisions.combine_answers import COMBINE_ANSWERS, CombineInput, PartAnswer
from octavo.evidence import Answer, AnswerFormat, Evidence, Outcome
from octavo.evidence.answer_shapes import Value
from octavo.operators.core import Run
from octavo.operators.extractive.extractive_reader import nothing
from octavo.operators.extractive.short_answers import typed_answer
from octavo.operators.read.in_part import IN_PART
from octavo_documents.wording import t


@dataclasses.dataclass(frozen=True)
class OneOfSeveral:
    """What is said of several answers together, its value, and the answers that it stands on, one or more.

    Where it is not `is_whole`, that is what is known in part, and `missing` is what any of the answers misses.
    """

    text: str
    value: Value
    format: AnswerFormat
    used: tuple[Answer, ...]
    is_whole: bool = True
    missing: tuple[str, ...] = ()

    def in_part(self, question: str, evidence: Evidence) -> Answer:
        """Return it as what is known in part, with the passages that it stands on and what is missing."""
        passages = dict.fromkeys(chain.from_iterable(one.passages for one in self.used))
        return dataclasses.replace(
            nothing(question, evidence),
            outcome=Outcome.PASSAGES,
            text=f"{t(IN_PART)}{self.text}",
            format=AnswerFormat.NONE,
            passages=tuple(passages),
            missing=self.missing,
            known=self.text,
        )


def combine(
    parts: Sequence[PartAnswer], answers: Sequence[Answer], using: Run, *, synthesis: tuple[str, ...] = ()
) -> OneOfSeveral | None:
    """Return what a decision makes of answers, which it is shown as `parts`; None when they settle nothing.

    `synthesis` are the questions that say how parts go together. No model is asked about parts that say nothing.
    """
    question = using.query.question
    if using.judge.has_model(COMBINE_ANSWERS.name) and not any(part.is_known for part in parts):
        return None
    made = using.judge.decide(COMBINE_ANSWERS, CombineInput(question, tuple(parts), synthesis)).output
    used = tuple(answers[number - 1] for number in made.used)
    if not made.answer or not used:
        return None
    return OneOfSeveral(made.answer, *typed_answer(question, made.answer), used, made.answerable, missing_of(answers))


def missing_of(answers: Sequence[Answer]) -> tuple[str, ...]:
    """Return what any of some answers misses, each once."""
    return tuple(dict.fromkeys(chain.from_iterable(one.missing for one in answers)))

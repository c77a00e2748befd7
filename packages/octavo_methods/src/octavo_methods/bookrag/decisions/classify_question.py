"""Which of three kinds a question is: single-hop, multi-hop or global (BookRAG section 5.2, Table 2, Figure 10)."""

from __future__ import annotations

import dataclasses
from typing import Annotated

from pydantic import BaseModel, BeforeValidator

from octavo.decisions.engine import Decision, Template, question_alone
from octavo.question import understand
from octavo_methods.bookrag.decisions.plan_question import Category, plain_category


@dataclasses.dataclass(frozen=True, slots=True)
class ClassifyInput:
    """A question, as typed."""

    question: str


class QuestionClass(BaseModel):
    """The kind of a question."""

    category: Annotated[Category, BeforeValidator(plain_category)]


def _rule(value: ClassifyInput) -> QuestionClass:
    return QuestionClass.model_validate({"category": understand(value.question).reach.value})


CLASSIFY_QUESTION: Decision[ClassifyInput, QuestionClass] = Decision(
    name="classify_question",
    version="1",
    finds=True,
    template=Template.beside(__file__),
    output=QuestionClass,
    render=question_alone,
    rule=_rule,
    max_output_tokens=60,
)

"""A complex question as questions to look up and questions that put these together (BookRAG equation 2, Figure 11).

It is asked only of a question that is known to be complex. Whether one should be split at all is for
`decompose_question`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field

from octavo.decisions.engine import Decision, Template, question_alone
from octavo.question import understand
from octavo_methods.bookrag.decisions.decompose_question import DecomposeInput, tidied


def _plain(value: Any) -> Any:
    return str(value).strip().lower()


class SubQuestion(BaseModel):
    """One question, and whether it is looked up or answered from what the others found."""

    question: str
    type: Annotated[Literal["retrieval", "synthesis"], BeforeValidator(_plain)]


class SubQuestions(BaseModel):
    """The questions that a complex one comes apart into."""

    sub_questions: list[SubQuestion] = Field(min_length=1)

    @property
    def retrieval(self) -> tuple[str, ...]:
        """What is looked up, each once."""
        return self._of("retrieval")

    @property
    def synthesis(self) -> tuple[str, ...]:
        """What puts the answers together."""
        return self._of("synthesis")

    def _of(self, type_: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.question.strip() for one in self.sub_questions if one.type == type_))


def _rule(value: DecomposeInput) -> SubQuestions:
    """Take apart what the words of a question say comes apart, as for any question; else it stays whole."""
    question = understand(value.question)
    found = tidied(value.question, list(question.parts), list(question.synthesis))
    parts = [SubQuestion(question=one, type="retrieval") for one in found.retrieval_questions]
    together = [SubQuestion(question=one, type="synthesis") for one in found.synthesis_questions]
    return SubQuestions(sub_questions=[*parts, *together])


def _check(value: DecomposeInput, output: SubQuestions) -> SubQuestions:
    """Drop blanks. Raises ValueError where nothing is left to look up, though something is asked."""
    kept = [one for one in output.sub_questions if one.question.strip() or not value.question.strip()]
    checked = output.model_copy(update={"sub_questions": kept})
    if not checked.retrieval:
        raise ValueError('sub_questions: give at least one of type "retrieval"')
    return checked


DECOMPOSE_COMPLEX: Decision[DecomposeInput, SubQuestions] = Decision(
    name="decompose_complex",
    version="1",
    finds=True,
    template=Template.beside(__file__),
    output=SubQuestions,
    render=question_alone,
    rule=_rule,
    check=_check,
    max_output_tokens=600,
)

__all__ = ["DECOMPOSE_COMPLEX", "DecomposeInput", "SubQuestion", "SubQuestions"]

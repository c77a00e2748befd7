"""A question that needs several places, as questions that one place each answers, and how to put these together."""

from __future__ import annotations

import dataclasses

from pydantic import BaseModel, ConfigDict, Field

from octavo.decisions.engine import Decision, Template, question_alone
from octavo.question import understand
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.lines import on_one_line

_MOST = 6


@dataclasses.dataclass(frozen=True, slots=True)
class DecomposeInput:
    """A question, as typed: what `decompose_question` and `decompose_complex` are both about."""

    question: str


class Decomposition(BaseModel):
    """One retrieval question and no synthesis means: not to be split."""

    model_config = ConfigDict(json_schema_extra={"required": ["retrieval_questions", "synthesis_questions"]})

    retrieval_questions: list[str] = Field(min_length=1)
    """Each found by its own words; none needs the answer of another."""
    synthesis_questions: list[str] = Field(default_factory=list[str])
    """Answered from the answers to the others, without looking anything up."""


def tidied(question: str, retrieval: list[str], synthesis: list[str]) -> Decomposition:
    """Return parts without blanks and repeats; fewer than two to look up mean that the question stays whole."""
    asked = list({on_one_line(part.casefold()): part.strip() for part in retrieval if part.strip()}.values())
    if len(asked) < 2:
        return Decomposition(retrieval_questions=[question])
    together = [part.strip() for part in synthesis if part.strip() and part not in asked]
    return Decomposition(retrieval_questions=asked[:_MOST], synthesis_questions=(together or [question])[:_MOST])


def _rule(value: DecomposeInput) -> Decomposition:
    question = understand(value.question)
    return tidied(value.question, list(question.parts), list(question.synthesis))


def _check(value: DecomposeInput, output: Decomposition) -> Decomposition:
    """Raise ValueError for parts that share no word with the question: they ask something else."""
    check_parts(value.question, output.retrieval_questions)
    return tidied(value.question, output.retrieval_questions, output.synthesis_questions)


def check_parts(question: str, parts: list[str]) -> None:
    """Raise ValueError, in words for a model, when a part is not about what the question asks."""
    terms = understand(question).asked
    strange = [part for part in parts if terms and part.strip() and terms.isdisjoint(analyze(part))]
    if strange:
        raise ValueError(f"retrieval_questions: {strange[0]!r} is not about the question; keep the question's words")


DECOMPOSE_QUESTION: Decision[DecomposeInput, Decomposition] = Decision(
    name="decompose_question",
    version="2",
    finds=True,
    template=Template.beside(__file__),
    output=Decomposition,
    render=question_alone,
    rule=_rule,
    check=_check,
    max_output_tokens=320,
)

__all__ = ["DECOMPOSE_QUESTION", "DecomposeInput", "Decomposition"]

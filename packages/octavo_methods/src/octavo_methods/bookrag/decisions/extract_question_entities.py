"""The names and terms a question is about, to be found in a graph of entities or in an index."""

from __future__ import annotations

import dataclasses

from pydantic import BaseModel, ConfigDict, Field

from octavo.decisions.engine import Decision, Template, question_alone
from octavo.question import understand
from octavo_documents.text.names import caseless

_MOST = 20


@dataclasses.dataclass(frozen=True, slots=True)
class EntitiesInput:
    """A question, as typed."""

    question: str


class QuestionEntities(BaseModel):
    """What the question is about, in its own words. `names` holds names and, where there are none, content phrases."""

    model_config = ConfigDict(json_schema_extra={"required": ["names", "acronyms"]})

    names: list[str] = Field(default_factory=list[str])
    acronyms: list[str] = Field(default_factory=list[str])
    quoted: list[str] = Field(default_factory=list[str])
    """What stands in quotation marks, without them."""

    @property
    def all(self) -> tuple[str, ...]:
        """Every entity once, quoted words first, then names, then acronyms."""
        kept: dict[str, str] = {}
        for name in (*self.quoted, *self.names, *self.acronyms):
            kept.setdefault(name.casefold(), name)
        return tuple(kept.values())


def _rule(value: EntitiesInput) -> QuestionEntities:
    question = understand(value.question)
    named = [name for name in question.names if name not in question.acronyms]
    if not (named or question.acronyms or question.quoted):
        # A phrase that goes over words of how to answer is none that the question has.
        named = [phrase for phrase in question.phrases if caseless(phrase) in caseless(value.question)]
    return QuestionEntities(
        names=named[:_MOST], acronyms=list(question.acronyms[:_MOST]), quoted=list(question.quoted[:_MOST])
    )


def _check(value: EntitiesInput, output: QuestionEntities) -> QuestionEntities:
    """Keep what the question says; quoted words are read by rule. Raises ValueError when nothing is left."""
    asked = caseless(value.question)
    names = [name for name in output.names if name.strip() and caseless(name) in asked]
    acronyms = [name for name in output.acronyms if name.strip() and caseless(name) in asked]
    checked = QuestionEntities(
        names=list(dict.fromkeys(names))[:_MOST],
        acronyms=list(dict.fromkeys(acronyms))[:_MOST],
        quoted=list(understand(value.question).quoted[:_MOST]),
    )
    if not checked.all and _rule(value).all:
        raise ValueError("names: give at least one name or term, copied exactly from the question")
    return checked


EXTRACT_QUESTION_ENTITIES: Decision[EntitiesInput, QuestionEntities] = Decision(
    name="extract_question_entities",
    version="2",
    finds=True,
    template=Template.beside(__file__),
    output=QuestionEntities,
    render=question_alone,
    rule=_rule,
    check=_check,
    max_output_tokens=200,
)

__all__ = ["EXTRACT_QUESTION_ENTITIES", "EntitiesInput", "QuestionEntities"]

"""What a question points at by name or place: pages, figures, tables, sections, appendices, also relative ones.

The grammar reads nearly all of them; a model is worth asking only where `Question.is_settled` says no.
"""

from __future__ import annotations

import dataclasses
import re

from pydantic import BaseModel, Field

from octavo.decisions.engine import Decision, Template, question_alone
from octavo.question import Reference, understand
from octavo_documents.text.names import caseless
from octavo_documents.text.things import NAMES, What, canonical

_MOST = 40


@dataclasses.dataclass(frozen=True, slots=True)
class LocateInput:
    """A question, as typed."""

    question: str


class Located(BaseModel):
    """The references in order of mention; none is a common and good answer."""

    references: list[Reference] = Field(default_factory=list[Reference])


def _rule(value: LocateInput) -> Located:
    return Located(references=list(understand(value.question).references[:_MOST]))


def _check(value: LocateInput, output: Located) -> Located:
    """Keep what the grammar reads, and of the model's references those in words of the question not read yet."""
    rest = caseless(understand(value.question).without_references)
    said = [one for one in output.references if one.words.strip() and caseless(one.words) in rest]
    new = [_plain(one) for one in said if _says(one.words, one.what)]
    usable = [one for one in new if one.number or one.position or one.title or one.anchor]
    return Located(references=[*understand(value.question).references, *usable][:_MOST])


def _says(words: str, what: What) -> bool:
    """Return whether words hold a name of what they are said to point at."""
    return any(re.fullmatch(NAMES[what], word.strip(",;:()"), re.IGNORECASE) for word in words.split())


def _plain(reference: Reference) -> Reference:
    """Return a reference without numbers and titles that its own words do not have."""
    words = {canonical(word.strip(",;:()")) for word in reference.words.split()}
    number, to = (one if (one := canonical(given)) in words else "" for given in (reference.number, reference.to))
    return dataclasses.replace(
        reference,
        number=number,
        to=to if number else "",
        count=max(1, reference.count),
        title=reference.title if caseless(reference.title) in caseless(reference.words) else "",
    )


LOCATE_REFERENCES: Decision[LocateInput, Located] = Decision(
    name="locate_references",
    version="2",
    finds=True,
    template=Template.beside(__file__),
    output=Located,
    render=question_alone,
    rule=_rule,
    check=_check,
    max_output_tokens=400,
)

__all__ = ["LOCATE_REFERENCES", "LocateInput", "Located"]

"""Answer a question in a few words of one passage, or say that the passage does not state it.

Small models read one short passage far better than many, and reply in plain words better than in JSON. How likely they
began their reply as they did tells how sure they are: beside each other stand an answer and "not stated".

The prompt is as bare as can be: with the words that open every other one, and tags around the passage, the 1.5b was
right less often (docs/tried.md). What a passage may say in it is bounded by what is taken: words of that passage.
"""

from __future__ import annotations

import dataclasses
import re

from pydantic import BaseModel

from octavo.decisions.engine import Decision, Filled, Template, inert, shorten
from octavo.models.language import estimate_tokens
from octavo_documents.text.lines import on_one_line

_LONGEST_QUESTION = 400
"""Tokens of a question."""
_MOST_WORDS = 50
_ASKING = re.compile(r"^\W*question\W*:", re.IGNORECASE | re.MULTILINE)
"""A line of a passage that could be taken for the question below it."""
_NOT_STATED = re.compile(
    r"\b(?:no|not|cannot)\b(?: \w+){0,3}? (?:stat|specif|mention|provid|giv|said|say|tell|told|indicat|known|availab)"
    r"|n['’]t (?:\w+ )?(?:stat|specif|mention|provid|giv|say|tell|indicat|know)"
    r"|^\W*(?:none|n/?a|unknown)\W*$",
    re.IGNORECASE,
)
"""How a reply says that there is no answer."""


@dataclasses.dataclass(frozen=True, slots=True)
class PassageRead:
    """A question and the passage to answer it from; `where` is the document and the section it stands in."""

    question: str
    passage: str
    where: str = ""


class InWords(BaseModel):
    """An answer in words of the passage, "" where it is not stated there."""

    answer: str = ""


def render(value: PassageRead, room: int) -> Filled:
    """Show the passage, shortened where it does not fit."""
    question = shorten(value.question, _LONGEST_QUESTION)[0]
    passage, cut = shorten(value.passage, max(1, room - estimate_tokens(question) - estimate_tokens(value.where)))
    shown = _ASKING.sub("Q:", f"{value.where}\n{passage}")
    return Filled({"question": inert(on_one_line(question)), "passage": inert(shown)}, left_out=int(bool(cut)))


def in_words(text: str) -> InWords:
    """Return a reply in plain words, of which "not stated" is none."""
    said = on_one_line(text).strip("\"'“”` ")
    return InWords(answer="" if _NOT_STATED.search(said) else said)


def check(value: PassageRead, output: InWords) -> InWords:
    """Take a few words. Raises ValueError, in words for the model, for a reply that goes on and on."""
    if len(output.answer.split()) > _MOST_WORDS:
        raise ValueError('Answer with a few words copied from the text, or with "not stated".')
    return output


ANSWER_FROM_PASSAGE = Decision(
    name="answer_from_passage",
    version="1",
    template=Template.beside(__file__, is_bare=True),
    output=InWords,
    render=render,
    check=check,
    read=in_words,
    is_plain=True,
    max_output_tokens=80,
)

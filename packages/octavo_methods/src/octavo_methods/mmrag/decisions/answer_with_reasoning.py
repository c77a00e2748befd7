"""Reason over pages, picture notes and overviews, then give a typed value (MMRAG-DocQA, answer generation, eq. 17).

Its rule is the extractive reader, which needs the view and so is handed in by the operator that asks.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from octavo.decisions.answer_from_evidence import (
    ABOUT,
    Shown,
    Support,
    about_lines,
    one_sentence,
    phrases,
    shown_in,
    supported,
    without_preface,
)
from octavo.decisions.engine import Decision, Filled, Template, first_that_fit, inert, share
from octavo.evidence import AnswerFormat
from octavo.models.language import estimate_tokens

_FORMATS = {form.value.lower(): form.value for form in AnswerFormat} | {
    "string": "Str", "text": "Str", "integer": "Int", "number": "Float", "percentage": "Float", "": "Str",
}  # fmt: skip
_NONE = "none"
_PAGES_NAMED = 3
"""Pages named first that a reply without passages is taken to rest on."""
_PAGE = re.compile(r"\bpage (\d+)")


@dataclasses.dataclass(frozen=True, slots=True)
class ReasoningInput:
    """A question and what was found for it; passages best first, `pages` the numbers of the pages they stand on."""

    question: str
    passages: tuple[Shown, ...]
    notes: tuple[str, ...] = ()
    """What a look at pictures of the pages told."""
    overviews: tuple[str, ...] = ()
    """Summaries of clusters of passages, nearest to the question first."""
    pages: tuple[int, ...] = ()
    """The type the answer must have; None leaves it to the model."""
    about: str = ""
    """What the passages were taken from."""
    known: str = ""
    """What a reading before came to, which some of the passages are new to."""


def _known_format(value: Any) -> Any:
    return _FORMATS.get(str(value or "").strip().lower(), value)


class Reasoned(BaseModel):
    """The steps, and the answer with what it rests on."""

    model_config = ConfigDict(
        json_schema_extra={"required": ["analysis", "pages", "evidence", "format", "answer", "known", "missing", "why"]}
    )

    analysis: str = ""
    pages: list[int] = Field(default_factory=list[int])
    evidence: list[Support] = Field(default_factory=list[Support])
    format: Annotated[Literal["Str", "Int", "Float", "List", "None"], BeforeValidator(_known_format)]
    answer: str = ""
    known: str = ""
    """Of a question without an answer, the part that is known."""
    missing: list[str] = Field(default_factory=list[str])
    """Phrases to search for; none where the question is answered or no search can help."""
    why: str = ""
    """Of a question that rests on something that is not so, what that is; and what comes nearest to it."""

    @property
    def answerable(self) -> bool:
        """Whether there is an answer."""
        return self.format != "None"


def _render(value: ReasoningInput, room: int) -> Filled:
    """Passages get what question, notes and overviews leave: notes a fifth of the room at most, overviews a fifth."""
    notes, cut_notes = share(value.notes, room // 5)
    overviews, fewer = first_that_fit([f"- {inert(text)}" for text in value.overviews], room // 5)
    around = {
        "about": about_lines(value.about),
        "notes": _section("notes on pictures", [inert(note) for note in notes]),
        "overviews": _section("overviews", overviews),
        "known": _section("known so far", [inert(value.known)] if value.known else []),
        "question": inert(value.question),
    }
    left = room - sum(estimate_tokens(text) for text in around.values())
    passages, left_out = shown_in(value.passages, left)
    return Filled({"passages": passages, **around}, left_out=left_out + fewer + cut_notes)


def _section(name: str, texts: list[str]) -> str:
    return f"<{name}>\n" + "\n".join(texts) + f"\n</{name}>" if texts else ""


def _check(value: ReasoningInput, output: Reasoned) -> Reasoned:
    """Drop pages and passages that were not shown; an answer that rests on none of them is not taken."""
    answer = output.answer.strip()
    if not output.answerable or answer.lower() == _NONE:
        return _unanswered(value, output)
    if not output.answer.strip():
        raise ValueError('"answer" is empty although "format" is not "None": give the value, or the format "None".')
    named = _on_pages(value.passages, output.pages)
    evidence = supported(value.passages, output.evidence, output.answer, among=named, numbers=_numbers(value))
    pages = [page for page in dict.fromkeys(output.pages) if page in value.pages]
    return output.model_copy(update={"evidence": evidence, "pages": pages, "known": "", "missing": [], "why": ""})


def _unanswered(value: ReasoningInput, output: Reasoned) -> Reasoned:
    """Keep what is known and the passages that say so."""
    known = [support for support in output.evidence if support.id in _numbers(value)]
    left = {"known": without_preface(output.known) if known else "", "evidence": known}
    left |= {"missing": phrases(output.missing), "why": one_sentence(output.why)}
    return output.model_copy(update={"format": "None", "answer": "", "pages": [], **left})


def _numbers(value: ReasoningInput) -> set[int]:
    """Return the numbers under which passages and the lines about the document are shown."""
    return {*(shown.number for shown in value.passages), *([ABOUT] if value.about else [])}


def _on_pages(passages: tuple[Shown, ...], pages: list[int]) -> list[Shown]:
    """Return the passages that stand on the pages a reply names first."""
    named = frozenset(pages[:_PAGES_NAMED])
    return [shown for shown in passages if not named.isdisjoint(map(int, _PAGE.findall(shown.where)))]


ANSWER_WITH_REASONING: Decision[ReasoningInput, Reasoned] = Decision(
    name="answer_with_reasoning",
    version="5",
    template=Template.beside(__file__),
    output=Reasoned,
    render=_render,
    check=_check,
    max_output_tokens=900,
)

"""What the four prompts for typed answers share: their input, their reply, and how a reply is checked.

MMRAG-DocQA, equations 17 and 18: retrieved pages, what was noted of pictures, and summaries, in this order; a reply in
four parts, of which the last is a value of the type that is asked for or says that there is no answer.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from octavo.decisions.answer_from_evidence import Shown
from octavo.decisions.engine import Decision, Filled, Template, first_that_fit, inert, share
from octavo.evidence import AnswerFormat
from octavo.models.language import estimate_tokens
from octavo_documents.text.values import values_in

NOT_ANSWERABLE = "Not answerable"
_NO_ANSWER = frozenset({"not answerable", "unanswerable", "not available", "none", "null", "n/a"})


@dataclasses.dataclass(frozen=True, slots=True)
class TypedQuestion:
    """A question with its context: pages, best first, each under its own number; notes on their pictures; summaries.

    `numbers` are those of pages that a reply may name.
    """

    question: str
    pages: tuple[Shown, ...] = ()
    notes: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()


def _as_lines(value: Any) -> Any:
    return "\n".join(map(str, value)) if isinstance(value, list) else value  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def _as_list(value: Any) -> Any:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownVariableType]


def _as_said(value: Any) -> Any:
    """Return what JSON says in words of its own, true, false and null, in those of an answer."""
    if isinstance(value, list):
        return [_as_said(item) for item in value if item is not None]  # pyright: ignore[reportUnknownVariableType]
    if value is None:
        return NOT_ANSWERABLE
    return ("yes" if value else "no") if isinstance(value, bool) else value


Item: TypeAlias = str | int | float
Final: TypeAlias = Item | list[Item | list[Item]]


class TypedReply(BaseModel):
    """The four parts of a reply."""

    model_config = ConfigDict(
        json_schema_extra={"required": ["step_by_step_analysis", "reasoning_summary", "relevant_pages", "final_answer"]}
    )

    step_by_step_analysis: Annotated[str, BeforeValidator(_as_lines)] = ""
    reasoning_summary: Annotated[str, BeforeValidator(_as_lines)] = ""
    relevant_pages: Annotated[list[int], BeforeValidator(_as_list)] = Field(default_factory=list[int])
    final_answer: Annotated[Final, BeforeValidator(_as_said)]

    @property
    def answerable(self) -> bool:
        """Whether there is an answer."""
        return self.final_answer != NOT_ANSWERABLE

    @property
    def items(self) -> list[str]:
        """The answer as texts: those of a list, else the one there is."""
        found = self.final_answer if isinstance(self.final_answer, list) else [self.final_answer]
        return [_text(item) for item in found]


def _text(item: Item | list[Item]) -> str:
    return ", ".join(map(str, item)) if isinstance(item, list) else str(item).strip()


def render(value: TypedQuestion, room: int) -> Filled:
    """Show pages, notes and summaries whole where they fit; else notes and summaries get a fifth of the room each.

    The pages that do not fit are left out from the last on, and counted.
    """
    texts = [f"<page number={page.number}>\n({inert(page.where)})\n{inert(page.text)}\n</page>" for page in value.pages]
    notes, summaries = (list(map(inert, some)) for some in (value.notes, value.summaries))
    left = room - estimate_tokens(value.question)
    if sum(estimate_tokens(text) + 4 for text in (*texts, *notes, *summaries)) > left:
        notes, summaries = share(notes, left // 5)[0], share(summaries, left // 5)[0]
    told = {"notes": _section("picture_notes", notes), "summaries": _section("summaries", summaries)}
    kept, left_out = first_that_fit(texts, left - sum(map(estimate_tokens, told.values())))
    return Filled({"pages": "\n".join(kept), "question": inert(value.question), **told}, left_out=left_out)


def _section(name: str, texts: list[str]) -> str:
    return f"<{name}>\n" + "\n".join(f"- {text}" for text in texts) + f"\n</{name}>" if texts else ""


def typed_decision(name: str, file: str, form: AnswerFormat) -> Decision[TypedQuestion, TypedReply]:
    """Return the decision that asks for an answer of one type, with the prompt beside the file of its module."""
    read = _READERS[form]

    def check(value: TypedQuestion, reply: TypedReply) -> TypedReply:
        """Drop pages that were not shown, and read the value; raise ValueError for one that is not of the type."""
        pages = [page for page in dict.fromkeys(reply.relevant_pages) if page in value.numbers]
        final = NOT_ANSWERABLE if _says_none(reply.final_answer) else read(reply)
        return reply.model_copy(update={"relevant_pages": pages, "final_answer": final})

    return Decision(
        name=name,
        version="2",
        template=Template.beside(file),
        output=TypedReply,
        render=render,
        check=check,
        max_output_tokens=1_400,
    )


def _says_none(final: Final) -> bool:
    items = final if isinstance(final, list) else [final]
    told = [str(item).strip(" .'\"").lower() for item in items]
    return not told or (len(told) == 1 and told[0] in _NO_ANSWER)


def _string(reply: TypedReply) -> Final:
    text = "; ".join(reply.items)
    if not text:
        raise ValueError(f'"final_answer" is empty: give the words of the answer, or "{NOT_ANSWERABLE}".')
    return text


def _integer(reply: TypedReply) -> Final:
    """Return a number rounded to the nearest whole one, halves away from 0; it is written out where it is scaled."""
    if any(value.is_scaled for value in values_in("; ".join(reply.items))):
        raise ValueError(
            f'"final_answer" is to be written out in digits, without a word for the scale, or "{NOT_ANSWERABLE}".'
        )
    number = _number(reply)
    return int(math.copysign(math.floor(abs(number) + 0.5), number))


def _float(reply: TypedReply) -> Final:
    """Return a number as it was said, which keeps the decimals it was printed with."""
    _number(reply)
    return reply.items[0]


def _number(reply: TypedReply) -> float:
    if isinstance(reply.final_answer, (int, float)):
        return reply.final_answer
    found = [value.number for value in values_in("; ".join(reply.items)) if value.number is not None]
    if len(found) != 1:
        raise ValueError(f'"final_answer" is not one number: give the number alone, or "{NOT_ANSWERABLE}".')
    return found[0]


def _list(reply: TypedReply) -> Final:
    final = reply.final_answer
    items = [part.strip() for part in final.split(";")] if isinstance(final, str) else reply.items
    items = [item for item in items if item]
    if not items:
        raise ValueError(f'"final_answer" has no item: give the items, or "{NOT_ANSWERABLE}".')
    return [*items]


_READERS: Mapping[AnswerFormat, Callable[[TypedReply], Final]] = {
    AnswerFormat.STR: _string,
    AnswerFormat.INT: _integer,
    AnswerFormat.FLOAT: _float,
    AnswerFormat.LIST: _list,
}

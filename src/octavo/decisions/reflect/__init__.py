"""Whether a draft answer is complete given the evidence it was drawn from, and what to look for if it is not (DMAP)."""

from __future__ import annotations

import dataclasses

from pydantic import BaseModel, ConfigDict, Field

from octavo.decisions.engine.base import Decision, Filled
from octavo.decisions.engine.fitting import first_that_fit, share, shorten
from octavo.decisions.engine.prompt import Template, inert
from octavo.decisions.reflect import rule

_MOST = 5


@dataclasses.dataclass(frozen=True, slots=True)
class ReflectInput:
    """A question, a draft answer, the texts it was drawn from, and titles of sections that were not looked at yet."""

    question: str
    answer: str
    evidence: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    is_answerable: bool = True
    """False when the draft says that the question cannot be answered."""


class Reflection(BaseModel):
    """The verdict. `look_for` and `look_in` are empty for a complete answer."""

    model_config = ConfigDict(json_schema_extra={"required": ["missing", "is_complete", "look_for"]})

    missing: str = ""
    """What is missing, in one sentence; "" for nothing."""
    is_complete: bool
    look_for: list[str] = Field(default_factory=list[str])
    """Words or questions to search for, best first."""
    look_in: list[str] = Field(default_factory=list[str])
    """Titles of the input, or places the question names, best first."""


def _render(value: ReflectInput, room: int) -> Filled:
    """Share the room: a sixth for the question, a sixth for the draft, a sixth for titles, half for the evidence."""
    question, cut = shorten(value.question, room // 6)
    answer, cut_answer = shorten(value.answer, room // 6)
    titles, fewer = first_that_fit([f"- {title}" for title in value.titles], room // 6)
    evidence, shortened = share(value.evidence, room // 2)
    given = {
        "question": inert(question),
        "answer": inert(answer) if value.is_answerable else "It cannot be answered from the evidence.",
        "evidence": inert("\n\n".join(evidence)) or "(none)",
        "titles": inert("\n".join(titles)) or "(none)",
    }
    return Filled(given, left_out=bool(cut) + bool(cut_answer) + fewer + shortened)


def _rule(value: ReflectInput) -> Reflection:
    lacking = rule.missing(value.question, value.answer, value.evidence, is_answerable=value.is_answerable)
    if not lacking:
        return Reflection(is_complete=True)
    places = rule.where(value.question, value.titles)
    said = f"Nothing was found about: {'; '.join(lacking)}"
    return Reflection(missing=said, is_complete=False, look_for=lacking[:_MOST], look_in=places[:_MOST])


def _check(value: ReflectInput, output: Reflection) -> Reflection:
    """Bring the parts of a verdict in line; places that were not shown are dropped."""
    if output.is_complete and value.is_answerable:
        return Reflection(is_complete=True)
    own = _rule(value)
    known = {" ".join(title.casefold().split()): title for title in (*value.titles, *own.look_in)}
    places = [known[key] for one in output.look_in if (key := " ".join(one.casefold().split())) in known]
    wanted = [text.strip() for text in output.look_for if text.strip()]
    if not wanted:
        wanted = own.look_for or [value.question]
    return Reflection(
        missing=output.missing or own.missing,
        is_complete=False,
        look_for=list(dict.fromkeys(wanted))[:_MOST],
        look_in=list(dict.fromkeys(places))[:_MOST] or own.look_in,
    )


REFLECT: Decision[ReflectInput, Reflection] = Decision(
    name="reflect",
    version="1",
    template=Template.beside(__file__),
    output=Reflection,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=256,
)

__all__ = ["REFLECT", "ReflectInput", "Reflection"]

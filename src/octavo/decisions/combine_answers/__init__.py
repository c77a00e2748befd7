"""One answer out of several: those to the parts of a question, or several readers' answers to the same question."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from octavo.decisions.combine_answers import rule
from octavo.decisions.combine_answers.part import CombineInput, PartAnswer
from octavo.decisions.engine.base import Decision, Filled
from octavo.decisions.engine.fitting import share, shorten
from octavo.decisions.engine.prompt import Template, inert
from octavo.models.language import estimate_tokens

_PART_OVERHEAD = 24
_NONE = "(no answer found)"


class CombinedAnswer(BaseModel):
    """An answer and the numbers, from 1, of the parts it stands on; none when the parts do not settle the question."""

    model_config = ConfigDict(json_schema_extra={"required": ["used", "answerable", "answer"]})

    used: list[int] = Field(default_factory=list[int])
    answerable: bool
    answer: str = ""


def _render(value: CombineInput, room: int) -> Filled:
    """Show every part, the longest shortened first: an answer that is missing cannot be combined."""
    question, cut = shorten(value.question, room // 4)
    synthesis = "\n".join(one for one in value.synthesis if one.strip() != value.question.strip())
    left = room - estimate_tokens(question) - estimate_tokens(synthesis) - _PART_OVERHEAD * len(value.parts)
    texts = [f"{part.label}\n{part.answer if part.answerable else _NONE}" for part in value.parts]
    fitted, shortened = share(texts, max(left, 0))
    parts = [f"<part id={number}>\n{inert(text)}\n</part>" for number, text in enumerate(fitted, start=1)]
    return Filled(
        {"question": inert(question), "synthesis": inert(synthesis) or "(none)", "parts": "\n".join(parts)},
        left_out=shortened + bool(cut),
    )


def _rule(value: CombineInput) -> CombinedAnswer:
    answer, used = rule.combine(value)
    return CombinedAnswer(answerable=bool(used), answer=answer, used=used)


def _check(value: CombineInput, output: CombinedAnswer) -> CombinedAnswer:
    """Keep the parts there are and that have an answer. Raises ValueError for an answer without words.

    Where no part has an answer nothing can be combined, whatever the reply says.
    """
    known = [number for number, part in enumerate(value.parts, start=1) if part.answerable]
    if not output.answerable or not known:
        return CombinedAnswer(answerable=False)
    if not output.answer.strip():
        raise ValueError('"answerable" is true but "answer" is empty.')
    used = [number for number in dict.fromkeys(output.used) if number in known]
    return output.model_copy(update={"answer": output.answer.strip(), "used": used or known})


COMBINE_ANSWERS: Decision[CombineInput, CombinedAnswer] = Decision(
    name="combine_answers",
    version="1",
    template=Template.beside(__file__),
    output=CombinedAnswer,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=500,
)

__all__ = ["COMBINE_ANSWERS", "CombineInput", "CombinedAnswer", "PartAnswer"]

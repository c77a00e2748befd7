"""One answer out of several: those to the parts of a question, or several readers' answers to the same question.

The rule goes by the question's words: compare, add, subtract, agree, list, or take the one that is asked for.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Sequence

from pydantic import BaseModel, ConfigDict, Field

from octavo.decisions.answer_from_evidence import without_preface
from octavo.decisions.engine import Decision, Filled, Template, inert, share, shorten
from octavo.models.language import estimate_tokens
from octavo.question import VALUE_KINDS, Expects, Question, understand
from octavo_documents.text.names import normal_form
from octavo_documents.text.values import Value, ValueKind, plain, values_in

_PART_OVERHEAD = 24
_NONE = "(no answer found)"
_SCALES = {
    **dict.fromkeys(("thousand", "k"), 1e3),
    **dict.fromkeys(("million", "mn", "m"), 1e6),
    **dict.fromkeys(("billion", "bn", "b"), 1e9),
    **dict.fromkeys(("trillion", "t"), 1e12),
}
_WORDS = re.compile(r"[\w’'&.%-]+")


@dataclasses.dataclass(frozen=True, slots=True)
class PartAnswer:
    """An answer: `label` is the question it answers, or where it comes from ("text", "picture").

    Where it is not `answerable`, `answer` counts for nothing; `known` is what is known of it in part, "" for nothing,
    and `missing` what is not.
    """

    label: str
    answer: str
    answerable: bool = True
    known: str = ""
    missing: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether it says anything, if only in part."""
        return self.answerable or bool(self.known)

    @property
    def told(self) -> str:
        """What a model is told of it."""
        if self.answerable:
            return self.answer
        if not self.known:
            return _NONE
        return f"in part: {self.known}" + (f" (not known: {'; '.join(self.missing)})" if self.missing else "")


@dataclasses.dataclass(frozen=True, slots=True)
class CombineInput:
    """A question and the answers its own is made of.

    With `synthesis` questions the parts answer different questions, and these say how they go together; without any
    the parts are answers to the question itself, the most trusted first.
    """

    question: str
    parts: tuple[PartAnswer, ...]
    synthesis: tuple[str, ...] = ()


class CombinedAnswer(BaseModel):
    """An answer and the numbers, from 1, of the parts it stands on.

    When the parts do not settle the question it is what is known of it in part, or nothing, which stands on none.
    """

    model_config = ConfigDict(json_schema_extra={"required": ["used", "answerable", "answer"]})

    used: list[int] = Field(default_factory=list[int])
    answerable: bool
    answer: str = ""


_Numbered = tuple[int, PartAnswer]
_Combined = tuple[str, list[int]]


def _render(value: CombineInput, room: int) -> Filled:
    """Show every part, the longest shortened first: an answer that is missing cannot be combined."""
    question, cut = shorten(value.question, room // 4)
    synthesis = "\n".join(one for one in value.synthesis if one.strip() != value.question.strip())
    left = room - estimate_tokens(question) - estimate_tokens(synthesis) - _PART_OVERHEAD * len(value.parts)
    texts = [f"{part.label}\n{part.told}" for part in value.parts]
    fitted, shortened = share(texts, max(left, 0))
    parts = [f"<part id={number}>\n{inert(text)}\n</part>" for number, text in enumerate(fitted, start=1)]
    return Filled(
        {"question": inert(question), "synthesis": inert(synthesis) or "(none)", "parts": "\n".join(parts)},
        left_out=shortened + bool(cut),
    )


def _check(value: CombineInput, output: CombinedAnswer) -> CombinedAnswer:
    """Keep the parts there are and that say something. Raises ValueError for an answer without words.

    Where none does, nothing can be combined, whatever the reply says.
    """
    known = [number for number, part in enumerate(value.parts, start=1) if part.is_known]
    if not known or not (output.answerable or output.answer.strip()):
        return CombinedAnswer(answerable=False)
    if not output.answer.strip():
        raise ValueError('"answerable" is true but "answer" is empty.')
    used = [number for number in dict.fromkeys(output.used) if number in known]
    return output.model_copy(update={"answer": without_preface(output.answer), "used": used or known})


def _rule(value: CombineInput) -> CombinedAnswer:
    answer, used = _combine(value)
    return CombinedAnswer(answerable=bool(used), answer=answer, used=used)


def _combine(value: CombineInput) -> _Combined:
    """Return the answer and the numbers, from 1, of the parts it stands on; no parts where none has an answer."""
    known = [(number, part) for number, part in enumerate(value.parts, start=1) if part.answerable and part.answer]
    if not known:
        return "", []
    if not value.synthesis:
        return _most_said(known)
    asked = understand(" ".join((value.question, *value.synthesis)))
    if len(known) < len(value.parts) and asked.needs_every_part:
        return "", []
    if len(known) < 2:
        return _fitting(value.question, known)
    for read in _READERS:
        found = read(asked, known)
        if found is not None:
            return found, [number for number, _ in known]
    return _fitting(value.question, _asked_for(value.question, known))


def _fitting(question: str, known: Sequence[_Numbered]) -> _Combined:
    """Return the answers as they are; none where a value is asked for and they have none."""
    wants_value = understand(question).expects in VALUE_KINDS
    return _as_said(known) if not wants_value or any(values_in(part.answer) for _, part in known) else ("", [])


def _most_said(known: Sequence[_Numbered]) -> _Combined:
    """Return the answer most parts give, the first of them where several are given equally often."""
    forms = [normal_form(part.answer) for _, part in known]
    best = Counter(forms).most_common(1)[0][0]
    return known[forms.index(best)][1].answer, [
        number for (number, _), form in zip(known, forms, strict=True) if form == best
    ]


def _as_said(known: Sequence[_Numbered]) -> _Combined:
    """Return the answers as they are, each once."""
    distinct = {normal_form(part.answer): part.answer.strip() for _, part in known}
    return "; ".join(distinct.values()), [number for number, _ in known]


def _asked_for(question: str, known: Sequence[_Numbered]) -> Sequence[_Numbered]:
    """Return the parts whose own words are in the question, else the last: one fact leads to another in that order."""
    plain_question = normal_form(question)
    said = [(number, part) for number, part in known if normal_form(part.label) in plain_question]
    return said if len(said) > 1 else known[-1:]


def _difference(asked: Question, known: Sequence[_Numbered]) -> str | None:
    values = _values(known)
    if values is None or len(values) != 2 or not asked.asks_difference:
        return None
    return _written(abs(_amount(values[0]) - _amount(values[1])), values)


def _sum(asked: Question, known: Sequence[_Numbered]) -> str | None:
    values = _values(known)
    if values is None or not asked.asks_sum:
        return None
    return _written(sum(map(_amount, values)), values)


def _same(asked: Question, known: Sequence[_Numbered]) -> str | None:
    """Return whether all parts say the same, where that is asked."""
    if asked.expects is not Expects.YES_NO:
        return None
    forms = {normal_form(part.answer) for _, part in known}
    if forms <= {"yes", "no"}:
        is_so = forms == {"yes"} or (len(forms) == 1 and asked.asks_same)
        return "Yes" if is_so else "No"
    return ("Yes" if len(forms) == 1 else "No") if asked.asks_same else None


def _choice(asked: Question, known: Sequence[_Numbered]) -> str | None:
    """Return what the part with the most or least is about, by the words that only its label has."""
    values = _values(known)
    if values is None or asked.choice is None:
        return None
    amounts = [_amount(value) for value in values]
    best = min(amounts) if asked.choice == "least" else max(amounts)
    if amounts.count(best) > 1:
        return None
    return _own_words(known, amounts.index(best)) or None


_READERS: tuple[Callable[[Question, Sequence[_Numbered]], str | None], ...] = (_difference, _sum, _same, _choice)
"""Tried in order; the first that applies decides."""


def _values(known: Sequence[_Numbered]) -> list[Value] | None:
    """Return the first number in each answer; None when one has none, or when they measure different things."""
    numbers = [[value for value in values_in(part.answer) if value.number is not None][:1] for _, part in known]
    if not all(numbers):
        return None
    first = [found[0] for found in numbers]
    kinds = {ValueKind.NUMBER if value.kind is ValueKind.YEAR else value.kind for value in first}
    return first if len(kinds) == 1 else None


def _amount(value: Value) -> float:
    return (value.number or 0.0) * _SCALES.get(value.unit, 1.0)


def _written(amount: float, values: Sequence[Value]) -> str:
    """Return an amount in the scale and unit that the values share, else without any."""
    unit = values[0].unit if len({value.unit for value in values}) == 1 else ""
    shown = plain(round(amount / _SCALES.get(unit, 1.0), 6))
    after = "%" if values[0].kind is ValueKind.PERCENT else f" {unit}" if unit else ""
    return f"{shown}{after}"


def _own_words(known: Sequence[_Numbered], at: int) -> str:
    """Return the words of one label from the first to the last that no other label has."""
    others = {
        word.casefold() for place, (_, part) in enumerate(known) if place != at for word in _WORDS.findall(part.label)
    }
    words = list(_WORDS.finditer(known[at][1].label))
    own = [place for place, word in enumerate(words) if word.group().casefold() not in others]
    return known[at][1].label[words[own[0]].start() : words[own[-1]].end()] if own else ""


COMBINE_ANSWERS: Decision[CombineInput, CombinedAnswer] = Decision(
    name="combine_answers",
    version="3",
    finds=True,
    template=Template.beside(__file__),
    output=CombinedAnswer,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=500,
)

"""Whether a draft answer is complete given the evidence it was drawn from, and what to look for if it is not (DMAP).

By rule a draft is complete that answers, has all items asked for, and covers what the question names.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from octavo.decisions.engine import Decision, Filled, Template, first_that_fit, inert, share, shorten
from octavo.question import Expects, understand
from octavo_documents.text.analyzer import analyze, coverages
from octavo_documents.text.lines import on_one_line

_MOST = 5
_BETWEEN = re.compile(r"\s*[;\n]\s*|\s*,\s+(?:and\s+)?|\s+and\s+")
_COVERED = 0.5


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
    lacking = _missing(value.question, value.answer, value.evidence, is_answerable=value.is_answerable)
    if not lacking:
        return Reflection(is_complete=True)
    places = where(value.question, value.titles)
    said = f"Nothing was found about: {'; '.join(lacking)}"
    return Reflection(missing=said, is_complete=False, look_for=lacking[:_MOST], look_in=places[:_MOST])


def _check(value: ReflectInput, output: Reflection) -> Reflection:
    """Bring the parts of a verdict in line; places that were not shown are dropped.

    A draft of which nothing is said to be missing is complete: there is nothing to look for.
    """
    is_lacking = bool(output.missing.strip() or any(text.strip() for text in output.look_for))
    if value.is_answerable and (output.is_complete or not is_lacking):
        return Reflection(is_complete=True)
    own = _rule(value)
    known = {on_one_line(title.casefold()): title for title in (*value.titles, *own.look_in)}
    places = [known[key] for one in output.look_in if (key := on_one_line(one.casefold())) in known]
    wanted = [text.strip() for text in output.look_for if text.strip()]
    if not wanted:
        wanted = own.look_for or [value.question]
    return Reflection(
        missing=output.missing or own.missing,
        is_complete=False,
        look_for=list(dict.fromkeys(wanted))[:_MOST],
        look_in=list(dict.fromkeys(places))[:_MOST] or own.look_in,
    )


def _missing(question: str, answer: str, evidence: Sequence[str], *, is_answerable: bool) -> list[str]:
    """Return what is missing, in words to look for; nothing for a complete answer."""
    if not is_answerable or not answer.strip():
        return _sought(question)
    asked = understand(question)
    if asked.expects is Expects.LIST and 0 < len(_items(answer)) < asked.items:
        return [f"{asked.items} {' '.join(asked.subject) or 'items'}"]
    shown = " ".join((answer, *evidence))
    return [*_unnamed(question, shown), *_uncovered(question, shown)]


def _sought(question: str) -> list[str]:
    parts = understand(question).parts
    return list(parts) if len(parts) > 1 else [question]


def _items(answer: str) -> list[str]:
    return [part for part in _BETWEEN.split(answer) if part.strip()]


def _unnamed(question: str, shown: str) -> list[str]:
    """Return the names of the question that stand nowhere in what is shown."""
    terms = set(analyze(shown))
    named = understand(question).named
    return [name for name in named if analyze(name) and not terms.intersection(analyze(name))]


def _uncovered(question: str, shown: str) -> list[str]:
    """Return the parts of a question with several parts whose words are mostly not in what is shown."""
    parts = understand(question).parts
    if len(parts) < 2:
        return []
    return [part for part in parts if coverages(understand(part).terms, [shown])[0] < _COVERED]


def where(question: str, titles: Sequence[str]) -> list[str]:
    """Return the places to look at: those the question names, then sections whose titles have its words, best first."""
    named = [reference.words for reference in understand(question).references]
    shares = coverages(understand(question).terms, titles)
    ranked = sorted((at for at in range(len(titles)) if shares[at] > 0), key=lambda at: (-shares[at], at))
    return list(dict.fromkeys([*named, *(titles[at] for at in ranked)]))


REFLECT: Decision[ReflectInput, Reflection] = Decision(
    name="reflect",
    version="2",
    finds=True,
    template=Template.beside(__file__),
    output=Reflection,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=256,
)

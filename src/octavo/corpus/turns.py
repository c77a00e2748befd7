"""A turn of a conversation: what is kept of a question and its answer, and its JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Self, cast

from octavo.decisions.complete_question import PastTurn
from octavo.document import Answer, Outcome
from octavo.errors import UsageError

_MOST_CITED = 5


@dataclasses.dataclass(frozen=True, slots=True)
class Cited:
    """A place that an answer stood on, or a passage that was shown."""

    document: str
    document_id: str
    page: int
    section: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class Turn:
    """A question, how it was understood, and what came of it."""

    question: str
    understood: str
    """The question that was asked; `question` itself where it stands alone."""
    outcome: Outcome
    answer: str
    """The text of the answer."""
    cited: tuple[Cited, ...] = ()
    about: tuple[str, ...] = ()
    """Ids of the documents the question was about alone ("and in the second report?"); () for all in scope."""
    scope: tuple[str, ...] | None = None
    """The documents in scope, as they were named; None: the whole corpus."""

    @classmethod
    def of(cls, answer: Answer, about: tuple[str, ...], scope: tuple[str, ...] | None) -> Self:
        """Return what is kept of an answer."""
        places = (answer.citations or answer.passages)[:_MOST_CITED]
        return cls(
            answer.question,
            answer.understood or answer.question,
            answer.outcome,
            answer.text,
            tuple(dict.fromkeys(Cited(one.document, one.document_id, one.page, one.section) for one in places)),
            about,
            scope,
        )

    def past(self) -> PastTurn:
        """Return the turn as a later question may speak of it."""
        return PastTurn(
            self.understood,
            self.answer if self.outcome is Outcome.ANSWER else "",
            tuple(dict.fromkeys(", ".join((one.document, *one.section[-1:])) for one in self.cited)),
            tuple(dict.fromkeys(one.document for one in self.cited)),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the turn as JSON values; `understood` only where it differs from the question."""
        return {
            "question": self.question,
            **({"understood": self.understood} if self.understood != self.question else {}),
            "outcome": self.outcome.value,
            "answer": self.answer,
            "cited": [{**dataclasses.asdict(one), "section": [*one.section]} for one in self.cited],
            "about": [*self.about],
            "scope": None if self.scope is None else [*self.scope],
        }

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Return the turn that `to_json` gave. Raises UsageError for anything else."""
        try:
            told = cast("Mapping[str, Any]", value)
            scope = told["scope"]
            return cls(
                _text(told["question"]),
                _text(told.get("understood", told["question"])),
                Outcome(told["outcome"]),
                _text(told["answer"]),
                tuple(
                    Cited(_text(one["document"]), _text(one["document_id"]), int(one["page"]), _texts(one["section"]))
                    for one in told["cited"]
                ),
                _texts(told["about"]),
                None if scope is None else _texts(scope),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as wrong:
            raise UsageError(f"this is no turn of a conversation: {wrong}") from wrong


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _texts(values: list[object]) -> tuple[str, ...]:
    return tuple(_text(value) for value in values)

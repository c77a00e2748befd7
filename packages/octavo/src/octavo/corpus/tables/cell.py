"""A cell of a table of answers: what was found in one document for one question, or what a person put in its place."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import Literal, TypeAlias, cast

from typing_extensions import TypedDict

from octavo.errors import CorpusError
from octavo.evidence import Answer
from octavo.evidence.answer_shapes import CitationShape, OutcomeName, PassageShape, Value
from octavo.evidence.labels import written_by_model

CellBy: TypeAlias = Literal["rule", "model", "hand"]
"""Who filled a cell: the rules, a model, or a person."""
CORRECTED = "corrected by hand"
"""How a cell that a person filled came about."""
_PLACES = 3
"""Citations and passages of a cell that are kept, at most."""


class AnswerCellFields(TypedDict):
    """All of a cell but its places. `text` is the answer, "" where there is none: with the outcome `passages` there are
    passages to choose from, with `nothing` the document does not state it. `found` is the text that a person replaced.
    """

    outcome: OutcomeName
    text: str
    value: Value
    label: str
    by: CellBy
    lead: str
    found: str


class AnswerCellShape(AnswerCellFields):
    """A cell as JSON has it: what it says, what that stands on, and passages that fit."""

    citations: list[CitationShape]
    passages: list[PassageShape]


@dataclasses.dataclass(frozen=True)
class KeptCell:
    """What is kept of a cell: what was made of it, and how (`mark`), and what was put over it by hand."""

    question: str
    made: AnswerCellShape | None = None
    mark: str = ""
    hand: AnswerCellShape | None = None

    @property
    def shown(self) -> AnswerCellShape | None:
        """The cell: by hand before what was made."""
        if self.hand is None:
            return self.made
        found = self.made["text"] if self.made else ""
        passages = self.made["passages"] if self.made else []
        return {**self.hand, "found": found, "passages": passages}

    def holds(self, mark: str) -> bool:
        """Whether nothing is to be found: a person filled it, or it was made as it would be now."""
        return self.hand is not None or (self.made is not None and self.mark == mark)

    def to_json(self) -> str:
        """Pack it; `from_json` gives an equal one."""
        return json.dumps(dataclasses.asdict(self), separators=(",", ":"))  # in ASCII, whatever stands in it

    @classmethod
    def from_json(cls, text: str) -> KeptCell:
        """Unpack. Raises CorpusError (`damaged`)."""
        try:
            return cls(**json.loads(text))
        except (ValueError, TypeError) as error:
            raise CorpusError("damaged", f"a cell of a table cannot be read: {error}") from error


def cell_key(question: str) -> str:
    """Return what the cells of a question are kept under."""
    return hashlib.sha256(question.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def made_of(answer: Answer) -> AnswerCellShape:
    """Return the cell of an answer."""
    told = answer.to_json(trace=False)
    return {
        "outcome": told["outcome"],
        "text": answer.text if answer.answerable else "",
        "value": answer.value if answer.answerable else None,
        "label": answer.label,
        "by": "model" if written_by_model(told) else "rule",
        "lead": answer.lead,
        "found": "",
        "citations": told["citations"][:_PLACES],
        "passages": told["passages"][:_PLACES],
    }


def by_hand(text: str, citations: list[CitationShape]) -> AnswerCellShape:
    """Return a cell with a person's text, and the words it stands on; "" says that the document does not state it."""
    return {
        "outcome": cast("OutcomeName", "answer" if text else "nothing"),
        "text": text,
        "value": text or None,
        "label": CORRECTED,
        "by": "hand",
        "lead": "",
        "found": "",
        "citations": citations,
        "passages": [],
    }

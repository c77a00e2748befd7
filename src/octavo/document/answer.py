"""An answer: text, typed value, citations, and what it took to find it.

Owns the result types and their JSON shapes (a contract others rely on). Knows nothing about how answers are made.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Any, TypeAlias

from octavo.document.blocks import Kind
from octavo.document.evidence import Evidence
from octavo.document.query import AnswerFormat
from octavo.document.view import View

Value: TypeAlias = str | int | float | list[str] | None


@dataclasses.dataclass(frozen=True, slots=True)
class Citation:
    """Where an answer stands: a block, its page and box, and words that are verbatim in the block."""

    document: str
    document_id: str
    block: str
    page: int
    """Physical page, 1-based."""
    page_label: str
    box: tuple[float, float, float, float]
    """Points, origin top left."""
    section: tuple[str, ...]
    kind: str
    quote: str

    @classmethod
    def of(cls, view: View, row: int, quote: str) -> Citation | None:
        """Cite a block; None when the quote is not in it. The quote kept is the block's own, white space included."""
        verbatim = _verbatim(quote, view.blocks.text[row])
        return None if verbatim is None else dataclasses.replace(cls.at(view, row), quote=verbatim)

    @classmethod
    def at(cls, view: View, row: int) -> Citation:
        """Cite a block by its place alone, without words."""
        document = view.documents[int(view.document[row])]
        return cls(
            document=document.name,
            document_id=document.id,
            block=view.block_id(row),
            page=int(view.blocks.page[row]),
            page_label=view.page_label(row),
            box=box_of(view, row),
            section=view.blocks.section_path(row),
            kind=Kind(int(view.blocks.kind[row])).label,
            quote="",
        )


def _verbatim(quote: str, text: str) -> str | None:
    """Return the stretch of `text` that reads like `quote`, white space aside."""
    words = quote.split()
    if not words:
        return None
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return found.group() if found else None


def box_of(view: View, row: int) -> tuple[float, float, float, float]:
    """Return a block's box in points, rounded to a tenth."""
    x0, y0, x1, y1 = (round(float(value), 1) for value in view.blocks.box[row])
    return (x0, y0, x1, y1)


@dataclasses.dataclass(frozen=True, slots=True)
class Usage:
    """What a question or a job took. `cost` is in the price table's currency, None when no price is known."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_calls: int = 0
    seconds: float = 0.0
    cost: float | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class TraceStep:
    """One step of a plan as it ran: rows before and after, and what it took; `steps` are those inside it."""

    step: str
    parameters: dict[str, Any]
    rows_in: int
    rows_out: int
    seconds: float
    calls: int = 0
    cached_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    steps: tuple[TraceStep, ...] = ()

    def taking(self, usage: Usage) -> TraceStep:
        """Return the step with the calls and tokens that it took."""
        return dataclasses.replace(
            self,
            calls=usage.calls,
            cached_calls=usage.cached_calls,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
        )


@dataclasses.dataclass(frozen=True)
class Result:
    """What `search` returns: ranked pages and blocks. `by` is the score column the ranking follows."""

    question: str
    system: str
    evidence: Evidence
    by: str
    usage: Usage = Usage()
    decided_by: dict[str, int] = dataclasses.field(default_factory=dict[str, int])
    stopped: str | None = None
    trace: tuple[TraceStep, ...] = ()

    def to_json(self, *, trace: bool = True) -> dict[str, Any]:
        """Return the object that `octavo search --json` prints."""
        return {
            "question": self.question,
            "system": self.system,
            "pages": pages_json(self.evidence, self.by),
            "blocks": [_block_json(self.evidence, int(at)) for at in self.evidence.ranking(self.by)],
            **_run_json(self, trace=trace),
        }


@dataclasses.dataclass(frozen=True)
class Answer:
    """What `ask` returns. `value` is the typed answer, `confidence` is 0..1; no citations means "not answerable".

    `nearest` is what comes nearest to an answer, best first, where there is none.
    """

    question: str
    system: str
    text: str
    answerable: bool
    evidence: Evidence
    by: str
    value: Value = None
    format: AnswerFormat = AnswerFormat.STR
    citations: tuple[Citation, ...] = ()
    confidence: float = 0.0
    usage: Usage = Usage()
    decided_by: dict[str, int] = dataclasses.field(default_factory=dict[str, int])
    stopped: str | None = None
    trace: tuple[TraceStep, ...] = ()
    nearest: tuple[Citation, ...] = ()

    def to_json(self, *, trace: bool = True) -> dict[str, Any]:
        """Return the object that `octavo ask --json` prints."""
        return {
            "question": self.question,
            "system": self.system,
            "answerable": self.answerable,
            "answer": self.text,
            "value": self.value,
            "format": self.format.value,
            "confidence": round(self.confidence, 3),
            "citations": [dataclasses.asdict(citation) for citation in self.citations],
            "nearest": [dataclasses.asdict(citation) for citation in self.nearest],
            "pages": pages_json(self.evidence, self.by),
            **_run_json(self, trace=trace),
        }


def _run_json(result: Result | Answer, *, trace: bool) -> dict[str, Any]:
    usage = dataclasses.asdict(result.usage)
    return {
        "usage": {**usage, "seconds": round(usage["seconds"], 4)},
        "decided_by": result.decided_by,
        "stopped": result.stopped,
        "trace": [dataclasses.asdict(step) for step in result.trace] if trace else [],
    }


def pages_json(evidence: Evidence, by: str) -> list[dict[str, Any]]:
    """Return every page of the evidence, best first, as in the contract."""
    documents = evidence.view.documents
    return [
        {"document": documents[hit.document].name, "page": hit.page, "score": round(hit.score, 4)}
        for hit in evidence.pages(by)
    ]


def _block_json(evidence: Evidence, position: int) -> dict[str, Any]:
    view, row = evidence.view, int(evidence.rows[position])
    document = view.documents[int(view.document[row])]
    scores = {name: float(values[position]) for name, values in evidence.scores.items()}
    return {
        "document": document.name,
        "document_id": document.id,
        "block": view.block_id(row),
        "page": int(view.blocks.page[row]),
        "page_label": view.page_label(row),
        "box": list(box_of(view, row)),
        "section": list(view.blocks.section_path(row)),
        "kind": Kind(int(view.blocks.kind[row])).label,
        "text": view.blocks.text[row],
        "scores": {name: round(score, 4) for name, score in scores.items() if score == score},
    }

"""A benchmark's question and what a system made of it: what loaders make, the runner fills and metrics read."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from octavo.document import Outcome
from octavo.evaluation.metrics.overlap import is_refusal, references

NOT_ANSWERABLE = "Not answerable"


@dataclasses.dataclass(frozen=True)
class Question:
    """One question with its gold. Only `question` and `documents` ever reach a system.

    `documents` are file names in scope, none for the whole corpus. `answer` has the shape its benchmark's metrics
    read: a text, a list of alternatives, or a list of lists of aliases.
    """

    id: str
    question: str
    answer: object
    documents: tuple[str, ...] = ()
    answer_format: str = "Str"
    evidence_pages: tuple[int, ...] = ()
    """Physical pages, 1-based, of the one document in scope."""
    evidence_sources: tuple[str, ...] = ()
    """What the evidence is: "Table", "Chart", "Pure-text" and so on, in the benchmark's words."""
    evidence_documents: tuple[str, ...] = ()
    evidence_texts: tuple[str, ...] = ()
    evidence_blocks: tuple[str, ...] = ()
    sufficient_pages: tuple[int, ...] = ()
    """Physical pages, 1-based, of the one document in scope, each of which holds the answer by itself."""
    items: tuple[str, ...] = ()
    """What an answer has to name, all of it, where several things are asked for; " / " stands between two wordings."""
    kind: str = ""
    """What it takes to answer a question of one's own: "text", "table", "list", "yes/no", "unanswerable" and so on."""
    question_type: str = ""
    document_type: str = ""
    reference: object = None
    """A long reference answer, where the benchmark has one beside the short ones."""

    @property
    def answerable(self) -> bool:
        """Whether the gold says that there is an answer."""
        return not (isinstance(self.answer, str) and is_refusal(self.answer))

    @property
    def accepted(self) -> list[str]:
        """Acceptable answers, any of which will do; none for a question without an answer."""
        return references(self.answer, self.answer_format) if self.answerable else []


@dataclasses.dataclass(frozen=True)
class Gold:
    """Where a question's evidence stands in the index: each element is one thing to find.

    An element is the set of those that will do for it: an article may be there twice, or several blocks may say the
    same. It is empty where the evidence is in no document, so that it can never be found.
    """

    blocks: tuple[frozenset[tuple[str, str]], ...] = ()
    """As (document id, block id)."""
    documents: tuple[frozenset[str], ...] = ()
    """By name."""


@dataclasses.dataclass(frozen=True)
class Benchmark:
    """Questions, the documents they are about, and the metrics they are scored with; the first is the main one."""

    name: str
    title: str
    questions: tuple[Question, ...]
    documents: tuple[Path, ...]
    metrics: tuple[str, ...]
    problems: tuple[str, ...] = ()
    """Rows that were left out, one line each, with file and line."""
    warnings: tuple[str, ...] = ()
    """What was read past, one line each, with file and line."""


@dataclasses.dataclass(frozen=True)
class PageScore:
    """A page a system handed to its reader: file name, physical page (1-based) and score."""

    document: str
    page: int
    score: float


@dataclasses.dataclass(frozen=True)
class CheckedCitation:
    """A citation as it was checked: `is_verbatim` says whether the quote stands in the cited block."""

    document: str
    page: int
    block: str
    quote: str
    is_verbatim: bool


@dataclasses.dataclass(frozen=True)
class ShownPassage:
    """A passage as it was shown beside the answer, or in its place."""

    document: str
    page: int
    block: str
    kind: str
    text: str
    score: float


@dataclasses.dataclass(frozen=True)
class Response:
    """What a system made of a question: everything a metric may read, nothing of the gold."""

    pages: tuple[PageScore, ...] = ()
    """What the system handed to its reader, best first."""
    ranking: tuple[tuple[str, int], ...] = ()
    """Its first 20 pages as (file name, physical page), best first."""
    blocks: tuple[tuple[str, str], ...] = ()
    """Retrieved blocks as (document id, block id), best first."""
    outcome: Outcome = Outcome.NOTHING
    answer: str = ""
    value: Any = None
    passages: tuple[ShownPassage, ...] = ()
    """In the order they were shown."""
    citations: tuple[CheckedCitation, ...] = ()
    usage: dict[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    decided_by: dict[str, int] = dataclasses.field(default_factory=dict[str, int])
    trace: tuple[dict[str, Any], ...] = ()
    stopped: str | None = None
    error: str | None = None

    @property
    def answerable(self) -> bool:
        """Whether there is an answer to rely on."""
        return self.outcome is Outcome.ANSWER

    @property
    def is_by_model(self) -> bool:
        """Whether a model took part, now or when its replies were kept."""
        return any(self.decided_by.get(who) for who in ("model", "cache"))

    def to_json(self) -> dict[str, Any]:
        """Return the response as one JSON object."""
        return {**dataclasses.asdict(self), "outcome": self.outcome.value}

    @classmethod
    def of_json(cls, values: dict[str, Any]) -> Response:
        """Read what `to_json` returned; raise TypeError, KeyError or ValueError for anything else."""
        read: dict[str, Any] = {
            "pages": tuple(PageScore(**page) for page in values["pages"]),
            "ranking": tuple((str(name), int(page)) for name, page in values["ranking"]),
            "blocks": tuple((str(name), str(block)) for name, block in values["blocks"]),
            "outcome": Outcome(values["outcome"]),
            "passages": tuple(ShownPassage(**passage) for passage in values["passages"]),
            "citations": tuple(CheckedCitation(**cited) for cited in values["citations"]),
            "trace": tuple(values["trace"]),
        }
        return cls(**{**values, **read})

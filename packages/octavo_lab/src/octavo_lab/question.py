"""A benchmark's question and what a system made of it, which loaders make, the runner fills and metrics read.

And what a metric is to the report: a name, a definition and a value per question.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from octavo.evidence import Outcome
from octavo_lab.metrics.overlap import is_refusal, references

NOT_ANSWERABLE = "Not answerable"
Place = tuple[str, int]
"""A physical page, 1-based, with the name of its document."""
Page = int | Place
"""A page of the one document that is asked, by its number; where several are asked, with the document's name."""


@dataclasses.dataclass(frozen=True)
class Question:
    """One question with its gold. Only `question` and `scope` ever reach a system.

    `documents` are file names of those it is about, none for the whole corpus. `answer` has the shape its benchmark's
    metrics read: a text, a list of alternatives, or a list of lists of aliases.
    """

    id: str
    question: str
    answer: object
    documents: tuple[str, ...] = ()
    answer_format: str = "Str"
    evidence_pages: tuple[int, ...] = ()
    """Physical pages, 1-based, of the one document it is about."""
    evidence_places: tuple[Place, ...] = ()
    """The same of several documents."""
    evidence_sources: tuple[str, ...] = ()
    """What the evidence is: "Table", "Chart", "Pure-text" and so on, in the benchmark's words."""
    evidence_documents: tuple[str, ...] = ()
    evidence_texts: tuple[str, ...] = ()
    evidence_blocks: tuple[str, ...] = ()
    sufficient_pages: tuple[int, ...] = ()
    """Physical pages, 1-based, of the one document it is about, each of which holds the answer by itself."""
    sufficient_places: tuple[Place, ...] = ()
    """The same of several documents."""
    items: tuple[str, ...] = ()
    """What an answer has to name, all of it, where several things are asked for; " / " stands between two wordings."""
    kind: str = ""
    """What it takes to answer a question of one's own: "text", "table", "list", "yes/no", "unanswerable" and so on."""
    question_type: str = ""
    document_type: str = ""
    reference: object = None
    """A long reference answer, where the benchmark has one beside the short ones."""
    claims: tuple[str, ...] = ()
    """Claims of the reference answer, a sentence each."""
    together: bool = False
    """Whether it is asked of all documents together, and not of those alone that it is about."""

    @property
    def answerable(self) -> bool:
        """Whether the gold says that there is an answer."""
        return not (isinstance(self.answer, str) and is_refusal(self.answer))

    @property
    def scope(self) -> tuple[str, ...]:
        """File names of the documents that are asked, none for the whole corpus."""
        return () if self.together else self.documents

    @property
    def right_documents(self) -> tuple[str, ...]:
        """Names of the documents that the answer comes from, the most exact the gold has; none where it names none."""
        placed = dict.fromkeys(name for name, _ in (*self.evidence_places, *self.sufficient_places))
        return self.evidence_documents or tuple(placed) or self.documents

    @property
    def accepted(self) -> list[str]:
        """Acceptable answers, any of which will do; none for a question without an answer."""
        return references(self.answer, self.answer_format) if self.answerable else []


@dataclasses.dataclass(frozen=True)
class NamedDocument:
    """A document that a question's gold names: what it is called there, its id, and its name in responses."""

    called: str
    id: str
    name: str


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
    named: tuple[NamedDocument, ...] = ()
    """Every document that the gold names and that is there; an article's title may be that of several."""


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
    together: bool = False
    """Whether every question is asked of all documents together."""
    beside: tuple[Path, ...] = ()
    """Files that stand beside the documents when all are asked together, and that no question is about."""


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
    pages_read: tuple[tuple[str, int], ...] | None = None
    """As (file name, physical page): of what a model that answered was shown something; None where none was asked."""
    usage: dict[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    decided_by: dict[str, int] = dataclasses.field(default_factory=dict[str, int])
    trace: tuple[dict[str, Any], ...] = ()
    stopped: str | None = None
    substitutes: tuple[dict[str, str], ...] = ()
    """What stood for the parts that a paper used, for its own plan."""
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
            "substitutes": tuple(values.get("substitutes", ())),
            "pages_read": _pages_of(values.get("pages_read")),
        }
        return cls(**{**values, **read})


def _pages_of(values: list[list[Any]] | None) -> tuple[tuple[str, int], ...] | None:
    return None if values is None else tuple((str(name), int(page)) for name, page in values)


@dataclasses.dataclass(frozen=True)
class Facts:
    """What is known of the documents of a question; only where breakdowns or error classes are wanted."""

    is_lost: bool = False
    """Whether evidence is in no block of the index: parsing lost it."""
    depth: float | None = None
    """How deep the trees of the documents are, document and headings counted, mean; None without a document."""
    pictures: int | None = None
    """Figures and charts of the one document in scope."""


@dataclasses.dataclass(frozen=True)
class CallMean:
    """What a call of one decision takes, mean."""

    input_tokens: float
    output_tokens: float
    seconds: float


NO_GOLD = Gold()
RANKED = 20
"""Pages of a ranking that are kept."""


@dataclasses.dataclass(frozen=True)
class ScoredResponse:
    """A question, what a system made of it, and the final answer read out of its response.

    `texts` are the texts of the retrieved blocks, best first; empty unless the question has gold texts or asks for
    passages.
    """

    question: Question
    response: Response
    prediction: str
    texts: tuple[str, ...] = ()
    is_right: bool | None = None
    """What the assessor says of the response; None when it was not asked."""
    gold: Gold = NO_GOLD
    """Where the evidence stands in the index; empty unless the question names the documents it is in."""
    entailed: tuple[bool, ...] | None = None
    """What the assessor says of each claim of the question: whether the response bears it out; None when not asked."""
    facts: Facts | None = None
    call_means: Mapping[str, CallMean] = dataclasses.field(default_factory=dict[str, CallMean])
    """By decision, for calls whose replies were kept: their usage says nothing of tokens."""

    @cached_property
    def pages(self) -> tuple[Page, ...]:
        """Pages handed to the reader, best first."""
        return self._told((page.document, page.page) for page in self.response.pages)

    @cached_property
    def pages_read(self) -> tuple[Page, ...]:
        """Pages of which a model that answered was shown something."""
        return self._told(self.response.pages_read or ())

    @cached_property
    def pages_cited(self) -> tuple[Page, ...]:
        """Pages that are cited."""
        return self._told((cited.document, cited.page) for cited in self.response.citations)

    @cached_property
    def ranking(self) -> tuple[Page, ...]:
        """Ranked pages, best first."""
        return self._told(self.response.ranking)

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """Names of ranked documents, best first, each once."""
        return tuple(dict.fromkeys(name for name, _ in self.response.ranking))

    @cached_property
    def read_documents(self) -> tuple[str, ...]:
        """Names of the documents of which something was handed to the reader, best first, each once."""
        return tuple(dict.fromkeys(page.document for page in self.response.pages))

    @cached_property
    def evidence_pages(self) -> tuple[Page, ...]:
        """Gold pages that are all needed."""
        return self._gold(self.question.evidence_pages, self.question.evidence_places)

    @cached_property
    def sufficient_pages(self) -> tuple[Page, ...]:
        """Pages any one of which answers the question."""
        return self._gold(self.question.sufficient_pages, self.question.sufficient_places)

    @property
    def has_gold_pages(self) -> bool:
        """Whether metrics of pages that are all needed concern the question."""
        return bool(self.evidence_pages)

    @cached_property
    def evidence_documents(self) -> tuple[str, ...]:
        """Documents that are all needed, as responses call them where all are asked together."""
        wanted = self.question.evidence_documents
        return tuple(map(self._called, wanted)) if self.question.together else wanted

    @cached_property
    def right_documents(self) -> frozenset[str]:
        """Documents that the answer comes from, as responses call them; none where it does not matter.

        It matters where all documents are asked together.
        """
        wanted = self.question.right_documents if self.question.together else ()
        return frozenset(one.name for one in self.gold.named if one.called in wanted) or frozenset(wanted)

    def is_of_right_document(self, name: str) -> bool:
        """Whether what stands in a document of this name can be right."""
        return not self.right_documents or name in self.right_documents

    @cached_property
    def right_blocks(self) -> tuple[str, ...]:
        """Ids of retrieved blocks that can be right, best first."""
        return tuple(block for name, block in self.response.blocks if self._is_right_id(name))

    @cached_property
    def right_texts(self) -> tuple[str, ...]:
        """Texts of retrieved blocks that can be right, best first."""
        if not self.right_documents:
            return self.texts
        pairs = zip(self.response.blocks, self.texts, strict=False)
        return tuple(text for (name, _), text in pairs if self._is_right_id(name))

    def _is_right_id(self, identity: str) -> bool:
        wanted = self.question.right_documents if self.question.together else ()
        return not wanted or any(one.id == identity and one.called in wanted for one in self.gold.named)

    def _told(self, places: Iterable[Place]) -> tuple[Page, ...]:
        """Return pages as they are compared."""
        return tuple(page for _, page in places) if len(self.question.scope) == 1 else tuple(places)

    def _gold(self, pages: Sequence[int], places: Sequence[Place]) -> tuple[Page, ...]:
        """Return gold pages as they are compared; pages without a document are those of the one there is."""
        question = self.question
        if len(question.documents) == 1:
            places = (*((question.documents[0], page) for page in pages), *places)
        if len(question.scope) == 1:
            return tuple(page for name, page in places if name in question.scope)
        return tuple((self._called(name), page) for name, page in places)

    def _called(self, name: str) -> str:
        return next((one.name for one in self.gold.named if one.called == name), name)


@dataclasses.dataclass(frozen=True)
class Metric:
    """A metric: the weighted mean of a value per question.

    `value` is None for a question that the metric does not concern; `weight` is 1 except for F1 over a whole set.
    A question on which the system failed has the value `failed`, so that averages count every question.
    """

    name: str
    label: str
    definition: str
    value: Callable[[ScoredResponse], float | None]
    weight: Callable[[ScoredResponse], float] = lambda _: 1.0
    better: int = 1
    """1 when higher is better, -1 when lower is, 0 when neither."""
    failed: float | None = 0.0
    is_share: bool = True
    """Whether values lie in 0..1."""

    def of(self, scored: ScoredResponse) -> float | None:
        """Return the value of one question, None when the metric does not concern it."""
        value = self.value(scored)
        return self.failed if scored.response.error and value is not None else value

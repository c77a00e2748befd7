"""A question as it is asked, and its answer: text, typed value, citations, and what it took to find it.

The JSON shapes are a contract others rely on.
"""

from __future__ import annotations

import dataclasses
import enum
from typing import TYPE_CHECKING, Any, cast

from octavo.evidence.citation import BlockPlace, Citation, Passage
from octavo.evidence.evidence import Evidence
from octavo.evidence.labels import labels_of
from octavo.evidence.lead import lead_of
from octavo.evidence.meant_documents import MEANT
from octavo.evidence.notebook import answer_html, result_html
from octavo_documents.document.blocks import Kind
from octavo_documents.text.lines import on_one_line

if TYPE_CHECKING:
    from octavo.evidence.answer_shapes import (
        AnswerShape,
        EvidenceBlockShape,
        LeftOutShape,
        MeantShape,
        PreferredShape,
        RankedPageShape,
        ResultShape,
        RunShape,
        SeenShape,
        TraceStepShape,
        UnderstoodShape,
        UnsearchedShape,
        UsageShape,
        Value,
    )


class AnswerFormat(enum.Enum):
    """The type of a final answer, as in MMLongBench-Doc and MMRAG-DocQA."""

    STR = "Str"
    INT = "Int"
    FLOAT = "Float"
    LIST = "List"
    NONE = "None"


class Reach(enum.Enum):
    """How much of a document a question needs: one place, several places, or all items of a kind (BookRAG 5.1)."""

    SINGLE = "single-hop"
    MULTI = "multi-hop"
    GLOBAL = "global"


class Operation(enum.Enum):
    """What a global question does with its items."""

    COUNT = "COUNT"
    LIST = "LIST"
    SUMMARIZE = "SUMMARIZE"
    ANALYZE = "ANALYZE"


@dataclasses.dataclass(frozen=True)
class Query:
    """A question. `limit` is the number of pages for fixed-size retrievers, a cap for those that choose their size.

    What its words say is told by `octavo.question.understand`. Here is what a planner decided: its `reach`;
    `sub_questions`, each found by its own words, and the `synthesis` questions that put their answers together; the
    `entities` it is about and, once they are looked up, the rows of the graph they are `linked` to and those that are
    `near` to the question without being named in it; and the filters of a global question, where empty means any:
    `kinds` of blocks, `pages` as (first, last) both included and numbered as in the question, `sections` by title or
    number, the `topic` an item must have, and the `operation` on the items that are left. `part_of` is the whole
    question of which this is a sub-question, "" for none.
    `answer_format` is the type of the answer where a caller fixes it, for readers that ask by type.
    """

    question: str
    limit: int = 10
    reach: Reach | None = None
    sub_questions: tuple[str, ...] = ()
    synthesis: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    linked: tuple[int, ...] = ()
    near: tuple[int, ...] = ()
    kinds: tuple[Kind, ...] = ()
    pages: tuple[tuple[int, int], ...] = ()
    sections: tuple[str, ...] = ()
    topic: str = ""
    operation: Operation | None = None
    part_of: str = ""
    answer_format: AnswerFormat | None = None


_BRIEF = 50
"""Characters of a text in a `repr`."""


NO_SHORT_ANSWER = "The closest passages"
"""How the text of an outcome `passages` begins, where nothing else is to be said."""


class Outcome(enum.Enum):
    """What came of a question: an answer to rely on, passages that fit but no sure answer, or nothing that fits."""

    ANSWER = "answer"
    PASSAGES = "passages"
    NOTHING = "nothing"


@dataclasses.dataclass(frozen=True, slots=True)
class Usage:
    """What a question or a job took. `cost` is in the price table's currency, None when no price is known.

    `pictures` counts those that were sent to models, each time they were sent.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_calls: int = 0
    seconds: float = 0.0
    cost: float | None = None
    pictures: int = 0

    def to_json(self) -> UsageShape:
        """Return what it took as JSON."""
        value = cast("UsageShape", dataclasses.asdict(self))
        return {**value, "seconds": round(self.seconds, 4)}


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


@dataclasses.dataclass(frozen=True, slots=True)
class PageRead:
    """A page that a model was shown: the document's name and id, and the physical page, 1-based."""

    document: str
    document_id: str
    page: int


@dataclasses.dataclass(frozen=True, slots=True)
class Substitute:
    """What stands for a part of a published system: its `role`, such as "parser", what the `paper` used, what is used
    `here`.
    """

    role: str
    paper: str
    here: str


@dataclasses.dataclass(frozen=True, slots=True)
class Unsearched:
    """Documents that could not be looked among: those of some shards, counted from 1, of `of_shards`."""

    documents: int
    of_documents: int
    shards: tuple[int, ...]
    of_shards: int
    why: str

    def __str__(self) -> str:
        which = f"shard{'s' if len(self.shards) > 1 else ''} {', '.join(map(str, self.shards))} of {self.of_shards}"
        return f"{self.documents:,} of {self.of_documents:,} documents were not searched ({which}: {self.why})"


class _Run:
    """What a result and an answer share: the steps that led to them."""

    trace: tuple[TraceStep, ...]

    @property
    def unsearched(self) -> Unsearched | None:
        """Return what was left out where a part of the documents could not be looked among, None where all were."""
        found = next((step.parameters[UNSEARCHED] for step in self.trace if UNSEARCHED in step.parameters), None)
        return None if found is None else Unsearched(**found)

    @property
    def words_alone(self) -> str:
        """Return why words alone were looked for, as the embedding model or its vectors could not be used, else ""."""
        return next((str(step.parameters[WORDS_ALONE]) for step in self.trace if WORDS_ALONE in step.parameters), "")

    @property
    def meant(self) -> MeantShape | None:
        """Return what a question asked of several documents names and which were preferred, None where it names none.

        As in the JSON.
        """
        step = next((step for step in self.trace if step.step == MEANT), None)
        return None if step is None else cast("MeantShape", step.parameters)


UNSEARCHED = "unsearched"
"""The parameter of a step that tells an `Unsearched`."""
WORDS_ALONE = "words_alone"
"""The parameter of a step that tells why words alone were looked for."""


@dataclasses.dataclass(frozen=True, repr=False)
class Result(_Run):
    """What `search` returns: ranked pages and blocks. `by` is the score column the ranking follows."""

    question: str
    system: str
    evidence: Evidence
    by: str
    usage: Usage = Usage()
    decided_by: dict[str, int] = dataclasses.field(default_factory=dict[str, int])
    stopped: str | None = None
    trace: tuple[TraceStep, ...] = ()
    passages: tuple[Passage, ...] = ()
    """What fits the question best on these pages, best first."""

    def _repr_html_(self) -> str:
        return result_html(self)

    def __repr__(self) -> str:
        hits = self.evidence.pages(self.by) if self.by in self.evidence.scores else ()
        best = ""
        if hits:
            best = f", best {_brief(self.evidence.view.names[hits[0].document])} page {hits[0].page}"
        return f"Result({_brief(self.question)}, {self.evidence.summary()}{best})"

    def to_json(self, *, trace: bool = True) -> ResultShape:
        """Return the object that `octavo search --json` prints."""
        return {
            "question": self.question,
            "system": self.system,
            "passages": [passage.to_json() for passage in self.passages],
            "pages": pages_json(self.evidence, self.by),
            "blocks": [_block_json(self.evidence, int(at)) for at in self.evidence.ranking(self.by)],
            **_run_json(self, trace=trace),
        }


@dataclasses.dataclass(frozen=True, repr=False)
class Answer(_Run):
    """What `ask` returns. `value` is the typed answer, `confidence` the chance (0..1) that it is right.

    `outcome` tells whether `text` is an answer at all; `passages` are the places to read, best first: those an answer
    stands on come first. An answer without citations is none. `missing` is what a model would have to find to answer
    the whole question.
    """

    question: str
    system: str
    text: str
    outcome: Outcome
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
    passages: tuple[Passage, ...] = ()
    missing: tuple[str, ...] = ()
    known: str = ""
    """What a model knows of the answer where a part of it is missing, with the outcome `passages`; and what it
    remembers where it was shown nothing, with the outcome `nothing`."""
    is_seen: bool = False
    """Whether it was read off pictures, whose contents no text bears out."""
    rivals: tuple[str, ...] = ()
    """Other short answers that the reader without a model found as near, or nearly: what it may also be."""
    understood: str = ""
    """The question that was asked in the place of `question`, which turns before it completed; "" for itself."""
    looked_for: tuple[str, ...] = ()
    """The words of the question that stand nowhere: where the outcome is `nothing` because of them, and where the
    passages are only what comes nearest."""
    opening: str = ""
    """What the reader says first in place of the usual `lead`; "" where it has nothing of its own to say."""
    pages_read: tuple[PageRead, ...] = ()
    """The pages of which a model that answered was shown something, in words or as a picture, in document order."""
    substitutes: tuple[Substitute, ...] = ()
    """What stands here for the parts that a paper used, where its own plan answered."""

    @property
    def lead(self) -> str:
        """What is shown first: a sentence of what was found and where, or that nothing was and what was searched."""
        return self.opening or lead_of(self)

    def _repr_html_(self) -> str:
        return answer_html(self)

    def __repr__(self) -> str:
        places = self.citations or self.passages
        text = self.text or (self.passages[0].text if self.passages else "")
        first = f", {_brief(places[0].document)} page {places[0].page}" if places else ""
        more = f" and {len(places) - 1} more" if len(places) > 1 else ""
        return f"Answer({self.outcome.value}, {_brief(text)}{first}{more})"

    @property
    def is_quoted(self) -> bool:
        """Whether the text, or each item of a list, is verbatim in a quote that is cited."""
        return bool(labels_of(self._label_keys())["answer_is_quoted"])

    @property
    def label(self) -> str:
        """How the text came about, in words for people; "" where there is no answer."""
        return str(labels_of(self._label_keys())["answer_label"])

    @property
    def unquoted(self) -> tuple[str, ...]:
        """The sentences that a model wrote and no quote stands behind."""
        claims = labels_of(self._label_keys()).get("claims", [])
        return tuple(self.text[one["start"] : one["stop"]] for one in claims if not one["citations"])

    def _label_keys(self) -> dict[str, Any]:
        """Return the part of the JSON that tells how the text came about."""
        return {
            "question": self.question,
            "understood": self.understood,
            "outcome": self.outcome.value,
            "answer": self.text,
            "value": self.value,
            "citations": [{"quote": one.quote, "kind": one.kind} for one in self.citations],
            "decided_by": self.decided_by,
            "is_seen": self.is_seen,
        }

    @property
    def answerable(self) -> bool:
        """Whether there is an answer to rely on."""
        return self.outcome is Outcome.ANSWER

    def to_json(self, *, trace: bool = True) -> AnswerShape:
        """Return the object that `octavo ask --json` prints."""
        understood: UnderstoodShape = {"understood": self.understood} if self.understood else {}
        seen: SeenShape = {"is_seen": True} if self.is_seen else {}
        if self.rivals:
            seen["rivals"] = [*self.rivals]
        if self.substitutes:
            seen["substitutes"] = [{"role": one.role, "paper": one.paper, "here": one.here} for one in self.substitutes]
        return {
            "question": self.question,
            **understood,
            "system": self.system,
            "outcome": self.outcome.value,
            "answerable": self.answerable,
            "lead": self.lead,
            "answer": self.text,
            "value": self.value,
            "format": self.format.value,
            "confidence": round(self.confidence, 3),
            "missing": list(self.missing),
            "passages": [passage.to_json() for passage in self.passages],
            "citations": [citation.to_json() for citation in self.citations],
            "pages": pages_json(self.evidence, self.by),
            "pages_read": [
                {"document": one.document, "document_id": one.document_id, "page": one.page} for one in self.pages_read
            ],
            **_run_json(self, trace=trace),
            **seen,
            **labels_of(self._label_keys()),
        }


def _brief(text: str) -> str:
    """Return how a text begins, quoted, on one line."""
    line = on_one_line(text)
    return repr(line if len(line) <= _BRIEF else f"{line[:_BRIEF]}…")


def _run_json(result: Result | Answer, *, trace: bool) -> RunShape:
    left_out: LeftOutShape = {}
    if result.unsearched:
        left_out["unsearched"] = cast("UnsearchedShape", dataclasses.asdict(result.unsearched))
    if result.words_alone:
        left_out["words_alone"] = result.words_alone
    preferred: PreferredShape = {}
    if result.meant is not None:
        preferred["meant"] = result.meant
    return {
        **preferred,
        "usage": result.usage.to_json(),
        "decided_by": result.decided_by,
        "stopped": result.stopped,
        **left_out,
        "trace": [cast("TraceStepShape", dataclasses.asdict(step)) for step in result.trace] if trace else [],
    }


def pages_json(evidence: Evidence, by: str) -> list[RankedPageShape]:
    """Return every page of the evidence, best first, as in the contract."""
    view = evidence.view
    return [
        {
            "document": view.names[hit.document],
            "document_id": view.documents[hit.document].id,
            "page": hit.page,
            "score": round(hit.score, 4),
        }
        for hit in evidence.pages(by)
    ]


def _block_json(evidence: Evidence, position: int) -> EvidenceBlockShape:
    view, row = evidence.view, int(evidence.rows[position])
    scores = {name: float(values[position]) for name, values in evidence.scores.items()}
    return {
        **BlockPlace.of_block(view, row).place_json(),
        "text": view.blocks.text[row],
        "scores": {name: round(score, 4) for name, score in scores.items() if score == score},
    }

"""What an operator is, how operators compose, and a run of them: what one question may use, and what it left behind.

`a >> b` is a then b, `a | b` is both on the same value, their evidence united; `FirstFound`, `ForEach` and `ByReach`
are compositions with a name. Each step notes itself in the trace. `ForEach` gives every part of a question a branch of
the run, with decisions and a trace of its own, under the same budget.
"""

from __future__ import annotations

import dataclasses
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast

import numpy as np
import numpy.typing as npt

from octavo import models
from octavo.decisions.engine import DecisionRecord, total
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Answer, Evidence, Passage, Query, Reach, TraceStep, View
from octavo.evidence.meant_documents import NONE_MEANT, MeantDocuments
from octavo.models import embedders
from octavo.models.ports import (
    ImageTextEmbedder,
    LateInteraction,
    MultilingualEmbedder,
    PassageScorer,
    Raster,
    Reranker,
    TextEmbedder,
    TokenEmbedder,
)
from octavo.models.question_vectors import QuestionVectors
from octavo.models.spans import span
from octavo.operators.columns import UNDECLARED, Columns, Given, shared, united
from octavo.operators.sentence_forms import Sentence, always, plain


@dataclasses.dataclass(frozen=True, slots=True)
class Place:
    """What is drawn: a physical page (1-based), or a box on it (x0, y0, x1, y1 in points), at so many dots per inch."""

    page: int
    box: tuple[float, float, float, float] | None = None
    dpi: float = 96.0


@dataclasses.dataclass
class ReadSoFar:
    """What models that answer were shown for a question, and what came of it, so that nothing is shown twice."""

    rows: set[int] = dataclasses.field(default_factory=set[int])
    """Rows of the view whose words were shown."""
    pictures: dict[tuple[int, int], str] = dataclasses.field(default_factory=dict[tuple[int, int], str])
    """By page index and row of the element, -1 for a whole page: what was seen in its picture, "" for nothing told."""
    unknown: dict[str, None] = dataclasses.field(default_factory=dict[str, None])
    """What was asked for in these words and is not there."""
    overview: str | None = None
    """What a look at small pictures of all came to, None where there was none."""
    ruled_out: set[int] = dataclasses.field(default_factory=set[int])
    """Page indices of which that look left out all that was looked at."""
    due: dict[tuple[int, int], tuple[int, ...]] = dataclasses.field(
        default_factory=dict[tuple[int, int], tuple[int, ...]]
    )
    """Places that were chosen or asked for, by page index and row, with further rows of the same graphic: those of them
    that were not shown yet come first in the next reading."""
    known: str = ""
    """The best of what readings said is known of the answer, where none answered."""
    readings: int = 0
    """How often a reader answered the question."""


_Floats = npt.NDArray[np.float32]


class Drawer(Protocol):
    """Draws places of a document in scope; only to be had where documents come from files."""

    def __call__(self, document_id: str, places: Sequence[Place]) -> list[Raster | None]:
        """Return a picture for each place, in order; None for what cannot be drawn, or when the file has gone."""
        ...


@dataclasses.dataclass
class Run:
    """What one question may use. Made for one question and one thread; the view may be shared.

    `embedder` is called when a vector is first wanted; `passage_scorer` gives None where its model is not installed,
    and so do `multilingual` and `token_embedder`.
    `judge` takes the decisions, by model or rule, within a budget.
    `reranker` and `image_text` are there where such a model is configured, `late_interaction` too,
    `pictures` where pages can be drawn.
    `on_step` receives each step when it is done, `on_passages` the best passages that a model is about to read, and
    `on_text` an answer as it is written.
    """

    view: View
    embedder: Callable[[], TextEmbedder] = embedders.embedder
    multilingual: Callable[[], MultilingualEmbedder | None] = models.no_multilingual
    token_embedder: Callable[[], TokenEmbedder | None] = models.token_embedder
    passage_scorer: Callable[[], PassageScorer | None] = models.passage_scorer
    query: Query = dataclasses.field(default_factory=lambda: Query(""))
    trace: list[TraceStep] = dataclasses.field(default_factory=list[TraceStep])
    judge: Judge = dataclasses.field(default_factory=Judge)
    reranker: Callable[[], Reranker] | None = None
    image_text: Callable[[], ImageTextEmbedder | LateInteraction] | None = None
    late_interaction: Callable[[], LateInteraction] | None = None
    pictures: Drawer | None = None
    on_text: Callable[[str], None] | None = None
    on_step: Callable[[TraceStep], None] | None = None
    on_passages: Callable[[tuple[Passage, ...]], None] | None = None
    clock: Callable[[], float] = time.perf_counter
    meant: MeantDocuments = NONE_MEANT
    """Which of several documents the question means, as far as it names them."""
    sure: float | None = None
    """How sure (0..1) a short answer must be that no model gives; None as its reader has it."""
    pages_read: set[int] = dataclasses.field(default_factory=set[int])
    """Page indices of which a model that answers was shown something."""
    so_far: ReadSoFar = dataclasses.field(default_factory=ReadSoFar)
    _vectors: dict[str, _Floats] = dataclasses.field(default_factory=dict[str, _Floats], repr=False)
    questions: dict[str, QuestionVectors] = dataclasses.field(default_factory=dict[str, QuestionVectors], repr=False)
    """The questions that were embedded by two models, for `operators.meaning`."""
    in_languages: dict[str, _Floats] = dataclasses.field(default_factory=dict[str, _Floats], repr=False)
    """Texts that the model of many languages read."""
    _states: dict[str, _Floats] = dataclasses.field(default_factory=dict[str, _Floats], repr=False)
    _alike: dict[str, _Floats] = dataclasses.field(default_factory=dict[str, _Floats], repr=False)

    def branch(self, query: Query, *, goes_on: bool = False) -> Run:
        """Return a run for a part of the question, with a trace and decisions of its own; `join` takes them back.

        It shares the view, the models and the budget, and may go to another thread. One that `goes_on` with the same
        question shares what was shown so far too, and shows nothing twice. The question's vectors are known in it.
        """
        asked = {query.question}
        return dataclasses.replace(
            self,
            query=query,
            trace=[],
            judge=self.judge.branch(),
            on_text=None,
            on_step=None,
            on_passages=None,
            pages_read=set(),
            so_far=self.so_far if goes_on else ReadSoFar(),
            _vectors={text: self._vectors[text] for text in asked & self._vectors.keys()},
            questions={text: self.questions[text] for text in asked & self.questions.keys()},
            in_languages={},
            _states={},
            _alike={},
        )

    def join(self, branch: Run) -> None:
        """Take over the decisions of a branch and what was read in it; its trace is the caller's to place."""
        self.pages_read |= branch.pages_read
        for record in branch.judge.records:
            self.judge.record(record)

    def note(self, step: TraceStep) -> None:
        """Add a step to the trace."""
        self.trace.append(step)
        if self.on_step is not None:
            self.on_step(step)

    def note_read(self, rows: Iterable[int] = (), *, pages: Iterable[int] = ()) -> None:
        """Note that a model that answers was shown some rows of the view, and pictures on some page indices."""
        self.pages_read.update(int(self.view.page_index[row]) for row in rows)
        self.pages_read.update(pages)

    def timer(self) -> Timer:
        """Return what tells, when a step is done, what it took from now on."""
        return Timer(self, self.clock(), len(self.judge.records))

    @property
    def decided_by(self) -> Counter[str]:
        """Return how many decisions were taken by model, cache and rule."""
        return Counter(record.by for record in self.judge.records)

    def remember(self, question: str, vectors: QuestionVectors) -> None:
        """Keep the vectors of a question that was embedded before the run."""
        if vectors.others is None:
            self._vectors[question] = vectors.own
        else:
            self.questions[question] = vectors

    def states(self, texts: Sequence[str], model: TokenEmbedder) -> list[_Floats]:
        """Return for each text (n_tokens, dimension) float32, a row a word piece; each text is read once in a run."""
        new = [text for text in dict.fromkeys(texts) if text not in self._states]
        if new:
            self._states.update(zip(new, model.states(new), strict=True))
        return [self._states[text] for text in texts]

    def most_alike(self, question: str, texts: Sequence[str], model: TokenEmbedder) -> _Floats:
        """Return what the model's `most_alike` does; each text is compared with the question once in a run."""
        new = [text for text in dict.fromkeys(texts) if f"{question}\0{text}" not in self._alike]
        if new:
            for text, row in zip(new, model.most_alike(question, new), strict=True):
                self._alike[f"{question}\0{text}"] = row
        return np.stack([self._alike[f"{question}\0{text}"] for text in texts])

    def vectors(self, texts: list[str]) -> _Floats:
        """Return (len(texts), dimension) float32, rows of length 1; each text is embedded once in a run."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, self.embedder().embed(new), strict=True))
        return np.stack([self._vectors[text] for text in texts])


@dataclasses.dataclass(frozen=True)
class Timer:
    """When a step began, and how many decisions its run had taken by then."""

    run: Run
    started: float
    before: int

    def step(
        self,
        name: str,
        parameters: dict[str, Any],
        rows: tuple[int, int],
        steps: Sequence[TraceStep] = (),
    ) -> TraceStep:
        """Return the step, done now: with its rows before and after, the steps inside it, and what decisions took."""
        seconds = round(self.run.clock() - self.started, 6)
        return TraceStep(name, parameters, *rows, seconds, steps=tuple(steps)).taking(self.run.judge.usage(self.before))

    def decisions(self, name: str = "") -> tuple[TraceStep, ...]:
        """Return the decisions that the run has taken since, those of a name or all, as steps."""
        taken = self.run.judge.records[self.before :]
        return decisions_of([record for record in taken if name in ("", record.name)])


In = TypeVar("In")
Out = TypeVar("Out")
Next = TypeVar("Next")


class Operator(ABC, Generic[In, Out]):
    """A step from `In` to `Out`. Operators are frozen dataclasses: they compare by value and print as their plan.

    A class declares in `declares` which columns of evidence it reads and writes, or returns it from `declared` where
    that depends on its fields. One that declares nothing may stand anywhere. `sentence` tells people what a step did.
    """

    declares: ClassVar[Columns] = UNDECLARED
    sentence: ClassVar[Sentence] = plain

    @abstractmethod
    def __call__(self, value: In, using: Run) -> Out:
        """Return the value after this step."""

    def needs(self) -> frozenset[str]:
        """Return the names of the layers this step and its parts read."""
        return frozenset()

    def declared(self) -> Columns:
        """Return what this step itself does with the columns of evidence, its parts left aside."""
        return self.declares

    def after(self, given: Given = None) -> Given:
        """Return the columns after this step, given those before it; raise UsageError where one is read that is none.

        An operator with others inside has these followed too.
        """
        return self.declared().after(type(self).__name__, given)

    def __rshift__(self, then: Operator[Out, Next]) -> Operator[In, Next]:
        """Return the chain: this, then the other on its result. Chains are flat: `a >> (b >> c)` is `a >> b >> c`."""
        if isinstance(then, Then):
            return (self >> then.first) >> then.second
        return Then(self, then)

    def __or__(self: Operator[In, Evidence], other: Operator[In, Evidence]) -> Operator[In, Evidence]:
        """Return both on the same value, their evidence united. `a | (b | c)` is `a | b | c`."""
        if isinstance(other, Both):
            return (self | other.left) | other.right
        return Both(self, other)


@dataclasses.dataclass(frozen=True)
class Step(Operator[In, Out]):
    """An operator that does work of its own: it implements `apply` and is traced under its class name."""

    @abstractmethod
    def apply(self, value: In, using: Run) -> Out:
        """Return the value after this step."""

    def details(self, result: Out, using: Run) -> Mapping[str, Any]:
        """Return what of the result the trace has beside the step's own fields: plain values by name."""
        return {}

    def __call__(self, value: In, using: Run) -> Out:
        """Apply the step and note in the trace what it took."""
        name, rows_in = type(self).__name__, rows_of(value, using)
        with span(f"step {name}", {"octavo.step": name, "octavo.rows_in": rows_in}) as tell:
            timer = using.timer()
            result = self.apply(value, using)
            fields = {spec.name: getattr(self, spec.name) for spec in dataclasses.fields(self)}
            told, rows = {**self.details(result, using), **fields}, (rows_in, rows_of(result, using))
            using.note(timer.step(name, told, rows, timer.decisions()))
            tell({"octavo.rows_out": rows[1]})
        return result


@dataclasses.dataclass(frozen=True)
class QueryStep(Step[Query, Query]):
    """A step that understands more of a question: the query that comes out is the run's, where later steps read it."""

    def __call__(self, value: Query, using: Run) -> Query:
        """Apply the step, and make its query that of the run."""
        using.query = super().__call__(value, using)
        return using.query


@dataclasses.dataclass(frozen=True, repr=False)
class Then(Operator[In, Out]):
    """Two operators in a row; in the trace only its parts appear."""

    declares: ClassVar[Columns] = Columns()

    first: Operator[In, Any]
    second: Operator[Any, Out]

    def __post_init__(self) -> None:
        self.after()

    def __call__(self, value: In, using: Run) -> Out:
        """Return the second's result on the first's."""
        return self.second(self.first(value, using), using)

    def needs(self) -> frozenset[str]:
        """Return what either part needs."""
        return self.first.needs() | self.second.needs()

    def after(self, given: Given = None) -> Given:
        """Return the columns after the second."""
        return self.second.after(self.first.after(given))

    def __repr__(self) -> str:
        return " >> ".join(
            f"({part!r})" if isinstance(part, Both) else repr(part) for part in (self.first, self.second)
        )


@dataclasses.dataclass(frozen=True, repr=False)
class Both(Operator[In, Evidence]):
    """Two operators on the same value, their evidence united: score columns side by side, nan where one has none."""

    declares: ClassVar[Columns] = Columns()

    left: Operator[In, Evidence]
    right: Operator[In, Evidence]

    def __call__(self, value: In, using: Run) -> Evidence:
        """Return the rows of either, with the scores of both."""
        return self.left(value, using) | self.right(value, using)

    def needs(self) -> frozenset[str]:
        """Return what either part needs."""
        return self.left.needs() | self.right.needs()

    def after(self, given: Given = None) -> Given:
        """Return the columns after either."""
        return united(self.left.after(given), self.right.after(given))

    def __repr__(self) -> str:
        return f"{self.left!r} | {self.right!r}"


def decisions_of(records: Sequence[DecisionRecord]) -> tuple[TraceStep, ...]:
    """Return decisions as trace steps: one for each name, decider and reason, in the order they first came."""
    groups: dict[tuple[str, str, str], list[DecisionRecord]] = {}
    for record in records:
        groups.setdefault((record.name, record.by, record.why), []).append(record)
    return tuple(_decided(group) for group in groups.values())


def _decided(records: Sequence[DecisionRecord]) -> TraceStep:
    first, usage = records[0], total([record.usage for record in records])
    parameters: dict[str, Any] = {"decided_by": first.by, "times": len(records)}
    left_out, failed = sum(record.left_out for record in records), sum(record.failed for record in records)
    return TraceStep(
        step=first.name,
        parameters={
            **parameters,
            **({"why": first.why} if first.why else {}),
            **({"left_out": left_out} if left_out else {}),
            **({"failed": failed} if failed else {}),
        },
        rows_in=0,
        rows_out=0,
        seconds=round(usage.seconds, 6),
    ).taking(usage)


def rows_of(value: object, using: Run) -> int:
    """Return how many rows a flow value stands for.

    Evidence has its own, an answer its citations, several values those of each; a question stands for the whole view.
    """
    if isinstance(value, Evidence):
        return len(value)
    if isinstance(value, Answer):
        return len(value.citations)
    if isinstance(value, tuple):
        parts = cast("tuple[object, ...]", value)
        return sum(rows_of(part, using) for part in parts if not isinstance(part, Query))
    return len(using.view)


@dataclasses.dataclass(frozen=True)
class FirstFound(Operator[In, Evidence]):
    """The first of several operators that finds anything (BookRAG equation 9); the last one's result if none does."""

    declares: ClassVar[Columns] = Columns()

    options: tuple[Operator[In, Evidence], ...]

    def __post_init__(self) -> None:
        if not self.options:
            raise ValueError("FirstFound takes one operator or more")

    def __call__(self, value: In, using: Run) -> Evidence:
        """Return the first evidence that has a row."""
        for option in self.options[:-1]:
            found = option(value, using)
            if len(found):
                return found
        return self.options[-1](value, using)

    def needs(self) -> frozenset[str]:
        """Return what any of them needs."""
        return frozenset[str]().union(*(option.needs() for option in self.options))

    def after(self, given: Given = None) -> Given:
        """Return the columns that are there whichever finds anything."""
        return shared(*(option.after(given) for option in self.options))


@dataclasses.dataclass(frozen=True)
class ForEach(Operator[tuple[Query, ...], tuple[Out, ...]]):
    """An operator on each of several questions (BookRAG equation 11); at once where a model is asked.

    In the trace each question is a step with the steps of its own inside.
    """

    declares: ClassVar[Columns] = Columns()
    sentence: ClassVar[Sentence] = always("Searched for each part of the question by itself")

    step: Operator[Query, Out]

    def __call__(self, value: tuple[Query, ...], using: Run) -> tuple[Out, ...]:
        """Return the result for each question, in order."""
        found = using.judge.map(lambda query: self._one(query, using.branch(query)), value)
        for branch, done, _ in found:
            using.join(branch)
            using.note(done)
        return tuple(result for _, _, result in found)

    def _one(self, query: Query, branch: Run) -> tuple[Run, TraceStep, Out]:
        timer = branch.timer()
        result = self.step(query, branch)
        rows = (len(branch.view), rows_of(result, branch))
        return branch, timer.step("ForEach", {"question": query.question}, rows, branch.trace), result

    def needs(self) -> frozenset[str]:
        """Return what the step needs."""
        return self.step.needs()

    def after(self, given: Given = None) -> Given:
        """Return the columns after the step, which begins with a question."""
        return self.step.after({})


@dataclasses.dataclass(frozen=True)
class ByReach(Operator[Query, Out]):
    """One of three operators, by how far the question reaches (BookRAG section 5.1); unplanned ones are single-hop."""

    declares: ClassVar[Columns] = Columns()

    single: Operator[Query, Out]
    multi: Operator[Query, Out]
    whole: Operator[Query, Out]

    def __call__(self, value: Query, using: Run) -> Out:
        """Return the result of the operator for the question's reach."""
        by_reach = {Reach.MULTI: self.multi, Reach.GLOBAL: self.whole}
        chosen = by_reach.get(value.reach, self.single) if value.reach else self.single
        return chosen(value, using)

    def needs(self) -> frozenset[str]:
        """Return what any of the three needs."""
        return self.single.needs() | self.multi.needs() | self.whole.needs()

    def after(self, given: Given = None) -> Given:
        """Return the columns that are there whichever of the three is taken."""
        return shared(*(one.after(given) for one in (self.single, self.multi, self.whole)))

"""An example of routing: a document as a router saw it, and what it should have done; and how questions make examples.

Examples are JSON lines, checked when they are read, and the request and reply that a router is trained and asked with.
No question or document is both trained on and measured on. To make them a system is run, and what its router is asked
is labelled by gold evidence or by a model; each step after an expansion is an example too, after a wrong one as well.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from octavo.corpus import Corpus
from octavo.decisions.engine import Decided, Decision, In, Out
from octavo.decisions.engine.judge import Judge
from octavo.decisions.engine.model_call import request_of
from octavo.errors import UsageError
from octavo.evidence import Query, View
from octavo.models.language import Request
from octavo.models.ports import TextEmbedder
from octavo.operators.core import Run
from octavo.systems import System, run_search
from octavo.systems.baselines import SCORED
from octavo_lab.question import Gold, Question
from octavo_lab.report import replace
from octavo_methods.rdr2.decisions.route_document import (
    ROUTE_DOCUMENT,
    Actions,
    RouteLine,
    Routing,
    legal,
    route_by_scores,
    to_tags,
)
from octavo_methods.rdr2.decisions.route_subtree import ROUTE_SUBTREE
from octavo_methods.rdr2.routing import Route
from octavo_methods.rdr2.system import routed
from octavo_methods.rdr2.trees import RetrievalSubtree, RetrievePassages, StructureTree

Kind = Literal["answer", "expand", "refuse"]
KINDS: tuple[Kind, ...] = ("answer", "expand", "refuse")
ROUTERS = {one.name: one for one in (ROUTE_DOCUMENT, ROUTE_SUBTREE)}
"""The decisions that a router can be trained for, by name."""
GOLD = "gold"
"""The source of examples made from gold evidence."""


@dataclasses.dataclass(frozen=True, slots=True)
class Example:
    """What was shown and the right actions. `source` is GOLD or the name of the model that chose them.

    `question_id` is the benchmark's; `document_id` tells apart documents of the same name. `decision` is the one a
    router is trained for: that of `rdr2` or that of `rdr2-paper`.
    """

    routing: Routing
    actions: Actions
    question_id: str
    document_id: str
    source: str = GOLD
    decision: str = ROUTE_DOCUMENT.name

    @property
    def kind(self) -> Kind:
        """What the example teaches first of all."""
        if self.actions.answer:
            return "answer"
        return "expand" if self.actions.expand else "refuse"


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: int = Field(ge=0)
    depth: int = Field(ge=0, le=100)
    is_heading: bool
    text: str
    can_expand: bool = False
    score: float | None = None


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid")

    question: str = Field(min_length=1)
    document: str
    lines: list[_Line] = Field(min_length=1)
    can_refuse: bool = True
    answer: list[int] = []
    expand: list[int] = []
    refuse: bool = False
    question_id: str
    document_id: str
    source: str = GOLD
    decision: Literal["route_document", "route_subtree"] = "route_document"


def written(example: Example) -> str:
    """Return an example as a line of JSON."""
    routing, actions = example.routing, example.actions
    row = _Row(
        question=routing.question,
        document=routing.document,
        lines=[_Line(**dataclasses.asdict(line)) for line in routing.lines],
        can_refuse=routing.can_refuse,
        **actions.model_dump(exclude={"done"}),
        question_id=example.question_id,
        document_id=example.document_id,
        source=example.source,
        decision=cast(Any, example.decision),
    )
    return json.dumps(row.model_dump(), ensure_ascii=False, separators=(",", ":"))


def read(text: str) -> Example:
    """Return the example in a line of JSON.

    Raises ValueError that says what is wrong: a field, or actions that are not legal for the lines.
    """
    row = _Row.model_validate_json(text)
    lines = tuple(RouteLine(**line.model_dump()) for line in row.lines)
    actions = Actions(answer=row.answer, expand=row.expand, refuse=row.refuse)
    if len({line.id for line in lines}) < len(lines):
        raise ValueError("two lines have the same id")
    found = legal(actions, lines)
    if found.dropped or found.collapsed:
        raise ValueError("its actions are not legal for its lines")
    routing = Routing(row.question, row.document, lines, row.can_refuse)
    return Example(routing, actions, row.question_id, row.document_id, row.source, row.decision)


def read_all(path: Path) -> tuple[Example, ...]:
    """Return the examples in a file. Raises UsageError with file and line for the first that is not one."""
    found: list[Example] = []
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    found.append(_read_at(path, number, line))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read as JSON lines: {error}") from error
    if not found:
        raise UsageError(f"{path} holds no example")
    return tuple(found)


def decision_of(examples: Sequence[Example]) -> str:
    """Return the decision that examples are for; raise UsageError where they are for several."""
    names = {one.decision for one in examples}
    if len(names) > 1:
        raise UsageError(
            f"the examples are for several decisions: {', '.join(sorted(names))}; train one router for each"
        )
    return next(iter(names), ROUTE_DOCUMENT.name)


def _read_at(path: Path, number: int, line: str) -> Example:
    try:
        return read(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the line"
        raise UsageError(f"{path}, line {number}: {place}: {first['msg']}") from error
    except ValueError as error:
        raise UsageError(f"{path}, line {number}: {error}") from error


def write_all(path: Path, examples: Iterable[Example]) -> None:
    """Write examples to a file, whole or not at all. Raises CorpusError (`full`)."""
    replace(path, (written(example) + "\n" for example in examples))


# As a router is asked


def request_for(routing: Routing, context_tokens: int, decision: str = ROUTE_DOCUMENT.name) -> tuple[Request, bool]:
    """Return the request a model of so much context gets, and whether all of the document fits into it.

    Raises ModelFault where the context is too small for the decision.
    """
    request, left_out = request_of(ROUTERS[decision], routing, context_tokens)
    return request, not left_out


def reply_of(example: Example) -> str:
    """Return the reply that is right: tags, an action a line, in an order of chance that stays.

    So each right action may come first, and how likely each is to come first says how right it is. The router of the
    paper's own plan writes its reply: what answers comes first, each in the order in which the model named it.
    """
    said = to_tags(example.actions, example.routing.lines)
    if example.decision == ROUTE_SUBTREE.name:
        return said
    lines, seed = said.split("\n"), written(example)
    return "\n".join(sorted(lines, key=lambda line: hashlib.sha256(f"{seed}{line}".encode()).digest()))


@dataclass(frozen=True, slots=True)
class Split:
    """Examples on either side; `dropped` counts those of a held-out document with a question that is not held out."""

    train: tuple[Example, ...]
    held_out: tuple[Example, ...]
    dropped: int = 0


def split(examples: Sequence[Example], share: float) -> Split:
    """Hold out about `share` (0 to less than 1) of the questions, and every document that was found for one of them.

    Questions are chosen by a hash of their ids: the same ones in every run.
    """
    if not 0 <= share < 1:
        raise UsageError(f"the share that is held out is a number from 0 to less than 1, not {share}")
    out = tuple(one for one in examples if is_held_out(one.question_id, share))
    documents = {one.document_id for one in out}
    train = tuple(
        one for one in examples if one.document_id not in documents and not is_held_out(one.question_id, share)
    )
    return Split(train, out, len(examples) - len(train) - len(out))


def is_held_out(question_id: str, share: float) -> bool:
    """Whether a question is among the held-out ones."""
    place = int.from_bytes(hashlib.sha256(question_id.encode()).digest()[:8], "big") / 2**64
    return place < share


PASSAGES = (1, 8)
"""How many passages are retrieved, one run for each: few leave most of a document to be opened, many bring in documents
that are to be refused."""
FIRST = "hybrid"
"""The system whose documents are routed where the corpus has more than a question opens."""


class GoldLabels(Judge):
    """Notes what gold evidence says of the decision `route_document`, and does that; every other one by its rule.

    With `follows_rule` documents are routed by the rule, and what is noted is still what gold says: only so it is shown
    what to do after a heading was opened that hides nothing that is sought.
    """

    def __init__(self, view: View, gold: Gold, question: Question, *, follows_rule: bool = False) -> None:
        """Take the documents in scope and where the gold stands in them."""
        super().__init__()
        self._follows_rule = follows_rule
        self._tree = StructureTree.of(view)
        self._gold = _gold_rows(view, gold)
        self._unsure = _unsure(view, gold, self._gold, question)
        self._chosen: set[int] = set()
        self._question_id = question.id
        self.examples: list[Example] = []
        self.unreachable = 0
        """Steps that are no examples: no legal action leads to their gold, it was not found, or was chosen before."""

    def decide(
        self,
        decision: Decision[In, Out],
        value: In,
        *,
        rule: Callable[[In], Out] | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> Decided[Out]:
        """Return the right actions for a document, or what the rule of another decision says."""
        if decision.name != ROUTE_DOCUMENT.name:
            return super().decide(decision, value, rule=rule, on_text=on_text)
        actions = self._routed(cast(Routing, value))
        return Decided(cast(Any, actions), "rule")

    def _routed(self, routing: Routing) -> Actions:
        document = _document_of(self._tree.view, routing)
        right = None if document in self._unsure else self._right(routing, document)
        if right is None:
            self.unreachable += 1
        else:
            name = self._tree.view.documents[document].id
            self.examples.append(Example(routing, right, self._question_id, name, GOLD))
        taken = route_by_scores(routing) if self._follows_rule else right or Actions(refuse=True)
        start = int(self._tree.view.row_starts[document])
        self._chosen.update(start + one - 1 for one in taken.answer)
        return taken

    def _right(self, routing: Routing, document: int) -> Actions | None:
        """Return what gold says of a document; None where it says nothing.

        A document whose gold was all chosen is no example of one to be refused: a router is not told what it chose.
        """
        gold = self._gold[document]
        wanted = gold - self._chosen
        if gold and not wanted:
            return None
        start = int(self._tree.view.row_starts[document])
        hidden = {
            line.id: len(wanted.intersection(self._own(document, line.id)))
            for line in routing.lines
            if line.is_heading and line.can_expand
        }
        return actions_of(routing, {row - start + 1 for row in wanted}, hidden)

    def _own(self, document: int, heading: int) -> list[int]:
        """Return the rows under a heading of a document by its number: rows from 1, the Introduction 0."""
        section = -1 - document if heading == 0 else int(self._tree.view.row_starts[document]) + heading - 1
        return self._tree.own(section).tolist()


class ModelLabels(Judge):
    """Decides as another judge and notes what a model said of documents, where it is legal.

    With `is_single_turn` nothing is opened: each subtree that was retrieved is an example, and none follows from it
    (RDR2 section 3.3).
    """

    def __init__(self, judge: Judge, view: View, question_id: str, *, is_single_turn: bool = False) -> None:
        """Take the judge that decides."""
        super().__init__(judge.models, gateway=judge.gateway, budget=judge.budget, workers=judge.workers)
        self._is_single_turn = is_single_turn
        self._view = view
        self._question_id = question_id
        self.examples: list[Example] = []
        self.unreachable = 0
        """Steps that no model decided, or of which it said something that cannot be done."""

    def decide_many(
        self, decision: Decision[In, Out], values: Sequence[In], *, rule: Callable[[In], Out] | None = None
    ) -> list[Decided[Out]]:
        """Return what the model or the rule says, and note what the model said of documents."""
        decided = super().decide_many(decision, values, rule=rule)
        if decision.name not in ROUTERS:
            return decided
        for value, one in zip(values, decided, strict=True):
            said = cast(Decided[Actions], one)
            self._note_example(decision.name, cast(Routing, value), said.output, is_ruled=one.by == "rule")
        if not self._is_single_turn:
            return decided
        return [dataclasses.replace(one, output=cast(Any, Actions(refuse=True))) for one in decided]

    def _note_example(self, decision: str, routing: Routing, actions: Actions, *, is_ruled: bool) -> None:
        found = legal(actions, routing.lines)
        if is_ruled or found.dropped or found.collapsed:
            self.unreachable += 1
            return
        model = self.model_for(decision)
        source = model.id if model is not None else GOLD
        at = _document_of(self._view, routing)
        kept = Actions(answer=list(found.answer), expand=list(found.expand), refuse=found.refuse)
        # A router is trained on one document at a time, without what was found before.
        shown = dataclasses.replace(routing, found=(), left=None, looks=False)
        self.examples.append(Example(shown, kept, self._question_id, self._view.documents[at].id, source, decision))


Labels = Callable[[View, Question], Sequence[GoldLabels | ModelLabels]]
"""Makes the judges of a question over the documents in scope; the documents are routed once by each."""


def by_gold(find: Callable[[Question], Gold]) -> Labels:
    """Return what labels by where the evidence of a question stands, going by that and by the rule."""

    def judges(view: View, question: Question) -> Sequence[GoldLabels]:
        gold = find(question)
        return [GoldLabels(view, gold, question, follows_rule=one) for one in (False, True)]

    return judges


def by_model(judge: Judge, *, is_single_turn: bool = False) -> Labels:
    """Return what labels by the models of a judge, within its budget."""
    return lambda view, question: [ModelLabels(judge, view, question.id, is_single_turn=is_single_turn)]


class Curation:
    """Makes examples of questions over a corpus; `skipped` counts steps and questions that became none."""

    def __init__(
        self,
        corpus: Corpus,
        labels: Labels,
        embedder: Callable[[], TextEmbedder],
        systems: Sequence[System] | None = None,
    ) -> None:
        """Take who labels, and the systems whose routers are asked: that of `rdr2`, with few and many passages."""
        self._corpus, self._labels, self._embedder = corpus, labels, embedder
        self._systems = tuple(systems or (_retrieving(count) for count in PASSAGES))
        self.skipped = 0

    def examples(self, question: Question, scope: Sequence[str] | None) -> Iterator[Example]:
        """Yield the examples of a question; `scope` are ids of documents, None for the whole corpus.

        A question that nothing is found for has none, and counts as skipped.
        """
        needs = frozenset[str]().union(*(system.needs() for system in self._systems))
        ids = [] if scope is not None and not scope else self._found(question, scope)
        if not ids:
            self.skipped += 1
            return
        view = self._corpus.view(ids, layers=needs)
        found: dict[str, Example] = {}
        runs = ((system, judge) for system in self._systems for judge in self._labels(view, question))
        for system, judge in runs:
            run_search(system, Query(question.question, limit=system.limit), Run(view, self._embedder, judge=judge))
            self.skipped += judge.unreachable
            found |= {written(one): one for one in judge.examples}
        yield from found.values()

    def _found(self, question: Question, scope: Sequence[str] | None) -> list[str]:
        """Return the documents the first stage opens."""
        found = self._corpus.search(question.question, documents=scope, system=FIRST)
        evidence = found.evidence
        places = cast("list[int]", np.unique(evidence.view.document[evidence.rows]).tolist())
        return [evidence.view.documents[at].id for at in places]


def _document_of(view: View, routing: Routing) -> int:
    """Return which document of a view is routed: several may have its name, but not its lines."""
    named = [at for at, document in enumerate(view.documents) if document.called == routing.document]
    return next((at for at in named if _holds(view, at, routing)), named[0])


def _holds(view: View, document: int, routing: Routing) -> bool:
    rows = view.rows_of(document)
    numbered = [(rows.start + line.id - 1, line.text) for line in routing.lines if line.id > 0]
    return all(row < rows.stop and view.blocks.text[row] == text for row, text in numbered)


def _retrieving(passages: int) -> System:
    """Return the system whose router is trained, with so many passages retrieved."""
    retrieve = SCORED >> RetrievePassages("fused", passages) >> RetrievalSubtree()
    return routed(f"rdr2, {passages} passages", retrieve >> Route())


def _gold_rows(view: View, gold: Gold) -> list[set[int]]:
    places = {document.id: at for at, document in enumerate(view.documents)}
    found: list[set[int]] = [set() for _ in view.documents]
    for name, block in (one for group in gold.blocks for one in group):
        if name in places and block[1:].isdecimal():
            row = int(view.row_starts[places[name]]) + int(block[1:])
            found[places[name]].add(row)
    return found


def _unsure(view: View, gold: Gold, rows: Sequence[set[int]], question: Question) -> frozenset[int]:
    """Return the documents that may hold gold although none was found in them: refusing those would be taught wrongly.

    All are, where a question has an answer and its evidence was found nowhere; else those it says evidence is in.
    """
    empty = [at for at, found in enumerate(rows) if not found]
    if question.answerable and not any(gold.blocks):
        return frozenset(empty)
    named = frozenset[str]().union(*gold.documents)
    return frozenset(at for at in empty if view.documents[at].name in named)


# Labels from gold


def actions_of(routing: Routing, gold: Collection[int], hidden: Mapping[int, int]) -> Actions | None:
    """Return what to do with a document; None where its gold can neither be chosen nor be reached.

    Args:
        routing: What is shown.
        gold: Ids of the lines of this document that hold gold and were not chosen yet.
        hidden: For each heading that can be expanded, how many gold lines expanding it shows; the most first.
    """
    answer = [line.id for line in routing.lines if not line.is_heading and line.id in gold]
    closed = [line.id for line in routing.lines if line.is_heading and line.can_expand and hidden.get(line.id)]
    expand = sorted(closed, key=lambda one: -hidden[one])
    if not answer and not expand and (gold or not routing.can_refuse):
        return None
    actions = Actions(answer=answer, expand=expand, refuse=not answer and not expand)
    found = legal(actions, routing.lines)
    return None if found.dropped or found.collapsed else actions

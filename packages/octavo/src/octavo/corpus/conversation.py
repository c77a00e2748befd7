"""A conversation: questions one after the other, where a later one may leave open what the earlier ones said."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, cast

from octavo.corpus import arguments
from octavo.corpus.ask.options import AskOptions
from octavo.corpus.store.references import Names, listed
from octavo.corpus.streaming import PendingAnswer, events
from octavo.decisions.complete_question import COMPLETE_QUESTION, FollowUp, PastTurn
from octavo.decisions.engine import total
from octavo.errors import CorpusError, UsageError
from octavo.evidence import Answer, Outcome, TraceStep, Usage
from octavo.models.gateway import Budget
from octavo.operators.core import decisions_of

if TYPE_CHECKING:
    from octavo.corpus.corpus import Corpus
    from octavo.corpus.streaming import Event, Listen
    from octavo.models.gateway import Caps
    from octavo.systems import System


_VERSION = 1
_TURNS_TOLD = 8
"""Turns that a new question may speak of, the last ones."""
_MOST_NAMED = 12
"""Documents in scope that are called by name in what decides; of more none is."""


_MOST_GONE = 3
"""Documents that are no longer there which are called by name."""
_SCOPE_GONE = (
    "{0}, which this conversation is about, {1} no longer in the corpus: name documents with the next question"
)
_ABOUT_GONE = (
    "{0}, which the question before was about, {1} no longer in the corpus: ask in full, or name the documents to ask"
)


@dataclasses.dataclass(frozen=True)
class _Asked:
    """A question as it is asked of the corpus, and the step that made it whole; None for a first question."""

    question: str
    understood: str
    about: tuple[str, ...]
    """Ids of the documents it is about alone; () for all in scope."""
    scope: tuple[str, ...] | None
    """What questions are asked of from this one on, as it was named; None for the whole corpus."""
    budget: Budget
    is_new_scope: bool
    """Whether documents were named with this question."""
    step: TraceStep | None = None
    usage: Usage = dataclasses.field(default_factory=Usage)
    decided_by: Counter[str] = dataclasses.field(default_factory=Counter[str])

    @property
    def documents(self) -> tuple[str, ...] | None:
        """What this question is asked of."""
        return self.about or self.scope


@arguments.checked
class Conversation:
    """Questions over the same documents, each understood from the turns before it. Threads may share it.

    A question that stands alone is asked as it is. One that does not is made whole first, by the model where there is
    one and by rule without: what was understood is on the answer (`understood`). A question that fails leaves no turn
    behind. Questions asked at the same time are each understood from the turns that were over when they began.
    """

    def __init__(self, corpus: Corpus, documents: Names | None = None, turns: Sequence[ConversationTurn] = ()) -> None:
        """Begin a conversation, or go on with one; `documents` are named as for `Corpus.ask`, None: all."""
        self._corpus = corpus
        self._lock = threading.Lock()
        self._turns = tuple(turns)
        self._documents = None if documents is None else tuple(listed(documents))

    def __repr__(self) -> str:
        scope = "all documents" if self.documents is None else ", ".join(self.documents)
        return f"Conversation({scope}, {len(self.turns)} turns)"

    @property
    def turns(self) -> tuple[ConversationTurn, ...]:
        """The questions asked so far and what came of them, oldest first."""
        with self._lock:
            return self._turns

    @property
    def documents(self) -> tuple[str, ...] | None:
        """What questions are asked of, as it was named; None: the whole corpus."""
        with self._lock:
            return self._documents

    def look_in(self, documents: Names | None) -> None:
        """Ask what follows of other documents, named as for `Corpus.ask`; None: of the whole corpus."""
        with self._lock:
            self._documents = None if documents is None else tuple(listed(documents))

    def clear(self) -> None:
        """Forget all turns; the documents stay."""
        with self._lock:
            self._turns = ()

    def ask(
        self,
        question: str,
        *,
        documents: Names | None = None,
        where: str | None = None,
        system: str | System = "auto",
        limit: int | None = None,
        caps: Caps | Budget | None = None,
    ) -> Answer:
        """Answer a question, made whole where it leaves open what the turns before it said.

        The arguments and errors are those of `Corpus.ask`; CorpusError (`removed`) where documents of the turns before
        are gone: name others, and the conversation goes on. `documents` hold for the questions after it too; None:
        those of before. `caps` hold for this turn, understanding it included.
        """
        options = AskOptions(documents, system, limit, caps, where)
        options.resolve(question)  # what would be refused later is refused before a model is asked
        asked = self._understand(question, options)
        answer = self._corpus.ask(
            asked.understood, documents=asked.documents, where=where, system=system, limit=limit, caps=asked.budget
        )
        return self._finish(asked, answer)

    def stream(
        self,
        question: str,
        *,
        documents: Names | None = None,
        where: str | None = None,
        system: str | System = "auto",
        limit: int | None = None,
        caps: Caps | Budget | None = None,
    ) -> Generator[Event]:
        """Yield what `ask` does as it happens, as `Corpus.stream` does.

        After the first question the first event is the step `CompleteQuestion`; its parameter `understood` is the
        question that is asked. Stopping early leaves no turn behind.
        """
        return events(
            lambda listen: self.asking(
                question, listen, documents=documents, where=where, system=system, limit=limit, caps=caps
            )
        )

    def asking(
        self,
        question: str,
        listen: Listen,
        *,
        documents: Names | None = None,
        where: str | None = None,
        system: str | System = "auto",
        limit: int | None = None,
        caps: Caps | Budget | None = None,
    ) -> PendingAnswer:
        """Return a question ready to be answered in a thread of the caller's, as `Corpus.asking` does.

        One that is cancelled leaves no turn behind.
        """
        options = AskOptions(documents, system, limit, caps, where)
        options.resolve(question)
        cancelled, under_way = threading.Event(), list[Callable[[], None]]()

        def cancel() -> None:
            cancelled.set()
            for end in [*under_way]:
                end()

        def begin(end: Callable[[], None]) -> None:
            under_way.append(end)
            if cancelled.is_set():
                end()

        def answer() -> Answer:
            asked = self._understand(question, options, begin)
            if asked.step is not None:
                listen(asked.step)
            inner = self._corpus.asking(
                asked.understood,
                listen,
                documents=asked.documents,
                where=where,
                system=system,
                limit=limit,
                caps=asked.budget,
            )
            begin(inner.cancel)
            found = inner.run()
            return found if cancelled.is_set() else self._finish(asked, found)

        return PendingAnswer(answer, cancel)

    def to_json(self) -> dict[str, Any]:
        """Return the conversation as JSON values, from which `from_json` makes it again."""
        with self._lock:
            documents = None if self._documents is None else [*self._documents]
            return {"version": _VERSION, "documents": documents, "turns": [turn.to_json() for turn in self._turns]}

    @classmethod
    def from_json(cls, corpus: Corpus, value: object) -> Self:
        """Return the conversation that `to_json` gave, over a corpus. Raises UsageError for anything else."""
        told = cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else dict[str, Any]()
        if told.get("version") != _VERSION:
            raise UsageError(f"this is no conversation of version {_VERSION}, which this Octavo reads")
        documents, turns = told.get("documents"), told.get("turns")
        if not isinstance(turns, list) or not isinstance(documents, list | None):
            raise UsageError("this is no conversation: its turns or documents are missing")
        names = None if documents is None else [str(name) for name in cast("list[object]", documents)]
        return cls(corpus, names, [ConversationTurn.from_json(turn) for turn in cast("list[object]", turns)])

    def _understand(
        self,
        question: str,
        options: AskOptions,
        cancellable: Callable[[Callable[[], None]], None] = lambda _cancel: None,
    ) -> _Asked:
        documents, caps = options.documents, options.caps
        budget = caps if isinstance(caps, Budget) else Budget(caps)
        with self._lock:
            turns, scope = self._turns, self._documents if documents is None else tuple(listed(documents))
        if documents is None and scope is not None:
            self._check_there(scope, turns, _SCOPE_GONE)
        if not turns:
            return _Asked(question, question, (), scope, budget, documents is not None)
        started = time.perf_counter()
        named = self._named(scope)
        judge = self._corpus.judge(caps=budget)
        cancellable(judge.cancel)
        past = [turn.past() for turn in turns[-_TURNS_TOLD:]]
        if turns[-1].scope != scope:  # who looks elsewhere does not keep to the documents of the last answer
            past[-1] = dataclasses.replace(past[-1], documents=())
        value = FollowUp(question, tuple(past), tuple(named))
        whole = judge.decide(COMPLETE_QUESTION, value).output
        about = tuple(named[name] for name in whole.documents if name in named)
        if not whole.stands_alone and not about and turns[-1].scope == scope:
            about = turns[-1].about
            self._check_there(about, turns, _ABOUT_GONE)
        step = TraceStep(
            step="CompleteQuestion",
            parameters={"understood": whole.question, "stands_alone": whole.stands_alone, "documents": whole.documents},
            rows_in=0,
            rows_out=0,
            seconds=round(time.perf_counter() - started, 6),
            steps=decisions_of(judge.records),
        ).taking(judge.usage())
        decided = Counter[str](record.by for record in judge.records)
        return _Asked(
            question, whole.question, about, scope, budget, documents is not None, step, judge.usage(), decided
        )

    def _check_there(self, names: Sequence[str], turns: Sequence[ConversationTurn], told: str) -> None:
        """Raise CorpusError (`removed`) where names of the turns before mean nothing any more.

        What is left of them, or the whole corpus, is not what the next question is meant to be asked of.
        """
        gone = [name for name in names if not self._corpus.list(name, limit=1)]
        if gone:
            called = {one.document_id: one.document for turn in turns for one in turn.cited}
            shown = ", ".join(repr(called.get(name, name)) for name in gone[:_MOST_GONE])
            more = f" and {len(gone) - _MOST_GONE:,} more" if len(gone) > _MOST_GONE else ""
            raise CorpusError("removed", told.format(f"{shown}{more}", "is" if len(gone) == 1 else "are"))

    def _named(self, scope: tuple[str, ...] | None) -> dict[str, str]:
        """Return the ids of the documents in scope by name; {} where they are many."""
        matches = (None,) if scope is None else scope
        infos = {info.id: info for match in matches for info in self._corpus.list(match, limit=_MOST_NAMED + 1)}
        if len(infos) > _MOST_NAMED:
            return {}
        called = self._corpus.names_apart([*infos.values()])
        return {called.get(one, info.name): one for one, info in infos.items()}

    def _finish(self, asked: _Asked, answer: Answer) -> Answer:
        """Keep the turn; return the answer with what was understood and what understanding it took."""
        understood = "" if asked.understood.strip() == asked.question.strip() else asked.understood
        made = dataclasses.replace(answer, question=asked.question, understood=understood)
        if asked.step is not None:
            made = dataclasses.replace(
                made,
                usage=dataclasses.replace(
                    total([asked.usage, made.usage]), seconds=asked.step.seconds + made.usage.seconds
                ),
                decided_by=dict(asked.decided_by + Counter(made.decided_by)),
                trace=(asked.step, *made.trace),
            )
        with self._lock:
            self._turns = (*self._turns, ConversationTurn.of(made, asked.about, asked.scope))
            self._documents = asked.scope if asked.is_new_scope else self._documents
        return made


# What is kept of a question and its answer, and its JSON


_MOST_CITED = 5


@dataclasses.dataclass(frozen=True, slots=True)
class CitedBefore:
    """A place that an answer stood on, or a passage that was shown."""

    document: str
    document_id: str
    page: int
    section: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class ConversationTurn:
    """A question, how it was understood, and what came of it."""

    question: str
    understood: str
    """The question that was asked; `question` itself where it stands alone."""
    outcome: Outcome
    answer: str
    """The text of the answer."""
    cited: tuple[CitedBefore, ...] = ()
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
            tuple(dict.fromkeys(CitedBefore(one.document, one.document_id, one.page, one.section) for one in places)),
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
                    CitedBefore(
                        _text(one["document"]), _text(one["document_id"]), int(one["page"]), _texts(one["section"])
                    )
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

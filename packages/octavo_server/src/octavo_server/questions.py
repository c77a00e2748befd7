"""Questions asked of the server: answers get an id and are kept, and follow one another in conversations.

Where a model failed the answer says why, in words for people.
"""

from __future__ import annotations

import dataclasses
import datetime
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from octavo import systems
from octavo.corpus.conversation import Conversation, ConversationTurn
from octavo.corpus.streaming import ModelAsked, sentence_of
from octavo.errors import CorpusError
from octavo.evidence import Answer, TraceStep
from octavo.evidence.labels import labels_of
from octavo_documents.wording import translated
from octavo_server.history import History
from octavo_server.pools import PoolSlot
from octavo_server.problems import Problem
from octavo_server.shapes import citation_json, passage_json
from octavo_server.store import MOST_ANSWERS

if TYPE_CHECKING:
    from octavo.corpus import Corpus
    from octavo.corpus.streaming import Event, Listen
    from octavo.models.gateway import Caps
    from octavo.systems import System
    from octavo_server.responses import AnswerShape, ConversationShape
    from octavo_server.store import Store

_RULE = "rule"
_WHY = {
    "connection": "The connection to the model broke",
    "timeout": "The model took too long",
    "rate limit": "The provider of the model took no more calls",
    "overloaded": "The model's server had too much to do",
    "server error": "The model's server failed",
    "malformed reply": "The model's reply was cut short or could not be read",
    "empty reply": "The model's reply was empty",
    "input too long": "The question and its passages were too long for the model",
    "refused": "The model refused to answer",
}
"""Sentences for kinds of faults, as `FaultKind` names them."""
_LEFT_ALONE = "is not asked again"
_OTHERWISE = "The model's replies could not be used"


def model_failures(trace: Iterable[TraceStep]) -> list[str]:
    """Return why rules decided what models were asked for, a sentence for each kind of failure, in order."""
    return [*dict.fromkeys(sentence for step in _decided(trace) if (sentence := _sentence(step)))]


def _sentence(step: TraceStep) -> str | None:
    why = str(step.parameters.get("why", ""))
    if why.endswith(_LEFT_ALONE):
        return "The model failed again and again, and is left alone for now"
    return _WHY.get(why.partition(":")[0], _OTHERWISE if step.parameters.get("failed") else None)


def _decided(trace: Iterable[TraceStep]) -> Iterator[TraceStep]:
    for step in trace:
        if step.parameters.get("decided_by") == _RULE:
            yield step
        yield from _decided(step.steps)


NEW = "new"
"""Names a conversation that begins."""
_ID_BYTES = 16
_NO_LONGER = (
    f"This answer is no longer kept: the server keeps the latest {MOST_ANSWERS:,} answers, each as long as the "
    "documents it stands on. Ask the question again."
)


_UNKEPT = "There was no room on the server's disk: this answer and its link are kept in memory, until the server ends"
_UNKEPT_REPLIES = "There was no room on the server's disk for the model's replies: asking again asks it again"


def new_id() -> str:
    """Return an id that nobody guesses: 128 bits as url-safe text."""
    return secrets.token_urlsafe(_ID_BYTES)


class StepSentences:
    """A listener that keeps the steps of a question in plain words, each once where it follows itself."""

    def __init__(self) -> None:
        self.sentences: list[str] = []

    def __call__(self, event: Event) -> None:
        """Keep the sentence of an event."""
        self.add(event)

    def add(self, event: Event) -> str:
        """Keep the sentence of an event and return it; "" for what is no step, and for what was just said."""
        sentence = sentence_of(event) if isinstance(event, TraceStep) else None
        if not sentence or sentence in self.sentences[-3:]:
            return ""
        self.sentences.append(sentence)
        return sentence


@dataclasses.dataclass(frozen=True, kw_only=True)
class QuestionOptions:
    """How a request asks a question; `conversation` is an id or "new", `answer_format` the type of the answer."""

    documents: Sequence[str] | None = None
    where: str | None = None
    system: str = "auto"
    limit: int | None = None
    caps: Caps | None = None
    conversation: str | None = None
    answer_format: str | None = None
    owner: str = ""
    """Whose the answer is: the hash of a key, "" for nobody's own."""
    past: Sequence[ConversationTurn] = ()
    """Turns before the question that the caller keeps itself, in the place of a conversation."""

    def chosen(self) -> System | str:
        """Return what answers. Raises UsageError where it is to answer by type and does not, and for another type."""
        return self.system if self.answer_format is None else systems.get(self.system).answering_as(self.answer_format)


@dataclasses.dataclass(frozen=True)
class PendingQuestion:
    """A question ready to be answered: `finish` keeps the answer and returns its JSON, with the steps in words."""

    run: Callable[[PoolSlot], Answer]
    cancel: Callable[[], None]
    finish: Callable[[Answer, Sequence[str], bool], AnswerShape]


class Questions:
    """Asks a corpus and keeps what came of it in a store."""

    def __init__(self, corpus: Corpus, store: Store) -> None:
        self._corpus, self._store = corpus, store
        self._unkept = 0
        self.history = History(store)

    def asking(self, question: str, listen: Listen, options: QuestionOptions) -> PendingQuestion:
        """Return a question ready to be answered.

        Raises CorpusError (`unknown`) for a conversation there is not, and as `Corpus.ask` does.
        """
        chosen = options.chosen()
        identity, live = (None, None) if options.conversation is None else self._conversation(options)
        before = Conversation(self._corpus, None, options.past) if options.past else None
        slots = list[PoolSlot]()

        def heard(event: Event) -> None:
            if isinstance(event, ModelAsked):  # other questions may search while a model reads for this one
                slots[-1].release()
            listen(event)

        asking = (live or before or self._corpus).asking(
            question,
            heard,
            documents=options.documents,
            where=options.where,
            system=chosen,
            limit=options.limit,
            caps=options.caps,
        )

        def run(slot: PoolSlot) -> Answer:
            slots.append(slot)
            return asking.run()

        def finish(answer: Answer, steps: Sequence[str], trace: bool) -> AnswerShape:  # noqa: FBT001
            return self._keep(answer, steps, trace, identity, live, options.owner)

        return PendingQuestion(run, asking.cancel, finish)

    def _conversation(self, options: QuestionOptions) -> tuple[str, Conversation]:
        identity = options.conversation or NEW
        if identity == NEW:
            return new_id(), Conversation(self._corpus)
        self.history.check(options.owner, identity)
        found = self._store.conversation(identity)
        if found is None:
            raise CorpusError("unknown", 'there is no such conversation here; begin one with "conversation": "new"')
        turns = [turn for turn in self._store.turns(identity) if turn is not None]
        documents = None if found.documents is None else [*found.documents]
        kept = {"version": 1, "documents": documents, "turns": turns}
        return identity, Conversation.from_json(self._corpus, kept)

    def _keep(
        self,
        answer: Answer,
        steps: Sequence[str],
        trace: bool,  # noqa: FBT001
        conversation: str | None,
        live: Conversation | None,
        owner: str,
    ) -> AnswerShape:
        identity = new_id()
        failures = [*map(translated, (*model_failures(answer.trace), *self._unkept_replies()))]
        value: AnswerShape = {
            **answer.to_json(trace=trace),
            "passages": [passage_json(one) for one in answer.passages],
            "citations": [citation_json(one) for one in answer.citations],
            "id": identity,
            "link": f"/a/{identity}",
            "conversation": conversation,
            "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            "steps": [*steps],
            "failures": failures,
            "is_kept": True,
        }
        documents = sorted({place.document_id for place in (*answer.citations, *answer.passages)})
        turn = live.turns[-1].to_json() if live is not None and live.turns else None
        is_kept = self._store.keep_answer(identity, value, documents, conversation, turn, owner)
        if not is_kept and self._store.path is not None:
            value["is_kept"] = False
            value["failures"] = [*failures, translated(_UNKEPT)]
        if conversation is not None and live is not None:
            self._store.keep_conversation(conversation, live.documents, owner)
        return value

    def _unkept_replies(self) -> list[str]:
        """Return a sentence where replies of models since the last answer could not be kept."""
        before, self._unkept = self._unkept, self._corpus.unkept_replies
        return [_UNKEPT_REPLIES] if self._unkept > before else []

    def answer(self, identity: str, owner: str) -> AnswerShape:
        """Return an owner's answer. Raises CorpusError (`unknown`) where there was none, Problem 410 after it."""
        if self._store.owner_of(answer=identity) not in ("", owner):
            raise CorpusError("unknown", "there is no such answer here; it may have been given to another key")
        found = self._store.answer(identity)
        if found is not None:
            value, documents = found
            if len(self._corpus.layers(documents)) == len(documents):
                return _labelled(value)
            self._store.forget_answer(identity)
        elif not self._store.is_gone(identity):
            raise CorpusError("unknown", "there is no such answer here; the link may have been cut short")
        raise Problem(410, "gone", _NO_LONGER)

    def conversation(self, identity: str, owner: str) -> ConversationShape:
        """Return a conversation of an owner with the answers of its turns, oldest first."""
        self.history.check(owner, identity)
        found = self._store.conversation(identity)
        if found is None:
            raise CorpusError("unknown", "there is no such conversation here")
        documents = None if found.documents is None else [*found.documents]
        return {
            "id": identity,
            "documents": documents,
            "turns": [_labelled(one) for one in self._store.answers_of(identity)],
        }


def _labelled(value: AnswerShape) -> AnswerShape:
    """Return a kept answer with what tells how it came about, which those of before do not have."""
    return {**value, **labels_of(value)}

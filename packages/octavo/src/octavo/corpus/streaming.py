"""Events of a question while it is answered, and its steps in plain words, for people who watch an answer being found.

Events are steps, what a model reads, the answer as it is written, and the answer.
"""

from __future__ import annotations

import contextlib
import dataclasses
import queue
import threading
from collections.abc import Callable, Generator, Mapping
from typing import TYPE_CHECKING, cast

from octavo.errors import UsageError
from octavo.evidence import Answer, Passage, TraceStep
from octavo.evidence.meant_documents import MEANT, preferred_in_words, strangers_in_words
from octavo.models.spans import carried
from octavo.operators import OPERATORS
from octavo.operators.sentence_forms import Sentence, plain
from octavo_documents.document import number_of
from octavo_documents.wording import translated

if TYPE_CHECKING:
    from octavo.evidence.answer_shapes import MeantShape
    from octavo.operators.core import Run


@dataclasses.dataclass(frozen=True, slots=True)
class AnswerText:
    """The answer as far as it is written; the whole text each time."""

    text: str


@dataclasses.dataclass(frozen=True, slots=True)
class ModelAsked:
    """A model is asked, by the thread that answers or one that works for it: from now on it is mostly waited for."""


@dataclasses.dataclass(frozen=True, slots=True)
class PassagesRead:
    """The best of the passages that a model is asked to answer from, told before it is; again where it reads again."""

    passages: tuple[Passage, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Ending:
    """Ctrl-C was pressed and a model's reply is waited for, so that what may be paid for is kept; the last event."""


Event = TraceStep | ModelAsked | PassagesRead | AnswerText | Answer | Ending
"""What a stream yields; the answer is the last one, unless Ctrl-C was pressed."""
_GRACE_SECONDS = 0.3
"""How long Ctrl-C waits for the thread that answers before it tells what is waited for."""


Listen = Callable[[Event], None]
"""Takes events from the thread that answers; must be quick."""


@dataclasses.dataclass(frozen=True, slots=True)
class PendingAnswer:
    """A question that is ready to be answered.

    `run` answers it in the calling thread, which tells the listener each event but the answer, and returns the answer;
    `cancel` ends what is under way from any thread.
    """

    run: Callable[[], Answer]
    cancel: Callable[[], None]


def listened_to(listen: Listen, run: Run) -> Run:
    """Return the run; a listener is told what happened before it, and what happens in it."""
    for step in run.trace:
        listen(step)
    run.judge.listen(lambda: listen(ModelAsked()))
    run.on_step = listen
    run.on_passages = lambda passages: listen(PassagesRead(passages))
    run.on_text = lambda text: listen(AnswerText(text))
    return run


def events(prepare: Callable[[Listen], PendingAnswer]) -> Generator[Event]:
    """Return what yields the events of a question, then the answer; `prepare` is called at once, with the listener.

    An error of the answer is raised by the generator. When the caller stops early, or on Ctrl-C, the question is
    cancelled and its thread waited for.
    """
    told: queue.SimpleQueue[Event | BaseException] = queue.SimpleQueue()
    return _events(prepare(told.put), told)


def _events(asking: PendingAnswer, told: queue.SimpleQueue[Event | BaseException]) -> Generator[Event]:
    def work() -> None:
        try:
            told.put(asking.run())
        except BaseException as error:  # noqa: BLE001  (raised again in the caller's thread)
            told.put(error)

    thread = threading.Thread(target=carried(work), name="octavo-ask", daemon=True)
    thread.start()
    try:
        while True:
            event = told.get()
            if isinstance(event, BaseException):
                raise event
            yield event
            if isinstance(event, Answer):
                return
    except KeyboardInterrupt:
        asking.cancel()
        thread.join(_GRACE_SECONDS)
        if thread.is_alive():
            yield Ending()
        raise
    finally:
        asking.cancel()
        thread.join()


def sentence_of(step: TraceStep) -> str | None:
    """Return a sentence on what a step did, without a full stop; None for one that says nothing to a layman.

    An operator that is registered (`OPERATORS`, or an entry point) has its own; of others the rows are told.
    """
    sentence: Sentence = _OF_CORPUS.get(step.step, plain)
    if step.step not in _OF_CORPUS:
        with contextlib.suppress(KeyError, UsageError):
            sentence = getattr(OPERATORS[step.step], "sentence", plain)
    told = sentence(step)
    return None if told is None else translated(told)


def _first_stage(step: TraceStep) -> str:
    opened = number_of(int(step.parameters.get("opened", 0)), "document")
    return f"Searched {int(step.parameters.get('documents', 0)):,} documents, and opened the {opened} that fit best"


def _understood(step: TraceStep) -> str | None:
    if step.parameters.get("stands_alone"):
        return None
    return f"Took the question to mean: {step.parameters.get('understood', '')}"


def _meant(step: TraceStep) -> str | None:
    meant = cast("MeantShape", step.parameters)
    told, strangers = preferred_in_words(meant), strangers_in_words(meant)
    if told:
        return f"Preferred {told}"
    return f"Found no document that is about {strangers}" if strangers else None


_OF_CORPUS: Mapping[str, Sentence] = {"FirstStage": _first_stage, MEANT: _meant, "CompleteQuestion": _understood}
"""Steps that the corpus takes before a system does."""

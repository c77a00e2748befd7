"""Events of a question while it is answered, and its steps in plain words, for people who watch an answer being found.

Events are steps, what a model reads, the answer as it is written, and the answer.
"""

from __future__ import annotations

import dataclasses
import queue
import re
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from octavo.document import Answer, Passage, TraceStep, number_of

if TYPE_CHECKING:
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
class Asking:
    """A question that is ready to be answered.

    `run` answers it in the calling thread, which tells the listener each event but the answer, and returns the answer;
    `cancel` ends what is under way from any thread.
    """

    run: Callable[[], Answer]
    cancel: Callable[[], None]


def told_to(listen: Listen, run: Run) -> Run:
    """Return a run that tells a listener what happens in it."""
    run.judge.listen(lambda: listen(ModelAsked()))
    run.on_step = listen
    run.on_passages = lambda passages: listen(PassagesRead(passages))
    run.on_text = lambda text: listen(AnswerText(text))
    return run


def events(prepare: Callable[[Listen], Asking]) -> Generator[Event]:
    """Return what yields the events of a question, then the answer; `prepare` is called at once, with the listener.

    An error of the answer is raised by the generator. When the caller stops early, or on Ctrl-C, the question is
    cancelled and its thread waited for.
    """
    told: queue.SimpleQueue[Event | BaseException] = queue.SimpleQueue()
    return _events(prepare(told.put), told)


def _events(asking: Asking, told: queue.SimpleQueue[Event | BaseException]) -> Generator[Event]:
    def work() -> None:
        try:
            told.put(asking.run())
        except BaseException as error:  # noqa: BLE001  (raised again in the caller's thread)
            told.put(error)

    thread = threading.Thread(target=work, name="octavo-ask", daemon=True)
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


_SEARCHES = {
    "bm25": "Looked for the question's words",
    "dense": "Looked for what means the same in other words",
    "visual": "Looked for pictures that fit the question",
}
"""Searches that a layman is told of, by kind; the others look at the same again, by whole pages."""
_SILENT = frozenset(
    {
        "Fuse",
        "AddPageBonuses",
        "Mentioned",
        "InterleaveRankings",
        "LowerConfidence",
        "PagesBeside",
        "Part",
        "HeadingsOnly",
    }
)
"""Steps that only weigh what others found."""
_BY_RULE = "rule"


def told(step: TraceStep) -> str | None:
    """Return a sentence on what a step did, without a full stop; None for one that says nothing to a layman."""
    if step.step in _SILENT:
        return None
    tell = _TELLERS.get(step.step)
    if tell is not None:
        return tell(step)
    if not step.rows_out or step.rows_out == step.rows_in:
        return None
    name = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", step.step).strip().lower()
    return f"{name.capitalize()}: {_places(step.rows_out)}"


def _places(count: int) -> str:
    return number_of(count, "place")


def _first_stage(step: TraceStep) -> str:
    opened = number_of(int(step.parameters.get("opened", 0)), "document")
    return f"Chose {opened} out of {int(step.parameters.get('documents', 0)):,} to look into"


def _search(step: TraceStep) -> str | None:
    said = _SEARCHES.get(str(step.parameters.get("kind")))
    return f"{said}: {_places(step.rows_out)} of {step.rows_in:,}" if said and step.rows_out else None


def _refer(step: TraceStep) -> str | None:
    return f"Went to the pages, sections or tables that the question names: {_places(step.rows_out)}"


def _found(sentence: str) -> Callable[[TraceStep], str | None]:
    """Return a teller of a sentence with the places a step brought, silent where it brought none."""
    return lambda step: f"{sentence}: {_places(step.rows_out)}" if step.rows_out else None


def _kept(sentence: str) -> Callable[[TraceStep], str | None]:
    """Return a teller of a sentence with the places a step kept, silent where it kept all."""
    return lambda step: f"{sentence}: {_places(step.rows_out)}" if 0 < step.rows_out < step.rows_in else None


def _said(sentence: str) -> Callable[[TraceStep], str | None]:
    return lambda _step: sentence


def _read(step: TraceStep) -> str:
    """Tell of a reader: who read, how much, and how many quotes were found in their places."""
    models = sorted({one.parameters["decided_by"] for one in _decisions(step)} - {_BY_RULE})
    read = f"Read the best of {_places(step.rows_in)}"
    if models:
        read = f"Had {' and '.join(models)} read the best of {_places(step.rows_in)}"
    return f"{read}, and checked {number_of(step.rows_out, 'quote')}" if step.rows_out else read


def _decisions(step: TraceStep) -> Iterator[TraceStep]:
    for one in step.steps:
        if "decided_by" in one.parameters:
            yield one
        yield from _decisions(one)


def _understood(step: TraceStep) -> str | None:
    if step.parameters.get("stands_alone"):
        return None
    return f"Took the question to mean: {step.parameters.get('understood', '')}"


def _planned(step: TraceStep) -> str:
    names = step.parameters.get("entities") or ()
    about = ", ".join(map(str, names[:3]))
    return f"Worked out what the question is about: {about}" if about else "Worked out what the question asks for"


def _investigated(step: TraceStep) -> str:
    turns = int(step.parameters.get("turns", 0))
    return f"Looked around in {number_of(turns, 'turn')}, and kept {_places(step.rows_out)}"


def _further(step: TraceStep) -> str:
    missing = step.parameters.get("missing") or ()
    what = f" for what was missing ({', '.join(map(str, missing[:2]))})" if missing else ""
    return f"Looked further{what}, in {number_of(int(step.parameters.get('turns', 0)), 'turn')}"


def _routed(step: TraceStep) -> str:
    rounds = sum(one.step == "Round" for one in step.steps)
    walked = f" in {number_of(rounds, 'round')}" if rounds else ""
    return f"Walked down the headings{walked}, and opened {_places(step.rows_out)}"


def _reflected(step: TraceStep) -> str:
    outcomes: Mapping[Any, str] = {
        "widened": "Asked whether that is enough, and looked at more pages",
        "nothing new": "Looked at more pages, which brought nothing new",
    }
    return outcomes.get(step.parameters.get("outcome"), "Asked whether that is enough")


_TELLERS: Mapping[str, Callable[[TraceStep], str | None]] = {
    "FirstStage": _first_stage,
    "CompleteQuestion": _understood,
    "Search": _search,
    "SearchTree": _found("Searched the text and its summaries"),
    "VisualSearch": _found("Looked for pages that look like the answer"),
    "Refer": lambda step: _refer(step) if step.rows_out else None,
    "Statements": _found("Looked on the pages of the financial statements"),
    "DocumentStanding": lambda _step: None,
    "PlanQuestion": _planned,
    "Decompose": _said("Took the question apart"),
    "Extract": _said("Looked its names up among those in the document"),
    "SelectByEntity": _found("Followed the names to the sections they stand in"),
    "SelectByScent": _found("Chose the sections that promise most"),
    "SelectBySection": _found("Chose sections by their titles"),
    "FilterRange": _kept("Kept the pages asked for"),
    "FilterModal": _kept("Kept what is of the kind asked for"),
    "FilterTopic": _kept("Kept what is on the topic"),
    "GraphReasoning": _said("Weighed places by how their names hang together"),
    "TextReasoning": _said("Weighed places by their words"),
    "Skyline": _kept("Kept the places that are best by one or the other"),
    "RankPages": _kept("Kept the best pages"),
    "RankByUnits": _said("Ranked pages by what stands on them"),
    "BestPassages": _kept("Kept the best passages"),
    "ParentPages": _said("Looked at the whole pages around them"),
    "JudgePages": _said("Judged which pages belong to the question"),
    "KeepByScoreGap": _kept("Kept the pages that stand out"),
    "RetrievePassages": _said("Picked the passages to begin with"),
    "RetrievalSubtree": _said("Laid out the headings around them"),
    "Route": _routed,
    "RoutedPassages": _kept("Took the passages under the headings that were opened"),
    "Investigate": _investigated,
    "SearchFurther": _further,
    "Locate": _kept("Found the sections that promise most"),
    "Widen": _said("Looked at the pages around"),
    "Reflect": _reflected,
    "Map": lambda step: f"Read {number_of(int(step.parameters.get('pieces', 0)), 'piece')} one by one",
    "Reduce": _said("Put what was found together"),
    "Merge": _said("Put the partial answers together"),
    "ForEach": _said("Looked for each part of the question by itself"),
    "DirectReader": _read,
    "ExtractiveReader": _read,
    "ReasonedReader": _read,
    "Agents": _read,
    "skipped": lambda _step: None,
}

"""Events of a question while it is answered, and its steps in plain words, for people who watch an answer being found.

Events are steps, what a model reads, the answer as it is written, and the answer.
"""

from __future__ import annotations

import dataclasses
import queue
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from octavo.evidence import Answer, Passage, TraceStep
from octavo_documents.document import number_of

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
class PendingAnswer:
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
    "bm25": "Searched for the question's words",
    "dense": "Searched for what means the same in other words",
    "visual": "Searched for pictures that fit the question",
}
"""Searches that a layman is told of, by kind; the others look at the same again, by whole pages."""
_SILENT = frozenset(
    {
        "Fuse",
        "AddPageBonuses",
        "BoostMentionedDocuments",
        "InterleaveRankings",
        "LowerConfidence",
        "AddNeighbourPages",
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
    if step.rows_out < step.rows_in:
        return f"Kept {_of(step)}"
    return f"Found {_places(step.rows_out)}"


def _places(count: int) -> str:
    return number_of(count, "place")


def _of(step: TraceStep) -> str:
    return f"{step.rows_out:,} of {_places(step.rows_in)}"


def _first_stage(step: TraceStep) -> str:
    opened = number_of(int(step.parameters.get("opened", 0)), "document")
    return f"Searched {int(step.parameters.get('documents', 0)):,} documents, and opened the {opened} that fit best"


def _search(step: TraceStep) -> str | None:
    said = _SEARCHES.get(str(step.parameters.get("kind")))
    return f"{said}, and found {_of(step)} that fit" if said and step.rows_out else None


def _refer(step: TraceStep) -> str | None:
    return f"Went to the pages, sections or tables that the question names ({_places(step.rows_out)})"


def _found(sentence: str) -> Callable[[TraceStep], str | None]:
    """Return a teller of a sentence with the places a step brought, silent where it brought none."""
    return lambda step: f"{sentence} ({_places(step.rows_out)})" if step.rows_out else None


def _kept(sentence: str) -> Callable[[TraceStep], str | None]:
    """Return a teller of a sentence with the places a step kept, silent where it kept all."""
    return lambda step: f"{sentence} ({_of(step)})" if 0 < step.rows_out < step.rows_in else None


def _said(sentence: str) -> Callable[[TraceStep], str | None]:
    return lambda _step: sentence


def _read(step: TraceStep) -> str:
    """Tell of a reader: who read, how much, and how many quotes were found in their places."""
    has_model = any(one.parameters["decided_by"] != _BY_RULE for one in _decisions(step))  # the journal's replies too
    read = f"{'Had a model read' if has_model else 'Read'} the passages that fit best, of {_places(step.rows_in)}"
    return f"{read}, and found {number_of(step.rows_out, 'quote')} in the text" if step.rows_out else read


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
    return f"Noted that the question is about {about}" if about else "Worked out what kind of question it is"


def _investigated(step: TraceStep) -> str:
    turns = int(step.parameters.get("turns", 0))
    return f"Searched and read on {number_of(turns, 'time')}, and kept {_places(step.rows_out)}"


def _further(step: TraceStep) -> str:
    missing = step.parameters.get("missing") or ()
    what = f" for what was missing ({', '.join(map(str, missing[:2]))})" if missing else ""
    return f"Searched {number_of(int(step.parameters.get('turns', 0)), 'more time')}{what}"


def _routed(step: TraceStep) -> str:
    rounds = sum(one.step == "Round" for one in step.steps)
    walked = f", {number_of(rounds, 'level')} deep" if rounds else ""
    return f"Went down the headings{walked}, and opened {_places(step.rows_out)} under them"


def _reflected(step: TraceStep) -> str:
    outcomes: Mapping[Any, str] = {
        "widened": "Checked whether that is enough to answer, and read more pages",
        "nothing new": "Read more pages, which brought nothing new",
    }
    return outcomes.get(step.parameters.get("outcome"), "Checked whether that is enough to answer")


_TELLERS: Mapping[str, Callable[[TraceStep], str | None]] = {
    "FirstStage": _first_stage,
    "CompleteQuestion": _understood,
    "Search": _search,
    "SearchTree": _found("Searched the text and summaries of it"),
    "VisualSearch": _found("Searched for pages whose picture fits the question"),
    "Refer": lambda step: _refer(step) if step.rows_out else None,
    "FinancialStatementPages": _found("Looked on the pages of the financial statements"),
    "DocumentScoreGap": lambda _step: None,
    "AnswerAs": lambda _step: None,
    "PlanQuestion": _planned,
    "Decompose": _said("Split the question into parts that are searched one by one"),
    "Extract": _said("Looked up the names in the question among those of the document"),
    "SelectByEntity": _found("Went to the sections that speak of these names"),
    "SelectByScent": _found("Chose the sections that most likely hold the answer"),
    "SelectBySection": _found("Chose sections whose titles fit the question"),
    "FilterRange": _kept("Kept what stands on the pages asked for"),
    "FilterModal": _kept("Kept the tables, figures or texts asked for"),
    "FilterTopic": _kept("Kept what is on the topic asked for"),
    "GraphReasoning": _said("Ranked the places by how the names in them are related to those in the question"),
    "TextReasoning": _said("Ranked the places by how well their words fit the question"),
    "Skyline": _kept("Kept the places that no other place beats both by names and by words"),
    "RankPages": _kept("Kept what stands on the pages that fit best"),
    "RankByUnits": _said("Ranked the pages by the sentences and table rows on them"),
    "BestPassages": _kept("Kept the passages that fit best"),
    "ParentPages": _said("Took the whole pages that these passages stand on"),
    "JudgePages": _said("Decided page by page whether it helps to answer the question"),
    "KeepByScoreGap": _kept("Kept the pages that fit clearly better than the rest"),
    "RetrievePassages": _said("Chose the passages to begin with"),
    "RetrievalSubtree": _said("Took the headings that these passages stand under"),
    "Route": _routed,
    "RoutedPassages": _kept("Kept the passages under the headings that were opened"),
    "Investigate": _investigated,
    "SearchFurther": _further,
    "Locate": _kept("Chose the sections that most likely hold the answer"),
    "Widen": _said("Added the pages before and after"),
    "Reflect": _reflected,
    "Map": lambda step: f"Read the text in {number_of(int(step.parameters.get('pieces', 0)), 'part')}, one by one",
    "Reduce": _said("Put together what was found in the parts"),
    "Merge": _said("Put the answers of the parts together"),
    "ForEach": _said("Searched for each part of the question by itself"),
    "DirectReader": _read,
    "SeenReader": _read,
    "ExtractiveReader": _read,
    "ReasonedReader": _read,
    "Agents": _read,
    "skipped": lambda _step: None,
}

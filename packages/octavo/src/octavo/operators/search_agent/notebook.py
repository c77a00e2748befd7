"""What one investigation has gathered, and the turns an agent takes.

Which calls come first, what ends the loop, what is refused, and what the agent is told. The decision `investigate`
takes each turn, by a model or by rule. The notebook keeps what came of it: calls carried out or refused, what was
found, and what the agent was told of it.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Sequence
from functools import reduce

import numpy as np

from octavo.decisions.agent_tools import ToolName
from octavo.decisions.investigate import (
    INVESTIGATE,
    InvestigateInput,
    ToolCall,
    ToolTurn,
    room_for_history,
)
from octavo.evidence import Evidence, TraceStep
from octavo.models.language import estimate_tokens
from octavo.operators.core import Run
from octavo.operators.keep import CHOSEN_ORDER, LISTED
from octavo.operators.read.packing import shortened
from octavo.operators.score.fuse import FUSED
from octavo.operators.search_agent.tools import Called, Refused, Tool, lines_of, number, read_number, seen_in, titles_of
from octavo_documents.document.columns import Rows
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.segmentation import has_unspaced

_MOST_TITLES = 40
_MOST_DOCUMENTS, _TITLE = 10, 60
_FEWEST_LETTERS = 3
"""Letters of a word in a title; signs in drawings have fewer."""
_READ_MORE = 3
"""Blocks of a search by meaning of which more is shown."""
_READ_BEFORE, _LONGEST_CALL = 90, 400
"""Characters of a line that was shown in a turn before, and of a call."""


def is_words(title: str) -> bool:
    """Return whether a title has a word, or several pieces such as "§ 5 a"."""
    return len(title.split()) > 1 or sum(map(str.isalpha, title)) >= _FEWEST_LETTERS or has_unspaced(title)


class Notebook:
    """What one investigation has gathered.

    `history` has one text for each call, as the agent is shown it; `steps` are the same for the trace; `repeats` counts
    calls that were made before.
    """

    def __init__(self, tools: Sequence[Tool], using: Run) -> None:
        self.tools: dict[ToolName, Tool] = {tool.name: tool for tool in tools}
        self.history: list[str] = []
        self.steps: list[TraceStep] = []
        self.repeats = 0
        self._using = using
        self._sees = any("document_graph" in tool.needs() for tool in tools)
        self._found: list[Evidence] = []
        self._results: list[Rows] = []
        self._listed: Rows = np.zeros(0, np.int64)
        self._order: list[int] = []
        self._asked: set[str] = set()
        self._told: dict[int, None] = {}
        self._in_full: set[int] = set()

    @property
    def has_list(self) -> bool:
        """Whether the agent ended with blocks that it was shown."""
        return bool(len(self._listed))

    @property
    def listed(self) -> list[int]:
        """The blocks the agent ended with, in its order."""
        return self._order

    # Calls

    def look_up(self, call: ToolCall) -> None:
        """Make a call before the first turn, where its tool is there and it was not made."""
        if call.tool in self.tools and call.key() not in self._asked:
            self.carry_out(call)

    def carry_out(self, call: ToolCall) -> None:
        """Make a call and note what it found; one that is refused, or was made before, is noted as such."""
        started, said = self._using.clock(), _said(call)
        if call.key() in self._asked:
            self.repeats += 1
            self._note(said, "refused: this call was made before; its result stands above")
            return
        self._asked.add(call.key())
        try:
            rows, unknown = self._rows(call.ids)
            called = self.tools[call.tool].call(call, rows, self._using)
        except Refused as wrong:
            self._note(said, f"refused: {wrong}")
            self._trace(call, started, {"asked": call.query or list(call.ids), "refused": str(wrong)}, 0)
            return
        self._take(call, called, unknown, started)

    def _take(self, call: ToolCall, called: Called, unknown: list[str], started: float) -> None:
        self._found.append(called.evidence)
        self._results.append(called.result)
        notice = f"; not known, and left out: {', '.join(unknown)}" if unknown else ""
        terms = {*analyze(self._using.query.question), *analyze(json.dumps(call.query))}
        longer = _READ_MORE if call.tool == "neuro_semantic_search" else 0
        view = self._using.view
        seen = seen_in(view) if self._sees else None
        lines = lines_of(view, called.shown, terms=terms, told=self._in_full, longer=longer, seen=seen)
        self._told.update(dict.fromkeys(called.shown.tolist()))
        self._in_full.update(called.shown.tolist())
        if not len(called.result):
            lines = ["(nothing)"]
        self._note(_said(call), "\n".join([f"{called.note}{notice}", *lines]), result=len(self._results))
        self._trace(call, started, {"asked": called.asked}, len(called.shown), called.steps)

    def _rows(self, ids: Iterable[str]) -> tuple[Rows, list[str]]:
        """Return the rows that numbers name, and the numbers of nothing that was shown."""
        known = {*self._shown().tolist(), *self._titles(), *self._best()}
        rows: set[int] = set()
        unknown: list[str] = []
        for text in ids:
            read = read_number(text)
            if read and read[0] == "r" and 1 <= read[1] <= len(self._results):
                rows.update(self._results[read[1] - 1].tolist())
            elif read and read[0] == "b" and read[1] in known:
                rows.add(read[1])
            else:
                unknown.append(text[:20])
        return np.array(sorted(rows), np.int64), unknown[:10]

    @property
    def seen(self) -> list[int]:
        """The rows that were shown, in the order they first were."""
        return [*self._told]

    def _shown(self) -> Rows:
        return np.unique(np.concatenate([np.zeros(0, np.int64), *self._results]))

    def turn_over(self, kept: Iterable[str]) -> None:
        """Cut the lines of what was found so far, but of the blocks that the agent keeps: it has read them."""
        self._in_full &= {*self._rows(kept)[0].tolist()}
        numbers = {*map(number, self._in_full)}
        self.history = [_in_short(text, numbers) for text in self.history]

    def _note(self, said: str, told: str, *, result: int = 0) -> None:
        self.history.append(f"[r{result}] {said}: {told}" if result else f"{said}: {told}")

    def _trace(
        self, call: ToolCall, started: float, asked: dict[str, object], rows: int, steps: tuple[TraceStep, ...] = ()
    ) -> None:
        seconds = round(self._using.clock() - started, 6)
        self.steps.append(TraceStep(call.tool, asked, len(self._using.view), rows, seconds, steps=steps))

    # Endings

    def end(self, ids: Iterable[str]) -> None:
        """Take the agent's list; numbers of nothing that was shown are dropped and told in the trace."""
        ids = list(ids)
        self._listed, unknown = self._rows(ids)
        self._order = list(dict.fromkeys(row for one in ids for row in self._rows([one])[0].tolist()))
        if unknown:
            self.steps.append(TraceStep("unknown_blocks", {"dropped": unknown}, len(unknown), 0, 0.0))

    def evidence(self) -> Evidence:
        """Return all that was found, with a column for each tool and the agent's list."""
        view = self._using.view
        nothing = np.zeros(0, np.int64)
        empty = Evidence(view, nothing, {tool.column: np.zeros(0) for tool in self.tools.values()})
        listed = Evidence.of(view, self._listed, source=LISTED, **{LISTED: np.ones(len(self._listed))})
        return reduce(Evidence.__or__, self._found, empty | ranked_as_chosen(listed, self._order))

    # What the agent knows

    def best(self) -> tuple[str, ...]:
        """Return the number of the block that scores best by meaning; nothing where nothing was searched."""
        return tuple(map(number, self._best()))

    def _best(self) -> list[int]:
        scored = [found for found in self._found if FUSED in found.scores and len(found)]
        return scored[0].ranked(FUSED)[:1].tolist() if scored else []

    def titles(self) -> tuple[str, ...]:
        """Return the titles of sections, of as many levels as are few, with their numbers and pages.

        Fragments that were taken for titles ("E", "F-5") are none of them.
        """
        return tuple(titles_of(self._using.view, self._titles()))

    def more_titles(self) -> int:
        """Return how many titles are left out."""
        return len(self._heads()) - len(self._titles())

    def _titles(self) -> list[int]:
        """Return the headings down to the deepest level of which all are few enough."""
        heads = self._heads()
        levels = self._using.view.blocks.level[heads]
        counts = [int((levels <= level).sum()) for level in range(1, int(levels.max(initial=1)) + 1)]
        deepest = max((at + 1 for at, count in enumerate(counts) if count <= _MOST_TITLES), default=1)
        return heads[levels <= deepest][:_MOST_TITLES].tolist()

    def _heads(self) -> Rows:
        """Return the headings with a word in them."""
        view = self._using.view
        texts = view.blocks.text
        return np.array([row for row in view.sections().tolist() if is_words(texts[row])], np.int64)

    def document(self) -> str:
        """Return what is asked about: names and lengths."""
        documents = self._using.view.documents
        names = [
            f"{shortened(one.metadata.title.strip() or one.name, _TITLE)}, {len(one.pages)} pages" for one in documents
        ]
        more = f"; and {len(names) - _MOST_DOCUMENTS} more" if len(names) > _MOST_DOCUMENTS else ""
        return "; ".join(names[:_MOST_DOCUMENTS]) + more


def _said(call: ToolCall) -> str:
    asked = call.model_dump(exclude_defaults=True, exclude={"tool"})
    return f"{call.tool} {shortened(json.dumps(asked, ensure_ascii=False), _LONGEST_CALL)}"


def _in_short(text: str, kept: Container[str]) -> str:
    """Return a result with its lines cut, those of the blocks kept aside."""
    first, *lines = text.split("\n")
    cut = [line if line[1:].partition("]")[0] in kept else shortened(line, _READ_BEFORE) for line in lines]
    return "\n".join([first, *cut])


def ranked_as_chosen(listed: Evidence, order: Sequence[int]) -> Evidence:
    """Return the blocks that an agent chose with `chosen_order`; without the column where it chose none."""
    if not len(listed):
        return listed
    place = {row: 1.0 / (1 + at) for at, row in enumerate(order)}
    return listed.with_score(CHOSEN_ORDER, [place.get(row, 0.0) for row in listed.rows.tolist()])


_FULL = 0.9
"""Share of the room for results at which it ends: the next result might not fit."""


def converse(
    question: str, notebook: Notebook, using: Run, *, rounds: int, repeats: int, wanted: tuple[str, ...] = ()
) -> tuple[int, str]:
    """Have the agent take turns; return how many were taken, and what ended them.

    `wanted` is what is missing of an answer, where the rest is known: only that is looked for.
    """
    for at in range(rounds):
        if using.judge.stopped is not None:
            return at, "budget"
        if _is_full(notebook, using):
            return at, "context"
        asked = InvestigateInput(
            question=question,
            history=tuple(notebook.history),
            titles=notebook.titles(),
            more_titles=notebook.more_titles(),
            document=notebook.document(),
            tools=tuple(notebook.tools),
            best=notebook.best(),
            is_first=at == 0,
            turns_left=rounds - at,
            wanted=wanted,
        )
        turn = _turn(asked, notebook, using)
        if turn is None:
            return at, "no reply"
        if not turn.calls:
            notebook.end(turn.blocks)
            return at + 1, "listed" if notebook.has_list else "by score"
        notebook.turn_over(turn.blocks)
        for call in turn.calls:
            notebook.carry_out(call)
        if notebook.repeats >= repeats:
            return at + 1, "repeats"
    return rounds, "rounds"


def _turn(asked: InvestigateInput, notebook: Notebook, using: Run) -> ToolTurn | None:
    """Return what the agent does next; None where only a model can say it, for what it missed, and none did."""
    timer = using.timer()
    decided = using.judge.decide(INVESTIGATE, asked)
    notebook.steps += timer.decisions()
    return None if asked.wanted and decided.by == "rule" else decided.output


def _is_full(notebook: Notebook, using: Run) -> bool:
    model = using.judge.model_for(INVESTIGATE.name, INVESTIGATE.role)
    if model is None:
        return False
    return sum(map(estimate_tokens, notebook.history)) > _FULL * room_for_history(model.context_tokens)

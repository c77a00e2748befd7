"""The agent's loop: which calls come first, what ends it, what is refused, and what the agent is told.

The decision `investigate` takes each turn, by a model or by rule.
"""

from __future__ import annotations

import dataclasses
import time

from octavo.decisions.investigate import (
    INVESTIGATE,
    InvestigateInput,
    ToolCall,
    Turn,
    look_ups,
    room_for_history,
)
from octavo.document import Evidence, Query, View
from octavo.errors import UsageError
from octavo.models.language import estimate_tokens
from octavo.operators.core.base import Operator, decisions_of
from octavo.operators.core.run import Run
from octavo.operators.search_agent.notebook import Notebook
from octavo.operators.search_agent.symbolic_query import InvalidQuery, parse
from octavo.operators.search_agent.symbolic_search import SECONDS, deadline, matching
from octavo.operators.search_agent.tools import Tool
from octavo.question import understand

_FULL = 0.9
"""Share of the room for results at which it ends: the next result might not fit."""
_MOST_NAMES, _NAMED_LINES, _SHORTEST_NAME = 6, 8, 3
_FEW_BLOCKS, _RARE = 3, 0.05
"""A name tells where to look when so many blocks, or this share of all, have it."""


@dataclasses.dataclass(frozen=True)
class Investigate(Operator[Query, Evidence]):
    """Look for evidence with tools until the agent lists its blocks, or a limit ends it.

    The search for the question's own words and the symbolic queries its words cue are made before the first turn, and
    for a model the look-up of the names it has. It
    ends after `rounds` turns, after `repeats` calls that were made before, when the results fill the model's context,
    or when the budget does. An ending without blocks that were shown falls back on all that was scored.

    The evidence has the score columns of all tools, nan where a block has none, and `listed`: 1 for the agent's list.
    """

    tools: tuple[Tool, ...]
    rounds: int = 20
    repeats: int = 2

    def __post_init__(self) -> None:
        if not self.tools or min(self.rounds, self.repeats) < 1:
            raise UsageError("Investigate takes one tool or more, and at least one round and one repeat")

    def needs(self) -> frozenset[str]:
        """Return what any of the tools needs."""
        return frozenset[str]().union(*(tool.needs() for tool in self.tools))

    def __call__(self, value: Query, using: Run) -> Evidence:
        """Return all that was found; in the trace the calls and turns are steps inside this one."""
        timer = using.timer()
        notebook = Notebook(self.tools, using)
        for call in look_ups(value.question):
            notebook.look_up(call)
        if using.judge.has_model(INVESTIGATE.name):
            look_up_names(value.question, notebook, using.view)
        turns, ended = converse(value.question, notebook, using, rounds=self.rounds, repeats=self.repeats)
        found = notebook.evidence()
        told = {"turns": turns, "ended": ended}
        using.note(timer.step("Investigate", told, (len(using.view), len(found)), notebook.steps))
        return found


def look_up_names(text: str, notebook: Notebook, view: View) -> None:
    """Look up, word for word, the names and numbers that a text has, those that few blocks of the documents have.

    Of a name that stands nowhere as a whole its words are looked up.
    """
    asked = understand(text)
    found = [number for number in asked.numbers if _blocks_with(view, number)]
    for name in asked.named:
        tried = [name] if _blocks_with(view, name) else [word for word in name.split() if word[:1].isupper()]
        found += [one for one in tried if len(one) >= _SHORTEST_NAME and 0 < _blocks_with(view, one) <= _few(view)]
    if found:
        query = {"contains": list(dict.fromkeys(found))[:_MOST_NAMES], "limit": _NAMED_LINES}
        notebook.look_up(ToolCall(tool="symbolic_graph_query", query=query))


def _blocks_with(view: View, words: str) -> int:
    """Return how many blocks have some words; as many as there are where that takes too long to tell."""
    try:
        return int(matching(view, parse({"contains": [words]}), deadline(SECONDS, time.perf_counter)).sum())
    except InvalidQuery:
        return len(view)


def _few(view: View) -> int:
    return max(_FEW_BLOCKS, int(_RARE * len(view)))


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


def _turn(asked: InvestigateInput, notebook: Notebook, using: Run) -> Turn | None:
    """Return what the agent does next; None where only a model can say it, for what it missed, and none did."""
    before = len(using.judge.records)
    decided = using.judge.decide(INVESTIGATE, asked)
    notebook.steps += decisions_of(using.judge.records[before:])
    return None if asked.wanted and decided.by == "rule" else decided.output


def _is_full(notebook: Notebook, using: Run) -> bool:
    model = using.judge.model_for(INVESTIGATE.name, INVESTIGATE.role)
    if model is None:
        return False
    return sum(map(estimate_tokens, notebook.history)) > _FULL * room_for_history(model.context_tokens)

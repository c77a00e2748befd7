"""Investigate: an agent looks for evidence with tools, turn by turn (LAD-RAG section 2.2).

Owns the loop: which calls come first, what ends it, what is refused, and what the agent is told. The decision
`investigate` takes each turn, by a model or by rule. Knows nothing about how a tool does its work.
"""

from __future__ import annotations

import dataclasses

from octavo.decisions.investigate import INVESTIGATE, InvestigateInput, Turn, look_ups, room_for_history
from octavo.document import Evidence, Query, TraceStep
from octavo.errors import UsageError
from octavo.models.language import estimate_tokens
from octavo.operators.base import Operator, decisions_of
from octavo.operators.notebook import Notebook
from octavo.operators.run import Run
from octavo.operators.tools import Tool

_FULL = 0.9
"""Share of the room for results at which it ends: the next result might not fit."""


@dataclasses.dataclass(frozen=True)
class Investigate(Operator[Query, Evidence]):
    """Look for evidence with tools until the agent lists its blocks, or a limit ends it.

    The search for the question's own words and the symbolic queries its words cue are made before the first turn. It
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
        started, before = using.clock(), len(using.judge.records)
        notebook = Notebook(self.tools, using)
        for call in look_ups(value.question):
            if call.tool in notebook.tools:
                notebook.carry_out(call)
        turns, ended = self._converse(value, notebook, using)
        found = notebook.evidence()
        usage = using.judge.usage(before)
        done = TraceStep(
            step="Investigate",
            parameters={"turns": turns, "ended": ended},
            rows_in=len(using.view),
            rows_out=len(found),
            seconds=round(using.clock() - started, 6),
            steps=tuple(notebook.steps),
        ).taking(usage)
        using.note(done)
        return found

    def _converse(self, query: Query, notebook: Notebook, using: Run) -> tuple[int, str]:
        """Return how many turns were taken, and what ended them."""
        for at in range(self.rounds):
            if using.judge.stopped is not None:
                return at, "budget"
            if _is_full(notebook, using):
                return at, "context"
            turn = self._turn(query, notebook, using, at)
            if not turn.calls:
                notebook.end(turn.blocks)
                return at + 1, "listed" if notebook.has_list else "by score"
            for call in turn.calls:
                notebook.carry_out(call)
            if notebook.repeats >= self.repeats:
                return at + 1, "repeats"
        return self.rounds, "rounds"

    def _turn(self, query: Query, notebook: Notebook, using: Run, at: int) -> Turn:
        before = len(using.judge.records)
        asked = InvestigateInput(
            question=query.question,
            history=tuple(notebook.history),
            titles=notebook.titles(),
            document=notebook.document(),
            tools=tuple(notebook.tools),
            best=notebook.best(),
            is_first=at == 0,
            turns_left=self.rounds - at,
        )
        decided = using.judge.decide(INVESTIGATE, asked)
        notebook.steps += decisions_of(using.judge.records[before:])
        return decided.output


def _is_full(notebook: Notebook, using: Run) -> bool:
    model = using.judge.model_for(INVESTIGATE.name, INVESTIGATE.role)
    if model is None:
        return False
    return sum(map(estimate_tokens, notebook.history)) > _FULL * room_for_history(model.context_tokens)

"""The agent's loop, from the question on or for what a reading lacks, after which the question is read again.

Which calls come first, what ends the loop, what is refused, and what the agent is told. The decision `investigate`
takes each turn, by a model or by rule.
"""

from __future__ import annotations

import dataclasses
import time

import numpy as np

from octavo.decisions.investigate import (
    INVESTIGATE,
    InvestigateInput,
    ToolCall,
    Turn,
    look_ups,
    room_for_history,
)
from octavo.document import Answer, Evidence, Outcome, Query, View
from octavo.errors import UsageError
from octavo.models.language import estimate_tokens
from octavo.operators.core import Operator, Run, decisions_of
from octavo.operators.keep import RELEVANCE
from octavo.operators.search_agent.notebook import CHOSEN_ORDER, LISTED, Notebook, ranked_as_chosen
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
            _look_up_names(value.question, notebook, using.view)
        turns, ended = _converse(value.question, notebook, using, rounds=self.rounds, repeats=self.repeats)
        found = notebook.evidence()
        told = {"turns": turns, "ended": ended}
        using.note(timer.step("Investigate", told, (len(using.view), len(found)), notebook.steps))
        return found


def _look_up_names(text: str, notebook: Notebook, view: View) -> None:
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


def _converse(
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


_SHOWN = 6
"""Blocks of a look-up that are shown."""
_KEPT_PAGES = 3
"""Pages of the first evidence, best first, that are read again beside what was found."""
_LISTED_PAGES, _SEEN_PAGES = 20, 8
"""Pages read of what the agent listed, and of what it had seen where it was cut off before it chose."""
_REPEATS = 2
_NOTHING = ("by score", "no reply", "budget")


@dataclasses.dataclass(frozen=True)
class SearchFurther(Operator[Evidence, Answer]):
    """Answer with `read`; where a model says what is missing, an agent looks for that and `read` reads again.

    A question that is answered at the first reading costs no more than `read`, and neither does one without a model,
    one with its budget spent, one whose document was shown whole, or one of which the model says that nothing more is
    to be found. The agent takes `turns` at most. What the first reading came to stands where the search or the second
    reading bring nothing.
    """

    read: Operator[Evidence, Answer]
    tools: tuple[Tool, ...]
    turns: int = 3

    def __post_init__(self) -> None:
        if not self.tools or self.turns < 1:
            raise UsageError("SearchFurther takes one tool or more, and at least one turn")

    def needs(self) -> frozenset[str]:
        """Return what reading and the tools need."""
        return self.read.needs().union(*(tool.needs() for tool in self.tools))

    def __call__(self, value: Evidence, using: Run) -> Answer:
        """Return the answer that stands."""
        first = self.read(value, using)
        if first.answerable or not first.missing or using.judge.stopped or _is_whole(value):
            return first
        found = self._search(first, using)
        if found is None or using.judge.stopped:
            return first
        second = self.read(_to_read(value, found, first), using)
        return second if second.answerable or _says_more(second, first) else first

    def _search(self, first: Answer, using: Run) -> Evidence | None:
        """Return what the agent chose, or saw until it was cut off; None where it found nothing."""
        timer = using.timer()
        notebook = Notebook(self.tools, using)
        for phrase in first.missing:
            notebook.look_up(ToolCall(tool="neuro_semantic_search", query=phrase, k=_SHOWN))
        _look_up_names(using.query.question, notebook, using.view)
        for call in look_ups(using.query.question)[1:]:
            notebook.look_up(call)
        turns, ended = _converse(
            using.query.question, notebook, using, rounds=self.turns, repeats=_REPEATS, wanted=first.missing
        )
        # An agent that ends without blocks says that nothing is there.
        rows = [] if ended in _NOTHING else notebook.listed or notebook.seen
        told = {"missing": list(first.missing), "turns": turns, "ended": ended}
        using.note(timer.step("Investigate", told, (len(using.view), len(rows)), notebook.steps))
        if not rows:
            return None
        if notebook.has_list:
            listed = Evidence.of(using.view, rows, source=LISTED)
            return listed.with_score(RELEVANCE, ranked_as_chosen(listed, rows).scores[CHOSEN_ORDER])
        # What was seen last comes first: it is what the agent had come to.
        return Evidence.of(using.view, rows, source="seen", **{RELEVANCE: [1.0 + at for at in range(len(rows))]})


def _to_read(value: Evidence, found: Evidence, first: Answer) -> Evidence:
    """Return the pages of what was found and cited, whole, and the best of the first evidence, ranked in this order."""
    view = value.view
    index = view.page_index
    most = _LISTED_PAGES if LISTED in found.sources else _SEEN_PAGES
    pages = list(dict.fromkeys(index[found.ranked(RELEVANCE)].tolist()))[:most]
    best = value.page_indices(RELEVANCE)[:_KEPT_PAGES]
    chosen = dict.fromkeys([*pages, *index[_known(view, first)].tolist(), *best])
    rows = np.flatnonzero(np.isin(index, [*chosen]) & view.is_content)
    place = {page: 1.0 - at / len(chosen) for at, page in enumerate(chosen)}
    scores = [place[page] for page in index[rows].tolist()]
    read = Evidence.of(view, rows, source="read", **{RELEVANCE: scores})
    if LISTED not in found.sources:
        return read | Evidence.of(view, (), source=LISTED)
    listed = [*found.ranked(RELEVANCE).tolist(), *_known(view, first)]
    return read | ranked_as_chosen(Evidence.of(view, listed, source=LISTED), listed)


def _known(view: View, first: Answer) -> list[int]:
    """Return the rows of the passages that a half answer stands on."""
    documents = {document.id: at for at, document in enumerate(view.documents)}
    known = first.passages if first.outcome is Outcome.PASSAGES else ()
    return [int(view.row_starts[documents[one.document_id]]) + int(one.block[1:]) for one in known]


def _is_whole(value: Evidence) -> bool:
    """Tell whether the evidence is all there is to read."""
    return len(np.setdiff1d(np.flatnonzero(value.view.is_content), value.rows)) == 0


def _says_more(second: Answer, first: Answer) -> bool:
    return second.outcome is Outcome.PASSAGES or first.outcome is Outcome.NOTHING

"""The agent's loop, from the question on or for what a reading lacks, after which the question is read again.

Which calls come first, what ends the loop, what is refused, and what the agent is told. The decision `investigate`
takes each turn, by a model or by rule. The notebook keeps what came of it: calls carried out or refused, what was
found, and what the agent was told of it.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Container, Iterable, Sequence
from functools import reduce
from typing import ClassVar

import numpy as np

from octavo.decisions.investigate import (
    INVESTIGATE,
    InvestigateInput,
    ToolCall,
    ToolName,
    ToolTurn,
    look_ups,
    room_for_history,
)
from octavo.errors import UsageError
from octavo.evidence import Answer, Evidence, Outcome, Query, TraceStep, View
from octavo.models.language import estimate_tokens
from octavo.operators.columns import NEW, Columns, Given, shared
from octavo.operators.core import Operator, Run
from octavo.operators.keep import CHOSEN_ORDER, LISTED, RELEVANCE
from octavo.operators.read.in_part import better_of
from octavo.operators.read.packing import shortened
from octavo.operators.read.wanted import to_search
from octavo.operators.score.fuse import FUSED
from octavo.operators.search_agent.first_look_ups import look_up_names, look_up_pictures
from octavo.operators.search_agent.tools import Called, Refused, Tool, lines_of, number, read_number, seen_in, titles_of
from octavo.operators.sentence_forms import Sentence, places
from octavo_documents.document import number_of
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


def ranked_as_chosen(listed: Evidence, order: Sequence[int]) -> Evidence:
    """Return the blocks that an agent chose with `chosen_order`; without the column where it chose none."""
    if not len(listed):
        return listed
    place = {row: 1.0 / (1 + at) for at, row in enumerate(order)}
    return listed.with_score(CHOSEN_ORDER, [place.get(row, 0.0) for row in listed.rows.tolist()])


def _said(call: ToolCall) -> str:
    asked = call.model_dump(exclude_defaults=True, exclude={"tool"})
    return f"{call.tool} {shortened(json.dumps(asked, ensure_ascii=False), _LONGEST_CALL)}"


def _in_short(text: str, kept: Container[str]) -> str:
    """Return a result with its lines cut, those of the blocks kept aside."""
    first, *lines = text.split("\n")
    cut = [line if line[1:].partition("]")[0] in kept else shortened(line, _READ_BEFORE) for line in lines]
    return "\n".join([first, *cut])


_FULL = 0.9
"""Share of the room for results at which it ends: the next result might not fit."""


def _search_sentence(step: TraceStep) -> str:
    turns = int(step.parameters.get("turns", 0))
    return f"Searched and read on {number_of(turns, 'time')}, and kept {places(step.rows_out)}"


@dataclasses.dataclass(frozen=True)
class Investigate(Operator[Query, Evidence]):
    """Look for evidence with tools until the agent lists its blocks, or a limit ends it.

    The search for the question's own words and the symbolic queries its words cue are made before the first turn, and
    for a model the look-ups of the names and of the kinds of picture that it speaks of. It ends after `rounds` turns,
    after `repeats` calls that were made before, when the results fill the model's context, or when the budget does. An
    ending without blocks that were shown falls back on all that was scored.

    The evidence has the score columns of all tools, nan where a block has none, and `listed`: 1 for the agent's list.
    """

    sentence: ClassVar[Sentence] = _search_sentence

    tools: tuple[Tool, ...]
    rounds: int = 20
    repeats: int = 2

    def __post_init__(self) -> None:
        if not self.tools or min(self.rounds, self.repeats) < 1:
            raise UsageError("Investigate takes one tool or more, and at least one round and one repeat")

    def needs(self) -> frozenset[str]:
        """Return what any of the tools needs."""
        return frozenset[str]().union(*(tool.needs() for tool in self.tools))

    def declared(self) -> Columns:
        """Return what is written: the column of each tool and the list, and what else the tools find."""
        found = {column for tool in self.tools for column in tool.columns()}
        return Columns(
            writes={LISTED, *(tool.column for tool in self.tools)}, may_write={CHOSEN_ORDER, *found}, keeps=NEW
        )

    def __call__(self, value: Query, using: Run) -> Evidence:
        """Return all that was found; in the trace the calls and turns are steps inside this one."""
        timer = using.timer()
        notebook = Notebook(self.tools, using)
        for call in look_ups(value.question):
            notebook.look_up(call)
        if using.judge.has_model(INVESTIGATE.name):
            look_up_names(value.question, notebook, using.view)
            look_up_pictures(value.question, notebook)
        turns, ended = _converse(value.question, notebook, using, rounds=self.rounds, repeats=self.repeats)
        found = notebook.evidence()
        told = {"turns": turns, "ended": ended}
        using.note(timer.step("Investigate", told, (len(using.view), len(found)), notebook.steps))
        return found


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


_SHOWN = 6
"""Blocks of a look-up that are shown."""
_KEPT_PAGES = 3
"""Pages of the first evidence, best first, that are read again beside what was found."""
_LISTED_PAGES, _SEEN_PAGES = 20, 8
"""Pages read of what the agent listed, and of what it had seen where it was cut off before it chose."""
_REPEATS = 2
"""Calls that were made before, after which an agent goes in circles and is ended."""
_NOTHING = ("by score", "no reply", "budget")


@dataclasses.dataclass(frozen=True)
class SearchFurther(Operator[Evidence, Answer]):
    """Answer with `read`; where a model says what is missing, an agent looks for that and `read` reads again.

    A question that is answered at the first reading costs no more than `read`, and neither does one without a model,
    one with its budget spent, one whose document was shown whole, or one of which the model says that nothing more is
    to be found. Pages and figures that it asks for by their places are shown by `read`, and not searched as words. The
    agent takes `turns` at most. What the first reading came to stands where the search or the second reading bring
    nothing.
    """

    declares: ClassVar[Columns] = Columns(reads={RELEVANCE}, writes={RELEVANCE}, may_write={CHOSEN_ORDER})

    read: Operator[Evidence, Answer]
    tools: tuple[Tool, ...]
    turns: int = 3

    def __post_init__(self) -> None:
        if not self.tools or self.turns < 1:
            raise UsageError("SearchFurther takes one tool or more, and at least one turn")

    def needs(self) -> frozenset[str]:
        """Return what reading and the tools need."""
        return self.read.needs().union(*(tool.needs() for tool in self.tools))

    def after(self, given: Given = None) -> Given:
        """Return the columns that are there whether something was missing or not: what is read again is ranked anew."""
        for tool in self.tools:
            tool.columns()
        return shared(self.read.after(super().after(given)), self.read.after({RELEVANCE: type(self).__name__}))

    def __call__(self, value: Evidence, using: Run) -> Answer:
        """Return the answer that stands."""
        first = self.read(value, using)
        if first.answerable or not first.missing or using.judge.stopped or _is_whole(value):
            return first
        found = self._search(to_search(value.view, first.missing), using)
        if found is None or using.judge.stopped:
            return first
        return better_of(first, self.read(_to_read(value, found, first, using), using))

    def _search(self, missing: tuple[str, ...], using: Run) -> Evidence | None:
        """Return what the agent chose, or saw until it was cut off; None where it found nothing, or has no words."""
        if not missing:
            return None
        timer = using.timer()
        notebook = Notebook(self.tools, using)
        for phrase in missing:
            notebook.look_up(ToolCall(tool="neuro_semantic_search", query=phrase, k=_SHOWN))
        look_up_names(using.query.question, notebook, using.view)
        for call in look_ups(using.query.question)[1:]:
            notebook.look_up(call)
        turns, ended = _converse(
            using.query.question, notebook, using, rounds=self.turns, repeats=_REPEATS, wanted=missing
        )
        # An agent that ends without blocks says that nothing is there.
        rows = [] if ended in _NOTHING else notebook.listed or notebook.seen
        told = {"missing": list(missing), "turns": turns, "ended": ended}
        using.note(timer.step("Investigate", told, (len(using.view), len(rows)), notebook.steps))
        if not rows:
            return None
        if notebook.has_list:
            listed = Evidence.of(using.view, rows, source=LISTED)
            return listed.with_score(RELEVANCE, ranked_as_chosen(listed, rows).scores[CHOSEN_ORDER])
        # What was seen last comes first: it is what the agent had come to.
        return Evidence.of(using.view, rows, source="seen", **{RELEVANCE: [1.0 + at for at in range(len(rows))]})


def _to_read(value: Evidence, found: Evidence, first: Answer, using: Run) -> Evidence:
    """Return the pages of what was found and cited, whole, and the best of the first evidence, ranked in this order.

    What a reader that can ask for pictures has read before is left out, unless it was found again or cited.
    """
    view = value.view
    index = view.page_index
    most = _LISTED_PAGES if LISTED in found.sources else _SEEN_PAGES
    pages = list(dict.fromkeys(index[found.ranked(RELEVANCE)].tolist()))[:most]
    best = value.page_indices(RELEVANCE)[:_KEPT_PAGES]
    chosen = dict.fromkeys([*pages, *index[_known(view, first)].tolist(), *best])
    rows = np.flatnonzero(np.isin(index, [*chosen]) & view.is_content)
    before = using.so_far.rows.difference(found.rows.tolist(), _known(view, first))
    rows = rows[~np.isin(rows, [*before])]
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
    """Return whether the evidence is all there is to read."""
    return len(np.setdiff1d(np.flatnonzero(value.view.is_content), value.rows)) == 0

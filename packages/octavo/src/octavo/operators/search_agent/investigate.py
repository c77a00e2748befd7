"""The agent's loop, from the question on or for what a reading lacks, after which the question is read again.

What searches and keeps notes (`notebook`) is imported when something is looked for: most questions need none of it.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from octavo.errors import UsageError
from octavo.evidence import Answer, Evidence, Outcome, Query, TraceStep, View
from octavo.operators.columns import NEW, Columns, Given, shared
from octavo.operators.core import Operator, Run
from octavo.operators.keep import CHOSEN_ORDER, LISTED, RELEVANCE
from octavo.operators.read.in_part import better_of
from octavo.operators.search_agent.tools import Tool
from octavo.operators.sentence_forms import Sentence, places
from octavo_documents.document import number_of

_SHOWN = 6
"""Blocks of a look-up that are shown."""
_KEPT_PAGES = 3
"""Pages of the first evidence, best first, that are read again beside what was found."""
_LISTED_PAGES, _SEEN_PAGES = 20, 8
"""Pages read of what the agent listed, and of what it had seen where it was cut off before it chose."""
_REPEATS = 2
"""Calls that were made before, after which an agent goes in circles and is ended."""
_NOTHING = ("by score", "no reply", "budget")


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
        from octavo.decisions.investigate import INVESTIGATE, look_ups
        from octavo.operators.search_agent.first_look_ups import look_up_names, look_up_pictures
        from octavo.operators.search_agent.notebook import Notebook, converse

        timer = using.timer()
        notebook = Notebook(self.tools, using)
        for call in look_ups(value.question):
            notebook.look_up(call)
        if using.judge.has_model(INVESTIGATE.name):
            look_up_names(value.question, notebook, using.view)
            look_up_pictures(value.question, notebook)
        turns, ended = converse(value.question, notebook, using, rounds=self.rounds, repeats=self.repeats)
        found = notebook.evidence()
        told = {"turns": turns, "ended": ended}
        using.note(timer.step("Investigate", told, (len(using.view), len(found)), notebook.steps))
        return found


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
        from octavo.operators.read.wanted import to_search

        found = self._search(to_search(value.view, first.missing), using)
        if found is None or using.judge.stopped:
            return first
        return better_of(first, self.read(_to_read(value, found, first, using), using))

    def _search(self, missing: tuple[str, ...], using: Run) -> Evidence | None:
        """Return what the agent chose, or saw until it was cut off; None where it found nothing, or has no words."""
        if not missing:
            return None
        from octavo.decisions.investigate import ToolCall, look_ups
        from octavo.operators.search_agent.first_look_ups import look_up_names
        from octavo.operators.search_agent.notebook import Notebook, converse, ranked_as_chosen

        timer = using.timer()
        notebook = Notebook(self.tools, using)
        for phrase in missing:
            notebook.look_up(ToolCall(tool="neuro_semantic_search", query=phrase, k=_SHOWN))
        look_up_names(using.query.question, notebook, using.view)
        for call in look_ups(using.query.question)[1:]:
            notebook.look_up(call)
        turns, ended = converse(
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
    from octavo.operators.search_agent.notebook import ranked_as_chosen

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

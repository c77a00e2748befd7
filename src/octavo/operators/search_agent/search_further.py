"""A reading that looks for what it lacks: the agent searches for what is missing, and the question is read again."""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.decisions.investigate import ToolCall, look_ups
from octavo.document import Answer, Evidence, Outcome, View
from octavo.errors import UsageError
from octavo.operators.core.base import Operator
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import RELEVANCE
from octavo.operators.search_agent.investigate import converse, look_up_names
from octavo.operators.search_agent.notebook import CHOSEN_ORDER, LISTED, Notebook, ranked_as_chosen
from octavo.operators.search_agent.tools import Tool

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
        look_up_names(using.query.question, notebook, using.view)
        for call in look_ups(using.query.question)[1:]:
            notebook.look_up(call)
        turns, ended = converse(
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

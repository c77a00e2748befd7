"""Reflection: an answer that is not complete is asked for again from wider evidence (DMAP section 3.3.2, equation 12).

Owns the rounds, what ends them, and which answer stands. Knows nothing about how evidence widens or answers are made.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.decisions.reflect import REFLECT, ReflectInput, Reflection, where
from octavo.document import Answer, Evidence, TraceStep
from octavo.errors import UsageError
from octavo.operators.core.base import Operator, decisions_of
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import RELEVANCE
from octavo.operators.papers.dmap.document_map import DocumentMap
from octavo.operators.papers.dmap.widen import lifted
from octavo.operators.read.packing import pack
from octavo.operators.score.fuse import scaled

COMPLETE, WIDENED, NOTHING_NEW, BUDGET = "complete", "widened", "nothing new", "budget"
"""What a round came to, in the trace."""
_READER = "answer_from_evidence"
_PLACES = 5
_PASSAGES = 8
"""Passages of the evidence that an answer is held against."""
_TITLES = 60


@dataclasses.dataclass(frozen=True)
class Reflect(Operator[Evidence, Answer]):
    """Answer with `read`; while the answer is not complete, `widen` the evidence and answer again, `rounds` times.

    A round that finds nothing new ends it, and so does a budget, with the best answer so far. What a model itself found
    missing is looked for without a check, and where it says that nothing more is to be found, that stands. Each round
    is a step of the trace. What was read first to answer again does not rank first: the evidence is ranked as it was
    found, new pages last.
    """

    read: Operator[Evidence, Answer]
    widen: Operator[Evidence, Evidence]
    rounds: int = 2

    def __post_init__(self) -> None:
        if self.rounds < 0:
            raise UsageError("Reflect takes 0 rounds or more")

    def needs(self) -> frozenset[str]:
        """Return what reading and widening need."""
        return self.read.needs() | self.widen.needs()

    def __call__(self, value: Evidence, using: Run) -> Answer:
        """Return the answer that stands."""
        best, evidence = self.read(value, using), value
        for number in range(1, self.rounds + 1):
            branch, started = using.branch(using.query), using.clock()
            outcome, answer, evidence = self._round(best, evidence, branch)
            using.join(branch)
            using.note(_noted(number, outcome, branch, started, rows=(len(best.evidence), len(evidence))))
            best = _better(best, answer)
            if outcome != WIDENED:
                break
        return dataclasses.replace(best, evidence=_in_order_found(value, best.evidence))

    def _round(self, draft: Answer, evidence: Evidence, branch: Run) -> tuple[str, Answer, Evidence]:
        """Return what the round came to, the answer it ends with and the evidence that answer is from."""
        if branch.judge.stopped:
            return BUDGET, draft, evidence
        verdict = _own_verdict(draft, evidence, branch) or reflected(draft, evidence, branch)
        if branch.judge.stopped:
            return BUDGET, draft, evidence
        if verdict.is_complete:
            return COMPLETE, draft, evidence
        asked = branch.query
        branch.query = dataclasses.replace(
            asked, sub_questions=tuple(verdict.look_for), sections=tuple(verdict.look_in)
        )
        cited = _cited_pages(draft)
        # What a draft stands on makes no room for other pages.
        wider = self.widen(lifted(evidence, cited) if cited else evidence, branch)
        branch.query = asked
        if not len(np.setdiff1d(wider.rows, evidence.rows)):
            return NOTHING_NEW, draft, evidence
        answer = self.read(lifted(wider, cited), branch)
        # What was answered after the money had run out is the rule's, and no better than the draft.
        return (BUDGET, draft, evidence) if branch.judge.stopped else (WIDENED, answer, wider)


def _own_verdict(draft: Answer, evidence: Evidence, using: Run) -> Reflection | None:
    """Return what a model said itself of an answer that is not whole; None where there is something to check."""
    if draft.answerable or not using.judge.has_replied(_READER):
        return None
    missing = [*draft.missing]
    places = where(" ".join(missing), _unread(evidence)) if missing else []
    return Reflection(is_complete=not missing, look_for=missing, look_in=places[:_PLACES])


def reflected(draft: Answer, evidence: Evidence, using: Run) -> Reflection:
    """Return whether a draft is complete given its evidence, and if not what to look for, and in which sections.

    The evidence shown are the passages that the draft cites, then the best of the others.
    """
    cited = {*_cited_rows(draft)}
    packed = sorted(pack(evidence, RELEVANCE), key=lambda one: cited.isdisjoint(one.rows))[:_PASSAGES]
    value = ReflectInput(
        question=using.query.question,
        answer=draft.text,
        evidence=tuple(f"[{one.shown.where}]\n{one.shown.text}" for one in packed),
        titles=_unread(evidence),
        is_answerable=draft.answerable,
    )
    return using.judge.decide(REFLECT, value).output


def _unread(evidence: Evidence) -> tuple[str, ...]:
    """Return the titles of sections none of whose pages is in the evidence."""
    pages = np.unique(evidence.view.page_index[evidence.rows]).tolist()
    sections = DocumentMap.of(evidence.view).sections
    titles = [one.title for one in sections if not any(one.first <= page <= one.last for page in pages)]
    return tuple(dict.fromkeys(titles))[:_TITLES]


def _cited_rows(draft: Answer) -> list[int]:
    """Return the rows that a draft cites."""
    view = draft.evidence.view
    documents = {document.id: at for at, document in enumerate(view.documents)}
    return [int(view.row_starts[documents[one.document_id]]) + int(one.block[1:]) for one in draft.citations]


def _cited_pages(draft: Answer) -> list[int]:
    """Return the page indices that a draft cites."""
    return draft.evidence.view.page_index[_cited_rows(draft)].tolist()


def _in_order_found(first: Evidence, wider: Evidence) -> Evidence:
    """Return the wider evidence with what was there at first ranked as then, and what came later behind it."""
    found = np.full(len(first.view), np.nan)
    found[first.rows] = np.nan_to_num(first.scores[RELEVANCE])
    known, later = found[wider.rows], np.nan_to_num(scaled(wider.scores[RELEVANCE]))
    behind = float(np.nanmin(found)) - 2.0 + later if len(first) else later
    return wider.with_score(RELEVANCE, np.where(np.isnan(known), behind, known))


def _better(before: Answer, after: Answer) -> Answer:
    """Return the later answer, which saw more, unless it gave up where the earlier did not."""
    return before if before.answerable and not after.answerable else after


def _noted(number: int, outcome: str, branch: Run, started: float, *, rows: tuple[int, int]) -> TraceStep:
    usage = branch.judge.usage()
    own = [record for record in branch.judge.records if record.name == REFLECT.name]
    return TraceStep(
        step="Reflect",
        parameters={"round": number, "outcome": outcome},
        rows_in=rows[0],
        rows_out=rows[1],
        seconds=round(branch.clock() - started, 6),
        steps=(*decisions_of(own), *branch.trace),
    ).taking(usage)

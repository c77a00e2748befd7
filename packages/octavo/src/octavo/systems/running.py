"""Asking a system: what its two expressions find and answer, with the usage and the trace of the run."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING

from octavo.evidence import Answer, PageRead, Query, Result, Substitute, TraceStep, Usage
from octavo.operators.keep import RELEVANCE

if TYPE_CHECKING:
    from octavo.operators.core import Run
    from octavo.systems.system import System


def run_search(system: System, query: Query, run: Run, *, shows: bool = False) -> Result:
    """Return the evidence a system finds: blocks of at most `query.limit` pages, ranked by its column.

    With `shows` the result has the passages that a person is shown.
    """
    run.query = query
    started = _started(run)
    _tell_blind(system, run)
    evidence = system.retrieve(query, run)
    passages = ()
    if shows and RELEVANCE in evidence.scores:
        from octavo.operators.extractive.extractive_reader import best_passages

        passages = best_passages(query.question, evidence, run)
    return Result(
        question=query.question,
        system=system.name,
        evidence=evidence,
        by=system.by,
        usage=_usage(run, started),
        decided_by=dict(run.decided_by),
        stopped=run.judge.stopped,
        trace=tuple(run.trace),
        passages=passages,
    )


def run_ask(system: System, query: Query, run: Run) -> Answer:
    """Return a system's answer, its usage and trace filled in; `stopped` names the cap that ended it early."""
    from octavo.operators.extractive.extractive_reader import shown_with

    run.query = query
    started = _started(run)
    _tell_blind(system, run)
    answer = shown_with(system.answer(query, run), run)
    return dataclasses.replace(
        answer,
        question=query.question,
        system=system.name,
        usage=_usage(run, started),
        decided_by=dict(run.decided_by),
        stopped=run.judge.stopped,
        trace=tuple(run.trace),
        pages_read=_read_in(run),
        substitutes=substitutes(system, run),
    )


BLIND = "Blind"
"""The step that tells, before all others, that a plan which shows pictures has no model that sees."""


def _tell_blind(system: System, run: Run) -> None:
    """Note that the pictures of a plan will be seen by nobody, where its other decisions go to a model."""
    judge = run.judge
    if system.looks and any(judge.models.values()) and not judge.has_model("answer_from_pictures", "vision"):
        run.note(TraceStep(BLIND, {"why": "this plan shows pictures, and the model does not see"}, 0, 0, 0.0))


def _read_in(run: Run) -> tuple[PageRead, ...]:
    """Return the pages that a model which answered was shown, in document order."""
    places = [run.view.locate_page(page) for page in sorted(run.pages_read)]
    view = run.view
    return tuple(PageRead(view.names[at], view.documents[at].id, page) for at, page in places)


def substitutes(system: System, run: Run) -> tuple[Substitute, ...]:
    """Return what stands for the parts that a paper used, for the paper's own plan; nothing for other systems."""
    return tuple(Substitute(role, used, _stands_for(role, run)) for role, used in system.paper)


def _stands_for(role: str, run: Run) -> str:
    """Return what stands for a part of a published system; by default a rule."""
    if role == "parser":
        return "Octavo's own"
    if role in ("model", "vision"):
        name = "answer_from_pictures" if role == "vision" else "answer_from_evidence"
        model = run.judge.model_for(name, _ROLE[role])
        usual = "none, by rule" if model is None else model.id
        return "; ".join((usual, *(_apart(run, usual) if role == "model" else ())))
    late = run.late_interaction or run.embedder
    makes = {"embedder": run.embedder, "late_interaction": late, "reranker": run.reranker, "image_text": run.image_text}
    found = makes[role]
    return "none, by rule" if found is None else found().name


def _apart(run: Run, usual: str) -> list[str]:
    """Return which decisions were another model's, as is set for each: "plan_question by openai:gpt-5-mini"."""
    own = {one.name: run.judge.models[one.name] for one in run.judge.records if one.name in run.judge.models}
    ids = {name: "rule" if model is None else model.id for name, model in own.items()}
    return [f"{name} by {made_by}" for name, made_by in ids.items() if made_by != usual]


_ROLE: Mapping[str, str] = {"model": "language", "vision": "vision"}


def _started(run: Run) -> float:
    """Return when the work on a question began: what was done before its run, as its trace tells, counts too."""
    return run.clock() - sum(step.seconds for step in run.trace)


def _usage(run: Run, started: float) -> Usage:
    """Return what the decisions of a run took, and the seconds of the whole."""
    return dataclasses.replace(run.judge.usage(), seconds=run.clock() - started)

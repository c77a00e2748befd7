"""Systems: named ways to answer a question, each two expressions over operators that share their parts.

Owns the table of systems and how one is run. Adding a system is a module and a line here.
"""

from __future__ import annotations

import dataclasses

from octavo.document import Answer, Query, Result, Usage
from octavo.errors import UsageError
from octavo.operators import Run
from octavo.systems.base import System
from octavo.systems.baselines import BM25, DENSE, HYBRID
from octavo.systems.bookrag import ABLATIONS as BOOKRAG_ABLATIONS
from octavo.systems.bookrag import BOOKRAG
from octavo.systems.dmap import DMAP, DMAP_ABLATIONS
from octavo.systems.ladrag import LADRAG, LADRAG_ABLATIONS
from octavo.systems.mmrag import MMRAG, MMRAG_ABLATIONS
from octavo.systems.raptor import RAPTOR

SYSTEMS: dict[str, System] = {
    system.name: system for system in (BM25, DENSE, HYBRID, RAPTOR, BOOKRAG, LADRAG, DMAP, MMRAG)
}
ABLATIONS: dict[str, System] = {
    system.name: system for system in (*BOOKRAG_ABLATIONS, *LADRAG_ABLATIONS, *DMAP_ABLATIONS, *MMRAG_ABLATIONS)
}
"""Systems with a part left out, to be measured beside the whole; each is named after its system."""

_ALIASES = {"auto": "hybrid"}
"""Names that stand for the system that is best for them so far."""


def get(name: str | System) -> System:
    """Return the system called `name`, or the one given; raise UsageError naming those there are."""
    if isinstance(name, System):
        return name
    system = SYSTEMS.get(_ALIASES.get(name, name)) or ABLATIONS.get(name)
    if system is None:
        raise UsageError(f"There is no system called {name!r}: choose one of {', '.join([*_ALIASES, *SYSTEMS])}")
    return system


def run_search(system: System, query: Query, run: Run) -> Result:
    """Return the evidence a system finds: blocks of at most `query.limit` pages, ranked by its column."""
    run.query = query
    started = run.clock()
    evidence = system.retrieve(query, run)
    return Result(
        question=query.question,
        system=system.name,
        evidence=evidence,
        by=system.by,
        usage=_usage(run, started),
        decided_by=dict(run.decided_by),
        stopped=run.judge.stopped,
        trace=tuple(run.trace),
    )


def run_ask(system: System, query: Query, run: Run) -> Answer:
    """Return a system's answer, its usage and trace filled in; `stopped` names the cap that ended it early."""
    run.query = query
    started = run.clock()
    answer = system.answer(query, run)
    return dataclasses.replace(
        answer,
        question=query.question,
        system=system.name,
        usage=_usage(run, started),
        decided_by=dict(run.decided_by),
        stopped=run.judge.stopped,
        trace=tuple(run.trace),
    )


def _usage(run: Run, started: float) -> Usage:
    """Return what the decisions of a run took, and the seconds of the whole."""
    return dataclasses.replace(run.judge.usage(), seconds=run.clock() - started)


__all__ = ["ABLATIONS", "SYSTEMS", "System", "get", "run_ask", "run_search"]

"""Systems: named ways to answer a question, each two expressions over operators that share their parts.

Owns the table of systems and how one is run. Adding a system is a module and a line here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import TYPE_CHECKING, cast

from octavo.document import Answer, Query, Result, Usage
from octavo.errors import UsageError
from octavo.systems.base import System

if TYPE_CHECKING:
    from octavo.operators.run import Run


class _Table(MutableMapping[str, System]):
    """Systems by name; the module of one is imported when it is first asked for. Others may be put in."""

    def __init__(self, modules: Mapping[str, str]) -> None:
        self._modules = modules
        self._known: dict[str, System | None] = dict.fromkeys(modules)

    def __getitem__(self, name: str) -> System:
        system = self._known[name]
        if system is None:
            system = self._known[name] = _found(f"{__name__}.{self._modules[name]}", name)
        return system

    def __setitem__(self, name: str, system: System) -> None:
        self._known[name] = system

    def __delitem__(self, name: str) -> None:
        del self._known[name]

    def __contains__(self, name: object) -> bool:
        return name in self._known

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def _found(module: str, name: str) -> System:
    """Return the system of a name that a module defines, by itself or in a tuple."""
    values = vars(import_module(module)).values()
    listed = [one for value in values if isinstance(value, tuple) for one in cast("tuple[object, ...]", value)]
    return next(one for one in (*values, *listed) if isinstance(one, System) and one.name == name)


SYSTEMS: MutableMapping[str, System] = _Table(
    {
        "auto": "auto",
        "bm25": "baselines",
        "dense": "baselines",
        "hybrid": "baselines",
        "raptor": "raptor",
        "bookrag": "bookrag",
        "ladrag": "ladrag",
        "dmap": "dmap",
        "mmrag": "mmrag",
        "rdr2": "rdr2",
    }
)
ABLATIONS: MutableMapping[str, System] = _Table(
    {
        "auto-no-plan": "auto",
        "auto-by-rule": "auto",
        "auto-fixed-size": "auto",
        "auto-no-unit": "auto",
        "auto-read-once": "auto",
        "bookrag-basic-er": "bookrag",
        "bookrag-no-planning": "bookrag",
        "bookrag-no-selector": "bookrag",
        "bookrag-no-graph": "bookrag",
        "bookrag-no-text": "bookrag",
        "ladrag-no-contextualize": "ladrag",
        "ladrag-no-symbolic": "ladrag",
        "ladrag-search-only": "ladrag",
        "dmap-no-text": "dmap",
        "dmap-no-image": "dmap",
        "dmap-no-structure": "dmap",
        "dmap-no-reflection": "dmap",
        "mmrag-no-visual": "mmrag",
        "mmrag-one-page": "mmrag",
        "mmrag-no-summaries": "mmrag",
        "mmrag-no-parent-pages": "mmrag",
        "mmrag-fixed-pages": "mmrag",
        "rdr2-no-router": "rdr2",
        "rdr2-no-structure": "rdr2",
        "rdr2-no-similarity": "rdr2",
        "rdr2-no-content": "rdr2",
        "rdr2-no-expand": "rdr2",
        "rdr2-no-refuse": "rdr2",
    }
)
"""Systems with a part left out, to be measured beside the whole; each is named after its system."""


def get(name: str | System) -> System:
    """Return the system called `name`, or the one given; raise UsageError naming those there are."""
    if isinstance(name, System):
        return name
    system = SYSTEMS.get(name) or ABLATIONS.get(name)
    if system is None:
        raise UsageError(f"There is no system called {name!r}: choose one of {', '.join(SYSTEMS)}")
    return system


def from_plan(text: str) -> System:
    """Return a system that carries out a plan as `--trace` prints it, and reads as `auto` does.

    The text is an expression from a question to evidence; raise UsageError when it is none.
    """
    from octavo.operators.read_back import read_plan
    from octavo.systems.auto import replayed

    return replayed(read_plan(text))


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


__all__ = ["ABLATIONS", "SYSTEMS", "System", "from_plan", "get", "run_ask", "run_search"]

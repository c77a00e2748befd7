"""Systems: named ways to answer a question, each two expressions over operators that share their parts.

Owns the table of systems and how one is run. Adding a system is a module and a line here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from octavo.document import Answer, Query, Result, Usage
from octavo.errors import UsageError
from octavo.systems.base import System

if TYPE_CHECKING:
    from octavo.operators.run import Run


class _Table(Mapping[str, System]):
    """Systems by name; the module of one is imported when it is first asked for."""

    def __init__(self, modules: Mapping[str, str]) -> None:
        self._modules = modules

    def __getitem__(self, name: str) -> System:
        module = import_module(f"{__name__}.{self._modules[name]}")
        for value in vars(module).values():
            for one in value if isinstance(value, tuple) else (value,):  # pyright: ignore[reportUnknownVariableType]
                if isinstance(one, System) and one.name == name:
                    return one
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


SYSTEMS: Mapping[str, System] = _Table(
    {
        "bm25": "baselines",
        "dense": "baselines",
        "hybrid": "baselines",
        "raptor": "raptor",
        "bookrag": "bookrag",
        "ladrag": "ladrag",
        "dmap": "dmap",
        "mmrag": "mmrag",
    }
)
ABLATIONS: Mapping[str, System] = _Table(
    {
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
    }
)
"""Systems with a part left out, to be measured beside the whole; each is named after its system."""

_ALIASES = {"auto": "hybrid"}
"""Names that stand for the system that is best for them so far."""


def get(name: str | System) -> System:
    """Return the system called `name`, or the one given; raise UsageError naming those there are."""
    if isinstance(name, System):
        return name
    own = _ALIASES.get(name, name)
    system = SYSTEMS.get(own) or ABLATIONS.get(own)
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

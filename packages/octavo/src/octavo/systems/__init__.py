"""Systems by name: ours, each in a module beside this one, and those of other packages.

Adding one is a module, a row in `SYSTEMS` and a sentence in `sentences.ABOUT`.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from types import ModuleType
from typing import cast

from octavo.errors import UsageError
from octavo.operators.plan_parser import read_plan
from octavo.systems.running import BLIND, run_ask, run_search, substitutes
from octavo.systems.sentences import ABOUT
from octavo.systems.system import ROLES, System
from octavo_documents import plugins
from octavo_documents.lazy import LazyTable


def _found(module: ModuleType, name: str) -> System:
    """Return the system of a name that a module defines, by itself or in a tuple."""
    values = vars(module).values()
    listed = [one for value in values if isinstance(value, tuple) for one in cast("tuple[object, ...]", value)]
    return next(one for one in (*values, *listed) if isinstance(one, System) and one.name == name)


def _table(modules: Mapping[str, str], group: str) -> MutableMapping[str, System]:
    """Return systems by name, each with the module beside this one that defines it, and those of other packages."""
    return LazyTable({name: f"{__name__}.{module}" for name, module in modules.items()}, _found, group)


_ABOUT_GROUP = "octavo.about_systems"

SYSTEMS: MutableMapping[str, System] = _table(
    {
        "auto": "auto",
        "bm25": "baselines",
        "dense": "baselines",
        "hybrid": "baselines",
        "raptor": "baselines",
    },
    "octavo.systems",
)
PAPER_PLANS: MutableMapping[str, System] = _table({}, "octavo.paper_plans")
"""The five published systems as their papers print them: their operators, numbers and order, and nothing else."""
ABLATIONS: MutableMapping[str, System] = _table(
    {
        "auto-no-units": "auto",
        "auto-no-preference": "auto",
        "auto-no-standing": "auto",
        "auto-read-once": "auto",
    },
    "octavo.ablations",
)
"""Systems with a part left out, to be measured beside the whole; each is named after its system."""


_METHODS = frozenset({"bookrag", "ladrag", "dmap", "mmrag", "rdr2"})
"""The systems that octavo-methods brings."""


def get(name: str | System) -> System:
    """Return the system called `name`, or the one given; raise UsageError naming those there are."""
    if isinstance(name, System):
        return name
    system = SYSTEMS.get(name) or PAPER_PLANS.get(name) or ABLATIONS.get(name)
    if system is None:
        if name.partition("-")[0] in _METHODS and name.partition("-")[0] not in SYSTEMS:
            raise UsageError(f"{name} needs another package: pip install 'octavo[methods]'")
        raise UsageError(f"There is no system called {name!r}: choose one of {', '.join(SYSTEMS)}")
    return system


def about(name: str) -> str:
    """Return what a system says of itself; it is imported for that only where it does not say so beside its name."""
    if name in ABOUT:
        return ABOUT[name]
    return str(plugins.load(_ABOUT_GROUP, name)) if name in plugins.names(_ABOUT_GROUP) else SYSTEMS[name].about


def from_plan(text: str) -> System:
    """Return a system that carries out a plan as `--trace` prints it, and reads as `auto` does.

    The text is an expression from a question to evidence; raise UsageError when it is none.
    """
    from octavo.systems.auto import replayed

    return replayed(read_plan(text))


__all__ = [
    "ABLATIONS",
    "BLIND",
    "PAPER_PLANS",
    "ROLES",
    "SYSTEMS",
    "System",
    "about",
    "from_plan",
    "get",
    "run_ask",
    "run_search",
    "substitutes",
]

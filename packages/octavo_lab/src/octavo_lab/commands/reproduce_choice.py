"""Which tables `octavo reproduce` makes, with which of their rows and benchmarks, and whose answers are in files."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from pathlib import Path

from octavo.errors import UsageError
from octavo_lab.reproduce.presets import Preset, names, preset

EVERY = "all"


@dataclasses.dataclass(frozen=True)
class TableChoice:
    """A table with the rows that are asked for, and those of its benchmarks that are."""

    preset: Preset
    benchmarks: tuple[str, ...]


def choose_tables(name: str, systems: str | None, benchmarks: str | None) -> list[TableChoice]:
    """Return the table of a name; of EVERY those that have any of the systems and benchmarks, all without these.

    Raises UsageError for a system or benchmark that is not in the table, or in no table.
    """
    found = [preset(one) for one in (names() if name == EVERY else [name])]
    wanted = _named("--system", systems, name, (system for one in found for system in one.systems))
    places = _named("--benchmark", benchmarks, name, (place for one in found for place in one.benchmarks))
    if wanted:
        found = [one.of_systems(wanted) for one in found if not wanted.isdisjoint(one.systems)]
    chosen = [
        TableChoice(one, tuple(place for place in one.benchmarks if not places or place in places))
        for one in found
        if not places or not places.isdisjoint(one.benchmarks)
    ]
    if not chosen:
        raise UsageError(f"no table has {systems} on {benchmarks}: octavo reproduce --list names all")
    return chosen


def choose_predictions(given: Iterable[str], tables: Sequence[TableChoice], name: str) -> dict[str, Path]:
    """Return the files of predictions by system; raise UsageError for a system that the tables do not have."""
    known = dict.fromkeys(system for table in tables for system in table.preset.systems)
    found: dict[str, Path] = {}
    for text in given:
        system, equals, path = text.partition("=")
        if not equals or system not in known:
            which = "a system of a table" if name == EVERY else f"one of {', '.join(known)}"
            raise UsageError(f"--predictions takes SYSTEM=FILE, with {which}, not {text!r}")
        found[system] = Path(path).expanduser()
    return found


def _named(option: str, text: str | None, table: str, known: Iterable[str]) -> frozenset[str]:
    """Return the names that an option lists, none where it is not given."""
    if not text:
        return frozenset()
    names = [name.strip() for name in text.split(",") if name.strip()]
    there = list(dict.fromkeys(known))
    unknown = [name for name in names if name not in there]
    if unknown or not names:
        told = ", ".join(unknown)
        if table == EVERY:
            raise UsageError(f"{option}: no table has {told!r}; octavo reproduce --list names what they run on")
        raise UsageError(f"{option}: {table} has {', '.join(there) or 'none'}, not {told!r}")
    return frozenset(names)

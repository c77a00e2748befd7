"""Variants of systems: `hybrid@limit=5`, `raptor@SearchTree.count=10`, and sweeps of one setting over several values.

A setting is `limit`, the pages handed to the reader, or a field of an operator in the system's plan as the plan prints
it: FIELD, or OPERATOR.FIELD where several kinds of operators have a field of that name. `dense@limit=ladrag-paper` is
handed as many pages as the other system took for the same question (LAD-RAG section 3.2, "topk-adjusted").
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

from octavo import systems
from octavo.errors import UsageError
from octavo.operators.plan_parser import FORMER_NAMES
from octavo.systems import System

LIMIT = "limit"
_PLANS = ("retrieve", "answer", "rest")
"""Fields of a system that hold expressions."""
Plain: TypeAlias = str | int | float | bool | None
_WORDS: Mapping[str, Plain] = {"true": True, "false": False, "none": None}


@dataclasses.dataclass(frozen=True)
class Variant:
    """What is run under a name: a system, with settings of its own, and the page limit where it has one."""

    name: str
    base: str
    """The name before the first "@"."""
    system: System
    limit: int | None = None
    limit_as: str = ""
    """The system whose number of pages is taken, question by question; "" for none."""
    settings: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    """As they were written."""
    swept: str = ""
    """The setting of the sweep that this is a point of, empty for a system that was named itself."""


@dataclasses.dataclass(frozen=True)
class Sweep:
    """A setting and the values each system is run with."""

    setting: str
    values: tuple[str, ...]


def variants(names: Sequence[str], sweeps: Sequence[str] = ()) -> dict[str, Variant]:
    """Return what is to be run, by name: the systems as they were named, each followed by its points of the sweeps.

    A system that has no such setting, or was named with a value of it, takes no part in a sweep. Raises UsageError for
    a system or setting there is not.
    """
    named = [variant(name) for name in names]
    wanted = [parsed(text) for text in sweeps]
    found: dict[str, Variant] = {}
    for one in named:
        found.setdefault(one.name, one)
        for sweep in wanted:
            for point in _points(one, sweep):
                if point.name in found or point.name in names:
                    raise UsageError(f"{point.name} is named twice: by --system or --sweep, and by --sweep")
                found[point.name] = point
    for one in found.values():
        if one.limit_as and one.limit_as not in found:
            raise UsageError(f"{one.name} takes as many pages as {one.limit_as}, which is not run: name it too")
    for sweep in wanted:
        if not any(one.swept == sweep.setting for one in found.values()):
            raise UsageError(_unknown(sweep.setting, named))
    return found


def parsed(text: str) -> Sweep:
    """Return the sweep written as "SETTING=VALUE,VALUE,..."; raise UsageError."""
    setting, equals, values = text.partition("=")
    given = tuple(dict.fromkeys(value.strip() for value in values.split(",") if value.strip()))
    if not (setting.strip() and equals and given):
        raise UsageError(f"--sweep needs SETTING=VALUE,VALUE,... such as limit=1,3,5,10, not {text!r}")
    return Sweep(_by_present_name(setting.strip()), given)


def variant(name: str) -> Variant:
    """Return the variant written as "SYSTEM" or "SYSTEM@SETTING=VALUE@..."; raise UsageError."""
    base, *settings = name.split("@")
    made = Variant(name, base, systems.get(base))
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not (key and equals and value):
            raise UsageError(f"--system takes SYSTEM@SETTING=VALUE, not {name!r}")
        key = _by_present_name(key)
        if not _has(made.system, key):
            raise UsageError(_unknown(key, [made]))
        made = _with(made, key, value)
    return made


def _by_present_name(key: str) -> str:
    """Return a setting as its operator is called now, where it is written by a former name."""
    owner, dot, field = key.partition(".")
    return f"{FORMER_NAMES.get(owner, owner)}{dot}{field}"


def _points(one: Variant, sweep: Sweep) -> Iterator[Variant]:
    if sweep.setting in one.settings or not _has(one.system, sweep.setting):
        return
    for value in sweep.values:
        name = f"{one.name}@{sweep.setting}={value}"
        yield dataclasses.replace(_with(one, sweep.setting, value), name=name, swept=sweep.setting)


def _with(one: Variant, key: str, value: str) -> Variant:
    settings = {**one.settings, key: value}
    if key == LIMIT:
        if value in (*systems.SYSTEMS, *systems.PAPER_PLANS, *systems.ABLATIONS):
            return dataclasses.replace(one, limit_as=value, settings=settings)
        if not value.isdecimal() or int(value) < 1:
            raise UsageError(
                f"{one.base}@{key}: needs a whole number of pages, 1 or more, or a system whose number is taken, "
                f"not {value!r}"
            )
        return dataclasses.replace(one, limit=int(value), settings=settings)
    try:
        plans = {name: _replaced(getattr(one.system, name), key, value) for name in _PLANS}
        changed = dataclasses.replace(one.system, **cast(dict[str, Any], plans))
    except (ValueError, TypeError, UsageError) as wrong:
        raise UsageError(f"{one.base}@{key}={value}: {wrong}") from wrong
    return dataclasses.replace(one, system=changed, settings=settings)


def _has(system: System, key: str) -> bool:
    """Whether a plan has a setting; raise UsageError when the word fits several kinds of operators."""
    if key == LIMIT:
        return True
    owners = sorted({owner for owner, field in _settings_of(system) if key in (field, f"{owner}.{field}")})
    if len(owners) > 1:
        named = f"{', '.join(owners[:-1])} and {owners[-1]}"
        raise UsageError(f"{key} is a setting of {named}: write {owners[0]}.{key}")
    return bool(owners)


def _unknown(key: str, named: Sequence[Variant]) -> str:
    known = sorted({f"{owner}.{field}" for one in named for owner, field in _settings_of(one.system)})
    bases = ", ".join(dict.fromkeys(one.base for one in named))
    return f"There is no setting {key!r} in {bases}: choose one of {', '.join([LIMIT, *known])}"


def _settings_of(system: System) -> Iterator[tuple[str, str]]:
    for name in _PLANS:
        yield from _settings(getattr(system, name))


def _settings(value: object) -> Iterator[tuple[str, str]]:
    """Yield (class, field) of all plain fields in a plan."""
    for name, child in _children(value):
        if _is_plain(child):
            yield type(value).__name__, name
        else:
            yield from _settings(child)


def _children(value: object) -> Iterator[tuple[str, object]]:
    """Yield the fields of a dataclass by name, and the members of a tuple or mapping that are no plain values."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value) if field.init)
    elif isinstance(value, Mapping):
        yield from _children(tuple(cast(Mapping[Any, object], value).values()))
    elif isinstance(value, tuple):
        yield from (("", item) for item in cast(tuple[object, ...], value) if not _is_plain(item))


def _replaced(value: object, key: str, text: str) -> object:
    """Return a plan with a setting changed wherever it stands."""
    if isinstance(value, tuple):
        return tuple(_replaced(item, key, text) for item in cast(tuple[object, ...], value))
    if isinstance(value, Mapping):
        items = cast(Mapping[Any, object], value).items()
        return {name: _replaced(item, key, text) for name, item in items}
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return value
    changes: dict[str, object] = {}
    for name, old in _children(value):
        is_meant = _is_plain(old) and key in (name, f"{type(value).__name__}.{name}")
        changes[name] = _read(text, cast(Plain, old)) if is_meant else _replaced(old, key, text)
    return dataclasses.replace(value, **changes)


def _is_plain(value: object) -> bool:
    return value is None or type(value) in (bool, int, float, str)


def _read(text: str, old: Plain) -> Plain:
    """Return a value of the kind the setting has now; a number or a word where it has none."""
    if isinstance(old, str):
        return text
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        number = float(text)
    except ValueError:
        raise UsageError("a number, true, false or none is needed") from None
    return number if isinstance(old, float) or not number.is_integer() else int(number)

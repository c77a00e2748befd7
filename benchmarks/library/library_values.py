"""Values that documents of the generated library state: each once among those of its label, the same for a seed.

A value belongs to an issuer, a label (values.toml) and a scope: a fiscal year, a quarter, a version, a date. Money and
people grow from year to year, as a company's figures do. None is that of another issuer or scope while the range of its
label lasts, so that a right value tells which document it was taken from.
"""

from __future__ import annotations

import dataclasses
import datetime
import random
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

DATA: dict[str, Any] = tomllib.loads((Path(__file__).parent / "values.toml").read_text("utf-8"))
_WORDS: dict[str, list[str]] = DATA["words"]
_TRIES = 200


@dataclasses.dataclass(frozen=True)
class Value:
    """What is stated: as a cell of a table has it, and as a sentence has it with its unit."""

    label: str
    bare: str
    written: str
    unit: str


@dataclasses.dataclass(frozen=True)
class Scope:
    """What a value is true of: a fiscal year, a quarter, a version, a date, a contract."""

    name: str
    year: int
    date: datetime.date


class Values:
    """Draws values and remembers them."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._kept: dict[tuple[str, str, str], Value] = {}
        self._taken: defaultdict[str, set[str]] = defaultdict(set)

    def of(self, issuer: dict[str, Any], label: str, scope: Scope) -> Value:
        """Return the value of a label; another of the same label is never equal while there are others left."""
        key = (issuer["key"], label, scope.name)
        if key not in self._kept:
            self._kept[key] = self._drawn(issuer, label, scope)
        return self._kept[key]

    def _drawn(self, issuer: dict[str, Any], label: str, scope: Scope) -> Value:
        source = random.Random(f"{self._seed} {issuer['key']} {label} {scope.name}")
        value = _value(source, issuer, label, scope)
        for _ in range(_TRIES):
            if value.bare not in self._taken[label]:
                break
            value = _value(source, issuer, label, scope)
        self._taken[label].add(value.bare)
        return value


def _value(source: random.Random, issuer: dict[str, Any], label: str, scope: Scope) -> Value:
    spec = DATA["spec"][label]
    kind = spec["kind"]
    if kind in {"money", "people"}:
        return _grown(source, issuer, label, scope)
    if kind in _TEXTS:
        text = _TEXTS[kind](source, spec, issuer, scope)
        return Value(label, text, text, "")
    bare, written, unit = _number(_drawn_number(source, spec, issuer, label), spec, issuer["currency"])
    return Value(label, bare, written, unit)


def _grown(source: random.Random, issuer: dict[str, Any], label: str, scope: Scope) -> Value:
    """Return a figure that follows the size of the issuer and the year."""
    spec = DATA["spec"][label]
    growth = random.Random(f"{issuer['key']} growth").uniform(0.97, 1.13)
    level = random.Random(f"{issuer['key']} {label}").uniform(0.75, 1.3)
    size = issuer["scale"] * spec["share"] * level * growth ** (scope.year - 2019) * source.uniform(0.94, 1.06)
    if label.startswith("year-to-date"):
        size *= int(scope.name[-1]) / 2
    if spec["kind"] == "people":
        size *= {"¥": 0.02}.get(issuer["currency"], 1.0)
        return Value(label, f"{size:,.0f}", f"{size:,.0f} {spec['unit']}", spec["unit"])
    digits = 2 if size < 10 else 1
    bare = f"{size:,.{digits}f}"
    return Value(label, bare, f"{issuer['currency']}{bare} million", f"{issuer['currency']} million")


def _drawn_number(source: random.Random, spec: dict[str, Any], issuer: dict[str, Any], label: str) -> float:
    """Return a number of the range; a steady one is near those of the issuer's other years."""
    if not spec.get("steady"):
        return source.uniform(spec["low"], spec["high"])
    return random.Random(f"{issuer['key']} {label}").uniform(spec["low"], spec["high"]) * source.uniform(0.88, 1.12)


def _number(number: float, spec: dict[str, Any], currency: str) -> tuple[str, str, str]:
    """Return a number as in a table and as in a sentence, and its unit."""
    kind, unit = spec["kind"], spec.get("unit", "")
    if kind in {"percent", "fine percent"}:
        bare = f"{number:.{1 if kind == 'percent' else 2}f}%"
        return bare, bare, ""
    if kind == "amount":
        step = 1000 if spec["high"] > 100_000 else 50 if spec["high"] > 1000 else 1
        bare = f"{round(number / step) * step * {'¥': 100}.get(currency, 1):,}"
        return bare, f"{currency}{bare}", currency
    if kind in {"cents", "cents bare"}:
        bare = f"{number * 100:.0f}" if currency == "¥" and kind == "cents" else f"{number:.2f}"
        return (bare, f"{currency}{bare}", currency) if kind == "cents" else (bare, bare, "")
    bare = f"{number:,.1f}" if kind == "decimal" else f"{round(number)}" if kind == "port" else f"{round(number):,}"
    return bare, f"{bare} {unit}".strip(), unit


def person(source: random.Random) -> str:
    """Return a name of a person."""
    return f"{source.choice(_WORDS['first'])} {source.choice(_WORDS['last'])}"


def _later(source: random.Random, _: dict[str, Any], issuer: dict[str, Any], scope: Scope) -> str:
    return dated(scope.date + datetime.timedelta(days=source.randint(20, 400)), issuer["regime"])


def dated(day: datetime.date, regime: str) -> str:
    """Return a date as people write it where the issuer is."""
    month = f"{day:%B}"
    return f"{month} {day.day}, {day.year}" if regime in {"us", "jp"} else f"{day.day} {month} {day.year}"


_TEXTS = {
    "person": lambda source, spec, issuer, scope: person(source),
    "made": lambda source, spec, issuer, scope: source.choice(_WORDS["made"]),
    "choice": lambda source, spec, issuer, scope: source.choice(spec["among"]),
    "code": lambda source, spec, issuer, scope: f"{spec['prefix']}-{source.randint(spec['low'], spec['high'])}",
    "later date": _later,
}

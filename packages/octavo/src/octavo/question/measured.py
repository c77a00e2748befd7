"""What a question asks to have measured, and what it takes for given of it: a change, a condition.

Knows the wording of questions; what units measure is known by `octavo_documents.text.measures`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.measures import dimension

_ASKED: Mapping[str, str] = {
    "length": "height width depth length distance diameter radius thickness altitude elevation draught "
    "tall high wide deep thick far circumference perimeter",
    "length time": "long",
    "mass": "weight mass heavy",
    "time": "duration age old lifetime lifespan",
    "area": "area surface",
    "volume": "volume",
    "speed": "speed velocity fast",
    "power": "power wattage",
    "temperature degree": "temperature hot cold warm",
    "pressure": "pressure",
    "voltage": "voltage",
    "frequency": "frequency",
    "money": "price cost fee rent salary wage fare",
}
"""What may measure the thing that a noun or an adjective after "how" asks for."""
ASKED: Mapping[str, frozenset[str]] = {
    word: frozenset(dimensions.split()) for dimensions, words in _ASKED.items() for word in words.split()
}
_NOUN = "|".join(word for word in ASKED if word not in {"long", "fast", "old", "far", "hot", "cold", "warm", "heavy"})
_HOW = lazy_regex(rf"\bhow\s+(?:much\s+)?({'|'.join(ASKED)})\b(?!\s+(?:as|is it true))", re.IGNORECASE)
_WHAT = lazy_regex(
    rf"\b(?:what|which)(?:\s+(?:is|was|are|were|will be|would be)|['’]s)?\s+(?:the\s+|its\s+|their\s+)?"
    rf"(?:[\w-]+\s+){{0,4}}?(?P<noun>{_NOUN})\b(?!\s+(?:rate|ratio|index|number|class|limit date|of the year))",
    re.IGNORECASE,
)
_HOW_MANY = lazy_regex(r"\bhow many\s+((?:[\w-]+\s+){0,2}[\w-]+)", re.IGNORECASE)
_SYMBOL = 2
"""Letters of a word that may as well be the symbol of a unit: "in"."""
_PER = lazy_regex(r"\b(?:per|for (?:each|every))\s+(?:\d[\d,.]*\s+)?([^\W\d_]+)", re.IGNORECASE)
_HOW_OFTEN = lazy_regex(r"\bhow often\b", re.IGNORECASE)
_HOW_MUCH_MASS = lazy_regex(r"\b(?:how much|what)\s+(?:does|do|did|will|would)\b.*\bweigh\b", re.IGNORECASE)
_ASKS_CHANGE = lazy_regex(
    r"\b(?:ris|rose|increas|gr[eo]w|fall|fell|drop|decreas|declin|reduc|chang|difference|rais|lower|more|less|"
    r"cut|gain)\w*\b|\b(?:up|down|by)\b",
    re.IGNORECASE,
)


def dimensions_asked(question: str) -> frozenset[str]:
    """Return what the units of an answer may measure; none where the question does not say.

    >>> sorted(dimensions_asked("How long is the pier?"))
    ['length', 'time']
    >>> sorted(dimensions_asked("How many crowns is a ticket?"))
    ['money']
    """
    unit = _unit_counted(question)
    if unit:
        return frozenset((dimension(unit),))
    if _HOW_OFTEN.search(question):
        return ASKED["duration"]
    if _HOW_MUCH_MASS.search(question):
        return ASKED["weight"]
    how = _HOW.search(question)
    if how:
        return ASKED[how[1].lower()]
    what = _WHAT.search(question)
    return ASKED[what["noun"].lower()] if what else frozenset()


def units_asked(question: str) -> frozenset[str]:
    """Return the terms of the unit that a question counts in: crown in "How many crowns is it?"; none for none."""
    return frozenset(analyze(_unit_counted(question)))


def _unit_counted(question: str) -> str:
    """Return the unit that a question counts in, as it names it; "" where it counts things."""
    words = [word for found in _HOW_MANY.finditer(question) for word in found[1].split() if len(word) > _SYMBOL]
    return next((word for word in words if dimension(word)), "")


def rate_units(question: str) -> frozenset[str]:
    """Return the terms of the unit that a question wants a rate for: mile in "per mile"; none where it wants none.

    >>> sorted(rate_units("How much do I get per mile?"))
    ['mile']
    """
    return frozenset(term for found in _PER.finditer(question) for term in analyze(found[1]))


def attribute_asked(question: str) -> str:
    """Return the adjective or noun that says what is measured: deep in "How deep is the lake?"; "" for none."""
    found = _HOW.search(question)
    if found:
        return found[1].lower()
    what = _WHAT.search(question)
    return what["noun"].lower() if what else ""


def asks_change(question: str) -> bool:
    """Return whether a question asks how much something changed, or by what it differs, and not how much it is."""
    return _ASKS_CHANGE.search(question) is not None

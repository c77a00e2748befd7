"""How a question puts the answers to its parts together: their difference, their sum, whether they agree, a choice."""

from __future__ import annotations

import re
from typing import Literal

from octavo.question.words import LESS, MORE

Choice = Literal["most", "least"]

_DIFFERENCE = re.compile(
    rf"\bdifference\b|\b(?:how much|how many|by (?:how much|what))\b.*\b(?:{MORE}|{LESS})\b", re.IGNORECASE
)
_SUM = re.compile(
    r"\b(?:sum|combined|together|altogether|added up)\b|\b(?:in total|total of|total number)\b", re.IGNORECASE
)
_SAME = re.compile(r"\b(?:same|equal|identical|share|agree)\b", re.IGNORECASE)
_CHOOSING = re.compile(rf"\b(?:which|who|what|whose|where)\b.*\b(?P<how>{MORE}|{LESS})\b", re.IGNORECASE)
_EITHER = re.compile(rf"\b(?:which|who|what|whose|where)\b.*\b(?:{MORE}|{LESS})\b.*\bor\b", re.IGNORECASE)
_IS_LESS = re.compile(LESS, re.IGNORECASE)


def asks_difference(question: str) -> bool:
    """Tell whether a question asks by how much things differ."""
    return _DIFFERENCE.search(question) is not None


def asks_sum(question: str) -> bool:
    """Tell whether a question asks what things come to together."""
    return _SUM.search(question) is not None


def asks_same(question: str) -> bool:
    """Tell whether a question asks if things agree."""
    return _SAME.search(question) is not None


def choice_of(question: str) -> Choice | None:
    """Return whether a question asks for the thing with the most or the least; None where it asks for neither."""
    found = _CHOOSING.search(question)
    if found is None:
        return None
    return "least" if _IS_LESS.fullmatch(found["how"]) else "most"


def needs_every_part(question: str) -> bool:
    """Tell whether a question asks what the answer to no part can tell alone."""
    return any(pattern.search(question) for pattern in (_DIFFERENCE, _SUM, _SAME, _EITHER))

"""What a question asks to have worked out of the values of two years: a change, a change in percent, an average."""

from __future__ import annotations

import dataclasses
import re
from enum import StrEnum

from octavo_documents.text.analyzer import analyze
from octavo_documents.text.values import years_in


class Arithmetic(StrEnum):
    """What is worked out of an earlier and a later value."""

    CHANGE = "change"
    PERCENT = "percent"
    AVERAGE = "average"


@dataclasses.dataclass(frozen=True)
class Calculation:
    """An operation on a quantity: `quantity` are the question's terms without those of the operation and the years."""

    operation: Arithmetic
    quantity: tuple[str, ...]
    earlier: str
    later: str


_CHANGE = r"(?:change|difference|increase(?:\s*/?\s*\(?\s*decrease\)?)?|decrease|growth|rise|fall)"
_OPENING = (
    r"^\W*(?:what|how much|by how much|calculate|compute)?\s*(?:is|was|were|did)?\s*(?:the\s+)?(?:company['’]s\s+)?"
)
_FORMS: tuple[tuple[Arithmetic, re.Pattern[str]], ...] = (
    (
        Arithmetic.PERCENT,
        re.compile(
            rf"{_OPENING}(?:year on year\s+)?(?:percentage|percent|per cent|%)\s+{_CHANGE}\s+(?:in|of|for)\s+", re.I
        ),
    ),
    (Arithmetic.CHANGE, re.compile(rf"{_OPENING}{_CHANGE}\s+(?:in|of|for)\s+", re.I)),
    (Arithmetic.AVERAGE, re.compile(rf"{_OPENING}(?:average|mean)\s+(?:of\s+|in\s+)?", re.I)),
)
_BESIDE = frozenset(analyze("fiscal year years FY ended end period annual company value amount number"))
"""Terms that say nothing of which row is meant, nor do the years themselves."""


def calculation_of(question: str) -> Calculation | None:
    """Return what a question asks to have worked out of two years' values; None for any other question.

    >>> calculation_of("What was the percentage change in net debt from 2018 to 2019?")
    Calculation(operation=<Arithmetic.PERCENT: 'percent'>, quantity=('net', 'debt'), earlier='2018', later='2019')
    >>> calculation_of("What was net debt in 2019?")
    """
    years = sorted(years_in(question))
    if len(years) != 2:
        return None
    are_apart = int(years[1]) - int(years[0]) > 1
    for operation, form in _FORMS:
        found = form.match(question)
        if found and operation is Arithmetic.AVERAGE and are_apart:
            return None  # it may be one of the years between, too
        if found:
            said = analyze(question[found.end() :])
            quantity = tuple(term for term in said if term not in _BESIDE and term not in years)
            return Calculation(operation, quantity, *years) if quantity else None
    return None

"""What a question asks to have worked out of the values of two years: a change, a change in percent, an average."""

from __future__ import annotations

import dataclasses
import re
from enum import StrEnum

from octavo_documents.text.analyzer import analyze
from octavo_documents.text.years import years_in


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
    of: str = dataclasses.field(default="", compare=False, repr=False)
    """What it is worked out of, as the question says it."""


_NOUN = "(?:change|difference|increase|decrease|growth|decline|rise|fall|drop|reduction)"
_CHANGE = rf"{_NOUN}(?:\s*(?:/|or|and)\s*\(?\s*{_NOUN}\s*\)?)?"
_PERCENT = "(?:percentage|percent|per cent|%)"
_OPENING = (
    r"^\W*(?:what(?:['’]s)?|how (?:much|large|big|great)|calculate|compute|work out|find)?\s*(?:is|was|were|are)?\s*"
    r"(?:the\s+)?(?P<whose>(?:[^\s,;?]+\s+){0,4}?(?:[^\s,;?]+['’]s?|its|our|their)\s+)?"
    r"(?:(?:year[\s-]+(?:on|over)[\s-]+year|overall|total)\s+)?"
)
_VERB = r"(?:(?:change|increase|decrease|decline)d?|grown?|rise|risen|fall(?:en)?|drop(?:ped)?|shr[iu]nk)\b"
_BY = rf"^\W*(?:by\s+)?{{}}\s+(?:did|has|have)\s+(?P<whose>.+?)\s+{_VERB}(?:\s+or\s+{_VERB})?"
_FORMS: tuple[tuple[Arithmetic, re.Pattern[str]], ...] = tuple(
    (operation, re.compile(form, re.IGNORECASE))
    for operation, form in (
        (Arithmetic.PERCENT, rf"{_OPENING}(?:(?:{_PERCENT}|relative)\s+{_CHANGE}|growth rate)\s+(?:in|of|for)\s+"),
        (Arithmetic.PERCENT, _BY.format(rf"(?:what|how many)\s+{_PERCENT}")),
        (Arithmetic.CHANGE, rf"{_OPENING}{_CHANGE}\s+(?:in|of|for)\s+"),
        (Arithmetic.CHANGE, _BY.format("(?:how much|what amount)")),
        (Arithmetic.AVERAGE, rf"{_OPENING}(?:average|mean)\s+(?:of\s+|in\s+)?"),
    )
)
"""How questions ask for each; `whose` are words before it that say of what, or of whom."""
_BESIDE = frozenset(analyze("fiscal year years FY ended end period annual company value amount number"))
"""Terms that say nothing of which row is meant, nor do the years themselves."""
_OTHER = re.compile(r"\bothers?\b", re.IGNORECASE)
"""What a row may be called by alone, though it says nothing of what it is about."""


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
            of = f"{found['whose'] or ''} {question[found.end() :]}"
            quantity = tuple(term for term in analyze(of) if term not in _BESIDE and term not in years)
            is_told = bool(quantity) or _OTHER.search(of) is not None
            return Calculation(operation, quantity, years[0], years[1], of) if is_told else None
    return None

"""Questions for the period in which something was more or less, such as the year in which sales were the largest."""

from __future__ import annotations

import dataclasses
import re

from octavo_documents.lazy import lazy_regex
from octavo_documents.text.language_identification import language_of
from octavo_documents.text.languages import ENGLISH

_PERIOD = r"(?:(?:fiscal|financial|calendar|reporting)\s+)?(?:years?|quarters?|months?|periods?|seasons?)"
_OPENING = lazy_regex(
    rf"^(?P<before>.*?[\s,]|)(?:which|what)\s+(?:of\s+(?:the|these)\s+)?(?:\w+\s+)?{_PERIOD}\b\s*"
    r"(?:(?:is|was|were|are|did|does|do|has|had|have|saw|shows?|showed|recorded|reported)\s+(?:(?:there|the|an?)\s+)*)+",
    re.IGNORECASE,
)
_ASKS_BEFORE = lazy_regex(
    r"^\W*(?:(?:in|during|for|at|on|of|by|the|end|and)\W+|(?:between|from|of|among|out of)\b[^?]*,\s*)*$", re.IGNORECASE
)
_NUMBER = r"(?:[$€£¥]\s?)?(?P<number>\d[\d,]*(?:\.\d+)?)\s?(?P<scale>thousands?|millions?|billions?|%)?"
_MORE_THAN = (
    r"(?P<more>(?:more|greater|higher|larger|bigger|better|longer)\s+than|above|over|exceed(?:s|ed|ing)?|at least)"
)
_LESS_THAN = r"(?P<less>(?:less|fewer|lower|smaller|shorter)\s+than|below|under|at most)"
_COMPARED = lazy_regex(rf"\b(?:{_MORE_THAN}|{_LESS_THAN})\s+(?:the\s+)?{_NUMBER}(?![\d.])", re.IGNORECASE)
_BIGGER = lazy_regex(
    r"\b(?:the\s+)?(?:(?P<more>more|most|higher|highest|larger|largest|bigger|biggest|greater|greatest|maximum)"
    r"|(?P<less>less|least|lower|lowest|smaller|smallest|fewer|fewest|minimum))\b",
    re.IGNORECASE,
)
_RANKED = lazy_regex(r"\b(?:rank(?:s|ed|ing|ings)?|position|place|seed|standings?)\b", re.IGNORECASE)
"""What is the higher, the less its number is."""
_SCALES = {"": 1.0, "%": 1.0, "thousand": 1e3, "million": 1e6, "billion": 1e9}


@dataclasses.dataclass(frozen=True)
class PeriodChoice:
    """A question for the period in which `of` was the most or the least, or more or less than a number."""

    of: str
    is_most: bool
    of_two: bool = False
    """Whether two periods are compared: "higher", not "highest"."""
    than: float | None = None
    scale: float = 1.0
    """What the number it names is in: 1,000,000 of millions, 1 where it does not say."""


def period_choice_of(question: str) -> PeriodChoice | None:
    """Return what a question for a period compares; None for any other question.

    >>> period_choice_of("In which year was net debt larger?")
    PeriodChoice(of='net debt', is_most=True, of_two=True, than=None, scale=1.0)
    >>> period_choice_of("Which quarter had sales below 2.5 million?").than
    2.5
    >>> period_choice_of("In which year was the firm founded?")
    """
    opening = _OPENING.match(question)
    if language_of(question) != ENGLISH or not opening or not _ASKS_BEFORE.match(opening["before"]):
        return None
    if _RANKED.search(question):
        return None
    rest = question[opening.end() :].strip(" ?.!")
    compared = _COMPARED.search(rest)
    if compared:
        of = _without(rest, compared)
        number, scale = float(compared["number"].replace(",", "")), (compared["scale"] or "").lower().removesuffix("s")
        return PeriodChoice(of, bool(compared["more"]), than=number, scale=_SCALES[scale]) if of else None
    found = list(_BIGGER.finditer(rest))
    if len(found) != 1:
        return None
    word = found[0]["more"] or found[0]["less"]
    of = _without(rest, found[0])
    return (
        PeriodChoice(of, bool(found[0]["more"]), of_two=word.lower().endswith("er") or word.lower() in ("more", "less"))
        if of
        else None
    )


def _without(text: str, found: re.Match[str]) -> str:
    """Return a text without a stretch of it; "" where what remains says nothing or asks more."""
    left = f"{text[: found.start()]} {text[found.end() :]}".strip()
    return " ".join(left.split()) if re.search(r"[^\W\d_]{2}", left) and " and why" not in left else ""


_IN_TURN = lazy_regex(r"\brespectively\b|\bin each\b|\bfor each\b", re.IGNORECASE)


def without_turns(question: str) -> str:
    """Return a question without the words that ask for the values of several periods in turn: "respectively"."""
    return _IN_TURN.sub(" ", question)

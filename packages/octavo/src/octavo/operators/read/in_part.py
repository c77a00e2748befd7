"""Which of two answers to a question stands, where none may be whole: what was known in part is not lost."""

from __future__ import annotations

from octavo.evidence import Answer, Outcome
from octavo_documents.text.analyzer import analyze

IN_PART = "Known only in part: "
"""Begins the text of an answer of which not all is known."""


def better_of(before: Answer, after: Answer) -> Answer:
    """Return the later of two answers, unless it is none, or less of one, where the earlier is one or knows a part."""
    if before.answerable != after.answerable:
        return after if after.answerable else before
    if before.known and not after.answerable:
        return after if fuller(before.known, after.known) == after.known else before
    return before if after.outcome is Outcome.NOTHING and before.outcome is not Outcome.NOTHING else after


def fuller(before: str, after: str) -> str:
    """Return the later of two texts that tell what is known in part, unless the earlier says more.

    That is the one with more numbers or, of as many, with more words, where the later has not all of the earlier.
    """
    had, has = set(analyze(before)), set(analyze(after))
    return after if had <= has or _amount(has) >= _amount(had) else before


def _amount(terms: set[str]) -> tuple[int, int]:
    return sum(map(str.isdigit, terms)), len(terms)

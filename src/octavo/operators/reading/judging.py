"""What lowers a candidate: that it speaks of another role, year or place than the question, or is no name.

Owns what a candidate found anywhere must have beside its own form. Knows nothing about finding or choosing.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator

from octavo.decisions.rules.question import Expects, Question
from octavo.decisions.rules.references import references
from octavo.decisions.rules.values import years_in
from octavo.document import View
from octavo.models.analyzer import analyze
from octavo.operators.lexical import terms_of
from octavo.operators.reader.grounding import is_known
from octavo.operators.reading.candidate import Candidate
from octavo.operators.refer import page_scores

Terms = tuple[str, ...]

_OTHER_ROLE = 0.4
"""Fit of a name, of what it would be, where nothing around it says that it is of what the question asks."""
_OTHER_TIME, _NO_TIME = 0.2, 0.7
"""Fit of an answer, of what it would be, that tells of another year than the question asks for, and of no year."""
ENOUGH_FOR_YES = 0.6
"""Share of a question that a statement must speak of to be a yes or a no."""
_ENOUGH = 0.35
"""Share that a statement must speak of to be the answer itself, neither yes nor no."""
_SHORTEST_WORD = 3
_OTHER_PAGE, _OTHER_PLACE = 0.25, 0.5
"""Fit of an answer, of what it would be, off the page that the question names, and off the page of a thing it names."""
_NO_NAME = 0.3
"""Fit of a number, of what it would be, where a name is asked for."""
_IN_WORDS = (Expects.NAME, Expects.PERSON, Expects.PLACE)
_ASKS_CODE = re.compile(r"\b(?:numbers?|codes?|ids?|versions?|ratings?|scores?|ranges?|sizes?|time)\b", re.IGNORECASE)


def judged(
    question: Question, view: View, around: Callable[[int], Terms], found: Iterable[Candidate]
) -> list[Candidate]:
    """Return the candidates, their fit lowered by what speaks against them; of a yes or no those that say enough.

    Args:
        question: As read.
        view: What the rows of the candidates belong to; it needs the layer `terms`.
        around: Gives the terms that surround a row.
        found: The candidates.
    """
    kept = list(_placed(question, view, _of_role_and_time(question, around, found)))
    if question.expects is not Expects.YES_NO:
        return kept
    enough = _enough(question, view)
    return [one for one in kept if one.coverage >= enough]


def _of_role_and_time(
    question: Question, around: Callable[[int], Terms], found: Iterable[Candidate]
) -> Iterator[Candidate]:
    """Yield the candidates, the fit lowered of those that speak of another role or time than the question."""
    years: set[str] = set(years_in(question.text))
    if question.expects in (Expects.YEAR, Expects.DATE):
        years.clear()
    for one in found:
        share = 1.0
        if question.expects in _IN_WORDS and not _ASKS_CODE.search(question.text) and not _has_letter(one.text):
            share *= _NO_NAME
        if question.role and not _is_of_role(question.role, one, around):
            share *= _OTHER_ROLE
        if years:
            share *= _share_in_time(years, one, around)
        yield one if share == 1.0 else dataclasses.replace(one, fit=share * one.fit)


def _placed(question: Question, view: View, found: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield the candidates, the fit lowered of those elsewhere than where the question points: a page, a table."""
    scores = page_scores(tuple(references(question.text)), view)
    pointed = float(scores.max(initial=0.0))
    share = 1.0 if pointed == 0 else _OTHER_PAGE if pointed == 1 else _OTHER_PLACE
    for one in found:
        is_there = share == 1.0 or scores[view.page_index[one.row]] > 0
        yield one if is_there else dataclasses.replace(one, fit=share * one.fit)


def _is_of_role(role: str, candidate: Candidate, around: Callable[[int], Terms]) -> bool:
    """Tell whether a candidate names what the question asks to name, and not someone or something else."""
    return role in analyze(candidate.statement) or role in around(candidate.row)


def _has_letter(text: str) -> bool:
    return any(map(str.isalpha, text))


def _share_in_time(years: set[str], candidate: Candidate, around: Callable[[int], Terms]) -> float:
    """Return what is left of the fit of a candidate that may speak of other years than the question, or of none."""
    told = set(years_in(candidate.statement))
    if years & told:
        return 1.0
    if told:
        return _OTHER_TIME
    return 1.0 if years & set(around(candidate.row)) else _NO_TIME


def _enough(question: Question, view: View) -> float:
    """Return how much of a yes-or-no question a statement must speak of to be told: most, where a word is unknown."""
    index = terms_of(view)
    words = [term for term in question.terms if term.isalpha() and len(term) >= _SHORTEST_WORD]
    return _ENOUGH if all(is_known(index, term) for term in words) else ENOUGH_FOR_YES

"""Candidates for ways to reach someone: telephone and fax numbers, e-mail addresses, web addresses.

Owns which of these a question asks for and what each looks like. Knows nothing about other values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from octavo.decisions.rules.question import Expects, Question
from octavo.models.analyzer import analyze
from octavo.operators.reader.matching import Matcher
from octavo.operators.reading.candidate import Candidate, Quote

_MAIL = re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
_WEB = re.compile(
    r"(?:https?://|www\.)[^\s<>()\[\]\"“”]+[\w/]|(?<![\w@.-])[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov)\b"
)
_NUMBER = re.compile(r"(?<![\w.,/-])\+?\(?\d[\d\s().–-]{5,18}\d(?![\w%]|[.,]\d)")
_LEAST_DIGITS, _MOST_DIGITS = 6, 15
_ASKED: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (re.compile(r"\be-?mail(?: address(?:es)?)?\b", re.IGNORECASE), _MAIL),
    (re.compile(r"\b(?:web ?site|web ?page|web address|url)\b", re.IGNORECASE), _WEB),
    (
        re.compile(
            r"\b(?:telephone|phone|fax|mobile|hotline|helpline)(?: (?:numbers?|no\b\.?))?(?=\W|$)", re.IGNORECASE
        ),
        _NUMBER,
    ),
)
_ASKS = re.compile(r"\b(?:what|which|give|list|find|provide|write|state|tell)\b", re.IGNORECASE)
_OF_A_WAY = frozenset(analyze("telephone phone tel fax mobile email e-mail mail website web site url address number"))
_UNLABELLED, _LABELLED = 0.85, 1.0
"""Fit of what has the form, and of what also stands in a line with the word that the question uses."""


def asked_way(question: Question) -> re.Pattern[str] | None:
    """Return what the asked way to reach someone looks like, None for a question that asks for none."""
    wants_value = question.expects in (Expects.NUMBER, Expects.NAME, Expects.PLACE, Expects.LIST)
    if not wants_value or not _ASKS.search(question.text):
        return None
    return next((form for words, form in _ASKED if words.search(question.text)), None)


def from_contacts(matcher: Matcher, row: int, text: str, context: tuple[str, ...]) -> Iterator[Candidate]:
    """Yield the numbers or addresses in a block that are what a question asks for; nothing for another question."""
    form = asked_way(matcher.question)
    for found in form.finditer(text) if form else ():
        if form is _NUMBER and not _LEAST_DIGITS <= sum(map(str.isdigit, found[0])) <= _MOST_DIGITS:
            continue
        line = text[text.rfind("\n", 0, found.start()) + 1 :].split("\n", 1)[0]
        is_labelled = bool(_OF_A_WAY & set(analyze(line)) & matcher.question.asked)
        coverage = matcher.coverage(analyze(text), (*context, *(_OF_A_WAY & matcher.question.asked)))
        fit = _LABELLED if is_labelled else _UNLABELLED
        yield Candidate(found[0].strip(), (Quote(row, line.strip()),), text, coverage, coverage, fit)

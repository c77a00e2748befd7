"""Whether a draft answer is complete: it answers, has all items asked for, and covers what the question names.

Knows nothing about documents or models.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from octavo.decisions.decompose_question.rule import split
from octavo.decisions.extract_question_entities import rule as entity_rule
from octavo.decisions.rules.overlap import coverages, terms_of
from octavo.decisions.rules.question import Expects, read_question
from octavo.decisions.rules.references import references
from octavo.models.analyzer import analyze

_BETWEEN = re.compile(r"\s*[;\n]\s*|\s*,\s+(?:and\s+)?|\s+and\s+")
_COVERED = 0.5


def missing(question: str, answer: str, evidence: Sequence[str], *, is_answerable: bool) -> list[str]:
    """Return what is missing, in words to look for; nothing for a complete answer."""
    if not is_answerable or not answer.strip():
        return _sought(question)
    asked = read_question(question)
    if asked.expects is Expects.LIST and 0 < len(_items(answer)) < asked.items:
        return [f"{asked.items} {' '.join(asked.subject) or 'items'}"]
    shown = " ".join((answer, *evidence))
    return [*_unnamed(question, shown), *_uncovered(question, shown)]


def _sought(question: str) -> list[str]:
    parts = split(question).retrieval
    return list(parts) if len(parts) > 1 else [question]


def _items(answer: str) -> list[str]:
    return [part for part in _BETWEEN.split(answer) if part.strip()]


def _unnamed(question: str, shown: str) -> list[str]:
    """Return the names of the question that stand nowhere in what is shown."""
    terms = set(analyze(shown))
    named = [*entity_rule.quoted(question), *entity_rule.names(question), *entity_rule.acronyms(question)]
    return [name for name in dict.fromkeys(named) if analyze(name) and not terms.intersection(analyze(name))]


def _uncovered(question: str, shown: str) -> list[str]:
    """Return the parts of a question with several parts whose words are mostly not in what is shown."""
    parts = split(question).retrieval
    if len(parts) < 2:
        return []
    return [part for part in parts if coverages(terms_of(part), [shown])[0] < _COVERED]


def where(question: str, titles: Sequence[str]) -> list[str]:
    """Return the places to look at: those the question names, then sections whose titles have its words, best first."""
    named = [reference.words for reference in references(question)]
    shares = coverages(terms_of(question), titles)
    ranked = sorted((at for at in range(len(titles)) if shares[at] > 0), key=lambda at: (-shares[at], at))
    return list(dict.fromkeys([*named, *(titles[at] for at in ranked)]))

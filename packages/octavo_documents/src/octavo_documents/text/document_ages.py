"""Which of several documents of a sort a text asks for by age: the newest, the first, the one before the newest."""

from __future__ import annotations

import re
from collections.abc import Collection
from enum import StrEnum
from functools import cache

from octavo_documents.lazy import lazy_regex
from octavo_documents.text.document_kinds import kind_spans
from octavo_documents.text.languages import ENGLISH, Language, language, pattern_of


class Age(StrEnum):
    """An age by which a document of a sort is asked for."""

    NEWEST = "newest"
    OLDEST = "oldest"
    PREVIOUS = "previous"
    """The one before the newest."""


_VERSION = r"(?:versions?|revisions?|editions?|issues?|releases?|drafts?)"
_SORT = lazy_regex(rf"\b(?:{_VERSION}|decks?|slides|meetings?|sessions?|calls?\s+for)\b", re.IGNORECASE)
"""Sorts of documents beside their kinds."""
_BETWEEN = r"\s+(?:(?!(?:in|of|from|for|on|under|by|at|to|as)\b)[\w-]+\s+){0,4}$"
_NEW = r"(?:newest|latest|current|present|most\s+recent|up[\s-]to[\s-]date|valid|today['’]s)"
_BEFORE = (
    r"(?:previous|preceding|prior|former|superseded|earlier|penultimate|last\s+but\s+one|second[\s-](?:newest|latest)|"
    r"next\s+to\s+last)"
)
_OLD = (
    r"(?:old|older|oldest|(?:very\s+)?first(?!\s+(?:quarter|half|three|six|nine|\d))|original|earliest|"
    r"initial(?!\s+public))"
)
_CHANGED = r"(?:corrected|varied|amended|modified|revised|updated|reissued|replaced|superseded)"
_OF_SORT = lazy_regex(rf"\b(?:(?P<newest>{_NEW})|(?P<previous>{_BEFORE})|(?P<oldest>{_OLD})){_BETWEEN}", re.IGNORECASE)
"""What asks for a sort of documents by age, right before it."""
_NOW = lazy_regex(
    r"\bin\s+(?:force|effect)\s*(?:now|today|at\s+present)?\s*(?=[?.,]|$)|\bin\s+force\b"
    r"|\b(?:now|currently)\s+(?:valid|in\s+effect|applicable|appl(?:y|ies))\b|\b(?:valid|appl(?:y|ies))\s+(?:now|today)\b"
    r"|\b(?:after|since|with|following)\s+(?:the|its|this|that)\s+(?:last\s+|latest\s+)?(?:correction|corrigendum|"
    r"erratum|revision|update)\b|\b(?:since|once|now\s+that|after)\s+(?:[\w-]+\s+){1,4}?"
    rf"(?:(?:was|were|is|got|has|have|been)\s+){{1,2}}{_CHANGED}\b"
    r"|\b(?:in\s+the\s+future|going\s+forward|from\s+now\s+on|in\s+the\s+coming\s+(?:months|quarters|years?))\b"
    r"|\b(?:that|which)\s+(?:replace[sd]?|supersede[sd]?|obsolete[sd]?)\b",
    re.IGNORECASE,
)
_ONE_BEFORE = lazy_regex(
    rf"\b(?:{_VERSION}|the\s+one)\s+(?:just\s+|right\s+)?before\s+(?:(?:the|this|that)\s+)?"
    rf"(?:(?:{_NEW}|last|new)\b|(?:this|that)\b|one\b)",
    re.IGNORECASE,
)


_BY_ANOTHER = lazy_regex(
    r"\b(?:that|which)\s+(?:replace[sd]?|supersede[sd]?|obsolete[sd]?|succeed(?:ed|s)?|precede[sd]?)\b", re.IGNORECASE
)


def age_wanted(text: str, code: str = ENGLISH, named: Collection[str] = ()) -> Age | None:
    """Return which document of a sort a text in a language asks for by age; None where it does not.

    Sorts are kinds of documents, and what the words that are `named` stand for, as the text writes them.

    >>> age_wanted("the policy in force"), age_wanted("the revision before the present one")
    (<Age.NEWEST: 'newest'>, <Age.PREVIOUS: 'previous'>)
    >>> age_wanted("today's parking fees"), age_wanted("today's parking fees", named=["parking"])
    (None, <Age.NEWEST: 'newest'>)
    """
    return _of_sort(text, code) or (_of_named(text, code, named) if named else None)


def is_told_by_another(text: str) -> bool:
    """Return whether a question tells a thing by another one: "the rule that replaced the one of 2019".

    >>> is_told_by_another("when was the RFC that replaced 793 published"), is_told_by_another("who replaced Ms Dunn")
    (True, False)
    """
    return bool(_BY_ANOTHER.search(text))


def _of_named(text: str, code: str, named: Collection[str]) -> Age | None:
    """Return the age that a word says right before a word that names documents, at most one word between."""
    names = "|".join(map(re.escape, named))
    for age, words in _words(code):
        if re.search(rf"(?<!\w){words}\s+(?:[\w-]+\s+)?(?:{names})(?!\w)", text, re.IGNORECASE):
            return age
    return None


def _words(code: str) -> list[tuple[Age, str]]:
    """Return the pattern of the words for each age in a language."""
    if code == ENGLISH:
        return [(Age.NEWEST, _NEW), (Age.PREVIOUS, _BEFORE), (Age.OLDEST, _OLD)]
    spoken = language(code)
    words = ((Age.NEWEST, spoken.newest), (Age.PREVIOUS, spoken.previous), (Age.OLDEST, spoken.oldest))
    return [(age, pattern_of(ones, spoken)) for age, ones in words if ones]


def _of_sort(text: str, code: str) -> Age | None:
    spoken = language(code)
    if code != ENGLISH and spoken.kinds:
        if _in_force(code).search(text):
            return Age.NEWEST
        return next((age for age, words in _words(code) if _before_sort(code, words).search(text)), None)
    if _ONE_BEFORE.search(text):
        return Age.PREVIOUS
    return Age.NEWEST if _NOW.search(text) else _before_any_sort(text)


def _before_any_sort(text: str) -> Age | None:
    """Return the age said right before a kind of document, or another sort, in an English text; the newest goes first.

    A "current report" is a kind, whatever its age.
    """
    starts = [start for start, _ in kind_spans(text)] + [found.start() for found in _SORT.finditer(text)]
    said = [found.lastgroup for start in starts if (found := _OF_SORT.search(text, 0, start)) is not None]
    return next((age for age in (Age.NEWEST, Age.PREVIOUS, Age.OLDEST) if age.value in said), None)


@cache
def _before_sort(code: str, words: str) -> re.Pattern[str]:
    """Return how a language says an age of a sort of documents: by a word before or behind it."""
    spoken = language(code)
    sort, between = _sort(spoken), r"\s+(?:[^\W\d_]+\s+){0,2}?" if spoken.is_spaced else r"[^\W\d_]{0,6}?"
    return re.compile(f"{words}{between}{sort}|{sort}{between}{words}", re.IGNORECASE)


def _sort(spoken: Language) -> str:
    kinds = (name for _, names in spoken.kinds for name in names)
    return pattern_of((*spoken.versions, *spoken.editions, *kinds), spoken)


@cache
def _in_force(code: str) -> re.Pattern[str]:
    spoken = language(code)
    return re.compile(pattern_of(spoken.in_force, spoken), re.IGNORECASE)

"""Versions, revisions and editions that a text names: "v2.1", "Version 3", "Rev. B", "2nd edition"."""

from __future__ import annotations

import re
from functools import cache

from octavo_documents.text.languages import ENGLISH, language, pattern_of

_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6", "seventh": "7"}
_PATTERN = re.compile(
    r"\b(?:v(?:er(?:sion)?)?\.?|rel(?:ease)?\.?|issue(?:\s+no\.?)?)\s*(?P<version>\d+(?:\.\d+){0,3}[a-z]?)\b"
    r"|\brev(?:ision)?(?:[.\s:]+|(?=\d)|(?-i:(?=[A-Z])))(?P<revision>\d+(?:\.\d+)*|[A-Z](?![\w]))"
    r"|\b(?P<edition>\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh)\s+edition\b"
    r"|\bedition\s+(?P<edition2>\d+)\b",
    re.IGNORECASE,
)


_BARE = re.compile(
    r"(?<=[A-Za-z])[\s,(]+(?P<bare>\d{1,3}\.\d{1,3}(?:\.\d{1,4})?)"
    r"(?![\d.]*\d|\s*(?:%|percent|per cent|m\b|mn\b|bn\b|million|billion|thousand))"
)
"""A number as versions have it behind a word: "Payroll 2.0"."""


@cache
def _of_language(code: str) -> re.Pattern[str]:
    """Return how a language writes versions and editions: "Fassung 2.1", "3. Auflage", "第3版"."""
    spoken = language(code)
    versions, editions = pattern_of(spoken.versions, spoken), pattern_of(spoken.editions, spoken)
    ordinals = "|".join(f"(?P<o{at}>{pattern_of(names, spoken)})" for at, names in enumerate(spoken.ordinals, start=1))
    return re.compile(
        rf"{versions}[\s:]*(?P<version>\d+(?:\.\d+){{0,3}})(?!\d)"
        rf"|第?(?<!\d)(?P<edition>\d{{1,3}})(?:\.|-?[^\W\d]{{1,3}}|[ºª])?\s*{editions}"
        rf"|(?:{ordinals or '(?!)'})\s+{editions}|{editions}\s+(?P<edition2>\d{{1,3}})(?!\d)",
        re.IGNORECASE,
    )


def _in_language(text: str, code: str) -> dict[str, None]:
    found: dict[str, None] = {}
    for match in _of_language(code).finditer(text):
        edition = match["edition"] or match["edition2"]
        ordinal = next((name[1:] for name, value in match.groupdict().items() if value and name[1:].isdecimal()), "")
        found[f"version {match['version']}" if match["version"] else f"edition {edition or ordinal}"] = None
    return found


def versions_in(text: str, code: str = ENGLISH, *, bare: bool = False) -> list[str]:
    """Return the versions that a text in a language names, each once, in order: "version 2.1", "edition 2".

    With `bare` a number such as 2.1 right behind a word is one too.

    >>> versions_in("Manual Rev. B, software v2.10, Third Edition")
    ['revision b', 'version 2.10', 'edition 3']
    """
    found: dict[str, None] = {}
    for match in _PATTERN.finditer(text):
        edition = match["edition"] or match["edition2"]
        if edition:
            low = edition.lower()
            found[f"edition {_ORDINALS.get(low) or re.sub(r'[a-z]+$', '', low)}"] = None
        elif match["revision"]:
            found[f"revision {match['revision'].lower()}"] = None
        else:
            found[f"version {match['version'].lower()}"] = None
    if code != ENGLISH:
        found |= _in_language(text, code)
    if bare:
        found |= {f"version {match['bare']}": None for match in _BARE.finditer(text)}
    return [*found]


_OF_WHAT = (
    r"\s+(?:[\w-]+\s+){0,4}?(?:versions?|revisions?|editions?|issues?|releases?|polic(?:y|ies)|manuals?|guides?|handbooks?|"
    r"procedures?|contracts?|agreements?|papers?|reports?|minutes|guidelines?|standards?|specifications?|drafts?|decks?|slides)\b"
)
_NEWEST = re.compile(
    r"\b(?:newest|latest|current|present|most\s+recent|up[\s-]to[\s-]date|valid)"
    + _OF_WHAT
    + r"|\bin\s+force\b|\bnow\s+valid\b",
    re.IGNORECASE,
)
_OLDEST = re.compile(
    r"\b(?:old|older|oldest|(?:very\s+)?first|original|earliest|earlier|previous|former|superseded|initial)" + _OF_WHAT,
    re.IGNORECASE,
)


@cache
def _of_age(code: str, *, is_old: bool) -> re.Pattern[str]:
    """Return how a language asks for the newest document of a sort, or an old one: by a word before or behind it."""
    spoken = language(code)
    words = pattern_of(spoken.oldest if is_old else spoken.newest, spoken)
    kinds = (name for _, names in spoken.kinds for name in names)
    sort = pattern_of((*spoken.versions, *spoken.editions, *kinds), spoken)
    between = r"\s+(?:[^\W\d_]+\s+){0,2}?" if spoken.is_spaced else r"[^\W\d_]{0,6}?"
    return re.compile(f"{words}{between}{sort}|{sort}{between}{words}", re.IGNORECASE)


def age_wanted(text: str, code: str = ENGLISH) -> int:
    """Return 1 where a text in a language asks for the newest document of a sort, -1 for an old one, 0 for neither.

    >>> age_wanted("the policy in force"), age_wanted("in the very first version"), age_wanted("current assets")
    (1, -1, 0)
    """
    if code != ENGLISH and language(code).kinds:
        if _of_age(code, is_old=False).search(text):
            return 1
        return -1 if _of_age(code, is_old=True).search(text) else 0
    if _NEWEST.search(text):
        return 1
    return -1 if _OLDEST.search(text) else 0


_EVERY = re.compile(
    r"\b(?:all|each|every|both|over|across|between|among|of|the|two|three|four|five|several|different|various)"
    r"\s+(?:of\s+)?(?:(?:the|its|all|two|three|four|five|several|different|various)\s+){0,2}"
    r"(?:versions|revisions|editions|releases|drafts)\b(?!\s+\d)",
    re.IGNORECASE,
)


def names_every_version(text: str) -> bool:
    """Return whether a text speaks of several versions of a document and says not which: "over its three revisions"."""
    return bool(_EVERY.search(text))


def version_order(version: str) -> tuple[tuple[int, ...], str]:
    """Return what versions of one sort are ordered by: numbers by value, letters by the alphabet."""
    number = version.rpartition(" ")[2]
    parts = re.findall(r"\d+", number)
    return tuple(int(part) for part in parts), "" if parts else number

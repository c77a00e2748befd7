"""Versions, revisions and editions that a text names: "v2.1", "Version 3", "Rev. B", "2nd edition"."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache

from octavo_documents.text.languages import ENGLISH, language, pattern_of

_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6", "seventh": "7"}
_ORDINAL = rf"\d+(?:st|nd|rd|th)|{'|'.join(_ORDINALS)}"
_PATTERN = re.compile(
    r"\b(?:v(?:er(?:sion)?)?\.?|rel(?:ease)?\.?(?!\s*(?:19|20)\d\d\b)|issue(?:\s+no\.?)?)"
    r"\s*(?P<version>\d+(?:\.\d+){0,3}[a-z]?)\b"
    r"|\brev(?:ision)?(?:[.\s:]+|(?=\d)|(?-i:(?=[A-Z])))(?P<revision>\d+(?:\.\d+)*|[A-Z](?![\w]))"
    rf"|\b(?P<edition>{_ORDINAL})\s+edition\b"
    r"|\bedition\s+(?P<edition2>\d+)\b",
    re.IGNORECASE,
)


_BARE = re.compile(
    r"(?<=[A-Za-z])[\s,(]+(?P<bare>\d{1,3}\.\d{1,3}(?:\.\d{1,4})?)"
    r"(?![\d.]*\d|\s*(?:%|percent|per cent|m\b|mn\b|bn\b|million|billion|thousand))"
)
"""A number as versions have it behind a word: "Payroll 2.0"."""
_COUNTED = re.compile(rf"\b(?P<ordinal>{_ORDINAL})\s+versions?\b(?!\s*\d)", re.IGNORECASE)
"""A version by its place: "the second version"."""


_OF_FILE = re.compile(
    r"(?<![^\W_])(?P<of>[^\W\d_]{3,})[\s_-]v?(?P<numbers>\d{1,2}\.\d{1,3}(?:\.\d{1,3})?|\d[\s_-]\d)"
    r"(?:[\s_-]+(?:final|draft|copy|signed|clean|en|de|fr|es|it|pt|nl|pl))?(?:\s*\(\d+\))?$",
    re.IGNORECASE,
)
_OF_PART = re.compile(
    r"(?:part|chapter|section|figure?|table|tab|appendix|annex|exhibit|volume|vol|unit|week|lesson|page|pages|no|nr|day|"
    r"exercise|lecture|item|sheet|number|size|grade|phase|step|kapitel|teil|anlage|anhang|abschnitt|seite|chapitre|partie|"
    r"annexe|anexo|parte|allegato|capitolo|rozdział|step|task|photo|image|img|scan|page|slide|room|team|group|class)s?",
    re.IGNORECASE,
)
"""Words whose numbers are those of parts, not of versions."""


def version_of_file(name: str) -> str:
    """Return the version whose number alone ends the name of a file, given without its ending; "" for none.

    It is two numbers or three with dots, or two single digits; no day of a month has those with a zero before it.

    >>> version_of_file("ledger guide 2 1"), version_of_file("handbook 2.1.0 final"), version_of_file("chapter 2.1")
    ('version 2.1', 'version 2.1.0', '')
    """
    found = _OF_FILE.search(name)
    if found is None or _OF_PART.fullmatch(found["of"]) or re.search(r"\d", name[: found.start("numbers")]):
        return ""
    numbers = re.split(r"[\s_.-]", found["numbers"])
    is_day = len(numbers[1]) > 1 and (numbers[1][0] == "0" or int(numbers[0]) > 9)
    return "" if is_day else f"version {'.'.join(numbers)}"


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

    With `bare` a number such as 2.1 right behind a word is one too, and so is "the second version".

    >>> versions_in("Manual Rev. B, software v2.10, Third Edition")
    ['revision b', 'version 2.10', 'edition 3']
    """
    found: dict[str, None] = {}
    for match in _PATTERN.finditer(text):
        edition = match["edition"] or match["edition2"]
        if edition:
            found[f"edition {_number(edition)}"] = None
        elif match["revision"]:
            found[f"revision {match['revision'].lower()}"] = None
        else:
            found[f"version {match['version'].lower()}"] = None
    if code != ENGLISH:
        found |= _in_language(text, code)
    if bare:
        found |= {f"version {match['bare']}": None for match in _BARE.finditer(text)}
        found |= {f"version {_number(match['ordinal'])}": None for match in _COUNTED.finditer(text)}
    return [*found]


def _number(ordinal: str) -> str:
    """Return the number of an ordinal: "2" of "second" and of "2nd"."""
    low = ordinal.lower()
    return _ORDINALS.get(low) or re.sub(r"[a-z]+$", "", low)


_OF_WHAT = (
    r"\s+(?:[\w-]+\s+){0,4}?(?:versions?|revisions?|editions?|issues?|releases?|polic(?:y|ies)|manuals?|guides?|handbooks?|"
    r"procedures?|contracts?|agreements?|papers?|reports?|minutes|guidelines?|standards?|specifications?|drafts?|decks?|slides)\b"
)
_NEW = r"(?:newest|latest|current|present|most\s+recent|up[\s-]to[\s-]date|valid|today['’]s)"
_OLD = r"(?:old|older|oldest|(?:very\s+)?first|original|earliest|earlier|previous|former|superseded|initial)"
_NEWEST = re.compile(
    rf"\b{_NEW}{_OF_WHAT}|\bin\s+(?:force|effect)\s*(?:now|today|at\s+present)?\s*(?=[?.,]|$)|\bin\s+force\b"
    r"|\b(?:now|currently)\s+(?:valid|in\s+effect|applicable|appl(?:y|ies))\b|\b(?:valid|appl(?:y|ies))\s+(?:now|today)\b",
    re.IGNORECASE,
)
_OLDEST = re.compile(rf"\b{_OLD}{_OF_WHAT}", re.IGNORECASE)


@cache
def _of_age(code: str, *, is_old: bool) -> re.Pattern[str]:
    """Return how a language asks for the newest document of a sort, or an old one: by a word before or behind it."""
    spoken = language(code)
    words = pattern_of(spoken.oldest if is_old else spoken.newest, spoken)
    kinds = (name for _, names in spoken.kinds for name in names)
    sort = pattern_of((*spoken.versions, *spoken.editions, *kinds), spoken)
    between = r"\s+(?:[^\W\d_]+\s+){0,2}?" if spoken.is_spaced else r"[^\W\d_]{0,6}?"
    return re.compile(f"{words}{between}{sort}|{sort}{between}{words}", re.IGNORECASE)


def age_wanted(text: str, code: str = ENGLISH, named: Collection[str] = ()) -> int:
    """Return 1 where a text in a language asks for the newest document of a sort, -1 for an old one, 0 for neither.

    Sorts are kinds of documents, and what the words that are `named` stand for, as the text writes them.

    >>> age_wanted("the policy in force"), age_wanted("in the very first version"), age_wanted("current assets")
    (1, -1, 0)
    >>> age_wanted("today's parking fees"), age_wanted("today's parking fees", named=["parking"])
    (0, 1)
    """
    return _of_sort(text, code) or (_of_named(text, code, named) if named else 0)


def _of_named(text: str, code: str, named: Collection[str]) -> int:
    """Return the age that a word says right before a word that names documents, at most one word between."""
    spoken = language(code)
    names = "|".join(map(re.escape, named))
    new, old = (
        (_NEW, _OLD) if code == ENGLISH else (pattern_of(spoken.newest, spoken), pattern_of(spoken.oldest, spoken))
    )
    for words, age in ((new, 1), (old, -1)):
        if re.search(rf"(?<!\w){words}\s+(?:[\w-]+\s+)?(?:{names})(?!\w)", text, re.IGNORECASE):
            return age
    return 0


def _of_sort(text: str, code: str) -> int:
    if code != ENGLISH and language(code).kinds:
        if _of_age(code, is_old=False).search(text) or _in_force(code).search(text):
            return 1
        return -1 if _of_age(code, is_old=True).search(text) else 0
    if _NEWEST.search(text):
        return 1
    return -1 if _OLDEST.search(text) else 0


@cache
def _in_force(code: str) -> re.Pattern[str]:
    spoken = language(code)
    return re.compile(pattern_of(spoken.in_force, spoken), re.IGNORECASE)


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

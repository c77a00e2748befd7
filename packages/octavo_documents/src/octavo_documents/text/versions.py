"""Versions, revisions and editions that a text names: "v2.1", "Version 3", "Rev. B", "2nd edition"."""

from __future__ import annotations

import re
from functools import cache

from octavo_documents.text.languages import ENGLISH, language, pattern_of

_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6", "seventh": "7"}
_ORDINAL = rf"\d+(?:st|nd|rd|th)|{'|'.join(_ORDINALS)}"
_CHANGE = r"amendment|amd|addendum|addenda|supplement|side letter|nachtrag|avenant|adenda|aneks|addend"
_PATTERN = re.compile(
    r"\b(?:v(?:er(?:sion)?)?\.?|rel(?:ease)?\.?(?!\s*(?:19|20)\d\d\b)|issue(?:\s+no\.?)?)"
    r"\s*(?P<version>\d+(?:\.\d+){0,3}[a-z]?)\b(?![/.]\d)"
    r"|\brev(?:ision)?(?:[.\s:]+|(?=\d)|(?-i:(?=[A-Z])))(?P<revision>\d+(?:\.\d+)*|[A-Z](?![\w]))"
    rf"|\b(?P<edition>{_ORDINAL})\s+edition\b"
    r"|\bedition\s+(?P<edition2>\d+)\b(?![/.]\d)"
    rf"|\b(?:{_CHANGE})[\s_]+(?:(?:no|nr|number|num)[.\s_]*|n[°º][\s_]*)?(?P<amendment>\d{{1,2}})(?![\d.])",
    re.IGNORECASE,
)


_BARE = re.compile(
    r"(?<=[A-Za-z])[\s,(]+(?P<bare>\d{1,3}\.\d{1,3}(?:\.\d{1,4})?)"
    r"(?![\d.]*\d|\s*(?:%|percent|per cent|m\b|mn\b|bn\b|million|billion|thousand))"
)
"""A number as versions have it behind a word: "Payroll 2.0"."""
_COUNTED = re.compile(rf"\b(?P<ordinal>{_ORDINAL})\s+(?:(?P<of>{_CHANGE})s?|versions?)\b(?!\s*\d)", re.IGNORECASE)
"""A version by its place: "the second version", "the first amendment"."""


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


_LATIN = ("de", "fr", "es", "it", "nl", "pt", "pl")


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
        elif match["amendment"]:
            found[f"amendment {match['amendment']}"] = None
        else:
            found[f"version {match['version'].lower()}"] = None
    if code != ENGLISH:
        found |= _in_language(text, code)
    elif bare and not found and any(map(str.isdigit, text)):  # a few words say little of their language
        found |= {version: None for other in _LATIN for version in _in_language(text, other)}
    if bare:
        found |= {f"version {match['bare']}": None for match in _BARE.finditer(text)}
        for match in _COUNTED.finditer(text):
            found[f"{'amendment' if match['of'] else 'version'} {_number(match['ordinal'])}"] = None
    return [*found]


def _number(ordinal: str) -> str:
    """Return the number of an ordinal: "2" of "second" and of "2nd"."""
    low = ordinal.lower()
    return _ORDINALS.get(low) or re.sub(r"[a-z]+$", "", low)


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

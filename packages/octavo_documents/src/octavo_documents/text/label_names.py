"""Labels in other languages than English: "Abbildung 3", "Tableau 2", "第3章", "図1", as their tables name them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from functools import cache

from octavo_documents.text.languages import ENGLISH, LANGUAGES, language, pattern_of
from octavo_documents.text.looks_words import pages_at_ends

_NUMBER = r"(?P<number>(?:[A-Z][.-]?)?\d{1,3}(?:[.-]\d{1,3}){0,4}[a-z]?|[IVXLC]{1,6}|[A-Z])(?!\w)"
_OF_CHARACTERS = r"\s*(?P<number>\d{1,3}(?:[.-]\d{1,3}){0,4}|[一二三四五六七八九十]{1,3})"
_WORD = re.compile(r"[^\W\d_]+")
_FIRST = re.compile(r"[^\W\d_]+\.?")
_SIGN = r"(?:\s*(?:n[.°º]|nr\.?|№))?\s*"
_DIGITS = {one: value for value, one in enumerate("一二三四五六七八九十", start=1)}


@dataclasses.dataclass(frozen=True, slots=True)
class NumberedName:
    """A name with a number at characters `[start, stop)` of a text."""

    what: str
    """What it names, in English: "figure", "chapter"."""
    number: str
    start: int
    stop: int


def label_at(text: str) -> NumberedName | None:
    """Return the label that a text of any of these languages begins with, None for none and for an English one.

    >>> label_at("第三章 灯塔")
    NumberedName(what='chapter', number='3', start=0, stop=3)
    """
    word = _FIRST.match(text)
    if word is None or not (word[0].casefold() in _beginnings() or text[0] in _beginnings()):
        return None
    found = _of_all().match(text)
    return _label(found, None) if found else None


def is_contents_name(text: str) -> bool:
    """Return whether a text is what tables of contents are headed in one of these languages.

    >>> is_contents_name("Inhaltsverzeichnis"), is_contents_name("Inhaltsstoffe")
    (True, False)
    """
    return text.casefold() in _contents_names()


def is_notice_name(text: str) -> bool:
    """Return whether a text is what remarks and warnings are headed in one of these languages ("ACHTUNG")."""
    return text.casefold() in _notice_names()


def labels_in(text: str, code: str) -> Iterator[NumberedName]:
    """Yield the labels in a text of one language, in order."""
    for found in _pattern((code,)).finditer(text):
        yield _label(found, code)


def pages_in(text: str) -> Iterator[NumberedName]:
    """Yield the pages that a text in any of these languages names by number, in order."""
    found = (_label(one, None) for one in _of_pages(_codes()).finditer(text))
    yield from (page for page in found if page.number.isdecimal())


def is_of_pages_alone(text: str) -> bool:
    """Return whether a question asks for what stands on pages, in one of these languages, and for nothing else.

    >>> is_of_pages_alone("Was steht auf Seite 20?"), is_of_pages_alone("Wer zahlt laut Seite 20 die Miete?")
    (True, False)
    """
    return any(_is_of_pages_alone(text, code) for code in _codes())


def _is_of_pages_alone(text: str, code: str) -> bool:
    ends = [*pages_at_ends(text)]
    for start, stop, _ in ends:
        text = f"{text[:start]}{' ' * (stop - start)}{text[stop:]}"
    bare, count = _of_pages((code,)).subn(" ", text)
    if not (count or ends):
        return False
    spoken = language(code)
    left = _said_of_pages(code).sub(" ", bare)
    return all(word in spoken.function_words for word in _WORD.findall(left.casefold()))


@cache
def _said_of_pages(code: str) -> re.Pattern[str]:
    return re.compile(pattern_of(language(code).of_pages, language(code)), re.IGNORECASE)


def _label(found: re.Match[str], code: str | None) -> NumberedName:
    name = next(value for key, value in found.groupdict().items() if key.startswith("name") and value)
    number = next(value for key, value in found.groupdict().items() if key.startswith("number") and value)
    return NumberedName(_named(code)[_key(name)], _figures(number), found.start(), found.end())


def _figures(number: str) -> str:
    """Return a number in digits where it is written in Chinese characters, one to ninety-nine."""
    if number[0] not in _DIGITS:
        return number
    tens, has_ten, ones = number.rpartition("十")
    return str((_DIGITS.get(tens, 1) * 10 if has_ten else 0) + _DIGITS.get(ones, 0))


def _key(name: str) -> str:
    return re.sub(r"\d[\d.-]*|[一二三四五六七八九十]+", "#", name).replace(" ", "").casefold()


@cache
def _named(code: str | None) -> dict[str, str]:
    """Return what each name of a language names, of all languages for None."""
    codes = (code,) if code else _codes()
    return {
        name.replace(" ", "").casefold(): what
        for one in codes
        for what, names in language(one).labels
        for name in names
    }


@cache
def _codes() -> tuple[str, ...]:
    return tuple(code for code in LANGUAGES if code != ENGLISH and language(code).labels)


@cache
def _contents_names() -> frozenset[str]:
    return frozenset(name.casefold() for code in LANGUAGES if code != ENGLISH for name in language(code).contents)


@cache
def _notice_names() -> frozenset[str]:
    return frozenset(name.casefold() for code in LANGUAGES if code != ENGLISH for name in language(code).notices)


@cache
def _beginnings() -> frozenset[str]:
    """Return names, and the first characters of those that no spaces part from what is around them."""
    return frozenset(
        name.casefold() if language(code).is_spaced else name[0]
        for code in _codes()
        for _, names in language(code).labels
        for name in names
    )


@cache
def _of_all() -> re.Pattern[str]:
    return _pattern(_codes())


@cache
def _of_pages(codes: tuple[str, ...]) -> re.Pattern[str]:
    return _pattern(codes, "page")


@cache
def _pattern(codes: tuple[str, ...], only: str = "") -> re.Pattern[str]:
    named = {
        code: {name for what, names in language(code).labels if only in ("", what) for name in names} for code in codes
    }
    spaced = {name for code in codes if language(code).is_spaced for name in named[code]}
    others = {name for code in codes if not language(code).is_spaced for name in named[code]}
    around, before = {name for name in others if "#" in name}, {name for name in others if "#" not in name}
    parts = [
        rf"(?<!\w)(?P<name1>(?i:{_one_of(spaced)})){_SIGN}{_NUMBER.replace('number', 'number1')}",
        rf"(?P<name2>{_one_of(before)}){_OF_CHARACTERS.replace('number', 'number2')}",
    ]
    for at, name in enumerate(sorted(around), start=3):
        first, last = map(re.escape, name.split("#"))
        parts.append(rf"(?P<name{at}>{first}{_OF_CHARACTERS.replace('number', f'number{at}')}\s*{last})")
    return re.compile("|".join(parts))


def _one_of(names: set[str]) -> str:
    return "|".join(map(re.escape, sorted(names, key=lambda name: (-len(name), name)))) or "(?!)"

"""What Octavo says to people, in their language: a catalogue for each language, `CODE.json`, and its code in the row.

Code says everything in English, and the English text is the key: `t("{n} of {all} files", n=3, all=7)`. What was put
together in English before it comes here, such as an error or a warning that was kept with a document, is found by the
template it fits (`translated`). In English both return the text itself. What programs read (keys and codes of JSON,
logs, prompts) is never translated.

A catalogue holds `name`, what the language calls itself; `thousands`, what parts groups of digits; `plurals`, by form
the condition under which a count takes it, as Unicode's CLDR writes them for whole numbers, "other" for the rest; and
its texts by the English one: under `page` those of the web page, under `said` all others. A text with forms is an
object. A value whose name begins with "said" is translated itself.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import re
from collections.abc import Generator, Iterator, Mapping
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path

ENGLISH = "en"
_HERE = Path(__file__).parent
CATALOGUES: dict[str, Path] = {code: _HERE / f"{code}.json" for code in ["de", "fr", "es", "zh"]}
"""The catalogue of each language beside English by its code (ISO 639-1)."""
_ENVIRONMENT = ("OCTAVO_LANGUAGE", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Variables that say a person's language, the first that is set counts; `LANGUAGE` may list several."""
_NO_LANGUAGE = frozenset(("c", "posix"))
_PLACE = re.compile(r"\{(\w+)\}")
_LEAST_LETTERS = 5
"""Letters that a template has itself, at least: one of fewer fits what it is not of."""
_CONDITION = re.compile(r"n(?: % (\d+))? (!?=) ([\d., ]+)")
_READER: ContextVar[str] = ContextVar("octavo_reader", default=ENGLISH)


@dataclasses.dataclass(frozen=True)
class Catalogue:
    """The texts of a language by the English ones, and how it writes counts."""

    name: str
    thousands: str
    plurals: Mapping[str, str]
    page: Mapping[str, str | Mapping[str, str]]
    said: Mapping[str, str | Mapping[str, str]]

    def text(self, english: str) -> str | Mapping[str, str] | None:
        """Return a text or its forms, None where it has none."""
        return self.said.get(english) or self.page.get(english)

    def form(self, forms: Mapping[str, str], count: int) -> str:
        """Return the form of a text that a count takes."""
        fitting = (name for name, condition in self.plurals.items() if name in forms and holds(condition, count))
        return forms[next(fitting, "other")]


def holds(condition: str, count: int) -> bool:
    """Return whether a whole number fits a condition as CLDR writes them.

    >>> [holds("n % 10 = 2..4 and n % 100 != 12..14", count) for count in (2, 5, 12, 23)]
    [True, False, False, True]
    """
    return any(all(_fits(one, count) for one in either.split(" and ")) for either in condition.split(" or "))


def _fits(relation: str, count: int) -> bool:
    found = _CONDITION.fullmatch(relation.strip())
    if found is None:
        raise ValueError(f"'{relation}' is no condition of plurals: it looks like 'n % 10 = 2..4'")
    rest = count % int(found[1]) if found[1] else count
    ranges = (one.strip().partition("..") for one in found[3].split(","))
    return any(int(first) <= rest <= int(last or first) for first, _, last in ranges) == (found[2] == "=")


@cache
def _read(path: Path) -> Catalogue:
    return Catalogue(**json.loads(path.read_text(encoding="utf-8")))


def catalogue(code: str) -> Catalogue | None:
    """Return the catalogue of a language, None for English and where there is none."""
    path = CATALOGUES.get(code)
    return _read(path) if path else None


def names() -> dict[str, str]:
    """Return what each language that Octavo speaks calls itself, by its code."""
    return {ENGLISH: "English", **{code: _read(path).name for code, path in CATALOGUES.items()}}


# Which language


def language() -> str:
    """Return the language in which people are spoken to here."""
    return _READER.get()


@contextlib.contextmanager
def speaking(code: str) -> Generator[None]:
    """Speak a language in the block, English where it has no catalogue."""
    token = _READER.set(code if code in CATALOGUES else ENGLISH)
    try:
        yield
    finally:
        _READER.reset(token)


def speak(code: str) -> None:
    """Speak a language from here on, as `speaking` does."""
    _READER.set(code if code in CATALOGUES else ENGLISH)


def of_environment(environment: Mapping[str, str]) -> str:
    """Return the language that environment variables ask for, English where they ask for none that is spoken.

    >>> of_environment({"LANG": "de_AT.UTF-8"}), of_environment({"LANG": "de_DE", "LC_ALL": "C"})
    ('de', 'en')
    """
    told = next((environment[name] for name in _ENVIRONMENT if environment.get(name)), "")
    return _first_spoken(told.split(":"))


def of_header(header: str) -> str:
    """Return the language that an `Accept-Language` header prefers of those that are spoken, else English.

    >>> of_header("it, fr-CH;q=0.9, en;q=0.8"), of_header("*"), of_header("")
    ('fr', 'en', 'en')
    """
    wanted: list[tuple[float, str]] = []
    for one in header.split(","):
        name, _, weight = one.partition(";")
        with contextlib.suppress(ValueError):
            wanted.append((-float(weight.strip().removeprefix("q=") or 1), name.strip()))
    return _first_spoken([name for weight, name in sorted(wanted, key=lambda one: one[0]) if weight])


def _first_spoken(wanted: list[str]) -> str:
    codes = (re.split(r"[-_.@]", one, maxsplit=1)[0].lower() for one in wanted)
    spoken = (ENGLISH if code in _NO_LANGUAGE else code for code in codes)
    return next((code for code in spoken if code in CATALOGUES or code == ENGLISH), ENGLISH)


# What is said


def t(english: str, /, **values: object) -> str:
    """Return a text in the language of whoever reads it, values put in the places of their names.

    Whole numbers have their digits in groups. A text with forms goes by its first whole number.
    """
    code = language()
    known = catalogue(code) if code in CATALOGUES else None
    found = known.text(english) if known else None
    if known is None or found is None:
        return _filled(english, values, ",") if values else english
    if not isinstance(found, str):
        count = next((one for one in values.values() if isinstance(one, int)), 0)
        found = known.form(found, count)
    return _filled(found, values, known.thousands)


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, which is given in English: "1 page", "2 pages", "1,200 entries"."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    if count == 1 and language() == ENGLISH:
        return f"1 {noun}"
    return t(f"{{n}} {plural}", n=count)


def _filled(text: str, values: Mapping[str, object], thousands: str) -> str:
    def told(found: re.Match[str]) -> str:
        value = values.get(found[1], found[0])
        return f"{value:,}".replace(",", thousands) if type(value) is int else str(value)

    return _PLACE.sub(told, text)


def every(english: str) -> Iterator[str]:
    """Yield a text without forms in every language that is spoken."""
    yield english
    for path in CATALOGUES.values():
        found = _read(path).text(english)
        if isinstance(found, str):
            yield found


def translated(message: str) -> str:
    """Return what was said in English in the language of whoever reads it; as it is where no template fits it.

    A template is a text with places for values: "{name} is empty" fits "report.pdf is empty". Of several the one that
    says most of the message itself counts.
    """
    code = language()
    return message if code not in CATALOGUES or not message else _translated(CATALOGUES[code], message)


@lru_cache(maxsize=4096)
def _translated(path: Path, message: str) -> str:
    known = _read(path)
    found = known.text(message)
    if isinstance(found, str):
        return found
    for english, pattern in _templates(path):
        fitting = pattern.fullmatch(message)
        if fitting:
            values = {name: _value(path, name, text) for name, text in fitting.groupdict().items()}
            return _in_form(known, english, values)
    return message


def _value(path: Path, name: str, text: str) -> str:
    return _translated(path, text) if name.startswith("said") else text


def _in_form(known: Catalogue, english: str, values: Mapping[str, str]) -> str:
    text = known.text(english) or english
    if not isinstance(text, str):
        digits = next((one.replace(",", "") for one in values.values() if one.replace(",", "").isdecimal()), "0")
        text = known.form(text, int(digits))
    told = {name: text.replace(",", known.thousands) if _is_count(name) else text for name, text in values.items()}
    return _filled(text, told, known.thousands)


def _is_count(name: str) -> bool:
    return name == "n" or name.startswith("n_")


@cache
def _templates(path: Path) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the texts with places of a catalogue as patterns, those that say most themselves first."""
    known = _read(path)
    texts = [english for english in known.said if _PLACE.search(english) and _says_enough(english)]
    texts.sort(key=lambda text: -len(_PLACE.sub("", text)))
    return tuple((text, _pattern(text)) for text in texts)


def _says_enough(template: str) -> bool:
    return sum(map(str.isalpha, _PLACE.sub("", template))) >= _LEAST_LETTERS


def _pattern(template: str) -> re.Pattern[str]:
    """Return what fits a template; a count, `n` or `n_...`, takes digits alone."""
    made, at, seen = "", 0, set[str]()
    for place in _PLACE.finditer(template):
        made += re.escape(template[at : place.start()])
        name = place[1]
        value = r"[\d,]+" if _is_count(name) else ".+?"
        made += f"(?P={name})" if name in seen else f"(?P<{name}>{value})"
        seen.add(name)
        at = place.end()
    return re.compile(made + re.escape(template[at:]), re.DOTALL)

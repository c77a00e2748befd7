"""The languages that are read: what is known of each stands in a file, `CODE.toml`, and its code in `LANGUAGES`.

A file says how words are cut to stems and which of them carry no content. One that also says how numbers, months and
questions are written (`asks`) has short answers; of any other language documents are found, and nothing is expected of
a question. Adding a language is a file and its code in the row.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
import unicodedata
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

ENGLISH = "en"
"""The language of whatever no other is told of."""
_HERE = Path(__file__).parent
_TABLES = "en de fr es it pt nl pl ru zh ja ar"
_FOUND_ONLY = "ca cs da el fa fi he hi hu id km ko lo no ro sv th tr uk vi"
"""Languages whose files say how questions and numbers are written, and those whose documents are found only."""
LANGUAGES: dict[str, Path] = {code: _HERE / f"{code}.toml" for code in f"{_TABLES} {_FOUND_ONLY}".split()}
"""The file of each language by its code (ISO 639-1)."""
_PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ـ": None})
"""Letters that Unicode does not take apart, as they are typed without them."""


@dataclasses.dataclass(frozen=True)
class Language:
    """What is known of a language; of what its file does not say, lists are empty, and numbers are as in English."""

    code: str
    name: str
    script: str
    """What it is written in: "latin", "han", ..."""
    stemmer: str = ""
    """The Snowball algorithm that cuts its words to stems; "" where there is none."""
    function_words: frozenset[str] = frozenset()
    """Words without content in small letters, as they are spelt: without its accents one may be another word."""
    telling_words: frozenset[str] = frozenset()
    """The same and other common words, by which the language is told."""
    particles: str = ""
    """Characters that stand for function words in a script without spaces."""
    joining: frozenset[str] = frozenset()
    """Words with which a question goes on from the one before: "and"."""
    pointing: frozenset[str] = frozenset()
    """Words that stand for what was said before: "it", "that"."""
    capitals: str = "names"
    """What a capital inside a sentence marks: "names", or any of the "nouns"."""
    decimal: str = "."
    """Characters that may stand before a fraction."""
    thousands: str = ","
    """Characters that may stand between groups of three digits."""
    months: tuple[tuple[str, ...], ...] = ()
    """The forms of each month's name."""
    seasons: tuple[str, ...] = ()
    """What parts of a year are called beside its number: summer, end."""
    centuries: tuple[str, ...] = ()
    """What a century is called, after its number."""
    numbers: tuple[tuple[str, ...], ...] = ()
    """The words for 0, 1, 2, ..."""
    percent: tuple[str, ...] = ()
    currencies: tuple[str, ...] = ()
    scales: tuple[str, ...] = ()
    """Words that say how many times a number is meant, such as thousand."""
    units: tuple[str, ...] = ()
    """What is counted and measured in, as it is written after numbers."""
    bounds: tuple[str, ...] = ()
    """What stands before a value that is only a bound: more than, up to."""
    contents: tuple[str, ...] = ()
    """What tables of contents, of figures and of tables are headed."""
    notices: tuple[str, ...] = ()
    """What a remark or a warning that is set off from the text is headed."""
    quarters: tuple[str, ...] = ()
    """What a quarter of a year is called."""
    fiscal_years: tuple[str, ...] = ()
    """What a year of accounts is called, before its number."""
    ordinals: tuple[tuple[str, ...], ...] = ()
    """The forms of "first" to "fourth"; as in what follows, "*" stands for the end of a word."""
    versions: tuple[str, ...] = ()
    """Words before the number of a version."""
    editions: tuple[str, ...] = ()
    """Words before or behind the number of an edition."""
    newest: tuple[str, ...] = ()
    """Words that say which document of a sort is wanted: the one that is valid now."""
    in_force: tuple[str, ...] = ()
    """What asks for the newest document of any sort by itself: "in force", "today"."""
    previous: tuple[str, ...] = ()
    """Words that say that the one before it is wanted."""
    oldest: tuple[str, ...] = ()
    """Words that say that the first one is wanted, or an old one."""
    legal_forms: tuple[str, ...] = ()
    """What stands behind the name of a company and says what sort of one it is; in some languages before it."""
    bodies: tuple[str, ...] = ()
    """What offices, schools and the like are called, before their own name; where no spaces part words, behind it."""
    speakers: tuple[str, ...] = ()
    """What documents call who issues them, once it was named: "the Company"."""
    formerly: tuple[str, ...] = ()
    """What stands before a name that somebody had in former times."""
    issued_by: tuple[str, ...] = ()
    """What stands on a line before the name of who issued a document."""
    billed_by: tuple[str, ...] = ()
    """What stands on a line of a bill before the name of whose it is."""
    addressed_to: tuple[str, ...] = ()
    """What stands on a line before the name of to whom a document goes."""
    between: tuple[str, ...] = ()
    """What names the parties of a contract, "*" standing for the first: "between * and"."""
    parties: tuple[str, ...] = ()
    """What parties are called in contracts: "Supplier"."""
    signed_for: tuple[str, ...] = ()
    """What stands on a line before the name of a party that signs."""
    asks: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """By the type of answer, phrases that ask for it; "^" opens a question."""
    of_pages: tuple[str, ...] = ()
    """What a question says beside a page, and words without content, where it wants that page and nothing else."""
    labels: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """By what is named (`text.things.What`), its names before a number; "#" stands for the number."""
    looks: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """By a look (`text.looks_words`), words for it; "*" stands for the end of a word."""
    years: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """By the way in which years are told from others (`text.relative_periods`), phrases; "#" stands for a count, "@"
    for a year."""
    kinds: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """By a kind of document (`text.document_kinds.KINDS`), what it is called."""

    @property
    def is_spaced(self) -> bool:
        """Whether spaces stand between its words."""
        return self.script not in ("han", "kana", "thai", "lao", "khmer")


_LISTS = (
    *("percent", "currencies", "scales", "units", "bounds", "contents", "notices"),
    *("seasons", "centuries", "quarters", "fiscal_years", "versions", "editions"),
    *("newest", "in_force", "previous", "oldest"),
    *("legal_forms", "bodies", "speakers", "formerly", "issued_by", "billed_by", "addressed_to"),
    *("between", "parties", "signed_for", "of_pages"),
)


@cache
def _read(path: Path, code: str) -> Language:
    found: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    for name in ("months", "numbers", "ordinals"):
        found[name] = tuple(tuple(forms.split()) for forms in found.get(name, ()))
    for name in _LISTS:
        found[name] = tuple(found.get(name, ()))
    for name in ("asks", "labels", "looks", "years", "kinds"):
        found[name] = tuple((key, tuple(phrases)) for key, phrases in found.get(name, {}).items())
    for name in ("joining", "pointing"):
        found[name] = frozenset(found.get(name, "").split())
    words = found.get("function_words", "").casefold().split()
    found["telling_words"] = frozenset((*words, *found.pop("common_words", "").split()))
    found["function_words"] = frozenset(words)
    return Language(code=code, **found)


def language(code: str) -> Language:
    """Return what is known of a language, English where the code has no file."""
    path = LANGUAGES.get(code)
    return _read(path, code) if path else _read(LANGUAGES[ENGLISH], ENGLISH)


def pattern_of(phrases: Iterable[str], spoken: Language) -> str:
    """Return a regular expression, to be used without regard to case, of any of some phrases, longer ones first.

    "*" stands for the end of a word, where spaces part words; one that never fits where there are no phrases.
    """
    found = sorted(set(phrases), key=lambda phrase: (-len(phrase), phrase))
    parts = [re.escape(phrase).replace(r"\*", r"[^\W\d_]*").replace(r"\ ", r"\s+") for phrase in found]
    words = f"(?:{'|'.join(parts)})" if parts else "(?!)"
    if not spoken.is_spaced:
        return words
    joined = "[وفبكل]{0,2}" if spoken.script == "arabic" else ""  # "and", "in", "to" are written with the word
    return rf"(?<![^\W_]){joined}{words}(?![^\W_])"


def plain(text: str) -> str:
    """Return a text in lower case without accents; marks that make other letters, such as those of voicing, stay."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    kept = "".join(one for one in decomposed if not unicodedata.combining(one) or makes_letter(one))
    return unicodedata.normalize("NFC", kept).translate(_PLAIN)


def makes_letter(mark: str) -> bool:
    """Return whether a combining mark makes another letter: vowels and killers of vowels, the voicing of kana."""
    return "\u0900" <= mark < "\u1ab0" or "\u1e00" <= mark <= "\u1fff" or mark in "\u3099\u309a"

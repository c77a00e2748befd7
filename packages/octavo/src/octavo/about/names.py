"""Words of names: how texts are cut into them, and the short forms that a name gives by its initials."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import fold, is_function_word
from octavo_documents.text.languages import LANGUAGES, language
from octavo_documents.text.names import LEGAL_FORMS

_WORD = lazy_regex(r"[^\W_]+(?:(?:[&'’]|-(?=\d)|\.(?=[^\W\d_]\b))[^\W_]+)*")
_CJK = lazy_regex(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+")
_CAMEL = lazy_regex(r"(?<=[a-z])(?=[A-Z])")
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe"})
"""Letters that do not come apart into a plain one and a mark, as they are written where keyboards have none."""
_POSSESSIVE = lazy_regex(r"['’]s?$")
_MARKS = lazy_regex(r"[&'’.]")
_LONGEST_ABBREVIATION = 5
"""Letters of "Inc." or "GmbH": a longer form, such as "Company", may give an initial."""
BETWEEN = "; "
"""What parts the names of several issuers, such as the parties of a contract."""
_LONGEST_NAME = 5
"""Words of a name that is called by its initials."""
_NO_NAMES = frozenset(
    """january february march april may june july august september october november december jan feb mar apr jun jul aug
    sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday fy 20f
    im ive dont doesnt didnt isnt arent wasnt werent cant couldnt wouldnt shouldnt wont hasnt havent hadnt whats thats
    vs versus theres lets youre theyre weve hows wheres whos
    """.split()  # noqa: SIM905
)
_NO_NAME = lazy_regex(r"\d+(?:st|nd|rd|th|k|q)?|fy\d+|[qh]\d|\d[qh]\d*|\d*q\d")
"""Numbers and periods: "2022", "10k", "fy21", "2q23"."""
_SMALL = frozenset({"of", "the", "for", "and", "de", "la", "und", "et", "in", "on"})


def name_word(word: str) -> str:
    """Return a word of a name as names are compared by: without case, accents, dots and a possessive ending."""
    bare = _MARKS.sub("", _POSSESSIVE.sub("", word))
    return bare.lower() if bare.isascii() else fold(bare).translate(_PLAIN)


_NUMBERED = lazy_regex(
    r"(?<![\w-])(?P<word>[^\W\d_]{2,20})[ .#_-]{1,2}(?:(?:[Nn]o|[Nn]r)\.?[ _]?)?"
    r"(?P<number>(?!(?:19|20)\d\d(?!\d))\d{1,6})(?![^\W_]|[%]|[.,]\d)"
)


class PlacedWord(NamedTuple):
    """A word of a text: as words are compared, as it is written, and where it begins."""

    key: str
    written: str
    start: int


def placed_words(text: str) -> Iterator[PlacedWord]:
    """Yield the words of a text; of scripts without spaces each two letters that stand together."""
    for match in _WORD.finditer(text):
        written = match.group()
        if _CJK.search(written):
            for run in _CJK.finditer(written):
                letters, start = run.group(), match.start() + run.start()
                for at in range(max(1, len(letters) - 1)):
                    yield PlacedWord(letters[at : at + 2], letters[at : at + 2], start + at)
        elif key := name_word(written):
            yield PlacedWord(key, written, match.start())


def numbered_words(text: str) -> Iterator[PlacedWord]:
    """Yield the words of a text with the number behind each as one, as things are called: "rfc7159" of "RFC 7159".

    A year is no such number.
    """
    for found in _NUMBERED.finditer(text):
        yield PlacedWord(name_word(found["word"]) + found["number"], found[0], found.start())


def words_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a text as they are compared and as they are written."""
    return ((word.key, word.written) for word in placed_words(text))


def words_of_file(name: str) -> Iterator[str]:
    """Yield the words of a file's name without its ending: "BestBuy_2022.pdf" gives bestbuy, best, buy and 2022."""
    stem = name.rpartition(".")[0] or name
    for part in re.split(r"[\W_]+", stem):
        words = [part, *_CAMEL.split(part)] if _CAMEL.search(part) else [part]
        yield from (name_word(word) for word in words if word)


def initials(name: str) -> set[str]:
    """Return the short forms of a name of several words by its initials: "Johnson & Johnson" gives jj and jnj."""
    words, form = [word for word in re.split(r"[\s\-]+", name) if word], ""
    while words and is_legal_form(name_word(words[-1])):
        form = words.pop()
    found = set[str]()
    letters = "".join(word[0] for word in words if word[0].isalpha() and name_word(word) not in _SMALL)
    whole = "".join("n" if word in ("&", "and") else word[0] for word in words if word[0].isalpha() or word == "&")
    for short in (letters, whole):
        short = fold(short)
        if len(short) >= 2 and len(words) >= 2:
            found.add(short)
            if len(form) > _LONGEST_ABBREVIATION:
                found.add(short + fold(form[0]))
    return found


def initials_of_issuer(issuer: str) -> set[str]:
    """Return the initials of who issued a document; none of a name that is too long to be called by them."""
    return {one for name in issuer.split(BETWEEN) if 1 < len(name.split()) <= _LONGEST_NAME for one in initials(name)}


def may_be_name(word: str) -> bool:
    """Whether a word, as names are compared, may tell documents apart: no number, no month, no function word."""
    return len(word) > 1 and not _NO_NAME.fullmatch(word) and word not in _NO_NAMES and not is_function_word(word)


def is_legal_form(word: str) -> bool:
    """Whether a word only says what sort of company it is: "Inc", "plc"."""
    return word in _legal_forms()


def has_legal_form(name: str) -> bool:
    """Whether a name of several words ends with what says what sort of company it is."""
    words = [word for word, _ in words_of(name)]
    return len(words) > 1 and is_legal_form(words[-1])


def is_only_sort(name: str) -> bool:
    """Whether a name says no more than what sort of organisation it is, in any language: "the Trust", "Ministerium"."""
    return all(is_legal_form(word) or word in _sorts() or is_function_word(word) for word, _ in words_of(name))


@cache
def _sorts() -> frozenset[str]:
    """Return the words that only say what sort of organisation is meant, in all languages."""
    spoken = [language(code) for code in LANGUAGES]
    return frozenset(word for one in spoken for text in (*one.bodies, *one.speakers) for word, _ in words_of(text))


@cache
def _legal_forms() -> frozenset[str]:
    """Return the words of what stands with names of companies, in all languages."""
    forms = " ".join(form for code in LANGUAGES for form in language(code).legal_forms)
    return frozenset({*LEGAL_FORMS, "se", "the", *(word for word, _ in words_of(forms) if len(word) > 1)})


def tells(word: str) -> bool:
    """Whether a word of a name may tell documents apart: it may be a name, and says more than what sort of company."""
    return may_be_name(word) and not is_legal_form(word)

"""What in a question is written as a name, and how surely it is one."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence

from octavo.about.names import PlacedWord, may_be_name, numbered_words, placed_words
from octavo_documents.text.analyzer import analyze, is_function_word
from octavo_documents.text.document_kinds import kind_spans
from octavo_documents.text.language_identification import language_of
from octavo_documents.text.languages import ENGLISH, language

DocumentsWith = Callable[[Sequence[str]], Sequence[int]]
"""Tells, for each of some terms, no two alike, in the text of how many documents it stands."""
IsName = Callable[[str], bool]
"""Tells whether a word surely is the name of a document or of who issued one."""
Rarity = Callable[[float], float]
"""Tells how much a word tells documents apart that so many have: 1 for a single one, 0 for all."""

_CAPITAL, _FIRST = 1.0, 0.7
"""What a word with a capital counts as a name; and as the first of a sentence, where every word has one, if it is a
known name or stands in no text."""
_SMALL, _ALL_SMALL = 0.15, 0.6
"""What a word without one counts, where others have capitals, and where none has."""
_PROPER = re.compile(r"(?:[^\W\d_a-z][^\W\d_A-Z]{2,}|[^\W\d_a-z]{3,})(?:['’]s?)?")
"""A word that is written as a name is and has no digits."""
_SHORTEST_CODE = 4
_RARE = 0.4
"""How much a name tells documents apart, at least, for it to be missed where no document is about it."""
_BEGINNING = re.compile(r"^\W*$|[.?!]\s+\W*$")
"""What comes before the first word of a sentence."""
_BREAK = re.compile(r"[,;:()?!]|\s(?:and|or|vs\.?|versus|with|than|against)\s")


_ASIDE = re.compile(
    r"(?:[(,;]\s*(?:and\s+|but\s+)?not|\b(?:other|rather)\s+than|\binstead\s+of|\bexcept(?:\s+for)?|\bapart\s+from)\s+"
    r"(?:(?:the|that|those|of|for|in|from)\s+){0,3}$",
    re.IGNORECASE,
)
"""What stands before a name that is not meant."""


@dataclasses.dataclass(frozen=True)
class NameWord:
    """A word of a question that may be a name, and how surely it is meant as one (0..1)."""

    key: str
    written: str
    sure: float
    is_known: bool
    """Whether it stands in the text of any document."""
    is_proper: bool
    """Whether it is surely meant as a name, and tells documents apart."""
    start: int = 0
    """Where it begins in the question."""
    count: int = 0
    """In the text of how many documents it stands."""

    @property
    def is_code(self) -> bool:
        """Whether it is a number of a contract, a part or the like: letters and digits, such as "PD-51164"."""
        has_both = any(map(str.isdigit, self.key)) and any(map(str.isalpha, self.key))
        return has_both and len(self.key) >= _SHORTEST_CODE


def names_in(question: str, documents_with: DocumentsWith, rarity: Rarity, is_name: IsName) -> list[list[NameWord]]:
    """Return the words of a question that may be names, those that stand together as one name in one list."""
    code = language_of(question)
    found = [word for word in placed_words(question) if may_be_name(word.key)]
    wanted = [word for word in found if code == ENGLISH or not _is_no_name(word.written, code)]
    begins = [bool(_BEGINNING.search(question[: word.start])) for word in wanted]
    rest = "".join(word.written for word, is_first in zip(wanted, begins, strict=True) if not is_first)
    marks_names = language(code).capitals == "names"
    has_capitals = marks_names and any(map(str.isupper, rest))
    kinds = kind_spans(question, code)
    counts = _documents_with_all([analyze(word.written, code) for word in wanted], documents_with)
    names: list[list[NameWord]] = []
    stop = 0
    aside = 0
    for word, is_first, count in zip(wanted, begins, counts, strict=True):
        is_aside = stop == aside > 0 and not _is_apart(question[stop : word.start])
        if is_marked(word.written) and (is_aside or _ASIDE.search(question[: word.start])):
            stop = aside = word.start + len(word.written)
            continue  # "Harbor (not Harbor Point)": it is another's name
        if not is_marked(word.written) and any(start <= word.start < end for start, end in kinds):
            continue  # "the 2026 budget": it is compared as the kind that it is
        told = _told(word, count, rarity(count), is_name, is_first=is_first, has_capitals=has_capitals)
        if not marks_names and not is_name(word.key):  # in German every noun has a capital
            told = dataclasses.replace(told, sure=min(told.sure, _SMALL), is_proper=False)
        if names and not _is_apart(question[stop : word.start]):
            names[-1].append(told)
        else:
            names.append([told])
        stop = word.start + len(word.written)
    return names


def numbered_names(question: str) -> list[NameWord]:
    """Return the words of a question with the number behind each as one word, as files are called: "rfc 7159".

    Whether any document is called so it does not say.
    """
    return [
        NameWord(one.key, one.written, _CAPITAL, is_known=True, is_proper=False, start=one.start)
        for one in numbered_words(question)
    ]


def _documents_with_all(words: Sequence[Sequence[str]], documents_with: DocumentsWith) -> list[int]:
    """Return for each word, given as its terms, how many documents have it, at most."""
    terms = list(dict.fromkeys(term for word in words for term in word))
    counts = dict(zip(terms, documents_with(terms), strict=True)) if terms else {}
    return [min((counts[term] for term in word), default=0) for word in words]


def _told(
    word: PlacedWord, count: int, rarity: float, is_name: IsName, *, is_first: bool, has_capitals: bool
) -> NameWord:
    sure = _surety(word.written, is_first=is_first, has_capitals=has_capitals)
    if is_first and sure == _FIRST and count and not is_name(word.key):
        sure = _SMALL
    # A word that many texts have is meant as a common one: surely where it is written small, and with a capital
    # ("Cash & Cash Equivalents") where it names nobody who issued a document.
    is_known = is_name(word.key)
    sure *= rarity ** ((0.5 if is_known else 1) if sure >= _FIRST else 2 if is_known else 4)
    is_proper = not is_first and bool(_PROPER.fullmatch(word.written)) and rarity >= _RARE
    return NameWord(word.key, word.written, sure, count > 0, is_proper, word.start, count)


def _is_apart(between: str) -> bool:
    """Whether what stands between two words makes two names of them."""
    return bool(_BREAK.search(between)) or len(between.split()) > 1


def _is_no_name(written: str, code: str) -> bool:
    """Whether a word of another language is one of its function words or a month."""
    return is_function_word(written, code) or any(written.casefold() in names for names in language(code).months)


def is_marked(written: str) -> bool:
    """Whether a word is written as a name is: with a capital or a digit in it."""
    return any(character.isupper() or character.isdigit() for character in written)


def _surety(written: str, *, is_first: bool, has_capitals: bool) -> float:
    """Return how surely a word of a question is a name, by how it is written, and if it is the first of a sentence."""
    if is_marked(written):
        return _FIRST if is_first and not is_marked(written[1:]) else _CAPITAL
    return _SMALL if has_capitals else _ALL_SMALL

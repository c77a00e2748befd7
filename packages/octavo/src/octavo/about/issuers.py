"""Who issued a document, by rule: which of the names in it speaks, and what else it is and was called."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from octavo.about.company_names import (
    EXCHANGE,
    NO_SHORT_FORMS,
    SPEAKER,
    companies_in,
    defined_in,
    former_names,
    own_words,
)
from octavo.about.document_texts import DEFINED_CHARACTERS, DocumentTexts
from octavo.about.issuer_lines import addressees, is_exchange, issuers_told
from octavo.about.names import is_legal_form, is_only_sort, name_word, tells, words_of
from octavo.about.parties import is_role, without_signing
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import is_function_word
from octavo_documents.text.document_kinds import document_kinds
from octavo_documents.text.lines import on_one_line

_MOST_FORMS, _MOST_FORMER = 8, 3
_MOST_COUNTED, _OWN_LINE, _SPEAKS = 5, 3.0, 3.0
"""What speaks for a company as the issuer: each place it stands in, a line of its own, the file's name or recurring."""
_DEFINITION = lazy_regex(
    r"(?P<long>[A-Z][\w&.,'’\- ]{2,80}?)\s*\((?:[^()\"“”]{0,60}?)[\"“](?P<short>[A-Z][\w&.'’\- ]{1,40})[\"”]"
)
"""A name that goes on by a shorter one: 'Northwind Traders Inc. ("Northwind")', '(the "Trust")'."""
_TICKER = lazy_regex(rf"{EXCHANGE}\s*([A-Z][A-Z.]{{0,5}})\b")
_POINT = lazy_regex(r"(?P<word>[^\W\d_]+)\.\s+(?P<after>[^\W\d_]+)")
_SHORTEST_WORD = 5
"""Letters of a word that is no abbreviation, as "Dept." is."""
_OFTEN, _LAST = 3.0, 1_500
"""What speaks for a company that stands only inside a document, at least, and the characters that are its end."""
_CELL, _OF_DATA = " | ", 4
"""What stands between the cells of a row, and how often in one of data, at least: a form has a name and a value."""
_LONGEST_AUTHOR = 80
_ADDRESS = lazy_regex(r"(?<=\S)\s*<[^<>]*>$")
"""What stands behind the name of who sends a mail."""
NO_AUTHOR = lazy_regex(
    r"\b(?:microsoft|office|user|admin\w*|scanner|owner|author|unknown|anonymous|root|pdf|word|python-(?:docx|pptx)|"
    r"openpyxl|xlsxwriter|apache poi|docx4j|aspose|phpword|phpspreadsheet|un-named|default)\b",
    re.IGNORECASE,
)
"""What programs write where an author belongs."""


def issuer_of(texts: DocumentTexts, *, is_bill: bool = False) -> str:
    """Return who stands in the beginning, the end or the running heads and speaks most for itself.

    That is a company by its legal form, or whoever a form, a label, a ticker or a line of copyright names. Where none
    does, the author that the file names. A word that only says what sort of organisation speaks, as "the Trust" does,
    names none.
    """
    weights: dict[str, float] = defaultdict(float)
    for text in (texts.beginning, texts.ending):
        counts = Counter(companies_in(text, texts.code))
        for name, count in counts.items():
            weights[without_signing(name)] += min(count, _MOST_COUNTED)
    for match in SPEAKER.finditer(texts.beginning):
        name = on_one_line(match["name"]).rstrip(",")
        words = own_words(name)
        if words and words[0] not in NO_SHORT_FORMS and not document_kinds(name):
            weights[name] += _OWN_LINE
    for defined in defined_in(texts.beginning, texts.code) if not texts.is_english else ():
        weights[defined.name] += _OWN_LINE * defined.is_speaker
    for line in (*texts.cover.split("\n"), *texts.heads):
        for name in companies_in(line, texts.code):
            weights[without_signing(name)] += _OWN_LINE * (len(name) > 0.6 * len(line))
    _weigh_told(weights, texts, is_bill=is_bill)
    named = {
        name: weight + _SPEAKS * _is_of_file(name, texts) for name, weight in weights.items() if not is_only_sort(name)
    }
    speaking = sorted(name for name, weight in named.items() if _speaks(name, weight, texts))
    best = max(speaking, key=lambda name: named[name], default="")
    author = _ADDRESS.sub("", texts.document.metadata.author)
    return _of_one_sentence(best) or (author if len(author) < _LONGEST_AUTHOR and not NO_AUTHOR.search(author) else "")


def _speaks(name: str, weight: float, texts: DocumentTexts) -> bool:
    """Whether a name stands where who issued a document does, or often; one that it speaks of once did not issue it.

    Nor did those that stand in rows of data alone: its customers, say.
    """
    places = (texts.cover, *texts.heads, texts.whole[-_LAST:])
    among = places if weight < _OFTEN else (*places, texts.beginning)
    lines = (line for text in among if name in text for line in text.split("\n"))
    return any(name in line and line.count(_CELL) < _OF_DATA for line in lines)


def short_forms_of(texts: DocumentTexts, subject: str) -> dict[str, str]:
    """Return what a document calls its subject for short, with what each form stands for."""
    about = {word for word, _ in words_of(subject)} | texts.file_words
    found: dict[str, str] = {}

    def take(long: str, short: str) -> None:
        is_subject = any(
            word in about and tells(word) and len(word) > (2 if word.isascii() else 1) for word, _ in words_of(long)
        )
        if (
            is_subject
            and name_word(short) not in NO_SHORT_FORMS
            and not is_role(short, texts.code)
            and len(short.split()) < 4
        ):
            found.setdefault(short, long)

    for match in _DEFINITION.finditer(texts.beginning):
        take(on_one_line(match["long"]).strip(" ,"), match["short"].strip(" ,"))
    for defined in defined_in(texts.beginning, texts.code):
        if not defined.is_speaker:
            take(defined.name, defined.short)
    for match in _TICKER.finditer(texts.beginning[: DEFINED_CHARACTERS // 4]):
        found.setdefault(match[1], subject)
    return dict([*found.items()][:_MOST_FORMS])


def former_names_of(texts: DocumentTexts, issuer: str) -> tuple[str, ...]:
    """Return the names that who issued a document had before, as it says in the beginning."""
    found = dict.fromkeys(former_names(texts.beginning[: DEFINED_CHARACTERS // 4], issuer, texts.code))
    return tuple(found)[:_MOST_FORMER]


def _of_one_sentence(name: str) -> str:
    """Return a name without the words of a next sentence: "Velinox BV" of "Velinox BV. This".

    A point ends a sentence behind a legal form or a longer word, where no further legal form follows.
    """
    for found in _POINT.finditer(name):
        after = name_word(found["after"])
        ends = is_legal_form(name_word(found["word"])) or len(found["word"]) >= _SHORTEST_WORD
        if ends and not is_legal_form(after) and not is_function_word(after):
            return name[: found.end("word")]
    return name


def _weigh_told(weights: dict[str, float], texts: DocumentTexts, *, is_bill: bool) -> None:
    """Add what is told of who issued a document, and leave out exchanges and those to whom it goes."""
    for name, weight in issuers_told(texts, is_bill=is_bill):
        written = _as_elsewhere(name, weights)
        if written not in weights:
            weights[written] += sum(min(text.count(written), _MOST_COUNTED) for text in (texts.beginning, texts.ending))
        weights[written] += weight
    to = addressees(texts)
    for name in [name for name in weights if is_exchange(name) or any(name in line for line in to)]:
        del weights[name]


def _as_elsewhere(name: str, names: Iterable[str]) -> str:
    """Return a name as it is written best elsewhere: "Pfizer Inc." for "PFIZER INC."."""
    words = own_words(name)
    alike = [other for other in names if own_words(other) == words]
    return next((other for other in sorted(alike) if not other.isupper()), name)


def _is_of_file(name: str, texts: DocumentTexts) -> float:
    """Return how much the first words of a name are in the name of the file, and recur, 0 to 2."""
    words = own_words(name)[:2]
    return texts.recurring.get(words[0], 0.0) + any(word in texts.file_words for word in words)

"""Text analysis for lexical search: text to index terms, how many of the wanted terms texts have, and sentences.

A term is in lower case, accents folded, a stem by the rules of its language, a number whole; function words are
dropped. Where no spaces stand between words, terms are pairs of characters. One analyser serves every lexical index, so
that the same words match everywhere; it is told the language, and takes a text for English where nobody tells.
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false

from __future__ import annotations

import math
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import Stemmer

from octavo_documents.lazy import lazy_regex
from octavo_documents.text.chinese_variants import simplified
from octavo_documents.text.languages import ENGLISH, Language, language, makes_letter, plain
from octavo_documents.text.raised import HAS_SUPERSCRIPT, MARK, is_power, plain_mark
from octavo_documents.text.segmentation import INDIC, has_unspaced, pairs_in

ANALYZER_VERSION = 4
"""Part of every fingerprint that depends on terms; raised when `analyze` changes."""
STEMMER = f"snowball {'.'.join(Stemmer.version().split('.')[:2])}"
"""Part of these fingerprints too: "international" has another stem in Snowball 3 than in 2."""
_TOKEN = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)"  # 1,577.5
    r"|\d+(?:\.\d+)+"  # 12.4, 2.18.0
    r"|[^\W\d_]+(?=\d+\.\d|(?:19|20)\d\d(?![^\W_]))"  # the v of v2.18.0, the FY of FY2015
    r"|[^\W_]+(?:['’](?:s|t|re|ve|ll|d|m)\b)?"
    r"|%"
)
_EXPONENT = lazy_regex(r"(?<![^\W_])([^\W\d_]{1,3})\^(\d)(?!\d)")
_MARK = lazy_regex(MARK)
_NEAR = 40
"""Characters before superscripts that tell what they are."""
_CACHE_LIMIT = 500_000
"""Tokens whose terms are kept in memory: some 100 MB; more than the vocabulary of a large corpus."""
_stemmers = threading.local()


class _Terms(dict[str, str]):
    """Terms of a language by token, empty for a function word; filled as tokens are met."""

    def __init__(self, spoken: Language) -> None:
        super().__init__()
        self._language = spoken

    def __missing__(self, token: str) -> str:
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        self[token] = term = (_english_term if self._language.code == ENGLISH else _term)(token, self._language)
        return term


@cache
def _terms_of(code: str) -> _Terms:
    return _Terms(language(code))


def analyze(text: str, code: str = ENGLISH) -> list[str]:
    """Return the terms of a text in order, repeats kept: "The 1,577.5 reported sales" gives 1577.5, report, sale.

    A per cent sign is the term "percent"; hyphens and slashes separate; possessive endings and marks of notes go. The
    square metre is "m2", however it is written. `code` is the language of the text.
    """
    terms = _terms_of(code)
    folded = _lower(text) if code != ENGLISH else text.lower() if text.isascii() else fold(text)
    if "^" in folded:
        folded = _EXPONENT.sub(r"\1\2", folded)
    tokens = (_TOKEN if code == ENGLISH else _tokens_of(code)).findall(folded)
    if not folded.isascii() and has_unspaced(folded):
        tokens = [piece for token in tokens for piece in pairs_in(simplified(token))]
    return [term for term in map(terms.__getitem__, tokens) if term]


@cache
def _tokens_of(code: str) -> re.Pattern[str]:
    """Return what a token of a language other than English is: its numbers as they are written there, and its words."""
    spoken = language(code)
    between, before = re.escape(spoken.thousands), re.escape(spoken.decimal)
    letter = rf"(?:[^\W_]|[{INDIC}])"
    return re.compile(
        rf"\d{{1,3}}(?:[{between}]\d{{3}})+(?:[{before}]\d+)?(?![\d{between}]\d)"
        rf"|\d+[{before}]\d+(?![\d{before}]\d)"
        r"|\d+(?:\.\d+)+"
        r"|[^\W\d_]+(?=\d+\.\d|(?:19|20)\d\d(?![^\W_]))"
        rf"|{letter}+"
        r"|[%٪]"
    )


def fold(text: str) -> str:
    """Return the text in lower case, ligatures and accented letters as their plain letters, without marks of notes."""
    if HAS_SUPERSCRIPT.search(text):
        text = _MARK.sub(_lowered, text)
    # Case goes last: the signs for trade mark or tesla come apart into capitals.
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    folded = "".join(one for one in decomposed if not unicodedata.combining(one) or makes_letter(one))
    return unicodedata.normalize("NFC", folded) if _COMES_APART.search(folded) else folded


_COMES_APART = lazy_regex("[\u0900-\u1fff\u3099\u309a]")
"""Letters of scripts that Unicode takes apart into letters: syllables of Korean, kana with a voicing mark."""
_POINTS = lazy_regex("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u200c\u200d\u00ad]")
"""Marks over and under letters that writers leave out, and what only shapes letters."""
_FOREIGN_DIGIT = lazy_regex(r"(?=[^\x00-\x7f])\d")


def _lower(text: str) -> str:
    """Return a text in lower case with the accents by which stemmers go, its digits those of English."""
    if HAS_SUPERSCRIPT.search(text):
        text = _MARK.sub(_lowered, text)
    lowered = _POINTS.sub("", unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold()))
    return _FOREIGN_DIGIT.sub(lambda found: str(unicodedata.decimal(found[0])), lowered)


def _lowered(found: re.Match[str]) -> str:
    """Return the exponent that superscripts are, white space for the mark of a note."""
    before = found.string[: found.start()][-_NEAR:]
    if not is_power(before, found[0]):
        return " "
    return f" {plain_mark(found[0])}" if before[-1:].isdigit() else plain_mark(found[0])


def is_function_word(word: str, code: str = ENGLISH) -> bool:
    """Say whether a word carries no content for search: articles, pronouns, auxiliaries, prepositions."""
    return word.lower() in language(code).function_words


def _english_term(token: str, spoken: Language) -> str:
    word = re.split("['’]", token, maxsplit=1)[0]
    if word == "%":
        return "percent"
    if word[0].isdigit():
        return word.replace(",", "")
    return "" if word in spoken.function_words else _stem(word, spoken)


def _term(token: str, spoken: Language) -> str:
    if token in _PERCENT:
        return "percent"
    if token[0].isdigit():
        return _number(token, spoken)
    if token in spoken.function_words or (len(token) == 1 and token in spoken.particles):
        return ""
    return plain(_stem(token, spoken))


def _number(token: str, spoken: Language) -> str:
    """Return a number as it is written in English, without marks between thousands: "1.234,56" as 1234.56."""
    groups = re.split(f"[{re.escape(spoken.thousands)}]", token)
    if len(groups) > 1 and len(groups[0]) < 4 and all(len(re.split(r"\D", one)[0]) == 3 for one in groups[1:]):
        token = "".join(groups)
    elif "." not in spoken.decimal and token.count(".") > 1:
        return token
    return re.sub(f"[{re.escape(spoken.decimal)}]", ".", token)


def _stem(word: str, spoken: Language) -> str:
    """Return the stem, by this thread's own stemmer: one must not be used by two threads at once."""
    if spoken.stemmer not in _KNOWN_STEMMERS:
        return word
    stemmers: dict[str, Stemmer.Stemmer] = _stemmers.__dict__
    if spoken.stemmer not in stemmers:
        stemmers[spoken.stemmer] = Stemmer.Stemmer(spoken.stemmer)
    return str(stemmers[spoken.stemmer].stemWord(word))


_PERCENT = ("%", "٪")
_KNOWN_STEMMERS: frozenset[str] = frozenset(map(str, Stemmer.algorithms()))
"""Older versions of the library have fewer."""


def coverages(wanted: Sequence[str], texts: Sequence[str], code: str = ENGLISH) -> list[float]:
    """Return for each text the share (0..1) of the wanted terms it has, weighted by how few of the texts have them.

    0 for every text when nothing is wanted.
    """
    terms = frozenset(wanted)
    found = [terms.intersection(analyze(text, code)) for text in texts]
    weights = _weights(terms, found)
    total = sum(weights.values())
    return [sum(sorted(weights[term] for term in one)) / total if total else 0.0 for one in found]


def _weights(terms: frozenset[str], found: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return the inverse document frequency of each term, 1 at least."""
    counts = Counter(term for one in found for term in one)
    return {term: 1.0 + math.log((1 + len(found)) / (1 + counts[term])) for term in sorted(terms)}


Span = tuple[int, int]
"""[start, stop) in characters."""

_SENTENCE_END = re.compile(
    r"(?<!\b[a-z])(?<!\b(?:vs|cf|al|no|eq|dr|mr|ms|st|nr))(?<!\b(?:fig|e\.g|i\.e|inc|ltd|etc|mrs|sec|tab|abs|vgl))"
    r"(?!(?<=\d)\.\s+(?:januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)\b)"
    r"(?<!\.\s)(?!\.\s\.)"
    r"(?:[.!?…؟۔।॥][\"'”’)\]]*\s++(?-i:(?![a-zа-яёіїєґ]))|[。！？｡][\"'”’)\]」』）】]*\s*+)",
    re.IGNORECASE,
)
"""The end of a sentence and the white space after it; not after an initial, a title (Dr.) or a common short form, nor
within ". . .".

A point after a number makes an ordinal of it in German, as in "am 1. Januar".
"""
_LINE_END = re.compile(r"\n+")


def sentence_spans(text: str) -> list[Span]:
    """Return the sentences of a text in order; together they cover it."""
    return _spans(text, _SENTENCE_END)


def line_spans(text: str) -> list[Span]:
    """Return the lines of a text in order; together they cover it."""
    return _spans(text, _LINE_END)


def _spans(text: str, end: re.Pattern[str]) -> list[Span]:
    cuts = [0, *(found.end() for found in end.finditer(text)), len(text)]
    return [(start, stop) for start, stop in pairwise(cuts) if start < stop]

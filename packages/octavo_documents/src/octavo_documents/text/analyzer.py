"""Text analysis for lexical search: text to index terms, how many of the wanted terms texts have, and sentences.

A term is in lower case, accents folded, an English stem, a number whole; function words are dropped. One analyser
serves every lexical index, so that the same words match everywhere.
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false

from __future__ import annotations

import math
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import Stemmer

from octavo_documents.text.raised import HAS_SUPERSCRIPT, MARK, is_power, plain_mark

ANALYZER_VERSION = 3
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
_EXPONENT = re.compile(r"(?<![^\W_])([^\W\d_]{1,3})\^(\d)(?!\d)")
_MARK = re.compile(MARK)
_NEAR = 40
"""Characters before superscripts that tell what they are."""
_FUNCTION_WORD_LINES = """
    a an the this that these those such same
    i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself
    it its itself they them their theirs themselves one ones
    am is are was were be been being do does did doing done have has had having
    can could may might must shall should will would cannot
    don doesn didn isn aren wasn weren haven hasn hadn won wouldn couldn shouldn mustn
    and or but nor so if then else than because while although though unless until whether as
    of in on at by to from for with within into onto upon about between among through during against per via
    what which who whom whose when where why how
    there here also too very just only both either neither each any some many much more most other
    not no
"""
_FUNCTION_WORDS = frozenset(_FUNCTION_WORD_LINES.split())
_CACHE_LIMIT = 500_000
"""Tokens whose terms are kept in memory: some 100 MB; more than the vocabulary of a large corpus."""
_stemmers = threading.local()


class _Terms(dict[str, str]):
    """Terms by token, empty for a function word; filled as tokens are met."""

    def __missing__(self, token: str) -> str:
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        self[token] = term = _term(token)
        return term


_terms = _Terms()


def analyze(text: str) -> list[str]:
    """Return the terms of a text in order, repeats kept: "The 1,577.5 reported sales" gives 1577.5, report, sale.

    A per cent sign is the term "percent"; hyphens and slashes separate; possessive endings and marks of notes go. The
    square metre is "m2", however it is written.
    """
    folded = text.lower() if text.isascii() else fold(text)
    if "^" in folded:
        folded = _EXPONENT.sub(r"\1\2", folded)
    tokens = _TOKEN.findall(folded)
    return [term for term in map(_terms.__getitem__, tokens) if term]


def fold(text: str) -> str:
    """Return the text in lower case, ligatures and accented letters as their plain letters, without marks of notes."""
    if HAS_SUPERSCRIPT.search(text):
        text = _MARK.sub(_lowered, text)
    # Case goes last: the signs for trade mark or tesla come apart into capitals.
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def _lowered(found: re.Match[str]) -> str:
    """Return the exponent that superscripts are, white space for the mark of a note."""
    before = found.string[: found.start()][-_NEAR:]
    if not is_power(before, found[0]):
        return " "
    return f" {plain_mark(found[0])}" if before[-1:].isdigit() else plain_mark(found[0])


def is_function_word(word: str) -> bool:
    """Say whether a word carries no content for search: articles, pronouns, auxiliaries, prepositions."""
    return word.lower() in _FUNCTION_WORDS


def _term(token: str) -> str:
    word = re.split("['’]", token, maxsplit=1)[0]
    if word == "%":
        return "percent"
    if word[0].isdigit():
        return word.replace(",", "")
    return "" if word in _FUNCTION_WORDS else _stem(word)


def _stem(word: str) -> str:
    """Return the stem, by this thread's own stemmer: one must not be used by two threads at once."""
    if not hasattr(_stemmers, "english"):
        _stemmers.english = Stemmer.Stemmer("english")
    return str(_stemmers.english.stemWord(word))


def coverages(wanted: Sequence[str], texts: Sequence[str]) -> list[float]:
    """Return for each text the share (0..1) of the wanted terms it has, weighted by how few of the texts have them.

    0 for every text when nothing is wanted.
    """
    terms = frozenset(wanted)
    found = [terms.intersection(analyze(text)) for text in texts]
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
    r"[.!?…][\"'”’)\]]*\s++(?-i:(?![a-z]))",
    re.IGNORECASE,
)
"""The end of a sentence and the white space after it; not after an initial, a title (Dr.) or a common short form.

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

"""Acronyms with what they are short for, as a document introduces them: "Retrieval-Augmented Generation (RAG)"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from octavo.text.analyzer import is_function_word
from octavo.text.names import is_short_for

_SHORT = r"[A-Z][A-Za-z]?[A-Z&][A-Za-z0-9&-]{0,8}|[A-Z]{2,8}(?:-\d+)?s?|(?:[A-Z]\.){2,6}"
_AFTER = re.compile(
    rf"[(\[][\"“'‘]?(?:the\s+|or\s+)?[\"“'‘]?(?P<short>{_SHORT})[\"”'’]?(?:[;,][^()\[\]]{{0,40}})?[)\]]"
)
"""What stands in brackets after the words it is short for."""
_BEFORE = re.compile(
    rf"(?<![\w-])(?P<short>{_SHORT})(?:\s+[(\[]|,?\s+(?:stands|is short) for\s+|\s+[–—=:]\s+)"
    r"(?P<long>[^()\[\].;:,]{5,90})"
)
_WORD = re.compile(r"[^\W_]+(?:[.'’&][^\W_]+)*|-|&")
_MOST_WORDS = 10


def acronyms(texts: Iterable[str]) -> list[tuple[str, str]]:
    """Return the pairs (short, long) that texts introduce, in order; of two readings of one acronym the more frequent.

    >>> acronyms(["We use retrieval-augmented generation (RAG)."])
    [('RAG', 'retrieval-augmented generation')]
    """
    counts = Counter(pair for text in texts for pair in _pairs(text))
    chosen: dict[str, str] = {}
    for short, long in counts:
        known = chosen.get(short)
        if known is None or counts[short, long] > counts[short, known]:
            chosen[short] = long
    return list(chosen.items())


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    if "(" not in text and "[" not in text and " for " not in text:
        return
    for found in _AFTER.finditer(text):
        long = _ending(text[max(0, found.start() - 120) : found.start()].rstrip(), found["short"])
        if long:
            yield found["short"], long
    for found in _BEFORE.finditer(text):
        long = _beginning(found["long"], found["short"])
        if long:
            yield found["short"], long


def _ending(before: str, short: str) -> str:
    """Return the shortest run of last words that the acronym is short for."""
    starts = [word.start() for word in _WORD.finditer(before) if word.group() != "-"][-_MOST_WORDS:]
    return next(filter(None, (_fitting(before[start:], short) for start in reversed(starts))), "")


def _beginning(after: str, short: str) -> str:
    """Return the shortest run of first words that the acronym is short for."""
    stops = [word.end() for word in _WORD.finditer(after) if word.group() != "-"][:_MOST_WORDS]
    return next(filter(None, (_fitting(after[:stop], short) for stop in stops)), "")


def _fitting(words: str, short: str) -> str:
    plain = " ".join(words.split()).strip("\"“”'‘’,")
    if not plain or is_function_word(plain.split()[0]) or any(mark in plain for mark in ".;:()"):
        return ""
    return plain if is_short_for(short, plain) else ""

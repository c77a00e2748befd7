"""What a question names: proper names, numbers and labelled things, without what it says of the answer's form.

Owns which words of a question name something that a document must know if it has the answer. Knows no document.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Iterator

from octavo.decisions.rules.references import Reference, references
from octavo.models.analyzer import analyze
from octavo.models.sentences import sentence_spans

_EXAMPLE = re.compile(r"\b(?:for example|for instance|e\.g\.?|example:)|\b(?:like|as|format)\W*(?=[\[(][\"'\d])", re.I)
"""Where words begin that only show what an answer may look like."""
_ABOUT_THE_ANSWER = re.compile(
    r"\s*(?:please\b|an[sw]{2}er\b|write\b|format\b|round\b|return\b|give\b|express\b|provide\b|note\b|use\b|output\b)",
    re.I,
)
_NAME = re.compile(r"(?<![\w.'’-])[A-Z][\w&'’]*")
_POSSESSIVE = re.compile(r"['’]s?$")
_OPENS = re.compile(r"(?:^|[.?!:;]|[\"“‘(]\s*)\s*$")
"""What a capital may follow that is only that of a first word."""
_NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?!\w)|(?<=[A-Za-z])(?:19|20)\d\d(?!\w)")
_LOWER_IN_TITLES = frozenset(
    ["a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"]
)
_SHORTEST_NAME = 3
"""Letters of a name's term; a shorter one is an abbreviation, mostly, which a document may spell out."""
_WORKED_OUT = frozenset(analyze("EBITDA EBITA EBIT CAPEX COGS ROCE ROIC CAGR WACC"))
"""Terms of figures that are worked out of others, and often not printed."""
_SHORTEST_NUMBER = 2
"""Digits; a single one is written in words as often."""


@dataclasses.dataclass(frozen=True)
class Named:
    """What a question names: the terms of its names, its numbers as terms, and what it points at by label."""

    names: tuple[str, ...]
    numbers: tuple[str, ...]
    references: tuple[Reference, ...]


def named_in(question: str) -> Named:
    """Return what a question names; none of the words that point at a place or tell the answer's form."""
    found = tuple(references(question))
    text = _asked(question)
    for one in found:
        text = text.replace(one.words, " ; ")
    return Named(tuple(dict.fromkeys(_names(text))), tuple(dict.fromkeys(_numbers(text))), found)


def as_written(question: str, terms: Collection[str]) -> list[str]:
    """Return the names of a question that have some of these terms, as it writes them; neighbouring words together."""
    names: list[str] = []
    end = -1
    for found in _NAME.finditer(question):
        if set(terms).isdisjoint(analyze(found.group())):
            continue
        word = _POSSESSIVE.sub("", found.group())
        if question[end : found.start()] == " ":
            names[-1] += f" {word}"
        else:
            names.append(word)
        end = found.end()
    return list(dict.fromkeys(names))


def _asked(question: str) -> str:
    """Return the question without examples of answers and sentences about the answer's form."""
    spans = [question[start:stop] for start, stop in sentence_spans(question)]
    kept = [part for at, part in enumerate(spans) if at == 0 or not _ABOUT_THE_ANSWER.match(part)]
    return " ".join(_EXAMPLE.split(part, maxsplit=1)[0] for part in kept)


def _names(text: str) -> Iterator[str]:
    """Yield the terms of words with a capital where a sentence needs none."""
    words = [word for word in text.split()[1:] if word[0].isalpha()]
    # In capitals, or as titles are written: then a capital names nothing.
    if not any(word[0].islower() and word not in _LOWER_IN_TITLES for word in words):
        return
    for found in _NAME.finditer(text):
        if not _OPENS.search(text[: found.start()]):
            yield from filter(_is_name, analyze(found.group()))


def _is_name(term: str) -> bool:
    return sum(map(str.isalpha, term)) >= _SHORTEST_NAME and term not in _WORKED_OUT


def _numbers(text: str) -> Iterator[str]:
    for found in _NUMBER.finditer(text):
        if sum(map(str.isdigit, found.group())) >= _SHORTEST_NUMBER:
            yield from analyze(found.group())

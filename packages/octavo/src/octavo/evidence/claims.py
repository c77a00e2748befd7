"""Which sentences of a model's answer have a quote behind them, and which have none.

A sentence has one where the quotes that the answer cites say at least half of what it says beyond the question, and all
of its numbers. That is told by words alone: whether it follows from them is for who reads both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from octavo_documents.text.analyzer import analyze, line_spans, sentence_spans
from octavo_documents.text.language_identification import language_of
from octavo_documents.text.values import number_words, numbers_in

if TYPE_CHECKING:
    from octavo.evidence.answer_shapes import ClaimShape

BORNE_OUT = 0.5
"""Least share of a sentence's new terms that quotes have, and of a whole answer's (`operators.read.reply_check`)."""
_SAYS_NO_MORE = frozenset(("yes", "no"))
_REFERENCE = re.compile(r"\[\d{1,3}(?:\s*,\s*\d{1,3})*\]")
"""Numbers of passages that a model writes into its sentences."""
_UNIT_END = re.compile(r"\d ?[a-z]\.\s+(?=[A-Z])")
"""The end of a sentence after a unit of one letter, which elsewhere is an initial."""


def claims_of(answer: str, question: str, quotes: Sequence[str]) -> list[ClaimShape]:
    """Return the sentences of an answer that say something, each with the numbers from 1 of the quotes behind it."""
    asked, known = _Said.of(question, answer), [_Said.of(quote, answer) for quote in quotes]
    return [
        {"start": start, "stop": stop, "citations": _behind(said, asked, known)}
        for start, stop in _sentences(answer)
        if (said := _Said.of(_REFERENCE.sub(" ", answer[start:stop]), answer))
    ]


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the sentences of a text, line by line, without the white space around them."""
    for first, last in line_spans(text):
        cuts = {first + start for start, _ in sentence_spans(text[first:last])}
        cuts |= {first + found.end() for found in _UNIT_END.finditer(text[first:last])}
        for start, stop in pairwise([*sorted(cuts), last]):
            said = text[start:stop]
            if said.strip():
                begin = start + len(said) - len(said.lstrip())
                yield begin, begin + len(said.strip())


class _Said:
    """What words say: their terms, and the numbers among them."""

    def __init__(self, terms: frozenset[str], numbers: frozenset[float]) -> None:
        self.terms, self.numbers = terms, numbers

    @classmethod
    def of(cls, text: str, whole: str) -> _Said:
        """Return what a text says; its language is that of the whole it belongs to or is compared with."""
        numbers = frozenset(abs(number) for number in (*numbers_in(text), *number_words(text)))
        return cls(frozenset(analyze(text, language_of(whole))) - _SAYS_NO_MORE, numbers)

    def __bool__(self) -> bool:
        return bool(self.terms or self.numbers)


def _behind(said: _Said, asked: _Said, quotes: Sequence[_Said]) -> list[int]:
    """Return the numbers of the quotes that say a sentence, as few as do; none where they say too little of it."""
    terms, numbers = (said.terms - asked.terms) or said.terms, said.numbers - asked.numbers
    chosen = list[int]()
    left, unnumbered = set(terms), set(numbers)
    while True:
        gains = [(len(unnumbered & one.numbers), len(left & one.terms), -at) for at, one in enumerate(quotes)]
        best = max(gains, default=(0, 0, 0))
        is_enough = not unnumbered and len(terms) - len(left) >= BORNE_OUT * len(terms)
        if (is_enough and chosen) or best[:2] == (0, 0):
            return sorted(chosen) if is_enough else []
        chosen.append(1 - best[2])
        left -= quotes[-best[2]].terms
        unnumbered -= quotes[-best[2]].numbers

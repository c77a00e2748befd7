"""Whether documents hold a quote: letter for letter, but for typography, or nearly the same words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, islice, pairwise

import numpy as np

from octavo.errors import UsageError
from octavo.evidence import Citation, View
from octavo.evidence.places import Found, FoundQuote, Verification
from octavo_documents.text.quotes import (
    Integers,
    folded,
    folded_places,
    folded_quote,
    is_at_words,
    nearest,
    occurrences,
    words,
)

MOST_CHARACTERS = 4000
"""Of a quote."""
_LEAST = 0.7
"""Similarity from which on words are nearly a quote.

Of 246 sentences of 41 reports, papers and manuals it finds 100% with one word changed, 99% with two and 94% with three;
of the same sentences in four other documents each 0.8%, which are the same clause of two reports.
"""
_FEWEST_WORDS = 4
"""Words of a quote that may be nearly right; of fewer a change of one leaves too little."""
_MOST_PLACES = 200
_MOST_STRETCHES = 40
"""Stretches of a document that are compared with a quote word by word: those with most of its words."""


def checked_quote(quote: str) -> str:
    """Return a quote without white space around it. Raises UsageError when it has no words or is too long."""
    trimmed = quote.strip()
    if not any(letter.isalnum() for letter in trimmed):
        raise UsageError("the quote has no words: give the words to look for")
    if len(trimmed) > MOST_CHARACTERS:
        raise UsageError(
            f"the quote has {len(trimmed):,} characters; at most {MOST_CHARACTERS:,} are looked for: give a part of it"
        )
    return trimmed


def verified(quote: str, view: View, *, limit: int, is_complete: bool) -> Verification:
    """Look for a quote in the documents of a view: see `Corpus.verify`."""
    if not 1 <= limit <= _MOST_PLACES:
        raise UsageError(f"limit is 1 to {_MOST_PLACES}, not {limit}")
    documents = [view.derived(_Searchable, at) for at in range(len(view.documents))]
    ways: tuple[tuple[Found, Iterable[FoundQuote]], ...] = (
        ("exact", chain.from_iterable(document.exact(quote) for document in documents)),
        ("normalised", chain.from_iterable(document.normalised(quote) for document in documents)),
        ("near", sorted(_near(quote, documents), key=lambda place: -place.similarity)),
    )
    for found, places in ways:
        held = tuple(islice(places, limit))
        if held:
            return Verification(found, held, len(documents), is_complete)
    return Verification("none", (), len(documents), is_complete)


def _near(quote: str, documents: Sequence[_Searchable]) -> Iterator[FoundQuote]:
    wanted = [word for word, _, _ in words(quote)]
    if len(wanted) >= _FEWEST_WORDS:
        for document in documents:
            yield from document.near(wanted)


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a document in reading order: (n,) numbers of words, rows, and where each stands in its block."""

    numbers: dict[str, int]
    text: Integers
    rows: Integers
    starts: Integers
    stops: Integers


class _Searchable:
    """One document of a view, made ready for quotes as far as these ask for it. Headers and footers come last."""

    def __init__(self, view: View, document: int) -> None:
        self._view = view
        of_document = view.rows_of(document)
        is_content: list[bool] = view.is_content[of_document].tolist()
        rows = [*zip(range(of_document.start, of_document.stop), is_content, strict=True)]
        self._rows = [row for row, is_body in rows if is_body] + [row for row, is_body in rows if not is_body]

    def exact(self, quote: str) -> Iterator[FoundQuote]:
        """Yield where the quote stands letter for letter."""
        for row, text in zip(self._rows, self._texts, strict=True):
            for start, stop in occurrences(text, quote):
                yield self._place(row, start, stop)

    def normalised(self, quote: str) -> Iterator[FoundQuote]:
        """Yield where the quote stands but for typography, also over blocks that follow each other."""
        wanted = folded_quote(quote)
        whole, starts = self._folded
        at = whole.find(wanted) if wanted else -1
        while at >= 0:
            yield from self._located(at, at + len(wanted), starts)
            at = whole.find(wanted, at + 1)

    def near(self, wanted: list[str]) -> Iterator[FoundQuote]:
        """Yield the place with nearly the same words, if there is one."""
        held = self._words
        best = None
        for start, stop in _stretches(held, wanted):
            found = nearest(wanted, held.numbers, held.text[start:stop], _LEAST)
            if found is not None and (best is None or found.similarity > best[0]):
                best = found.similarity, start + found.start, start + found.stop
        if best is not None:
            similarity, first, stop = best
            rows, counts = np.unique(held.rows[first:stop], return_counts=True)
            row = int(rows[counts.argmax()])
            inside = np.flatnonzero(held.rows[first:stop] == row) + first
            yield self._place(row, int(held.starts[inside[0]]), int(held.stops[inside[-1]]), similarity)

    def _place(self, row: int, start: int, stop: int, similarity: float = 1.0) -> FoundQuote:
        return FoundQuote(Citation.between(self._view, row, start, stop), round(similarity, 4))

    def _located(self, first: int, stop: int, starts: list[int]) -> Iterator[FoundQuote]:
        """Yield the place of a stretch of the folded document: the block that has most of it, if words end there."""
        low, high = bisect_right(starts, first) - 1, bisect_right(starts, stop - 1) - 1
        parts: list[tuple[int, int, int, int]] = []
        for at in range(low, high + 1):
            text = self._texts[at]
            places = folded_places(text)[1]
            inside = places[max(first - starts[at], 0) : stop - starts[at]]
            if inside:
                begin, end = inside[0], inside[-1] + 1
                is_sound = (at != low or is_at_words(text, begin, len(text))) and (
                    at != high or is_at_words(text, 0, end)
                )
                if not is_sound:
                    return
                parts.append((len(inside), -at, begin, end))
        if parts:
            _, at, begin, end = max(parts)
            yield self._place(self._rows[-at], begin, end)

    @cached_property
    def _texts(self) -> list[str]:
        return self._view.blocks.text.take(self._rows)

    @cached_property
    def _folded(self) -> tuple[str, list[int]]:
        """The folded texts of all blocks in a row, and where each starts."""
        texts = [folded(text) for text in self._texts]
        for at, (before, after) in enumerate(pairwise(texts)):
            if before[-1:] == "-" and before[-2:-1].isalpha() and after[:1].isalpha():
                texts[at] = before[:-1]  # a word that is cut at the end of a column
        return "".join(texts), [0, *accumulate(map(len, texts))][:-1] or [0]

    @cached_property
    def _words(self) -> _Words:
        numbers: dict[str, int] = {}
        found: list[tuple[int, int, int, int]] = []
        for row, text in zip(self._rows, self._texts, strict=True):
            found += [(numbers.setdefault(word, len(numbers)), row, start, stop) for word, start, stop in words(text)]
        columns = np.array(found, np.int64).reshape(-1, 4).T
        return _Words(numbers, *columns)


def _stretches(held: _Words, wanted: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a document that have enough words of a quote close together to be nearly it."""
    numbers = np.array([held.numbers.get(word, -1) for word in wanted], np.int64)
    enough, reach = _LEAST * len(wanted), int(len(wanted) / _LEAST) + 1
    if (numbers >= 0).sum() < enough:
        return
    sums = np.concatenate(([0], np.cumsum(np.isin(held.text, numbers))))
    ends = np.minimum(np.arange(len(held.text)) + reach, len(held.text))
    counts = sums[ends] - sums[:-1]
    starts = np.flatnonzero(counts >= enough)
    if not len(starts):
        return
    groups = np.split(starts, np.flatnonzero(np.diff(starts) > reach) + 1)
    groups.sort(key=lambda group: -int(counts[group].max()))
    for group in groups[:_MOST_STRETCHES]:
        yield int(group[0]), min(int(group[-1]) + reach, len(held.text))

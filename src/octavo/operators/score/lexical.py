"""BM25 over the passages of a view.

The formula is Robertson and Zaragoza's (2009) with the idf that never is negative: sum over the question's terms of
`log(1 + (N - n + 0.5) / (n + 0.5)) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average))`.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.document import PostingTable, TermTable, View
from octavo.document.columns import damaged, unpack

Floats = npt.NDArray[np.float64]


class TermIndex:
    """The postings of several documents, passages numbered through; statistics are those of all of them together."""

    def __init__(self, parts: Sequence[tuple[TermTable, PostingTable, int]]) -> None:
        self._parts = [(terms, postings) for terms, postings, _ in parts]
        self._starts = np.cumsum([0, *(passages for _, _, passages in parts)])

    def __len__(self) -> int:
        return int(self._starts[-1])

    @cached_property
    def lengths(self) -> Floats:
        """(n_passages,) float64: terms in each passage, heading path included."""
        lengths = np.zeros(len(self))
        for (_, postings), start in zip(self._parts, self._starts, strict=False):
            if len(postings):
                counted = np.bincount(postings.passage, weights=postings.count)
                lengths[start : start + len(counted)] = counted
        return lengths

    def postings(self, term: str) -> tuple[npt.NDArray[np.int64], Floats]:
        """Return (passages, counts) of a term, passages ascending."""
        passages: list[npt.NDArray[np.int64]] = [np.zeros(0, np.int64)]
        counts: list[Floats] = [np.zeros(0)]
        for (terms, postings), start in zip(self._parts, self._starts, strict=False):
            size = len(terms) - 1
            at = bisect.bisect_left(terms.term, term, 0, size)
            if at < size and terms.term[at] == term:
                span = slice(int(terms.first[at]), int(terms.first[at + 1]))
                passages.append(postings.passage[span] + start)
                counts.append(postings.count[span].astype(np.float64))
        return np.concatenate(passages), np.concatenate(counts)

    def has_beginning(self, letters: str) -> bool:
        """Say whether any term begins with these letters."""
        for terms, _ in self._parts:
            size = len(terms) - 1
            at = bisect.bisect_left(terms.term, letters, 0, size)
            if at < size and terms.term[at].startswith(letters):
                return True
        return False

    def one_letter_away(self, term: str) -> set[str]:
        """Return the terms that differ from one in a single letter: another one, one more or one less."""
        pieces = [(term[:at], term[at:]) for at in range(len(term) + 1)]
        letter = r"\w"
        others = [re.escape(left) + letter + re.escape(right[1:]) for left, right in pieces if right]
        longer = [re.escape(left) + letter + re.escape(right) for left, right in pieces]
        shorter = [re.escape(left + right[1:]) for left, right in pieces if right]
        pattern = re.compile("|".join((*others, *longer, *shorter)))
        return {one for terms, _ in self._parts for one in terms.term if one != term and pattern.fullmatch(one)}


def read_terms(data: bytes) -> tuple[TermTable, PostingTable, int]:
    """Return the terms, postings and number of passages of a document; raise CorpusError (`damaged`)."""
    arrays, header = unpack(data)
    try:
        terms = TermTable.of_arrays(arrays, "terms")
        postings = PostingTable.of_arrays(arrays, "postings")
        return terms, postings, _checked(terms, postings, header)
    except (ValueError, TypeError, KeyError) as wrong:
        raise damaged(str(wrong)) from wrong


def _checked(terms: TermTable, postings: PostingTable, header: dict[str, Any]) -> int:
    """Return the number of passages; raise ValueError when the tables point outside each other."""
    passages = int(header["passages"])
    first = terms.first
    if not len(first) or first[0] != 0 or first[-1] != len(postings) or bool((np.diff(first) < 0).any()):
        raise ValueError("terms and postings do not fit")
    if len(postings) and not (postings.passage.min() >= 0 and postings.passage.max() < passages):
        raise ValueError("a posting leads outside the passages")
    return passages


def terms_of(view: View) -> TermIndex:
    """Return the view's term index, loaded once."""
    return view.layer("terms", read_terms, TermIndex)


def idf(index: TermIndex, term: str) -> float:
    """Return how much a term tells passages apart: near 0 for one that all hold, high for a rare or unknown one."""
    return _idf(len(index), len(index.postings(term)[0]))


def _idf(units: int, held: int) -> float:
    return float(np.log1p((units - held + 0.5) / (held + 0.5)))


def bm25(
    index: TermIndex,
    terms: Sequence[str],
    *,
    units: npt.NDArray[np.int64] | None = None,
    k1: float = 1.2,
    b: float = 0.75,
) -> Floats:
    """Return (n,) float64 BM25 scores, 0 for a unit with none of the terms; a repeated term counts once.

    Args:
        index: The terms of all passages.
        terms: The question's terms.
        units: (n_passages,) what each passage is part of, for instance its page, 0 to n - 1; None scores passages.
        k1: How soon repeats of a term stop counting.
        b: How much long units are held back, 0..1.
    """
    unit = np.arange(len(index)) if units is None else units
    size = int(unit.max()) + 1 if len(unit) else 0
    scores = np.zeros(size)
    if not size:
        return scores
    lengths = np.bincount(unit, weights=index.lengths, minlength=size)
    filled = max(int(np.count_nonzero(lengths)), 1)
    norm = k1 * (1 - b + b * lengths / max(float(lengths.sum()) / filled, 1e-9))
    for term in dict.fromkeys(terms):
        passages, counts = index.postings(term)
        held = np.bincount(unit[passages], weights=counts, minlength=size)
        scores += _idf(filled, int(np.count_nonzero(held))) * held * (k1 + 1) / (held + norm)
    return scores

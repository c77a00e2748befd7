"""The index over the passages of a corpus or a shard of it: segments, what of them is visible, and search in them.

What is found in all shards, by the statistics of all of them together, is merged into the ranking that one index over
the whole would give.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np

from octavo.corpus.ask.segments import ROUNDING, Floats, Integers, Segment, term_keys
from octavo.models.question_vectors import QuestionVectors
from octavo_documents.document import TextColumn
from octavo_documents.document.columns import Mask

Scope: TypeAlias = Integers | None
"""Numbers of the documents that are looked at; None for all."""


class Ranked(NamedTuple):
    """Documents and how well their best passages fit."""

    numbers: Integers
    scores: Floats


@dataclasses.dataclass(frozen=True, eq=False)
class LiveSegment:
    """A segment and which of its documents are visible as they stand in it."""

    segment: Segment
    alive: Mask
    """(n_documents,)"""

    @cached_property
    def is_whole(self) -> bool:
        """Whether all its documents are visible."""
        return bool(self.alive.all())

    @cached_property
    def _live_passages(self) -> Mask:
        return np.repeat(self.alive, np.diff(self.segment.starts))

    @cached_property
    def passages(self) -> int:
        """Return how many passages visible documents have."""
        return self.segment.passages if self.is_whole else int(self._live_passages.sum())

    @cached_property
    def lengths(self) -> tuple[float, int]:
        """Return how many terms these passages have together, and how many of them have any."""
        lengths = self.segment.lengths if self.is_whole else self.segment.lengths[self._live_passages]
        return float(lengths.sum(dtype=np.float64)), int(np.count_nonzero(lengths))

    def held(self, span: slice) -> int:
        """Return how many passages of visible documents postings lead to."""
        if self.is_whole:
            return span.stop - span.start
        return int(self._live_passages[self.segment.passage[span]].sum())

    def documents(self, span: slice) -> int:
        """Return how many visible documents postings lead to."""
        of = np.searchsorted(self.segment.starts, self.segment.passage[span], side="right") - 1
        return len(np.unique(of if self.is_whole else of[self.alive[of]]))

    def best(self, scores: Floats, scope: Scope) -> Floats:
        """Return (n,) the score of each document's best passage, -inf for those not visible or not in the scope."""
        wanted = self.alive if scope is None else self.alive & np.isin(self.segment.numbers, scope)
        return np.where(wanted, self.segment.best(scores), np.float32(-np.inf))

    def ranked(self, best: Floats) -> Ranked:
        """Return the documents with a score above -inf, in no order."""
        kept = np.flatnonzero(best > -np.inf)
        return Ranked(self.segment.numbers[kept], best[kept])


@dataclasses.dataclass(frozen=True)
class Statistics:
    """What BM25 has to know of all passages; those of several shards add up."""

    passages: int
    terms: float
    """In all passages together."""
    filled: int
    """Passages that have any term."""
    held: tuple[int, ...]
    """For each term of a question, how many passages have it."""

    def __add__(self, other: Statistics) -> Statistics:
        held = tuple(map(sum, zip(self.held, other.held, strict=True)))
        return Statistics(self.passages + other.passages, self.terms + other.terms, self.filled + other.filled, held)

    @property
    def average(self) -> float:
        """Return how long a passage is on average, in terms."""
        return max(self.terms / max(self.filled, 1), 1e-9)

    @property
    def weights(self) -> list[float]:
        """Return how much each term of the question counts (idf)."""
        return [float(np.log1p((self.passages - count + 0.5) / (count + 0.5))) for count in self.held]


@dataclasses.dataclass(frozen=True, eq=False)
class PassageIndex:
    """Segments that hold every visible document once."""

    segments: tuple[LiveSegment, ...] = ()

    @property
    def passages(self) -> int:
        """Return how many passages there are."""
        return sum(part.passages for part in self.segments)

    @property
    def has_other_languages(self) -> bool:
        """Whether a model of many languages read any passage."""
        return any(len(part.segment.read) for part in self.segments)

    @property
    def embeddings(self) -> frozenset[str]:
        """Return which models made the vectors."""
        parts = (part for part in self.segments if part.passages)
        return frozenset(part.segment.embedding for part in parts if part.segment.embedding)

    @property
    def unsearched(self) -> None:
        """Always None: a local index searches everything."""

    def example(self, embedding: str) -> str:
        """Return the id of a document whose vectors a model of `embeddings` made."""
        part = next(part for part in self.segments if part.segment.embedding == embedding and part.passages)
        return part.segment.ids[int(np.flatnonzero(part.alive)[0])]

    def lexical(self, terms: Sequence[str], scope: Scope, limit: int) -> list[int]:
        """Return the numbers of the documents whose best passage fits the terms best (BM25), best first.

        Statistics are those of the whole corpus, whatever the scope; a repeated term counts once.
        """
        keys = keys_of(terms)
        return self.by_words(keys, self.statistics(keys), scope, limit).numbers.tolist()

    def dense(self, query: QuestionVectors, scope: Scope, limit: int) -> list[int]:
        """Return the numbers of the documents whose best passage is nearest to a question, best first."""
        return self.by_vector(query, scope, limit).numbers.tolist()

    def documents_with(self, terms: Sequence[str]) -> list[int]:
        """Return for each term, each once, how many documents have it."""
        return self.documents_with_keys(keys_of(terms)).tolist()

    # The same for a shard of a corpus

    def documents_with_keys(self, keys: Integers) -> Integers:
        """Return (n,) how many documents have the terms of these keys."""
        counts = np.zeros(len(keys), np.int64)
        for part in self.segments:
            counts += np.array([part.documents(span) for span in part.segment.postings(keys)], np.int64)
        return counts

    def statistics(self, keys: Integers) -> Statistics:
        """Return what BM25 has to know of these passages and of terms that have these keys."""
        postings = [part.segment.postings(keys) for part in self.segments]
        held = tuple(
            sum(part.held(spans[at]) for part, spans in zip(self.segments, postings, strict=True))
            for at in range(len(keys))
        )
        terms, filled = map(sum, zip((0.0, 0), *(part.lengths for part in self.segments), strict=True))
        return Statistics(self.passages, float(terms), int(filled), held)

    def by_words(self, keys: Integers, statistics: Statistics, scope: Scope, limit: int) -> Ranked:
        """Return the documents whose best passage fits terms best (BM25), by the statistics of the whole corpus."""
        weights, average = statistics.weights, statistics.average
        found = [NOTHING]
        for part in self.segments:
            scores = part.segment.bm25(part.segment.postings(keys), weights, average)
            found.append(part.ranked(part.best(np.where(scores > 0, scores, -np.inf).astype(np.float32), scope)))
        return first(joined(found), limit)

    def by_vector(self, query: QuestionVectors, scope: Scope, limit: int) -> Ranked:
        """Return the documents whose best passage is nearest to a question.

        How a product of matrices is rounded depends on where a row stands in its segment. So what may be among the
        first is scored again, row by row: equal passages score the same wherever they are, and ties go by number.
        """
        made = [part for part in self.segments if part.segment.embedding]
        parts = [part for part in made if part.segment.vectors.shape[1] == len(query.own)]
        products = [part.segment.products(query) for part in parts]
        bests = [part.best(scores, scope) for part, scores in zip(parts, products, strict=True)]
        least = _least(np.concatenate([NOTHING.scores, *bests]), limit) - ROUNDING
        found = [NOTHING]
        for part, scores, best in zip(parts, products, bests, strict=True):
            kept = np.flatnonzero((best >= least) & (best > -np.inf))
            if len(kept):
                found.append(Ranked(part.segment.numbers[kept], part.segment.exactly(query, kept, scores)))
        return first(joined(found), limit)


NOTHING = Ranked(np.zeros(0, np.int64), np.zeros(0, np.float32))


def keys_of(terms: Sequence[str]) -> Integers:
    """Return (n,) the keys of the terms of a question, each once."""
    return term_keys(TextColumn.of(dict.fromkeys(terms)))


def joined(parts: Iterable[Ranked]) -> Ranked:
    """Return the documents of some rankings one after the other."""
    numbers, scores = zip(*parts, strict=True)
    return Ranked(np.concatenate(numbers), np.concatenate(scores))


def first(found: Ranked, limit: int) -> Ranked:
    """Return the documents with the highest scores, best first; equals go by number."""
    kept = np.flatnonzero(found.scores >= _least(found.scores, limit))
    numbers, scores = found.numbers[kept], found.scores[kept]
    order = np.lexsort((numbers, -scores))[:limit]
    return Ranked(numbers[order], scores[order])


def _least(scores: Floats, limit: int) -> float:
    """Return the score of the last of so many best."""
    return float(np.partition(scores, len(scores) - limit)[len(scores) - limit]) if len(scores) > limit else -np.inf

"""The index over all passages of a corpus: its segments, which of their documents are there, and search in them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np

from octavo.corpus.ask.segments import Floats, Integers, Segment, term_keys
from octavo.document import TextColumn
from octavo.document.columns import Mask


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


Scope: TypeAlias = Integers | None
"""Numbers of the documents that are looked at; None for all."""


@dataclasses.dataclass(frozen=True, eq=False)
class PassageIndex:
    """Segments that hold every visible document once."""

    segments: tuple[LiveSegment, ...] = ()

    @property
    def passages(self) -> int:
        """Return how many passages there are."""
        return sum(part.passages for part in self.segments)

    @property
    def embeddings(self) -> frozenset[str]:
        """Return which models made the vectors."""
        parts = (part for part in self.segments if part.passages)
        return frozenset(part.segment.embedding for part in parts if part.segment.embedding)

    def example(self, embedding: str) -> str:
        """Return the id of a document whose vectors a model of `embeddings` made."""
        part = next(part for part in self.segments if part.segment.embedding == embedding and part.passages)
        return part.segment.ids[int(np.flatnonzero(part.alive)[0])]

    @cached_property
    def _average(self) -> float:
        total, filled = map(sum, zip((0.0, 0), *(part.lengths for part in self.segments), strict=True))
        return max(total / max(filled, 1), 1e-9)

    def lexical(self, terms: Sequence[str], scope: Scope, limit: int) -> list[int]:
        """Return the numbers of the documents whose best passage fits the terms best (BM25), best first.

        Statistics are those of the whole corpus, whatever the scope; a repeated term counts once.
        """
        keys = term_keys(TextColumn.of(dict.fromkeys(terms)))
        postings = [part.segment.postings(keys) for part in self.segments]
        held = [
            sum(part.held(spans[at]) for part, spans in zip(self.segments, postings, strict=True))
            for at in range(len(keys))
        ]
        weights = [float(np.log1p((self.passages - count + 0.5) / (count + 0.5))) for count in held]

        def scores(at: int) -> Floats:
            found = self.segments[at].segment.bm25(postings[at], weights, self._average)
            return np.where(found > 0, found, -np.inf).astype(np.float32)

        return self._ranked(scores, scope, limit)

    def dense(self, query: Floats, scope: Scope, limit: int) -> list[int]:
        """Return the numbers of the documents whose best passage is nearest to a vector of length 1, best first."""

        def scores(at: int) -> Floats | None:
            vectors = self.segments[at].segment.vectors
            return vectors @ query if vectors.shape[1] == len(query) else None

        return self._ranked(scores, scope, limit)

    def _ranked(self, scores: Callable[[int], Floats | None], scope: Scope, limit: int) -> list[int]:
        """Return the best documents by their best passage; equals go by number. -inf is for what does not fit."""
        numbers: list[Integers] = [np.zeros(0, np.int64)]
        bests: list[Floats] = [np.zeros(0, np.float32)]
        for at, part in enumerate(self.segments):
            found = scores(at)
            if found is None:
                continue
            best = part.segment.best(found)
            wanted = part.alive if scope is None else part.alive & np.isin(part.segment.numbers, scope)
            kept = np.flatnonzero(wanted & (best > -np.inf))
            numbers.append(part.segment.numbers[kept])
            bests.append(best[kept])
        return _first(np.concatenate(numbers), np.concatenate(bests), limit)


def _first(numbers: Integers, scores: Floats, limit: int) -> list[int]:
    """Return the numbers with the highest scores, best first."""
    if len(scores) > limit:
        least = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        kept = np.flatnonzero(scores >= least)
        numbers, scores = numbers[kept], scores[kept]
    order = np.lexsort((numbers, -scores))[:limit]
    return numbers[order].tolist()

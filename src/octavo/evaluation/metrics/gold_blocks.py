"""Gold blocks: which blocks of a document hold the texts that a benchmark gives as evidence.

Benchmarks publish sentences or paragraphs; an index has blocks. A block holds a text when the text stands in it word
for word, or most of the text's runs of words do; a text of several blocks is held by those that lie mostly inside it.
Knows nothing about what any system retrieved.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Hashable, Iterable, Sequence
from functools import cached_property
from typing import Generic, TypeVar

from octavo.evaluation.metrics.block_recall import FOUND, runs
from octavo.evaluation.metrics.normal import normalize

Id = TypeVar("Id", bound=Hashable)
Alternatives = frozenset[Id]
"""Blocks or documents any one of which will do; empty when what is looked for is nowhere."""


@dataclasses.dataclass(frozen=True)
class Block(Generic[Id]):
    """A block that may hold evidence; `document` tells apart where it is from."""

    id: Id
    document: Hashable
    text: str

    @cached_property
    def words(self) -> str:
        """The normal form, with a space at either end, so that whole words are found in it."""
        return f" {normalize(self.text)} "

    @cached_property
    def runs(self) -> set[tuple[str, ...]]:
        """Runs of words."""
        return runs(self.text)


def align(text: str, blocks: Sequence[Block[Id]]) -> tuple[Alternatives[Id], ...]:
    """Return the gold blocks of a text: each element is one of them, as the blocks that do for it equally well."""
    wanted = normalize(text)
    if not wanted:
        return ()
    verbatim = frozenset(block.id for block in blocks if f" {wanted} " in block.words)
    if verbatim:
        return (verbatim,)
    pieces = runs(text)
    return _spread(pieces, blocks) or (_nearest(pieces, blocks),)


def _spread(pieces: set[tuple[str, ...]], blocks: Iterable[Block[Id]]) -> tuple[Alternatives[Id], ...]:
    """Return the blocks of a document that lie mostly inside the text, where together they hold most of it."""
    inside: dict[Hashable, list[Block[Id]]] = {}
    for block in blocks:
        if block.runs and len(block.runs & pieces) >= FOUND * len(block.runs):
            inside.setdefault(block.document, []).append(block)
    for parts in inside.values():
        held = set[tuple[str, ...]]().union(*(block.runs for block in parts))
        if len(held & pieces) >= FOUND * len(pieces):
            return tuple(frozenset({block.id}) for block in parts)
    return ()


def _nearest(pieces: set[tuple[str, ...]], blocks: Iterable[Block[Id]]) -> Alternatives[Id]:
    """Return the blocks that hold the most of a text, none where that is less than half."""
    shares = [(len(pieces & block.runs) / len(pieces), block.id) for block in blocks]
    best = max((share for share, _ in shares), default=0.0)
    return frozenset(name for share, name in shares if share == best) if best >= FOUND else frozenset()


def found(wanted: Iterable[Alternatives[Id]], retrieved: Collection[Id]) -> list[bool]:
    """Return for each thing looked for whether one of its alternatives was retrieved."""
    given = frozenset(retrieved)
    return [not given.isdisjoint(alternatives) for alternatives in wanted]


def recall(wanted: Sequence[Alternatives[Id]], retrieved: Collection[Id]) -> float | None:
    """Return the share of gold that was retrieved, in 0..1; None without gold."""
    hits = found(wanted, retrieved)
    return sum(hits) / len(hits) if hits else None


def perfect(wanted: Sequence[Alternatives[Id]], retrieved: Collection[Id]) -> float | None:
    """Return 1.0 when all gold was retrieved, else 0.0; None without gold."""
    hits = found(wanted, retrieved)
    return float(all(hits)) if hits else None

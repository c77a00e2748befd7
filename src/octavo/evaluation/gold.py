"""Where the evidence of questions stands in a corpus: which documents and blocks hold what a benchmark names.

Benchmarks publish sentences or paragraphs; an index has blocks. A block holds a text when the text stands in it word
for word, or most of the text's runs of words do; a text of several blocks is held by those that lie mostly inside it.
Gold is looked up after a system has answered; nothing of it reaches one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from typing import Generic

from octavo.corpus import Corpus
from octavo.evaluation.indexing import Indexed
from octavo.evaluation.metrics.normal import normalize
from octavo.evaluation.metrics.retrieval import FOUND, Id, runs
from octavo.evaluation.question import Gold, Question

Alternatives = frozenset[Id]
"""Blocks any one of which will do; empty when what is looked for is nowhere."""


class GoldFinder:
    """Finds gold documents and blocks in a corpus, and remembers them by question."""

    def __init__(self, corpus: Corpus, indexed: Indexed) -> None:
        self._corpus, self._indexed = corpus, indexed
        self._known: dict[str, Gold] = {}

    def of(self, question: Question) -> Gold:
        """Return where the evidence stands; empty for a question that names no document of it."""
        if question.id not in self._known:
            self._known[question.id] = self._found(question)
        return self._known[question.id]

    def _found(self, question: Question) -> Gold:
        called = [self._indexed.called(name) for name in dict.fromkeys(question.evidence_documents)]
        ids = list(dict.fromkeys(info.id for infos in called for info in infos))
        blocks = self._blocks(ids) if question.evidence_texts and ids else []
        units = [unit for text in question.evidence_texts for unit in align(text, blocks)] if called else []
        return Gold(
            blocks=tuple(dict.fromkeys(units)),
            documents=tuple(frozenset(info.name for info in infos) for infos in called),
        )

    def _blocks(self, ids: list[str]) -> list[Block[tuple[str, str]]]:
        return [
            Block((document.id, f"b{row}"), document.id, text)
            for document in self._corpus.view(ids).documents
            for row, text in enumerate(document.blocks.text)
        ]


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

"""Where the evidence of questions stands in a corpus.

Owns the reading of gold documents, once for each question, for their blocks to be aligned with published evidence.
Gold is looked up after a system has answered; nothing of it reaches one.
"""

from __future__ import annotations

from octavo.corpus import Corpus
from octavo.evaluation.indexing import Indexed
from octavo.evaluation.metrics.gold_blocks import Block, align
from octavo.evaluation.question import Gold, Question


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

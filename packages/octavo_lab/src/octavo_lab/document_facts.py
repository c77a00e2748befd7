"""What is known of the documents of a question: how deep their trees are, how many pictures they have, what was lost.

Only breakdowns and error classes read it; documents are opened for it once each.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import numpy as np

from octavo.corpus import Corpus
from octavo_documents.document import PICTURED, Document
from octavo_lab.indexing import Indexed
from octavo_lab.metrics.retrieval import text_recall
from octavo_lab.question import Facts, Gold, Question, Response


@dataclasses.dataclass(frozen=True)
class _Document:
    depth: int
    pictures: int
    empty_pages: frozenset[int]
    texts: tuple[str, ...]


class FactFinder:
    """Looks at documents of a corpus, and remembers what it saw."""

    def __init__(self, corpus: Corpus, indexed: Indexed) -> None:
        self._corpus, self._indexed = corpus, indexed
        self._known: dict[str, _Document] = {}

    def of(self, question: Question, response: Response, gold: Gold) -> Facts:
        """Return what is known of the documents in scope, of those that were retrieved where all are in scope."""
        names = question.documents or dict.fromkeys(page.document for page in response.pages)
        found = [self._document(info.id) for name in names for info in self._indexed.called(name)]
        only = found[0] if len(question.documents) == 1 and found else None
        return Facts(
            is_lost=self._is_lost(question, only, gold),
            depth=float(np.mean([one.depth for one in found])) if found else None,
            pictures=only.pictures if only is not None else None,
        )

    def _document(self, identity: str) -> _Document:
        if identity not in self._known:
            self._known[identity] = _seen(self._corpus.view([identity]).documents[0])
        return self._known[identity]

    @staticmethod
    def _is_lost(question: Question, only: _Document | None, gold: Gold) -> bool:
        """Return whether evidence is in no block: a page without words or picture, a text that stands nowhere."""
        if any(not alternatives for alternatives in gold.blocks):
            return True
        if only is None:
            return False
        if not only.empty_pages.isdisjoint(question.evidence_pages):
            return True
        return bool(question.evidence_texts) and text_recall(question.evidence_texts, only.texts) < 1.0


def _seen(document: Document) -> _Document:
    blocks = document.blocks
    texts = tuple(blocks.text)
    is_pictured = np.isin(blocks.kind, list(PICTURED))
    says = zip(blocks.page, texts, is_pictured, strict=True)
    filled = {int(page) for page, text, is_seen in says if is_seen or text.strip()}
    return _Document(
        depth=1 + max(_nesting(document), default=0),
        pictures=int(is_pictured.sum()),
        empty_pages=frozenset(set(range(1, len(document.pages) + 1)) - filled),
        texts=texts,
    )


def _nesting(document: Document) -> Iterable[int]:
    """Yield how many headings stand over and at each heading."""
    blocks = document.blocks
    return (len(blocks.ancestors(int(row))) + 1 for row in blocks.headings())

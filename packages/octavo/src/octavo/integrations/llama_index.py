"""A retriever for LlamaIndex: `LlamaIndexRetriever(octavo.open(...)).retrieve(question)`. Needs llama-index-core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from octavo.integrations.found_passages import found_passages

if TYPE_CHECKING:
    from octavo.corpus import Corpus


class LlamaIndexRetriever(BaseRetriever):
    """Passages of a corpus as LlamaIndex nodes. The arguments after the corpus are those of `found_passages`."""

    def __init__(
        self,
        corpus: Corpus,
        *,
        documents: str | Sequence[str] | None = None,
        where: str | None = None,
        system: str = "auto",
        limit: int | None = None,
        base: str = "",
    ) -> None:
        super().__init__()
        self._corpus, self._documents, self._where = corpus, documents, where
        self._system, self._limit, self._base = system, limit, base

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = found_passages(
            self._corpus,
            query_bundle.query_str,
            documents=self._documents,
            where=self._where,
            system=self._system,
            limit=self._limit,
            base=self._base,
        )
        return [
            NodeWithScore(node=TextNode(id_=one.id, text=one.text, metadata=one.metadata), score=one.score)
            for one in found
        ]

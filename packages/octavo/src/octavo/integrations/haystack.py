"""A component for Haystack's pipelines: `HaystackRetriever(octavo.open(...)).run(query)`. Needs haystack-ai."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from haystack import Document, component

from octavo.integrations.found_passages import found_passages

if TYPE_CHECKING:
    from octavo.corpus import Corpus


@component
class HaystackRetriever:
    """Passages of a corpus as Haystack documents. The arguments after the corpus are those of `found_passages`."""

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
        self._corpus, self._documents, self._where = corpus, documents, where
        self._system, self._limit, self._base = system, limit, base

    @component.output_types(documents=list[Document])
    def run(self, query: str) -> dict[str, list[Document]]:
        """Return the documents for a query, best first, as the output `documents`."""
        found = found_passages(
            self._corpus,
            query,
            documents=self._documents,
            where=self._where,
            system=self._system,
            limit=self._limit,
            base=self._base,
        )
        return {
            "documents": [Document(id=one.id, content=one.text, meta=one.metadata, score=one.score) for one in found]
        }

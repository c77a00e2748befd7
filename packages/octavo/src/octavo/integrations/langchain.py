"""A retriever for LangChain: `LangChainRetriever(corpus=octavo.open(...)).invoke(question)`. Needs langchain-core."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from octavo.integrations.found_passages import found_passages


class LangChainRetriever(BaseRetriever):
    """Passages of a corpus as LangChain documents. The fields beside `corpus` are the arguments of `found_passages`."""

    corpus: Any
    documents: str | list[str] | None = None
    system: str = "auto"
    limit: int | None = None
    base: str = ""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        del run_manager
        found = found_passages(
            self.corpus, query, documents=self.documents, system=self.system, limit=self.limit, base=self.base
        )
        return [Document(page_content=one.text, id=one.id, metadata=one.metadata) for one in found]

"""A retriever for LangChain: `LangChainRetriever(corpus=octavo.open(...)).invoke(question)`. Needs langchain-core."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import run_in_executor
from pydantic import ConfigDict

from octavo.integrations.found_passages import found_passages


class LangChainRetriever(BaseRetriever):
    """Passages of a corpus as LangChain documents. The fields beside `corpus` are the arguments of `found_passages`.

    `invoke(question, where=...)` asks by another filter. Arguments that there are not are errors.
    """

    model_config = ConfigDict(extra="forbid")  # LangChain drops unknown ones: a filter with a slip would filter nothing

    corpus: Any
    documents: str | list[str] | None = None
    where: str | None = None
    system: str = "auto"
    limit: int | None = None
    base: str = ""

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, where: str | None = None
    ) -> list[Document]:
        del run_manager
        found = found_passages(
            self.corpus,
            query,
            documents=self.documents,
            where=self.where if where is None else where,
            system=self.system,
            limit=self.limit,
            base=self.base,
        )
        return [Document(page_content=one.text, id=one.id, metadata=one.metadata) for one in found]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, where: str | None = None
    ) -> list[Document]:
        return await run_in_executor(
            None, self._get_relevant_documents, query, run_manager=run_manager.get_sync(), where=where
        )

"""Octavo's systems beside the usual pipelines of LangChain and LlamaIndex: the same questions, one run.

    pip install 'pypdf[full]' rank_bm25 langchain-classic langchain-community langchain-text-splitters \
        llama-index-core llama-index-retrievers-bm25
    python benchmarks/peers.py FOLDER --corpus INDEX [--systems hybrid,auto]

FOLDER is as in `retrieval.py`. The pipelines split pages, search the passages by BM25 and by vectors, and fuse both by
rank, each with the parts its documentation names for that and with their defaults, but for passages that fit the
embedder. All use the embedder of Octavo, so that what differs is reading, splitting and retrieval. Pages are given to
them once as pypdf reads them, which is what both use for PDFs, and once as Octavo reads them, with OCR.

PR@k is the share of questions whose gold pages are all among the first k; the last columns are the paired difference
of PR@5 to the last of `--systems`, with its 95 % interval.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import octavo
from octavo import systems
from octavo.evidence import View
from octavo.models.minilm import MiniLmEmbedder
from octavo_lab import intervals
from octavo_lab.metrics.retrieval import perfect, recall
from octavo_lab.question import RANKED
from octavo_lab.scoring import response_of
from retrieval import documents_in, indexed, questions_of

CUTS = (1, 3, 5, 10)
PASSAGES = 80
"""Passages that each retriever returns: enough for 20 pages of almost any document."""
COMPARED_AT = 5

Pages = Mapping[int, str]
"""The texts of the pages that have any, by number, from 1."""
Search = Callable[[str], list[int]]
"""The pages for a question, 1-based, the best first."""
EMBEDDER = MiniLmEmbedder()


@dataclasses.dataclass(frozen=True)
class Chunk:
    """A stretch of a page."""

    page: int
    text: str


def langchain(pages: Pages) -> Search:
    """RecursiveCharacterTextSplitter, 1,000 characters, 200 of overlap; BM25 and vectors in an EnsembleRetriever."""
    from langchain_classic.retrievers import EnsembleRetriever
    from langchain_community.retrievers import BM25Retriever
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_core.vectorstores import InMemoryVectorStore
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    class Vectors(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return EMBEDDER.embed(texts).tolist()

        def embed_query(self, text: str) -> list[float]:
            return EMBEDDER.embed([text])[0].tolist()

    whole = [Document(text, metadata={"page": number}) for number, text in pages.items()]
    parts = RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=200).split_documents(whole)
    vectors = InMemoryVectorStore.from_documents(parts, Vectors()).as_retriever(search_kwargs={"k": PASSAGES})
    both = EnsembleRetriever(retrievers=[BM25Retriever.from_documents(parts, k=PASSAGES), vectors], weights=[0.5, 0.5])
    return lambda question: in_order(part.metadata["page"] for part in both.invoke(question))


def llamaindex(pages: Pages) -> Search:
    """Chunks of 256 tokens, found by `hybrid_chunks`."""
    find = hybrid_chunks(pages, tokens=256, overlap=20, count=PASSAGES)
    return lambda question: in_order(chunk.page for chunk in find(question))


def hybrid_chunks(pages: Pages, *, tokens: int, overlap: int, count: int) -> Callable[[str], list[Chunk]]:
    """LlamaIndex's SentenceSplitter; stemmed BM25 and vectors in a QueryFusionRetriever by reciprocal rank.

    Returns what finds the best `count` chunks of `tokens` tokens for a question, best first.
    """
    from llama_index.core import Document, VectorStoreIndex
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.llms import MockLLM
    from llama_index.core.node_parser import SentenceSplitter
    from llama_index.core.retrievers import QueryFusionRetriever
    from llama_index.retrievers.bm25 import BM25Retriever

    class Vectors(BaseEmbedding):
        def _get_text_embedding(self, text: str) -> list[float]:
            return EMBEDDER.embed([text])[0].tolist()

        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            return EMBEDDER.embed(texts).tolist()

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    whole = [Document(text=text, metadata={"page": number}) for number, text in pages.items()]
    for document in whole:
        document.excluded_embed_metadata_keys = document.excluded_llm_metadata_keys = ["page"]
    nodes = SentenceSplitter(chunk_size=tokens, chunk_overlap=overlap).get_nodes_from_documents(whole)
    most = min(max(count, PASSAGES), len(nodes))
    vectors = VectorStoreIndex(nodes, embed_model=Vectors()).as_retriever(similarity_top_k=most)
    words = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=most)
    both = QueryFusionRetriever(
        [vectors, words],
        llm=MockLLM(),
        mode="reciprocal_rerank",
        similarity_top_k=count,
        num_queries=1,
        use_async=False,
    )
    return lambda question: [
        Chunk(found.node.metadata["page"], found.node.get_content()) for found in both.retrieve(question)
    ]


PEERS: dict[str, Callable[[Pages], Search]] = {"langchain": langchain, "llamaindex": llamaindex}


def in_order(pages: Iterable[int]) -> list[int]:
    """Return pages in the order in which they come first."""
    return list(dict.fromkeys(pages))[:RANKED]


def read_by_pypdf(path: Path) -> Pages:
    from pypdf import PdfReader

    return with_text(enumerate((page.extract_text() for page in PdfReader(path).pages), 1))


def read_by_octavo(view: View) -> Pages:
    blocks, pages = view.documents[0].blocks, dict[int, list[str]]()
    for page, text in zip(blocks.page.tolist(), blocks.text, strict=True):
        pages.setdefault(page, []).append(text)
    return with_text((page, "\n\n".join(pages[page])) for page in sorted(pages))


def with_text(pages: Iterable[tuple[int, str]]) -> Pages:
    return {number: text for number, text in pages if text.strip()}


def octavo_system(name: str, corpus: octavo.Corpus, view: View) -> Search:
    """The pages of an answer, then those that the system ranks after them, as `octavo evaluate` takes them."""
    system, documents = systems.get(name), [view.documents[0].id]

    def search(question: str) -> list[int]:
        answer = corpus.ask(question, documents=documents, system=system)
        more = [corpus.search(question, documents=documents, system=one, limit=RANKED) for one in system.rankings()]
        return [page for _, page in response_of(answer, more).ranking]

    return search


def searches(names: Sequence[str], corpus: octavo.Corpus, view: View, path: Path) -> Iterator[tuple[str, Search]]:
    """Return each way to search one document, by name."""
    texts = {"pypdf": read_by_pypdf(path), "Octavo's text": read_by_octavo(view)}
    for peer, build in PEERS.items():
        for source, pages in texts.items():
            yield f"{peer}, {source}", build(pages) if pages else lambda _question: []
    for name in names:
        yield f"octavo {name}", octavo_system(name, corpus, view)


def measure(folder: Path, corpus: octavo.Corpus, names: Sequence[str]) -> dict[str, list[dict[str, float]]]:
    """Return for each way to search its figures by question, in the same order for all."""
    view_of, found = indexed(folder, corpus), dict[str, list[dict[str, float]]]()
    by_document: dict[str, list[dict[str, Any]]] = {}
    for question in questions_of(folder):
        by_document.setdefault(question["document"], []).append(question)
    for document, questions in sorted(by_document.items()):
        for label, search in searches(names, corpus, view_of(document), documents_in(folder) / document):
            for question in questions:
                gold, ranking = set(question["evidence_pages"]), search(question["question"])
                row = {f"PR@{cut}": perfect(gold, ranking[:cut]) for cut in CUTS}
                row["recall@5"] = recall(gold, ranking[:5])
                found.setdefault(label, []).append(row)
    return found


def table(found: dict[str, list[dict[str, float]]]) -> dict[str, dict[str, float]]:
    """Return means, and the paired difference at PR@5 of the last row to each, with its interval."""
    compared = {label: np.array([row[f"PR@{COMPARED_AT}"] for row in rows]) for label, rows in found.items()}
    base = compared[list(found)[-1]]
    drawn = intervals.draws(len(base))
    result: dict[str, dict[str, float]] = {}
    for label, rows in found.items():
        difference = base - compared[label]
        low, high = intervals.interval(intervals.resampled(intervals.Column.of(difference), drawn)) or (np.nan, np.nan)
        means = {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}
        result[label] = means | {"behind": float(difference.mean()), "from": low, "to": high}
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--corpus", type=Path, required=True, help="where the index is, or is to be")
    parser.add_argument("--systems", default="bm25,hybrid,auto")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with octavo.open(options.corpus) as corpus:
        result = table(measure(options.folder, corpus, options.systems.split(",")))
    if options.json:
        print(json.dumps(result, indent=2))
        return
    print(f"{'':34}" + "".join(f"{name:>10}" for name in next(iter(result.values()))))
    for label, row in result.items():
        print(f"{label:34}" + "".join(f"{value:>10.3f}" for value in row.values()))


if __name__ == "__main__":
    main()

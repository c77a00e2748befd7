"""Retrievers for LangChain, LlamaIndex and Haystack, in these programs themselves where they are installed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import octavo
from octavo.corpus import Corpus
from octavo.errors import UsageError
from octavo.integrations.found_passages import found_passages

QUESTION = "Which colour is the ferry Alba painted?"


LEASE = "What is the rent of the quay?"
SINCE = "date >= 2024"


@pytest.fixture(scope="module")
def leases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    folder = tmp_path_factory.mktemp("leases")
    with octavo.open(folder / "corpus") as opened:
        for year, rent in ((2019, 410), (2025, 560)):
            file = folder / f"lease-{year}.md"
            file.write_text(f"# Lease\n\nThe rent of the quay is {rent} marks a month.\n")
            opened.add(file)
            opened.describe(file.name, {"date": f"{year}-03-01"})
        yield opened


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    folder = tmp_path_factory.mktemp("found")
    (folder / "ferries.md").write_text(
        "# Ferries\n\n## Alba\n\nThe ferry Alba is painted green.\n\n## Bruma\n\nThe ferry Bruma is painted red.\n"
    )
    with octavo.open(folder / "corpus") as opened:
        opened.add(folder / "ferries.md")
        yield opened


def test_what_is_found_says_where_it_stands_in_plain_values(corpus: Corpus) -> None:
    first, *others = found_passages(corpus, QUESTION, base="http://localhost:8080/")
    assert "painted green" in first.text
    assert first.metadata["section"] == "Alba"
    assert first.metadata["boxes"][0]["page"] == first.metadata["page"] == 1
    assert len(first.metadata["boxes"][0]["box"]) == 4
    assert first.metadata["permalink"] == f"http://localhost:8080/c/{first.id}"
    assert corpus.cited(first.id).citation.document == "ferries.md"
    assert first.metadata["quote"] in (Path(corpus.path).parent / "ferries.md").read_text()
    assert json.loads(json.dumps(first.metadata)) == first.metadata
    assert all(first.score >= other.score for other in others)


def test_without_a_server_there_is_no_permalink_and_a_limit_holds(corpus: Corpus) -> None:
    found = list(found_passages(corpus, QUESTION, limit=1))
    assert [one.metadata["permalink"] for one in found] == [""]


def test_an_empty_question_is_an_error(corpus: Corpus) -> None:
    with pytest.raises(UsageError):
        list(found_passages(corpus, " "))


def test_a_filter_leaves_out_documents(leases: Corpus) -> None:
    assert {one.metadata["source"] for one in found_passages(leases, LEASE)} == {"lease-2019.md", "lease-2025.md"}
    assert {one.metadata["source"] for one in found_passages(leases, LEASE, where=SINCE)} == {"lease-2025.md"}


def test_langchain_takes_a_filter_and_refuses_what_it_does_not_know(leases: Corpus) -> None:
    pytest.importorskip("langchain_core")
    from octavo.integrations.langchain import LangChainRetriever

    retriever = LangChainRetriever(corpus=leases, where=SINCE)
    assert {one.metadata["source"] for one in retriever.invoke(LEASE)} == {"lease-2025.md"}
    earlier = {"where": "date < 2024"}
    assert {one.metadata["source"] for one in retriever.invoke(LEASE, **earlier)} == {"lease-2019.md"}
    later = asyncio.run(retriever.ainvoke(LEASE, **earlier))
    assert {one.metadata["source"] for one in later} == {"lease-2019.md"}
    with pytest.raises(ValueError, match=r"filter\n +Extra inputs are not permitted"):
        LangChainRetriever(corpus=leases, filter=SINCE)
    with pytest.raises(TypeError, match="filter"):
        retriever.invoke(LEASE, filter=SINCE)
    with pytest.raises(UsageError):
        LangChainRetriever(corpus=leases, where="date >=").invoke(LEASE)


def test_llama_index_takes_a_filter(leases: Corpus) -> None:
    pytest.importorskip("llama_index.core")
    from octavo.integrations.llama_index import LlamaIndexRetriever

    found = LlamaIndexRetriever(leases, where=SINCE).retrieve(LEASE)
    assert {one.node.metadata["source"] for one in found} == {"lease-2025.md"}


def test_haystack_takes_a_filter(leases: Corpus) -> None:
    pytest.importorskip("haystack")
    from octavo.integrations.haystack import HaystackRetriever

    found = HaystackRetriever(leases, where=SINCE).run(LEASE)["documents"]
    assert {one.meta["source"] for one in found} == {"lease-2025.md"}


def test_langchain_takes_it_as_a_retriever(corpus: Corpus) -> None:
    pytest.importorskip("langchain_core")
    from langchain_core.runnables import RunnableLambda

    from octavo.integrations.langchain import LangChainRetriever

    chain = LangChainRetriever(corpus=corpus, limit=1) | RunnableLambda(lambda found: found[0].page_content)
    assert "painted green" in chain.invoke(QUESTION)


def test_llama_index_takes_it_as_a_retriever(corpus: Corpus) -> None:
    pytest.importorskip("llama_index.core")
    from octavo.integrations.llama_index import LlamaIndexRetriever

    (found,) = LlamaIndexRetriever(corpus, limit=1).retrieve(QUESTION)
    assert found.node.metadata["section"] == "Alba"
    assert found.score is not None


def test_haystack_takes_it_as_a_component(corpus: Corpus) -> None:
    pytest.importorskip("haystack")
    from haystack import Pipeline

    from octavo.integrations.haystack import HaystackRetriever

    pipeline = Pipeline()
    pipeline.add_component("octavo", HaystackRetriever(corpus, limit=1))
    (found,) = pipeline.run({"octavo": {"query": QUESTION}})["octavo"]["documents"]
    assert found.meta["document"] == "ferries.md"

"""Retrievers for LangChain, LlamaIndex and Haystack, in these programs themselves where they are installed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import octavo
from octavo.corpus import Corpus
from octavo.errors import UsageError
from octavo.integrations.found_passages import found_passages

QUESTION = "Which colour is the ferry Alba painted?"


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

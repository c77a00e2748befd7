"""Systems: found by name, and complete from question to answer."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexed import run_over
from octavo import systems
from octavo.corpus.index.builders import ABSENT
from octavo.errors import UsageError
from octavo.evidence import Query, TraceStep
from octavo.layers import LAYERS, OPTIONAL_LAYERS
from octavo_documents.document import Document, Kind
from synthetic import document, documents

QUESTION = "How many people does the company employ?"
REPORT = document(
    [
        (Kind.HEADING, "1 Revenue", 1, 1),
        (Kind.PARAGRAPH, "Revenue was $3.1 million in 2015.", 1, 0),
        (Kind.HEADING, "2 Staff", 2, 1),
        (Kind.PARAGRAPH, "The company employs 420 people in Graz.", 2, 0),
    ],
    pages=3,
)


@pytest.mark.parametrize("name", systems.SYSTEMS)
def test_every_system_ranks_the_page_first_and_answers_from_it(name: str) -> None:
    query = Query(QUESTION, limit=2)
    found = systems.run_search(systems.get(name), query, run_over(REPORT)).to_json()
    assert found["system"] == name
    assert found["pages"][0]["page"] == 2
    assert len(found["pages"]) <= 2
    answer = systems.run_ask(systems.get(name), query, run_over(REPORT))
    assert (answer.text, answer.value) == ("420", 420)
    assert answer.citations[0].page == 2
    assert answer.usage.seconds > 0
    json.dumps(answer.to_json())


def test_the_seconds_of_a_question_count_the_choice_of_its_documents() -> None:
    run = run_over(REPORT)
    run.note(TraceStep("FirstStage", {}, 9000, 24, 50.0))
    found = systems.run_search(systems.get("bm25"), Query(QUESTION), run)
    assert 50 < found.usage.seconds < 80
    assert systems.run_ask(systems.get("bm25"), Query(QUESTION), run).usage.seconds > 50


@pytest.mark.parametrize("name", systems.SYSTEMS)
def test_a_system_needs_layers_that_exist(name: str) -> None:
    assert systems.get(name).needs() <= LAYERS.keys() | OPTIONAL_LAYERS.keys() | ABSENT.keys()


@pytest.mark.parametrize("name", systems.SYSTEMS)
def test_the_same_question_gives_the_same_answer(name: str) -> None:
    one, other = (systems.run_ask(systems.get(name), Query(QUESTION), run_over(REPORT)).to_json() for _ in range(2))
    for answer in (one, other):
        answer["usage"], answer["trace"] = None, None
    assert one == other


def test_auto_is_a_system() -> None:
    assert systems.get("auto").name in systems.SYSTEMS


def test_an_unknown_system_names_those_there_are() -> None:
    with pytest.raises(UsageError, match="auto, bm25, dense, hybrid, raptor"):
        systems.get("oracle")


@given(documents(), st.text(max_size=40), st.integers(1, 3))
def test_any_question_over_any_document_gets_an_answer_with_verbatim_quotes(
    source: Document, question: str, limit: int
) -> None:
    run = run_over(source, limit=limit)
    answer = systems.run_ask(systems.get("hybrid"), Query(question, limit=limit), run)
    texts = {f"b{row}": text for row, text in enumerate(source.blocks.text)}
    assert all(citation.quote in texts[citation.block] for citation in answer.citations)
    assert answer.answerable or (answer.value is None and answer.text)
    assert 0 <= answer.confidence <= 1
    json.dumps(answer.to_json())

"""auto: hybrid's pages ranked by what stands on them, one reading, and a search for what it finds missing."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexed import FakeEmbedder, run_over
from octavo import systems
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Query, Result
from octavo.models.language import Request
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Run
from octavo.systems import ABLATIONS
from octavo_documents.document import Document, Kind
from synthetic import Row, document, documents

VARIANTS = ["auto", *(name for name in ABLATIONS if name.startswith("auto"))]
COUNTING = "How many tables are in the report?"
PLAIN = "Who paints the lighthouse?"
QUESTIONS = [PLAIN, COUNTING, "Compare the harvest in the north with the harvest in the south.", "What is on page 7?"]


def report() -> Document:
    rows: list[Row] = []
    for page in range(1, 15):
        rows.append((Kind.HEADING, f"{page} Chapter", page, 1))
        rows.append((Kind.PARAGRAPH, f"Words about matter {page} and the weather.", page, 0))
        if page in (2, 5, 9):
            rows.append((Kind.TABLE, f"Herring {page} | Cod {page}", page, 0))
    rows += [
        (Kind.PARAGRAPH, "Olga Lind paints the lighthouse each spring.", 7, 0),
        (Kind.PARAGRAPH, "In the north the harvest was 40 tons.", 3, 0),
        (Kind.PARAGRAPH, "In the south the harvest was 75 tons.", 12, 0),
    ]
    return document(sorted(rows, key=lambda row: row[2]), name="report.pdf")


REPORT = report()


def found(question: str, *sources: Document, limit: int = 10, name: str = "auto") -> Result:
    return systems.run_search(systems.get(name), Query(question, limit=limit), run_over(*(sources or (REPORT,))))


def pages(result: Result) -> list[int]:
    return [hit.page for hit in result.evidence.pages(result.by)]


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_pages_are_those_of_hybrid_the_best_in_an_order_of_their_own(question: str) -> None:
    assert set(pages(found(question))) == set(pages(found(question, name="hybrid")))


@pytest.mark.parametrize(
    "question",
    ["What is this document about?", "What's this about?", "Who wrote this report?", "What does page 2 say?"],
)
def test_what_a_document_is_and_who_made_it_is_asked_of_its_first_page(question: str) -> None:
    speaks = [(Kind.PARAGRAPH, f"This document is about report {page}: who wrote it.", page, 0) for page in range(3, 9)]
    opened = [(Kind.TITLE, "Lights of the coast", 2, 0), (Kind.PARAGRAPH, "Olga Lind, Kiel", 2, 0)]
    assert pages(found(question, document([*opened, *speaks])))[0] == 2  # the first one has nothing on it


def test_a_question_about_its_first_page_is_asked_of_no_page_of_several_documents() -> None:
    other = document([(Kind.TITLE, "Log", 1, 0), (Kind.PARAGRAPH, "This report is about paint.", 2, 0)], name="b.pdf")
    assert found("What is this report about?", REPORT, other).evidence.scores.keys() >= {"relevance"}
    assert not found("What is this report about?", REPORT, other).evidence.sources["named"].any()


def test_the_first_page_is_the_one_of_the_passage_that_is_shown_first() -> None:
    for question in (PLAIN, "How large was the harvest in the south?", "What is said of matter 4?"):
        run = run_over(REPORT)
        answer = systems.run_ask(systems.get("auto"), Query(question), run)
        assert answer.evidence.pages(answer.by)[0].page == answer.passages[0].page


def test_the_page_whose_sentence_answers_comes_first() -> None:
    assert pages(found(PLAIN))[0] == 7


def test_a_named_page_comes_first() -> None:
    assert pages(found("What does the paragraph on page 7 say?"))[0] == 7


def test_of_several_documents_the_right_one_is_found() -> None:
    others = [document([(Kind.PARAGRAPH, f"Bread number {at} is baked.", 1, 0)], name=f"{at}.pdf") for at in range(6)]
    result = found(PLAIN, *others, REPORT)
    best = result.evidence.pages(result.by)[0]
    assert (best.document, best.page) == (6, 7)


@given(documents(), st.text(max_size=60), st.integers(1, 6))
def test_any_question_keeps_to_its_limit(source: Document, question: str, limit: int) -> None:
    result = found(question, source, limit=limit)
    assert len(pages(result)) <= limit
    json.dumps(result.to_json())


@pytest.mark.parametrize("name", VARIANTS)
def test_every_ablation_answers(name: str) -> None:
    answer = systems.run_ask(systems.get(name), Query("How heavy was the harvest in the south?"), run_over(REPORT))
    assert answer.citations[0].page == 12


@pytest.mark.parametrize("question", QUESTIONS)
def test_its_plan_carried_out_again_finds_the_same(question: str) -> None:
    first = found(question)
    system = systems.from_plan(repr(systems.get("auto").retrieve))
    again = systems.run_search(system, Query(question, limit=10), Run(first.evidence.view, embedder=FakeEmbedder))
    assert again.evidence == first.evidence
    assert again.system == "plan"


def _say(request: Request) -> str:
    quotes = re.findall(r"<passage id=(\d+)>\n(.*?)\n</passage>", request.turns[0].text, re.DOTALL)
    number = next((int(number) for number, text in quotes if "Olga Lind" in text), 0)
    return json.dumps({"evidence": [{"id": number, "quote": "Olga Lind"}], "answerable": True, "answer": "Olga Lind"})


def test_a_question_that_the_first_reading_answers_takes_one_call() -> None:
    model = ScriptedModel(_say)
    run = run_over(REPORT)
    run.judge = Judge({"language": model})
    answer = systems.run_ask(systems.get("auto"), Query(PLAIN), run)
    assert [one.decision for one in model.requests] == ["answer_from_evidence"]
    assert answer.text == "Olga Lind"

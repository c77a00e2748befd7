"""What a page says is answered from that page: other pages are no passages, and none runs over into another."""

from __future__ import annotations

import pytest

from indexed import run_over
from octavo.evidence import Query
from octavo.question import understand
from octavo.systems import get, run_ask
from octavo_documents.document import Kind
from synthetic import document

BEES = document(
    [
        (Kind.PARAGRAPH, "This book is about bees.", 1, 0),
        (Kind.PARAGRAPH, "Queens live up to five years.", 2, 0),
        (Kind.PARAGRAPH, "Workers live six weeks in summer.", 3, 0),
        (Kind.PARAGRAPH, "Drones die in autumn.", 4, 0),
    ],
    pages=4,
    name="bees.pdf",
)


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("What does it say on page 3?", 3),
        ("What is on page 2?", 2),
        ("What is on the last page?", 4),
        ("How long do queens live, as page 2 has it?", 2),
    ],
)
def test_passages_are_of_the_page_that_is_asked_for(question: str, page: int) -> None:
    answer = run_ask(get("auto"), Query(question), run_over(BEES, question=question))
    assert [passage.page for passage in answer.passages] == [page]
    assert answer.passages[0].text == BEES.blocks.text[page - 1]


def test_without_a_page_a_passage_runs_on() -> None:
    question = "How long do workers live?"
    answer = run_ask(get("auto"), Query(question), run_over(BEES, question=question))
    assert len(answer.passages[0].text) > len(BEES.blocks.text[2])


LONG = document(
    [
        (Kind.PARAGRAPH, "This book is about ships.", 1, 0),
        (Kind.HEADING, "2 The harbour", 2, 1),
        *[(Kind.PARAGRAPH, f"Berth {at} takes ships of {at} metres and gives them water and power.", 2, 0)
          for at in range(20, 40)],
    ],
    pages=2,
    name="ships.pdf",
)  # fmt: skip


@pytest.mark.parametrize(
    "question",
    ["What is on page 2?", "Summarise page 2", "What does the second page contain?", "page 2", "Page 2, please"],
)
def test_a_page_asked_for_by_itself_is_shown_from_its_beginning(question: str) -> None:
    answer = run_ask(get("auto"), Query(question), run_over(LONG, question=question))
    assert answer.lead == "What stands on page 2"
    lines = answer.passages[0].text.split("\n")
    assert (lines[0], lines[-1]) == (LONG.blocks.text[2], "…")
    assert answer.passages[0].section == ("2 The harbour",)


def test_what_is_asked_of_a_page_is_searched_on_it() -> None:
    question = "Which ships does berth 35 take, on page 2?"
    answer = run_ask(get("auto"), Query(question), run_over(LONG, question=question))
    assert "Berth 35" in answer.passages[0].text
    assert answer.lead != "What stands on page 2"


@pytest.mark.parametrize("question", ["What is on page 40?", "How many ships are on page 40?"])
def test_a_page_that_there_is_not_is_told(question: str) -> None:
    answer = run_ask(get("auto"), Query(question), run_over(LONG, question=question))
    assert (answer.outcome.value, answer.lead) == ("nothing", "There is no page 40: ships.pdf has 2 pages")


@pytest.mark.parametrize(
    "question",
    [
        "Was steht auf Seite 3?",
        "Fasse Seite 3 zusammen",
        "Que dit la page 3 ?",
        "Qu'y a-t-il à la page 3 ?",
        "¿Qué dice la página 3?",
        "Cosa c'è a pagina 3?",
        "O que está na página 3?",
        "Wat staat er op pagina 3?",
        "Co jest na stronie 3?",
        "Что написано на странице 3?",
        "第3页的内容是什么？",
        "3ページには何が書いてありますか",
        "ماذا يوجد في الصفحة 3؟",
    ],
)
def test_a_page_is_asked_for_in_other_languages(question: str) -> None:
    assert understand(question).asks_for_pages
    answer = run_ask(get("auto"), Query(question), run_over(BEES, question=question))
    assert [passage.page for passage in answer.passages] == [3]


@pytest.mark.parametrize(
    "question", ["Wer zahlt laut Seite 3 die Miete?", "¿Cuánto cuesta según la página 3?", "第3页的价格是多少？"]
)
def test_what_is_asked_of_a_page_is_not_the_page(question: str) -> None:
    assert not understand(question).asks_for_pages
    assert [one.number for one in understand(question).references] == ["3"]

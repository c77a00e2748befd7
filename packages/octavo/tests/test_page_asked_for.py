"""What a page says is answered from that page: other pages are no passages, and none runs over into another."""

from __future__ import annotations

import pytest

from indexed import run_over
from octavo.evidence import Query
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

"""Answer extraction by rule: from question and response to a final answer."""

from __future__ import annotations

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo_lab.decisions import extract_answer_value as extraction
from octavo_lab.metrics import mmlongbench

ROWS = [
    ("How many pages are there?", "There are 1,000 pages in it.", "1000", "Int"),
    ("How many criteria apply?", "Five criteria apply.", "5", "Int"),
    ("How many are there?", "It lists none of them.", "It lists none of them", "Str"),
    ("What percentage voted?", "About 18.29 % did.", "18.29%", "Float"),
    ("How much was net income?", "Net income was $1,577.5 million.", "1577.5", "Float"),
    ("What is the ratio?", "The ratio is -0.25.", "-0.25", "Float"),
    ("Which shapes does it use?", "- Circle\n- Rectangle", "['Circle', 'Rectangle']", "List"),
    ("Which shapes does it use?", "It uses: circle, square and star.", "['circle', 'square', 'star']", "List"),
    ("Which methods does it use?", "www.example.org/list-of-methods", "www.example.org/list-of-methods", "Str"),
    (
        "What are the steps?",
        "After the long preparation of everything needed for the test, and only then, it starts.",
        "After the long preparation of everything needed for the test, and only then, it starts",
        "Str",
    ),
    ("List the colours.", "['red', 'blue']", "['red', 'blue']", "List"),
    ("Where was it conceived?", "The answer is: Berlin. It opened in 1920.", "Berlin", "Str"),
    ("Who wrote it?", "**J. Doe**", "J. Doe", "Str"),
    ("Who wrote it?", "The document does not mention an author.", "Not answerable", "None"),
    ("Who wrote it?", "I cannot read the image.", "Fail to answer", "None"),
    ("Who wrote it?", "", "Fail to answer", "None"),
    ("Who wrote it?", "Not answerable", "Not answerable", "None"),
]


@pytest.mark.parametrize(("question", "response", "answer", "answer_format"), ROWS)
def test_a_response_yields_its_short_answer(question: str, response: str, answer: str, answer_format: str) -> None:
    found = extraction.extract(question, response)
    assert (found.answer, found.format) == (answer, answer_format)


def test_a_given_format_overrules_the_question() -> None:
    assert extraction.extract("Which year?", "In 2015, it rose.", answer_format="Int").answer == "2015"


def test_a_separator_is_gone_before_the_rule_scores() -> None:
    found = extraction.extract("How many?", "There were 1,000 of them.")
    assert mmlongbench.score("1000", found.answer, "Int") == 1.0


def test_extraction_has_no_place_for_a_gold_answer() -> None:
    assert list(inspect.signature(extraction.extract).parameters) == ["question", "response", "answer_format"]


@given(st.text(max_size=80), st.text(max_size=200))
def test_any_response_can_be_read(question: str, response: str) -> None:
    assert extraction.extract(question, response).format in {"Int", "Float", "List", "Str", "None"}

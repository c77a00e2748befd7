"""What is worked out of a row over two years: only where row and columns are sure, with both values quoted."""

from __future__ import annotations

import re

import pytest

from indexed import searched
from octavo.evidence import Answer, Outcome
from octavo.operators.extractive.extractive_reader import ExtractiveReader
from octavo.question.calculation import Arithmetic, Calculation, calculation_of
from octavo_documents.document import Kind
from synthetic import document, with_tables

HEAD = ["(in millions)", "2017", "2018", "2019", "2018 to 2019"]
TABLE = [
    HEAD,
    ["Harbour dues", "$ 110", "$ 120", "$ 150", "25"],
    ["Net dues", "100", "(20)", "30", ""],
    ["Share of ferries", "12.5%", "12.0%", "13.25%", ""],
    ["Rent", "n/a", "7", "9", "2"],
]


def ask(question: str, *tables: list[list[str]], least: float = 0.5) -> Answer:
    rows = [(Kind.HEADING, "Notes", 1, 1), *((Kind.TABLE, "", 1, 0) for _ in tables)]
    source = with_tables(document(rows), {at + 1: table for at, table in enumerate(tables)})
    run, evidence = searched(question, source)
    return ExtractiveReader(least=least)(evidence, run)


@pytest.mark.parametrize(
    ("question", "text", "value"),
    [
        ("What was the change in harbour dues between 2018 and 2019?", "30 million = $ 150 − $ 120", 30),
        ("What is the percentage change in harbour dues from 2018 to 2019?", "25% = ($ 150 − $ 120) / $ 120", 25),
        ("What were the average harbour dues for 2018 and 2019?", "135 million = ($ 120 + $ 150) / 2", 135),
        ("What is the increase / (decrease) in net dues from 2017 to 2018?", "-120 million = (20) − 100", -120),
        ("What is the difference in share of ferries in 2018 and 2019?", "1.25% = 13.25% − 12.0%", 1.25),
    ],
)
def test_two_values_of_a_row_give_an_answer_that_shows_its_formula(question: str, text: str, value: float) -> None:
    answer = ask(question, TABLE)
    assert (answer.outcome, answer.text, answer.value) == (Outcome.ANSWER, text, value)
    (cited,) = answer.citations
    operands = re.findall(r"\d[\d.]*", re.sub(r"\) / .*", "", text.partition("= ")[2]))
    assert len(operands) == 2
    assert all(one in cited.quote for one in operands)


@pytest.mark.parametrize(
    "question",
    [
        "What is the percentage change in net dues from 2018 to 2019?",  # of less than nothing
        "What was the change in rent between 2017 and 2018?",  # one of them is none
        "What were the average harbour dues from 2017 to 2019?",  # of three years
        "What was the change in harbour dues between 2016 and 2019?",  # a year without a column
        "What was the change in dues between 2018 and 2019?",  # of which dues?
        "What was the change in harbour dues of Oslo between 2018 and 2019?",  # of what stands nowhere
    ],
)
def test_where_row_or_column_is_not_sure_nothing_is_worked_out(question: str) -> None:
    assert "=" not in ask(question, TABLE).text


def test_rows_that_disagree_give_nothing_and_a_surer_answer_may_be_asked_for() -> None:
    question = "What was the change in harbour dues between 2018 and 2019?"
    other = [HEAD, ["Harbour dues", "1", "2", "9", ""]]
    assert "=" not in ask(question, TABLE, other).text
    assert ask(question, TABLE, least=0.95).outcome is Outcome.PASSAGES


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (
            "What was the change in the cost of coal from fiscal 2018 to fiscal 2019?",
            Calculation(Arithmetic.CHANGE, ("cost", "coal"), "2018", "2019"),
        ),
        (
            "What was the average cost of coal in 2019 and 2018?",
            Calculation(Arithmetic.AVERAGE, ("cost", "coal"), "2018", "2019"),
        ),
        ("What was the change in the cost of coal in 2019?", None),
        ("Why did the cost of coal change between 2018 and 2019?", None),
        ("What was the change between 2018 and 2019?", None),
    ],
)
def test_a_calculation_is_told_by_how_a_question_opens_and_by_two_years(
    question: str, found: Calculation | None
) -> None:
    assert calculation_of(question) == found

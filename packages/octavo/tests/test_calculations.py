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
        ("By how much did the harbour dues fall or rise from 2017 to 2018?", "10 million = $ 120 − $ 110", 10),
        ("By what percentage did harbour dues increase between 2018 and 2019?", "25% = ($ 150 − $ 120) / $ 120", 25),
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
        "What was Oslo's change in harbour dues between 2018 and 2019?",
        "By how much did Oslo's harbour dues change between 2018 and 2019?",
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
        *(
            (question, Calculation(Arithmetic.PERCENT, ("cost", "coal"), "2018", "2019"))
            for question in (
                "By what percentage did the cost of coal rise between 2018 and 2019?",
                "By how many per cent has the cost of coal fallen from 2018 to 2019?",
                "Work out the year-over-year % change in the cost of coal for 2019 against 2018.",
                "What was the growth rate of the cost of coal from 2018 to 2019?",
                "What’s the company’s relative decline in the cost of coal between 2018 and 2019?",
            )
        ),
        *(
            (question, Calculation(Arithmetic.CHANGE, ("cost", "coal"), "2018", "2019"))
            for question in (
                "By how much did the cost of coal change between 2018 and 2019?",
                "How much has the cost of coal grown from 2018 to 2019?",
                "How large was the drop in the cost of coal from 2018 to 2019?",
                "What is the rise or fall in the cost of coal from 2018 to 2019?",
                "Find our total reduction in the cost of coal, 2018 to 2019",
                "Increase/decrease in the cost of coal 2018–2019",
            )
        ),
        (
            "What was Oslo Port Authority's mean cost of coal for 2018 and 2019?",
            Calculation(Arithmetic.AVERAGE, ("oslo", "port", "author", "cost", "coal"), "2018", "2019"),
        ),
        (
            "How much did the value at risk of shrimp increase from 2018 to 2019?",
            Calculation(Arithmetic.CHANGE, ("risk", "shrimp"), "2018", "2019"),
        ),
        ("How did the cost of coal change between 2018 and 2019?", None),
        ("How much did the coal cost in 2018 and 2019?", None),
        ("What was the cost of the change of berths in 2018 and 2019?", None),
        ("Who decided the increase in the cost of coal between 2018 and 2019?", None),
        ("What was the change in the cost of coal in 2019?", None),
        ("Why did the cost of coal change between 2018 and 2019?", None),
        ("What was the change between 2018 and 2019?", None),
    ],
)
def test_a_calculation_is_told_by_how_a_question_opens_and_by_two_years(
    question: str, found: Calculation | None
) -> None:
    assert calculation_of(question) == found

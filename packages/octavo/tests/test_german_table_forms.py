"""Plain German questions over the rows of a sheet, and heads of columns that are cut short or broken."""

from __future__ import annotations

import pytest

from octavo.evidence.whole_table import WholeTable
from octavo.operators.extractive.table_queries import work
from octavo.question.table_readings import table_readings

HEADS = ["Nr.", "Name", "Wahlbe- rechtigte", "abgegeb. Stimmen", "Wahlbet. in %", "ungültige Stimmen", "Huber Stimmen"]
ROWS = [
    ["40101", "Altdorf", "1,210", "731", "60.41", "19", "402"],
    ["40102", "Bad Quell", "2,055", "904", "43.99", "55", "511"],
    ["40103", "Steinach", "873", "598", "68.50", "31", "288"],
    ["40104", "Weidenau", "1,644", "985", "59.91", "27", "640"],
]
VOTES = WholeTable.of(HEADS, ROWS, [(0, at + 1) for at in range(len(ROWS))])


def texts(question: str) -> set[str]:
    worked = (work(query, VOTES) for query in table_readings(question, VOTES))
    return {one.text for one in worked if one is not None}


@pytest.mark.parametrize(
    ("question", "stated"),
    [
        ("Wie viele Stimmen bekam Huber in Bad Quell?", "511"),
        ("Wie hoch war die Wahlbeteiligung in Steinach?", "68.50"),
        ("Welche Gemeinde hat die meisten ungültigen Stimmen?", "Bad Quell"),
        ("In welcher Gemeinde war die Wahlbeteiligung am höchsten?", "Steinach"),
        ("Which Gemeinde has the lowest Wahlbet. in %?", "Bad Quell"),
        ("Wie viele Wahlberechtigte gibt es in Altdorf?", "1,210"),
    ],
)
def test_german_questions_over_a_sheet_are_worked_out_also_under_heads_cut_short(question: str, stated: str) -> None:
    assert texts(question) == {stated}


@pytest.mark.parametrize(
    "question",
    [
        "Wie viele Stimmen bekam Huber nicht in Bad Quell?",
        "Wie viele Stimmen hat Huber durchschnittlich in Bad Quell?",
        "Wie viele Stimmen bekam Maier in Bad Quell?",
        "Wie viele Stimmen bekam Huber in Neustadt?",
        "Welche Gemeinde hat nicht die meisten ungültigen Stimmen?",
    ],
)
def test_german_questions_over_a_sheet_that_are_not_plain_are_not_stated(question: str) -> None:
    assert not texts(question)


@pytest.mark.parametrize(
    "question",
    [
        "How many ungültige Stimmen did Maier get in Steinach?",
        "How many red Stimmen did Huber get in Steinach?",
        "How many Stimmen did Huber get in Steinach in 1998?",
        "Which Gemeinde in Tirol has the most ungültige Stimmen?",
    ],
)
def test_a_word_that_tells_of_something_else_does_not_go_unsaid(question: str) -> None:
    assert not texts(question)

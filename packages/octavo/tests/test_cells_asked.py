"""Cells that a question names by the words of their row, their column and their period, and periods chosen by them."""

from __future__ import annotations

import pytest

from indexed import searched
from octavo.evidence import Answer, Outcome
from octavo.operators.extractive.extractive_reader import ExtractiveReader
from octavo.operators.extractive.table_axes import amounts, axes_of, is_amount, years_named
from octavo_documents.document import Grid, Kind
from synthetic import document, with_tables

HARBOUR = [
    ["", "Years ended June 30,", ""],
    ["", "2024", "2023"],
    ["(in thousands of euros)", "", ""],
    ["Harbour dues", "1,250", "1,310"],
    ["Other harbour dues", "40", "35"],
    ["Total harbour dues", "1,290", "1,345"],
    ["Repairs", "610", "580"],
]


def ask(question: str, *tables: list[list[str]], text: str = "") -> Answer:
    """Ask of tables whose heads are not known, as where they are printed without lines."""
    rows = [(Kind.HEADING, "Accounts", 1, 1), *((Kind.TABLE, "", 1, 0) for _ in tables)]
    rows += [(Kind.PARAGRAPH, text, 1, 0)] if text else []
    grids = {at + 1: Grid.of_rows(table) for at, table in enumerate(tables)}
    run, evidence = searched(question, with_tables(document(rows), grids))
    return ExtractiveReader()(evidence, run)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What were the other harbour dues in 2024?", "40"),
        ("What were the total harbour dues in 2023?", "1,345"),
        ("How much were harbour dues in 2023?", "1,310"),
    ],
)
def test_a_cell_is_told_by_its_row_and_the_year_of_its_column(question: str, text: str) -> None:
    answer = ask(question, HARBOUR)
    assert answer.outcome is Outcome.ANSWER
    assert answer.text.startswith(text)


@pytest.mark.parametrize(
    "question",
    [
        "What were harbour dues in 2022?",
        "What were harbour dues?",
        "What were fishing dues in 2024?",
        "What was the difference between harbour dues and repairs in 2024?",
    ],
)
def test_what_no_cell_or_several_are_called_is_not_stated(question: str) -> None:
    assert ask(question, HARBOUR).outcome is not Outcome.ANSWER


def test_a_head_over_several_columns_tells_them_apart() -> None:
    table = [
        ["", "Domestic", "", "International", ""],
        ["", "2024", "2023", "2024", "2023"],
        ["Landing fee", "4.00", "3.75", "1.90", "2.80"],
    ]
    assert ask("What was the international landing fee in 2023?", table).text == "2.80"
    assert ask("What was the landing fee in 2023?", table).outcome is not Outcome.ANSWER


def test_years_in_turn_have_a_value_each() -> None:
    answer = ask("What were repairs in 2023 and 2024, respectively?", HARBOUR)
    assert answer.text.startswith("580")
    assert answer.text.endswith("(2024)")


@pytest.mark.parametrize(
    ("question", "year"),
    [
        ("In which year were repairs higher?", "2024"),
        ("In which year were total harbour dues lowest?", "2024"),
        ("Between 2023 and 2024, which year had the higher harbour dues?", "2023"),
        ("In which year were repairs below 600 thousand?", "2023"),
    ],
)
def test_the_year_of_the_most_is_told_by_its_row(question: str, year: str) -> None:
    answer = ask(question, HARBOUR)
    assert (answer.outcome, answer.text) == (Outcome.ANSWER, year)


def test_no_year_is_told_where_two_have_as_much_or_one_has_no_number() -> None:
    table = [["", "2024", "2023", "2022"], ["Repairs", "610", "610", "500"], ["Dues", "9", "—", "7"]]
    assert ask("In which year were repairs the highest?", table).outcome is not Outcome.ANSWER
    assert ask("In which year were dues the highest?", table).outcome is not Outcome.ANSWER
    assert ask("In which year were repairs the lowest?", table).text == "2022"


def test_a_row_of_heads_further_down_holds_for_what_is_below_it() -> None:
    table = [["", "2024", "2023"], ["Repairs", "610", "580"], ["", "2022", "2021"], ["Repairs", "570", "560"]]
    assert ask("What were repairs in 2022?", table).text == "570"


def test_heads_stand_in_the_middle_of_what_they_span() -> None:
    rows = [["", "", "2024", "", "", "2023", ""], ["", "A", "B", "C", "A", "B", "C"], ["Dues", *"123456"]]
    axes = axes_of(Grid.of_rows(rows))
    assert [cell.head for cell in axes.cells] == ["2024 A", "2024 B", "2024 C", "2023 A", "2023 B", "2023 C"]
    assert [number for _, number in amounts(axes.cells)] == [1, 2, 3, 4, 5, 6]


def test_years_are_read_short_and_in_figures_apart() -> None:
    assert years_named("FY24") == years_named("fiscal 2024") == {"2024"}
    assert years_named("Sales '98") == {"1998"}
    assert axes_of(Grid.of_rows([["", "2 0 2 4"], ["Dues", "7"]])).cells[0].years == {"2024"}
    assert all(map(is_amount, ("(1,200)", "$ 4.5", "12 %")))
    assert not any(map(is_amount, ("2024", "Dues")))

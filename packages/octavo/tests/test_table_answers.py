"""Questions over whole tables, asked of documents: the answer, the rows it stands on, and what is left open."""

from __future__ import annotations

import dataclasses

import numpy as np

from indexed import searched
from octavo.evidence import Answer, AnswerFormat, Outcome, View
from octavo.operators.extractive.extractive_reader import ExtractiveReader
from octavo.operators.extractive.table_answers import either
from octavo.operators.extractive.whole_tables import whole_table
from octavo_documents.document import Document, Grid, Kind
from synthetic import document, with_tables

ORDERS = [
    ["Order", "City", "State", "Amount"],
    ["10231", "Oslo", "late", "$1,200"],
    ["10232", "Bergen", "shipped", "$80"],
    ["10233", "Oslo", "shipped", "$640"],
    ["10234", "Turku", "open", "$75"],
    ["10235", "Oslo", "late", "$310"],
]
AGAIN = [["Order", "City", "State", "Amount"], ["10234", "Lund", "late", "$12"], ["10240", "Lund", "open", "$13"]]


def of_tables(*tables: Grid | list[list[str]], parts: bool = False) -> Document:
    """Return a document of sheets, or of the `parts` of one."""
    rows = [(Kind.HEADING, "Orders", 1, 1), *((Kind.TABLE, "", 1, 0) for _ in tables)]
    grids = [table if isinstance(table, Grid) else Grid.of_rows(table, header_rows=1) for table in tables]
    sheets = {at + 1: dataclasses.replace(grid, origin=(0, 0)) for at, grid in enumerate(grids)}
    return with_tables(
        document(rows), sheets, goes_on={at: at - 1 for at in range(2, len(tables) + 1)} if parts else {}
    )


def ask(question: str, *tables: list[list[str]], sure: float = 0.5) -> Answer:
    run, evidence = searched(question, of_tables(*tables))
    return ExtractiveReader(least=sure)(evidence, run)


def test_the_row_of_a_key_and_the_column_that_is_named_give_the_cell() -> None:
    answer = ask("What is the state of order 10234?", ORDERS)
    assert (answer.outcome, answer.text, answer.format) == (Outcome.ANSWER, "open", AnswerFormat.STR)
    assert [cited.quote for cited in answer.citations] == ["10234 | Turku | open | $75"]


def test_a_cell_that_is_looked_up_has_the_unit_in_the_head_of_its_column() -> None:
    boats = [["Boat", "Length (m)", "Crew"], ["Tern", "9.5", "3"], ["Gull", "12", "5"]]
    assert ask("What is the length of the Tern?", boats).text == "9.5 m"


def test_no_cell_of_a_sheet_answers_what_compares_its_rows() -> None:
    models = [
        ["Model", "Price", "Class"],
        ["Via", "$126,476", "A"],
        ["Tour", "$362,285", "A"],
        ["Aspect", "$90,000", "C"],
    ]
    assert ask("What is the price of the Tour?", models).text == "$362,285"
    assert ask("What is the price of bot the Via and Tour combined?", models).outcome is Outcome.PASSAGES


def test_two_tables_with_one_key_show_both_rows_and_state_none() -> None:
    answer = ask("What is the state of order 10234?", ORDERS, AGAIN)
    assert (answer.outcome, sorted(answer.rivals)) == (Outcome.PASSAGES, ["late", "open"])
    assert answer.lead == f"2 rows fit: {either(answer.rivals)}?"
    assert {passage.text.splitlines()[1] for passage in answer.passages} == {
        "10234 | Turku | open | $75",
        "10234 | Lund | late | $12",
    }
    assert answer.to_json().get("rivals") == [*answer.rivals]


def test_two_cells_of_one_row_are_told_as_cells() -> None:
    rates = [["Year", "Rate FY", "Rate SR"], ["2005", "31%", "39%"], ["2007", "30%", "36%"]]
    answer = ask("What was the rate in 2005?", rates)
    assert (answer.outcome, answer.lead) == (Outcome.PASSAGES, "2 cells fit: “31%” or “39%”?")


def test_in_a_text_rows_between_which_nothing_decides_leave_the_question_to_passages() -> None:
    rows = [(Kind.HEADING, "Orders", 1, 1), (Kind.TABLE, "", 1, 0), (Kind.TABLE, "", 1, 0)]
    run, evidence = searched("What is the state of order 10234?", with_tables(document(rows), {1: ORDERS, 2: AGAIN}))
    answer = ExtractiveReader()(evidence, run)
    assert answer.outcome is Outcome.PASSAGES
    assert "rows fit" not in answer.lead


def test_a_count_is_shown_with_the_rows_that_were_counted() -> None:
    answer = ask("How many orders from Oslo are late?", ORDERS)
    assert (answer.outcome, answer.text, answer.value) == (Outcome.ANSWER, "2", 2)
    assert answer.lead == "Counted 2 of 5 rows where City is Oslo and State is late"
    assert [cited.quote for cited in answer.citations] == ["10231 | Oslo | late | $1,200", "10235 | Oslo | late | $310"]
    shown = answer.passages[0]
    assert [shown.text[start:stop] for start, stop in shown.emphasis] == [cited.quote for cited in answer.citations]
    assert "rivals" not in answer.to_json()


def test_the_most_is_said_of_the_rows_that_fit_the_conditions() -> None:
    assert (
        ask("Which order in Oslo has the highest amount?", ORDERS).lead
        == "The most Amount of 3 rows where City is Oslo"
    )
    assert ask("Which order has the highest amount?", ORDERS).lead == "The most Amount of 5 rows"


def test_a_sum_is_shown_with_its_formula() -> None:
    answer = ask("What is the total amount of orders that are late?", ORDERS)
    assert (answer.text, answer.value) == ("$1,510 = $1,200 + $310", 1510)


def test_who_asks_for_surer_answers_gets_passages() -> None:
    assert ask("How many orders from Oslo are late?", ORDERS, sure=0.95).outcome is Outcome.PASSAGES


def test_parts_that_carry_the_heads_of_the_first_are_one_table() -> None:
    first, rest = Grid.of_rows(ORDERS[:3], header_rows=1), Grid.of_rows(ORDERS[3:])
    carried = Grid(rest.height, rest.width, rest.cells, carried=tuple(ORDERS[0]))
    view = View([of_tables(first, carried, parts=True)])
    for row in (1, 2):
        table = whole_table(view, row)
        assert table is not None
        assert table.columns[0] == ("10231", "10232", "10233", "10234", "10235")
        assert [block for block, _ in table.places] == [1, 1, 2, 2, 2]
        assert np.nansum(table.values(3)) == 2305


def test_tables_that_stand_one_after_the_other_are_two() -> None:
    view = View([of_tables(ORDERS, AGAIN)])
    assert [len(table or ()) for table in (whole_table(view, 1), whole_table(view, 2))] == [5, 2]


def test_of_a_long_table_a_look_up_reads_the_parts_that_have_its_rarest_word() -> None:
    heads, rows = ORDERS[0], [[str(10_000 + at), "Oslo", "open", f"${at}"] for at in range(60)]
    parts = [Grid.of_rows(rows[at : at + 5]) for at in range(5, 60, 5)]
    carried = [Grid(part.height, part.width, part.cells, carried=tuple(heads)) for part in parts]
    view = View([of_tables(Grid.of_rows([heads, *rows[:5]], header_rows=1), *carried, parts=True)])
    some, whole = whole_table(view, 3, ["state", "order", "10052"]), whole_table(view, 3)
    assert some is not None
    assert some.columns[0] == ("10050", "10051", "10052", "10053", "10054")
    assert whole is not None
    assert len(whole) == 60


def test_alternatives_are_told_in_words() -> None:
    assert either(["60.00", "63.00"]) == "“60.00” or “63.00”"
    assert either(["a", "b", "c"]) == "“a”, “b” or “c”"

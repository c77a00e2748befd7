"""Questions over whole tables: what plain ones may mean, and what comes of a query by array arithmetic."""

from __future__ import annotations

import pytest

from octavo.evidence.table_query import CellComparison, Condition, TableOperation, TableQuery
from octavo.evidence.whole_table import WholeTable
from octavo.operators.extractive.table_queries import work
from octavo.question.table_forms import compares_rows
from octavo.question.table_readings import table_readings
from octavo_documents.document import Grid
from octavo_documents.text.cell_values import day_in, names_of, number_in, time_in, year_in

HEADS = ["Order", "Customer", "City", "State", "Amount", "Ordered on"]
ROWS = [
    ["10231", "Amber Ltd", "Oslo", "late", "$1,200.50", "2 March 2024"],
    ["10232", "Birch AS", "Bergen", "shipped", "$80.00", "5 March 2024"],
    ["10233", "Cedar GmbH", "Oslo", "shipped", "$640.00", "9 April 2024"],
    ["10234", "Dune Ltd", "Turku", "open", "$75.25", "11 May 2024"],
    ["10235", "Elm Ltd", "Oslo", "late", "$310.00", "2 June 2024"],
    ["Total", "", "", "", "$2,305.75", ""],
]
ORDERS = WholeTable.of(HEADS, ROWS, [(0, at + 1) for at in range(len(ROWS))])


def texts(question: str, table: WholeTable = ORDERS) -> set[str]:
    """Return what the readings of a question come to, without those that come to nothing."""
    worked = (work(query, table) for query in table_readings(question, table))
    return {one.text for one in worked if one is not None}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many orders from Oslo are late?", "2"),
        ("How many orders are there?", "5"),
        ("What is the number of orders with an amount of more than 300?", "3"),
        ("How many orders have an amount between 75 and 100?", "2"),
        ("How many different cities are there?", "3"),
        ("What is the total amount of orders from Oslo?", "$2,150.50"),
        ("What is the average amount in Oslo?", "$716.83"),
        ("What is the average amount of Birch AS and Cedar GmbH?", "$360.00"),
        ("What is the average amount of orders from Oslo?", "$716.83"),
        ("Which customer had the highest amount?", "Amber Ltd"),
        ("Which order has the lowest amount?", "10234"),
        ("What is the highest amount?", "$1,200.50"),
        ("Which city has the most orders?", "Oslo"),
        ("What is the difference in amount between Amber Ltd and Birch AS?", "$1,120.50"),
        ("Which has a higher amount, Birch AS or Dune Ltd?", "Birch AS"),
        ("What is the state of order 10234?", "open"),
        ("Which customer is from Turku?", "Dune Ltd"),
        ("Which customer came after Cedar GmbH?", "Dune Ltd"),
        ("Which customer is listed first?", "Amber Ltd"),
    ],
)
def test_a_plain_question_means_one_thing_and_that_is_worked_out(question: str, answer: str) -> None:
    assert texts(question) == {answer}


@pytest.mark.parametrize(
    "question",
    [
        "How many overdue orders are from Oslo?",  # "overdue" stands nowhere, and may be a condition
        "How many orders from Lund are late?",
        "Which orders are not late?",
        "How many orders are late, and why?",
        "Why is order 10234 open?",
        "What is the colour of the crane?",
        "Is order 10234 late?",
    ],
)
def test_a_word_that_the_table_does_not_account_for_leaves_a_question_without_a_reading(question: str) -> None:
    assert texts(question) == set()


CREWS = WholeTable.of(
    ["Name", "Born", "Home port", "Boat", "Height", "Boats", "Population"],
    [
        ["Ana Berg", "2 May 1981", "Oslo", "Tern", "180 cm / 5 ft 11", "3", "700"],
        ["Ben Dahl", "9 June 1975", "Lund", "Gull", "175 cm / 5 ft 9", "1", "90"],
        ["Cy Eide", "1 March 1990", "Oslo", "Heron", "191 cm / 6 ft 3", "2", "700"],
    ],
    [(0, 1), (0, 2), (0, 3)],
)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which member is the oldest?", {"Ben Dahl"}),
        ("Who is the youngest?", {"Cy Eide"}),
        ("How tall is Ben Dahl?", {"175 cm / 5 ft 9"}),
        ("How many members are taller than 176 cm?", {"2"}),
        ("Who is the only member from Lund?", {"Ben Dahl"}),
        ("Who is the only member from Oslo?", {""}),  # there are two
        ("How many inhabitants does Lund have?", {"90"}),
        ("Which home port has the fewest people?", {"Lund"}),
        ("Which boat comes after the Tern?", {"Gull"}),
        ("Which home port has the most sailors?", {"Oslo"}),
    ],
)
def test_what_columns_have_under_another_word(question: str, answers: set[str]) -> None:
    assert texts(question, CREWS) == answers


@pytest.mark.parametrize("question", ["What is the total of Oslo?", "Which boat is in the same port as the Tern?"])
def test_what_is_worked_out_of_rows_or_compares_them_is_no_cell(question: str) -> None:
    assert compares_rows(question)
    assert not compares_rows("Which boat has the most crew?")


def test_two_rows_of_one_key_are_both_found_and_none_is_stated() -> None:
    twice = WholeTable.of(
        HEADS, [*ROWS[:4], ["10234", "Elm Ltd", "Lund", "late", "$1.00", "3 June 2024"]], [(0, 1)] * 5
    )
    (query,) = table_readings("What is the state of order 10234?", twice)
    worked = work(query, twice)
    assert worked is not None
    assert (worked.text, worked.rows) == ("", (3, 4))


def test_the_fastest_is_not_the_one_with_the_most_time() -> None:
    race = WholeTable.of(["Boat", "Time"], [["Tern", "1:57.08"], ["Gull", "1:55.45"]], [(0, 1), (0, 2)])
    assert texts("Which boat had the fastest time?", race) == set()
    assert texts("Which boat had the least time?", race) == {"Gull"}


def test_rows_that_tie_are_told_and_none_is_stated() -> None:
    tied = WholeTable.of(
        ["Boat", "Length"], [["Tern", "9 m"], ["Gull", "12 m"], ["Heron", "12 m"]], [(0, 1), (0, 2), (0, 3)]
    )
    (query,) = table_readings("Which boat has the greatest length?", tied)
    worked = work(query, tied)
    assert worked is not None
    assert (worked.text, worked.rows) == ("", (1, 2))


def test_totals_count_in_no_sum_and_no_count() -> None:
    assert texts("How many orders have an amount of more than 1,000?") == {"1"}
    added = work(TableQuery(TableOperation.SUM, column="Amount"), ORDERS)
    assert added is not None
    assert added.text == "$2,305.75"


def test_a_query_that_names_a_column_that_is_not_there_comes_to_nothing() -> None:
    assert work(TableQuery(TableOperation.SUM, column="Weight"), ORDERS) is None
    no_column = Condition("Weight", CellComparison.IS, ("9",))
    assert work(TableQuery(TableOperation.COUNT, (no_column,)), ORDERS) is None


def test_a_condition_may_be_that_a_cell_is_not_so_or_holds_a_word() -> None:
    no_oslo = Condition("City", CellComparison.IS_NOT, ("Oslo",))
    counted = work(TableQuery(TableOperation.COUNT, (no_oslo,)), ORDERS)
    assert counted is not None
    assert counted.rows == (1, 3)
    limited = work(
        TableQuery(TableOperation.VALUES, (Condition("Customer", CellComparison.HAS, ("ltd",)),), shown="Order"), ORDERS
    )
    assert limited is not None
    assert limited.text == "10231; 10234; 10235"


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("1,204 km (748 mi)", 1204),
        ("(3.5)", -3.5),
        ("−14 (67-66)", -14),
        ("€ 30", 30),
        ("12%", 12),
        ("2nd", 2),
        ("7.", 7),
    ],
)
def test_cells_are_numbers_with_what_stands_beside_them_left_out(cell: str, number: float) -> None:
    assert number_in(cell) == number


@pytest.mark.parametrize("cell", ["28 January 1922", "0–1", "F-16", "", "n/a", "1:57.08", "12 or 13"])
def test_other_cells_are_no_numbers(cell: str) -> None:
    assert number_in(cell) != number_in(cell)


def test_times_and_days_are_compared_as_such() -> None:
    assert time_in("1:57.08") == pytest.approx(117.08)
    assert day_in("28 January 1922") < day_in("2 February 1922") < day_in("1922-02-03")
    assert day_in("Oslo") != day_in("Oslo")
    assert day_in("2009/12/31") == day_in("31 December 2009") < day_in("1 January 2010")


@pytest.mark.parametrize(
    "printed",
    ["{y}-{m:02}-{d:02}", "{y}/{m:02}/{d:02}", "{y}-{m:02}-{d:02}T00:00:00+01:00", "{d}-{m}-{y}", "{d}.{m}.{y}"],
)
@pytest.mark.parametrize("day", [1, 15, 31])
def test_a_day_of_each_month_is_in_its_own_year(printed: str, day: int) -> None:
    cells = [printed.format(y=2009, m=month, d=min(day, 28 if month == 2 else 30)) for month in range(1, 13)]
    assert [year_in(cell) for cell in cells] == [2009] * 12
    assert all("2009" in names_of(cell) and names_of(cell).isdisjoint({"2008", "2010"}) for cell in cells)
    assert sorted(cells, key=day_in) == cells


def test_no_two_days_of_a_year_are_one_number() -> None:
    days = [day_in(f"2012-{month:02}-{day:02}") for month in range(1, 13) for day in range(1, 32)]
    assert days == sorted(set(days))
    assert days[30] < day_in("February 2012") < days[31]


def test_the_most_of_a_year_is_looked_for_among_all_months_of_it() -> None:
    months = [
        [f"{year}-{month:02}-01", str(year * 10 - month)] for year in (2008, 2009, 2010) for month in range(1, 13)
    ]
    table = WholeTable.of(["month", "cheese"], months, [(0, at + 1) for at in range(len(months))])
    assert texts("Which month had the highest cheese in 2009?", table) == {"2009-01-01"}
    assert texts("Which month had the lowest cheese in 2009?", table) == {"2009-12-01"}


GROUPED = Grid.of_rows(
    [
        ["School Info.", "", "", "", "Votes Abel", "", "Votes Baker", ""],
        ["", "District", "School", "Total Enrollment", "Cast", "Share", "Cast", "Share"],
        ["01", "Polk", "Elm House", "120.5", "40", "33.2", "12", "10.0"],
        ["01", "Polk", "Old Mill", "88", "30", "34.1", "22", "25.0"],
        ["02", "Orta", "Hill Top", "301", "12", "4.0", "200", "66.4"],
    ],
    header_rows=2,
)


def grouped() -> WholeTable:
    """Return a table whose heads stand in groups, as they are where a group's head is joined over its columns."""
    heads = [f"School Info. {head}".strip() for head in ("", "District", "School", "Total Enrollment")]
    return WholeTable.of([*heads, *GROUPED.headers()[4:]], GROUPED.rows()[2:], [(0, 2), (0, 3), (0, 4)])


def test_a_head_over_the_first_of_a_group_of_columns_tells_those_with_one_head_apart() -> None:
    assert GROUPED.headers()[4:] == ["Votes Abel Cast", "Votes Abel Share", "Votes Baker Cast", "Votes Baker Share"]
    alone = Grid.of_rows([["", "Cast", "Share", "Share"], ["Polk", "4", "5", "6"]], header_rows=1)
    assert alone.headers() == ["", "Cast", "Share", "Share"]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which school has the most Total Enrollment?", "Hill Top"),
        ("Which school has the highest total enrollment?", "Hill Top"),
        ("What is the highest total enrollment?", "301"),
        ("How many schools are there in Polk district?", "2"),
        ("Which school has the highest Abel share?", "Old Mill"),
        ("Which school has the lowest Baker share?", "Elm House"),
    ],
)
def test_total_in_the_name_of_a_column_is_no_sum_and_a_groups_head_names_no_column(question: str, answer: str) -> None:
    assert texts(question, grouped()) == {answer}

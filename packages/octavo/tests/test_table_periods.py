"""Stretches of time over the rows of a table: which a question names, and what comes of the rows that are in them."""

from __future__ import annotations

import pytest

from octavo.evidence.whole_table import WholeTable
from octavo.operators.extractive.table_queries import work
from octavo.question.table_periods import periods_asked
from octavo.question.table_readings import table_readings
from octavo_documents.text.forms import MONTHS as MONTH_NAMES

MONTHS = [(year, month) for year in (2009, 2010, 2011) for month in range(1, 13)]
"""Cheese falls by 3 a month from 1000; wool rises by 2 from 500."""


def shop(printed: str) -> WholeTable:
    """Return a table of 36 months, their days written in one form."""
    rows = [
        [
            printed.format(y=year, m=month, name=MONTH_NAMES[month - 1].title()),
            str(1000 - 3 * at),
            str(500 + 2 * at),
            str(at % 5),
        ]
        for at, (year, month) in enumerate(MONTHS)
    ]
    return WholeTable.of(["month", "cheese", "wool", "wool_change"], rows, [(0, at + 1) for at in range(len(rows))])


def texts(question: str, table: WholeTable) -> set[str]:
    worked = (work(query, table) for query in table_readings(question, table))
    return {one.text for one in worked if one is not None}


@pytest.mark.parametrize(
    "printed", ["{y}-{m:02}-01", "{y}/{m:02}/15", "1 {name} {y}", "{name} {y}", "{y}-{m:02}-28 00:00"]
)
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the highest cheese between March and June 2010?", "958"),
        ("What was the lowest cheese from March 2010 to June 2010?", "949"),
        ("What was the highest cheese in Q4 2010?", "937"),
        ("What was the highest cheese in the first quarter of 2010?", "964"),
        ("What was the lowest wool since 2011?", "548"),
        ("What was the highest wool before 2010?", "522"),
        ("What was the lowest wool after June 2010?", "536"),
        ("What was the highest wool until June 2010?", "534"),
        ("What was the cheese in December 2009?", "967"),
        ("Average wool in 2010", "535"),
        ("Total wool in Q2 2009", "1,524"),
        ("How many months of 2010 are there?", "12"),
        ("How many months since 2010 are in the table?", "24"),
        ("How much did cheese change from January 2009 to December 2011?", "−105"),
        ("By how much did wool increase between January 2009 and January 2010?", "24"),
    ],
)
def test_rows_in_a_stretch_of_time_are_told_by_their_days(printed: str, question: str, answer: str) -> None:
    assert texts(question, shop(printed)) == {answer}


def test_months_between_two_that_no_day_tells_are_not_taken_for_these_two() -> None:
    rows = [["2010", name, str(at)] for at, name in enumerate(["March", "April", "May", "June"])]
    table = WholeTable.of(["year", "month", "wool"], rows, [(0, at + 1) for at in range(4)])
    assert texts("What is the total wool between March and June 2010?", table) == set()
    assert texts("What is the wool in June 2010?", table) == {"3"}
    assert texts("What is the wool in May 2010?", table) == set()


def test_a_change_is_none_where_an_end_has_several_rows() -> None:
    rows = [[f"2010-{month:02}-{day:02}", str(month * day)] for month in (1, 2) for day in (3, 9)]
    table = WholeTable.of(["day", "wool"], rows, [(0, at + 1) for at in range(4)])
    assert texts("How much did wool change from January 2010 to February 2010?", table) == set()
    assert texts("How much did wool change from 3 January 2010 to 9 February 2010?", table) == {"15"}


def test_years_of_a_column_of_numbers_are_counted_since_one() -> None:
    table = WholeTable.of(["Year", "Boats"], [[str(year), str(year % 7)] for year in range(2001, 2011)], [(0, 1)] * 10)
    assert texts("How many years since 2006 are listed?", table) == {"5"}
    assert texts("What is the highest boats from 2003 to 2005?", table) == {"3"}


def test_a_year_alone_and_a_month_alone_are_no_stretch() -> None:
    assert periods_asked("which boat was built in 2009 in may") == ()
    assert [(one.since, one.until) for one in periods_asked("rain in july 2012 and since q3 2013")] == [
        ("2013-07", ""),
        ("2012-07", "2012-07"),
    ]

"""Rows that are sums of others: which they are, and that they take part in no ranking and no count."""

from __future__ import annotations

import numpy as np
import pytest

from octavo.evidence.table_query import TableOperation, TableQuery
from octavo.evidence.total_rows import are_called_totals, are_sums, is_as_much_as_all
from octavo.evidence.whole_table import WholeTable
from octavo.operators.extractive.table_queries import Worked, work

RNG = np.random.default_rng(7)
CANTONS = {f"Canton {letter}": [f"{letter}{at}" for at in range(2 + at_of % 4)] for at_of, letter in enumerate("PQRST")}


def nested(*, is_total_first: bool, word: str = "") -> WholeTable:
    """Return a land of cantons of places, with sums before their parts or after them."""
    parts: list[list[list[str]]] = []
    all_of = np.zeros(2, np.int64)
    for canton, places in CANTONS.items():
        numbers = RNG.integers(100, 90_000, (len(places), 2))
        rows = [[place, *map(str, own)] for place, own in zip(places, numbers.tolist(), strict=True)]
        total = [word or canton, *map(str, numbers.sum(axis=0).tolist())]
        all_of += numbers.sum(axis=0)
        parts.append([total, *rows] if is_total_first else [*rows, total])
    land = ["Land", *map(str, all_of.tolist())]
    flat = [row for part in parts for row in part]
    return of([land, *flat] if is_total_first else [*flat, land])


def of(rows: list[list[str]]) -> WholeTable:
    return WholeTable.of(["Place", "Votes", "Spoilt"], rows, [(0, at + 1) for at in range(len(rows))])


def ranked(table: WholeTable) -> Worked | None:
    return work(TableQuery(TableOperation.MOST, column="Votes", shown="Place"), table)


@pytest.mark.parametrize("is_total_first", [True, False])
@pytest.mark.parametrize("word", ["", "Zwischensumme", "Sous-total", "小计"])
def test_sums_of_parts_take_part_in_no_ranking_and_are_added_up_once(word: str, *, is_total_first: bool) -> None:
    table = nested(is_total_first=is_total_first, word=word)
    places = {place for own in CANTONS.values() for place in own}
    assert {cell for cell, is_one in zip(table.columns[0], table.is_data, strict=True) if is_one} == places
    most = ranked(table)
    assert most is not None
    assert most.text in places
    added = work(TableQuery(TableOperation.SUM, column="Votes"), table)
    assert added is not None
    assert added.number == float(table.values(1).max())


def test_where_sums_stand_among_the_rows_nothing_is_counted() -> None:
    table = nested(is_total_first=True)
    assert work(TableQuery(TableOperation.COUNT), table) is None
    assert work(TableQuery(TableOperation.DISTINCT, column="Place"), table) is None


def test_one_total_under_its_rows_leaves_their_count() -> None:
    rows = [["Kelm", "4120", "33"], ["Orta", "3907", "51"], ["Vire", "2210", "20"], ["Canton", "10237", "104"]]
    counted = work(TableQuery(TableOperation.COUNT), of(rows))
    assert counted is not None
    assert counted.text == "3"


def test_what_is_called_as_a_sum_with_another_first_word_is_a_rest_of_it() -> None:
    rows = [
        ["District Perl", "6030", "84"],
        ["Kelm", "4120", "33"],
        ["Orta", "907", "31"],
        ["Postal Perl", "1003", "20"],
    ]
    table = of([*rows, ["District Vire", "9012", "61"], ["Ulm", "5001", "40"], ["Ost", "4011", "21"]])
    assert [*table.is_data] == [False, True, True, False, False, True, True]


def test_small_numbers_that_happen_to_add_up_are_no_sums() -> None:
    won = np.array([[12.0, 3.0], [7.0, 2.0], [5.0, 1.0], [9.0, 4.0]])
    assert not are_sums(won).any()


def test_a_number_as_large_as_all_others_is_not_stated_as_the_most() -> None:
    rows = [["Kelm", "4120", "33"], ["Orta", "3907", "51"], ["Vire", "2210", "20"], ["Canton", "10251", "90"]]
    table = of(rows)
    assert ranked(table) is None
    assert not is_as_much_as_all(np.array([4120.0, 3907.0, 2210.0, 3000.0]))


@pytest.mark.parametrize("word", ["Total", "Gesamt", "Summe", "Totaal", "Итого", "合计", "Sub-total", "Grand total"])
def test_rows_are_called_totals_in_many_languages(word: str) -> None:
    assert [*are_called_totals([["Kelm", "Orta", word], ["4", "5", "9"]])] == [False, False, True]


def test_a_line_of_totals_under_a_note_is_one_and_a_name_that_begins_so_is_none() -> None:
    rows = [[f"{at}", f"Film {at}", "06-07", f"{at * 37}"] for at in range(1, 9)]
    rows += [["9", "Total Eclipse", "06-07", "12"], ["Spent in all.", "", "Total of all films", "3001"]]
    assert [*np.flatnonzero(are_called_totals([*zip(*rows, strict=True)]))] == [9]

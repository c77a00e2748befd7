"""Sheets of thousands of rows: a vector for the table, rows and counts by words, and the cell that answers."""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import octavo
from octavo.evidence.view import vectors_of_bytes
from octavo.layers.long_tables import LONG

HEADS = ("Berth", "Vessel", "Length", "Harbour", "Standing")
ROWS = 3_000


def rows(count: int, seed: int) -> list[tuple[str, ...]]:
    drawn = random.Random(seed)
    harbours, standings = ("Norrick", "Sandvik", "Hollam"), ("moored", "expected", "away")
    return [
        (
            f"Q{4000 + at}",
            f"{drawn.choice(('Tern', 'Gull', 'Auk'))} {at}",
            str(drawn.randint(8, 60)),
            drawn.choice(harbours),
            drawn.choice(standings),
        )
        for at in range(count)
    ]


def write_csv(path: Path, found: Sequence[Sequence[str]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([HEADS, *found])
    return path


@pytest.fixture(scope="module")
def found() -> list[tuple[str, ...]]:
    return rows(ROWS, 11)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory, found: list[tuple[str, ...]]):
    folder = tmp_path_factory.mktemp("sheets")
    with octavo.open(folder / "corpus") as opened:
        opened.add(write_csv(folder / "berths.csv", found))
        yield opened


def test_rows_of_a_long_table_share_a_vector(corpus) -> None:
    store = corpus._opened().store
    (key,) = (key for key in store.published() if key.name == "vectors")
    vectors = vectors_of_bytes(store.load(key))
    assert len(vectors) > LONG
    distinct = np.unique(vectors, axis=0)
    assert len(distinct) < 4
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-2)


@pytest.mark.parametrize("at", [0, 1234, ROWS - 1])
def test_a_row_is_found_by_its_key_and_its_cell_is_named(corpus, found, at: int) -> None:
    answer = corpus.ask(f"What is the standing of berth {found[at][0]}?")
    assert answer.text == found[at][4]
    assert answer.citations[0].cells == f"E{at + 2}"
    assert answer.to_json()["citations"][0]["cells"] == f"E{at + 2}"
    assert f"cell E{at + 2}" in answer.lead


def test_rows_are_counted_over_the_whole_table(corpus, found) -> None:
    wanted = sum(row[3] == "Norrick" and row[4] == "away" for row in found)
    answer = corpus.ask("How many berths in Norrick are away?")
    assert answer.value == wanted


def test_the_same_text_in_two_cells_of_a_row_names_the_table(tmp_path: Path) -> None:
    with octavo.open(tmp_path / "corpus") as opened:
        opened.add(
            write_csv(tmp_path / "few.csv", [("Q1", "Tern", "12", "12", "moored"), ("Q2", "Auk", "9", "8", "away")])
        )
        answer = opened.ask("What is the length of berth Q1?")
    assert answer.text == "12"
    assert answer.citations[0].cells == "A1:E3"


def test_short_tables_have_a_vector_for_each_passage(tmp_path: Path) -> None:
    with octavo.open(tmp_path / "corpus") as opened:
        opened.add(write_csv(tmp_path / "short.csv", rows(300, 3)))
        store = opened._opened().store
        (key,) = (key for key in store.published() if key.name == "vectors")
        vectors = vectors_of_bytes(store.load(key))
    assert len(np.unique(vectors, axis=0)) == len(vectors) < LONG

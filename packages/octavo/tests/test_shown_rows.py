"""Rows that nobody reads whole: long cells in part, rows of wide tables by the columns that are asked for."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from octavo.corpus import Corpus
from octavo.evidence import Answer, Passage
from octavo.operators.extractive.shown_rows import AskedOfRow, part_of, shown_row
from octavo.operators.extractive.units import LONGEST_CELL, Unit

FILLER = "The crew keeps a record of each crossing and of what was carried in the hold. "
HEADS = ["harbour", *(f"goods_{name}" for name in ("salt", "iron", "wool", "coal", "grain", "timber", "slate"))]
HEADS += [f"{name} passengers" for name in ("summer", "winter", "weekly", "daily", "first class", "second class")]
HEADS += ["crew", "ships in service"]


def asked(corpus: Corpus, question: str) -> Answer:
    return corpus.ask(question, system="auto")


def wide(tmp_path: Path, heads: list[str], ending: str = "csv") -> Corpus:
    path = tmp_path / f"harbours.{ending}"
    names = ["Averne", "Bresk", "Coldinn", "Dunmore", "Eskvik"]
    rows = [
        [name, *(str(100 * (at + 1) + 7 * place) for place in range(1, len(heads)))] for at, name in enumerate(names)
    ]
    if ending == "csv":
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([heads, *rows])
    elif ending == "md":
        lines = [heads, ["---"] * len(heads), *rows]
        path.write_text("# Harbours\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines))
    else:
        cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
        head = "".join(f"<th>{head}</th>" for head in heads)
        path.write_text(f"<html><body><h1>Harbours</h1><table><tr>{head}</tr>{cells}</table></body></html>")
    corpus = Corpus(tmp_path / "corpus")
    corpus.add([path])
    return corpus


def row_passage(answer: Answer, label: str) -> Passage:
    return next(one for one in answer.passages if f"{label} |" in one.text)


@pytest.mark.parametrize("ending", ["csv", "md", "html"])
def test_a_row_of_a_wide_table_is_shown_with_the_columns_that_are_asked_for(tmp_path: Path, ending: str) -> None:
    with wide(tmp_path, HEADS, ending) as corpus:
        found = row_passage(asked(corpus, "How many winter passengers used the harbour of Coldinn?"), "Coldinn")
    line = next(line for line in found.text.split("\n") if "Coldinn" in line)
    assert line.startswith("harbour: Coldinn | ")
    assert "winter passengers: 363" in line
    assert "goods_salt" not in found.text
    assert line.endswith("more columns")
    assert "363" in [found.text[start:stop] for start, stop in found.emphasis]
    assert "314" not in "".join(found.text[start:stop] for start, stop in found.emphasis)
    assert found.whole.startswith("Coldinn | 307 | 314")  # the row as it stands in the document
    assert found.to_json()["whole"] == found.whole


def test_narrow_tables_are_shown_as_before(tmp_path: Path) -> None:
    with wide(tmp_path, HEADS[:5]) as corpus:
        found = row_passage(asked(corpus, "How much wool did the harbour of Coldinn have?"), "Coldinn")
    assert "harbour | goods_salt | goods_iron | goods_wool | goods_coal" in found.text
    assert not found.whole
    assert "whole" not in found.to_json()


def unit(cells: list[str], heads: list[str]) -> Unit:
    return Unit(
        1, 1, 2, "", " | ".join(cells), -1, (" | ".join(heads),), True, cells=tuple(cells), columns=tuple(heads)
    )


def test_the_head_that_says_most_of_what_is_asked_is_marked_and_others_that_say_some_are_shown() -> None:
    heads = ["year", "private", "service_providing", "private_service_providing", "federal", "state", "local", "net"]
    row = unit(["1999", *map(str, range(11, 18))], heads)
    shown = shown_row(row, AskedOfRow.of("private service providing", "en"))
    assert shown.text == (
        "year: 1999 | private: 11 | service_providing: 12 | private_service_providing: 13 | … 4 more columns"
    )
    assert [shown.text[start:stop] for start, stop in shown.marks] == ["13"]
    both = shown_row(row, AskedOfRow.of("federal and local", "en"))
    assert [both.text[start:stop] for start, stop in both.marks] == ["14", "16"]


def test_where_no_column_is_named_all_are_shown_with_their_heads_up_to_a_glance() -> None:
    heads = [f"measure {number}" for number in range(200)]
    shown = shown_row(unit([str(number) for number in range(200)], heads), AskedOfRow.of("lighthouse", "en"))
    assert shown.text.startswith("measure 0: 0 | measure 1: 1 | ")
    assert shown.text.endswith(" more columns")
    assert len(shown.text.split()) < 300


def test_the_cell_that_is_the_answer_is_shown_whatever_its_head_is_called() -> None:
    heads = ["town", *(f"measure {number}" for number in range(9))]
    row = unit(["Bresk", *(str(number) for number in range(60, 69))], heads)
    shown = shown_row(row, AskedOfRow.of("tonnage of Bresk", "en", "66"))
    assert shown.text == "town: Bresk | measure 6: 66 | … 8 more columns"
    assert [shown.text[start:stop] for start, stop in shown.marks] == ["66"]


@pytest.mark.parametrize("before", [0, 3, 9])
@pytest.mark.parametrize("after", [0, 4])
def test_a_long_cell_is_shown_where_it_answers_and_cut_at_word_ends(before: int, after: int) -> None:
    told = "The lamp of the tower burns rape oil."
    cell = (FILLER * before + told + " " + FILLER * after).strip()
    shown = part_of(cell, AskedOfRow.of("what does the lamp burn", "en"), "en")
    assert told in shown
    assert len(shown) <= max(LONGEST_CELL + 2, len(cell) if before + after < 4 else 0)
    assert shown.strip("…") in cell
    assert shown.startswith("…") == (not cell.startswith(shown.strip("…")))
    assert shown.endswith("…") == (not cell.endswith(shown.strip("…")))


def test_a_sentence_that_is_longer_than_a_cell_is_shown_is_cut_between_words() -> None:
    words = " ".join(f"word{number}" for number in range(120))
    shown = part_of(f"{words} lantern {words}", AskedOfRow.of("lantern", "en"), "en")
    assert "lantern" in shown.split()
    assert {*shown.strip("…").split()} <= {*words.split(), "lantern"}
    assert len(shown) <= LONGEST_CELL + 2


def test_unspaced_text_is_cut_between_its_sentences() -> None:
    cell = "船长每天记录航程。" * 50 + "灯塔使用菜油。" + "船长每天记录航程。" * 50
    shown = part_of(cell, AskedOfRow.of("灯塔使用什么油", "zh"), "zh")
    assert "灯塔使用菜油。" in shown
    assert len(shown) <= LONGEST_CELL + 2


@pytest.mark.parametrize("ending", ["md", "html", "csv"])
def test_what_stands_at_the_end_of_a_long_cell_is_found_and_shown(tmp_path: Path, ending: str) -> None:
    names = {"Averne": "rape oil", "Bresk": "whale oil", "Coldinn": "acetylene"}
    rows = [
        ["Tower", "Notes"],
        *([name, FILLER * 8 + f"Its lamp burns {oil} by night."] for name, oil in names.items()),
    ]
    path = tmp_path / f"towers.{ending}"
    if ending == "csv":
        with path.open("w", newline="") as file:
            csv.writer(file).writerows(rows)
    elif ending == "md":
        path.write_text("\n".join(f"| {' | '.join(row)} |" for row in [rows[0], ["---", "---"], *rows[1:]]))
    else:
        cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
        path.write_text(f"<html><body><table>{cells}</table></body></html>")
    with Corpus(tmp_path / "corpus") as corpus:
        corpus.add([path])
        first = asked(corpus, "What does the lamp of Bresk burn by night?").passages[0]
    assert "Its lamp burns whale oil by night." in first.text
    assert "…" in first.text
    assert "Bresk" in first.text

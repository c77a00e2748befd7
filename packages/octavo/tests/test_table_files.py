"""Tables of answers as files, and as `octavo table` writes them."""

from __future__ import annotations

import csv
import datetime
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import openpyxl
import pytest

import storing
from cli_corpus import octavo
from octavo.cli import context
from octavo.corpus import Corpus
from octavo.corpus.tables.answer_table import AnswerTable, TableRow
from octavo.corpus.tables.cell import AnswerCellShape, by_hand
from octavo.errors import UsageError
from octavo.evidence.answer_shapes import CitationShape
from octavo.exports.tables import export_table
from octavo.exports.workbook import corrections
from storing import write

NASTY = ("=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "=cmd|' /C calc'!A0", "<script>alert(1)</script>", "_x0041_\x00")
PLACE: CitationShape = {
    "document": "a.pdf",
    "document_title": "",
    "document_id": "sha256:aa",
    "block": "b1",
    "page": 3,
    "page_label": "iii",
    "box": (0.0, 0.0, 1.0, 1.0),
    "section": ["One & two"],
    "kind": "paragraph",
    "quote": "the mass\nis 1,250 kg",
    "id": "aa-1-0-9-00",
}


def answer(text: str, value: object = None, **other: object) -> AnswerCellShape:
    return {**by_hand(text, [PLACE]), "by": "rule", "label": "quoted from the text", "value": value, **other}  # type: ignore[return-value,typeddict-item]


def table(*texts: str) -> AnswerTable:
    """Return a table of one question with these answers, a document each."""
    rows = [TableRow(f"{at}.pdf", f"sha256:{at:02}", "", (answer(text),)) for at, text in enumerate(texts)]
    return AnswerTable(("What is it?",), tuple(rows))


def sheets(data: bytes) -> dict[str, list[tuple[object, ...]]]:
    book = openpyxl.load_workbook(io.BytesIO(data))
    assert [cell.data_type for sheet in book for row in sheet.iter_rows() for cell in row].count("f") == 0
    return {sheet.title: [*sheet.iter_rows(values_only=True)] for sheet in book}


def test_no_cell_is_a_formula_and_no_markup_is_alive() -> None:
    found = table(*NASTY)
    rows = sheets(export_table(found, "xlsx").data)["Answers"][1:]
    assert [row[1] for row in rows] == [*NASTY[:-1], "_x0041_\ufffd"]
    lines = [*csv.reader(io.StringIO(export_table(found, "csv").data.decode("utf-8-sig")))][1:]
    assert [line[1][0] for line in lines[:6]] == ["'"] * 6
    page = export_table(found, "html").data.decode()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert [row["cells"][0]["text"] for row in json.loads(export_table(found, "json").data)["rows"]] == [*NASTY]


def test_numbers_are_numbers_only_where_the_answer_is_one() -> None:
    cells = (
        answer("1,250", 1250),
        answer("-3.5", -3.5),
        answer("1,250 kg", 1250),
        answer("007", 7),
        answer("2.040", "2.040"),
        by_hand("42", []),
    )
    found = AnswerTable(tuple(f"q{at}" for at in range(len(cells))), (TableRow("a.pdf", "sha256:aa", "", cells),))
    assert sheets(export_table(found, "xlsx").data)["Answers"][1][1:-1] == (1250, -3.5, "1,250 kg", "007", "2.040", 42)
    assert (
        next(csv.reader(io.StringIO(export_table(found, "csv").data.decode("utf-8-sig").splitlines()[1])))[4] == "-3.5"
    )


def test_each_answer_says_where_it_stands() -> None:
    choice = answer(
        "",
        outcome="passages",
        citations=[],
        passages=[{**PLACE, "text": "One. Two\nare dry.", "emphasis": [(5, 17)], "page_label": "3"}],
    )
    found = AnswerTable(
        ("a?", "b?", "c?", "d?"),
        (TableRow("a.pdf", "sha256:aa", "A & B", (answer("1,250 kg"), choice, by_hand("", []), None)),),
    )
    rows = sheets(export_table(found, "xlsx", "http://127.0.0.1/").data)
    assert rows["Answers"][1][1:5] == ("1,250 kg", "(to choose: page 3) Two are dry.", "not stated", None)
    assert rows["Sources"][1][3:8] == (
        "quoted from the text",
        "page 3 (printed “iii”)",
        "One & two",
        "the mass is 1,250 kg",
        "http://127.0.0.1/c/aa-1-0-9-00",
    )
    line = [*csv.reader(io.StringIO(export_table(found, "csv").data.decode("utf-8-sig")))][1]
    assert line[:4] == ["a.pdf", "1,250 kg", "page 3 (printed “iii”)", "the mass is 1,250 kg"]
    assert line[6] == "One. Two are dry."
    page = export_table(found, "html", "http://127.0.0.1").data.decode()
    ElementTree.fromstring(page.partition("<body>")[2].partition("</body>")[0].join(("<body>", "</body>")))
    assert 'href="http://127.0.0.1/c/aa-1-0-9-00"' in page
    assert "href" not in export_table(found, "html").data.decode()
    assert "not filled yet" in page
    assert "<td>Two are dry.<details><summary>1 to choose from" in page
    with pytest.raises(UsageError, match=r"\.xlsx, \.csv, \.json, \.html, not as 'ods'"):
        export_table(found, "ods")


def test_a_workbook_leads_from_each_answer_to_its_source() -> None:
    cells = (
        answer("1,250", 1250),
        answer("𝑚" * 200, citations=[{**PLACE, "quote": "𝑚" * 300}]),
        by_hand("42", []),
        by_hand("", []),
        None,
    )
    found = AnswerTable(tuple("abcde"), (TableRow("a.pdf", "sha256:aa", "", cells),))
    data = export_table(found, "xlsx", "http://127.0.0.1").data
    assert data == export_table(found, "xlsx", "http://127.0.0.1").data
    book = openpyxl.load_workbook(io.BytesIO(data))
    answers, sources = book["Answers"], book["Sources"]
    assert (answers.freeze_panes, sources.freeze_panes) == ("B2", "A2")
    assert [round(answers.column_dimensions[one].width) for one in "ABG"] == [33, 27, 15]
    links = {cell.coordinate: cell.hyperlink for row in answers.iter_rows() for cell in row if cell.hyperlink}
    assert {at: one.location for at, one in links.items()} == {
        f"{one}2": f"Sources!A{at}" for at, one in enumerate("BCDE", 2)
    }
    assert links["B2"].tooltip == "page 3 (printed “iii”): the mass is 1,250 kg"
    assert links["C2"].tooltip.endswith("𝑚…")
    assert len(links["C2"].tooltip.encode("utf-16-le")) // 2 <= 255
    assert sources["H2"].hyperlink.target == "http://127.0.0.1/c/aa-1-0-9-00"
    assert (answers["B2"].number_format, answers["D2"].fill.fgColor.rgb) == ("#,##0.############", "FFE8F1EA")
    assert answers["A1"].font.b
    assert all(row[0].alignment.wrap_text for row in answers.iter_rows())


def test_an_address_that_is_none_is_a_text() -> None:
    data = export_table(table("one"), "xlsx", "localhost:8765").data
    sheet = openpyxl.load_workbook(io.BytesIO(data))["Sources"]
    assert sheet["H2"].value == "localhost:8765/c/aa-1-0-9-00"
    assert sheet["H2"].hyperlink is None


def test_what_a_program_makes_of_a_correction_is_read_as_it_shows_it() -> None:
    book = openpyxl.load_workbook(io.BytesIO(export_table(table(*"abcde"), "xlsx").data))
    sheet = book["Answers"]
    sheet["B2"], sheet["B3"], sheet["B4"] = datetime.date(2024, 3, 5), True, 12345678901.5
    sheet["B5"], sheet["B6"] = 4.0, " two\nlines "
    changed = io.BytesIO()
    book.save(changed)
    said = ["2024-03-05", "TRUE", "12345678901.5", "4", "two\nlines"]
    assert [one[2] for one in corrections(changed.getvalue(), "a.xlsx")] == said


def test_what_was_changed_in_a_workbook_is_found() -> None:
    data = export_table(table("one", "two", "1,250", "four"), "xlsx").data
    assert corrections(data, "a.xlsx") == []
    book = openpyxl.load_workbook(io.BytesIO(data))  # which writes shared strings, as Excel does
    sheet = book["Answers"]
    sheet["B2"], sheet["B3"], sheet["B4"] = "uno", None, 1300.5
    sheet["B5"] = " Not stated "
    sheet.move_range("A2:C2", rows=6)
    changed = io.BytesIO()
    book.save(changed)
    assert {*corrections(changed.getvalue(), "a.xlsx")} == {
        ("sha256:00", "What is it?", "uno"),
        ("sha256:01", "What is it?", None),
        ("sha256:02", "What is it?", "1300.5"),
        ("sha256:03", "What is it?", ""),
    }
    empty = io.BytesIO()
    openpyxl.Workbook().save(empty)
    for other in (b"", b"PK\x03\x04", empty.getvalue()):
        with pytest.raises(UsageError, match=r"a\.xlsx is no table of answers"):
            corrections(other, "a.xlsx")


# The command


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    def opened(_settings: object, **_how: object) -> Corpus:
        return storing.corpus(tmp_path / "corpus")

    monkeypatch.setattr(context, "open_corpus", opened)
    write(tmp_path, north="# Bells\nThe mass of the bell is 120 kg.", south="# Bells\nThe mass of the bell is 95 kg.")
    (tmp_path / "q.txt").write_text("\ufeff# what we ask\n\nWhat is the mass of the bell?\n  Who cast it?  \n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_table_is_written_and_gone_on_with(files: Path) -> None:
    done = octavo("table", "q.txt", "north.pdf", "--out", "answers.xlsx")
    assert done.status == 0, done.err
    assert done.out.startswith("answers.xlsx: 1 document by 2 questions: ")
    told = json.loads(octavo("table", "q.txt", "north.pdf", "south.pdf", "--dry-run", "--json").out)
    assert (told["cells"], told["due"], told["models"]) == (4, 2, [])
    assert (
        "2 of 4 cells to fill, 2 are there; without a model"
        in octavo("table", "q.txt", "north.pdf", "south.pdf", "--dry-run").out
    )
    told = json.loads(octavo("table", "q.txt", "--json").out)
    assert told["questions"] == ["What is the mass of the bell?", "Who cast it?"]
    assert [row["document"] for row in told["rows"]] == ["north.pdf", "south.pdf"]
    shown = octavo("table", "q.txt").out
    assert "2 documents by 2 questions" in shown
    assert not [path for path in files.iterdir() if path.name.endswith(".part")]


def test_a_correction_in_the_workbook_is_taken_over(files: Path) -> None:
    octavo("table", "q.txt", "north.pdf", "--out", "answers.xlsx")
    book = openpyxl.load_workbook("answers.xlsx")
    book["Answers"]["C2"] = "Ann Lee"
    book.save("answers.xlsx")
    done = octavo("table", "q.txt", "north.pdf", "south.pdf", "--out", "answers.xlsx")
    assert "1 cell that was changed by hand in answers.xlsx taken over" in done.err
    assert "1 by hand" in done.out
    assert "changed by hand" not in octavo("table", "q.txt", "--out", "answers.xlsx").err
    assert sheets(Path("answers.xlsx").read_bytes())["Answers"][1][2] == "Ann Lee"
    Path("answers.xlsx").write_bytes(b"mine")
    assert octavo("table", "q.txt", "--out", "answers.xlsx").status == 2
    assert Path("answers.xlsx").read_bytes() == b"mine"


def test_what_is_wrong_is_told_before_anything_is_asked(files: Path) -> None:
    (files / "empty.txt").write_text("# nothing\n")
    (files / "bytes.txt").write_bytes(b"\xff\xfe\xfa")
    for arguments, said in (
        (("absent.txt",), "the first name is a text file"),
        (("empty.txt",), "holds no question"),
        (("bytes.txt",), "no text in UTF-8"),
        (("q.txt", "north.pdf", "--out", "a.ods"), "not as 'ods'"),
        (("q.txt", "north.pdf", "--out", "absent/a.csv"), "no folder absent"),
        (("q.txt",), "does not exist"),
    ):
        done = octavo("table", *arguments)
        assert done.status in (1, 2)
        assert said in done.err
        assert done.err.count("\n") == 1


def test_a_killed_table_goes_on(tmp_path: Path) -> None:
    """A real process over real files is killed in the middle; the next run asks only what is missing."""
    code = (
        "import os, sys, octavo\n"
        "with octavo.open(sys.argv[1]) as corpus:\n"
        "    corpus.add(sys.argv[2:])\n"
        "    corpus.table(['Where is it?', 'How heavy is it?', 'Who rings it?'],\n"
        "                 workers=1, on_cell=lambda cell: cell.done == 4 and os.kill(os.getpid(), 9))\n"
    )
    names = [tmp_path / "a.md", tmp_path / "b.md"]
    for name in names:
        name.write_text(
            f"# Bell {name.stem}\n\nThe bell hangs in the north tower. It weighs 120 kg. Ann Lee rings it.\n"
        )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "corpus"), *map(str, names)], env={**os.environ}, check=False
    )
    assert done.returncode == -signal.SIGKILL
    with Corpus(tmp_path / "corpus") as corpus:
        assert corpus.table_filling(["Where is it?", "How heavy is it?", "Who rings it?"]).due == 2

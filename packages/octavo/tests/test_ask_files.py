"""Questions whose answers stand in sheets, mailboxes and tables of filings, asked of the file itself."""

from __future__ import annotations

import json
import mailbox
from email.message import EmailMessage
from pathlib import Path

import openpyxl
import pytest
from reportlab.pdfgen.canvas import Canvas

import pdfs
from cli_corpus import octavo


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_citation_names_sheet_and_cells() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Costs"
    rows = [["Costs of the harbour"], [], ["Item", 2023, 2024], ["Dredging", 1200, 1350.5], ["Lights", 80, 95]]
    for row, values in enumerate(rows, 3):
        for column, value in enumerate(values, 2):
            sheet.cell(row, column, value).number_format = "0" if row == 5 else '"€"#,##0.00'
    book.save("harbour.xlsx")
    question = "What did dredging cost in 2024?"
    (cited, *_) = json.loads(octavo("ask", question, "harbour.xlsx", "--json").out)["citations"]
    assert (cited["page_label"], cited["cells"]) == ("sheet Costs", "D6")
    assert "harbour.xlsx, sheet Costs, cells B5:D7" in octavo("ask", question, "harbour.xlsx").out


def test_a_passage_of_a_mailbox_names_the_message() -> None:
    post = mailbox.mbox("post.mbox")
    for subject, text in (("Lamp", "The lamp burns."), ("Pier", "The storm took the pier.")):
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = "Ana Heron <ana@example.org>", "Ben Gull <ben@example.org>", subject
        mail.set_content(text)
        post.add(mail)
    post.close()
    found = json.loads(octavo("ask", "What did the storm take?", "post.mbox", "--json").out)["passages"][0]
    assert (found["page_label"], found["section"]) == ("message 2", ["Pier"])


def test_the_cell_of_the_period_asked_for_answers() -> None:
    def draw(page: Canvas) -> None:
        page.setFont("Helvetica", 9)
        page.drawString(72, 700, "In millions of crowns")
        page.drawRightString(480, 700, "January–June 2022")
        rows = [
            ("", "Sales", "Margin", "Profit", "Depreciation"),
            ("Zone West", "2,443", "713", "632", "(348)"),
            ("Zone Isles", "2,135", "452", "401", "(159)"),
        ]
        for row, (head, *values) in enumerate(rows, 1):
            page.drawString(72, 700 - 14 * row, head)
            for end, text in zip((260, 330, 400, 480), values, strict=True):
                page.drawRightString(end, 700 - 14 * row, text)

    pdfs.write(Path("segments.pdf"), draw)
    found = octavo("ask", "What were the sales of Zone Isles in January-June 2022?", "segments.pdf")
    assert "(159)" not in found.out.split("[1]")[0]
    assert "Zone Isles | 2,135 | 452 | 401 | (159)" in found.out


def web(name: str, *rows: tuple[str, ...], head: str = "") -> str:
    """Write a page with a table; return its name."""
    body = "".join("<tr>" + "".join(f"<td>{text}</td>" for text in row) + "</tr>" for row in rows)
    Path(name).write_text(f"<h1>Note</h1><table>{head}{body}</table>")
    return name


def test_an_average_is_no_single_cell() -> None:
    page = web("costs.html", ("", "2019", "2018"), ("Pension costs", "166", "178"), ("Rent", "57", "44"))
    questions = ("What were the pension costs in 2019?", "What is the average of pension costs in 2019 and 2018?")
    cell, average = (json.loads(octavo("ask", question, page, "--json").out) for question in questions)
    assert (cell["answer"], average["answer"]) == ("166", "172 = (178 + 166) / 2")


def test_blank_cells_keep_their_places_where_a_table_is_shown() -> None:
    head = "<tr><th>Zone</th><th colspan=2>2023</th></tr><tr><th></th><th>Plan</th><th>Actual</th></tr>"
    page = web("plan.html", ("West", "12", "14"), ("East", "31", "29"), head=head)
    assert " | Plan | Actual\n" in octavo("ask", "What was planned in the west?", page).out

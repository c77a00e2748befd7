"""Words of a block that look otherwise than the rest of it: told from PDF, office files, HTML and Markdown alike."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from docx import Document as Docx
from docx.enum.text import WD_COLOR_INDEX
from pptx import Presentation
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate

from octavo_documents.document import BlockTable
from octavo_documents.document.styled_words import StyledWords, joined_runs, packed, unpacked
from octavo_documents.reading import read

Write = Callable[[Path], None]
SAID = "The board met. Pay the fee in advance; nothing herein binds us. A mooring licence is needed; the berth is free."
RUNS = {"Pay the fee": "u", "nothing herein binds": "i", "mooring licence": "b", "the berth": "h"}


def pieces() -> list[tuple[str, str]]:
    """Return the text in pieces, each with the letter of its look."""
    found, rest = list[tuple[str, str]](), SAID
    for words, look in RUNS.items():
        before, rest = rest.split(words)
        found += [(before, ""), (words, look)]
    return [*found, (rest, "")]


def as_tags(tags: dict[str, str]) -> str:
    return "".join(tags[look].replace("…", words) if look else words for words, look in pieces())


def html(path: Path) -> None:
    tags = {"u": "<u>…</u>", "i": "<em>…</em>", "b": "<strong>…</strong>", "h": "<mark>…</mark>"}
    path.write_text(f"<html><body><p>{as_tags(tags)}</p><p><i>All slanted here.</i></p></body></html>")


def classes(path: Path) -> None:
    sheet = ".line { text-decoration: underline } .slant { font-style: italic }"
    tags = {
        "u": '<span class="line">…</span>',
        "i": '<span class="slant">…</span>',
        "b": "<b>…</b>",
        "h": "<mark>…</mark>",
    }
    path.write_text(f"<html><head><style>{sheet}</style></head><body><p>{as_tags(tags)}</p></body></html>")


def markdown(path: Path) -> None:
    path.write_text(as_tags({"u": "<u>…</u>", "i": "*…*", "b": "**…**", "h": "<mark>…</mark>"}))


def docx(path: Path) -> None:
    document = Docx()
    paragraph = document.add_paragraph()
    for words, look in pieces():
        run = paragraph.add_run(words)
        run.underline, run.italic, run.bold = look == "u" or None, look == "i" or None, look == "b" or None
        run.font.highlight_color = WD_COLOR_INDEX.YELLOW if look == "h" else None
    document.save(str(path))


def pptx(path: Path) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    paragraph = slide.placeholders[1].text_frame.paragraphs[0]
    for words, look in pieces():
        run = paragraph.add_run()
        run.text = words
        run.font.underline, run.font.italic, run.font.bold = (
            look == "u" or None,
            look == "i" or None,
            look == "b" or None,
        )
    deck.save(str(path))


def pdf(path: Path) -> None:
    tags = {"u": "<u>…</u>", "i": "<i>…</i>", "b": "<b>…</b>", "h": '<font backColor="#ffff00">…</font>'}
    style = getSampleStyleSheet()["BodyText"]
    SimpleDocTemplate(str(path)).build([Paragraph(as_tags(tags), style), Paragraph("<i>All slanted here.</i>", style)])


def runs_of(blocks: BlockTable) -> dict[str, StyledWords]:
    return {run.words: run for stored in blocks.styled for run in unpacked(stored)}


@pytest.mark.parametrize(
    ("name", "write"),
    [("a.html", html), ("b.html", classes), ("a.md", markdown), ("a.docx", docx), ("a.pptx", pptx), ("a.pdf", pdf)],
)
def test_styled_words_are_told_and_leave_the_text_as_it_is(name: str, write: Write, tmp_path: Path) -> None:
    path = tmp_path / name
    write(path)
    blocks = read(path).blocks
    found = {words: run.looks for words, run in runs_of(blocks).items()}
    wanted = {words: look for words, look in RUNS.items() if look != "h" or not name.endswith("pptx")}
    assert found == wanted
    assert SAID in [*blocks.text]
    grounds = {run.ground for run in runs_of(blocks).values() if run.has("highlighted")}
    assert grounds <= {0xFFFF00}


@pytest.mark.parametrize(("name", "write"), [("a.html", html), ("a.pdf", pdf)])
def test_a_block_that_is_italic_as_a_whole_has_no_words_apart(name: str, write: Write, tmp_path: Path) -> None:
    path = tmp_path / name
    write(path)
    blocks = read(path).blocks
    row = [*blocks.text].index("All slanted here.")
    assert blocks.italic[row]
    assert not blocks.styled[row]


def test_links_are_not_underlined(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("<html><body><p>See <a href='x'>the map</a> and <u>the list</u>.</p></body></html>")
    assert [*runs_of(read(path).blocks)] == ["the list"]


def test_rules_of_tables_and_forms_underline_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    canvas = Canvas(str(path))
    for row, (berth, fee) in enumerate([("Berth", "Fee"), ("North", "40"), ("South", "75"), ("West", "30")]):
        y = 700 - 20 * row
        canvas.drawString(80, y, berth)
        canvas.drawString(200, y, fee)
        canvas.line(76, y - 4, 196, y - 4)
        canvas.line(196, y - 4, 300, y - 4)
    canvas.drawString(80, 500, "Name: Olsen")
    canvas.line(110, 498, 300, 498)
    canvas.save()
    assert not any(run.has("underlined") for run in runs_of(read(path).blocks).values())


def test_an_underline_goes_on_over_lines_and_under_words_of_which_a_part_has_none(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    canvas = Canvas(str(path))
    for at, line in enumerate(["The keeper must pay", "every gallery fee in", "advance of the year."]):
        canvas.drawString(80, 700 - 14 * at, line)
    width = canvas.stringWidth
    start = 80 + width("The keeper ", "Helvetica", 12)
    canvas.line(start, 698, 80 + width("The keeper must pay", "Helvetica", 12), 698)
    for before, words in (("", "ever"), ("every ", "galler"), ("every gallery ", "fee in")):  # none under the y
        left = 80 + width(before, "Helvetica", 12)
        canvas.line(left, 684, left + width(words, "Helvetica", 12), 684)
    canvas.save()
    assert [*runs_of(read(path).blocks).values()] == [StyledWords("u", "must pay every gallery fee in")]


def test_runs_beside_each_other_are_one() -> None:
    runs = [StyledWords("u", "now"), StyledWords("bu", "or"), StyledWords("u", "never"), StyledWords("u", "again")]
    text = "Do it now or never, but not again."
    assert [*unpacked(packed(runs, text))] == runs
    assert joined_runs(runs, "underlined", text) == [("now or never", -1), ("again", -1)]
    assert packed([StyledWords("i", "elsewhere"), StyledWords("u", " . ")], text) == ""

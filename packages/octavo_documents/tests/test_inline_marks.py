"""Raised, struck-out and hidden text in every flowing format reads the same: each test writes its files itself."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import openpyxl
import pytest
from docx import Document as Word
from docx.shared import Pt, RGBColor
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font
from pptx import Presentation
from pptx.util import Inches

from octavo_documents.document import Document, Kind
from octavo_documents.parsing import Limits, pdf
from octavo_documents.parsing.flow import FlowBlock
from octavo_documents.parsing.formats import read_flow
from octavo_documents.parsing.inline_marks import bare, raised, settled, shown, struck
from octavo_documents.structuring.flow import flowing
from pdfs import raw_page

ODF_STYLES = (
    '<style:style style:name="up" style:family="text">'
    '<style:text-properties style:text-position="super 58%"/></style:style>'
    '<style:style style:name="out" style:family="text">'
    '<style:text-properties style:text-line-through-style="solid"/></style:style>'
    '<style:style style:name="hid" style:family="text"><style:text-properties text:display="none"/></style:style>'
)


def _fodt(body: str, kind: str = "text") -> bytes:
    urn = "urn:oasis:names:tc:opendocument:xmlns:"
    names = {"office": "office", "text": "text", "style": "style", "table": "table"}
    spaces = " ".join(f'xmlns:{short}="{urn}{name}:1.0"' for short, name in names.items())
    return (
        f'<office:document {spaces} office:mimetype="application/vnd.oasis.opendocument.{kind}">'
        f"<office:automatic-styles>{ODF_STYLES}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document>"
    ).encode()


def _word(*runs: tuple[str, str]) -> bytes:
    word = Word()
    paragraph = word.add_paragraph()
    for text, look in runs:
        font = paragraph.add_run(text).font
        if look == "up":
            font.superscript = True
        elif look == "out":
            font.strike = True
        elif look == "hid":
            font.hidden = True
        elif look == "white":
            font.color.rgb = RGBColor(255, 255, 255)
        elif look == "tiny":
            font.size = Pt(1)
    file = io.BytesIO()
    word.save(file)
    return file.getvalue()


def _slides(*runs: tuple[str, str]) -> bytes:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(5), Inches(1))
    for text, look in runs:
        run = box.text_frame.paragraphs[0].add_run()
        run.text = text
        if look == "up":
            run.font._element.set("baseline", "30000")
        elif look == "out":
            run.font._element.set("strike", "sngStrike")
    file = io.BytesIO()
    deck.save(file)
    return file.getvalue()


def _sheet(*runs: tuple[str, str]) -> bytes:
    fonts = {"": InlineFont(), "up": InlineFont(vertAlign="superscript"), "out": InlineFont(strike=True)}
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active["A1"] = CellRichText(*(TextBlock(fonts[look], text) for text, look in runs))
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _book(body: str, style: str = "") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as book:
        book.writestr(
            "content.opf",
            '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="a.xhtml" '
            'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
        )
        book.writestr("style.css", style)
        book.writestr("a.xhtml", f'<html xmlns="http://www.w3.org/1999/xhtml"><body>{body}</body></html>')
    return file.getvalue()


def _mail(body: str) -> bytes:
    return f"From: a@b.org\nSubject: Fees\nMIME-Version: 1.0\nContent-Type: text/html\n\n{body}".encode()


def _paper(body: str) -> bytes:
    return f"<article><body><p>{body}</p></body></article>".encode()


def _document(name: str, data: bytes, folder: Path) -> Document:
    path = folder / name
    path.write_bytes(data)
    return flowing(read_flow(path, Limits()), name=name, digest="0")


def _text(name: str, data: bytes, folder: Path) -> str:
    return "\n".join(_document(name, data, folder).blocks.text)


UP = [("The fee is 320", ""), ("1", "up"), (" dollars, 10", ""), ("6", "up"), (" litres and 240 m", ""), ("2", "up")]
HTML_UP = "The fee is 320<sup>1</sup> dollars, 10<sup>6</sup> litres and 240 m<sup>2</sup>"
SPAN_UP = HTML_UP.replace("<sup>", "<span class='u'>").replace("</sup>", "</span>")
ODF_UP = HTML_UP.replace("<sup>", '<text:span text:style-name="up">').replace("</sup>", "</text:span>")
OUT = [("A ticket costs ", ""), ("4 ", "out"), ("euros", "out"), (" 5 euros", "")]
HTML_OUT = "A ticket costs <s>4 </s><del>euros</del> 5 euros"
ODF_OUT = 'A ticket costs <text:span text:style-name="out">4 euros</text:span> 5 euros'
TABLE = (
    '<table:table table:name="S"><table:table-row><table:table-cell><text:p>{}</text:p></table:table-cell>'
    "</table:table-row></table:table>"
)

RAISED: dict[str, bytes] = {
    "a.docx": _word(*UP),
    "a.pptx": _slides(*UP),
    "a.xlsx": _sheet(*UP),
    "a.fodt": _fodt(f"<text:p>{ODF_UP}</text:p>"),
    "a.fods": _fodt(TABLE.format(ODF_UP), "spreadsheet"),
    "a.html": f"<p>{HTML_UP}</p>".encode(),
    "b.html": f"<style>.u{{vertical-align:super;font-size:60%}}</style><p>{SPAN_UP}</p>".encode(),
    "c.html": f"<h1>{HTML_UP}</h1>".encode(),
    "d.html": f"<table><tr><td>a</td><td>{HTML_UP}</td></tr></table>".encode(),
    "a.epub": _book(f"<p>{SPAN_UP}</p>", ".u { vertical-align: 0.4em }"),
    "a.eml": _mail(f"<p>{HTML_UP}</p>"),
    "a.md": b"The fee is 320^1^ dollars, 10^6^ litres and 240 m^2^",
    "b.md": HTML_UP.encode(),
    "a.rtf": rb"{\rtf1 The fee is 320{\super 1} dollars, 10{\up6 6} litres and 240 m\super 2\nosupersub\par}",
    "a.tex": rb"The fee is 320\textsuperscript{1} dollars, $10^6$ litres and 240 m$^2$",
    "b.tex": rb"The fee is 320$^{1}$ dollars, 10$^{6}$ litres and \(240 m^2\)",
    "a.adoc": b"The fee is 320^1^ dollars, 10^6^ litres and 240 m^2^",
    "a.rst": rb"The fee is 320\ :sup:`1` dollars, 10\ :sup:`6` litres and 240 m\ :sup:`2`",
    "a.org": b"The fee is 320^{1} dollars, 10^6 litres and 240 m^{2}",
    "a.jats": _paper(HTML_UP),
    "b.jats": _paper(HTML_UP.replace("<sup>1</sup>", '<xref ref-type="fn" rid="n">1</xref>')),
    "a.wiki": HTML_UP.encode(),
    "a.ipynb": b'{"cells": [{"cell_type": "markdown", "source": "' + HTML_UP.encode() + b'"}]}',
}
STRUCK: dict[str, bytes] = {
    "a.docx": _word(*OUT),
    "a.pptx": _slides(*OUT),
    "a.xlsx": _sheet(*OUT),
    "a.fodt": _fodt(f"<text:p>{ODF_OUT}</text:p>"),
    "a.fods": _fodt(TABLE.format(ODF_OUT), "spreadsheet"),
    "a.html": f"<p>{HTML_OUT}</p>".encode(),
    "b.html": b"<style>i.x{text-decoration:line-through}</style><p>A ticket costs <i class=x>4 euros</i> 5 euros</p>",
    "c.html": f"<table><tr><td>a</td><td>{HTML_OUT}</td></tr></table>".encode(),
    "a.epub": _book("<p>A ticket costs <i class='x'>4 euros</i> 5 euros</p>", ".x{text-decoration-line: line-through}"),
    "a.eml": _mail(f"<p>{HTML_OUT}</p>"),
    "a.md": b"A ticket costs ~~4 euros~~ 5 euros",
    "b.md": HTML_OUT.encode(),
    "a.rtf": rb"{\rtf1 A ticket costs {\strike 4 }{\striked1 euros} 5 euros\par}",
    "a.tex": rb"A ticket costs \sout{4 euros} 5 euros",
    "a.adoc": b"A ticket costs [.line-through]#4 euros# 5 euros",
    "a.rst": b".. role:: gone\n   :class: strike\n\nA ticket costs :gone:`4 euros` 5 euros",
    "a.org": b"A ticket costs +4 euros+ 5 euros",
    "a.jats": _paper("A ticket costs <strike>4 euros</strike> 5 euros"),
    "a.wiki": HTML_OUT.encode(),
}
HIDDEN: dict[str, bytes] = {
    "a.docx": _word(("Seen.", ""), (" Ghost words", "hid")),
    "b.docx": _word(("Seen.", ""), (" Ghost words", "white")),
    "c.docx": _word(("Seen.", ""), (" Ghost words", "tiny")),
    "a.fodt": _fodt('<text:p>Seen.<text:span text:style-name="hid"> Ghost words</text:span></text:p>'),
    "b.fodt": _fodt(
        '<text:p>Seen.</text:p><text:section text:display="none"><text:p>Ghost words</text:p></text:section>'
    ),
    "a.rtf": rb"{\rtf1 Seen.{\v  Ghost words}\par}",
    "b.rtf": rb"{\rtf1{\colortbl;\red255\green255\blue255;}Seen.{\cf1  Ghost words}\par}",
    "a.tex": rb"Seen. \textcolor{white}{Ghost words}",
    "a.wiki": b"Seen.<span style='display:none'> Ghost words</span>",
    "a.md": b"Seen.\n\n<p hidden>Ghost words</p>",
    "a.eml": _mail("<div style='display:none;max-height:0'>Ghost words</div><p>Seen.</p>"),
    "a.epub": _book("<p>Seen.</p><p class='g'>Ghost words</p>", "p.g { display: none }"),
    **{
        f"{at}.html": f"<style>{style}</style><p>Seen.</p>{piece}".encode()
        for at, (style, piece) in enumerate(
            (
                ("", "<p style='display:none'>Ghost words</p>"),
                ("", "<p style='visibility:hidden'>Ghost words</p>"),
                ("", "<p hidden>Ghost words</p>"),
                ("", "<div style='position:absolute;left:-9999px'>Ghost words</div>"),
                ("", "<p style='font-size:0'>Ghost words</p>"),
                ("", "<p style='opacity:0'>Ghost words</p>"),
                ("", "<p style='color:#fff'>Ghost words</p>"),
                ("body{background:#002}", "<p style='color:rgb(0,0,34)'>Ghost words</p>"),
                ("", "<div style='height:0;overflow:hidden'>Ghost words</div>"),
                ("p.x, #z > .y {display:none}", "<div id=z><p class=y>Ghost words</p></div>"),
                (".x{display:block} p.x{display:none!important} .x{display:block}", "<p class='a x'>Ghost words</p>"),
                (
                    ".sr-only{position:absolute;width:1px;height:1px;overflow:hidden}",
                    "<p class=sr-only>Ghost words</p>",
                ),
                ("@media screen{.p{display:none}} @media print{.p{display:block}}", "<p class=p>Ghost words</p>"),
                ("", "<template>x</template><table><tr style='display:none'><td>Ghost</td><td>words</td></tr></table>"),
            )
        )
    },
}
SHOWN = (
    ("", "<details><summary>More</summary>Ghost words</details>"),
    ("@media print{p{display:none}}", "<p>Ghost words</p>"),
    (".t{display:none} .t.active{display:block}", "<div class=t>Ghost words</div><script></script>"),
    (".t{display:none} .b:hover .t{display:block}", "<div class=b><div class=t>Ghost words</div></div>"),
    ("", "<div id=p style='display:none'>Ghost words</div><a aria-controls=\"p\">Open</a><script></script>"),
    ("", "<div style='font-size:0'><p style='font-size:12px'>Ghost words</p></div>"),
    ("", "<div style='visibility:hidden'><p style='visibility:visible'>Ghost words</p></div>"),
    ("body{background:black;color:white}", "<p>Ghost words</p>"),
    ("", "<table bgcolor='#003366'><tr><td><font color=white>Ghost words</font></td><td>b</td></tr></table>"),
    ("", "<link rel=stylesheet href=far.css><p class=dark style='color:#fff'>Ghost words</p>"),
    ("@media (max-width:600px){.m{display:none}}", "<p class=m>Ghost words</p>"),
)


@pytest.mark.parametrize("name", RAISED)
def test_raised_digits_are_marks_or_powers_and_no_part_of_a_number(name: str, tmp_path: Path) -> None:
    text = _text(name, RAISED[name], tmp_path)
    assert "320¹ dollars, 10^6 litres and 240 m^2" in text


GRID = [("A grid of 1000", ""), ("2", "up"), (" cells grows with ƒ", ""), ("2", "up"), (" and R", ""), ("2", "up")]
HTML_GRID = "A grid of 1000<sup>2</sup> cells grows with ƒ<sup>2</sup> and R<sup>2</sup>"
ODF_GRID = HTML_GRID.replace("<sup>", '<text:span text:style-name="up">').replace("</sup>", "</text:span>")
POWERS: dict[str, bytes] = {
    "a.docx": _word(*GRID),
    "a.pptx": _slides(*GRID),
    "a.xlsx": _sheet(*GRID),
    "a.fodt": _fodt(f"<text:p>{ODF_GRID}</text:p>"),
    "a.html": f"<meta charset=utf-8><p>{HTML_GRID}</p>".encode(),
    "b.html": f"<meta charset=utf-8><table><tr><td>a</td><td>{HTML_GRID}</td></tr></table>".encode(),
    "a.md": "A grid of 1000^2^ cells grows with ƒ^2^ and R^2^".encode(),
}


@pytest.mark.parametrize("name", POWERS)
def test_a_raised_figure_after_a_number_is_no_part_of_it_where_it_may_be_a_power(name: str, tmp_path: Path) -> None:
    assert "A grid of 1000^2 cells grows with ƒ^2 and R^2" in _text(name, POWERS[name], tmp_path)


TYPED = "A grid of 1000² cells and 20³ boxes, 320³ dollars and 50 m²"
TYPED_IN: dict[str, bytes] = {
    "a.docx": _word((TYPED, "")),
    "a.pptx": _slides((TYPED, "")),
    "a.xlsx": _sheet((TYPED, "")),
    "a.fodt": _fodt(f"<text:p>{TYPED}</text:p>"),
    "a.html": f"<meta charset=utf-8><p>{TYPED}</p>".encode(),
    "a.md": TYPED.encode(),
    "a.txt": TYPED.encode(),
}


@pytest.mark.parametrize("name", TYPED_IN)
def test_a_typed_superscript_after_a_number_is_read_as_a_raised_figure(name: str, tmp_path: Path) -> None:
    assert "A grid of 1000^2 cells and 20³ boxes, 320³ dollars and 50 m²" in _text(name, TYPED_IN[name], tmp_path)


@pytest.mark.parametrize(("after", "power"), [("", "1000^2"), ("T* (\u00b2 Counted in May.) Tj", "1000\u00b2")])
def test_a_typed_superscript_of_a_page_is_a_power_without_a_note(after: str, power: str, tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(raw_page(f"BT /F 11 Tf 72 700 Td 60 TL (A grid of 1000\u00b2 cells.) Tj {after} ET"))
    assert pdf.extract(path, ocr="never").pages[0].lines[0].text == f"A grid of {power} cells."


@pytest.mark.parametrize("note", ["<p><sup>2</sup> Before tax.</p>", "<p>Fees<sup>2</sup> rose.</p>"])
def test_a_note_of_the_document_makes_a_mark_of_what_may_be_a_power(note: str, tmp_path: Path) -> None:
    page = f"<p>A grid of 1000<sup>2</sup> cells, of 20<sup>3</sup> boxes.</p>{note}"
    text = _text("a.html", page.encode(), tmp_path)
    assert "1000² cells, of 20^3 boxes." in text
    rows = "<tr><th>Item</th><th>Cells</th></tr><tr><td>Grid</td><td>some 1000<sup>2</sup> of them</td></tr>"
    table = f"<table>{rows}</table>"
    assert "some 1000² of them" in _text("b.html", f"{table}{note}".encode(), tmp_path)


@pytest.mark.parametrize("name", STRUCK)
def test_struck_out_text_stands_between_tildes(name: str, tmp_path: Path) -> None:
    assert "A ticket costs ~~4 euros~~ 5 euros" in _text(name, STRUCK[name], tmp_path)


@pytest.mark.parametrize("name", HIDDEN)
def test_what_is_not_shown_is_left_out_and_counted(name: str, tmp_path: Path) -> None:
    document = _document(name, HIDDEN[name], tmp_path)
    text = "\n".join(document.blocks.text)
    assert "Seen." in text
    assert "Ghost" not in text
    assert any("2 words not shown" in one and '"Ghost words"' in one for one in document.metadata.warnings)


@pytest.mark.parametrize(("style", "piece"), SHOWN)
def test_what_a_person_can_see_or_open_is_read(style: str, piece: str, tmp_path: Path) -> None:
    document = _document("a.html", f"<style>{style}</style><p>Seen.</p>{piece}".encode(), tmp_path)
    assert "Ghost words" in "\n".join(document.blocks.text)
    assert not document.metadata.warnings


def test_a_page_that_scripts_show_is_read_with_a_word_on_it(tmp_path: Path) -> None:
    body = "<script></script><p>Seen.</p>" + "<div style='display:none'>Many hidden words stand here.</div>" * 60
    document = _document("a.html", body.encode(), tmp_path)
    assert "Many hidden words" in document.blocks.text[1]
    assert document.metadata.warnings[0].startswith("read: 300 words that the page shows only once a script has run")


def test_tildes_of_the_file_itself_strike_nothing_out_and_code_keeps_them(tmp_path: Path) -> None:
    assert _text("a.txt", b"It is ~~4~~ now.", tmp_path) == "It is ∼∼4∼∼ now."
    assert _text("a.md", b"```\na ~~b~~\n```\n", tmp_path) == "a ~~b~~"
    block = FlowBlock(Kind.PARAGRAPH, f"a ~~ {struck('b ~~ c')}")
    assert shown(block).text == "a ∼∼ ~~b ∼∼ c~~"


def test_marks_are_joined_and_settled_once() -> None:
    text = settled(f"Paid {struck('4 ')}{struck('euros')} by 10{raised('1')}{raised('2')}")
    assert shown(FlowBlock(Kind.PARAGRAPH, text)).text == "Paid ~~4 euros~~ by 10^12"
    assert settled(text) == text
    note = settled(f"{raised('1')}Before tax")
    assert settled(note) == note
    assert shown(FlowBlock(Kind.PARAGRAPH, note)).text == "1 Before tax"
    assert settled(f"dollars {raised('1')} and") == "dollars¹ and"
    assert settled("left \x0e open") == "left  open"
    assert bare(settled(f"4,120{raised('1')}")) == "4,120"


def test_notes_of_a_format_are_marked_where_they_are_referred_to(tmp_path: Path) -> None:
    files: dict[str, bytes] = {
        "a.md": b"It costs 320[^1] dollars.\n\n[^1]: Before tax.\n",
        "a.tex": rb"It costs 320\footnote{Before tax.} dollars.",
        "a.adoc": b"It costs 320footnote:[Before tax.] dollars.",
        "a.rst": b"It costs 320 [#]_ dollars.\n\n.. [#] Before tax.\n",
        "a.org": b"It costs 320[fn:1] dollars.\n\n[fn:1] Before tax.\n",
        "a.rtf": rb"{\rtf1 It costs 320{\super\chftn}{\footnote {\super\chftn} Before tax.} dollars.\par}",
        "a.fodt": _fodt(
            "<text:p>It costs 320<text:note><text:note-citation>1</text:note-citation><text:note-body>"
            "<text:p>Before tax.</text:p></text:note-body></text:note> dollars.</text:p>"
        ),
        "a.html": b"<p>It costs 320<a role=doc-noteref href='#n'>1</a> dollars.</p>"
        b"<p role=doc-footnote id=n>Before tax.</p>",
    }
    for name, data in files.items():
        document = _document(name, data, tmp_path)
        assert document.blocks.text[0] == "It costs 320¹ dollars.", name
        note = document.blocks.text[1]
        assert note.endswith("Before tax."), name
        assert document.blocks.kind_of(1) == Kind.FOOTNOTE, name
        assert [int(one) for one in document.links.source] == [1], name


def test_hidden_parts_of_a_workbook_are_left_out_and_part_no_table(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["Name", "Key", "Pay"], ["Ann", "x1", 100], ["Bob", "x2", 200], ["Cyd", "x3", 300], ["Dan", "x4", 400]):
        sheet.append(row)
    sheet.row_dimensions[3].hidden = True
    sheet.column_dimensions["B"].hidden = True
    sheet["C5"].number_format = ";;;"
    sheet["A4"].font = Font(strike=True)
    sheet["A5"].font = Font(color="FFFFFFFF")
    away = book.create_sheet("Away")
    away["A1"] = "Ghost words"
    away.sheet_state = "hidden"
    file = io.BytesIO()
    book.save(file)
    document = _document("a.xlsx", file.getvalue(), tmp_path)
    text = "\n".join(document.blocks.text)
    assert [line for line in text.split("\n") if line] == ["Sheet", "Name |  | Pay", "Ann |  | 100", "~~Cyd~~ |  | 300"]
    assert 'sheet "Away" is hidden' in document.metadata.warnings
    assert 'left out: 2 words not shown on sheet "Away", beginning "Ghost words"' in document.metadata.warnings


def test_rows_that_a_fold_or_a_filter_hides_are_read(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["Name", "Pay"], ["Ann", 100], ["Bob", 200]):
        sheet.append(row)
    sheet.row_dimensions.group(3, 3, hidden=True)
    file = io.BytesIO()
    book.save(file)
    assert "Bob | 200" in _text("a.xlsx", file.getvalue(), tmp_path)


def test_a_number_with_a_note_in_its_cell_is_a_number(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    up = InlineFont(vertAlign="superscript")
    sheet.append(["Item", "2022", "2023"])
    sheet.append(["Grants", CellRichText("4,120", TextBlock(up, "1")), "3,980"])
    sheet.append(["Fees", "615", CellRichText("702", TextBlock(up, "2"))])
    file = io.BytesIO()
    book.save(file)
    document = _document("a.xlsx", file.getvalue(), tmp_path)
    assert document.blocks.text[-1] == "Item | 2022 | 2023\nGrants | 4,120¹ | 3,980\nFees | 615 | 702²"
    assert '"headers":[1,1]' in document.blocks.grid[-1]


@pytest.mark.parametrize("is_beside", [False, True])
def test_slides_and_shapes_that_are_not_shown_are_left_out(is_beside: bool, tmp_path: Path) -> None:
    deck = Presentation()
    for text in ("Seen.", "Ghost words"):
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        left = Inches(30) if is_beside and text != "Seen." else Inches(1)
        slide.shapes.add_textbox(left, Inches(1), Inches(3), Inches(1)).text_frame.text = text
        if text != "Seen." and not is_beside:
            slide._element.set("show", "0")
    file = io.BytesIO()
    deck.save(file)
    document = _document("a.pptx", file.getvalue(), tmp_path)
    assert "Ghost" not in "\n".join(document.blocks.text)
    assert any('2 words not shown on the page, beginning "Ghost words"' in one for one in document.metadata.warnings)


def test_white_text_on_a_dark_ground_of_a_table_stays(tmp_path: Path) -> None:
    word = Word()
    table = word.add_table(2, 2, style="Light Grid Accent 1")
    for at, text in enumerate(("Name", "Pay", "Ann", "100")):
        run = table.cell(at // 2, at % 2).paragraphs[0].add_run(text)
        run.font.color.rgb = RGBColor(255, 255, 255)
    file = io.BytesIO()
    word.save(file)
    assert "Ann | 100" in _text("a.docx", file.getvalue(), tmp_path)


def test_a_percent_sign_in_an_address_begins_no_comment(tmp_path: Path) -> None:
    text = _text("a.tex", rb"See \url{http://x.org/a%20b} and \verb|5% of| it. % no" + b"\nMore.", tmp_path)
    assert text == "See http://x.org/a%20b and 5% of it. More."


def test_what_a_condition_of_latex_never_shows_is_left_out(tmp_path: Path) -> None:
    text = _text("a.tex", rb"One. \iffalse Ghost \ifx a b c \fi \else Two. \fi Three.", tmp_path)
    assert text == "One. Two. Three."

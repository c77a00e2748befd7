"""What office files hold beside their running text: words in pictures, other formats' text, heads of pages."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx as python_docx
import numpy as np
import pytest
from msoffcrypto.format.ooxml import OOXMLFile
from openpyxl import Workbook
from openpyxl.drawing.image import Image as SheetPicture
from PIL import Image
from pptx import Presentation

from binary_sheets import compound
from octavo_documents.document import Kind
from octavo_documents.errors import SourceError
from octavo_documents.models.ports import Raster, RecognizedLine
from octavo_documents.parsing.decryption import opened
from octavo_documents.parsing.flow import NoText
from octavo_documents.parsing.office import docx, odp, pptx
from octavo_documents.parsing.sheets import ods, xlsx
from octavo_documents.reading import read
from office_files import OFFICE, WORD, archive, flat, opendocument, p, relations


class _Reader:
    """Reads the same words in each picture."""

    name = "words"

    def __init__(self) -> None:
        self.seen: list[tuple[int, ...]] = []

    def read(self, raster: Raster) -> tuple[RecognizedLine, ...]:
        self.seen.append(raster.shape)
        return (RecognizedLine("Wharf 3 closes at dusk", (4.0, 4.0, 180.0, 20.0), 0.9),)


def _picture() -> io.BytesIO:
    pixels = np.full((60, 200, 3), 255, np.uint8)
    pixels[20:40, 20:180] = 0
    kept = io.BytesIO()
    Image.fromarray(pixels).save(kept, "png")
    return kept


def _document(path: Path) -> None:
    made = python_docx.Document()
    made.add_paragraph("See the plan.")
    made.add_picture(_picture())
    made.add_picture(_picture())
    made.save(str(path))


def _slides(path: Path) -> None:
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[6])
    slide.shapes.add_picture(_picture(), 0, 0)
    made.slides.add_slide(made.slide_layouts[6]).shapes.add_picture(_picture(), 0, 0)
    made.save(str(path))


def _sheet(path: Path) -> None:
    made = Workbook()
    made.active["A1"] = "Plan"
    made.active.add_image(SheetPicture(_picture()), "C3")
    made.save(path)


_FRAME = '<draw:frame><draw:image xlink:href="Pictures/plan.png"/></draw:frame>'
_OPEN = {
    "ods": ("spreadsheet", "<table:table table:name='A'><table:table-row><table:table-cell><text:p>Plan</text:p>{}"
    "</table:table-cell></table:table-row></table:table>"),
    "odt": ("text", "<text:p>Plan{}</text:p>"),
    "odp": ("presentation", "<draw:page draw:name='p1'>{}</draw:page>"),
}  # fmt: skip


def _open_document(path: Path) -> None:
    kind, body = _OPEN[path.suffix[1:]]
    parts = opendocument(kind, body.format(_FRAME))
    with zipfile.ZipFile(io.BytesIO(parts)) as made, zipfile.ZipFile(path, "w") as file:
        for name in made.namelist():
            file.writestr(name, made.read(name))
        file.writestr("Pictures/plan.png", _picture().getvalue())


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("a.docx", _document),
        ("a.pptx", _slides),
        ("a.xlsx", _sheet),
        *((f"b.{kind}", _open_document) for kind in ("odt", "ods", "odp")),
    ],
)
def test_words_in_pictures_are_the_text_of_their_figures(
    name: str, make: Callable[[Path], None], tmp_path: Path
) -> None:
    make(tmp_path / name)
    reader = _Reader()
    blocks = read(tmp_path / name, recognizer=reader).blocks
    rows = [row for row, text in enumerate(blocks.text) if text == "Wharf 3 closes at dusk"]
    assert {blocks.kind_of(row) for row in rows} == {Kind.FIGURE}
    assert len(rows) == (2 if name in ("a.docx", "a.pptx") else 1)
    assert blocks.confidence[rows[0]] == pytest.approx(0.9)
    assert len(reader.seen) == 1


def test_without_ocr_pictures_are_counted(tmp_path: Path) -> None:
    _document(tmp_path / "a.docx")
    document = read(tmp_path / "a.docx", ocr="never")
    assert list(document.blocks.text) == ["See the plan."]
    assert document.metadata.warnings == ("left out: 2 × picture without a description",)


WEB_ARCHIVE = b"""MIME-Version: 1.0
Content-Type: multipart/related; boundary="b"

--b
Content-Type: text/html; charset="windows-1252"
Content-Transfer-Encoding: quoted-printable

<h2>Sluices</h2><p>The d=FCker opens at 05:40.</p>
--b--
"""


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("chunk.mht", WEB_ARCHIVE),
        ("chunk.rtf", rb"{\rtf1 The d\'fcker opens at 05:40.\par}"),
        ("chunk.txt", "The düker opens at 05:40.".encode()),
    ],
)
def test_a_chunk_of_another_format_stands_where_it_is(name: str, data: bytes) -> None:
    body = p("Before.") + '<w:altChunk r:id="rId1"/>' + p("After.")
    parts = {
        "_rels/.rels": relations({"word/document.xml": "officeDocument"}),
        "word/document.xml": f"<w:document {WORD}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": relations({name: "aFChunk"}),
        f"word/{name}": data,
    }
    texts = [block.text for block in docx.read(archive(parts)).blocks if block.kind != Kind.HEADING]
    assert texts == ["Before.", "The düker opens at 05:40.", "After."]


def test_a_sheet_has_its_diagrams_and_the_heads_of_all_its_pages() -> None:
    made = Workbook()
    made.active["A1"] = "Plan"
    made.active.title = "Stock"
    made.active.oddHeader.center.text = "Harbour board: &A"
    made.active.HeaderFooter.differentOddEven = True
    made.active.evenFooter.left.text = "Counted by Ines"
    kept = io.BytesIO()
    made.save(kept)
    found = {block.text: block.kind for block in xlsx.read(kept.getvalue()).blocks}
    assert found["Harbour board: Stock"] == Kind.PAGE_HEADER
    assert found["Counted by Ines"] == Kind.PAGE_FOOTER
    drawing = (
        '<d:wsDr xmlns:d="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" '
        f'xmlns:g="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:r="{OFFICE}">'
        '<d:twoCellAnchor><g:relIds r:dm="rId1"/></d:twoCellAnchor></d:wsDr>'
    )
    diagram = (
        '<g:dataModel xmlns:g="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><g:ptLst><g:pt modelId="1"><g:t><a:p><a:r>'
        "<a:t>Dredge first</a:t></a:r></a:p></g:t></g:pt></g:ptLst></g:dataModel>"
    )
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    parts = {
        "_rels/.rels": relations({"xl/workbook.xml": "officeDocument"}),
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{OFFICE}"><sheets><sheet name="One" r:id="rId1"/>'
        "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": relations({"worksheets/sheet1.xml": "worksheet"}),
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData/></worksheet>',
        "xl/worksheets/_rels/sheet1.xml.rels": relations({"../drawings/drawing1.xml": "drawing"}),
        "xl/drawings/drawing1.xml": drawing,
        "xl/drawings/_rels/drawing1.xml.rels": relations({"../diagrams/data1.xml": "diagramData"}),
        "xl/diagrams/data1.xml": diagram,
    }
    assert "Dredge first" in [block.text for block in xlsx.read(archive(parts)).blocks]


def test_what_opendocument_prints_on_each_page_or_slide_is_read() -> None:
    master = (
        '<office:master-styles><style:master-page style:name="M"><style:header><text:p>All in metres</text:p>'
        "</style:header><style:footer><text:p>Counted by Ines</text:p></style:footer></style:master-page>"
        "</office:master-styles>"
    )
    sheet = '<table:table table:name="A"><table:table-row><table:table-cell><text:p>Rope</text:p></table:table-cell>'
    sheet += "</table:table-row></table:table>"
    found = {block.text: block.kind for block in ods.read(flat("spreadsheet", sheet, more=master)).blocks}
    assert found["All in metres"] == Kind.PAGE_HEADER
    assert found["Counted by Ines"] == Kind.PAGE_FOOTER
    frame = '<draw:frame presentation:class="{}"><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>'
    master = (
        f'<office:master-styles><style:master-page style:name="M">{frame.format("footer", "Quay board")}'
        f"{frame.format('title', 'Click here')}</style:master-page>"
        f"<style:handout-master>{frame.format('header', 'For the yard')}</style:handout-master></office:master-styles>"
    )
    slide = f'<draw:page draw:name="p1">{frame.format("title", "Fees")}</draw:page>'
    texts = [block.text for block in odp.read(flat("presentation", slide, more=master)).blocks]
    assert texts == ["Fees", "Quay board", "For the yard"]


def _under_a_password(make: Callable[[Path], None], path: Path) -> None:
    make(path)
    kept = io.BytesIO()
    OOXMLFile(io.BytesIO(path.read_bytes())).encrypt("harbour", kept)
    path.write_bytes(kept.getvalue())


@pytest.mark.parametrize(("name", "make"), [("a.docx", _document), ("a.xlsx", _sheet)])
def test_office_files_under_a_password_open_with_it(
    name: str, make: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    _under_a_password(make, path)
    assert "plan" in " ".join(read(path, password="harbour", ocr="never").blocks.text).lower()
    for password, reason in ((None, "encrypted"), ("quay", "password")):
        with pytest.raises(SourceError) as caught:
            read(path, password=password)
        assert caught.value.reason == reason
    monkeypatch.setitem(sys.modules, "msoffcrypto", None)
    with pytest.raises(NoText, match=r"octavo-documents\[encrypted\]"):
        opened(path.read_bytes(), "harbour")


def test_a_password_harms_no_file_that_asks_for_none(tmp_path: Path) -> None:
    _document(tmp_path / "a.docx")
    assert read(tmp_path / "a.docx", password="harbour", ocr="never").blocks.text[0] == "See the plan."
    assert opened(compound(b"no office file"), "harbour") == compound(b"no office file")


def test_tables_of_notes_and_heads_of_handouts_are_read() -> None:
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[5])
    slide.shapes.title.text = "Fees"
    table = slide.shapes.add_table(1, 2, 0, 0, 100, 100)
    table.table.cell(0, 0).text, table.table.cell(0, 1).text = "Berth", "40 euros"
    slide.notes_slide.shapes._spTree.append(table._element)
    kept = io.BytesIO()
    made.save(kept)
    texts = [block.text for block in pptx.read(kept.getvalue()).blocks if block.kind == Kind.FOOTNOTE]
    assert [text.removeprefix("Notes: ") for text in texts] == ["Berth", "40 euros"]

"""A table over pages is one table with a box on each, and what is cited of it is a list of pages, boxes and cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from reportlab.lib import colors
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import LongTable, Paragraph, SimpleDocTemplate, TableStyle

import octavo
import octavo_documents
from octavo.corpus import Corpus
from octavo.evidence.citation_ids import CitationId
from octavo_documents.document import Document, Kind

HEADS = ["Berth", "Length, m", "Fee, EUR"]
ROWS = [[f"Berth {n:03}", f"{n + 0.5:.1f}", f"{7 * n + 11}"] for n in range(1, 101)]
LOOK = [("GRID", (0, 0), (-1, -1), 0.5, colors.black), ("FONT", (0, 0), (-1, 0), "Helvetica-Bold")]


@pytest.fixture(scope="module", params=["heads again", "heads once"])
def path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A PDF of which one table fills three pages, with its heads on each or on the first alone."""
    drawn = tmp_path_factory.mktemp("berths") / "berths.pdf"
    say = getSampleStyleSheet()
    table = LongTable([HEADS, *ROWS], repeatRows=int(request.param == "heads again"), colWidths=[150, 120, 120])
    table.setStyle(TableStyle(LOOK))
    SimpleDocTemplate(str(drawn)).build(
        [
            Paragraph("Berths of the harbour", say["Heading1"]),
            Paragraph("All berths are let by the year.", say["BodyText"]),
            table,
            Paragraph("Fees are without tax.", say["BodyText"]),
        ]
    )
    return drawn


@pytest.fixture(scope="module")
def document(path: Path) -> Document:
    return octavo_documents.read(path)


@pytest.fixture
def corpus(path: Path, tmp_path: Path) -> Iterator[Corpus]:
    with octavo.open(tmp_path / "corpus") as opened:
        opened.add(path)
        yield opened


def test_it_is_one_table_with_a_box_a_page(document: Document) -> None:
    (table,) = document.tables
    assert table.grid.rows() == [HEADS, *ROWS]
    assert table.grid.header_rows == 1
    assert [part.page for part in table.parts] == [1, 2, 3]
    assert (table.row, table.page, table.box) == (table.parts[0].row, 1, table.parts[0].box)
    assert {table.part_of(row).page for row in range(101)} == {1, 2, 3}
    assert [table.part_of(part.first).page for part in table.parts] == [1, 2, 3]
    assert all(part.box[3] > part.box[1] for part in table.parts)


def test_each_cell_stands_where_its_words_are_printed(document: Document, corpus: Corpus) -> None:
    words = {page: corpus.words("berths.pdf", page) for page in (1, 2, 3)}
    (table,) = document.tables
    places = [*table.places()]
    assert len(places) == 3 * 101
    for place in places:
        assert place.box is not None
        x0, y0, x1, y1 = place.box
        on = words[place.page]
        middle = (on.boxes[:, :2] + on.boxes[:, 2:]) / 2
        inside = (middle[:, 0] > x0) & (middle[:, 0] < x1) & (middle[:, 1] > y0) & (middle[:, 1] < y1)
        assert " ".join(text for text, is_in in zip(on.texts, inside, strict=True) if is_in) == place.cell.text


def test_it_leaves_as_one_table(document: Document) -> None:
    assert [*csv.reader(io.StringIO(document.to_csv()))] == [HEADS, *ROWS]
    assert document.to_markdown().count("| --- | --- | --- |") == 1
    assert document.to_markdown().count("| Berth |") == 1
    assert document.to_markdown(pages=True).count("| --- | --- | --- |") == 3
    (table,) = document.to_docling()["tables"]
    assert [place["page_no"] for place in table["prov"]] == [1, 2, 3]
    assert table["data"]["num_rows"] == 101


def test_docling_reads_it_as_one_and_it_comes_back(document: Document, tmp_path: Path) -> None:
    types = pytest.importorskip("docling_core.types.doc")
    whole = types.DoclingDocument.model_validate(document.to_docling())
    assert len(whole.tables) == 1
    whole.save_as_json(tmp_path / "berths.docling.json")
    back = octavo_documents.read(tmp_path / "berths.docling.json")
    (table,), (before,) = back.tables, document.tables
    assert table.grid.rows() == [HEADS, *ROWS]
    assert [part.box for part in table.parts] == [before.box]
    on_first = {place.cell.text for place in before.places() if place.page == 1}
    assert {cell.text for cell in table.grid.cells if cell.box} == on_first


@pytest.mark.parametrize("row", [0, 50, 99])
def test_cited_cells_are_a_list_of_page_box_and_cell(document: Document, corpus: Corpus, row: int) -> None:
    (table,) = document.tables
    line = " | ".join(ROWS[row])
    at = next(at for at, text in enumerate(document.blocks.text) if line in text)
    start = document.blocks.text[at].index(line)
    cited = corpus.cited(str(CitationId.of(document, at, start, start + len(line))))
    expected = [place for place in table.places() if place.cell.row == row + 1]
    assert [(one.page, one.box, one.cell) for one in cited.places] == [
        (place.page, place.box, (row + 1, place.cell.column)) for place in expected
    ]
    part_of_a_cell = corpus.cited(str(CitationId.of(document, at, start + 6, start + 9)))
    assert [one.cell for one in part_of_a_cell.places] == [(row + 1, 0)]


def test_a_table_cited_as_a_whole_has_a_place_a_page_and_a_sentence_its_lines(
    document: Document, corpus: Corpus
) -> None:
    (table,) = document.tables
    for part in table.parts:
        cited = corpus.cited(str(CitationId.of(document, part.row)))
        assert [(one.page, one.box, one.cell) for one in cited.places] == [
            (each.page, each.box, None) for each in table.parts
        ]
    at = [*document.blocks.text].index("Fees are without tax.")
    assert document.blocks.kind_of(at) == Kind.PARAGRAPH
    (place,) = corpus.cited(str(CitationId.of(document, at, 0, 4))).places
    assert (place.page, place.cell) == (3, None)
    assert place.box[2] - place.box[0] < 40


def test_heads_that_are_printed_again_are_those_of_the_table(document: Document, corpus: Corpus) -> None:
    (table,) = document.tables
    later = table.parts[1]
    cited = corpus.cited(str(CitationId.of(document, later.row, 0, len("Berth"))))
    assert [(one.page, one.cell) for one in cited.places] == [(2, (0 if later.repeated else later.first, 0))]

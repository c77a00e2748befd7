"""Cells as reports set them: labels without rules between them, lists in cells; charts that look like tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from octavo_documents.document import Document, Kind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing import pdf
from octavo_documents.parsing.content import PageContent, Span, TextLine
from octavo_documents.structuring.figures.plots import has_axis
from octavo_documents.structuring.layout import structured
from octavo_documents.structuring.lines import page_lines
from octavo_documents.structuring.tables.columns import parts_of
from pdfs import write

COSTS = [("Salaries", "1,314"), ("Travel of staff", "94"), ("Bad debts", "10"), ("Rent", "260"), ("Postage", "13")]
LISTS = [
    ("Clarity", ["Not relevant to many of those asked", "Many ask what the question means"]),
    ("Range", ["Most answers are at one end", "No choice suits a tenth of those asked"]),
    ("Spread", ["All patients give the same answer", "Few choices are taken", "Nothing differs over time"]),
]


def _read(path: Path, draw: Callable[[Canvas], None]) -> Document:
    return structured(pdf.extract(write(path, draw), ocr="never"), name=path.name, digest="0")


def _grid(document: Document) -> Grid:
    return Grid.from_json(document.blocks.grid[document.blocks.kind.tolist().index(Kind.TABLE)])


def test_labels_without_rules_between_them_stay_with_their_values(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.drawString(76, 705, "Cost")
        canvas.drawString(204, 705, "Total")
        canvas.drawString(304, 705, "Allowed")
        for at, (label, value) in enumerate(COSTS):
            canvas.drawString(76, 685 - 20 * at, label)
            canvas.drawString(204, 685 - 20 * at, value)
            canvas.drawString(304, 685 - 20 * at, value)
        for x in (72, 200, 300, 400):
            canvas.line(x, 720, x, 600)
        canvas.line(72, 720, 400, 720)
        canvas.line(72, 700, 400, 700)
        canvas.line(72, 600, 400, 600)
        for at in range(1, 5):
            canvas.line(200, 700 - 20 * at, 400, 700 - 20 * at)

    rows = _grid(_read(tmp_path / "a.pdf", draw)).rows()
    assert rows == [["Cost", "Total", "Allowed"], *([label, value, value] for label, value in COSTS)]


def test_the_bullets_of_lists_in_cells_begin_their_items(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        y = 720.0
        canvas.line(72, y, 460, y)
        for label, items in [("Property", []), *LISTS]:
            top = y
            canvas.drawString(76, y - 14, label)
            if not items:
                canvas.drawString(204, y - 14, "Reason for a change")
                y -= 20
            for item in items:
                canvas.drawString(204, y - 14, "\u2022")
                canvas.drawString(222, y - 14, item)
                y -= 13
            y = min(y, top - 20) - 5
            canvas.line(72, y, 460, y)
        for x in (72, 200, 460):
            canvas.line(x, 720, x, y)

    rows = _grid(_read(tmp_path / "a.pdf", draw)).rows()
    assert rows == [
        ["Property", "Reason for a change"],
        *([label, " ".join(f"\u2022 {item}" for item in items)] for label, items in LISTS),
    ]


def test_a_chart_with_an_axis_on_each_side_is_no_table(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.setFillGray(0.9)
        canvas.rect(124, 430, 376, 202, fill=1)
        canvas.setFillGray(0.4)
        for at, height in enumerate((4, 6, 11, 15, 27, 37, 81, 93, 123, 180, 190)):
            canvas.rect(135 + 34 * at, 430, 14, height, fill=1)
        canvas.setFillGray(0)
        for at in range(11):
            canvas.line(124, 430 + 20 * at, 500, 430 + 20 * at)
            canvas.drawRightString(118, 427 + 20 * at, f"{2000 * at:,}")
            canvas.drawString(504, 427 + 20 * at, f"{10 * at}")
            canvas.drawString(132 + 34 * at, 418, f"{1909 + 10 * at}")
            canvas.drawString(132 + 34 * at, 440 + 16 * at, f"{1900 + 10 * at}s")
        canvas.drawString(178, 600, "Students enrolled")
        canvas.drawString(178, 587, "Incidents")

    assert Kind.TABLE not in _read(tmp_path / "a.pdf", draw).blocks.kind.tolist()
    page = page_lines(pdf.extract(tmp_path / "a.pdf", ocr="never").pages[0])
    assert has_axis(page, range(len(page)))


def test_years_in_the_first_column_are_no_axis(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for at in range(9):
            canvas.drawRightString(110, 700 - 20 * at, f"{2012 - at}")
            canvas.drawRightString(210, 700 - 20 * at, f"{17 + at * at}")

    page = page_lines(pdf.extract(write(tmp_path / "a.pdf", draw), ocr="never").pages[0])
    assert not has_axis(page, range(len(page)))


def _line(y: float, *pieces: tuple[str, float, float]) -> TextLine:
    """Return one line of some pieces, each with where it begins and ends."""
    text, spans = "", list[Span]()
    for piece, x0, x1 in pieces:
        start = len(text)
        text += f"{piece} "
        spans.append(Span(start, len(text), (x0, y, x1, y + 10), "F", 10, bold=False, italic=False, color=0))
    return TextLine(text.strip(), (pieces[0][1], y, pieces[-1][2], y + 10), tuple(spans))


def test_numbers_that_a_wide_space_parts_are_cells_where_they_stand_and_groups_of_thousands_are_one() -> None:
    lines = (
        _line(100, ("165,949", 100, 140), ("185,667", 157, 197)),
        _line(114, ("446,166", 100, 140), ("312,164", 157, 197)),
        _line(128, ("1", 100, 106), ("446", 109.8, 126), ("166", 129.8, 146)),
        _line(86, ("Others of any age", 110, 190)),
    )
    page = page_lines(PageContent(1, "1", 612, 792, lines))
    parts = parts_of(page, [[3], [0], [1], [2]])
    assert [[part.text for part in parts[line]] for line in range(4)] == [
        ["165,949", "185,667"],
        ["446,166", "312,164"],
        ["1 446 166"],
        ["Others of any age"],
    ]
    assert [(part.x0, part.x1) for part in parts[0]] == [(100, 140), (157, 197)]


def test_numbers_that_begin_at_one_x_are_of_one_table_under_names_of_groups(tmp_path: Path) -> None:
    held = [
        ("Item", "Low", "High"),
        ("Fruit",),
        ("Apples", "12", "15"),
        ("Pears", "9", "11"),
        ("Roots",),
        ("Leeks", "4", "6"),
        ("Beets", "3", "8"),
    ]

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.drawString(78, 725, "Table 3: Prices")
        for at, row in enumerate(held):
            for x, text in zip((256, 322, 352), row, strict=False):
                canvas.drawString(x, 700 - 18 * at, text)

    grid = _grid(_read(tmp_path / "a.pdf", draw))
    assert [tuple(text for text in row if text) for row in grid.rows()] == held


def test_captions_beside_each_other_are_no_row_of_the_table_above(tmp_path: Path) -> None:
    above = [("Model", "Price", "Speed"), ("Alpha", "0.10", "88"), ("Beta", "0.25", "61"), ("Gamma", "0.90", "23")]
    left = [("Year", "Rain"), ("2020", "812"), ("2021", "744"), ("2022", "901")]
    right = [("Month", "Sun"), ("May", "212"), ("June", "250"), ("July", "261")]

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.drawString(72, 690, "Table 2: Models by price")
        canvas.drawString(72, 600, "Table 3: Left")
        canvas.drawString(330, 600, "Table 4: Right")
        for x, y, held in ((72, 672, above), (72, 582, left), (330, 582, right)):
            for down, row in enumerate(held):
                for at, cell in enumerate(row):
                    canvas.drawString(x + 70 * at, y - 14 * down, cell)

    document = _read(tmp_path / "a.pdf", draw)
    kinds = document.blocks.kind.tolist()
    captions = [text for text, kind in zip(document.blocks.text, kinds, strict=True) if kind == Kind.CAPTION]
    first = next(Grid.from_json(one) for one in document.blocks.grid if one)
    assert captions == ["Table 2: Models by price", "Table 3: Left", "Table 4: Right"]
    assert [tuple(row) for row in first.rows()] == above

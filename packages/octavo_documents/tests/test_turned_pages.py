"""Writing that is turned, mirrored or of negative size is read in its order, its tables too, and boxes are as shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from octavo_documents.document import Document, Kind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing import pdf
from octavo_documents.structuring.layout import structured
from pdfs import HEIGHT, WIDTH, raw_page, write

LINES = (
    "The share of business income is 2,360 crowns, and more of it",
    "is told on the next page, before the fees of 87 crowns.",
)
ROWS = [["Year", "Herring", "Cod"], ["2019", "12", "9"], ["2020", "7", "11"], ["2021", "16", "8"]]
TOP = 500.0


def _read(path: Path) -> Document:
    return structured(pdf.extract(path, ocr="never"), name="a.pdf", digest="0")


@pytest.mark.parametrize(("size", "scale", "matrix"), [(-11, -100, "1 0 0 -1"), (-11, 100, "-1 0 0 -1")])
def test_negative_sizes_that_the_matrix_sets_upright(tmp_path: Path, size: int, scale: int, matrix: str) -> None:
    shown = " 0 -20 Td ".join(f"({line}) Tj" for line in LINES).replace("-20", "20")
    path = tmp_path / "a.pdf"
    path.write_bytes(raw_page(f"BT /F {size} Tf {scale} Tz {matrix} 72 700 Tm {shown} ET"))
    document = _read(path)
    assert list(document.blocks.text) == [" ".join(LINES)]
    x0, y0, _, y1 = document.blocks.box[0].tolist()
    assert abs(x0 - 72) < 1
    assert y0 < HEIGHT - 700 < y1


def _fill(canvas: Canvas) -> None:
    canvas.setFont("Helvetica", 11)
    for at, line in enumerate(LINES):
        canvas.drawString(72, TOP - 15 * at, line)
    canvas.grid([72, 192, 312, 432], [TOP - 60 - 18 * at for at in range(5)])
    for at, row in enumerate(ROWS):
        for column, text in enumerate(row):
            canvas.drawString(76 + 120 * column, TOP - 73 - 18 * at, text)


def _turned(angle: float, x: float, y: float) -> Callable[[Canvas], None]:
    def draw(canvas: Canvas) -> None:
        canvas.translate(x, y)
        canvas.rotate(angle)
        _fill(canvas)

    return draw


def _mirrored(x: float, y: float, across: int, up: int) -> Callable[[Canvas], None]:
    def draw(canvas: Canvas) -> None:
        canvas.translate(x, y)
        canvas.scale(across, up)
        _fill(canvas)

    return draw


@pytest.mark.parametrize(
    ("draw", "corner"),
    [
        (_turned(0, 0, 0), (72, HEIGHT - TOP)),
        (_turned(90, WIDTH, 0), (WIDTH - TOP, HEIGHT - 72)),
        (_turned(180, WIDTH, HEIGHT), (WIDTH - 72, TOP)),
        (_turned(270, 0, HEIGHT), (TOP, 72)),
        (_mirrored(WIDTH, 0, -1, 1), (WIDTH - 72, HEIGHT - TOP)),
        (_mirrored(0, HEIGHT, 1, -1), (72, TOP)),
    ],
)
def test_a_page_that_is_turned_or_mirrored(
    tmp_path: Path, draw: Callable[[Canvas], None], corner: tuple[float, float]
) -> None:
    document = _read(write(tmp_path / "a.pdf", draw))
    table = document.blocks.kind.tolist().index(Kind.TABLE)
    assert document.blocks.text[0] == " ".join(LINES)
    grid = Grid.from_json(document.blocks.grid[table])
    assert grid.rows() == ROWS
    x0, y0, x1, y1 = document.blocks.box[0].tolist()
    assert x0 - 12 < corner[0] < x1 + 12
    assert y0 - 12 < corner[1] < y1 + 12
    left, top, right, bottom = document.blocks.box[table].tolist()
    for cell in grid.cells:
        assert cell.box is not None
        assert left - 1 <= cell.box[0] < cell.box[2] <= right + 1
        assert top - 1 <= cell.box[1] < cell.box[3] <= bottom + 1

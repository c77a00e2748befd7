"""Heads of columns that are written upwards or downwards are heads of their table; labels of axes are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from octavo_documents.document import Document, Kind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing import pdf
from octavo_documents.structuring.layout import structured
from pdfs import write

ROWS = [
    ["Welding", "12", "9", "14"],
    ["Joinery", "7", "11", "5"],
    ["Plumbing", "16", "8", "10"],
    ["Bakery", "3", "4", "6"],
]
HEADS = ["Autumn term", "Winter term", "Spring term"]


def _read(path: Path) -> Document:
    return structured(pdf.extract(path, ocr="never"), name=path.name, digest="0")


@pytest.mark.parametrize("angle", [90, 270])
@pytest.mark.parametrize("is_ruled", [True, False])
@pytest.mark.parametrize("in_two", [True, False])
@pytest.mark.parametrize("stub", [655, 690])
def test_upright_heads_of_columns(tmp_path: Path, angle: int, is_ruled: bool, in_two: bool, stub: int) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 11)
        canvas.drawString(72, 770, "Courses by term")
        canvas.drawString(76, stub, "Course")
        for at, head in enumerate(HEADS):
            canvas.saveState()
            middle = 225 + 90 * at
            canvas.translate(*((middle + 4, 655) if angle == 90 else (middle - 4, 725)))
            canvas.rotate(angle)
            words = head.split() if in_two else [head]
            for row, word in enumerate(words):
                canvas.drawString(0, 7 - 13 * row if in_two else 0, word)
            canvas.restoreState()
        for at, row in enumerate(ROWS):
            canvas.drawString(76, 635 - 18 * at, row[0])
            for column, text in enumerate(row[1:]):
                canvas.drawCentredString(225 + 90 * column, 635 - 18 * at, text)
        if is_ruled:
            canvas.grid([72, 180, 270, 360, 450], [738, *(648 - 18 * at for at in range(5))])

    document = _read(write(tmp_path / "a.pdf", draw))
    table = document.blocks.kind.tolist().index(Kind.TABLE)
    assert Grid.from_json(document.blocks.grid[table]).rows() == [["Course", *HEADS], *ROWS]


def test_labels_of_axes_stay_upright(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 9)
        for at in range(6):
            canvas.rect(110 + 50 * at, 500, 30, 30 + 14 * at, fill=1)
            canvas.saveState()
            canvas.translate(128 + 50 * at, 440)
            canvas.rotate(90)
            canvas.drawString(0, 0, f"January {2018 + at}")
            canvas.restoreState()
        canvas.drawString(72, 400, "The catch rose from year to year, as the harbour master wrote in his report.")

    lines = pdf.extract(write(tmp_path / "a.pdf", draw), ocr="never").pages[0].lines
    assert sum(line.angle == 90 for line in lines) == 6
    assert not any(kind == Kind.TABLE for kind in _read(tmp_path / "a.pdf").blocks.kind.tolist())


def test_words_of_upright_heads_whose_letters_are_placed_one_by_one_are_whole(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 11)
        for at, head in enumerate(HEADS):
            along = 0.0
            canvas.saveState()
            canvas.translate(225 + 90 * at, 655)
            canvas.rotate(90)
            for letter in head:
                if letter != " ":
                    canvas.drawString(round(along, 1), 0, letter)
                along += canvas.stringWidth(letter, "Helvetica", 11) + 0.3
            canvas.restoreState()

    read = pdf.extract(write(tmp_path / "a.pdf", draw), ocr="never")
    assert [line.text for line in read.pages[0].lines] == HEADS

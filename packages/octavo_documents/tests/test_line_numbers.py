"""Numbers of lines in a margin are no part of the text; numbers of items, tables and pages are."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from octavo_documents.document import Document, Kind
from octavo_documents.parsing import pdf
from octavo_documents.structuring.layout import structured
from pdfs import write

SAID = (
    "The parties agree that the delivery takes place in Rotterdam and that the insurance is paid by the seller, "
    "unless the buyer tells otherwise before the ship has left. The pump is tested at 240 bar for 15 minutes, and "
    "what it leaks is written down. The society of the harbour keeps the records for seven years, and whoever asks "
    "for them is shown them on the next working day. Nothing in this contract stops the buyer from a test of its own, "
    "which it pays for. The price is due when the goods have been seen by a clerk who is named by both of them."
    " What the clerk says is told to the carrier within a day, in writing, and to the bank of the buyer, which pays "
    "what is due before the end of the week and tells the seller of it. Whoever pays late owes interest."
)
LINES = textwrap.wrap(SAID, 48)


def _numbered(step: int, *, is_left: bool, size: float, away: float) -> Callable[[Canvas], None]:
    def draw(canvas: Canvas) -> None:
        for at, line in enumerate(LINES):
            y = 740 - 18 * at
            canvas.setFont("Helvetica", 11)
            canvas.drawString(110, y, line)
            if (at + 1) % step == 0:
                canvas.setFont("Helvetica", size)
                canvas.drawRightString(110 - away, y, f"{at + 1}") if is_left else canvas.drawString(
                    400 + away, y, f"{at + 1}"
                )

    return draw


def _read(path: Path) -> Document:
    return structured(pdf.extract(path, ocr="never"), name=path.name, digest="0")


@pytest.mark.parametrize("step", [1, 5])
@pytest.mark.parametrize(
    ("is_left", "size", "away"), [(True, 7, 12), (True, 11, 40), (True, 11, 14), (False, 7, 5), (False, 11, 60)]
)
def test_numbers_of_lines_are_left_out(tmp_path: Path, step: int, is_left: bool, size: float, away: float) -> None:
    document = _read(write(tmp_path / "a.pdf", _numbered(step, is_left=is_left, size=size, away=away)))
    assert " ".join(document.blocks.text).replace("\n", " ") == SAID
    assert document.blocks.box[:, 0].min() > 108


def test_paper_with_numbers_that_the_text_does_not_keep_to(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 11)
        for at in range(28):
            canvas.drawRightString(60, 760 - 24 * at, f"{at + 1}")
        for at, line in enumerate(LINES):
            canvas.drawString(90, 750 - 16 * at, line)

    document = _read(write(tmp_path / "a.pdf", draw, draw, draw))
    assert " ".join(document.blocks.text).split() == " ".join([SAID] * 3).split()


def test_numbers_of_ranks_and_of_items_stay(tmp_path: Path) -> None:
    names = ["Aberdeen", "Bergen", "Cuxhaven", "Dundee", "Esbjerg", "Fredericia", "Goole", "Hull", "Immingham"]

    def ranks(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 11)
        for at, name in enumerate(names):
            y = 740 - 16 * at
            canvas.drawRightString(90, y, f"{at + 1}")
            canvas.drawString(110, y, name)
            canvas.drawRightString(300, y, f"{900 - 37 * at}")

    def items(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 11)
        for at, name in enumerate(names):
            canvas.drawRightString(90, 740 - 16 * at, f"{at + 1}")
            canvas.drawString(100, 740 - 16 * at, f"{name} has a harbour")

    table = _read(write(tmp_path / "a.pdf", ranks))
    assert table.blocks.kind.tolist() == [Kind.TABLE]
    assert "9 Immingham | 604" in table.blocks.text[0]
    assert "9" in " ".join(_read(write(tmp_path / "b.pdf", items)).blocks.text).split()

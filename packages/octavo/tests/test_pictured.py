"""Words inside figures: which figures are read as images, what becomes their text, and what each reading costs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

import pdfs
import synthetic
from octavo.models.ports import Raster, RecognizedLine
from octavo_documents.document import Document, FigureKind, Kind
from octavo_documents.parsing import Limits
from octavo_documents.parsing.content import Box, Spot, TextLine
from octavo_documents.parsing.pdf.page_view import read_spots
from octavo_documents.structuring.figures.figure_words import with_words
from octavo_documents.structuring.parser_pool import ParserPool

PLACE: Box = (100.0, 200.0, 300.0, 300.0)


class Recognizer:
    """Reads the same words in every picture, one under the other, and remembers the pictures."""

    name = "scripted"

    def __init__(self, *texts: str) -> None:
        self._texts = texts or ("Board of Directors",)
        self.seen: list[Raster] = []

    def read(self, raster: Raster) -> tuple[RecognizedLine, ...]:
        self.seen.append(raster)
        width = raster.shape[1]
        boxes = [(0.1 * width, 20.0 * at, 0.8 * width, 20.0 * at + 14) for at in range(len(self._texts))]
        return tuple(RecognizedLine(text, box, 0.75) for text, box in zip(self._texts, boxes, strict=True))


def picture(seed: int = 0) -> ImageReader:
    from PIL import Image

    noise = np.random.default_rng(seed).integers(0, 255, (40, 80, 3), np.uint8)
    return ImageReader(Image.fromarray(noise))


def shows(*seeds: int) -> Callable[[Canvas], None]:
    """Draw a page of text with pictures, the first at `PLACE`, others under it."""

    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 720, "A paragraph of the report that stands over the pictures of this page.")
        for at, seed in enumerate(seeds):
            canvas.drawImage(picture(seed), PLACE[0], 792 - PLACE[3] - 150 * at, 200, 100)

    return draw


def made(*rows: synthetic.Row, boxes: Sequence[Box] = (PLACE,), scanned: bool = False) -> Document:
    """Return a document whose first blocks have these boxes."""
    document = synthetic.document(rows, scanned=scanned)
    box = document.blocks.box.copy()
    box[: len(boxes)] = boxes
    return dataclasses.replace(document, blocks=dataclasses.replace(document.blocks, box=box))


def reading(*lines: tuple[str, Box]) -> Callable[[Sequence[Spot]], list[tuple[TextLine, ...]]]:
    """Return a reader that finds these lines in every box."""
    return lambda spots: [tuple(TextLine(text, box, (), 0.8) for text, box in lines) for _ in spots]


def row(text: str, at: int, *, x: float = 0.0) -> tuple[str, Box]:
    return text, (x, 15.0 * at, x + 40.0, 15.0 * at + 12)


def test_a_figure_without_text_gets_the_words_in_its_picture_row_by_row() -> None:
    found = with_words(
        made((Kind.FIGURE, "", 1, 0)),
        reading(row("Minister", 0), row("of Space", 0, x=60), row("Commission", 1)),
    )
    assert list(found.blocks.text) == ["Minister of Space\nCommission"]
    assert found.blocks.confidence.tolist() == pytest.approx([0.8])
    found.check()


def test_only_large_enough_figures_without_text_on_pages_with_a_text_layer_are_read() -> None:
    asked: list[Spot] = []

    def read(spots: Sequence[Spot]) -> list[tuple[TextLine, ...]]:
        asked.extend(spots)
        return [() for _ in spots]

    rows: list[synthetic.Row] = [(Kind.FIGURE, "", 1, 0), (Kind.CHART, "Sales", 1, 0), (Kind.TABLE, "", 1, 0)]
    icon = (100.0, 400.0, 120.0, 420.0)
    document = made(*rows, (Kind.FIGURE, "", 1, 0), boxes=(PLACE, PLACE, PLACE, icon))
    assert list(with_words(document, read).blocks.text) == ["", "Sales", "", ""]
    with_words(made((Kind.FIGURE, "", 1, 0), scanned=True), read)
    assert asked == [Spot(1, PLACE)]


def test_text_printed_over_a_picture_is_not_said_twice() -> None:
    document = made((Kind.FIGURE, "", 1, 0), (Kind.HEADING, "Our people", 1, 1), boxes=(PLACE, (100, 200, 300, 214)))
    found = with_words(document, reading(row("Our people", 0), row("Anna, Bea and Carl", 2)))
    assert list(found.blocks.text) == ["Anna, Bea and Carl", "Our people"]


@pytest.mark.parametrize("texts", [("O", "O", "O", "O", "O", "O", "O", "O", "O"), ("GT", "99"), ("~~ ---- ~~~~",)])
def test_patterns_that_look_like_letters_are_no_text(texts: Sequence[str]) -> None:
    found = with_words(made((Kind.FIGURE, "", 1, 0)), reading(*(row(text, at) for at, text in enumerate(texts))))
    assert list(found.blocks.text) == [""]


def test_a_picture_full_of_numbers_is_a_chart() -> None:
    numbers = [row(text, at) for at, text in enumerate(("400", "300", "200", "$100", "Costs and sales"))]
    diagram = made((Kind.FIGURE, "", 1, 0))
    told = dataclasses.replace(diagram.blocks, figure=np.array([FigureKind.DIAGRAM], np.uint8))
    chart = with_words(dataclasses.replace(diagram, blocks=told), reading(*numbers))
    assert chart.blocks.kind.tolist() == [Kind.CHART]
    chart.check()
    words = [row(text, at) for at, text in enumerate(("Input", "Index", "Retrieve", "Generate", "2024"))]
    assert with_words(made((Kind.FIGURE, "", 1, 0)), reading(*words)).blocks.kind.tolist() == [Kind.FIGURE]


def test_a_box_is_read_as_finely_as_a_scanned_page_and_lines_are_placed_from_its_corner(tmp_path: Path) -> None:
    file, recognizer = pdfs.write(tmp_path / "a.pdf", shows(1)), Recognizer()
    ((line,),) = read_spots(file, [Spot(1, PLACE)], recognizer.read)
    (raster,) = recognizer.seen
    assert raster.shape[1] == pytest.approx(200 * 1600 / 792, abs=2)
    assert (line.text, line.confidence) == ("Board of Directors", 0.75)
    assert line.box == pytest.approx((20, 0, 160, 14 / (1600 / 792)), abs=0.5)


def test_a_picture_that_comes_again_is_read_once_and_a_blank_one_never(tmp_path: Path) -> None:
    file, recognizer = pdfs.write(tmp_path / "a.pdf", shows(1), shows(1), shows(2)), Recognizer()
    spots, told = [Spot(page, PLACE) for page in (1, 2, 3)] + [Spot(1, (10, 400, 60, 500))], list[tuple[int, int]]()
    found = read_spots(file, spots, recognizer.read, progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 4), (1, 4), (2, 4), (3, 4)]
    assert len(recognizer.seen) == 2
    assert [len(lines) for lines in found] == [1, 1, 1, 0]


def test_a_box_off_the_page_or_on_no_page_has_no_words(tmp_path: Path) -> None:
    file, recognizer = pdfs.write(tmp_path / "a.pdf", shows(1)), Recognizer()
    spots = [Spot(1, (2000.0, 10.0, 2200.0, 90.0)), Spot(9, PLACE), Spot(1, PLACE)]
    assert [len(lines) for lines in read_spots(file, spots, recognizer.read)] == [0, 0, 1]


def test_no_more_pictures_are_read_than_the_limit_allows(tmp_path: Path) -> None:
    file, recognizer = pdfs.write(tmp_path / "a.pdf", shows(1), shows(2), shows(3)), Recognizer()
    found = read_spots(file, [Spot(page, PLACE) for page in (1, 2, 3)], recognizer.read, limits=Limits(pictures=2))
    assert [len(lines) for lines in found] == [1, 1, 0] and len(recognizer.seen) == 2


@pytest.mark.parametrize(("ocr", "text"), [("auto", "Board of Directors\nof the ferry company"), ("never", "")])
def test_adding_a_file_reads_its_figures_unless_ocr_is_off(tmp_path: Path, ocr: str, text: str) -> None:
    file, recognizer = (
        pdfs.write(tmp_path / "a.pdf", shows(1)),
        Recognizer("Board of Directors", "of the ferry company"),
    )
    with ParserPool(1) as pool:
        packed = pool.parse(file, name="a.pdf", digest="0" * 64, ocr=ocr, recognizer=recognizer)  # type: ignore[arg-type]
    document = Document.from_bytes(packed)
    figures = [
        document.blocks.text[at] for at in range(len(document.blocks)) if document.blocks.kind_of(at) == Kind.FIGURE
    ]
    assert figures == [text]
    assert not document.pages.is_scanned.any()

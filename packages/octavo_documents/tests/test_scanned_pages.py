"""Scans under lines of text, and scans that lie on their side or their head."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from octavo_documents.models.ports import Raster, RecognizedLine
from octavo_documents.parsing import pdf
from octavo_documents.parsing.content import PageContent
from octavo_documents.structuring.layout import structured
from pdfs import HEIGHT, WIDTH, write

LAYER = "Electronic copy made by the land registry office of the district of Osby on 12 June 2024 by the clerk"
SCANNED = [f"Row {at} of the certificate says what the parcel called Millfield is worth." for at in range(12)]


class _Recognizer:
    """Reads `SCANNED` where a picture has its mark at the top left, badly elsewhere; counts pictures."""

    def __init__(self) -> None:
        self.seen = 0

    def __call__(self, raster: Raster) -> Sequence[RecognizedLine]:
        self.seen += 1
        height, width = raster.shape[:2]
        corner = raster[: height // 12, : width // 12]
        is_upright = int(corner.min()) < 80
        if not is_upright and int(raster[: height // 12, -width // 12 :].min()) < 80:
            return self._lines(0.6, height, width, on_end=True)
        if not is_upright and int(raster[-height // 12 :, : width // 12].min()) < 80:
            return self._lines(0.6, height, width, on_end=True)
        return self._lines(0.97 if is_upright else 0.6, height, width, on_end=False)

    @staticmethod
    def _lines(confidence: float, height: int, width: int, *, on_end: bool) -> list[RecognizedLine]:
        places = [(0.1, 0.2 + 0.05 * at, 0.9, 0.22 + 0.05 * at) for at in range(len(SCANNED))]
        boxes = [
            (y0 * width, x0 * height, y1 * width, x1 * height)
            if on_end
            else (x0 * width, y0 * height, x1 * width, y1 * height)
            for x0, y0, x1, y1 in places
        ]
        return [RecognizedLine(text, box, confidence) for text, box in zip(SCANNED, boxes, strict=True)]


def _scan() -> Image.Image:
    image = Image.new("L", (612, 792), 245)
    draw = ImageDraw.Draw(image)
    draw.rectangle((5, 5, 20, 20), fill=10)
    for at in range(len(SCANNED)):
        for word in range(10):
            draw.rectangle((61 + 48 * word, 158 + 40 * at, 100 + 48 * word, 174 + 40 * at), fill=20)
    return image


def _page(path: Path, image: Image.Image, *lines: str, recognizer: _Recognizer) -> PageContent:
    def draw(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(image), 0, 0, WIDTH, HEIGHT)
        canvas.setFont("Helvetica", 8)
        for at, line in enumerate(lines):
            canvas.drawString(40, HEIGHT - 60 - 10 * at, line)

    return pdf.extract(write(path, draw), recognize=recognizer).pages[0]


CROWDED = "Filed by the clerk of the county of Millfield on a hulk: bulky, lumpy, dry muck"
"""Has so few of the letters that languages have most of that it might be a wrong map of glyphs."""


@pytest.mark.parametrize(("lines", "said"), [(1, LAYER), (4, LAYER), (4, CROWDED)])
def test_a_scan_under_lines_of_text_is_read_and_they_are_kept(tmp_path: Path, lines: int, said: str) -> None:
    page = _page(tmp_path / "a.pdf", _scan(), *[said] * lines, recognizer=_Recognizer())
    assert [line.text for line in page.lines] == [said] * lines + SCANNED
    assert page.is_scanned


def test_a_picture_without_words_behind_text_is_no_scan(tmp_path: Path) -> None:
    recognizer = _Recognizer()
    ground = Image.linear_gradient("L").resize((612, 792)).point(lambda value: 200 + value // 6)
    page = _page(tmp_path / "a.pdf", ground, LAYER, recognizer=recognizer)
    assert ([line.text for line in page.lines], page.is_scanned, recognizer.seen) == ([LAYER], False, 0)


@pytest.mark.parametrize("turns", range(4))
def test_a_scan_that_lies_on_another_side_is_read_in_its_order(tmp_path: Path, turns: int) -> None:
    recognizer = _Recognizer()
    image = Image.fromarray(np.ascontiguousarray(np.rot90(np.asarray(_scan()), turns)))
    content = pdf.extract(
        write(
            tmp_path / "a.pdf", lambda canvas: canvas.drawImage(ImageReader(image), 0, 0, *image.size), size=image.size
        ),
        recognize=recognizer,
    )
    assert [line.text for line in content.pages[0].lines] == SCANNED
    assert {line.angle for line in content.pages[0].lines} == {90 * turns}
    document = structured(content, name="a.pdf", digest="0")
    assert "\n".join(document.blocks.text).split() == " ".join(SCANNED).split()
    assert recognizer.seen == {0: 1, 1: 3, 2: 2, 3: 3}[turns]

"""Rules in the picture of a page tell the rows and columns of its tables; those of forms and charts make none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from octavo_documents.document import Kind
from octavo_documents.document.grid import Grid
from octavo_documents.models.ports import Raster, RecognizedLine
from octavo_documents.parsing import images, pdf
from octavo_documents.parsing.content import SourceContent
from octavo_documents.structuring import structure

WIDTH, HEIGHT = 1240, 1754
EDGES = (120, 330, 560, 1100)
CELLS = (
    (("Mooring",), ("Fee",), ("Notes",)),
    (("Small",), ("40 dollars",), ("For boats below six metres,", "with water and no power")),
    (("Medium",), ("75 dollars",), ("For boats of six to ten metres,", "with water and power")),
    (("Large",), ("120 dollars",), ("For boats above ten metres,", "with water, power and a guard")),
)
SAID = [[" ".join(cell) for cell in row] for row in CELLS]
PROSE = "Moorings are let by the month and owners pay in advance at the office on the quay of the town."
Words = list[tuple[str, float, float]]
"""What is printed: a text, and where it begins in pixels."""


class Scan:
    """A picture of a page, and a recogniser that reads the words that were put on it."""

    def __init__(self, draw: Callable[[ImageDraw.ImageDraw, Words], None], *, noise: float = 0.0) -> None:
        self.image = Image.new("L", (WIDTH, HEIGHT), 245)
        self.words: Words = [(PROSE, 120, 150 + 32 * at) for at in range(4)]
        canvas = ImageDraw.Draw(self.image)
        draw(canvas, self.words)
        for text, x, y in self.words:
            for at in range(len(text)):
                canvas.rectangle((x + 10 * at, y + 6, x + 10 * at + 5, y + 20), fill=20)
        if noise:
            shaken = np.asarray(self.image, np.float64) + np.random.default_rng(1).normal(0, noise, (HEIGHT, WIDTH))
            self.image = Image.fromarray(shaken.clip(0, 255).astype(np.uint8))

    def __call__(self, raster: Raster) -> Sequence[RecognizedLine]:
        scale = raster.shape[1] / WIDTH
        return [
            RecognizedLine(text, (x * scale, y * scale, (x + 10 * len(text)) * scale, (y + 26) * scale), 0.98)
            for text, x, y in self.words
        ]

    def read(self, folder: Path, *, as_pdf: bool = True) -> SourceContent:
        path = folder / ("a.pdf" if as_pdf else "a.png")
        self.image.save(path, **({"resolution": 150.0} if as_pdf else {"dpi": (150, 150)}))
        return (pdf if as_pdf else images).extract(path, recognize=self)


def tables(content: SourceContent) -> list[list[list[str]]]:
    blocks = structure(content, name="a", digest="0" * 64).blocks
    found = zip(blocks.kind.tolist(), blocks.grid, strict=True)
    return [Grid.from_json(str(grid)).rows() for kind, grid in found if kind == Kind.TABLE]


def ruled(
    *, walls: bool, width: int = 2, slope: float = 0.0, gap: int = 8
) -> Callable[[ImageDraw.ImageDraw, Words], None]:
    """Draw a table; words stay level, as they are read on a page that lies askew (`slope` is rise by run)."""

    def draw(canvas: ImageDraw.ImageDraw, words: Words) -> None:
        y, heights = 400.0, [400.0]
        for row in CELLS:
            for x, cell in zip(EDGES, row, strict=False):
                words.extend((text, x + 16, y + gap + 30 * at) for at, text in enumerate(cell))
            y += 2 * gap + 30 * max(map(len, row))
            heights.append(y)
        middle = (EDGES[0] + EDGES[-1]) / 2
        ends = [slope * (x - middle) for x in (EDGES[0], EDGES[-1])]
        for at in heights:
            canvas.line((EDGES[0], at + ends[0], EDGES[-1], at + ends[1]), fill=30, width=width)
        for x in EDGES if walls else ():
            rise = slope * (x - middle)
            canvas.line((x, heights[0] + rise, x - slope * (y - 400), y + rise), fill=30, width=width)

    return draw


@pytest.mark.parametrize("as_pdf", [True, False])
@pytest.mark.parametrize("walls", [True, False])
@pytest.mark.parametrize("width", [2, 4])
def test_rules_tell_the_rows(tmp_path: Path, width: int, walls: bool, as_pdf: bool) -> None:
    assert tables(Scan(ruled(walls=walls, width=width)).read(tmp_path, as_pdf=as_pdf)) == [SAID]


@pytest.mark.parametrize("slope", [-0.02, -0.009, 0.009, 0.02])
@pytest.mark.parametrize("noise", [0.0, 12.0])
def test_a_page_may_lie_askew_and_be_noisy(tmp_path: Path, slope: float, noise: float) -> None:
    assert tables(Scan(ruled(walls=True, slope=slope), noise=noise).read(tmp_path)) == [SAID]


def _form(canvas: ImageDraw.ImageDraw, words: Words) -> None:
    for at, text in enumerate(("Name of the owner", "Name of the vessel", "Home port", "Length", "Signature")):
        words.append((text, 120, 400 + 70 * at))
        canvas.line((420, 428 + 70 * at, 1100, 428 + 70 * at), fill=30, width=2)


def _chart(canvas: ImageDraw.ImageDraw, words: Words) -> None:
    for at in range(6):
        canvas.line((200, 400 + 80 * at, 1000, 400 + 80 * at), fill=30, width=1)
        words.append((str(100 - 20 * at), 140, 388 + 80 * at))
    for at, height in enumerate((300, 120, 380, 220)):
        canvas.rectangle((260 + 180 * at, 800 - height, 340 + 180 * at, 800), fill=90)
        words.append((str(height // 4), 280 + 180 * at, 770 - height))


def _boxes(canvas: ImageDraw.ImageDraw, words: Words) -> None:
    for at in range(3):
        canvas.rectangle((100, 400 + 200 * at, 1140, 550 + 200 * at), outline=30, width=3)
        words.extend((PROSE, 130, 416 + 200 * at + 40 * row) for row in range(3))


@pytest.mark.parametrize("draw", [_form, _chart, _boxes])
def test_forms_charts_and_boxes_are_no_tables(
    tmp_path: Path, draw: Callable[[ImageDraw.ImageDraw, Words], None]
) -> None:
    assert tables(Scan(draw).read(tmp_path)) == []


def test_bars_and_the_edges_of_paper_are_no_rules(tmp_path: Path) -> None:
    def draw(canvas: ImageDraw.ImageDraw, words: Words) -> None:
        del words
        canvas.line((0, 8, WIDTH, 8), fill=0, width=2)
        for at in range(5):
            canvas.rectangle((100, 400 + 60 * at, 1100, 420 + 60 * at), fill=40)

    page = Scan(draw).read(tmp_path).pages[0]
    assert [item.kind for item in page.graphics] == ["image"]

"""Pages with figures drawn from a seed: six sorts of chart, photographs, diagrams, maps and logos, with captions.

Owns what a page may hold, and the drawing of one as a PDF. Knows nothing about reading it back.
"""

from __future__ import annotations

import dataclasses
import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageFilter
from reportlab.graphics import renderPDF
from reportlab.graphics.charts.barcharts import HorizontalBarChart, VerticalBarChart
from reportlab.graphics.charts.lineplots import LinePlot, ScatterPlot
from reportlab.graphics.charts.piecharts import Pie
from reportlab.graphics.shapes import Drawing, Line, Polygon, Rect, String
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader, simpleSplit
from reportlab.pdfgen.canvas import Canvas

CHARTS = ("bars", "lying bars", "stacked bars", "pie", "lines", "scatter")
OTHERS = ("photo", "diagram", "map", "logo")
PLACES = ("under", "under", "under", "over", "beside")
WORDS = (
    "harbour", "lantern", "gravel", "bridge", "winter", "ledger", "pilot", "copper", "meadow", "signal", "orchard",
    "anchor", "timber", "river", "market", "engine", "valley", "summer", "paper", "garden", "window", "iron",
    "sugar", "station", "captain", "forest", "glass", "storm", "weather", "cable", "rope", "mill", "tower",
)  # fmt: skip
PALETTE = [colors.HexColor(value) for value in (0x4472C4, 0xED7D31, 0xA5A5A5, 0xFFC000, 0x5B9BD5, 0x70AD47, 0x264478)]
_WIDTH, _HEIGHT = A4
_MARGIN = 60.0
_LEADING = 12.5
_BODY = ("Times-Roman", 10.0)
_NOTE = ("Times-Italic", 9.0)


@dataclasses.dataclass(frozen=True)
class Figure:
    """A figure as drawn: `sort` is one of CHARTS or OTHERS; the box in points from the top left of its page."""

    sort: str
    page: int
    box: tuple[float, float, float, float]
    caption: str

    @property
    def kind(self) -> str:
        """What it should be told as: "chart", or its sort."""
        return "chart" if self.sort in CHARTS else self.sort


class Book:
    """Draws pages onto a PDF and keeps what is on them."""

    def __init__(self, path: Path, seed: int) -> None:
        self.dice = random.Random(seed)
        self.canvas = Canvas(str(path), pagesize=A4, invariant=1)
        self.figures: list[Figure] = []
        self.number = 0
        self.top = 0.0
        self.page = 0
        self.side = (0.0, 0.0)
        self.crest = _photo(self.dice, 90, 60, is_flat=True)
        self.has_crest = self.dice.random() < 0.5

    def write(self, pages: int) -> list[Figure]:
        """Draw `pages` pages, save the file, and return the figures on them."""
        for _ in range(pages):
            self._page()
            self.canvas.showPage()
        self.canvas.save()
        return self.figures

    def _page(self) -> None:
        self.page += 1
        if self.has_crest:
            self.canvas.drawImage(ImageReader(self.crest), _MARGIN, _HEIGHT - 50, 45, 30)
            self.figures.append(Figure("logo", self.page, (_MARGIN, 20, _MARGIN + 45, 50), ""))
        columns = 2 if self.dice.random() < 0.35 else 1
        width = (_WIDTH - 2 * _MARGIN - 20 * (columns - 1)) / columns
        for column in range(columns):
            self.side = (_MARGIN + column * (width + 20), width)
            self.top = 70.0
            self._prose(self.dice.randint(30, 70))
            for _ in range(self.dice.randint(1, 2)):
                self._figure()
                self._prose(self.dice.randint(40, 90))

    def _prose(self, count: int) -> None:
        text = " ".join(self.dice.choice(WORDS) for _ in range(count)).capitalize() + "."
        for line in simpleSplit(text, *_BODY, self.side[1]):
            self._say(line, self.side[0], _BODY)
        self.top += 8

    def _say(self, text: str, x: float, font: tuple[str, float]) -> None:
        self.canvas.setFont(*font)
        self.top += _LEADING
        self.canvas.drawString(x, _HEIGHT - self.top, text)

    def _figure(self) -> None:
        if self.top > _HEIGHT - 330:
            return
        self.number += 1
        sort = self.dice.choice((*CHARTS, *OTHERS[:3], *OTHERS[:2]))
        words = " ".join(self.dice.choice(WORDS) for _ in range(self.dice.randint(3, 14)))
        label = self.dice.choice(("Figure", "Fig."))
        caption = f"{label} {self.number}{self.dice.choice(':.')} {words.capitalize()}"
        x, width = self.side
        place = self.dice.choice(PLACES if width > 300 else PLACES[:4])
        if place == "over":
            self._caption(caption, x, width)
            self.top += 6
        share = 0.6 if place == "beside" else self.dice.uniform(0.6, 1.0)
        breadth, height = share * width, self.dice.uniform(120, 190)
        breadth = min(breadth, height + 70) if sort == "pie" else breadth
        left = x if place == "beside" else x + (width - breadth) / 2
        self.top += 6
        box = (left, self.top, left + breadth, self.top + height)
        parts = 2 if place == "under" and breadth > 250 and self.dice.random() < 0.25 else 1
        self._parts(sort, box, parts)
        self.figures.append(Figure(sort, self.page, box, caption))
        if place == "beside":
            start, self.top = self.top, self.top + 10
            self._caption(caption, x + breadth + 12, width - breadth - 12)
            self.top = max(start + height, self.top)
        else:
            self.top += height + (self.dice.uniform(2, 8) if place == "under" else 0)
        if place == "under":
            self._caption(caption, x, width)
        self.top += 10

    def _caption(self, caption: str, x: float, width: float) -> None:
        for line in simpleSplit(caption, *_NOTE, width):
            self._say(line, x, _NOTE)

    def _parts(self, sort: str, box: tuple[float, float, float, float], parts: int) -> None:
        x0, y0, x1, y1 = box
        step = (x1 - x0) / parts
        foot = 14 if parts > 1 else 0
        for at in range(parts):
            width, height = step - (8 if parts > 1 else 0), y1 - y0 - foot
            DRAWERS[sort](self, x0 + at * step, _HEIGHT - y1 + foot, width, height)
            if foot:
                self.canvas.setFont(*_NOTE)
                self.canvas.drawCentredString(x0 + at * step + width / 2, _HEIGHT - y1 + 2, f"({'ab'[at]})")

    def drawing(self, x: float, y: float, width: float, height: float, *shapes: Any) -> None:
        """Put shapes of reportlab's on the page in a frame of their own."""
        drawing = Drawing(width, height)
        for shape in shapes:
            drawing.add(shape)
        renderPDF.draw(drawing, self.canvas, x, y)


def _series(dice: random.Random, count: int, length: int) -> list[tuple[int, ...]]:
    return [tuple(dice.randint(8, 95) for _ in range(length)) for _ in range(count)]


def _bars(book: Book, x: float, y: float, width: float, height: float, *, kind: type, style: str = "parallel") -> None:
    chart, dice = kind(), book.dice
    chart.x, chart.y, chart.width, chart.height = 50, 22, width - 60, height - 34
    length = dice.randint(3, 6)
    chart.data = _series(dice, dice.randint(1, 3) if style == "parallel" else dice.randint(2, 3), length)
    chart.categoryAxis.categoryNames = [str(2015 + at) if dice.random() < 0.3 else WORDS[at] for at in range(length)]
    chart.categoryAxis.style = style
    chart.groupSpacing = dice.choice((4, 8, 14))
    chart.categoryAxis.labels.fontSize = chart.valueAxis.labels.fontSize = dice.choice((6, 7, 8))
    chart.valueAxis.valueMin = 0
    chart.valueAxis.visibleGrid = dice.random() < 0.5
    if dice.random() < 0.3:
        chart.categoryAxis.visibleAxis = chart.valueAxis.visibleAxis = False
    for at in range(len(chart.data)):
        chart.bars[at].fillColor = PALETTE[at]
        chart.bars[at].strokeColor = dice.choice((None, colors.black))
    book.drawing(x, y, width, height, chart)


def _pie(book: Book, x: float, y: float, width: float, height: float) -> None:
    pie, dice = Pie(), book.dice
    side = min(width, height) - 40
    pie.x, pie.y, pie.width, pie.height = (width - side) / 2, 20, side, side
    count = dice.randint(3, 7)
    pie.data = [dice.randint(5, 40) for _ in range(count)]
    pie.labels = [f"{WORDS[at]} {value}%" for at, value in enumerate(pie.data)]
    pie.slices.fontSize = 7
    for at in range(count):
        pie.slices[at].fillColor = PALETTE[at]
        pie.slices[at].strokeColor = colors.white
    book.drawing(x, y, width, height, pie)


def _plot(book: Book, x: float, y: float, width: float, height: float, *, kind: type) -> None:
    plot, dice = kind(), book.dice
    plot.x, plot.y, plot.width, plot.height = 40, 26, width - 50, height - 36
    count = dice.randint(8, 24)
    plot.data = [[(at, dice.uniform(5, 90)) for at in range(count)] for _ in range(dice.randint(1, 3))]
    if kind is ScatterPlot:
        plot.xLabel, plot.yLabel = WORDS[0], WORDS[1]
        plot.outerBorderOn = 0
    plot.xValueAxis.labels.fontSize = plot.yValueAxis.labels.fontSize = 7
    for at in range(len(plot.data)):
        plot.lines[at].strokeColor = PALETTE[at]
    book.drawing(x, y, width, height, plot)


def _photo(dice: random.Random, width: int, height: int, *, is_flat: bool = False) -> io.BytesIO:
    """Return a JPEG of clouds of colour with grain, or of flat colours for a crest."""
    chance = np.random.default_rng(dice.getrandbits(32))
    coarse = chance.integers(0, 255, (6, 8, 3), dtype=np.uint8)
    picture = Image.fromarray(coarse).resize(
        (width, height), Image.Resampling.NEAREST if is_flat else Image.Resampling.BICUBIC
    )
    if not is_flat:
        grain = chance.normal(0, 9, (height, width, 1))
        picture = Image.fromarray(np.clip(np.asarray(picture) + grain, 0, 255).astype(np.uint8))
        picture = picture.filter(ImageFilter.GaussianBlur(0.6))
    data = io.BytesIO()
    picture.save(data, "PNG" if is_flat else "JPEG", quality=dice.choice((75, 85, 92)))
    data.seek(0)
    return data


def _picture(book: Book, x: float, y: float, width: float, height: float) -> None:
    pixels = book.dice.choice((1.0, 1.5, 2.5))
    data = _photo(book.dice, int(width * pixels), int(height * pixels))
    book.canvas.drawImage(ImageReader(data), x, y, width, height)


def _diagram(book: Book, x: float, y: float, width: float, height: float) -> None:
    dice, shapes = book.dice, list[Any]()
    across, down = dice.randint(2, 4), dice.randint(2, 3)
    wide, high = width / across, height / down
    for column in range(across):
        for row in range(down):
            left, low = column * wide + 6, row * high + 8
            fill = dice.choice((colors.white, colors.HexColor(0xE8EEF7), PALETTE[column]))
            shapes.append(Rect(left, low, wide - 26, high - 18, fillColor=fill, strokeColor=colors.black))
            shapes.append(String(left + 4, low + high / 2 - 12, dice.choice(WORDS), fontSize=7))
            if column + 1 < across:
                middle = low + high / 2 - 9
                shapes.append(Line(left + wide - 26, middle, left + wide, middle))
                tip = [left + wide, middle, left + wide - 4, middle + 3, left + wide - 4, middle - 3]
                shapes.append(Polygon(tip, fillColor=colors.black))
    book.drawing(x, y, width, height, *shapes)


def _map(book: Book, x: float, y: float, width: float, height: float) -> None:
    dice, shapes = book.dice, list[Any]()
    across, down = dice.randint(5, 8), dice.randint(4, 6)
    corners = {
        (column, row): (
            (column + dice.uniform(-0.35, 0.35)) * width / across,
            (row + dice.uniform(-0.35, 0.35)) * height / down,
        )
        for column in range(across + 1)
        for row in range(down + 1)
    }
    for column in range(across):
        for row in range(down):
            if dice.random() < 0.15:
                continue
            around = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
            points = [
                min(max(value, 0.0), limit)
                for at in around
                for value, limit in zip(corners[at], (width, height), strict=True)
            ]
            shapes.append(Polygon(points, fillColor=dice.choice(PALETTE), strokeColor=colors.white, strokeWidth=0.5))
    shapes.extend(
        String(dice.uniform(0.1, 0.8) * width, dice.uniform(0.1, 0.9) * height, dice.choice(WORDS).title(), fontSize=6)
        for _ in range(dice.randint(3, 8))
    )
    book.drawing(x, y, width, height, *shapes)


DRAWERS: dict[str, Callable[[Book, float, float, float, float], None]] = {
    "bars": lambda *at: _bars(*at, kind=VerticalBarChart),
    "lying bars": lambda *at: _bars(*at, kind=HorizontalBarChart),
    "stacked bars": lambda *at: _bars(*at, kind=VerticalBarChart, style="stacked"),
    "pie": _pie,
    "lines": lambda *at: _plot(*at, kind=LinePlot),
    "scatter": lambda *at: _plot(*at, kind=ScatterPlot),
    "photo": _picture,
    "diagram": _diagram,
    "map": _map,
}

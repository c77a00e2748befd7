"""Charts with their values printed in them, drawn from a seed in several styles that share no code for drawing.

Owns what a chart may show and how it is drawn onto a page of a PDF. Knows nothing about reading it back. `flat` and
`reportlab` are drawn by reportlab, one from its shapes and one by its charts, `matplotlib` by matplotlib and `office`
by python-pptx and LibreOffice, where these are installed.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import io
import itertools
import math
import random
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reportlab.graphics import renderPDF
from reportlab.graphics.charts.barcharts import HorizontalBarChart, VerticalBarChart
from reportlab.graphics.charts.legends import Legend
from reportlab.graphics.charts.piecharts import Pie
from reportlab.graphics.shapes import Drawing, String
from reportlab.lib import colors
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

KINDS = ("bars", "grouped", "stacked", "lying", "lying grouped", "pie", "donut", "line")
NAMES = (
    "Coal", "Natural gas", "Wind", "Solar", "Hydro", "Nuclear", "Oil", "Biomass", "North", "South", "East", "West",
    "Under 18", "18 to 34", "35 to 49", "50 and over", "Agree", "Disagree", "No answer", "Strongly agree", "Retail",
    "Wholesale", "Transport", "Health", "Education", "Brazil", "Kenya", "Japan", "Sweden", "Canada", "Services",
    "Very satisfied", "Q1", "Q2", "Q3", "Q4", "Email", "Social media", "Phone", "Exports", "Don't know / refused",
)  # fmt: skip
SERIES = ("Revenue", "Costs", "Men", "Women", "Plan", "Actual", "Urban", "Rural", "2019", "2024", "Public", "Private")
TITLES = (
    "Share of energy by source", "Where visitors come from", "Net sales by region, in millions", "Answers by group",
    "How people found us", "Spending per head", "Support over the years", "Use of services in the last 12 months",
)  # fmt: skip
PALETTES = (
    (0x4472C4, 0xED7D31, 0xA5A5A5, 0xFFC000, 0x5B9BD5, 0x70AD47, 0x264478),
    (0x1B9E77, 0xD95F02, 0x7570B3, 0xE7298A, 0x66A61E, 0xE6AB02, 0xA6761D),
    (0x08306B, 0x2171B5, 0x6BAED6, 0xBDD7E7, 0x7F2704, 0xD94801, 0xFD8D3C),
    (0x222222, 0x888888, 0xCCCCCC, 0x990000, 0xDD7777, 0x336699, 0x99BBDD),
)
_PAGE = (595.0, 842.0)
_PROSE = (
    "The figures below were gathered over the year and are shown as they were reported. Readers should note that the "
    "groups differ in size, so that shares are easier to compare than counts."
)


@dataclasses.dataclass(frozen=True)
class Chart:
    """What a chart shows: `printed` has the text of each value by its name and series ("" where there is one)."""

    kind: str
    title: str
    names: tuple[str, ...]
    series: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    """One row for each series."""
    form: Callable[[float], str]
    seed: int

    @property
    def printed(self) -> set[tuple[str, str, str]]:
        """What is stated: name, series, value."""
        many = len(self.series) > 1
        return {
            (name, series if many else "", self.form(value))
            for series, row in zip(self.series, self.values, strict=True)
            for name, value in zip(self.names, row, strict=True)
        }


FORMS: tuple[Callable[[float], str], ...] = (
    lambda value: f"{value:.0f}%",
    lambda value: f"{value:.1f}%",
    lambda value: f"{value:.0f}",
    lambda value: f"{value:.1f}",
    lambda value: f"${value:.1f}m",
    lambda value: f"{value * 137:,.0f}",
)


def chart(seed: int) -> Chart:
    """Return a chart drawn from a seed."""
    dice = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    many = kind in ("grouped", "stacked", "lying grouped")
    length = dice.randint(3, 6) if kind != "line" else dice.randint(4, 9)
    if kind in ("line", "bars", "grouped") and dice.random() < 0.4:
        first = dice.randint(1995, 2015)
        names = tuple(str(first + at) for at in range(length))
    else:
        names = tuple(dice.sample(NAMES, length))
    series = tuple(dice.sample([one for one in SERIES if one not in names], dice.randint(2, 3))) if many else ("",)
    if kind in ("pie", "donut"):
        form = FORMS[0]
        cuts = sorted(dice.sample(range(3, 33), length - 1))
        parts = [3 * (b - a) for a, b in zip([0, *cuts], [*cuts, 0], strict=True)][:-1]
        values: tuple[tuple[float, ...], ...] = ((*map(float, parts), 100.0 - sum(parts)),)
    else:
        form = dice.choice(FORMS)
        values = tuple(tuple(dice.uniform(9, 95) for _ in names) for _ in series)
    return Chart(kind, dice.choice(TITLES), names, series, values, form, seed)


def is_installed(style: str) -> bool:
    """Return whether a style can be drawn here."""
    if style == "matplotlib":
        return importlib.util.find_spec("matplotlib") is not None
    if style == "office":
        return importlib.util.find_spec("pptx") is not None and shutil.which("soffice") is not None
    return True


def write(path: Path, style: str, charts: list[Chart]) -> None:
    """Write a PDF with a chart on each page, drawn in a style."""
    STYLES[style](path, charts)


def _pages(path: Path, charts: list[Chart], draw: Callable[[Canvas, Chart, random.Random], None]) -> None:
    canvas = Canvas(str(path), pagesize=_PAGE, invariant=1)
    for one in charts:
        dice = random.Random(one.seed + 7)
        canvas.setFont("Times-Roman", 11)
        for at, line in enumerate([*simpleSplit(_PROSE, "Times-Roman", 11, 475)]):
            canvas.drawString(60, 760 - 14 * at, line)
        canvas.saveState()
        draw(canvas, one, dice)
        canvas.restoreState()
        canvas.setFillColor(colors.black)
        canvas.setFont("Times-Roman", 11)
        for at, line in enumerate([*simpleSplit(_PROSE, "Times-Roman", 11, 475)]):
            canvas.drawString(60, 330 - 14 * at, line)
        canvas.showPage()
    canvas.save()


class _Pen:
    """Draws in the frame of one chart of the style `flat`."""

    def __init__(self, canvas: Canvas, one: Chart, dice: random.Random) -> None:
        self.canvas, self.chart, self.dice = canvas, one, dice
        self.colors = [colors.HexColor(value) for value in dice.choice(PALETTES)]
        self.font = dice.choice(("Helvetica", "Times-Roman", "Courier", "Helvetica-Bold"))
        self.size = dice.choice((6.5, 7.5, 8.5, 9.5))
        self.box = (70.0, 380.0, 70.0 + dice.uniform(330, 450), 380.0 + dice.uniform(190, 270))
        self.inside = dice.random() < 0.5
        self.where = dice.choice(("right", "under", "over"))

    def text(self, x: float, y: float, words: str, *, anchor: str = "middle", color: Any = colors.black) -> None:
        self.canvas.setFillColor(color)
        self.canvas.setFont(self.font, self.size)
        draw = {
            "middle": self.canvas.drawCentredString,
            "start": self.canvas.drawString,
            "end": self.canvas.drawRightString,
        }[anchor]
        draw(x, y, words)

    def wrapped(self, x: float, y: float, words: str, width: float) -> None:
        for at, line in enumerate(simpleSplit(words, self.font, self.size, width)):
            self.text(x, y - at * 1.15 * self.size, line)

    def rect(self, x: float, y: float, width: float, height: float, color: Any) -> None:
        self.canvas.setFillColor(color)
        self.canvas.rect(x, y, width, height, stroke=0, fill=1)

    def rule(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self.canvas.setStrokeColor(colors.grey)
        self.canvas.setLineWidth(0.6)
        self.canvas.line(x0, y0, x1, y1)

    def title(self) -> None:
        self.canvas.setFillColor(colors.black)
        self.canvas.setFont("Helvetica-Bold", self.size + 2.5)
        self.canvas.drawString(self.box[0], self.box[3] + 26, self.chart.title)

    def legend(self, names: tuple[str, ...]) -> None:
        """Draw swatches with names, in a row or a column."""
        x0, y0, x1, y1 = self.box
        shape = self.dice.choice(("square", "square", "dash"))
        x, y = (x0, y1 + 10) if self.where == "over" else (x0, y0 - 3.6 * self.size - 8)
        if self.where == "right":
            x, y = x1 + 6, y1 - 10
        for name, color in zip(names, self.colors, strict=False):
            if shape == "square":
                self.rect(x, y - 0.05 * self.size, 0.75 * self.size, 0.75 * self.size, color)
                left = x + 1.2 * self.size
            else:
                self.rect(x, y + 0.25 * self.size, 1.8 * self.size, 2, color)
                left = x + 2.2 * self.size
            self.text(left, y, name, anchor="start")
            if self.where == "right":
                y -= self.dice.choice((1.5, 1.9)) * self.size
            else:
                x = left + self.canvas.stringWidth(name, self.font, self.size) + 1.6 * self.size

    def ink(self, color: Any) -> Any:
        """Return black or white, whichever shows on a colour."""
        return colors.white if 0.3 * color.red + 0.59 * color.green + 0.11 * color.blue < 0.55 else colors.black


def _flat(canvas: Canvas, one: Chart, dice: random.Random) -> None:
    pen = _Pen(canvas, one, dice)
    if one.kind != "bars" or dice.random() < 0.7:
        pen.title()
    if one.kind in ("pie", "donut"):
        _flat_pie(pen)
    elif one.kind.startswith("lying"):
        _flat_lying(pen)
    elif one.kind == "line":
        _flat_line(pen)
    else:
        _flat_standing(pen)


def _flat_axis(pen: _Pen, top: float) -> None:
    """Draw a value axis at times, at the left."""
    x0, y0, x1, y1 = pen.box
    pen.rule(x0, y0, x1, y0)
    if pen.dice.random() < 0.4:
        step = max(round(top / 5 / 10) * 10, 5)
        for at in range(int(top // step) + 1):
            y = y0 + (y1 - y0) * at * step / top
            pen.text(x0 - 4, y - 0.35 * pen.size, f"{at * step}", anchor="end")
            pen.rule(x0, y, x1, y)


def _flat_standing(pen: _Pen) -> None:
    one, (x0, y0, x1, y1) = pen.chart, pen.box
    stacked = one.kind == "stacked"
    top = 1.15 * (max(map(sum, zip(*one.values, strict=True))) if stacked else max(map(max, one.values)))
    _flat_axis(pen, top)
    step = (x1 - x0) / len(one.names)
    full = step * pen.dice.uniform(0.55, 0.85)
    wide = full if stacked else full / len(one.series)
    for column, name in enumerate(one.names):
        middle, base = x0 + (column + 0.5) * step, y0
        pen.wrapped(middle, y0 - 1.3 * pen.size, name, 0.95 * step)
        for row, values in enumerate(one.values):
            high = (y1 - y0) * values[column] / top
            left = middle - full / 2 + (0 if stacked else row * wide)
            pen.rect(left, base, wide * (1 if stacked else 0.94), high, pen.colors[row])
            words, centre = one.form(values[column]), left + wide / 2
            if stacked or (pen.inside and high > 2 * pen.size):
                at = base + high / 2 - 0.35 * pen.size if stacked else base + high - 1.2 * pen.size
                pen.text(centre, at, words, color=pen.ink(pen.colors[row]))
            else:
                pen.text(centre, base + high + 0.3 * pen.size, words)
            base += high if stacked else 0
    if len(one.series) > 1:
        pen.legend(one.series)


def _flat_lying(pen: _Pen) -> None:
    one, (x0, y0, x1, y1) = pen.chart, pen.box
    left = x0 + max(pen.canvas.stringWidth(name, pen.font, pen.size) for name in one.names) + 6
    top = 1.2 * max(map(max, one.values))
    step = (y1 - y0) / len(one.names)
    full = step * pen.dice.uniform(0.5, 0.8)
    high = full / len(one.series)
    to_the_left = pen.dice.random() < 0.5
    for row, name in enumerate(one.names):
        middle = y1 - (row + 0.5) * step
        pen.text(
            x0 if to_the_left else left - 5, middle - 0.35 * pen.size, name, anchor="start" if to_the_left else "end"
        )
        for at, values in enumerate(one.values):
            wide = (x1 - left) * values[row] / top
            low = middle + full / 2 - (at + 1) * high
            pen.rect(left, low, wide, 0.92 * high, pen.colors[at])
            words, level = one.form(values[row]), low + 0.46 * high - 0.35 * pen.size
            if pen.inside and wide > 40:
                pen.text(left + wide - 3, level, words, anchor="end", color=pen.ink(pen.colors[at]))
            else:
                pen.text(left + wide + 3, level, words, anchor="start")
    if len(one.series) > 1:
        pen.legend(one.series)


def _flat_line(pen: _Pen) -> None:
    one, (x0, y0, x1, y1) = pen.chart, pen.box
    top = 1.15 * max(one.values[0])
    _flat_axis(pen, top)
    step = (x1 - x0) / len(one.names)
    points = [(x0 + (at + 0.5) * step, y0 + (y1 - y0) * value / top) for at, value in enumerate(one.values[0])]
    pen.canvas.setStrokeColor(pen.colors[0])
    pen.canvas.setLineWidth(1.6)
    for (ax, ay), (bx, by) in itertools.pairwise(points):
        pen.canvas.line(ax, ay, bx, by)
    for (x, y), name, value in zip(points, one.names, one.values[0], strict=True):
        pen.canvas.setFillColor(pen.colors[0])
        pen.canvas.circle(x, y, 2.2, stroke=0, fill=1)
        pen.text(x, y + 5, one.form(value))
        pen.wrapped(x, y0 - 1.3 * pen.size, name, 0.95 * step)


def _flat_pie(pen: _Pen) -> None:
    one, (x0, y0, _, y1) = pen.chart, pen.box
    radius = (y1 - y0) / 2 - 8
    x, y, start = x0 + radius + 70, (y0 + y1) / 2, 90.0
    style = pen.dice.choice(("legend", "beside", "beside two lines"))
    for at, (name, value) in enumerate(zip(one.names, one.values[0], strict=True)):
        extent = 3.6 * value
        pen.canvas.setFillColor(pen.colors[at])
        pen.canvas.setStrokeColor(colors.white)
        pen.canvas.wedge(x - radius, y - radius, x + radius, y + radius, start - extent, extent, stroke=1, fill=1)
        angle = math.radians(start - extent / 2)
        reach = 0.75 * radius if style == "legend" else radius + 8
        px, py = x + reach * math.cos(angle), y + reach * math.sin(angle)
        words = one.form(value)
        if style == "legend":
            pen.text(px, py - 0.35 * pen.size, words, color=pen.ink(pen.colors[at]))
        else:
            anchor = "start" if math.cos(angle) > 0 else "end"
            if style == "beside":
                pen.text(
                    px, py - 0.35 * pen.size, pen.dice.choice((f"{name} {words}", f"{name}, {words}")), anchor=anchor
                )
            else:
                pen.text(px, py + 0.2 * pen.size, name, anchor=anchor)
                pen.text(px, py - 0.9 * pen.size, words, anchor=anchor)
        start -= extent
    if one.kind == "donut":
        pen.canvas.setFillColor(colors.white)
        pen.canvas.circle(x, y, 0.5 * radius, stroke=0, fill=1)
    if style == "legend":
        pen.where = "right"
        pen.box = (x0, y0, x + radius + 20, y1)
        pen.legend(one.names)


def _reportlab(canvas: Canvas, one: Chart, dice: random.Random) -> None:
    palette = [colors.HexColor(value) for value in dice.choice(PALETTES)]
    size = dice.choice((6, 7, 8))
    drawing = Drawing(450, 250)
    made = (
        _reportlab_pie(one, palette, size)
        if one.kind in ("pie", "donut")
        else _reportlab_bars(one, palette, size, dice)
    )
    drawing.add(made)
    drawing.add(String(20, 238, one.title, fontName="Helvetica-Bold", fontSize=size + 2))
    if len(one.series) > 1:
        legend = Legend()
        legend.x, legend.y, legend.fontSize, legend.alignment = 60, 26, size, "right"
        legend.columnMaximum, legend.dx, legend.dy, legend.deltax = 1, size, size, 70
        legend.colorNamePairs = list(zip(palette, one.series, strict=False))
        drawing.add(legend)
    renderPDF.draw(drawing, canvas, 70, 400)


def _reportlab_bars(one: Chart, palette: list[Any], size: int, dice: random.Random) -> Any:
    plot = HorizontalBarChart() if one.kind.startswith("lying") else VerticalBarChart()
    plot.x, plot.y, plot.width, plot.height = (90 if one.kind.startswith("lying") else 40), 55, 320, 160
    plot.data = [list(row) for row in one.values]
    plot.categoryAxis.categoryNames = list(one.names)
    plot.categoryAxis.style = "stacked" if one.kind == "stacked" else "parallel"
    plot.categoryAxis.labels.fontSize = plot.valueAxis.labels.fontSize = plot.barLabels.fontSize = size
    plot.groupSpacing = dice.choice((5, 10))
    plot.valueAxis.valueMin = 0
    plot.valueAxis.visible = dice.random() < 0.5
    plot.barLabelFormat = one.form
    plot.barLabels.nudge = -size if one.kind == "stacked" else size
    if one.kind.startswith("lying"):
        plot.barLabels.boxAnchor, plot.barLabels.nudge = "w", 3
    for at in range(len(one.series)):
        plot.bars[at].fillColor, plot.bars[at].strokeColor = palette[at], dice.choice((None, colors.black))
        if one.kind == "stacked":
            plot.barLabels[at].fillColor = colors.white if at == 0 else colors.black
    return plot


def _reportlab_pie(one: Chart, palette: list[Any], size: int) -> Any:
    pie = Pie()
    pie.x, pie.y, pie.width, pie.height = 130, 30, 170, 170
    pie.data = list(one.values[0])
    pie.labels = [f"{name} {one.form(value)}" for name, value in zip(one.names, one.values[0], strict=True)]
    pie.sideLabels = one.seed % 3 == 0
    pie.slices.fontSize = size
    for at in range(len(one.names)):
        pie.slices[at].fillColor, pie.slices[at].strokeColor = palette[at], colors.white
    return pie


def _matplotlib(path: Path, charts: list[Chart]) -> None:
    """Draw each chart by matplotlib as a page of its own, pages being as large as the figure."""
    import matplotlib as mpl

    mpl.use("pdf")
    from matplotlib import pyplot
    from matplotlib.backends.backend_pdf import PdfPages

    with PdfPages(path) as pages:
        for one in charts:
            dice = random.Random(one.seed + 7)
            pyplot.rcParams.update(pyplot.rcParamsDefault)
            pyplot.rcParams["pdf.fonttype"] = 42
            pyplot.rcParams["font.size"] = dice.choice((8, 9, 10))
            pyplot.rcParams["font.family"] = dice.choice(("DejaVu Sans", "DejaVu Serif"))
            if dice.random() < 0.3:
                pyplot.style.use(dice.choice(("ggplot", "fivethirtyeight", "bmh")))
            figure = pyplot.figure(figsize=(8.27, 11.69))
            figure.patch.set_facecolor("white")
            figure.text(0.1, 0.95, _PROSE[:83] + "\n" + _PROSE[83:], fontsize=11, va="top")
            figure.text(0.1, 0.3, _PROSE[:83] + "\n" + _PROSE[83:], fontsize=11, va="top")
            axes = figure.add_axes((0.22, 0.45, 0.6, 0.38))
            _plot(axes, one, dice)
            pages.savefig(figure)
            pyplot.close(figure)


def _plot(axes: Any, one: Chart, dice: random.Random) -> None:
    axes.set_title(one.title)
    if one.kind in ("pie", "donut"):
        ring = {"width": 0.45} if one.kind == "donut" else {}
        if dice.random() < 0.5:
            words = [f"{name}\n{one.form(value)}" for name, value in zip(one.names, one.values[0], strict=True)]
            axes.pie(one.values[0], labels=words, wedgeprops=ring)
        else:
            slices, *_ = axes.pie(one.values[0], autopct="%1.0f%%", pctdistance=0.78, wedgeprops=ring)
            axes.legend(slices, one.names, loc="center left", bbox_to_anchor=(1, 0.5))
        return
    places = range(len(one.names))
    if one.kind == "line":
        axes.plot(places, one.values[0], marker=dice.choice("os^"))
        axes.set_xticks(places, one.names)
        for at, value in enumerate(one.values[0]):
            axes.annotate(one.form(value), (at, value), textcoords="offset points", xytext=(0, 6), ha="center")
        axes.set_ylim(0, 1.15 * max(one.values[0]))
        return
    lying, stacked = one.kind.startswith("lying"), one.kind == "stacked"
    wide = 0.8 if stacked else 0.8 / len(one.series)
    base = [0.0] * len(one.names)
    for at, (series, values) in enumerate(zip(one.series, one.values, strict=True)):
        shift = 0 if stacked else (at - (len(one.series) - 1) / 2) * wide
        spots = [place + shift for place in places]
        if lying:
            bars = axes.barh(spots, values, wide, label=series)
        else:
            bars = axes.bar(spots, values, wide, bottom=base if stacked else 0, label=series)
        words = [one.form(value) for value in values]
        axes.bar_label(
            bars, words, label_type="center" if stacked else dice.choice(("edge", "edge", "center")), padding=2
        )
        base = [a + b for a, b in zip(base, values, strict=True)] if stacked else base
    (axes.set_yticks if lying else axes.set_xticks)(places, one.names)
    if lying:
        axes.invert_yaxis()
    if len(one.series) > 1:
        axes.legend(
            loc=dice.choice(("upper left", "best")), **({"bbox_to_anchor": (1, 1)} if dice.random() < 0.6 else {})
        )
    if dice.random() < 0.5:
        (axes.set_xticks if lying else axes.set_yticks)([])
        axes.spines[["top", "right"]].set_visible(False)


def _office(path: Path, charts: list[Chart]) -> None:
    """Have LibreOffice print slides with charts of python-pptx."""
    from pptx import Presentation
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE as SORTS
    from pptx.enum.chart import XL_LEGEND_POSITION as PLACES
    from pptx.util import Inches, Pt

    sorts = {
        "bars": SORTS.COLUMN_CLUSTERED, "grouped": SORTS.COLUMN_CLUSTERED, "stacked": SORTS.COLUMN_STACKED,
        "lying": SORTS.BAR_CLUSTERED, "lying grouped": SORTS.BAR_CLUSTERED, "pie": SORTS.PIE,
        "donut": SORTS.DOUGHNUT, "line": SORTS.LINE_MARKERS,
    }  # fmt: skip
    deck: Any = Presentation()
    for one in charts:
        dice = random.Random(one.seed + 7)
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = "What was found"
        data: Any = CategoryChartData(number_format=_office_form(one))
        data.categories = one.names
        scale = 137 if one.form is FORMS[-1] else 1
        for series, values in zip(one.series, one.values, strict=True):
            shares = 100 if "%" in one.form(1) else 1
            data.add_series(series or "Share", [float(value) * scale / shares for value in values])
        frame = slide.shapes.add_chart(sorts[one.kind], Inches(1), Inches(1.6), Inches(8), Inches(5), data)
        plot = frame.chart.plots[0]
        frame.chart.has_title = True
        frame.chart.chart_title.text_frame.text = one.title
        plot.has_data_labels = True
        labels = plot.data_labels
        labels.show_value, labels.number_format, labels.number_format_is_linked = True, _office_form(one), False
        labels.font.size = Pt(dice.choice((9, 11, 13)))
        is_round = one.kind in ("pie", "donut")
        plot.vary_by_categories = is_round
        if is_round and dice.random() < 0.4 and one.kind == "pie":
            labels.show_category_name = True
        elif is_round or len(one.series) > 1:
            frame.chart.has_legend = True
            frame.chart.legend.position = dice.choice((PLACES.RIGHT, PLACES.BOTTOM))
            frame.chart.legend.include_in_layout = False
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / f"{path.stem}.pptx"
        deck.save(str(source))
        command = ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", "pdf"]
        subprocess.run([*command, "--outdir", folder, str(source)], check=True, capture_output=True, timeout=300)
        shutil.copy(source.with_suffix(".pdf"), path)


def _office_form(one: Chart) -> str:
    shown = one.form(90.0)
    if shown.startswith("$"):
        return '"$"0.0"m"'
    if "%" in shown:
        return "0.0%" if "." in shown else "0%"
    return "#,##0" if "," in shown else "0.0" if "." in shown else "0"


STYLES: dict[str, Callable[[Path, list[Chart]], None]] = {
    "flat": lambda path, charts: _pages(path, charts, _flat),
    "reportlab": lambda path, charts: _pages(path, charts, _reportlab),
    "matplotlib": _matplotlib,
    "office": _office,
}


KINDS_OF = {"reportlab": KINDS[:-2]}
"""The kinds of chart of a style that has not all."""
FIGURES = {"flat": (0.14, 0.6), "reportlab": (0.2, 0.53), "matplotlib": (0.1, 0.69), "office": (0.2, 1.0)}
"""Where the chart stands on a page, from and to which part of its height."""


def pictured(path: Path, target: Path, style: str, seed: int) -> None:
    """Write a PDF like another with the charts as pictures, every other page as a picture of the whole."""
    import pypdfium2
    from reportlab.lib.utils import ImageReader

    canvas = Canvas(str(target), invariant=1)
    for number, page in enumerate(pypdfium2.PdfDocument(path)):
        dice = random.Random(1000 * seed + number)
        picture = page.render(scale=dice.choice((100, 130, 150, 200)) / 72).to_pil().convert("RGB")
        width, height = page.get_size()
        canvas.setPageSize((width, height))
        top, bottom = (0.0, 1.0) if number % 2 else FIGURES[style]
        if not number % 2:
            canvas.setFont("Times-Roman", 11)
            for at, line in enumerate(simpleSplit(_PROSE, "Times-Roman", 11, width - 120)):
                canvas.drawString(60, height - 30 - 14 * at, line)
        cut = picture.crop((0, round(top * picture.height), picture.width, round(bottom * picture.height)))
        data = io.BytesIO()
        cut.save(
            data,
            **({"format": "JPEG", "quality": dice.choice((75, 85, 92))} if dice.random() < 0.5 else {"format": "PNG"}),
        )
        data.seek(0)
        size = 0.7 if style == "office" and not number % 2 else 1.0
        canvas.drawImage(
            ImageReader(data),
            (1 - size) / 2 * width,
            (1 - bottom) * height,
            size * width,
            size * (bottom - top) * height,
        )
        canvas.showPage()
    canvas.save()

"""The handbook's figures: vector charts and diagrams, and one relief map painted by code."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from io import BytesIO
from math import exp, sin
from pathlib import Path
from typing import Any

import reportlab
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont
from reportlab.graphics.charts.barcharts import VerticalBarChart
from reportlab.graphics.charts.legends import Legend
from reportlab.graphics.charts.lineplots import LinePlot
from reportlab.graphics.charts.piecharts import Pie
from reportlab.graphics.shapes import Circle, Drawing, Line, Polygon, Rect, String
from reportlab.lib.colors import HexColor, white
from reportlab.platypus import Image

from . import chartdata
from .styles import INK, RULE, SHADE, TINT, WARN

PALETTE = [HexColor("#1b3a57"), HexColor("#e0a83e"), HexColor("#a3431f"), HexColor("#5d8f8b"), HexColor("#b9c4ce"),
           HexColor("#6f5f90")]  # fmt: skip
WIDTH = 340
Scale = tuple[float, float, float]  # least, greatest, step
VERA = str(Path(reportlab.__file__).parent / "fonts" / "VeraBd.ttf")


def station_map() -> Image:
    """Return a raster relief of the skerry: land and sea shaded from a height field, with the buildings' letters."""
    width, height = 520, 330
    return Image(BytesIO(_station_map(width, height)), width=300, height=300 * height / width)


@cache
def _station_map(width: int, height: int) -> bytes:
    picture = Picture.new("RGB", (width, height))
    picture.putdata([_relief(x / width, y / height) for y in range(height) for x in range(width)])
    return _png(_lettered(picture))


def _height(x: float, y: float) -> float:
    """Return the height in metres of the invented skerry at map coordinates 0..1."""
    hills = ((0.38, 0.45, 0.16, 31.0), (0.62, 0.58, 0.13, 18.0), (0.80, 0.34, 0.07, 9.0), (0.2, 0.72, 0.08, 6.0))
    land = sum(top * exp(-((x - cx) ** 2 * 1.6 + (y - cy) ** 2 * 2.2) / size**2) for cx, cy, size, top in hills)
    return land - 3.5 + 0.9 * sin(23 * x + 9 * y) * sin(17 * y - 5 * x)


def _relief(x: float, y: float) -> tuple[int, int, int]:
    here = _height(x, y)
    light = max(0.0, min(1.0, 0.72 + (_height(x - 0.004, y - 0.006) - here) * -0.55))
    if here <= 0:
        depth = min(1.0, -here / 5)
        return (round(178 - 70 * depth), round(208 - 60 * depth), round(222 - 45 * depth))
    contour = 0.82 if here % 5 < 0.35 else 1.0
    green = min(1.0, here / 28)
    shade = (0.55 + 0.45 * light) * contour
    return (round((196 + 40 * green) * shade), round((190 + 12 * green) * shade), round((150 - 14 * green) * shade))


def _lettered(picture: Picture.Image) -> Picture.Image:
    font = ImageFont.truetype(VERA, 15)
    pen = ImageDraw.Draw(picture)
    places = {"A": (168, 140), "B": (208, 172), "C": (262, 142), "D": (318, 190), "E": (214, 128), "F": (140, 172)}
    for letter, (x, y) in places.items():
        pen.ellipse((x - 11, y - 11, x + 11, y + 11), fill="white", outline="#1b3a57", width=2)
        pen.text((x, y), letter, fill="#1b3a57", font=font, anchor="mm")
    pen.line((24, 306, 110, 306), fill="#1b3a57", width=3)
    pen.text((67, 294), "200 m", fill="#1b3a57", font=font, anchor="mm")
    return picture


def _png(picture: Picture.Image) -> bytes:
    target = BytesIO()
    picture.quantize(96, dither=Picture.Dither.NONE).save(target, "PNG")
    return target.getvalue()


def measuring_chain() -> Drawing:
    """Return a block diagram: three sensors, logger, server, radio link."""
    drawing = Drawing(WIDTH, 176)
    boxes = {
        "Radar gauge": (0, 138, "26 GHz"), "Bubbler": (0, 88, "0-1.2 bar"), "Stilling well": (0, 38, "float, 300 mm"),
        "Logger T7": (130, 88, "1 Hz, 24 bit"), "Tide server": (248, 138, "PostgreSQL"),
        "Radio mast": (248, 38, "5.8 GHz, 41 km"),
    }  # fmt: skip
    arrows = [(92, 155, 130, 117), (92, 105, 130, 105), (92, 55, 130, 93), (222, 110, 248, 150), (222, 98, 248, 60)]
    for x1, y1, x2, y2 in arrows:
        _arrow(drawing, x1, y1, x2, y2)
    for name, (x, y, detail) in boxes.items():
        _box(drawing, x, y, name, detail)
    drawing.add(String(130, 60, "RS-485, 9600 baud", fontName="Helvetica-Oblique", fontSize=7, fillColor=INK))
    drawing.add(String(0, 10, "sensors", fontName="Helvetica-Oblique", fontSize=8, fillColor=RULE))
    drawing.add(String(130, 10, "instrument hut", fontName="Helvetica-Oblique", fontSize=8, fillColor=RULE))
    drawing.add(String(248, 10, "main building and hill", fontName="Helvetica-Oblique", fontSize=8, fillColor=RULE))
    return drawing


def _box(drawing: Drawing, x: float, y: float, name: str, detail: str) -> None:
    drawing.add(Rect(x, y, 92, 34, rx=4, ry=4, fillColor=SHADE, strokeColor=INK, strokeWidth=0.8))
    centre = x + 46
    drawing.add(
        String(centre, y + 20, name, fontName="Helvetica-Bold", fontSize=8.5, fillColor=INK, textAnchor="middle")
    )
    drawing.add(String(centre, y + 8, detail, fontName="Helvetica", fontSize=7.2, fillColor=INK, textAnchor="middle"))


def _arrow(drawing: Drawing, x1: float, y1: float, x2: float, y2: float) -> None:
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    drawing.add(Line(x1, y1, x2 - 5 * ux, y2 - 5 * uy, strokeColor=INK, strokeWidth=0.9))
    base_x, base_y = x2 - 6 * ux, y2 - 6 * uy
    points = [x2, y2, base_x - 2.6 * uy, base_y + 2.6 * ux, base_x + 2.6 * uy, base_y - 2.6 * ux]
    drawing.add(Polygon(points, fillColor=INK, strokeColor=INK, strokeWidth=0))


def energy() -> Drawing:
    """Return a stacked bar chart of the energy of each month of 2030."""
    drawing = Drawing(WIDTH, 190)
    chart = _bars(drawing, list(chartdata.ENERGY.values()), list(chartdata.MONTHS), (0, 10, 2), foot=40)
    chart.categoryAxis.style = "stacked"
    chart.barWidth, chart.groupSpacing = 8, 6
    _axis_title(drawing, "MWh")
    _legend(drawing, list(chartdata.ENERGY), 60, 12)
    return drawing


def maxima() -> Drawing:
    """Return a bar chart of each year's highest level, with values above the bars."""
    drawing = Drawing(WIDTH, 158)
    chart = _bars(
        drawing, [list(chartdata.MAXIMA.values())], [str(year) for year in chartdata.MAXIMA], (5, 6, 0.2), foot=18
    )
    chart.barLabels.fontName, chart.barLabels.fontSize, chart.barLabels.nudge = "Helvetica", 7.5, 7
    chart.barLabelFormat = "%.2f"
    chart.valueAxis.labelTextFormat = "%.1f"
    _axis_title(drawing, "m above chart datum")
    return drawing


def _bars(drawing: Drawing, data: list[Any], names: list[str], up: Scale, *, foot: float) -> Any:
    chart = VerticalBarChart()
    chart.x, chart.y, chart.width, chart.height = 34, foot, WIDTH - 44, drawing.height - foot - 22
    chart.data, chart.categoryAxis.categoryNames = data, names
    axis = chart.valueAxis
    axis.valueMin, axis.valueMax, axis.valueStep = up
    axis.visibleGrid, axis.gridStrokeColor, axis.gridStrokeWidth = 1, SHADE, 0.5
    for labels in (chart.categoryAxis.labels, axis.labels):
        labels.fontName, labels.fontSize = "Helvetica", 7.5
    for number in range(len(data)):
        chart.bars[number].fillColor, chart.bars[number].strokeColor = PALETTE[number], None
    drawing.add(chart)
    return chart


def _axis_title(drawing: Drawing, text: str) -> None:
    drawing.add(String(10, drawing.height - 12, text, fontName="Helvetica", fontSize=7.5, fillColor=INK))


def _legend(drawing: Drawing, names: list[str], x: float, y: float, *, step: float = 80) -> None:
    for number, name in enumerate(names):
        left = x + number * step
        drawing.add(Rect(left, y, 8, 8, fillColor=PALETTE[number], strokeColor=None))
        drawing.add(String(left + 12, y + 1, name, fontName="Helvetica", fontSize=8, fillColor=INK))


def load() -> Drawing:
    """Return a pie of the electrical load, with shares in the legend."""
    return _pie(list(chartdata.LOAD.items()), "%")


def crossings() -> Drawing:
    """Return a pie of the crossings of 2030, with counts in the legend."""
    return _pie(list(chartdata.CROSSINGS.items()), "")


def _pie(shares: list[tuple[str, int]], unit: str) -> Drawing:
    drawing = Drawing(WIDTH, 150)
    pie = Pie()
    pie.x, pie.y, pie.width, pie.height = 30, 12, 126, 126
    pie.data = [value for _, value in shares]
    pie.labels = None
    pie.slices.strokeColor, pie.slices.strokeWidth = white, 1
    for number in range(len(shares)):
        pie.slices[number].fillColor = PALETTE[number]
    legend = Legend()
    legend.x, legend.y, legend.boxAnchor = 190, 75, "w"
    legend.fontName, legend.fontSize, legend.deltay, legend.columnMaximum = "Helvetica", 8.5, 14, 8
    legend.alignment, legend.dxTextSpace, legend.dx, legend.dy = "right", 6, 8, 8
    legend.strokeColor = None
    legend.colorNamePairs = [(PALETTE[i], f"{name}  {value}{unit}") for i, (name, value) in enumerate(shares)]
    drawing.add(pie)
    drawing.add(legend)
    return drawing


def surge() -> Drawing:
    """Return predicted and observed level over one day."""
    drawing = Drawing(WIDTH, 190)
    hours = [step / 4 for step in range(97)]
    curves = [[(h, chartdata.predicted(h)) for h in hours], [(h, chartdata.observed(h)) for h in hours]]
    _lines(drawing, curves, (0, 24, 3), (0, 6, 1), foot=46)
    drawing.add(String(WIDTH / 2, 21, "hours, 14 November 2030", fontName="Helvetica", fontSize=7.5, fillColor=INK,
                       textAnchor="middle"))  # fmt: skip
    _axis_title(drawing, "m above chart datum")
    _legend(drawing, ["Predicted", "Observed"], 100, 5)
    return drawing


def sea_temperature() -> Drawing:
    """Return the year's course of the sea's temperature, each month's value beside its point."""
    drawing = Drawing(WIDTH, 152)
    points = list(enumerate(chartdata.SEA_TEMPERATURE, start=1))
    plot = _lines(drawing, [points], (0, 13, 1), (4, 16, 2), foot=22)
    plot.xValueAxis.labelTextFormat = lambda value: ("", *chartdata.MONTHS, "")[round(value)]
    for month, value in points:
        x = plot.x + plot.width * month / 13
        y = plot.y + plot.height * (value - 4) / 12
        drawing.add(Circle(x, y, 2, fillColor=INK, strokeColor=None))
        drawing.add(
            String(x, y + 6, f"{value:.1f}", fontName="Helvetica", fontSize=7.5, fillColor=INK, textAnchor="middle")
        )
    _axis_title(drawing, "\u00b0C")
    return drawing


def _lines(drawing: Drawing, data: list[Any], across: Scale, up: Scale, *, foot: float) -> Any:
    plot = LinePlot()
    plot.x, plot.y, plot.width, plot.height = 34, foot, WIDTH - 54, drawing.height - foot - 22
    plot.data = data
    for axis, (low, high, step) in ((plot.xValueAxis, across), (plot.yValueAxis, up)):
        axis.valueMin, axis.valueMax, axis.valueStep = low, high, step
        axis.labels.fontName, axis.labels.fontSize = "Helvetica", 7.5
        axis.labelTextFormat = "%d"
    plot.yValueAxis.visibleGrid, plot.yValueAxis.gridStrokeColor = 1, SHADE
    for number in range(len(data)):
        plot.lines[number].strokeColor, plot.lines[number].strokeWidth = PALETTE[number], 1.4
    drawing.add(plot)
    return plot


def alarm_ladder() -> Drawing:
    """Return a diagram of the three alarm states and what moves the station between them."""
    drawing = Drawing(WIDTH, 92)
    states = [
        ("GREEN", "routine", TINT),
        ("AMBER", "prepare", HexColor("#f7e8c6")),
        ("RED", "shelter", HexColor("#f3d5ca")),
    ]
    for number, (name, detail, colour) in enumerate(states):
        x = number * 124
        drawing.add(Rect(x, 18, 92, 40, rx=6, ry=6, fillColor=colour, strokeColor=INK, strokeWidth=0.8))
        drawing.add(
            String(x + 46, 40, name, fontName="Helvetica-Bold", fontSize=10, fillColor=INK, textAnchor="middle")
        )
        drawing.add(String(x + 46, 27, detail, fontName="Helvetica", fontSize=8, fillColor=INK, textAnchor="middle"))
    for x, up, down in ((92, "surge > 0.5 m", "12 h calm"), (216, "surge > 0.9 m", "6 h below 0.7 m")):
        _arrow(drawing, x, 46, x + 32, 46)
        _arrow(drawing, x + 32, 30, x, 30)
        for y, text, colour in ((66, up, WARN), (4, down, INK)):
            drawing.add(
                String(x + 16, y, text, fontName="Helvetica", fontSize=7.5, fillColor=colour, textAnchor="middle")
            )
    return drawing


FIGURES: dict[str, Callable[[], Any]] = {
    "map": station_map,
    "chain": measuring_chain,
    "energy": energy,
    "load": load,
    "surge": surge,
    "maxima": maxima,
    "crossings": crossings,
    "sea": sea_temperature,
    "alarm": alarm_ladder,
}

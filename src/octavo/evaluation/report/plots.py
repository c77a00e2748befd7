"""Plots as inline SVG.

Owns the drawing: axes, curves, dots. Coordinates are pixels of the view box, origin top left. Knows nothing about
metrics; values on a unit axis lie in 0..1.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from octavo.evaluation.report.markup import Html, element, join
from octavo.evaluation.report.style import color

_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 14, 28, 40
_WIDTH, _HEIGHT = 520, 320
_ROW, _LANE = 14, 8
"""Height of a row of dots: a margin, and a lane for each system, so that equal values do not hide each other."""


@dataclasses.dataclass(frozen=True)
class Series:
    """Values of the system in place `number`, drawn in its colour."""

    name: str
    number: int
    points: Sequence[tuple[float, float]]


@dataclasses.dataclass(frozen=True)
class DotRow:
    """A row of a dot plot: a label, how many questions it is about, and a value per system, None for none."""

    label: str
    count: int
    values: Sequence[float | None]


@dataclasses.dataclass(frozen=True)
class _Scale:
    """Maps values to pixels."""

    low: float
    high: float
    start: float
    stop: float

    def __call__(self, value: float) -> float:
        span = (self.high - self.low) or 1.0
        return round(self.start + (value - self.low) / span * (self.stop - self.start), 1)


def ticks(most: float, *, about: int = 5) -> list[float]:
    """Return round numbers from 0 to at least `most`, a step of 1, 2 or 5 times a power of ten apart."""
    rough = max(most, 1e-9) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    return [round(step * number, 10) for number in range(math.ceil(most / step) + 1)]


def curves(series: Sequence[Series], marks: Sequence[Series], *, across: str, up: str, places: Sequence[float]) -> Html:
    """Draw curves over a unit axis, and a ring for each point of `marks`; `places` are the ticks of the x axis."""
    x = _Scale(min(places), max(places), _LEFT, _WIDTH - _RIGHT)
    y = _Scale(0, 1, _HEIGHT - _BOTTOM, _TOP)
    return element(
        "svg",
        *_unit_grid(y),
        *(_tick(x(place), place) for place in places),
        element("text", across, x=(_LEFT + _WIDTH) / 2, y=_HEIGHT - 6, text_anchor="middle", class_="axis"),
        element("text", up, x=_LEFT - 30, y=14, class_="axis"),
        *(_curve(item, x, y) for item in series),
        *(_ring(item, point, x, y) for item in marks for point in item.points),
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        role="img",
        aria_label=f"{up} against {across}",
    )


def _unit_grid(y: _Scale) -> list[Html]:
    lines: list[Html] = []
    for tenth in range(0, 11, 2):
        at = y(tenth / 10)
        lines.append(element("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=at, y2=at, class_="grid"))
        lines.append(element("text", f"{tenth / 10:.1f}", x=_LEFT - 8, y=at + 4, text_anchor="end", class_="tick"))
    return lines


def _tick(at: float, value: float) -> Html:
    label = f"{value:,.0f}" if float(value).is_integer() else f"{value:g}"
    return element("text", label, x=at, y=_HEIGHT - _BOTTOM + 18, text_anchor="middle", class_="tick")


def _curve(item: Series, x: _Scale, y: _Scale) -> Html:
    points = " ".join(f"{x(across)},{y(up)}" for across, up in item.points)
    return element("polyline", _title(item.name), points=points, class_=f"curve line{color(item.number)}")


def _ring(item: Series, point: tuple[float, float], x: _Scale, y: _Scale) -> Html:
    across, up = point
    told = _title(f"{item.name}: {up:.3f} at {across:,.1f}")
    return element("circle", told, cx=x(across), cy=y(up), r=5, class_=f"ring line{color(item.number)}")


def dots(titles: Sequence[str], panels: Sequence[Sequence[DotRow]], names: Sequence[str], *, width: int = 1080) -> Html:
    """Draw panels side by side over unit axes: the same rows in each, a dot per system in every row."""
    label = min(360, 24 + 7 * max((len(_labelled(row)) for row in panels[0]), default=0))
    panel = (width - label) / max(len(panels), 1)
    height = 26 + row_height(len(names)) * len(panels[0]) + 24
    drawn = [
        _panel(rows, names, title, _Scale(0, 1, label + at * panel + 18, label + (at + 1) * panel - 18), height)
        for at, (title, rows) in enumerate(zip(titles, panels, strict=True))
    ]
    labels = (_label(row, label - 8, 26 + row_height(len(names)) * (at + 0.5)) for at, row in enumerate(panels[0]))
    return element("svg", *labels, *drawn, viewBox=f"0 0 {width} {height}", role="img", aria_label=", ".join(titles))


def row_height(systems: int) -> float:
    """Return the height of a row of dots."""
    return _ROW + _LANE * systems


def _labelled(row: DotRow) -> str:
    return f"{row.label} ({row.count})"


def _label(row: DotRow, x: float, y: float) -> Html:
    told = _labelled(row)
    return element("text", told if len(told) <= 50 else told[:49] + "…", x=x, y=y + 4, text_anchor="end")


def _panel(rows: Sequence[DotRow], names: Sequence[str], title: str, x: _Scale, height: float) -> Html:
    parts = [element("text", title, x=x(0), y=14, class_="axis")]
    for tenth in (0, 2, 4, 6, 8, 10):
        at = x(tenth / 10)
        parts.append(element("line", x1=at, x2=at, y1=22, y2=height - 22, class_="grid"))
        parts.append(element("text", f"{tenth / 10:.1f}", x=at, y=height - 6, text_anchor="middle", class_="tick"))
    for at, row in enumerate(rows):
        middle = 26 + row_height(len(names)) * (at + 0.5)
        parts.append(element("line", x1=x(0), x2=x(1), y1=middle, y2=middle, class_="grid"))
        first = middle - _LANE * (len(names) - 1) / 2
        parts.extend(_dot(value, number, names, x, first + _LANE * number) for number, value in _drawn(row))
    return join(parts)


def _drawn(row: DotRow) -> list[tuple[int, float]]:
    return [(number, value) for number, value in enumerate(row.values) if value is not None]


def _dot(value: float, number: int, names: Sequence[str], x: _Scale, middle: float) -> Html:
    told = _title(f"{names[number]}: {value:.3f}")
    return element("circle", told, cx=x(value), cy=middle, r=4, class_=f"fill{color(number)}")


def _title(words: str) -> Html:
    return element("title", words)

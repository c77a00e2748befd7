"""Plots as inline SVG: axes, curves, dots.

Coordinates are pixels of the view box, origin top left; values on a unit axis lie in 0..1.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence

from octavo.evaluation.report.html import Html, Look, element, join, mark

_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 22, 28, 40
_WIDTH, _HEIGHT = 520, 320
_ROW, _LANE = 14, 8
"""Height of a row of dots: a margin, and a lane for each system, so that equal values do not hide each other."""


@dataclasses.dataclass(frozen=True)
class Series:
    """Values of a system."""

    name: str
    look: Look
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


def curves(
    series: Sequence[Series],
    marks: Sequence[Series],
    *,
    across: str,
    up: str,
    places: Sequence[float],
    most: float = 1.0,
) -> Html:
    """Draw curves, and a ring for each point of `marks`; `places` are the ticks of the x axis.

    The y axis goes from 0 to `most`, or less far where every value is small.
    """
    x = _Scale(min(places), max(places), _LEFT, _WIDTH - _RIGHT)
    levels = ticks(min(most, max((up for item in (*series, *marks) for _, up in item.points), default=1.0)))
    y = _Scale(0, levels[-1] or 1.0, _HEIGHT - _BOTTOM, _TOP)
    return element(
        "svg",
        *_levels(y, levels),
        *(_tick(x(place), place) for place in places),
        element("text", across, x=(_LEFT + _WIDTH) / 2, y=_HEIGHT - 6, text_anchor="middle", class_="axis"),
        element("text", up, x=_LEFT - 30, y=14, class_="axis"),
        *(_curve(item, x, y) for item in series),
        *(_ring(item, point, x, y) for item in marks for point in item.points),
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        role="img",
        aria_label=f"{up} against {across}",
    )


def _levels(y: _Scale, levels: Sequence[float]) -> list[Html]:
    lines: list[Html] = []
    for level in levels:
        at = y(level)
        lines.append(element("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=at, y2=at, class_="grid"))
        lines.append(element("text", f"{level:g}", x=_LEFT - 8, y=at + 4, text_anchor="end", class_="tick"))
    return lines


def _tick(at: float, value: float) -> Html:
    label = f"{value:,.0f}" if float(value).is_integer() else f"{value:g}"
    return element("text", label, x=at, y=_HEIGHT - _BOTTOM + 18, text_anchor="middle", class_="tick")


def _curve(item: Series, x: _Scale, y: _Scale) -> Html:
    points = " ".join(f"{x(across)},{y(up)}" for across, up in item.points)
    drawn = f"curve line{item.look.color} dash{item.look.mark}"
    return element("polyline", element("title", item.name), points=points, class_=drawn)


def _ring(item: Series, point: tuple[float, float], x: _Scale, y: _Scale) -> Html:
    across, up = point
    return mark(item.look, x(across), y(up), f"{item.name}: {up:.3f} at {across:,.1f}", size=5, hollow=True)


def dots(
    titles: Sequence[str], panels: Sequence[Sequence[DotRow]], names: Mapping[str, Look], *, width: int = 1080
) -> Html:
    """Draw panels side by side over unit axes: the same rows in each, a dot per system in every row."""
    label = min(360, 24 + 7 * max((len(_labelled(row)) for row in panels[0]), default=0))
    panel = (width - label) / max(len(panels), 1)
    height = 26 + _row_height(len(names)) * len(panels[0]) + 24
    drawn = [
        _panel(rows, names, title, _Scale(0, 1, label + at * panel + 22, label + (at + 1) * panel - 22), height)
        for at, (title, rows) in enumerate(zip(titles, panels, strict=True))
    ]
    labels = (_label(row, label - 8, 26 + _row_height(len(names)) * (at + 0.5)) for at, row in enumerate(panels[0]))
    return element("svg", *labels, *drawn, viewBox=f"0 0 {width} {height}", role="img", aria_label=", ".join(titles))


def _row_height(systems: int) -> float:
    """Return the height of a row of dots."""
    return _ROW + _LANE * systems


def _labelled(row: DotRow) -> str:
    return f"{row.label} ({row.count})"


def _label(row: DotRow, x: float, y: float) -> Html:
    told = _labelled(row)
    return element("text", told if len(told) <= 50 else told[:49] + "…", x=x, y=y + 4, text_anchor="end")


def _panel(rows: Sequence[DotRow], names: Mapping[str, Look], title: str, x: _Scale, height: float) -> Html:
    parts = [element("text", title, x=x(0), y=14, class_="axis")]
    for tenth in (0, 2, 4, 6, 8, 10):
        at = x(tenth / 10)
        parts.append(element("line", x1=at, x2=at, y1=22, y2=height - 22, class_="grid"))
        parts.append(element("text", f"{tenth / 10:.1f}", x=at, y=height - 6, text_anchor="middle", class_="tick"))
    for at, row in enumerate(rows):
        middle = 26 + _row_height(len(names)) * (at + 0.5)
        parts.append(element("line", x1=x(0), x2=x(1), y1=middle, y2=middle, class_="grid"))
        first = middle - _LANE * (len(names) - 1) / 2
        parts.extend(
            mark(look, x(value), first + _LANE * number, f"{name}: {value:.3f}")
            for number, ((name, look), value) in enumerate(zip(names.items(), row.values, strict=True))
            if value is not None
        )
    return join(parts)

"""HTML and SVG by construction, and plots as inline SVG: axes, curves, dots; the style sheet and each system's look.

Text is escaped unless it was made here. Nothing is fetched: fonts are the reader's own. Coordinates are pixels of the
view box, origin top left; values on a unit axis lie in 0..1.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import html
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

COLORS = 8
MARKS = 4

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_VOID = frozenset({"meta", "br", "input", "hr", "wbr"})
_SHAPES = {
    1: ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    2: ((0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)),
    3: ((0.0, -1.2), (1.2, 1.0), (-1.2, 1.0)),
}
"""Corners of square, diamond and triangle, in sizes from the middle."""


class Html(str):
    """Markup; only the functions here make it."""

    __slots__ = ()


def text(value: object) -> Html:
    """Return a value as escaped text; characters that no page may hold are replaced."""
    return value if isinstance(value, Html) else Html(html.escape(_UNPRINTABLE.sub("\ufffd", str(value)), quote=True))


def join(parts: Iterable[object]) -> Html:
    """Return parts one after the other, escaping those that are plain text."""
    return Html("".join(text(part) for part in parts))


def breakable(name: str) -> Html:
    """Return a name that may be broken after "@" and "." where there is little room."""
    return Html(re.sub(r"([@.])", r"\1<wbr>", text(name)))


def element(tag: str, /, *parts: object, **attributes: object) -> Html:
    """Return an element; an attribute that is None is left out, `class_` and `for_` lose their underscore.

    Other underscores in attribute names become hyphens, so that `stroke_width` is "stroke-width".
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"'
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if tag in _VOID:
        return Html(f"<{tag}{written}>")
    return Html(f"<{tag}{written}>{join(parts)}</{tag}>")


def table(heads: Iterable[Html], rows: Iterable[Html], *, class_: str | None = None) -> Html:
    """Return a table that scrolls by itself where it is too wide, from the cells of its head and its rows."""
    head, body = element("thead", element("tr", *heads)), element("tbody", *rows)
    return element("div", element("table", head, body, class_=class_), class_="wide")


@cache
def sheet() -> str:
    """Return the style sheet."""
    return resources.files("octavo_lab.report").joinpath("style.css").read_text(encoding="utf-8")


def whole_page(title: str, main: Html) -> str:
    """Return a page that fetches nothing and runs nothing.

    Its security policy says so: no script, no request, and no style but the one sheet, by its hash.
    """
    digest = base64.b64encode(hashlib.sha256(sheet().encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", Html(sheet())),
    )
    return "<!doctype html>\n" + element("html", head, element("body", main), lang="en") + "\n"


@dataclasses.dataclass(frozen=True)
class Look:
    """A colour, 0 to 7, and a mark with its kind of line, 0 to 3."""

    color: int
    mark: int


def looks(systems: Sequence[Mapping[str, Any]]) -> dict[str, Look]:
    """Return a look for each system, by name: variants have the colour of their base, all 32 looks come before a twin.

    Systems without variants take the colours in order, and after the eighth the next mark.
    """
    bases = list(dict.fromkeys(str(system["base"]) for system in systems))
    colors = {base: number % COLORS for number, base in enumerate(bases)}
    found: dict[str, Look] = {}
    for system in systems:
        taken = set(found.values())
        wanted = _looks_from(colors[str(system["base"])])
        found[str(system["system"])] = next(
            (look for look in wanted if look not in taken), Look(len(found) % COLORS, len(found) // COLORS % MARKS)
        )
    return found


def _looks_from(color: int) -> Iterator[Look]:
    for step in range(COLORS):
        yield from (Look((color + step) % COLORS, mark) for mark in range(MARKS))


def mark(look: Look, x: float, y: float, told: str, *, size: float = 4, hollow: bool = False) -> Html:
    """Return the mark of a system, with words for who points at it."""
    drawn = f"ring line{look.color}" if hollow else f"fill{look.color}"
    title = element("title", told)
    if look.mark == 0:
        return element("circle", title, cx=x, cy=y, r=size, class_=drawn)
    corners = " ".join(
        f"{round(x + size * across, 1)},{round(y + size * down, 1)}" for across, down in _SHAPES[look.mark]
    )
    return element("polygon", title, points=corners, class_=drawn)


def legend(looks: Mapping[str, Look]) -> Html:
    """Return a list of names, each with its line and mark."""
    return element("ul", *(element("li", sample(look), name) for name, look in looks.items()), class_="legend")


def sample(look: Look) -> Html:
    """Return a short line with the mark on it."""
    line = element("line", x1=1, x2=25, y1=7, y2=7, class_=f"curve line{look.color} dash{look.mark}")
    return element("svg", line, mark(look, 13, 7, "", size=4), viewBox="0 0 26 14", class_="sample")


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

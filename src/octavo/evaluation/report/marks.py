"""The marks of systems in plots and legends, as inline SVG.

Owns their shapes. Coordinates are pixels of the view box.
"""

from __future__ import annotations

from collections.abc import Mapping

from octavo.evaluation.report.markup import Html, element
from octavo.evaluation.report.style import Look


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


_SHAPES = {
    1: ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    2: ((0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)),
    3: ((0.0, -1.2), (1.2, 1.0), (-1.2, 1.0)),
}
"""Corners of square, diamond and triangle, in sizes from the middle."""


def legend(looks: Mapping[str, Look]) -> Html:
    """Return a list of names, each with its line and mark."""
    return element("ul", *(element("li", sample(look), name) for name, look in looks.items()), class_="legend")


def sample(look: Look) -> Html:
    """Return a short line with the mark on it."""
    line = element("line", x1=1, x2=25, y1=7, y2=7, class_=f"curve line{look.color} dash{look.mark}")
    return element("svg", line, mark(look, 13, 7, "", size=4), viewBox="0 0 26 14", class_="sample")

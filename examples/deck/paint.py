"""Paints slides as pictures with Pillow, from ReportLab's own Vera faces. Knows no slide's words."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import reportlab
from PIL import Image, ImageDraw, ImageFont

from .slides import FOOTER, Bullets, Caption, Chart, Diagram, Grid, Lines, Part, Slide

SIZE = (1440, 1080)
MARGIN = 110
WIDTH = SIZE[0] - 2 * MARGIN
PAPER, INK, ACCENT, SHADE, SOFT = "#fbfaf5", "#20353b", "#1f7a6d", "#dfeae6", "#5d6d71"
SUN = "#d9902f"


@cache
def _font(size: int, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    name = "VeraBd.ttf" if bold else "Vera.ttf"
    return ImageFont.truetype(str(Path(reportlab.__file__).parent / "fonts" / name), size)


def paint(slide: Slide, number: int) -> Image.Image:
    """Return slide `number` (from 1) as a clean picture; the first has a cover's look."""
    picture = Image.new("RGB", SIZE, PAPER)
    pen = ImageDraw.Draw(picture)
    if number == 1:
        pen.rectangle((0, 0, SIZE[0], 470), fill=ACCENT)
        pen.text((MARGIN, 300), slide.title, fill="white", font=_font(70, bold=True))
        y = 560
    else:
        pen.text((MARGIN, 84), slide.title, fill=ACCENT, font=_font(56, bold=True))
        pen.rectangle((MARGIN, 172, MARGIN + 150, 179), fill=SUN)
        pen.text((MARGIN, 1010), FOOTER, fill=SOFT, font=_font(22))
        pen.text((SIZE[0] - MARGIN, 1010), str(number), fill=SOFT, font=_font(22), anchor="ra")
        y = 250
    for part in slide.parts:
        y = _PAINTERS[type(part)](pen, part, y)
    return picture


def _lines(pen: ImageDraw.ImageDraw, part: Lines, y: int) -> int:
    for index, text in enumerate(part.texts):
        pen.text((MARGIN, y), text, fill=INK, font=_font(42 if index == 0 else 34))
        y += 84 if index == 0 else 66
    return y


def _bullets(pen: ImageDraw.ImageDraw, part: Bullets, y: int) -> int:
    for index, (depth, text) in enumerate(part.items):
        x, size = MARGIN + 70 * depth, 34 if depth else 38
        if part.ordered:
            pen.text((x, y), f"{index + 1}.", fill=ACCENT, font=_font(size, bold=True))
        elif depth:
            pen.line((x, y + 24, x + 20, y + 24), fill=SOFT, width=4)
        else:
            pen.ellipse((x + 3, y + 15, x + 19, y + 31), fill=ACCENT)
        pen.text((x + (66 if part.ordered else 48), y), text, fill=INK, font=_font(size))
        y += 72 if depth else 84
    return y


def _grid(pen: ImageDraw.ImageDraw, part: Grid, y: int) -> int:
    height = 82
    edges = [MARGIN]
    for _, share in part.columns:
        edges.append(edges[-1] + round(share * WIDTH))
    pen.rectangle((edges[0], y, edges[-1], y + height), fill=SHADE)
    for index, row in enumerate((part.header, *part.rows)):
        for column, (text, (side, _)) in enumerate(zip(row, part.columns, strict=True)):
            x = edges[column + 1] - 18 if side == "r" else edges[column] + 18
            anchor = "rm" if side == "r" else "lm"
            pen.text((x, y + height // 2), text, fill=INK, font=_font(30, bold=index == 0), anchor=anchor)
        pen.rectangle((edges[0], y, edges[-1], y + height), outline=SOFT, width=2)
        y += height
    for edge in edges[1:-1]:
        pen.line((edge, y - height * (len(part.rows) + 1), edge, y), fill=SOFT, width=2)
    return y + 26


def _caption(pen: ImageDraw.ImageDraw, part: Caption, y: int) -> int:
    pen.text((MARGIN, y), part.text, fill=SOFT, font=_font(27))
    return y + 84


def _chart(pen: ImageDraw.ImageDraw, part: Chart, y: int) -> int:
    return _bars_across(pen, part, y) if part.across else _bars_upright(pen, part, y)


def _bars_upright(pen: ImageDraw.ImageDraw, part: Chart, y: int) -> int:
    height, foot = 520, y + 590
    step = WIDTH / len(part.values)
    top = max(value for _, value in part.values)
    for index, (name, value) in enumerate(part.values):
        centre = MARGIN + step * (index + 0.5)
        head = foot - height * value / top
        pen.rectangle((centre - step * 0.3, head, centre + step * 0.3, foot), fill=ACCENT)
        pen.text((centre, head - 14), f"{value}{part.unit}", fill=INK, font=_font(32, bold=True), anchor="ms")
        pen.text((centre, foot + 16), name, fill=INK, font=_font(30), anchor="ma")
    pen.line((MARGIN, foot, SIZE[0] - MARGIN, foot), fill=INK, width=3)
    return foot + 84


def _bars_across(pen: ImageDraw.ImageDraw, part: Chart, y: int) -> int:
    left, top = MARGIN + 380, max(value for _, value in part.values)
    for name, value in part.values:
        right = left + (WIDTH - 520) * value / top
        pen.text((left - 24, y + 45), name, fill=INK, font=_font(32), anchor="rm")
        pen.rectangle((left, y + 10, right, y + 80), fill=ACCENT)
        pen.text((right + 18, y + 45), f"{value}{part.unit}", fill=INK, font=_font(32, bold=True), anchor="lm")
        y += 132
    return y + 26


def _diagram(pen: ImageDraw.ImageDraw, part: Diagram, y: int) -> int:
    width, height = 310, 150
    step = (WIDTH - width) / (len(part.boxes) - 1)
    for index, (name, detail) in enumerate(part.boxes):
        x = MARGIN + step * index
        pen.rounded_rectangle((x, y, x + width, y + height), 18, fill=SHADE, outline=ACCENT, width=4)
        pen.text((x + width / 2, y + 52), name, fill=INK, font=_font(34, bold=True), anchor="mm")
        pen.text((x + width / 2, y + 106), detail, fill=INK, font=_font(28), anchor="mm")
        if index:
            tip, middle = x - 8, y + height / 2
            pen.line((tip - (step - width) + 16, middle, tip - 20, middle), fill=SUN, width=6)
            pen.polygon(((tip, middle), (tip - 26, middle - 15), (tip - 26, middle + 15)), fill=SUN)
    return y + height + 90


_PAINTERS: dict[type[Part], Callable[[ImageDraw.ImageDraw, Any, int], int]] = {
    Lines: _lines,
    Bullets: _bullets,
    Grid: _grid,
    Chart: _chart,
    Diagram: _diagram,
    Caption: _caption,
}

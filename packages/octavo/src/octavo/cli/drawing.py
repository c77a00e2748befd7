"""The layout of a page drawn over its picture: blocks with kind and order, table cells, links."""

from __future__ import annotations

import io
import math
from functools import cached_property
from typing import TYPE_CHECKING

from octavo_documents.document import FURNITURE, Document, Kind, LinkKind
from octavo_documents.document.grid import Grid

if TYPE_CHECKING:
    from PIL import Image, ImageFont

    from octavo.models.ports import Raster

_Point = tuple[float, float]
_Corners = tuple[float, float, float, float]
_Color = tuple[int, int, int]

_COLORS: dict[Kind, _Color] = {
    Kind.TITLE: (190, 24, 93),
    Kind.HEADING: (220, 38, 38),
    Kind.PARAGRAPH: (37, 99, 235),
    Kind.LIST_ITEM: (8, 145, 178),
    Kind.TABLE: (180, 83, 9),
    Kind.FIGURE: (22, 163, 74),
    Kind.CHART: (77, 124, 15),
    Kind.FORMULA: (147, 51, 234),
    Kind.CAPTION: (192, 38, 211),
    Kind.FOOTNOTE: (71, 85, 105),
    Kind.CODE: (79, 70, 229),
}
_GREY: _Color = (120, 120, 120)
_LINKS: dict[LinkKind, _Color] = {
    LinkKind.CAPTION_OF: (192, 38, 211),
    LinkKind.REFERS_TO: (234, 88, 12),
    LinkKind.CONTINUES: (37, 99, 235),
    LinkKind.FOOTNOTE_OF: (71, 85, 105),
}
_FILL = 26
"""How much of its colour lies inside a box, of 255: text stays readable."""
_LONGEST_NOTE = 34
"""Characters of the note on a link."""
_MOST_NOTES = 3
"""Links to other pages that are noted at one block; more would hide the text."""
_TEXT = 6.5
"""Points: height of the letters of tags."""


def png(raster: Raster) -> bytes:
    """Return a (height, width, 3) uint8 RGB picture as the bytes of a PNG file."""
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(raster).save(out, "PNG")
    return out.getvalue()


def drawn(raster: Raster, document: Document, page: int) -> Raster:
    """Return the picture of a page (1-based) with its layout over it.

    Each block has the colour of its kind and a tag with its row on the page and its kind, a heading with its level.
    Links within the page are arrows, links to other pages notes at the block's lower right corner.
    """
    import numpy as np
    from PIL import Image

    picture = Image.fromarray(raster).convert("RGBA")
    scale = raster.shape[1] / max(float(document.pages.width[page - 1]), 1.0)
    sheet = _Sheet(picture, scale)
    rows = document.on_page(page)
    for row in range(rows.start, rows.stop):
        _draw_block(sheet, document, row, row - rows.start)
    _draw_links(sheet, document, rows)
    return np.asarray(sheet.flattened().convert("RGB"))


class _Sheet:
    """A transparent layer over a picture; coordinates are points on the page, `scale` pixels a point."""

    def __init__(self, picture: Image.Image, scale: float) -> None:
        from PIL import Image, ImageDraw

        self._picture, self._scale = picture, scale
        self._layer = Image.new("RGBA", picture.size, (255, 255, 255, 0))
        self._brush = ImageDraw.Draw(self._layer)

    def flattened(self) -> Image.Image:
        from PIL import Image

        return Image.alpha_composite(self._picture, self._layer)

    @cached_property
    def _font(self) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
        from PIL import ImageFont

        return ImageFont.load_default(max(_TEXT * self._scale, 8.0))

    def _pixels(self, *values: float) -> tuple[float, ...]:
        return tuple(value * self._scale for value in values)

    def box(self, corners: _Corners, color: _Color, *, width: float = 0.8, fill: int = 0) -> None:
        """Draw a rectangle; `width` in points, `fill` 0..255 how much of its colour lies inside."""
        x0, y0, x1, y1 = self._pixels(*corners)
        line = max(round(width * self._scale), 1)
        self._brush.rectangle(
            (x0, y0, x1, y1), outline=(*color, 230), width=line, fill=(*color, fill) if fill else None
        )

    def tag(self, at: _Point, text: str, color: _Color, *, is_right: bool = False) -> None:
        """Write on a coloured label whose lower left (or lower right) corner is at a point."""
        x, y = self._pixels(*at)
        left, top, right, bottom = self._brush.textbbox((0, 0), text, font=self._font)
        width, height = right - left + 4, bottom - top + 4
        x = min(max(x - width if is_right else x, 0), self._picture.width - width)
        y = min(max(y - height, 0), self._picture.height - height)
        self._brush.rectangle((x, y, x + width, y + height), fill=(*color, 225))
        self._brush.text((x + 2 - left, y + 2 - top), text, fill=(255, 255, 255, 255), font=self._font)

    def arrow(self, start: _Point, end: _Point, color: _Color) -> None:
        """Draw a line with a head at its end."""
        ax, ay, bx, by = self._pixels(*start, *end)
        ink, width = (*color, 210), max(round(self._scale), 1)
        self._brush.line((ax, ay, bx, by), fill=ink, width=width)
        angle, length = math.atan2(by - ay, bx - ax), 5 * self._scale
        sides = [(bx - length * math.cos(angle + turn), by - length * math.sin(angle + turn)) for turn in (-0.45, 0.45)]
        self._brush.polygon([(bx, by), *sides], fill=ink)
        self._brush.ellipse((ax - width, ay - width, ax + width, ay + width), fill=ink)


def _draw_block(sheet: _Sheet, document: Document, row: int, number: int) -> None:
    blocks = document.blocks
    kind = blocks.kind_of(row)
    color = _COLORS.get(kind, _GREY)
    box = _corners(document, row)
    sheet.box(box, color, fill=0 if kind in FURNITURE else _FILL)
    for cell in Grid.from_json(blocks.grid[row]).cells:
        if cell.box:
            sheet.box(cell.box, color, width=0.5)
    level, figure = int(blocks.level[row]), blocks.figure_kind_of(row).label
    name = " ".join(filter(None, (kind.label.replace("_", " "), figure, str(level or ""))))
    sheet.tag((box[0], box[1]), f"{number} {name}", color)


def _draw_links(sheet: _Sheet, document: Document, rows: slice) -> None:
    links = document.links
    notes: dict[int, int] = {}
    for at in range(len(links)):
        source, target = int(links.source[at]), int(links.target[at])
        if not rows.start <= source < rows.stop:
            continue
        kind = links.kind_of(at)
        color = _LINKS.get(kind, _GREY)
        a, b = _corners(document, source), _corners(document, target)
        if rows.start <= target < rows.stop:
            sheet.arrow(*_ends(a, b), color)
            continue
        notes[source] = notes.get(source, 0) + 1
        if notes[source] > _MOST_NOTES:
            continue
        note = f"{links.text[at] or kind.label.replace('_', ' ')} · p. {int(document.blocks.page[target])}"
        sheet.tag((a[2], a[3] + (notes[source] - 1) * 1.3 * _TEXT), note[:_LONGEST_NOTE], color, is_right=True)


def _ends(a: _Corners, b: _Corners) -> tuple[_Point, _Point]:
    """Return where an arrow from one box to another starts and ends: on the sides that face each other."""
    if a[3] <= b[1] + 2 or b[3] <= a[1] + 2:
        is_down = a[3] <= b[1] + 2
        x = max(a[0], b[0]) + 0.6 * max(min(a[2], b[2]) - max(a[0], b[0]), 0.0)
        return (_within(x, a), a[3] if is_down else a[1]), (_within(x, b), b[1] if is_down else b[3])
    y = (max(a[1], b[1]) + min(a[3], b[3])) / 2
    return ((a[2], y), (b[0], y)) if a[2] <= b[0] else ((a[0], y), (b[2], y))


def _within(x: float, box: _Corners) -> float:
    return min(max(x, box[0] + 4), box[2] - 4)


def _corners(document: Document, row: int) -> _Corners:
    x0, y0, x1, y1 = (float(value) for value in document.blocks.box[row])
    return x0, y0, x1, y1

"""Draw what structuring made of a PDF's pages: boxes, kinds, order numbers and heading levels.

python benchmarks/draw_layout.py FILE.pdf --pages 1,4-6 --out FOLDER
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from octavo.document import Document, Kind
from octavo.parsing.pdf import extract, render
from octavo.structuring import structure

COLORS = {
    Kind.TITLE: (200, 0, 120),
    Kind.HEADING: (220, 0, 0),
    Kind.PARAGRAPH: (0, 90, 200),
    Kind.LIST_ITEM: (0, 150, 150),
    Kind.TABLE: (150, 90, 0),
    Kind.FIGURE: (0, 150, 0),
    Kind.CHART: (90, 170, 0),
    Kind.FORMULA: (120, 120, 0),
    Kind.CAPTION: (150, 0, 200),
    Kind.FOOTNOTE: (110, 110, 110),
    Kind.CODE: (60, 60, 160),
}


def draw(document: Document, picture: Image.Image, page: int, *, scale: float) -> Image.Image:
    """Return the picture of a page (1-based) with its blocks drawn on it; `scale` is pixels per point."""
    brush = ImageDraw.Draw(picture)
    rows = document.on_page(page)
    for row in range(rows.start, rows.stop):
        kind = Kind(int(document.blocks.kind[row]))
        color = COLORS.get(kind, (160, 160, 160))
        box = [float(value) * scale for value in document.blocks.box[row]]
        brush.rectangle(box, outline=color, width=2)
        level = int(document.blocks.level[row])
        label = f"{row - rows.start} {kind.label}{level or ''}"
        brush.rectangle((box[0], box[1] - 11, box[0] + 6.2 * len(label), box[1]), fill=color)
        brush.text((box[0] + 1, box[1] - 11), label, fill=(255, 255, 255))
    return picture


def numbers(text: str, count: int) -> list[int]:
    """Return the pages named by "1,4-6"; all when empty."""
    chosen: list[int] = []
    for part in text.split(",") if text else [f"1-{count}"]:
        first, _, last = part.partition("-")
        chosen.extend(range(int(first), int(last or first) + 1))
    return [page for page in chosen if 1 <= page <= count]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--pages", default="")
    parser.add_argument("--out", type=Path, default=Path("layout"))
    parser.add_argument("--dpi", type=float, default=90.0)
    arguments = parser.parse_args()
    content = extract(arguments.file)
    document = structure(content, name=arguments.file.name, digest="0" * 64)
    arguments.out.mkdir(parents=True, exist_ok=True)
    for page in numbers(arguments.pages, len(document.pages)):
        picture = Image.fromarray(np.asarray(render(arguments.file, page, dpi=arguments.dpi)))
        drawn = draw(document, picture, page, scale=picture.width / float(document.pages.width[page - 1]))
        drawn.save(arguments.out / f"{arguments.file.stem[:40]}-{page:03d}.png")


if __name__ == "__main__":
    main()

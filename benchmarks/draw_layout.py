"""Draw what structuring made of a PDF's pages, without a corpus: `octavo show --layout` for many pages at once.

python benchmarks/draw_layout.py FILE.pdf --pages 1,4-6 --out FOLDER
"""

from __future__ import annotations

import argparse
from pathlib import Path

from octavo.cli import drawing
from octavo.parsing.pdf import extract, render
from octavo.structuring import structure


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
        raster = drawing.drawn(render(arguments.file, page, dpi=arguments.dpi), document, page)
        (arguments.out / f"{arguments.file.stem[:40]}-{page:03d}.png").write_bytes(drawing.png(raster))


if __name__ == "__main__":
    main()

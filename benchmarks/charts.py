"""Values that charts state, read back from generated charts: how many of those told are right, and how many are told.

    python benchmarks/charts.py [--charts 48] [--seed 1] [--styles flat matplotlib] [--misses]

Each style is drawn as a drawing and as pictures, which OCR reads. The rules were made on the styles `flat` and
`reportlab`; `matplotlib` and `office` are left out of that, and skipped where they are not installed (`pip install
matplotlib`; LibreOffice). A value is right if it stands with the name and the series that it is of.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np

import chart_pages
from octavo_documents.document import Document
from octavo_documents.document.grid import Grid
from octavo_documents.models.ocr import RapidRecognizer
from octavo_documents.parsing.pdf import draw_spots, extract, read_spots
from octavo_documents.structuring import structure
from octavo_documents.structuring.figures.figure_words import filled, words_in_figures
from octavo_documents.structuring.figures.stated import with_values

FITTED = ("flat", "reportlab")


def plain(text: str) -> str:
    return re.sub(r"[^\w%$.,-]", "", text).lower()


def stated(document: Document, page: int) -> list[tuple[str, str, str]]:
    """Return name, series and value of what is told on a page."""
    found: list[tuple[str, str, str]] = []
    rows = document.on_page(page)
    for row in range(rows.start, rows.stop):
        if not document.blocks.grid[row] or document.blocks.kind_of(row) == 4:
            continue
        grid = Grid.from_json(document.blocks.grid[row])
        cells = grid.rows()
        for texts in cells[grid.header_rows :]:
            for head, text in zip(cells[0][1:], texts[1:], strict=True):
                if text:
                    found.append((texts[0], head if grid.width > 2 else "", text))
    return found


def read(path: Path, recognizer: RapidRecognizer) -> Document:
    content = extract(path, recognize=recognizer.read)
    document = structure(content, name=path.name, digest="0" * 64)
    words = words_in_figures(document, partial(read_spots, path, recognize=recognizer.read))
    return with_values(filled(document, words), content.pages, words, partial(draw_spots, path))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--charts", type=int, default=48, help="Charts of each style.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--styles", nargs="*", choices=tuple(chart_pages.STYLES), default=list(chart_pages.STYLES))
    parser.add_argument("--drawn", action="store_true", help="Only as drawings, which needs no OCR.")
    parser.add_argument("--misses", action="store_true", help="Say what was told wrong.")
    parser.add_argument("--keep", type=Path, help="Folder to keep the PDFs in.")
    options = parser.parse_args()
    recognizer = RapidRecognizer()
    counts: dict[tuple[str, str], Counter[str]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for style in options.styles:
            if not chart_pages.is_installed(style):
                print(f"{style}: not installed")
                continue
            charts = [chart_pages.chart(1000 * options.seed + at) for at in range(options.charts)]
            charts = [one for one in charts if one.kind in chart_pages.KINDS_OF.get(style, chart_pages.KINDS)]
            drawn, pictured = folder / f"{style}.pdf", folder / f"{style}-pictures.pdf"
            chart_pages.write(drawn, style, charts)
            chart_pages.pictured(drawn, pictured, style, options.seed)
            for path in (drawn,) if options.drawn else (drawn, pictured):
                how = "pictures" if path is pictured else "drawings"
                document = read(path, recognizer)
                for page, one in enumerate(charts, start=1):
                    truth = {tuple(map(plain, item)) for item in one.printed}
                    told = stated(document, page)
                    right = [item for item in told if tuple(map(plain, item)) in truth]
                    count = counts.setdefault((style, how), Counter())
                    kinds = counts.setdefault(
                        (f"  {one.kind}", "left out" if style not in FITTED else "fitted"), Counter()
                    )
                    for counted in (count, kinds):
                        counted.update(told=len(told), right=len(right), all=len(truth))
                    if options.misses and len(right) < len(told):
                        wrong = [item for item in told if item not in right]
                        print(f"{path.name} page {page} {one.kind}: {wrong[:6]}")
                    if options.misses and not told:
                        print(f"{path.name} page {page} {one.kind}: nothing")
    print(f"{'':24} {'':9} {'told':>6} {'right':>7} {'of all':>7}")
    for (name, how), count in sorted(
        counts.items(), key=lambda item: (item[0][0].startswith(" "), item[0][1], item[0][0])
    ):
        share = count["right"] / count["told"] if count["told"] else np.nan
        print(f"{name:24} {how:9} {count['told']:6} {share:7.3f} {count['right'] / count['all']:7.3f}")


if __name__ == "__main__":
    main()

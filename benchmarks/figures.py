"""Figures on generated pages: found where they stand, told by sort, and tied to their captions.

    python benchmarks/figures.py [--seed 1] [--documents 30] [--misses] [--keep FOLDER]

Prints the share of captions tied to the right figure, the share of figures found (a block shares two fifths of the
larger of both boxes), and a table of true sorts against those told: "none" is what was not found, "text" a place that
became another kind of block.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from figure_pages import Book, Figure
from octavo_documents.document import Document, FigureKind, Kind, LinkKind
from octavo_documents.parsing.pdf import extract
from octavo_documents.structuring import structure

PAGES = 4


def plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


def shared(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    """Return the area shared by two boxes as a share of the larger."""
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    largest = max((a[2] - a[0]) * (a[3] - a[1]), (b[2] - b[0]) * (b[3] - b[1]), 1.0)
    return max(width, 0.0) * max(height, 0.0) / largest


def told(document: Document, figure: Figure) -> tuple[int, str]:
    """Return the row of the block a figure became, -1 for none, and what it is told as."""
    blocks, rows = document.blocks, document.on_page(figure.page)
    best = max(
        range(rows.start, rows.stop), key=lambda row: shared(figure.box, tuple(blocks.box[row].tolist())), default=-1
    )
    if best < 0 or shared(figure.box, tuple(blocks.box[best].tolist())) < 0.4:
        return -1, "none"
    kind, sort = blocks.kind_of(best), blocks.figure_kind_of(best)
    if kind == Kind.CHART:
        return best, "chart"
    if sort != FigureKind.OTHER:
        return best, sort.label
    return best, "other" if kind == Kind.FIGURE else "text"


def is_tied(document: Document, figure: Figure, row: int) -> bool:
    links, texts = document.links, document.blocks.text
    ties = np.flatnonzero((links.kind == LinkKind.CAPTION_OF) & (links.target == row)).tolist()
    return any(plain(texts[int(links.source[at])]) == plain(figure.caption) for at in ties)


def books(folder: Path, seed: int, count: int) -> Iterator[tuple[Path, list[Figure]]]:
    for at in range(count):
        path = folder / f"figures-{seed}-{at}.pdf"
        yield path, Book(path, 1000 * seed + at).write(PAGES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--documents", type=int, default=30)
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--keep", type=Path, help="Folder to keep the PDFs in.")
    options = parser.parse_args()
    table: Counter[tuple[str, str]] = Counter()
    sorts: Counter[tuple[str, bool]] = Counter()
    tied = captions = pages = 0
    seconds = 0.0
    with tempfile.TemporaryDirectory() as temporary:
        for path, figures in books(options.keep or Path(temporary), options.seed, options.documents):
            content = extract(path)
            started = time.process_time()
            document = structure(content, name=path.name, digest="0" * 64)
            seconds += time.process_time() - started
            pages += len(content.pages)
            for figure in figures:
                row, sort = told(document, figure)
                table[figure.kind, sort] += 1
                sorts[figure.sort, sort == figure.kind] += 1
                captions += bool(figure.caption)
                is_right = bool(figure.caption) and row >= 0 and is_tied(document, figure, row)
                tied += is_right
                if options.misses and (sort != figure.kind or (figure.caption and not is_right)):
                    print(path.name, figure.page, figure.sort, "->", sort, "tied" if is_right else "untied", figure.box)
    report(table, sorts)
    print(
        f"captions tied {tied / max(captions, 1):.3f} of {captions}; structuring {1000 * seconds / pages:.2f} ms/page"
    )


def report(table: Counter[tuple[str, str]], sorts: Counter[tuple[str, bool]]) -> None:
    columns = ["chart", "photo", "diagram", "map", "logo", "other", "text", "none"]
    print(f"{'true':<14}", *(f"{name:>8}" for name in columns))
    for kind in columns[:5]:
        print(f"{kind:<14}", *(f"{table[kind, name]:>8}" for name in columns))
    for sort in sorted({sort for sort, _ in sorts}):
        count = sorts[sort, True] + sorts[sort, False]
        print(f"{sort:<14} right {sorts[sort, True] / count:.3f} of {count}")
    right = sum(table[kind, kind] for kind in columns[:5])
    print(f"figures found {1 - sum(table[kind, 'none'] for kind in columns[:5]) / table.total():.3f},", end=" ")
    print(f"told right {right / table.total():.3f} of {table.total()}")


if __name__ == "__main__":
    main()

"""Tables of the ICDAR 2013 competition: which relations between neighbouring cells are found, and which are right.

    python icdar2013.py FOLDER [--with octavo-documents|pdfplumber|pymupdf]

FOLDER holds NAME.pdf and NAME-str.xml, as the competition published them (Göbel and others, 2013). A relation is a
cell's text, the text of its nearest neighbour to the right or below that is not empty, and the direction (section 4
there); tables have to be found too: what is found elsewhere on a page counts against precision.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import etree


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its first and last row and column, and its text without white space, in lower case."""

    top: int
    bottom: int
    left: int
    right: int
    text: str


Relations = Counter[tuple[str, str, str]]


def cell(top: int, bottom: int, left: int, right: int, text: object) -> Cell:
    return Cell(top, bottom, left, right, "".join(str(text or "").split()).lower())


def relations(cells: Iterable[Cell]) -> Relations:
    """Return the relations of a table's cells, each as often as it stands there."""
    filled = [one for one in cells if one.text]
    found: Relations = Counter()
    for one in filled:
        beside = {_nearest(one, row, filled) for row in range(one.top, one.bottom + 1)}
        below = {_lowest(one, column, filled) for column in range(one.left, one.right + 1)}
        found.update((one.text, other.text, "right") for other in beside if other)
        found.update((one.text, other.text, "below") for other in below if other)
    return found


def _nearest(one: Cell, row: int, cells: list[Cell]) -> Cell | None:
    right = [other for other in cells if other.left > one.right and other.top <= row <= other.bottom]
    return min(right, key=lambda other: other.left, default=None)


def _lowest(one: Cell, column: int, cells: list[Cell]) -> Cell | None:
    below = [other for other in cells if other.top > one.bottom and other.left <= column <= other.right]
    return min(below, key=lambda other: other.top, default=None)


def gold(path: Path) -> Relations:
    """Return the relations of all tables of a document, as the competition gives them."""
    found: Relations = Counter()
    for region in etree.parse(str(path)).iter("region"):
        cells = []
        for one in region.iter("cell"):
            top, left = int(one.get("start-row")), int(one.get("start-col"))
            bottom, right = int(one.get("end-row", top)), int(one.get("end-col", left))
            cells.append(cell(top, bottom, left, right, one.findtext("content")))
        found += relations(cells)
    return found


def of_octavo(path: Path) -> Iterator[list[Cell]]:
    import octavo_documents

    for table in octavo_documents.read(path).tables:
        cells = table.grid.cells
        yield [cell(c.row, c.row + c.rows - 1, c.column, c.column + c.columns - 1, c.text) for c in cells]


def of_rows(tables: Iterable[list[list[object]]]) -> Iterator[list[Cell]]:
    for rows in tables:
        yield [cell(y, y, x, x, text) for y, row in enumerate(rows) for x, text in enumerate(row)]


def of_pdfplumber(path: Path) -> Iterator[list[Cell]]:
    import pdfplumber

    with pdfplumber.open(path) as document:
        yield from of_rows(table for page in document.pages for table in page.extract_tables())


def of_pymupdf(path: Path) -> Iterator[list[Cell]]:
    import pymupdf

    with pymupdf.open(path) as document:
        yield from of_rows(table.extract() for page in document for table in page.find_tables().tables)


READERS: dict[str, Callable[[Path], Iterator[list[Cell]]]] = {
    "octavo-documents": of_octavo,
    "pdfplumber": of_pdfplumber,
    "pymupdf": of_pymupdf,
}


def _gold_of(path: Path) -> Path:
    return path.with_name(f"{path.stem}-str.xml")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--with", dest="reader", choices=READERS, default="octavo-documents")
    options = parser.parse_args()
    right = wanted = told = 0
    files = [path for path in sorted(options.folder.glob("*.pdf")) if _gold_of(path).exists()]
    if not files:
        sys.exit(f"{options.folder} holds no NAME.pdf with NAME-str.xml")
    for path in files:
        expected = gold(_gold_of(path))
        found: Relations = Counter()
        for cells in READERS[options.reader](path):
            found += relations(cells)
        right, wanted, told = right + (expected & found).total(), wanted + expected.total(), told + found.total()
    recall, precision = right / wanted, right / max(told, 1)
    print(f"{options.reader}: {len(files)} documents, recall {recall:.3f}, precision {precision:.3f}")


if __name__ == "__main__":
    main()

"""CPU seconds and stored bytes of the layers that rules build, for a generated document.

Run with: python benchmarks/layers.py [pages]
"""

from __future__ import annotations

import sys
import time

import numpy as np

from octavo.layers import OPTIONAL_LAYERS, LayerInputs
from octavo_documents.document import BlockTable, Document, Kind, LinkTable, PageTable, TextColumn, nest
from octavo_documents.document.grid import Grid

LAYERS = ("links", "communities", "descriptions", "summaries")
PAGES = 100
_WORDS = """
harbour ferry tide berth crew winter fee pilot island quay storm lamp rope mast engine cargo permit route anchor signal
depth current keeper ticket season timetable repair budget report measure compare increase decline
"""


def main(pages: int) -> None:
    """Print a line for each layer and the sum."""
    document = generated(pages)
    print(f"{pages} pages, {len(document.blocks)} blocks")
    stored: dict[str, bytes] = {}
    total = 0.0
    for name in LAYERS:
        layer = OPTIONAL_LAYERS[name]
        inputs = LayerInputs(document, {read: stored[read] for read in layer.reads})
        start = time.process_time()
        stored[name] = layer.build(inputs)
        taken = time.process_time() - start
        total += taken
        print(f"{name:14} {taken:7.3f} s CPU {len(stored[name]):9} bytes")
    print(f"{'together':14} {total:7.3f} s CPU {sum(map(len, stored.values())):9} bytes")


def generated(pages: int) -> Document:
    """Return a document with a section every second page and six paragraphs and a table on each page."""
    rng = np.random.default_rng(1)
    rows: list[tuple[Kind, str, int, int, str]] = []
    for page in range(1, pages + 1):
        if page % 2:
            title = f"{page} {_sentence(rng, 3).title().rstrip('.')}"
            rows.append((Kind.HEADING, title, page, 1 if page % 10 == 1 else 2, ""))
        for number in range(6):
            text = " ".join(_sentence(rng, 14) for _ in range(5))
            pointer = (f" This is shown below. See Table {page}.", " As noted above, it rose.", "")[number % 3]
            rows.append((Kind.PARAGRAPH, text + pointer, page, 0, ""))
        cells = [["Boat", "Length", "Fee"], *([_sentence(rng, 2), str(row), str(row * 12)] for row in range(8))]
        text = "\n".join(" | ".join(line) for line in cells)
        rows.append((Kind.TABLE, text, page, 0, Grid.of_rows(cells, header_rows=1).to_json()))
    return _document(rows, pages)


def _sentence(rng: np.random.Generator, words: int) -> str:
    known = _WORDS.split()
    return " ".join(known[at] for at in rng.integers(0, len(known), words)).capitalize() + "."


def _document(rows: list[tuple[Kind, str, int, int, str]], pages: int) -> Document:
    size = len(rows)
    kind = np.array([row[0] for row in rows], np.uint8)
    level = np.array([row[3] for row in rows], np.uint8)
    parent, end = nest(kind, level)
    blocks = BlockTable(
        kind=kind,
        text=TextColumn.of(row[1] for row in rows),
        page=np.array([row[2] for row in rows], np.int32),
        box=np.tile(np.array([72, 72, 500, 200], np.float32), (size, 1)),
        level=level,
        parent=parent,
        end=end,
        size=np.full(size, 10.0, np.float32),
        bold=kind == Kind.HEADING,
        italic=np.zeros(size, np.bool_),
        color=np.zeros(size, np.uint32),
        confidence=np.ones(size, np.float32),
        grid=TextColumn.of(row[4] for row in rows),
    )
    table = PageTable(
        label=TextColumn.of(str(page) for page in range(1, pages + 1)),
        width=np.full(pages, 595.0, np.float32),
        height=np.full(pages, 842.0, np.float32),
        is_scanned=np.zeros(pages, np.bool_),
    )
    return Document("sha256:" + "0" * 64, "generated.pdf", table, blocks, LinkTable.empty())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else PAGES)

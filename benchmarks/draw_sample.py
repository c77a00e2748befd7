"""Draw pages chosen at random out of folders of PDFs with what structuring made of them, to be looked at and judged.

    python benchmarks/draw_sample.py FOLDER... --pages 60 --seed 101 --out SAMPLE

Documents are drawn before pages, so that a long one counts no more than a short one: each in turn in random order, then
anew in another order until there are enough pages; then a page of each, none twice. SAMPLE/index.html shows every page
with its layout over it and the blocks read from it; each page is there as NAME-PAGE.png, without layout as
NAME-PAGE-plain.png, and its blocks as NAME-PAGE.txt. Pages without a text layer are read by OCR.
"""

from __future__ import annotations

import argparse
import hashlib
import html
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from octavo.cli import drawing
from octavo.document import Document, Kind
from octavo.document.grid import Grid
from octavo.errors import OctavoError
from octavo.models import recognizer
from octavo.parsing.limits import DEFAULT_LIMITS
from octavo.parsing.pdf import checked_page_count, extract, render
from octavo.parsing.pdf.pdfium import opened
from octavo.structuring import structure

HEAD = (
    '<!doctype html><meta charset="utf-8"><title>Pages drawn at random</title>'
    "<style>body{font:14px sans-serif}img{width:49%;vertical-align:top;border:1px solid #ccc}"
    "pre{white-space:pre-wrap;background:#f6f6f6;padding:8px}</style>"
)


def page_counts(folders: Sequence[Path]) -> dict[Path, int]:
    """Return the PDFs under folders, in the order of their paths, with their numbers of pages."""
    counts: dict[Path, int] = {}
    for path in sorted(file for folder in folders for file in folder.rglob("*.pdf")):
        with opened(path, password=None, limits=DEFAULT_LIMITS) as (document, _):
            counts[path] = checked_page_count(document, path, limits=DEFAULT_LIMITS)
    return counts


def sample(counts: Mapping[Path, int], wanted: int, seed: int) -> dict[Path, list[int]]:
    """Return `wanted` pages (1-based, sorted) by file, or all there are."""
    generator = np.random.default_rng(seed)
    left = {path: generator.permutation(np.arange(1, count + 1)).tolist() for path, count in counts.items()}
    chosen: dict[Path, list[int]] = defaultdict(list)
    drawn = 0
    while drawn < min(wanted, sum(counts.values())):
        paths = [path for path in counts if left[path]]
        for at in generator.permutation(len(paths))[: wanted - drawn].tolist():
            chosen[paths[at]].append(left[paths[at]].pop())
            drawn += 1
    return {path: sorted(pages) for path, pages in sorted(chosen.items())}


def listing(document: Document, page: int) -> str:
    """Return the blocks of a page as text: number, kind, heading level, what they link to, and what they say."""
    rows, blocks, links = document.on_page(page), document.blocks, document.links
    parts: list[str] = []
    for row in range(rows.start, rows.stop):
        kind, level = Kind(int(blocks.kind[row])).label, int(blocks.level[row])
        targets = [int(links.target[at]) for at in np.flatnonzero(links.source == row)]
        tied = f" -> {', '.join(named(document, target, rows) for target in targets)}" if targets else ""
        parts.append(f"[{row - rows.start}] {kind}{f' {level}' if level else ''}{tied}: {said(document, row)}")
    return "\n".join(parts) + "\n"


def named(document: Document, target: int, rows: slice) -> str:
    """Return a linked block's number on the page of `rows`, or its page."""
    if rows.start <= target < rows.stop:
        return str(target - rows.start)
    return f"p. {int(document.blocks.page[target])}"


def said(document: Document, row: int) -> str:
    """Return a block's text, a table's row by row with bars between cells and a line under its header rows."""
    grid = Grid.from_json(document.blocks.grid[row])
    if not grid.cells:
        return document.blocks.text[row]
    lines = [f"    | {' | '.join(texts)}" for texts in grid.rows()]
    if grid.header_rows:
        lines.insert(grid.header_rows, "    |---")
    return "\n".join(["", *lines])


def draw(path: Path, pages: Sequence[int], out: Path, dpi: float) -> list[str]:
    """Write pictures and blocks of some pages of a file; return a piece of HTML for each."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    content = extract(path, recognize=recognizer().read)
    document = structure(content, name=path.name, digest=digest)
    pieces: list[str] = []
    for page in pages:
        stem = f"{path.stem[:40]}-{page:03d}"
        raster, text = render(path, page, dpi=dpi), listing(document, page)
        (out / f"{stem}-plain.png").write_bytes(drawing.png(raster))
        (out / f"{stem}.png").write_bytes(drawing.png(drawing.drawn(raster, document, page)))
        (out / f"{stem}.txt").write_text(text, "utf-8")
        name = html.escape(stem, quote=True)
        pictures = f'<img src="{name}-plain.png" alt=""><img src="{name}.png" alt="">'
        pieces.append(f"<h2>{name}</h2>{pictures}<pre>{html.escape(text)}</pre>")
    return pieces


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("sample"))
    parser.add_argument("--dpi", type=float, default=100.0)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    pieces = [HEAD]
    for path, pages in sample(page_counts(arguments.folders), arguments.pages, arguments.seed).items():
        print(path.name, *pages, flush=True)
        try:
            pieces.extend(draw(path, pages, arguments.out, arguments.dpi))
        except OctavoError as error:
            print(f"{path}: {error}", file=sys.stderr)
        (arguments.out / "index.html").write_text("\n".join(pieces), "utf-8")


if __name__ == "__main__":
    main()

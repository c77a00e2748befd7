"""Tables made from a seed in many layouts, read back cell by cell; and pages without tables that must stay so.

    python benchmarks/tables.py [--layouts 120] [--seed 7] [--keep FOLDER] [--misses]

A cell counts as right when its text (spaces aside) stands at its row and column. Parts of a table on following pages
are put together first: rows marked as repeated headers are left out. A table that was not found has no right cells.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from octavo_documents.document import Document, Kind, LinkKind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing.pdf import extract
from octavo_documents.structuring import structure
from table_layouts import RULED, Layout, Table, drawn, layouts
from table_lookalikes import LOOKALIKES


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What came of one layout. `right` of `total` cells; `parts` found tables on the pages of the true one."""

    layout: Layout
    right: int
    total: int
    headers_right: bool
    note_kept_out: bool
    parts: int
    missed: tuple[str, ...]


def plain(text: str) -> str:
    """Return a text without its spaces."""
    return "".join(text.split())


def grids(document: Document) -> list[list[Grid]]:
    """Return the tables of a document, each as its parts in order."""
    blocks, links = document.blocks, document.links
    before = {
        int(links.source[at]): int(links.target[at]) for at in np.flatnonzero(links.kind == LinkKind.CONTINUES).tolist()
    }
    chains: dict[int, list[Grid]] = {}
    first: dict[int, int] = {}
    for row in np.flatnonzero(blocks.kind == Kind.TABLE).tolist():
        first[row] = first.get(before.get(row, row), row)
        chains.setdefault(first[row], []).append(Grid.from_json(blocks.grid[row]))
    return list(chains.values())


def joined(parts: Sequence[Grid]) -> dict[tuple[int, int], str]:
    """Return the texts of a table by row and column, repeated headers left out."""
    cells: dict[tuple[int, int], str] = {}
    top = 0
    for part in parts:
        for cell in part.cells:
            if cell.row >= part.repeated:
                cells[top + cell.row - part.repeated, cell.column] = plain(cell.text)
        top += part.height - part.repeated
    return cells


def outcome(layout: Layout, table: Table, document: Document) -> Outcome:
    """Compare the found table that has most of the cells with the true one."""
    true = {place: plain(text) for place, text in table.cells.items() if text}
    found = [(joined(parts), parts) for parts in grids(document)]
    scored = [(sum(cells.get(place) == text for place, text in true.items()), parts) for cells, parts in found]
    nothing: tuple[int, list[Grid]] = (0, [])
    right, parts = max([nothing, *scored], key=lambda item: item[0])
    cells = joined(parts)
    missed = tuple(
        f"{place}: {text!r} is {cells.get(place)!r}" for place, text in true.items() if cells.get(place) != text
    )
    everything = "".join(text for other, _ in found for text in other.values())
    return Outcome(
        layout=layout,
        right=right,
        total=len(true),
        headers_right=bool(parts) and parts[0].header_rows == table.header_rows,
        note_kept_out=not table.note or plain(table.note)[:30] not in everything,
        parts=sum(len(chain) for _, chain in found),
        missed=missed,
    )


def read(path: Path) -> Document:
    """Return a PDF's document."""
    return structure(extract(path), name=path.name, digest="0" * 64)


def run(folder: Path, count: int, seed: int) -> list[Outcome]:
    """Draw, read and score layouts."""
    outcomes: list[Outcome] = []
    for layout in layouts(count, seed):
        path = folder / f"{layout.number:03d}-{layout.rules}.pdf"
        table = drawn(layout, path)
        outcomes.append(outcome(layout, table, read(path)))
    return outcomes


def lookalikes(folder: Path) -> dict[str, int]:
    """Return how many tables were seen on each page that has none."""
    counts: dict[str, int] = {}
    for name, draw in LOOKALIKES.items():
        path = folder / f"no-table-{name}.pdf"
        draw(path)
        counts[name] = int((read(path).blocks.kind == Kind.TABLE).sum())
    return counts


def report(outcomes: Sequence[Outcome]) -> None:
    """Print cell accuracy by kind of rules and by feature."""
    groups: dict[str, list[Outcome]] = collections.defaultdict(list)
    for item in outcomes:
        groups["ruled" if item.layout.rules in RULED else "unruled"].append(item)
        groups[f"rules: {item.layout.rules}"].append(item)
        for feature in item.layout.features():
            groups[f"with {feature}"].append(item)
    print(f"{'layouts':24}{'n':>4}{'cells':>7}{'pooled':>8}{'mean':>7}{'whole':>7}{'headers':>9}{'notes':>7}")
    for name in sorted(groups):
        chosen = groups[name]
        total = sum(item.total for item in chosen)
        pooled = sum(item.right for item in chosen) / total
        mean = statistics.fmean(item.right / item.total for item in chosen)
        whole = statistics.fmean(item.right == item.total for item in chosen)
        headers = statistics.fmean(item.headers_right for item in chosen)
        notes = statistics.fmean(item.note_kept_out for item in chosen)
        print(f"{name:24}{len(chosen):4}{total:7}{pooled:8.3f}{mean:7.3f}{whole:7.2f}{headers:9.2f}{notes:7.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layouts", type=int, default=120)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--keep", type=Path, help="write the PDFs to this folder")
    parser.add_argument("--misses", action="store_true", help="print what was wrong")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = arguments.keep or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        outcomes = run(folder, arguments.layouts, arguments.seed)
        if arguments.misses:
            for item in outcomes:
                if item.right < item.total or not item.headers_right:
                    print(item.layout, f"{item.right}/{item.total} parts {item.parts} headers {item.headers_right}")
                    print(*(f"    {text}" for text in item.missed[:4]), sep="\n")
        report(outcomes)
        seen = lookalikes(folder)
    print(f"\npages without tables on which tables were seen: {sum(map(bool, seen.values()))} of {len(seen)}")
    print(*(f"    {name}: {count}" for name, count in seen.items() if count), sep="\n")


if __name__ == "__main__":
    main()

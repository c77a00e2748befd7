"""How long a view of many blocks takes to build, and a mask or slice over it.

Run: python benchmarks/document_model.py [--blocks 100000] [--documents 10] [--json]
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable

import numpy as np

from octavo.document import BlockTable, Document, Evidence, Kind, LinkTable, PageTable, TextColumn, View, nest


def synthetic(blocks: int, name: str, seed: int) -> Document:
    """Return a document of so many blocks, a twentieth of them headings four levels deep, 20 blocks a page."""
    random = np.random.default_rng(seed)
    kind = np.where(random.random(blocks) < 0.05, Kind.HEADING, Kind.PARAGRAPH).astype(np.uint8)
    level = np.where(kind == Kind.HEADING, random.integers(1, 5, blocks), 0).astype(np.uint8)
    parent, end = nest(kind, level)
    pages = blocks // 20 + 1
    table = BlockTable(
        kind=kind,
        text=TextColumn.of(f"Block {row} of the synthetic document, one line." for row in range(blocks)),
        page=np.arange(blocks) // 20 + 1,
        box=np.tile(np.array([72, 72, 500, 84], np.float32), (blocks, 1)),
        level=level,
        parent=parent,
        end=end,
        size=np.full(blocks, 10.0),
        bold=kind == Kind.HEADING,
        italic=np.zeros(blocks, np.bool_),
        color=np.zeros(blocks),
        confidence=np.ones(blocks),
        grid=TextColumn.of([""] * blocks),
    )
    page_table = PageTable(
        label=TextColumn.of(map(str, range(1, pages + 1))),
        width=np.full(pages, 595.0),
        height=np.full(pages, 842.0),
        is_scanned=np.zeros(pages, np.bool_),
    )
    return Document(f"sha256:{name}", name, page_table, table, LinkTable.empty())


def milliseconds(work: Callable[[], object], repeats: int = 9) -> float:
    """Return the median time of a call."""
    times: list[float] = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - started))
    return round(statistics.median(times), 3)


def build(packed: list[bytes]) -> View:
    """Read documents from their bytes and build every column of their view."""
    view = View([Document.from_bytes(data, checked=False) for data in packed])
    _ = view.blocks, view.links, view.document, view.page_index, view.is_content
    return view


def measure(blocks: int, documents: int) -> dict[str, float]:
    """Return milliseconds by operation."""
    packed = [synthetic(blocks // documents, f"{index}.pdf", index).to_bytes() for index in range(documents)]
    view = build(packed)
    headings = Evidence.where(view, view.of_kind(Kind.HEADING), source="kind").with_score(
        "text", np.arange(len(view.sections()), dtype=float)
    )
    some = Evidence.of(view, range(0, len(view), 3), source="every", text=np.ones(len(range(0, len(view), 3))))
    return {
        "read documents and build the view": milliseconds(lambda: build(packed)),
        "mask by kind": milliseconds(lambda: view.of_kind(Kind.HEADING)),
        "mask by pages": milliseconds(lambda: view.on_pages(range(3, 11))),
        "mask within 50 sections": milliseconds(lambda: view.within(view.sections()[:50].tolist())),
        "subtree slice": milliseconds(lambda: view.subtree(int(view.sections()[0]))),
        "evidence from a mask": milliseconds(lambda: Evidence.where(view, view.is_content)),
        "union of two large sets": milliseconds(lambda: headings | some),
        "intersection of two large sets": milliseconds(lambda: headings & some),
        "top 10": milliseconds(lambda: headings.top(10, "text")),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=100_000)
    parser.add_argument("--documents", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = measure(options.blocks, options.documents)
    if options.json:
        print(json.dumps({"blocks": options.blocks, "documents": options.documents, "milliseconds": figures}))
        return
    print(f"{options.blocks} blocks in {options.documents} documents (median milliseconds)")
    for name, value in figures.items():
        print(f"{name:36} {value:9.3f}")


if __name__ == "__main__":
    main()

"""What a shared corpus takes at 10 million, 100 million and 1 billion passages: bytes, machines, hours, money.

Run: python benchmarks/cluster_costs.py [--corpus FOLDER] [--database URL] [--NAME VALUE ...]

Every figure is the product of assumptions, which are options and are printed first. What can be measured is taken from
an indexed corpus in a folder (`--corpus`: passages of a page, pages of a document, bytes of parts and of segments) and
from the database of a shared one (`--database`: bytes of rows); the values that stand here were measured so. Prices are
an example: put in your own.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import sqlite3
from pathlib import Path

SIZES = (10_000_000, 100_000_000, 1_000_000_000)
GIB = 1 << 30
MONTH = 730
"""Hours."""


@dataclasses.dataclass
class Assumptions:
    """What the figures are made of; the comment of each says where it comes from."""

    passages_a_page: float = 4.8  # measured: 42 reports, papers and filings of 2,322 pages
    pages_a_document: float = 55.0  # measured: the same
    part_bytes: float = 3072.0  # of a passage in the bucket: document, passages, terms, vectors; measured: the same
    parts_a_document: float = 4.0  # objects in the bucket: those layers that every document has
    segment_bytes: float = 1835.0  # of a passage in a searcher's files; measured: the same
    row_bytes: float = 2900.0  # of a document in the database, with indexes; measured: 6,000 documents
    pages_a_core_second: float = 12.5  # indexing without OCR; measured: 25 on two cores (benchmarks/index.py)
    efficiency: float = 0.85  # of many workers beside one; assumed
    core_seconds_a_million: float = 0.13  # a question over a million passages; measured: 63 ms on two cores
    questions_a_second: float = 1.0  # at the busiest; assumed
    answer_seconds: float = 0.5  # a searcher may take for a question; assumed
    copies: float = 2.0  # searchers of each shard
    machine_cores: float = 16.0  # of a searcher's machine; assumed
    machine_gib: float = 128.0  # its memory; assumed
    usable: float = 0.8  # of the memory for mapped files; assumed
    price_core_hour: float = 0.05  # of a worker, as one that may be taken away; example
    price_machine_hour: float = 1.0  # of a searcher's machine; example
    price_bucket_gib: float = 0.023  # a month; example
    price_thousand_writes: float = 0.005  # of objects; example
    price_database_hour: float = 0.5  # with a standby; example


def measured(folder: Path) -> dict[str, float]:
    """Return what an indexed corpus tells."""
    with sqlite3.connect(f"file:{folder / 'corpus.db'}?mode=ro", uri=True) as connection:
        documents, pages, passages = connection.execute(
            "SELECT count(*), sum(pages), sum(passages) FROM documents"
        ).fetchone()
        wanted = "is_published AND name IN ('document', 'passages', 'terms', 'vectors')"
        parts, size = connection.execute(
            f"SELECT count(*), sum(length(data)) FROM parts JOIN blobs ON number = blob WHERE {wanted}"
        ).fetchone()
    segments = sum(path.stat().st_size for path in (folder / "derived").glob("segment-*.bin"))
    return {
        "passages_a_page": passages / pages,
        "pages_a_document": pages / documents,
        "part_bytes": size / passages,
        "parts_a_document": parts / documents,
        **({"segment_bytes": segments / passages} if segments else {}),
    }


def rows_of(url: str) -> dict[str, float]:
    """Return how many bytes a document takes in the database of a shared corpus."""
    import psycopg

    with psycopg.connect(url) as connection:
        sizes = "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c WHERE relnamespace = 'octavo'::regnamespace"
        total = connection.execute(f"{sizes} AND relkind = 'r'").fetchone()
        documents = connection.execute("SELECT count(*) FROM octavo.documents").fetchone()
    assert total and documents
    return {"row_bytes": float(total[0]) / documents[0]}


def figures(passages: int, known: Assumptions) -> dict[str, str]:
    """Return what so many passages take, each figure as it is printed."""
    pages = passages / known.passages_a_page
    documents = pages / known.pages_a_document
    bucket = passages * known.part_bytes / GIB
    rows = documents * known.row_bytes / GIB
    copy = passages * known.segment_bytes / GIB
    core_hours = pages / known.pages_a_core_second / known.efficiency / 3600
    seconds = passages / 1e6 * known.core_seconds_a_million
    by_memory = copy * known.copies / (known.machine_gib * known.usable)
    by_rate = seconds * known.questions_a_second / known.machine_cores
    by_wait = seconds / known.answer_seconds / known.machine_cores * known.copies  # one copy of each shard is at work
    machines = max(int(known.copies), math.ceil(by_memory), math.ceil(by_rate), math.ceil(by_wait))
    reason = max((by_memory, "memory"), (by_wait, "time of one question"), (by_rate, "questions"))[1]
    once = core_hours * known.price_core_hour + documents * known.parts_a_document / 1000 * known.price_thousand_writes
    month = {
        "searchers": machines * known.price_machine_hour * MONTH,
        "bucket": bucket * known.price_bucket_gib,
        "database": known.price_database_hour * MONTH,
    }
    return {
        "pages": f"{pages / 1e6:,.1f} million",
        "documents": f"{documents / 1e3:,.0f} thousand",
        "bucket": f"{bucket:,.0f} GiB",
        "rows in the database": f"{rows:,.1f} GiB",
        "files of searchers, one copy": f"{copy:,.0f} GiB",
        "indexing, core hours": f"{core_hours:,.0f}",
        "indexing with 64 cores, hours": f"{core_hours / 64:,.1f}",
        "a question, core seconds": f"{seconds:,.1f}",
        "machines of searchers": f"{machines:,} (for {reason})",
        "memory of these": f"{machines * known.machine_gib:,.0f} GiB",
        "once, price": f"{once:,.0f}",
        "a month, price": f"{sum(month.values()):,.0f}",
        "of it searchers, bucket, database": ", ".join(f"{value:,.0f}" for value in month.values()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, help="an indexed corpus in a folder")
    parser.add_argument("--database", help="the database of a shared corpus")
    for field in dataclasses.fields(Assumptions):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=float, metavar="X")
    options = parser.parse_args()
    given = {name: value for name, value in vars(options).items() if name not in ("corpus", "database")}
    known = dataclasses.asdict(Assumptions())
    known |= measured(options.corpus) if options.corpus else {}
    known |= rows_of(options.database) if options.database else {}
    known |= {name: value for name, value in given.items() if value is not None}
    print("| assumption | value |\n|---|---:|")
    for name, value in known.items():
        print(
            f"| {name.replace('_', ' ')} | {value:,.4g} |"
            if value < 1000
            else f"| {name.replace('_', ' ')} | {value:,.0f} |"
        )
    found = [figures(size, Assumptions(**known)) for size in SIZES]
    print(f"\n| | {' | '.join(f'{size:,}' for size in SIZES)} passages |\n|---|{'---:|' * len(SIZES)}")
    for name in found[0]:
        print(f"| {name} | {' | '.join(one[name] for one in found)} |")


if __name__ == "__main__":
    main()

"""How fast a folder of PDFs is parsed and structured in guarded children, and what the children need.

Run: python benchmarks/parsing.py FOLDER [--workers 2] [--ocr] [--json]

Every file is read once without OCR. With --ocr the files that are mostly scans are then read again with it. Times are
wall-clock; `cpu` is user CPU time of the children, which other load on the machine disturbs least.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from octavo.errors import SourceError
from octavo.models.ports import Raster, RecognizedLine, TextRecognizer
from octavo_documents.document import Document
from octavo_documents.structuring.parser_pool import ParserPool


@dataclass(frozen=True)
class Reading:
    """One file as read: `seconds` are wall-clock."""

    name: str
    pages: int
    scanned: int
    blocks: int
    seconds: float
    error: str = ""

    @property
    def is_scan(self) -> bool:
        return self.scanned > self.pages / 2


@dataclass(frozen=True)
class Group:
    """Files read by one pool. `memory` is the peak of the largest child in bytes, `recognized` pages given to OCR."""

    name: str
    files: int
    pages: int
    seconds: float
    cpu: float
    memory: int
    recognized: int = 0
    recognition: float = 0.0


class Timed:
    """A recogniser that adds up the time it takes."""

    def __init__(self, inner: TextRecognizer) -> None:
        self._inner, self.pages, self.seconds = inner, 0, 0.0
        self.name = inner.name

    def read(self, raster: Raster) -> tuple[RecognizedLine, ...]:
        start = time.perf_counter()
        found = self._inner.read(raster)
        self.pages, self.seconds = self.pages + 1, self.seconds + time.perf_counter() - start
        return found


def read(pool: ParserPool, path: Path, ocr: Literal["auto", "never"], recognizer: TextRecognizer | None) -> Reading:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    start = time.perf_counter()
    try:
        data = pool.parse(path, name=path.name, digest=digest, ocr=ocr, recognizer=recognizer)
    except SourceError as error:
        return Reading(path.name, 0, 0, 0, time.perf_counter() - start, f"{error.reason}: {error}")
    seconds = time.perf_counter() - start
    document = Document.from_bytes(data)
    return Reading(path.name, len(document.pages), int(document.pages.is_scanned.sum()), len(document.blocks), seconds)


def measure(name: str, paths: Sequence[Path], workers: int, recognizer: Timed | None) -> tuple[Group, list[Reading]]:
    """Read files with a pool of their own, whose children's CPU time and memory are known once it is closed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with ParserPool(workers) as pool, ThreadPoolExecutor(workers) as threads:
        start = time.perf_counter()
        ocr = "auto" if recognizer else "never"
        readings = list(threads.map(lambda path: read(pool, path, ocr, recognizer), paths))
        seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    unit = 1 if sys.platform == "darwin" else 1024
    group = Group(
        name=name,
        files=len(readings),
        pages=sum(reading.pages for reading in readings),
        seconds=seconds,
        cpu=after.ru_utime - before.ru_utime,
        memory=after.ru_maxrss * unit,
        recognized=recognizer.pages if recognizer else 0,
        recognition=recognizer.seconds if recognizer else 0.0,
    )
    return group, readings


def table(groups: Sequence[Group], readings: Sequence[Reading]) -> None:
    print(f"{'file':44} {'pages':>6} {'scanned':>8} {'blocks':>7} {'seconds':>8} {'pages/s':>8}")
    for item in readings:
        rate = item.pages / item.seconds if item.pages else 0.0
        row = f"{item.name[:44]:44} {item.pages:6} {item.scanned:8} {item.blocks:7} {item.seconds:8.2f} {rate:8.1f}"
        print(row, item.error)
    for group in groups:
        pages = max(group.pages, 1)
        print(
            f"{group.name}: {group.files} files, {group.pages} pages in {group.seconds:.1f} s = "
            f"{group.pages / group.seconds:.1f} pages/s, {1000 * group.cpu / pages:.1f} ms CPU per page, "
            f"largest child so far {group.memory / 2**20:.0f} MiB"
        )
        if group.recognized:
            each = group.recognition / group.recognized
            print(f"  OCR: {group.recognized} pages, {each:.2f} s per page")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--ocr", action="store_true", help="also read the scans, with OCR")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    paths = sorted(options.folder.glob("*.pdf"))
    # Which files are scans is known only after a first reading, which also warms the disk's cache.
    _, first = measure("all", paths, options.workers, None)
    scans = {reading.name for reading in first if reading.is_scan or reading.error}
    group, readings = measure("born-digital", [path for path in paths if path.name not in scans], options.workers, None)
    groups = [group]
    if options.ocr:
        from octavo.models import recognizer

        group, more = measure(
            "scanned", [path for path in paths if path.name in scans], options.workers, Timed(recognizer())
        )
        groups.append(group)
        readings += more
    if options.json:
        print(json.dumps({"groups": [asdict(item) for item in groups], "files": [asdict(item) for item in readings]}))
    else:
        table(groups, readings)


if __name__ == "__main__":
    main()

"""How fast a folder is indexed: pages per second, seconds by stage, memory, size on disk.

Run: python benchmarks/index.py FOLDER [--ocr never] [--workers N] [--files N] [--for SYSTEM,...] [--json]

A stage's seconds are those between its start and the next stage's, summed over files. Files are read while the layers
of others are built, so that the stages sum to more than the whole. `--ocr never` leaves scans without text: the figure
for born-digital files, without the seconds of OCR. Memory is sampled from /proc, on Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Self

from octavo.corpus import Corpus
from octavo.corpus.index.sources import walk

MEBIBYTE = 1 << 20


class Stopwatch:
    """A `Progress` that sums the seconds of each stage."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self._running: dict[str, tuple[str, float]] = {}
        self._lock = threading.Lock()

    def start(self, path: str, stage: str, total: int) -> None:
        with self._lock:
            if self._running.get(path, ("", 0.0))[0] != stage:
                self._stop(path)
                self._running[path] = (stage, time.perf_counter())

    def advance(self, path: str, stage: str, done: int) -> None:
        with self._lock:
            known, since = self._running.get(path, ("", 0.0))
            if known == "parse" and done:  # what follows the last page is waiting for the layers' turn
                now = time.perf_counter()
                self.seconds["parse"] += now - since
                self._running[path] = (known, now)

    def finish(self, path: str, outcome: str) -> None:
        with self._lock:
            self._stop(path)

    def _stop(self, path: str) -> None:
        stage, since = self._running.pop(path, ("", 0.0))
        if stage and stage != "parse":
            self.seconds[stage] += time.perf_counter() - since


class Memory:
    """Samples the resident memory of this process and of those below it."""

    def __init__(self, seconds: float = 0.02) -> None:
        self.own = self.child = self.sum = 0
        self._seconds = seconds
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)

    def __enter__(self) -> Self:
        if Path("/proc/self/task").is_dir():
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _sample(self) -> None:
        while not self._stop.wait(self._seconds):
            own = resident(os.getpid())
            below = [resident(pid) for pid in descendants(os.getpid())]
            self.own = max(self.own, own)
            self.child = max([self.child, *below])
            self.sum = max(self.sum, own + sum(below))


def resident(pid: int) -> int:
    """Return the resident bytes of a process, 0 when it has gone. Pages shared with its parent count in both."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def descendants(pid: int) -> list[int]:
    found: list[int] = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                found += [child, *descendants(child)]
    except OSError:
        return found
    return found


def measure(files: list[str], folder: Path, options: argparse.Namespace) -> dict[str, object]:
    """Index files into an empty corpus, then once more, and return the figures."""
    watch = Stopwatch()
    with Corpus(folder) as corpus, Memory() as memory:
        before = os.times()
        started = time.perf_counter()
        report = corpus.add(files, ocr=options.ocr, workers=options.workers, progress=watch, systems=options.systems)
        seconds = time.perf_counter() - started
        after = os.times()
        started = time.perf_counter()
        corpus.add(files, ocr=options.ocr, workers=options.workers, systems=options.systems)
        again = time.perf_counter() - started
        status = corpus.status()
    pages = sum(info.pages for info in report.added)
    return {
        "files": len(files),
        "added": len(report.added),
        "failed": [f"{Path(failure.path).name}: {failure.reason}" for failure in report.failed],
        "pages": pages,
        "scanned_pages": sum(info.scanned_pages for info in report.added),
        "passages": status.passages,
        "seconds": round(seconds, 2),
        "pages_per_second": round(pages / seconds, 2),
        "cpu_seconds": round(sum(after[:4]) - sum(before[:4]), 2),
        "seconds_unchanged": round(again, 3),
        "stages": {name: round(value, 2) for name, value in watch.seconds.items()},
        "peak_mib": {
            "parent": memory.own // MEBIBYTE,
            "largest_child": memory.child // MEBIBYTE,
            "all": memory.sum // MEBIBYTE,
        },
        "source_mib": round(sum(Path(file).stat().st_size for file in files) / MEBIBYTE, 1),
        "corpus_mib": round(status.bytes / MEBIBYTE, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--ocr", choices=["auto", "always", "never"], default="auto")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--files", type=int, help="only so many, the smallest first")
    parser.add_argument("--for", dest="systems", type=lambda names: names.split(","), default=[], metavar="SYSTEM,...")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = [one.path for one in walk(options.folder) if not one.left_out]
    files = sorted(found, key=lambda path: (Path(path).stat().st_size, path))[: options.files]
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(files, Path(folder) / "corpus", options)
    if options.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:20} {value}")


if __name__ == "__main__":
    main()

"""What happens to broken PDFs: generated files damaged at random, each read in a guarded child as any other file.

Run: python benchmarks/mutations.py [--each 200] [--seed 1] [--workers 2] [--json]

Three kinds of damage: bytes flipped, the file cut short, objects swapped (the bodies of two exchanged, or one object's
bytes moved). Each file must end as a document or as an error with a reason; `killed` counts those whose child died, and
a file that takes longer than --most seconds, or any other exception, fails the run.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from octavo.errors import SourceError
from octavo_documents.document import Document
from octavo_documents.parsing import Limits
from octavo_documents.structuring.parser_pool import ParserPool
from reading_order import LAYOUTS, Sheet

HANDBOOK = Path(__file__).parent.parent / "examples" / "handbook.pdf"
OBJECT = re.compile(rb"\d+ \d+ obj\b.*?endobj", re.DOTALL)
KILLED = ("crashed", "timeout", "too_large")


@dataclass(frozen=True)
class Outcome:
    """How one file ended: `reason` is empty where it was read."""

    kind: str
    reason: str
    seconds: float
    rebuild_xref: bool = False


def flipped(data: bytes, dice: random.Random) -> bytes:
    """Change one byte to a thousand, singly or in runs."""
    broken = bytearray(data)
    for _ in range(int(10 ** dice.uniform(0, 3))):
        broken[dice.randrange(len(broken))] = dice.randrange(256)
    if dice.random() < 0.3:
        start = dice.randrange(len(broken))
        broken[start : start + 64] = dice.randbytes(len(broken[start : start + 64]))
    return bytes(broken)


def truncated(data: bytes, dice: random.Random) -> bytes:
    """Cut off the end, seldom the beginning or a piece in the middle."""
    place = dice.randrange(len(data))
    choice = dice.random()
    if choice < 0.8:
        return data[:place]
    return data[:1024] + data[place:] if choice < 0.9 else data[:place] + data[place + dice.randrange(4096) :]


def swapped(data: bytes, dice: random.Random) -> bytes:
    """Exchange one to twenty pairs of objects: with their numbers, or only what they hold."""
    pieces = list(OBJECT.finditer(data))
    bodies = [piece[0] for piece in pieces]
    for _ in range(dice.randint(1, 20)):
        one, other = dice.randrange(len(bodies)), dice.randrange(len(bodies))
        first, second = bodies[one].partition(b"obj"), bodies[other].partition(b"obj")
        if dice.random() < 0.5:
            bodies[one], bodies[other] = bodies[other], bodies[one]
        else:
            bodies[one], bodies[other] = first[0] + b"obj" + second[2], second[0] + b"obj" + first[2]
    out, end = bytearray(), 0
    for piece, body in zip(pieces, bodies, strict=True):
        out += data[end : piece.start()] + body
        end = piece.end()
    return bytes(out + data[end:])


KINDS: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "flipped": flipped,
    "truncated": truncated,
    "swapped": swapped,
}


def originals(folder: Path, seed: int) -> list[bytes]:
    """Return the handbook and a page of each generated layout."""
    found = [HANDBOOK.read_bytes()]
    for layout in LAYOUTS:
        sheet = Sheet(random.Random(f"{seed} {layout.__name__}"))
        layout(sheet)
        sheet.write(folder / "page.pdf")
        found.append((folder / "page.pdf").read_bytes())
    return found


def outcome(pool: ParserPool, path: Path, kind: str) -> Outcome:
    """Read one file; the document that comes back is checked."""
    start = time.perf_counter()
    try:
        data = pool.parse(path, name=path.name, digest="0" * 64, ocr="never")
        seconds = time.perf_counter() - start
        document = Document.from_bytes(data)
        document.check()
    except SourceError as error:
        return Outcome(kind, error.reason, time.perf_counter() - start)
    return Outcome(kind, "", seconds, any("end of the file" in warning for warning in document.metadata.warnings))


def measure(each: int, seed: int, workers: int, folder: Path) -> list[Outcome]:
    sources = originals(folder, seed)
    jobs: list[tuple[Path, str]] = []
    for kind, damage in KINDS.items():
        for number in range(each):
            dice = random.Random(f"{seed} {kind} {number}")
            # One in three is the handbook, whose structure is the richest.
            source = sources[0] if number % 3 == 0 else sources[1 + number % (len(sources) - 1)]
            path = folder / f"{kind}-{number}.pdf"
            path.write_bytes(damage(source, dice))
            jobs.append((path, kind))
    with ParserPool(workers, Limits(seconds=60, progress_seconds=30)) as pool, ThreadPoolExecutor(workers) as threads:
        return list(threads.map(lambda job: outcome(pool, *job), jobs))


def table(found: Sequence[Outcome]) -> None:
    print(f"{'damage':10} {'files':>5} {'ok':>5} {'revived':>8} {'killed':>7} {'p50 s':>7} {'max s':>7}  errors")
    for kind in KINDS:
        here = [item for item in found if item.kind == kind]
        seconds = sorted(item.seconds for item in here)
        reasons = Counter(item.reason for item in here if item.reason)
        revived = sum(item.rebuild_xref for item in here)
        print(
            f"{kind:10} {len(here):5} {sum(not item.reason for item in here):5} {revived:8} "
            f"{sum(item.reason in KILLED for item in here):7} {seconds[len(seconds) // 2]:7.2f} {seconds[-1]:7.2f}  "
            + ", ".join(f"{reason} {count}" for reason, count in reasons.most_common())
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--most", type=float, default=60.0, help="seconds a file may take")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        found = measure(options.each, options.seed, options.workers, Path(scratch))
    if options.json:
        print(json.dumps([vars(item) for item in found]))
    else:
        table(found)
    # An error inside Octavo is typed too, but means that a file was not thought of.
    sys.exit(any(item.reason == "bug" or item.seconds > options.most for item in found))


if __name__ == "__main__":
    main()

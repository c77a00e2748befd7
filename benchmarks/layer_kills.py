"""Paid layers of one document, killed at random moments: what is paid twice, and whether the end is the same.

    python benchmarks/layer_kills.py [--file examples/handbook.pdf] [--kills 20] [--longest 12] [--seed 1]

A process adds a document with every layer, decided by a model that notes each payment in a file before it replies in
the words it was shown. SIGKILL ends it at a random moment, `--longest` seconds after it began at the latest, and it is
started again, until it is done; then comes the next corpus, until there were enough kills. A call is paid twice when
its key is noted twice; `unexplained` counts those that were not under way when a process was killed. `different`
counts the layers whose bytes are not those of a run that nobody killed.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from every_layer import EVERY_LAYER, copied, register
from octavo.corpus import Corpus
from octavo.corpus.judges import ModelConfig
from octavo.corpus.store.sqlite import SqliteStore
from octavo.models.gateway import Limits, Price, Prices
from octavo.models.language import Reply, Request, estimate_tokens

HANDBOOK = Path(__file__).parent.parent / "examples" / "handbook.pdf"
THREADS = 4
_BEGUN = "begun"


class CountingEndpoint:
    """A model that notes each payment in a file before it works for a while."""

    id = "counting:test"
    context_tokens = 100_000
    sees = True
    secrets: tuple[str, ...] = ()

    def __init__(self, folder: Path, slowest: float) -> None:
        self._file = os.open(folder / "paid.log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self._slowest = slowest

    def generate(self, request: Request, *, timeout: float, on_text: Callable[[str], None] | None = None) -> Reply:
        os.write(self._file, f"{request.key(self.id)} {os.getpid()} {request.decision}\n".encode())
        time.sleep(random.uniform(0, self._slowest))
        text = copied(request)
        return Reply(text, estimate_tokens(request.instructions + request.turns[0].text), estimate_tokens(text))


def job(folder: Path, file: str, slowest: float) -> None:
    """Add a document with every layer; raise RuntimeError when that failed."""
    register()
    means = ModelConfig(
        CountingEndpoint(folder, slowest), prices=Prices({"*": Price(0, 0)}), limits=Limits(concurrency=THREADS)
    )
    (folder / f"{_BEGUN}.{os.getpid()}").touch()
    with Corpus(folder / "corpus", models=means) as corpus:
        report = corpus.add(file, systems=[EVERY_LAYER])
        if report.failed or report.stopped or not corpus.check().is_sound:
            raise RuntimeError(f"the job failed: {report.failed} {report.stopped}")


@dataclass(frozen=True)
class Payments:
    """What was noted in a folder, and what of it is settled."""

    folder: Path

    def noted(self) -> list[tuple[str, int, str]]:
        """Return (key, process, decision) of each payment."""
        path = self.folder / "paid.log"
        lines = path.read_text("ascii").splitlines() if path.exists() else []
        return [(key, int(process), decision) for key, process, decision in map(str.split, lines)]

    def in_flight(self, process: int) -> set[str]:
        """Return the keys a process paid for whose reply is not kept."""
        return {key for key, by, _ in self.noted() if by == process} - self._settled()

    def _settled(self) -> set[str]:
        path = self.folder / "corpus" / "corpus.db"
        if not path.exists():
            return set()
        store = SqliteStore(path)
        with store.connections.reading() as connection:
            keys = {row[0] for row in connection.execute("SELECT key FROM calls WHERE reply IS NOT NULL")}
        store.close()
        return keys


def layers_of(folder: Path) -> dict[str, bytes]:
    """Return the bytes of all parts of the one document of a corpus, by name."""
    store = SqliteStore(folder / "corpus" / "corpus.db")
    found = {key.name: store.load(key) or b"" for key in store.published()}
    store.close()
    return found


def start(folder: Path, file: str, slowest: float) -> subprocess.Popen[bytes]:
    """Start a job; return when it has begun or is done."""
    process = subprocess.Popen(
        [sys.executable, __file__, "job", str(folder), file, str(slowest)], stderr=subprocess.PIPE
    )
    while process.poll() is None and not (folder / f"{_BEGUN}.{process.pid}").exists():
        time.sleep(0.01)
    return process


def done(process: subprocess.Popen[bytes], *, by: set[int]) -> int:
    """Wait for a job and return its exit status; raise RuntimeError unless it is one of those expected."""
    error = process.communicate(timeout=600)[1]
    if process.returncode not in by:
        raise RuntimeError(f"the job failed: {process.returncode} {error.decode()[-2000:]}")
    return process.returncode


def one_corpus(file: str, most_kills: int, longest: float, slowest: float, whole: dict[str, bytes]) -> Counter[str]:
    """Index one document to its end with kills; return the counts."""
    total, allowed = Counter[str](corpora=1), Counter[str]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        payments = Payments(folder)
        while True:
            process = start(folder, file, slowest)
            if total["kills"] < most_kills:
                time.sleep(random.uniform(0, longest))
                process.kill()
            if done(process, by={0, -signal.SIGKILL}) == 0:
                break
            flying = payments.in_flight(process.pid)
            total.update(kills=1, in_flight=len(flying))
            allowed.update(flying)
        counts = Counter(key for key, _, _ in payments.noted())
        total["calls"] = len(counts)
        total["paid_twice"] = counts.total() - len(counts)
        total["unexplained"] = sum(max(0, count - 1 - allowed[key]) for key, count in counts.items())
        layers = layers_of(folder)
        different = [part for part in sorted(layers.keys() | whole) if layers.get(part) != whole.get(part)]
        total["different"] = len(different)
        total.update(f"different {part}" for part in different)
        total["layers"] = len(layers)
    return total


def killed(file: str, kills: int, longest: float, slowest: float = 0.3) -> dict[str, int]:
    """Kill jobs until there were so many kills; return the counts of all corpora."""
    with tempfile.TemporaryDirectory() as name:
        done(start(Path(name), file, slowest), by={0})
        whole = layers_of(Path(name))
    total = Counter[str](kills=0)
    while total["kills"] < kills:
        total.update(one_corpus(file, kills - total["kills"], longest, slowest, whole))
    return dict(total)


def main() -> None:
    if sys.argv[1:2] == ["job"]:
        job(Path(sys.argv[2]), sys.argv[3], float(sys.argv[4]))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=Path, default=HANDBOOK)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--longest", type=float, default=12.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random.seed(given.seed)
    for key, value in killed(str(given.file), given.kills, given.longest).items():
        print(f"{key:<14}{value}")


if __name__ == "__main__":
    main()

"""A whole cluster on this machine, and whether it answers as a corpus in a folder does. Run by `make cluster-demo`.

PostgreSQL, a stand-in for S3 and two nodes of Ray run in a temporary folder and in a network of their own, where there
is loopback alone. The example documents are indexed by workers, of which one is killed on the way; questions then go
to the shared corpus, to its searchers, and to a corpus in a folder: documents, rankings and answers must be the same.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
sys.path[:0] = [str(ROOT / "tests")]

import alone  # noqa: E402
import engines  # noqa: E402
import object_store  # noqa: E402
import octavo  # noqa: E402
from octavo.corpus import Corpus  # noqa: E402
from octavo.corpus.progress import Progress, Silence  # noqa: E402
from octavo.corpus.reports import AddReport  # noqa: E402
from octavo_cluster import shared_corpus  # noqa: E402

QUESTIONS = (
    "How long does a nitrogen cylinder of the bubbler last?",
    "What is the greatest swell height for landing at North Gut?",
    "Which quality flag means that a value was replaced by a hand reading?",
    "How many passengers were carried in 2030?",
    "When does the first ferry leave?",
    "Which camera is on the main house roof?",
)
NOTES = 40
_SHOWN = 30
"""Lines of what programs say that are shown when it fails."""


def main() -> int:
    """Start the database, and the rest in a network of its own; return the exit status."""
    if len(sys.argv) > 1:
        return inside(sys.argv[1], Path(sys.argv[2]))
    if engines.programs() is None:
        return left_out(engines.ABSENT)
    if not alone.can_be_alone():
        return left_out(alone.REFUSED)
    with alone.database_and_folder() as (database, folder):
        command = alone.command(__file__, database.url(database.make()), folder)
        log = folder / "log"  # Ray has much to say of a network without a way out
        with log.open("wb") as errors:
            environment = alone.environment(__file__, folder)
            status = subprocess.run(command, env=environment, stderr=errors, check=False).returncode
        if status:
            print("".join(log.read_text(errors="replace").splitlines(keepends=True)[-_SHOWN:]), file=sys.stderr)
        return status


def left_out(why: str) -> int:
    print(f"make cluster-demo was not run: {why}")
    return 0


def write_notes(folder: Path) -> None:
    """Write notes, so that there are more documents than a question opens."""
    folder.mkdir()
    for at in range(NOTES):
        rest = " ".join(f"Line {at * 31 + line} was coiled at bollard {at + line}." for line in range(at % 7 + 1))
        text = f"# Boat {at}\n\nThe keys of boat {at} are kept by keeper {at * 37 % 101}. {rest}\n"
        (folder / f"boat{at:02}.md").write_text(text)


def add(corpus: Corpus, paths: list[str], progress: Progress, processes: int, /) -> AddReport:
    return corpus.add(paths, workers=processes, progress=progress)


class Report:
    """Prints a line for each step, and knows whether anything differed."""

    def __init__(self) -> None:
        self.differ = 0

    def line(self, what: str, said: str) -> None:
        print(f"  {what:<12}{said}", flush=True)

    def same(self, what: str, said: str, *, is_same: bool) -> None:
        self.differ += not is_same
        self.line(what, said if is_same else f"DIFFERENT: {said}")


def inside(url: str, folder: Path) -> int:
    from ray.cluster_utils import Cluster

    import demo  # as the workers import it

    began = time.monotonic()
    report = Report()
    print("Octavo on a cluster: PostgreSQL, a stand-in for S3, and two nodes of Ray on this machine\n", flush=True)
    with object_store.running() as started:
        store = started()
        os.environ.update(store.environment)
        size: dict[str, Any] = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 80 << 20}
        nodes = Cluster(initialize_head=True, head_node_args=size)
        nodes.add_node(**size)
        try:
            demo.scenario(url, store.bucket(), folder, nodes.address, report)
        finally:
            import ray

            ray.shutdown()
            nodes.shutdown()
    verdict = f"{report.differ} differences" if report.differ else "no difference to a corpus in a folder"
    print(f"\n{verdict}, in {time.monotonic() - began:.0f} s", flush=True)
    return 1 if report.differ else 0


def scenario(url: str, bucket: str, folder: Path, address: str, report: Report) -> None:
    from octavo_cluster import ray_workers
    from working import workers_here

    write_notes(folder / "notes")
    files = [EXAMPLES / "handbook.pdf", EXAMPLES / "deck.pdf", EXAMPLES / "ferry.html", folder / "notes"]
    place = shared_corpus.create(url, f"{bucket}/octavo")
    report.line("set up", f"tables in PostgreSQL, bytes in {place}")
    with octavo.open(url) as shared, octavo.open(folder / "corpus") as embedded:
        queued = shared_corpus.queue(shared, files)[0]
        killed: list[int] = []

        def disturb() -> None:
            while shared.count() < 3:
                time.sleep(0.02)
            os.kill(workers_here()[0], signal.SIGKILL)
            killed.append(shared.count())

        disturbing = threading.Thread(target=disturb, daemon=True)
        disturbing.start()
        began = time.monotonic()
        how = partial(octavo.open, url), add
        died = ray_workers.work(shared, how, lambda _: None, Silence(), address=address, workers=2)
        report.line(
            "indexed", f"{shared.count()} of {queued} documents by 2 workers in {time.monotonic() - began:.0f} s"
        )
        report.same(
            "killed",
            f"a worker, when {killed[0] if killed else 'no'} documents were there; another took its place",
            is_same=died > 0 and bool(killed) and killed[0] < queued,
        )
        embedded.add(files)
        ids = [{info.id for info in corpus.list()} for corpus in (shared, embedded)]
        report.same("documents", f"{len(ids[0] & ids[1])} of {len(ids[1])} the same", is_same=ids[0] == ids[1])
        report.same("layers", "made of the same", is_same=shared.fingerprints() == embedded.fingerprints())
        report.same("check", "every part is sound", is_same=shared.check().is_sound)
        started = shared_corpus.search(shared, address, lambda _: None, shards=2, copies=2)
        report.same(
            "searchers",
            f"{len(started)} hold {sum(one.passages for one in started) // 2} passages in 2 shards, twice",
            is_same=not any(one.why for one in started),
        )
        with octavo.open(url, ray=address) as searched:
            for question in QUESTIONS:
                compare(question, embedded, {"shared": shared, "searchers": searched}, report)


def compare(question: str, embedded: Corpus, others: dict[str, Corpus], report: Report) -> None:
    expected = told(embedded, question)
    answer = expected["answer"]["answer"].partition("\n")[0][:60]
    differ = [name for name, corpus in others.items() if told(corpus, question) != expected]
    print(f"\n  {question}\n    {answer}", flush=True)
    report.same(
        "  ranking", "and answer the same" + (f" but of {', '.join(differ)}" if differ else ""), is_same=not differ
    )


def told(corpus: Corpus, question: str) -> Any:
    """Return what a corpus finds and answers, without what it took."""
    found = corpus.search(question).to_json(trace=False)
    answer = corpus.ask(question).to_json(trace=False)
    kept = [{key: value for key, value in one.items() if key != "usage"} for one in (found, answer)]
    return json.loads(json.dumps({"found": kept[0], "answer": kept[1]}, default=str))


if __name__ == "__main__":
    sys.exit(main())

"""Workers on two nodes of Ray on one machine: run in a network of its own, it writes what came of it.

As `searching.py` says, Ray is given a network namespace that has loopback alone.
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

import ray
from ray.cluster_utils import Cluster

import storing
from octavo.corpus import Corpus
from octavo.corpus.progress import Progress
from octavo.corpus.reports import AddReport
from octavo.errors import CorpusError
from octavo_cluster import ray_workers, shared_corpus


def opened(url: str) -> Corpus:
    return Corpus(url, builders=lambda: storing.builders(slow=0.05))


def add(corpus: Corpus, paths: list[str], progress: Progress, processes: int, /) -> AddReport:
    return corpus.add(paths, workers=processes, progress=progress)


class Counting:
    """Counts documents that are told as finished."""

    finished = 0

    def start(self, path: str, stage: str, total: int) -> None:
        pass

    def advance(self, path: str, stage: str, done: int) -> None:
        pass

    def finish(self, path: str, outcome: str) -> None:
        self.finished += outcome != "again"


def workers_here() -> list[int]:
    """Return the processes that are workers, in this network."""
    found: list[int] = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            is_worker = (entry / "cmdline").read_bytes().startswith(b"ray::Worker")
            if is_worker and (entry / "ns/net").readlink() == Path("/proc/self/ns/net").readlink():
                found.append(int(entry.name))
        except OSError:  # it has ended
            continue
    return found


def workers_left() -> int:
    """Return how many workers there are once they had time to end."""
    deadline = time.monotonic() + 10
    while workers_here() and time.monotonic() < deadline:
        time.sleep(0.05)
    return len(workers_here())


def scenario(url: str, folder: Path, nodes: Cluster) -> dict[str, Any]:
    told: dict[str, Any] = {}
    with opened(url) as corpus:
        told["queued"] = shared_corpus.queue(corpus, [folder / "files"])[0]
        seen, counting = list[int](), Counting()

        def disturb() -> None:
            while corpus.count() < 5:
                time.sleep(0.02)
            os.kill(workers_here()[0], signal.SIGKILL)
            before = corpus.count()
            while corpus.count() < before + 5:
                time.sleep(0.02)
            told["visible when the node goes"] = corpus.count()
            nodes.remove_node(next(iter(nodes.worker_nodes)))

        disturbing = threading.Thread(target=disturb)
        disturbing.start()
        how = partial(opened, url), add
        died = ray_workers.work(
            corpus, how, lambda report: seen.append(len(report.added)), counting, address=nodes.address, workers=3
        )
        disturbing.join()
        told["died"], told["added"], told["finished"] = died, sum(seen), counting.finished
        told["left"] = shared_corpus.shared(corpus).queued()
        told["workers left"] = workers_left()
        command = [sys.executable, "-m", "octavo", "cluster", "worker", "--corpus", url]
        shared_corpus.shared(corpus).queue([("address:1", "https://127.0.0.1:1/a.pdf")])
        running = subprocess.Popen(
            [*command, "--ray", nodes.address, "--workers", "1", "--stay"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert running.stderr
        refused = next((line for line in running.stderr if "public internet" in line), "")
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
        told["interrupted"] = out, refused + err, running.returncode
        told["workers left then"] = workers_left()
        try:
            broken = partial(opened, "postgresql://octavo@/nothing?host=/nowhere")
            ray_workers.work(corpus, (broken, add), print, counting, address=nodes.address)
        except CorpusError as error:
            told["error"] = error.reason, str(error)
    return told


def main() -> None:
    url, folder = sys.argv[1], Path(sys.argv[2])
    options: dict[str, Any] = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 80 << 20}
    nodes = Cluster(initialize_head=True, head_node_args=options)
    nodes.add_node(**options)
    try:
        (folder / "told.json").write_text(json.dumps(scenario(url, folder, nodes)))
    finally:
        ray.shutdown()
        nodes.shutdown()


if __name__ == "__main__":
    main()

"""Indexing by workers on 1, 2, 4 and 8 nodes of Ray, where a document takes a fixed time: how much is lost together.

    python benchmarks/cluster_scaling.py [--nodes 1,2,4,8] [--documents 96] [--seconds 0.5]

All nodes are on this machine, so what is measured is what workers cost each other: the queue, leases, publishing in
one database, bytes in one object store, and Ray. A document is a small text whose vectors take so many seconds of
waiting; there are so many documents a node. `rate` is documents a second between the first fifth and the last fifth of
them, when all workers are at work; `efficiency` is that rate, for each node, of one node's; `all` is the same with the
start of workers and the end, when some have nothing left. Ray runs in a network of its own (`unshare -rn`).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "benchmarks")]

import alone  # noqa: E402
import storing  # noqa: E402
from cluster_kills import prepare  # noqa: E402
from octavo.corpus import Corpus  # noqa: E402
from octavo.corpus.progress import Progress, Silence  # noqa: E402
from octavo.corpus.reports import AddReport  # noqa: E402
from octavo_cluster import shared_corpus  # noqa: E402

LEFT_OUT = 0.2
"""Share of the documents at each end that `rate` leaves out."""


def opened(url: str, seconds: float) -> Corpus:
    return Corpus(url, builders=lambda: storing.builders(slow=seconds))


def add(corpus: Corpus, paths: list[str], progress: Progress, _processes: int, /) -> AddReport:
    return corpus.add(paths, workers=1, progress=progress)


def rates(url: str, folder: Path, nodes: int, documents: int, seconds: float) -> tuple[float, float]:
    """Index so many documents a node; return documents a second when all are at work, and in all."""
    import ray
    from ray.cluster_utils import Cluster

    import cluster_scaling  # as the workers import it
    from octavo_cluster import ray_workers

    count = nodes * documents
    files = folder / f"files{nodes}"
    for at in range(count):
        storing.write_file(files / f"f{at:04}.pdf", f"# Ferry {at} of {nodes}\nFerry {at} sails to Quay {at * 7}.")
    size: dict[str, Any] = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 80 << 20}
    started = Cluster(initialize_head=True, head_node_args=size)
    for _ in range(nodes - 1):
        started.add_node(**size)
    seen: list[float] = []
    is_over = threading.Event()
    with opened(url, seconds) as corpus:
        assert shared_corpus.queue(corpus, [files])[0] == count

        def watch() -> None:
            while not is_over.wait(0.05):
                seen.extend([time.monotonic()] * (corpus.count() - len(seen)))

        watching = threading.Thread(target=watch)
        watching.start()
        began = time.monotonic()
        how = partial(cluster_scaling.opened, url, seconds), cluster_scaling.add
        ray_workers.work(corpus, how, lambda _: None, Silence(), address=started.address, workers=nodes)
        ended = time.monotonic()
        is_over.set()
        watching.join()
        assert corpus.count() == count
    ray.shutdown()
    started.shutdown()
    first, last = int(count * LEFT_OUT), int(count * (1 - LEFT_OUT))
    return (last - first) / (seen[last] - seen[first]), count / (ended - began)


def inside(given: argparse.Namespace) -> None:
    import object_store

    url, folder = given.inside[0], Path(given.inside[1])
    with object_store.running() as started:
        objects = started()
        os.environ.update(objects.environment)  # before the nodes, which pass it on to workers
        alone: tuple[float, float] | None = None
        print(f"{given.documents} documents a node, {given.seconds} s each")
        print(f"{'nodes':>5}{'rate':>8}{'efficiency':>12}{'all':>8}{'efficiency':>12}", flush=True)
        for nodes in map(int, given.nodes.split(",")):
            prepare(url, objects.bucket())
            rate, whole = rates(url, folder, nodes, given.documents, given.seconds)
            alone = alone or (rate / nodes, whole / nodes)
            shares = rate / nodes / alone[0], whole / nodes / alone[1]
            print(f"{nodes:>5}{rate:>8.2f}{shares[0]:>12.3f}{whole:>8.2f}{shares[1]:>12.3f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", default="1,2,4,8")
    parser.add_argument("--documents", type=int, default=96, help="a node")
    parser.add_argument("--seconds", type=float, default=0.5, help="that a document takes")
    parser.add_argument("--inside", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inside:
        inside(given)
        return
    with alone.database_and_folder() as (database, folder):
        command = alone.command(__file__, *sys.argv[1:], "--inside", database.url(database.make()), folder)
        sys.exit(subprocess.run(command, env=alone.environment(__file__, folder), check=False).returncode)


if __name__ == "__main__":
    main()

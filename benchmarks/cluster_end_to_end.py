"""Generated articles from a corpus in a folder to a shared one, its searchers, and questions to both: what it takes.

    python benchmarks/cluster_end_to_end.py [--passages 1000000] [--shards 4] [--questions 40] [--folder FOLDER]

A corpus in a folder is filled as `first_stage.py` does, copied by `cluster.copy` into PostgreSQL with its bytes in a
folder that stands for a bucket, and held by one searcher of Ray a shard, on this machine. Then both are asked the same
questions, whole (`Corpus.search`): blocks and their scores must be the same in the same order. Times are of the first
stage until its documents are open. Rates are articles of ten passages a second; memory is that of each searcher after
its questions. With `--folder` the corpus in a folder is
kept for the next run. Ray runs in a network of its own (`unshare -rn`).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "benchmarks")]

import alone  # noqa: E402
from first_stage import PASSAGES_PER_ARTICLE, fill, memory, percentiles, questions  # noqa: E402
from octavo.corpus import Corpus  # noqa: E402
from octavo.corpus.store.sqlite import SqliteStore  # noqa: E402
from octavo_cluster import shared_corpus  # noqa: E402

WARM = 3
"""Questions that are asked before those that are timed."""


def seconds_of(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def asked(corpus: Corpus, wanted: Sequence[str]) -> tuple[dict[str, float], list[Any]]:
    """Return the times of the first stage, the first questions left out, and what each question found."""
    times: list[float] = []
    found: list[Any] = []
    for question in wanted:
        result = corpus.search(question, system="hybrid")
        times.append(next(step.seconds for step in result.trace if step.step == "FirstStage"))
        found.append(result.to_json()["blocks"])
    return percentiles(times[WARM:]), found


def inside(given: argparse.Namespace) -> None:
    import ray
    from ray.cluster_utils import Cluster

    folder, url = Path(given.inside[1]), given.inside[0]
    count = given.passages // PASSAGES_PER_ARTICLE
    embedded = given.folder or folder / "corpus"
    if not (embedded / "corpus.db").exists():
        embedded.mkdir(parents=True, exist_ok=True)
        store = SqliteStore(embedded / "corpus.db")
        told("a corpus in a folder filled", seconds_of(lambda: fill(store, count)), count)
        store.close()
    wanted = questions(given.questions + WARM)
    with Corpus(embedded) as alone:
        told("the same, its index made", seconds_of(lambda: alone.search(wanted[0], system="hybrid")), count)
        times, expected = asked(alone, wanted)
        print(f"{'a question to the folder':44}{times} ms {memory()} MiB", flush=True)
        with Corpus(url) as shared:
            told("copied into the shared corpus", seconds_of(lambda: shared_corpus.copy(alone, shared)), count)
            assert shared.count() == alone.count() == count
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112  (as Ray spells it; its processes make way for others else)
    size: dict[str, Any] = {"num_cpus": given.shards, "include_dashboard": False, "object_store_memory": 100 << 20}
    nodes = Cluster(initialize_head=True, head_node_args=size)
    address = nodes.address
    with Corpus(url) as shared:
        started = time.perf_counter()
        held = shared_corpus.search(shared, address, lambda _: None, shards=given.shards, copies=1)
        told(f"{len(held)} shards held by searchers", time.perf_counter() - started, count)
        assert sum(one.passages for one in held) == given.passages
    with Corpus(url, ray=address) as sharded:
        times, found = asked(sharded, wanted)
        print(f"{'a question to the shards':44}{times}", flush=True)
    for one in held:
        print(f"{f'  shard {one.shard} of {one.of}':44}{one.bytes >> 20} MiB on disk", flush=True)
    print(f"{'  memory of the searchers':44}{sorted(sizes())} MiB", flush=True)
    same = sum(one == other for one, other in zip(found, expected, strict=True))
    print(f"{'the same documents, pages and blocks':44}{same} of {len(wanted)}", flush=True)
    ray.shutdown()
    nodes.shutdown()


def told(what: str, seconds: float, count: int) -> None:
    print(f"{what:44}{seconds:>8.1f} s {count / seconds:>10,.0f} articles/s", flush=True)


def sizes() -> list[int]:
    """Return MiB of memory of each searcher that runs here."""
    found: list[int] = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if (entry / "cmdline").read_bytes().startswith(b"ray::Searcher"):
                lines = (entry / "status").read_text().splitlines()
                found.append(int(next(line for line in lines if line.startswith("RssAnon")).split()[1]) >> 10)
        except OSError:  # it has ended
            continue
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=1_000_000)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--folder", type=Path, help="of the corpus in a folder")
    parser.add_argument("--inside", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inside:
        inside(given)
        return
    with alone.database_and_folder() as (database, folder):
        url = database.url(database.make())
        (folder / "bucket").mkdir()
        shared_corpus.create(url, f"file://{folder}/bucket")
        command = alone.command(__file__, *sys.argv[1:], "--inside", url, folder)
        sys.exit(subprocess.run(command, env=alone.environment(__file__, folder), check=False).returncode)


if __name__ == "__main__":
    main()

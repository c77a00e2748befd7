"""A shared corpus that is filled while what it stands on is killed: what is lost, doubled, half visible, or paid twice.

    python benchmarks/cluster_kills.py [--kills 100] [--documents 200] [--seed 1]

Workers on two nodes of Ray index small documents with every layer, decided by a model that notes each payment in a file
before it replies. At random moments a worker is killed (SIGKILL), a node of Ray goes, the database crashes and is
started anew, or the object store fails or refuses for a while; work is started again until the queue is empty, and
then with the next corpus until there were enough kills. Documents are looked at all along: `half` are visible without
all parts that every document has. A call is paid twice when its key is noted twice; `unexplained` were not under way in
what was killed or cut off. Ray runs in a network of its own (`unshare -rn`).
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "benchmarks")]

import alone  # noqa: E402
from every_layer import EVERY_LAYER, copied, register  # noqa: E402
from octavo.corpus import Corpus  # noqa: E402
from octavo.corpus.judges import ModelConfig  # noqa: E402
from octavo.corpus.progress import Progress, Silence  # noqa: E402
from octavo.corpus.reports import AddReport  # noqa: E402
from octavo.errors import CorpusError, OctavoError  # noqa: E402
from octavo.models.gateway import Limits, Price, Prices  # noqa: E402
from octavo.models.language import Reply, Request, estimate_tokens  # noqa: E402
from octavo_cluster import shared_corpus  # noqa: E402

WORKERS = 2
LEASE_SECONDS = 5
SLOWEST = 0.2
"""Seconds that a call takes at most."""
PARTS = {"document", "passages", "terms", "vectors"}
WHAT = ("worker",) * 6 + ("node", "database", "database", "objects", "objects")
PAUSE = 2.0
"""Seconds at most from work that is done to the next kill."""
PATIENCE = 120.0
"""Seconds that are waited for work to be done."""
ORDERS = "order"
"""File by which the part in the network of its own asks for the database to be killed."""


class CountingEndpoint:
    """A model that notes each payment in a file, with its process, before it works for a while."""

    id = "counting:test"
    context_tokens = 100_000
    sees = True
    secrets: tuple[str, ...] = ()

    def __init__(self, log: Path) -> None:
        self._file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def generate(self, request: Request, *, timeout: float, on_text: Callable[[str], None] | None = None) -> Reply:
        os.write(self._file, f"{request.key(self.id)} {os.getpid()}\n".encode())
        time.sleep(random.uniform(0, SLOWEST))
        text = copied(request)
        return Reply(text, estimate_tokens(request.instructions + request.turns[0].text), estimate_tokens(text))


def opened(url: str, log: Path) -> Corpus:
    register()
    model = CountingEndpoint(log)
    return Corpus(url, models=ModelConfig(model, prices=Prices({"*": Price(0, 0)}), limits=Limits(concurrency=4)))


def add(corpus: Corpus, paths: list[str], progress: Progress, processes: int, /) -> AddReport:
    return corpus.add(paths, workers=processes, progress=progress, systems=[EVERY_LAYER])


def noted(log: Path) -> list[tuple[str, int]]:
    """Return key and process of each payment."""
    lines = log.read_text("ascii").splitlines() if log.exists() else []
    return [(key, int(process)) for key, process in map(str.split, lines)]


class Trial:
    """One corpus that is filled under kills."""

    def __init__(self, corpus: Corpus, folder: Path, nodes: Any, size: dict[str, Any], objects: Any) -> None:
        self.corpus, self.folder, self.nodes, self.size, self.objects = corpus, folder, nodes, size, objects
        self.log = folder / "paid.log"
        self.total = Counter[str]()
        self.allowed = Counter[str]()
        self.is_over = threading.Event()

    def kill_some(self, most: int) -> None:
        """Kill one thing after the other until the work is over."""
        while self.total["kills"] < most and not self.is_over.wait(random.uniform(0, PAUSE)):
            self.wait_for_work()
            what = random.choice(WHAT)
            with suppress(OctavoError, IndexError):  # there is no worker just now
                getattr(self, f"kill_{what}")()
                self.total.update(kills=1, **{f"kills of a {what}": 1})
                print(f"{self.total['kills']:>4}  {what}: {self.corpus.count()} documents are there", flush=True)

    def wait_for_work(self) -> None:
        """Wait until something is done again: nothing is cut off in processes that only start."""
        before, deadline = self.done(), time.monotonic() + PATIENCE
        while self.done() == before and time.monotonic() < deadline and not self.is_over.is_set():
            time.sleep(0.02)

    def done(self) -> tuple[int, int]:
        """Return how many calls were paid, and how often what is visible or being done changed."""
        with suppress(CorpusError):
            return len(noted(self.log)), self.corpus.backend.store.generation()
        return -1, -1

    def cut_off(self, processes: set[int] | None = None) -> None:
        """Allow what some processes, or all, have paid for and not got yet to be paid once more."""
        keys = {key for key, process in noted(self.log) if processes is None or process in processes}
        with shared_corpus.shared(self.corpus).connections.reading() as connection:
            sql = "SELECT key FROM calls WHERE reply IS NOT NULL AND key = ANY(%s)"
            settled = {row[0] for row in connection.execute(sql, ([*keys],)).fetchall()}
        self.allowed.update(keys - settled)
        self.total["in flight"] += len(keys - settled)

    def kill_worker(self) -> None:
        from working import workers_here

        process = random.choice(workers_here())
        os.kill(process, signal.SIGKILL)
        time.sleep(0.05)
        self.cut_off({process})

    def kill_node(self) -> None:
        from working import workers_here

        before = {*workers_here()}
        self.nodes.remove_node(random.choice([*self.nodes.worker_nodes]), allow_graceful=False)
        time.sleep(0.5)
        self.cut_off(before - {*workers_here()})
        self.nodes.add_node(**self.size)

    def kill_database(self) -> None:
        order = self.folder / ORDERS
        order.write_text("database")
        while order.exists():
            time.sleep(0.01)
        self.cut_off()

    def kill_objects(self) -> None:
        self.objects.tell(f"do {random.choice(['broken', 'cut', 'denied', 'busy'])}")
        time.sleep(random.uniform(0.5, 3))
        self.objects.tell("do well")

    def watch(self) -> None:
        """Look all along whether anything is half visible."""
        while not self.is_over.wait(0.3):
            with suppress(CorpusError):
                self.look()

    def look(self) -> None:
        parts: dict[str, set[str]] = {}
        store = shared_corpus.shared(self.corpus)
        with store.connections.snapshot() as connection:
            sql = "SELECT id, parts.name FROM documents LEFT JOIN parts ON document_id = id AND is_published"
            for document, name in connection.execute(sql).fetchall():
                parts.setdefault(document, set()).add(name)
        self.total["half"] += sum(not names >= PARTS for names in parts.values())
        self.total["looks"] += 1

    def run(self, url: str, address: str, files: Path, kills: int) -> Counter[str]:
        from octavo_cluster import ray_workers

        documents = shared_corpus.queue(self.corpus, [files])[0]
        threads = [threading.Thread(target=self.kill_some, args=(kills,)), threading.Thread(target=self.watch)]
        for thread in threads:
            thread.start()
        how = partial(opened, url, self.log), add
        while True:
            try:
                self.total["workers died"] += ray_workers.work(
                    self.corpus, how, lambda _: None, Silence(), address=address, workers=WORKERS
                )
                break
            except CorpusError as error:
                self.total[f"ended: {error.reason}"] += 1
                print(f"      the work ended: {error}"[:300], flush=True)
                self.cut_off_when_it_can()
                time.sleep(0.5)
        self.is_over.set()
        for thread in threads:
            thread.join()
        return self.judged(documents)

    def cut_off_when_it_can(self) -> None:
        while True:
            with suppress(CorpusError):
                self.cut_off()
                return
            time.sleep(0.2)

    def judged(self, documents: int) -> Counter[str]:
        self.corpus.check(repair=True)  # what was cut off between bytes and rows
        infos = self.corpus.list()
        self.total.update(corpora=1, documents=documents, lost=documents - len({info.id for info in infos}))
        self.total["doubled"] = len(infos) - len({info.path for info in infos})
        self.total["damaged"] = len(self.corpus.check().findings)
        counts = Counter(key for key, _ in noted(self.log))
        self.total.update(calls=len(counts), **{"paid twice": counts.total() - len(counts)})
        self.total["unexplained"] = sum(max(0, count - 1 - self.allowed[key]) for key, count in counts.items())
        layers = Counter(len(names) for names in self.corpus.layers().values())
        self.total["without all layers"] = sum(layers.values()) - layers[max(layers, default=0)]
        self.look()
        return self.total


def write_documents(folder: Path, count: int) -> None:
    folder.mkdir()
    for at in range(count):
        said = (
            f"## {what} of Ferry {at}\n\nThe {what} of Ferry {at} is led by Captain {at * 7 + number} of Port {at}. "
            f"It sails to Quay {number} as Figure {number} shows, and Captain {at} follows it there.\n"
            for number, what in enumerate(("Crew", "Cargo", "Route", "Engine"))
        )
        (folder / f"f{at:03}.md").write_text(f"# Ferry {at}\n\n" + "\n".join(said))


def inside(url: str, folder: Path, kills: int, documents: int) -> None:
    import ray
    from ray.cluster_utils import Cluster

    import object_store

    ray._private.utils.set_sigterm_handler = lambda _: None  # nodes are added by a thread, which may not set one

    import cluster_kills  # as the workers import it

    size: dict[str, Any] = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 80 << 20}
    total = Counter[str]()
    with object_store.running() as started:
        objects = started()
        os.environ.update(objects.environment)  # before the nodes, which pass it on to workers
        nodes = Cluster(initialize_head=True, head_node_args=size)
        nodes.add_node(**size)
        write_documents(folder / "files", documents)
        while total["kills"] < kills:
            with suppress(OSError):
                (folder / "paid.log").unlink()
            prepare(url, objects.bucket())
            with Corpus(url) as corpus:
                trial = cluster_kills.Trial(corpus, folder, nodes, size, objects)
                total.update(trial.run(url, nodes.address, folder / "files", kills - total["kills"]))
            print(dict(total), flush=True)
    for key, value in total.items():
        print(f"{key:<24}{value}", flush=True)


def prepare(url: str, bucket: str) -> None:
    """Make an empty corpus of the database, with short leases and the bytes in a bucket of its own."""
    from octavo_cluster.postgresql.connections import Connections

    connections = Connections(url)
    with connections.writing() as connection:
        connection.execute("DROP SCHEMA IF EXISTS octavo CASCADE")
    shared_corpus.create(url, bucket)
    with connections.writing() as connection:
        connection.execute("UPDATE octavo.corpus SET lease_seconds = %s", (LEASE_SECONDS,))
    connections.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inside", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    random.seed(given.seed)
    if given.inside:
        inside(given.inside[0], Path(given.inside[1]), given.kills, given.documents)
        return
    with alone.database_and_folder() as (database, folder):
        command = alone.command(__file__, *sys.argv[1:], "--inside", database.url(database.make()), folder)
        process = subprocess.Popen(command, env=alone.environment(__file__, folder))
        order = folder / ORDERS
        while process.poll() is None:
            if order.exists():
                database.stop(signal.SIGQUIT)
                time.sleep(random.uniform(0, 1))
                database.start()
                order.unlink()
            time.sleep(0.02)
        sys.exit(process.returncode)


if __name__ == "__main__":
    main()

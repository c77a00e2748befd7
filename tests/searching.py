"""A shared corpus searched by two nodes of Ray on one machine: run in a network of its own, it writes what came of it.

Run: python tests/searching.py DATABASE FOLDER KILLS; a searcher is killed so often while questions are asked.

Ray speaks over the network, which tests may not use, and finds no address of its own where there is only loopback
besides others; so the tests start this in a network namespace that has loopback alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ray
from ray.cluster_utils import Cluster
from ray.exceptions import RayError

import octavo
from cli_corpus import octavo as command
from octavo.corpus import Corpus, location
from octavo.errors import OctavoError
from octavo.models.question_vectors import QuestionVectors
from octavo_cluster import searchers, shared_corpus

QUESTIONS = ("What is said of ferry 7?", "Which crew has a cook?", "note 31", "quay")
SHARDS = 2


def rankings(corpus: Corpus) -> list[Any]:
    """Return both rankings of each question and what the corpus finds."""
    index = corpus.backend.first_stage.current()
    vectors = corpus._models.embedder().embed(QUESTIONS)
    return [
        [
            index.lexical(question.split(), None, 99),
            index.dense(QuestionVectors(vector), None, 99),
            corpus.search(question).to_json()["blocks"],
        ]
        for question, vector in zip(QUESTIONS, vectors, strict=True)
    ]


def refused(work: Callable[[], object]) -> str:
    try:
        work()
    except OctavoError as error:
        return str(error)
    return ""


def program(*words: object) -> tuple[int, str, str]:
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "octavo", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def octavo_here(*words: str) -> tuple[int, str, str]:
    """Run a command in this process."""
    done = command(*words)
    return done.status, done.out, done.err


def actors(shard: int) -> list[Any]:
    """Return the searchers of a shard, counted from 1."""
    names = [name for name in ray.util.list_named_actors() if f":{shard}-of-{SHARDS}:" in name]
    return [ray.get_actor(name) for name in sorted(names)]


def kill_one(shard: int, chance: random.Random) -> None:
    """Kill the process of a searcher whose copy lives; Ray starts it again."""
    while True:
        with contextlib.suppress(RayError):  # one was killed before and is not back yet
            processes = ray.get([one.__ray_call__.remote(lambda _: os.getpid()) for one in actors(shard)])
            return os.kill(chance.choice(processes), signal.SIGKILL)


def scenario(url: str, folder: Path, nodes: Cluster, kills: int) -> dict[str, Any]:
    told: dict[str, Any] = {}
    address = nodes.address
    with octavo.open(url) as embedded, octavo.open(url, ray=address) as corpus:
        told["nobody listens"] = program("ask", "Of which ferry?", "--corpus", url, "--ray", "127.0.0.1:9")
        told["without searchers"] = refused(lambda: corpus.search("ferry"))
        started = shared_corpus.search(corpus, address, lambda _: None, shards=SHARDS, copies=2)
        told["searchers"] = [[one.shard, one.copy, one.passages, one.why] for one in started]
        told["nodes"] = [len({one.node for one in started if one.shard == shard}) for shard in (1, 2)]
        told["same rankings"] = rankings(corpus) == rankings(embedded)

        (folder / "new.md").write_text("# News\nA walrus came aboard.")
        embedded.add(folder / "new.md")
        told["new document"] = corpus.search("walrus").to_json()["pages"][0]["document"]
        corpus.remove("new.md")
        told["removed document"] = [page["document"] for page in corpus.search("walrus").to_json()["pages"]]
        told["files without it"] = no_term_of(corpus, "walrus")
        told["same rankings then"] = rankings(corpus) == rankings(embedded)

        told["questions put while it was busy"] = put_while_busy(corpus, folder)

        expected, wrong, stop = rankings(embedded), list[Any](), threading.Event()

        def ask_on() -> None:
            while not stop.is_set():
                with contextlib.suppress(OctavoError):
                    wrong.append(rankings(corpus) != expected)
                    continue
                wrong.append("an error")

        asking = threading.Thread(target=ask_on)
        asking.start()
        chance = random.Random(5)
        for at in range(kills):
            before = len(wrong)
            kill_one(at % SHARDS + 1, chance)
            while len(wrong) < before + 2:
                time.sleep(0.05)
        stop.set()
        asking.join()
        told["asked"] = len(wrong)
        told["wrong while searchers are killed"] = [what for what in wrong if what]

        for actor in actors(2):
            ray.kill(actor, no_restart=True)
        told["a shard is gone"] = refused(lambda: corpus.search("ferry"))
        told["ask"] = octavo_here("ask", "Of which ferry?", "--corpus", url, "--ray", address)
        told["ask --partial"] = program("ask", "Of which ferry?", "--corpus", url, "--ray", address, "--partial")
        with octavo.open(url, ray=address, partial=True) as partial:
            told["partial"] = partial.ask("Of which ferry?").to_json()["unsearched"]
            told["trace"] = partial.search("ferry").trace[0].parameters["unsearched"]
        told["status"] = octavo_here("cluster", "status", "--corpus", url, "--ray", address, "--json")
        told["search"] = octavo_here("cluster", "search", "--corpus", url, "--ray", address, "--shards", str(SHARDS))
        told["same rankings again"] = rankings(corpus) == rankings(embedded)

        nodes.remove_node(next(iter(nodes.worker_nodes)))
        told["same rankings on one node"] = rankings(corpus) == rankings(embedded)
        told["one node"] = [
            [one.shard, one.copy, bool(one.why)] for one in shared_corpus.status(corpus, address).searchers
        ]
        told["stop"] = octavo_here("cluster", "search", "--corpus", url, "--ray", address, "--stop")
    return told


@dataclass(frozen=True)
class Leaving:
    """A question that leaves a file where it is put."""

    path: Path

    def put_to(self, _: object) -> None:
        self.path.touch()


def hold(_: object, until: Path) -> None:
    """Keep an actor busy until there is a file."""
    while not until.exists():
        time.sleep(0.02)


class Noted:
    """An actor whose replies to questions are noted, as Ray knows them."""

    def __init__(self, actor: Any) -> None:
        self._actor, self.replies, self.ask = actor, list[Any](), self

    def remote(self, *given: Any) -> Any:
        """Put a question."""
        self.replies.append(self._actor.ask.remote(*given))
        return self.replies[-1]


def put_while_busy(corpus: Corpus, folder: Path) -> list[str]:
    """Return which of two questions reach a searcher that is busy when they come, when the first is cancelled."""
    actor = actors(1)[0]
    noted, stamp = Noted(actor), corpus.backend.catalogue.stamp()
    copy = searchers.SearcherCopy("one", noted)
    free = folder / "free"
    busy = [actor.__ray_call__.remote(hold, free) for _ in range(searchers._AT_ONCE)]
    dropped, kept = (copy(stamp, Leaving(folder / name)) for name in ("dropped", "kept"))
    assert dropped.cancel()
    ray.wait(noted.replies[:1], timeout=60)  # until the actor has heard of it
    free.touch()
    ray.get(busy)
    kept.result(30)
    return [name for name in ("dropped", "kept") if (folder / name).exists()]


def no_term_of(corpus: Corpus, word: str) -> bool:
    """Whether no file of a searcher has a term."""
    from octavo.corpus.ask import segments
    from octavo.corpus.ask.passage_index import keys_of

    files = [*location.shards(corpus.path).glob("*/segment-*.bin")]
    assert files
    return not any(keys_of([word])[0] in segments.load(path.parent, path.name).keys for path in files)


def main() -> None:
    url, folder, kills = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    options: dict[str, Any] = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 80 << 20}
    nodes = Cluster(initialize_head=True, head_node_args=options)
    nodes.add_node(**options)
    try:
        (folder / "told.json").write_text(json.dumps(scenario(url, folder, nodes, kills)))
    finally:
        ray.shutdown()
        nodes.shutdown()


if __name__ == "__main__":
    main()

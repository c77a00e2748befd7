"""Passages in shards beside the same passages in one index: the same rankings, how long, and how much memory.

Run: python benchmarks/cluster_search.py [--passages 1000000] [--shards 4] [--questions 100] [--folder FOLDER]
     where Ray cannot tell an address of this machine, in a network of its own:
     unshare -rn sh -c "ip link set lo up && python benchmarks/cluster_search.py"

Generates articles of ten passages of a hundred words, drawn as those of a language are, with random vectors, and writes
them as segments twice: for one index, and for shards by the hash of their ids. Each shard is held by an actor of Ray.
Questions are words of the same language and random vectors; both rankings, 1,000 documents deep, are compared. Left out
are the look at the database that comes before every question either way, and the embedding of the question.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from first_stage import DIMENSION, PASSAGES_PER_ARTICLE, WORDS_PER_PASSAGE, Language, memory, percentiles, terms_layer
from octavo.corpus.ask import segments
from octavo.corpus.ask.derived import SEGMENT_PASSAGES
from octavo.corpus.ask.passage_index import LiveSegment, PassageIndex
from octavo.corpus.ask.segments import Member
from octavo.corpus.ask.shards import ShardedIndex, ShardQuestion
from octavo.corpus.store import PartKey, StoredPart
from octavo.corpus.store.catalogue import Stamp
from octavo.models.question_vectors import QuestionVectors
from octavo_cluster import searchers
from octavo_documents.document.columns import pack

Asked: TypeAlias = tuple[list[str], np.ndarray]
STAMP = Stamp("generated", 1, "")
DEPTH = 1000


class Writer:
    """Writes documents into segments as large as an index has them."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._waiting = folder, list[Member]()

    def add(self, member: Member) -> None:
        self._waiting.append(member)
        if len(self._waiting) * PASSAGES_PER_ARTICLE >= SEGMENT_PASSAGES:
            self.close()

    def close(self) -> None:
        if self._waiting:
            segments.write(self._folder, segments.build(self._waiting), "random", STAMP.identity)
        self._waiting = []


def shard_of(document: str, shards: int) -> int:
    return int(hashlib.md5(document.encode(), usedforsecurity=False).hexdigest()[:8], 16) % shards


def write(folder: Path, passages: int, shards: int) -> None:
    """Write the segments of one index and of its shards."""
    whole = Writer(folder / "whole")
    parts = [Writer(folder / str(at)) for at in range(shards)]
    language, random = Language(1), np.random.default_rng(2)
    for number in range(passages // PASSAGES_PER_ARTICLE):
        vectors = random.standard_normal((PASSAGES_PER_ARTICLE, DIMENSION), np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        terms = terms_layer(language.draw(PASSAGES_PER_ARTICLE, WORDS_PER_PASSAGE), language.words)
        document = f"sha256:{number:064x}"
        member = Member(
            document,
            number,
            StoredPart(PartKey(document, "terms", "", number), 2 * number + 1, terms),
            StoredPart(
                PartKey(document, "vectors", "", number),
                2 * number + 2,
                pack({"vectors": vectors.astype(np.float16)}, {}),
            ),
        )
        whole.add(member)
        parts[shard_of(document, shards)].add(member)
    for writer in (whole, *parts):
        writer.close()


def index_of(folder: Path) -> PassageIndex:
    found = [segments.load(folder, path.name) for path in sorted(folder.glob("segment-*.bin"))]
    return PassageIndex(tuple(LiveSegment(part, np.ones(len(part.numbers), np.bool_)) for part in found))


class Shard:
    """An actor that holds a shard, as a searcher does."""

    def __init__(self, folder: str) -> None:
        self._index = index_of(Path(folder))

    def ask(self, _stamp: Stamp, question: ShardQuestion[Any]) -> Any:
        return question.put_to(self._index)

    def memory(self) -> dict[str, int]:
        return memory()


class State:
    """As much of a catalogue as shards look at."""

    def stamp(self) -> Stamp:
        return STAMP

    def count(self) -> int:
        return 0


def asked(count: int) -> list[Asked]:
    language, random = Language(7), np.random.default_rng(8)
    vectors = random.standard_normal((count, DIMENSION), np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return [(language.text(6).split(), vector) for vector in vectors]


def measured(rank: Callable[[], Any], questions: Sequence[Asked]) -> tuple[dict, list]:
    """Return the times of questions one after the other and four at a time, and their rankings."""
    times: dict[str, list[float]] = {"words": [], "vectors": [], "both": []}
    found = []
    for at, (words, vector) in enumerate([*questions[:3], *questions]):
        index, started = rank(), time.perf_counter()
        lexical = index.lexical(words, None, DEPTH)
        between = time.perf_counter()
        dense = index.dense(QuestionVectors(vector), None, DEPTH)
        ended = time.perf_counter()
        if at >= 3:  # the first ones read the files
            found.append((lexical, dense))
            for name, seconds in (
                ("words", between - started),
                ("vectors", ended - between),
                ("both", ended - started),
            ):
                times[name].append(seconds)
    started = time.perf_counter()
    with ThreadPoolExecutor(4) as pool:
        [
            *pool.map(
                lambda one: (rank().lexical(one[0], None, DEPTH), rank().dense(QuestionVectors(one[1]), None, DEPTH)),
                questions,
            )
        ]
    rate = len(questions) / (time.perf_counter() - started)
    return {name: percentiles(values) for name, values in times.items()} | {
        "four at a time, a second": round(rate, 1)
    }, found


def in_one(folder: Path, questions: Sequence[Asked]) -> tuple[dict[str, object], list[Any]]:
    """Return the figures of one index, and its rankings."""
    before, whole = memory(), index_of(folder / "whole")
    times, found = measured(lambda: whole, questions)
    held = {name: value - before[name] for name, value in memory().items()}
    return {"one index": times, "one index, MiB": held}, found


def measure(folder: Path, passages: int, shards: int, count: int) -> dict[str, object]:
    figures: dict[str, object] = {"passages": passages, "number of shards": shards}
    if not (folder / "whole").exists():
        started = time.perf_counter()
        write(folder, passages, shards)
        figures["written twice, s"] = round(time.perf_counter() - started)
    size = sum(path.stat().st_size for path in (folder / "whole").glob("*"))
    figures["bytes a passage on disk"] = round(size / passages)
    questions = asked(count)
    one, expected = in_one(folder, questions)
    figures |= one
    # Ray's processes make way for others else, which one index does not.
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112  (as Ray spells it)
    ray: Any = searchers.ray
    ray.init("local", num_cpus=shards, include_dashboard=False, object_store_memory=100 << 20, log_to_driver=False)
    actors = [
        ray.remote(Shard).options(max_concurrency=4, num_cpus=0).remote(str(folder / str(at))) for at in range(shards)
    ]
    idle = ray.get([actor.memory.remote() for actor in actors])
    state: Any = State()
    index = ShardedIndex(
        state,
        lambda: [[searchers.SearcherCopy(str(at), actor)] for at, actor in enumerate(actors)],
        count=lambda _at, _of: 0,
    )
    figures["shards"], found = measured(index.current, questions)
    held = ray.get([actor.memory.remote() for actor in actors])
    figures["shards, MiB each"] = [
        {name: after[name] - early[name] for name in after} for early, after in zip(idle, held, strict=True)
    ]
    figures["a process before its questions, MiB"] = idle[0]
    for at, what in enumerate(("words", "vectors")):
        same = sum(one[at] == other[at] for one, other in zip(found, expected, strict=True))
        figures[f"same first {DEPTH:,} by {what}"] = f"{same} of {len(questions)}"
    ray.shutdown()
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=1_000_000)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--folder", type=Path, help="where segments are kept for the next run")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        figures = measure(options.folder or Path(temporary), options.passages, options.shards, options.questions)
    if options.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:38} {value}")


if __name__ == "__main__":
    main()

"""The first stage over many articles: how long a question takes until its documents are open, and each part of it.

Run: python benchmarks/first_stage.py [--passages 100000] [--corpus FOLDER] [--system hybrid] [--questions 40]
     [--goes 1]

Fills a corpus with generated articles of ten passages, words drawn as those of a language are, unless the folder holds
one already, and asks questions made of a few words of one passage. Documents are shaped like real ones; vectors are
random, so that a million passages need not be embedded. Then one article is added and the next question timed, and the
commands over the whole collection. Times are of a warm process; `cpu` is processor time of the whole process.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from octavo.corpus import Corpus
from octavo.corpus.ask.document_opener import DocumentOpener
from octavo.corpus.index import fingerprints
from octavo.corpus.store import DocumentInfo, DocumentPart, Publication, Ready, Source
from octavo.corpus.store.sqlite import SqliteStore
from octavo.evidence import PassageTable, PostingTable, TermTable
from octavo.layers import PASSAGES
from octavo.layers.base import LayerInputs
from octavo.models.bert import VOCABULARY as VOCABULARY_FILE
from octavo.models.embedders import embedder
from octavo_documents.document import Document, Kind, TextColumn
from octavo_documents.document.columns import pack
from octavo_documents.parsing.flow import FlowBlock, FlowContent
from octavo_documents.structuring.flow import flowing

DIMENSION = 384
PASSAGES_PER_ARTICLE = 10
WORDS_PER_PASSAGE = 100
VOCABULARY = 60_000
SHAPES = 200
"""Articles with blocks and passages of their own; the others share theirs."""
AT_ONCE = 500
DUMP = "/collection/articles.jsonl"


class Language:
    """Words with the frequencies of a language (Zipf), sorted by the alphabet."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        chances = 1 / np.arange(3, VOCABULARY + 3) ** 1.05
        self._sums = np.cumsum(chances / chances.sum())
        whole = [
            word for word in VOCABULARY_FILE.read_text().split() if word.isascii() and word.isalpha() and len(word) > 3
        ]
        frequent = [whole[at] for at in self._random.permutation(len(whole))]
        ranked = [*frequent, *(f"w{number:05}" for number in range(VOCABULARY))][:VOCABULARY]
        self.words = sorted(ranked)
        self._number = np.argsort(np.argsort(ranked))

    def draw(self, *shape: int) -> np.ndarray:
        ranks = np.minimum(np.searchsorted(self._sums, self._random.random(shape)), VOCABULARY - 1)
        return self._number[ranks]

    def text(self, words: int) -> str:
        """Return words that are one token each."""
        drawn = (self.words[at] for at in self.draw(2 * words).tolist())
        return " ".join([word for word in drawn if word.isalpha()][:words])


def shape(language: Language, number: int) -> tuple[Document, bytes, int]:
    """Return an article of ten sections, its passages, and how many there are."""
    blocks: list[FlowBlock] = []
    for section in range(PASSAGES_PER_ARTICLE):
        blocks.append(FlowBlock(Kind.HEADING, f"Section {section} {language.text(2)}", level=1 + section % 3 % 2))
        blocks.append(FlowBlock(Kind.PARAGRAPH, language.text(WORDS_PER_PASSAGE)))
    document = flowing(
        FlowContent(tuple(blocks), title=f"Article {number}"), name=f"Article {number}", digest=f"{number:064x}"
    )
    passages = PASSAGES.build(LayerInputs(document, {}))
    return document, passages, len(PassageTable.from_bytes(passages))


def terms_layer(drawn: np.ndarray, words: list[str]) -> bytes:
    """Return the terms layer of passages given as (n_passages, n_words) numbers of words."""
    passages = np.repeat(np.arange(len(drawn)), drawn.shape[1])
    pairs, counts = np.unique(drawn.ravel() * len(drawn) + passages, return_counts=True)
    word, passage = pairs // len(drawn), pairs % len(drawn)
    vocabulary, first = np.unique(word, return_index=True)
    terms = TermTable(
        term=TextColumn.of([*(words[at] for at in vocabulary.tolist()), ""]),
        first=np.append(first, len(pairs)).astype(np.int32),
    )
    postings = PostingTable(passage=passage.astype(np.int32), count=counts.astype(np.int32))
    return pack(terms.arrays("terms") | postings.arrays("postings"), {"passages": len(drawn)})


def articles(count: int, *, start: int = 0) -> Iterator[tuple[DocumentInfo, dict[str, bytes]]]:
    """Yield what is listed of each article, and its parts."""
    language = Language(start + 1)
    shapes = [shape(language, number) for number in range(min(SHAPES, count))]
    random = np.random.default_rng(start + 2)
    for number in range(start, start + count):
        document, passages, size = shapes[number % len(shapes)]
        own = replace(document, id=f"sha256:{number:064x}", name=f"Article {number}")
        vectors = random.standard_normal((size, DIMENSION), np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        parts = {
            "document": own.to_bytes(),
            "passages": passages,
            "terms": terms_layer(language.draw(size, WORDS_PER_PASSAGE), language.words),
            "vectors": pack({"vectors": vectors.astype(np.float16)}, {}),
        }
        pages, blocks = len(own.pages), len(own.blocks)
        info = DocumentInfo(own.id, own.name, "", pages, 0, blocks, 10, size, 5000, "")
        yield info, parts


def fill(store: SqliteStore, count: int, *, start: int = 0) -> None:
    """Publish articles, many in one transaction."""
    waiting: list[tuple[DocumentInfo, dict[str, bytes]]] = []
    for article in articles(count, start=start):
        waiting.append(article)
        if len(waiting) == AT_ONCE:
            publish(store, waiting)
            waiting = []
    publish(store, waiting)


def publish(store: SqliteStore, batch: list[tuple[DocumentInfo, dict[str, bytes]]]) -> None:
    model = fingerprints.embedding(embedder().name)
    marks = {"document": "d", "passages": "p.rule", "terms": "t.rule", "vectors": f"v-{model}.rule"}
    leases = store.bulk.claim_many([(info.id, f"{DUMP}#{info.name}") for info, _ in batch])
    ready: list[Ready] = []
    for lease, (info, parts) in zip(leases, batch, strict=True):
        assert lease
        stored = [DocumentPart(name, marks[name], data) for name, data in parts.items()]
        source = Source(f"{DUMP}#{info.name}", 5000, 1, info.id, DUMP)
        ready.append(Ready(lease, Publication(info, "auto", marks), source, stored))
    assert all(store.bulk.publish_many(ready))


def timed(work: Callable[[], object]) -> dict[str, float]:
    """Return the milliseconds a call takes, on the clock and of the processor."""
    started, used = time.perf_counter(), time.process_time()
    work()
    return {
        "ms": round(1000 * (time.perf_counter() - started), 1),
        "cpu_ms": round(1000 * (time.process_time() - used), 1),
    }


def percentiles(times: list[float]) -> dict[str, float]:
    p50, p95 = np.percentile(times, [50, 95])
    return {"p50_ms": round(1000 * float(p50), 2), "p95_ms": round(1000 * float(p95), 2)}


def memory() -> dict[str, int]:
    """Return MiB of resident memory: its own, and pages of files, which the system takes back when it needs them."""
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":" in line)
    return {part: int(lines[name].split()[0]) >> 10 for part, name in (("own", "RssAnon"), ("files", "RssFile"))}


def questions(count: int) -> list[str]:
    language = Language(1)
    return [f"What of {language.text(5)}?" for _ in range(count)]


def ask(
    corpus: Corpus, asked: list[str], system: str, documents: list[str] | None = None, goes: int = 1
) -> dict[str, object]:
    """Return the times of the first stage and of its parts, and of the whole search, the first three not counted.

    Of several goes at a question, each with its documents opened anew, the fastest counts, part by part.
    """
    times: dict[str, list[float]] = {}
    used = time.process_time()
    for at, question in enumerate(asked):
        if at == 3:
            times.clear()
            used = time.process_time()
        best: dict[str, float] = {}
        for _ in range(goes):
            corpus._views.clear()
            for name, seconds in once(corpus, question, system, documents):
                best[name] = min(seconds, best.get(name, seconds))
        for name, seconds in best.items():
            times.setdefault(name, []).append(seconds)
    cpu = 1000 * (time.process_time() - used) / max(len(asked) - 3, 1) / goes
    return {name: percentiles(values) for name, values in times.items()} | {"search cpu_ms": round(cpu, 1)}


def once(corpus: Corpus, question: str, system: str, documents: list[str] | None) -> Iterator[tuple[str, float]]:
    """Ask a question; yield what took how many seconds."""
    with processor_time(DocumentOpener, "open") as spent:
        started = time.perf_counter()
        result = corpus.search(question, system=system, documents=documents)
        yield "search", time.perf_counter() - started
    yield "first stage, cpu", spent[0]
    first = next(step for step in result.trace if step.step == "FirstStage")
    yield "first stage", first.seconds
    yield from ((f"  {step.step}", step.seconds) for step in first.steps)


@contextlib.contextmanager
def processor_time(owner: type, name: str) -> Iterator[list[float]]:
    """Give the seconds of processor time that each call of a method takes."""
    original, spent = getattr(owner, name), list[float]()

    def timed_call(*arguments: Any) -> object:
        before = time.process_time()
        try:
            return original(*arguments)
        finally:
            spent.append(time.process_time() - before)

    setattr(owner, name, timed_call)
    try:
        yield spent
    finally:
        setattr(owner, name, original)


def measure(folder: Path, passages: int, system: str, count: int, goes: int) -> dict[str, object]:
    figures: dict[str, object] = {"passages": passages, "articles": passages // PASSAGES_PER_ARTICLE}
    figures["memory before"] = memory()
    if not (folder / "corpus.db").exists():
        folder.mkdir(parents=True, exist_ok=True)
        store = SqliteStore(folder / "corpus.db")
        figures["fill"] = timed(lambda: fill(store, passages // PASSAGES_PER_ARTICLE))
        store.close()
    asked = questions(count + 3)
    with Corpus(folder) as corpus:
        figures["first question, index made if missing"] = timed(lambda: corpus.search(asked[0], system=system))
        figures["all documents"] = ask(corpus, asked, system, goes=goes)
        figures["half of them by a pattern"] = ask(corpus, asked[: count // 4 + 3], system, ["Article *[02468]"], goes)
        more = 10_000_000 + len(corpus.list(limit=1)) + time.time_ns() % 10_000_000
        fill(corpus._opened().store, 1, start=more)
        figures["memory then"] = memory()
        figures["question after one more article"] = timed(lambda: corpus.search(asked[0], system=system))
    with Corpus(folder) as corpus:
        figures["first question of a process"] = timed(lambda: corpus.search(asked[0], system=system))
        figures["list"] = timed(corpus.list)
        figures["list 20"] = timed(lambda: corpus.list(limit=20))
        figures["list by a pattern"] = timed(lambda: corpus.list("Article 77*"))
        figures["holdings"] = timed(corpus.holdings)
        figures["resolve"] = timed(lambda: corpus.resolve("Article 17"))
        figures["status"] = timed(corpus.status)
        there = corpus.list(limit=1)[0]
        figures["remove one"] = timed(lambda: corpus.remove(there.name))
        figures["question after that"] = timed(lambda: corpus.search(asked[0], system=system))
        figures["check"] = timed(corpus.check)
        files = [*(folder / "derived").glob("*")]
        figures["mib"] = {
            "corpus.db": (folder / "corpus.db").stat().st_size >> 20,
            f"derived, {len(files)} files": sum(file.stat().st_size for file in files) >> 20,
        }
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--corpus", type=Path, help="where the generated corpus is kept for the next run")
    parser.add_argument("--system", default="hybrid")
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--goes", type=int, default=1, help="how often each question is asked; its fastest times count")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(
            options.corpus or Path(folder), options.passages, options.system, options.questions, options.goes
        )
    if options.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        if isinstance(value, dict) and any(isinstance(inner, dict) for inner in value.values()):
            print(name)
            for part, inner in value.items():
                print(f"  {part:38} {inner}")
        else:
            print(f"{name:40} {value}")


if __name__ == "__main__":
    main()

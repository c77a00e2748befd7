"""How fast and in how much memory collections are read and indexed.

Run: python benchmarks/collection_speed.py trees|memory|stream|files|embedding [--articles N] [--words 700] [--seed 1]
     [--real FILE] [--alone]

`trees`: CPU seconds of reading and structuring articles, without layers, by format and by batch in a guarded process.
`memory`: a container of generated articles is read and structured in guarded processes, and nothing is kept; resident
memory every so many articles. `stream`: such a container is added to a corpus whose vectors cost nothing; resident
memory over time.
`files`: a folder of small Markdown, HTML and wikitext files is added; with `--alone` each by itself, as large ones are.
`embedding`: CPU seconds of the vectors of many short documents, one call for each and one for all. `--real` is a file
of JSON lines. Time is CPU time, of this process and, where said, of its children; machines that share cores differ.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import os
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

import flow
from octavo.corpus import Corpus
from octavo.corpus.index import batching
from octavo.corpus.index.builders import Builders
from octavo.corpus.progress import Silence
from octavo.layers import PASSAGES, TERMS, Layer
from octavo.layers.base import LayerInputs
from octavo.layers.vectors import VECTORS
from octavo_documents.document import Document
from octavo_documents.parsing import wikitext
from octavo_documents.parsing.article_messages import ToRead
from octavo_documents.parsing.articles import Article, Container
from octavo_documents.structuring.parser_pool import ParserPool
from octavo_documents.structuring.worker import _document as read_one

_FIELDS = {".wiki": "wikitext", ".md": "markdown", ".html": "html"}


class NoVectors:
    """An embedder that costs nothing: what is measured is everything else."""

    name = "none"
    dimension = 4

    def embed(self, texts: Sequence[str], *, progress: object = None) -> np.ndarray:
        del progress
        return np.tile(np.float32([[1, 0, 0, 0]]), (len(texts), 1))


def generated(count: int, words: int, seed: int, suffix: str = ".wiki") -> Iterator[dict[str, str]]:
    """Yield articles; a hundred of them are written, the others differ from these by their title and first line."""
    author = flow.Author(seed)
    texts = [flow.FORMATS[suffix](author.article(words)) for _ in range(min(count, 100))]
    for number in range(count):
        text = f"Article {number} of the collection.\n\n{texts[number % len(texts)]}"
        yield {"title": f"Article {number}", _FIELDS[suffix]: text}


def to_read(article: Article) -> ToRead:
    return ToRead(article.format, article.title, article.title, article.digest, article.data)


def children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def articles_of(path: Path, most: int) -> list[Article]:
    with Container(path) as container:
        return list(islice((one for one in container.articles() if isinstance(one, Article)), most))


class Counted(Silence):
    """Knows how many articles are done."""

    done = 0

    def advance(self, path: str, stage: str, done: int) -> None:
        del path
        self.done = done if stage == "articles" else self.done


def trees(options: argparse.Namespace) -> None:
    gc.disable()  # as in a guarded process, which lives for one batch
    for suffix in _FIELDS:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.jsonl"
            write(path, generated(options.articles, options.words, options.seed, suffix))
            _trees(f"generated {suffix}", path, options.articles)
    if options.real:
        _trees("real", options.real, options.articles)
    rows = generated(options.articles, options.words, options.seed)
    sources = [row["wikitext"] for row in rows]
    size = sum(len(source.encode()) for source in sources)
    flow._row("wikitext to blocks", len(sources), flow.timed(lambda one: wikitext.read(one.encode()), sources), size)
    flow.by_library("wikitext, library", sources)


def _trees(name: str, path: Path, most: int) -> None:
    articles = articles_of(path, most)
    batch = [to_read(article) for article in articles]
    size = sum(len(article.data) for article in articles) / len(articles) / 1e3
    seconds = flow.timed(read_one, batch)
    before = time.process_time(), children()
    with ParserPool(1) as pool:
        for start in range(0, len(batch), 100):
            pool.read_batch(batch[start : start + 100], path)
    here, there = time.process_time() - before[0], children() - before[1]
    rate = f"{len(batch) / seconds:>8,.0f} documents/s in process"
    print(
        f"{name:<18}{len(batch):>6} of {size:.1f} kB{rate}, parent {here:.2f} s, guarded {there:.2f} s with its start"
    )


def write(path: Path, articles: Iterator[dict[str, str]]) -> None:
    with path.open("w") as file:
        file.writelines(json.dumps(article) + "\n" for article in articles)


def stream(options: argparse.Namespace) -> None:
    layers = {layer.name: layer for layer in (PASSAGES, TERMS, VECTORS)}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.jsonl"
        write(path, generated(options.articles, options.words, options.seed))
        corpus = Corpus(
            Path(folder) / "corpus",
            builders=lambda: _builders(layers),
        )
        stop, counted = threading.Event(), Counted()
        watch = threading.Thread(target=_watch, args=(stop, counted), daemon=True)
        with corpus:
            for verb in ("added", "added again"):
                if verb == "added":
                    watch.start()
                else:
                    os.utime(path)
                started, before = time.process_time(), children()
                (report,) = corpus.add(path, progress=counted).collections
                taken = time.process_time() - started, children() - before
                stop.set()
                print(f"{verb}: {report.added:,} + {report.unchanged:,} unchanged; parent {taken[0]:.1f} s CPU")
                print(f"  its processes so far {taken[1]:.1f} s; peak {peak_mebibytes():.0f} MiB")
            watch.join()


def files(options: argparse.Namespace) -> None:
    if options.alone:
        batching._WORTH_A_BATCH = options.articles + 1
    layers = {layer.name: layer for layer in (PASSAGES, TERMS, VECTORS)}
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "files"
        written.mkdir()
        suffixes = [*_FIELDS]
        for suffix in suffixes:
            rows = generated(options.articles // len(suffixes), options.words, options.seed, suffix)
            for number, row in enumerate(rows):
                (written / f"{number}{suffix}").write_text(row[_FIELDS[suffix]])
        with Corpus(Path(folder) / "c", builders=lambda: _builders(layers)) as corpus:
            for verb in ("added", "added again"):
                started, before, wall = time.process_time(), children(), time.perf_counter()
                report = corpus.add(written)
                print(f"{verb}: {len(report.added):,} added, {len(report.unchanged):,} unchanged;", end=" ")
                print(
                    f"parent {time.process_time() - started:.1f} s CPU, its processes {children() - before:.1f} s,",
                    end=" ",
                )
                print(f"{time.perf_counter() - wall:.1f} s by the clock")


def _builders(layers: dict[str, Layer]) -> Builders:
    return Builders("1", ParserPool, _no_recognizer, layers, embedder=NoVectors)


def memory(options: argparse.Namespace) -> None:
    """Print resident memory of this process, and of those that last; the one of a batch has ended by then."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.jsonl"
        write(path, generated(options.articles, options.words, options.seed))
        print(f"{'articles':>9}{'parent MiB':>12}{'processes MiB':>15}{'CPU s here':>12}", flush=True)
        done, step = 0, max(options.articles // 20, 1)
        with ParserPool(1) as pool:
            for raw in pool.articles(path):
                pool.read_batch([to_read(article) for article in raw.articles], path)
                before, done = done, done + len(raw.articles)
                if done // step > before // step:
                    here = f"{time.process_time():>12.0f}"
                    print(f"{done:>9,}{resident_mebibytes():>12.0f}{family_mebibytes():>15.0f}{here}", flush=True)
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / (1 if sys.platform != "darwin" else 1024) / 1024
    print(f"largest process {most:.0f} MiB; processor time of all processes {children():.0f} s")


def _no_recognizer() -> object:
    return argparse.Namespace(name="none")


def peak_mebibytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 if sys.platform != "darwin" else 1024) / 1024


def resident_mebibytes() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / (1 << 20)


def family_mebibytes() -> float:
    """Return the resident memory of all processes below this one; what they share counts for each."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    below, found = {os.getpid()}, set[int]()
    while below:
        below = {child for child, parent in parents.items() if parent in below}
        found |= below
    total = 0
    for child in found:
        with contextlib.suppress(OSError):
            total += int((Path("/proc") / str(child) / "statm").read_text().split()[1])
    return total * resource.getpagesize() / (1 << 20)


def _watch(stop: threading.Event, counted: Counted) -> None:
    started = time.monotonic()
    while not stop.wait(10):
        print(f"{time.monotonic() - started:>6.0f} s {counted.done:>9,} articles", end="")
        print(f"  {resident_mebibytes():>6.0f} MiB resident", flush=True)


def embedding(options: argparse.Namespace) -> None:
    from octavo.models.embedders import embedder

    if options.real:
        texts = [to_read(article) for article in articles_of(options.real, options.articles)]
    else:
        rows = generated(options.articles, options.words, options.seed)
        texts = [to_read(Article(row["title"], "wikitext", row["wikitext"].encode())) for row in rows]
    inputs = [_inputs(read_one(text)) for text in texts]
    model = embedder()
    model.embed(["to load it"])
    ways: dict[str, Callable[[], object]] = {
        "one call for each": lambda: [VECTORS.build(one) for one in inputs],
        "one call for all": lambda: (VECTORS.build_many or list)(inputs),
    }
    for name, act in ways.items():
        started = time.process_time()
        act()
        seconds = time.process_time() - started
        print(f"{name:<18}{len(inputs)} documents, {seconds:.2f} s CPU, {len(inputs) / seconds:.1f} documents/s")


def _inputs(data: object) -> LayerInputs:
    assert isinstance(data, bytes)
    document = Document.from_bytes(data)
    return LayerInputs(document, {"passages": PASSAGES.build(LayerInputs(document))})


WAYS: dict[str, Callable[[argparse.Namespace], None]] = {
    "trees": trees,
    "memory": memory,
    "stream": stream,
    "files": files,
    "embedding": embedding,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=WAYS)
    parser.add_argument("--articles", type=int, default=300)
    parser.add_argument("--words", type=int, default=700)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real", type=Path, help="JSON lines to read in place of generated articles, or beside them")
    parser.add_argument("--alone", action="store_true", help="files: read and publish each by itself")
    options = parser.parse_args()
    WAYS[options.what](options)


if __name__ == "__main__":
    main()

"""How long a search takes: each system over indexed files, and the first stage over many passages.

Run: python benchmarks/search_latency.py [FOLDER] [--files N] [--passages 100000] [--json]

The first part indexes a folder (without OCR) and asks questions made of its own headings, each system in turn, views
warm, as in a server. The second part needs no files: it fills a corpus with passages of random words and measures BM25,
the vector search and building the matrix; the question's own embedding is measured apart.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from octavo.corpus import Corpus, vectors
from octavo.corpus.sources import walk
from octavo.corpus.sqlite import SqliteStore
from octavo.corpus.store import DocumentInfo, Part, Publication, Source

QUESTIONS = 40
DIMENSION = 384
PASSAGES_PER_DOCUMENT = 250
WORDS_PER_PASSAGE = 120
VOCABULARY = 60_000


def percentiles(work: Callable[[str], object], inputs: Sequence[str]) -> dict[str, float]:
    """Return the median and the 95th percentile of a call's milliseconds over its inputs; the first call is not
    counted.
    """
    times: list[float] = []
    for value in inputs:
        started = time.perf_counter()
        work(value)
        times.append(1000 * (time.perf_counter() - started))
    p50, p95 = np.percentile(times[1:], [50, 95])
    return {"p50_ms": round(float(p50), 2), "p95_ms": round(float(p95), 2)}


def of_files(files: list[str], folder: Path) -> dict[str, object]:
    """Return the latency of each system over the indexed files."""
    from octavo.systems import SYSTEMS

    with Corpus(folder) as corpus:
        corpus.add(files, ocr="never")
        view = corpus.view()
        headings = [view.blocks.text[int(row)] for row in view.sections()]
        chance = random.Random(1)
        questions = [
            f"What is said about {heading}?" for heading in chance.sample(headings, min(QUESTIONS, len(headings)))
        ]
        figures: dict[str, object] = {
            "documents": len(view.documents),
            "passages": len(view.passages),
        }
        for name in SYSTEMS:
            figures[f"search {name}"] = percentiles(
                lambda question, name=name: corpus.search(question, system=name), questions
            )
        figures["ask auto"] = percentiles(corpus.ask, questions)
    return figures


def of_many(passages: int, folder: Path) -> dict[str, object]:
    """Return the latency of the first stage over passages of random words, drawn as words of a language are."""
    from octavo.models import embedder

    store = SqliteStore(folder / "corpus.db")
    random_words = np.random.default_rng(1)
    words = np.array([f"w{number}" for number in range(VOCABULARY)])
    chances = 1 / np.arange(10, VOCABULARY + 10)
    chances /= chances.sum()
    ids: list[str] = []
    started = time.perf_counter()
    for number in range(passages // PASSAGES_PER_DOCUMENT):
        drawn = random_words.choice(words, (PASSAGES_PER_DOCUMENT, WORDS_PER_PASSAGE), p=chances)
        ids.append(publish(store, number, [" ".join(row) for row in drawn.tolist()]))
    filled = time.perf_counter() - started
    questions = [" ".join(random_words.choice(words, 6, p=chances).tolist()) for _ in range(QUESTIONS)]
    stamp = vectors.Stamp(store.identity(), store.generation())
    started = time.perf_counter()
    matrix = vectors.save(folder, stamp, unit_vectors(ids))
    built = time.perf_counter() - started
    query = np.ones(DIMENSION, np.float32) / DIMENSION**0.5
    figures = {
        "passages": passages,
        "documents": len(ids),
        "publish_seconds": round(filled, 1),
        "database_mib": round(store.size_bytes() / (1 << 20), 1),
        "matrix_seconds": round(built, 2),
        "matrix_mib": round((folder / stamp.filename).stat().st_size / (1 << 20), 1),
        "bm25": percentiles(lambda question: store.match(question.split(), None, limit=1000), questions),
        "bm25 in half": percentiles(lambda question: store.match(question.split(), ids[::2], limit=1000), questions),
        "vectors": percentiles(lambda _: matrix.best(query), questions),
        "embed a question": percentiles(lambda question: embedder().embed([question]), questions),
    }
    store.close()
    return figures


def publish(store: SqliteStore, number: int, terms: list[str]) -> str:
    document = f"sha256:{number:064x}"
    lease = store.claim(document, f"/{number}.pdf")
    assert lease
    store.stage(lease, Part("document", "f", b""))
    info = DocumentInfo(document, f"{number}.pdf", "", 60, 0, 1, 0, len(terms), 1, "")
    store.publish(lease, Publication(info, "auto", {"document": "f"}, terms), Source(f"/{number}.pdf", 1, 1))
    return document


def unit_vectors(ids: list[str]) -> Iterator[tuple[str, np.ndarray]]:
    random_numbers = np.random.default_rng(2)
    for document in ids:
        rows = random_numbers.standard_normal((PASSAGES_PER_DOCUMENT, DIMENSION), np.float32)
        yield document, (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float16)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--files", type=int, help="only so many, the smallest first")
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        if options.folder:
            files = sorted(walk(options.folder), key=lambda path: (Path(path).stat().st_size, path))[: options.files]
            figures["files"] = of_files(files, Path(folder) / "corpus")
        if options.passages:
            figures["first stage"] = of_many(options.passages, Path(folder))
    if options.json:
        print(json.dumps(figures))
        return
    for part, values in figures.items():
        print(part)
        for name, value in values.items():  # pyright: ignore[reportAttributeAccessIssue]
            print(f"  {name:20} {value}")


if __name__ == "__main__":
    main()

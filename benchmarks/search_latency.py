"""How long a search takes: each system over indexed files.

Run: python benchmarks/search_latency.py FOLDER [--files N] [--json]

Indexes a folder (without OCR) and asks questions made of its own headings, each system in turn, views warm, as in a
server. `first_stage.py` measures the search over many documents.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from octavo.corpus import Corpus
from octavo.corpus.index.sources import walk

QUESTIONS = 40


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--files", type=int, help="only so many, the smallest first")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        files = sorted(walk(options.folder), key=lambda path: (Path(path).stat().st_size, path))[: options.files]
        figures["files"] = of_files(files, Path(folder) / "corpus")
    if options.json:
        print(json.dumps(figures))
        return
    for part, values in figures.items():
        print(part)
        for name, value in values.items():  # pyright: ignore[reportAttributeAccessIssue]
            print(f"  {name:20} {value}")


if __name__ == "__main__":
    main()

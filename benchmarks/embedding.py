"""Passages embedded per second, start-up, and the cosine to onnxruntime where that is installed.

Run: python benchmarks/embedding.py [--passages 200] [--tokens 250] [--json]

"per second, processor" is what the processor time taken would give with every core free: it stands still when
other programs run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from octavo.models.bert import count_tokens
from octavo.models.minilm import MiniLmEmbedder

WORD_LINES = """
    the of and to in a is that for it as was with be by on not at are this have from or had an which one you
    were all there would their we has when who will more no if out so said what revenue company quarter market
    growth analysis figure table percent report policy research energy water temperature system process data
"""
WORDS = WORD_LINES.split()
START = """
import sys, time
started = time.perf_counter()
from pathlib import Path
from octavo.models.minilm import MiniLmEmbedder
MiniLmEmbedder(cache=Path(sys.argv[1])).embed(["What was net income in 2015?"])
print(time.perf_counter() - started, time.process_time())
"""


def passages(count: int, tokens: int, seed: int = 0) -> list[str]:
    """Return English-looking texts of about so many word pieces."""
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(WORDS, size=tokens)) for _ in range(count)]


def throughput(embedder: MiniLmEmbedder, texts: list[str], repeats: int = 3) -> dict[str, float]:
    """Return the best of some runs."""
    embedder.embed(texts[:20])
    wall, processor = [], []
    for _ in range(repeats):
        clock, used = time.perf_counter(), time.process_time()
        embedder.embed(texts)
        wall.append(time.perf_counter() - clock)
        processor.append(time.process_time() - used)
    return {
        "passages per second": len(texts) / min(wall),
        "passages per second, processor": len(texts) * (os.cpu_count() or 1) / min(processor),
    }


def start_up(cache: Path, repeats: int = 5) -> dict[str, float]:
    """Return the median seconds a new process needs from its first import to the vector of one question."""
    runs = [
        subprocess.run([sys.executable, "-c", START, str(cache)], capture_output=True, text=True, check=True)
        for _ in range(repeats)
    ]
    wall, processor = np.median([list(map(float, run.stdout.split())) for run in runs], axis=0)
    return {"warm start, seconds": float(wall), "warm start, processor seconds": float(processor)}


def agreement(embedder: MiniLmEmbedder, count: int = 300) -> dict[str, float]:
    """Return the cosines to the reference engine over texts of all lengths; nothing without that engine."""
    if not find_spec("onnxruntime"):
        return {}
    texts = [text for tokens in (4, 16, 40, 100, 200, 300) for text in passages(count // 6, tokens, seed=tokens)]
    cosines = (embedder.embed(texts) * MiniLmEmbedder(engine="onnxruntime").embed(texts)).sum(axis=1)
    return {"least cosine to onnxruntime": float(cosines.min()), "mean cosine": float(cosines.mean())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=200)
    parser.add_argument("--tokens", type=int, default=250)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    texts = passages(options.passages, options.tokens)
    with tempfile.TemporaryDirectory() as folder:
        embedder = MiniLmEmbedder(cache=Path(folder))
        figures = {"mean tokens": float(np.mean(count_tokens(texts)))}
        figures |= throughput(embedder, texts) | start_up(Path(folder)) | agreement(embedder)
    if options.json:
        print(json.dumps(figures))
        return
    print(f"{len(texts)} passages on {os.cpu_count()} cores")
    for name, value in figures.items():
        print(f"{name:32} {value:10.5g}")


if __name__ == "__main__":
    main()

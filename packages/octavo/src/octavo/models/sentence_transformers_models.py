"""Models of the sentence-transformers library: text embedding, reranking, images with text, late interaction.

Code that comes with a model is not run.
"""

from __future__ import annotations

import importlib
import inspect
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.errors import ModelError
from octavo.models.ports import Raster, Scores, Vectors
from octavo_documents.text.lines import on_one_line

EXTRA = "sentence-transformers"
_BATCH = 32
"""Texts computed at once: the library's own default."""
_PICTURES = 4
"""Pages that a model of late interaction sees at once: each has a thousand vectors or so in every layer."""
_PICTURES_ALONE = "retrieval"
"""What the library calls networks that have their own way of reading, by which a text is always a question."""
_STEP = 1024
"""Texts between two reports of progress."""


class _Loaded:
    """A model that is loaded when first used, by one thread."""

    def __init__(self, kind: str, name: str) -> None:
        self._kind, self.name = kind, name
        self._loading = threading.Lock()
        self._model: Any = None

    def get(self) -> Any:
        """Return the model. Raises ModelError when the library or the model is not there."""
        with self._loading:
            if self._model is None:
                self._model = self._open()
            return self._model

    def _open(self) -> Any:
        try:
            library = importlib.import_module("sentence_transformers")
        except ImportError as error:
            raise ModelError(f"{self.name} needs another package: run `pip install 'octavo[{EXTRA}]'`") from error
        if not hasattr(library, self._kind):
            raise ModelError(f"{self.name} needs a newer package: run `pip install -U 'octavo[{EXTRA}]'`")
        try:
            return getattr(library, self._kind)(self.name, trust_remote_code=False)
        except (OSError, ValueError, RuntimeError) as error:
            reason = on_one_line(str(error))[:200]
            raise ModelError(
                f"{self.name} cannot be loaded by sentence-transformers ({reason}): check its name"
            ) from error


class SentenceEmbedder:
    """A TextEmbedder. Loads the model at the first text; may be shared by threads."""

    def __init__(self, name: str) -> None:
        self.name = f"{EXTRA}:{name}"
        self._model = _Loaded("SentenceTransformer", name)

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self._model.get().get_sentence_embedding_dimension())

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> Vectors:
        """Return (len(texts), dimension) float32, rows of length 1."""
        parts = [np.zeros((0, self.dimension), dtype=np.float32)]
        for start in range(0, len(texts), _STEP):
            parts.append(_encode(self._model.get(), list(texts[start : start + _STEP])))
            if progress:
                progress(min(start + _STEP, len(texts)))
        return np.concatenate(parts)


class CrossEncoderReranker:
    """A Reranker that reads question and text together."""

    def __init__(self, name: str) -> None:
        self.name = f"cross-encoder:{name}"
        self._model = _Loaded("CrossEncoder", name)

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        """Return (len(texts),) float32 from 0 to 1: the logistic function of what the network says."""
        if not texts:
            return np.zeros(0, dtype=np.float32)
        model = self._model.get()
        raw = model.predict([(question, text) for text in texts], show_progress_bar=False, **_unbounded(model))
        found = np.asarray(raw, dtype=np.float64)
        if found.shape != (len(texts),):
            raise ModelError(f"{self.name} does not give one number for a text: choose a model made for reranking")
        return logistic(found)


class SentenceImageText:
    """An ImageTextEmbedder: CLIP, SigLIP and their like."""

    def __init__(self, name: str) -> None:
        self.name = f"{EXTRA}:{name}"
        self._model = _Loaded("SentenceTransformer", name)

    @property
    def dimension(self) -> int:
        """Length of a vector; found out by embedding a word where the model does not say."""
        return self.embed_texts(["dimension"]).shape[1]

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Return (len(texts), dimension) float32, rows of length 1."""
        return _encode(self._model.get(), list(texts))

    def embed_images(self, rasters: Sequence[Raster]) -> Vectors:
        """Return (len(rasters), dimension) float32, rows of length 1."""
        from PIL import Image

        return _encode(self._model.get(), [Image.fromarray(raster) for raster in rasters])


class SentenceLateInteraction:
    """A LateInteraction model: ColBERT and its like for texts, ColPali and ColQwen for pictures of pages.

    Needs version 6 of the library, the first with multi-vector encoders.
    """

    def __init__(self, name: str) -> None:
        self.name = f"late-interaction:{name}"
        self._model = _Loaded("MultiVectorEncoder", name)

    def embed_questions(self, texts: Sequence[str]) -> list[Vectors]:
        """Return for each question (n_vectors, dimension) float32, rows of length 1."""
        return self._many("encode_query", list(texts))

    def embed_passages(self, texts: Sequence[str]) -> list[Vectors]:
        """Return for each passage (n_vectors, dimension) float32, rows of length 1.

        Raises ModelError where the model takes every text for a question, as ColPali and ColQwen2 of transformers do.
        """
        if texts and getattr(self._model.get()[0], "transformer_task", "") == _PICTURES_ALONE:
            raise ModelError(f"{self.name} takes pictures for passages: choose a model for texts, such as ColBERT")
        return self._many("encode_document", list(texts))

    def embed_images(self, rasters: Sequence[Raster]) -> list[Vectors]:
        """Return for each image (n_vectors, dimension) float32, rows of length 1.

        Raises ModelError where the model takes no images.
        """
        from PIL import Image

        if rasters and "image" not in self._model.get().modalities:
            raise ModelError(f"{self.name} takes no pictures: choose a model that does, such as ColQwen")
        return self._many("encode_document", [Image.fromarray(raster) for raster in rasters], _PICTURES)

    def _many(self, method: str, items: list[Any], batch: int = _BATCH) -> list[Vectors]:
        if not items:
            return []
        encode = getattr(self._model.get(), method)
        found = encode(
            items, batch_size=batch, convert_to_numpy=True, normalize_embeddings=True, show_progress_bar=False
        )
        return [np.asarray(one, dtype=np.float32) for one in found]


def _encode(model: Any, items: list[Any]) -> Vectors:
    found = model.encode(
        items, batch_size=_BATCH, convert_to_numpy=True, normalize_embeddings=True, show_progress_bar=False
    )
    return np.asarray(found, dtype=np.float32)


def _unbounded(model: Any) -> dict[str, Any]:
    """Return the argument that has the library leave scores as the network gives them; it was renamed once."""
    known = inspect.signature(model.predict).parameters
    name = next((name for name in ("activation_fn", "activation_fct") if name in known), None)
    return {name: importlib.import_module("torch").nn.Identity()} if name else {}


def logistic(values: npt.NDArray[np.float64]) -> Scores:
    """Return 1 / (1 + exp(-x)) of each value, float32."""
    return (0.5 * (1.0 + np.tanh(0.5 * values))).astype(np.float32)

"""Two small image-text models: one that knows colours, and a neural network of two towers with random weights."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from memory_layers import MemoryLayers
from octavo.layers.base import LayerInputs, Renderer
from octavo.layers.vectors import visual_vectors
from octavo.models.ports import ImageTextEmbedder, Raster
from octavo_documents.document import Document

Vectors = npt.NDArray[np.float32]

_NAMED = {"red": (1, 0, 0), "green": (0, 1, 0), "blue": (0, 0, 1), "yellow": (1, 1, 0)}


def unit(rows: npt.ArrayLike) -> Vectors:
    vectors = np.asarray(rows, np.float32)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)


class Colours:
    """A picture is the mean of what is not white in it, a text the colours it names: both mean the same."""

    name = "colours"
    dimension = 3

    def embed_images(self, rasters: Sequence[Raster]) -> Vectors:
        return unit([self._ink(raster.reshape(-1, 3).astype(np.float32) / 255) for raster in rasters])

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        named = [[_NAMED[word] for word in text.lower().strip("?").split() if word in _NAMED] for text in texts]
        return unit([np.sum(colours, axis=0) if colours else np.ones(3) for colours in named])

    def _ink(self, pixels: Vectors) -> Vectors:
        ink = pixels[pixels.min(axis=1) < 0.5]
        return ink.mean(axis=0) if len(ink) else np.full(3, 1e-3, np.float32)


class TwoTowers:
    """A neural network: patches of a picture, and hashed words, each through two layers into one space.

    Its weights are random, so what it finds means nothing: it proves that pictures are drawn, embedded, stored, ranked
    and traced back to pages and elements with vectors of a real network's sort, and nothing about quality.
    """

    name = "two-towers"
    dimension = 32
    _SIDE, _WORDS, _HIDDEN = 16, 256, 64

    def __init__(self) -> None:
        draw = np.random.default_rng(7)
        sides = (3 * self._SIDE**2, self._WORDS)
        self._towers = [
            (draw.normal(size=(side, self._HIDDEN)), draw.normal(size=(self._HIDDEN, self.dimension))) for side in sides
        ]

    def embed_images(self, rasters: Sequence[Raster]) -> Vectors:
        return self._through(0, np.stack([self._patches(raster) for raster in rasters]))

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        counts = np.zeros((len(texts), self._WORDS))
        for row, text in enumerate(texts):
            for word in text.lower().split():
                counts[row, hashlib.md5(word.encode()).digest()[0]] += 1
        return self._through(1, counts)

    def _patches(self, raster: Raster) -> npt.NDArray[np.float64]:
        rows, columns = (np.linspace(0, side - 1, self._SIDE).astype(int) for side in raster.shape[:2])
        return (raster[np.ix_(rows, columns)] / 127.5 - 1).reshape(-1)

    def _through(self, tower: int, inputs: npt.NDArray[np.float64]) -> Vectors:
        first, second = self._towers[tower]
        return unit(np.tanh(inputs @ first / np.sqrt(len(first))) @ second)


class SeeingLayers(MemoryLayers):
    """Layers in memory with visual vectors, of pages that `render` draws."""

    def __init__(self, documents: Sequence[Document], embedding: object, model: ImageTextEmbedder, render: Renderer):
        super().__init__(documents, embedding)  # type: ignore[arg-type]
        self._by_id = {document.id: document for document in documents}
        self._layer = visual_vectors(lambda: model)
        self._render = render

    def load(self, document_id: str, layer: str) -> bytes | None:
        if layer != "visual_vectors":
            return super().load(document_id, layer)
        return self._layer.build(LayerInputs(self._by_id[document_id], render=self._render))

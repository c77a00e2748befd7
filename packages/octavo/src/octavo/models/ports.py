"""What the rest of Octavo asks of a model, one protocol per kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from octavo_documents.models.ports import LayoutModel, LayoutRegion, Raster, RecognizedLine, TextRecognizer

if TYPE_CHECKING:
    from typing_extensions import TypeIs

__all__ = [
    "ImageTextEmbedder",
    "LateInteraction",
    "LayoutModel",
    "LayoutRegion",
    "MultilingualEmbedder",
    "PassageScorer",
    "Raster",
    "RecognizedLine",
    "Reranker",
    "Scores",
    "TextEmbedder",
    "TextRecognizer",
    "TokenEmbedder",
    "Vectors",
    "is_late",
]

Vectors = npt.NDArray[np.float32]
"""(n, dimension) float32, each row of length 1."""


class TextEmbedder(Protocol):
    """Turns texts into vectors whose dot product is their similarity (-1..1)."""

    @property
    def name(self) -> str:
        """Names the model and the version of its weights; part of every fingerprint that depends on its vectors."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> Vectors:
        """Return (len(texts), dimension) float32, rows of length 1. `progress` receives how many texts are done."""
        ...


class MultilingualEmbedder(TextEmbedder, Protocol):
    """Turns texts of many languages into vectors: passages by `embed`, questions apart from them.

    It stands beside a model that knows one language, and its similarities are brought to the scale of that one.
    """

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        """Return (len(texts), dimension) float32, rows of length 1."""
        ...

    def as_english(self, questions: Vectors) -> Vectors:
        """Return (n, d) about what the model of English, all-MiniLM-L6-v2, would say of questions in English."""
        ...

    @property
    def scale(self) -> tuple[float, float]:
        """By what a cosine of a question and a passage is multiplied, and what is added, so that it is worth as much.

        As one of all-MiniLM-L6-v2, whose cosines of what does not belong together are near 0.
        """
        ...


class TokenEmbedder(Protocol):
    """Turns texts into a vector for each of their word pieces, whose dot products tell how alike pieces are (-1..1)."""

    def states(self, texts: Sequence[str]) -> list[Vectors]:
        """Return for each text (n_tokens, dimension) float32, rows of length 1."""
        ...

    def most_alike(self, question: str, texts: Sequence[str]) -> Vectors:
        """Return (len(texts), n_tokens) float32: how alike the most similar word piece of each text is.

        For each word piece of the question; every piece is taken by itself, not as it reads in its text. No network is
        run, so that hundreds of texts take milliseconds.
        """
        ...


Scores = npt.NDArray[np.float32]
"""(n,) float32."""


class PassageScorer(Protocol):
    """Says how well passages answer a question: what the first of them are ranked by, and how sure they are."""

    @property
    def name(self) -> str:
        """Names the model and the version of its weights."""
        ...

    def reads(self, question: str) -> bool:
        """Return whether a question is in writing that the model was made for."""
        ...

    def scores(self, question: str, passages: Sequence[str]) -> Scores:
        """Return (len(passages),) float32, about -11 to 11, 0 for as likely as not. Comparable between questions."""
        ...


class Reranker(Protocol):
    """Says how well texts answer a question."""

    @property
    def name(self) -> str:
        """Names the model."""
        ...

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        """Return (len(texts),) float32 from 0 to 1. Comparable within one call; across calls only roughly."""
        ...


class ImageTextEmbedder(Protocol):
    """Puts texts and images into one space, where the dot product of two vectors is their similarity (-1..1)."""

    @property
    def name(self) -> str:
        """Names the model; part of every fingerprint that depends on its vectors."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Return (len(texts), dimension) float32, rows of length 1."""
        ...

    def embed_images(self, rasters: Sequence[Raster]) -> Vectors:
        """Return (len(rasters), dimension) float32, rows of length 1."""
        ...


class LateInteraction(Protocol):
    """Gives each text or image many vectors; `octavo.evidence.token_vectors` compares them."""

    @property
    def name(self) -> str:
        """Names the model; part of every fingerprint that depends on its vectors."""
        ...

    def embed_questions(self, texts: Sequence[str]) -> list[Vectors]:
        """Return for each question (n_vectors, dimension) float32, rows of length 1."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> list[Vectors]:
        """Return for each passage (n_vectors, dimension) float32, rows of length 1."""
        ...

    def embed_images(self, rasters: Sequence[Raster]) -> list[Vectors]:
        """Return for each image (n_vectors, dimension) float32, rows of length 1.

        Raises ModelError where the model takes no images.
        """
        ...


def is_late(model: ImageTextEmbedder | LateInteraction) -> TypeIs[LateInteraction]:
    """Return whether a model gives a picture or text many vectors, and not one."""
    return hasattr(model, "embed_questions")

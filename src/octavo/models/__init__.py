"""Models behind ports: which ones there are, made once per process and loaded when first used."""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from pathlib import Path

    from octavo.models.inventory import ModelInfo
    from octavo.models.ports import LayoutModel, Reranker, TextEmbedder, TextRecognizer, TokenEmbedder

_making = threading.RLock()


def embedder(spec: str = "minilm", *, key_env: str = "") -> TextEmbedder:
    """Return the embedding model a text such as "path:FOLDER" names (`models.embedders`), the same object each time.

    Raises UsageError for a text that names none, ModelError when what it needs is not there.
    """
    from octavo.models import embedders

    return embedders.embedder(spec, key_env=key_env)


def token_embedder() -> TokenEmbedder:
    """Return the model that compares texts word piece by word piece, the same object each time: all-MiniLM-L6-v2."""
    from octavo.models import embedders

    return cast("TokenEmbedder", embedders.embedder(embedders.DEFAULT))


def reranker(spec: str = "rule", *, key_env: str = "", embedding: str = "minilm") -> Reranker:
    """Return the reranker a text such as "cross-encoder:NAME" names (`models.rerankers`), the same object each time.

    Raises UsageError for a text that names none, ModelError when what it needs is not there.
    """
    from octavo.models import rerankers

    return rerankers.reranker(spec, key_env=key_env, embedding=embedding)


def recognizer() -> TextRecognizer:
    """Return the model that reads text in images, the same object each time."""
    with _making:
        return _recognizer()


@cache
def _recognizer() -> TextRecognizer:
    from octavo.models.ocr import RapidRecognizer

    return RapidRecognizer()


def layout_model(path: Path) -> LayoutModel:
    """Return the layout model in an ONNX file with a card beside it (`models.layout`). Raises ModelError."""
    from octavo.models.embedders import cache_folder
    from octavo.models.layout import OnnxLayoutModel

    return OnnxLayoutModel(path, cache=cache_folder() / "layout")


def describe() -> list[ModelInfo]:
    """Return every model with its state and, where it cannot be used, what to do about it. Loads none."""
    from octavo.models import inventory

    return inventory.describe()

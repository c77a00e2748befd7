"""Models behind ports: which ones there are, made once per process and loaded when first used."""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

from octavo.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from octavo.models.inventory import ModelInfo
    from octavo.models.ports import LayoutModel, TextEmbedder, TextRecognizer

_making = threading.RLock()


def _cache_folder() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("octavo") / "models"


def _minilm() -> TextEmbedder:
    from octavo.models.minilm import MiniLmEmbedder

    return MiniLmEmbedder(cache=_cache_folder())


EMBEDDERS: dict[str, Callable[[], TextEmbedder]] = {"minilm": _minilm}


def embedder(name: str = "minilm") -> TextEmbedder:
    """Return the embedding model called `name`, the same object each time. Raises UsageError for an unknown name."""
    if name not in EMBEDDERS:
        raise UsageError(f"There is no embedding model called {name!r}: choose one of {', '.join(EMBEDDERS)}")
    with _making:
        return _embedder(name)


@cache
def _embedder(name: str) -> TextEmbedder:
    return EMBEDDERS[name]()


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
    from octavo.models.layout import OnnxLayoutModel

    return OnnxLayoutModel(path, cache=_cache_folder() / "layout")


def describe() -> list[ModelInfo]:
    """Return every model with its state and, where it cannot be used, what to do about it. Loads none."""
    from octavo.models import inventory

    return inventory.describe()

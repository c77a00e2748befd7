"""Models behind ports: which ones there are, made once per process and loaded when first used."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from octavo_documents.models import recognizer

if TYPE_CHECKING:
    from pathlib import Path

    from octavo.models.ports import LayoutModel, TokenEmbedder

__all__ = ["layout_model", "recognizer", "token_embedder"]


def token_embedder() -> TokenEmbedder:
    """Return the model that compares texts word piece by word piece, the same object each time: all-MiniLM-L6-v2."""
    from octavo.models import embedders

    return cast("TokenEmbedder", embedders.embedder(embedders.DEFAULT))


def layout_model(path: Path) -> LayoutModel:
    """Return the layout model in an ONNX file with a card beside it (`models.layout`). Raises ModelError."""
    from octavo.models.embedders import cache_folder
    from octavo_documents.models.layout import OnnxLayoutModel

    return OnnxLayoutModel(path, cache=cache_folder() / "layout")

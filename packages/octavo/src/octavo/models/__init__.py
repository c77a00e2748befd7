"""Models behind ports: which ones there are, made once per process and loaded when first used."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, cast

from octavo_documents.errors import ModelError
from octavo_documents.models import recognizer

if TYPE_CHECKING:
    from pathlib import Path

    from octavo.models.ports import LayoutModel, PassageScorer, TokenEmbedder

__all__ = ["layout_model", "passage_scorer", "recognizer", "token_embedder"]


def token_embedder() -> TokenEmbedder:
    """Return the model that compares texts word piece by word piece, the same object each time: all-MiniLM-L6-v2."""
    from octavo.models import embedders

    return cast("TokenEmbedder", embedders.embedder(embedders.DEFAULT))


@cache
def passage_scorer() -> PassageScorer | None:
    """Return the model that reads a question and a passage together, the same object each time.

    None where its file is missing or another one, or there is no engine: then rules rank.
    """
    from octavo.models.embedders import cache_folder
    from octavo.models.ms_marco import MsMarcoScorer

    scorer = MsMarcoScorer(cache=cache_folder() / "scorer")
    try:
        scorer.load()
    except ModelError:
        return None
    return scorer


def layout_model(path: Path) -> LayoutModel:
    """Return the layout model in an ONNX file with a card beside it (`models.layout`). Raises ModelError."""
    from octavo.models.embedders import cache_folder
    from octavo_documents.models.layout import OnnxLayoutModel

    return OnnxLayoutModel(path, cache=cache_folder() / "layout")

"""Models behind ports: which ones there are, made once per process and loaded when first used."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, cast

from octavo_documents.errors import ModelError
from octavo_documents.models import recognizer

if TYPE_CHECKING:
    from pathlib import Path

    from octavo.models.minilm import MiniLmEmbedder
    from octavo.models.ports import LayoutModel, MultilingualEmbedder, PassageScorer, TokenEmbedder

__all__ = ["layout_model", "multilingual", "no_multilingual", "passage_scorer", "recognizer", "token_embedder"]


def token_embedder() -> TokenEmbedder | None:
    """Return the model that compares texts word piece by word piece, the same object each time: all-MiniLM-L6-v2.

    None where its file is missing or another one, or there is no engine: then texts are compared by their words.
    """
    from octavo.models import embedders

    model = cast("MiniLmEmbedder", embedders.embedder(embedders.DEFAULT))
    try:
        model.load()
    except ModelError:
        return None
    return model


def no_multilingual() -> MultilingualEmbedder | None:
    """Return None, where there is to be no model of many languages."""
    return None


@cache
def multilingual() -> MultilingualEmbedder | None:
    """Return the model whose vectors know many languages, the same object each time; it is loaded when first used.

    None where its file is missing or another one: then documents in other languages are found by their words.
    """
    from octavo.models.embedders import cache_folder
    from octavo.models.multilingual_e5 import WEIGHTS, MultilingualE5

    try:
        WEIGHTS.verified()
    except ModelError:
        return None
    return MultilingualE5(cache=cache_folder() / "languages")


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

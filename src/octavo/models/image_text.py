"""Which models put images and texts into one space, and how one is named and made. There is none by default.

Owns the table of their kinds. Loads no model.

    sentence-transformers:NAME                 CLIP, SigLIP and their like, with the extra of that name
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from octavo.models.spec import NONE, ModelSpec, parse_spec

if TYPE_CHECKING:
    from octavo.models.ports import ImageTextEmbedder


def _sentence_transformers(spec: ModelSpec) -> ImageTextEmbedder:
    from octavo.models.sentence_transformers_models import SentenceImageText

    return SentenceImageText(spec.name)


IMAGE_TEXT: dict[str, Callable[[ModelSpec], ImageTextEmbedder]] = {"sentence-transformers": _sentence_transformers}
"""What makes a model from its spec, by kind."""


def parse_image_text(text: str) -> ModelSpec:
    """Return what a text names; "none" names no model. Raises UsageError."""
    return ModelSpec(NONE, "") if text.strip() == NONE else parse_spec(text, IMAGE_TEXT)


def image_text_embedder(spec: str = NONE) -> ImageTextEmbedder | None:
    """Return the model a text names, the same object each time, loaded when first used; None for "none"."""
    parsed = parse_image_text(spec)
    return None if parsed.provider == NONE else _image_text(parsed)


@cache
def _image_text(spec: ModelSpec) -> ImageTextEmbedder:
    return IMAGE_TEXT[spec.provider](spec)

"""Which embedding models there are, of texts and of images with texts, and how one is named and made. Loads no model.

Of texts:

    minilm                                     the one that installs with Octavo
    path:FOLDER                                an ONNX network with tokenizer.json in a folder
    sentence-transformers:NAME                 with the extra of that name
    openai:NAME, openai:NAME@BASE_URL          OpenAI's, or any server with its /embeddings

Of images and texts in one space, none by default:

    sentence-transformers:NAME                 CLIP, SigLIP and their like
    late-interaction:NAME                      ColPali, ColQwen and their like: many vectors a picture

Of texts with many vectors each, none by default:

    late-interaction:NAME                      ColBERT and its like
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from octavo.errors import UsageError
from octavo.models.providers import key_of, resolved
from octavo.models.spec import NONE, ModelSpec, parse_spec

if TYPE_CHECKING:
    from octavo.models.ports import ImageTextEmbedder, LateInteraction, TextEmbedder

DEFAULT = "minilm"
PATH = "path"
_making = threading.RLock()


def _minilm(_spec: ModelSpec, _key_env: str) -> TextEmbedder:
    from octavo.models.minilm import MiniLmEmbedder

    return MiniLmEmbedder(cache=cache_folder())


def _folder(spec: ModelSpec, _key_env: str) -> TextEmbedder:
    from octavo.models.folder_embedder import FolderEmbedder

    return FolderEmbedder(Path(spec.name), cache=cache_folder() / "own")


def _sentence_transformers(spec: ModelSpec, _key_env: str) -> TextEmbedder:
    from octavo.models.sentence_transformers_models import SentenceEmbedder

    return SentenceEmbedder(spec.name)


def _endpoint(spec: ModelSpec, key_env: str) -> TextEmbedder:
    from octavo.models.endpoint_models import EndpointEmbedder

    return EndpointEmbedder(resolved(spec), key_of(spec, key_env))


EMBEDDERS: dict[str, Callable[[ModelSpec, str], TextEmbedder]] = {
    DEFAULT: _minilm,
    PATH: _folder,
    "sentence-transformers": _sentence_transformers,
    "openai": _endpoint,
}
"""What makes an embedder from its spec and the variable with its key ("" for the usual one), by kind."""


def parse_embedder(text: str, *, folder: Path | None = None) -> ModelSpec:
    """Return what a text names; a path is seen from `folder`, the current one by default. Raises UsageError."""
    text = text.strip()
    if text == DEFAULT:
        return ModelSpec(DEFAULT, "")
    kind, _, name = text.partition(":")
    if kind == PATH and name.strip():
        return ModelSpec(PATH, str((folder or Path.cwd()) / _at_home(Path(name.strip()))))
    if ":" not in text:
        raise UsageError(
            f"there is no embedding model {text!r}; use one of {', '.join(EMBEDDERS)}, such as path:FOLDER"
        )
    return parse_spec(text, EMBEDDERS)


def _at_home(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:
        raise UsageError(f"there is no user whose folder {path.parts[0]} could be: write the path out") from None


def embedder(spec: str = DEFAULT, *, key_env: str = "") -> TextEmbedder:
    """Return the embedding model a text names, the same object each time; it is loaded when first used.

    Raises UsageError for a text that names none, ModelError when the folder, package or key it needs is not there.
    """
    parsed = parse_embedder(spec)
    with _making:
        return _embedder(parsed, key_env)


@cache
def _embedder(spec: ModelSpec, key_env: str) -> TextEmbedder:
    return EMBEDDERS[spec.provider](spec, key_env)


def cache_folder() -> Path:
    """Return the folder where compiled networks are kept."""
    from platformdirs import user_cache_path

    return user_cache_path("octavo") / "models"


def _sentence_image_text(spec: ModelSpec) -> ImageTextEmbedder:
    from octavo.models.sentence_transformers_models import SentenceImageText

    return SentenceImageText(spec.name)


@cache
def _late_interaction(spec: ModelSpec) -> LateInteraction:
    from octavo.models.sentence_transformers_models import SentenceLateInteraction

    return SentenceLateInteraction(spec.name)


LATE_INTERACTION: dict[str, Callable[[ModelSpec], LateInteraction]] = {"late-interaction": _late_interaction}
"""What makes a model of late interaction from its spec, by kind."""
IMAGE_TEXT: dict[str, Callable[[ModelSpec], ImageTextEmbedder | LateInteraction]] = {
    "sentence-transformers": _sentence_image_text,
    **LATE_INTERACTION,
}
"""What makes a model of images and texts from its spec, by kind."""


def parse_image_text(text: str) -> ModelSpec:
    """Return what a text names; "none" names no model. Raises UsageError."""
    return ModelSpec(NONE, "") if text.strip() == NONE else parse_spec(text, IMAGE_TEXT)


def image_text_embedder(spec: str = NONE) -> ImageTextEmbedder | LateInteraction | None:
    """Return the model a text names, the same object each time, loaded when first used; None for "none"."""
    parsed = parse_image_text(spec)
    return None if parsed.provider == NONE else _image_text(parsed)


@cache
def _image_text(spec: ModelSpec) -> ImageTextEmbedder | LateInteraction:
    return IMAGE_TEXT[spec.provider](spec)


def parse_late_interaction(text: str) -> ModelSpec:
    """Return what a text names; "none" names no model. Raises UsageError."""
    return ModelSpec(NONE, "") if text.strip() == NONE else parse_spec(text, LATE_INTERACTION)


def late_interaction(spec: str = NONE) -> LateInteraction | None:
    """Return the model of late interaction for texts that a text names, the same object each time; None for "none"."""
    parsed = parse_late_interaction(spec)
    return None if parsed.provider == NONE else LATE_INTERACTION[parsed.provider](parsed)

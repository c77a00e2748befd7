"""The models of a corpus: those that embed texts and pictures, and the one that tells the layout of pages.

Each is a name or an object, and loaded when it is first wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from octavo import models
from octavo.corpus.index.builders import Builders
from octavo.errors import ModelError
from octavo.models import embedders
from octavo.models.words_alone import WordsAlone

if TYPE_CHECKING:
    from octavo.models.ports import ImageTextEmbedder, LateInteraction, LayoutModel, MultilingualEmbedder, TextEmbedder

_Model = TypeVar("_Model")


@dataclass(frozen=True)
class CorpusModels:
    """The embedding models of a corpus and what it is indexed with, made when first wanted.

    `makers` gives the builders, None for those that come with Octavo; `embedding` the text embedding model that takes
    the place of theirs; `image_text` a model of images and texts, `late_interaction` one of texts.
    """

    makers: Callable[[], Builders] | None = None
    embedding: str | Callable[[], TextEmbedder] | None = None
    image_text: Callable[[], ImageTextEmbedder | LateInteraction] | None = None
    late_interaction: Callable[[], LateInteraction] | None = None

    @classmethod
    def of(
        cls,
        makers: Callable[[], Builders] | None,
        embedding: str | Callable[[], TextEmbedder] | None,
        image_text: str | ImageTextEmbedder | LateInteraction | None,
        late_interaction: str | LateInteraction | None,
    ) -> Self:
        """Return the models that names or objects stand for. Raises UsageError for a name that means nothing."""
        return cls(makers, embedding, image_text_of(image_text), late_interaction_of(late_interaction))

    def embedder(self) -> TextEmbedder:
        """Return the text embedding model, loaded; a `WordsAlone` where it cannot be used, which says why.

        Raises UsageError as `models.embedders.embedder` does.
        """
        try:
            model = self.named_embedder()
            load: Callable[[], object] | None = getattr(model, "load", None)
            if load is not None:
                load()
        except ModelError as error:
            return WordsAlone(str(error))
        return model

    def named_embedder(self) -> TextEmbedder:
        """Return the text embedding model that is named, whether or not its network can be loaded.

        Raises UsageError and ModelError as `models.embedders.embedder` does.
        """
        if callable(self.embedding):
            return self.embedding()
        if self.embedding is not None:
            return embedders.embedder(self.embedding)
        return embedders.embedder() if self.makers is None else self.makers().embedder()

    def multilingual(self) -> MultilingualEmbedder | None:
        """Return the model of other languages than English; None where a text embedding model of one's own is named."""
        if self.embedding not in (None, embedders.DEFAULT):
            return None
        return models.multilingual() if self.makers is None else self.makers().multilingual()

    def builders(self) -> Builders:
        """Return what documents are indexed with."""
        made = Builders.default() if self.makers is None else self.makers()
        # A file that cannot be used is read and hashed each time it is tried: once for all that is indexed with these.
        embedder = cache(self.embedder)
        own = replace(made, multilingual=self.multilingual, embedder=embedder, named_embedder=self.named_embedder)
        return own.with_models(self.image_text, self.late_interaction)


def layout_of(model: LayoutModel | str | Path | None) -> LayoutModel | None:
    """Return a layout model, from its file where that is given. Raises ModelError."""
    return models.layout_model(Path(model)) if isinstance(model, str | Path) else model


def image_text_of(
    model: ImageTextEmbedder | LateInteraction | str | None,
) -> Callable[[], ImageTextEmbedder | LateInteraction] | None:
    """Return what gives an image-text model when it is first wanted, by its name or the model; None for none.

    Raises UsageError for a name that means nothing; ModelError comes from the call.
    """
    return _opener(model, embedders.image_text_embedder)


def late_interaction_of(model: LateInteraction | str | None) -> Callable[[], LateInteraction] | None:
    """Return what gives a model of late interaction when it is first wanted, by its name or the model; None for none.

    Raises UsageError for a name that means nothing; ModelError comes from the call.
    """
    return _opener(model, embedders.late_interaction)


def _opener(model: _Model | str | None, named: Callable[[str], _Model | None]) -> Callable[[], _Model] | None:
    """Return what gives a model, None for none; `named` makes one of its name, and loads it when it is first used."""
    found = named(model) if isinstance(model, str) else model
    return None if found is None else lambda: found

"""What indexing is done with, loaded when first used: parser, recogniser, layers and the embedding model of texts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Protocol, Self, get_args

from octavo import models
from octavo.models import embedders, recognizer
from octavo_documents.parsing import EXTRACT_VERSION
from octavo_documents.structuring import FLOW_VERSION, STRUCTURE_VERSION

if TYPE_CHECKING:
    from octavo.layers import Layer
    from octavo.models.ports import (
        ImageTextEmbedder,
        LateInteraction,
        LayoutModel,
        MultilingualEmbedder,
        TextEmbedder,
        TextRecognizer,
    )
    from octavo_documents.parsing.article_messages import RawBatch, ToRead, Unread

EVERY_DOCUMENT = frozenset({"passages", "terms", "about", "vectors"})
"""Names of the layers every document has: what the first stage and the default system read."""
_NO_LATE = "no model of late interaction is named (late_interaction under [models] in octavo.toml)"
ABSENT = {
    "visual_vectors": "no image-text model is named (image_text under [models] in octavo.toml)",
    "passage_token_vectors": _NO_LATE,
    "element_token_vectors": _NO_LATE,
}
"""Layers that are only there where something is configured, by name, and why they are not. Systems do without them."""
OcrMode = Literal["auto", "always", "never"]
OCR_MODES: tuple[OcrMode, ...] = get_args(OcrMode)


class Parser(Protocol):
    """Reads files in other processes; several threads may call it at once. A context manager."""

    def parse(
        self,
        path: str,
        *,
        name: str,
        digest: str,
        password: str | None = None,
        ocr: OcrMode = "auto",
        recognizer: TextRecognizer | None = None,
        layout: LayoutModel | None = None,
        printed: str = "",
        progress: Callable[[int, int], None] | None = None,
        figures: Callable[[int, int], None] | None = None,
    ) -> bytes:
        """Return a packed `Document`, with the pages of its print where there is one. Raises SourceError."""
        ...

    def articles(self, path: str | Path) -> Iterator[RawBatch]:
        """Yield the articles of a container as they stand there. Raises SourceError, also after some."""
        ...

    def read_batch(self, batch: Sequence[ToRead], path: str | Path) -> list[bytes | Unread]:
        """Return the packed `Document` of each article, or why there is none. Raises SourceError for all of them."""
        ...

    def close(self) -> None:
        """End the processes; running calls end with CancelledError."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...


def _parser(workers: int) -> Parser:
    """Make the pool of guarded processes; imported here because most runs find nothing to read."""
    from octavo_documents.structuring.parser_pool import ParserPool

    return ParserPool(workers)


@dataclass(frozen=True)
class Builders:
    """What documents are read with and which layers are built.

    `version` names the parser's code: what it reads changes when it does.
    """

    version: str
    parser: Callable[[int], Parser]
    """Makes a parser with so many processes."""
    recognizer: Callable[[], TextRecognizer]
    layers: Mapping[str, Layer]
    """Those every document has, in build order. The rules make them: they ask no decision."""
    optional: Mapping[str, Layer] = field(default_factory=dict[str, "Layer"])
    """Those only some systems read."""
    embedder: Callable[[], TextEmbedder] = embedders.embedder
    """Gives the text embedding model of the corpus, or what stands for it where it cannot be used."""
    multilingual: Callable[[], MultilingualEmbedder | None] = models.no_multilingual
    """Gives the model of passages in other languages than English, None where there is none."""
    named_embedder: Callable[[], TextEmbedder] | None = None
    """Gives the model of the corpus whether or not it can be used; None: `embedder` does."""

    @property
    def absent(self) -> dict[str, str]:
        """Return the layers that cannot be built as things are configured, and why: systems do without them."""
        return {name: why for name, why in ABSENT.items() if name not in self.optional}

    def with_models(
        self,
        image_text: Callable[[], ImageTextEmbedder | LateInteraction] | None = None,
        late_interaction: Callable[[], LateInteraction] | None = None,
    ) -> Builders:
        """Return these builders with the layers that an image-text model and one of late interaction make, if any."""
        if image_text is None and late_interaction is None:
            return self  # so that no optional layer is imported before one is asked for
        from octavo.layers.vectors import element_token_vectors, passage_token_vectors, visual_vectors

        layers = [visual_vectors(image_text)] if image_text else []
        if late_interaction:
            layers += [passage_token_vectors(late_interaction), element_token_vectors(late_interaction)]
        return replace(self, optional={**self.optional, **{layer.name: layer for layer in layers}})

    def model_of(self, layer: Layer) -> str:
        """Return the name of the embedding model a layer depends on, "" for none, whether or not that can be used.

        Raises as `named_embedder` does.
        """
        from octavo.layers.base import embeds_texts

        return (self.named_embedder or self.embedder)().name if embeds_texts(layer) else layer.model()

    @property
    def embeds(self) -> bool:
        """Whether the text embedding model can be used: it is loaded, and its file looked at."""
        return bool(self.embedder().name)

    def chosen(self, names: Iterable[str]) -> dict[str, Layer]:
        """Return the optional layers of these names and all they read, in build order; others are left out."""
        wanted, waiting = set[str](), [*names]
        while waiting:
            name = waiting.pop()
            if name in self.optional and name not in wanted:
                wanted.add(name)
                waiting.extend(self.optional[name].reads)
        return self.in_build_order(wanted)

    def in_build_order(self, names: Collection[str]) -> dict[str, Layer]:
        """Return the optional layers among these names, each after those of them that it reads."""
        ordered: dict[str, Layer] = {}

        def add(name: str) -> None:
            if name in names and name in self.optional and name not in ordered:
                for needed in self.optional[name].reads:
                    add(needed)
                ordered[name] = self.optional[name]

        for name in self.optional:
            add(name)
        return ordered

    @classmethod
    def default(cls, embedder: Callable[[], TextEmbedder] = embedders.embedder) -> Builders:
        """Return the builders that come with Octavo, with an embedding model."""
        from octavo.layers import LAYERS, OPTIONAL_LAYERS

        version = f"pdf{EXTRACT_VERSION}.structure{STRUCTURE_VERSION}.flow{FLOW_VERSION}"
        return cls(version, _parser, recognizer, LAYERS, OPTIONAL_LAYERS, embedder)

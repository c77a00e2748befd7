"""What a layer is: a named, versioned builder of bytes; and what its decisions would cost, by building it unasked."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from octavo import models
from octavo.decisions.engine.judge import Judge
from octavo.models.embedders import embedder
from octavo.models.ports import MultilingualEmbedder, Raster, Reranker, TextEmbedder
from octavo_documents.document import Document


def no_model() -> str:
    """Name the model of a layer that uses none."""
    return ""


def text_embedding() -> str:
    """Name the text embedding model: as the `model` of a layer, that of the corpus, which the layer is built with."""
    return embedder().name


def embeds_texts(layer: Layer) -> bool:
    """Return whether a layer depends on the text embedding model of the corpus."""
    return layer.model is text_embedding


LEFT = "left for the next time"
"""Why a rule took a decision that a model is to take once it can: what a layer that `keeps_part` notes."""


class Renderer(Protocol):
    """Draws parts of a document's pages; only to be had where its file is."""

    def __call__(self, page: int, box: tuple[float, float, float, float] | None, dpi: float) -> Raster:
        """Return page `page` (1-based), or `box` on it (points), as (height, width, 3) uint8 RGB; raise SourceError."""
        ...


@dataclasses.dataclass(frozen=True)
class LayerInputs:
    """What a builder may use: the document, the stored bytes of the layers it reads, and whom to tell of progress.

    `judge` takes the decisions, by rule where it has no model; `embedder` is called when a vector is first wanted;
    `render` is None where the file cannot be drawn. `progress` receives (done, total) in the layer's own units.
    """

    document: Document
    stored: Mapping[str, bytes] = dataclasses.field(default_factory=dict[str, bytes])
    progress: Callable[[int, int], None] | None = None
    judge: Judge = dataclasses.field(default_factory=Judge)
    embedder: Callable[[], TextEmbedder] = embedder
    multilingual: Callable[[], MultilingualEmbedder | None] = models.no_multilingual
    """Gives the model of passages in other languages than English, None where there is none."""

    render: Renderer | None = None
    reranker: Callable[[], Reranker] | None = None
    """What scores texts for a layer that `reranks`, where one is configured and models are to decide."""

    earlier: bytes | None = None
    """What the layer was before, for one that `keeps_previous` and models that decide, or one that was not whole."""


@dataclasses.dataclass(frozen=True)
class Layer:
    """A builder. `version` is raised when its output changes; `reads` names layers that come before it.

    `build` returns the bytes to store, the same for the same inputs; `model` names the embedding model it depends on,
    empty for none, `text_embedding` for the corpus's own. `decisions` are the names of those it asks, `parameters` a
    text of the values that change what it builds: both are part of its fingerprint. `estimate` returns the calls its
    decisions would make, as (decision, input tokens, output tokens) of each, for what a job will cost. One that
    has `needs_rendering` is given `render` even where no model decides; one that `is_dispensable` may be missing where
    its file has gone.
    One that `keeps_previous` is given what models made of it before; one that `reranks` the configured reranker.
    """

    name: str
    version: int
    reads: tuple[str, ...]
    build: Callable[[LayerInputs], bytes]
    model: Callable[[], str] = no_model
    decisions: tuple[str, ...] = ()
    parameters: str = ""
    estimate: Callable[[LayerInputs], Sequence[tuple[str, int, int]]] | None = None
    needs_rendering: bool = False
    is_dispensable: bool = False
    keeps_previous: bool = False
    keeps_part: bool = False
    """Whether what is built is worth storing where models decided a part and the rest was left to rules (`LEFT`)."""
    reranks: bool = False
    build_many: Callable[[Sequence[LayerInputs]], Sequence[bytes]] | None = None
    """Builds the layer of many documents in less time than one by one; the same bytes but for rounding."""
    languages: Callable[[bytes], str | None] | None = None
    """Tells of what was built which model, "" for none, read what is in other languages; None where nothing is."""
    is_whole: Callable[[bytes, LayerInputs], bool] | None = None
    """Tells whether what was built before has all that such a model adds."""


Estimate = Callable[[LayerInputs], Sequence[tuple[str, int, int]]]


def rehearsed(
    build: Callable[[LayerInputs], Any], replies: Mapping[str, Callable[[int], int]] | None = None
) -> Estimate:
    """Return what tells the (decision, input tokens, output tokens) of each call that building would make.

    `replies` gives, by decision, how long a model's reply is where the rule's has so many tokens; the same by default.
    """
    longer = replies or {}

    def estimate(inputs: LayerInputs) -> Sequence[tuple[str, int, int]]:
        from octavo.decisions.engine.rehearsal import Rehearsal

        judge = Rehearsal(inputs.judge)
        build(dataclasses.replace(inputs, judge=judge))
        return [(name, read, longer.get(name, int)(written)) for name, read, written in judge.calls]

    return estimate

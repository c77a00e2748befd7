"""The entities layer: the knowledge graph of a document, resolved (BookRAG section 4.3).

Owns the order: extraction by rule, by a model where there is one, resolution, packing as a `document.Graph`.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.decisions.adjudicate_entities import ADJUDICATE_ENTITIES
from octavo.decisions.extract_graph import EXTRACT_GRAPH
from octavo.document import Document, Graph
from octavo.layers.base import Layer, LayerInputs, text_embedding
from octavo.layers.entities import model, rule
from octavo.layers.entities.merging import GRADIENT, resolved
from octavo.layers.entities.windows import WINDOW_TOKENS, windows_of
from octavo.layers.entities.words import blocks_as_words
from octavo.models.language import estimate_tokens

_OUTPUT_SHARE = 0.6
"""Output tokens of a window for each of its input tokens, about."""


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `Graph` of a document, with the statistics of its resolution."""
    return graph_of(inputs).to_bytes()


def graph_of(inputs: LayerInputs) -> Graph:
    """Return the graph of a document."""
    document = inputs.document
    extraction = rule.extract(document)
    if inputs.judge.has_model(EXTRACT_GRAPH.name):
        extraction = model.extract(document, inputs.judge, extraction)
    return resolved(extraction, inputs.judge, inputs.embedder, _title(document))


def _title(document: Document) -> str:
    return document.metadata.title.strip() or document.name


def estimate(inputs: LayerInputs) -> Sequence[tuple[str, int, int]]:
    """Return (decision, input tokens, output tokens) of each extraction call; adjudication is a tenth of them."""
    words = blocks_as_words(inputs.document)
    fixed = estimate_tokens(EXTRACT_GRAPH.template.instructions)
    sizes = [
        sum(estimate_tokens(block.text) + 8 for block in window.asked.blocks)
        for window in windows_of(inputs.document, words)
    ]
    calls = [(EXTRACT_GRAPH.name, fixed + size, min(1600, int(_OUTPUT_SHARE * size) + 40)) for size in sizes]
    return calls + [(ADJUDICATE_ENTITIES.name, 1800, 400)] * (len(calls) // 10)


ENTITIES = Layer(
    name="entities",
    version=1,
    reads=(),
    build=build,
    model=text_embedding,
    decisions=(EXTRACT_GRAPH.name, ADJUDICATE_ENTITIES.name),
    parameters=f"top_k={GRADIENT.top_k} g={GRADIENT.g} low={GRADIENT.low} window={WINDOW_TOKENS}",
    estimate=estimate,
)

__all__ = ["ENTITIES", "graph_of"]

"""The entities layer: the knowledge graph of a document, resolved (BookRAG section 4.3).

Names are extracted by rule, by a model where there is one, then resolved and packed as a `document.Graph`.
"""

from __future__ import annotations

import dataclasses

from octavo.decisions.adjudicate_entities import ADJUDICATE_ENTITIES
from octavo.decisions.extract_graph import EXTRACT_GRAPH
from octavo.document import Document, Graph
from octavo.layers.base import Layer, LayerInputs, rehearsed, text_embedding
from octavo.layers.entities import model, rule
from octavo.layers.entities.merging import GRADIENT, resolved
from octavo.layers.entities.model import WINDOW_TOKENS

DESCRIBED = "described_by_model"
"""The statistic of a graph that is true where a model was asked what is named and what is said of it."""
_WORDIER = 2.0
"""A model describes what it finds: its reply is so many times as long as the rule's."""


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `Graph` of a document, with the statistics of its resolution."""
    return graph_of(inputs).to_bytes()


def graph_of(inputs: LayerInputs) -> Graph:
    """Return the graph of a document."""
    document = inputs.document
    extraction = rule.extract(document)
    if not inputs.judge.has_model(EXTRACT_GRAPH.name):
        return resolved(extraction, inputs.judge, inputs.embedder, _title(document))
    extraction = model.extract(document, inputs.judge, extraction)
    graph = resolved(extraction, inputs.judge, inputs.embedder, _title(document))
    return dataclasses.replace(graph, statistics={**graph.statistics, DESCRIBED: True})


def _title(document: Document) -> str:
    return document.metadata.title.strip() or document.name


ENTITIES = Layer(
    name="entities",
    version=2,
    reads=(),
    build=build,
    model=text_embedding,
    decisions=(EXTRACT_GRAPH.name, ADJUDICATE_ENTITIES.name),
    parameters=f"top_k={GRADIENT.top_k} g={GRADIENT.g} low={GRADIENT.low} window={WINDOW_TOKENS}",
    estimate=rehearsed(
        build, {EXTRACT_GRAPH.name: lambda ruled: min(int(_WORDIER * ruled), EXTRACT_GRAPH.max_output_tokens)}
    ),
)

__all__ = ["DESCRIBED", "ENTITIES", "graph_of"]

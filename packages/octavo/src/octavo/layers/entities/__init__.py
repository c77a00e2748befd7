"""The layers of graphs: what a document names, where it stands and how it is related (BookRAG section 4.3).

All three are of one extraction, by rule, or by model window by window and picture by picture, and differ in what of it
is one entity: `entities` resolves names as Octavo does, `bookindex` as the paper prints it (Algorithm 1), and
`basic_entities` resolves nothing: names written the same are one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from octavo.decisions.adjudicate_entities import ADJUDICATE_ENTITIES
from octavo.decisions.extract_graph import EXTRACT_GRAPH
from octavo.decisions.extract_picture_graph import EXTRACT_PICTURE_GRAPH
from octavo.evidence import Graph
from octavo.layers.base import Estimate, Layer, LayerInputs, text_embedding
from octavo.layers.entities import rule
from octavo.layers.entities.by_model import WINDOW_TOKENS, extract, rehearse_pictures
from octavo.layers.entities.extraction import EntityExtraction, assembled
from octavo.layers.entities.merging import GRADIENT, exact_names, resolved
from octavo.layers.entities.printed import AS_PRINTED, resolved_as_printed
from octavo_documents.document import Document

DESCRIBED = "described_by_model"
"""The statistic of a graph that is true where a model was asked what is named and what is said of it."""
_WORDIER = 2.0
"""A model describes what it finds: its reply is so many times as long as the rule's."""
_PICTURE_REPLY = 300
"""Tokens of what a model that sees finds in a picture, about."""
_EXTRACTION = (EXTRACT_GRAPH.name, EXTRACT_PICTURE_GRAPH.name)


def extraction_of(inputs: LayerInputs) -> tuple[EntityExtraction, bool]:
    """Return what a document names, and whether a model was asked."""
    ruled = rule.extract(inputs.document)
    decisions = (EXTRACT_GRAPH, EXTRACT_PICTURE_GRAPH)
    if not any(inputs.judge.has_model(one.name, one.role) for one in decisions):
        return ruled, False
    return extract(inputs, ruled), True


def graph_of(inputs: LayerInputs) -> Graph:
    """Return the graph of a document with its names resolved, and the statistics of that."""
    return _graph(inputs, lambda found: resolved(found, inputs.judge, inputs.embedder, _title(inputs.document)))


def bookindex_of(inputs: LayerInputs) -> Graph:
    """Return the graph of a document resolved by Algorithm 1 of BookRAG as it is printed."""
    return _graph(inputs, lambda found: resolved_as_printed(found, inputs, _title(inputs.document)))


def basic_graph_of(inputs: LayerInputs) -> Graph:
    """Return the graph of a document in which only names written the same are one entity ("Basic ER")."""
    return _graph(inputs, lambda found: assembled(found, exact_names(found.names)))


def _graph(inputs: LayerInputs, resolve: Callable[[EntityExtraction], Graph]) -> Graph:
    extraction, described = extraction_of(inputs)
    graph = resolve(extraction)
    return dataclasses.replace(graph, statistics={**graph.statistics, DESCRIBED: True}) if described else graph


def _title(document: Document) -> str:
    return document.metadata.title.strip() or document.name


def _build(inputs: LayerInputs) -> bytes:
    """Return the packed `Graph` of the layer `entities`."""
    return graph_of(inputs).to_bytes()


def _build_bookindex(inputs: LayerInputs) -> bytes:
    """Return the packed `Graph` of the layer `bookindex`."""
    return bookindex_of(inputs).to_bytes()


def _build_basic(inputs: LayerInputs) -> bytes:
    """Return the packed `Graph` of the layer `basic_entities`."""
    return basic_graph_of(inputs).to_bytes()


def _estimate(build: Callable[[LayerInputs], bytes]) -> Estimate:
    """Return what tells the calls of a build: those about windows and pictures, and those about names by rule."""

    def estimate(inputs: LayerInputs) -> Sequence[tuple[str, int, int]]:
        from octavo.decisions.engine.rehearsal import Rehearsal

        judge, looking = Rehearsal(inputs.judge), Rehearsal(inputs.judge)
        build(dataclasses.replace(inputs, judge=judge, render=None, reranker=None))
        calls, crops = judge.calls, rehearse_pictures(inputs, looking)
        if crops is not None:
            pictures = [call for call in looking.calls if call[0] == EXTRACT_PICTURE_GRAPH.name]
            shown = [(name, read + crop, _PICTURE_REPLY) for (name, read, _), crop in zip(pictures, crops, strict=True)]
            others = [call for call in looking.calls if call[0] != EXTRACT_PICTURE_GRAPH.name]
            calls = [*shown, *others, *(call for call in calls if call[0] != EXTRACT_GRAPH.name)]
        return [(name, read, _reply_tokens(name, written)) for name, read, written in calls]

    return estimate


def _reply_tokens(name: str, ruled: int) -> int:
    return min(int(_WORDIER * ruled), EXTRACT_GRAPH.max_output_tokens) if name == EXTRACT_GRAPH.name else ruled


ENTITIES = Layer(
    name="entities",
    version=3,
    reads=(),
    build=_build,
    model=text_embedding,
    decisions=(*_EXTRACTION, ADJUDICATE_ENTITIES.name),
    parameters=f"top_k={GRADIENT.top_k} g={GRADIENT.g} low={GRADIENT.low} window={WINDOW_TOKENS}",
    estimate=_estimate(_build),
)
BOOKINDEX = Layer(
    name="bookindex",
    version=2,
    reads=(),
    build=_build_bookindex,
    model=text_embedding,
    decisions=(*_EXTRACTION, ADJUDICATE_ENTITIES.name),
    parameters=f"top_k={AS_PRINTED.top_k} g={AS_PRINTED.g} window={WINDOW_TOKENS}",
    estimate=_estimate(_build_bookindex),
    reranks=True,
)
BASIC_ENTITIES = Layer(
    name="basic_entities",
    version=1,
    reads=(),
    build=_build_basic,
    decisions=_EXTRACTION,
    parameters=f"window={WINDOW_TOKENS}",
    estimate=_estimate(_build_basic),
)

__all__ = ["BASIC_ENTITIES", "BOOKINDEX", "DESCRIBED", "ENTITIES", "basic_graph_of", "bookindex_of", "graph_of"]

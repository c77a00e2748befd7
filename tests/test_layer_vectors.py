"""Vectors of summaries, elements and entities: embedded where a model wrote, means of passages where rules copied."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt
import pytest

from indexed import FakeEmbedder
from octavo.document import Graph, Kind, PassageTable, SummaryTable, TextColumn
from octavo.document.columns import pack
from octavo.document.view import vectors_of_bytes
from octavo.layers import LAYERS, OPTIONAL_LAYERS, LayerInputs
from octavo.layers.derived_vectors import WRITTEN, PassageMeans, entity_texts
from octavo.layers.entities import DESCRIBED
from octavo.layers.vectors import unit
from synthetic import Row, document

ROWS: list[Row] = [
    (Kind.HEADING, "Harbour", 1, 1),
    (Kind.PARAGRAPH, "The Northern Ferry leaves Westquay at noon. The Northern Ferry is slow.", 1, 0),
    (Kind.HEADING, "Kitchen", 2, 1),
    (Kind.PARAGRAPH, "Flour, butter and sugar are kept beside the oven.", 2, 0),
    (Kind.PARAGRAPH, "The Northern Ferry brings flour to Westquay on Mondays.", 3, 0),
    (Kind.FIGURE, "", 3, 0),
]
SOURCE = document(ROWS)


def inputs() -> LayerInputs:
    stored: dict[str, bytes] = {}
    for name, layer in LAYERS.items():
        stored[name] = layer.build(LayerInputs(SOURCE, stored, embedder=FakeEmbedder))
    return LayerInputs(SOURCE, stored, embedder=FakeEmbedder)


def table(spans: list[tuple[int, int]]) -> SummaryTable:
    rows = np.array(spans, np.int32)
    texts = TextColumn.of(f"summary {at}" for at in range(len(spans)))
    return SummaryTable(texts, TextColumn.of(["section"] * len(spans)), rows[:, 0], rows[:, 1], rows[:, 0] * 0)


def built(layer: str, reads: str, data: bytes) -> npt.NDArray[np.float32]:
    known = inputs()
    return vectors_of_bytes(
        OPTIONAL_LAYERS[layer].build(dataclasses.replace(known, stored={**known.stored, reads: data}))
    )


def test_the_passages_of_the_document_are_one_a_page() -> None:
    assert PassageTable.from_bytes(inputs().stored["passages"]).start.tolist() == [0, 2, 4]


def test_a_run_has_the_mean_of_its_passages_by_length_and_share() -> None:
    means = PassageMeans(inputs())
    passages, vectors = (
        PassageTable.from_bytes(inputs().stored["passages"]),
        vectors_of_bytes(inputs().stored["vectors"]),
    )
    sizes = passages.text.lengths()
    found = means.of_spans(np.array([0, 1, 3, 5]), np.array([4, 2, 5, 6]))
    assert np.allclose(found[0], unit(sizes[0] * vectors[0] + sizes[1] * vectors[1]), atol=1e-5)
    assert np.allclose(found[1], vectors[0], atol=1e-3)
    assert np.allclose(found[2], unit(sizes[1] / 2 * vectors[1] + sizes[2] * vectors[2]), atol=1e-5)
    assert not found[3].any()


def test_owners_have_the_mean_of_the_passages_of_their_blocks_each_once() -> None:
    vectors = vectors_of_bytes(inputs().stored["vectors"])
    found = PassageMeans(inputs()).of_blocks(np.array([0, 0, 0, 2]), np.array([0, 1, 4, 5]), 3)
    assert np.allclose(found[0], unit(vectors[0] + vectors[2]), atol=1e-5)
    assert not found[1:].any()


@pytest.mark.parametrize(("layer", "reads"), [("summary_vectors", "summaries"), ("element_vectors", "descriptions")])
def test_what_a_model_wrote_and_what_stands_in_no_passage_is_embedded(layer: str, reads: str) -> None:
    summaries = table([(0, 2), (2, 4), (5, 6)])
    texts = FakeEmbedder().embed(list(summaries.text))
    vectors = vectors_of_bytes(inputs().stored["vectors"])
    written = np.array([False, True, False])
    found = built(layer, reads, pack(summaries.arrays("table") | {WRITTEN: written}, {}))
    assert np.allclose(found, [vectors[0], texts[1], texts[2]], atol=2e-3)


def test_where_a_layer_does_not_say_who_wrote_all_is_embedded() -> None:
    summaries = table([(0, 2), (2, 4)])
    found = built("summary_vectors", "summaries", summaries.to_bytes())
    assert np.allclose(found, FakeEmbedder().embed(list(summaries.text)), atol=1e-3)


def test_an_entity_lies_between_its_name_and_the_passages_that_mention_it() -> None:
    data = OPTIONAL_LAYERS["entities"].build(inputs())
    graph = Graph.from_bytes(data)
    found = built("entity_vectors", "entities", data)
    row = list(graph.entities.name).index("Northern Ferry")
    vectors = vectors_of_bytes(inputs().stored["vectors"])
    expected = unit(FakeEmbedder().embed(["Northern Ferry"])[0] + unit(vectors[0] + vectors[2]))
    assert np.allclose(found[row], expected, atol=2e-3)


def test_entities_that_a_model_described_are_embedded_with_what_it_said() -> None:
    graph = Graph.from_bytes(OPTIONAL_LAYERS["entities"].build(inputs()))
    described = dataclasses.replace(graph, statistics={**graph.statistics, DESCRIBED: True})
    found = built("entity_vectors", "entities", described.to_bytes())
    assert np.allclose(found, FakeEmbedder().embed(entity_texts(graph)), atol=1e-3)

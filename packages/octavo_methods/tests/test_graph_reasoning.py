"""Graph reasoning: PageRank as networkx works it out, S_G = I_G x M by hand, and what becomes of an empty graph."""

from __future__ import annotations

import dataclasses

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from indexed import FakeEmbedder, run_over
from memory_layers import MemoryLayers
from octavo.evidence import EntityTable, Evidence, Graph, MentionTable, Query, RelationTable, View
from octavo.operators.core import Run
from octavo_documents.document import Kind, TextColumn
from octavo_documents.document.columns import pack
from octavo_methods.bookrag.reasoning import GRAPH, GraphReasoning, pagerank
from octavo_methods.bookrag.select import Extract
from synthetic import document

PAGES = document([(Kind.PARAGRAPH, f"Text {row}.", row + 1, 0) for row in range(4)])


def graph_of(mentions: list[tuple[int, int]], edges: list[tuple[int, int, float]], size: int) -> Graph:
    """Return a graph of entities "e0", "e1", ... with (entity, block) mentions and weighted relations."""
    of, to = np.array(mentions, np.int32).reshape(-1, 2).T, np.array([edge[:2] for edge in edges], np.int32)
    to = to.reshape(-1, 2).T
    return Graph(
        EntityTable(
            *(TextColumn.of(f"{word}{row}" for row in range(size)) for word in ("e", "t", "d")),
            TextColumn.of([""] * size),
        ),
        MentionTable(of[0], of[1], np.full(len(of[0]), -1, np.int32), np.full(len(of[0]), -1, np.int32)),
        RelationTable(
            to[0],
            to[1],
            TextColumn.of("is" for _ in edges),
            TextColumn.of("" for _ in edges),
            np.array([edge[2] for edge in edges], np.float32),
            np.zeros(len(edges), np.int32),
        ),
    )


class WithGraph(MemoryLayers):
    """Layers of which the graph is given, its vectors all alike."""

    graph = Graph.empty()

    def load(self, document_id: str, layer: str) -> bytes | None:
        """Return the given graph, and other layers as they are built."""
        if layer == "entities":
            return self.graph.to_bytes()
        if layer == "entity_vectors":
            return pack({"vectors": np.ones((len(self.graph), FakeEmbedder.dimension), np.float16)}, {})
        return super().load(document_id, layer)


def run_with(graph: Graph, *linked: int) -> Run:
    layers = WithGraph([PAGES], FakeEmbedder)
    layers.graph = graph
    return Run(View([PAGES], layers), embedder=FakeEmbedder, query=Query("what?", linked=linked))


@given(st.integers(2, 9), st.data())
def test_pagerank_is_that_of_networkx(size: int, data: st.DataObject) -> None:
    pairs = [(left, right) for left in range(size) for right in range(left)]
    chosen = data.draw(st.lists(st.sampled_from(pairs), unique=True))
    weights = data.draw(st.lists(st.floats(0.01, 1.0), min_size=len(chosen), max_size=len(chosen)))
    restart = np.array(data.draw(st.lists(st.floats(0, 1), min_size=size, max_size=size)))
    damping = data.draw(st.floats(0.1, 0.9))
    matrix = np.zeros((size, size))
    reference = nx.Graph()
    reference.add_nodes_from(range(size))
    for (left, right), weight in zip(chosen, weights, strict=True):
        matrix[left, right] = matrix[right, left] = weight
        reference.add_edge(left, right, weight=weight)
    found = pagerank(sparse.csr_array(matrix), restart, damping=damping, tolerance=1e-10)
    if restart.sum() <= 0:
        assert not found.any()
        return
    expected = nx.pagerank(reference, damping, dict(enumerate(restart)), tol=1e-10, max_iter=1000)
    assert found == pytest.approx([expected[row] for row in range(size)], abs=1e-5)


def test_nodes_without_a_way_out_start_again() -> None:
    matrix = sparse.csr_array(np.array([[0.0, 1.0], [0.0, 0.0]]))
    reference = nx.DiGraph([(0, 1)])
    expected = nx.pagerank(reference, 0.5, {0: 1.0, 1: 0.0}, tol=1e-10)
    assert pagerank(matrix, np.array([1.0, 0.0]), tolerance=1e-10) == pytest.approx([expected[0], expected[1]])


def test_a_blocks_score_is_the_sum_of_what_its_entities_come_to() -> None:
    # e0 - e1; block 0 mentions e0 twice, block 1 both, block 2 e2 alone, block 3 none. The walk starts at e0 and goes
    # to its only neighbour with 1/2: I(e0) = 2/3, I(e1) = 1/3, I(e2) = 0.
    graph = graph_of([(0, 0), (0, 0), (0, 1), (1, 1), (2, 2)], [(0, 1, 0.4)], 3)
    run = run_with(graph, 0)
    found = GraphReasoning(relevance=0.0)(Evidence.where(run.view, run.view.is_content), run)
    assert found.scores[GRAPH] == pytest.approx([2 / 3, 1.0, 0.0, 0.0], abs=1e-5)


def test_only_the_part_of_the_graph_that_stands_in_the_selected_rows_is_walked() -> None:
    # Without block 1 nothing that is left mentions e1, and the walk has nowhere to go from e0.
    graph = graph_of([(0, 0), (1, 1), (2, 2)], [(0, 1, 1.0), (1, 2, 1.0)], 3)
    run = run_with(graph, 0)
    found = GraphReasoning(relevance=0.0)(Evidence.of(run.view, [0, 2, 3]), run)
    assert found.scores[GRAPH] == pytest.approx([1.0, 0.0, 0.0])
    everywhere = GraphReasoning(relevance=0.0)(Evidence.of(run.view, [0, 1, 2, 3]), run)
    assert everywhere.scores[GRAPH][2] > 0


def test_a_share_of_the_mass_starts_wherever_the_question_is_near() -> None:
    graph = graph_of([(0, 0), (1, 1)], [], 2)
    run = run_with(graph, 0)
    found = GraphReasoning()(Evidence.of(run.view, [0, 1]), run)
    assert found.scores[GRAPH] == pytest.approx([0.975, 0.025])


def test_an_entity_that_stands_everywhere_starts_less_than_one_that_stands_once() -> None:
    graph = graph_of([(0, 0), (0, 1), (0, 2), (1, 3)], [], 2)
    run = run_with(graph, 0, 1)
    found = GraphReasoning(relevance=0.0)(Evidence.of(run.view, [0, 1, 2, 3]), run)
    assert found.scores[GRAPH] == pytest.approx([0.25, 0.25, 0.25, 0.75])


def test_nothing_linked_leaves_the_walk_to_what_the_question_is_near() -> None:
    run = run_with(graph_of([(0, 0), (1, 1)], [(0, 1, 1.0)], 2))
    assert GraphReasoning()(Evidence.of(run.view, [0, 1]), run).scores[GRAPH] == pytest.approx([0.5, 0.5])


@pytest.mark.parametrize("rows", [[], [0, 1]])
def test_an_empty_graph_scores_nothing_and_loses_nothing(rows: list[int]) -> None:
    run = run_with(Graph.empty())
    assert Extract()(Query("e0?"), run).linked == ()
    found = GraphReasoning()(Evidence.of(run.view, rows), run)
    assert found.rows.tolist() == rows
    assert found.scores[GRAPH].tolist() == [0.0] * len(rows)


def test_reasoning_over_a_built_graph_prefers_the_block_that_names_what_is_asked_for() -> None:
    source = document(
        [
            (Kind.PARAGRAPH, "The Northern Ferry Company bought the Grey Heron in March 2018.", 1, 0),
            (Kind.PARAGRAPH, "The Storm Petrel sails from Harwick every day.", 2, 0),
        ]
    )
    run = run_over(source)
    run.query = Extract(nearest=0)(Query("Who owns it?", entities=("Grey Heron",)), run)
    scores = GraphReasoning()(Evidence.of(run.view, [0, 1]), run).scores[GRAPH]
    assert scores[0] > scores[1]
    assert dataclasses.replace(run.query, linked=()) == Query("Who owns it?", entities=("Grey Heron",))

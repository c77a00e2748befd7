"""Search over the cross-page tree: summaries bring the blocks of their pages, leaves their own, and both are told."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from indexed import FakeEmbedder
from octavo.errors import CorpusError, UsageError
from octavo.evidence import Evidence, Query, View
from octavo.evidence.layer_tables import TOPOLOGY_TABLE, MembershipTable, NodeTable, PlaceTable, Topology
from octavo.operators.core import Run
from octavo.operators.keep import RankPages
from octavo.operators.score.tree_search import LEAVES, SUMMARIES, TREE, SearchTree, best_nodes, node_cosines
from octavo.systems import SYSTEMS, run_search
from octavo_documents.document import Document, Kind, TextColumn
from synthetic import document

TEXTS = ("herons wade slowly", "gulls nest on cliffs", "granite holds quartz", "marble holds calcite")
BIRDS, STONES, BOOK = "herons and gulls", "granite and marble", "nature"
SOURCE = document([(Kind.PARAGRAPH, text, page, 0) for page, text in enumerate(TEXTS, 1)], pages=5)
TREE_OF_SOURCE = Topology(
    NodeTable(TextColumn.of([*TEXTS, BIRDS, STONES, BOOK]), TextColumn.of([""] * 7), np.array([0, 0, 0, 0, 1, 1, 2])),
    MembershipTable(np.array([4, 4, 5, 5, 6, 6]), np.array([0, 1, 2, 3, 4, 5]), np.ones(6, np.float32)),
    PlaceTable(np.array([0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6]), np.array([0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3])),
)


class Stored:
    """The tree as a view finds it."""

    def __init__(self, tree: Topology, vectors: np.ndarray | None = None) -> None:
        from octavo_documents.document.columns import pack

        made = FakeEmbedder().embed(list(tree.nodes.text)) if vectors is None else vectors
        self.layers = {"topology": tree.to_bytes(), "topology_vectors": pack({"vectors": made}, {})}

    def load(self, document_id: str, layer: str) -> bytes | None:
        del document_id
        return self.layers.get(layer)


def run_over(source: Document = SOURCE, tree: Topology = TREE_OF_SOURCE, *, limit: int = 10) -> Run:
    return Run(View([source], Stored(tree)), embedder=FakeEmbedder, query=Query("", limit=limit))


def search(question: str, step: SearchTree, using: Run | None = None) -> Evidence:
    return step(Query(question), using or run_over())


def by_page(found: Evidence, source: str) -> dict[int, bool]:
    pages = found.view.page_index[found.rows] + 1
    return dict(zip(pages.tolist(), found.sources[source].tolist(), strict=True))


def test_a_summary_that_is_hit_brings_the_blocks_of_all_its_pages() -> None:
    found = search(STONES, SearchTree(1, least_level=1))
    assert found.rows.tolist() == [2, 3]
    assert by_page(found, SUMMARIES) == {3: True, 4: True}
    assert by_page(found, LEAVES) == {3: False, 4: False}


def test_a_leaf_that_is_hit_brings_its_own_block() -> None:
    found = search(TEXTS[1], SearchTree(1))
    assert found.rows.tolist() == [1]
    assert (by_page(found, LEAVES), by_page(found, SUMMARIES)) == ({2: True}, {2: False})


def test_the_score_is_the_cosine_of_the_best_node_and_its_own_leaf_orders_the_blocks_of_a_summary() -> None:
    using = run_over()
    found = search("granite and marble holds calcite", SearchTree(1, least_level=1), using)
    cosine = node_cosines(Query("granite and marble holds calcite"), using)[5]
    assert np.allclose(found.scores[TREE], cosine, atol=2e-3)
    assert found.ranked(TREE).tolist() == [3, 2]


def test_all_nodes_together_rank_every_block() -> None:
    found = search("gulls", SearchTree())
    assert found.rows.tolist() == [0, 1, 2, 3]
    assert found.ranked(TREE)[0] == 1
    pages = RankPages(TREE)(found, run_over(limit=2))
    assert len(pages.pages("relevance")) == 2


def test_no_tree_finds_nothing_and_leaves_alone_are_searched_as_passages_are() -> None:
    assert len(search("gulls", SearchTree(), run_over(tree=Topology.empty()))) == 0
    nodes = NodeTable(TextColumn.of(TEXTS), TextColumn.of([""] * 4), np.zeros(4, np.int32))
    leaves = Topology(nodes, MembershipTable.empty(), PlaceTable(np.arange(4), np.arange(4)))
    assert search("gulls nest", SearchTree(), run_over(tree=leaves)).ranked(TREE)[0] == 1
    assert len(search("gulls nest", SearchTree(10, least_level=1), run_over(tree=leaves))) == 0


def test_nodes_are_ranked_best_first_so_that_a_reader_can_be_shown_their_texts() -> None:
    using = run_over()
    cosines = node_cosines(Query(BIRDS), using)
    best = best_nodes(using.view.layer(TOPOLOGY_TABLE), cosines, count=2, least_level=1)
    assert using.view.layer(TOPOLOGY_TABLE).nodes.text[int(best[0])] == BIRDS
    assert len(best) == 2


def test_furniture_is_never_evidence() -> None:
    rows = [(Kind.PARAGRAPH, TEXTS[0], 1, 0), (Kind.PAGE_FOOTER, TEXTS[1], 2, 0)]
    rows += [(Kind.PARAGRAPH, text, 3, 0) for text in TEXTS[2:]]
    found = search("gulls", SearchTree(), run_over(document(rows, pages=3)))
    assert found.rows.tolist() == [0, 2, 3]


def test_vectors_of_another_tree_are_damage() -> None:
    view = View([SOURCE], Stored(TREE_OF_SOURCE, np.zeros((3, FakeEmbedder.dimension), np.float32)))
    with pytest.raises(CorpusError, match="3 vectors for a tree of 7 nodes"):
        SearchTree()(Query("gulls"), Run(view, embedder=FakeEmbedder))


@pytest.mark.parametrize("wrong", [{"count": -1}, {"least_level": -1}])
def test_negative_numbers_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(UsageError):
        SearchTree(**wrong)


def test_raptor_finds_the_pages_of_a_theme_that_no_passage_names() -> None:
    result = run_search(SYSTEMS["raptor"], Query(STONES, limit=2), run_over())
    assert sorted(page["page"] for page in result.to_json()["pages"]) == [3, 4]
    assert SYSTEMS["raptor"].needs() >= {"topology", "topology_vectors"}
    assert dataclasses.replace(SearchTree(), count=3) == SearchTree(3)

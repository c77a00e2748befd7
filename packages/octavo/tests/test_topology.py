"""The cross-page tree: leaves keep numbers whole, clusters know their blocks, growth pays for changes only."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexed import FakeEmbedder
from octavo.decisions.engine.judge import Judge
from octavo.errors import CorpusError, SourceError
from octavo.evidence import PassageTable, View
from octavo.evidence.layer_tables import TOPOLOGY_TABLE, Topology
from octavo.evidence.view import vectors_of_bytes
from octavo.layers import OPTIONAL_LAYERS, LayerInputs, topology
from octavo.layers.passages import passages_of
from octavo.layers.topology import (
    TOPOLOGY,
    assigned,
    best_mixture,
    clusters_of,
    memberships,
    numbers_tried,
    spectral,
    updated,
)
from octavo.layers.topology.tree import LEAF_TOKENS, leaves_of, sentence_units
from octavo.layers.vectors import VECTORS, visual_vectors
from octavo.models.bert import count_tokens
from octavo.models.gateway import Gateway, MemoryJournal
from octavo.models.language import Request
from octavo.models.ports import Raster
from octavo.models.scripted import ScriptedModel
from octavo_documents.document import Document, Kind
from synthetic import Row, document, documents

WHOLE = ["3.14", "$12.5", "€1,234.56", "e.g.", "i.e.", "12 000", "7.5%", "U.S.", "2019-03-04"]
THEMES = {
    "harbour": "ferry quay berth tide pilot mooring anchor harbour",
    "kitchen": "oven flour butter sugar dough whisk recipe kitchen",
    "court": "judge appeal verdict statute counsel ruling evidence court",
    "garden": "tulip compost pruning seedling hedge watering soil garden",
}


def inputs_of(source: Document, judge: Judge | None = None) -> LayerInputs:
    passages = {"passages": passages_of(source).to_bytes()}
    vectors = VECTORS.build(LayerInputs(source, passages, embedder=FakeEmbedder))
    return LayerInputs(source, {**passages, "vectors": vectors}, judge=judge or Judge(), embedder=FakeEmbedder)


def sentence(theme: str, number: int) -> str:
    words = np.random.default_rng(number).permutation(THEMES[theme].split() * 2).tolist()
    return f"The {' '.join(words)} had {number} of them."


def report(pages: int = 12) -> Document:
    """Return a document whose pages each speak of every theme, a paragraph for each."""
    rows: list[Row] = []
    for page in range(1, pages + 1):
        for at, theme in enumerate(THEMES):
            text = " ".join(sentence(theme, 100 * page + 10 * at + one) for one in range(5))
            rows.append((Kind.PARAGRAPH, text, page, 0))
    return document(rows)


# Leaves


@given(st.lists(st.one_of(st.sampled_from(WHOLE), st.text("abcdé", min_size=1, max_size=9)), min_size=1, max_size=300))
def test_leaves_cut_no_number_and_no_short_form(words: list[str]) -> None:
    text = " ".join(words)
    spans = sentence_units(text, 12)
    assert "".join(text[start:stop] for start, stop in spans) == text
    inside = {cut for found in re.finditer("|".join(map(re.escape, WHOLE)), text) for cut in range(*found.span())[1:]}
    assert not inside & {start for start, _ in spans}


@given(st.lists(st.sampled_from([*"漢字仮名交文", "3.14", "$12.5", "1,234"]), min_size=1, max_size=200))
def test_numbers_are_whole_even_where_no_space_stands(words: list[str]) -> None:
    text = "".join(words)
    numbers = [found.span() for found in re.finditer(r"\$?\d[\d.,]*", text)]
    cuts = {start for start, _ in sentence_units(text, 9)}
    assert not any(start < cut < stop for start, stop in numbers for cut in cuts if _is_one(text[start:stop]))


def _is_one(number: str) -> bool:
    return number in ("3.14", "$12.5", "1,234")


@given(documents())
def test_leaves_hold_the_text_of_every_passage_and_know_its_blocks(source: Document) -> None:
    passages = passages_of(source)
    for found in leaves_of(source, passages):
        rows = range(int(passages.start[found.passage]), int(passages.stop[found.passage]))
        assert found.blocks
        assert set(found.blocks) <= set(rows)
    said = "".join("".join(found.text.split()) for found in leaves_of(source, passages))
    assert said == "".join("".join(text.split()) for text in passages.text)


def test_leaves_have_about_a_hundred_tokens_and_whole_sentences() -> None:
    found = leaves_of(report(2), passages_of(report(2)))
    sizes = count_tokens([one.text for one in found])
    assert max(sizes) <= LEAF_TOKENS
    assert all(one.text.endswith("them.") for one in found)


# Clusters


def blobs(count: int, size: int, seed: int = 0) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    draw = np.random.default_rng(seed)
    centres = draw.normal(size=(count, 64))
    labels = np.repeat(np.arange(count), size)
    vectors = (centres[labels] + 0.4 * draw.normal(size=(len(labels), 64))).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True), labels


def test_what_belongs_together_is_found() -> None:
    vectors, labels = blobs(6, 30)
    coordinates = spectral(vectors)
    mixture = best_mixture(coordinates, 2)
    assert mixture.n_components >= 6
    predicted = mixture.predict(coordinates)
    assert all(len(set(labels[predicted == number])) <= 1 for number in range(mixture.n_components))


def test_a_row_joins_every_component_above_a_tenth_and_at_least_one() -> None:
    shares = np.array([[0.85, 0.15, 0.0], [0.95, 0.05, 0.0], [0.0, 1.0, 0.0]])
    assert memberships(shares) == [{0: 0.85, 1: 0.95}, {0: 0.15, 2: 1.0}]
    thin = np.full((1, 12), 1 / 12)
    assert memberships(thin) == [{0: 1 / 12}]


def test_new_vectors_take_the_clusters_of_their_neighbours() -> None:
    vectors, labels = blobs(3, 20)
    found = assigned(blobs(3, 2)[0], vectors, np.eye(3)[labels])
    assert found.argmax(axis=1).tolist() == [0, 0, 1, 1, 2, 2]
    assert np.allclose(found.max(axis=1), 1.0, atol=0.05)


def test_the_numbers_tried_grow_and_end() -> None:
    assert numbers_tried(2, 10) == [2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert len(numbers_tried(10, 1000)) < 40


@pytest.mark.parametrize("size", [0, 1, 2, 6, 7, 8, 40])
@pytest.mark.parametrize("is_same", [True, False])
def test_clusters_hold_every_vector_and_are_fewer_even_when_all_are_equal(size: int, is_same: bool) -> None:
    vectors = np.random.default_rng(0).normal(size=(size, 8)).astype(np.float32)
    vectors = np.ones_like(vectors) if is_same else vectors
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    found = clusters_of(vectors, np.full(size, 100), 1000)
    assert {row for cluster in found for row in cluster} == set(range(size))
    assert len(found) < size or size < 2


@given(size=st.integers(41, 200), seed=st.integers(0, 9), is_same=st.booleans())
@settings(max_examples=6)
def test_many_vectors_are_clustered_in_parts_that_hold_each_of_them_once(size: int, seed: int, is_same: bool) -> None:
    vectors = np.random.default_rng(seed).normal(size=(size, 8)).astype(np.float32)
    vectors = np.ones_like(vectors) if is_same else vectors
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    fitted: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(topology, "MOST_TOGETHER", 40)
        patch.setattr(topology, "spectral", lambda some: fitted.append(len(some)) or spectral(some))
        found = clusters_of(vectors, np.full(size, 100), 1000)
        again = clusters_of(vectors, np.full(size, 100), 1000)
    assert sum(fitted) == 2 * size
    assert 20 <= min(fitted) <= max(fitted) <= 40
    assert {row for cluster in found for row in cluster} == set(range(size))
    assert max(map(len, found)) <= 40
    assert len(found) < size
    assert found == again


def test_parts_keep_together_what_is_alike() -> None:
    vectors, labels = blobs(2, 30)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(topology, "MOST_TOGETHER", 30)
        found = clusters_of(vectors, np.full(60, 100), 1000)
    assert all(len(set(labels[list(cluster)])) == 1 for cluster in found)


# The tree


def test_clusters_reach_across_pages_and_know_their_blocks() -> None:
    source = report()
    tree = Topology.from_bytes(TOPOLOGY.build(inputs_of(source)))
    clusters = np.flatnonzero(tree.nodes.level == 1).tolist()
    assert len(clusters) >= 4
    for cluster in clusters:
        members = tree.memberships.member[tree.memberships.cluster == cluster]
        blocks = {int(block) for member in members for block in tree.blocks_of(int(member))}
        assert tree.blocks_of(cluster).tolist() == sorted(blocks)
        assert len({int(block) % len(THEMES) for block in blocks}) == 1
    assert max(len(set(source.blocks.page[tree.blocks_of(cluster)].tolist())) for cluster in clusters) > 2
    root = len(tree) - 1
    assert tree.blocks_of(root).tolist() == list(range(len(source.blocks)))


def test_the_same_document_gives_the_same_tree() -> None:
    assert TOPOLOGY.build(inputs_of(report())) == TOPOLOGY.build(inputs_of(report()))


def test_a_document_clustered_in_parts_has_all_its_blocks_on_every_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topology, "MOST_TOGETHER", 20)
    source = report(30)
    data = TOPOLOGY.build(inputs_of(source))
    tree = Topology.from_bytes(data)
    members = set(tree.memberships.member.tolist())
    assert members >= set(np.flatnonzero(tree.nodes.level < tree.nodes.level.max()).tolist())
    for level in range(int(tree.nodes.level.max()) + 1):
        nodes = np.flatnonzero(tree.nodes.level == level).tolist()
        assert {int(block) for node in nodes for block in tree.blocks_of(node)} == set(range(len(source.blocks)))
    assert TOPOLOGY.build(inputs_of(source)) == data


@given(documents(max_rows=12))
@settings(max_examples=25, deadline=None)
def test_any_document_has_a_tree(source: Document) -> None:
    data = TOPOLOGY.build(inputs_of(source))
    assert len(vectors_of_bytes(data)) == len(Topology.from_bytes(data))
    assert updated(data, inputs_of(source)) == data


def test_damaged_trees_are_told() -> None:
    data = bytearray(TOPOLOGY.build(inputs_of(report(3))))
    tree = Topology.from_bytes(bytes(data))
    wrong = Topology(tree.nodes, tree.memberships, type(tree.places)(tree.places.node[::-1], tree.places.block))
    with pytest.raises(CorpusError, match="damaged"):
        Topology.from_bytes(wrong.to_bytes())


def test_the_estimate_is_near_what_the_model_is_asked() -> None:
    model = ScriptedModel(summed_up)
    using = Judge({"language": model}, gateway=Gateway(MemoryJournal()))
    inputs = inputs_of(report(30), using)
    assert TOPOLOGY.estimate is not None
    calls = TOPOLOGY.estimate(inputs)
    assert model.calls == 0
    TOPOLOGY.build(inputs)
    assert len(calls) == pytest.approx(model.calls, rel=0.15)
    taken = using.usage().input_tokens + using.usage().output_tokens
    assert sum(read + written for _, read, written in calls) == pytest.approx(taken, rel=0.15)


# Growth


def summed_up(request: Request) -> str:
    """Sum up each item of a request by its first words."""
    items = re.findall(r"<item id=(\d+)>\n(.*?)\n</item>", request.turns[0].text, re.S)
    return json.dumps(
        {"items": [{"id": int(number), "summary": " ".join(text.split()[:40])} for number, text in items]}
    )


class Counting(Judge):
    """A judge that keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def decide_items(self, decision, context, items):  # type: ignore[no-untyped-def]
        self.asked += [item.text for item in items]
        return super().decide_items(decision, context, items)


def summaries(tree: Topology) -> list[str]:
    return [text for text, level in zip(tree.nodes.text, tree.nodes.level, strict=True) if level]


def grown(source: Document, theme: str) -> Document:
    kinds = [
        (Kind(int(kind)), text, int(page), 0)
        for kind, text, page in zip(source.blocks.kind, source.blocks.text, source.blocks.page, strict=True)
    ]
    last = len(source.pages) + 1
    return document([*kinds, (Kind.PARAGRAPH, sentence(theme, 7) + " " + sentence(theme, 8), last, 0)])


def test_added_text_changes_its_own_cluster_and_those_above_only() -> None:
    source, judge = report(), Counting()
    before = TOPOLOGY.build(inputs_of(source))
    after = updated(before, inputs_of(grown(source, "kitchen"), judge))
    old, new = Topology.from_bytes(before), Topology.from_bytes(after)
    assert (new.nodes.level == 0).sum() == (old.nodes.level == 0).sum() + 1
    changed = [one != other for one, other in zip(summaries(old), summaries(new), strict=True)]
    assert sum(changed) <= len(judge.asked) < len(changed) / 2
    assert all("kitchen" in text for text in judge.asked[:1])
    added = len(source.blocks)
    joined = [node for node in range(len(new)) if added in new.blocks_of(node).tolist() and new.nodes.level[node] == 1]
    assert joined
    assert all(block % len(THEMES) == 1 for node in joined for block in new.blocks_of(node).tolist() if block < added)
    assert added in new.blocks_of(len(new) - 1).tolist()


def test_a_document_that_did_not_change_asks_nothing_and_keeps_its_bytes() -> None:
    judge = Counting()
    data = TOPOLOGY.build(inputs_of(report()))
    assert updated(data, inputs_of(report(), judge)) == data
    assert judge.asked == []


def test_text_that_has_gone_leaves_its_clusters() -> None:
    data = updated(TOPOLOGY.build(inputs_of(report(12))), inputs_of(report(9)))
    tree = Topology.from_bytes(data)
    assert set(tree.places.block.tolist()) == set(range(len(report(9).blocks)))
    assert {*np.flatnonzero(tree.nodes.level > 0).tolist()} <= {*tree.memberships.cluster.tolist()}


def test_new_leaves_compared_a_few_at_a_time_all_join_clusters_of_their_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topology, "_TOGETHER", 3)
    tree = Topology.from_bytes(updated(TOPOLOGY.build(inputs_of(report(20))), inputs_of(report(24))))
    leaves = np.flatnonzero(tree.nodes.level == 0)
    assert set(leaves.tolist()) <= set(tree.memberships.member.tolist())
    for cluster in np.flatnonzero(tree.nodes.level == 1).tolist():
        assert len(set((tree.blocks_of(cluster) % len(THEMES)).tolist())) == 1


# Vectors


class _Stored:
    """Layers as a view finds them."""

    def __init__(self, **layers: bytes) -> None:
        self.layers = layers

    def load(self, document_id: str, layer: str) -> bytes | None:
        del document_id
        return self.layers.get(layer)


def test_a_view_joins_trees_and_their_vectors() -> None:
    source = report(3)
    tree = TOPOLOGY.build(inputs_of(source))
    vectors = OPTIONAL_LAYERS["topology_vectors"].build(LayerInputs(source, {"topology": tree}))
    view = View([source, source], _Stored(topology=tree, topology_vectors=vectors))
    half = len(view.layer(TOPOLOGY_TABLE)) // 2
    assert view.vectors("topology_vectors").shape == (2 * half, FakeEmbedder.dimension)
    assert view.layer(TOPOLOGY_TABLE).blocks_of(half).tolist() == [
        block + len(source.blocks) for block in view.layer(TOPOLOGY_TABLE).blocks_of(0).tolist()
    ]


def clusters_and_members(tree: Topology) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
    for cluster in np.flatnonzero(tree.nodes.level > 0).tolist():
        yield cluster, tree.memberships.cluster == cluster


def test_leaves_have_the_vectors_of_their_passages_and_clusters_the_mean_of_their_members() -> None:
    inputs = inputs_of(report())
    data = TOPOLOGY.build(dataclasses.replace(inputs, embedder=_forbidden))
    tree, vectors = Topology.from_bytes(data), vectors_of_bytes(data)
    leaves = leaves_of(inputs.document, PassageTable.from_bytes(inputs.stored["passages"]))
    assert np.array_equal(
        vectors[: len(leaves)], vectors_of_bytes(inputs.stored["vectors"])[[one.passage for one in leaves]]
    )
    for cluster, edges in clusters_and_members(tree):
        members, weights = tree.memberships.member[edges], tree.memberships.weight[edges]
        assert vectors[cluster] == pytest.approx(np.average(vectors[members], axis=0, weights=weights), abs=2e-3)


def test_what_a_model_says_of_a_cluster_is_embedded() -> None:
    judge = Judge({"language": ScriptedModel(summed_up)}, gateway=Gateway(MemoryJournal()))
    data = TOPOLOGY.build(inputs_of(report(), judge))
    tree, vectors = Topology.from_bytes(data), vectors_of_bytes(data)
    is_cluster = tree.nodes.level > 0
    said = [text for text, above in zip(tree.nodes.text, is_cluster.tolist(), strict=True) if above]
    assert np.allclose(vectors[is_cluster], FakeEmbedder().embed(said), atol=1e-3)


def test_the_leaves_of_a_long_block_are_of_the_parts_they_stand_in() -> None:
    text = " ".join(sentence(theme, number) for theme in THEMES for number in range(12))
    source = document([(Kind.PARAGRAPH, text, 1, 0)])
    passages = passages_of(source)
    assert len(passages) > 3
    for leaf in leaves_of(source, passages):
        middle = text.index(leaf.text) + len(leaf.text) // 2
        assert passages.char_start[leaf.passage] <= middle <= passages.char_stop[leaf.passage]


def _forbidden() -> FakeEmbedder:
    raise AssertionError("nothing is to be embedded")


class FakeImageText:
    """Vectors of mean colour."""

    name = "fake"
    dimension = 3

    def embed_images(self, rasters: list[Raster]) -> npt.NDArray[np.float32]:
        return np.stack([raster.reshape(-1, 3).mean(axis=0) / 255 for raster in rasters]).astype(np.float32)

    def embed_texts(self, texts: list[str]) -> npt.NDArray[np.float32]:
        return np.zeros((len(texts), 3), np.float32)


def drawn(page: int, box: tuple[float, float, float, float] | None, dpi: float) -> Raster:
    del dpi
    if page == 2:
        raise SourceError("damaged", "page 2 cannot be drawn")
    return np.full((2, 2, 3), 255 if box is None else 51, np.uint8)


def test_pages_and_elements_have_visual_vectors_in_the_order_of_the_view() -> None:
    source = document([(Kind.PARAGRAPH, "text", 1, 0), (Kind.FIGURE, "", 1, 0), (Kind.TABLE, "a | b", 3, 0)])
    layer = visual_vectors(FakeImageText)
    built = layer.build(LayerInputs(source, render=drawn))
    assert layer.model() == "fake"
    assert np.allclose(vectors_of_bytes(built)[:, 0], [1, 0, 1, 0.2, 0.2], atol=1e-3)
    pages, rows = View([source, source]).visuals
    assert pages.tolist() == [0, 1, 2, 0, 2, 3, 4, 5, 3, 5]
    assert rows.tolist() == [-1, -1, -1, 1, 2, -1, -1, -1, 4, 5]


def test_a_file_that_cannot_be_drawn_has_no_visual_vectors() -> None:
    layer = visual_vectors(FakeImageText)
    with pytest.raises(SourceError, match="put the file back"):
        layer.build(LayerInputs(report(1)))
    with pytest.raises(SourceError, match="page 2"):
        layer.build(LayerInputs(document([], pages=1), render=lambda *_: drawn(2, None, 96)))

"""The graph of BookRAG's paper: Algorithm 1 line by line, pictures that are read into the graph, and what it costs."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import storing
from indexed import FakeEmbedder
from octavo.corpus import Corpus
from octavo.corpus.judges import ModelConfig
from octavo.decisions.adjudicate_entities import EntityCard
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Graph
from octavo.layers import LAYERS, OPTIONAL_LAYERS, LayerInputs
from octavo.layers.entities import basic_graph_of, bookindex_of, graph_of
from octavo.layers.entities.printed import AS_PRINTED, AlgorithmOne, Counts, Database, resolve_as_printed
from octavo.models.gateway import Budget, Caps, Gateway, Limits, MemoryJournal
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.ports import Raster
from octavo.models.scripted import ScriptedModel
from octavo_documents.document import Document, Kind
from synthetic import Row, document, documents, with_tables

# Algorithm 1


def test_the_numbers_are_those_of_the_paper() -> None:
    assert (AS_PRINTED.g, AS_PRINTED.top_k) == (0.6, 10)


@pytest.mark.parametrize(
    ("scores", "selected"),
    [
        ([], 0),
        ([0.9], 1),
        ([0.9, 0.5, 0.4], 1),  # 0.5 is not above 0.6 x 0.9
        ([0.9, 0.8, 0.3, 0.29], 2),
        ([0.9, 0.8, 0.7, 0.6], 4),
        ([0.10, 0.05, 0.04], 1),  # however low they are
        ([1.0, 0.6], 1),  # above, not at
        ([0.0, 0.0], 1),
    ],
)
def test_candidates_are_selected_until_the_first_sharp_fall(scores: list[float], selected: int) -> None:
    assert AS_PRINTED.selected(scores) == selected


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.floats(0.1, 0.9))
def test_what_is_selected_falls_by_less_than_the_gradient_and_what_comes_next_by_more(
    scores: list[float], g: float
) -> None:
    ranked = sorted(scores, reverse=True)
    count = AlgorithmOne(g=g).selected(ranked)
    assert all(ranked[at] > g * ranked[at - 1] for at in range(1, count))
    assert count == len(ranked) or ranked[count] <= g * ranked[count - 1]


def resolved(
    scores: Sequence[Sequence[float]], select: Callable[[int, Sequence[int]], int] | None = None
) -> tuple[list[int], Counts, list[tuple[int, list[int]]]]:
    """Return the entities of names whose scores against the candidates, in their order, are given for each name."""
    asked: list[tuple[int, list[int]]] = []

    def ask(name: int, among: Sequence[int]) -> int:
        asked.append((name, list(among)))
        return select(name, among) if select else -1

    cards = [EntityCard(f"name {at}") for at in range(len(scores))]
    vectors = np.ones((len(scores), 2), np.float32) / np.float32(2**0.5)
    found, counts = resolve_as_printed(
        cards, vectors, Database(2), lambda name, among: list(scores[name])[: len(among)], ask
    )
    return found, counts, asked


def test_case_a_makes_a_new_entity_without_asking_also_where_all_scores_are_high() -> None:
    found, counts, asked = resolved([[], [0.95], [0.9, 0.8]])
    assert found == [0, 1, 2]
    assert (counts.new, counts.merged, asked) == (3, 0, [])


def test_case_b_merges_with_the_only_one_selected_without_asking_also_where_its_score_is_low() -> None:
    found, counts, asked = resolved([[], [0.2], [0.05, 0.2]])
    assert found == [0, 1, 1]
    assert (counts.new, counts.merged, asked) == (2, 1, [])


def test_case_b_has_a_model_choose_among_several_and_none_leaves_a_new_entity() -> None:
    scores = [[], [0.9], [0.9, 0.8], [0.7, 0.9, 0.1]]
    found, counts, asked = resolved(scores, lambda _name, among: among[-1])
    assert asked == [(3, [1, 0])]  # best first
    assert found == [0, 1, 2, 0]
    assert (counts.asked, counts.matched) == (1, 1)
    assert resolved(scores)[0] == [0, 1, 2, 3]


def test_the_ten_nearest_entities_are_candidates() -> None:
    seen: list[int] = []

    def rerank(_name: int, among: Sequence[int]) -> list[float]:
        seen.append(len(among))
        return [0.5] * len(among)

    angles = np.linspace(0, 1.5, 15)
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    cards = [EntityCard(f"name {at}") for at in range(15)]
    resolve_as_printed(cards, vectors, Database(2), rerank, lambda _name, _among: -1)
    assert seen == [*range(11), 10, 10, 10, 10]
    database = Database(2)
    for card, vector in zip(cards, vectors, strict=True):
        database.add(card, vector)
    assert database.search(vectors[0], 3) == [0, 1, 2]


def test_a_merged_entity_is_known_by_both_descriptions_and_lies_between_its_names() -> None:
    database = Database(2)
    one = database.add(EntityCard("Heron", "", "a ferry"), np.array([1, 0], np.float32))
    database.merge(one, EntityCard("Grey Heron", "", "built in 1962"), np.array([0, 1], np.float32))
    assert database.cards[one] == EntityCard("Heron", "", "a ferry built in 1962")
    assert database.cosines(np.array([1, 0], np.float32), [one]) == pytest.approx([0.5**0.5])


class Reranking:
    """Scores all alike, and remembers what it read."""

    name = "remembering"

    def __init__(self) -> None:
        self.read: list[tuple[str, list[str]]] = []

    def score(self, question: str, texts: Sequence[str]) -> np.ndarray:
        self.read.append((question, list(texts)))
        return np.full(len(texts), 0.5, np.float32)


HARBOUR = document(
    [
        (Kind.HEADING, "1 Harbour", 1, 1),
        (Kind.PARAGRAPH, "The Grey Heron is a ferry of the Northern Ferry Company.", 1, 0),
        (Kind.PARAGRAPH, "Anna Brandt led the Northern Ferry Company in March 2018.", 2, 0),
        (Kind.TABLE, "Ferry | Length\nGrey Heron | 38", 2, 0),
        (Kind.CHART, "passengers by year", 3, 0),
    ]
)


def test_the_reranker_scores_candidates_with_their_descriptions() -> None:
    reranking = Reranking()
    bookindex_of(LayerInputs(HARBOUR, embedder=FakeEmbedder, reranker=lambda: reranking))
    queries = [query for query, texts in reranking.read if texts]
    assert any("Northern Ferry Company (organisation): The Grey Heron is a ferry" in one for one in queries)
    texts = [text for _, found in reranking.read for text in found]
    assert any("Grey Heron" in text and "is a ferry of the Northern" in text for text in texts)


def test_names_are_resolved_as_the_blocks_have_them_one_after_the_other() -> None:
    reranking = Reranking()
    source = with_tables(HARBOUR, {3: [["Vessel", "Quay"], ["Grey Heron", "South"]]})
    bookindex_of(LayerInputs(source, embedder=FakeEmbedder, reranker=lambda: reranking))
    asked = [query.split(" (")[0] for query, _ in reranking.read]
    rows = [next(row for row, text in enumerate(source.blocks.text) if name in text) for name in asked]
    assert {1, 2, 3} <= set(rows)
    assert rows == sorted(rows)


def test_what_a_model_sees_in_a_picture_is_resolved_where_it_stands() -> None:
    rows: list[Row] = [
        (Kind.CHART, "passengers", 1, 0),
        (Kind.PARAGRAPH, "The Black Swan is a ferry that is out of service.", 2, 0),
    ]
    found = {"entities": [{"block": 1, "name": "Black Swan", "type": "product"}], "relations": []}
    judge, _ = judge_of({"extract_graph": found, "extract_picture_graph": SEEN, "adjudicate_entities": NO_MATCH})
    reranking = Reranking()
    bookindex_of(
        LayerInputs(document(rows), judge=judge, embedder=FakeEmbedder, render=drawn, reranker=lambda: reranking)
    )
    asked = [query.split(" (")[0] for query, _ in reranking.read]
    assert asked == ["Storm Petrel", "Grey Heron", "Black Swan"]


def test_elements_and_values_are_never_merged_for_being_alike() -> None:
    graph = bookindex_of(LayerInputs(HARBOUR, embedder=FakeEmbedder))
    types = list(graph.entities.type)
    assert types.count("table") == types.count("figure") == 1
    assert "date" in types


@given(documents())
def test_any_document_has_a_sound_graph_that_loses_no_mention(source: Document) -> None:
    inputs = LayerInputs(source, embedder=FakeEmbedder)
    printed, basic = bookindex_of(inputs), basic_graph_of(inputs)
    printed.check()
    basic.check()
    assert len(printed) <= len(basic)
    assert set(printed.mentions.block.tolist()) == set(basic.mentions.block.tolist())


def test_basic_er_unites_names_written_the_same_and_no_others() -> None:
    source = document([(Kind.PARAGRAPH, "The tidal warning index (TWI) is hourly. Harwick sends the TWI.", 1, 0)])
    names = list(basic_graph_of(LayerInputs(source, embedder=FakeEmbedder)).entities.name)
    assert {"TWI", "tidal warning index"} <= set(names)
    assert len(names) == len(set(names))


def test_the_statistics_of_figure_6_are_told_beside_those_of_basic_er() -> None:
    statistics = bookindex_of(LayerInputs(HARBOUR, embedder=FakeEmbedder)).statistics
    assert {"new", "merged", "asked", "matched"} <= statistics.keys()
    for graph in ("exact_names", "resolved"):
        assert {"entities", "density", "diameter", "components"} <= statistics[graph].keys()


# Titles of sections are entities


def test_the_graph_has_the_titles_of_sections_that_are_terms() -> None:
    source = document(
        [
            (Kind.HEADING, "2.1 Ranking Prompt", 1, 1),
            (Kind.PARAGRAPH, "Rank these by price.", 1, 0),
            (Kind.HEADING, "3 The way in which all of this was done", 2, 1),
            (Kind.PARAGRAPH, "Rank these by age.", 2, 0),
        ]
    )
    graph = graph_of(LayerInputs(source, embedder=FakeEmbedder))
    assert "Ranking Prompt" in list(graph.entities.name)
    assert not [name for name in graph.entities.name if "way in which" in name]


# Pictures


def drawn(_page: int, _box: object, _dpi: float) -> Raster:
    return np.full((2, 2, 3), 255, np.uint8)


def judge_of(replies: dict[str, object], *, sees: bool = True, caps: Caps | None = None, journal: object = None):
    def say(request: Request) -> str | ModelFault:
        reply = replies[request.decision]
        return reply if isinstance(reply, (str, ModelFault)) else json.dumps(reply)

    model = ScriptedModel(say, sees=sees)
    gateway = Gateway(journal or MemoryJournal(), limits=Limits(attempts=1), sleep=lambda _seconds: None)  # type: ignore[arg-type]
    return Judge({"language": model}, gateway=gateway, budget=Budget(caps)), model


SEEN = {
    "entities": [
        {"name": "Storm Petrel", "type": "product", "description": "a bar of 68"},
        {"name": "Grey Heron", "type": "product"},
    ],
    "relations": [{"source": "Storm Petrel", "target": "Grey Heron", "type": "taller than", "weight": 0.8}],
}
NOTHING = {"entities": [], "relations": []}
NO_MATCH = {"items": [{"id": 1, "reason": "", "match": 0}]}


@pytest.mark.parametrize("make", [graph_of, bookindex_of, basic_graph_of])
def test_figures_and_tables_go_to_a_model_that_sees_and_what_it_finds_is_contained_in_them(
    make: Callable[[LayerInputs], Graph],
) -> None:
    judge, model = judge_of({"extract_graph": NOTHING, "extract_picture_graph": SEEN, "adjudicate_entities": NO_MATCH})
    graph = make(LayerInputs(HARBOUR, judge=judge, embedder=FakeEmbedder, render=drawn))
    looked = [one for one in model.requests if one.decision == "extract_picture_graph"]
    assert [len(one.turns[0].pictures) for one in looked] == [1, 1]
    read = [one.turns[0].text for one in model.requests if one.decision == "extract_graph"]
    assert all("<table" not in text and "<figure" not in text for text in read)
    names = list(graph.entities.name)
    petrel = names.index("Storm Petrel")
    assert sorted(graph.mentions.block[graph.mentions.entity == petrel].tolist()) == [3, 4]
    relations = {
        (names[source], graph.entities.type[target], type_)
        for source, target, type_ in zip(
            graph.relations.source.tolist(), graph.relations.target.tolist(), graph.relations.type, strict=True
        )
    }
    assert {("Storm Petrel", "table", "contained_in"), ("Storm Petrel", "figure", "contained_in")} <= relations


@pytest.mark.parametrize("failing", ["sees", "render", "reply"])
def test_what_no_model_sees_is_read_as_text(failing: str) -> None:
    seen = "no" if failing == "reply" else SEEN
    replies = {"extract_graph": NOTHING, "extract_picture_graph": seen, "adjudicate_entities": NO_MATCH}
    judge, model = judge_of(replies, sees=failing != "sees")
    graph = bookindex_of(
        LayerInputs(HARBOUR, judge=judge, embedder=FakeEmbedder, render=None if failing == "render" else drawn)
    )
    read = "".join(one.turns[0].text for one in model.requests if one.decision == "extract_graph")
    assert "<table" in read
    assert "Storm Petrel" not in list(graph.entities.name)


def test_a_model_that_fails_in_the_middle_is_not_paid_twice_when_the_layer_is_built_again() -> None:
    journal = MemoryJournal()
    replies: dict[str, object] = {"extract_graph": NOTHING, "adjudicate_entities": NO_MATCH}
    broken = {**replies, "extract_picture_graph": ModelFault(FaultKind.CONTEXT, "too long")}
    judge, first = judge_of(broken, journal=journal)
    graph = bookindex_of(LayerInputs(HARBOUR, judge=judge, embedder=FakeEmbedder, render=drawn))
    graph.check()
    judge, again = judge_of({**replies, "extract_picture_graph": SEEN}, journal=journal)
    whole = bookindex_of(LayerInputs(HARBOUR, judge=judge, embedder=FakeEmbedder, render=drawn))
    assert "Storm Petrel" in list(whole.entities.name)
    judge, third = judge_of({}, journal=journal)
    assert bookindex_of(LayerInputs(HARBOUR, judge=judge, embedder=FakeEmbedder, render=drawn)) == whole
    assert (first.calls > 0, again.calls > 0, third.calls) == (True, True, 0)


def test_a_budget_that_ends_leaves_a_graph_of_what_the_rules_find() -> None:
    judge, model = judge_of({"extract_graph": NOTHING, "extract_picture_graph": SEEN}, caps=Caps(calls=1))
    graph = bookindex_of(LayerInputs(HARBOUR, judge=judge, embedder=FakeEmbedder, render=drawn))
    graph.check()
    assert model.calls == 1
    assert "Northern Ferry Company" in list(graph.entities.name)


# As documents are added


@pytest.mark.needs("octavo_methods")
def test_a_reranker_that_is_configured_scores_names_where_documents_are_added_for_the_papers_plan(
    tmp_path: Path,
) -> None:
    storing.write(
        tmp_path, a="# Harbour\nThe Grey Heron met the Storm Petrel. Anna Brandt led the Northern Ferry Company."
    )
    reranking = Reranking()

    def builders():
        return dataclasses.replace(storing.builders(), layers=LAYERS, optional=OPTIONAL_LAYERS)

    config = ModelConfig(reranking=lambda: reranking)
    with Corpus(tmp_path / "corpus", models=config, builders=builders) as corpus:
        corpus.add(tmp_path)
        corpus.search("Who led it?", system="bookrag-paper")
        assert next(iter(corpus.layers().values()))["bookindex"] == "rule"
        asked = len(reranking.read)
        assert not any("Grey Heron" in query for query, _ in reranking.read)
        corpus.add(tmp_path, systems="bookrag-paper")
        assert next(iter(corpus.layers().values()))["bookindex"] == "model"
        assert any("Grey Heron" in query for query, _ in reranking.read[asked:])
        again = len(reranking.read)
        corpus.add(tmp_path, systems="bookrag-paper")
        assert len(reranking.read) == again

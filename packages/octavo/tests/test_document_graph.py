"""The document graph (LAD-RAG section 2.1, figures 9 to 11): pages in order, nodes at blocks, and what survives."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pdfs
import storing
from indexed import FakeEmbedder, view_of
from octavo.corpus import Corpus
from octavo.corpus.judges import ModelConfig
from octavo.decisions.connect_page import (
    CONNECT_PAGE,
    MOST_ENTITIES,
    Entity,
    PageElements,
    PageLinks,
    PageNode,
    RunningMemory,
    Tracked,
    remembered,
)
from octavo.decisions.engine.judge import Judge
from octavo.decisions.extract_nodes import EXTRACT_NODES, REPLY_TOKENS, PagePicture, SeenNode, position_named
from octavo.decisions.investigate import ToolCall
from octavo.decisions.update_sections import UPDATE_SECTIONS, OpenSections, SectionName, SectionsRead
from octavo.errors import CorpusError
from octavo.evidence import DocumentGraph, Evidence, Query, View
from octavo.evidence.document_graph import DOCUMENT_GRAPH_TABLE, NODE_COMMUNITIES_TABLE, POSITIONS, position_of
from octavo.layers import OPTIONAL_LAYERS, LayerInputs
from octavo.layers.document_graph import DPI, kind_of
from octavo.layers.links import communities_of
from octavo.models.gateway import Budget, Caps, MemoryJournal
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Run
from octavo.operators.search_agent.contextualize import Contextualize
from octavo.operators.search_agent.seen_reader import SeenReader
from octavo.systems import get, run_ask, run_search
from octavo_documents.document import Document, Kind, LinkKind, LinkOrigin, LinkTable, TextColumn
from seen_pages import BUILD, Seeing, node, quick
from synthetic import document, documents, with_tables

H, P, C, CAP, T = Kind.HEADING, Kind.PARAGRAPH, Kind.CHART, Kind.CAPTION, Kind.TABLE

ROWS = [
    (H, "1 Fishing", 1, 1),
    (P, "Boats leave at dawn, as Table 1 on a later page lists.", 1, 0),
    (C, "", 1, 0),
    (H, "2 Fees", 2, 1),
    (T, "Gull | 12\nTern | 9", 2, 0),
    (CAP, "Table 1: Boats", 2, 0),
    (P, "The North Quay is dearer.", 3, 0),
    (P, "The last page says no more.", 4, 0),
]
PAGES = [
    [
        node("heading", "1 Fishing"),
        node("paragraph", "Boats leave at dawn, as Table 1 on a later page lists.", "Boats leave at dawn."),
        node("bar chart", "2001: 40; 2002: 55", "Catch rose from 40 to 55.", position="center", look="blue"),
    ],
    [node("heading", "2 Fees"), node("table", "Gull 12, Tern 9. Table 1: Boats", "Fees of the Gull and the Tern.")],
    [node("paragraph", "The North Quay is dearer.")],
    [node("paragraph", "The last page says no more.")],
]
RELATED = {2: [("p2-2", "p1-2", "resolves"), ("p2-2", "p2-1", "is_part_of_section")], 3: [("p3-1", "p2-2", "explains")]}
ENTITIES = {
    1: [("Table 1", ["p1-2"])],
    2: [("Table 1", ["p1-2", "p2-2"])],
    3: [("Table 1", ["p2-2"]), ("North Quay", ["p3-1"])],
}


def source() -> Document:
    return document(ROWS)


def seeing() -> Seeing:
    return Seeing(PAGES, RELATED, ENTITIES)


def graph_of(data: bytes) -> DocumentGraph:
    return DocumentGraph.from_bytes(data)


def links(graph: DocumentGraph) -> set[tuple[int, int, LinkKind]]:
    """Return the links by the rows of the blocks that their nodes stand at."""
    row, kinds = graph.nodes.row, map(LinkKind, graph.links.kind.tolist())
    return set(zip(row[graph.links.source].tolist(), row[graph.links.target].tolist(), kinds, strict=True))


# Reading in order


def test_each_page_gives_nodes_with_the_five_things_at_their_blocks() -> None:
    graph = graph_of(BUILD(seeing().inputs(source())))
    nodes = graph.nodes
    assert nodes.row.tolist() == [0, 1, 2, 3, 4, 6, 7]
    assert [Kind(kind) for kind in nodes.kind.tolist()] == [H, P, C, H, T, P, P]
    assert nodes.content[2] == "2001: 40; 2002: 55"
    assert nodes.summary[2] == "Catch rose from 40 to 55."
    assert (POSITIONS[nodes.position[2]], nodes.look[2]) == ("center", "blue")
    assert set(nodes.origin.tolist()) == {LinkOrigin.MODEL}
    assert graph.pages_read == (1, 2, 3, 4)
    assert graph.blocks_of(4).tolist() == [4, 5]  # the table has the words of its caption too
    assert graph.to_bytes() == graph_of(graph.to_bytes()).to_bytes()


def test_pages_are_seen_in_order_and_each_with_the_memory_of_those_before() -> None:
    sight = seeing()
    BUILD(sight.inputs(source()))
    connecting = [one for one in sight.model.requests if one.decision == "connect_page"]
    assert [one.turns[0].text.split('<page number="')[1][0] for one in connecting] == list("1234")
    # Figure 11 hands over the page itself beside what was told of it; figure 10 does not.
    assert all(len(one.turns[0].pictures) == 1 for one in connecting)
    assert not any(one.turns[0].pictures for one in sight.model.requests if one.decision == "update_sections")
    first, second, third, fourth = (one.turns[0].text for one in connecting)
    assert "(nothing yet)" in first
    assert "entity: Table 1 [p1-2]" in second
    assert "open when the page began: [p1-1] 1 Fishing\nopen at its end: [p2-1] 2 Fees" in second
    assert "open when the page began: [p2-1] 2 Fees\nopen at its end: [p2-1] 2 Fees" in third
    assert "entity: North Quay [p3-1]" in fourth


def test_a_page_is_related_by_all_that_its_elements_display() -> None:
    rows = "; ".join(f"boat {at}: {7 * at}" for at in range(200))
    long = "Herring prices fell. " * 60
    told = [[node("table", rows, "Boats and their fees.", title="Fees"), node("paragraph", long, "Prices fell.")]]
    sight = Seeing(told)
    BUILD(sight.inputs(document([(T, rows, 1, 0), (P, long, 1, 0)])))
    (asked,) = [one.turns[0].text for one in sight.model.requests if one.decision == "connect_page"]
    assert f"[p1-1] (table) Fees: {rows} | Boats and their fees." in asked
    assert f"[p1-2] (paragraph) {long.strip()}" in asked


def test_a_page_without_anything_on_it_is_not_related() -> None:
    sight = Seeing([PAGES[0], [], PAGES[2]], {}, {1: [("Quay", ["p1-2"])]})
    BUILD(sight.inputs(document([*ROWS[:3], (P, " ", 2, 0), (ROWS[6][0], ROWS[6][1], 3, 0)])))
    connecting = [one.turns[0].text for one in sight.model.requests if one.decision == "connect_page"]
    assert [text.split('<page number="')[1][0] for text in connecting] == ["1", "3"]
    assert "entity: Quay [p1-2]" in connecting[1]


def test_sections_are_asked_for_only_where_a_page_has_headings() -> None:
    sight = seeing()
    BUILD(sight.inputs(source()))
    asked = [one.decision for one in sight.model.requests]
    assert asked.count("extract_nodes") == asked.count("connect_page") == 4
    assert asked.count("update_sections") == 2


def test_relations_lead_to_earlier_pages_and_name_who_found_them() -> None:
    graph = graph_of(BUILD(seeing().inputs(source())))
    assert links(graph) == {
        (4, 1, LinkKind.REFERS_TO),
        (4, 3, LinkKind.PART_OF),
        (6, 4, LinkKind.EXPLAINS),
    }
    assert set(graph.links.origin.tolist()) == {LinkOrigin.MODEL}
    assert graph.links.text[0] == "resolves: "  # what has no kind of its own is a reference, and says how it was called


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("is_part_of_section", LinkKind.PART_OF),
        ("Continues", LinkKind.CONTINUES),
        ("explains", LinkKind.EXPLAINS),
        ("summarizes", LinkKind.EXPLAINS),
        ("updates", LinkKind.EXPLAINS),
        ("caption_of", LinkKind.CAPTION_OF),
        ("footnote_of", LinkKind.FOOTNOTE_OF),
        ("contrasts with", LinkKind.REFERS_TO),
    ],
)
def test_types_of_relations_are_kinds_of_links(said: str, kind: LinkKind) -> None:
    assert kind_of(said) is kind


def test_pictures_are_drawn_at_half_of_300_dots_and_replies_have_8192_tokens() -> None:
    sight = seeing()
    BUILD(sight.inputs(source()))
    assert sight.drawn == [(page, 150.0) for page in (1, 2, 3, 4)]
    looking = [one for one in sight.model.requests if one.decision == "extract_nodes"]
    assert all(len(one.turns[0].pictures) == 1 for one in looking)
    assert DPI == 150.0
    assert REPLY_TOKENS == 8192
    assert {one.max_output_tokens for one in sight.model.requests} == {8192}


# Without a model


def test_the_rule_makes_the_same_nodes_and_memory_without_a_model() -> None:
    graph = view_of(source()).layer(DOCUMENT_GRAPH_TABLE)
    assert graph.nodes.row.tolist() == [*range(len(ROWS))]
    assert graph.nodes.summary[1] == "1 Fishing: Boats leave at dawn, as Table 1 on a later page lists."
    assert graph.pages_read == ()
    assert graph.memory["sections"] == [["2 Fees", ["p2-1"]]]
    assert ["table 1", ["p2-3"]] in graph.memory["entities"]
    assert graph.memory["unresolved"] == []
    assert {(1, 0, LinkKind.PART_OF), (4, 3, LinkKind.PART_OF), (1, 5, LinkKind.REFERS_TO)} <= links(graph)
    assert set(graph.links.origin.tolist()) == {LinkOrigin.RULE}


def test_a_label_that_is_not_shown_yet_stays_open() -> None:
    graph = view_of(document([(P, "See Table 7 for the rest.", 1, 0), (P, "No table here.", 2, 0)])).layer(
        DOCUMENT_GRAPH_TABLE
    )
    assert graph.memory["unresolved"] == [["table 7", ["p1-1"]]]


def test_a_text_cut_by_the_end_of_a_page_goes_on_on_the_next() -> None:
    cut = [(P, "The crew was out for", 1, 0), (P, "seven days.", 2, 0)]
    assert (1, 0, LinkKind.CONTINUES) in links(view_of(document(cut)).layer(DOCUMENT_GRAPH_TABLE))
    whole = [(P, "The crew was out.", 1, 0), (P, "Seven days passed.", 2, 0)]
    assert (1, 0, LinkKind.CONTINUES) not in links(view_of(document(whole)).layer(DOCUMENT_GRAPH_TABLE))


def test_what_stands_above_the_first_heading_of_a_page_belongs_to_the_section_before() -> None:
    rows = [(H, "References", 1, 1), (P, "Alder.", 1, 0), (P, "Zimmer.", 2, 0), (H, "Index", 2, 1), (P, "A.", 2, 0)]
    seen_pages = [
        [node("heading", "References"), node("paragraph", "Alder.")],
        [node("paragraph", "Zimmer."), node("heading", "Index"), node("paragraph", "A.")],
    ]
    sight = Seeing(seen_pages, {2: [("p2-1", "p1-1", "is_part_of_section")]})
    assert (2, 0, LinkKind.PART_OF) in links(graph_of(BUILD(sight.inputs(document(rows)))))
    ruled = links(view_of(document(rows)).layer(DOCUMENT_GRAPH_TABLE))
    assert {(2, 0, LinkKind.PART_OF), (4, 3, LinkKind.PART_OF)} <= ruled
    assert (2, 3, LinkKind.PART_OF) not in ruled


@given(documents())
def test_any_document_has_a_graph_by_rule(any_document: Document) -> None:
    graph = graph_of(BUILD(LayerInputs(any_document)))
    graph.check()
    assert set(graph.nodes.row.tolist()) <= {*range(len(any_document.blocks))}


def test_a_model_that_does_not_see_is_not_asked() -> None:
    model = ScriptedModel([])
    judge = Judge({"language": model}, gateway=quick())
    layer = OPTIONAL_LAYERS["document_graph"]
    data = layer.build(LayerInputs(source(), judge=judge, render=seeing().render))
    assert data == BUILD(LayerInputs(source()))
    assert layer.estimate is not None
    assert layer.estimate(LayerInputs(source(), judge=judge)) == []


def test_a_page_that_cannot_be_drawn_is_read_by_rule() -> None:
    sight = seeing()
    graph = graph_of(BUILD(dataclasses.replace(sight.inputs(source()), render=None)))
    assert (graph.pages_read, sight.model.calls) == ((), 0)


# What fails in the middle


def faulty(kind: FaultKind) -> ModelFault:
    return ModelFault(kind, "gone")


def test_a_model_that_fails_in_the_middle_leaves_rules_the_rest_and_nothing_is_paid_twice() -> None:
    journal, sight = MemoryJournal(), seeing()
    sight.faults[3] = faulty(FaultKind.SERVER)
    judge = sight.judge(quick(journal))
    part = graph_of(BUILD(sight.inputs(source(), judge)))
    # All pages were taken apart; from the third on rules relate them.
    assert part.nodes.row.tolist() == [0, 1, 2, 3, 4, 6, 7]
    assert (4, 1, LinkKind.REFERS_TO) in links(part)
    assert (6, 4, LinkKind.EXPLAINS) not in links(part)
    assert (6, 3, LinkKind.PART_OF) in links(part)
    asked = sight.model.calls
    del sight.faults[3]
    again = sight.judge(quick(journal))
    whole = BUILD(sight.inputs(source(), again))
    assert whole == BUILD(seeing().inputs(source()))
    assert sight.model.calls - asked == 2  # the third page and the fourth are connected: nothing else is asked anew


def test_a_reply_that_stays_nonsense_is_ruled_on_and_the_pages_after_it_are_read() -> None:
    sight = seeing()
    sight.faults[2] = "no JSON at all"
    graph = graph_of(BUILD(sight.inputs(source())))
    assert (4, 3, LinkKind.PART_OF) in links(graph)
    assert (6, 4, LinkKind.EXPLAINS) in links(graph)
    assert graph.pages_read == (1, 2, 3, 4)


def test_a_budget_that_ends_leaves_rules_the_rest() -> None:
    sight, journal = seeing(), MemoryJournal()
    judge = sight.judge(quick(journal), Budget(Caps(calls=7)))
    part = graph_of(BUILD(sight.inputs(source(), judge)))
    assert judge.stopped == "max_calls"
    assert sight.model.calls == 7
    assert len(part) == 7
    whole = BUILD(sight.inputs(source(), sight.judge(quick(journal))))
    assert whole == BUILD(seeing().inputs(source()))
    assert sight.model.calls == 10


@pytest.mark.needs("octavo_methods")
def test_a_corpus_keeps_the_part_that_was_paid_and_goes_on_the_next_time(tmp_path: Path) -> None:
    said = (
        "The crew mended nets all morning and slept.",
        "Herring prices fell by a third in the spring.",
        "Nobody had seen the lighthouse keeper since then.",
        "Three boats were sold to a museum abroad.",
    )
    file = pdfs.write(tmp_path / "a.pdf", *(pdfs.say(one, top=300) for one in said))
    sight = Seeing([[node("paragraph", one, f"S{page}.")] for page, one in enumerate(said, start=1)])
    sight.faults[3] = faulty(FaultKind.SERVER)
    place = storing.place_of(tmp_path / "corpus")

    def opened() -> Corpus:
        return Corpus(place, models=ModelConfig({"language": None, "vision": sight.model}, limits=quick().limits))

    with opened() as corpus:
        corpus.add([str(file)], systems=["ladrag-paper"])
        found = corpus.search("What of page 2?", system="ladrag-paper").evidence.view.layer(DOCUMENT_GRAPH_TABLE)
        assert found.pages_read == (1, 2, 3, 4)
        assert found.nodes.summary[1] == "S2."
        paid = len([one for one in sight.model.requests if one.decision == "connect_page"])
        sight.faults.clear()
        corpus.add([str(file)], systems=["ladrag-paper"])
        pages = [one.turns[0].text for one in sight.model.requests if one.decision == "connect_page"][paid:]
        assert [text.split('<page number="')[1][0] for text in pages] == ["3", "4"]
        calls = sight.model.calls
        corpus.add([str(file)], systems=["ladrag-paper"])
        assert sight.model.calls == calls


# Kinds and places


def test_positions_are_fields_of_three_by_three() -> None:
    assert [
        POSITIONS[position_of(box, 300, 600)] for box in ((0, 0, 50, 50), (250, 590, 300, 600), (0, 300, 300, 310))
    ] == [
        "top-left",
        "bottom-right",
        "center",
    ]
    assert position_of((0, 0, 0, 0), 0, 0) == POSITIONS.index("center")
    assert [position_named(said) for said in ("Upper left corner", "center-bottom", "right margin", "", "footer")] == [
        "top-left",
        "bottom",
        "right",
        "center",
        "bottom",
    ]


@given(st.text(max_size=20), st.text(max_size=20))
def test_whatever_a_model_calls_kind_and_place_is_taken(kind: str, position: str) -> None:
    one = SeenNode.model_validate({"kind": kind, "position": position, "content": None, "look": {"size": 9}})
    assert one.position in POSITIONS
    assert (one.content, one.look) == ("", "size: 9")


# Memory


def opened(*levels: tuple[str, int]) -> tuple[SectionName, ...]:
    return tuple(SectionName(name, name, level) for name, level in levels)


def test_the_rule_ends_open_sections_at_a_heading_of_their_level() -> None:
    assert UPDATE_SECTIONS.rule is not None
    before = opened(("p1-1", 1), ("p1-2", 2), ("p2-1", 3))

    def after(*found: tuple[str, int]) -> list[str]:
        assert UPDATE_SECTIONS.rule is not None
        return UPDATE_SECTIONS.rule(SectionsRead(before, opened(*found))).sections

    assert after(("p3-1", 4)) == ["p1-1", "p1-2", "p2-1", "p3-1"]
    assert after(("p3-1", 2)) == ["p1-1", "p3-1"]
    assert after(("p3-1", 1)) == ["p3-1"]
    assert after(("p3-1", 2), ("p3-2", 3)) == ["p1-1", "p3-1", "p3-2"]


def test_the_rule_relates_what_stands_in_a_section_to_it_and_to_the_one_above() -> None:
    rows = [(H, "Boats", 1, 1), (H, "Fees", 1, 2), (H, "Summer", 1, 3), (P, "Twelve a night.", 1, 0)]
    found = links(view_of(document(rows)).layer(DOCUMENT_GRAPH_TABLE))
    assert found == {(source, target, LinkKind.PART_OF) for source, target in ((1, 0), (2, 1), (3, 2), (3, 1))}


def test_a_section_cannot_be_inside_of_one_that_begins_after_it() -> None:
    assert UPDATE_SECTIONS.check is not None
    asked = SectionsRead(opened(("p1-1", 1)), opened(("p3-1", 2), ("p10-2", 3)))
    with pytest.raises(ValueError, match="outermost first"):
        UPDATE_SECTIONS.check(asked, OpenSections(sections=["p3-1", "p1-1"]))
    kept = UPDATE_SECTIONS.check(asked, OpenSections(sections=["p1-1", "p3-1", "p10-2", "p4-4"]))
    assert kept.sections == ["p1-1", "p3-1", "p10-2"]


def test_memory_is_bounded_and_keeps_the_latest() -> None:
    many = [Entity(text=f"E{at}", ids=["p1-1"]) for at in range(MOST_ENTITIES + 5)]
    page = PageElements(1, (PageNode("p1-1", "paragraph", "", "words"),), RunningMemory(opened(("p1-1", 1))))
    after = remembered(RunningMemory(), page, PageLinks(entities=many))
    assert [one.text for one in after.entities] == [f"E{at}" for at in range(5, MOST_ENTITIES + 5)]
    assert after.sections == page.memory.sections
    some = PageLinks(
        topics=[str(at) for at in range(25)],
        unresolved=[Entity(text=f"Table {at}", ids=[f"p1-{one}" for one in range(12)]) for at in range(40)],
    )
    kept = remembered(RunningMemory(), page, some)
    assert (MOST_ENTITIES, len(kept.topics), len(kept.unresolved)) == (60, 20, 30)
    assert kept.unresolved[0].ids == tuple(f"p1-{one}" for one in range(4, 12))
    deep = opened(*((f"p1-{at}", at) for at in range(1, 16)))
    assert UPDATE_SECTIONS.rule is not None
    assert UPDATE_SECTIONS.rule(SectionsRead((), deep)).sections == [one.id for one in deep[-12:]]


def test_what_names_nodes_that_were_not_shown_is_dropped() -> None:
    assert CONNECT_PAGE.check is not None
    memory = RunningMemory(entities=(Tracked("Table 1", ("p1-2",)),))
    page = PageElements(2, (PageNode("p2-1", "paragraph", "", "words"),), memory)
    said = PageLinks.model_validate(
        {
            "relations": [
                {"source": "p2-1", "target": "[P1-2]", "type": "explains"},
                {"source": "p2-1", "target": "p1-9", "type": "explains"},
                {"source": "p2-1", "target": "p2-1", "type": "explains"},
            ],
            "entities": [{"text": "Table 1", "ids": ["p1-2", "p7-7"]}, {"text": "Made up", "ids": ["p8-1"]}],
        }
    )
    kept = CONNECT_PAGE.check(page, said)
    assert [(one.source, one.target) for one in kept.relations] == [("p2-1", "p1-2")]
    assert [(one.text, one.ids) for one in kept.entities] == [("Table 1", ["p1-2"])]


def test_a_node_says_in_its_summary_what_its_content_is_where_only_one_is_told() -> None:
    reply = {
        "nodes": [{"kind": "paragraph", "content": "Gulls nest. They sleep."}, {"kind": "photo", "summary": "A ship."}]
    }
    sight = ScriptedModel([json.dumps(reply)], sees=True)
    decided = Judge({"language": sight}, gateway=quick()).decide(EXTRACT_NODES, PagePicture(1, 1))
    assert [(one.content, one.summary) for one in decided.output.nodes] == [
        ("Gulls nest. They sleep.", "Gulls nest."),
        ("A ship.", "A ship."),
    ]


# What reads it


def test_communities_are_those_of_louvain_with_all_links_alike() -> None:
    import networkx as nx

    graph = view_of(source()).layer(DOCUMENT_GRAPH_TABLE)
    plain: nx.Graph[int] = nx.Graph()
    pairs = sorted(
        {tuple(sorted(pair)) for pair in zip(graph.links.source.tolist(), graph.links.target.tolist(), strict=True)}
    )
    plain.add_nodes_from(sorted({row for pair in pairs for row in pair}))
    plain.add_edges_from(pairs)
    expected = sorted(map(sorted, nx.community.louvain_communities(plain, resolution=1.0, seed=1)))
    labels = communities_of(graph.links, len(ROWS), is_weighted=False)
    found = [np.flatnonzero(labels == label).tolist() for label in range(labels.max() + 1)]
    assert sorted(found) == expected
    assert view_of(source()).layer(NODE_COMMUNITIES_TABLE).tolist() == labels.tolist()


def test_links_of_whatever_kind_hold_nodes_together_alike() -> None:
    rows = [(P, f"Thing {at} of six.", 1, 0) for at in range(6)]
    inside = [(1, 2), (2, 3), (3, 1), (4, 5), (5, 6), (6, 4)]
    across = [(3, 4), (2, 5), (1, 6)]
    related = [(f"p1-{one}", f"p1-{other}", "references") for one, other in inside]
    related += [(f"p1-{one}", f"p1-{other}", "continues") for one, other in across]
    view = Seeing([[node("paragraph", text) for _, text, _, _ in rows]], {1: related}).view(document(rows))
    assert view.layer(NODE_COMMUNITIES_TABLE).tolist() == [0, 0, 0, 1, 1, 1]
    assert communities_of(view.layer(DOCUMENT_GRAPH_TABLE).links, 6).tolist() != [0, 0, 0, 1, 1, 1]


def test_parsing_knows_no_link_of_a_block_with_several_nodes() -> None:
    rows = [(T, "Gull | 12", 1, 0), (CAP, "Table 1: Boats", 1, 0)]
    made = with_tables(document(rows), {0: [["Gull", "12"]]}, {0: 1})

    def known(*nodes: dict[str, str]) -> str:
        sight = Seeing([[*nodes, node("caption", "Table 1: Boats")]])
        BUILD(sight.inputs(made))
        (asked,) = [one.turns[0].text for one in sight.model.requests if one.decision == "connect_page"]
        return asked.split("<known>")[1]

    assert "[p1-2] caption_of [p1-1]" in known(node("table", "Gull 12"))
    assert "caption_of" not in known(node("table", "Gull 12"), node("chart", "a bar"))


def test_parsing_knows_links_of_blocks_that_a_node_is_made_of() -> None:
    rows = [(C, "Gull", 1, 0), (T, "2014 | 2015", 1, 0), (Kind.FOOTNOTE, "a Not asked in 2014.", 1, 0)]
    made = document(rows)
    links = LinkTable(
        source=np.array([2, 1], np.int32),
        target=np.array([1, 0], np.int32),
        kind=np.array([LinkKind.FOOTNOTE_OF, LinkKind.CONTINUES], np.uint8),
        weight=np.ones(2, np.float32),
        text=TextColumn.of(["", ""]),
        origin=np.zeros(2, np.uint8),
    )
    sight = Seeing([[node("chart", "Gull in 2014 and 2015"), node("footnote", "a Not asked in 2014.")]])
    BUILD(sight.inputs(dataclasses.replace(made, links=links)))
    told = next(one for one in sight.model.requests if one.decision == "connect_page").turns[0].text
    known = told.split("<known>")[1].split("</known>")[0]
    # The row of years is a part of the chart: what parsing says of it is said of the chart, and not to itself.
    assert known.split() == ["[p1-2]", LinkKind.FOOTNOTE_OF.label, "[p1-1]"]


def test_the_neural_index_is_over_the_summaries() -> None:
    view = seeing().view(source())
    expected = FakeEmbedder().embed(list(view.layer(DOCUMENT_GRAPH_TABLE).nodes.summary))
    assert np.allclose(view.vectors("document_graph_vectors"), expected, atol=1e-3)


def context_of(view: View, system: str, row: int) -> list[int]:
    """Return what a system's tool puts around a block."""
    run = Run(view, embedder=FakeEmbedder, query=Query("fees"))
    tool = Contextualize(seen=system == "ladrag")
    assert repr(tool) in repr(get(system).retrieve)
    return tool.call(ToolCall(tool="contextualize", ids=["b0"]), np.array([row]), run).evidence.rows.tolist()


@pytest.mark.needs("octavo_methods")
def test_ours_follows_the_links_that_a_model_saw() -> None:
    far = [(P, f"Page {page} speaks of thing {page}.", page, 0) for page in range(1, 9)]
    sight = Seeing([[node("paragraph", text)] for _, text, _, _ in far], {8: [("p8-1", "p1-1", "explains")]}, {})
    sight.entities = {page: [("Thing", ["p1-1"])] for page in range(1, 9)}
    view = sight.view(document(far))
    assert 7 in context_of(view, "ladrag", 0)
    assert 7 not in context_of(view, "ladrag-rule-graph", 0)


@pytest.mark.needs("octavo_methods")
def test_ours_looks_for_words_in_what_a_model_saw_and_tells_its_agent() -> None:
    view = seeing().view(source())
    for system, found in (("ladrag", [2]), ("ladrag-rule-graph", [])):
        model = ScriptedModel(
            [
                json.dumps({"calls": [{"tool": "symbolic_graph_query", "query": {"contains": ["catch"]}}]}),
                json.dumps({"calls": [], "blocks": ["b2"]}),
            ]
        )
        run = Run(view, embedder=FakeEmbedder, judge=Judge({"language": model}, gateway=quick()))
        run_search(get(system), Query("What rose?", limit=4), run)
        told = model.requests[1].turns[0].text.split('["catch"]')[1]
        assert ("[b2] (page 1, chart, in: 1 Fishing) Catch rose from 40 to 55." in told) == bool(found)


def read_by(system: str, *, sees: bool) -> str:
    """Return what the reader of a system is shown of the pages that a model saw."""

    def reply(request: Request) -> str:
        if request.decision != "investigate":
            return json.dumps({"evidence": [], "answerable": False})
        call = {"tool": "symbolic_graph_query", "query": {"kinds": ["chart"]}}
        is_first = '["chart"]' not in request.turns[0].text
        return json.dumps({"calls": [call] * is_first, "blocks": [] if is_first else ["b2"]})

    model = ScriptedModel(reply, sees=sees)

    def pictures(_document: str, places: Sequence[Any]) -> list[Any]:
        return [np.full((2, 2, 3), 9, np.uint8) for _ in places]

    judge = Judge({"language": model}, gateway=quick())
    run = Run(seeing().view(source()), embedder=FakeEmbedder, judge=judge, pictures=pictures)
    run_ask(get(system), Query("How much was caught in 2002?", limit=4), run)
    return next(one.turns[0].text for one in model.requests if one.decision == "answer_from_evidence")


@pytest.mark.needs("octavo_methods")
def test_a_reader_of_ours_that_cannot_look_is_told_what_a_model_read_in_charts() -> None:
    told = "seen in it: 2001: 40; 2002: 55 (Catch rose from 40 to 55.)"
    assert told in read_by("ladrag", sees=False)
    assert told not in read_by("ladrag", sees=True)
    assert told not in read_by("ladrag-rule-graph", sees=False)


def test_of_many_charts_those_come_first_that_the_agent_chose() -> None:
    rows = [(C, "", page, 0) for page in range(1, 5)]
    told = [[node("chart", f"Value {page}")] for page in range(1, 5)]
    view = Seeing(told).view(document(rows))
    found = Evidence.of(view, range(4), relevance=[1, 4, 2, 3], chosen_order=[np.nan, np.nan, 0.5, np.nan])
    model = ScriptedModel(lambda _: json.dumps({"evidence": [], "answerable": False}))
    run = Run(view, embedder=FakeEmbedder, judge=Judge({"language": model}, gateway=quick()))
    run.query = Query("What do the charts say?")
    SeenReader(most=3).read(found, run)
    assert [*run.so_far.pictures.values()] == ["Value 3", "Value 2", "Value 4"]


@pytest.mark.needs("octavo_methods")
def test_by_rule_ours_finds_what_it_does_without_the_layer() -> None:
    run = Run(view_of(source()), embedder=FakeEmbedder)
    names = ("ladrag", "ladrag-rule-graph")
    ours, plain = (run_search(get(name), Query("What is dearer?", limit=4), run) for name in names)
    assert ours.evidence == plain.evidence


def test_graphs_of_several_documents_are_one() -> None:
    view = view_of(source(), document(ROWS, name="b.pdf"))
    graph = view.layer(DOCUMENT_GRAPH_TABLE)
    assert len(graph) == 2 * len(ROWS)
    assert graph.nodes.row.tolist() == [*range(2 * len(ROWS))]
    assert graph.blocks_of(len(ROWS) + 4).tolist() == [len(ROWS) + 4]
    assert view.layer(NODE_COMMUNITIES_TABLE)[len(ROWS) :].min() > view.layer(NODE_COMMUNITIES_TABLE)[: len(ROWS)].max()
    # Pages of several nodes a block: links are from node to node.
    seen = DocumentGraph.join([graph_of(BUILD(seeing().inputs(source())))] * 2, [0, len(ROWS)])
    half = len(seen.links) // 2
    assert (seen.links.source[half:] - seen.links.source[:half]).tolist() == [len(seen) // 2] * half
    assert seen.nodes.row[len(seen) // 2] == len(ROWS)


def test_damaged_bytes_are_refused() -> None:
    data = BUILD(LayerInputs(source()))
    with pytest.raises(CorpusError):
        graph_of(data[: len(data) // 2])

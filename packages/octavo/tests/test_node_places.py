"""Nodes of a page and the blocks they stand at: whatever a model names on a page is a node of its own."""

from __future__ import annotations

import dataclasses
import json
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import pdfs
from indexed import FakeEmbedder
from octavo.decisions.engine.judge import Judge
from octavo.decisions.extract_nodes import SeenNode
from octavo.evidence import Query, View
from octavo.evidence.document_graph import DOCUMENT_GRAPH_TABLE
from octavo.layers.document_graph.assignment import assigned
from octavo.layers.document_graph.placing import placed
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Run
from octavo.operators.search_agent.tools import links_of
from octavo.systems import get, run_ask, run_search
from octavo_documents.document import Document, Kind
from octavo_documents.parsing.pdf import extract
from octavo_documents.structuring import structure
from seen_pages import Seeing, node, quick
from synthetic import document

H, P, C, F, T = Kind.HEADING, Kind.PARAGRAPH, Kind.CHART, Kind.FIGURE, Kind.TABLE
FISH = ("Herring", "Cod", "Sole", "Plaice")
YEARS = (1990, 2000, 2010, 2020)
ACROSS = ("left", "center", "center", "right")
DOWN = ("top", "center", "center", "bottom")


def sixteen_charts(canvas: Any) -> None:
    """Draw four rows of four charts close to each other, each row under a title of its own."""
    for down, year in enumerate(YEARS):
        base = 620 - 160 * down
        canvas.setFont("Helvetica-Bold", 12)
        canvas.drawString(72, base + 92, f"Landings in {year}")
        for across, fish in enumerate(FISH):
            left = 72 + 115 * across
            canvas.setFont("Helvetica", 7)
            canvas.setFillColorRGB(0, 0, 0)
            canvas.drawString(left, base + 80, fish)
            for at in range(4):
                canvas.setFillColorRGB(0.2, 0.4, 0.7)
                canvas.rect(left + 22 * at, base, 16, 12 + 15 * ((at + across + down) % 4), stroke=0, fill=1)
                canvas.setFillColorRGB(0, 0, 0)
                canvas.drawCentredString(left + 22 * at + 8, base - 9, "NESW"[at])


def charted(tmp_path: Path) -> Document:
    path = pdfs.write(tmp_path / "landings.pdf", sixteen_charts)
    return structure(extract(path, ocr="never"), name=path.name, digest="0" * 64)


def landings() -> list[dict[str, str]]:
    """Return what a model tells of this page: a heading for each row, then its charts."""
    told: list[dict[str, str]] = []
    for year, down in zip(YEARS, DOWN, strict=True):
        told.append(node("section header", f"Landings in {year}"))
        for fish, across in zip(FISH, ACROSS, strict=True):
            place = "-".join(part for part in (down, across) if part != "center") or "center"
            told.append(node("bar chart", "N, E, S, W", f"{fish} landed in {year}.", title=fish, position=place))
    return told


def landed(tmp_path: Path) -> View:
    return Seeing([landings()]).view(charted(tmp_path))


def test_sixteen_charts_that_parsing_takes_for_four_are_sixteen_nodes(tmp_path: Path) -> None:
    view = landed(tmp_path)
    charts = np.flatnonzero(view.blocks.kind == C)
    assert len(charts) == 4
    nodes = view.layer(DOCUMENT_GRAPH_TABLE).nodes
    assert len(nodes) == 20
    assert [Kind(kind) for kind in nodes.kind.tolist()] == 4 * [H, C, C, C, C]
    assert nodes.summary[5 * 2 + 3] == "Sole landed in 2010."
    # Each chart stands at the block of its row of charts, each heading at its own words.
    assert [nodes.row[at] for at in range(20) if at % 5] == np.repeat(charts, 4).tolist()
    headings = [view.blocks.text[row] for row in nodes.row[::5].tolist()]
    assert headings == [f"Landings in {year}" for year in YEARS]
    assert [view.layer(DOCUMENT_GRAPH_TABLE).blocks_of(at).tolist() for at in range(0, 20, 5)] == [
        [row] for row in nodes.row[::5]
    ]


@pytest.mark.needs("octavo_methods")
def test_a_query_finds_all_of_them_and_the_reader_is_told_the_one_that_was_listed(tmp_path: Path) -> None:
    view = landed(tmp_path)
    calls = {"tool": "symbolic_graph_query", "query": {"kinds": ["chart"]}}
    script = iter(
        [
            json.dumps({"plan": "1.", "call": calls, "nodes": []}),
            json.dumps({"plan": "", "call": None, "nodes": ["n13"]}),
            json.dumps({"evidence": [], "answerable": False}),
        ]
    )
    model = ScriptedModel(lambda _: next(script))
    run = Run(view, embedder=FakeEmbedder, judge=Judge({"language": model}, gateway=quick()))
    run_ask(get("ladrag-paper"), Query("How much sole was landed in 2010?", limit=100), run)
    found = model.requests[1].turns[0].text
    assert found.count(", chart)") == 16
    assert "[n13] (page 1, center, chart) Sole landed in 2010." in found
    read = model.requests[2].turns[0].text
    assert "In short: Sole landed in 2010." in read
    assert read.count("In short:") == 1  # three more charts stand at the same block


@pytest.mark.needs("octavo_methods")
def test_ours_is_told_of_all_charts_at_a_block(tmp_path: Path) -> None:
    view = landed(tmp_path)
    replies = [
        json.dumps({"plan": "", "calls": [{"tool": "symbolic_graph_query", "query": {"contains": ["sole"]}}]}),
        json.dumps({"plan": "", "calls": [], "blocks": []}),
    ]
    model = ScriptedModel(replies)
    run = Run(view, embedder=FakeEmbedder, judge=Judge({"language": model}, gateway=quick()))
    run_search(get("ladrag"), Query("Sole?", limit=4), run)
    told = model.requests[1].turns[0].text.split('["sole"]')[1]
    assert "Herring landed in 2010. Cod landed in 2010. Sole landed in 2010. Plaice landed in 2010." in told


def test_ours_follows_no_link_from_a_block_to_itself() -> None:
    told = [seen("chart", "one"), seen("chart", "two"), seen("paragraph", "Of both.")]
    sight = Seeing(
        [[one.model_dump() for one in told]], {1: [("p1-1", "p1-2", "references"), ("p1-3", "p1-1", "explains")]}
    )
    view = sight.view(document([(C, "", 1, 0), (P, "Of both.", 1, 0)]))
    assert view.layer(DOCUMENT_GRAPH_TABLE).nodes.row.tolist() == [0, 0, 1]
    found = links_of(view, layers=False, seen=True)
    assert list(zip(found.source.tolist(), found.target.tolist(), strict=True)) == [(1, 0)]


# By words


def seen(kind: str, content: str, summary: str = "", **more: str) -> SeenNode:
    return SeenNode.model_validate(node(kind, content, summary, **more))


def rows_of(nodes: list[SeenNode], *rows: tuple[Kind, str]) -> list[tuple[int, tuple[int, ...]]]:
    made = document([(kind, text, 1, 1 if kind == H else 0) for kind, text in rows])
    return [(one.row, one.rows) for one in placed(made, 1, nodes)]


def test_a_node_stands_at_the_block_that_has_its_words() -> None:
    found = rows_of(
        [seen("paragraph", "Gulls nest on the roof.")], (P, "The ferry sails."), (P, "Gulls nest on the roof")
    )
    assert found == [(1, (1,))]


def test_a_node_of_several_blocks_has_the_words_of_all() -> None:
    found = rows_of(
        [seen("list", "cook; pilot; a second mate of long standing")],
        (Kind.LIST_ITEM, "cook"),
        (Kind.LIST_ITEM, "pilot"),
        (Kind.LIST_ITEM, "a second mate of long standing"),
    )
    assert found == [(2, (0, 1, 2))]


def test_a_word_of_a_node_stands_for_one_block() -> None:
    rows = ((P, "Fees for mooring"), (P, "Fees for landing"), (P, "Yes"), (P, "Yes"))
    assert rows_of([seen("paragraph", "Fees for landing")], *rows) == [(1, (1,))]
    twice = [seen("paragraph", "Yes", position="left"), seen("paragraph", "Yes", position="right")]
    assert rows_of(twice, *rows) == [(2, (2,)), (3, (3,))]


# A node for each


def test_each_node_of_one_block_is_a_node() -> None:
    told = [seen("paragraph", "Gulls nest on the roof."), seen("paragraph", "The ferry sails at noon.")]
    found = rows_of(told, (P, "Gulls nest on the roof. The ferry sails at noon."))
    assert found == [(0, (0,)), (0, (0,))]


def test_a_heading_that_parsing_has_in_a_figure_is_a_heading_beside_it() -> None:
    made = document([(F, "Where we land: North South", 1, 0)])
    found = placed(made, 1, [seen("heading", "Where we land"), seen("map", "North, South", "A map of two quays.")])
    assert [(one.node.kind, one.node.summary, one.row) for one in found] == [
        ("heading", "Where we land", 0),
        ("figure", "A map of two quays.", 0),
    ]


def test_what_is_told_twice_of_one_place_is_one_node() -> None:
    chart = seen("chart", "Spring: 4", position="top")
    again = seen("Bar chart", " spring: 4", "In other words.", position="top")
    elsewhere = seen("chart", "Spring: 4", position="bottom")
    assert len(rows_of([chart, again], (C, ""))) == 1
    assert len(rows_of([chart, elsewhere], (C, ""))) == 2
    assert len(rows_of([chart, seen("chart", "Autumn: 4", position="top")], (C, ""))) == 2


# By place


def test_a_picture_without_words_stands_where_it_is_said_to_and_two_at_different_blocks() -> None:
    nodes = [seen("chart", "bars", position="top-left"), seen("chart", "lines", position="bottom-right")]
    assert [one.row for one in placed(_two_charts(), 1, nodes)] == [2, 0]


def test_a_third_picture_does_not_drive_another_from_its_place() -> None:
    nodes = [
        seen("chart", "bars", position="top-left"),
        seen("chart", "dots", position="top-left"),
        seen("chart", "lines", position="bottom-right"),
    ]
    assert [one.row for one in placed(_two_charts(), 1, nodes)] == [2, 2, 0]


def _two_charts() -> Document:
    made = document([(C, "", 1, 0), (P, "Between them.", 1, 0), (C, "", 1, 0)])
    boxes = np.array([[300, 700, 500, 800], [72, 400, 500, 410], [72, 72, 200, 172]], np.float32)
    return dataclasses.replace(made, blocks=dataclasses.replace(made.blocks, box=boxes))


# Together


def side_by_side(*blocks: tuple[Kind, str]) -> Document:
    """Return a page of blocks that all reach over its middle."""
    made = document([(kind, text, 1, 0) for kind, text in blocks])
    boxes = np.array([[72, 300 + at, 540, 500 + at] for at in range(len(blocks))], np.float32)
    return dataclasses.replace(made, blocks=dataclasses.replace(made.blocks, box=boxes))


def test_a_chart_goes_to_the_block_it_says_most_of_not_to_the_longest() -> None:
    small, large = "07 08 very 62", "07 08 09 10 very somewhat 33 36 29 25 20 18"
    nodes = [
        seen("chart", f"{small}; beside it, from 09 on, somewhat rises and falls"),
        seen("chart", "07 08 09 10 very 33 36 29 25 20 18"),
    ]
    found = [one.row for one in placed(side_by_side((C, small), (C, large)), 1, nodes)]
    assert found == [0, 1]
    assert [one.row for one in placed(side_by_side((C, large), (C, small)), 1, nodes)] == [1, 0]


def test_what_one_chart_shares_with_its_neighbour_does_not_drive_that_from_its_own() -> None:
    first, second = "north 12 south 14 east 9", "north 3 south 5 east 7"
    told = [seen("chart", f"{first}. More than {second}"), seen("chart", second)]
    assert [one.row for one in placed(side_by_side((C, first), (C, second)), 1, told)] == [0, 1]
    assert [one.row for one in placed(side_by_side((C, second), (C, first)), 1, told)] == [1, 0]


def test_a_chart_that_parsing_took_for_a_table_stands_there() -> None:
    nodes = [seen("chart", "gulls 12, terns 3"), seen("chart", "boats 4, barges 8")]
    for blocks in (((T, "boats | 4\nbarges | 8"), (C, "gulls 12 terns 3")), ((T, "I | II"), (C, "gulls 12 terns 3"))):
        assert [one.row for one in placed(side_by_side(*blocks), 1, nodes)] == [1, 0]
    assert [one.row for one in placed(side_by_side((P, "Birds."), (T, "I | II")), 1, nodes[:1])] == [1]
    # A row of years below a chart is no table, and the chart is the one with its bars.
    line = seen("chart", "gulls 12 in 2014, terns 3 in 2015")
    axis = side_by_side((C, "gulls 12 terns 3 owls"), (T, "2014 | 2015"))
    assert [(one.row, one.rows) for one in placed(axis, 1, [line])] == [(0, (0, 1))]


def test_a_table_keeps_its_block_where_a_chart_stands_beside_it() -> None:
    nodes = [seen("chart", "gulls rise"), seen("chart", "terns fall"), seen("table", "boats 4, barges 8")]
    found = [one.row for one in placed(side_by_side((T, "boats | 4\nbarges | 8"), (C, "")), 1, nodes)]
    assert found == [1, 1, 0]


def test_a_chart_does_not_stand_at_its_heading_where_it_has_labels() -> None:
    rows = ((H, "More concern with protection of the country"), (P, "49 56"))
    assert rows_of([seen("chart", "More concern with protection of the country. 49 to 56")], *rows) == [(1, (0, 1))]


@given(st.data())
def test_each_chart_of_a_page_stands_at_its_own_block(data: st.DataObject) -> None:
    """Charts told in any order, each with its labels, some lost, and a few of others."""
    labels = data.draw(
        st.lists(st.lists(st.integers(0, 99), min_size=6, max_size=12, unique=True), min_size=2, max_size=6)
    )
    own = [" ".join(f"{'abcdef'[at]}{label}" for label in some) for at, some in enumerate(labels)]
    order = data.draw(st.permutations(range(len(own))))
    kinds = data.draw(st.lists(st.sampled_from((C, F, T)), min_size=len(own), max_size=len(own)))
    nodes = [seen("chart", f"{' '.join(own[at].split()[1:])} {own[at - 1][:6]}", title=str(at)) for at in order]
    found = placed(side_by_side(*zip(kinds, own, strict=True)), 1, nodes)
    assert {one.node.title: one.row for one in found} == {str(at): at for at in order}


costs = st.integers(1, 5).flatmap(
    lambda rows: st.integers(rows, 6).flatmap(
        lambda columns: arrays(np.float64, (rows, columns), elements=st.integers(0, 9).map(float))
    )
)


@given(costs)
def test_an_assignment_costs_the_least_there_is(cost: Any) -> None:
    rows, columns = cost.shape
    found = assigned(cost).tolist()
    assert len(set(found)) == rows
    least = min(sum(cost[at, to] for at, to in enumerate(way)) for way in permutations(range(columns), rows))
    assert sum(cost[at, to] for at, to in enumerate(found)) == least


def test_page_headers_and_footers_are_nodes_at_their_own_blocks() -> None:
    rows = ((Kind.PAGE_HEADER, "Fishing report"), (P, "A fishing report, page 7 of it."), (Kind.PAGE_FOOTER, "7"))
    told = [seen("page header", "Fishing report"), seen("paragraph", rows[1][1]), seen("page number", "7")]
    assert rows_of(told, *rows) == [(0, (0,)), (1, (1,)), (2, (2,))]
    assert rows_of([seen("page number", "7")], (P, "Text.")) == [(0, (0,))]
    # What parsing took for a footer and the model for a text stands at its words.
    assert rows_of([seen("paragraph", "Seven boats")], (P, "Text."), (Kind.PAGE_FOOTER, "Seven boats")) == [(1, (1,))]


def test_a_page_without_blocks_has_no_nodes() -> None:
    assert placed(document([], pages=1), 1, [seen("photo", "a ship")]) == []

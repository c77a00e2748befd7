"""The agent's tools: what each finds and shows, what it refuses, and how blocks are numbered."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_symbolic import HANDBOOK, linked

from indexed import run_over, view_of
from octavo.decisions.investigate import ToolCall
from octavo.evidence import View
from octavo.evidence.layer_tables import LINKS_TABLE
from octavo.operators.core import Run
from octavo.operators.score.fuse import Fuse, Part
from octavo.operators.score.search import Search
from octavo.operators.search_agent.contextualize import ContextReach, Contextualize, around, members, nearest_first
from octavo.operators.search_agent.graph_query import SymbolicGraphQuery
from octavo.operators.search_agent.tools import (
    MOST_LINES,
    NeuroSemanticSearch,
    Refused,
    Tool,
    lines_of,
    number,
    read_number,
)
from octavo_documents.document import Document, Kind, LinkKind, TextColumn
from synthetic import document, documents

SEARCH = NeuroSemanticSearch(Search("bm25") >> Fuse((Part("bm25", 1.0),)), count=2)
NOTHING = np.zeros(0, np.int64)


def rows(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


def test_the_search_keeps_every_score_and_shows_the_best() -> None:
    called = SEARCH.call(ToolCall(tool="neuro_semantic_search", query="winter cook"), NOTHING, run_over(HANDBOOK))
    assert set(called.shown.tolist()) <= {6, 7, 8}
    assert len(called.shown) == 2 < len(called.evidence)
    assert [step.step for step in called.steps] == ["Search", "Fuse"]


def test_the_blocks_that_a_search_shows_are_of_several_pages() -> None:
    source = document([(Kind.PARAGRAPH, f"cook {at}", 1 + at // 5, 0) for at in range(10)])
    search = NeuroSemanticSearch(Search("bm25") >> Fuse((Part("bm25", 1.0),)), count=4)
    called = search.call(ToolCall(tool="neuro_semantic_search", query="cook"), NOTHING, run_over(source))
    assert sorted(called.evidence.view.blocks.page[called.shown].tolist()) == [1, 1, 2, 2]
    fewer = search.call(ToolCall(tool="neuro_semantic_search", query="cook", k=3), NOTHING, run_over(source))
    assert len(fewer.shown) == 3


def test_a_graph_query_tells_how_many_there_are_and_where() -> None:
    call = ToolCall(tool="symbolic_graph_query", query={"kinds": ["table"], "group_by": "page"})
    called = SymbolicGraphQuery().call(call, NOTHING, run_over(HANDBOOK))
    assert called.evidence.rows.tolist() == [7, 10]
    assert called.note == "2 blocks (page 3: 1, page 5: 1)"


@pytest.mark.parametrize(
    ("tool", "call", "told"),
    [
        (SEARCH, ToolCall(tool="neuro_semantic_search", query=" "), "words"),
        (SEARCH, ToolCall(tool="neuro_semantic_search", query={"kinds": ["table"]}), "words"),
        (SymbolicGraphQuery(), ToolCall(tool="symbolic_graph_query", query="charts"), "query"),
        (SymbolicGraphQuery(), ToolCall(tool="symbolic_graph_query", query={"kind": "chart"}), "fields are"),
        (SymbolicGraphQuery(), ToolCall(tool="symbolic_graph_query", query={"matches": "[a-z]+"}), "no regular"),
        (SymbolicGraphQuery(seconds=-1.0), ToolCall(tool="symbolic_graph_query", query={"pages": 1}), "takes longer"),
        (Contextualize(), ToolCall(tool="contextualize"), "name blocks"),
    ],
)
def test_a_call_that_cannot_be_carried_out_is_refused_with_what_to_change(
    tool: Tool, call: ToolCall, told: str
) -> None:
    with pytest.raises(Refused, match=told):
        tool.call(call, NOTHING, run_over(HANDBOOK))


def reach(view: View, *, pages: int = 5) -> ContextReach:
    return ContextReach(view.layer(LINKS_TABLE), members(view, rows(0)), pages=pages)


def test_context_is_the_section_first_then_what_links_lead_to() -> None:
    found, left = around(view_of(HANDBOOK), rows(3), reach(view_of(HANDBOOK)), cap=40)
    near = dict(zip(found.rows.tolist(), found.scores["contextual"].tolist(), strict=True))
    assert near[2] == near[4] == 1.0
    assert near[8] == 0.5
    assert 3 not in near
    assert 5 not in near
    assert left == 0


def test_a_section_over_too_many_pages_is_no_unit() -> None:
    long = document([(Kind.HEADING, "All", 1, 1), *((Kind.PARAGRAPH, f"text {page}", page, 0) for page in range(1, 8))])
    run = view_of(long)
    assert (around(run, rows(1), reach(run, pages=7), cap=40)[0].scores["contextual"] == 1.0).all()
    assert not (around(run, rows(1), reach(run, pages=6), cap=40)[0].scores["contextual"] == 1.0).any()


def test_what_goes_on_on_another_page_belongs_to_the_unit() -> None:
    source = linked(
        document([(Kind.TABLE, "a | 1", 1, 0), (Kind.PARAGRAPH, "between", 2, 0), (Kind.TABLE, "b | 2", 3, 0)]),
        [(2, 0, LinkKind.CONTINUES)],
    )
    found, _ = around(view_of(source), rows(0), reach(view_of(source)), cap=40)
    assert dict(zip(found.rows.tolist(), found.scores["contextual"].tolist(), strict=True))[2] == 1.0


@given(documents(), st.integers(0, 23), st.integers(1, 5))
def test_the_parts_of_a_long_context_are_all_of_it_each_block_once_nearest_first(
    source: Document, at: int, cap: int
) -> None:
    view = view_of(source)
    if not len(view):
        return
    start = rows(at % len(view))
    whole_reach = ContextReach(view.layer(LINKS_TABLE), members(view, start), hops=2, pages=3)
    whole, none_left = around(view, start, whole_reach, cap=1000)
    parts, left, part = [], 1, 1
    while left:
        found, left = around(view, start, whole_reach, cap=cap, part=part)
        parts.append(found)
        part += 1
    assert none_left == 0
    assert sorted(row for found in parts for row in found.rows.tolist()) == whole.rows.tolist()
    is_unit = [score == 1.0 for found in parts for score in sorted(found.scores["contextual"].tolist(), reverse=True)]
    assert is_unit == sorted(is_unit, reverse=True)


def test_blocks_are_shown_a_line_each_with_page_kind_and_section() -> None:
    view = view_of(HANDBOOK)
    assert lines_of(view, rows(10)) == ["[b10] (page 5, table, in: Appendix B: Fees) Berth | 12 crowns"]
    assert lines_of(view, rows(0)) == ["[b0] (page 1, heading) 1 Harbour"]
    assert lines_of(view, rows(3)) == ["[b3] (page 2, chart, in: 1.1 Tides and currents) Figure 1: High tides"]


def test_a_long_list_is_shown_in_parts() -> None:
    run = run_over(document([(Kind.PARAGRAPH, f"text {page}", page, 0) for page in range(1, MOST_LINES + 4)]))
    call = ToolCall(tool="symbolic_graph_query", query={"kinds": ["paragraph"]})
    first = SymbolicGraphQuery().call(call, NOTHING, run)
    assert first.shown.tolist() == list(range(MOST_LINES))
    assert first.note == f"{MOST_LINES + 3} blocks; 1 to {MOST_LINES} shown, more with part 2"
    second = SymbolicGraphQuery().call(call.model_copy(update={"part": 2}), NOTHING, run)
    assert second.shown.tolist() == [MOST_LINES, MOST_LINES + 1, MOST_LINES + 2]
    assert len(first.result) == len(second.result) == MOST_LINES + 3


def test_a_limit_says_how_many_are_shown_and_a_count_shows_none() -> None:
    run = run_over(document([(Kind.TABLE, f"row {page}", page, 0) for page in range(1, 31)]))
    asked = {"kinds": ["table"], "limit": 25}
    limited = SymbolicGraphQuery().call(ToolCall(tool="symbolic_graph_query", query=asked), NOTHING, run)
    assert len(limited.shown) == 25
    asked = {"kinds": ["table"], "operation": "count"}
    counted = SymbolicGraphQuery().call(ToolCall(tool="symbolic_graph_query", query=asked), NOTHING, run)
    assert (counted.note, len(counted.shown), len(counted.result)) == ("30 blocks", 0, 30)


def test_of_a_long_block_the_line_is_shown_that_has_what_is_looked_for() -> None:
    table = "Name | Depth\n" + "\n".join(f"Station {number} | {number * 7}" for number in range(99))
    (line,) = lines_of(View([document([(Kind.TABLE, table, 1, 0)])]), rows(0), terms=["539"])
    assert line == "[b0] (page 1, table) Name | Depth / ... Station 77 | 539 ..."
    prose = "The fleet sails. " * 40 + "A keeper lives here. " + "The fleet sails. " * 40
    (line,) = lines_of(View([document([(Kind.PARAGRAPH, prose, 1, 0)])]), rows(0), terms=["keeper"])
    assert "A keeper lives here." in line


def test_of_a_long_table_the_heads_and_all_rows_with_what_is_looked_for_are_shown() -> None:
    lines = [f"{name} {at} | {at} crowns for a night at the pier" for name in ("Berth", "Mooring") for at in range(20)]
    view = View([document([(Kind.TABLE, "\n".join(["What | Price", *lines]), 1, 0)])])
    (line,) = lines_of(view, np.array([0], np.int64), terms=["7"])
    assert "What | Price / " in line
    assert "Berth 7 | 7 crowns" in line
    assert "Mooring 7 | 7 crowns" in line
    assert len(line) < 500


def test_more_is_shown_of_the_first_blocks_of_a_search() -> None:
    paragraphs = [(Kind.PARAGRAPH, f"Keeper {at} lives on the pier. " * 30, at, 0) for at in (1, 2)]
    first, second = lines_of(View([document(paragraphs)]), np.array([0, 1], np.int64), terms=["keeper"], longer=1)
    assert len(first) > 350 > 300 > len(second)


def test_context_begins_with_the_direct_neighbours_on_both_sides_across_pages() -> None:
    source = document(
        [
            (Kind.HEADING, "Fleet", 1, 1),
            *((Kind.PARAGRAPH, f"Ferry {at}.", 1 + at // 3, 0) for at in range(1, 6)),
            (Kind.HEADING, "Dues", 3, 1),
            *((Kind.PARAGRAPH, f"Due {at}.", 3, 0) for at in range(3)),
        ]
    )
    view = view_of(source)
    assert nearest_first(view, rows(5), reach(view))[:4].tolist() == [4, 6, 3, 7]
    assert set(nearest_first(view, rows(5), reach(view)).tolist()) == {0, 1, 2, 3, 4, 6, 7}


def test_blocks_that_were_shown_are_named_and_not_shown_again() -> None:
    assert lines_of(view_of(HANDBOOK), rows(0, 10), told={10})[1:] == ["and, shown above: b10"]


def test_the_agent_reads_printed_page_numbers() -> None:
    source = document([(Kind.PARAGRAPH, "text", 1, 0)])
    source = dataclasses.replace(source, pages=dataclasses.replace(source.pages, label=TextColumn.of(["iv"])))
    assert lines_of(View([source]), rows(0)) == ['[b0] (page 1 (printed "iv"), paragraph) text']


def test_without_stored_layers_links_of_the_document_are_followed_and_entities_refused() -> None:
    run = Run(View([HANDBOOK]))
    found = Contextualize(layers=False).call(ToolCall(tool="contextualize", ids=["b3"]), rows(3), run)
    assert {2, 4, 8} <= set(found.result.tolist())
    call = ToolCall(tool="symbolic_graph_query", query={"entities": ["Grey Heron"]})
    with pytest.raises(Refused, match='look for names with "contains"'):
        SymbolicGraphQuery(layers=False).call(call, NOTHING, run)
    follow = {"contains": ["Figure 1"], "follow": ["caption_of"], "hops": 1}
    query = ToolCall(tool="symbolic_graph_query", query=follow)
    assert 3 in SymbolicGraphQuery(layers=False).call(query, NOTHING, run).result


@pytest.mark.parametrize(
    ("text", "read"),
    [("b12", ("b", 12)), ("[r2]", ("r", 2)), (" B 3 ", ("b", 3)), ("12", None), ("b-1", None), ("b" + "9" * 40, None)],
)
def test_numbers_are_read_as_models_write_them(text: str, read: tuple[str, int] | None) -> None:
    assert read_number(text) == read
    assert read_number(number(7)) == ("b", 7)


def test_the_tools_say_which_layers_they_read() -> None:
    assert SEARCH.needs() == {"passages", "terms"}
    assert SymbolicGraphQuery().needs() == {"links", "entities"}
    assert Contextualize().needs() == {"links", "communities"}

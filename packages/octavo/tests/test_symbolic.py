"""Symbolic queries: what each condition selects, links followed, counts and groups, and hostile queries refused."""

from __future__ import annotations

import dataclasses
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexed import run_over, view_of
from octavo.decisions.investigate import ToolCall
from octavo.evidence import Query, View
from octavo.evidence.layer_tables import ENTITIES_TABLE, LINKS_TABLE
from octavo.operators.search_agent.graph_query import SymbolicGraphQuery
from octavo.operators.search_agent.links_followed import distances
from octavo.operators.search_agent.symbolic_query import InvalidQuery, Pattern, SymbolicQuery, parse
from octavo.operators.search_agent.symbolic_search import FoundBlocks, execute
from octavo_documents.document import Document, Kind, LinkKind, LinkTable, TextColumn
from synthetic import document, documents

ROWS = [
    (Kind.HEADING, "1 Harbour", 1, 1),
    (Kind.PARAGRAPH, "Ships come and go.", 1, 0),
    (Kind.HEADING, "1.1 Tides and currents", 2, 2),
    (Kind.CHART, "", 2, 0),
    (Kind.CAPTION, "Figure 1: High tides", 2, 0),
    (Kind.PAGE_FOOTER, "Harbour handbook 2", 2, 0),
    (Kind.HEADING, "2 Winter crew", 3, 1),
    (Kind.TABLE, "Cook | 2", 3, 0),
    (Kind.PARAGRAPH, "Two cooks, see Figure 1. Call 555-0199.", 4, 0),
    (Kind.HEADING, "Appendix B: Fees", 5, 1),
    (Kind.TABLE, "Berth | 12 crowns", 5, 0),
]
LINKS = [(4, 3, LinkKind.CAPTION_OF), (8, 3, LinkKind.REFERS_TO)]


def linked(source: Document, links: list[tuple[int, int, LinkKind]]) -> Document:
    table = LinkTable(
        source=np.array([one[0] for one in links], np.int32),
        target=np.array([one[1] for one in links], np.int32),
        kind=np.array([one[2] for one in links], np.uint8),
        weight=np.ones(len(links), np.float32),
        text=TextColumn.of([""] * len(links)),
        origin=np.zeros(len(links), np.uint8),
    )
    return dataclasses.replace(source, links=table)


HANDBOOK = linked(document(ROWS), LINKS)


def ask(view: View | None = None, **fields: object) -> FoundBlocks:
    return execute(view or view_of(HANDBOOK), parse(fields))


def rows(**fields: object) -> list[int]:
    return ask(**fields).rows.tolist()


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"kinds": ["table"]}, [7, 10]),
        ({"contains": ["tid"]}, []),
        ({"kinds": "Charts"}, [3]),
        ({"kinds": ["title"]}, [0, 2, 6, 9]),
        ({"pages": "3-4"}, [6, 7, 8]),
        ({"pages": [1, "5"]}, [0, 1, 9, 10]),
        ({"pages": [[3, 3]]}, [6, 7]),
        ({"sections": ["tides"]}, [2, 3, 4]),
        ({"sections": ["1"]}, [0, 1, 2, 3, 4]),
        ({"sections": "Appendix B"}, [9, 10]),
        ({"sections": ["Kitchen"]}, []),
        ({"contains": ["COOK"]}, [7, 8]),
        ({"contains": "high tides"}, [3, 4]),
        ({"contains": ["Figure 1"], "kinds": ["paragraph"]}, [8]),
        ({"contains": ["Figure 1", "comes  and"], "pages": 1}, []),
        ({"contains": "hips"}, []),
        ({"contains": "555-019"}, []),
        ({"max_characters": 9}, [0, 3, 7]),
        ({"matches": "call ###-*9"}, [8]),
        ({"matches": "figure ?"}, [3, 4, 8]),
        ({"style": {"bold": True}}, [0, 2, 6, 9]),
        ({"kinds": ["table"], "sections": ["winter"]}, [7]),
        ({"kinds": ["table"], "contains": ["crowns"], "pages": "1-4"}, []),
        ({"pages": "1-5", "limit": 2}, [0, 1]),
    ],
    ids=str,
)
def test_conditions_select_the_blocks_that_meet_all_of_them(fields: dict[str, object], expected: list[int]) -> None:
    assert rows(**fields) == expected


def test_an_element_is_found_by_the_words_of_its_caption() -> None:
    assert rows(kinds=["chart"], contains=["high tides"]) == [3]


def test_a_table_is_found_by_the_title_right_above_it() -> None:
    source = document(
        [
            (Kind.HEADING, "Consolidated Balance Sheets", 1, 1),
            (Kind.PARAGRAPH, "(in millions)", 1, 0),
            (Kind.TABLE, "Cash | 12", 1, 0),
            (Kind.HEADING, "Notes", 1, 1),
            (Kind.PARAGRAPH, "They are part of the balance sheets.", 1, 0),
        ]
    )
    assert ask(view_of(source), kinds=["table"], contains=["balance sheet"]).rows.tolist() == [2]
    assert ask(view_of(source), kinds=["title", "table"], contains=["balance sheets"]).rows.tolist() == [0, 2]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("5", ["Room 5.", "5 beds", "(5)", "5, then 6"]),
        ("12", ["12%"]),
        ("press", ["the press", "two presses"]),
        ("Times", ["The Times wrote", "three times"]),
        ("time", ["at that time", "The Times wrote", "three times"]),
        ("boxes", ["a box", "boxes"]),
        ("ferries", ["a ferry", "ferries"]),
    ],
)
def test_words_are_found_whole_in_either_number_and_numbers_as_they_are(words: str, found: list[str]) -> None:
    texts = ["Room 5.", "5 beds", "(5)", "5, then 6", "0.5 m", "5.3", "1,005", "15", "5,120", "12%", "0,12", "12.5"]
    texts += ["the press", "two presses", "prepress", "pre", "The Times wrote", "at that time", "three times", "Tim"]
    texts += ["a box", "boxes", "a ferry", "ferries"]
    view = view_of(document([(Kind.PARAGRAPH, text, 1, 0) for text in texts]))
    assert [texts[row] for row in ask(view, contains=[words]).rows.tolist()] == [
        text for text in texts if text in found
    ]


def test_a_short_number_that_stands_in_many_blocks_asks_for_words_beside_it() -> None:
    using = run_over(document([(Kind.PARAGRAPH, f"Day {at} of 7", 1, 0) for at in range(120)]))
    tool = SymbolicGraphQuery(layers=False)
    for contains, is_asked in ((["7"], True), (["day"], False)):
        asked = ToolCall(tool="symbolic_graph_query", query={"contains": contains})
        called = tool.call(asked, np.zeros(0, np.int64), using)
        assert ("words beside it" in called.note) == is_asked


def test_a_look_stands_out_from_what_is_common_in_its_own_document() -> None:
    source = document([(Kind.PARAGRAPH, "plain text that is long", 1, 0), (Kind.PARAGRAPH, "odd", 1, 0)])
    blocks = dataclasses.replace(source.blocks, color=np.array([0, 0xFF0000]), size=np.array([10, 14], np.float32))
    view = view_of(dataclasses.replace(source, blocks=blocks))
    for style in ({"colored": True}, {"larger": True}, {"min_size": 12}):
        assert ask(view, style=style).rows.tolist() == [1]
    assert ask(view, style={"colored": False, "max_size": 11}).rows.tolist() == [0]


def test_words_of_a_block_are_enough_for_its_looks() -> None:
    texts = ["Pay the fee.", "Nothing binds us.", "The berth is free.", "Plain words."]
    source = document([(Kind.PARAGRAPH, text, 1, 0) for text in texts])
    styled = TextColumn.of(["u\tthe fee", "bi\tNothing", "h#ffff00\tberth", ""])
    view = view_of(dataclasses.replace(source, blocks=dataclasses.replace(source.blocks, styled=styled)))
    for row, looks in enumerate([("underlined",), ("bold", "italic"), ("highlighted",)]):
        for look in looks:
            assert ask(view, style={look: True}).rows.tolist() == [row]
    assert ask(view, style={"underlined": False}).rows.tolist() == [1, 2, 3]


def test_of_many_blocks_with_some_words_those_nearest_to_the_question_are_shown_first() -> None:
    report = document(
        [(Kind.PARAGRAPH, f"{'Fees paid' if page == 30 else 'Report'} 2018", page, 0) for page in range(1, 41)]
    )
    run = run_over(report)
    run.query = Query("Which fees were paid in 2018?")
    found = SymbolicGraphQuery().call(
        ToolCall(tool="symbolic_graph_query", query={"contains": ["2018"]}), np.zeros(0, np.int64), run
    )
    assert found.shown.tolist() == [29, *range(11)]
    assert found.note.endswith("1 to 12 shown, nearest to the question first, more with part 2")
    assert found.result.tolist() == [*range(40)]


def test_entities_are_found_by_the_blocks_that_mention_them() -> None:
    text = "The Northern Ferry Company runs ships. The Northern Ferry Company pays well."
    view = view_of(document([(Kind.PARAGRAPH, text, 1, 0), (Kind.PARAGRAPH, "Nobody is here.", 2, 0)]))
    name = view.layer(ENTITIES_TABLE).entities.name[0]
    assert ask(view, entities=[name.upper()]).rows.tolist() == [0]
    assert ask(view, entities=["Black Swan"]).rows.tolist() == []


def test_links_are_followed_by_kind_and_direction_for_so_many_hops() -> None:
    assert rows(kinds=["chart"], follow=["caption_of"], hops=1) == [3, 4]
    assert rows(kinds=["chart"], follow=["refers_to"], hops=1, direction="out") == [3]
    assert rows(kinds=["chart"], follow=["refers_to"], hops=1, direction="in") == [3, 8]
    assert rows(kinds=["caption"], follow=["caption_of", "refers_to"], hops=2) == [3, 4, 8]


def test_what_was_reached_may_be_kept_by_kind() -> None:
    fields = {"contains": ["winter crew"], "max_characters": 20, "follow": ["next"], "direction": "out"}
    assert rows(**fields, hops=1, reached=["table"]) == [7]
    assert rows(**fields, hops=5, reached=["tables"]) == [7, 10]


def test_who_asks_for_titles_means_headings_among_what_was_reached_too() -> None:
    kept = parse({"kinds": ["title"], "reached": ["title"]})
    assert kept.of_kinds == kept.reached_kinds == (Kind.TITLE, Kind.HEADING)


def test_hops_without_a_kind_follow_every_link() -> None:
    assert {2, 3, 4, 8} <= set(rows(kinds=["chart"], hops=1))


def test_a_count_is_of_all_blocks_and_groups_say_where_they_are() -> None:
    found = ask(kinds=["heading"], operation="count", group_by="page", limit=1)
    assert (found.count, len(found.rows)) == (4, 1)
    assert dict(found.groups) == {"page 1": 1, "page 2": 1, "page 3": 1, "page 5": 1}
    sections = dict(ask(kinds=["table", "chart"], group_by="section").groups)
    assert sections == {"1 Harbour > 1.1 Tides and currents": 1, "2 Winter crew": 1, "Appendix B: Fees": 1}


@given(documents(), st.sampled_from(["heading", "paragraph", "table"]), st.integers(1, 4), st.integers(0, 5))
def test_distances_never_shrink_with_fewer_kinds_of_link(source: Document, kind: str, page: int, hops: int) -> None:
    view = view_of(source)
    mask = view.of_kind(Kind[kind.upper()]) & view.on_pages([page])
    few = distances(view.layer(LINKS_TABLE), mask, (LinkKind.NEXT,), hops=hops)
    assert bool((distances(view.layer(LINKS_TABLE), mask, tuple(LinkKind), hops=hops) <= few).all())
    assert np.array_equal(few == 0, mask)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"colour": "red"}, "fields are kinds, pages"),
        ({"kinds": ["dragon"]}, "kinds.0"),
        ({"kinds": ["table"], "hops": 10**9}, "hops"),
        ({"kinds": ["table"], "hops": -1}, "hops"),
        ({"kinds": ["table"], "limit": 10**12}, "limit"),
        ({"kinds": ["table"], "follow": ["eats"]}, "follow.0"),
        ({"pages": ["9-3"]}, "first page"),
        ({"pages": [[1, 10**30]]}, "pages"),
        ({"contains": ["x"] * 1000}, "contains"),
        ({"contains": ["x" * 10**6]}, "contains.0"),
        ({"matches": "a*" * 10**6}, "matches"),
        ({"style": {"blink": True}}, "style.blink"),
        ({"operation": "delete", "kinds": ["table"]}, "operation"),
        ({}, "give at least one"),
        ("DROP TABLE blocks", "query"),
        ([1, 2], "query"),
        (None, "query"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_wrong_query_is_told_what_is_wrong(fields: object, told: str) -> None:
    with pytest.raises(InvalidQuery, match=told):
        parse(fields)


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"\w+", "[a-z]+", "*", " ** ", "*a" * 30])
def test_a_pattern_that_is_a_regular_expression_empty_or_endless_is_refused(pattern: str) -> None:
    if pattern == r"(a+)+$":
        assert not Pattern(pattern).is_in("a" * 50)
        return
    with pytest.raises(InvalidQuery, match="matches"):
        Pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "found", "missed"),
    [
        ("cat", "a cat sits", "concatenate"),
        ("cat*", "cats", "bobcat"),
        ("*cat", "bobcat", "cats"),
        ("a.*b", "a then b", "b then a"),
        (r"\$\d+\.\d", "costs $12.5 a day", "costs 12.5 a day"),
        (r"Table\s\d", "see Table 4", "see Tables"),
        (r"\bGPT-4\b", "by GPT-4.", "by GPT-4o"),
    ],
)
def test_patterns_keep_to_words_and_take_common_pieces_of_regular_expressions(
    pattern: str, found: str, missed: str
) -> None:
    assert Pattern(pattern).is_in(found)
    assert not Pattern(pattern).is_in(missed)


@given(st.text("ab#?* ", max_size=12), st.text("ab1 ", max_size=30))
def test_a_pattern_finds_what_a_slow_matcher_finds(pattern: str, text: str) -> None:
    def stands(at: int, rest: str) -> bool:
        if not rest:
            return True
        if rest == "\0":
            return at == len(text) or not text[at].isalnum()
        if rest[0] == "*":
            return any(stands(later, rest[1:]) for later in range(at, len(text) + 1))
        if at == len(text):
            return False
        fits = {"?": True, "#": text[at].isdigit()}.get(rest[0], text[at] == rest[0])
        return fits and stands(at + 1, rest[1:])

    pieces = [" ".join(piece.split()) for piece in pattern.split("*")]
    plain = "*".join(piece for piece in pieces if piece)
    if not plain:
        with pytest.raises(InvalidQuery):
            Pattern(pattern)
        return
    opens = pattern.strip()[0] not in "*#?"
    closes = pattern.strip()[-1] not in "*#?"
    slow = any(
        stands(at, f"{plain}\0" if closes else plain)
        for at in range(len(text) + 1)
        if not (opens and at and text[at - 1].isalnum())
    )
    assert Pattern(pattern).is_in(text) == slow


def test_the_worst_queries_over_a_long_document_end_within_a_second() -> None:
    hostile = document([(Kind.PARAGRAPH, "a" * 20_000, 1 + at // 40, 0) for at in range(1500)])
    view = View([hostile])
    for fields in (
        {"matches": "?" * 199 + "b"},
        {"matches": "*" + "*".join("aaaaaaaab" for _ in range(20))},
        {"contains": ["a" * 199 + "b"] * 20},
    ):
        started = time.thread_time()
        with pytest.raises(InvalidQuery, match="takes longer"):
            execute(view, SymbolicQuery.model_validate(fields), clock=time.thread_time)
        assert time.thread_time() - started < 1.0

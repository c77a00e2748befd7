"""Links over a whole document, and the communities they make: what is found, what is not, by rule and by model."""

from __future__ import annotations

import dataclasses
import json
import re

import numpy as np
import pytest
from hypothesis import given, settings

from memory_layers import MemoryLayers
from octavo.decisions.engine.judge import Judge
from octavo.evidence import View
from octavo.evidence.layer_tables import COMMUNITIES_TABLE, LINKS_TABLE
from octavo.layers.base import LayerInputs
from octavo.layers.links import COMMUNITIES, LINKS, Windows, communities_of, links_of
from octavo.models.gateway import Budget, Caps, Gateway, Limits, MemoryJournal
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.scripted import Script, ScriptedModel
from octavo_documents.document import Document, Kind, LinkKind, LinkOrigin, LinkTable, TextColumn
from synthetic import Row, document, documents

H, P, T, F, C = Kind.HEADING, Kind.PARAGRAPH, Kind.TABLE, Kind.FIGURE, Kind.CAPTION


def with_links(found: Document, *links: tuple[int, int, LinkKind, str]) -> Document:
    table = LinkTable(
        source=np.array([one[0] for one in links], np.int32),
        target=np.array([one[1] for one in links], np.int32),
        kind=np.array([one[2] for one in links], np.uint8),
        weight=np.ones(len(links), np.float32),
        text=TextColumn.of(one[3] for one in links),
    )
    return dataclasses.replace(found, links=table)


def judge(script: Script, caps: Caps | None = None) -> Judge:
    gateway = Gateway(MemoryJournal(), limits=Limits(attempts=1), sleep=lambda _seconds: None)
    return Judge({"language": ScriptedModel(script)}, gateway=gateway, budget=Budget(caps), workers=1)


def found(rows: list[Row], kind: LinkKind, using: Judge | None = None) -> set[tuple[int, int]]:
    table = links_of(LayerInputs(document(rows), judge=using or Judge()))
    chosen = table.kind == kind
    return set(zip(table.source[chosen].tolist(), table.target[chosen].tolist(), strict=True))


HARBOUR: list[Row] = [
    (H, "1 Harbour", 1, 1),
    (P, "The tides are described under Mooring fees.", 1, 0),
    (Kind.PAGE_FOOTER, "Page 1", 1, 0),
    (H, "1.1 Tides and currents", 2, 2),
    (P, "Depths are shown below.", 2, 0),
    (T, "January | 5.1", 2, 0),
    (H, "2 Mooring Fees", 3, 1),
    (P, "A berth costs 12 crowns; see Tides and Currents.", 3, 0),
]


def test_every_block_is_part_of_its_section_and_every_section_of_the_one_above() -> None:
    assert found(HARBOUR, LinkKind.PART_OF) == {(1, 0), (3, 0), (4, 3), (5, 3), (7, 6)}


def test_blocks_follow_each_other_in_reading_order_without_page_furniture() -> None:
    assert found(HARBOUR, LinkKind.NEXT) == {(0, 1), (1, 3), (3, 4), (4, 5), (5, 6), (6, 7)}


def test_the_documents_own_links_stay_first_and_are_not_said_twice() -> None:
    own = with_links(document(HARBOUR), (7, 3, LinkKind.REFERS_TO, "Tides and Currents"))
    table = links_of(LayerInputs(own))
    assert (int(table.source[0]), int(table.target[0]), table.text[0]) == (7, 3, "Tides and Currents")
    pairs = list(zip(table.source.tolist(), table.target.tolist(), table.kind.tolist(), strict=True))
    assert len(pairs) == len(set(pairs))


@pytest.mark.parametrize(
    "text",
    [
        "More is said in the section entitled “Mooring fees” of this book.",
        "See Mooring Fees for what a berth costs.",
        "This is explained in the Mooring Fees section.",
        "For boats, refer to “Mooring Fees.”",
    ],
)
def test_a_section_called_by_its_title_is_linked(text: str) -> None:
    rows: list[Row] = [(P, text, 1, 0), *HARBOUR]
    assert (0, 7) in found(rows, LinkKind.REFERS_TO)


@pytest.mark.parametrize(
    "text",
    [
        "All mooring fees are due in May.",
        "In summer mooring fees rise.",
        "It is dearer in Mooring Fees than anywhere on the coast.",
        "The word “Mooring Fees” is old.",
        "Mooring Fees ............................ see page 3",
    ],
)
def test_words_that_only_look_like_a_title_are_not_linked(text: str) -> None:
    rows: list[Row] = [(P, text, 1, 0), *HARBOUR]
    assert (0, 7) not in found(rows, LinkKind.REFERS_TO)


def test_a_title_with_nothing_under_it_is_no_target() -> None:
    rows: list[Row] = [(H, "Mooring Fees", 1, 1), (H, "Crew", 2, 1), (P, "See Mooring Fees for more.", 2, 0)]
    assert found(rows, LinkKind.REFERS_TO) == set()


def test_of_two_sections_of_one_title_the_one_in_the_same_chapter_is_meant() -> None:
    rows: list[Row] = [
        (H, "1 Boats", 1, 1),
        (H, "Safety rules", 1, 2),
        (P, "Wear a vest.", 1, 0),
        (H, "2 Cars", 2, 1),
        (P, "See Safety Rules first. They matter.", 2, 0),
        (P, "Cars have doors.", 2, 0),
        (P, "Doors have locks.", 2, 0),
        (P, "Locks have keys.", 2, 0),
        (H, "Safety rules", 3, 2),
        (P, "Wear a belt.", 3, 0),
    ]
    assert found(rows, LinkKind.REFERS_TO) == {(4, 8)}


def test_what_is_shown_below_is_the_next_element_of_the_section() -> None:
    assert (4, 5) in found(HARBOUR, LinkKind.REFERS_TO)
    without = [*HARBOUR[:5], HARBOUR[6], (T, "Boat | Fee", 3, 0)]
    assert (4, 6) not in found(without, LinkKind.REFERS_TO)


def test_what_was_described_above_is_the_text_with_the_same_words() -> None:
    rows: list[Row] = [
        (P, "The pilot boat tows damaged ferries to the northern dock.", 1, 0),
        (P, "Bread is baked at four.", 1, 0),
        (P, "As noted above, damaged ferries wait at the northern dock.", 2, 0),
        (P, "It is ten degrees, noted above zero.", 2, 0),
    ]
    assert found(rows, LinkKind.REFERS_TO) == {(2, 0)}


def test_a_caption_with_continued_goes_on_from_the_one_before() -> None:
    rows: list[Row] = [
        (C, "Table 1: Fees", 1, 0),
        (T, "a | 1", 1, 0),
        (C, "Table 1: Fees (continued)", 2, 0),
        (T, "b | 2", 2, 0),
        (P, "The end.", 2, 0),
    ]
    own = with_links(document(rows), (0, 1, LinkKind.CAPTION_OF, ""), (2, 3, LinkKind.CAPTION_OF, ""))
    table = links_of(LayerInputs(own))
    goes_on = table.kind == LinkKind.CONTINUES
    assert table.source[goes_on].tolist() == [3]
    assert table.target[goes_on].tolist() == [1]


def test_by_rule_cue_words_make_interpretive_links() -> None:
    rows: list[Row] = [
        (H, "Costs", 1, 1),
        (P, "Fuel rose by a tenth.", 1, 0),
        (P, "Wages stayed as they were.", 1, 0),
        (P, "In summary, costs rose a little.", 1, 0),
        (T, "Fuel | 10", 1, 0),
        (P, "The table shows the rise of fuel.", 1, 0),
        (P, "This replaces the above.", 1, 0),
    ]
    assert found(rows, LinkKind.EXPLAINS) == {(3, 1), (3, 2), (5, 4), (6, 5)}


def test_a_following_table_is_the_next_one_even_where_another_is_nearer() -> None:
    rows: list[Row] = [
        (T, "Boats | 3", 1, 0),
        (P, "The following table summarizes fees.", 1, 0),
        (P, "All are in crowns.", 1, 0),
        (T, "Fees | 12", 1, 0),
    ]
    assert found(rows, LinkKind.EXPLAINS) == {(1, 3)}
    rows[1] = (P, "The table above summarizes boats.", 1, 0)
    assert found(rows, LinkKind.EXPLAINS) == {(1, 0)}


# By model


def reply(*links: tuple[int, int, str, str]) -> str:
    return json.dumps(
        {"links": [dict(zip(("source", "target", "relation", "evidence"), link, strict=True)) for link in links]}
    )


def test_a_models_links_carry_their_origin_relation_and_evidence() -> None:
    table = links_of(LayerInputs(document(HARBOUR), judge=judge([reply((7, 4, "explains", "12 crowns"))])))
    by_model = table.origin == LinkOrigin.MODEL
    assert table.source[by_model].tolist() == [7]
    assert table.kind[by_model].tolist() == [LinkKind.EXPLAINS]
    assert table.text.take(np.flatnonzero(by_model).tolist()) == ["explains: 12 crowns"]


def test_links_to_blocks_not_shown_and_made_up_evidence_are_dropped() -> None:
    said = reply(
        (7, 99, "explains", "12"), (7, 4, "updates", "the moon is new"), (4, 5, "explains", "depths are shown")
    )
    assert found(HARBOUR, LinkKind.EXPLAINS, judge([said])) == {(4, 5)}


@pytest.mark.parametrize("bad", ["no json", ModelFault(FaultKind.SERVER, "down"), reply((98, 99, "explains", "x"))])
def test_a_window_the_model_fails_on_is_decided_by_rule(bad: str | ModelFault) -> None:
    rows: list[Row] = [(T, "Fuel | 10", 1, 0), (P, "The table shows the rise of fuel.", 1, 0)]
    using = judge(lambda _request: bad)
    assert found(rows, LinkKind.EXPLAINS, using) == {(1, 0)}
    assert any(record.by == "rule" and record.why for record in using.records)


LONG: list[Row] = [(P, f"Page {page} tells of ferry {page}. " + "It sails. " * 150, page, 0) for page in range(1, 20)]


def test_a_budget_spent_in_the_middle_stops_the_calls_and_says_so() -> None:
    windows = len(list(Windows(document(LONG), LinkTable.empty())))
    assert windows >= 3
    model = ScriptedModel(lambda _request: reply())
    gateway = Gateway(MemoryJournal())
    using = Judge({"language": model}, gateway=gateway, budget=Budget(Caps(calls=2)), workers=1)
    links_of(LayerInputs(document(LONG), judge=using))
    assert model.calls == 2
    assert using.stopped


def test_windows_hold_every_block_once_and_remember_what_came_before() -> None:
    rows: list[Row] = [(H, "1 Fleet", 1, 1), (P, "Figure 7 and Table 2 show the ferries.", 1, 0), *LONG]
    rows += [(C, "Table 2: Ferries", 13, 0)]
    own = with_links(document(rows), (1, len(rows) - 1, LinkKind.REFERS_TO, "Table 2"))
    windows = list(Windows(own, own.links))
    assert [block.id for window in windows for block in window.blocks] == list(range(len(rows)))
    last = windows[-1].memory
    assert last.path == ("1 Fleet",)
    assert set(last.unresolved) == {"Figure 7", "Table 2"}
    assert "ferry" in last.topics
    assert last.earlier[0].text == "1 Fleet"


def test_the_model_sees_the_memory_in_its_prompt() -> None:
    seen: list[Request] = []

    def script(request: Request) -> str:
        seen.append(request)
        return reply()

    links_of(LayerInputs(document([(H, "1 Fleet", 1, 1), *LONG]), judge=judge(script)))
    later = seen[-1].turns[0].text
    assert re.search(r"open sections: 1 Fleet", later)
    assert "[0] (heading, page 1) 1 Fleet" in later


def test_the_estimate_is_what_the_model_is_asked() -> None:
    model = ScriptedModel(lambda _request: reply())
    using = Judge({"language": model}, gateway=Gateway(MemoryJournal()))
    inputs = LayerInputs(document([*HARBOUR, *[(*row[:2], row[2] + 3, row[3]) for row in LONG]]), judge=using)
    assert LINKS.estimate is not None
    calls = LINKS.estimate(inputs)
    links_of(inputs)
    assert len(calls) == model.calls
    assert sum(read for _, read, _ in calls) == pytest.approx(using.usage().input_tokens, rel=0.15)


# Communities


def test_two_groups_joined_by_one_link_are_two_communities() -> None:
    left = [(a, b) for a in range(4) for b in range(a)]
    right = [(a + 5, b + 5) for a, b in left]
    table = with_links(document([]), *((a, b, LinkKind.REFERS_TO, "") for a, b in [*left, *right, (0, 5)])).links
    labels = communities_of(table, 10)
    assert labels.tolist() == [0, 0, 0, 0, -1, 1, 1, 1, 1, -1]
    assert labels.dtype == np.int32


def test_a_document_without_blocks_has_no_links_and_no_communities() -> None:
    links = LINKS.build(LayerInputs(document([], pages=2)))
    assert len(LinkTable.from_bytes(links)) == 0
    assert COMMUNITIES.build(LayerInputs(document([], pages=2), {"links": links}))


def test_views_join_links_and_communities_of_several_documents() -> None:
    both = [document(HARBOUR, name="a.pdf"), document(HARBOUR, name="b.pdf")]
    view = View(both, MemoryLayers(both))
    half = len(HARBOUR)
    assert len(view.layer(LINKS_TABLE)) == 2 * len(links_of(LayerInputs(both[0])))
    assert int(view.layer(LINKS_TABLE).source.max()) >= half
    first, second = view.layer(COMMUNITIES_TABLE)[:half], view.layer(COMMUNITIES_TABLE)[half:]
    assert first[2] == second[2] == -1  # a page footer
    assert set(first.tolist()) & set(second.tolist()) == {-1}


@settings(max_examples=60, deadline=None)
@given(documents())
def test_links_and_communities_are_well_formed_and_the_same_every_time(found: Document) -> None:
    inputs = LayerInputs(found)
    links = LINKS.build(inputs)
    assert links == LINKS.build(inputs)
    dataclasses.replace(found, links=LinkTable.from_bytes(links)).check()
    with_them = LayerInputs(found, {"links": links})
    assert COMMUNITIES.build(with_them) == COMMUNITIES.build(with_them)

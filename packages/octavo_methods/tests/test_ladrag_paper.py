"""LAD-RAG as its paper prints it (section 2.2, figure 12, Table 1): each number and order, and both case studies."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from indexed import FakeEmbedder, view_of
from octavo.decisions.engine.judge import Judge
from octavo.decisions.investigate import ToolCall
from octavo.errors import UsageError
from octavo.evidence import Answer, Query, Result, TraceStep, View
from octavo.evidence.document_graph import NODE_COMMUNITIES_TABLE
from octavo.models.gateway import Budget, Caps
from octavo.models.language import FaultKind, ModelFault, Request, estimate_tokens
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Run
from octavo.operators.search_agent.tools import Refused
from octavo.systems import ABLATIONS, BLIND, get, run_ask, run_search
from octavo_documents.document import Kind
from octavo_methods.ladrag.decisions.retrieve_nodes import room_for_history
from octavo_methods.ladrag.node_tools import NodeCommunity, NodeQuery, SummarySearch
from octavo_methods.ladrag.reader import NodeReader
from octavo_methods.ladrag.retrieve import RetrieveNodes
from seen_pages import Seeing, node, quick
from synthetic import document

H, P, C, CAP, L = Kind.HEADING, Kind.PARAGRAPH, Kind.CHART, Kind.CAPTION, Kind.LIST_ITEM
PLANS = ("ladrag-paper", "ladrag-paper-no-c", "ladrag-paper-no-g", "ladrag-paper-no-c-g")
NO = '{"evidence": [], "answerable": false}'


def turn(plan: str = "", call: dict[str, Any] | None = None, nodes: Sequence[str] = ()) -> str:
    return json.dumps({"plan": plan, "call": call, "nodes": list(nodes)})


def search(words: str, **more: Any) -> dict[str, Any]:
    return {"tool": "neuro_semantic_search", "query": words, **more}


def query(**conditions: Any) -> dict[str, Any]:
    return {"tool": "symbolic_graph_query", "query": conditions}


def around(*ids: str) -> dict[str, Any]:
    return {"tool": "contextualize", "ids": list(ids)}


def retrieved(
    view: View, question: str, script: Any, *, system: str = "ladrag-paper", limit: int = 1000, **model: Any
) -> tuple[Result, ScriptedModel]:
    scripted = ScriptedModel(script, **model)
    run = Run(view, embedder=FakeEmbedder, judge=Judge({"language": scripted}, gateway=quick()))
    return run_search(get(system), Query(question, limit=limit), run), scripted


def by_rule(view: View, question: str, system: str = "ladrag-paper", limit: int = 1000) -> Result:
    return run_search(get(system), Query(question, limit=limit), Run(view, embedder=FakeEmbedder))


def pages(result: Result) -> set[int]:
    return {hit.page for hit in result.evidence.pages(result.by)}


def prompt(request: Request) -> str:
    return request.turns[0].text


# Case study 1 (figure 5): all charts that compare two groups. Their captions leave open which do; small charts under
# one title stand apart, and the text that says what is compared shares no word with the question.

GROUPS = "Among all charts in this report, how many compare townspeople with herders?"
REPORT = [
    (H, "How the valley lives", 1, 1),
    (P, "A report in charts of how people here compare.", 1, 0),
    (H, "Bread", 2, 2),
    (P, "Those in the town bake; those with flocks buy.", 2, 0),
    (C, "", 2, 0),
    (H, "Rain", 3, 2),
    (C, "", 3, 0),
    (CAP, "Figure 2", 3, 0),
    (H, "Fairs", 5, 2),
    (C, "", 5, 0),
    (C, "", 5, 0),
    (P, "Upper bars are of the town, lower bars of the pastures.", 6, 0),
]
REPORT_SEEN = [
    [node("title", "How the valley lives"), node("paragraph", "A report in charts of how people here compare.")],
    [
        node("heading", "Bread"),
        node("paragraph", "Those in the town bake; those with flocks buy."),
        node("bar chart", "Bake at home: 71 %, 12 %", "Share that bakes at home, two bars.", position="center"),
    ],
    [
        node("heading", "Rain"),
        node("line chart", "Figure 2: 40 mm, 60 mm", "Rain by month."),
        node("caption", "Figure 2"),
    ],
    [],
    [
        node("heading", "Fairs"),
        node("chart", "Went in spring: 50 %, 20 %", "Visits in spring, two bars.", position="top"),
        node("chart", "Went in autumn: 60 %, 35 %", "Visits in autumn, two bars.", position="bottom"),
    ],
    [node("paragraph", "Upper bars are of the town, lower bars of the pastures.")],
]
REPORT_LINKS = {
    2: [("p2-2", "p2-1", "is_part_of_section"), ("p2-3", "p2-1", "is_part_of_section"), ("p2-2", "p2-3", "explains")],
    3: [("p3-2", "p3-1", "is_part_of_section"), ("p3-3", "p3-2", "caption_of")],
    5: [("p5-2", "p5-1", "is_part_of_section"), ("p5-3", "p5-1", "is_part_of_section")],
    6: [("p6-1", "p5-1", "is_part_of_section"), ("p6-1", "p5-2", "explains"), ("p6-1", "p5-3", "explains")],
}
REPORT_MEMORY = {5: [("charts of fairs", ["p5-2", "p5-3"])]}


def report() -> View:
    return Seeing(REPORT_SEEN, REPORT_LINKS, REPORT_MEMORY).view(document(REPORT, pages=6))


def test_all_charts_that_compare_two_groups_are_filtered_then_contextualized() -> None:
    def agent(request: Request) -> str:
        told = prompt(request)
        if "[r1]" not in told:
            return turn("1. all charts 2. what stands around each", query(kinds=["chart"]))
        charts = re.findall(r"^\[(n\d+)\] \(page \d, [\w-]+, chart\)", told, re.M)
        if "[r2]" not in told:
            assert charts == ["n4", "n6", "n9", "n10"]
            return turn("2.", around("n4"))
        if "[r3]" not in told:
            return turn("2.", around("n9"))
        assert "those with flocks buy" in told.split("[r2]")[1].split("[r3]")[0]
        assert "lower bars of the pastures" in told.split("[r3]")[1]
        return turn("done", nodes=["n4", "n9", "n10"])

    result, model = retrieved(report(), GROUPS, agent)
    assert result.evidence.ranked("relevance").tolist() == [4, 9, 10]
    assert pages(result) == {2, 5}
    assert model.calls == 4
    # A search by meaning, with as many nodes as there are charts, misses some of them.
    assert pages(retrieved(report(), GROUPS, [turn("", search(GROUPS, k=4)), turn(nodes=["r1"])])[0]) != {2, 5}


def test_without_a_model_all_charts_are_the_evidence() -> None:
    result = by_rule(report(), GROUPS)
    assert result.evidence.rows.tolist() == [4, 6, 7, 9, 10]  # the caption's words are in what the chart displays


# Case study 2 (figure 6): a reference list continues on the next page, where no word is shared with the question.

CITED = "How many works does the appendix cite?"
CHAPTERS = [
    *((P, f"Chapter {page} tells how many works the appendix may cite.", page, 0) for page in range(1, 5)),
    (H, "Appendix A: References", 5, 1),
    (P, "Works cited.", 5, 0),
    *((L, f"Alder, B. 198{at}. Herons wading {at}.", 5, 0) for at in range(3)),
    *((L, f"Zimmer, K. 199{at}. Gulls nesting {at}.", 6, 0) for at in range(3)),
    (H, "Index", 7, 1),
    (P, "Works, appendix, cite: all of it.", 7, 0),
]
CHAPTERS_SEEN = [
    *([node("paragraph", CHAPTERS[at][1])] for at in range(4)),
    [node("heading", "Appendix A: References"), *(node(one[0].label, one[1]) for one in CHAPTERS[5:9])],
    [node(one[0].label, one[1]) for one in CHAPTERS[9:12]],
    [node("heading", "Index"), node("paragraph", CHAPTERS[13][1])],
]
CHAPTERS_LINKS = {
    5: [(f"p5-{at}", "p5-1", "is_part_of_section") for at in range(2, 6)],
    6: [(f"p6-{at}", "p5-1", "is_part_of_section") for at in range(1, 4)] + [("p6-1", "p5-5", "continues")],
    7: [("p7-2", "p7-1", "is_part_of_section")],
}


def chapters() -> View:
    return Seeing(CHAPTERS_SEEN, CHAPTERS_LINKS, {5: [("list", ["p5-5"])]}).view(document(CHAPTERS))


def test_a_reference_list_is_followed_onto_its_next_page_by_contextualizing() -> None:
    script = [
        turn("1. find the list 2. see whether it goes on", search("list of references")),
        turn("2.", around("n4")),
        turn("2.", query(kinds=["list_item"], pages=["5"], follow=["continues"], hops=1)),
        turn("done", nodes=["r2", "r3"]),
    ]
    result, model = retrieved(chapters(), CITED, script)
    assert {5, 6} == pages(result)
    assert result.evidence.rows.tolist() == [*range(4, 12)]
    assert "Zimmer" not in prompt(model.requests[1]).split("[r1]")[1].split("\n")[1]
    by_meaning, _ = retrieved(chapters(), CITED, [turn("", search("Appendix A: References", k=2)), turn(nodes=["r1"])])
    assert 5 in pages(by_meaning)
    assert 6 not in pages(by_meaning)


# NeuroSemanticSearch


def tool_of(view: View, tool: Any, **call: Any) -> list[int]:
    run = Run(view, embedder=FakeEmbedder, query=Query("words"))
    made = ToolCall.model_validate({"tool": tool.name, **call})
    rows = np.array(sorted(int(one[1:]) for one in made.ids), np.int64)
    return tool.call(made, rows, run).result.tolist()


def test_meaning_is_that_of_the_summaries_and_of_nothing_else() -> None:
    rows = [(P, f"zebra zebra {page}", page, 0) for page in (1, 2, 3)]
    pages_seen = [[node("paragraph", rows[at][1], said)] for at, said in enumerate(("owls", "a heron", "owls"))]
    view = Seeing(pages_seen).view(document(rows))
    assert tool_of(view, SummarySearch(), query="heron", k=1) == [1]
    assert SummarySearch().needs() == {"document_graph", "document_graph_vectors"}


def test_ten_nodes_are_found_unless_the_agent_says_how_many() -> None:
    view = view_of(document([(P, f"heron {at}", 1, 0) for at in range(30)]))
    assert len(tool_of(view, SummarySearch(), query="heron")) == 10
    assert len(tool_of(view, SummarySearch(), query="heron", k=3)) == 3
    with pytest.raises(Refused):
        tool_of(view, SummarySearch(), query=" ")


# SymbolicGraph-Query


def test_a_query_goes_by_what_the_model_saw_kinds_places_and_words() -> None:
    rows = [(P, "one two", 1, 0), (P, "three four", 1, 0), (P, "five six", 2, 0)]
    pages_seen = [
        [
            node("photo", "one two", "A ship at anchor.", position="top-left"),
            node("paragraph", "three four", position="bottom-right"),
        ],
        [node("table", "five six", position="top")],
    ]
    view = Seeing(pages_seen).view(document(rows))

    def found(**conditions: Any) -> list[int]:
        return tool_of(view, NodeQuery(), query=conditions)

    assert found(kinds=["figure"]) == [0]
    assert found(kinds=["table"]) == [2]
    assert found(contains=["anchor"]) == [0]
    assert found(positions=["top"]) == [0, 2]
    assert found(positions=["upper left"]) == [0]
    assert found(positions=["right"], pages=["1"]) == [1]
    with pytest.raises(Refused, match="positions"):
        found(positions=["somewhere"])
    with pytest.raises(Refused, match="not known"):
        found(entities=["ship"])


def test_a_query_hands_over_all_that_it_finds_and_follows_the_links_of_the_graph() -> None:
    view = view_of(document([(C, f"bars {at}", 1 + at, 0) for at in range(80)]))
    assert len(tool_of(view, NodeQuery(), query={"kinds": ["chart"]})) == 80
    assert tool_of(report(), NodeQuery(), query={"contains": ["lower bars"], "follow": ["explains"], "hops": 1}) == [
        9,
        10,
        11,
    ]


def test_no_limit_cuts_what_a_query_finds() -> None:
    view = view_of(document([(P, f"herons {at}", 1 + at // 50, 0) for at in range(600)]))
    assert len(tool_of(view, NodeQuery(), query={"kinds": ["paragraph"]})) == 600
    assert len(tool_of(view, NodeQuery(), query={"kinds": ["paragraph"], "limit": 20})) == 20


def test_a_section_is_what_the_model_linked_to_its_heading_at_any_depth() -> None:
    rows = [(P, "Fees and tolls", 1, 0), (P, "Moorings", 1, 0), (P, "Twelve a night.", 1, 0), (P, "Owls.", 2, 0)]
    told = [
        [node("heading", "Fees and tolls"), node("heading", "Moorings"), node("paragraph", "Twelve a night.")],
        [node("paragraph", "Owls.")],
    ]
    related = {1: [("p1-2", "p1-1", "is_part_of_section"), ("p1-3", "p1-2", "is_part_of_section")]}
    view = Seeing(told, related).view(document(rows))

    def found(view: View, name: str) -> list[int]:
        return tool_of(view, NodeQuery(), query={"sections": [name]})

    assert found(view, "Fees") == [0, 1, 2]
    assert found(view, "moorings") == [1, 2]
    # Of a page that rules read it is what parsing has there.
    parsed = view_of(document([(H, "Fees", 1, 1), (P, "Twelve.", 1, 0), (H, "Owls", 1, 1)]))
    assert found(parsed, "fees") == [0, 1]


def test_a_query_measures_what_a_node_displays() -> None:
    rows = [(P, "one two three", 1, 0)]
    view = Seeing([[node("chart", "long " * 50), node("title", "One")]]).view(document(rows))
    assert tool_of(view, NodeQuery(), query={"max_characters": 20}) == [1]


# Contextualize


def test_context_is_the_whole_community_and_nothing_beside_it() -> None:
    rows = [(H, "Gulls", 1, 1), *((P, f"Gull {at}.", 1 + at // 30, 0) for at in range(90)), (H, "Owls", 4, 1)]
    rows += [(P, f"Owl {at}.", 4, 0) for at in range(5)]
    view = view_of(document(rows))
    found = tool_of(view, NodeCommunity(), ids=["n3"])
    assert found == [*range(91)]
    assert found == np.flatnonzero(view.layer(NODE_COMMUNITIES_TABLE) == view.layer(NODE_COMMUNITIES_TABLE)[3]).tolist()
    assert tool_of(view, NodeCommunity(), ids=["n3", "n92"]) == [*range(97)]


def test_a_node_without_links_is_alone_in_its_community() -> None:
    view = view_of(document([(P, "Gulls.", 1, 0), (P, "Owls.", 1, 0)]))
    assert tool_of(view, NodeCommunity(), ids=["n1"]) == [1]
    with pytest.raises(Refused):
        tool_of(view, NodeCommunity(), ids=[])


# The loop


def steps_of(result: Result) -> tuple[TraceStep, list[TraceStep]]:
    (step,) = (one for one in result.trace if one.step == "RetrieveNodes")
    return step, [one for one in step.steps if one.step != "retrieve_nodes"]


def test_it_plans_first_and_calls_one_tool_a_turn_without_any_search_before() -> None:
    result, model = retrieved(report(), GROUPS, [turn("1. look", search("bread")), turn(nodes=["r1"])])
    first, second = map(prompt, model.requests)
    assert "(nothing yet)" in first
    assert "You: 1. look" in second
    assert [one.step for one in steps_of(result)[1]] == ["neuro_semantic_search"]


def test_it_ends_after_twenty_rounds_with_all_that_was_found() -> None:
    result, model = retrieved(report(), GROUPS, lambda _: turn("", query(kinds=["chart"])))
    assert model.calls == 20
    assert steps_of(result)[0].parameters["ended"] == "rounds"
    assert result.evidence.rows.tolist() == [4, 6, 7, 9, 10]
    assert RetrieveNodes((SummarySearch(),)).rounds == 20


def test_it_ends_when_the_context_is_nearly_full() -> None:
    view = view_of(document([(P, f"heron {at} " + "words " * 400, 1, 0) for at in range(12)]))
    context = 9_000
    result, model = retrieved(view, "What of herons?", lambda _: turn("", search("heron")), context_tokens=context)
    step, _ = steps_of(result)
    assert step.parameters["ended"] == "context"
    assert model.calls == step.parameters["turns"] < 20
    assert len(result.evidence) == 10
    assert 0 < room_for_history(context) < context
    # The last turn had room for what was found before it; what it found left a tenth at most.
    before = prompt(model.requests[-1]).split("<conversation>")[1].split("</conversation>")[0]
    assert estimate_tokens(before) <= 0.9 * room_for_history(context) + 20
    assert model.calls == 1 + (estimate_tokens(before) > 20)


def test_the_evidence_is_exactly_what_was_listed_in_its_order() -> None:
    result, _ = retrieved(report(), GROUPS, [turn("", query(kinds=["chart"])), turn(nodes=["n10", "n4", "n6", "n4"])])
    assert result.evidence.ranked("relevance").tolist() == [10, 4, 6, 7]
    nothing, _ = retrieved(report(), GROUPS, [turn("", query(kinds=["chart"])), turn()])
    assert len(nothing.evidence) == 0


def test_nodes_that_were_not_shown_are_dropped_and_told() -> None:
    result, _ = retrieved(report(), GROUPS, [turn("", search("bread", k=1)), turn(nodes=["r1", "n11", "r7", "page 3"])])
    (told,) = (one for one in steps_of(result)[1] if one.step == "unknown_nodes")
    assert told.parameters == {"dropped": ["n11", "r7", "page 3"]}
    assert len(pages(result)) == 1


def test_a_refused_call_tells_the_agent_why() -> None:
    _, model = retrieved(report(), GROUPS, [turn("", query(kind="chart")), turn(nodes=[])])
    assert "refused: kind: Extra inputs are not permitted" in prompt(model.requests[1])


def test_a_limit_cuts_the_list_at_its_pages() -> None:
    result, _ = retrieved(
        report(), GROUPS, [turn("", query(kinds=["chart"])), turn(nodes=["n9", "n4", "n10"])], limit=1
    )
    assert result.evidence.rows.tolist() == [9, 10]


def test_a_loop_needs_tools_and_rounds() -> None:
    for wrong in ((), (SummarySearch(),)):
        with pytest.raises(UsageError):
            RetrieveNodes(wrong, rounds=0)


# Without a model, and with one that fails


def test_without_a_model_the_rule_searches_contextualizes_and_lists() -> None:
    result = by_rule(chapters(), "Which author stands first in Appendix A: References?")
    assert [one.step for one in steps_of(result)[1]] == [
        "neuro_semantic_search",
        "symbolic_graph_query",
        "contextualize",
    ]
    assert {5, 6} <= pages(result)
    decided = [one for one in result.trace[0].steps if one.step == "retrieve_nodes"]
    assert {one.parameters["decided_by"] for one in decided} == {"rule"}


@pytest.mark.parametrize("reply", ["no JSON", ModelFault(FaultKind.SERVER, "gone"), '{"call": {"tool": "eval"}}'])
def test_a_model_that_fails_leaves_the_rule_a_usable_result(reply: Any) -> None:
    result, _ = retrieved(report(), GROUPS, lambda _: reply)
    assert result.evidence == by_rule(result.evidence.view, GROUPS).evidence


def test_a_budget_that_ends_in_the_middle_leaves_the_rest_to_the_rule() -> None:
    view, model = report(), ScriptedModel(lambda _: turn("", search("bread", k=1)))
    judge = Judge({"language": model}, gateway=quick(), budget=Budget(Caps(calls=1)))
    result = run_search(get("ladrag-paper"), Query(GROUPS, limit=100), Run(view, embedder=FakeEmbedder, judge=judge))
    assert result.stopped == "max_calls"
    assert {2, 3, 5} <= pages(result)


@pytest.mark.parametrize("system", PLANS)
def test_a_document_without_text_gives_no_evidence_and_no_fault(system: str) -> None:
    for rows in ([], [(C, "", 1, 0)], [(P, " ", 1, 0)]):
        assert len(pages(by_rule(view_of(document(rows, pages=1)), "How many charts?", system))) <= 1


# Table 1


def test_the_ablations_are_the_rows_of_table_1() -> None:
    def tools(name: str) -> set[str]:
        return {one for one in ("NodeQuery", "NodeCommunity", "SummarySearch") if one in repr(get(name).retrieve)}

    assert {name: tools(name) for name in PLANS} == {
        "ladrag-paper": {"SummarySearch", "NodeQuery", "NodeCommunity"},
        "ladrag-paper-no-c": {"SummarySearch", "NodeQuery"},
        "ladrag-paper-no-g": {"SummarySearch", "NodeCommunity"},
        "ladrag-paper-no-c-g": {"SummarySearch"},
    }
    assert {*PLANS[1:]} <= ABLATIONS.keys()


@pytest.mark.parametrize("system", PLANS)
def test_an_agent_is_told_of_the_tools_it_has_and_of_no_other(system: str) -> None:
    names = {
        "SummarySearch": "neuro_semantic_search",
        "NodeQuery": "symbolic_graph_query",
        "NodeCommunity": "contextualize",
    }
    _, model = retrieved(report(), GROUPS, [turn()], system=system)
    said = model.requests[0].instructions + prompt(model.requests[0])
    plan = repr(get(system).retrieve)
    assert {name for name in names.values() if name in said} == {names[one] for one in names if one in plan}


@pytest.mark.parametrize(
    ("system", "missing"),
    [("ladrag-no-symbolic", "symbolic_graph_query"), ("ladrag-no-contextualize", "contextualize")],
)
def test_ours_is_told_of_the_tools_it_has_and_of_no_other(system: str, missing: str) -> None:
    asked = ScriptedModel([json.dumps({"plan": "", "calls": [], "blocks": []})])
    run = Run(report(), embedder=FakeEmbedder, judge=Judge({"language": asked}, gateway=quick()))
    run_search(get(system), Query("What of bread?"), run)
    said = asked.requests[0].instructions + prompt(asked.requests[0])
    assert missing not in said
    assert "neuro_semantic_search" in said


# Answering


def answered(agent: Callable[[Request], str], question: str, *, sees: bool) -> tuple[Answer, ScriptedModel, Run]:
    model = ScriptedModel(lambda one: agent(one) if one.decision == "retrieve_nodes" else NO, sees=sees)
    drawn: list[Any] = []

    def pictures(_document: str, places: Sequence[Any]) -> list[Any]:
        drawn.extend(places)
        return [np.full((2, 2, 3), 9, np.uint8) for _ in places]

    run = Run(report(), embedder=FakeEmbedder, judge=Judge({"language": model}, gateway=quick()), pictures=pictures)
    return run_ask(get("ladrag-paper"), Query(question, limit=1000), run), model, run


def test_the_reader_is_shown_what_was_listed_with_its_pages_and_nothing_else() -> None:
    script = iter([turn("", query(pages=["2", "5"])), turn(nodes=["n3", "n9"])])
    answer, model, run = answered(lambda _: next(script), GROUPS, sees=True)
    reading = model.requests[-1]
    assert reading.decision == "answer_from_evidence"
    assert len(reading.turns[0].pictures) == 2  # the whole pages 2 and 5
    assert "those with flocks buy" in prompt(reading)
    assert "pastures" not in prompt(reading)
    assert [one.page for one in answer.pages_read] == [2, 5]
    assert run.pages_read == {1, 4}


def test_the_reader_is_told_what_the_model_read_in_the_nodes_and_in_their_order() -> None:
    script = iter([turn("", query(pages=["2", "5"])), turn(nodes=["n10", "n3", "n4"])])
    _, model, _ = answered(lambda _: next(script), GROUPS, sees=True)
    told = prompt(model.requests[-1])
    passages = re.findall(r"<passage id=(\d+)>\n(.*?)\n</passage>", told, re.S)
    assert passages == [
        ("1", "(chart) Went in autumn: 60 %, 35 %\nIn short: Visits in autumn, two bars."),
        ("2", "Those in the town bake; those with flocks buy."),
        ("3", "(chart) Bake at home: 71 %, 12 %\nIn short: Share that bakes at home, two bars."),
    ]
    assert "autumn" not in told.replace(passages[0][1], "")


def test_an_answer_cites_the_places_of_all_nodes_it_stands_on() -> None:
    script = iter([turn("", query(pages=["2", "5"])), turn(nodes=["n3", "n4", "n9"])])
    said = [{"id": 1, "quote": "Those in the town bake"}, {"id": 2, "quote": "Bake at home: 71 %"}]
    reply = json.dumps({"evidence": said, "answerable": True, "answer": "71 %", "value": "71 %"})
    model = ScriptedModel(lambda one: next(script) if one.decision == "retrieve_nodes" else reply)
    run = Run(report(), embedder=FakeEmbedder, judge=Judge({"language": model}, gateway=quick()))
    answer = run_ask(get("ladrag-paper"), Query(GROUPS, limit=1000), run)
    # The chart's block has no words: it is cited by its place.
    assert [(one.block, one.quote) for one in answer.citations] == [("b3", "Those in the town bake"), ("b4", "")]


def test_nodes_that_rules_read_are_told_in_the_words_of_their_blocks() -> None:
    script = iter([turn("", search("herons")), turn(nodes=["n1", "n0"])])
    model = ScriptedModel(lambda one: next(script) if one.decision == "retrieve_nodes" else NO)
    view = view_of(document([(P, "Herons wade.", 1, 0), (P, "Gulls dive.", 2, 0)]))
    run = Run(view, embedder=FakeEmbedder, judge=Judge({"language": model}, gateway=quick()))
    run_ask(get("ladrag-paper"), Query("Herons?", limit=10), run)
    told = prompt(model.requests[-1])
    assert told.index("Gulls dive.") < told.index("Herons wade.")


def test_the_reader_is_told_of_which_pages_nothing_is_shown() -> None:
    for sees, pictures in ((True, "pictures of pages 2, 5"), (False, "no pictures")):
        script = iter([turn("", query(pages=["2", "5"])), turn(nodes=["n3", "n9"])])
        answer, model, _ = answered(lambda _, script=script: next(script), GROUPS, sees=sees)
        told = f"test.pdf, 6 pages. Below are words of pages 2, 5, and {pictures}; nothing of the others is shown."
        assert f"<document id=0>\n{told}\n" in prompt(model.requests[-1])
        assert [one.page for one in answer.pages_read] == [2, 5]


def test_an_answer_that_rests_on_how_long_the_document_is_cites_no_place_of_it() -> None:
    script = iter([turn("", query(pages=["2"])), turn(nodes=["n3"])])
    reply = json.dumps({"evidence": [{"id": 0, "quote": "6 pages"}], "answerable": True, "answer": "6", "value": "6"})
    model = ScriptedModel(lambda one: next(script) if one.decision == "retrieve_nodes" else reply)
    run = Run(report(), embedder=FakeEmbedder, judge=Judge({"language": model}, gateway=quick()))
    answer = run_ask(get("ladrag-paper"), Query("How many pages are there?", limit=1000), run)
    assert (answer.value, answer.citations) == (6, ())


def test_an_agent_is_told_which_pictures_nobody_has_looked_at() -> None:
    script = [turn("", query(kinds=["chart"])), turn(nodes=["r1"])]
    _, model = retrieved(view_of(document(REPORT, pages=6)), GROUPS, script)
    told = prompt(model.requests[1]).split('["chart"]')[1]
    assert "4 nodes; 4 of these are figures and charts nobody has looked at: only words in them are told" in told
    assert told.count(", chart, not looked at)") == 4
    _, seeing = retrieved(report(), GROUPS, [turn("", query(kinds=["chart"])), turn(nodes=["r1"])])
    assert "looked at" not in prompt(seeing.requests[1]).split('["chart"]')[1]


@pytest.mark.parametrize(("context", "dpi"), [(128_000, 150), (8_000, 88)])
def test_pages_are_shown_at_half_of_300_dots_where_they_fit(context: int, dpi: int) -> None:
    script = iter([turn("", query(kinds=["chart"])), turn(nodes=["r1"])])
    model = ScriptedModel(
        lambda one: next(script) if one.decision == "retrieve_nodes" else NO, sees=True, context_tokens=context
    )
    places: list[Any] = []

    def pictures(_document: str, asked: Sequence[Any]) -> list[Any]:
        places.extend(asked)
        return [np.full((2, 2, 3), 9, np.uint8) for _ in asked]

    run = Run(report(), embedder=FakeEmbedder, judge=Judge({"language": model}, gateway=quick()), pictures=pictures)
    run_ask(get("ladrag-paper"), Query(GROUPS, limit=1000), run)
    assert [(one.page, one.box, round(one.dpi)) for one in places] == [(page, None, dpi) for page in (2, 3, 5)]


def test_an_answer_has_2048_tokens_at_most() -> None:
    script = iter([turn("", query(kinds=["chart"])), turn(nodes=["r1"])])
    _, model, _ = answered(lambda _: next(script), GROUPS, sees=True)
    assert [one.max_output_tokens for one in model.requests if one.decision == "answer_from_evidence"] == [2048]


def test_the_plan_reads_verbatim_and_names_its_substitutes() -> None:
    script = iter([turn("", query(kinds=["chart"])), turn(nodes=["r1"])])
    answer, _, _ = answered(lambda _: next(script), GROUPS, sees=False)
    assert {one.role for one in answer.substitutes} == {"parser", "embedder", "model", "vision"}
    assert BLIND in [step.step for step in answer.trace]
    assert (NodeReader().pictures, NodeReader().whole_pages) == (1000, True)
    assert all(repr(get(name).answer).endswith(repr(NodeReader())) for name in PLANS)

"""LAD-RAG as a whole: the paper's two case studies, its ablations, its limits, and hostile queries of an agent."""

from __future__ import annotations

import json
import time
from typing import Any

import numpy as np
import pytest
from test_symbolic import linked

from indexed import FakeEmbedder, view_of
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Query, Result
from octavo.evidence.layer_tables import ENTITIES_TABLE, LINKS_TABLE
from octavo.models.gateway import Gateway, Limits, MemoryJournal
from octavo.models.language import Request
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Run
from octavo.operators.search_agent.graph_query import SymbolicGraphQuery
from octavo.operators.search_agent.investigate import Investigate
from octavo.systems import get, run_ask, run_search
from octavo_documents.document import Document, Kind, LinkKind
from octavo_methods.ladrag.system import LADRAG, LADRAG_ABLATIONS
from synthetic import document

H, P, C, CAP, L = Kind.HEADING, Kind.PARAGRAPH, Kind.CHART, Kind.CAPTION, Kind.LIST_ITEM

# Case study 1 (paper, Figure 5): charts are spread over a report; some that compare both groups do not say so in their
# captions, only in the text beside them.
SURVEY = [
    (H, "Survey of the islands", 1, 1),
    (P, "We asked islanders and mainlanders about charts, groups and how they compare in this report.", 1, 0),
    (H, "Fishing", 2, 2),
    (C, "", 2, 0),
    (CAP, "Figure 1: Islanders fish more often than mainlanders do", 2, 0),
    (H, "Weather", 3, 2),
    (C, "", 3, 0),
    (CAP, "Figure 2: Rain in millimetres", 3, 0),
    *(
        (P, f"Notes on method {page}: how many compare groups in all charts of this report.", page, 0)
        for page in (4, 5, 6)
    ),
    (H, "Faith in the ferry", 7, 2),
    (P, "The bars set islanders beside mainlanders.", 7, 0),
    (C, "", 7, 0),
    (CAP, "Figure 3: It will run tomorrow", 7, 0),
    *(
        (P, f"More notes {page}: among all charts, groups compare between islanders and others.", page, 0)
        for page in (8, 9)
    ),
    (H, "Songs", 10, 2),
    (C, "", 10, 0),
    (CAP, "Figure 4: Both sing", 10, 0),
    (P, "Above, left bars are islanders and right bars mainlanders.", 10, 0),
]
CHARTS = "Among all charts in this report, how many compare islanders with mainlanders?"


def charts_report() -> Document:
    captions = [(row, row - 1, LinkKind.CAPTION_OF) for row, one in enumerate(SURVEY) if one[0] == CAP]
    return linked(document(SURVEY), captions)


# Case study 2 (paper, Figure 6): the entries on the next page share no word with the question.
REFERENCES = [
    *(
        (P, f"Chapter text {page} on works cited, with references to the list of the appendix.", page, 0)
        for page in range(1, 9)
    ),
    (H, "Appendix A: References", 9, 1),
    (P, "Works cited, by author.", 9, 0),
    *((L, f"Alder, B. {1980 + at}. Herons wading, volume {at}.", 9, 0) for at in range(6)),
    *((L, f"Zimmer, K. {1990 + at}. Gulls nesting, volume {at}.", 10, 0) for at in range(6)),
    (H, "Index", 11, 1),
    *((P, f"Entry {page}: works, references, appendix.", page, 0) for page in range(11, 20)),
]
CITED = "How many works are cited in the reference list of the appendix?"


def ask(
    system: str, question: str, source: Document, script: Any = None, *, limit: int = 20
) -> tuple[Result, ScriptedModel]:
    model = ScriptedModel(script or [])
    gateway = Gateway(MemoryJournal(), limits=Limits(attempts=1), sleep=lambda _seconds: None)
    judge = Judge({"language": model} if script else {}, gateway=gateway)
    run = Run(view_of(source), embedder=FakeEmbedder, judge=judge)
    return run_search(get(system), Query(question, limit=limit), run), model


def pages(result: Result) -> set[int]:
    return {hit.page for hit in result.evidence.pages(result.by)}


def listed_pages(result: Result) -> set[int]:
    found = result.evidence
    return {int(page) for page in found.view.blocks.page[found.rows[found.scores["listed"] == 1]]}


def turn(calls: list[dict[str, Any]] | None = None, blocks: list[str] | None = None) -> str:
    return json.dumps({"plan": "", "calls": calls or [], "blocks": blocks or []})


def test_all_charts_that_compare_two_groups_are_found_by_filter_and_context() -> None:
    def agent(request: Request) -> str:
        """Filter all charts, look at what stands around those whose caption leaves it open, keep those that compare."""
        prompt = request.turns[0].text
        if "[r3]" not in prompt:
            return turn([{"tool": "symbolic_graph_query", "query": {"kinds": ["chart"]}}])
        if "[r4]" not in prompt:
            return turn([{"tool": "contextualize", "ids": [block]} for block in ("b13", "b18")])
        assert "The bars set islanders beside mainlanders." in prompt
        assert "left bars are islanders and right bars mainlanders" in prompt
        return turn(blocks=["b3", "b13", "b18"])

    rows = [row for row, one in enumerate(SURVEY) if one[0] == C]
    assert rows == [3, 6, 13, 18]
    result, model = ask("ladrag", CHARTS, charts_report(), agent)
    assert listed_pages(result) == {2, 7, 10}
    assert {2, 7, 10} <= pages(result)
    assert len(pages(result)) <= 6
    assert model.calls == 3


def test_without_a_model_all_charts_are_kept_where_a_search_by_meaning_alone_misses_some() -> None:
    result, _ = ask("ladrag", CHARTS, charts_report())
    assert {2, 3, 7, 10} <= pages(result)
    best, _ = ask("hybrid", CHARTS, charts_report(), limit=4)
    assert not {2, 7, 10} <= pages(best)


def test_a_reference_list_is_followed_onto_its_next_page() -> None:
    heading = "b8"

    def agent(request: Request) -> str:
        prompt = request.turns[0].text
        if "contextualize {" not in prompt:
            assert f"[{heading}] (page 9, heading) Appendix A: References" in prompt
            return turn([{"tool": "contextualize", "ids": [heading]}])
        return turn(blocks=[heading, f"r{prompt.count('[r')}"])

    result, model = ask("ladrag", CITED, document(REFERENCES), agent)
    assert {9, 10} <= listed_pages(result)
    assert model.calls == 2


def test_without_a_model_the_next_page_is_kept_because_it_completes_the_section() -> None:
    named = "Which author stands first in Appendix A: References?"
    whole, _ = ask("ladrag", named, document(REFERENCES))
    assert {9, 10} <= pages(whole)
    bare, _ = ask("ladrag-search-only", named, document(REFERENCES))
    assert 10 not in pages(bare)


def test_the_ablations_are_the_system_without_its_tools() -> None:
    def tools(system: Any) -> set[str]:
        return {name for name in ("SymbolicGraphQuery", "Contextualize", "NeuroSemanticSearch") if name in repr(system)}

    everything = tools(LADRAG)
    assert len(everything) == 3
    assert {one.name: everything - tools(one) for one in LADRAG_ABLATIONS} == {
        "ladrag-rule-graph": set(),
        "ladrag-no-contextualize": {"Contextualize"},
        "ladrag-no-symbolic": {"SymbolicGraphQuery"},
        "ladrag-search-only": {"Contextualize", "SymbolicGraphQuery"},
    }
    assert LADRAG.needs() == LADRAG_ABLATIONS[0].needs() | {"document_graph"}
    assert LADRAG.needs() > LADRAG_ABLATIONS[-1].needs()


@pytest.mark.parametrize("system", ["ladrag", *(one.name for one in LADRAG_ABLATIONS)])
@pytest.mark.parametrize("limit", [0, 1, 3])
def test_no_more_pages_are_kept_than_the_limit(system: str, limit: int) -> None:
    result, _ = ask(system, CHARTS, charts_report(), limit=limit)
    assert len(pages(result)) <= limit


@pytest.mark.parametrize("system", ["ladrag", *(one.name for one in LADRAG_ABLATIONS)])
def test_a_document_without_text_gives_no_evidence_and_no_fault(system: str) -> None:
    for rows in ([], [(C, "", 1, 0)], [(P, " ", 1, 0)]):
        result, _ = ask(system, "How many charts are in this report?", document(rows, pages=1))
        assert len(pages(result)) <= 1


def test_it_answers_with_citations_from_what_it_found() -> None:
    harbour = document([(P, "The harbour of Graz is 12 metres deep.", 1, 0), (P, "Gulls nest here.", 2, 0)])
    run = Run(view_of(harbour), embedder=FakeEmbedder)
    answer = run_ask(LADRAG, Query("How deep is the harbour of Graz?"), run)
    assert [one.page for one in answer.citations] == [1]
    assert answer.trace[0].step == "Investigate"
    assert [step.step for step in answer.trace] == ["Investigate", "AddPageBonuses", "KeepByScoreGap", "SeenReader"]


def test_several_documents_are_searched_as_one() -> None:
    run = Run(view_of(charts_report(), document(REFERENCES, name="b.pdf")), embedder=FakeEmbedder)
    result = run_search(LADRAG, Query("Which author stands first in Appendix A: References?", limit=20), run)
    assert {(1, 9), (1, 10)} <= {(hit.document, hit.page) for hit in result.evidence.pages(result.by)}


HOSTILE: list[dict[str, Any]] = [
    {"__class__": "os.system", "kinds": ["chart"]},
    {"kinds": ["chart"], "hops": 10**18},
    {"kinds": ["chart"], "follow": ["next"] * 10_000, "hops": 5},
    {"matches": "(a|a)*" * 40},
    {"matches": "?" * 199 + "b"},
    {"matches": "*".join(["aaaaaaaab"] * 20)},
    {"contains": ["a" * 199 + "b"] * 20},
    {"contains": ["'; DROP TABLE blocks; --"]},
    {"pages": ["1-99999"] * 10**4},
    {"kinds": ["chart"], "limit": -1},
    {"sections": ["x"] * 10**4},
    {"style": {"min_size": float("1e308")}, "pages": "1"},
]


def test_hostile_queries_of_an_agent_end_in_a_notice_within_a_second_each() -> None:
    long = document([(P, "a" * 15_000, 1 + at // 20, 0) for at in range(800)])
    calls = [{"tool": "symbolic_graph_query", "query": query} for query in HOSTILE]
    script = [turn(calls[at : at + 4]) for at in range(0, len(calls), 4)]
    model = ScriptedModel([*script, turn()])
    gateway = Gateway(MemoryJournal(), limits=Limits(attempts=1), sleep=lambda _seconds: None)
    view = view_of(long)
    # What is timed is the queries, not the building of layers.
    assert len(view.layer(LINKS_TABLE))
    assert not len(view.layer(ENTITIES_TABLE))
    run = Run(view, embedder=FakeEmbedder, judge=Judge({"language": model}, gateway=gateway), clock=time.thread_time)
    run.query = Query("words")
    Investigate((SymbolicGraphQuery(),))(run.query, run)
    steps = [step for step in run.trace[0].steps if step.step == "symbolic_graph_query"]
    assert len(steps) == len(HOSTILE)
    assert max(step.seconds for step in steps) < 1.0
    assert sum("refused" in step.parameters for step in steps) >= len(HOSTILE) - 3


def test_every_block_that_is_kept_has_a_rank_and_says_which_tools_found_it() -> None:
    result, _ = ask("ladrag", CHARTS, charts_report())
    assert {"fused", "symbolic", "contextual", "listed"} <= result.evidence.scores.keys()
    assert np.isfinite(result.evidence.scores["relevance"]).all()

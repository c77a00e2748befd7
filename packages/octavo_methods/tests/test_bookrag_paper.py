"""BookRAG as its paper prints it: each equation and number, Algorithm 1, Table 7, and the examples it works."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Sequence

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foraging import reading, scripted, slides
from indexed import run_over
from octavo import systems
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Answer, Evidence, Query, Reach, TraceStep
from octavo.models.gateway import Caps
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Run
from octavo.operators.keep import RELEVANCE
from octavo.question import understand
from octavo.systems import ABLATIONS, PAPER_PLANS
from octavo_documents.document import Document, Kind, LinkKind, LinkTable, TextColumn
from octavo_methods.bookrag.as_printed import MapBlocks, ReduceBlocks
from octavo_methods.bookrag.paper_system import READ, SELECT, STANDARD
from octavo_methods.bookrag.reasoning import (
    BOOKINDEX,
    GRAPH,
    TEXT,
    GraphReasoning,
    NamedGraph,
    Skyline,
    TextRanker,
    pareto_front,
)
from octavo_methods.bookrag.select import Extract
from synthetic import Row, document, documents

TABLE_7 = [name for name in ABLATIONS if name.startswith("bookrag-paper-")]
VARIANTS = ["bookrag-paper", *TABLE_7]

FLEET = document(
    [
        (Kind.HEADING, "1 Past", 1, 1),
        (Kind.PARAGRAPH, "The Grey Heron carried 39 per cent of all travellers in 1962.", 1, 0),
        (Kind.HEADING, "1.1 Crew", 1, 2),
        (Kind.PARAGRAPH, "Six keepers lived on the quay.", 1, 0),
        (Kind.HEADING, "2 Present", 2, 1),
        (Kind.PARAGRAPH, "The Storm Petrel carries 68 per cent of all travellers. The Storm Petrel is new.", 2, 0),
        (Kind.HEADING, "3 Kitchen", 3, 1),
        (Kind.PARAGRAPH, "Bread is baked at noon.", 3, 0),
    ],
    name="fleet.pdf",
)


def taken_apart(*retrieval: str, synthesis: str = "") -> dict[str, object]:
    """Return what a model says of a complex question (Figure 11)."""
    parts = [{"question": one, "type": "retrieval"} for one in retrieval]
    return {"sub_questions": [*parts, *([{"question": synthesis, "type": "synthesis"}] if synthesis else [])]}


def ask(run: Run, question: str, name: str = "bookrag-paper") -> Answer:
    return systems.run_ask(systems.get(name), Query(question, limit=systems.get(name).limit), run)


def steps_of(trace: Sequence[TraceStep]) -> list[str]:
    return [step.step for step in trace]


# Planning: equation 8, Table 2


@pytest.mark.parametrize(
    ("question", "reach"),
    [
        ("What is the definition of Information Scent?", Reach.SINGLE),
        ("What is the title of Figure 2?", Reach.SINGLE),
        ("How do 5% of the Latinos see economic upward mobility for their children?", Reach.SINGLE),
        ("What is the reward model for the reinforcement learning approach?", Reach.SINGLE),
        ("How does Transformer differ from RNNs in handling long-range dependencies?", Reach.MULTI),
        (
            "What is the difference in performance between the interpretable system (e.g., vectors and cosine "
            "distance) and LSTM with ELMo system?",
            Reach.MULTI,
        ),
        (
            "According to the report, which one is greater in population in the survey? Foreign born Latinos, or the "
            "Latinos interviewed by cellphone?",
            Reach.MULTI,
        ),
        (
            "What is the color of the personality vector in the soft-labled personality embedding matrix that with the "
            "highest Receptiviti score for User A2GBIFL43U1LKJ?",
            Reach.MULTI,
        ),
        ("How many figures related to IFT are in Section 4?", Reach.GLOBAL),
        ("How many charts are shown in the first 10 pages of the document?", Reach.GLOBAL),
        ("How many figures are in this paper from Page 3 to Page 10?", Reach.GLOBAL),
        ("Summarize the discussion about 'data augmentation' in the 'Methodology' section.", Reach.GLOBAL),
        ("How many chapters are in this report?", Reach.GLOBAL),
    ],
)
def test_the_papers_examples_are_of_the_kind_that_it_says_by_rule(question: str, reach: Reach) -> None:
    assert understand(question).reach is reach


def test_the_parts_of_the_papers_multi_hop_case_are_its_two_systems() -> None:
    asked = (
        "What is the difference in performance between the interpretable system (e.g., vectors and cosine distance) "
        "and LSTM with ELMo system?"
    )
    one, two = understand(asked).parts
    assert "interpretable system (e.g., vectors and cosine distance)" in one
    assert "LSTM" not in one
    assert "LSTM with ELMo system" in two
    assert "interpretable" not in two
    # What stands side by side in one place is not taken apart.
    assert understand("What is the difference between men and women?").reach is Reach.SINGLE
    assert understand("What is the difference in revenue between 2018 and 2019?").reach is Reach.SINGLE


def test_a_question_is_classified_before_anything_else_and_the_model_is_believed() -> None:
    plan = {"filters": [{"filter_type": "page", "filter_value": "2"}], "operation": "ANALYZE"}
    found = {"relevant": True, "finding": "68 per cent"}
    both = {"used": [1, 2], "answerable": True, "answer": "68 per cent"}
    run, model = scripted(
        FLEET,
        {
            "classify_question": {"category": "global"},
            "plan_filters": plan,
            "analyze_block": found,
            "combine_answers": both,
        },
    )
    answer = ask(run, "What share does the Storm Petrel carry?")
    assert [one.decision for one in model.requests][:2] == ["classify_question", "plan_filters"]
    assert answer.text == "68 per cent"
    split = taken_apart("How long is the Heron?", "How long is the Petrel?", synthesis="Which is longer?")
    run, _ = scripted(
        FLEET,
        {
            "classify_question": {"category": "multi-hop"},
            "decompose_complex": split,
            "extract_question_entities": {"names": ["Heron"], "acronyms": []},
            "select_sections": {"sections": [0]},
        },
    )
    # A figure is named, and the model takes the question apart all the same.
    systems.run_search(
        systems.get("bookrag-paper"), Query("In Figure 3, which is longer, the Heron or the Petrel?"), run
    )
    assert run.query.reach is Reach.MULTI


# Single-hop: equations 3, 5, 9 and 10


def test_equation_9_extracts_selects_by_entity_and_reasons_in_the_order_of_equation_10() -> None:
    replies = {
        "classify_question": {"category": "single-hop"},
        "extract_question_entities": {"names": ["Storm Petrel"], "acronyms": []},
        "answer_from_evidence": reading("68 per cent", "68 per cent"),
    }
    run, model = scripted(FLEET, replies)
    answer = ask(run, "What share does the Storm Petrel carry?")
    assert steps_of(answer.trace) == [
        *("Blind", "ClassifyQuestion", "Extract", "SelectByEntity", "GraphReasoning", "TextRanker", "Skyline"),
        *("RankPages", "VerbatimReader"),
    ]
    assert model.calls == 3
    assert (answer.text, [one.page for one in answer.citations]) == ("68 per cent", [2])
    selected = next(step for step in answer.trace if step.step == "SelectByEntity")
    assert (selected.rows_in, selected.rows_out) == (8, 2)


def test_where_no_named_entity_links_the_sections_are_chosen() -> None:
    replies = {
        "classify_question": {"category": "single-hop"},
        "extract_question_entities": {"names": ["noon"], "acronyms": []},
        "select_sections": {"sections": [6]},
        "answer_from_evidence": reading("baked at noon", "at noon"),
    }
    run, model = scripted(FLEET, replies)
    answer = ask(run, "When, before or after noon, is it baked?")
    chosen = next(one for one in model.requests if one.decision == "select_sections")
    assert "Choose at most 5 sections." in chosen.turns[0].text
    order = [step for step in steps_of(answer.trace) if step.startswith(("Extract", "Select"))]
    assert order == ["Extract", "SelectByEntity", "SelectBySection"]
    assert [one.page for one in answer.citations] == [3]


def test_equation_5_takes_whole_subtrees_of_the_sections_that_an_entity_stands_in() -> None:
    run = run_over(FLEET)
    run.query = Query("?", entities=("Grey Heron",))
    assert SELECT(run.query, run).rows.tolist() == [0, 1, 2, 3]


def test_the_section_of_an_entity_is_the_nearest_over_it() -> None:
    rows: list[Row] = [
        (Kind.HEADING, "1 Ferries", 1, 1),
        (Kind.PARAGRAPH, "There are two.", 1, 0),
        (Kind.HEADING, "1.1 The new one", 1, 2),
        (Kind.PARAGRAPH, "The Storm Petrel is fast.", 1, 0),
    ]
    run = run_over(document(rows))
    run.query = Query("?", entities=("Storm Petrel",))
    assert SELECT(run.query, run).rows.tolist() == [2, 3]


def test_an_entity_is_linked_by_its_name_alone_and_never_by_nearness_or_as_a_value() -> None:
    run = run_over(FLEET)
    query = Extract(nearest=0, graph=BOOKINDEX)(Query("?", entities=("Storm Petrel", "1962", "68 per cent")), run)
    names = NamedGraph.of(run.view, BOOKINDEX).graph.entities.name
    assert ([names[row] for row in query.linked], query.near) == (["Storm Petrel"], ())
    assert "Extract(nearest=0, least=0.3, graph='bookindex')" in repr(PAPER_PLANS["bookrag-paper"].retrieve)


# Reasoning: equations 6, 7 and 14


def walk() -> GraphReasoning:
    """Return the walk of the plan."""
    plan = repr(STANDARD)
    printed = "GraphReasoning(damping=0.85, tolerance=1e-06, relevance=0.0, by_rarity=False, weighted=False, graph="
    assert printed in plan
    return GraphReasoning(damping=0.85, relevance=0.0, by_rarity=False, weighted=False, graph=BOOKINDEX)


def linked(named: NamedGraph) -> np.ndarray:
    """Return M: 1 where a block is one of those that an entity was found in, however often."""
    found = np.zeros((len(named.graph), named.n_blocks))
    mentions = named.graph.mentions
    found[mentions.entity, mentions.block] = 1
    return found


def test_equations_6_and_7_are_pagerank_from_the_entities_of_the_question_times_m() -> None:
    run = run_over(FLEET)
    named = NamedGraph.of(run.view, BOOKINDEX)
    run.query = Extract(nearest=0, graph=BOOKINDEX)(Query("?", entities=("Storm Petrel", "Grey Heron")), run)
    found = walk()(Evidence.where(run.view, run.view.is_content), run)
    reference = nx.Graph()
    reference.add_nodes_from(range(len(named.graph)))
    source, target, _ = named.graph.edges()
    reference.add_edges_from(zip(source.tolist(), target.tolist(), strict=True))
    start = {row: float(row in run.query.linked) for row in range(len(named.graph))}
    importance = nx.pagerank(reference, 0.85, start, tol=1e-12, max_iter=1000)
    expected = np.array([importance[row] for row in range(len(named.graph))]) @ linked(named)
    assert found.scores[GRAPH] == pytest.approx(expected[found.rows], abs=1e-4)


def test_without_an_entity_the_walk_starts_everywhere_alike() -> None:
    run = run_over(FLEET)
    named = NamedGraph.of(run.view, BOOKINDEX)
    found = walk()(Evidence.where(run.view, run.view.is_content), run)
    reference = nx.Graph()
    reference.add_nodes_from(range(len(named.graph)))
    source, target, _ = named.graph.edges()
    reference.add_edges_from(zip(source.tolist(), target.tolist(), strict=True))
    importance = nx.pagerank(reference, 0.85, tol=1e-12, max_iter=1000)
    expected = np.array([importance[row] for row in range(len(named.graph))]) @ linked(named)
    assert found.scores[GRAPH] == pytest.approx(expected[found.rows], abs=1e-4)


class Reranking:
    """Scores texts by their length, and remembers them."""

    name = "by length"

    def __init__(self) -> None:
        self.texts: list[str] = []

    def score(self, question: str, texts: Sequence[str]) -> np.ndarray:
        self.texts += texts
        return np.array([len(text) / 1000 for text in texts], np.float32)


def test_the_text_is_ranked_by_the_reranker_every_block_and_nothing_else() -> None:
    run, reranking = run_over(FLEET), Reranking()
    run.reranker, run.query = lambda: reranking, Query("What share does the Storm Petrel carry?")
    found = TextRanker()(Evidence.where(run.view, run.view.is_content), run)
    assert reranking.texts == list(FLEET.blocks.text)  # the content of a node, without the titles above it
    assert found.scores[TEXT] == pytest.approx([len(text) / 1000 for text in reranking.texts])
    run.reranker = None
    ruled = TextRanker()(Evidence.where(run.view, run.view.is_content), run)
    assert int(ruled.rows[np.argmax(ruled.scores[TEXT])]) == 5
    assert 0 <= ruled.scores[TEXT].min() <= ruled.scores[TEXT].max() <= 1


def test_equation_14_keeps_the_front_of_both_scores_and_fills_nothing() -> None:
    assert "Skyline(columns=('graph', 'text'), fill=None)" in repr(STANDARD)
    run = run_over(FLEET)
    run.query = Query("What share does the Storm Petrel carry?", limit=100, entities=("Storm Petrel", "Grey Heron"))
    scored = (SELECT >> walk() >> TextRanker())(run.query, run)
    kept = Skyline((GRAPH, TEXT))(scored, run)
    front = pareto_front(np.stack([scored.scores[GRAPH], scored.scores[TEXT]]))
    assert kept.rows.tolist() == scored.rows[front].tolist()
    assert (SELECT >> STANDARD)(run.query, run).rows.tolist() == kept.rows.tolist()
    assert len(kept) < len(scored)


def test_the_reader_is_shown_the_front_best_text_first() -> None:
    replies = {
        "classify_question": {"category": "single-hop"},
        "extract_question_entities": {"names": ["Storm Petrel", "Grey Heron"], "acronyms": []},
        "answer_from_evidence": {"evidence": [], "answerable": False},
    }
    run, model = scripted(FLEET, replies)
    answer = ask(run, "What share of travellers do the Storm Petrel and the Grey Heron carry?")
    shown = re.findall(r"<passage id=\d+>\n(.*?)\n</passage>", model.requests[-1].turns[0].text, re.DOTALL)
    rows = answer.evidence.ranked(TEXT).tolist()
    assert "\n".join(shown) == "\n".join(FLEET.blocks.text.take(rows))
    kept = next(step for step in answer.trace if step.step == "Skyline")
    assert kept.rows_out == kept.parameters["front"] == len(rows)


def test_blocks_come_in_the_order_of_their_text_scores_where_the_graph_would_have_another() -> None:
    rows: list[Row] = [
        (Kind.HEADING, "1 Ferries", 1, 1),
        (Kind.PARAGRAPH, "The Grey Heron met the Storm Petrel.", 1, 0),
        (Kind.PARAGRAPH, "The Grey Heron was at sea for as long as anybody who lives here can think back.", 1, 0),
    ]
    replies = {
        "classify_question": {"category": "single-hop"},
        "extract_question_entities": {"names": ["Storm Petrel", "Grey Heron"], "acronyms": []},
        "answer_from_evidence": {"evidence": [], "answerable": False},
    }
    run, model = scripted(document(rows), replies)
    run.reranker = Reranking  # the longer the better
    answer = ask(run, "Where was the Grey Heron, and where the Storm Petrel?")
    assert answer.evidence.ranked(GRAPH).tolist() == [1, 2]
    shown = re.findall(r"<passage id=\d+>\n(.*?)\n</passage>", model.requests[-1].turns[0].text, re.DOTALL)
    assert shown == [rows[2][1], rows[1][1]]


def test_the_reader_that_sees_is_shown_the_first_ten_figures() -> None:
    source = document([(Kind.CHART, f"passengers {number}", number, 0) for number in range(1, 13)])
    run, model = scripted(source, {"answer_from_evidence": {"evidence": [], "answerable": False}}, sees=True)
    run.query = Query("How many passengers are there?")
    scores = np.arange(12)[::-1] / 12
    READ(Evidence.where(run.view, run.view.is_content).with_score(RELEVANCE, scores), run)
    (request,) = model.requests
    assert len(request.turns[0].pictures) == 10
    assert "passengers 12" in request.turns[0].text


# Multi-hop: equations 2 and 11


def test_equation_11_answers_each_part_by_the_single_hop_workflow_and_reduces() -> None:
    parts = ["What share did the Grey Heron carry?", "What share does the Storm Petrel carry?"]
    heron, petrel = reading("39 per cent", "39 per cent"), reading("68 per cent", "68 per cent")

    def names(request: Request) -> object:
        return {"names": ["Storm Petrel" if "Storm Petrel" in request.turns[0].text else "Grey Heron"], "acronyms": []}

    asked: list[str] = []

    def read(request: Request) -> object:
        asked.append(request.turns[0].text)
        return (petrel if "Storm Petrel carry?" in asked[-1] else heron)(request)

    shown: list[str] = []

    def combine(request: Request) -> object:
        shown.append(request.turns[0].text)
        return {"used": [1, 2], "answerable": True, "answer": "29 percentage points"}

    replies = {
        "classify_question": {"category": "multi-hop"},
        "decompose_complex": taken_apart(*parts, synthesis="By how much do they differ?"),
        "extract_question_entities": names,
        "answer_from_evidence": read,
        "combine_answers": combine,
    }
    run, model = scripted(FLEET, replies)
    question = "By how much do the shares of the Grey Heron and the Storm Petrel differ?"
    answer = ask(run, question)
    assert answer.text == "29 percentage points"
    assert model.calls == 7
    each = [step for step in answer.trace if step.step == "ForEach"]
    assert [step.parameters["question"] for step in each] == parts
    assert all({"Extract", "Skyline", "VerbatimReader"} <= set(steps_of(step.steps)) for step in each)
    assert "39 per cent" in shown[0]
    assert "68 per cent" in shown[0]
    assert "By how much do they differ?" in shown[0]
    # A part is a question of its own: nobody who answers it is told of the whole or of the other part.
    assert len(asked) == 2
    assert not [one for one in asked if question in one or all(part in one for part in parts)]


def test_equation_2_takes_a_complex_question_apart_and_what_is_left_of_one_part_is_still_put_together() -> None:
    shown: list[str] = []

    def combine(request: Request) -> object:
        shown.append(request.turns[0].text)
        return {"used": [1], "answerable": True, "answer": "below half"}

    replies = {
        "classify_question": {"category": "multi-hop"},
        "decompose_complex": taken_apart("What share did the Grey Heron carry?", synthesis="Is that more than half?"),
        "extract_question_entities": {"names": ["Grey Heron"], "acronyms": []},
        "answer_from_evidence": reading("39 per cent", "39 per cent"),
        "combine_answers": combine,
    }
    run, model = scripted(FLEET, replies)
    assert ask(run, "Did the Grey Heron carry more than half?").text == "below half"
    assert "Is that more than half?" in shown[0]
    told = next(one for one in model.requests if one.decision == "decompose_complex")
    assert "<question>\nDid the Grey Heron carry more than half?\n</question>" in told.turns[0].text
    # As many parts as a model finds are looked up.
    many = [f"How long was ferry {number}?" for number in range(9)]
    silent = {"select_sections": {"sections": [0]}, "answer_from_evidence": {"evidence": [], "answerable": False}}
    run, model = scripted(FLEET, {**replies, **silent, "decompose_complex": taken_apart(*many)})
    ask(run, "Which of the ferries was the longest?")
    assert [one.decision for one in model.requests].count("answer_from_evidence") == 9
    assert "Which of the ferries was the longest?" in run.query.synthesis


def test_parts_that_settle_nothing_are_not_read_once_more() -> None:
    replies = {
        "classify_question": {"category": "multi-hop"},
        "decompose_complex": taken_apart("Who is the Heron?", "Who is the Petrel?"),
        "extract_question_entities": {"names": ["Grey Heron"], "acronyms": []},
        "answer_from_evidence": {"evidence": [], "answerable": False},
        "combine_answers": {"used": [], "answerable": False, "answer": ""},
    }
    run, model = scripted(FLEET, {**replies, "select_sections": {"sections": [0]}})
    assert not ask(run, "Which is older, the Grey Heron or the Storm Petrel?").answerable
    assert [one.decision for one in model.requests].count("answer_from_evidence") == 2


# Global: equations 4 and 12, Figure 8


def test_equation_12_nests_the_filters_and_maps_each_block_by_its_picture() -> None:
    filters = [{"filter_type": "page", "filter_value": "1-10"}, {"filter_type": "image", "filter_value": None}]
    seen: list[tuple[str, int]] = []

    def analyse(request: Request) -> object:
        turn = request.turns[0]
        seen.append((re.search(r"page: (\d+)", turn.text)[1], len(turn.pictures)))  # type: ignore[index]
        return {"relevant": "passengers 6" not in turn.text, "finding": "a chart of passengers"}

    replies = {
        "classify_question": {"category": "global"},
        "plan_filters": {"filters": filters, "operation": "COUNT"},
        "analyze_block": analyse,
    }
    run, model = scripted(slides(), replies, sees=True)
    answer = ask(run, "How many charts are shown in the first 10 pages of the document?")
    assert sorted(seen, key=lambda one: int(one[0])) == [(page, 1) for page in ("3", "5", "6", "8", "9")]
    assert (answer.text, answer.value) == ("4", 4)
    assert [one.page for one in answer.citations] == [3, 5, 8, 9]
    assert {one.page for one in answer.pages_read} == {3, 5, 6, 8, 9}
    order = ["ClassifyQuestion", "PlanFilters", "Everything", "FilterRange", "FilterModal"]
    assert steps_of(answer.trace) == [*order, "Unranked", "MapBlocks", "ReduceBlocks"]
    assert [(step.rows_in, step.rows_out) for step in answer.trace[3:5]] == [(37, 25), (25, 5)]
    assert model.calls == 7
    assert answer.is_seen


def test_every_block_of_a_filtered_section_is_analysed_one_by_one_and_what_was_found_is_combined() -> None:
    filters = [{"filter_type": "section", "filter_value": "Past"}]
    shown: list[str] = []

    def combine(request: Request) -> object:
        shown.append(request.turns[0].text)
        return {"used": [1], "answerable": True, "answer": "It carried 39 per cent."}

    def analyse(request: Request) -> object:
        is_of_it = "Grey Heron carried" in request.turns[0].text
        return {"relevant": is_of_it, "finding": "39 per cent in 1962" if is_of_it else ""}

    replies = {
        "classify_question": {"category": "global"},
        "plan_filters": {"filters": filters, "operation": "SUMMARIZE"},
        "analyze_block": analyse,
        "combine_answers": combine,
    }
    run, model = scripted(FLEET, replies)
    answer = ask(run, "Summarize the section 'Past'.")
    assert [one.decision for one in model.requests].count("analyze_block") == 4
    assert "39 per cent in 1962" in shown[0]
    assert "paragraph, page 1" in shown[0]
    assert (answer.text, [one.page for one in answer.citations]) == ("It carried 39 per cent.", [1])
    assert not answer.is_seen


def test_filters_leave_as_many_pages_as_they_leave() -> None:
    source = document([(Kind.CHART, f"passengers {number}", number, 0) for number in range(1, 15)])
    answer = ask(run_over(source), "How many charts are there?")
    assert answer.value == len(answer.evidence.pages(answer.by)) == 14


def test_filters_of_one_sort_are_united_and_those_of_several_nested() -> None:
    rows: list[Row] = []
    for page in range(1, 5):
        rows += [(Kind.CHART, f"chart {page}", page, 0), (Kind.TABLE, f"table {page}", page, 0)]
        rows += [(Kind.PARAGRAPH, f"words {page}", page, 0)]
    filters = [
        *({"filter_type": "page", "filter_value": page} for page in ("1", "3-4")),
        *({"filter_type": kind} for kind in ("image", "table")),
    ]
    replies = {
        "classify_question": {"category": "global"},
        "plan_filters": {"filters": filters, "operation": "COUNT"},
        "analyze_block": {"relevant": True, "finding": "one"},
    }
    run, _ = scripted(document(rows), replies)
    answer = ask(run, "How many tables and charts are on page 1 and on pages 3 to 4?")
    assert (answer.value, sorted({one.page for one in answer.citations})) == (6, [1, 3, 4])


def test_a_filter_that_names_nothing_there_is_leaves_nothing() -> None:
    filters = [{"filter_type": "section", "filter_value": "Weather"}]
    replies = {
        "classify_question": {"category": "global"},
        "plan_filters": {"filters": filters, "operation": "SUMMARIZE"},
    }
    run, model = scripted(FLEET, replies)
    assert not ask(run, "Summarize the section on the weather.").answerable
    assert model.calls == 2


def captioned() -> Document:
    plain = document([(Kind.CAPTION, "Figure 1: The Heron", 1, 0), (Kind.FIGURE, "bow stern", 1, 0)])
    links = LinkTable(
        source=np.array([0], np.int32),
        target=np.array([1], np.int32),
        kind=np.array([LinkKind.CAPTION_OF], np.uint8),
        weight=np.ones(1, np.float32),
        text=TextColumn.of([""]),
    )
    return dataclasses.replace(plain, links=links)


def test_a_caption_is_told_with_what_it_is_of() -> None:
    shown: list[str] = []

    def analyse(request: Request) -> object:
        shown.append(request.turns[0].text)
        return {"relevant": False, "finding": ""}

    run, _ = scripted(captioned(), {"analyze_block": analyse})
    run.query = Query("What is shown?")
    MapBlocks()(Evidence.where(run.view, run.view.is_content), run)
    assert len(shown) == 1
    assert "Figure 1: The Heron\nbow stern" in shown[0]
    reranking = Reranking()
    run.reranker = lambda: reranking
    TextRanker()(Evidence.where(run.view, run.view.is_content), run)
    assert reranking.texts == ["Figure 1: The Heron", "Figure 1: The Heron\nbow stern"]


def test_by_rule_items_of_the_kind_and_topic_are_counted() -> None:
    answer = ask(run_over(slides()), "How many charts are shown in the first 10 pages of the document?")
    assert (answer.value, [one.page for one in answer.citations]) == (5, [3, 5, 6, 8, 9])
    assert answer.decided_by.keys() == {"rule"}


# Figure 4b


def test_the_papers_single_hop_trace_narrows_down_from_the_section_that_its_entity_names() -> None:
    rows: list[Row] = [(Kind.HEADING, "1 Prompts", 1, 1), (Kind.PARAGRAPH, "There are several.", 1, 0)]
    rows += [(Kind.PARAGRAPH, "Here something else is told.", 2, 0) for at in range(30)]
    rows += [
        (Kind.HEADING, "2 Ranking Prompt", 3, 1),
        (Kind.PARAGRAPH, "Rank these by price. The car in the example is a blue hatchback.", 3, 0),
        (Kind.PARAGRAPH, "Give the order as a list.", 3, 0),
    ]
    run = run_over(document(rows))
    answer = ask(run, "What is the type of car in the Ranking Prompt example?")
    sizes = {step.step: (step.rows_in, step.rows_out) for step in answer.trace}
    assert "Ranking Prompt" in next(step for step in answer.trace if step.step == "Extract").parameters["found"]
    assert sizes["SelectByEntity"] == (35, 3)
    assert sizes["Skyline"][1] < 3
    assert answer.passages[0].page == 3


# Table 7, and what stands for the paper's parts


def test_the_ablations_are_the_rows_of_table_7() -> None:
    assert {name.removeprefix("bookrag-paper-no-") for name in TABLE_7} == {
        *("gradient-er", "planning", "selector", "graph-reasoning", "text-reasoning")
    }
    plans = {name.removeprefix("bookrag-paper-no-"): repr(ABLATIONS[name].retrieve) for name in TABLE_7}
    assert "basic_entities" in plans["gradient-er"]
    assert "bookindex" not in plans["gradient-er"]
    assert "ClassifyQuestion" not in plans["planning"]
    assert "DecomposeComplex" not in plans["planning"]
    assert "Select" not in plans["selector"]
    assert "Extract" in plans["selector"]
    for missing, left in (("graph-reasoning", "text"), ("text-reasoning", "graph")):
        assert "Skyline" not in plans[missing]
        assert f"BestBlocks(by='{left}', count=10)" in plans[missing]
    assert "GraphReasoning" not in plans["graph-reasoning"]
    assert "TextRanker" not in plans["text-reasoning"]


@pytest.mark.parametrize("name", VARIANTS)
def test_a_paper_plan_reads_no_score_of_another_system_and_nothing_resolved_otherwise(name: str) -> None:
    system = systems.get(name)
    plan = repr(system.retrieve) + repr(system.answer)
    for ours in ("Fuse(", "SelectByScent", "FilterTopic", "Fill(", "TextReasoning", "DirectReader", "Refer()"):
        assert ours not in plan
    assert not {"entities", "entity_vectors", "basic_entity_vectors"} & system.needs()


def test_each_result_names_what_stands_for_the_papers_parts() -> None:
    answer = ask(run_over(FLEET), "What share does the Storm Petrel carry?")
    assert {one.role: one.paper for one in answer.substitutes} == {
        "parser": "MinerU",
        "embedder": "Qwen3-Embedding-0.6B",
        "reranker": "Qwen3-Reranker-4B",
        "model": "Qwen3-8B",
        "vision": "Qwen2.5VL-30B",
    }
    assert {one.here for one in answer.substitutes if one.role in ("reranker", "model", "vision")} == {"none, by rule"}


# Without a model, with one that fails, within a budget


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("question", ["", "How many tables are there?", "Summarize the document.", "Who is A or B?"])
def test_a_document_without_a_block_has_no_answer(name: str, question: str) -> None:
    assert not ask(run_over(document([])), question, name).answerable


@pytest.mark.parametrize("name", VARIANTS)
def test_every_plan_finds_the_page_by_rule_and_the_same_twice(name: str) -> None:
    query = Query("What share of travellers does the Storm Petrel carry?", limit=100)
    found = [systems.run_search(systems.get(name), query, run_over(FLEET)).to_json()["pages"] for _ in range(2)]
    assert found[0] == found[1]
    assert found[0][0]["page"] == 2


@given(
    documents(),
    st.sampled_from(VARIANTS),
    st.sampled_from(["How many tables are on pages 1-3?", "Summarize it.", "Is Anna or Bert longer?", "Who came?", ""]),
    st.integers(1, 3),
)
def test_any_document_gets_an_answer_whose_quotes_are_verbatim(
    source: Document, name: str, question: str, limit: int
) -> None:
    answer = systems.run_ask(systems.get(name), Query(question, limit=limit), run_over(source))
    assert all(cited.quote in source.blocks.text[int(cited.block[1:])] for cited in answer.citations)
    json.dumps(answer.to_json())


@pytest.mark.parametrize("said", [ModelFault(FaultKind.REQUEST, "out of order"), "I would rather not.", "{}"])
@pytest.mark.parametrize(
    "question",
    ["What share does the Storm Petrel carry?", "Summarize the section 'Past'.", "Is Heron or Petrel longer?"],
)
def test_a_model_that_fails_or_talks_nonsense_at_every_turn_leaves_a_usable_result(
    said: str | ModelFault, question: str
) -> None:
    run = run_over(FLEET)
    run.judge = Judge({"language": ScriptedModel(lambda _request: said)})
    answer = ask(run, question)
    assert set(answer.decided_by) == {"rule"}
    assert answer.text
    json.dumps(answer.to_json())


@pytest.mark.parametrize("calls", range(4))
def test_a_budget_that_ends_in_the_middle_of_map_leaves_the_rest_to_the_rule(calls: int) -> None:
    replies = {
        "classify_question": {"category": "global"},
        "plan_filters": {"filters": [{"filter_type": "image"}], "operation": "COUNT"},
        "analyze_block": {"relevant": True, "finding": "a chart"},
    }
    run, model = scripted(slides(), replies, caps=Caps(calls=calls))
    answer = ask(run, "How many charts are there?")
    assert model.calls <= calls
    assert (answer.value, bool(answer.stopped)) == (7, True)


def test_what_reduces_nothing_says_that_there_is_nothing() -> None:
    run = run_over(FLEET)
    run.query = Query("How many tables are there?")
    assert not ReduceBlocks()((), run).answerable

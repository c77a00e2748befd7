"""BookRAG as a whole: the traces of its Figure 8 on documents made for it, what happens without this or that part."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foraging import reading, scripted, slides
from indexed import FakeEmbedder, run_over
from memory_layers import MemoryLayers
from octavo import systems
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Answer, Graph, Query, Reach, TraceStep, View
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Run
from octavo.systems import ABLATIONS, SYSTEMS
from octavo_documents.document import Document, Kind
from octavo_documents.document.columns import pack
from synthetic import Row, document, documents

PAPER = ["bookrag-paper", *(name for name in ABLATIONS if name.startswith("bookrag-paper-"))]
VARIANTS = ["bookrag", *(name for name in ABLATIONS if name.startswith("bookrag-") and name not in PAPER)]

# A handbook of a harbour: one section tells how keepers are paid, the others are about something else.
_OTHER = (
    *("Tides", "Fog", "Ropes", "Paint", "Engines", "Charts", "Radio", "Bread", "Ice", "Birds", "Anchors", "Lamps"),
    *("Sails", "Stairs", "Wells", "Nets", "Bells", "Flags", "Coal", "Tea", "Boots", "Clocks", "Doors", "Ferns"),
)


def handbook() -> Document:
    rows: list[Row] = [(Kind.TITLE, "Harbour handbook", 1, 0)]
    for number, topic in enumerate(_OTHER, start=1):
        rows.append((Kind.HEADING, f"{number} {topic}", number, 1))
        rows += [(Kind.PARAGRAPH, f"{topic} matter on day {day} of the week.", number, 0) for day in range(1, 5)]
    rows += [
        (Kind.HEADING, "25 Keepers", 25, 1),
        (Kind.PARAGRAPH, "The Keeper Reward Scheme (KRS) began when Anna Brandt led the harbour.", 25, 0),
        (Kind.HEADING, "25.1 Terms", 26, 2),
        (Kind.PARAGRAPH, "Under the KRS a keeper gets 1 crown for each ship that lands safely, and 0 else.", 26, 0),
        (Kind.PARAGRAPH, "A discount of 0.95 is taken for each hour that a ship waits.", 26, 0),
    ]
    return document(rows, name="handbook.pdf")


def fleet() -> Document:
    return document(
        [
            (Kind.HEADING, "1 Old ferries", 1, 1),
            (Kind.PARAGRAPH, "The Grey Heron carried 39 per cent of all travellers in 1962.", 1, 0),
            (Kind.HEADING, "2 New ferries", 2, 1),
            (Kind.PARAGRAPH, "The Storm Petrel carries 68 per cent of all travellers.", 2, 0),
            (Kind.HEADING, "3 Kitchen", 3, 1),
            (Kind.PARAGRAPH, "Bread is baked at noon.", 3, 0),
        ],
        name="fleet.pdf",
    )


def slides_again() -> Document:
    return dataclasses.replace(slides(), id="sha256:again", name="again.pdf")


def flat(steps: tuple[TraceStep, ...]) -> Iterator[TraceStep]:
    for step in steps:
        yield step
        yield from flat(step.steps)


def rows_of(answer: Answer, name: str) -> list[tuple[int, int]]:
    return [(step.rows_in, step.rows_out) for step in flat(answer.trace) if step.step == name]


# Figure 8


def test_a_single_hop_question_goes_from_its_entity_to_a_few_blocks() -> None:
    plan = {"category": "single-hop", "entities": ["Keeper Reward Scheme"], "operation": "NONE"}
    source = handbook()
    run, model = scripted(
        source, {"plan_question": plan, "answer_from_evidence": reading("1 crown for each ship", "1 crown a ship")}
    )
    answer = systems.run_ask(SYSTEMS["bookrag"], Query("What is paid under the Keeper Reward Scheme?"), run)
    assert answer.text == "1 crown a ship"
    assert [(cited.page, cited.section) for cited in answer.citations] == [(26, ("25 Keepers", "25.1 Terms"))]
    names = [step.step for step in answer.trace]
    order = ["PlanQuestion", "Extract", "SelectByEntity", "GraphReasoning", "TextReasoning", "Skyline", "DirectReader"]
    assert [name for name in names if name in order] == order
    ((everything, selected),) = rows_of(answer, "SelectByEntity")
    ((reasoned_over, kept),) = rows_of(answer, "Skyline")
    assert (everything, len(source.blocks)) == (126, 126)
    assert 3 <= selected < reasoned_over < everything
    assert 1 <= kept < reasoned_over
    assert model.calls == 2


def test_a_multi_hop_question_is_answered_by_parts_that_are_put_together() -> None:
    parts = [
        "What share of travellers did the Grey Heron carry?",
        "What share of travellers does the Storm Petrel carry?",
    ]
    plan = {
        "category": "multi-hop",
        "retrieval_questions": parts,
        "synthesis_questions": ["By how much do the two shares differ?"],
        "entities": ["Grey Heron", "Storm Petrel"],
        "operation": "NONE",
    }
    heron, petrel = reading("39 per cent", "39 per cent"), reading("68 per cent", "68 per cent")

    def read(request: Request) -> object:
        found = petrel if "Storm Petrel carry?" in request.turns[0].text else heron
        return found(request)

    shown: list[str] = []

    def combine(request: Request) -> object:
        shown.append(request.turns[0].text)
        return {"used": [1, 2], "answerable": True, "answer": "29 percentage points"}

    run, model = scripted(fleet(), {"plan_question": plan, "answer_from_evidence": read, "combine_answers": combine})
    question = "What is the difference between the shares of travellers of the Grey Heron and the Storm Petrel?"
    answer = systems.run_ask(SYSTEMS["bookrag"], Query(question), run)
    assert answer.text == "29 percentage points"
    assert sorted(cited.page for cited in answer.citations) == [1, 2]
    each = [step for step in answer.trace if step.step == "ForEach"]
    assert [step.parameters["question"] for step in each] == parts
    assert all("Skyline" in [inner.step for inner in step.steps] for step in each)
    assert "39 per cent" in shown[0]
    assert "68 per cent" in shown[0]
    assert model.calls == 4


def test_a_part_that_is_half_known_is_combined_and_each_request_says_of_what_it_is_a_part() -> None:
    parts = ["What share did the Grey Heron carry in 1962 and 1963?", "What share does the Storm Petrel carry?"]
    plan = {"category": "multi-hop", "retrieval_questions": parts, "operation": "NONE"}
    whole, petrel = reading("39 per cent", "39 per cent in 1962"), reading("68 per cent", "68 per cent")
    asked: list[str] = []
    shown: list[str] = []

    def read(request: Request) -> object:
        asked.append(request.turns[0].text)
        if "Storm Petrel carry?\n" in asked[-1]:
            return petrel(request)
        found = whole(request)
        return found | {"answerable": False, "missing": ["Heron share 1963"]}

    def combine(request: Request) -> object:
        shown.append(request.turns[0].text)
        return {"used": [1, 2], "answerable": True, "answer": "29 points, of 1962"}

    run, _ = scripted(fleet(), {"plan_question": plan, "answer_from_evidence": read, "combine_answers": combine})
    question = "By how much do the shares of the Grey Heron and the Storm Petrel differ?"
    answer = systems.run_ask(SYSTEMS["bookrag"], Query(question), run)
    assert "in part: 39 per cent in 1962 (not known: Heron share 1963)" in shown[0]
    assert all(f"It is a part of: {question})" in one for one in asked)
    assert answer.text == "29 points, of 1962"
    assert sorted(cited.page for cited in answer.citations) == [1, 2]
    assert 0 < answer.confidence <= 0.4


@pytest.mark.parametrize(("again", "known"), [("", "39 in 1962"), ("39 in 1962, 41 in 1963", "39 in 1962, 41 in 1963")])
def test_parts_that_come_to_a_part_are_told_to_who_reads_again_and_the_fuller_stands(again: str, known: str) -> None:
    parts = ["What share did the Grey Heron carry in 1962 and 1963?", "What share does the Storm Petrel carry?"]
    plan = {"category": "multi-hop", "retrieval_questions": parts, "operation": "NONE"}
    shown: list[str] = []

    def read(request: Request) -> object:
        shown.append(request.turns[0].text)
        if "Storm Petrel carry?\n" in shown[-1]:
            return reading("68 per cent", "68 per cent")(request)
        said = "39 in 1962" if "is a part of" in shown[-1] else again
        return reading("39 per cent", said)(request) | {"answerable": False, "missing": []}

    combine = {"used": [1], "answerable": False, "answer": "39 in 1962"}
    run, _ = scripted(fleet(), {"plan_question": plan, "answer_from_evidence": read, "combine_answers": combine})
    question = "By how much do the shares of the Grey Heron and the Storm Petrel differ?"
    answer = systems.run_ask(SYSTEMS["bookrag"], Query(question), run)
    assert "Known so far, from what was shown before: 39 in 1962" in shown[-1]
    assert (answer.known, answer.text) == (known, f"Known only in part: {known}")


def test_a_question_that_stays_whole_is_asked_as_it_is() -> None:
    asked: list[str] = []

    def read(request: Request) -> object:
        asked.append(request.turns[0].text)
        return reading("68 per cent", "68 per cent")(request)

    plan = {"category": "single-hop", "operation": "NONE"}
    run, _ = scripted(fleet(), {"plan_question": plan, "answer_from_evidence": read})
    systems.run_ask(SYSTEMS["bookrag"], Query("What share does the Storm Petrel carry?"), run)
    assert "<question>\nWhat share does the Storm Petrel carry?\n</question>" in asked[0]


def test_a_global_question_counts_what_its_filters_leave() -> None:
    plan = {"category": "global", "kinds": ["chart"], "pages": ["1-10"], "operation": "COUNT"}
    shown: list[str] = []

    def review(request: Request) -> object:
        shown.append(request.turns[0].text)
        return {"reason": "all are charts", "counted": [1, 2, 3, 4, 5]}

    run, model = scripted(slides(), {"plan_question": plan, "review_items": review})
    answer = systems.run_ask(SYSTEMS["bookrag"], Query("How many charts are shown in the first 10 pages?"), run)
    assert (answer.text, answer.value) == ("5", 5)
    assert [cited.page for cited in answer.citations] == [3, 5, 6, 8, 9]
    assert rows_of(answer, "FilterRange") == [(37, 25)]
    assert rows_of(answer, "FilterModal") == [(25, 5)]
    assert "[5] page 9, chart: passengers 9" in shown[0]
    assert model.calls == 2


def test_what_does_not_count_when_all_items_are_looked_at_together_is_left_out() -> None:
    plan = {"category": "global", "kinds": ["chart"], "pages": ["1-10"], "operation": "COUNT"}
    run, _ = scripted(slides(), {"plan_question": plan, "review_items": {"reason": "cut in two", "counted": [1, 4, 5]}})
    answer = systems.run_ask(SYSTEMS["bookrag"], Query("How many charts are shown in the first 10 pages?"), run)
    assert (answer.value, [cited.page for cited in answer.citations]) == (3, [3, 8, 9])
    none = {"reason": "no charts", "counted": []}
    run, _ = scripted(slides(), {"plan_question": plan, "review_items": none})
    answer = systems.run_ask(SYSTEMS["bookrag"], Query("How many charts are shown in the first 10 pages?"), run)
    assert not answer.answerable


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many charts are in the document?", "8"),
        (
            "How many charts are there, and on which PDF pages (count pages 1 to 15)?",
            "8 (page 3: 1, page 5: 4, page 6: 3)",
        ),
    ],
)
def test_an_item_that_shows_several_things_counts_for_each_of_them(question: str, text: str) -> None:
    plan = {"category": "global", "kinds": ["chart"], "operation": "COUNT"}
    several = [{"id": 2, "times": 4}, {"id": 3, "times": 3}, {"id": 7, "times": 9}, {"id": 1, "times": 0}]
    review = {"reason": "panels", "counted": [1, 2, 3], "several": several}
    run, _ = scripted(slides(), {"plan_question": plan, "review_items": review})
    answer = systems.run_ask(SYSTEMS["bookrag"], Query(question, limit=30), run)
    assert (answer.value, answer.text) == (8, text)


def test_how_many_are_on_each_page_is_told_where_it_is_asked_for() -> None:
    question = "How many charts are there, on which pages, and how many on each?"
    one = document([(Kind.CHART, "passengers", 4, 0), (Kind.CHART, "crews", 4, 0)], name="charts.pdf")
    answer = systems.run_ask(SYSTEMS["bookrag"], Query(question, limit=30), run_over(one))
    assert (answer.value, answer.text) == (2, "2 (page 4: 2)")


def test_the_same_questions_are_answered_without_a_model() -> None:
    count = systems.run_ask(
        SYSTEMS["bookrag"], Query("How many charts are shown in the first 10 pages?"), run_over(slides())
    )
    assert (count.value, {cited.page for cited in count.citations}) == (5, {3, 5, 6, 8, 9})
    single = systems.run_ask(
        SYSTEMS["bookrag"], Query("What does a keeper get for each ship that lands safely?"), run_over(handbook())
    )
    assert single.passages[0].page == 26
    assert not single.usage.calls


@pytest.mark.parametrize("name", ["bookrag", "bookrag-paper"])
def test_the_pages_of_what_is_counted_are_told_where_they_are_asked_for(name: str) -> None:
    def asked(question: str, *sources: Document) -> Answer:
        return systems.run_ask(systems.get(name), Query(question, limit=30), run_over(*sources))

    both = asked("How many charts are in the document, and on which pages are they?", slides())
    assert (both.text, both.value) == ("7 (on pages 3, 5, 6, 8, 9, 12, 15)", 7)
    assert asked("How many charts are in the document?", slides()).text == "7"
    one = document([(Kind.CHART, "passengers", 4, 0), (Kind.CHART, "crews", 4, 0)], name="charts.pdf")
    assert asked("How many charts are there, and on which pages?", one).text == "2 (on page 4)"
    # A page of one document is none of another.
    several = asked("How many charts are there, and on which pages?", slides(), one)
    assert several.value == 9
    assert "3 of slides.pdf" in several.text
    assert several.text.endswith("4 of charts.pdf)")
    assert asked("How many pages have charts?", slides(), slides_again()).value == 14


@pytest.mark.parametrize("where", ["on pages 40 to 50", "in the section on gutters"])
def test_a_count_of_pages_or_a_section_that_are_not_there_is_no_count_of_the_whole(where: str) -> None:
    for name in ("bookrag", "bookrag-paper"):
        answer = systems.run_ask(systems.get(name), Query(f"How many charts are {where}?"), run_over(slides()))
        assert (answer.answerable, answer.value) == (False, None)


def test_a_count_of_items_of_which_not_all_were_looked_at_is_the_least_there_are() -> None:
    rows: list[Row] = [(Kind.CHART, f"passengers {number}", number, 0) for number in range(1, 71)]
    question = Query("How many charts show passengers?", limit=100)
    some = systems.run_ask(SYSTEMS["bookrag"], question, run_over(document(rows)))
    assert (some.text, some.value) == ("at least 60", 60)
    every = systems.run_ask(SYSTEMS["bookrag"], question, run_over(document(rows[:60])))
    assert (every.text, every.value) == ("60", 60)
    assert some.confidence < every.confidence


def test_items_that_do_not_fit_the_last_look_count() -> None:
    rows: list[Row] = [(Kind.CHART, f"passengers of ferry {'x' * 120} {number}", number, 0) for number in range(1, 41)]
    plan = {"category": "global", "kinds": ["chart"], "operation": "COUNT"}
    shown: list[str] = []

    def review(request: Request) -> object:
        shown.append(request.turns[0].text)
        return {"reason": "the second is a logo", "counted": [1, *range(3, 1 + _items_in(shown[-1]))]}

    run, _ = scripted(document(rows), {"plan_question": plan, "review_items": review}, context=2_000)
    answer = systems.run_ask(SYSTEMS["bookrag"], Query("How many charts are there?", limit=100), run)
    assert 2 < _items_in(shown[0]) < 40
    assert answer.value == 39


def _items_in(text: str) -> int:
    return len(re.findall(r"^\[\d+\]", text, re.MULTILINE))


@pytest.mark.parametrize("sees", [True, False])
def test_topics_and_the_last_look_go_by_pictures_where_a_model_sees(sees: bool) -> None:
    plan = {"category": "global", "kinds": ["chart"], "topic": "passengers", "operation": "COUNT"}
    shown: dict[str, tuple[int, str]] = {}

    def note(request: Request, reply: object) -> object:
        shown[request.decision] = (len(request.turns[0].pictures), request.turns[0].text)
        return reply

    topics = {"items": [{"id": number, "satisfies": number != 2} for number in range(1, 8)]}
    replies: dict[str, object] = {
        "plan_question": plan,
        "satisfies_topic": lambda request: note(request, topics),
        "review_items": lambda request: note(request, {"reason": "", "counted": [1, 2, 3, 4, 5, 6]}),
    }
    run, _ = scripted(slides(), replies, sees=sees)
    answer = systems.run_ask(SYSTEMS["bookrag"], Query("How many charts show passengers?"), run)
    assert answer.value == 6
    assert [count for count, _ in shown.values()] == ([7, 6] if sees else [0, 0])
    assert ("(picture 7)" in shown["satisfies_topic"][1]) is sees
    assert ("(picture 6)" in shown["review_items"][1]) is sees


def test_a_model_goes_through_every_block_of_a_range_that_is_named() -> None:
    rows: list[Row] = []
    for page in range(1, 7):
        rows.append((Kind.HEADING, f"{page} Watch", page, 1))
        rows += [
            (Kind.PARAGRAPH, f"On day {day} of watch {page} " + "the keepers wrote. " * 60, page, 0) for day in (1, 2)
        ]
    plan = {"category": "global", "pages": ["2-5"], "operation": "SUMMARIZE"}
    asked: list[str] = []

    def read(request: Request) -> object:
        asked.append(request.turns[0].text)
        return {"evidence": [], "answerable": False}

    none = {"used": [], "answerable": False, "answer": ""}
    run, _ = scripted(document(rows), {"plan_question": plan, "answer_from_evidence": read, "combine_answers": none})
    answer = systems.run_ask(SYSTEMS["bookrag"], Query("Summarize pages 2 to 5."), run)
    mapped = next(step for step in answer.trace if step.step == "Map")
    assert (mapped.rows_in, mapped.parameters["pieces"] > 1) == (12, True)
    pieces = asked[: mapped.parameters["pieces"]]
    passages = [one for text in pieces for one in re.findall(r"<passage id=\d+>\n(.*?)\n</passage>", text, re.DOTALL)]
    said = [f"On day {day} of watch {page} " for page in range(1, 7) for day in (1, 2)]
    assert [one for one in said if any(one in text for text in passages)] == said[2:10]


# When a part is missing


class WithoutGraph(MemoryLayers):
    """Layers in which no document has an entity."""

    def load(self, document_id: str, layer: str) -> bytes | None:
        """Return an empty graph."""
        if layer in ("entities", "basic_entities", "bookindex"):
            return Graph.empty().to_bytes()
        if layer in ("entity_vectors", "basic_entity_vectors"):
            return pack({"vectors": np.zeros((0, FakeEmbedder.dimension), np.float16)}, {})
        return super().load(document_id, layer)


@pytest.mark.parametrize("name", VARIANTS)
def test_an_empty_graph_leaves_the_text(name: str) -> None:
    source = fleet()
    run = Run(View([source], WithoutGraph([source], FakeEmbedder)), embedder=FakeEmbedder)
    found = systems.run_search(systems.get(name), Query("What share does the Storm Petrel carry?"), run)
    assert name == "bookrag-no-text" or found.to_json()["pages"][0]["page"] == 2
    assert len(found.evidence)


def test_a_question_without_an_entity_is_looked_up_by_the_outline() -> None:
    source = fleet()
    run = Run(View([source], WithoutGraph([source], FakeEmbedder)), embedder=FakeEmbedder)
    found = systems.run_search(SYSTEMS["bookrag"], Query("When is bread baked?"), run)
    assert [step.step for step in found.trace][:4] == ["PlanQuestion", "Extract", "SelectByEntity", "SelectBySection"]
    assert found.to_json()["pages"][0]["page"] == 3


def test_a_model_that_fails_at_every_turn_leaves_a_single_hop_by_rule() -> None:
    def fail(_request: Request) -> ModelFault:
        return ModelFault(FaultKind.REQUEST, "out of order")

    run = run_over(fleet())
    run.judge = Judge({"language": ScriptedModel(fail)})
    answer = systems.run_ask(SYSTEMS["bookrag"], Query("What share does the Storm Petrel carry?"), run)
    assert (answer.answerable, answer.citations[0].page) == (True, 2)
    assert run.query.reach is Reach.SINGLE
    assert {step.parameters["decided_by"] for step in answer.trace[0].steps} == {"rule"}
    assert all("out of order" in step.parameters["why"] for step in answer.trace[0].steps)


def test_a_global_question_whose_items_are_not_there_is_looked_up_like_any_other() -> None:
    found = systems.run_search(SYSTEMS["bookrag"], Query("How many tables list the Storm Petrel?"), run_over(fleet()))
    assert found.to_json()["pages"][0]["page"] == 2


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("question", ["", "How many tables are there?", "Summarize the document.", "Who is A or B?"])
def test_a_document_without_a_block_has_no_answer(name: str, question: str) -> None:
    answer = systems.run_ask(systems.get(name), Query(question), run_over(document([])))
    assert not answer.answerable


@given(
    documents(),
    st.sampled_from(VARIANTS),
    st.sampled_from(
        [
            "How many tables are on pages 1-3?",
            "List all chapters.",
            "Summarize the document.",
            "Which is longer, Anna or Bert?",
            "What did Anna say?",
            "",
        ]
    ),
    st.integers(1, 3),
)
def test_any_document_gets_an_answer_within_the_limit_whose_quotes_are_verbatim(
    source: Document, name: str, question: str, limit: int
) -> None:
    answer = systems.run_ask(systems.get(name), Query(question, limit=limit), run_over(source))
    assert all(cited.quote in source.blocks.text[int(cited.block[1:])] for cited in answer.citations)
    assert len(answer.evidence.pages(answer.by)) <= limit
    json.dumps(answer.to_json())


# Ablations


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_finds_the_page_and_the_same_twice(name: str) -> None:
    query = Query("What does a keeper get for each ship that lands safely?", limit=3)
    found = [systems.run_search(systems.get(name), query, run_over(handbook())).to_json()["pages"] for _ in range(2)]
    assert found[0] == found[1]
    # By the graph alone the page that spells the scheme's name out comes first.
    assert (25 if name == "bookrag-no-text" else 26) in [page["page"] for page in found[0]]


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("bookrag-no-planning", "PlanQuestion"),
        ("bookrag-no-selector", "SelectByEntity"),
        ("bookrag-no-graph", "GraphReasoning"),
        ("bookrag-no-text", "TextReasoning"),
    ],
)
def test_an_ablation_lacks_what_it_is_named_after(name: str, missing: str) -> None:
    query = Query("What does a keeper get for each ship that lands safely?")
    whole, without = (
        {step.step for step in systems.run_search(systems.get(one), query, run_over(handbook())).trace}
        for one in ("bookrag", name)
    )
    assert missing in whole
    assert missing not in without


def test_basic_er_reads_nothing_that_was_resolved() -> None:
    needs = ABLATIONS["bookrag-basic-er"].needs()
    assert {"basic_entities", "basic_entity_vectors"} <= needs
    assert not {"entities", "entity_vectors", "bookindex"} & needs


def test_pages_that_show_something_are_looked_at_where_no_block_of_theirs_is_a_picture() -> None:
    rows: list[Row] = [(Kind.PARAGRAPH, f"Words on page {page}.", page, 0) for page in range(1, 8)]
    said = {"evidence": [{"id": 8, "quote": "a boat"}], "answerable": True, "answer": "page 3", "value": "3"}
    replies: dict[str, object] = {"choose_pictures": {"seen": "", "numbers": [3]}, "answer_from_evidence": said}
    run, model = scripted(document(rows), replies, sees=True)
    answer = systems.run_ask(SYSTEMS["bookrag"], Query("Which pages show a boat?"), run)
    assert model.requests[0].decision == "choose_pictures"
    assert 3 in [one.page for one in answer.pages_read]

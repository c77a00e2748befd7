"""What is understood of a question: plan, parts, entities, reach; by rule, and what a model's reply becomes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.decisions.engine.judge import Judge
from octavo.models.scripted import ScriptedModel
from octavo_methods.bookrag.decisions.decompose_question import DECOMPOSE_QUESTION, DecomposeInput, Decomposition
from octavo_methods.bookrag.decisions.extract_question_entities import EXTRACT_QUESTION_ENTITIES, EntitiesInput
from octavo_methods.bookrag.decisions.plan_question import PLAN_QUESTION, PlanInput, QuestionPlan
from octavo_methods.bookrag.decisions.satisfies_topic import SATISFIES_TOPIC, TopicItem, TopicQuestion


def judge(*replies: object) -> Judge:
    return Judge({"language": ScriptedModel([json.dumps(reply) for reply in replies])})


def plan(question: str, *replies: object, titles: tuple[str, ...] = ()) -> QuestionPlan:
    one = judge(*replies) if replies else Judge()
    return one.decide(PLAN_QUESTION, PlanInput(question, titles)).output


def parts(question: str) -> Decomposition:
    return Judge().decide(DECOMPOSE_QUESTION, DecomposeInput(question)).output


def entities(question: str) -> tuple[str, ...]:
    return Judge().decide(EXTRACT_QUESTION_ENTITIES, EntitiesInput(question)).output.all


# Plan


@pytest.mark.parametrize(
    ("question", "operation", "kinds"),
    [
        ("How many tables are in the report?", "COUNT", ["table"]),
        ("How many bar charts are shown?", "COUNT", ["chart", "figure"]),
        ("how many tables and figures does the paper have", "COUNT", ["table", "figure"]),
        ("How many pages contain tables?", "COUNT", ["table"]),
        ("List all figures about tides.", "LIST", ["figure"]),
        ("Enumerate all chapter names that discuss fees.", "LIST", ["heading"]),
        ("Which charts are grouped by age?", "LIST", ["chart", "figure"]),
        ("How many ferries does this report mention?", "COUNT", []),
        ("Summarize the document.", "SUMMARIZE", []),
        ("What is this report about?", "SUMMARIZE", []),
        ("How does the tone change throughout the report?", "ANALYZE", []),
    ],
)
def test_a_question_about_all_things_of_a_kind_is_global(question: str, operation: str, kinds: list[str]) -> None:
    made = plan(question)
    assert (made.category, made.operation, made.kinds) == ("global", operation, kinds)
    assert made.retrieval_questions == [question]


@pytest.mark.parametrize(
    "question",
    [
        "What was net income in 2015?",
        "How many people does the company employ?",
        "How many charts are on page 5?",
        "In Figure 3, how many more boats are there in May than in June?",
        "Which is higher in Table 2, the Grey Heron or the Storm Petrel?",
        "How many more ferries ran in 2015 compared to 2014?",
        "Who wrote the report?",
    ],
)
def test_what_one_place_answers_is_not_taken_apart(question: str) -> None:
    made = plan(question)
    assert (made.category, made.retrieval_questions, made.synthesis_questions) == ("single-hop", [question], [])


def test_a_plan_carries_the_filters_a_question_names() -> None:
    made = plan("How many figures are on pages 3 to 7?")
    assert made.pages == ["3-7"]
    assert made.page_ranges == ((3, 7),)
    assert plan("List all tables in Section 4.").sections == ["section 4"]
    assert plan('What does the last table in the section "Mooring fees" show?').sections == ["Mooring fees"]
    assert plan("How many tables are in the first ten pages?").page_ranges == ((1, 10),)


def test_the_topic_of_a_global_question_is_what_its_items_must_be_about() -> None:
    assert plan("How many tables are in the report?").topic == ""
    assert "mooring fees" in plan("How many tables in the report list mooring fees?").topic
    assert "no lean" in plan('How many charts mention the "no lean" group?').topic


def test_a_models_plan_is_brought_in_line_with_the_question() -> None:
    reply = {
        "category": "Global",
        "retrieval_questions": ["Where?"],
        "entities": ["Grey Heron", "Black Swan"],
        "kinds": ["Tables", "bar graph", "smell"],
        "pages": "3 to 5, 99",
        "sections": ["Fees", "Kitchen"],
        "operation": "count",
        "topic": "fees",
    }
    question = "How many tables on pages 3 to 5 name the Grey Heron?"
    made = plan(question, reply)
    assert (made.category, made.operation, made.topic) == ("global", "COUNT", "fees")
    assert made.retrieval_questions == [question]
    assert (made.entities, made.kinds, made.pages) == (["Grey Heron"], ["table", "chart", "figure"], ["3-5"])
    assert made.sections == []


def test_a_models_multi_hop_plan_stands_also_where_the_question_names_a_figure() -> None:
    question = "In Figure 3, which boat is longer, the Heron or the Petrel?"
    split = {"category": "multi-hop", "retrieval_questions": ["How long is the Heron?", "How long is the Petrel?"]}
    assert plan(question).category == "single-hop"
    assert plan(question, split).category == "multi-hop"
    assert plan(question, split).retrieval_questions == ["How long is the Heron?", "How long is the Petrel?"]


def test_a_multi_hop_plan_with_one_part_is_single_hop() -> None:
    made = plan("How long is the Heron?", {"category": "multi-hop", "retrieval_questions": ["How long is the Heron?"]})
    assert (made.category, made.synthesis_questions) == ("single-hop", [])


def test_parts_that_ask_something_else_are_sent_back() -> None:
    question = "Which is longer, the Heron or the Petrel?"
    stray = {"category": "multi-hop", "retrieval_questions": ["Who baked bread?", "Who ate it?"]}
    good = {"category": "multi-hop", "retrieval_questions": ["How long is the Heron?", "How long is the Petrel?"]}
    made = plan(question, stray, good)
    assert made.retrieval_questions == good["retrieval_questions"]
    assert made.synthesis_questions == [question]


def test_titles_that_do_not_fit_are_counted() -> None:
    value = PlanInput("How deep?", tuple(f"Section {number} about the harbour" for number in range(500)))
    filled = PLAN_QUESTION.render(value, 600)
    assert 300 < filled.left_out < 500


# Parts


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "Are Grey Heron and Storm Petrel both ferries?",
            ["Grey Heron: ferries?", "Storm Petrel: ferries?"],
        ),
        (
            "Which ship is older, the Grey Heron or the Storm Petrel?",
            ["the Grey Heron: Which ship is older?", "the Storm Petrel: Which ship is older?"],
        ),
        (
            "When did the bridge open in the city where the first winter fair was held?",
            ["In which city the first winter fair was held?", "When did the bridge open in the city?"],
        ),
        (
            "In the year in which the Grey Heron was built, what percentage of fares was paid in coin?",
            ["In which year the Grey Heron was built?", "what percentage of fares was paid in coin?"],
        ),
        (
            "What is the mobile audience of the platform whose metrics are likes, clicks, and shares?",
            ["Which platform's metrics are likes, clicks, and shares?", "What is the mobile audience of the platform?"],
        ),
        (
            "Who designed the Grey Heron, and when did the harbour museum open?",
            ["Who designed the Grey Heron?", "when did the harbour museum open?"],
        ),
    ],
)
def test_a_question_with_several_facts_is_split(question: str, expected: list[str]) -> None:
    found = parts(question)
    assert found.retrieval_questions == expected
    assert found.synthesis_questions == [question]


@pytest.mark.parametrize(
    "question",
    [
        "Which boat is fastest, and how many knots does it make?",
        "What range does red stand for in the chart that tracks the spread of the fever?",
        "What were sales in 2014 and 2015?",
        "How many cats and dogs are there?",
        "Who is the captain?",
        "",
        "word " * 400,
    ],
)
def test_a_question_without_independent_parts_stays_whole(question: str) -> None:
    assert parts(question) == Decomposition(retrieval_questions=[question])


@given(st.text(alphabet="AB who where is the of and or, ?which that whose.", max_size=150))
def test_parts_never_lose_the_question(question: str) -> None:
    found = parts(question)
    assert found.retrieval_questions == [question] or len(found.retrieval_questions) > 1


# Entities


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When did Best Ferries open its museum?", ("Best Ferries",)),
        ("What is the GDP of Norway?", ("Norway", "GDP")),
        ('Who said "sail at dawn" to Captain Grey?', ("sail at dawn", "Captain Grey")),
        ("Who leads the Bank of England?", ("Bank of England",)),
        ("Which ferries run in winter?", ("ferries run", "winter")),
        ("What is total equity for GREY FERRIES LIMITED in FY2021?", ("GREY FERRIES LIMITED", "FY2021")),
        ("WHAT IS THE LAST YEAR IN THE COLUMN?", ("LAST", "COLUMN")),
        ("Is Table 3 about Norway?", ("Norway",)),
        ("In March, what did Norway export? Answer in list format like ['Fish', 'Oil'].", ("Norway",)),
    ],
)
def test_entities_are_the_names_of_a_question_or_else_its_terms(question: str, expected: tuple[str, ...]) -> None:
    assert entities(question) == expected


def test_names_a_model_makes_up_are_dropped_and_none_left_is_sent_back() -> None:
    good = {"names": ["Norway", "Sweden"], "acronyms": ["EU"]}
    one = judge({"names": ["Sweden"]}, good)
    output = one.decide(EXTRACT_QUESTION_ENTITIES, EntitiesInput("What does Norway export?")).output
    assert output.all == ("Norway",)


# Topics


def test_an_item_is_about_a_topic_when_it_has_most_of_its_words() -> None:
    items = [
        TopicItem("Mooring fees by length", "table"),
        TopicItem("Crew by season", "table", "Mooring fees"),
        TopicItem("Crew", "table"),
    ]
    decided = Judge().decide_items(SATISFIES_TOPIC, TopicQuestion("How many tables list mooring fees?"), items)
    assert [one.output.satisfies for one in decided] == [True, True, False]
    scored = [TopicItem("Crew", score=0.9), TopicItem("Crew", score=0.1)]
    decided = Judge().decide_items(SATISFIES_TOPIC, TopicQuestion("?", "fees"), scored)
    assert [one.output.satisfies for one in decided] == [True, False]

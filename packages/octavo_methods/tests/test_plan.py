"""Planning and taking apart: what a decided plan makes of a query, by rule, by a model, and when the model fails."""

from __future__ import annotations

import json

from indexed import run_over
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Operation, Query, Reach
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Run
from octavo_documents.document import Kind
from octavo_methods.bookrag.plan import Decompose, PlanQuestion
from synthetic import document

BOOK = document(
    [
        (Kind.HEADING, "1  Fleet", 1, 1),
        (Kind.HEADING, "1.1 Crew", 1, 2),
        (Kind.PARAGRAPH, "The Grey Heron has a crew of six.", 1, 0),
        (Kind.HEADING, "2 Dues", 2, 1),
    ]
)
LONGER = "Which ferry is longer, the Storm Petrel or the Grey Heron?"


def run_of(*replies: object) -> Run:
    run = run_over(BOOK)
    if replies:
        lines = [reply if isinstance(reply, ModelFault) else json.dumps(reply) for reply in replies]
        run.judge = Judge({"language": ScriptedModel(lines)})
    return run


def test_a_plan_becomes_what_the_query_says_of_itself() -> None:
    run = run_of()
    query = PlanQuestion()(Query("How many tables are on pages 3-10 in the Dues section?", limit=4), run)
    assert (query.reach, query.operation, query.kinds) == (Reach.GLOBAL, Operation.COUNT, (Kind.TABLE,))
    assert (query.pages, query.sections, query.limit) == (((3, 10),), ("Dues",), 4)
    assert run.query == query
    told = run.trace[0].parameters
    assert (told["reach"], told["operation"], told["kinds"], told["pages"]) == ("global", "COUNT", ["table"], ["3-10"])
    assert "sub_questions" not in told


def test_the_planner_is_shown_the_titles_of_main_sections() -> None:
    shown: list[str] = []

    def say(request: Request) -> str:
        shown.append(request.turns[0].text)
        return json.dumps({"category": "single-hop", "entities": ["Grey Heron"], "operation": "NONE"})

    run = run_of()
    run.judge = Judge({"language": ScriptedModel(say)})
    query = PlanQuestion()(Query("How many people crew the Grey Heron?"), run)
    assert (query.reach, query.entities) == (Reach.SINGLE, ("Grey Heron",))
    assert "- 1 Fleet\n- 2 Dues\n" in shown[0]
    assert "1.1 Crew" not in shown[0]


def test_a_planner_that_fails_leaves_a_single_hop_and_the_trace_says_why() -> None:
    run = run_of(*[ModelFault(FaultKind.REQUEST, "out of order")])
    assert PlanQuestion()(Query("How long is the Grey Heron?"), run).reach is Reach.SINGLE
    (decision,) = run.trace[0].steps
    assert decision.parameters["decided_by"] == "rule"
    assert "out of order" in decision.parameters["why"]


def test_the_questions_to_look_up_are_those_of_the_plan() -> None:
    plan = {
        "category": "multi-hop",
        "retrieval_questions": ["How long is the Storm Petrel?", "How long is the Grey Heron?"],
        "synthesis_questions": ["Which is longer?"],
        "entities": ["Storm Petrel", "Grey Heron"],
        "operation": "NONE",
    }
    run = run_of(plan)
    parts = (PlanQuestion() >> Decompose())(Query(LONGER, limit=3), run)
    assert [(one.question, one.entities, one.limit, one.reach) for one in parts] == [
        ("How long is the Storm Petrel?", ("Storm Petrel",), 3, Reach.SINGLE),
        ("How long is the Grey Heron?", ("Grey Heron",), 3, Reach.SINGLE),
    ]
    assert run.judge.usage().calls == 1
    assert run.query.synthesis == ("Which is longer?",)


def test_without_a_plan_a_decision_takes_the_question_apart() -> None:
    run = run_of()
    parts = Decompose()(Query(LONGER), run)
    assert [one.question for one in parts] == [
        "the Storm Petrel: Which ferry is longer?",
        "the Grey Heron: Which ferry is longer?",
    ]
    assert run.query.synthesis == (LONGER,)


def test_a_question_that_stays_whole_is_its_own_only_part() -> None:
    (part,) = Decompose()(Query("How long is the Grey Heron?"), run_of())
    assert part.question == "How long is the Grey Heron?"

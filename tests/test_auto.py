"""auto: the plan follows the question and the document, a model is asked only in doubt, and a plan runs again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexed import FakeEmbedder, run_over, view_of
from octavo import systems
from octavo.decisions.engine.judge import Judge
from octavo.document import Document, Kind, Query, Result, TraceStep
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.scripted import ScriptedModel
from octavo.operators.core.run import Run
from octavo.operators.score.shape import Shape
from octavo.systems import ABLATIONS
from synthetic import Row, document, documents

VARIANTS = ["auto", *(name for name in ABLATIONS if name.startswith("auto"))]
COUNTING = "How many tables are in the report?"
DOUBTFUL = "Compare the harvest in the north with the harvest in the south."
PLAIN = "Who paints the lighthouse?"


def report(*, tables: Iterable[int] = (2, 5, 9)) -> Document:
    rows: list[Row] = []
    shown = set(tables)
    for page in range(1, 15):
        rows.append((Kind.HEADING, f"{page} Chapter", page, 1))
        rows.append((Kind.PARAGRAPH, f"Words about matter {page} and the weather.", page, 0))
        if page in shown:
            rows.append((Kind.TABLE, f"Herring {page} | Cod {page}", page, 0))
    rows += [
        (Kind.PARAGRAPH, "Olga Lind paints the lighthouse each spring.", 7, 0),
        (Kind.PARAGRAPH, "In the north the harvest was 40 tons.", 3, 0),
        (Kind.PARAGRAPH, "In the south the harvest was 75 tons.", 12, 0),
    ]
    return document(sorted(rows, key=lambda row: row[2]), name="report.pdf")


REPORT = report()


def found(question: str, *sources: Document, limit: int = 20, name: str = "auto", judge: Judge | None = None) -> Result:
    run = run_over(*(sources or (REPORT,)))
    run.judge = judge or run.judge
    return systems.run_search(systems.get(name), Query(question, limit=limit), run)


def plan_of(result: Result) -> TraceStep:
    return next(step for step in result.trace if step.step == "Compose")


def pages(result: Result) -> list[int]:
    return [hit.page for hit in result.evidence.pages(result.by)]


# What is planned


@pytest.mark.parametrize(
    ("question", "way", "part"),
    [
        ("What does the paragraph on page 7 say?", "place", "KeepNamed(added=5)"),
        (COUNTING, "every", "EveryKind(kinds=('table',), column='every')"),
        ("Summarize the report.", "overview", "Openings()"),
        ("What is the return on assets for FY2020?", "measure", "least=10"),
        (PLAIN, "passage", "KeepByChance(every=False"),
        ("Between Graz and Wien, how large is the difference in rainfall?", "parts", "PartPages(parts=('Graz:"),
    ],
)
def test_a_plan_has_what_the_question_calls_for(question: str, way: str, part: str) -> None:
    planned = plan_of(found(question)).parameters
    assert (planned["way"], part in planned["planned"]) == (way, True)
    assert planned["because"]


def test_counting_takes_all_pages_with_such_things_and_only_what_is_there_is_looked_for() -> None:
    assert {2, 5, 9} <= set(pages(found(COUNTING)))
    assert "EveryKind" not in plan_of(found(COUNTING, report(tables=()))).parameters["planned"]


def test_pages_with_the_kind_of_figure_a_question_speaks_of_are_credited() -> None:
    question = "What does the table of herring say about the weather?"
    assert "EveryKind(kinds=('table',), column='shown')" in plan_of(found(question)).parameters["planned"]
    assert "'shown'" not in plan_of(found(question, report(tables=()))).parameters["planned"]
    assert set(pages(found(question))[:3]) == {2, 5, 9}


def test_a_named_page_comes_first_and_brings_few_others() -> None:
    result = found("What does the paragraph on page 7 say?")
    assert pages(result)[0] == 7
    assert len(pages(result)) <= 6


def test_a_page_that_is_not_there_is_no_place() -> None:
    assert plan_of(found("What does the paragraph on page 300 say?")).parameters["way"] == "passage"


def test_several_documents_are_asked_as_a_collection_and_the_right_one_is_found() -> None:
    others = [document([(Kind.PARAGRAPH, f"Bread number {at} is baked.", 1, 0)], name=f"{at}.pdf") for at in range(6)]
    result = found(PLAIN, *others, REPORT)
    assert plan_of(result).parameters["way"] == "collection"
    best = result.evidence.pages(result.by)[0]
    assert (best.document, best.page) == (6, 7)


def test_the_shape_of_a_document_is_told() -> None:
    slides = document([(Kind.PARAGRAPH, "x", 1, 0)], scanned=True)
    assert Shape.of(view_of(slides)).told() == "1 page, no headings, scanned"
    shape = Shape.of(view_of(REPORT, slides))
    assert (shape.documents, shape.pages, shape.depth, shape.tables) == (2, 15, 1, 3)
    assert shape.told().startswith("2 documents, 15 pages, 1 level of headings")


# What it finds


@pytest.mark.parametrize("question", [PLAIN, DOUBTFUL, COUNTING])
def test_with_a_fixed_size_auto_has_the_best_page_of_hybrid(question: str) -> None:
    mine, hybrid = (found(question, limit=10, name=name) for name in ("auto-fixed-size", "hybrid"))
    assert set(pages(hybrid)[:3]) <= set(pages(mine))


@given(documents(), st.text(max_size=60), st.integers(1, 6))
def test_any_question_gets_a_plan_that_keeps_to_its_limit(source: Document, question: str, limit: int) -> None:
    result = found(question, source, limit=limit)
    assert len(pages(result)) <= limit
    assert systems.from_plan(plan_of(result).parameters["planned"])
    json.dumps(result.to_json())


@pytest.mark.parametrize("name", VARIANTS)
def test_every_ablation_answers(name: str) -> None:
    answer = systems.run_ask(systems.get(name), Query("How heavy was the harvest in the south?"), run_over(REPORT))
    assert answer.citations[0].page == 12


# Replay


@pytest.mark.parametrize("question", [PLAIN, COUNTING, DOUBTFUL, "Summarize the report.", "What is on page 7?"])
def test_a_plan_carried_out_again_finds_the_same(question: str) -> None:
    first = found(question)
    system = systems.from_plan(plan_of(first).parameters["planned"])
    again = systems.run_search(system, Query(question, limit=20), Run(first.evidence.view, embedder=FakeEmbedder))
    assert again.evidence == first.evidence
    assert again.system == "plan"


def test_a_plan_that_a_model_made_is_carried_out_again_without_one() -> None:
    first = found(DOUBTFUL, judge=Judge({"language": ScriptedModel([json.dumps(_parts())])}))
    plan = plan_of(first).parameters["planned"]
    again = systems.run_search(systems.from_plan(plan), Query(DOUBTFUL, limit=20), run_over(REPORT))
    assert pages(again) == pages(first)
    assert again.usage.calls == 0


# Models


def _parts() -> dict[str, object]:
    return {
        "reasoning": "both harvests",
        "category": "multi-hop",
        "retrieval_questions": ["How heavy was the harvest in the north?", "How heavy was the harvest in the south?"],
        "synthesis_questions": ["Which was heavier?"],
        "entities": ["north", "south"],
        "operation": "NONE",
    }


def _say(request: Request) -> str:
    if request.decision == "plan_question":
        return json.dumps(_parts())
    quotes = re.findall(r"<passage id=(\d+)>\n(.*?)\n</passage>", request.turns[0].text, re.DOTALL)
    number = next((int(number) for number, text in quotes if "Olga Lind" in text or "75 tons" in text), 0)
    words = next((words for words in ("Olga Lind", "75 tons") if any(words in text for _, text in quotes)), "")
    return json.dumps({"evidence": [{"id": number, "quote": words}], "answerable": True, "answer": words})


def test_no_model_is_asked_to_plan_where_a_rule_is_sure_and_the_trace_says_what_that_saved() -> None:
    model = ScriptedModel(_say)
    run = run_over(REPORT)
    run.judge = Judge({"language": model})
    answer = systems.run_ask(systems.get("auto"), Query(PLAIN), run)
    assert [one.decision for one in model.requests] == ["answer_from_evidence"]
    assert next(step for step in answer.trace if step.step == "Compose").parameters["saved"]
    assert answer.text == "Olga Lind"


def test_in_doubt_one_call_plans_and_each_part_gets_its_page() -> None:
    model = ScriptedModel(_say)
    result = found(DOUBTFUL, judge=Judge({"language": model}))
    planned = plan_of(result)
    assert [one.decision for one in model.requests] == ["plan_question"]
    assert (planned.parameters["way"], planned.calls, planned.parameters["saved"]) == ("parts", 1, "")
    assert {3, 12} <= set(pages(result)[:4])


@pytest.mark.parametrize("fault", [FaultKind.SERVER, FaultKind.TIMEOUT, FaultKind.REFUSED, FaultKind.CONTEXT])
def test_a_planner_that_fails_leaves_the_rule_in_charge(fault: FaultKind) -> None:
    result = found(DOUBTFUL, judge=Judge({"language": ScriptedModel(lambda _: ModelFault(fault, "no"))}))
    assert plan_of(result).parameters["way"] == plan_of(found(DOUBTFUL)).parameters["way"]
    assert pages(result) == pages(found(DOUBTFUL))


@pytest.mark.parametrize("reply", ["", "{", '{"category": "sideways"}', '{"category": "multi-hop"}', "[1, 2]"])
def test_a_plan_that_makes_no_sense_leaves_the_rule_in_charge(reply: str) -> None:
    assert pages(found(DOUBTFUL, judge=Judge({"language": ScriptedModel(lambda _: reply)}))) == pages(found(DOUBTFUL))

"""Reflection: complete at once, widened once, twice, nothing new, a budget that ends it; which answer stands."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from indexed import run_over
from located import GUIDE
from octavo.decisions.engine.judge import Judge
from octavo.errors import UsageError
from octavo.evidence import Answer, Evidence, Outcome, Query, TraceStep
from octavo.models.gateway import Budget, Caps
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.ports import Raster
from octavo.models.scripted import Line, ScriptedModel
from octavo.operators.core import Place, Run
from octavo.operators.keep import RELEVANCE
from octavo.operators.read.direct_reader import DirectReader
from octavo.operators.read.image_evidence import NAMED_ELEMENT, Spot, was_shown
from octavo_documents.document import Kind
from octavo_methods.dmap.reflect import Agents, Reflect, Widen

QUESTION = "Which bakers are there in winter?"
REFLECT = Reflect(DirectReader(), Widen())
Say = Callable[[Request], Line]


def answering(*wanted: str, missing: Sequence[str] = ("bakers in winter",)) -> Say:
    """A reader that answers with the words it looks for once they are shown, and has no answer before."""

    def say(request: Request) -> str:
        for words in wanted:
            for number, text in re.findall(r"<passage id=(\d+)>\n(.*?)\n</passage>", request.turns[0].text, re.DOTALL):
                if words in text:
                    support = [{"id": int(number), "quote": words}]
                    return json.dumps({"evidence": support, "answerable": True, "answer": words})
        return json.dumps({"evidence": [], "answerable": False, "answer": "", "missing": [*missing]})

    return say


def judging(*verdicts: bool, look_in: Sequence[str] = ()) -> Say:
    """A judge that calls the drafts complete or not, one after the other."""
    left = list(verdicts)

    def say(_request: Request) -> str:
        is_complete = left.pop(0)
        return json.dumps(
            {"missing": "" if is_complete else "bakers", "is_complete": is_complete}
            | {"look_for": [] if is_complete else ["bakers in winter"], "look_in": list(look_in)}
        )

    return say


def begin(pages: Sequence[int]) -> tuple[Run, Evidence]:
    run = run_over(GUIDE, question=QUESTION)
    rows = [row for row in range(len(GUIDE.blocks)) if GUIDE.blocks.page[row] in pages]
    return run, Evidence.of(run.view, rows, **{RELEVANCE: [float(-row) for row in rows]})


def reflect(
    pages: Sequence[int], answers: Say, verdicts: Say, *, caps: Caps | None = None, rounds: int = 2
) -> tuple[Answer, list[str], Run]:
    """Return the answer, the decisions in the order they were asked for, and the run."""
    run, evidence = begin(pages)
    model = ScriptedModel(lambda request: {"reflect": verdicts}.get(request.decision, answers)(request))
    run.judge = Judge({"language": model}, budget=Budget(caps))
    answer = dataclasses.replace(REFLECT, rounds=rounds)(evidence, run)
    return answer, [request.decision for request in model.requests], run


def outcomes(run: Run) -> list[str]:
    return [step.parameters["outcome"] for step in run.trace if step.step == "Reflect"]


READ, CHECK = "answer_from_evidence", "reflect"


def test_an_answer_that_is_complete_stands_at_once() -> None:
    answer, asked, run = reflect([11], answering("Winter | 2"), judging(True))
    assert (answer.text, asked, outcomes(run)) == ("Winter | 2", [READ, CHECK], ["complete"])
    assert {citation.page for citation in answer.citations} == {11}


def test_an_answer_that_is_not_complete_is_asked_for_again_from_the_same_section() -> None:
    answer, asked, run = reflect([9], answering("Winter | 2", "The crew bakes"), judging(False, True))
    assert answer.text == "Winter | 2"
    assert asked == [READ, CHECK, READ, CHECK]
    assert outcomes(run) == ["widened", "complete"]
    assert {int(page) for page in GUIDE.blocks.page[answer.evidence.rows]} == {9, 10, 11, 12}


def test_two_rounds_are_the_most_and_the_last_answer_is_not_held_against_its_evidence_again() -> None:
    answer, asked, run = reflect([9], answering("The crew bakes"), judging(False, False))
    assert answer.answerable
    assert asked == [READ, CHECK, READ, CHECK, READ]
    assert outcomes(run) == ["widened", "widened"]


def test_what_the_reader_misses_is_looked_for_without_a_check() -> None:
    answer, asked, run = reflect([5], answering("Winter | 2", missing=["crew in winter"]), judging(True))
    assert (answer.text, asked, outcomes(run)) == ("Winter | 2", [READ, READ, CHECK], ["widened", "complete"])


def test_that_nothing_more_is_to_be_found_stands_without_a_check() -> None:
    answer, asked, run = reflect([9], answering(missing=[]), judging())
    assert (answer.answerable, asked, outcomes(run)) == (False, [READ], ["complete"])


def test_the_check_is_shown_what_the_answer_cites() -> None:
    shown: list[str] = []

    def check(request: Request) -> str:
        shown.append(request.turns[0].text)
        return judging(True)(request)

    run, evidence = begin(range(1, 21))
    later = evidence.rows[evidence.ranking(RELEVANCE)[1]]
    words = run.view.blocks.text[int(later)].split("\n")[0]
    model = ScriptedModel(lambda request: {"reflect": check}.get(request.decision, answering(words))(request))
    run.judge = Judge({"language": model})
    answer = REFLECT(evidence, run)
    assert answer.answerable
    assert words in shown[0].partition("<evidence>")[2].partition("</evidence>")[0].split("\n\n")[0]


def test_the_check_is_shown_nothing_that_is_not_cited_or_beside_it() -> None:
    shown: list[str] = []

    def check(request: Request) -> str:
        shown.append(request.turns[0].text)
        return judging(True)(request)

    run, evidence = begin(range(1, 21))
    model = ScriptedModel(lambda request: {"reflect": check}.get(request.decision, answering("Winter | 2"))(request))
    run.judge = Judge({"language": model})
    REFLECT(evidence, run)
    pages = {int(page) for page in re.findall(r"\[page (\d+)", shown[0])}
    assert 11 in pages
    assert pages <= {10, 11, 12}


def test_an_answer_of_one_place_that_is_quoted_word_for_word_is_not_checked() -> None:
    run, evidence = begin([11])
    run.query = Query("How many bakers are there in winter?")
    model = ScriptedModel(answering("Winter | 2"))
    run.judge = Judge({"language": model})
    assert REFLECT(evidence, run).text == "Winter | 2"
    assert [request.decision for request in model.requests] == [READ]
    assert outcomes(run) == ["complete"]


def test_that_there_is_no_answer_is_an_answer_after_looking_further() -> None:
    answer, _, _ = reflect([9], answering(), judging(False, False))
    assert (answer.answerable, answer.citations) == (False, ())
    assert (answer.outcome, answer.text) == (
        Outcome.NOTHING,
        "Nothing in guide.pdf (20 pages) was found that answers this.",
    )


def test_a_round_that_finds_nothing_new_ends_it() -> None:
    answer, asked, run = reflect(range(1, 21), answering(), judging(False))
    assert (answer.answerable, asked, outcomes(run)) == (False, [READ], ["nothing new"])


def test_an_answer_that_gives_up_does_not_replace_one_that_does_not() -> None:
    drafts = iter([answering("The crew bakes"), answering()])

    def answers(request: Request) -> Line:
        return next(drafts)(request)

    answer, _, run = reflect([9], answers, judging(False, True))
    assert answer.text == "The crew bakes"
    assert outcomes(run)[0] == "widened"


def test_a_later_answer_replaces_an_earlier_one_and_what_was_cited_is_shown_first() -> None:
    answer, _, run = reflect([9], answering("Winter | 2", "The crew bakes"), judging(False, True))
    assert answer.text == "Winter | 2"
    best = answer.evidence.pages(RELEVANCE)
    assert best[0].page == 9
    assert outcomes(run) == ["widened", "complete"]


def test_evidence_is_ranked_as_it_was_found_whatever_was_read_first_to_answer_again() -> None:
    answer, _, run = reflect([2, 9], answering("Winter | 2", "The crew bakes"), judging(False, True))
    pages = [hit.page for hit in answer.evidence.pages(RELEVANCE)]
    assert outcomes(run)[0] == "widened"
    assert pages[:2] == [2, 9]
    assert set(pages[2:]) & {10, 11, 12}


def test_what_a_verdict_names_is_looked_at_wherever_it_is() -> None:
    first = answering("Winter | 2", GUIDE.blocks.text[int(np.flatnonzero(GUIDE.blocks.page == 1)[0])])
    answer, asked, _ = reflect([1], first, judging(False, True, look_in=["3 Crew"]))
    assert answer.text == "Winter | 2"
    assert len(asked) == 4


@pytest.mark.parametrize(("calls", "expected"), [(1, ["budget"]), (2, ["budget"]), (3, ["widened", "budget"])])
def test_a_budget_ends_it_with_the_best_answer_so_far(calls: int, expected: list[str]) -> None:
    answer, asked, run = reflect(
        [9], answering("Winter | 2", "The crew bakes"), judging(False, False), caps=Caps(calls=calls)
    )
    assert len(asked) == calls
    assert outcomes(run) == expected
    assert answer.text == ("The crew bakes" if calls < 3 else "Winter | 2")
    assert run.judge.stopped is not None


@pytest.mark.parametrize("limit", [0, 1, 2, 3, 4, 6])
def test_wider_evidence_has_no_more_pages_than_the_limit_and_what_is_best_stays(limit: int) -> None:
    run, evidence = begin([7, 8])
    run.query = dataclasses.replace(run.query, limit=limit)
    best = {hit.page for hit in evidence.pages(RELEVANCE)[:1]}
    wider = Widen()(evidence, run)
    pages = {hit.page for hit in wider.pages(RELEVANCE)}
    assert len(pages) <= max(limit, 2)
    assert best <= pages


def test_a_question_is_answered_from_no_more_pages_than_its_limit_however_often_it_is_asked_again() -> None:
    run, evidence = begin([2, 7, 8, 16])
    run.query = dataclasses.replace(run.query, limit=4)
    model = ScriptedModel(
        lambda request: {"reflect": judging(False, False)}.get(request.decision, answering("x"))(request)
    )
    run.judge = Judge({"language": model})
    answer = REFLECT(evidence, run)
    assert outcomes(run)[0] == "widened"
    assert len(answer.evidence.pages(RELEVANCE)) <= 4


def test_no_rounds_are_no_reflection() -> None:
    _, asked, run = reflect([9], answering("Winter | 2"), judging(), rounds=0)
    assert (asked, outcomes(run)) == ([READ], [])
    with pytest.raises(UsageError):
        Reflect(DirectReader(), Widen(), -1)


def test_a_verdict_that_fails_is_left_to_the_rule() -> None:
    def fails(_request: Request) -> ModelFault:
        return ModelFault(FaultKind.REFUSED, "no")

    answer, _, run = reflect([9], answering("Winter | 2"), fails)
    assert answer.text == "Winter | 2"
    assert outcomes(run)[0] == "widened"


def test_without_a_model_the_rules_read_reflect_and_widen() -> None:
    run, evidence = begin([9])
    answer = REFLECT(evidence, run)
    assert {int(page) for page in GUIDE.blocks.page[answer.evidence.rows]} >= {9, 10, 11, 12}
    assert set(run.decided_by) == {"rule"}
    assert outcomes(run)[0] == "widened"


def test_each_round_is_a_step_of_the_trace_with_its_steps_inside_and_its_calls_counted_once() -> None:
    _, asked, run = reflect([9], answering("Winter | 2", "The crew bakes"), judging(False, True))
    names = [step.step for step in run.trace]
    assert names == ["DirectReader", "Reflect", "Reflect"]
    assert [step.step for step in run.trace[1].steps] == ["reflect", "Widen", "DirectReader"]
    assert sum(step.calls for step in run.trace) == len(asked) == run.judge.usage().calls
    assert (run.trace[1].rows_in, run.trace[1].rows_out) == (2, 8)
    assert isinstance(run.trace[1], TraceStep)


def test_the_question_of_the_run_is_what_it_was() -> None:
    _, _, run = reflect([9], answering("Winter | 2"), judging(False, True))
    assert run.query == Query(QUESTION)


# Pictures


def test_no_picture_is_shown_in_two_rounds() -> None:
    run, evidence = begin([9, 10])
    places: list[tuple[int, bool]] = []

    def draw(_document: str, wanted: Sequence[Place]) -> list[Raster | None]:
        places.extend((place.page, place.box is None) for place in wanted)
        return [np.full((4, 4, 3), 255, np.uint8) for _ in wanted]

    run.pictures = draw
    seen = json.dumps({"used": [], "seen": "", "answerable": False, "answer": ""})
    model = ScriptedModel(
        lambda request: seen if request.decision == "answer_from_pictures" else answering()(request), sees=True
    )
    run.judge = Judge({"language": model})
    named = np.isin(evidence.rows, [int(row) for row in np.flatnonzero(GUIDE.blocks.kind == Kind.FIGURE)])
    evidence = dataclasses.replace(evidence, sources={**evidence.sources, NAMED_ELEMENT: named})
    Reflect(Agents(), Widen())(evidence, run)
    assert outcomes(run)[0] == "widened"
    assert places
    assert len(places) == len(set(places))
    assert run.pictures is draw


def test_what_an_agent_saw_is_kept_and_told_to_a_reader_that_looks_after_it() -> None:
    run, evidence = begin([9, 10])
    run.pictures = lambda _document, wanted: [np.full((4, 4, 3), 255, np.uint8) for _ in wanted]
    seen = json.dumps({"used": [1], "seen": "A red box.", "answerable": False, "answer": ""})
    model = ScriptedModel(
        lambda request: seen if request.decision == "answer_from_pictures" else answering()(request), sees=True
    )
    run.judge = Judge({"language": model})
    figure = [int(row) for row in np.flatnonzero(GUIDE.blocks.kind == Kind.FIGURE) if row in evidence.rows]
    evidence = dataclasses.replace(
        evidence, sources={**evidence.sources, NAMED_ELEMENT: np.isin(evidence.rows, figure)}
    )
    Agents()(evidence, run)
    assert run.so_far.pictures == {(9, figure[0]): "A red box."}
    Agents()(evidence, run)
    looked, told = (
        [request.turns[0] for request in model.requests if request.decision == one]
        for one in ("answer_from_pictures", READ)
    )
    assert len(looked) == 1
    assert ["A red box." in turn.text for turn in told] == [False, True]
    assert not told[1].pictures


def test_a_picture_that_was_asked_for_and_not_shown_is_new_though_all_words_were_read() -> None:
    run, evidence = begin(range(1, 30))
    drawn: list[int] = []

    def draw(_document: str, wanted: Sequence[Place]) -> list[Raster | None]:
        drawn.extend(place.page for place in wanted)
        return [np.full((4, 4, 3), 255, np.uint8) for _ in wanted]

    run.pictures = draw
    seen = json.dumps({"used": [], "seen": "", "answerable": False, "answer": ""})
    asks = answering(missing=["picture of page 4"])
    model = ScriptedModel(lambda one: seen if one.decision == "answer_from_pictures" else asks(one), sees=True)
    run.judge = Judge({"language": model})
    figure = [int(row) for row in np.flatnonzero(GUIDE.blocks.kind == Kind.FIGURE)]
    is_named = np.isin(evidence.rows, figure)
    evidence = dataclasses.replace(evidence, sources={**evidence.sources, NAMED_ELEMENT: is_named})
    answer = Reflect(Agents(), Widen())(evidence, run)
    assert outcomes(run) == ["widened", "nothing new"]
    assert drawn.count(4) == 1
    assert set(answer.evidence.rows.tolist()) == set(evidence.rows.tolist())


def test_a_branch_that_goes_on_shares_what_was_shown_and_another_begins_anew() -> None:
    run, _ = begin([9])
    run.so_far.pictures[1, -1] = ""
    assert was_shown(Spot(1, 4), run.branch(run.query, goes_on=True))
    assert not was_shown(Spot(1, 4), run.branch(run.query))

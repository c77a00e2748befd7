"""DMAP as its paper prints it: each equation with its numbers and order, Table 3, and a case like that of Figure 3."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from test_late_interaction import REPORT as QUAYS
from test_late_interaction import ManyVectors, WordVectors

import pdfs
from colours import Colours, SeeingLayers
from indexed import FakeEmbedder, run_over
from located import GUIDE
from octavo import systems
from octavo.corpus import Corpus
from octavo.corpus.judges import ModelConfig
from octavo.decisions.engine.judge import Judge
from octavo.errors import UsageError
from octavo.evidence import Answer, Evidence, Query, TraceStep, View
from octavo.evidence.layer_tables import DESCRIPTIONS_TABLE
from octavo.models.gateway import Budget, Caps, Gateway, Limits
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.ports import Raster
from octavo.models.scripted import Line, ScriptedModel
from octavo.operators.core import Place, Run
from octavo.operators.keep import RELEVANCE
from octavo.operators.plan_parser import read_plan
from octavo.operators.read.image_evidence import Spot
from octavo.systems import ABLATIONS, PAPER_PLANS, get
from octavo_documents.document import Document, FigureKind, Kind
from octavo_methods.dmap.decisions.reflect_on_answer import REFLECT_ON_ANSWER, Answered, GivenAnswer
from octavo_methods.dmap.document_map import DocumentMap
from octavo_methods.dmap.elements import AROUND, LOOK, STRUCTURE, TEXT, evidence_of, spots_of, union_of
from octavo_methods.dmap.generate import AnswerByAgents, ReflectOverMap, around
from octavo_methods.dmap.grown_map import GrownMap, MapElement
from octavo_methods.dmap.paths import LocateOnMap, NearestElements, UnitePaths
from synthetic import Row, document, with_tables

QUESTION = "Who bakes the bread in winter?"
NAMES = ["dmap-paper", *(name for name in ABLATIONS if name.startswith("dmap-paper-"))]
Say = Callable[[Request], Line]
NO_TEXT_ANSWER = json.dumps({"evidence": [], "answerable": False, "answer": ""})
NOT_SEEN = json.dumps({"used": [], "seen": "", "answerable": False, "answer": ""})


def read(answer: str) -> str:
    return json.dumps({"evidence": [{"id": 1, "quote": ""}], "answerable": True, "answer": answer})


def seen(answer: str) -> str:
    return json.dumps({"used": [1], "seen": "", "answerable": True, "answer": answer})


def located(*places: str) -> str:
    return json.dumps({"location": list(places)})


class Drawer:
    """Draws white pictures, and remembers of what."""

    def __init__(self) -> None:
        self.places: list[Place] = []

    def __call__(self, document_id: str, places: Sequence[Place]) -> list[Raster | None]:
        self.places += places
        return [np.full((4, 4, 3), 255, np.uint8) for _ in places]


def begin(
    replies: dict[str, Line | Say], *, sees: bool = True, caps: Caps | None = None, source: Document = GUIDE
) -> tuple[Run, ScriptedModel, Drawer]:
    """Return a run in which a model says what is scripted for each decision, with all that can be drawn."""

    def say(request: Request) -> Line:
        line = replies[request.decision]
        return line(request) if callable(line) else line

    model, drawer = ScriptedModel(say, sees=sees), Drawer()
    run = run_over(source, question=QUESTION, limit=48)
    run.judge, run.pictures = Judge({"language": model}, budget=Budget(caps)), drawer
    return run, model, drawer


def asked(model: ScriptedModel) -> list[str]:
    return [request.decision for request in model.requests]


def shown(request: Request) -> list[str]:
    """Return the passages of a request in the order they stand in it."""
    return re.findall(r"<passage id=\d+>\n(.*?)\n</passage>", request.turns[0].text, re.DOTALL)


def pages(spots: Sequence[Spot]) -> list[int]:
    return [spot.page + 1 for spot in spots]


# Equation 6: R(s) = A_S(q, M_summary)


def test_one_decision_locates_by_the_outline_and_by_the_summaries_of_all_pages_and_elements() -> None:
    run, model, _ = begin({"locate_on_map": located("Page 9", "Table 2")})
    found = LocateOnMap()(run.query, run)
    assert asked(model) == ["locate_on_map"]
    text = model.requests[0].turns[0].text
    assert re.findall(r"^2\.1: .*$", text, re.M) == ["2.1: 2.1 Fees <-> 5, 6"]
    assert [int(number) for number in re.findall(r"^Page (\d+): ", text, re.M)] == list(range(1, 21))
    assert "  table: Season | Bakers Winter | 2" in text
    assert pages(spots_of(found, STRUCTURE)) == [9]


CAPTIONED = with_tables(
    document(
        [
            (Kind.HEADING, "Crew", 1, 1),
            (Kind.PARAGRAPH, "Some keep the lamp.", 1, 0),
            (Kind.TABLE, "Season | Bakers", 2, 0),
            (Kind.CAPTION, "Table 2: Bakers by season", 2, 0),
            (Kind.TABLE, "Tower | Keepers", 3, 0),
            (Kind.CAPTION, "Table 3: Keepers", 3, 0),
        ]
    ),
    {2: [["Season", "Bakers"], ["Winter", "2"]], 4: [["Tower", "Keepers"], ["North", "3"]]},
    {2: 3, 4: 5},
)


def test_places_lead_to_elements_in_the_order_they_are_ranked_and_what_is_nowhere_is_passed_over() -> None:
    reply = located("Table 3", "page 1", "Figure 9", "Page 99", "Table 2", "Page 1", "not mentioned")
    run, _, _ = begin({"locate_on_map": reply}, source=CAPTIONED)
    assert spots_of(LocateOnMap()(run.query, run), STRUCTURE) == [Spot(2, 4), Spot(0), Spot(1, 2)]


def test_forty_places_are_taken_and_the_limit_of_the_plan_has_room_for_all_that_is_found() -> None:
    rows: list[Row] = [(Kind.PARAGRAPH, f"Page {at}.", at, 0) for at in range(1, 61)]
    run, _, _ = begin({"locate_on_map": located(*(f"Page {at}" for at in range(60, 0, -1)))}, source=document(rows))
    found = spots_of(LocateOnMap()(run.query, run), STRUCTURE)
    assert pages(found) == list(range(60, 20, -1))
    assert get("dmap-paper").limit == len(found) + 4 + 4


@pytest.mark.parametrize("reply", [located("not mentioned"), located()])
def test_where_nothing_is_located_nothing_is_found(reply: str) -> None:
    run, _, _ = begin({"locate_on_map": reply})
    assert len(LocateOnMap()(run.query, run)) == 0


def test_what_does_not_fit_the_context_is_narrowed_by_sections_with_their_summaries_first() -> None:
    rows: list[Row] = []
    for page in range(1, 41):
        rows += [
            (Kind.HEADING, f"{page} Part", page, 1),
            (Kind.PARAGRAPH, f"Day {page} was calm. " + "x " * 99, page, 0),
        ]
    source = document(rows)

    def choose(request: Request) -> str:
        chosen = re.findall(r"^\[(\d+)\] 7 Part: .*Day 7 was calm", request.turns[0].text, re.M)
        return json.dumps({"sections": [int(one) for one in chosen]})

    run = run_over(source, question="What was it like on day 7?", limit=48)
    model = ScriptedModel(
        lambda request: choose(request) if request.decision == "select_sections" else located("Page 7"),
        context_tokens=2400,
    )
    run.judge = Judge({"language": model})
    found = LocateOnMap()(run.query, run)
    assert LocateOnMap().sections == 5
    assert asked(model) == ["select_sections", "locate_on_map"]
    assert re.findall(r"^Page (\d+): ", model.requests[1].turns[0].text, re.M) == ["7"]
    assert pages(spots_of(found, STRUCTURE)) == [7]


@pytest.mark.parametrize(
    ("question", "first"), [("What is on page 5?", 5), ("What does the last slide say?", 20), ("Who bakes bread?", 9)]
)
def test_without_a_model_places_are_what_the_question_names_or_the_nearest_summaries(question: str, first: int) -> None:
    run = run_over(GUIDE, question=question, limit=48)
    assert pages(spots_of(LocateOnMap()(Query(question), run), STRUCTURE))[0] == first
    assert run.decided_by == {"rule": 1}


def test_without_a_model_what_is_named_itself_comes_before_the_page_it_is_on_and_nothing_else_is_located() -> None:
    run = run_over(CAPTIONED, question="What does Table 3 show?", limit=48)
    assert spots_of(LocateOnMap()(run.query, run), STRUCTURE) == [Spot(2, 4), Spot(2)]


def test_several_documents_are_numbered_through() -> None:
    other = document([(Kind.HEADING, "Kitchen", 1, 1), (Kind.PARAGRAPH, "Bread.", 1, 0)], name="other.pdf")
    run = run_over(GUIDE, other, question=QUESTION, limit=48)
    model = ScriptedModel([located("Page 21")])
    run.judge = Judge({"language": model})
    found = LocateOnMap()(run.query, run)
    assert "other.pdf, 1: Kitchen <-> 21" in model.requests[0].turns[0].text
    assert [(hit.document, hit.page) for hit in found.pages("structure_page")] == [(1, 1)]


# Equations 7 and 8: the k nearest elements, of all there are


@pytest.mark.parametrize("count", [1, 4, 7])
def test_the_textual_path_takes_the_k_elements_nearest_in_the_space_of_text(count: int) -> None:
    run = run_over(GUIDE, question=QUESTION)
    view, question = run.view, run.vectors([QUESTION])[0]
    near: dict[Spot, float] = {}
    for start, cosine in zip(view.passages.start.tolist(), (view.vectors("vectors") @ question).tolist(), strict=True):
        spot = Spot(int(view.page_index[start]))
        near[spot] = max(near.get(spot, -1.0), cosine)
    described = zip(
        view.layer(DESCRIPTIONS_TABLE).start.tolist(),
        (view.vectors("element_vectors") @ question).tolist(),
        strict=True,
    )
    near |= {Spot(int(view.page_index[row]), row): cosine for row, cosine in described}
    expected = sorted(near.values(), reverse=True)[:count]
    found = spots_of(NearestElements(TEXT, count)(run.query, run), TEXT)
    assert [near[spot] for spot in found] == pytest.approx(expected)


def test_each_path_of_the_plan_takes_four_and_that_of_table_2_one() -> None:
    assert [repr(NearestElements(space, 4)) in repr(get("dmap-paper").retrieve) for space in (TEXT, LOOK)] == [True] * 2
    top = repr(get("dmap-paper-top-1").retrieve)
    assert [repr(NearestElements(space, 1)) in top for space in (TEXT, LOOK)] == [True] * 2
    with pytest.raises(UsageError):
        NearestElements("taste", 4)
    with pytest.raises(UsageError):
        NearestElements(TEXT, 0)


def test_the_visual_path_compares_pages_and_the_elements_of_the_map_and_no_ornaments() -> None:
    rows: list[Row] = [
        (Kind.HEADING, "Signals", 1, 1),
        (Kind.FIGURE, "", 1, 0),
        (Kind.TABLE, "Season | Bakers", 2, 0),
        (Kind.FORMULA, "a = b", 2, 0),
    ]
    plain = document(rows)
    figure = np.where(plain.blocks.kind == Kind.FIGURE, FigureKind.LOGO, plain.blocks.figure).astype(np.uint8)
    source = dataclasses.replace(plain, blocks=dataclasses.replace(plain.blocks, figure=figure))
    red = np.full((4, 4, 3), (255, 0, 0), np.uint8)
    view = View((source,), SeeingLayers((source,), FakeEmbedder, Colours(), lambda _page, _box, _dpi: red))
    run = Run(view, embedder=FakeEmbedder, image_text=Colours, query=Query("red"))
    assert view.visuals[1].tolist() == [-1, -1, 1, 2, 3]
    assert spots_of(NearestElements(LOOK, 9)(run.query, run), LOOK) == [Spot(0), Spot(1), Spot(1, 2)]


def test_without_an_image_text_model_the_visual_path_says_so() -> None:
    run = run_over(GUIDE, question=QUESTION)
    assert len(NearestElements(LOOK)(run.query, run)) == 0
    assert [step.step for step in run.trace] == ["skipped", "NearestElements"]


# Equation 9: R = R(s) | R(t) | R(v)


def found_by(run: Run, **paths: Sequence[Spot]) -> Evidence:
    united = Evidence.of(run.view, [])
    for path, spots in paths.items():
        united = united | evidence_of(run.view, spots, path)
    return united


def test_paths_are_united_in_their_order_each_element_once() -> None:
    run = run_over(GUIDE, limit=48)
    paths = {LOOK: [Spot(6, 12), Spot(8)], TEXT: [Spot(0), Spot(4), Spot(8)], STRUCTURE: [Spot(10), Spot(4)]}
    found = UnitePaths()(found_by(run, **paths), run)
    assert union_of(found) == [Spot(10), Spot(4), Spot(0), Spot(8), Spot(6, 12)]
    assert [hit.page for hit in found.pages(RELEVANCE)] == [11, 5, 1, 9, 7]
    assert found.view.page_index[found.rows].tolist().count(6) == 1  # of a figure alone its own block


def test_the_limit_of_the_question_caps_the_pages() -> None:
    run = run_over(GUIDE, limit=2)
    found = UnitePaths()(found_by(run, structure=[Spot(6, 12), Spot(6), Spot(3), Spot(9)]), run)
    assert union_of(found) == [Spot(6, 12), Spot(6), Spot(3)]


# Equations 10 and 11, appendices A.3 to A.5: the agents

FOUND = {STRUCTURE: [Spot(8), Spot(10, 20)], TEXT: [Spot(4)], LOOK: [Spot(6, 12)]}


def united(run: Run) -> Evidence:
    return UnitePaths()(found_by(run, **FOUND), run)


def test_both_agents_get_every_element_and_a_third_makes_one_answer_of_theirs() -> None:
    combined = json.dumps({"used": [2], "answerable": True, "answer": "three bakers"})
    replies: dict[str, Line | Say] = {
        "answer_from_evidence": read("two bakers"),
        "answer_from_pictures": seen("three bakers"),
        "combine_answers": combined,
    }
    run, model, drawer = begin(replies)
    answer = AnswerByAgents()(united(run), run)
    by = {request.decision: request for request in model.requests}
    assert sorted(asked(model)) == ["answer_from_evidence", "answer_from_pictures", "combine_answers"]
    texts = shown(by["answer_from_evidence"])
    assert texts[0] == "The crew bakes its bread."
    assert texts[1].startswith("Season")
    assert [(place.page, place.box is None) for place in drawer.places] == [
        (9, True),
        (11, False),
        (5, True),
        (7, False),
    ]
    assert len(by["answer_from_pictures"].turns[0].pictures) == 4
    assert not by["answer_from_evidence"].turns[0].pictures
    put_together = by["combine_answers"].turns[0].text
    assert re.findall(r"<part id=\d>\n(.*)\n(.*)\n</part>", put_together) == [
        ("read in the text", "two bakers"),
        ("seen in pictures", "three bakers"),
    ]
    assert "The crew bakes" not in put_together
    assert (answer.text, answer.is_seen) == ("three bakers", True)
    assert run.pages_read == {4, 6, 8, 10}


def test_the_text_agent_gets_what_a_model_said_of_each_element_while_the_map_was_grown() -> None:
    run, model, _ = begin({"answer_from_evidence": read("two")}, sees=False, source=CAPTIONED)
    said = (
        MapElement(2, "Table 2: Bakers by season", "Winter has two."),
        MapElement(4, "Table 3: Keepers", "By rule."),
    )
    grown = GrownMap((), ("Crew.", "Bakers.", "Keepers."), said, (True, True, False))
    run.view._layers._built[CAPTIONED.id, "document_map"] = grown.to_bytes()  # pyright: ignore
    value = UnitePaths()(found_by(run, structure=[Spot(1, 2), Spot(2, 4)]), run)
    AnswerByAgents()(value, run)
    bakers, keepers = shown(model.requests[0])
    assert bakers.endswith("\nWinter has two.")
    assert "Table 3: Keepers" in keepers
    assert "By rule." not in keepers


def test_the_third_is_asked_also_where_only_one_has_an_answer_and_not_where_none_has() -> None:
    replies: dict[str, Line | Say] = {
        "answer_from_evidence": NO_TEXT_ANSWER,
        "answer_from_pictures": seen("two"),
        "combine_answers": json.dumps({"used": [2], "answerable": True, "answer": "two"}),
    }
    run, model, _ = begin(replies)
    assert AnswerByAgents()(united(run), run).text == "two"
    assert "(no answer found)" in model.requests[-1].turns[0].text
    run, model, _ = begin({**replies, "answer_from_pictures": NOT_SEEN})
    assert not AnswerByAgents()(united(run), run).answerable
    assert "combine_answers" not in asked(model)


def test_pictures_are_capped_by_a_setting_and_none_shows_none() -> None:
    run, _, drawer = begin(
        {"answer_from_evidence": read("x"), "answer_from_pictures": NOT_SEEN, "combine_answers": "{}"}
    )
    AnswerByAgents(pictures=2)(united(run), run)
    assert [place.page for place in drawer.places] == [9, 11]
    run, model, drawer = begin({"answer_from_evidence": read("x")})
    AnswerByAgents(pictures=0)(united(run), run)
    assert (asked(model), drawer.places) == (["answer_from_evidence"], [])


def test_an_agent_that_is_refused_leaves_it_to_the_other() -> None:
    fault = ModelFault(FaultKind.REFUSED, "no")
    replies: dict[str, Line | Say] = {
        "answer_from_evidence": read("two"),
        "answer_from_pictures": fault,
        "combine_answers": fault,
    }
    run, _, _ = begin(replies)
    assert AnswerByAgents()(united(run), run).text == "two"


# Equation 12, appendix A.6, and the traversal of the map


def reflecting(verdict: bool, *answers: str, **more: Line | Say) -> dict[str, Line | Say]:
    """Return replies: a text agent that says one answer after the other, "" for none, an image agent that sees none."""
    left = list(answers)

    def say(_request: Request) -> str:
        answer = left.pop(0)
        return read(answer) if answer else NO_TEXT_ANSWER

    combine = json.dumps({"used": [1], "answerable": True, "answer": "bakers"})
    replies: dict[str, Line | Say] = {
        "answer_from_evidence": say,
        "answer_from_pictures": NOT_SEEN,
        "combine_answers": combine,
        "reflect_on_answer": json.dumps({"answered": verdict}),
    }
    return {**replies, **more}


def reflect(
    replies: dict[str, Line | Say], *, rounds: int = 1, caps: Caps | None = None
) -> tuple[Answer, list[TraceStep], ScriptedModel, Drawer]:
    run, model, drawer = begin(replies, caps=caps)
    answer = ReflectOverMap(rounds=rounds)(united(run), run)
    return answer, [step for step in run.trace if step.step == "ReflectOverMap"], model, drawer


def test_the_question_and_the_answer_alone_are_judged() -> None:
    _, (step,), model, _ = reflect(reflecting(True, "two bakers"))
    request = model.requests[-1]
    assert request.decision == "reflect_on_answer"
    assert request.turns[0].text == f"<question>\n{QUESTION}\n</question>\n<answer>\nbakers\n</answer>"
    assert step.parameters["outcome"] == "complete"


def test_no_answer_answers_nothing_whatever_is_said_of_it() -> None:
    assert REFLECT_ON_ANSWER.check is not None
    for answer, counts in (("two", True), ("", False), (" ", False)):
        assert REFLECT_ON_ANSWER.check(GivenAnswer(QUESTION, answer), Answered(answered=True)).answered is counts


def test_an_answer_that_does_not_answer_is_asked_for_once_more_from_what_is_around() -> None:
    answer, steps, model, drawer = reflect(reflecting(False, "two", "three"))
    agents = ["answer_from_evidence", "answer_from_pictures"]
    kinds = [sorted(asked(model)[:2]), asked(model)[2:4], sorted(asked(model)[4:6]), asked(model)[6:]]
    assert kinds == [agents, ["combine_answers", "reflect_on_answer"], agents, ["combine_answers"]]
    assert [step.parameters["outcome"] for step in steps] == ["widened"]
    first, second = (shown(one) for one in model.requests if one.decision == "answer_from_evidence")
    assert set(first).isdisjoint(second)
    places = [(place.page, place.box) for place in drawer.places]
    assert len(places) == len(set(places)) > 4
    assert "answered before\nbakers" in model.requests[-1].turns[0].text
    pages_of_answer = {hit.page for hit in answer.evidence.pages(RELEVANCE)}
    assert {5, 7, 9, 11} < pages_of_answer
    assert answer.answerable


def test_that_nothing_is_answered_widens_without_a_word_on_what_is_missing() -> None:
    answer, steps, model, _ = reflect(reflecting(True, "", "three"))
    assert "reflect_on_answer" not in asked(model)
    assert [step.parameters["outcome"] for step in steps] == ["widened"]
    assert answer.answerable


def test_what_the_third_agent_says_last_stands_also_where_it_takes_the_earlier_answer_for_none() -> None:
    combined = [{"used": [1], "answerable": True, "answer": "bakers"}, {"used": [], "answerable": False, "answer": ""}]

    def combine(_request: Request) -> str:
        return json.dumps(combined.pop(0))

    answer, (step,), model, _ = reflect(reflecting(False, "two", "", combine_answers=combine))
    assert step.parameters["outcome"] == "widened"
    assert "answered before\nbakers" in model.requests[-1].turns[0].text
    assert (combined, answer.answerable) == ([], False)


def test_that_nothing_is_answerable_stays_an_answer() -> None:
    answer, steps, model, _ = reflect(reflecting(True, "", ""))
    assert not answer.answerable
    assert len(steps) == 1
    assert asked(model).count("answer_from_evidence") == 2


def test_rounds_are_one_in_the_plan_and_none_ends_at_the_first_answer() -> None:
    assert "ReflectOverMap(" in repr(get("dmap-paper").answer)
    assert (ReflectOverMap().rounds, ReflectOverMap().most, AnswerByAgents().pictures) == (1, 10, 16)
    _, steps, model, _ = reflect(reflecting(False, "two"), rounds=0)
    assert (steps, "reflect_on_answer" in asked(model)) == ([], False)
    with pytest.raises(UsageError):
        ReflectOverMap(rounds=-1)


def test_money_that_runs_out_leaves_the_answer_there_is() -> None:
    answer, steps, _, _ = reflect(reflecting(False, "two", "three"), caps=Caps(calls=3))
    assert answer.text == "bakers"
    assert answer.answerable
    assert [step.parameters["outcome"] for step in steps] == ["budget"]


@pytest.mark.parametrize(
    ("spots", "expected"),
    [
        ([Spot(8)], [10, 11, 12]),  # section 3 is 9 to 12
        ([Spot(10, 20)], [11, 10, 12, 9]),  # a table leads to its page first
        ([Spot(4), Spot(5)], [7, 8]),  # 2.1 has nothing else, so that of the section above
        ([Spot(15)], [15, 17]),  # an appendix of one page: before and after
        ([], []),
    ],
)
def test_around_are_the_pages_of_the_section_then_of_those_above_then_those_beside(
    spots: list[Spot], expected: list[int]
) -> None:
    run = run_over(GUIDE)
    assert [page + 1 for page in around(evidence_of(run.view, spots, STRUCTURE), 10)] == expected


def test_ten_pages_are_added_at_a_time_the_nearest_first() -> None:
    rows: list[Row] = [(Kind.HEADING, "1 All", 1, 1), *((Kind.PARAGRAPH, f"Page {at}.", at, 0) for at in range(1, 31))]
    run = run_over(document(rows))
    found = around(evidence_of(run.view, [Spot(14)], STRUCTURE), 10)
    assert sorted(found) == [9, 10, 11, 12, 13, 15, 16, 17, 18, 19]
    assert AROUND not in {STRUCTURE, TEXT, LOOK}


# The plan as a whole, and Table 3


def whole_plan(name: str, *, sees: bool = True) -> tuple[Answer, ScriptedModel, Drawer]:
    run, model, drawer = begin(reflecting(True, "two", locate_on_map=located("Page 9", "Page 11")), sees=sees)
    return systems.run_ask(get(name), Query(QUESTION, limit=48), run), model, drawer


def test_the_plan_takes_its_steps_in_the_order_of_the_paper() -> None:
    answer, model, _ = whole_plan("dmap-paper")
    assert [step.step for step in answer.trace if step.step != "skipped"] == [
        "LocateOnMap",
        "NearestElements",
        "NearestElements",
        "UnitePaths",
        "AnswerByAgents",
        "ReflectOverMap",
    ]
    assert sorted(set(asked(model))) == [
        "answer_from_evidence",
        "answer_from_pictures",
        "combine_answers",
        "locate_on_map",
        "reflect_on_answer",
    ]
    assert answer.decided_by == {"model": 5}
    assert {one.role for one in answer.substitutes} == {"parser", "late_interaction", "image_text", "model", "vision"}
    assert {9, 11} <= {one.page for one in answer.pages_read}


@pytest.mark.parametrize(
    ("name", "lacks"),
    [
        ("dmap-paper-no-dmap", {"locate_on_map"}),
        ("dmap-paper-no-image", {"answer_from_pictures", "combine_answers"}),
        ("dmap-paper-no-text", {"answer_from_evidence", "combine_answers", "reflect_on_answer"}),
        ("dmap-paper-top-1", set[str]()),
        ("dmap-paper-no-reflection", {"reflect_on_answer"}),
    ],
)
def test_each_row_of_a_table_lacks_one_part(name: str, lacks: set[str]) -> None:
    _, whole, _ = whole_plan("dmap-paper")
    answer, model, drawer = whole_plan(name)
    assert set(asked(whole)) - set(asked(model)) == lacks
    assert (drawer.places == []) == (name == "dmap-paper-no-image")
    spaces = {step.parameters["space"] for step in answer.trace if step.step == "NearestElements"}
    expected = {"dmap-paper-no-image": {TEXT}, "dmap-paper-no-text": {LOOK}}.get(name, {TEXT, LOOK})
    assert spaces == expected


def test_without_an_image_no_picture_is_shown_in_any_request() -> None:
    _, model, _ = whole_plan("dmap-paper-no-image")
    assert all(not turn.pictures for request in model.requests for turn in request.turns)


def test_a_model_that_does_not_see_reads_alone_and_the_trace_says_so() -> None:
    answer, model, drawer = whole_plan("dmap-paper", sees=False)
    assert answer.trace[0].step == systems.BLIND
    assert "answer_from_pictures" not in asked(model)
    assert drawer.places == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "question", ["What does Table 3 show?", "How many crowns does a berth cost?", "zebra", "page 99"]
)
def test_every_variant_goes_from_end_to_end_without_a_model(name: str, question: str) -> None:
    run = run_over(GUIDE)
    result = systems.run_search(get(name), Query(question, limit=3), run)
    assert len(result.evidence.pages(result.by)) <= 3
    answer = systems.run_ask(get(name), Query(question), run_over(GUIDE))
    assert set(answer.decided_by) <= {"rule"}
    assert any(one.here == "none, by rule" for one in answer.substitutes)
    json.dumps(answer.to_json())


@pytest.mark.parametrize("name", NAMES)
def test_a_plan_is_read_back_as_it_is_printed(name: str) -> None:
    assert read_plan(repr(get(name).retrieve)) == get(name).retrieve


def test_the_plan_is_one_of_the_papers() -> None:
    assert "dmap-paper" in PAPER_PLANS
    assert get("dmap-paper").needs() >= {"document_map", "visual_vectors", "element_vectors"}


@pytest.mark.parametrize("kind", [FaultKind.SERVER, FaultKind.REFUSED, FaultKind.EMPTY])
def test_a_model_that_always_fails_leaves_what_rules_find(kind: FaultKind) -> None:
    run = run_over(GUIDE)
    model = ScriptedModel(lambda _request: ModelFault(kind, "no"), sees=True)
    run.judge = Judge({"language": model}, gateway=Gateway(limits=Limits(attempts=1)))
    answer = systems.run_ask(get("dmap-paper"), Query("How many crowns does a berth cost?"), run)
    ruled = systems.run_ask(get("dmap-paper"), Query("How many crowns does a berth cost?"), run_over(GUIDE))
    assert (answer.text, set(answer.decided_by)) == (ruled.text, {"rule"})


# A case like that of Figure 3: the text names some, the table on a later page all

_PARTLY: list[Row] = [
    (Kind.HEADING, "1 Introduction", 1, 1),
    (Kind.PARAGRAPH, "We experiment with signals of many harbours, among them Harwick and Lund.", 1, 0),
    (Kind.HEADING, "2 Experiments", 2, 1),
    (Kind.PARAGRAPH, "Experiments with harbours such as Harwick, Lund and Brest follow. We do not use Visby.", 2, 0),
    (Kind.PARAGRAPH, "Each experiment is repeated in summer.", 3, 0),
    (Kind.TABLE, "", 4, 0),
    (Kind.CAPTION, "Table 1: Data by place", 4, 0),
]
_PLACES = ("Harwick", "Lund", "Brest", "Riga", "Turku")
STUDY = with_tables(document(_PARTLY), {5: [["Place", "Signals"], *([name, "40"] for name in _PLACES)]}, {5: 6})


def test_a_list_that_the_text_gives_in_part_is_taken_from_the_table_on_another_page() -> None:
    question = "Which 5 harbours do they experiment with?"

    def reads(request: Request) -> str:
        text = "\n".join(shown(request))
        return read("; ".join(name for name in _PLACES if name in text))

    replies: dict[str, Line | Say] = {
        "locate_on_map": located("Table 1", "Page 2"),
        "answer_from_evidence": reads,
        "answer_from_pictures": seen("; ".join(_PLACES)),
        "combine_answers": json.dumps({"used": [1, 2], "answerable": True, "answer": "; ".join(_PLACES)}),
        "reflect_on_answer": '{"answered": true}',
    }
    run, model, drawer = begin(replies, source=STUDY)
    answer = systems.run_ask(get("dmap-paper"), Query(question, limit=48), run)
    assert answer.text == "; ".join(_PLACES)
    reading = next(one for one in model.requests if one.decision == "answer_from_evidence")
    assert all(name in shown(reading)[0] for name in _PLACES)
    assert (drawer.places[0].page, drawer.places[0].box is None) == (4, False)
    assert 4 in {citation.page for citation in answer.citations}


# A real file: the map grown over its pages, and the visual path


def test_a_real_file_is_mapped_by_a_model_that_sees_and_found_by_its_look(tmp_path: Path) -> None:
    path = pdfs.write(
        tmp_path / "flags.pdf",
        pdfs.say("Signals of the harbour", "Each signal has a meaning.", size=14),
        pdfs.say("Fog", "The lamp is lit in fog.", size=14),
    )

    answering = reflecting(True, "two", locate_on_map=located("Page 2"))

    def say(request: Request) -> Line:
        if request.decision == "map_page":
            assert request.turns[0].pictures
            number = int(re.findall(r'<page number="(\d+)">', request.turns[0].text)[0])
            known = re.findall(r"^\d+: .* <-> \d+$", request.turns[0].text, re.M)
            return json.dumps(
                {"outline": [*known, f"{number}: Sheet {number} <-> {number}"], "summary": f"Sheet {number}."}
            )
        if request.decision == "describe_element":
            return json.dumps({"sort": "other", "description": "A picture."})
        line = answering[request.decision]
        return line(request) if callable(line) else line

    model = ScriptedModel(say, sees=True)
    with Corpus(tmp_path / "corpus", models=ModelConfig(model), image_text=Colours()) as corpus:
        corpus.add(path, systems="dmap-paper")
        mapped = [one for one in model.requests if one.decision == "map_page"]
        answer = corpus.ask("When is the lamp lit?", system="dmap-paper")
    assert len(mapped) == 2
    locating = next(one for one in model.requests if one.decision == "locate_on_map")
    assert "2: Sheet 2 <-> 2" in locating.turns[0].text
    assert "Page 2: Sheet 2." in locating.turns[0].text
    (look,) = [one for one in answer.trace if one.step == "NearestElements" and one.parameters["space"] == LOOK]
    assert look.rows_out > 0


def test_a_stopped_job_goes_on_with_the_next_page_and_an_answer_is_had_without_it(tmp_path: Path) -> None:
    path = pdfs.write(
        tmp_path / "sheets.pdf", *(pdfs.say(f"Sheet {at}", f"Lamp {at} is lit.", size=14) for at in "abc")
    )
    mapped: list[str] = []

    def say(request: Request) -> Line:
        if request.decision != "map_page":
            return json.dumps({"sort": "other", "description": "A picture.", "items": []})
        number = re.findall(r'<page number="(\d+)">', request.turns[0].text)[0]
        mapped.append(number)
        pages = ", ".join(str(page) for page in range(1, int(number) + 1))
        return json.dumps({"outline": [f"1: Lamps <-> {pages}"], "summary": f"Sheet {number}.", "elements": []})

    with Corpus(tmp_path / "corpus", models=ModelConfig(ScriptedModel(say, sees=True))) as corpus:
        corpus.add(path, systems="dmap-paper", caps=Caps(calls=2))
    with Corpus(tmp_path / "corpus") as corpus:
        assert "Lamp b" in str(corpus.ask("Which lamp is lit on page 2?", system="dmap-paper").to_json())
    with Corpus(tmp_path / "corpus", models=ModelConfig(ScriptedModel(say, sees=True))) as corpus:
        corpus.add(path, systems="dmap-paper")
        view = corpus.view(layers=get("dmap-paper").needs())
        assert [one.title for one in DocumentMap.grown(view).sections] == ["Lamps"]
    assert mapped == ["1", "2", "3"]


def late_run(question: str, source: Document, *missing: str) -> Run:
    view = View((source,), ManyVectors(source=source, missing=frozenset(missing)))
    return Run(view, embedder=FakeEmbedder, late_interaction=WordVectors, query=Query(question))


def test_equation_7_goes_by_late_interaction_where_such_a_model_is_named() -> None:
    run = late_run("Which granite do cranes lift?", QUAYS)
    found = NearestElements(TEXT, 1)(run.query, run)
    assert [hit.page for hit in found.pages(TEXT)] == [2]
    assert "skipped" not in [step.step for step in run.trace]


def test_by_late_interaction_an_element_is_what_is_said_of_it_and_not_the_passage_it_stands_in() -> None:
    rows: list[Row] = [
        (Kind.PARAGRAPH, "Cranes lift granite.", 1, 0),
        (Kind.PARAGRAPH, "Cranes lift granite in winter.", 2, 0),
        (Kind.TABLE, "Season | Bakers", 2, 0),
    ]
    source = with_tables(document(rows), {2: [["Season", "Bakers"], ["Autumn", "2"]]}, {})
    granite, bakers = late_run("Do cranes lift granite in winter?", source), late_run("bakers in autumn", source)
    assert len(granite.view.passages) == 2
    assert spots_of(NearestElements(TEXT, 3)(granite.query, granite), TEXT) == [Spot(1), Spot(0), Spot(1, 2)]
    assert Spot(1, 2) in spots_of(NearestElements(TEXT, 2)(bakers.query, bakers), TEXT)


def test_where_elements_were_not_embedded_so_all_are_compared_by_single_vectors() -> None:
    run = late_run(QUESTION, CAPTIONED, "element_token_vectors")
    plain = run_over(CAPTIONED, question=QUESTION)
    found, wanted = (spots_of(NearestElements(TEXT, 5)(one.query, one), TEXT) for one in (run, plain))
    assert found == wanted
    assert [step.step for step in run.trace] == ["skipped", "NearestElements"]

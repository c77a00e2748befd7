"""Two agents: one reads, one looks when there is something to see and somebody who sees; their answers become one."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Sequence

import numpy as np
import pytest

from indexed import run_over
from octavo.decisions.engine.judge import Judge
from octavo.errors import UsageError
from octavo.evidence import Answer, Evidence
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.ports import Raster
from octavo.models.scripted import Line, ScriptedModel
from octavo.operators.core import Place, Run
from octavo.operators.keep import RELEVANCE
from octavo.operators.read.image_evidence import LOCATED, NAMED_ELEMENT, NAMED_PAGE, Spot, image_evidence
from octavo.operators.score.search import SEEN, VISUAL
from octavo.systems import get
from octavo_documents.document import Document, Kind, LinkKind, LinkTable, TextColumn
from octavo_methods.dmap.document_map import read_first
from octavo_methods.dmap.reflect import Agents
from synthetic import document

TEXT, FIGURE, CAPTION, PHOTO = 0, 1, 2, 4
_PLAIN = document(
    [
        (Kind.PARAGRAPH, "Four keepers live on the pier.", 1, 0),
        (Kind.FIGURE, "", 2, 0),
        (Kind.CAPTION, "Figure 1: Keepers on the quay", 2, 0),
        (Kind.PARAGRAPH, "It is cold.", 3, 0),
        (Kind.FIGURE, "", 3, 0),
    ]
)
REPORT = dataclasses.replace(
    _PLAIN,
    links=LinkTable(
        source=np.array([CAPTION], np.int32),
        target=np.array([FIGURE], np.int32),
        kind=np.array([LinkKind.CAPTION_OF], np.uint8),
        text=TextColumn.of([""]),
        origin=np.zeros(1, np.uint8),
        weight=np.ones(1, np.float32),
    ),
)


class Drawer:
    """Draws white pictures and remembers of what; pages in `gone` cannot be drawn."""

    def __init__(self, *gone: int) -> None:
        self.places: list[Place] = []
        self._gone = gone

    def __call__(self, document_id: str, places: Sequence[Place]) -> list[Raster | None]:
        assert document_id == REPORT.id
        self.places += places
        blank = np.full((4, 4, 3), 255, np.uint8)
        return [None if place.page in self._gone else blank for place in places]


def evidence(run: Run, *, seen: Sequence[int] = (), pages: Sequence[int] = (), named: Sequence[int] = ()) -> Evidence:
    """All blocks; elements seen by themselves, whole pages seen, and blocks that are named."""
    rows = np.arange(len(REPORT.blocks))
    page = REPORT.blocks.page
    is_seen = np.isin(page, [*pages, *(page[row] for row in seen)])
    scores = {RELEVANCE: np.arange(5, 0, -1.0), VISUAL: np.where(is_seen, 0.5, np.nan)}
    return Evidence(run.view, rows, scores, {SEEN: np.isin(rows, seen), NAMED_ELEMENT: np.isin(rows, named)})


def read(answer: str) -> str:
    support = [{"id": 1, "quote": "Four keepers live on the pier."}]
    return json.dumps({"evidence": support if answer else [], "answerable": bool(answer), "answer": answer})


def looked(answer: str) -> str:
    return json.dumps({"used": [1], "answerable": bool(answer), "answer": answer})


def ask(
    replies: dict[str, Line],
    drawer: Drawer | None,
    question: str = "How many keepers?",
    *,
    sees: bool = True,
    **found: Sequence[int],
) -> tuple[Answer, ScriptedModel, Run]:
    model = ScriptedModel(lambda request: replies[request.decision], sees=sees)
    run = run_over(REPORT, question=question)
    run.pictures = drawer
    run.judge = Judge({"language": model})
    return Agents()(evidence(run, **found), run), model, run


def decisions(model: ScriptedModel) -> list[str]:
    return sorted(request.decision for request in model.requests)


def test_without_image_evidence_nobody_looks() -> None:
    answer, model, _ = ask({"answer_from_evidence": read("4")}, Drawer())
    assert (answer.text, decisions(model)) == ("4", ["answer_from_evidence"])


def test_a_model_that_does_not_see_only_reads() -> None:
    _, model, _ = ask({"answer_from_evidence": read("4")}, Drawer(), sees=False, seen=[FIGURE])
    assert decisions(model) == ["answer_from_evidence"]


def test_without_a_model_the_reader_extracts() -> None:
    run = run_over(REPORT, question="How many keepers live on the pier?")
    answer = Agents()(evidence(run, seen=[FIGURE]), run)
    assert answer.answerable
    assert run.decided_by == {"rule": 1}


def test_agents_that_agree_cost_no_third_call() -> None:
    replies: dict[str, Line] = {
        "answer_from_evidence": read("Four keepers"),
        "answer_from_pictures": looked("four keepers"),
    }
    answer, model, run = ask(replies, Drawer(), seen=[FIGURE])
    assert decisions(model) == ["answer_from_evidence", "answer_from_pictures"]
    assert [citation.page for citation in answer.citations] == [1, 2]
    assert run.trace[-1].calls == 2


def test_the_picture_is_the_crop_of_the_element_with_its_caption() -> None:
    drawer = Drawer()
    _, model, _ = ask({"answer_from_evidence": read(""), "answer_from_pictures": looked("4")}, drawer, seen=[FIGURE])
    (place,) = drawer.places
    assert place.page == 2
    assert place.box == (68.0, 80.0, 504.0, 110.0)
    (request,) = [one for one in model.requests if one.decision == "answer_from_pictures"]
    assert "[1] page 2; figure; Figure 1: Keepers on the quay" in request.turns[0].text
    assert len(request.turns[0].pictures) == 1


def test_who_finds_nothing_leaves_it_to_the_other() -> None:
    answer, model, _ = ask(
        {"answer_from_evidence": read(""), "answer_from_pictures": looked("4")}, Drawer(), seen=[FIGURE]
    )
    assert (answer.text, answer.value, answer.citations[0].quote) == ("4", 4, "Figure 1: Keepers on the quay")
    assert "combine_answers" not in decisions(model)
    answer, _, _ = ask({"answer_from_evidence": read("5"), "answer_from_pictures": looked("")}, Drawer(), seen=[FIGURE])
    assert answer.text == "5"


def test_that_neither_finds_an_answer_is_the_answer() -> None:
    answer, _, _ = ask({"answer_from_evidence": read(""), "answer_from_pictures": looked("")}, Drawer(), seen=[FIGURE])
    assert not answer.answerable
    assert answer.citations == ()


@pytest.mark.parametrize(
    ("reply", "known"),
    [
        ({"used": [1, 2], "answerable": False, "answer": "four, one of them red"}, "four, one of them red"),
        ({"used": [1, 2], "answerable": True, "answer": "four, one of them red"}, "four, one of them red"),
        ({"used": [], "answerable": False, "answer": ""}, "at least four"),
    ],
)
def test_what_both_know_in_part_is_put_together_and_stays_a_part(reply: dict[str, object], known: str) -> None:
    half = json.dumps(json.loads(read("at least four")) | {"answerable": False, "missing": ["the rest"]})
    sight = json.dumps({"used": [1], "seen": "one of them is red", "answerable": False, "answer": ""})
    replies: dict[str, Line] = {
        "answer_from_evidence": half,
        "answer_from_pictures": sight,
        "combine_answers": json.dumps(reply),
    }
    answer, model, _ = ask(replies, Drawer(), seen=[FIGURE])
    told = model.requests[-1].turns[0].text
    assert "read in the text\nin part: at least four (not known: the rest)" in told
    assert "seen in pictures\nin part: one of them is red" in told
    assert (answer.known, answer.text) == (known, f"Known only in part: {known}")
    assert not answer.answerable


def test_what_one_misses_stays_missing_when_the_other_alone_is_used() -> None:
    half = json.dumps(json.loads(read("at least four")) | {"answerable": False, "missing": ["the rest"]})
    replies: dict[str, Line] = {
        "answer_from_evidence": half,
        "answer_from_pictures": json.dumps({"used": [1], "seen": "one is red", "answerable": False, "answer": ""}),
        "combine_answers": json.dumps({"used": [2], "answerable": False, "answer": "one is red"}),
    }
    answer, _, _ = ask(replies, Drawer(), seen=[FIGURE])
    assert (answer.known, answer.missing) == ("one is red", ("the rest",))


def test_where_a_reader_asks_for_pictures_both_parts_go_into_the_next_round_as_they_are() -> None:
    half = json.dumps(json.loads(read("at least four")) | {"answerable": False, "missing": ["pictures of pages 1-3"]})
    replies: dict[str, Line] = {
        "answer_from_evidence": half,
        "answer_from_pictures": json.dumps({"used": [], "seen": "Known so far: one is red", "answerable": False}),
    }
    answer, model, run = ask(replies, Drawer(), seen=[FIGURE])
    assert decisions(model) == ["answer_from_evidence", "answer_from_pictures"]
    assert any('"picture of page 7"' in request.turns[0].text for request in model.requests)
    assert answer.known == "read in the text: at least four; seen in pictures: one is red"
    assert (run.so_far.known, answer.missing) == (answer.known, ("pictures of pages 1-3",))
    assert [*run.so_far.pictures.values()] == ["one is red"]
    Agents()(evidence(run, seen=[FIGURE]), run)
    told = [one.turns[0].text for one in model.requests if one.decision == "answer_from_evidence"]
    assert f"from what was shown before: {answer.known}" in told[1]


@pytest.mark.parametrize(
    ("reply", "text", "cited"),
    [
        ({"used": [2], "answerable": True, "answer": "five"}, "five", [2]),
        ({"used": [1, 2], "answerable": True, "answer": "four or five"}, "four or five", [1, 2]),
        (
            {"used": [], "answerable": False, "answer": ""},
            "Nothing in test.pdf (3 pages) was found that answers this.",
            [],
        ),
    ],
)
def test_agents_that_differ_are_brought_together_by_a_decision(
    reply: dict[str, object], text: str, cited: list[int]
) -> None:
    replies: dict[str, Line] = {
        "answer_from_evidence": read("four"),
        "answer_from_pictures": looked("five"),
        "combine_answers": json.dumps(reply),
    }
    answer, model, _ = ask(replies, Drawer(), seen=[FIGURE])
    assert (answer.text, [citation.page for citation in answer.citations]) == (text, cited)
    assert model.calls == 3
    (request,) = [one for one in model.requests if one.decision == "combine_answers"]
    assert re.search(r"read in the text\s+four.*seen in pictures\s+five", request.turns[0].text, re.DOTALL)


def test_an_agent_that_fails_leaves_the_other_alone() -> None:
    fault = ModelFault(FaultKind.REFUSED, "no")
    answer, _, _ = ask({"answer_from_evidence": read("4"), "answer_from_pictures": fault}, Drawer(), seen=[FIGURE])
    assert answer.text == "4"


def test_pages_that_cannot_be_drawn_are_skipped_and_the_trace_says_so() -> None:
    answer, model, run = ask({"answer_from_evidence": read("4")}, Drawer(2), seen=[FIGURE])
    assert (answer.text, decisions(model)) == ("4", ["answer_from_evidence"])
    assert "cannot be drawn" in str(run.trace[-1].steps)


def test_without_anything_that_draws_the_text_is_read_alone() -> None:
    _, model, run = ask({"answer_from_evidence": read("4")}, None, seen=[FIGURE])
    assert decisions(model) == ["answer_from_evidence"]
    assert "cannot be drawn" in str(run.trace[-1].steps)


def test_more_pictures_than_allowed_are_not_drawn() -> None:
    run = run_over(REPORT, question="?")
    drawer = run.pictures = Drawer()
    run.judge = Judge({"language": ScriptedModel(lambda _request: looked("x"), sees=True)})
    Agents(pictures=1)(evidence(run, seen=[FIGURE, PHOTO], pages=[1]), run)
    assert len(drawer.places) == 1
    with pytest.raises(UsageError):
        Agents(pictures=-1)


def test_a_page_that_was_chosen_with_hardly_any_words_is_looked_at_as_a_whole_and_then_other_pictures() -> None:
    run = run_over(REPORT, question="What does the map show?")
    drawer = run.pictures = Drawer()
    run.judge = Judge({"language": ScriptedModel(lambda _request: looked("x"), sees=True)})
    Agents()(read_first(evidence(run), [2], "map"), run)
    assert [(place.page, place.box is None) for place in drawer.places] == [(3, True), (2, False), (3, False)]


# What is looked at


def spots(source: Document = REPORT, **found: Sequence[int]) -> list[Spot]:
    return image_evidence(evidence(run_over(source), **found))


def test_what_is_named_comes_before_what_was_seen_and_a_caption_stands_for_its_figure() -> None:
    assert spots(seen=[PHOTO], named=[CAPTION]) == [Spot(1, FIGURE), Spot(2, PHOTO)]


def test_a_page_seen_as_a_whole_is_looked_at_as_a_whole() -> None:
    assert spots(pages=[1]) == [Spot(0)]
    assert spots(pages=[3], seen=[PHOTO]) == [Spot(2, PHOTO)]


def test_a_page_that_is_named_is_looked_at_and_one_that_was_worked_out_is_not() -> None:
    view = run_over(REPORT).view
    assert image_evidence(Evidence.of(view, [TEXT], **{LOCATED: [1.02], NAMED_PAGE: [1.02]})) == [Spot(0)]
    assert image_evidence(Evidence.of(view, [TEXT], **{LOCATED: [0.52], NAMED_PAGE: [np.nan]})) == []


def test_every_prompt_part_is_named_by_document_when_there_are_several() -> None:
    def say(request: Request) -> str:
        assert "[1] test.pdf; page 2" in request.turns[0].text
        return looked("4")

    other = document([(Kind.PARAGRAPH, "Elsewhere.", 1, 0)], name="other.pdf")
    run = run_over(REPORT, other, question="How many?")
    run.pictures = Drawer()
    run.judge = Judge({"vision": ScriptedModel(say, sees=True)})
    found = dataclasses.replace(evidence(run, seen=[FIGURE]), view=run.view)
    assert Agents()(found, run).text == "4"


def test_with_no_pictures_neither_agent_is_shown_any() -> None:
    run = run_over(REPORT, question="What does the picture show?")
    drawer = run.pictures = Drawer()
    model = ScriptedModel(lambda _request: read(""), sees=True)
    run.judge = Judge({"language": model})
    Agents(pictures=0)(evidence(run, seen=[FIGURE]), run)
    assert drawer.places == []
    assert decisions(model) == ["answer_from_evidence"]
    assert "pictures=0" in repr(get("dmap-no-image").answer)

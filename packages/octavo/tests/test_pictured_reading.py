"""Readers that are shown pictures: when, which, with what words, by whom, and what is believed of what is seen."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from indexed import run_over
from octavo import systems
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Answer, Outcome, Query
from octavo.models.language import Request
from octavo.models.ports import Raster
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Place
from octavo.operators.read.image_evidence import Spot, pictured
from octavo_documents.document import Document, FigureKind, Kind, LinkKind, LinkTable, TextColumn
from synthetic import document

METHODS = pytest.mark.needs("octavo_methods")

TEXT, CHART, CAPTION, PHOTO = 0, 1, 2, 3
_PLAIN = document(
    [
        (Kind.PARAGRAPH, "Keepers live on the pier in summer and in winter.", 1, 0),
        (Kind.CHART, "", 1, 0),
        (Kind.CAPTION, "Figure 1: Keepers by season", 1, 0),
        (Kind.FIGURE, "", 1, 0),
        (Kind.PARAGRAPH, "It is cold in winter.", 2, 0),
    ]
)
_FIGURES = _PLAIN.blocks.figure.copy()
_FIGURES[PHOTO] = FigureKind.PHOTO
REPORT = dataclasses.replace(
    _PLAIN,
    blocks=dataclasses.replace(_PLAIN.blocks, figure=_FIGURES),
    links=LinkTable(
        source=np.array([CAPTION], np.int32),
        target=np.array([CHART], np.int32),
        kind=np.array([LinkKind.CAPTION_OF], np.uint8),
        text=TextColumn.of([""]),
        origin=np.zeros(1, np.uint8),
        weight=np.ones(1, np.float32),
    ),
)
TO_SEE = "How many bars does the chart of keepers have?"


def draw(_document: str, places: Sequence[Place]) -> list[Raster | None]:
    return [np.full((4, 4, 3), 255, np.uint8) for _ in places]


def picture(request: Request, words: str) -> int:
    found = re.findall(r"<picture id=(\d+)>(.*?)</picture>", request.turns[0].text)
    return next(int(number) for number, where in found if words in where)


def saw(answer: str, words: str = "Figure 1") -> Callable[[Request], str]:
    def say(request: Request) -> str:
        evidence = [{"id": picture(request, words), "quote": "four bars"}]
        return json.dumps({"evidence": evidence, "answerable": True, "answer": answer, "value": answer})

    return say


NO = json.dumps({"evidence": [], "answerable": False, "answer": "", "value": "", "missing": []})


def lacking(*missing: str) -> str:
    return json.dumps({"evidence": [], "answerable": False, "answer": "", "value": "", "missing": missing})


def ask(
    *script: str | Callable[[Request], str],
    question: str = TO_SEE,
    source: Document = REPORT,
    sees: bool = True,
    vision: ScriptedModel | None = None,
    system: str = "hybrid",
) -> tuple[Answer, ScriptedModel]:
    lines = iter(script)

    def say(request: Request) -> str:
        line = next(lines)
        return line if isinstance(line, str) else line(request)

    model = ScriptedModel(say, sees=sees)
    run = run_over(source)
    run.pictures = draw
    run.judge = Judge({"answer_from_evidence": model, "answer_from_pictures": vision})
    return systems.run_ask(systems.get(system), Query(question), run), model


@pytest.mark.parametrize(
    "system", ["auto", "hybrid", *(pytest.param(name, marks=METHODS) for name in ("ladrag", "bookrag", "rdr2"))]
)
def test_a_question_that_asks_to_see_brings_the_pictures_of_the_pages_in_every_system(system: str) -> None:
    answer, model = ask(saw("4"), system=system)
    (request,) = model.requests
    assert len(request.turns[0].pictures) == 2
    assert re.search(r"<picture id=\d+>page 1; chart; Figure 1: Keepers by season</picture>", request.turns[0].text)
    assert (answer.outcome, answer.value, answer.confidence) == (Outcome.ANSWER, 4, 0.6)
    assert answer.citations[0].quote == "Figure 1: Keepers by season"


def test_the_picture_whose_caption_says_most_of_the_question_comes_first() -> None:
    _, model = ask(saw("4"))
    places = re.findall(r"<picture id=\d+>(.*?)</picture>", model.requests[0].turns[0].text)
    assert places == ["page 1; chart; Figure 1: Keepers by season", "page 1; photo"]


def test_a_figure_that_is_named_by_its_number_is_shown_alone() -> None:
    _, model = ask(saw("4"), question="How many bars does Figure 1 have?")
    assert re.findall(r"<picture id=\d+>(.*?)</picture>", model.requests[0].turns[0].text) == [
        "page 1; chart; Figure 1: Keepers by season"
    ]


def test_of_a_page_that_is_named_the_pictures_are_shown_alone() -> None:
    rows = [(Kind.PARAGRAPH, "Keepers live here.", 1, 0), (Kind.FIGURE, "", 1, 0), (Kind.PARAGRAPH, "Boats.", 2, 0)]
    source = document([*rows, (Kind.FIGURE, "", 2, 0)])
    _, model = ask(NO, question="What does the picture on page 2 show?", source=source)
    places = re.findall(r"<picture id=\d+>(.*?)</picture>", model.requests[0].turns[0].text)
    assert places == ["page 2; figure"]


def test_pictures_that_are_shown_are_not_called_missing() -> None:
    _, model = ask(saw("4"))
    assert "not in words below" not in model.requests[0].turns[0].text


def test_words_are_read_first_and_pictures_are_looked_at_where_they_do_not_answer() -> None:
    answer, model = ask(lacking("crew"), saw("two", "photo"), question="Who lives on the pier in winter?")
    assert [len(request.turns[0].pictures) for request in model.requests] == [0, 2]
    assert (answer.text, answer.citations[0].page) == ("two", 1)
    assert "(chart, not in words) Figure 1: Keepers by season" in model.requests[0].turns[0].text


def test_a_question_that_words_answer_costs_no_picture() -> None:
    def say(request: Request) -> str:
        number = re.findall(r"<passage id=(\d+)>", request.turns[0].text)[0]
        evidence = [{"id": int(number), "quote": "Keepers live on the pier"}]
        return json.dumps({"evidence": evidence, "answerable": True, "answer": "on the pier"})

    _, model = ask(say, question="Where do keepers live?")
    assert [len(request.turns[0].pictures) for request in model.requests] == [0]


def test_a_reader_that_does_not_see_is_told_what_another_saw() -> None:
    looking = ScriptedModel([json.dumps({"used": [1], "answerable": True, "answer": "4 bars"})], sees=True)
    answer, model = ask(saw("4"), sees=False, vision=looking)
    assert not model.requests[0].turns[0].pictures
    assert "Figure 1: Keepers by season | seen in it: 4 bars</picture>" in model.requests[0].turns[0].text
    assert (answer.value, looking.calls) == (4, 1)


def test_without_a_model_that_sees_the_reader_is_told_that_pictures_are_there() -> None:
    _, model = ask(NO, sees=False)
    assert model.calls == 1
    assert "not in words below: page 1: photo." in model.requests[0].turns[0].text
    assert "(chart, not in words) Figure 1: Keepers by season" in model.requests[0].turns[0].text


def test_a_page_with_many_pictures_is_looked_at_as_a_whole_and_logos_never() -> None:
    rows = [(Kind.FIGURE, "", 1, 0)] * 5 + [(Kind.FIGURE, "", 2, 0)] * 2
    source = document(rows)
    figure = source.blocks.figure.copy()
    figure[6] = FigureKind.LOGO
    view = run_over(dataclasses.replace(source, blocks=dataclasses.replace(source.blocks, figure=figure))).view
    assert pictured(view, [0, 1]) == [Spot(0), Spot(1, 5)]


def test_a_picture_inside_another_is_not_shown_twice() -> None:
    source = document([(Kind.FIGURE, "", 1, 0), (Kind.CHART, "", 1, 0)])
    box = source.blocks.box.copy()
    box[0], box[1] = (50, 50, 500, 500), (100, 100, 200, 200)
    view = run_over(dataclasses.replace(source, blocks=dataclasses.replace(source.blocks, box=box))).view
    assert pictured(view, [0]) == [Spot(0, 0)]


def test_a_scan_without_pictures_is_looked_at_whole() -> None:
    view = run_over(document([(Kind.PARAGRAPH, "words", 1, 0)], scanned=True)).view
    assert pictured(view, [0]) == [Spot(0)]


def test_a_slide_without_pictures_is_looked_at_whole() -> None:
    source = document([(Kind.PARAGRAPH, "words", 1, 0)])
    wide = dataclasses.replace(source, pages=dataclasses.replace(source.pages, width=source.pages.height * 1.4))
    assert pictured(run_over(wide).view, [0]) == [Spot(0)]
    assert pictured(run_over(source).view, [0]) == []


def test_pictures_that_cannot_be_drawn_leave_the_words() -> None:
    model = ScriptedModel([NO], sees=True)
    run = run_over(REPORT)
    run.judge = Judge({"answer_from_evidence": model})
    assert not systems.run_ask(systems.get("hybrid"), Query(TO_SEE), run).answerable
    assert model.calls == 1


@pytest.mark.needs("octavo_methods")
def test_what_dmap_looks_at_with_an_agent_its_reader_is_not_shown_too() -> None:
    looking = ScriptedModel([json.dumps({"used": [1], "answerable": True, "answer": "4"})], sees=True)
    _, model = ask(NO, question="What does Figure 1 show of keepers?", vision=looking, system="dmap-no-reflection")
    assert [len(request.turns[0].pictures) for request in model.requests] == [0]
    assert looking.calls == 1


# Pictures that an agent chose, and those that words do not stand for


def chosen(source: Document, question: str, *blocks: str) -> list[list[str]]:
    """Return what pictures are shown in each request for an answer, where the agent ends with these blocks."""

    def say(request: Request) -> str:
        return NO if request.decision == "answer_from_evidence" else json.dumps({"plan": "", "blocks": blocks})

    model = ScriptedModel(say, sees=True)
    run = run_over(source)
    run.pictures = draw
    run.judge = Judge({"language": model})
    systems.run_ask(systems.get("ladrag"), Query(question), run)
    texts = [request.turns[0].text for request in model.requests if request.decision == "answer_from_evidence"]
    return [re.findall(r"<picture id=\d+>(.*?)</picture>", text) for text in texts]


def placed(source: Document, boxes: dict[int, tuple[int, int, int, int]]) -> Document:
    """Return a document with some blocks in other boxes."""
    moved = source.blocks.box.copy()
    for row, box in boxes.items():
        moved[row] = box
    return dataclasses.replace(source, blocks=dataclasses.replace(source.blocks, box=moved))


ALBUM = document(
    [
        row
        for page in range(1, 7)
        for row in (
            (Kind.PARAGRAPH, f"Keepers of pier {page}, with a chart of keepers.", page, 0),
            (Kind.CHART, "41 keepers in a chart of bars and piers", page, 0),
        )
    ]
)


@pytest.mark.needs("octavo_methods")
def test_pictures_that_the_agent_chose_come_first_in_its_order() -> None:
    shown = chosen(ALBUM, TO_SEE, "b9", "b3", "b8")
    assert shown[0][:2] == ["page 5; chart", "page 2; chart"]


@pytest.mark.needs("octavo_methods")
def test_a_page_of_which_several_pictures_were_chosen_is_shown_once() -> None:
    rows = [(Kind.PARAGRAPH, "Keepers by season.", 1, 0), (Kind.CHART, "41", 1, 0), (Kind.CHART, "42", 1, 0)]
    source = document([*rows, (Kind.PARAGRAPH, "Boats.", 2, 0)])
    source = placed(source, {1: (50, 50, 200, 200), 2: (50, 300, 200, 500)})
    assert chosen(source, "How many bars do all charts of keepers have?", "b1", "b2")[0] == ["page 1"]


@pytest.mark.parametrize(("words", "shown"), [("good", True), ("good 41 48 and so on", False)])
@pytest.mark.needs("octavo_methods")
def test_a_chosen_picture_of_hardly_any_words_comes_with_its_picture_at_once(words: str, shown: bool) -> None:
    rows = [(Kind.PARAGRAPH, "What keepers think of boats.", 1, 0), (Kind.FIGURE, words, 1, 0)]
    source = placed(document([*rows, (Kind.PARAGRAPH, "Boats.", 2, 0)]), {1: (50, 100, 300, 300)})
    first = chosen(source, "What share of keepers says good?", "b1")[0]
    assert first == (["page 1; figure"] if shown else [])


def test_a_heading_that_is_set_as_a_picture_is_not_looked_at() -> None:
    rows = [(Kind.FIGURE, "Keepers differ on boats", 1, 0), (Kind.FIGURE, "", 1, 0), (Kind.PARAGRAPH, "Text.", 1, 0)]
    source = placed(document(rows), {0: (50, 50, 400, 72), 1: (50, 100, 400, 300)})
    assert pictured(run_over(source).view, [0]) == [Spot(0, 1)]

"""RDR2 with a model that reads on where a part is shown, and with one that sees: what is routed, and what is not."""

from __future__ import annotations

import json
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
from octavo.operators.core import Place, Run
from octavo.systems import get
from octavo_documents.document import Document, Kind
from octavo_methods.rdr2.routing import Route, RoutedPassages
from octavo_methods.rdr2.trees import RetrievalSubtree
from parks import lines_of, number_of, reply, retrieved
from synthetic import Row, document

NAMES = ["rdr2", "rdr2-no-router", "rdr2-no-structure", "rdr2-no-expand"]
REFUSED = reply(refuse=True)
READS_ON = 'Where text stands under a heading with "+"'
LOOKS = "Whoever answers sees the pictures"


def inventory(before: int = 30) -> Document:
    """A section too long to be shown whole, in which a caption stands before its table, and another section."""
    rows: list[Row] = [(Kind.HEADING, "Stores", 1, 1)]
    rows += [
        (Kind.PARAGRAPH, f"Shelf {at} holds rope, tar and sailcloth of the old boats.", 1, 0) for at in range(before)
    ]
    rows += [
        (Kind.CAPTION, "Table 4 Lamps held in the stores", 1, 0),
        (Kind.TABLE, "Lamp | Held\n" + "\n".join(f"Lantern of pier {at} | {at + 40}" for at in range(12)), 1, 0),
        (Kind.HEADING, "Crew", 2, 1),
        (Kind.PARAGRAPH, "Nine in summer.", 2, 0),
    ]
    return document(rows, name="Stores")


def routed(script: Callable[[Request], str], *, is_named: bool = False) -> tuple[Run, ScriptedModel]:
    """Route the inventory, of which the caption was retrieved, by a model; `is_named` for this decision alone."""
    source = inventory()
    run, model = run_over(source, question="How many lamps are held?"), ScriptedModel(script)
    run.judge = Judge({"route_document" if is_named else "language": model})
    steps = RetrievalSubtree(tokens=40) >> Route(tokens=120) >> RoutedPassages()
    steps(retrieved(run.view, "Table 4"), run)
    return run, model


def test_the_rest_of_a_heading_that_is_shown_in_part_can_be_opened_what_is_next_to_it_first() -> None:
    source = inventory()
    run, model = routed(lambda request: reply(expand=(1,)) if "Lantern" not in request.turns[0].text else REFUSED)
    first, second = (lines_of(one) for one in model.requests)
    assert first[0] == second[0] == "1: + Stores"
    assert not any("Lantern" in line for line in first)
    assert any(line.startswith(f"  {number_of(source, 'Lamp')}: Lamp | Held") for line in second)
    assert not any("Shelf 0 " in line for line in second)
    (step,) = [one for one in run.trace if one.step == "Route"]
    assert [one.parameters["expanded"] for one in step.steps] == [1, 0]


def test_a_model_is_told_that_more_stands_there_only_where_it_does() -> None:
    whole, part = document([(Kind.HEADING, "Crew", 1, 1), (Kind.PARAGRAPH, "Nine in summer.", 1, 0)]), inventory()
    for source, caption, is_told in ((whole, "Nine", False), (part, "Table 4", True)):
        run, model = run_over(source, question="How many?"), ScriptedModel(lambda _request: REFUSED)
        run.judge = Judge({"language": model})
        (RetrievalSubtree(tokens=40) >> Route())(retrieved(run.view, caption), run)
        assert (READS_ON in model.requests[0].turns[0].text) == is_told


def test_a_router_of_its_own_opens_nothing_of_which_a_part_is_shown() -> None:
    run, model = routed(lambda _request: reply(expand=(1,)), is_named=True)
    assert lines_of(model.requests[0])[0] == "1: # Stores"
    assert READS_ON not in model.requests[0].turns[0].text
    (step,) = [one for one in run.trace if one.step == "Route"]
    assert step.steps[0].parameters["dropped"] == 1


def draw(_document: str, places: Sequence[Place]) -> list[Raster | None]:
    return [np.zeros((20, 20, 3), np.uint8) for _ in places]


def album(charts: int = 7) -> Document:
    rows: list[Row] = [(Kind.HEADING, "Catch", 1, 1)]
    for page in range(1, charts + 1):
        rows += [(Kind.PARAGRAPH, f"Keepers of pier {page} count charts.", page, 0), (Kind.CHART, "", page, 0)]
    return document(rows, name="album.pdf")


def asked(question: str, name: str, script: dict[str, str], *, sees: bool = True) -> tuple[Answer, ScriptedModel]:
    run, model = run_over(album()), ScriptedModel(lambda request: script[request.decision], sees=sees)
    run.judge, run.pictures = Judge({"language": model}), draw
    return systems.run_ask(get(name), Query(question), run), model


def says(answer: str, picture: int) -> str:
    evidence = [{"id": picture, "quote": "two lines"}]
    return json.dumps({"evidence": evidence, "answerable": bool(answer), "answer": answer, "value": answer})


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("question", ["How many charts show two lines?", "Which pages show a boat?"])
def test_a_question_that_goes_over_all_pictures_is_routed_by_nobody(name: str, question: str) -> None:
    script = {"choose_pictures": '{"numbers": [2, 5], "seen": "Two lines."}', "answer_from_evidence": says("2", 0)}
    _, model = asked(question, name, script)
    chosen, read = model.requests
    assert (chosen.decision, read.decision) == ("choose_pictures", "answer_from_evidence")
    assert len(read.turns[0].pictures) == 2
    assert "7 figures were looked over" in read.turns[0].text or "7 pages were looked over" in read.turns[0].text


def test_where_nobody_sees_the_same_question_is_routed() -> None:
    script = {"route_document": REFUSED, "answer_from_evidence": says("", 0)}
    answer, model = asked("How many charts show two lines?", "rdr2", script, sees=False)
    assert {one.decision for one in model.requests} == {"route_document", "answer_from_evidence"}
    assert answer.outcome is Outcome.NOTHING


@pytest.mark.parametrize("sees", [True, False])
def test_a_router_is_told_whether_whoever_answers_sees(sees: bool) -> None:
    script = {"route_document": REFUSED, "answer_from_evidence": says("", 0)}
    _, model = asked("Who counts on pier 3?", "rdr2", script, sees=sees)
    first = model.requests[0]
    assert first.decision == "route_document"
    assert (LOOKS in first.turns[0].text) == sees
    assert not first.turns[0].pictures

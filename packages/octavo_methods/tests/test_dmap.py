"""DMAP as a whole: paths and ablations, calls, pictures of a real file, and what is done without a model."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

import pdfs
from colours import Colours, TwoTowers
from indexed import run_over
from located import GUIDE
from octavo import systems
from octavo.corpus import Corpus
from octavo.corpus.judges import ModelConfig
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Answer, Query
from octavo.models.language import Request
from octavo.models.ports import ImageTextEmbedder
from octavo.models.scripted import ScriptedModel
from octavo.systems import ABLATIONS, get

NAMES = ["dmap", *(name for name in ABLATIONS if name.startswith("dmap-") and "-paper" not in name)]


def ask(question: str, model: ScriptedModel | None = None, name: str = "dmap") -> Answer:
    run = run_over(GUIDE)
    run.judge = Judge({"language": model} if model else None)
    return systems.run_ask(get(name), Query(question), run)


def paths(name: str) -> set[str]:
    """Return which of the three paths, and whether reflection, a system's plan has."""
    return {part for part in ("Locate", "RankPages", "VisualSearch", "Reflect") if f"{part}(" in repr(get(name).answer)}


def test_each_ablation_lacks_one_part() -> None:
    whole = {"Locate", "RankPages", "VisualSearch", "Reflect"}
    assert {name: whole - paths(name) for name in NAMES} == {
        "dmap": set(),
        "dmap-no-text": {"RankPages"},
        "dmap-no-image": {"VisualSearch"},
        "dmap-no-structure": {"Locate"},
        "dmap-no-reflection": {"Reflect"},
    }


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "question", ["What does Table 3 show?", "How many crowns does a berth cost?", "zebra", "page 99"]
)
def test_every_variant_answers_without_a_model_and_within_the_limit(name: str, question: str) -> None:
    run = run_over(GUIDE)
    result = systems.run_search(get(name), Query(question, limit=3), run)
    assert len(result.evidence.pages(result.by)) <= 3
    answer = ask(question, name=name)
    assert set(answer.decided_by) <= {"rule"}
    assert all(citation.quote for citation in answer.citations)


def test_what_is_named_stands_first_and_text_follows() -> None:
    run = run_over(GUIDE)
    result = systems.run_search(get("dmap"), Query("Who bakes the bread on page 16?"), run)
    best = [hit.page for hit in result.evidence.pages(result.by)]
    assert best[0] == 16
    assert 9 in best[1:5]


def test_the_trace_says_that_nothing_was_looked_at() -> None:
    answer = ask("What does Table 3 show?")
    (step,) = [one for one in answer.trace if one.step == "skipped"]
    assert step.parameters["why"] == "no image-text model is configured"


# With a model


def agreeable(request: Request) -> str:
    """A model that locates the first two pages, reads the first passage, and is content."""
    text = request.turns[0].text
    if request.decision == "locate_on_map":
        return json.dumps({"location": [f"Page {number}" for number in re.findall(r"^Page (\d+): ", text, re.M)][:2]})
    if request.decision == "judge_page_relevance":
        return json.dumps({"items": [{"id": int(at), "relevance": 0.7} for at in re.findall(r"<item id=(\d+)", text)]})
    if request.decision == "reflect":
        return json.dumps({"missing": "", "is_complete": True, "look_for": []})
    first = re.search(r"<passage id=(\d+)>\n(.*?)\n", text)
    assert first is not None
    return json.dumps({"evidence": [{"id": int(first[1]), "quote": first[2]}], "answerable": True, "answer": first[2]})


@pytest.mark.parametrize(
    ("question", "decisions"),
    [
        ("What does Table 3 show?", ["answer_from_evidence"]),
        ("Who lives in the tower?", ["locate_on_map", "answer_from_evidence"]),
        ("Who lives in the tower and who bakes the bread?", ["locate_on_map", "answer_from_evidence", "reflect"]),
    ],
)
def test_a_question_that_needs_no_second_look_takes_one_to_four_calls(question: str, decisions: list[str]) -> None:
    model = ScriptedModel(agreeable)
    answer = ask(question, model)
    assert [request.decision for request in model.requests if request.decision != "judge_page_relevance"] == decisions
    assert 1 <= answer.usage.calls == model.calls <= 4
    assert answer.answerable


# A real file, drawn and looked at


def coloured(name: str, red: float, green: float, blue: float, caption: str) -> pdfs.Draw:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 18)
        canvas.drawString(72, 720, name)
        canvas.setFillColorRGB(red, green, blue)
        canvas.rect(120, 320, 360, 260, fill=1, stroke=0)
        canvas.setFillColorRGB(0, 0, 0)
        canvas.setFont("Helvetica", 11)
        canvas.drawString(120, 300, caption)
        canvas.drawString(72, 200, "The signal is given when a ship comes near the harbour.")

    return draw


@pytest.fixture(scope="module")
def flags(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("flags")
    return pdfs.write(
        folder / "flags.pdf",
        pdfs.say("Signals of the harbour", "Each signal has a meaning.", size=14),
        coloured("Storm", 1, 0, 0, "Figure 1: Signal for a storm"),
        coloured("Harbour open", 0, 1, 0, "Figure 2: Signal for calm"),
        coloured("Fog", 0, 0, 1, "Figure 3: Signal for fog"),
    )


def looking(request: Request) -> str:
    """A vision model that truly looks: it says the main colour of the first picture, and reads no text."""
    if request.decision == "answer_from_pictures":
        picture = Image.open(io.BytesIO(request.turns[0].pictures[0].data)).convert("RGB")
        ink = np.asarray(picture).reshape(-1, 3)
        ink = ink[(ink.min(axis=1) < 100) & (ink.max(axis=1) > 150)]
        colour = ["red", "green", "blue"][int(ink.mean(axis=0).argmax())] if len(ink) else ""
        return json.dumps({"used": [1], "answerable": bool(colour), "answer": colour})
    if request.decision == "answer_from_evidence":
        return json.dumps({"evidence": [], "answerable": False, "answer": ""})
    return agreeable(request)


def asked_of(path: Path, at: Path, image_text: ImageTextEmbedder | None, question: str) -> tuple[Answer, ScriptedModel]:
    model = ScriptedModel(looking, sees=True)
    with Corpus(at, models=ModelConfig(model), image_text=image_text) as corpus:
        corpus.add(path)
        return corpus.ask(question, system="dmap"), model


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the corpus of the questions for colours is."""
    return tmp_path_factory.mktemp("colours") / "corpus"


@pytest.mark.parametrize(("colour", "page"), [("red", 2), ("green", 3), ("blue", 4)])
def test_the_visual_path_finds_draws_and_shows_the_right_picture(
    flags: Path, place: Path, colour: str, page: int
) -> None:
    """Proves the whole way from a file's pixels to an answer with a place, by a model whose vectors mean something."""
    answer, model = asked_of(flags, place, Colours(), f"Which {colour} thing is shown?")
    assert answer.text == colour
    assert [citation.page for citation in answer.citations] == [page]
    assert "reflect" not in [one.decision for one in model.requests]  # no text bears out what was seen
    (request,) = [one for one in model.requests if one.decision == "answer_from_pictures"]
    assert f"[1] page {page}" in request.turns[0].text


def test_a_network_with_random_weights_goes_the_same_way(flags: Path, tmp_path: Path) -> None:
    """Proves the plumbing with a real network's vectors: four pages are looked at; which one is first is chance."""
    answer, model = asked_of(flags, tmp_path / "corpus", TwoTowers(), "Which signal is shown?")
    (step,) = [one for one in answer.trace if one.step == "VisualSearch"]
    assert step.rows_out > 0
    assert "skipped" not in [one.step for one in answer.trace]
    assert any(one.decision == "answer_from_pictures" for one in model.requests)


def test_a_figure_that_is_named_is_looked_at_without_an_image_text_model(flags: Path, tmp_path: Path) -> None:
    answer, model = asked_of(flags, tmp_path / "corpus", None, "What colour is Figure 3?")
    assert answer.text == "blue"
    (request,) = [one for one in model.requests if one.decision == "answer_from_pictures"]
    assert "Figure 3: Signal for fog" in request.turns[0].text


def test_when_the_file_has_gone_the_text_answers_and_the_trace_says_so(flags: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.pdf"
    copy.write_bytes(flags.read_bytes())
    model = ScriptedModel(looking, sees=True)
    with Corpus(tmp_path / "corpus", models=ModelConfig(model)) as corpus:
        corpus.add(copy)
        copy.unlink()
        answer = corpus.ask("What colour is Figure 3?", system="dmap")
    assert not answer.answerable
    assert not any(one.decision == "answer_from_pictures" for one in model.requests)
    assert "cannot be drawn" in json.dumps(answer.to_json()["trace"])

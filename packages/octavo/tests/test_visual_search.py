"""Visual search: pages and elements by how they look, with two small models; without any it says so and finds none."""

from __future__ import annotations

import numpy as np
import pytest

from colours import Colours, SeeingLayers, TwoTowers
from indexed import FakeEmbedder, run_over
from octavo.errors import ModelError, UsageError
from octavo.evidence import Evidence, Query, View
from octavo.models.ports import ImageTextEmbedder, Raster
from octavo.operators.core import Run
from octavo.operators.score.search import SEEN, VISUAL, VisualSearch
from octavo_documents.document import Kind
from synthetic import document

DECK = document(
    [
        (Kind.PARAGRAPH, "Words only.", 1, 0),
        (Kind.FIGURE, "", 2, 0),
        (Kind.CAPTION, "Figure 1: A flag", 2, 0),
        (Kind.PARAGRAPH, "A page of its own colour.", 3, 0),
        (Kind.TABLE, "a | b", 4, 0),
        (Kind.PARAGRAPH, "More words.", 5, 0),
    ]
)
_PAGES = {1: (255, 255, 255), 2: (0, 0, 255), 3: (0, 255, 0), 4: (0, 0, 255), 5: (255, 255, 255)}
_ELEMENTS = {2: (255, 0, 0), 4: (255, 255, 0)}


def paint(page: int, box: tuple[float, float, float, float] | None, dpi: float) -> Raster:
    """Draw a page in its colour, or the element on it in another."""
    del dpi
    colour = _PAGES[page] if box is None else _ELEMENTS[page]
    return np.tile(np.array(colour, np.uint8), (20, 20, 1))


def seeing(model: ImageTextEmbedder) -> Run:
    view = View((DECK,), SeeingLayers((DECK,), FakeEmbedder, model, paint))
    return Run(view, embedder=FakeEmbedder, image_text=lambda: model)


def search(run: Run, question: str, count: int = 2) -> Evidence:
    run.query = Query(question)
    return VisualSearch(count)(Evidence.of(run.view, []), run)


def pages(found: Evidence) -> list[int]:
    return [hit.page for hit in found.pages(VISUAL)]


@pytest.mark.parametrize(
    ("question", "page", "seen"),
    [("What is red?", 2, ["figure"]), ("What is green?", 3, []), ("What is yellow?", 4, ["table"])],
)
def test_a_model_that_knows_colours_finds_the_page_or_the_element_on_it(
    question: str, page: int, seen: list[str]
) -> None:
    found = search(seeing(Colours()), question, 1)
    assert pages(found) == [page]
    assert [DECK.blocks.kind_of(row).label for row in found.rows[found.sources[SEEN]]] == seen
    assert found.scores[VISUAL].max() == pytest.approx(1, abs=1e-3)


def test_all_content_of_a_page_comes_along() -> None:
    found = search(seeing(Colours()), "What is red?", 1)
    assert [DECK.blocks.text[row] for row in found.rows.tolist()] == ["", "Figure 1: A flag"]


@pytest.mark.parametrize("count", [1, 3, 5, 9])
def test_a_network_with_random_weights_ranks_every_picture_and_keeps_as_many_pages_as_asked(count: int) -> None:
    found = search(seeing(TwoTowers()), "Which slide shows the harbour?", count)
    assert len(pages(found)) == min(count, 5)
    assert np.isfinite(found.scores[VISUAL]).all()
    assert (np.abs(found.scores[VISUAL]) <= 1.001).all()


def test_the_trace_says_why_nothing_was_looked_at() -> None:
    run = run_over(DECK)
    assert len(search(run, "What is red?")) == 0
    assert [step.step for step in run.trace] == ["skipped", "VisualSearch"]
    assert run.trace[0].parameters["why"] == "no image-text model is configured"


def test_pictures_embedded_with_another_model_are_left_alone() -> None:
    run = seeing(Colours())
    run.image_text = TwoTowers
    assert len(search(run, "What is red?")) == 0
    assert "another model" in run.trace[0].parameters["why"]


def test_pictures_that_were_never_embedded_are_left_alone() -> None:
    view = View((DECK,))
    run = Run(view, image_text=Colours)
    assert len(search(run, "What is red?")) == 0
    assert "no layer 'visual_vectors'" in run.trace[0].parameters["why"]


def test_a_model_that_cannot_be_loaded_is_done_without() -> None:
    def broken() -> ImageTextEmbedder:
        raise ModelError("clip cannot be loaded")

    run = seeing(Colours())
    run.image_text = broken
    assert len(search(run, "What is red?")) == 0
    assert "clip cannot be loaded" in run.trace[0].parameters["why"]


def test_no_pages_at_all_is_refused() -> None:
    with pytest.raises(UsageError, match="one or more"):
        VisualSearch(0)

"""The baselines of the papers: pages as pictures alone, chunks cut by length, plans that are read back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from indexed import run_over
from octavo.corpus.streaming import sentence_of
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Outcome, PassageTable
from octavo.layers.base import LayerInputs
from octavo.models.bert import count_tokens
from octavo.models.ports import Raster
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Place
from octavo.operators.plan_parser import read_plan
from octavo.systems import get
from octavo_documents.document import Document, Kind
from octavo_lab.baselines import systems
from octavo_lab.baselines.token_chunks import CHUNK_TOKENS, build
from octavo_lab.baselines.whole_pages import GivenPages, given_pages, takes_gold_pages
from synthetic import document

NAMES = [one.name for one in vars(systems).values() if hasattr(one, "retrieve")]


def pages(count: int) -> Document:
    return document(
        [(Kind.PARAGRAPH, f"On page {page} stands the number {page}.", page, 0) for page in range(1, count + 1)]
    )


class Drawer:
    """Draws white pictures, and remembers how finely."""

    def __init__(self) -> None:
        self.places: list[Place] = []

    def __call__(self, document_id: str, places: Sequence[Place]) -> list[Raster | None]:
        self.places += places
        return [np.full((4, 4, 3), 255, np.uint8) for _ in places]


def looked(count: int, *, context_tokens: int = 100_000) -> tuple[ScriptedModel, Drawer, str]:
    """Have a model that sees answer from the pictures of a document of so many pages."""
    reply = '{"used": [2], "seen": "a number", "answerable": true, "answer": "2"}'
    model, drawer = ScriptedModel([reply], sees=True, context_tokens=context_tokens), Drawer()
    run = run_over(pages(count), question="Which number is on page 2?", limit=1000)
    run.judge, run.pictures = Judge({"language": model}), drawer
    return model, drawer, get("page-images").answer(run.query, run).text


def test_all_pages_are_shown_as_pictures_and_no_text_is() -> None:
    model, drawer, text = looked(3)
    assert text == "2"
    (request,) = model.requests
    assert [place.page for place in drawer.places] == [1, 2, 3]
    assert all(place.box is None for place in drawer.places)
    assert len(request.turns[0].pictures) == 3
    assert "stands the number" not in request.turns[0].text


def test_many_pages_are_drawn_smaller() -> None:
    few, many = looked(3, context_tokens=16_000)[1], looked(60, context_tokens=16_000)[1]
    assert max(place.dpi for place in many.places) < min(place.dpi for place in few.places)


def test_who_does_not_see_answers_nothing_from_pictures() -> None:
    run = run_over(pages(2), question="Which number is on page 2?", limit=1000)
    run.judge, run.pictures = Judge({"language": ScriptedModel([])}), Drawer()
    assert get("page-images").answer(run.query, run).outcome is Outcome.NOTHING


def test_chunks_are_cut_by_length_across_pages_and_hold_every_word() -> None:
    table = PassageTable.from_bytes(build(LayerInputs(pages(200))))
    sizes = count_tokens(list(table.text))
    assert len(sizes) > 2
    assert all(CHUNK_TOKENS - 4 < size <= CHUNK_TOKENS for size in sizes[:-1])
    words = " ".join(table.text).split()
    assert words == [word for text in pages(200).blocks.text for word in text.split()]


def test_an_oracle_has_its_pages_in_its_plan() -> None:
    oracle = get("oracle-pages")
    assert takes_gold_pages(oracle) and not takes_gold_pages(get("dense-pages"))
    bound = given_pages(oracle, (2, 3))
    assert "GivenPages(pages=(2, 3))" in repr(bound.answer)
    run = run_over(pages(4), question="?")
    assert set(run.view.blocks.page[bound.retrieve(run.query, run).rows].tolist()) == {2, 3}
    assert not len(GivenPages()(run.query, run))


@pytest.mark.parametrize("name", NAMES)
def test_plans_read_back_as_they_print(name: str) -> None:
    retrieve = get(name).retrieve
    assert read_plan(repr(retrieve)) == retrieve


@pytest.mark.parametrize(
    ("name", "reply", "told"),
    [
        ("all-text", "", "Took all pages (2 places)"),
        ("chunks-bm25", "", "Searched the text piece by piece (2 places)"),
        ("no-retrieval", "2", "Had a model answer from what it remembers"),
        ("no-retrieval", "", "Searched no document"),
    ],
)
def test_steps_of_baselines_are_told_to_people(name: str, reply: str, told: str) -> None:
    run = run_over(pages(2), question="Which number is on page 2?", limit=1000)
    run.judge = Judge({"language": ScriptedModel([reply])} if reply else {})
    get(name).answer(run.query, run)
    said = [sentence_of(step) for step in run.trace]
    assert told in said
    assert ("Had a model answer from what it remembers" in said) is bool(reply)

"""Descriptions of elements, and summaries of elements, pages and sections: what they are made of, by rule and model."""

from __future__ import annotations

import dataclasses
import json
import re

import numpy as np
import pytest
from hypothesis import given, settings

from memory_layers import MemoryLayers
from octavo.decisions.engine.judge import Judge
from octavo.errors import SourceError
from octavo.evidence import SummaryTable, View
from octavo.evidence.layer_tables import DESCRIPTIONS_TABLE, SUMMARIES_TABLE
from octavo.layers.base import LayerInputs
from octavo.layers.descriptions import DESCRIPTIONS
from octavo.layers.summaries import SUMMARIES
from octavo.models.gateway import Budget, Caps, Gateway, Limits, MemoryJournal
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.ports import Raster
from octavo.models.scripted import Script, ScriptedModel
from octavo_documents.document import Document, Kind, LinkKind, LinkTable, TextColumn
from octavo_documents.document.columns import unpack
from octavo_documents.document.grid import Grid
from synthetic import Row, document, documents

H, P, T, F, C = Kind.HEADING, Kind.PARAGRAPH, Kind.TABLE, Kind.CHART, Kind.CAPTION
ROWS: list[Row] = [
    (H, "1 Harbour", 1, 1),
    (P, "Figure 2 shows how passengers fell in winter. The quay was closed for repairs.", 1, 0),
    (F, "2019 2020 2021", 1, 0),
    (C, "Figure 2: Passengers", 1, 0),
    (H, "1.1 Fees", 2, 2),
    (P, "A berth costs twelve crowns a night in the old harbour.", 2, 0),
    (T, "Length | Fee\nsmall | 12", 2, 0),
    (Kind.PAGE_FOOTER, "Port office, page 2", 2, 0),
    (Kind.FORMULA, "fee = 2 x length", 3, 0),
]


def handbook() -> Document:
    """A chart with caption and mention, a table with headers, and a formula nobody mentions."""
    found = document(ROWS, name="Handbook.pdf", pages=4)
    grids = [""] * len(ROWS)
    grids[6] = Grid.of_rows([["Length", "Fee"], ["small", "12"]], header_rows=1).to_json()
    links = LinkTable(
        source=np.array([3, 1], np.int32),
        target=np.array([2, 2], np.int32),
        kind=np.array([LinkKind.CAPTION_OF, LinkKind.REFERS_TO], np.uint8),
        weight=np.ones(2, np.float32),
        text=TextColumn.of(["", "Figure 2"]),
    )
    blocks = dataclasses.replace(found.blocks, grid=TextColumn.of(grids))
    return dataclasses.replace(found, blocks=blocks, links=links)


def judged(script: Script, *, sees: bool = True, caps: Caps | None = None) -> tuple[Judge, ScriptedModel]:
    model = ScriptedModel(script, sees=sees)
    gateway = Gateway(MemoryJournal(), limits=Limits(attempts=1), sleep=lambda _seconds: None)
    return Judge({"language": model}, gateway=gateway, budget=Budget(caps), workers=1), model


def describe(inputs: LayerInputs) -> dict[int, str]:
    table = SummaryTable.from_bytes(DESCRIPTIONS.build(inputs))
    return dict(zip(table.start.tolist(), table.text, strict=True))


def summarize(found: Document, using: Judge | None = None) -> SummaryTable:
    stored = {"descriptions": DESCRIPTIONS.build(LayerInputs(found))}
    return SummaryTable.from_bytes(SUMMARIES.build(LayerInputs(found, stored, judge=using or Judge())))


# Descriptions


def test_by_rule_an_element_is_its_caption_what_is_said_of_it_and_the_text_inside() -> None:
    described = describe(LayerInputs(handbook()))
    assert described[2].split("\n") == [
        "Figure 2: Passengers",
        "Figure 2 shows how passengers fell in winter.",
        "2019 2020 2021",
    ]
    assert "Length: small; Fee: 12" in described[6]
    assert described[8] == "fee = 2 x length"


def test_a_picture_nothing_is_said_of_is_called_by_its_place_and_an_ornament_is_left_out() -> None:
    rows: list[Row] = [(H, "Crew", 1, 1), (Kind.FIGURE, "", 1, 0), (Kind.FIGURE, "", 1, 0)]
    found = document(rows)
    box = found.blocks.box.copy()
    box[1] = (72, 200, 500, 600)
    box[2] = (72, 700, 80, 708)
    found = dataclasses.replace(found, blocks=dataclasses.replace(found.blocks, box=box))
    assert describe(LayerInputs(found)) == {1: "figure in Crew"}


DESCRIBED = '{"sort": "diagram", "description": "Two lines cross.", "text": "A B"}'


def test_a_model_that_sees_gets_a_crop_with_the_element_in_it() -> None:
    drawn: list[tuple[int, tuple[float, float, float, float] | None, float]] = []

    def render(page: int, box: tuple[float, float, float, float] | None, dpi: float) -> Raster:
        drawn.append((page, box, dpi))
        return np.zeros((8, 8, 3), np.uint8)

    using, model = judged(lambda _request: DESCRIBED)
    found = handbook()
    data = DESCRIPTIONS.build(LayerInputs(found, judge=using, render=render))
    assert SummaryTable.from_bytes(data).text[0] == "Figure 2: Passengers\nTwo lines cross.\nText in it: A B"
    assert unpack(data)[1]["sorts"] == ["diagram", "diagram", "formula"]
    assert all(len(request.turns[0].pictures) == 1 for request in model.requests)
    page, box, dpi = drawn[0]
    x0, y0, x1, y1 = found.blocks.box[2].tolist()
    assert page == 1
    assert box is not None
    assert box[0] <= x0 < x1 <= box[2]
    assert box[1] <= y0 < y1 <= box[3]
    assert max(box[2] - box[0], box[3] - box[1]) * dpi / 72 <= 1025


def test_a_formula_nobody_refers_to_costs_no_call() -> None:
    using, model = judged(lambda _request: DESCRIBED)
    assert describe(LayerInputs(handbook(), judge=using))[8] == "fee = 2 x length"
    assert model.calls == 2


def test_a_model_that_cannot_see_is_not_asked_and_costs_nothing() -> None:
    using, model = judged(lambda _request: DESCRIBED, sees=False)
    inputs = LayerInputs(handbook(), judge=using)
    assert describe(inputs) == describe(LayerInputs(handbook()))
    assert model.calls == 0
    assert DESCRIPTIONS.estimate is not None
    assert DESCRIPTIONS.estimate(inputs) == []


def test_a_page_that_cannot_be_drawn_is_described_from_its_text() -> None:
    def render(page: int, box: tuple[float, float, float, float] | None, dpi: float) -> Raster:
        raise SourceError("damaged", "the page cannot be drawn")

    using, model = judged(lambda _request: DESCRIBED)
    assert "Two lines cross." in describe(LayerInputs(handbook(), judge=using, render=render))[2]
    assert not model.requests[0].turns[0].pictures


@pytest.mark.parametrize("bad", ["no json", ModelFault(FaultKind.REFUSED, "no"), ModelFault(FaultKind.SERVER, "down")])
def test_an_element_the_model_fails_on_is_described_by_rule(bad: str | ModelFault) -> None:
    using, _ = judged(lambda _request: bad)
    assert describe(LayerInputs(handbook(), judge=using)) == describe(LayerInputs(handbook()))


# Summaries


def test_elements_pages_and_sections_are_summed_up_in_that_order() -> None:
    table = summarize(handbook())
    spans = list(zip(table.target, table.start.tolist(), table.stop.tolist(), table.level.tolist(), strict=True))
    assert spans == [
        ("element", 2, 3, 0),
        ("element", 6, 7, 0),
        ("element", 8, 9, 0),
        ("page", 0, 4, 0),
        ("page", 4, 8, 0),
        ("page", 8, 9, 0),
        ("section", 0, 9, 1),
        ("section", 4, 9, 2),
    ]


def test_by_rule_a_summary_stands_under_its_heading_path_and_caption() -> None:
    texts = list(summarize(handbook()).text)
    assert texts[0].startswith("1 Harbour > Figure 2: Passengers: Figure 2 shows how passengers fell in winter.")
    assert texts[4].startswith("page 2 > 1 Harbour > 1.1 Fees: ")
    assert "twelve crowns" in texts[4]
    assert "twelve crowns" in texts[7]
    assert not any("Port office" in text for text in texts)


def test_a_section_is_summed_up_from_its_own_text_first_and_knows_those_inside() -> None:
    rows: list[Row] = [(H, "Book", 1, 1), (H, "Tides", 1, 2), (P, "The tide rises five metres in spring.", 1, 0)]
    texts = list(summarize(document(rows)).text)
    assert any(text.startswith("Book: ") and "five metres" in text for text in texts)


def test_leaders_of_contents_and_rows_of_numbers_are_not_summed_up() -> None:
    rows: list[Row] = [
        (H, "Report", 1, 1),
        (P, "Fees ........................ 12", 1, 0),
        (P, "100% 82,8% 80% 12% 4% 3%.", 1, 0),
        (P, "The harbour office collects all berth fees.", 1, 0),
    ]
    text = summarize(document(rows)).text[0]
    assert "....." not in text
    assert "82,8" not in text
    assert "collects all berth fees" in text


def test_a_picture_of_which_only_the_place_is_known_adds_nothing_to_its_page() -> None:
    rows: list[Row] = [(H, "Crew", 1, 1), (Kind.FIGURE, "", 1, 0), (P, "Two keepers stay in winter.", 1, 0)]
    found = document(rows)
    box = found.blocks.box.copy()
    box[1] = (72, 200, 500, 600)
    texts = list(summarize(dataclasses.replace(found, blocks=dataclasses.replace(found.blocks, box=box))).text)
    assert texts[0] == "Crew: figure"
    assert not any("figure" in text for text in texts[1:])


def reply(request: Request, text: str = "Short words on the matter.") -> str:
    count = len(re.findall(r"<item id=", request.turns[0].text))
    return json.dumps({"items": [{"id": number, "summary": text} for number in range(1, count + 1)]})


def test_a_model_sums_up_several_parts_in_a_call_and_elements_keep_their_labels() -> None:
    using, model = judged(reply)
    texts = list(summarize(handbook(), using).text)
    assert texts[0] == "Figure 2: Short words on the matter."
    assert set(texts[1:]) == {"Short words on the matter."}
    assert model.calls == 2  # eight parts, six in a call


def test_parts_the_model_leaves_out_are_summed_up_by_rule() -> None:
    using, _ = judged(lambda _request: '{"items": [{"id": 2, "summary": "Fees."}]}')
    by_rule = list(summarize(handbook()).text)
    texts = list(summarize(handbook(), using).text)
    assert "Fees." in texts
    assert set(texts) & set(by_rule)


def test_a_budget_spent_in_the_middle_stops_the_calls_and_says_so() -> None:
    rows: list[Row] = [(P, f"Ferry {page} sails to island {page} at noon.", page, 0) for page in range(1, 31)]
    using, model = judged(reply, caps=Caps(calls=2))
    table = summarize(document(rows), using)
    assert model.calls == 2
    assert using.stopped
    assert len(table) == 30


def test_the_estimate_is_what_the_model_is_asked() -> None:
    rows: list[Row] = [(P, f"Ferry {page} sails to island {page} at noon. " * 9, page, 0) for page in range(1, 31)]
    found = document(rows)
    using, model = judged(reply)
    inputs = LayerInputs(found, {"descriptions": DESCRIPTIONS.build(LayerInputs(found))}, judge=using)
    assert SUMMARIES.estimate is not None
    calls = SUMMARIES.estimate(inputs)
    SUMMARIES.build(inputs)
    assert len(calls) == model.calls
    assert sum(read for _, read, _ in calls) == pytest.approx(using.usage().input_tokens, rel=0.15)


# Both


def test_views_join_descriptions_and_summaries_of_several_documents() -> None:
    both = [handbook(), document([(P, "One page of words about bread.", 1, 0), (T, "a | b", 1, 0)], name="b.pdf")]
    view = View(both, MemoryLayers(both))
    assert view.layer(DESCRIPTIONS_TABLE).start.tolist() == [2, 6, 8, 10]
    assert view.layer(SUMMARIES_TABLE).stop.tolist()[-1] == len(ROWS) + 2


@settings(max_examples=60, deadline=None)
@given(documents())
def test_both_layers_are_the_same_every_time_and_stay_inside_the_document(found: Document) -> None:
    inputs = LayerInputs(found)
    described = DESCRIPTIONS.build(inputs)
    assert described == DESCRIPTIONS.build(inputs)
    with_them = LayerInputs(found, {"descriptions": described})
    summed = SUMMARIES.build(with_them)
    assert summed == SUMMARIES.build(with_them)
    table = SummaryTable.from_bytes(summed)
    assert (table.start < table.stop).all()
    assert (table.stop <= len(found.blocks)).all()
    assert all(table.text)

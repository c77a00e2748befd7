"""The scripted model of the benchmarks of layers replies as a model would, and what layers hold is counted."""

from __future__ import annotations

import json

import pytest

import every_layer
import layer_report
from decision_examples import EXAMPLES
from octavo.decisions import DECISIONS
from octavo.decisions.engine.judge import Judge
from octavo.layers import LAYERS, OPTIONAL_LAYERS
from octavo.layers.base import LayerInputs
from octavo.models.gateway import Gateway, Limits, MemoryJournal
from octavo.models.scripted import ScriptedModel
from octavo.systems import SYSTEMS
from octavo_documents.document import Kind
from synthetic import Row, document

ROWS: list[Row] = [
    (Kind.HEADING, "1 Harbour", 1, 1),
    (Kind.PARAGRAPH, "The Grey Heron sails from Harwick in winter. It is 38 metres long.", 1, 0),
    (Kind.TABLE, "Grey Heron | 38", 1, 0),
]


@pytest.mark.parametrize("name", sorted({name for layer in OPTIONAL_LAYERS.values() for name in layer.decisions}))
def test_the_copying_model_gives_each_decision_of_a_layer_a_reply_that_is_taken(name: str) -> None:
    model = ScriptedModel(every_layer.copied, sees=True)
    gateway = Gateway(MemoryJournal(), limits=Limits(attempts=1), sleep=lambda _seconds: None)
    judge = Judge({"language": model}, gateway=gateway, workers=1)
    decision, example = DECISIONS[name], EXAMPLES[name]
    if example.items:
        assert {one.by for one in judge.decide_items(decision, example.value, example.items)} == {"model"}
    else:
        assert judge.decide(decision, example.value).by == "model"
    assert json.loads(every_layer.copied(model.requests[0])) == json.loads(every_layer.copied(model.requests[0]))
    assert model.calls == 1


def test_the_system_that_needs_every_layer_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SYSTEMS, every_layer.EVERY_LAYER, SYSTEMS["bm25"])
    every_layer.register()
    assert SYSTEMS[every_layer.EVERY_LAYER].needs() == {*LAYERS, *OPTIONAL_LAYERS}


@pytest.mark.parametrize(
    ("name", "counts"),
    [("links", {"next": 2, "part_of": 2, "by a model": 0}), ("descriptions", {"element": 1})],
)
def test_a_layer_is_counted_by_sort(name: str, counts: dict[str, int]) -> None:
    data = OPTIONAL_LAYERS[name].build(LayerInputs(document(ROWS)))
    assert layer_report.counted(name, data) == counts


def test_what_a_layer_took_is_noted_and_its_bytes_stay_the_same() -> None:
    log: dict[str, layer_report.Built] = {}
    layer = OPTIONAL_LAYERS["links"]
    assert layer_report.watched(layer, log).build(LayerInputs(document(ROWS))) == layer.build(
        LayerInputs(document(ROWS))
    )
    assert log["links"].counts["next"] == 2
    assert log["links"].decided == {"rule": 1}

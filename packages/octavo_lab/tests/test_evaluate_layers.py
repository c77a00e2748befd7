"""Systems that read layers of their own: built before the questions, timed, kept, paid within the run's caps."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

import storing
from evaluating import HERON, MARBLE, OWL, benchmark
from octavo import systems
from octavo.corpus import Corpus
from octavo.errors import BudgetError
from octavo.evidence import Evidence
from octavo.layers import OPTIONAL_LAYERS, Layer, LayerInputs
from octavo.models.gateway import Caps
from octavo.models.language import LanguageModel, Request
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Run, Step
from octavo.operators.keep import RELEVANCE
from octavo.operators.read.direct_reader import DirectReader
from octavo.systems import System
from octavo_lab.report.page import page
from octavo_lab.runner import Evaluation, Options, evaluate
from octavo_lab.summary import summarize

TREE = {name: OPTIONAL_LAYERS[name] for name in ("topology", "topology_vectors")}


def corpus(folder: Path, *, models: LanguageModel | None = None, layers: dict[str, Layer] | None = None) -> Corpus:
    """Open a corpus of text files that can build the cross-page tree."""
    builders = dataclasses.replace(storing.builders(), optional=layers or TREE)
    return Corpus(folder / "corpus", models=models, builders=lambda: builders)


def run(folder: Path, *names: str, models: Any = None, layers: Any = None, **changes: Any) -> Evaluation:
    made = benchmark(folder, HERON, OWL, MARBLE)
    with corpus(folder, models=models, layers=layers) as opened:
        return evaluate(opened, made, names, folder / "out", options=Options(**changes))


def test_raptor_is_measured_from_cold_and_its_layers_are_timed(tmp_path: Path) -> None:
    found = run(tmp_path, "bm25", "raptor")
    raptor = found.runs[1].rows
    assert [row.response.error for row in raptor] == [None, None, None]
    assert raptor[0].ranking[0] == 2
    took = found.took[-1]
    assert 0 < took.layer_seconds <= took.indexing_seconds
    assert "s a page, 7.0 s of it for layers" in page(summarize(_slow(found)))
    with corpus(tmp_path) as opened:
        assert opened.status().layers["topology_vectors"] == 2


def _slow(found: Evaluation) -> Evaluation:
    return dataclasses.replace(
        found, took=(dataclasses.replace(found.took[-1], layer_seconds=7.0, indexing_seconds=9.0),)
    )


def test_a_system_without_layers_builds_none(tmp_path: Path) -> None:
    found = run(tmp_path, "bm25", "dense")
    assert found.took[-1].layer_seconds == 0
    with corpus(tmp_path) as opened:
        assert "topology" not in opened.status().layers


def test_layers_of_another_system_ask_nothing_again(tmp_path: Path) -> None:
    run(tmp_path, "bm25")
    found = run(tmp_path, "bm25", "raptor")
    assert found.took[-1].from_journal == 3
    assert run(tmp_path, "bm25", "raptor").took[-1].from_journal == 6


def test_a_break_while_layers_are_built_keeps_those_that_are_done(tmp_path: Path) -> None:
    built: list[str] = []

    def breaks(inputs: LayerInputs) -> bytes:
        built.append(inputs.document.name)
        if len(built) == 2:
            raise KeyboardInterrupt
        return TREE["topology"].build(inputs)

    broken = {**TREE, "topology": dataclasses.replace(TREE["topology"], build=breaks)}
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, "raptor", layers=broken)
    found = run(tmp_path, "raptor", layers=broken)
    assert built == ["birds.pdf", "stones.pdf", "stones.pdf"]
    first, second = found.took
    assert (first.answers, second.answers) == (0, 3)


def summing(request: Request) -> str:
    if request.decision != "summarize":
        return json.dumps({"evidence": [], "answerable": False, "answer": ""})
    count = request.turns[0].text.count("<item")
    return json.dumps({"items": [{"id": at + 1, "summary": "of birds"} for at in range(count)]})


def test_models_build_layers_within_the_caps_of_the_run(tmp_path: Path) -> None:
    with pytest.raises(BudgetError, match=r"\(max_calls\) while layers were built"):
        run(tmp_path, "raptor", models=ScriptedModel(summing), total_caps=Caps(calls=0))
    found = run(tmp_path, "raptor", models=ScriptedModel(summing), total_caps=Caps(calls=50))
    assert found.took[-1].indexing_usage["calls"] > 0
    assert "model calls" in page(summarize(_slow(found)))


@dataclasses.dataclass(frozen=True)
class Best(Step[Evidence, Evidence]):
    """The best page alone."""

    def apply(self, value: Evidence, using: Run) -> Evidence:
        hits = value.pages(RELEVANCE)[:1]
        return value.on_pages([hit.page for hit in hits])


def test_a_ranking_goes_on_beyond_the_pages_a_system_chose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dense = systems.SYSTEMS["dense"]
    chosen = dense.retrieve >> Best()
    own = System("own", chosen, chosen >> DirectReader(), rest=dense.retrieve)
    monkeypatch.setitem(systems.SYSTEMS, "own", own)
    monkeypatch.setitem(systems.SYSTEMS, "short", dataclasses.replace(own, name="short", rest=None))
    found = run(tmp_path, "own", "short", "dense")
    mine, short, dense_rows = (found.runs[at].rows for at in range(3))
    assert [len(row.pages) for row in mine] == [1, 1, 1]
    assert [len(row.ranking) for row in short] == [1, 1, 1]
    assert [row.ranking for row in mine] == [row.ranking for row in dense_rows]
    summary = summarize(found)
    assert summary["matched_pages"]["own"]["dense"] == summary["systems"][0]["metrics"]["pr"]

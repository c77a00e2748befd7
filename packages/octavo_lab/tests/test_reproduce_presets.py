"""Every preset from end to end, over stand-ins in the layout of their authors: by rule, and with a scripted model."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import published_sets
from octavo.models.scripted import ScriptedModel
from octavo_lab.breakdowns import BY_RESPONSE
from octavo_lab.metrics.registry import METRICS
from octavo_lab.reproduce.data_sets import data_set, place_of, read
from octavo_lab.reproduce.presets import GRAPH, MEAN, Preset, names, preset
from octavo_lab.reproduce.record import record_of
from octavo_lab.reproduce.running import Able, Setting, measure
from octavo_lab.runner import Options
from octavo_lab.summary import GROUPS
from octavo_lab.variants import variants

PRESETS = [preset(name) for name in names()]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return published_sets.write_all(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that all presets share, so that each is asked only what those before were not."""
    return tmp_path_factory.mktemp("out")


def reproduced(one: Preset, data: Path, out: Path, model: ScriptedModel | None = None) -> dict[str, Any]:
    sets = {name: data_set(name) for name in one.benchmarks}
    benchmarks = {name: read(found, place_of(found, [str(data)])) for name, found in sets.items()}
    setting = Setting(
        out=out,
        open_corpus=lambda place: published_sets.corpus(place, model),
        options=Options(stop_on_error=True),
        able=Able(sees=model is not None, embeds_looks=False),
    )
    return record_of(measure(one, benchmarks, setting), model=model.id if model else "", judge="", out=out)


@pytest.mark.parametrize("one", PRESETS, ids=lambda one: one.name)
def test_what_a_preset_names_is_there(one: Preset) -> None:
    variants(one.systems)
    for column in one.columns:
        assert column.why_not or column.metric == MEAN or column.metric in METRICS or column.metric.startswith(GRAPH)
        assert not column.breakdown or column.breakdown in (*GROUPS, *BY_RESPONSE)
        assert column.metric == MEAN or data_set(column.benchmark)
    assert all(row.system or row.why_not for row in one.rows)


@pytest.mark.parametrize("one", PRESETS, ids=lambda one: one.name)
def test_a_preset_runs_by_rule(one: Preset, data: Path, out: Path) -> None:
    record = reproduced(one, data, out / "by-rule")
    assert_whole(one, record)
    assert not any(took["calls"] for took in record["took"])


@pytest.mark.parametrize("one", [one for one in PRESETS if one.systems], ids=lambda one: one.name)
def test_a_preset_runs_with_a_model(one: Preset, data: Path, out: Path) -> None:
    record = reproduced(one, data, out / "by-model", published_sets.model())
    assert_whole(one, record)
    asked = [took for took in record["took"] if not took["system"].startswith("page-images")]
    assert all(took["calls"] + took["cached_calls"] for took in asked)
    assert asked or one.name == "bookrag-figure6"


def assert_whole(one: Preset, record: dict[str, Any]) -> None:
    """Every figure is measured, or says why not; what is printed stands as it is printed."""
    assert [row["label"] for row in record["rows"]] == [row.label for row in one.rows]
    for row, wanted in zip(record["rows"], one.rows, strict=True):
        assert [cell["printed"] for cell in row["cells"]] == list(wanted.figures)
        assert all(cell["value"] is not None or cell["why_not"] or row["why_not"] for cell in row["cells"])
    if one.systems:
        assert any(cell["value"] is not None for row in record["rows"] for cell in row["cells"])
    assert not any(took["failed"] for took in record["took"])


def test_the_docs_name_every_preset_and_no_other() -> None:
    page = (Path(__file__).parents[3] / "docs" / "reproducing.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([a-z0-9-]+)` \| (?:Table|Figure|Appendix)", page, re.M) == list(names())
    assert f"all {len(PRESETS)} presets" in page

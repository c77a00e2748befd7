"""Variants and sweeps of systems: how they are written, where a setting stands, what is told when it is nowhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import evaluating
from evaluating import HERON, OWL, benchmark
from octavo.errors import UsageError
from octavo_lab.report.page import page
from octavo_lab.runner import Evaluation, Options, evaluate
from octavo_lab.summary import summarize
from octavo_lab.variants import parsed, variant, variants


def test_a_name_alone_is_the_system_itself() -> None:
    assert (variant("hybrid").base, variant("hybrid").limit, variant("hybrid").settings) == ("hybrid", None, {})


def test_limit_is_the_pages_of_the_variant() -> None:
    made = variant("hybrid@limit=3")
    assert (made.base, made.limit, made.system) == ("hybrid", 3, variant("hybrid").system)


@pytest.mark.parametrize("key", ["BoostMentionedDocuments.weight", "Mentioned.weight"])
def test_a_field_of_an_operator_is_changed_wherever_it_stands_in_the_plan(key: str) -> None:
    made = variant(f"hybrid@{key}=0.25")
    assert "weight=0.25, sources" in repr(made.system.retrieve)
    assert "weight=0.25, sources" in repr(made.system.answer)
    assert "weight=0.25, sources" not in repr(variant("hybrid").system.answer)


def test_settings_add_up_and_take_the_kind_of_what_was_there() -> None:
    made = variant("raptor@SearchTree.count=10@least_level=1@limit=5")
    assert "SearchTree(count=10, least_level=1)" in repr(made.system.retrieve)
    assert "count=None" in repr(variant("raptor@count=none").system.retrieve)
    assert "weight=1.0, sources" in repr(variant("hybrid@Mentioned.weight=1").system.retrieve)


def test_the_knobs_of_a_method_can_be_swept() -> None:
    found = variants(["rdr2"], ["Route.iterations=0,1,2,3,4,5", "RetrievePassages.count=0,1,2,3,4,5"])
    assert len(found) == 13
    assert "Route(by='fused', iterations=2" in repr(found["rdr2@Route.iterations=2"].system.answer)
    assert "RetrievePassages(by='fused', count=0)" in repr(found["rdr2@RetrievePassages.count=0"].system.answer)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("oracle", "There is no system called 'oracle'"),
        ("hybrid@pages=3", "There is no setting 'pages' in hybrid: choose one of limit, .*RankPages.most"),
        ("hybrid@limit=0", "a whole number of pages, 1 or more, or a system whose number is taken, not '0'"),
        ("hybrid@limit", "SYSTEM@SETTING=VALUE"),
        ("hybrid@BoostMentionedDocuments.weight=much", "a number, true, false or none is needed"),
        ("raptor@count=-1", "a count and a least level of 0 or more"),
        (
            "hybrid@by=bm25",
            r"by is a setting of AddNeighbourPages, BoostMentionedDocuments, Part, PreferDocuments, RankPages and "
            r"ScoreMeantAlone",
        ),
    ],
)
def test_what_cannot_be_is_one_line(name: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        variants([name])


@pytest.mark.parametrize("text", ["limit", "limit=", "=1,2", "limit=,"])
def test_a_sweep_needs_a_setting_and_values(text: str) -> None:
    with pytest.raises(UsageError, match="--sweep needs SETTING=VALUE,VALUE"):
        parsed(text)


def test_a_sweep_runs_the_systems_that_have_the_setting() -> None:
    made = variants(["bm25", "raptor"], ["count=1,3", "limit=2"])
    names = ["bm25", "bm25@limit=2", "raptor", "raptor@count=1", "raptor@count=3", "raptor@limit=2"]
    assert list(made) == names
    assert [one.swept for one in made.values()] == ["", "limit", "", "count", "count", "limit"]
    assert list(variants(["bm25@limit=2", "dense"], ["limit=1"])) == ["bm25@limit=2", "dense", "dense@limit=1"]
    with pytest.raises(UsageError, match="dense@limit=1 is named twice"):
        variants(["dense", "dense@limit=1"], ["limit=1,2"])
    with pytest.raises(UsageError, match="There is no setting 'rounds' in bm25"):
        variants(["bm25"], ["rounds=1,2"])


def run(folder: Path, *systems: str, **changes: Any) -> Evaluation:
    made = benchmark(folder, HERON, OWL)
    with evaluating.corpus(folder) as corpus:
        return evaluate(corpus, made, systems, folder / "out", options=Options(**changes))


def test_a_sweep_is_measured_kept_and_drawn(tmp_path: Path) -> None:
    found = run(tmp_path, "bm25", "dense", sweeps=("limit=1,2",))
    summary = summarize(found)
    (sweep,) = summary["sweeps"]
    points = {(point["from"], point["value"]): point for point in sweep["points"]}
    assert set(points) == {(name, value) for name in ("bm25", "dense") for value in "12"}
    assert points["dense", "1"]["metrics"]["pages"] == 1.0
    assert points["dense", "2"]["metrics"]["pages"] == 2.0
    html = page(summary)
    assert "Sweep of limit" in html
    assert "level lines" not in html
    assert "dense@limit=1" not in html
    again = run(tmp_path, "dense", "dense@limit=2")
    assert again.took[-1].from_journal == 4  # a point that is named is the same system


def test_a_system_without_the_setting_is_a_level_line(tmp_path: Path) -> None:
    html = page(summarize(run(tmp_path, "hybrid", "bm25", sweeps=("floor=0,0.5",))))
    told = html[html.index("Sweep of floor") : html.index("The points")]
    lines = re.findall(r'<polyline points="([^"]+)"', told) or re.findall(r'points="([^"]+)"', told)
    assert "Systems that do not have the setting are level lines." in told
    level = [line.split() for line in lines if len(line.split()) == 2]
    assert level and all(len({point.split(",")[1] for point in line}) == 1 for line in level)


def test_variants_are_compared_with_the_system_they_are_of(tmp_path: Path) -> None:
    summary = summarize(run(tmp_path, "bm25", "dense", "dense@limit=1"))
    pairs = [(one["system"], one["against"]) for one in summary["comparisons"]]
    assert pairs == [("dense", "bm25"), ("dense@limit=1", "bm25"), ("dense@limit=1", "dense")]
    assert summary["systems"][2]["base"] == "dense"
    assert summary["systems"][2]["settings"] == {"limit": "1"}

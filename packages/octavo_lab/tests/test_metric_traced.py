"""What traces tell: cost call by call, reflections, and where a wrong answer went wrong; and rule accuracy."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from evaluating import HERON, NOTHING, OWL
from octavo.evidence import Outcome
from octavo_lab.breakdowns import groups_of
from octavo_lab.metrics.registry import METRICS
from octavo_lab.metrics.rule_accuracy import rule_accuracy
from octavo_lab.metrics.traced import ErrorClass, error_class, mean_calls, used
from octavo_lab.question import CallMean, Facts, PageScore, Question, Response, ScoredResponse


def step(name: str, *steps: dict[str, Any], **taken: Any) -> dict[str, Any]:
    """Return a step of a trace as it is kept; what is no count is a parameter."""
    counts = ("calls", "cached_calls", "input_tokens", "output_tokens", "seconds")
    parameters = {key: str(value) for key, value in taken.items() if key not in counts}
    return {"step": name, "parameters": parameters, "steps": list(steps), **{key: taken.get(key, 0) for key in counts}}


def row(question: Question = OWL, *trace: dict[str, Any], pages: tuple[int, ...] = (), **more: Any) -> ScoredResponse:
    prediction, outcome = more.pop("prediction", "mice"), more.pop("outcome", Outcome.ANSWER)
    usage = {key: sum(one[key] for one in trace) for key in ("calls", "cached_calls", "input_tokens", "output_tokens")}
    response = Response(
        pages=tuple(PageScore("birds.pdf", page, 1.0) for page in pages),
        outcome=outcome,
        answer=prediction,
        trace=trace,
        usage=usage,
    )
    return ScoredResponse(question, response, prediction, **more)


def value(name: str, one: ScoredResponse) -> float | None:
    return METRICS[name].of(one)


PLAN = {reach: step("ClassifyQuestion", reach=reach) for reach in ("single-hop", "multi-hop")}


def test_a_wrong_answer_is_sorted_by_what_went_wrong_first() -> None:
    assert error_class(row(OWL, pages=(4,), prediction="voles")) is None
    assert error_class(row(OWL, pages=(4,), facts=Facts(is_lost=True))) is ErrorClass.PARSING
    assert error_class(row(OWL, PLAN["multi-hop"], pages=(2,))) is ErrorClass.PLAN
    assert error_class(row(OWL, PLAN["single-hop"], pages=(2,))) is ErrorClass.RETRIEVAL
    assert error_class(row(OWL, PLAN["single-hop"], pages=(2, 4))) is ErrorClass.READING
    assert error_class(row(NOTHING)) is ErrorClass.READING
    assert error_class(row(dataclasses.replace(OWL, evidence_pages=()))) is None


def test_a_verdict_decides_what_is_wrong_where_there_is_one() -> None:
    assert error_class(row(OWL, pages=(4,), is_right=True)) is None
    assert error_class(row(OWL, pages=(4,), prediction="voles", is_right=False)) is ErrorClass.READING


def test_error_shares_are_of_the_wrong_answers() -> None:
    right, wrong = row(OWL, pages=(4,), prediction="voles"), row(OWL, pages=(2,))
    assert [value("error_retrieval", one) for one in (right, wrong)] == [None, 1.0]
    assert value("error_reading", wrong) == 0.0


def test_reflections_are_counted_and_how_they_ended() -> None:
    complete, widened, nothing = (
        step("ReflectOverMap", round=1, outcome=outcome) for outcome in ("complete", "widened", "nothing new")
    )
    assert value("reflected", row(OWL)) is None
    assert [value("reflected", row(OWL, one)) for one in (complete, widened, nothing)] == [0.0, 1.0, 1.0]
    assert value("reflection_rounds", row(OWL, widened, complete)) == 1.0
    assert value("reflected_right", row(OWL, complete, prediction="voles")) is None
    assert [value("reflected_right", row(OWL, widened, prediction=one)) for one in ("voles", "mice")] == [1.0, 0.0]
    refused = row(NOTHING, widened, outcome=Outcome.NOTHING, prediction="Not answerable")
    assert value("reflected_refused", refused) == 1.0
    assert value("reflected_refused", row(NOTHING, widened)) == 0.0
    assert value("reflected_refused", row(OWL, widened)) is None


READ = step("answer_from_evidence", decided_by="model", calls=1, input_tokens=900, output_tokens=40, seconds=2.0)
LONG = step("summarize", decided_by="model", calls=1, input_tokens=100, output_tokens=300)
KEPT = step("answer_from_evidence", decided_by="cache", cached_calls=1)


def test_calls_and_what_each_wrote() -> None:
    one = row(OWL, READ, LONG)
    assert (value("calls", one), value("tokens", one), value("calls_2_to_5", one)) == (2.0, 1340.0, 1.0)
    assert (value("calls_under_100_tokens", one), METRICS["calls_under_100_tokens"].weight(one)) == (0.5, 2.0)
    assert value("calls_2_to_5", row(OWL)) is None


def test_a_kept_reply_counts_with_the_mean_of_its_decision() -> None:
    paid, kept = row(OWL, READ), row(OWL, KEPT)
    assert used(kept, "input_tokens") == 0.0
    means = mean_calls([paid, kept])
    assert means == {"answer_from_evidence": CallMean(900.0, 40.0, 2.0)}
    known = dataclasses.replace(kept, call_means=means)
    assert (used(known, "input_tokens", "output_tokens"), value("calls", known)) == (940.0, 1.0)
    assert value("calls_under_100_tokens", known) == 1.0


def test_questions_are_grouped_by_plan_depth_and_pictures() -> None:
    one = row(OWL, PLAN["multi-hop"], facts=Facts(depth=2.5, pictures=7))
    found = [groups_of(key, one, {}) for key in ("reach", "depth", "pictures", "span")]
    assert found == [("multi-hop",), ("depth 2 to 4",), ("6 to 20 pictures",), ("single page",)]
    assert [groups_of(key, row(OWL), {}) for key in ("reach", "depth", "pictures")] == [(), (), ()]


def test_words_and_blocks_of_what_was_given() -> None:
    one = row(HERON, prediction="It weighs 1,500 grams [1].")
    assert (value("response_words", one), value("retained_blocks", one)) == (4.0, 0.0)
    assert value("response_words", row(HERON, outcome=Outcome.NOTHING)) == 0.0


@pytest.mark.parametrize(
    ("answer", "prediction", "form", "expected"),
    [
        (["voles", "Voles"], "vole", "Str", 1.0),
        (["12", "twelve"], "12.0", "Str", 1.0),
        (["12"], "13", "Str", 0.0),
        (1500, "1,500", "Integer", 1.0),
        ("1500", "1500", "Int", 1.0),
        ("['a', 'b']", "['b', 'a']", "List", 1.0),
        ("Not answerable", "Unanswerable", "None", 1.0),
        ("Unanswerable", "voles", "None", 0.0),
        (["voles"], "Not answerable", "Str", 0.0),
        ([["a"], ["b"]], "a, b", "Long", None),
    ],
)
def test_rule_accuracy_is_right_or_wrong_for_every_benchmark(
    answer: object, prediction: str, form: str, expected: float | None
) -> None:
    assert rule_accuracy(answer, prediction, form) == expected

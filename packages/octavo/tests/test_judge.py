"""The judge: a model decides within the budget, its output is checked and repaired once, else the rule decides."""

from __future__ import annotations

import _thread
import dataclasses
import json
import re
import threading
from collections.abc import Sequence

import pytest
from pydantic import BaseModel, Field

from octavo.decisions import DECISIONS
from octavo.decisions.engine import Decision, Filled, ItemsDecision, Template, Undecided
from octavo.decisions.engine.judge import Judge
from octavo.decisions.engine.replies import reply_type, schema_of
from octavo.errors import ModelError
from octavo.models.gateway import Budget, Cancelled, Caps, Gateway, Limits, MemoryJournal
from octavo.models.language import FaultKind, ModelFault, Reply, Request
from octavo.models.scripted import Script, ScriptedModel

TEMPLATE = Template("Say how warm it is.", __import__("string").Template("<place>$place</place>"))
ITEMS = Template("Judge each item.", __import__("string").Template("<topic>$topic</topic>\n$items"))


class Warmth(BaseModel):
    degrees: int = Field(ge=-90, le=60)
    word: str = ""


class Fits(BaseModel):
    fits: bool


def fill(place: str, room: int) -> Filled:
    return Filled({"place": place[:room]}, left_out=int(len(place) > room))


def check(place: str, output: Warmth) -> Warmth:
    if place == "Oslo" and output.degrees > 40:
        raise ValueError("Oslo is never that warm.")
    return output


WARMTH = Decision("warmth", "1", TEMPLATE, Warmth, fill, rule=lambda place: Warmth(degrees=len(place)), check=check)
TOPIC = ItemsDecision(
    "topic", "1", ITEMS, Fits, lambda topic: {"topic": topic}, str,
    lambda topic, items: [Fits(fits=topic in item) for item in items], per_call=3,
)  # fmt: skip
NO_WAIT = Limits(attempts=2, timeout=5.0)


def judge(script: Script, caps: Caps | None = None, **options: object) -> Judge:
    model = ScriptedModel(script, **options)  # type: ignore[arg-type]
    gateway = Gateway(MemoryJournal(), limits=NO_WAIT, sleep=lambda _seconds: None)
    return Judge({"language": model}, gateway=gateway, budget=Budget(caps))


def model_of(one: Judge) -> ScriptedModel:
    found = one.models["language"]
    assert isinstance(found, ScriptedModel)
    return found


def test_without_a_model_the_rule_decides_and_says_nothing_of_why() -> None:
    one = Judge()
    decided = one.decide(WARMTH, "Rome")
    assert (decided.output.degrees, decided.by, decided.why) == (4, "rule", "")
    assert one.usage().calls == 0


def test_a_decision_named_without_a_model_is_left_to_its_rule() -> None:
    one = judge(lambda _request: '{"degrees": 21}')
    ruled = Judge({**one.models, "warmth": None, "vision": None})
    assert (ruled.decide(WARMTH, "Rome").by, one.decide(WARMTH, "Rome").by) == ("rule", "model")
    assert (ruled.has_model("warmth"), ruled.has_model("topic"), ruled.has_model("topic", "vision")) == (
        False, True, False,
    )  # fmt: skip
    assert model_of(one).calls == 1


def test_a_model_decides_and_the_same_question_again_comes_from_the_cache() -> None:
    one = judge(['{"degrees": 21}'])
    first, second = one.decide(WARMTH, "Rome"), one.decide(WARMTH, "Rome")
    assert [(each.output.degrees, each.by) for each in (first, second)] == [(21, "model"), (21, "cache")]
    assert (one.usage().calls, one.usage().cached_calls) == (1, 1)


@pytest.mark.parametrize(
    "reply",
    [
        '```json\n{"degrees": 3}\n```',
        'Sure! Here it is:\n{"degrees": 3, "word": "cold"}\nAnything else?',
        '  {"degrees": "3"}',
        '{"degrees": 3,\n "word": "cold\nand\twet"}',
    ],
)
def test_json_is_found_in_a_talkative_reply(reply: str) -> None:
    assert judge([reply]).decide(WARMTH, "Rome").output.degrees == 3


def test_an_invalid_output_is_sent_back_once_with_what_is_wrong() -> None:
    one = judge(['{"degrees": 99}', '{"degrees": 9}'])
    decided = one.decide(WARMTH, "Oslo")
    assert (decided.output.degrees, decided.by, decided.usage.calls) == (9, "model", 2)
    again = model_of(one).requests[1]
    assert [turn.role for turn in again.turns] == ["user", "assistant", "user"]
    assert "degrees" in again.turns[2].text


def test_an_output_its_input_contradicts_is_sent_back_too() -> None:
    one = judge(['{"degrees": 50}', '{"degrees": 5}'])
    assert one.decide(WARMTH, "Oslo").output.degrees == 5
    assert "never that warm" in model_of(one).requests[1].turns[2].text


@pytest.mark.parametrize("reply", ["no idea", "", '{"degrees": 1000}', "[1, 2", '{"degrees": 12', "{" * 5000])
def test_an_output_that_stays_invalid_leaves_it_to_the_rule_and_says_why(reply: str) -> None:
    decided = judge([reply, reply]).decide(WARMTH, "Rome")
    assert (decided.output.degrees, decided.by) == (4, "rule")
    assert "invalid" in decided.why or "empty" in decided.why


def test_a_schema_says_nothing_of_lengths_that_a_grammar_could_not_count() -> None:
    class Note(BaseModel):
        text: str = Field(min_length=1, max_length=4000)
        maxLength: int = 0  # noqa: N815  (a property of this name is one of the output)
        parts: list[str] = Field(max_length=50)

    properties = json.loads(schema_of(Note))["properties"]
    assert properties.keys() == {"text", "maxLength", "parts"}
    assert (properties["text"]["minLength"], properties["parts"]["maxItems"]) == (1, 50)
    assert "maxLength" not in properties["text"]
    bounds = [int(bound) for one in outputs() for bound in re.findall(r'"m(?:ax|in)\w+":(\d+)', schema_of(one))]
    assert bounds
    assert max(bounds) <= 200


def outputs() -> list[type[BaseModel]]:
    """Return what every decision replies with."""
    return [reply_type(one.verdict) if isinstance(one, ItemsDecision) else one.output for one in DECISIONS.values()]


def test_the_reason_says_what_was_wrong_with_the_output() -> None:
    decided = judge(['{"degrees": 1000}'] * 2).decide(WARMTH, "Rome")
    assert decided.why.endswith("does not fit the schema: degrees: Input should be less than or equal to 60")


def test_a_reply_that_ended_in_thoughts_is_asked_for_anew_with_more_room() -> None:
    one = judge([Reply("", 10, 512, finish="length"), '{"degrees": 7}'], context_tokens=2000)
    decided = one.decide(WARMTH, "Rome")
    assert (decided.output.degrees, decided.by, decided.usage.calls) == (7, "model", 2)
    first, again = model_of(one).requests
    assert again.turns == first.turns
    assert first.max_output_tokens < again.max_output_tokens < 2000


def test_attempts_without_a_reply_are_in_the_usage_with_what_they_may_have_cost() -> None:
    one = judge([ModelFault(FaultKind.TIMEOUT, "late"), ModelFault(FaultKind.TIMEOUT, "late")])
    decided = one.decide(WARMTH, "Rome")
    assert (decided.by, decided.usage.calls, one.budget.spent.calls) == ("rule", 2, 2)
    assert decided.usage.output_tokens == one.budget.spent.output_tokens == 2 * WARMTH.max_output_tokens
    assert (decided.failed, one.records[0].failed) == (2, 2)
    assert "allow more seconds for an attempt (timeout)" in decided.why
    turned_away = judge([ModelFault(FaultKind.RATE_LIMIT, "later"), '{"degrees": 7}'])
    assert turned_away.decide(WARMTH, "Rome").usage.calls == 1


def test_without_a_rule_a_failed_model_is_an_error_of_one_line() -> None:
    with pytest.raises(Undecided, match="warmth"):
        judge(["x", "x"]).decide(dataclasses.replace(WARMTH, rule=None), "Rome")


def test_a_refusal_goes_to_the_rule_without_asking_again() -> None:
    one = judge([Reply("I cannot.", 10, 3, finish="refusal")])
    assert one.decide(WARMTH, "Rome").by == "rule"
    assert model_of(one).calls == 1


def test_a_wrong_key_is_not_papered_over_by_rules() -> None:
    with pytest.raises(ModelError, match="key"):
        judge([ModelFault(FaultKind.AUTH, "the key is refused")]).decide(WARMTH, "Rome")


def test_a_spent_budget_leaves_the_rest_to_the_rules_and_names_the_cap() -> None:
    one = judge(lambda _request: '{"degrees": 1}', Caps(calls=2))
    decided = one.decide_many(WARMTH, [f"place {number}" for number in range(6)])
    assert sorted(each.by for each in decided) == ["model", "model", "rule", "rule", "rule", "rule"]
    assert one.stopped == "max_calls"
    assert one.usage().calls == 2


def test_a_model_that_fails_again_and_again_is_not_asked_for_ever() -> None:
    one = judge(lambda _request: ModelFault(FaultKind.CONNECTION, "nobody there"))
    decided = [one.decide(WARMTH, f"place {number}") for number in range(40)]
    assert all(each.by == "rule" for each in decided)
    assert model_of(one).calls == 5 * NO_WAIT.attempts
    assert "not asked again" in decided[-1].why


def test_a_model_that_failed_is_left_alone_in_branches_too_and_another_model_is_not() -> None:
    one = judge(lambda _request: ModelFault(FaultKind.CONNECTION, "nobody there"))
    other = ScriptedModel(lambda _request: '{"degrees": 1}', id="scripted:other")
    one.models["other"] = other
    for number in range(10):
        assert one.branch().decide(WARMTH, f"place {number}").by == "rule"
    assert model_of(one).calls == 5 * NO_WAIT.attempts
    assert one.branch().decide(dataclasses.replace(WARMTH, name="other"), "Rome").by == "model"


def test_a_cancel_ends_the_branches_too() -> None:
    one = judge(lambda _request: '{"degrees": 1}')
    branch = one.branch()
    one.cancel()
    with pytest.raises(Cancelled):
        branch.decide(WARMTH, "Rome")
    assert model_of(one).calls == 0


def test_what_does_not_fit_is_trimmed_by_the_decision_and_counted() -> None:
    one = judge(lambda _request: '{"degrees": 1}', context_tokens=1200)
    assert one.decide(WARMTH, "x" * 5000).left_out == 1
    assert one.records[0].left_out == 1


def test_a_context_too_small_for_the_prompt_goes_to_the_rule() -> None:
    decided = judge([], context_tokens=300).decide(WARMTH, "Rome")
    assert decided.by == "rule"
    assert "no room" in decided.why


def test_many_are_decided_at_once_and_come_back_in_order() -> None:
    meet = threading.Barrier(3, timeout=5)

    def slow(request: Request) -> str:
        meet.wait()
        return json.dumps({"degrees": int(request.turns[0].text.split("#")[1].split("<")[0])})

    one = judge(slow)
    assert [each.output.degrees for each in one.decide_many(WARMTH, ["#1", "#2", "#3"])] == [1, 2, 3]


def numbers_in(request: Request) -> list[int]:
    return [int(part.split(">")[0]) for part in request.turns[0].text.split("<item id=")[1:]]


def test_items_share_calls_and_verdicts_find_their_items() -> None:
    def reply(request: Request) -> str:
        text = request.turns[0].text
        items = [{"id": number, "fits": f"item id={number}>\neven" in text} for number in numbers_in(request)]
        return json.dumps({"items": items[::-1]})

    one = judge(reply)
    decided = one.decide_items(TOPIC, "birds", ["even", "odd", "even", "odd", "even"])
    assert [each.output.fits for each in decided] == [True, False, True, False, True]
    assert model_of(one).calls == 2


def test_items_left_out_are_asked_about_once_more_and_then_ruled() -> None:
    def forgetful(request: Request) -> str:
        return json.dumps([{"id": 1, "fits": True}, {"id": 99, "fits": True}, {"id": 1, "fits": False}])

    one = judge(forgetful)
    decided = one.decide_items(TOPIC, "birds", ["fish", "fish", "birds", "fish"])
    assert [each.by for each in decided] == ["model", "model", "rule", "model"]
    assert [each.output.fits for each in decided] == [True, True, True, True]


def test_items_that_could_not_be_asked_about_are_not_asked_again_and_the_reason_is_told() -> None:
    one = judge([ModelFault(FaultKind.REFUSED, "not this")])
    decided = one.decide_items(TOPIC, "birds", ["fish", "birds"])
    assert [(each.by, each.output.fits, each.why) for each in decided] == [
        ("rule", False, "refused: not this"), ("rule", True, "refused: not this"),
    ]  # fmt: skip
    assert [(record.by, record.why, record.failed) for record in one.records] == [("rule", "refused: not this", 1)]
    assert one.usage().calls == 1


def test_one_verdict_that_is_wrong_costs_itself_only() -> None:
    def half(request: Request) -> str:
        return json.dumps({"items": [{"id": 1, "fits": "perhaps"}, {"id": 2, "fits": True}]})

    decided = judge(half).decide_items(TOPIC, "birds", ["fish", "fish"])
    assert [(each.by, each.output.fits) for each in decided] == [("rule", False), ("model", True)]


def test_a_batch_reply_cut_short_keeps_the_verdicts_that_are_whole() -> None:
    cut = Reply('{"items": [{"id": 1, "fits": true}, {"id": 2, "fi', 10, 10, finish="length")
    whole = '{"items": [{"id": 1, "fits": true}]}'
    decided = judge([cut, whole]).decide_items(TOPIC, "birds", ["fish", "fish"])
    assert [(each.by, each.output.fits) for each in decided] == [("model", True), ("model", True)]


def test_items_without_a_model_go_to_the_rule_in_one_go() -> None:
    one = Judge()
    assert [each.output.fits for each in one.decide_items(TOPIC, "bird", ["bird", "fish"])] == [True, False]
    assert one.decide_items(TOPIC, "bird", []) == []
    assert [record.by for record in one.records] == ["rule"]


def test_ctrl_c_ends_what_has_not_begun() -> None:
    def interrupted(_request: Request) -> str:
        raise KeyboardInterrupt

    one = judge(interrupted)
    with pytest.raises(KeyboardInterrupt):
        one.decide_many(WARMTH, [f"place {number}" for number in range(50)])
    assert model_of(one).calls <= one.workers


def test_the_error_that_ended_the_others_is_raised_whichever_comes_first() -> None:
    begun, failed = threading.Event(), threading.Event()
    one = judge("unused")

    def decide(number: int) -> int:
        if number == 1:
            begun.wait(5)
            failed.set()
            raise ZeroDivisionError("the second")
        begun.set()
        assert failed.wait(5)
        assert one.cancelled.wait(5)
        raise Cancelled

    with pytest.raises(ZeroDivisionError, match="the second"):
        one.map(decide, [0, 1, 2, 3, 4, 5])


def test_ctrl_c_where_results_are_waited_for_ends_what_has_not_begun() -> None:
    one, begun = judge("unused"), list[int]()

    def decide(number: int) -> None:
        begun.append(number)
        if number == 0:
            _thread.interrupt_main()
        one.cancelled.wait(10)

    with pytest.raises(KeyboardInterrupt):
        one.map(decide, range(50))
    assert len(begun) <= one.workers


def test_a_decision_in_a_worker_may_ask_others() -> None:
    one = judge(lambda _request: '{"degrees": 1}')

    def nested(places: Sequence[str]) -> int:
        return sum(each.output.degrees for each in one.decide_many(WARMTH, places))

    assert one.map(nested, [["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"], ["i", "j"], ["k", "l"]]) == [2] * 6

"""The gateway asks once, keeps what was paid for before it is seen, and spends within the budget."""

from __future__ import annotations

import threading
import time

import pytest

from gateways import SECRET, FakeClock, Model, fault, gateway, in_threads, request
from octavo.errors import BudgetError, CorpusError, UsageError
from octavo.models.gateway import (
    PICTURE_TOKENS,
    Budget,
    Cancelled,
    Caps,
    Entry,
    Gateway,
    Limits,
    MemoryJournal,
    Prices,
    Spend,
    input_tokens,
)
from octavo.models.language import FaultKind, ModelFault, Picture, Reply, Request, Turn
from octavo.models.scripted import ScriptedModel

TRANSIENT = [kind for kind in FaultKind if kind.is_transient]
FINAL = [kind for kind in FaultKind if not kind.is_transient]
TURNED_AWAY = {
    FaultKind.RATE_LIMIT,
    FaultKind.OVERLOADED,
    FaultKind.CONTEXT,
    FaultKind.AUTH,
    FaultKind.REQUEST,
    FaultKind.UNKNOWN_MODEL,
}


class TestAskingOnce:
    def test_the_second_time_the_reply_comes_from_the_journal(self) -> None:
        model, desk, budget = ScriptedModel(["yes"]), gateway(), Budget()
        first, second = (desk.call(model, request(), budget) for _ in range(2))
        assert model.calls == budget.spent.calls == 1
        assert (first.is_cached, first.attempts, second.is_cached, second.attempts) == (False, 1, True, 0)
        assert second.reply == first.reply
        assert (second.cost, second.seconds) == (0.0, 0.0)

    @pytest.mark.parametrize(
        "other", [request("other"), request(version="2"), request(schema="{}"), request(max_output_tokens=5)]
    )
    def test_another_request_is_another_call(self, other: Request) -> None:
        model, desk = ScriptedModel(["yes", "no"]), gateway()
        assert desk.call(model, request(), Budget()).reply.text == "yes"
        assert desk.call(model, other, Budget()).reply.text == "no"

    def test_another_model_is_another_call(self) -> None:
        desk = gateway()
        replies = [desk.call(ScriptedModel([name], id=name), request(), Budget()).reply.text for name in "ab"]
        assert replies == ["a", "b"]

    def test_a_failed_call_is_not_kept(self) -> None:
        model, desk = ScriptedModel([fault(FaultKind.REQUEST), "yes"]), gateway()
        with pytest.raises(ModelFault):
            desk.call(model, request(), Budget())
        assert desk.call(model, request(), Budget()).reply.text == "yes"

    def test_usage_tells_decisions_and_models_apart(self) -> None:
        desk = gateway()
        for decision, name in [("b", "scripted:x"), ("a", "scripted:x"), ("a", "scripted:y"), ("a", "scripted:y")]:
            desk.call(ScriptedModel([Reply("r", 10, 2)], id=name), request(decision=decision), Budget())
        rows = [(row.decision, row.model, row.calls, row.cached, row.input_tokens) for row in desk.journal.usage()]
        assert rows == [("a", "scripted:x", 1, 0, 10), ("a", "scripted:y", 1, 1, 10), ("b", "scripted:x", 1, 0, 10)]

    def test_eight_threads_that_ask_the_same_pay_once(self) -> None:
        model = Model(lambda *_: time.sleep(0.05) or Reply("yes", 1, 1))  # type: ignore[func-returns-value]
        desk, budget = Gateway(prices=Prices(listed=lambda *_: None)), Budget()
        assert in_threads(8, lambda _: desk.call(model, request(), budget)) == []
        assert model.calls == budget.spent.calls == 1

    def test_whoever_waits_takes_over_when_the_first_fails(self) -> None:
        started, go_on = threading.Event(), threading.Event()

        def reply(*_: object) -> Reply:
            if started.is_set():
                return Reply("second", 1, 1)
            started.set()
            go_on.wait(5)
            raise fault(FaultKind.AUTH)

        model, desk = Model(reply), Gateway()
        failed: list[BaseException] = []
        first = threading.Thread(
            target=lambda: failed.extend(in_threads(1, lambda _: desk.call(model, request(), Budget())))
        )
        first.start()
        started.wait(5)
        threading.Timer(0.05, go_on.set).start()
        assert desk.call(model, request(), Budget()).reply.text == "second"
        first.join(5)
        assert [type(error) for error in failed] == [ModelFault]


class TestKeeping:
    def test_a_reply_that_cannot_be_kept_is_not_shown(self) -> None:
        class Full(MemoryJournal):
            def settle(self, key: str, token: str, entry: Entry) -> None:
                raise CorpusError("full", "No space left")

        journal = Full()
        with pytest.raises(CorpusError, match="No space"):
            gateway(journal=journal).call(ScriptedModel(["yes"]), request(), Budget())
        assert is_free(journal)

    def test_what_the_journal_raises_while_giving_up_does_not_hide_why(self) -> None:
        class Broken(MemoryJournal):
            def release(self, key: str, token: str) -> None:
                raise CorpusError("locked", "busy")

        with pytest.raises(ModelFault):
            gateway(journal=Broken()).call(ScriptedModel([fault(FaultKind.AUTH)]), request(), Budget())

    def test_the_lease_is_renewed_while_the_provider_is_waited_for(self) -> None:
        class Noting(MemoryJournal):
            renewed: list[float]

            def renew(self, key: str, token: str, *, seconds: float) -> None:
                self.renewed.append(clock.now)

        clock, journal = FakeClock(), Noting()
        journal.renewed = []
        model = ScriptedModel([fault(FaultKind.RATE_LIMIT, retry_after=100), "yes"])
        gateway(clock, journal, timeout=10).call(model, request(), Budget())
        gaps = [after - before for before, after in zip([1000.0, *journal.renewed], journal.renewed, strict=False)]
        assert len(gaps) >= 4
        assert max(gaps) < (2 * 10 + 60) / 2


class TestTryingAgain:
    @pytest.mark.parametrize("kind", TRANSIENT)
    def test_what_may_pass_is_tried_again(self, kind: FaultKind) -> None:
        model = ScriptedModel([fault(kind), fault(kind), "yes"])
        assert gateway().call(model, request(), Budget()).attempts == 3

    @pytest.mark.parametrize("kind", FINAL)
    def test_what_will_not_pass_is_not(self, kind: FaultKind) -> None:
        model = ScriptedModel([fault(kind)])
        with pytest.raises(ModelFault) as caught:
            gateway().call(model, request(), Budget())
        assert (model.calls, caught.value.kind) == (1, kind)

    def test_it_gives_up_after_the_attempts_there_are_and_says_how_many(self) -> None:
        model = ScriptedModel([fault(message="oven\n on \x1b[31mfire")] * 3)
        with pytest.raises(ModelFault, match=r"^oven on \[31mfire \(after 3 attempts\)$"):
            gateway(attempts=3).call(model, request(), Budget())
        assert model.calls == 3

    @pytest.mark.parametrize(("random", "total"), [(0.0, 0.0), (1.0, 1 + 2 + 3), (0.5, 0.5 + 1 + 1.5)])
    def test_pauses_are_random_up_to_a_bound_that_doubles(self, random: float, total: float) -> None:
        clock = FakeClock()
        model = ScriptedModel([fault()] * 3 + ["yes"])
        gateway(clock, random=random, first_delay=1, longest_delay=3).call(model, request(), Budget())
        assert sum(clock.naps) == pytest.approx(total)

    def test_the_providers_wait_is_heeded_and_the_random_pause_comes_on_top(self) -> None:
        clock = FakeClock()
        model = ScriptedModel([fault(FaultKind.RATE_LIMIT, retry_after=30), "yes"])
        gateway(clock, first_delay=1).call(model, request(), Budget())
        assert sum(clock.naps) == pytest.approx(30.5)

    @pytest.mark.parametrize("wait", [-5.0, 0.0, float("nan")])
    def test_a_wait_that_makes_no_sense_is_none(self, wait: float) -> None:
        clock = FakeClock()
        model = ScriptedModel([fault(retry_after=wait), "yes"])
        gateway(clock, random=0.0).call(model, request(), Budget())
        assert sum(clock.naps) == 0

    @pytest.mark.parametrize("wait", [121.0, float("inf")])
    def test_a_wait_longer_than_anyone_has_ends_the_call_at_once(self, wait: float) -> None:
        clock = FakeClock()
        model = ScriptedModel([fault(FaultKind.RATE_LIMIT, "slow down", retry_after=wait)])
        with pytest.raises(ModelFault, match=r"slow down \(it asks to wait .* seconds: try again later\)"):
            gateway(clock).call(model, request(), Budget())
        assert clock.naps == []

    def test_a_wait_longer_than_the_budgets_time_ends_the_call_at_once(self) -> None:
        clock = FakeClock()
        budget = Budget(Caps(seconds=20), clock=clock)
        model = ScriptedModel([fault(FaultKind.RATE_LIMIT, retry_after=25)])
        with pytest.raises(BudgetError, match=r"scripted:test asks for takes 25\.0 seconds and 20\.0 of 20 are left"):
            gateway(clock).call(model, request(), budget)
        assert clock.naps == []
        assert budget.stopped == "max_seconds"

    def test_while_one_call_was_told_to_wait_the_others_of_the_model_wait_too(self) -> None:
        clock = FakeClock()
        busy, other = ScriptedModel([fault(FaultKind.RATE_LIMIT, retry_after=30)]), ScriptedModel(["yes"], id="other")
        desk = gateway(clock, attempts=2)
        seen: list[float] = []
        busy_then = Model(lambda *_: seen.append(clock.now) or Reply("r", 1, 1), name=busy.id)  # type: ignore[func-returns-value]
        cancel = threading.Event()
        clock.on_nap = cancel.set
        with pytest.raises(Cancelled):
            desk.call(busy, request(), Budget(), cancel=cancel)
        clock.on_nap = lambda: None
        desk.call(other, request(), Budget())
        assert clock.now < 1001
        desk.call(busy_then, request("another"), Budget())
        assert seen == [pytest.approx(1030.0)]

    def test_what_the_listener_hears_begins_anew_with_each_attempt_and_once_from_the_journal(self) -> None:
        model, desk, heard = ScriptedModel([fault(), "well yes"]), gateway(), list[str]()
        desk.call(model, request(), Budget(), on_text=heard.append)
        assert heard == ["well", "well yes"]
        heard.clear()
        desk.call(model, request(), Budget(), on_text=heard.append)
        assert heard == ["well yes"]


class TestTime:
    def test_an_attempt_has_its_timeout_or_what_the_budget_has_left(self) -> None:
        clock = FakeClock()
        desk, model = gateway(clock, timeout=60), Model()
        for number, seconds in enumerate((None, 1000, 7)):
            desk.call(model, request(str(number)), Budget(Caps(seconds=seconds), clock=clock))
        assert model.timeouts == [60, 60, 7]

    def test_an_attempt_that_used_up_the_time_ends_the_budget_not_the_provider(self) -> None:
        clock = FakeClock()

        def late(_request: Request, timeout: float) -> Reply:
            clock.now += timeout
            raise fault(FaultKind.TIMEOUT)

        budget = Budget(Caps(seconds=5), clock=clock)
        with pytest.raises(BudgetError, match="max_seconds"):
            gateway(clock, attempts=1).call(Model(late), request(), budget)

    def test_seconds_are_the_time_the_model_worked_over_all_attempts(self) -> None:
        clock = FakeClock()

        def slow(*_: object) -> Reply:
            clock.now += 3
            if model.calls == 1:
                raise fault()
            return Reply("yes", 1, 1)

        model = Model(slow)
        assert gateway(clock).call(model, request(), Budget()).seconds == 6


class TestConcurrency:
    def test_a_model_gets_no_more_calls_at_once_than_it_may(self) -> None:
        model = Model(lambda *_: time.sleep(0.01) or Reply("yes", 1, 1))  # type: ignore[func-returns-value]
        desk = Gateway(limits=Limits(concurrency=3))
        assert in_threads(12, lambda number: desk.call(model, request(str(number)), Budget())) == []
        assert (model.calls, model.most_at_once) == (12, 3)

    def test_models_do_not_stand_in_each_others_way(self) -> None:
        meeting = threading.Barrier(2, timeout=5)
        models = [
            Model(lambda *_: (meeting.wait() and None) or Reply("yes", 1, 1), name=f"scripted:{name}") for name in "ab"
        ]
        desk = Gateway(limits=Limits(concurrency=1))
        assert in_threads(2, lambda number: desk.call(models[number], request(), Budget())) == []

    @pytest.mark.parametrize(
        "wrong", [{"concurrency": 0}, {"attempts": 0}, {"timeout": -1.0}, {"timeout": float("nan")}]
    )
    def test_limits_that_would_hang_are_refused(self, wrong: dict[str, float]) -> None:
        with pytest.raises(UsageError, match="needs a number"):
            Limits(**wrong)  # type: ignore[arg-type]


class TestSpending:
    @pytest.mark.parametrize("kind", list(FaultKind))
    def test_a_failed_attempt_counts_at_its_worst_unless_it_was_turned_away(self, kind: FaultKind) -> None:
        budget, asked = Budget(), request(max_output_tokens=50)
        with pytest.raises(ModelFault):
            gateway(attempts=1).call(ScriptedModel([fault(kind)]), asked, budget)
        read = input_tokens(asked)
        worst = Spend(1, read, 50, (read + 500) / 1e6)
        assert budget.spent == (Spend() if kind in TURNED_AWAY else worst)

    def test_each_attempt_that_may_have_been_billed_takes_a_call(self) -> None:
        budget = Budget(Caps(calls=2))
        model = ScriptedModel([fault(FaultKind.RATE_LIMIT), fault(), fault(), "never"])
        with pytest.raises(BudgetError, match="max_calls"):
            gateway().call(model, request(), budget)
        assert model.calls == 3

    def test_a_call_that_does_not_fit_is_not_made_and_leaves_the_key_free(self) -> None:
        journal, model = MemoryJournal(), ScriptedModel([])
        with pytest.raises(BudgetError):
            gateway(journal=journal).call(model, request(), Budget(Caps(tokens=100)))
        assert model.calls == 0
        assert is_free(journal)

    def test_a_kept_reply_needs_no_budget(self) -> None:
        model, desk = ScriptedModel(["yes"]), gateway()
        desk.call(model, request(), Budget())
        assert desk.call(model, request(), Budget(Caps(calls=0, seconds=0))).is_cached

    def test_a_picture_counts_as_many_tokens_as_it_may_have(self) -> None:
        seen = request(turns=(Turn("user", "What is it?", (Picture(b"png"), Picture(b"gif"))),))
        assert input_tokens(seen) - input_tokens(request()) == 2 * PICTURE_TOKENS

    @pytest.mark.parametrize("reported", [0, -3, 10**30, 10**400, float("nan"), float("inf"), None, "7"])
    def test_numbers_that_cannot_be_true_are_replaced(self, reported: object) -> None:
        asked, text = request("word " * 300, max_output_tokens=100), "word " * 60
        budget = Budget(Caps(tokens=2000, cost=1.0))
        model = Model(lambda *_: Reply(text, reported, reported))  # type: ignore[arg-type]
        reply = gateway().call(model, asked, budget).reply
        assert 100 <= reply.output_tokens <= 300
        assert input_tokens(asked) <= reply.input_tokens <= 3 * input_tokens(asked) + 1000
        assert budget.spent.input_tokens == min(2000, reply.input_tokens)

    def test_believable_numbers_are_taken_as_they_are(self) -> None:
        asked = request("word " * 300)
        budget = Budget()
        gateway().call(Model(lambda *_: Reply("word " * 10, 320, 11)), asked, budget)
        assert budget.spent == Spend(1, 320, 11, pytest.approx((320 + 110) / 1e6))

    def test_a_tokenizer_that_counts_more_is_reserved_for_from_then_on(self) -> None:
        table, desk = request("1 " * 600), gateway()
        estimate = input_tokens(table)
        desk.call(Model(lambda *_: Reply("ok", 2 * estimate, 1)), table, Budget())
        dear = request("2 " * 600)
        with pytest.raises(BudgetError, match=f"may take {2 * estimate + 1024:,} tokens"):
            desk.call(Model(), dear, Budget(Caps(tokens=2 * estimate)))

    def test_money_cannot_be_capped_without_a_price_and_nothing_is_asked(self) -> None:
        model, journal = ScriptedModel(["yes"], id="acme:secret-sauce"), MemoryJournal()
        with pytest.raises(UsageError, match=r'acme:secret-sauce .* \[prices\], key "acme:secret-sauce"'):
            gateway(journal=journal).call(model, request(), Budget(parent=Budget(Caps(cost=1))))
        assert model.calls == 0
        assert is_free(journal)

    def test_an_unknown_price_is_no_price(self) -> None:
        settled = gateway().call(ScriptedModel(["yes"], id="acme:other"), request(), Budget())
        assert settled.cost is None


class TestEnding:
    def test_a_cancelled_call_is_not_made(self) -> None:
        cancel, model, journal = threading.Event(), ScriptedModel([]), MemoryJournal()
        cancel.set()
        budget = Budget()
        with pytest.raises(Cancelled):
            gateway(journal=journal).call(model, request(), budget, cancel=cancel)
        assert (model.calls, budget.spent) == (0, Spend())
        assert is_free(journal)

    def test_a_reply_that_arrives_after_cancel_is_kept(self) -> None:
        cancel = threading.Event()
        model = Model(lambda *_: cancel.set() or Reply("yes", 1, 1))  # type: ignore[func-returns-value]
        desk = gateway()
        assert desk.call(model, request(), Budget(), cancel=cancel).reply.text == "yes"
        assert desk.call(model, request(), Budget()).is_cached

    def test_cancel_ends_a_pause_within_a_moment(self) -> None:
        clock, cancel, journal = FakeClock(), threading.Event(), MemoryJournal()
        desk = gateway(clock, journal)
        clock.on_nap = cancel.set
        with pytest.raises(Cancelled):
            desk.call(ScriptedModel([fault(retry_after=60)]), request(), Budget(), cancel=cancel)
        assert sum(clock.naps) <= 0.1
        assert is_free(journal)

    def test_cancel_ends_the_wait_for_somebody_elses_call(self) -> None:
        journal, cancel = MemoryJournal(), threading.Event()
        journal.lease(request().key("scripted:test"), "theirs", seconds=60)
        cancel.set()
        with pytest.raises(Cancelled):
            gateway(journal=journal).call(ScriptedModel([]), request(), Budget(), cancel=cancel)
        assert not journal.lease(request().key("scripted:test"), "mine", seconds=60)

    def test_the_budgets_time_ends_the_wait_for_somebody_elses_call(self) -> None:
        journal, clock = MemoryJournal(), FakeClock()
        journal.lease(request().key("scripted:test"), "theirs", seconds=60)
        with pytest.raises(BudgetError, match="max_seconds"):
            gateway(clock, journal).call(ScriptedModel([]), request(), Budget(Caps(seconds=3), clock=clock))
        assert max(clock.naps) <= 0.25

    @pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, BrokenPipeError])
    def test_whatever_breaks_into_a_call_leaves_the_key_free_and_counts_the_worst(
        self, error: type[BaseException]
    ) -> None:
        def interrupted(*_: object) -> Reply:
            raise error

        journal, budget, asked = MemoryJournal(), Budget(), request(max_output_tokens=9)
        with pytest.raises(error):
            gateway(journal=journal).call(Model(interrupted), asked, budget)
        assert is_free(journal)
        assert (budget.spent.calls, budget.spent.output_tokens) == (1, 9)
        assert [(row.calls, row.failed) for row in journal.usage()] == [(0, 1)]

    def test_ctrl_c_in_a_pause_leaves_the_key_free(self) -> None:
        def interrupt() -> None:
            raise KeyboardInterrupt

        journal, clock = MemoryJournal(), FakeClock()
        clock.on_nap = interrupt
        desk = gateway(clock, journal)
        with pytest.raises(KeyboardInterrupt):
            desk.call(ScriptedModel([fault()]), request(), Budget())
        assert is_free(journal)


class TestSecrets:
    def test_a_key_is_nowhere_to_be_read(self) -> None:
        heard: list[str] = []
        reply = Reply(f"your key is {SECRET}", 9, 9)
        desk, model = gateway(), Model(lambda *_: reply, secrets=(SECRET,))
        settled = desk.call(model, request(), Budget(), on_text=heard.append)
        kept = desk.journal.find(request().key(model.id))
        assert settled.reply.text == "your key is [redacted]"
        assert SECRET not in f"{settled} {kept} {desk.journal.usage()}"
        assert not any(SECRET[:8] in text for text in heard)

    def test_a_fault_that_quotes_the_key_is_told_without_it(self) -> None:
        model = ScriptedModel([fault(FaultKind.AUTH, f"wrong key {SECRET} " + "x" * 900)], secrets=(SECRET,))
        with pytest.raises(ModelFault) as caught:
            gateway().call(model, request(), Budget())
        shown = str(caught.value)
        assert shown.startswith("wrong key [redacted] xxx")
        assert len(shown) <= 300
        assert (caught.value.__cause__, caught.value.__context__) == (None, None)


def is_free(journal: MemoryJournal) -> bool:
    """Whether nobody holds any lease."""
    return not journal._leases

"""Caps hold, whatever is reported and however many spend at once."""

from __future__ import annotations

import gc
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateways import FakeClock, in_threads
from octavo.errors import BudgetError, UsageError
from octavo.models.gateway import Budget, Caps, Spend

CALL = Spend(calls=1, input_tokens=100, output_tokens=50, cost=0.01)


def test_without_caps_everything_fits_and_is_counted() -> None:
    budget = Budget()
    budget.reserve(CALL).settle(Spend(1, 80, 20, 0.005))
    assert budget.spent == Spend(1, 80, 20, 0.005)
    assert (budget.stopped, budget.remaining_seconds()) == (None, None)


@pytest.mark.parametrize(
    ("caps", "cap", "message"),
    [
        (Caps(calls=0), "max_calls", r"the budget of 0 calls is spent \(max_calls\)"),
        (Caps(tokens=149), "max_tokens", r"may take 150 tokens and 149 of 149 are left \(max_tokens\)"),
        (Caps(cost=0.0099), "max_cost", r"may take 0\.01 and 0\.0099 of 0\.0099 are left \(max_cost\)"),
        (Caps(seconds=0), "max_seconds", r"the budget of 0 seconds is spent \(max_seconds\)"),
    ],
)
def test_a_worst_case_that_does_not_fit_is_refused_and_says_which_cap(caps: Caps, cap: str, message: str) -> None:
    budget = Budget(caps)
    with pytest.raises(BudgetError, match=message):
        budget.reserve(CALL)
    assert budget.stopped == cap
    assert budget.spent == Spend()


def test_what_was_not_used_is_given_back() -> None:
    budget = Budget(Caps(tokens=200))
    budget.reserve(CALL).settle(Spend(1, 10, 10, 0.0))
    budget.reserve(CALL).cancel()
    budget.reserve(CALL).settle(CALL)
    assert budget.spent.input_tokens + budget.spent.output_tokens == 170
    with pytest.raises(BudgetError):
        budget.reserve(CALL)


def test_a_reservation_is_settled_once() -> None:
    budget = Budget()
    reservation = budget.reserve(CALL)
    reservation.settle(CALL)
    reservation.cancel()
    reservation.settle(CALL)
    assert budget.spent.calls == 1


def test_seconds_run_from_the_making_and_end_the_budget() -> None:
    clock = FakeClock()
    budget = Budget(Caps(seconds=10), clock=clock)
    clock.now += 4
    assert budget.remaining_seconds() == 6
    budget.require_seconds(5)
    with pytest.raises(BudgetError, match=r"the wait takes 7\.0 seconds and 6\.0 of 10 are left"):
        budget.require_seconds(7, "the wait")
    clock.now += 7
    assert budget.remaining_seconds() == 0
    with pytest.raises(BudgetError, match="budget of 10 seconds is spent"):
        budget.reserve(CALL)
    assert budget.stopped == "max_seconds"


def test_a_question_spends_from_its_job_too() -> None:
    job = Budget(Caps(calls=3))
    first, second = Budget(Caps(calls=2), parent=job), Budget(Caps(calls=2), parent=job)
    for budget in (first, first, second):
        budget.reserve(CALL).settle(CALL)
    assert (job.spent.calls, first.spent.calls, second.spent.calls) == (3, 2, 1)
    with pytest.raises(BudgetError, match="3 calls"):
        second.reserve(CALL)
    assert (job.stopped, first.stopped, second.stopped) == ("max_calls", None, "max_calls")


def test_what_one_part_may_not_have_is_not_held_against_the_others() -> None:
    job = Budget(Caps(calls=1))
    with pytest.raises(BudgetError):
        Budget(Caps(calls=0), parent=job).reserve(CALL)
    assert job.stopped is None
    job.reserve(CALL).settle(CALL)


def test_the_shortest_time_of_the_chain_counts() -> None:
    clock = FakeClock()
    job = Budget(Caps(seconds=5), clock=clock)
    assert Budget(Caps(seconds=9), parent=job, clock=clock).remaining_seconds() == 5
    assert Budget(Caps(seconds=2), parent=job, clock=clock).remaining_seconds() == 2


def test_a_call_waits_while_only_calls_under_way_stand_in_its_way() -> None:
    budget = Budget(Caps(tokens=200))
    held = budget.reserve(CALL)
    ticks = threading.Event()
    taken: list[bool] = []
    waiter = threading.Thread(target=lambda: taken.append(bool(budget.reserve(CALL, ticks.set))))
    waiter.start()
    assert ticks.wait(5)
    assert taken == []
    held.settle(Spend(1, 10, 10, 0.0))
    waiter.join(5)
    assert taken == [True]
    assert budget.stopped is None


def test_the_wait_for_room_can_be_ended() -> None:
    budget = Budget(Caps(calls=1))
    held = budget.reserve(CALL)

    def end() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        budget.reserve(CALL, end)
    held.cancel()


def test_a_reservation_that_is_gone_holds_nothing() -> None:
    job = Budget(Caps(calls=1))
    held = Budget(parent=job).reserve(CALL)
    del held
    gc.collect()
    job.reserve(CALL, tick=lambda: pytest.fail("waited for a reservation that is gone"))


def test_more_than_was_set_aside_counts_as_far_as_there_is_room() -> None:
    roomy, tight = Budget(Caps(tokens=10_000)), Budget(Caps(tokens=160))
    for budget in (roomy, tight):
        budget.reserve(CALL).settle(Spend(1, 400, 50, 0.02))
    assert (roomy.spent.input_tokens, roomy.spent.output_tokens) == (400, 50)
    assert (tight.spent.input_tokens, tight.spent.output_tokens) == (160, 0)


def test_what_had_no_room_is_counted_as_soon_as_there_is_some() -> None:
    budget = Budget(Caps(tokens=1000))
    liar, other = budget.reserve(Spend(1, 90, 10, 0.0)), budget.reserve(Spend(1, 700, 100, 0.0))
    liar.settle(Spend(1, 450, 50, 0.0))
    assert budget.spent.input_tokens + budget.spent.output_tokens == 200
    other.settle(Spend(1, 90, 10, 0.0))
    assert budget.spent.input_tokens + budget.spent.output_tokens == 600
    with pytest.raises(BudgetError, match="400"):
        budget.reserve(Spend(1, 401, 0, 0.0))


def test_an_unknown_price_is_refused_where_money_is_capped_and_else_makes_the_sum_unknown() -> None:
    unpriced = Spend(1, 10, 10, None)
    job = Budget(Caps(cost=1.0))
    with pytest.raises(UsageError, match="max_cost"):
        Budget(parent=job).reserve(unpriced)
    budget = Budget()
    budget.reserve(CALL).settle(CALL)
    assert budget.spent.cost == 0.01
    budget.reserve(unpriced).settle(unpriced)
    assert budget.spent.cost is None


@pytest.mark.parametrize("name", ["calls", "tokens", "seconds", "cost"])
@pytest.mark.parametrize("cap", [-1, float("nan"), float("inf")])
def test_a_cap_is_a_number_of_0_or_more(name: str, cap: float) -> None:
    with pytest.raises(UsageError, match=f"max_{name} needs a number"):
        Caps(**{name: cap})


amounts = st.integers(-(10**12), 10**12)
spends = st.builds(Spend, st.integers(0, 3), amounts, amounts, st.floats(-10, 10))
caps = st.builds(Caps, st.none() | st.integers(0, 20), st.none() | st.integers(0, 5000), st.none(), st.floats(0, 3))


@given(caps, caps, st.lists(st.tuples(spends, spends, st.booleans()), max_size=20))
def test_no_run_of_calls_gets_above_a_cap_whatever_it_reports(
    job_caps: Caps, caps: Caps, calls: list[tuple[Spend, Spend, bool]]
) -> None:
    job = Budget(job_caps)
    budget = Budget(caps, parent=job)
    for worst, actual, is_billed in calls:
        try:
            reservation = budget.reserve(worst)
        except BudgetError:
            continue
        reservation.settle(actual) if is_billed else reservation.cancel()
        for one in (job, budget):
            assert_within(one)


def assert_within(budget: Budget) -> None:
    spent, caps = budget.spent, budget.caps
    assert caps.calls is None or spent.calls <= caps.calls
    assert caps.tokens is None or spent.input_tokens + spent.output_tokens <= caps.tokens
    assert caps.cost is None or (spent.cost or 0) <= caps.cost
    assert min(spent.calls, spent.input_tokens, spent.output_tokens, spent.cost or 0) >= 0


def test_eight_threads_make_exactly_the_calls_there_are() -> None:
    budget = Budget(Caps(calls=100))
    made: list[int] = []

    def work(number: int) -> None:
        while True:
            reservation = budget.reserve(CALL)
            made.append(number)
            reservation.settle(CALL)

    raised = in_threads(8, work)
    assert [type(error) for error in raised] == [BudgetError] * 8
    assert len(made) == budget.spent.calls == 100

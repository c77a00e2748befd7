"""A small sample of `benchmarks/model_faults.py`: an endpoint that fails half the time, at every decision."""

from __future__ import annotations

import dataclasses

import pytest

from decision_examples import EXAMPLES
from model_faults import LIMITS, run

pytestmark = [
    pytest.mark.allow_hosts(["127.0.0.1"]),
    pytest.mark.filterwarnings("ignore:Failed to extract usage"),
]
QUICK = dataclasses.replace(LIMITS, timeout=0.4, attempts=2, longest_wait=0.1)


def test_no_fault_at_any_decision_hangs_is_unhandled_or_passes_a_cap() -> None:
    tally = run(sorted(EXAMPLES), 0.5, 2, limits=QUICK, slow=0.8)
    assert tally.asked == 2 * len(EXAMPLES)
    assert tally.unhandled == []
    assert tally.over_budget == 0
    assert tally.by["model"] > 0
    assert tally.by["rule"] + tally.refused > 0

"""What a model works out of many quoted numbers is told from what it makes up."""

from __future__ import annotations

import pytest

from octavo.operators.read.worked_numbers import is_worked_out

TURNOVER = [[2016.0, 250.0, 1000.0], [2017.0, 330.0, 1100.0], [2018.0, 420.0, 1200.0]]
SHARES = [[31.5], [12.25], [7.0]]
ROW = [[2019.0, 120.0, 130.0, 155.0, 180.0]]


@pytest.mark.parametrize(
    ("number", "quoted", "worked_out"),
    [
        (50.75, SHARES, True),  # the sum of three quotes
        (16.92, SHARES, True),  # their average
        (0.3, TURNOVER, True),  # the average of a ratio a year
        (30.0, TURNOVER, True),  # the same in percent
        (3300.0, TURNOVER, True),  # the sum of the last of each
        (585.0, ROW, True),  # the sum of a row but for its year
        (146.25, ROW, True),
        (142.5, ROW, True),  # of two of them
        (405.0, ROW, True),  # of three that stand beside each other
        (-530.0, [[5363.0], [4833.0]], True),
        (91.3, SHARES, False),
        (777.0, ROW, False),
        (0.47, TURNOVER, False),
        (5.0, [], False),
        (5.0, [[]], False),
        (float("1e12"), [[0.0, 0.0], [0.0, 1.0]], False),
    ],
)
def test_many_numbers_give_their_sum_average_and_ratios(
    number: float,
    quoted: list[list[float]],
    worked_out: bool,
) -> None:
    assert is_worked_out(number, quoted) == worked_out

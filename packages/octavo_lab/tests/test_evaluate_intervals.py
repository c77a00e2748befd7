"""Averages and their intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo_lab import intervals
from octavo_lab.intervals import Column

VALUES = st.lists(st.one_of(st.none(), st.floats(0, 1)), min_size=1, max_size=30)


def test_a_question_that_a_metric_does_not_concern_is_left_out() -> None:
    assert Column.of([1.0, None, 0.0]).mean() == 0.5
    assert Column.of([None]).mean() is None
    assert Column.of([]).mean() is None


def test_weights_make_a_ratio_of_sums() -> None:
    assert Column.of([0.5, 1.0], [2.0, 1.0]).mean() == pytest.approx(2 / 3)


def test_a_group_keeps_its_questions() -> None:
    assert Column.of([1.0, 0.0, 0.0]).keep(np.array([True, True, False])).mean() == 0.5


def test_draws_are_the_same_for_the_same_seed() -> None:
    assert np.array_equal(intervals.draws(7, count=5), intervals.draws(7, count=5))
    assert not np.array_equal(intervals.draws(7, count=5), intervals.draws(7, count=5, seed=1))
    assert (intervals.draws(7, count=5).sum(axis=1) == 7).all()


@given(VALUES)
def test_the_mean_lies_inside_the_bounds_of_its_interval_or_there_is_none(values: list[float | None]) -> None:
    column = Column.of(values)
    found = intervals.interval(intervals.resampled(column, intervals.draws(len(values), count=200)))
    known = [value for value in values if value is not None]
    if found is None:
        assert not known
    else:
        assert min(known) - 1e-9 <= found[0] <= found[1] <= max(known) + 1e-9


def test_an_interval_narrows_with_questions_as_theory_says() -> None:
    widths = []
    for questions in (100, 400):
        column = Column.of([0.0, 1.0] * (questions // 2))
        low, high = intervals.interval(intervals.resampled(column, intervals.draws(questions))) or (0, 0)
        assert high - low == pytest.approx(2 * 1.96 * 0.5 / np.sqrt(questions), rel=0.1)
        widths.append(high - low)
    assert widths[0] / widths[1] == pytest.approx(2, rel=0.1)


def test_a_paired_difference_is_surer_than_two_separate_averages() -> None:
    generator = np.random.default_rng(0)
    worse = generator.random(200)
    drawn = intervals.draws(200)
    better, base = (intervals.resampled(Column.of(values.tolist()), drawn) for values in (worse + 0.02, worse))
    low, high = intervals.interval(better - base) or (0, 0)
    assert low == pytest.approx(0.02)
    assert high == pytest.approx(0.02)

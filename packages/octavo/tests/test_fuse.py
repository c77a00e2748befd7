"""Fusion: columns of different scales are added on one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexed import run_over
from octavo.evidence import Evidence
from octavo.operators.score.fuse import Fuse, Part, scaled
from octavo_documents.document import Kind
from synthetic import document

SOURCE = document([(Kind.PARAGRAPH, str(at), 1, 0) for at in range(3)])
FLOATS = st.lists(st.floats(-1e6, 1e6) | st.just(float("nan")), max_size=9)


@given(FLOATS)
def test_scaled_scores_lie_between_0_and_1_and_keep_their_order(values: list[float]) -> None:
    scores = np.array(values)
    result = scaled(scores)
    known = ~np.isnan(scores)
    assert np.array_equal(np.isnan(result), np.isnan(scores))
    assert ((result[known] >= 0) & (result[known] <= 1)).all()
    order = np.argsort(scores[known], kind="stable")
    assert (np.diff(result[known][order]) >= 0).all()


def test_a_floor_is_worth_nothing() -> None:
    assert scaled(np.array([1.0, 2.0, 4.0]), floor=0.0).tolist() == [0.25, 0.5, 1.0]
    assert scaled(np.array([1.0, 2.0, 4.0])).tolist() == pytest.approx([0.0, 1 / 3, 1.0])
    assert scaled(np.array([3.0, 3.0]), floor=0.0).tolist() == [1.0, 1.0]


def test_the_sum_is_weighted_and_a_missing_score_adds_nothing() -> None:
    run = run_over(SOURCE)
    found = Evidence.of(run.view, range(3), a=[10.0, 5.0, np.nan], b=[np.nan, 1.0, 1.0])
    fused = Fuse((Part("a", 1.0, floor=0.0), Part("b", 0.4, floor=0.0)))(found, run)
    assert fused.scores["fused"].tolist() == pytest.approx([1.0, 0.9, 0.4])
    assert fused.rows.tolist() == found.rows.tolist()


def test_a_column_nobody_made_is_an_error() -> None:
    run = run_over(SOURCE)
    with pytest.raises(KeyError):
        Fuse((Part("absent", 1.0),))(Evidence.of(run.view, [0], a=[1.0]), run)


def test_a_doubtful_column_counts_as_far_as_the_best_row_goes() -> None:
    run = run_over(SOURCE)
    found = Evidence.of(run.view, range(3), a=[10.0, 5.0, np.nan], share=[0.5, 0.2, np.nan])
    fused = Fuse((Part("a", 1.0, floor=0.0, doubt=0.6, by="share"),))(found, run)
    assert fused.scores["fused"].tolist() == pytest.approx([0.7, 0.35, 0.0])

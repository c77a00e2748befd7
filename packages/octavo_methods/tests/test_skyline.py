"""The skyline: what nothing else beats, filled up where it is small and cut where it is large, ties by row order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexed import run_over
from octavo.evidence import Evidence
from octavo_documents.document import Kind
from octavo_methods.bookrag.reasoning import BestBlocks, Fill, Skyline, pareto_front
from synthetic import document

LONG = document([(Kind.PARAGRAPH, f"Text {row}.", 1, 0) for row in range(30)])
POINTS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=25)


def beats(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(a >= b for a, b in zip(one, other, strict=True)) and one != other


@given(POINTS)
def test_the_front_is_what_no_other_point_beats(points: list[tuple[int, ...]]) -> None:
    front = pareto_front(np.array(points, float).T)
    assert front.tolist() == [not any(beats(other, point) for other in points) for point in points]


def test_the_front_by_hand_with_ties() -> None:
    # graph: 3 3 1 0 2 ; text: 1 1 4 4 1. (3, 1) twice and (1, 4) are unbeaten; (0, 4) and (2, 1) are not.
    scores = np.array([[3.0, 3, 1, 0, 2], [1, 1, 4, 4, 1]])
    assert pareto_front(scores).tolist() == [True, True, True, False, False]


def kept(skyline: Skyline, **columns: list[float]) -> list[int]:
    run = run_over(LONG)
    size = len(next(iter(columns.values())))
    return skyline(Evidence.of(run.view, range(size), **columns), run).rows.tolist()


def test_a_small_front_is_filled_by_the_fused_scores_ties_by_row_order() -> None:
    graph, text = [0.0, 9.0, 0.0, 0.0, 0.0], [9.0, 0.0, 1.0, 1.0, 1.0]
    fused = [9.0, 1.0, 1.0, 1.0, 1.0]
    assert kept(Skyline(("graph", "text"), Fill(least=3)), graph=graph, text=text, fused=fused) == [0, 1, 2]
    assert kept(Skyline(("graph", "text"), Fill(least=1)), graph=graph, text=text, fused=fused) == [0, 1]


def test_what_is_on_the_front_stays_however_low_its_fused_score() -> None:
    graph, text, fused = [1.0, 0.0, 0.0], [0.0, 9.0, 8.0], [0.1, 9.0, 8.0]
    assert kept(Skyline(("graph", "text"), Fill(least=1, share=0.95)), graph=graph, text=text, fused=fused) == [0, 1]


def test_rows_with_equal_scores_are_kept_together() -> None:
    same = [2.0] * 12
    assert kept(Skyline(("graph", "text"), Fill(least=1, share=1.0)), graph=same, text=same, fused=same) == list(
        range(12)
    )


def test_more_rows_are_kept_where_many_are_nearly_as_good_as_the_best() -> None:
    skyline = Skyline(("text",), Fill(by="text", least=2, share=0.5))
    assert kept(skyline, text=[8.0, 7.0, 6.0, 5.0, 4.0, 3.9]) == [0, 1, 2, 3, 4]
    assert kept(skyline, text=[8.0, 1.0, 1.0, 1.0, 1.0, 1.0]) == [0, 1]


def test_a_large_front_is_cut_by_the_fused_scores() -> None:
    rising, falling = [float(row) for row in range(8)], [float(-row) for row in range(8)]
    fused = [0.0, 1.0, 5.0, 4.0, 3.0, 2.0, 0.0, 0.0]
    assert kept(Skyline(("graph", "text"), Fill(least=1, most=3)), graph=rising, text=falling, fused=fused) == [2, 3, 4]


@given(POINTS, st.integers(1, 5), st.integers(5, 9))
def test_nothing_kept_is_beaten_unless_it_fills_up(points: list[tuple[int, ...]], least: int, most: int) -> None:
    graph, text, fused = (list(map(float, column)) for column in zip(*points, strict=True))
    rows = kept(Skyline(("graph", "text"), Fill(least=least, most=most)), graph=graph, text=text, fused=fused)
    front = np.flatnonzero(pareto_front(np.array([graph, text]))).tolist()
    assert min(least, len(points)) <= len(rows) <= most
    assert set(front) <= set(rows) or set(rows) <= set(front)


def test_nothing_stays_nothing_and_a_missing_column_is_told() -> None:
    run = run_over(LONG)
    assert len(Skyline(("graph",))(Evidence.of(run.view, ()), run)) == 0
    with pytest.raises(KeyError, match="graph"):
        Skyline(("graph",))(Evidence.of(run.view, [1], fused=[1.0]), run)


def test_without_a_fill_the_front_is_all_that_is_kept_and_the_trace_tells_its_size() -> None:
    graph, text = [3.0, 3.0, 1.0, 0.0, 2.0], [1.0, 1.0, 4.0, 4.0, 1.0]
    assert kept(Skyline(("graph", "text")), graph=graph, text=text) == [0, 1, 2]
    run = run_over(LONG)
    found = Evidence.of(run.view, range(5), graph=graph, text=text, fused=[5.0, 4.0, 3.0, 2.0, 1.0])
    Skyline(("graph", "text"), Fill(least=5))(found, run)
    assert (run.trace[-1].rows_out, run.trace[-1].parameters["front"]) == (5, 3)


def test_the_best_blocks_are_those_with_the_highest_score_in_one_column() -> None:
    run = run_over(LONG)
    found = Evidence.of(run.view, range(12), text=[float(row % 4) for row in range(12)])
    assert BestBlocks("text", 3)(found, run).rows.tolist() == [3, 7, 11]
    assert len(BestBlocks("text")(found, run)) == 10

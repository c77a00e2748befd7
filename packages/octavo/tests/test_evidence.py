"""Evidence is a set: the algebra holds, scores stay with their rows, nothing changes in place."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.evidence import Evidence, PageHit, View
from octavo_documents.document import Kind
from synthetic import document

VIEW = View(
    [
        document(
            [
                (Kind.HEADING if row % 5 == 0 else Kind.PARAGRAPH, f"r{row}", 1 + row // 3, 1 if row % 5 == 0 else 0)
                for row in range(12)
            ]
        ),
        document([(Kind.PARAGRAPH, f"s{row}", 1 + row // 2, 0) for row in range(6)], name="b.pdf"),
    ]
)


@st.composite
def evidence(draw: st.DrawFn) -> Evidence:
    rows = draw(st.lists(st.integers(0, len(VIEW) - 1), unique=True))
    name = draw(st.sampled_from(["text", "graph"]))
    return Evidence.of(VIEW, rows, source=name, **{name: [draw(st.integers(0, 9)) / 3 for _ in rows]})


@given(evidence(), evidence())
def test_and_or_commute(left: Evidence, right: Evidence) -> None:
    assert left & right == right & left
    assert left | right == right | left


@given(evidence(), evidence(), evidence())
def test_or_and_and_are_associative(a: Evidence, b: Evidence, c: Evidence) -> None:
    assert (a | b) | c == a | (b | c)
    assert (a & b) & c == a & (b & c)


@given(evidence())
def test_a_set_with_itself_is_itself(each: Evidence) -> None:
    assert each | each == each
    assert each & each == each
    assert len(each - each) == 0


@given(evidence(), evidence())
def test_rows_follow_set_algebra(left: Evidence, right: Evidence) -> None:
    a, b = set(left.rows.tolist()), set(right.rows.tolist())
    assert (left | right).rows.tolist() == sorted(a | b)
    assert (left & right).rows.tolist() == sorted(a & b)
    assert (left - right).rows.tolist() == sorted(a - b)


@given(evidence(), evidence())
def test_every_score_of_a_union_comes_from_one_side(left: Evidence, right: Evidence) -> None:
    united = left | right
    for name, values in united.scores.items():
        for row, value in zip(united.rows, values, strict=True):
            given_scores = [
                float(side.scores[name][side.rows == row][0])
                for side in (left, right)
                if name in side.scores and row in side.rows
            ]
            assert np.isnan(value) if not given_scores else value == max(given_scores)


@given(evidence(), st.integers(0, 20))
def test_top_keeps_the_best(each: Evidence, count: int) -> None:
    name = next(iter(each.scores))
    kept = each.top(count, name)
    assert len(kept) == min(count, len(each))
    left_out = (each - kept).scores[name]
    assert not len(left_out) or not len(kept) or kept.scores[name].min() >= left_out.max()


def test_ties_are_broken_by_row_order_and_rows_without_a_score_come_last() -> None:
    each = Evidence.of(VIEW, [5, 3, 9, 1], text=[1, 1, 2, np.nan])
    assert each.ranked("text").tolist() == [9, 3, 5, 1]


def test_a_repeated_row_keeps_its_highest_score() -> None:
    each = Evidence.of(VIEW, [3, 3, 3], text=[1.0, 5.0, np.nan])
    assert each.rows.tolist() == [3]
    assert each.scores["text"].tolist() == [5.0]


def test_pages_are_ranked_by_their_best_row_over_all_documents() -> None:
    each = Evidence.of(VIEW, [0, 1, 3, 12], text=[0.2, 0.9, 0.4, 0.5])
    assert each.pages("text") == (PageHit(0, 1, 0.9), PageHit(1, 1, 0.5), PageHit(0, 2, 0.4))
    assert Evidence.of(VIEW, []).pages("text") == ()


def test_selections_keep_rows_of_a_kind_page_or_section() -> None:
    everything = Evidence.where(VIEW, np.ones(len(VIEW), np.bool_))
    assert everything.of_kind(Kind.HEADING).rows.tolist() == [0, 5, 10]
    assert everything.on_pages([2]).rows.tolist() == [3, 4, 5]
    assert everything.on_pages([2], document=1).rows.tolist() == [14, 15]
    assert everything.within(5).rows.tolist() == [5, 6, 7, 8, 9]


def test_evidence_of_two_views_does_not_mix() -> None:
    other = View(VIEW.documents)
    with pytest.raises(ValueError, match="two views"):
        Evidence.of(VIEW, [1]) | Evidence.of(other, [1])


@pytest.mark.parametrize("rows", [[2, 1], [1, 1], [-1], [99]])
def test_rows_out_of_order_or_outside_the_view_are_refused(rows: list[int]) -> None:
    with pytest.raises(ValueError, match="ascending"):
        Evidence(VIEW, np.array(rows))


def test_a_source_remembers_who_found_a_row() -> None:
    united = Evidence.of(VIEW, [1, 2], source="a") | Evidence.of(VIEW, [2, 3], source="b")
    assert united.sources["a"].tolist() == [True, True, False]
    assert united.sources["b"].tolist() == [False, True, True]

"""Retrieval and faithfulness metrics."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.evaluation.metrics import (
    block_recall,
    faithfulness,
    irrelevant_pages,
    page_recall,
    passages,
    perfect_recall,
)

PAGES = st.lists(st.integers(1, 9), max_size=6)


@pytest.mark.parametrize(
    ("gold", "pages", "perfect", "irrelevant", "recall"),
    [
        ([3, 5], [5, 3], 1.0, 0.0, 1.0),
        ([3, 5], [3, 4, 5, 6], 1.0, 0.5, 1.0),
        ([3, 5], [3, 4], 0.0, 0.5, 0.5),
        ([3], [], 0.0, 0.0, 0.0),
        ([3], [3, 3], 1.0, 0.0, 1.0),
    ],
)
def test_page_metrics_follow_their_definitions(gold, pages, perfect, irrelevant, recall) -> None:
    assert perfect_recall.score(gold, pages) == perfect
    assert irrelevant_pages.score(gold, pages) == irrelevant
    assert page_recall.score(gold, pages) == recall


def test_a_cut_ranking_counts_its_first_pages_only() -> None:
    assert perfect_recall.at([3, 5], [3, 4, 5], 2) == 0.0
    assert perfect_recall.at([3, 5], [3, 4, 5], 3) == 1.0
    assert page_recall.at([3, 5], [3, 4, 5], 2) == 0.5


@given(PAGES, PAGES)
def test_perfect_recall_is_recall_of_everything(gold: list[int], pages: list[int]) -> None:
    assert (perfect_recall.score(gold, pages) == 1.0) == (page_recall.score(gold, pages) == 1.0)


@given(PAGES, PAGES, st.integers(0, 5))
def test_recall_never_falls_with_more_pages(gold: list[int], ranking: list[int], count: int) -> None:
    assert page_recall.at(gold, ranking, count) <= page_recall.at(gold, ranking, count + 1)


def test_block_recall_counts_ids() -> None:
    assert block_recall.score(["b1", "b2"], ["b2", "b9"]) == 0.5


def test_a_gold_text_is_found_when_most_of_its_runs_are_retrieved() -> None:
    gold = "net sales rose by nine percent in the second quarter of the year"
    assert block_recall.of_texts([gold], ["In short: net sales rose by nine percent in the second quarter."]) == 1.0
    assert block_recall.of_texts([gold], ["sales of the year rose in the quarter"]) == 0.0
    assert block_recall.of_texts(["short text"], ["a short text"]) == 1.0
    assert block_recall.of_texts(["!!"], ["a text"]) == 0.0


def test_passages_are_scored_by_the_rank_of_the_first_that_holds_an_answer() -> None:
    texts = ["nothing here", "Paris is large", "Lyon and Paris"]
    answer = [["Paris"], ["Lyon"], ["Nice"]]
    assert passages.score(answer, texts) == pytest.approx((1 / 2 + 1 / 3 + 0) / 3)
    assert passages.string_em(answer, texts) == pytest.approx(2 / 3)
    assert passages.string_hit(answer, texts) == 0.0
    assert passages.length(texts) == 8.0
    assert passages.score(answer, []) == 0.0


def test_faithfulness_is_silent_where_a_question_says_nothing() -> None:
    assert faithfulness.verbatim([]) is None
    assert faithfulness.verbatim([True, False]) == 0.5
    assert faithfulness.cited_gold([], [1]) is None
    assert faithfulness.cited_gold([1], []) is None
    assert faithfulness.cited_gold([1, 2], [2, 3]) == 0.5
    assert faithfulness.refused_unanswerable(answerable=True, refused=True) is None
    assert faithfulness.refused_unanswerable(answerable=False, refused=True) == 1.0
    assert faithfulness.refused_answerable(answerable=False, refused=True) is None
    assert faithfulness.refused_answerable(answerable=True, refused=True) == 1.0

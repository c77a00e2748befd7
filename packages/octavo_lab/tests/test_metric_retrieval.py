"""Metrics of retrieval and of citations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo_lab.metrics.registry import METRICS
from octavo_lab.metrics.retrieval import irrelevant, passage_score, perfect, recall, text_recall
from octavo_lab.question import CheckedCitation, Question, Response, ScoredResponse

PAGES = st.lists(st.integers(1, 9), max_size=6)


@pytest.mark.parametrize(
    ("gold", "pages", "all_found", "share_irrelevant", "share_found"),
    [
        ([3, 5], [5, 3], 1.0, 0.0, 1.0),
        ([3, 5], [3, 4, 5, 6], 1.0, 0.5, 1.0),
        ([3, 5], [3, 4], 0.0, 0.5, 0.5),
        ([3], [], 0.0, 0.0, 0.0),
        ([3], [3, 3], 1.0, 0.0, 1.0),
    ],
)
def test_page_metrics_follow_their_definitions(gold, pages, all_found, share_irrelevant, share_found) -> None:
    assert perfect(gold, pages) == all_found
    assert irrelevant(gold, pages) == share_irrelevant
    assert recall(gold, pages) == share_found


@given(PAGES, PAGES)
def test_perfect_recall_is_recall_of_everything(gold: list[int], pages: list[int]) -> None:
    assert (perfect(gold, pages) == 1.0) == (recall(gold, pages) == 1.0)


@given(PAGES, PAGES, st.integers(0, 5))
def test_recall_never_falls_with_more_pages(gold: list[int], ranking: list[int], count: int) -> None:
    assert recall(gold, ranking[:count]) <= recall(gold, ranking[: count + 1])


def test_a_gold_text_is_found_when_most_of_its_runs_are_retrieved() -> None:
    gold = "net sales rose by nine percent in the second quarter of the year"
    assert text_recall([gold], ["In short: net sales rose by nine percent in the second quarter."]) == 1.0
    assert text_recall([gold], ["sales of the year rose in the quarter"]) == 0.0
    assert text_recall(["short text"], ["a short text"]) == 1.0
    assert text_recall(["!!"], ["a text"]) == 0.0


def test_passages_are_scored_by_the_rank_of_the_first_that_holds_an_answer() -> None:
    texts = ["nothing here", "Paris is large", "Lyon and Paris"]
    answer = [["Paris"], ["Lyon"], ["Nice"]]
    assert passage_score(answer, texts) == pytest.approx((1 / 2 + 1 / 3 + 0) / 3)
    assert passage_score(answer, []) == 0.0


def test_citations_say_nothing_where_there_are_none_or_no_gold() -> None:
    cited = tuple(CheckedCitation("a.pdf", page, "b1", "x", is_verbatim=page == 2) for page in (2, 3))
    gold, bare = (Question("q", "What?", "a", ("a.pdf",), evidence_pages=pages) for pages in ((1, 2), ()))

    def of(question: Question, response: Response) -> list[float | None]:
        row = ScoredResponse(question, response, "a")
        return [METRICS[name].of(row) for name in ("citations_verbatim", "cited_pages_gold")]

    assert of(gold, Response(citations=cited)) == [0.5, 0.5]
    assert of(bare, Response(citations=cited)) == [0.5, None]
    assert of(gold, Response()) == [None, None]

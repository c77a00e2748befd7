"""AddPageBonuses and size: what ranks pages, and how many of them a question gets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.evidence import Evidence, Query, View
from octavo.operators.core import Run
from octavo.operators.keep import RELEVANCE, KeepByScoreGap
from octavo.operators.score.fuse import AddPageBonuses
from octavo_documents.document import Kind
from synthetic import document

PAGES = 40
VIEW = View([document([(Kind.PARAGRAPH, f"text {page}", page, 0) for page in range(1, PAGES + 1)])])
LOOK_UP = "What is the depth of the harbour?"
COUNT = "How many boats are moored on Sundays?"
WHOLE = "How many tables are in this report?"


def evidence(scores: dict[int, float], **columns: dict[int, float]) -> Evidence:
    """Return evidence of one block a page; scores and columns by page number."""
    made = Evidence.of(VIEW, [page - 1 for page in scores], **{RELEVANCE: list(scores.values())})
    for name, values in columns.items():
        made |= Evidence.of(VIEW, [page - 1 for page in values], **{name: list(values.values())})
    return made


def kept(
    found: Evidence, question: str = LOOK_UP, *, limit: int = PAGES, size: KeepByScoreGap | None = None
) -> list[int]:
    rows = (size or KeepByScoreGap())(found, Run(VIEW, query=Query(question, limit=limit))).rows
    return (rows + 1).tolist()


def falling(step: float, count: int = PAGES) -> dict[int, float]:
    return {page: 3.0 - step * (page - 1) for page in range(1, count + 1)}


def test_a_page_that_stands_out_comes_with_the_least_number_of_others() -> None:
    rest = dict.fromkeys(range(2, 30), 1.0)
    assert kept(evidence({1: 1.7, **rest})) == [1, 2, 3, 4, 5]
    assert kept(evidence({1: 1.9, **rest})) == [1, 2, 3]


def test_pages_that_score_alike_are_all_kept_up_to_the_most() -> None:
    assert len(kept(evidence(falling(0.0)))) == 20
    assert kept(evidence(falling(0.05))) == list(range(1, 11))


def test_a_count_gets_more_pages_for_the_same_scores() -> None:
    assert kept(evidence(falling(0.05)), COUNT) == list(range(1, 15))


def test_a_question_about_all_things_of_a_kind_gets_the_whole_number_however_its_scores_fall() -> None:
    assert kept(evidence(falling(1.0)), WHOLE) == list(range(1, 21))


def test_what_completes_a_unit_is_kept_and_what_is_only_near_is_not() -> None:
    found = evidence({1: 3.0}, contextual={2: 1.0, 3: 0.5, 30: 1.0}, same_unit={2: 1.0, 30: 1.0})
    found = found.with_score(RELEVANCE, np.nan_to_num(found.scores[RELEVANCE]))
    assert kept(found, size=KeepByScoreGap(least=1, sure=1)) == [1, 2, 30]


def test_an_agents_list_is_kept_with_a_few_of_the_best_beside_it_and_comes_first_under_a_limit() -> None:
    found = evidence(falling(0.01), listed={30: 1.0, 40: 1.0}, same_unit={12: 1.0})
    assert kept(found) == [1, 2, 3, 30, 40]
    assert kept(found, limit=3) == [1, 30, 40]


@given(
    st.dictionaries(st.integers(1, PAGES), st.floats(-2, 3), max_size=PAGES),
    st.sampled_from([LOOK_UP, COUNT, WHOLE]),
    st.integers(0, 12),
)
def test_the_limit_is_never_passed_and_nothing_better_is_left_out(
    scores: dict[int, float], question: str, limit: int
) -> None:
    pages = kept(evidence(scores), question, limit=limit)
    assert len(pages) <= limit
    left = [score for page, score in scores.items() if page not in pages]
    assert not pages or not left or min(scores[page] for page in pages) >= max(left)
    assert len(pages) >= min(limit, len(scores), KeepByScoreGap().sure)


def test_credit_adds_what_a_page_gains_to_all_its_blocks() -> None:
    rows = [(Kind.PARAGRAPH, "a", 1, 0), (Kind.CHART, "", 1, 0), (Kind.PARAGRAPH, "b", 2, 0)]
    view = View([document(rows)])
    found = Evidence.of(view, [0, 2], fused=[1.0, 0.5]) | Evidence.of(view, [1], symbolic=[1.0])
    plan = AddPageBonuses("fused", bonuses=(("symbolic", 0.4), ("listed", 1.0)))
    scored = plan(found, Run(view))
    assert scored.scores[RELEVANCE] == pytest.approx([1.0 + 0.4, 0.4, 0.5])


def test_credit_of_nothing_is_nothing() -> None:
    empty = Evidence(VIEW, np.zeros(0, np.int64), {"fused": np.zeros(0)})
    assert len((AddPageBonuses("fused") >> KeepByScoreGap())(empty, Run(VIEW))) == 0

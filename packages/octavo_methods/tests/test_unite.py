"""The union of paths: located pages first, the others by turns, each page once, as many as the limit allows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexed import run_over
from octavo.evidence import Evidence, Query
from octavo.operators.keep import RELEVANCE
from octavo.operators.read.image_evidence import LOCATED, NAMED_ELEMENT
from octavo.operators.score.search import VISUAL
from octavo_documents.document import Kind
from octavo_methods.dmap.document_map import InterleaveRankings
from synthetic import document

PAGES = 8
BOOK = document([(Kind.PARAGRAPH, f"Block {at}.", 1 + at // 2, 0) for at in range(2 * PAGES)])
RUN = run_over(BOOK)


def column(name: str, *pages: int) -> Evidence:
    """Evidence with a column that ranks these pages in this order, by the first block of each."""
    scores = {name: np.arange(len(pages), 0, -1.0)}
    return Evidence.of(RUN.view, [2 * (page - 1) for page in pages], source=name, **scores)


def united(*parts: Evidence, limit: int = 10) -> list[int]:
    found = parts[0]
    for part in parts[1:]:
        found = found | part
    RUN.query = Query("", limit=limit)
    return [hit.page for hit in InterleaveRankings()(found, RUN).pages(RELEVANCE)]


def test_located_pages_come_first_then_text_and_sight_by_turns() -> None:
    assert united(column(LOCATED, 7, 2), column(RELEVANCE, 3, 2, 5), column(VISUAL, 8, 3, 1)) == [7, 2, 3, 8, 5, 1]


def test_the_limit_caps_the_pages_from_the_end() -> None:
    assert united(column(LOCATED, 7, 2), column(RELEVANCE, 3, 5), limit=3) == [7, 2, 3]
    assert united(column(LOCATED, 7), limit=0) == []


@pytest.mark.parametrize("parts", [[], [LOCATED], [RELEVANCE], [VISUAL], [RELEVANCE, VISUAL]])
def test_paths_may_be_missing(parts: list[str]) -> None:
    found = Evidence.of(RUN.view, [])
    assert united(found, *(column(name, 4) for name in parts)) == ([4] if parts else [])


def test_within_a_page_blocks_stand_by_their_own_score_and_what_is_named_first() -> None:
    found = column(LOCATED, 1) | Evidence.of(RUN.view, [0, 1], fused=[0.2, 0.9])
    RUN.query = Query("")
    assert InterleaveRankings()(found, RUN).ranked(RELEVANCE).tolist() == [1, 0]
    named = Evidence(RUN.view, found.rows, found.scores, {NAMED_ELEMENT: np.array([True, False])})
    assert InterleaveRankings()(named, RUN).ranked(RELEVANCE).tolist() == [0, 1]


@given(st.lists(st.permutations(range(1, PAGES + 1)), min_size=3, max_size=3), st.integers(0, PAGES))
def test_pages_are_each_of_the_three_paths_once_and_located_ones_lead(orders: list[list[int]], limit: int) -> None:
    parts = [column(name, *order[:3]) for name, order in zip((LOCATED, RELEVANCE, VISUAL), orders, strict=True)]
    found = united(*parts, limit=limit)
    assert len(found) == len(set(found)) == min(limit, len({page for order in orders for page in order[:3]}))
    assert found[:3] == orders[0][:3][:limit]

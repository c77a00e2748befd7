"""Widening evidence over the map: which pages come next, in what order, and when there are none."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import pytest

from indexed import run_over
from located import GUIDE
from octavo.errors import UsageError
from octavo.evidence import Evidence, Query
from octavo.operators.keep import RELEVANCE
from octavo_documents.document import Document, Kind
from octavo_methods.dmap.reflect import WIDENED, Widen, lifted
from synthetic import document


def widened(
    pages: Sequence[int], source: Document = GUIDE, *, query: Query | None = None, count: int = 4, around: int = 3
) -> tuple[list[int], Evidence]:
    """Return the new pages, best first, after widening evidence that ranks some pages in this order."""
    run = run_over(source)
    run.query = query or Query("anything")
    rows = [row for row in range(len(source.blocks)) if source.blocks.page[row] in pages]
    scores = [float(len(pages) - list(pages).index(int(source.blocks.page[row]))) for row in rows]
    before = Evidence.of(run.view, rows, **{RELEVANCE: scores})
    after = Widen(count, around)(before, run)
    return [hit.page for hit in after.pages(RELEVANCE) if hit.page not in pages], after


def test_the_section_comes_first_then_the_section_above_then_the_neighbours() -> None:
    assert widened([5])[0] == [6]
    assert set(widened([5, 6])[0]) == {7, 8}
    assert set(widened([5, 6, 7, 8], around=4)[0]) == {4, 9}
    assert widened([1])[0] == [2]


def test_new_pages_rank_behind_those_they_are_near_and_are_marked() -> None:
    _, after = widened([5, 17], around=1)
    assert [hit.page for hit in after.pages(RELEVANCE)] == [5, 6, 17]
    assert set(GUIDE.blocks.page[after.rows[after.sources[WIDENED]]].tolist()) == {6}


def test_what_is_looked_for_orders_the_new_pages() -> None:
    query = Query("anything", sub_questions=("season bakers",))
    assert widened([9], query=query)[0][0] == 11


def test_sections_that_are_named_come_first_wherever_they_are() -> None:
    query = Query("anything", sections=("appendix b  logs", "No such title"))
    assert set(widened([5], query=query)[0]) == {6, 17, 18}
    assert widened([5], query=query)[0][-1] == 6


def test_no_more_pages_come_than_asked_for() -> None:
    assert len(widened([9], count=2)[0]) == 2
    assert len(widened([9], query=Query("anything", limit=2))[0]) == 1
    assert widened([9], query=Query("anything", limit=1))[0] == []


def test_only_the_best_pages_are_widened_around() -> None:
    assert set(widened([17, 5], around=1)[0]) == {18}


def test_evidence_without_anything_new_stays_as_it_is() -> None:
    alone = document([(Kind.HEADING, "One", 1, 1), (Kind.PARAGRAPH, "All.", 1, 0)])
    assert widened([1], alone)[0] == []
    new, after = widened(list(range(1, 21)))
    assert new == []
    assert WIDENED not in after.sources


def test_blank_pages_are_nothing_new() -> None:
    sparse = document([(Kind.PARAGRAPH, "Here.", 1, 0)], pages=2)
    assert widened([1], sparse)[0] == []


def test_no_evidence_widens_to_what_is_named_alone() -> None:
    run = run_over(GUIDE)
    nothing = Evidence.of(run.view, [], **{RELEVANCE: []})
    run.query = Query("anything")
    assert len(Widen()(nothing, run)) == 0
    run.query = Query("anything", sections=("3 Crew",))
    assert {hit.page for hit in Widen()(nothing, run).pages(RELEVANCE)} == {9, 10, 11, 12}


def test_pages_that_are_lifted_rank_above_all_others_in_their_own_order() -> None:
    view = run_over(GUIDE).view
    found = Evidence.of(view, [0, 3, 8, 9], **{RELEVANCE: [4.0, 3.0, 1.0, 2.0]})
    assert lifted(found, [4, 5]).ranked(RELEVANCE).tolist() == [9, 8, 0, 3]
    assert lifted(found, []).ranked(RELEVANCE).tolist() == found.ranked(RELEVANCE).tolist()
    assert np.isfinite(lifted(dataclasses.replace(found), [0]).scores[RELEVANCE]).all()


@pytest.mark.parametrize("wrong", [(0, 1), (1, 0)])
def test_widening_by_nothing_is_refused(wrong: tuple[int, int]) -> None:
    with pytest.raises(UsageError):
        Widen(*wrong)

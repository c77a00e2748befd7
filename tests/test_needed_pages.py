"""How many pages a question needs: by rank, by gaps between scores, by what it asks, within its bounds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexed import run_over
from octavo.document import Evidence, Kind, Query
from octavo.operators.auto.add_best_section import AddBestSection
from octavo.operators.auto.keep_by_chance import KeepByChance, chance_of_need
from octavo.operators.auto.keep_named import KeepNamed
from octavo.operators.score.search import Search
from synthetic import document

PAGES = 40
LONG = document([(Kind.PARAGRAPH, f"herring {page}", page, 0) for page in range(1, PAGES + 1)])


def kept(scores: list[float], *, limit: int = 100, unit: tuple[int, ...] = (), **given: object) -> list[int]:
    """Return the pages kept of those with these scores, in order of pages."""
    run = run_over(LONG, limit=limit)
    marks = [1.0 if at in unit else np.nan for at in range(len(scores))]
    evidence = Evidence.of(run.view, range(len(scores)), relevance=scores, unit=marks)
    found = KeepByChance(**given)(evidence, run)  # type: ignore[arg-type]
    return sorted({int(page) + 1 for page in run.view.page_index[found.rows]})


def test_one_page_that_stands_out_brings_the_least() -> None:
    assert kept([3.0, *[0.5] * 20]) == [1, 2, 3, 4]


def test_pages_that_are_all_alike_are_kept_in_number() -> None:
    alike, apart = kept([1.0] * 30), kept([3.0, *[0.5] * 29])
    assert len(alike) > 2 * len(apart)


def test_a_question_about_every_thing_gets_more_and_never_more_than_the_most() -> None:
    scores = [2.0 - 0.05 * at for at in range(40)]
    assert len(kept(scores, every=True)) > len(kept(scores))
    assert len(kept([1.0] * 40, every=True, most=12)) == 12


def test_a_page_of_the_unit_keeps_those_before_it() -> None:
    scores = [2.0 - 0.2 * at for at in range(30)]
    assert len(kept(scores, unit=(9,))) >= len(kept(scores))


@given(st.lists(st.floats(0, 5), min_size=1, max_size=PAGES), st.integers(1, 30))
def test_the_best_pages_are_kept_and_the_limit_holds(scores: list[float], limit: int) -> None:
    pages = kept(scores, limit=limit)
    assert 1 <= len(pages) <= limit
    left_out = [score for at, score in enumerate(scores, start=1) if at not in pages]
    assert max(left_out, default=0.0) <= min(scores[page - 1] for page in pages)


@given(st.lists(st.floats(0, 3), min_size=1, max_size=30))
def test_chances_lie_between_0_and_1_and_fall_with_rank(scores: list[float]) -> None:
    ordered = np.sort(np.array(scores))[::-1]
    chances = chance_of_need(ordered, np.zeros(len(ordered), np.bool_), every=False)
    assert bool(((chances > 0) & (chances < 1)).all())
    assert bool((np.diff(chances) <= 0).all())


def test_no_evidence_needs_no_page() -> None:
    assert kept([]) == []


def test_named_pages_are_kept_whatever_they_score() -> None:
    run = run_over(LONG)
    scores = [float(at) for at in range(10)]
    named = [1.0 if at == 0 else np.nan for at in range(10)]
    found = KeepNamed(2)(Evidence.of(run.view, range(10), relevance=scores, named=named), run)
    assert run.view.page_index[found.rows].tolist() == [0, 8, 9]


def test_the_unit_is_the_section_of_the_best_block() -> None:
    rows = [
        (Kind.HEADING, "1 Nets", 1, 1),
        (Kind.PARAGRAPH, "herring", 1, 0),
        (Kind.PARAGRAPH, "cod", 2, 0),
        (Kind.HEADING, "2 Ropes", 3, 1),
        (Kind.PARAGRAPH, "hemp", 3, 0),
    ]
    run = run_over(document(rows))
    found = AddBestSection("bm25")(Search("bm25")(Query("herring"), run), run)
    assert found.rows[~np.isnan(found.scores["unit"])].tolist() == [0, 1, 2]


@pytest.mark.parametrize("pages", [1, 2])
def test_a_long_section_is_no_unit(pages: int) -> None:
    rows = [(Kind.HEADING, "1 Nets", 1, 1), *((Kind.PARAGRAPH, "cod", page, 0) for page in range(2, 5))]
    rows.insert(1, (Kind.PARAGRAPH, "herring", 1, 0))
    run = run_over(document(rows))
    found = AddBestSection("bm25", pages)(Search("bm25")(Query("herring"), run), run)
    assert not (found.scores["unit"] == 1).any()

"""Operators: they compose, print as their plan, say what they need, and leave a trace."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexed import run_over
from octavo.errors import CorpusError, UsageError
from octavo.evidence import Evidence, Query
from octavo.operators.core import Run, Step, Then
from octavo.operators.keep import RELEVANCE, RankPages
from octavo.operators.score.fuse import AddNeighbourPages
from octavo.operators.score.refer import Refer, named_pages
from octavo.operators.score.search import Search, spread
from octavo_documents.document import Document, Kind, TextColumn
from synthetic import document, documents

REPORT = document(
    [
        (Kind.TITLE, "Annual report", 1, 0),
        (Kind.HEADING, "1 Revenue", 1, 1),
        (Kind.PARAGRAPH, "Revenue was $3.1 million in 2015.", 1, 0),
        (Kind.HEADING, "2 Staff", 2, 1),
        (Kind.PARAGRAPH, "The company employs 420 people in Graz.", 2, 0),
        (Kind.PARAGRAPH, "Table 2 lists the sites.", 2, 0),
        (Kind.CAPTION, "Table 2: Staff by site", 3, 0),
        (Kind.PARAGRAPH, "Wien 300", 3, 0),
        (Kind.PAGE_FOOTER, "Revenue people staff", 3, 0),
    ],
    pages=4,
)


@dataclasses.dataclass(frozen=True)
class First(Step[Query, Evidence]):
    """The first row."""

    def apply(self, value: Query, using: Run) -> Evidence:
        return Evidence.of(using.view, [0], source="first", first=[1.0])


@dataclasses.dataclass(frozen=True)
class Last(Step[Evidence, Evidence]):
    """The last row of the evidence."""

    def apply(self, value: Evidence, using: Run) -> Evidence:
        return value.keep(value.rows == value.rows[-1])


def test_then_runs_both_in_order_and_both_unites() -> None:
    run = run_over(REPORT)
    found = (First() | Search("bm25"))(Query("people"), run)
    assert {"first", "bm25"} <= found.scores.keys()
    assert (First() >> Last())(Query("x"), run).rows.tolist() == [0]


def test_an_operator_prints_as_its_plan() -> None:
    plan = (Search("bm25") | Search("dense")) >> RankPages("bm25") >> Last()
    assert repr(plan) == ("(Search(kind='bm25') | Search(kind='dense')) >> RankPages(by='bm25', most=None) >> Last()")


def test_plans_compare_by_value() -> None:
    assert Search("bm25") >> Last() == Search("bm25") >> Last() != Search("dense") >> Last()


def test_a_plan_needs_what_its_parts_need() -> None:
    plan = (First() | Search("dense")) >> Last()
    assert plan.needs() == {"passages", "vectors"}
    assert isinstance(plan, Then)


def test_the_trace_tells_rows_in_and_out_of_every_step() -> None:
    run = run_over(REPORT)
    (Search("bm25") >> Last())(Query("people revenue"), run)
    assert [(step.step, step.rows_in, step.rows_out) for step in run.trace] == [
        ("Search", len(REPORT.blocks), run.trace[0].rows_out),
        ("Last", run.trace[0].rows_out, 1),
    ]
    assert run.trace[0].parameters == {"kind": "bm25"}
    assert all(step.seconds >= 0 for step in run.trace)


def test_search_finds_the_block_and_leaves_furniture_out() -> None:
    run = run_over(REPORT)
    found = Search("bm25")(Query("How many people are employed?"), run)
    assert "420 people" in " ".join(REPORT.blocks.text.take(found.rows))
    assert not (REPORT.blocks.kind[found.rows] == Kind.PAGE_FOOTER).any()


def test_search_for_words_that_are_nowhere_finds_nothing() -> None:
    assert len(Search("bm25")(Query("zebra"), run_over(REPORT))) == 0


def test_an_unknown_search_names_those_there_are() -> None:
    with pytest.raises(UsageError, match="bm25, bm25_page, coverage, dense, dense_page"):
        Search("magic")


def test_scores_that_do_not_fit_the_passages_are_damage() -> None:
    with pytest.raises(CorpusError, match="passages"):
        spread(run_over(REPORT).view, "bm25", np.zeros(99))


@given(documents(), st.integers(0, 5))
def test_ranked_pages_are_at_most_the_limit_and_the_best(source: Document, limit: int) -> None:
    run = run_over(source, limit=limit)
    every = Evidence.where(run.view, run.view.is_content).with_score(
        "score", np.arange(int(run.view.is_content.sum()), dtype=float)
    )
    kept = RankPages("score")(every, run)
    pages = [hit.page for hit in kept.pages(RELEVANCE)]
    assert pages == [hit.page for hit in every.pages("score")][:limit]
    assert kept.scores[RELEVANCE].tolist() == kept.scores["score"].tolist()


def test_a_page_gains_from_a_good_one_beside_it_in_its_document() -> None:
    one, other = (document([(Kind.PARAGRAPH, str(page), page, 0) for page in (1, 2, 3)], name=name) for name in "ab")
    run = run_over(one, other)
    scored = Evidence.of(run.view, range(6), score=[0.0, 0.2, 1.0, 0.5, 0.1, 0.0])
    raised = AddNeighbourPages("score", 0.1)(scored, run).scores["score"]
    assert raised == pytest.approx([0.02, 0.3, 1.02, 0.51, 0.15, 0.01])


def test_ranking_nothing_gives_nothing() -> None:
    run = run_over(REPORT)
    assert len(RankPages("bm25")(Search("bm25")(Query("zebra"), run), run)) == 0


@pytest.mark.parametrize(
    ("question", "pages"),
    [
        ("What is on page 3?", [3]),
        ("How many colours are in slide 2?", [2]),
        ("Compare pages 1-3", [1, 2, 3]),
        ("the chart on pages 1 and 4", [1, 4]),
        ("How many people stand on the last page?", [4]),
        ("the second to last slide", [3]),
        ("Which date is on the cover page?", [1]),
        ("the email on the second page", [2]),
        ("page 99", []),
        ("How many pages are there?", []),
        ("In 2015, on slides", []),
    ],
)
def test_pages_are_found_by_number_and_place(question: str, pages: list[int]) -> None:
    assert named_pages(question, REPORT) == pages


def test_printed_labels_name_pages_too() -> None:
    pages = dataclasses.replace(REPORT.pages, label=TextColumn.of(["i", "ii", "1", "2"]))
    assert named_pages("What is on page 1?", dataclasses.replace(REPORT, pages=pages)) == [1, 3]


def test_a_label_leads_to_the_page_of_its_caption_not_of_its_mention() -> None:
    found = Refer()(Query("What does Table 2 show?"), run_over(REPORT))
    assert {int(page) for page in REPORT.blocks.page[found.rows]} == {3}


def test_a_question_without_references_names_nothing() -> None:
    assert len(Refer()(Query("Who keeps the light?"), run_over(REPORT))) == 0


def test_a_section_is_found_by_its_number() -> None:
    found = Refer()(Query("Summarise section 2"), run_over(REPORT))
    assert {int(page) for page in REPORT.blocks.page[found.rows]} == {2}


def test_the_coverage_of_a_passage_is_the_share_of_the_questions_terms() -> None:
    run = run_over(REPORT)
    found = Search("coverage")(Query("people zebra"), run)
    assert 0 < found.scores["coverage"].max() < 1
    whole = Search("coverage")(Query("people"), run)
    assert whole.scores["coverage"].max() == pytest.approx(1.0)


def test_a_page_scores_the_mean_of_its_passages_by_meaning() -> None:
    run = run_over(REPORT)
    question = Query("How many people are employed?")
    single, paged = Search("dense")(question, run), Search("dense_page")(question, run)
    assert paged.scores["dense_page"].max() <= single.scores["dense"].max() + 1e-6

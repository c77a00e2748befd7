"""Filters of global questions: pages as printed or counted, sections by title or number, kinds, and topics."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexed import run_over
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Evidence, Query, View
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Run
from octavo.operators.score.search import Search
from octavo_documents.document import Document, FigureKind, Kind, TextColumn
from octavo_methods.bookrag.plan import PlanQuestion
from octavo_methods.bookrag.reasoning import TextReasoning
from octavo_methods.bookrag.select import ITEM, Everything, FilterModal, FilterRange, FilterTopic, sections_named
from synthetic import Row, document, documents

ROWS: list[Row] = [
    (Kind.TITLE, "Ferries", 1, 0),
    (Kind.HEADING, "Chapter 1 Fleet", 2, 1),
    (Kind.FIGURE, "", 2, 0),
    (Kind.TABLE, "Ferry | Length\nGrey Heron | 38", 3, 0),
    (Kind.HEADING, "1.1 Crew", 4, 2),
    (Kind.FIGURE, "crew on deck", 4, 0),
    (Kind.HEADING, "1.2 Fuel", 5, 2),
    (Kind.CHART, "fuel 2019 2020", 5, 0),
    (Kind.HEADING, "Chapter 2 Harbour dues", 11, 1),
    (Kind.TABLE, "Berth | Fee\nPier two | 12", 11, 0),
    (Kind.CHART, "dues 2019 2020", 12, 0),
    (Kind.PAGE_FOOTER, "Quill Press", 12, 0),
    (Kind.HEADING, "Appendix A Forms", 13, 1),
    (Kind.TABLE, "Form | Use", 13, 0),
]
BOOK = document(ROWS)


def labelled(source: Document, *labels: str) -> Document:
    """Return the document with other printed page numbers."""
    return dataclasses.replace(source, pages=dataclasses.replace(source.pages, label=TextColumn.of(labels)))


def filtered(question: str, source: Document = BOOK, **understood: object) -> list[int]:
    """Return the rows that the nested filters leave, of a question planned by its words or as told."""
    run = run_over(source)
    query = PlanQuestion()(Query(question), run)
    run.query = dataclasses.replace(query, **understood)  # type: ignore[arg-type]
    return (Everything() >> FilterRange() >> FilterModal())(run.query, run).rows.tolist()


def ranged(question: str, source: Document = BOOK, **understood: object) -> list[int]:
    run = run_over(source)
    run.query = dataclasses.replace(PlanQuestion()(Query(question), run), **understood)  # type: ignore[arg-type]
    found = (Everything() >> FilterRange())(run.query, run)
    return sorted(set(run.view.blocks.page[found.rows].tolist()))


def test_pages_and_figures_are_filtered_one_inside_the_other() -> None:
    assert filtered("How many figures are on pages 3-10?") == [5, 7]
    assert filtered("How many images are on pages 3-10?") == [5]
    assert filtered("How many tables are on pages 3-10?") == [3]


@pytest.mark.parametrize(
    ("pages", "kept"), [(((5, 5),), [5]), (((3, 10),), [3, 4, 5]), (((2, 2), (12, 13)), [2, 12, 13])]
)
def test_pages_are_numbers_ranges_and_lists(pages: tuple[tuple[int, int], ...], kept: list[int]) -> None:
    assert ranged("What is there?", pages=pages) == kept


def test_pages_are_numbered_as_printed_where_the_whole_range_is_printed() -> None:
    book = labelled(BOOK, "i", "ii", *(str(number) for number in range(1, 12)))
    assert ranged("What is on pages 1-2?", book, pages=((1, 2),)) == [3, 4]
    assert ranged("What is on pages 10-12?", book, pages=((10, 12),)) == [11, 12]
    assert ranged("What is on the first 2 pages?", book, pages=((1, 2),)) == [1, 2]


def test_a_filter_that_names_nothing_there_is_lets_everything_through() -> None:
    everything = ranged("What is there?")
    assert ranged("What is on page 99?", pages=((99, 99),)) == everything
    assert ranged("What is in the epilogue?", sections=("epilogue",)) == everything


@pytest.mark.parametrize(("name", "title"), [("section 2", "2 Method"), ("section A.2", "A.2 Prompts")])
def test_section_2_is_heading_2_and_not_a_2(name: str, title: str) -> None:
    titles = ("1 Aims", "2 Method", "2.1 Ropes", "A Notes", "A.2 Prompts", "Table of 2 tides")
    run = run_over(document([(Kind.HEADING, one, at, 1) for at, one in enumerate(titles, start=1)]))
    assert [titles[row] for row in sections_named(run.view, name)] == [title]
    without = run_over(document([(Kind.HEADING, one, 1, 1) for one in titles if one != title]))
    assert sections_named(without.view, name) == []


@pytest.mark.parametrize("name", ["Harbour dues", "harbour due", "Chapter 2", "chapter II", "Section 2"])
def test_a_section_is_found_by_title_and_by_number(name: str) -> None:
    assert sections_named(run_over(BOOK).view, name) == [8]


def test_a_title_that_says_no_more_comes_before_longer_ones() -> None:
    book = document([(Kind.HEADING, "Crew training", 1, 1), (Kind.HEADING, "Crew", 2, 1)])
    assert sections_named(run_over(book).view, "the crew section") == [1]


def test_a_section_is_filtered_with_all_that_is_inside_it() -> None:
    assert filtered("How many charts are in Chapter 1?") == [7]
    assert filtered("How many tables are there in the section Harbour dues?", sections=("Harbour dues",)) == [9]


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("How many chapters does the book have?", [1, 8]),
        ("How many sections does the book have?", [1, 8, 12]),
        ("How many subsections are there in the book?", [4, 6]),
        ("How many headings are there in the book?", [1, 4, 6, 8, 12]),
    ],
)
def test_chapters_are_the_outermost_headings_that_say_so(question: str, kept: list[int]) -> None:
    assert filtered(question) == kept


def test_a_title_over_all_headings_is_no_section_of_the_book() -> None:
    book = document([(Kind.HEADING, "Ferries", 1, 1), (Kind.HEADING, "Fleet", 1, 2), (Kind.HEADING, "Dues", 2, 2)])
    assert filtered("How many sections are there in the report?", book) == [1, 2]


def test_figures_stand_in_for_charts_only_where_nothing_is_told_to_be_one() -> None:
    assert filtered("How many charts are shown?") == [7, 10]
    plain = document([(Kind.FIGURE, "", 1, 0), (Kind.FIGURE, "", 2, 0), (Kind.PARAGRAPH, "x", 2, 0)])
    kinds = np.array([FigureKind.OTHER, FigureKind.PHOTO, 0], np.uint8)
    plain = dataclasses.replace(plain, blocks=dataclasses.replace(plain.blocks, figure=kinds))
    assert filtered("How many charts are shown?", plain) == [0]
    assert filtered("How many charts and images are shown?") == [2, 5, 7, 10]


def test_a_question_that_names_no_kind_has_no_items() -> None:
    assert filtered("How many ferries does this report mention?") == []


@given(documents(), st.sampled_from([(Kind.TABLE,), (Kind.HEADING,), (Kind.CHART, Kind.FIGURE)]), st.integers(1, 9))
def test_filters_only_take_away_and_items_are_of_their_kinds(
    source: Document, kinds: tuple[Kind, ...], page: int
) -> None:
    run = run_over(source)
    run.query = Query("How many?", kinds=kinds, pages=((page, page),))
    found = (Everything() >> FilterRange() >> FilterModal())(run.query, run)
    assert run.view.is_content[found.rows].all()
    assert {Kind(kind) for kind in run.view.blocks.kind[found.rows]} <= set(kinds)
    assert found.sources[ITEM].all()


# Topics

ITEMS = Everything() >> FilterModal() >> TextReasoning(Search("bm25"), by="bm25")
TABLES = Query("How many tables are about fees?", kinds=(Kind.TABLE,), topic="fees")


def test_items_about_the_topic_are_kept_by_rule() -> None:
    run = run_over(BOOK)
    run.query = TABLES
    assert (ITEMS >> FilterTopic())(TABLES, run).rows.tolist() == [9]
    assert run.decided_by == {"rule": 1}


def test_a_model_judges_items_several_in_a_call() -> None:
    run = run_over(BOOK)
    run.query = TABLES
    verdicts = {"items": [{"id": 1, "satisfies": True}, {"id": 2, "satisfies": False}, {"id": 3, "satisfies": True}]}
    model = ScriptedModel([json.dumps(verdicts)])
    run.judge = Judge({"language": model})
    assert (ITEMS >> FilterTopic())(TABLES, run).rows.tolist() == [3, 13]
    assert model.calls == 1


def test_without_a_topic_all_items_stay_and_nothing_is_asked() -> None:
    run = run_over(BOOK)
    run.query = dataclasses.replace(TABLES, topic="")
    assert (ITEMS >> FilterTopic())(run.query, run).rows.tolist() == [3, 9, 13]
    assert not run.decided_by


def test_no_more_than_the_best_items_are_judged() -> None:
    run = run_over(BOOK)
    run.query = TABLES
    assert (ITEMS >> FilterTopic(most=1))(TABLES, run).rows.tolist() == [9]
    assert (ITEMS >> FilterTopic(most=0))(TABLES, run).rows.tolist() == []


@given(documents(), st.data())
def test_of_headings_those_that_stand_in_as_many_others_are_the_outer_and_the_inner_ones(
    made: Document, data: st.DataObject
) -> None:
    blocks, view = made.blocks, View([made])
    headings = [row for row in range(len(blocks)) if blocks.kind_of(row) == Kind.HEADING and data.draw(st.booleans())]
    around = {row: len(set(blocks.ancestors(row)) & {*headings}) for row in headings}
    first = int([*around.values()].count(0) == 1 and 1 in around.values())
    for question, depth in (("How many sections are there?", first), ("How many subsections are there?", first + 1)):
        run = Run(view, query=Query(question, kinds=(Kind.HEADING,)))
        kept = FilterModal().apply(Evidence.of(view, headings), run).rows.tolist()
        assert kept == [row for row in headings if around[row] == depth]

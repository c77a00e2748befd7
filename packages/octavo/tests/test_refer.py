"""What references in a question lead to in a document: pages by number, label and place; things by label and title."""

from __future__ import annotations

import dataclasses

import pytest

from indexed import run_over
from octavo.evidence import Query
from octavo.operators.score.refer import Refer, labels_opening, named_pages, printed_pages
from octavo_documents.document import Kind, TextColumn
from synthetic import document

LOG = document(
    [
        (Kind.TITLE, "Harbour log", 1, 0),
        (Kind.HEADING, "Introduction", 2, 1),
        (Kind.PARAGRAPH, "The harbour.", 2, 0),
        (Kind.HEADING, "2 Mooring fees", 3, 1),
        (Kind.FIGURE, "", 3, 0),
        (Kind.CAPTION, "Figure 1: Quays", 3, 0),
        (Kind.TABLE, "fees", 4, 0),
        (Kind.CAPTION, "TABLE II: Fees", 4, 0),
        (Kind.HEADING, "Chapter IV Crew", 6, 1),
        (Kind.FIGURE, "", 6, 0),
        (Kind.CAPTION, "Figure 2-1. Bakers", 6, 0),
        (Kind.HEADING, "Appendix B Logs", 7, 1),
        (Kind.PARAGRAPH, "Day one.", 7, 0),
        (Kind.PARAGRAPH, "Day two.", 8, 0),
        (Kind.PARAGRAPH, "Day three.", 9, 0),
    ],
    pages=9,
)


@pytest.mark.parametrize(
    ("question", "pages"),
    [
        ("the first three pages", [1, 2, 3]),
        ("the last two pages", [8, 9]),
        ("the page before the last", [8]),
        ("page 2 of the appendix", [8]),
        ("the last page of Appendix B", [9]),
        ("the first page of chapter 4", [6]),
        ("page 7 of chapter 4", []),
        ("the page after Figure 1", [4]),
        ("two pages before Table II", [2, 3]),
        ("the page after page 3", [4]),
        ("pages 3, 5 and 40", [3, 5]),
        ("page 0", []),
    ],
)
def test_pages_are_found_by_position_and_from_other_things(question: str, pages: list[int]) -> None:
    assert named_pages(question, LOG) == pages


def test_a_range_printed_as_a_label_is_that_page_alone() -> None:
    labels = TextColumn.of(["i", "ii", "1-1", "1-2", "2-1", "2-4", "A-1", "A-2", "A-3"])
    labelled = dataclasses.replace(LOG, pages=dataclasses.replace(LOG.pages, label=labels))
    assert named_pages("on page 2-4", labelled) == [6]
    assert named_pages("on page A-3", labelled) == [9]
    assert named_pages("pages i and ii", labelled) == [1, 2]
    assert named_pages("pages 2-5", labelled) == [2, 3, 4, 5]


@pytest.mark.parametrize(
    ("question", "pages"),
    [
        ("What does Table 2 show?", {4}),
        ("What does Table II show?", {4}),
        ("Who is in chapter 4?", {6}),
        ("In the Mooring fees section, what is the fee?", {3}),
        ("What is said in the introduction?", {2}),
        ("What does the second figure show?", {6}),
        ("What does the last table show?", {4}),
        ("What does the first figure in Chapter IV show?", {6}),
        ("the table on the next page after Figure 1", {4}),
        ("the table below Figure 1", {3, 4}),
        ("What does Figure 2-1 show?", {6}),
        ("What does Figure 9 show?", set()),
    ],
)
def test_things_lead_to_the_pages_they_stand_on(question: str, pages: set[int]) -> None:
    found = Refer()(Query(question), run_over(LOG))
    assert {int(page) for page in LOG.blocks.page[found.rows]} == pages


def test_a_heading_is_known_by_its_number_alone() -> None:
    assert labels_opening("3.1 Results", is_heading=True) >= {("section", "3.1"), ("chapter", "3.1")}
    assert labels_opening("3.1 Results") == set()
    assert labels_opening("Chapter IV: Crew") == {("chapter", "iv"), ("chapter", "4")}


def test_a_number_printed_in_the_margin_leads_to_its_page_beside_the_one_the_file_counts() -> None:
    rows = [(Kind.PARAGRAPH, f"Body {page}.", page, 0) for page in range(1, 9)]
    rows += [(Kind.PAGE_FOOTER, f"Survey {printed}", page, 0) for page, printed in ((5, 1), (6, 2), (7, 3), (8, 4))]
    rows += [(Kind.PAGE_FOOTER, printed, page, 0) for page, printed in ((2, "i"), (3, "ii"), (4, "iii"))]
    survey = document(sorted(rows, key=lambda row: row[2]))
    assert named_pages("on page 3", survey) == [3, 7]
    assert named_pages("on p. iii", survey) == [4]
    assert named_pages("on page 8", survey) == [8]


def test_two_numbers_printed_on_one_page_of_the_file_both_lead_there() -> None:
    rows: list[tuple[Kind, str, int, int]] = []
    for page in (1, 2, 3):
        rows += [(Kind.PARAGRAPH, "Body.", page, 0), (Kind.PAGE_FOOTER, f"{2 * page + 10} Brochure", page, 0)]
        rows += [(Kind.PAGE_FOOTER, f"Brochure {2 * page + 11}", page, 0)]
    assert printed_pages(document(rows)) == {"12": [1], "13": [1], "14": [2], "15": [2], "16": [3], "17": [3]}


def test_a_number_that_does_not_count_up_is_no_page_number() -> None:
    rows = [(Kind.PAGE_FOOTER, "Report 2015", page, 0) for page in (1, 2, 3)]
    assert printed_pages(document(rows)) == {}


@pytest.mark.parametrize("question", ["the second page", "the last page", "the second cover page", "page 2"])
def test_a_blank_page_stands_for_the_next_one_inward_with_something_on_it(question: str) -> None:
    sparse = document([(Kind.PARAGRAPH, "Cover.", 1, 0), (Kind.PARAGRAPH, "Letter.", 3, 0)], pages=5)
    found = Refer()(Query(question), run_over(sparse))
    assert sparse.blocks.page[found.rows].tolist() == [3]


def test_a_title_in_another_spelling_is_found_when_no_heading_has_the_words_themselves() -> None:
    brochure = document([(Kind.HEADING, "Leadership programmes", 2, 1), (Kind.HEADING, "Leaders", 3, 1)])
    found = Refer()(Query("In the Leadership program section, who leads?"), run_over(brochure))
    assert brochure.blocks.page[found.rows].tolist() == [2]

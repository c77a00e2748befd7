"""Questions everybody asks first are told from structure; the others, however alike, are left to search."""

from __future__ import annotations

import pytest

from indexed import run_over, searched
from octavo import systems
from octavo.evidence import Answer, AnswerFormat, Outcome, Query
from octavo.operators.extractive.extractive_reader import about_documents
from octavo_documents.document import Document, Kind
from synthetic import Row, document, without_pages

ROWS: list[Row] = [
    (Kind.PAGE_HEADER, "Port Callan 2019", 1, 0),
    (Kind.TITLE, "Harbour report", 1, 0),
    (Kind.PARAGRAPH, "By Clara Weiss, May 2019.", 1, 0),
    (Kind.HEADING, "1 Summary", 2, 1),
    (Kind.PARAGRAPH, "This report tells how the harbour is run. It is for visitors.", 2, 0),
    (Kind.HEADING, "2 Staff", 2, 1),
    (Kind.PARAGRAPH, "The company employs 420 people.", 2, 0),
    (Kind.HEADING, "2.1 Night staff", 3, 2),
    (Kind.PARAGRAPH, "The pier is 94 metres long. Dogs sleep in the office.", 3, 0),
    (Kind.HEADING, "3 Safety", 4, 1),
    (Kind.PARAGRAPH, "Smoking is not allowed.", 4, 0),
]
REPORT = document(ROWS, pages=5)


def told(question: str, *sources: Document) -> Answer | None:
    run, evidence = searched(question, *(sources or (REPORT,)))
    return about_documents(question, evidence, run)


def known(question: str, *sources: Document) -> Answer:
    answer = told(question, *sources)
    assert answer is not None
    return answer


@pytest.mark.parametrize(
    "question",
    [
        "How many pages does this document have?",
        "How many pages does the report contain?",
        "How many pages is it?",
        "How many pages are there?",
        "How many pages are in this report?",
        "how long is the whole document",
        "What is the number of pages?",
        "Number of pages of this file",
    ],
)
def test_how_long_it_is_is_its_number_of_pages(question: str) -> None:
    answer = known(question)
    assert (answer.outcome, answer.text, answer.value) == (Outcome.ANSWER, "5 pages", 5)
    assert answer.format is AnswerFormat.INT
    assert [citation.page for citation in answer.citations] == [4]


def test_one_page_is_one_page() -> None:
    assert known("How long is it?", document([(Kind.PARAGRAPH, "The pier.", 1, 0)])).text == "1 page"


def test_text_without_pages_is_as_long_as_its_words() -> None:
    answer = known("How many pages does it have?", without_pages(document([(Kind.PARAGRAPH, "The old pier.", 1, 0)])))
    assert (answer.text, answer.format) == ("3 words; it has no pages", AnswerFormat.STR)


@pytest.mark.parametrize(
    "question",
    [
        "What are the main parts of this document?",
        "Which are its chapters?",
        "What are the sections?",
        "How is this report structured?",
        "Give me the outline of the report.",
    ],
)
def test_its_parts_are_its_main_headings(question: str) -> None:
    answer = known(question)
    assert answer.outcome is Outcome.ANSWER
    assert answer.value == ["1 Summary", "2 Staff", "3 Safety"]
    assert [citation.page for citation in answer.citations] == [2, 2, 4]
    assert answer.passages[0].text == "1 Summary (page 2)\n2 Staff (page 2)\n3 Safety (page 4)"


def test_the_parts_of_a_document_under_one_heading_are_those_right_below_it() -> None:
    rows: list[Row] = [(Kind.HEADING, "Harbour", 1, 1), *((Kind.HEADING, f"Part {at}", 1, 2) for at in "AB")]
    assert known("What are the main parts?", document(rows)).value == ["Part A", "Part B"]


def test_parts_of_text_without_pages_are_told_as_such() -> None:
    assert "2 Staff (part 2)" in known("What are its sections?", without_pages(REPORT)).passages[0].text


def test_a_document_without_headings_has_no_parts_to_tell() -> None:
    assert told("What are the sections?", document([(Kind.PARAGRAPH, "The pier.", 1, 0)])) is None


@pytest.mark.parametrize(
    "question",
    [
        "What is this about?",
        "What's this document?",
        "What does the report cover?",
        "What is the paper about?",
        "Summarize this document",
        "Give me a short summary of it.",
        "Overview",
    ],
)
def test_what_it_is_about_is_told_by_its_opening_its_summary_and_its_headings(question: str) -> None:
    answer = known(question)
    assert (answer.outcome, answer.text) == (Outcome.PASSAGES, "What the document says of itself, on page 1.")
    assert [passage.text for passage in answer.passages] == [
        "Harbour report\nBy Clara Weiss, May 2019.",
        "This report tells how the harbour is run. It is for visitors.",
        "1 Summary (page 2)\n2 Staff (page 2)\n3 Safety (page 4)",
    ]


def test_a_summary_that_opens_the_document_is_shown_once() -> None:
    rows: list[Row] = [(Kind.HEADING, "Abstract", 1, 1), (Kind.PARAGRAPH, "The harbour is run well.", 1, 0)]
    answer = known("What is this about?", document(rows))
    assert [passage.text for passage in answer.passages] == ["Abstract\nThe harbour is run well."]


def test_an_opening_ends_with_a_whole_sentence() -> None:
    text = " ".join(f"Sentence {at} " + "rope " * 27 + "end." for at in range(6))
    (opening,) = known("What is this about?", document([(Kind.PARAGRAPH, text, 1, 0)])).passages
    assert opening.text.endswith("end.")
    assert len(opening.text.split()) == 120


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote this report?",
        "Who is the author?",
        "Who put this report together?",
        "When was it published?",
        "What is the title of the document?",
    ],
)
def test_who_when_and_what_title_are_told_by_how_it_begins(question: str) -> None:
    answer = known(question)
    assert (answer.outcome, answer.text) == (Outcome.PASSAGES, "How the document begins, on page 1.")
    assert [passage.text for passage in answer.passages] == ["Harbour report\nBy Clara Weiss, May 2019."]


def test_how_text_without_pages_begins_is_told_by_its_part() -> None:
    assert known("Who is the author?", without_pages(REPORT)).text == "How the document begins, in part 1."


@pytest.mark.parametrize(
    "question",
    [
        "How long is the pier?",
        "How long does it take to cross?",
        "How many pages of the report are about dogs?",
        "Which chapter has the greatest number of pages?",
        "How many pages did Clara Weiss write?",
        "What are the parts of the pump?",
        "What are the main sections of the pier?",
        "How is the staff organised?",
        "What is the report of 1998 about?",
        "What is this pier about to lose?",
        "What does the report say about dogs?",
        "Summarize the section on staff",
        "Give me a summary of the night staff.",
        "Who wrote the safety rules?",
        "Who made the pump?",
        "Who is the author of the poem on the wall?",
        "When was the pier published in the press?",
        "When was it founded?",
        "What is the title of the second chapter?",
        "Which documents mention dogs?",
    ],
)
def test_questions_about_what_stands_in_it_are_left_to_search(question: str) -> None:
    assert told(question) is None


def test_nothing_is_told_of_an_empty_document() -> None:
    for question in ("How long is it?", "What is this about?", "Who is the author?", "What are its parts?"):
        assert told(question, document([], pages=2)) is None


OTHER = document([(Kind.PARAGRAPH, "Dogs and cats live on the ferry. Dogs bark.", 1, 0)], name="ferry.pdf")
THIRD = document([(Kind.PARAGRAPH, "The lighthouse is white.", 1, 0)], name="light.pdf")


@pytest.mark.parametrize(
    "question", ["Which documents mention dogs?", "What reports speak of dogs?", "Which files contain dogs?"]
)
def test_which_documents_names_them_with_a_passage_each(question: str) -> None:
    answer = known(question, REPORT, OTHER)
    assert (answer.outcome, answer.value) == (Outcome.PASSAGES, None)
    assert answer.text.startswith("The documents that come closest, the nearest first: ")
    assert {name for name in ("test.pdf", "ferry.pdf") if name in answer.text} == {"test.pdf", "ferry.pdf"}
    assert {passage.document for passage in answer.passages} == {"test.pdf", "ferry.pdf"}
    assert all("Dogs" in passage.text for passage in answer.passages)


def test_the_document_that_speaks_of_it_is_the_first() -> None:
    answer = known("Which documents are about the lighthouse?", REPORT, OTHER, THIRD)
    assert answer.text.startswith("The documents that come closest, the nearest first: light.pdf; ")
    assert answer.passages[0].text == "The lighthouse is white."


def test_which_documents_of_empty_ones_finds_none() -> None:
    assert told("Which documents mention dogs?", document([]), document([], name="b.pdf")) is None


def test_of_several_documents_the_other_first_questions_are_left_to_search() -> None:
    for question in ("How long is it?", "What is this about?", "Who is the author?", "What are the sections?"):
        assert told(question, REPORT, OTHER) is None


@pytest.mark.needs("octavo_methods")
def test_a_first_question_is_told_the_same_by_every_way_of_searching() -> None:
    for system in ("bm25", "hybrid", "bookrag"):
        answer = systems.run_ask(systems.get(system), Query("How many pages does it have?"), run_over(REPORT))
        assert (answer.text, answer.citations[0].page) == ("5 pages", 4)

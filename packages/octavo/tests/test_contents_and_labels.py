"""Entries of a table of contents answer nothing but where something stands; a label and its value are one."""

from __future__ import annotations

import pytest

from indexed import searched
from octavo.operators.extractive.extractive_reader import about_documents, best_passages
from octavo.operators.extractive.units import units_of
from octavo.operators.score.contents_lists import in_contents
from octavo.question import understand
from octavo_documents.document import Document, Kind
from synthetic import Row, document, without_pages

CHAPTERS = ("What must a branch reserve for lamps?", "Who pays for the lamps of the pier?", "Closing the lamp store")
CONTENTS: list[Row] = [
    (Kind.TITLE, "Lamps of Halden", 1, 0),
    (Kind.PARAGRAPH, "Table of contents", 1, 0),
    *[(Kind.LIST_ITEM, f"{title} {page}", 1, 1) for page, title in enumerate(CHAPTERS, 2)],
    (Kind.HEADING, CHAPTERS[0], 2, 1),
    (Kind.PARAGRAPH, "A branch sets aside one percent of what it takes in.", 2, 0),
    (Kind.HEADING, CHAPTERS[1], 3, 1),
    (Kind.PARAGRAPH, "The harbour office bears the cost.", 3, 0),
    (Kind.HEADING, CHAPTERS[2], 4, 1),
    (Kind.PARAGRAPH, "The store closes at nine. It opens again at six.", 4, 0),
    (Kind.LIST_ITEM, "Lamps on the pier 12", 4, 1),
]
SETTINGS: list[Row] = [
    (Kind.TITLE, "Settings", 1, 0),
    (Kind.HEADING, "most-clients", 1, 1),
    (Kind.LIST_ITEM, "Default value:", 1, 1),
    (Kind.PARAGRAPH, "128", 1, 0),
    (Kind.LIST_ITEM, "Notes:", 1, 1),
    (
        Kind.PARAGRAPH,
        "Clients are served until no room is left. Others wait. A low limit helps.",
        1,
        0,
    ),
]


@pytest.mark.parametrize("source", [document(CONTENTS, pages=4), without_pages(document(CONTENTS, pages=4))])
def test_entries_of_contents_are_told_by_their_pages_and_the_headings(source: Document) -> None:
    _, evidence = searched("lamps", source)
    inside = in_contents(evidence.view)
    assert [text for text, is_in in zip(evidence.view.blocks.text, inside, strict=True) if is_in] == [
        f"{title} {page}" for page, title in enumerate(CHAPTERS, 2)
    ]


def test_a_question_about_content_is_shown_the_section_and_not_its_entry() -> None:
    run, evidence = searched("What must a branch reserve for lamps?", document(CONTENTS, pages=4))
    shown = best_passages("What must a branch reserve for lamps?", evidence, run)
    assert "one percent" in shown[0].text
    marked = [one.text[start:stop] for one in shown for start, stop in one.emphasis]
    assert not {*marked} & {f"{title} {page}" for page, title in enumerate(CHAPTERS, 2)}


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Which page is the closing on?", True),
        ("Where can I find the rules for lamps?", True),
        ("Auf welcher Seite steht das?", True),
        ("What does Title I, Part A require?", False),
        ("How many pages are printed a day?", False),
    ],
)
def test_where_something_stands_is_asked_in_so_many_words(question: str, asks: bool) -> None:
    assert understand(question).asks_where_it_stands is asks


def test_a_label_and_the_short_value_below_it_are_one_unit() -> None:
    _, evidence = searched("most-clients default", document(SETTINGS, pages=1))
    said = [unit.text for unit in units_of(evidence.view, 0)]
    assert "Default value: 128" in said
    assert "128" not in said
    assert "Notes:" in said


def test_the_value_of_a_label_is_marked_and_quoted() -> None:
    run, evidence = searched("What is the default of most-clients?", document(SETTINGS, pages=1))
    first = best_passages("What is the default of most-clients?", evidence, run)[0]
    assert [first.text[start:stop] for start, stop in first.emphasis] == ["Default value: 128"]


def test_how_a_document_begins_is_told_without_its_contents() -> None:
    run, evidence = searched("Who wrote this?", document(CONTENTS, pages=4))
    answer = about_documents("Who wrote this?", evidence, run)
    assert answer is not None
    assert "Lamps of Halden" in answer.passages[0].text
    assert f"{CHAPTERS[0]} 2" not in answer.passages[0].text

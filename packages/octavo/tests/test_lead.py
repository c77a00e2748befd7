"""The first words of an answer: what was found and where, in the terms of each kind of document."""

from __future__ import annotations

import dataclasses

import pytest

from octavo.evidence import Answer, Citation, Evidence, Outcome, Passage, TraceStep, View
from octavo_documents.document import Kind
from octavo_documents.document.document import Document
from synthetic import Row, document, with_tables

ROWS: list[Row] = [
    (Kind.HEADING, "5 Boats", 1, 1),
    (Kind.PARAGRAPH, "The Tern is ~~nine~~ eleven metres long.", 1, 0),
    (Kind.CAPTION, "Table 5.2 Limits for landing", 2, 0),
    (Kind.TABLE, "", 2, 0),
    (Kind.LIST_ITEM, "a torch", 3, 1),
    (Kind.PARAGRAPH, "The pier is grey.", 3, 0),
]
GRID = [["Condition", "North Gut"], ["Swell height, m", "1.2"]]
BOATS = with_tables(document(ROWS, name="boats.pdf"), {3: GRID}, {3: 2})
OTHER = document([(Kind.PARAGRAPH, "Nothing here.", 1, 0)], name="other.pdf")


def labelled(source: Document, *labels: str) -> Document:
    from octavo_documents.document import TextColumn

    return dataclasses.replace(source, pages=dataclasses.replace(source.pages, label=TextColumn.of(labels)))


def answer(outcome: Outcome, *documents: Document, **more: object) -> Answer:
    view = View(documents or (BOATS,))
    told = Answer("q", "auto", "", outcome, Evidence.of(view, []), "relevance")
    return dataclasses.replace(told, **more)  # pyright: ignore[reportArgumentType]


def cited(row: int, *documents: Document) -> tuple[Citation, ...]:
    return (Citation.at(View(documents or (BOATS,)), row),)


def passage(row: int, *documents: Document, score: float = 0.8, emphasis: str = "") -> Passage:
    view = View(documents or (BOATS,))
    text = view.blocks.text[row]
    start = text.index(emphasis)
    return Passage.at(view, row, text, score=score, emphasis=((start, start + len(emphasis) or len(text)),))


@pytest.mark.parametrize(
    ("row", "lead"),
    [
        (3, "Found in Table 5.2, page 2"),
        (1, "Found in 5 Boats, page 1"),
        (5, "Found in 5 Boats, page 3"),
    ],
)
def test_an_answer_is_found_in_its_table_or_section_and_page(row: int, lead: str) -> None:
    assert answer(Outcome.ANSWER, citations=cited(row)).lead == lead


def test_of_several_documents_the_document_is_named_and_other_places_are_counted() -> None:
    places = (*cited(3, BOATS, OTHER), *cited(5, BOATS, OTHER))
    found = answer(Outcome.ANSWER, BOATS, OTHER, citations=places)
    assert found.lead == "Found in Table 5.2, page 2 of boats.pdf and in one other place"


@pytest.mark.parametrize(
    ("labels", "row", "lead"),
    [
        (("1", "22", "3"), 3, "Found in Table 5.2, page 2 (printed “22”)"),
        (("message 1", "message 2", "message 3"), 5, "Found in 5 Boats, message 3"),
        (("slide 1", "slide 2", "slide 3"), 1, "Found in 5 Boats, slide 1"),
        (("sheet 5 Boats", "sheet B", "sheet C"), 1, "Found in sheet 5 Boats"),
    ],
)
def test_pages_are_named_as_their_document_names_them(labels: tuple[str, ...], row: int, lead: str) -> None:
    source = labelled(BOATS, *labels)
    assert answer(Outcome.ANSWER, source, citations=cited(row, source)).lead == lead


def test_without_section_a_page_stands_alone_and_without_pages_the_document() -> None:
    assert answer(Outcome.ANSWER, OTHER, citations=cited(0, OTHER)).lead == "Found on page 1"
    text = labelled(OTHER, "part 1")
    assert answer(Outcome.ANSWER, text, citations=cited(0, text)).lead == "Found in other.pdf"


def test_passages_are_said_to_fit_and_not_to_answer() -> None:
    row, sentence = passage(3), passage(5)
    assert answer(Outcome.PASSAGES, passages=(row, sentence)).lead == "A row in Table 5.2, page 2, fits best"
    three = answer(Outcome.PASSAGES, passages=(sentence, row, passage(4)))
    assert three.lead == "In 5 Boats, page 3, it says: “The pier is grey”"
    fragment = dataclasses.replace(sentence, text="The pier", emphasis=((0, 8),))
    words = answer(Outcome.PASSAGES, passages=(fragment, row, passage(4)))
    assert words.lead == "Three passages fit; the closest is in 5 Boats, page 3"


def test_a_marked_sentence_is_said_first_and_of_a_short_item_the_whole() -> None:
    told, setting = passage(5), "idle_time: how long a client may be silent. Default: 30 seconds."
    item = dataclasses.replace(told, kind="list_item", text=f"Settings\n{setting}\nMore", emphasis=((9, 52),))
    assert answer(Outcome.PASSAGES, passages=(item,)).lead == f"In 5 Boats, page 3, it says: “{setting[:-1]}”"
    long = f"{'Gulls are watched on the pier every day of the year. ' * 6}Is it open? It is."
    start = long.index("Is it open?")
    asked = dataclasses.replace(told, text=long, emphasis=((0, 52),))
    assert answer(Outcome.PASSAGES, passages=(asked,)).lead.endswith(
        "“Gulls are watched on the pier every day of the year”"
    )
    short = dataclasses.replace(told, text=long, emphasis=((start, start + 11),))
    assert "it says" not in answer(Outcome.PASSAGES, passages=(short,)).lead
    assert answer(Outcome.PASSAGES, passages=(passage(4),)).lead == "An item of a list in 5 Boats, page 3, fits best"


def test_passages_far_below_the_first_are_not_said_to_fit() -> None:
    first, near, far = (
        dataclasses.replace(passage(row, score=score), emphasis=()) for row, score in ((5, 0.88), (3, 0.8), (4, 0.45))
    )
    place = "in 5 Boats, page 3"
    assert answer(Outcome.PASSAGES, passages=(first, far, far)).lead == f"The passage that fits best is {place}"
    assert answer(Outcome.PASSAGES, passages=(first, near, far)).lead == f"Two passages fit; the closest is {place}"
    low = tuple(dataclasses.replace(one, score=one.score / 3) for one in (first, far))
    assert answer(Outcome.PASSAGES, passages=low).lead == f"Two passages may fit; the closest is {place}"
    least = tuple(dataclasses.replace(first, score=score) for score in (0.4, 0.05))
    assert answer(Outcome.PASSAGES, passages=least).lead == f"The passage that comes closest is {place}"


def test_what_stands_nowhere_is_said_of_the_documents_that_were_all_opened() -> None:
    shown = (passage(5),)
    one = answer(Outcome.PASSAGES, passages=shown, looked_for=("2020",))
    assert one.lead == "“2020” stands nowhere in boats.pdf; the nearest is in 5 Boats, page 3"
    two = answer(Outcome.PASSAGES, BOATS, OTHER, passages=shown, looked_for=("2020", "Zanthor"))
    assert two.lead.startswith("“2020” and “Zanthor” stand nowhere in boats.pdf, other.pdf; the nearest is in 5 Boats")
    step = TraceStep("FirstStage", {"documents": 90}, 0, 0, 0.0)
    some = answer(Outcome.PASSAGES, passages=shown, looked_for=("2020",), trace=(step,))
    assert "nowhere" not in some.lead


def test_passages_of_little_likeness_only_come_closest() -> None:
    row, sentence = passage(3, score=0.2), passage(5, score=0.2)
    assert answer(Outcome.PASSAGES, passages=(row, sentence)).lead == "A row in Table 5.2, page 2, comes closest"
    two = answer(Outcome.PASSAGES, passages=(sentence, row))
    assert two.lead == "Two passages may fit; the closest is in 5 Boats, page 3"


def test_nothing_says_what_was_searched_and_for_which_words() -> None:
    told = answer(Outcome.NOTHING, BOATS, OTHER, looked_for=("zxqv blorptang",))
    assert told.lead == "Nothing in boats.pdf, other.pdf (4 pages) matches “zxqv blorptang”"
    refused = answer(Outcome.NOTHING, labelled(BOATS, "part 1", "part 2", "part 3"))
    assert refused.lead == "Nothing in boats.pdf was found that answers this"
    chosen = (TraceStep("FirstStage", {"documents": 1200}, 0, 0, 0.0),)
    many = answer(Outcome.NOTHING, BOATS, OTHER, OTHER, OTHER, looked_for=("x",), trace=chosen)
    assert many.lead == "Nothing in the best 4 of 1,200 documents (6 pages) matches “x”"


def test_what_is_struck_out_in_the_words_that_fit_is_said() -> None:
    struck = passage(1, emphasis="The Tern is ~~nine~~ eleven metres long.")
    told = answer(Outcome.PASSAGES, passages=(struck,))
    assert told.lead == "One passage fits, in 5 Boats, page 1; “nine” is struck out there"
    beside = passage(1, emphasis="eleven metres long")
    assert "struck" not in answer(Outcome.PASSAGES, passages=(beside,)).lead


def test_the_first_words_stand_in_json() -> None:
    assert answer(Outcome.ANSWER, citations=cited(3)).to_json()["lead"] == "Found in Table 5.2, page 2"
    assert answer(Outcome.PASSAGES, opening="How the document begins").to_json()["lead"] == "How the document begins"


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("• Fax: 202-493-2251.", "Fax: 202-493-2251"),
        ("- Boats of the harbour and of its guests", "Boats of the harbour and of its guests"),
        ("3. Tie the boat to the pier", "3. Tie the boat to the pier"),
    ],
)
def test_an_item_of_a_list_is_told_by_its_words_without_its_mark(text: str, quoted: str) -> None:
    item = dataclasses.replace(passage(4), text=text, emphasis=((0, len(text)),))
    assert answer(Outcome.PASSAGES, passages=(item,)).lead == f"In 5 Boats, page 3, it says: “{quoted}”"


def test_an_aside_is_not_told_for_what_is_asked() -> None:
    text = "(as the keeper of the pier.)"
    aside = dataclasses.replace(passage(5), text=text, emphasis=((0, len(text)),))
    assert "it says" not in answer(Outcome.PASSAGES, passages=(aside,)).lead

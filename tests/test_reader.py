"""The extractive reader: short answers in the document's words, with proof, or plainly none."""

from __future__ import annotations

import dataclasses
import json

import pytest

from indexed import run_over
from octavo import systems
from octavo.document import Answer, AnswerFormat, Document, Kind, Query, TextColumn
from octavo.operators.reading.grids import read_table
from octavo.operators.reading.lists import item_name
from octavo.operators.reading.sentences import sentences
from synthetic import Row, document

TABLE = [["", "2014", "2015"], ["Net income", "4,833", "5,363"], ["Total assets", "31,209", "32,718"]]
MONEY_TABLE = [["", "", "2015", "", "2014"], ["Goodwill", "$", "9,120", "$", "7,050"]]


def with_grids(source: Document, grids: dict[int, list[list[str]]]) -> Document:
    texts, stored = list(source.blocks.text), list(source.blocks.grid)
    for row, grid in grids.items():
        texts[row] = "\n".join(" | ".join(cells) for cells in grid)
        stored[row] = json.dumps(grid)
    blocks = dataclasses.replace(source.blocks, text=TextColumn.of(texts), grid=TextColumn.of(stored))
    return dataclasses.replace(source, blocks=blocks)


ROWS: list[Row] = [
    (Kind.TITLE, "Harbour report", 1, 0),
    (Kind.HEADING, "1 Overview", 1, 1),
    (Kind.PARAGRAPH, "The harbour was founded on 6 May 1871 by Clara Weiss. It lies near Port Callan.", 1, 0),
    (Kind.PARAGRAPH, "The company employs 420 people. About 38% of the staff work at night.", 1, 0),
    (Kind.HEADING, "2 Finance", 2, 1),
    (Kind.CAPTION, "Table 1: Key figures, millions of dollars", 2, 0),
    (Kind.TABLE, "filled below", 2, 0),
    (Kind.TABLE, "filled below", 2, 0),
    (Kind.HEADING, "3 Safety", 3, 1),
    (Kind.PARAGRAPH, "Every visitor needs the following equipment:", 3, 0),
    (Kind.LIST_ITEM, "• Helmet", 3, 1),
    (Kind.LIST_ITEM, "• Life jacket", 3, 1),
    (Kind.LIST_ITEM, "• Gloves: leather, not wool, and never wet", 3, 1),
    (Kind.PARAGRAPH, "Smoking is not allowed on the pier. Dogs are allowed in the office.", 3, 0),
    (Kind.HEADING, "4 Survey", 4, 1),
    (Kind.PARAGRAPH, "Lower fares", 4, 0),
    (Kind.PARAGRAPH, "18 %", 4, 0),
    (Kind.PARAGRAPH, "Longer hours", 4, 0),
    (Kind.PARAGRAPH, "27 %", 4, 0),
    (Kind.PARAGRAPH, "We sell ropes, anchors and sails to the fishing fleet.", 4, 0),
]
REPORT = with_grids(document(ROWS), {6: TABLE, 7: MONEY_TABLE})


def ask(question: str, source: Document = REPORT, system: str = "hybrid") -> Answer:
    return systems.run_ask(systems.get(system), Query(question), run_over(source))


@pytest.mark.parametrize(
    ("question", "text", "value", "form", "page"),
    [
        ("How many people does the company employ?", "420", 420, AnswerFormat.INT, 1),
        ("What percentage of the staff work at night?", "38%", 38.0, AnswerFormat.FLOAT, 1),
        ("When was the harbour founded?", "6 May 1871", "6 May 1871", AnswerFormat.STR, 1),
        ("Who founded the harbour?", "Clara Weiss", "Clara Weiss", AnswerFormat.STR, 1),
        ("What was net income in 2015?", "5,363", 5363.0, AnswerFormat.FLOAT, 2),
        ("What was net income in 2014?", "4,833", 4833.0, AnswerFormat.FLOAT, 2),
        ("What were total assets in 2015?", "32,718", 32718.0, AnswerFormat.FLOAT, 2),
        ("What was goodwill in 2014?", "7,050", 7050.0, AnswerFormat.FLOAT, 2),
        ("What percentage wanted lower fares?", "18 %", 18.0, AnswerFormat.FLOAT, 4),
        ("What percentage wanted longer hours?", "27 %", 27.0, AnswerFormat.FLOAT, 4),
        ("Is smoking allowed on the pier?", "No", "No", AnswerFormat.STR, 3),
        ("Are dogs allowed in the office?", "Yes", "Yes", AnswerFormat.STR, 3),
    ],
)
def test_the_answer_is_the_shortest_that_says_it(
    question: str, text: str, value: object, form: AnswerFormat, page: int
) -> None:
    answer = ask(question)
    assert (answer.text, answer.value, answer.format) == (text, value, form)
    assert answer.answerable
    assert answer.citations[0].page == page


def test_a_list_is_answered_item_by_item_with_a_citation_each() -> None:
    answer = ask("What equipment does every visitor need? List the items.")
    assert answer.value == ["Helmet", "Life jacket", "Gloves"]
    assert answer.format is AnswerFormat.LIST
    assert [citation.quote for citation in answer.citations][:2] == ["• Helmet", "• Life jacket"]


def test_a_series_in_a_sentence_is_a_list() -> None:
    answer = ask("Which goods do you sell to the fishing fleet?")
    assert answer.value == ["ropes", "anchors", "sails"] or "ropes, anchors and sails" in answer.text


def test_what_is_not_printed_is_counted_and_every_item_cited() -> None:
    answer = ask("How many items of equipment does every visitor need?")
    assert answer.value == 3
    assert len(answer.citations) == 4


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_what_is_nowhere_is_not_answerable_and_said_plainly(system: str) -> None:
    answer = ask("Which zebra won the chess tournament in Reykjavik?", system=system)
    assert not answer.answerable
    assert answer.text.startswith("Not answerable")
    assert (answer.value, answer.format, answer.citations) == (None, AnswerFormat.NONE, ())


def test_an_empty_document_gives_no_answer() -> None:
    answer = ask("How many people?", document([], pages=2))
    assert not answer.answerable
    assert answer.confidence == 0


def test_an_answer_to_a_close_question_is_surer_than_to_a_distant_one() -> None:
    close = ask("How many people does the company employ?")
    distant = ask("How many people does the railway of Norway carry to the company in winter?")
    assert close.confidence > distant.confidence


def test_quotes_are_verbatim() -> None:
    for question in ("What was net income in 2015?", "Who founded the harbour?", "What equipment is needed?"):
        for citation in ask(question).citations:
            row = int(citation.block[1:])
            assert citation.quote in REPORT.blocks.text[row]


def test_a_number_of_the_question_is_not_its_answer() -> None:
    source = document([(Kind.PARAGRAPH, "Of the 236 crossings planned in 2030, 21 were cancelled for wind.", 1, 0)])
    assert ask("How many of the 236 crossings planned in 2030 were cancelled for wind?", source).text == "21"


def test_the_number_of_a_figure_is_no_answer() -> None:
    source = document([(Kind.PARAGRAPH, "Figure 12 shows how many boats sank: 3 boats in all.", 1, 0)])
    assert ask("How many boats sank?", source).text == "3"


@pytest.mark.parametrize(
    ("question", "text"), [("How long does a cylinder last?", "94 days"), ("How far does the beam reach?", "30 metres")]
)
def test_how_long_wants_a_unit_of_time_or_length(question: str, text: str) -> None:
    rows: list[Row] = [
        (Kind.PARAGRAPH, "A cylinder of 50 litres will last 94 days at the normal rate.", 1, 0),
        (Kind.PARAGRAPH, "The beam can reach 30 metres with 12 volts.", 1, 0),
    ]
    assert ask(question, document(rows)).text == text


def test_how_to_is_answered_by_the_steps() -> None:
    rows: list[Row] = [
        (Kind.HEADING, "Changing the logger", 1, 1),
        (Kind.PARAGRAPH, "To change the logger:", 1, 0),
        (Kind.LIST_ITEM, "1. Switch off circuit G.", 1, 1),
        (Kind.LIST_ITEM, "2. Unplug the sensors.", 1, 1),
    ]
    answer = ask("How do I change the logger?", document(rows))
    assert answer.value == ["Switch off circuit G.", "Unplug the sensors."]


def test_the_label_of_a_row_answers_which() -> None:
    grid = [["Flag", "Name", "Meaning"], ["Q1", "Good", "Passed all tests"], ["Q4", "Repaired", "Replaced by hand"]]
    source = with_grids(document([(Kind.HEADING, "Flags", 1, 1), (Kind.TABLE, "", 1, 0)]), {1: grid})
    assert ask("Which flag means replaced by hand?", source).text == "Q4"


def test_without_comparing_by_meaning_no_vector_is_asked_for() -> None:
    run = run_over(REPORT)
    run.embedder = lambda: pytest.fail("the embedder was loaded")
    answer = systems.run_ask(systems.get("bm25"), Query("How many people does the company employ?"), run)
    assert answer.text == "420"


@pytest.mark.parametrize("stored", ["", "{", "[1, 2]", '{"a": 1}', "[[]]", "[[1, null]]", "null"])
def test_any_stored_grid_is_rows_of_text_or_none(stored: str) -> None:
    table = read_table(stored)
    assert table is None or all(isinstance(row.label, str) for row in table.rows)


def test_items_are_called_by_their_first_words() -> None:
    assert item_name("• Helmet") == "Helmet"
    assert item_name("2. Gloves: leather, not wool, and never wet") == "Gloves"
    assert item_name("a) Cap each plug at once") == "Cap each plug at once"


def test_overlong_sentences_are_left_out() -> None:
    assert list(sentences("Short one. " + "Word " * 200 + ". Another one.")) == ["Short one.", "Another one."]

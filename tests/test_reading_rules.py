"""The rules of reading: what short answers are, how tables are compared, and how sentences are linked."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexed import run_over
from octavo import systems
from octavo.decisions.rules.question import Expects, read_question
from octavo.decisions.rules.values import values_in
from octavo.document import Answer, Document, Kind, Query
from octavo.operators.pages import RELEVANCE
from octavo.operators.reader.matching import Matcher
from octavo.operators.reader.names import looks_like_name, named_spans
from octavo.operators.reading.choices import options_of
from octavo.operators.reading.finding import candidates_in
from octavo.operators.reading.grids import read_table
from octavo.operators.reading.sentences import series_labels
from synthetic import Row, document
from test_reader import with_grids

BOATS = [
    ["", "Gannet", "Elspeth Morrow", "Tern"],
    ["Greatest load, kg", "900", "2,400", "280"],
    ["Oars", "4", "6", "2"],
]
YEARS = [["", "2029", "2030"], ["Total revenue", "200", "250"], ["Crossings", "236", "248"]]


def ask(question: str, source: Document) -> Answer:
    return systems.run_ask(systems.get("hybrid"), Query(question), run_over(source))


def with_table(grid: list[list[str]]) -> Document:
    return with_grids(document([(Kind.HEADING, "Boats", 1, 1), (Kind.TABLE, "", 1, 0)]), {1: grid})


@pytest.mark.parametrize(
    ("question", "expects"),
    [
        ("The film was written by who?", Expects.PERSON),
        ("Which retired engineer built it?", Expects.PERSON),
        ("A team based in what state?", Expects.PLACE),
        ("Which boat is fastest, and how many knots does it make?", Expects.NAME),
        ("At which surge does the alarm sound?", Expects.NUMBER),
        ("Which loads take less?", Expects.LIST),
        ("She starred in what for seven years?", Expects.NAME),
    ],
)
def test_more_wordings_are_understood(question: str, expects: Expects) -> None:
    assert read_question(question).expects is expects


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which boat can carry the greatest load?", "Elspeth Morrow"),
        ("Which boat can carry the smallest load?", "Tern"),
        ("How many oars do the boats have in all?", "12"),
    ],
)
def test_the_cells_of_a_row_are_compared(question: str, text: str) -> None:
    assert ask(question, with_table(BOATS)).text == text


def test_a_name_and_its_value_are_a_list_when_both_are_asked() -> None:
    answer = ask("Which boat can carry the greatest load, and how many kg is that?", with_table(BOATS))
    assert answer.value == ["Elspeth Morrow", "2,400"]


def test_a_change_between_two_years_is_worked_out_and_its_row_cited() -> None:
    answer = ask("What was the growth rate of total revenue from 2029 to 2030 in percent?", with_table(YEARS))
    assert (answer.text, answer.citations[0].quote) == ("25%", "Total revenue | 200 | 250")


SHARES = [["", "Gannet", "Tern"], ["Share of empty runs", "38%", "17%"], ["Crossings", "236", "248"]]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the difference in percentage between the share of empty runs of Gannet and Tern?", "21"),
        ("How many more crossings has Tern than Gannet?", "12"),
    ],
)
def test_two_cells_that_are_named_are_taken_from_each_other(question: str, text: str) -> None:
    assert ask(question, with_table(SHARES)).text == text


def test_years_above_a_table_head_its_columns() -> None:
    table = read_table(json.dumps([["Net income", "$", "7", "$", "5"]]), ["Years ended", "2030", "2029"])
    assert table is not None
    assert table.rows[0].cells == (("2030", "7"), ("2029", "5"))


def test_words_around_a_number_make_a_header() -> None:
    table = read_table(json.dumps([["", "52 weeks ended"], ["", "August 29, 2021"], ["Sales", "7"]]))
    assert table is not None
    assert [(row.label, row.cells) for row in table.rows] == [("Sales", (("52 weeks ended August 29, 2021", "7"),))]


@given(st.lists(st.lists(st.text(max_size=8), max_size=4), max_size=6))
def test_any_rows_are_read_without_failing(rows: list[list[str]]) -> None:
    table = read_table(json.dumps(rows))
    assert table is None or all(row.line < len(rows) for row in table.rows)


def test_a_chart_is_read_label_by_label() -> None:
    text = "Heat pumps 38% Instruments 17% Galley 11%"
    assert [label.strip() for label in series_labels(text, values_in(text))] == ["Heat pumps", "Instruments", "Galley"]
    behind = "38% heat pumps, 17% instruments, 11% galley"
    assert [label.strip(" ,") for label in series_labels(behind, values_in(behind))] == [
        "heat pumps",
        "instruments",
        "galley",
    ]
    assert series_labels("About 38% of the staff work at night.", values_in("About 38%")) == []


def test_one_sentence_leads_to_another_by_a_name() -> None:
    rows: list[Row] = [
        (Kind.PARAGRAPH, "The film Tide was directed by Ann Lee in the harbour.", 1, 0),
        (Kind.PARAGRAPH, "Ann Lee has been the spouse of Bo Chan for years.", 2, 0),
        (Kind.PARAGRAPH, "Rolf Maier is the spouse of Ida Kern.", 3, 0),
    ]
    question = "Who is the spouse of the person who directed the film Tide?"
    run = run_over(document(rows), question=question)
    evidence = systems.get("hybrid").retrieve(run.query, run)
    found = candidates_in(Matcher.of(read_question(question), run.view), evidence, RELEVANCE)
    linked = {one.text: one.linked for one in found}
    assert linked["Bo Chan"] > 0
    assert linked["Ann Lee"] == linked["Ida Kern"] == 0


def test_a_question_that_names_its_answers_is_answered_by_one_of_them() -> None:
    rows: list[Row] = [
        (Kind.PARAGRAPH, "The magazine Harbour News has been published since 1922.", 1, 0),
        (Kind.PARAGRAPH, "The magazine Tide World has been published since 1980.", 2, 0),
    ]
    assert ask("Which magazine was published first, Tide World or Harbour News?", document(rows)).text == "Harbour News"
    assert options_of("Is it large or small?") == ()


def test_captions_are_counted_in_the_part_that_is_named() -> None:
    rows: list[Row] = [
        (Kind.HEADING, "1 Text", 1, 1),
        (Kind.CAPTION, "Table 1: Tides", 1, 0),
        (Kind.HEADING, "Appendix A", 2, 1),
        (Kind.CAPTION, "Table A.1: Winds", 2, 0),
        (Kind.CAPTION, "Table A.2: Waves", 3, 0),
        (Kind.CAPTION, "Table A.2: Waves, continued", 3, 0),
    ]
    assert ask("How many tables does Appendix A have?", document(rows)).text == "2"
    assert ask("How many tables are in the document?", document(rows)).text == "3"


def test_a_role_is_no_name() -> None:
    assert looks_like_name("Clara Weiss")
    assert not looks_like_name("Duty lead")
    grid = [["Task", "Done by"], ["Cook for the crew", "Duty lead"]]
    assert ask("What is the name of the cook of the crew?", with_table(grid)).text != "Duty lead"


def test_the_name_of_one_role_does_not_answer_for_another() -> None:
    rows: list[Row] = [(Kind.PARAGRAPH, "The leader of the winter crew is Clara Weiss, who keeps the log.", 1, 0)]
    leader = ask("What is the name of the leader of the winter crew?", document(rows))
    cook = ask("What is the name of the cook of the winter crew?", document(rows))
    assert leader.text == "Clara Weiss"
    assert cook.confidence < leader.confidence
    assert not cook.answerable
    assert read_question("What is the name of the cook of the winter crew?").role == "cook"


def test_names_and_quoted_titles_are_spans_but_the_questions_own_words_are_not() -> None:
    sentence = "In the tale “the long night” the keeper Rolf Maier waits."
    spans = {sentence[start:stop] for start, stop, _ in named_spans(read_question("Who is the keeper?"), sentence)}
    assert {"Rolf Maier", "the long night"} <= spans
    assert not {span for span in spans if span.lower() == "keeper"}


INCOME = [["", "2030", "2029"], ["Interest income and other, net", "92", "143"], ["Net income", "250", "200"]]


def test_a_year_that_no_column_has_is_not_answered_from_another() -> None:
    source = with_table(INCOME)
    assert ask("What was the net income in 2030?", source).text == "250"
    assert not ask("What was the net income in 2041?", source).answerable


def test_a_label_with_the_words_apart_is_another_row() -> None:
    assert ask("What was net income in 2029?", with_table(INCOME)).text == "200"


def test_a_yes_takes_a_statement_about_all_that_is_asked() -> None:
    rows: list[Row] = [
        (Kind.HEADING, "Visitors", 1, 1),
        (Kind.PARAGRAPH, "They bring their own clothing.", 1, 0),
        (Kind.PARAGRAPH, "Visitors may bring a tent.", 1, 0),
    ]
    source = document(rows)
    assert not ask("Can visitors bring dogs?", source).answerable
    assert ask("May visitors bring a tent?", source).text == "Yes"


def test_a_code_is_neither_a_person_nor_a_date() -> None:
    source = with_table([["Flag", "Meaning"], ["Q4", "Value was repaired"], ["Q9", "Value was published"]])
    assert ask("Who repaired the value?", source).text != "Q4"
    assert ask("When was the value published?", source).text != "Q9"


def test_lines_of_a_table_of_contents_are_no_list() -> None:
    rows: list[Row] = [
        (Kind.HEADING, "Contents", 1, 1),
        (Kind.LIST_ITEM, "1 Risks of the sea ........................ 5", 1, 1),
        (Kind.LIST_ITEM, "2 Risks of the land ....................... 9", 1, 1),
    ]
    assert "...." not in ask("List the risks in the contents.", document(rows)).text


def test_the_pages_of_a_document_are_counted_when_all_are_asked_for() -> None:
    rows: list[Row] = [(Kind.PARAGRAPH, f"Words on page {page}.", page, 0) for page in (1, 2, 3)]
    answer = ask("How many pages does this document have?", document(rows))
    assert (answer.value, answer.citations[0].page) == (3, 3)
    assert ask("How many pages mention whales?", document(rows)).value != 3

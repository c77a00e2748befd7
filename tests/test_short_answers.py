"""Short answers by form: acronyms, ways to reach someone, titles, parts, picked rows, lines and trends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexed import run_over
from octavo import systems
from octavo.decisions.rules.question import Expects, read_question
from octavo.decisions.rules.trends import Way, holds, trend_asked
from octavo.document import Answer, Document, Kind, Query
from octavo.operators.labels import without_label
from octavo.operators.reader.names import named_spans
from octavo.operators.reading.contacts import asked_way
from octavo.operators.reading.expansions import asked_acronym
from synthetic import Row, document
from test_reader import with_grids

HANDBOOK = document(
    [
        (Kind.TITLE, "Harbour handbook", 1, 0),
        (Kind.HEADING, "Chapter 1: The pier and its lights", 1, 1),
        (Kind.PARAGRAPH, "The Vessel Traffic Service (VTS) answers day and night.", 1, 0),
        (Kind.PARAGRAPH, "Harbour office, telephone 01983 873655, office@harbour.example.org", 1, 0),
        (Kind.PARAGRAPH, "Pilot station, telephone 01983 400200, pilots@harbour.example.org", 1, 0),
        (Kind.PARAGRAPH, "The keeper paid 1,200,000 crowns for the lamp in 2004.", 1, 0),
        (Kind.HEADING, "Chapter 2: Rules of the quay", 2, 1),
        (Kind.PARAGRAPH, "These rules hold for every boat.", 2, 0),
        (Kind.HEADING, "2.1 Mooring", 2, 2),
        (Kind.PARAGRAPH, "Boats moor by the bow.", 2, 0),
        (Kind.HEADING, "2.2 Fuelling", 2, 2),
        (Kind.PARAGRAPH, "Fuel is sold before noon.", 2, 0),
        (Kind.HEADING, "2.3 Fishing", 2, 2),
        (Kind.PARAGRAPH, "Nobody fishes from the quay.", 2, 0),
    ]
)
COURSES = [
    ["Course", "Status", "Hours"],
    ["Knots", "compulsory", "12"],
    ["Charts", "elective", "20"],
    ["Radio", "compulsory", "8"],
    ["Sails", "elective", "30"],
]
BALANCE = [
    ["", "2022", "2021"],
    ["Cash and cash equivalents", "1,874", "3,205"],
    ["Total current assets", "8,802", "9,100"],
    ["Total assets", "15,803", "17,504"],
    ["Total current liabilities", "8,979", "8,000"],
    ["Total liabilities", "13,008", "14,484"],
    ["Total liabilities and shareholders' equity", "15,803", "17,504"],
]


def ask(question: str, source: Document = HANDBOOK) -> Answer:
    return systems.run_ask(systems.get("hybrid"), Query(question), run_over(source))


def with_table(title: str, grid: list[list[str]]) -> Document:
    return with_grids(document([(Kind.HEADING, title, 1, 1), (Kind.TABLE, "", 1, 0)]), {1: grid})


FILING = with_table("Consolidated balance sheets", BALANCE)


@pytest.mark.parametrize(
    "question",
    [
        "What does VTS stand for?",
        "What is VTS short for?",
        "What is the full form of VTS?",
        "What does the term VTS mean?",
    ],
)
def test_an_acronym_is_answered_by_the_words_it_is_short_for(question: str) -> None:
    answer = ask(question)
    assert answer.text == "Vessel Traffic Service"
    assert "(VTS)" in answer.citations[0].quote


def test_a_glossary_is_read_line_by_line() -> None:
    source = document([(Kind.PARAGRAPH, "NM | Nautical Mile\nVTS | Vessel Traffic Service", 1, 0)])
    assert ask("What does NM stand for?", source).text == "Nautical Mile"


def test_a_question_about_a_word_asks_for_no_acronym() -> None:
    assert asked_acronym("What does mooring mean?") == ""
    assert asked_acronym("What is the full form of the contract?") == ""


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the telephone number of the pilot station?", "01983 400200"),
        ("What is the phone no of the harbour office?", "01983 873655"),
        ("What is the e-mail address of the harbour office?", "office@harbour.example.org"),
    ],
)
def test_a_way_to_reach_someone_has_its_form(question: str, text: str) -> None:
    assert ask(question).text == text


def test_how_many_telephones_there_are_asks_for_no_number_to_call() -> None:
    assert asked_way(read_question("How many telephones does the office have?")) is None


@pytest.mark.parametrize(
    "question", ["What is the title of chapter 2?", "What is chapter 2 about?", "What is the topic of Chapter 2?"]
)
def test_a_chapter_is_called_what_its_heading_says(question: str) -> None:
    assert ask(question).text == "Rules of the quay"


@given(st.text(max_size=40))
def test_any_text_is_read_for_its_label(text: str) -> None:
    assert without_label(text, is_heading=True) in text


def test_what_a_section_is_divided_into_is_a_list() -> None:
    answer = ask("Which sections do the rules of the quay include?")
    assert answer.value == ["Mooring", "Fuelling", "Fishing"]
    assert answer.citations[0].quote == "2.1 Mooring"


def test_the_cells_of_the_rows_that_match_are_a_list() -> None:
    source = with_table("Courses", COURSES)
    assert ask("Which courses are compulsory?", source).value == ["Knots", "Radio"]
    assert ask("How many courses are compulsory?", source).value == 2


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What were total liabilities in 2022?", 13008),
        ("What are the cash and cash equivalents for the fiscal year ending 2021?", 3205),
    ],
)
def test_a_line_of_a_statement_is_looked_up_by_its_name_and_year(question: str, value: float) -> None:
    assert ask(question, FILING).value == value


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Is working capital positive in 2022?", "No"),
        ("Was working capital positive in 2021?", "Yes"),
        ("Did total assets decline in 2022?", "Yes"),
        ("Have total liabilities increased between 2021 and 2022?", "No"),
    ],
)
def test_yes_or_no_is_worked_out_of_the_statements(question: str, text: str) -> None:
    answer = ask(question, FILING)
    assert answer.text == text
    assert all("|" in citation.quote for citation in answer.citations)


def test_a_trend_against_something_else_is_not_worked_out() -> None:
    assert trend_asked("Did revenue grow faster than expected in 2022?") is None
    assert trend_asked("Did the total liabilities improve in 2022?") is None


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_a_measure_goes_up_or_down_but_not_both(later: float, earlier: float) -> None:
    assert not (holds(Way.UP, later, earlier) and holds(Way.DOWN, later, earlier))
    assert holds(Way.CHANGED, later, earlier) == (holds(Way.UP, later, earlier) or holds(Way.DOWN, later, earlier))


def test_a_year_is_the_part_of_a_date_that_is_asked_for() -> None:
    source = document([(Kind.PARAGRAPH, "The lamp was lit on 6 May 1871 by Clara Weiss.", 1, 0)])
    assert ask("In which year was the lamp lit?", source).text == "1871"


def test_when_is_answered_by_the_nearer_year_rather_than_another_things_date() -> None:
    rows: list[Row] = [
        (Kind.PARAGRAPH, "The lighthouse opened in 1871.", 1, 0),
        (Kind.PARAGRAPH, "The lighthouse keeper moved on 4 June 1903.", 1, 0),
    ]
    assert ask("When did the lighthouse open?", document(rows)).text == "1871"


def test_an_answer_stands_on_the_page_that_the_question_names() -> None:
    rows: list[Row] = [
        (Kind.PARAGRAPH, "The tower is 30 metres high.", 1, 0),
        (Kind.PARAGRAPH, "The tower: 25 metres.", 2, 0),
    ]
    assert ask("How high is the tower on page 2?", document(rows)).text == "25 metres"


@pytest.mark.parametrize(
    ("question", "expects"),
    [
        ("Was there any change in the number of stores?", Expects.YES_NO),
        ("As of 2023, is the company selling a large business?", Expects.YES_NO),
        ("Which region had the largest drop on a percentage basis?", Expects.PLACE),
        ("In which year was the percentage highest?", Expects.YEAR),
        ("Is it red or blue?", Expects.PASSAGE),
    ],
)
def test_the_first_words_say_what_is_asked_for(question: str, expects: Expects) -> None:
    assert read_question(question).expects is expects


def test_a_noun_that_only_repeats_the_question_is_no_name() -> None:
    question = read_question("What rung is the second step of the ladder?")
    sentence = "The ladder has three rungs, and the iron rung is the second step."
    fits = {sentence[start:stop]: fit for start, stop, fit in named_spans(question, sentence)}
    assert fits["iron rung"] > fits["three rungs"]


def test_a_phrase_ends_before_the_words_of_the_question() -> None:
    question = read_question("Which lamp is used?")
    sentence = "They burn the bright arc lamp used in the tower."
    found = [sentence[start:stop] for start, stop, _ in named_spans(question, sentence)]
    assert "bright arc lamp" in found


def test_parts_of_a_sentence_that_are_not_alike_are_no_list() -> None:
    rows: list[Row] = [
        (
            Kind.PARAGRAPH,
            "The boats bought by the harbour as of 2021, 2020, and the notes on these boats are below.",
            1,
            0,
        ),
        (Kind.PARAGRAPH, "The harbour bought the boats Tern, Gannet and Auk.", 1, 0),
    ]
    assert ask("Which boats were bought by the harbour?", document(rows)).value == ["Tern", "Gannet", "Auk"]


def test_a_number_is_no_name_but_where_a_number_is_asked_for() -> None:
    source = with_table("Berths", [["Berth", "Boat", "Berth number"], ["North", "Tern", "12"], ["South", "Auk", "14"]])
    assert ask("Which boat lies at the north berth?", source).text == "Tern"
    assert ask("Which berth number does the Tern have?", source).text == "12"


def test_how_something_is_done_by_someone_is_told_in_a_sentence() -> None:
    rows: list[Row] = [
        (Kind.PARAGRAPH, "The harbour records its stores every week:", 1, 0),
        (Kind.LIST_ITEM, "• Ropes of all kinds", 1, 1),
        (Kind.LIST_ITEM, "• Lamps and oil", 1, 1),
        (Kind.PARAGRAPH, "The harbour records its stores in a ledger at cost.", 1, 0),
    ]
    assert ask("How does the harbour record its stores?", document(rows)).text == rows[3][1]


def test_who_are_the_several_people_asks_for_a_list() -> None:
    question = read_question("Who are the independent directors of the harbour company?")
    assert (question.expects, question.subject) == (Expects.LIST, ("independ", "director"))
    assert read_question("Who was the director?").expects is Expects.PERSON
    grid = [["Director", "Category"], ["Ann Lee", "Independent"], ["Bo Chan", "Executive"], ["Cy Dahl", "Independent"]]
    assert ask(question.text, with_table("Directors", grid)).value == ["Ann Lee", "Cy Dahl"]


def test_neither_a_month_nor_where_something_is_from_is_what_it_is_called() -> None:
    question = read_question("Which city hosts the fair?")
    sentence = "Last year in October a Canadian fair opened in Toronto."
    fits = {sentence[start:stop]: fit for start, stop, fit in named_spans(question, sentence)}
    assert max(fits, key=lambda text: fits[text]) == "Toronto"
    assert fits["October"] < fits["Toronto"] / 2


def test_a_sentence_that_only_says_where_to_look_answers_nothing() -> None:
    rows: list[Row] = [
        (Kind.PARAGRAPH, "See Annex 1 for a list of the courses offered by the harbour school.", 1, 0),
        (Kind.PARAGRAPH, "The harbour school has courses in knots and in charts.", 1, 0),
    ]
    assert "Annex" not in ask("List the courses offered by the harbour school.", document(rows)).text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How tall is the lighthouse?", "1.85 metres"),
        ("How long is the lighthouse boat?", "7 metres"),
        ("How many lamps does the lighthouse have?", "5,168"),
        ("What are the lamps made of?", "glass"),
    ],
)
def test_a_label_with_the_noun_of_what_is_asked_is_read(question: str, text: str) -> None:
    rows: list[Row] = [
        (Kind.HEADING, "The lighthouse", 1, 1),
        (Kind.PARAGRAPH, "Height: 1.85 metres", 1, 0),
        (Kind.PARAGRAPH, "Length of the boat: 7 metres", 1, 0),
        (Kind.PARAGRAPH, "Lamps: 5,168", 1, 0),
        (Kind.PARAGRAPH, "The lamps of the lighthouse are made of glass.", 1, 0),
        (Kind.PARAGRAPH, "The lighthouse was praised after a record that took 24 weeks.", 1, 0),
    ]
    assert ask(question, document(rows)).text == text

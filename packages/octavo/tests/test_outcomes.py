"""What comes of a question without a model: a sure short answer, the passages that fit, or plainly nothing."""

from __future__ import annotations

import pytest

from indexed import run_over, searched
from octavo import systems
from octavo.evidence import Answer, AnswerFormat, Outcome, Query
from octavo.operators.extractive.extractive_reader import (
    ExtractiveReader,
    nothing,
    passages_only,
    shown_with,
)
from octavo.operators.extractive.shown_passages import MOST_PASSAGES
from octavo.operators.extractive.units import MOST_WORDS
from octavo_documents.document import Document, Kind
from synthetic import Row, document, with_tables, without_pages

ROWS: list[Row] = [
    (Kind.TITLE, "Harbour report", 1, 0),
    (Kind.HEADING, "1 Overview", 1, 1),
    (Kind.PARAGRAPH, "The harbour was founded on 6 May 1871 by Clara Weiss. It lies near Port Callan.", 1, 0),
    (Kind.PARAGRAPH, "The company employs 1,420 people. About 38% of the staff work at night.", 1, 0),
    (Kind.HEADING, "2 Finance", 2, 1),
    (Kind.CAPTION, "Table 1: Statement of income, in millions of dollars", 2, 0),
    (Kind.TABLE, "", 2, 0),
    (Kind.HEADING, "3 Safety", 3, 1),
    (Kind.PARAGRAPH, "Smoking is not allowed on the pier. Dogs are allowed in the office.", 3, 0),
]
INCOME = [["", "2014", "2015"], ["Net income", "$ 4,833", "$ 5,363"], ["Total assets", "$ 31,209", "$ 32,718"]]
REPORT = with_tables(document(ROWS), {6: INCOME}, {6: 5})
OTHER = document([(Kind.PARAGRAPH, "The lighthouse is white. Nobody smokes there.", 1, 0)], name="light.pdf")


def ask(question: str, *sources: Document, system: str = "hybrid") -> Answer:
    return systems.run_ask(systems.get(system), Query(question), run_over(*(sources or (REPORT,))))


def read(question: str, *sources: Document, least: float = 0.5) -> Answer:
    run, evidence = searched(question, *(sources or (REPORT,)))
    return ExtractiveReader(least=least)(evidence, run)


@pytest.mark.parametrize(
    ("question", "text", "value", "form", "page"),
    [
        ("How many people does the company employ?", "1,420", 1420, AnswerFormat.INT, 1),
        ("What percentage of the staff work at night?", "38%", 38.0, AnswerFormat.FLOAT, 1),
        ("When was the harbour founded?", "6 May 1871", "6 May 1871", AnswerFormat.STR, 1),
        ("Who founded the harbour?", "Clara Weiss", "Clara Weiss", AnswerFormat.STR, 1),
        ("What was net income in 2015?", "$5,363 million", 5363.0, AnswerFormat.FLOAT, 2),
        ("What was net income in 2014?", "$4,833 million", 4833.0, AnswerFormat.FLOAT, 2),
        ("What were total assets in 2015?", "$32,718 million", 32718.0, AnswerFormat.FLOAT, 2),
    ],
)
def test_a_sure_short_answer_is_told_with_the_passage_it_stands_in(
    question: str, text: str, value: object, form: AnswerFormat, page: int
) -> None:
    answer = ask(question)
    assert (answer.outcome, answer.text, answer.value, answer.format) == (Outcome.ANSWER, text, value, form)
    (citation,) = answer.citations
    assert citation.page == page
    assert citation.quote in REPORT.blocks.text[int(citation.block[1:])]
    assert text.removesuffix(" million").removeprefix("$") in citation.quote
    first = answer.passages[0]
    assert (first.page, first.block) == (page, citation.block)
    ((start, stop),) = first.emphasis
    assert citation.quote in first.text[start:stop]
    assert answer.answerable


def test_a_cell_is_shown_with_its_caption_and_the_heads_of_its_columns() -> None:
    text = ask("What was net income in 2015?").passages[0].text
    assert text.startswith("Table 1: Statement of income, in millions of dollars\n | 2014 | 2015\nNet income | $ 4,833")


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Is smoking allowed on the pier?", "Smoking is not allowed on the pier."),
        ("How do people come to work at night?", "About 38% of the staff work at night."),
        ("Why was the harbour founded?", "The harbour was founded on 6 May 1871 by Clara Weiss."),
    ],
)
def test_what_has_no_short_answer_is_told_by_passages_in_full(question: str, words: str) -> None:
    answer = ask(question)
    assert (answer.outcome, answer.value, answer.format) == (Outcome.PASSAGES, None, AnswerFormat.NONE)
    assert answer.citations == ()
    assert not answer.answerable
    best = answer.passages[0]
    assert words in best.text
    assert f"he closest passages are on page {best.page}" in answer.text
    assert len(answer.passages) <= MOST_PASSAGES
    assert all(len(passage.text.split()) <= MOST_WORDS for passage in answer.passages)
    assert [passage.score for passage in answer.passages] == sorted(
        (passage.score for passage in answer.passages), reverse=True
    )


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_names_that_stand_nowhere_are_told_as_they_were_asked(system: str) -> None:
    answer = ask("Who told the people of Reykjavik about Olaf Lindqvist's ferry in winter?", system=system)
    assert answer.outcome is Outcome.NOTHING
    assert answer.text == "Nothing in test.pdf (3 pages) matches “Reykjavik” or “Olaf Lindqvist”."
    assert (answer.value, answer.format, answer.citations, answer.confidence) == (None, AnswerFormat.NONE, (), 0.0)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who is Olaf Lindqvist?", "Olaf Lindqvist"),
        ("How tall is Mount Fuji?", "Mount Fuji"),
        ("What's Olaf’s age?", "Olaf"),
    ],
)
def test_short_questions_name_things_too(question: str, name: str) -> None:
    assert ask(question).text == f"Nothing in test.pdf (3 pages) matches “{name}”."


@pytest.mark.parametrize("question", ["WHO IS OLAF OF THE HARBOUR?", "Where Does the Keeper of the Pier Live?"])
def test_in_capitals_or_written_like_a_title_a_question_names_nothing(question: str) -> None:
    assert ask(question).outcome is not Outcome.NOTHING


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("zxqv blorptang", "“zxqv blorptang”"),
        ("What is a zxqv or a blorptang?", "“zxqv” or “blorptang”"),
        ("WHO IS OLAF LINDQVIST?", "“OLAF LINDQVIST”"),
    ],
)
def test_words_that_stand_nowhere_and_are_like_nothing_there_find_nothing(question: str, words: str) -> None:
    answer = ask(question)
    assert (answer.outcome, answer.text) == (Outcome.NOTHING, f"Nothing in test.pdf (3 pages) matches {words}.")


def test_other_words_for_what_is_there_find_it() -> None:
    answer = ask("Which employees?")
    assert answer.outcome is Outcome.PASSAGES
    assert "The company employs 1,420 people." in answer.passages[0].text


def test_the_nearest_passages_are_shown_beside_nothing() -> None:
    answer = ask("How many people does the company employ in Reykjavik?")
    assert answer.outcome is Outcome.NOTHING
    assert "The company employs 1,420 people." in answer.passages[0].text


def test_one_known_name_of_several_is_looked_for() -> None:
    assert ask("What did the people of Reykjavik say to Clara Weiss?").outcome is Outcome.PASSAGES


def test_an_empty_document_says_nothing() -> None:
    answer = ask("How many people are there?", document([], pages=2))
    assert (answer.outcome, answer.text) == (
        Outcome.NOTHING,
        "Nothing in test.pdf (2 pages) was found that answers this.",
    )
    assert (answer.passages, answer.confidence) == ((), 0.0)


def test_a_page_of_a_picture_alone_says_nothing() -> None:
    answer = ask("How many people are there?", document([(Kind.FIGURE, "", 1, 0)]))
    assert (answer.outcome, answer.passages) == (Outcome.NOTHING, ())


def test_passages_of_several_documents_are_told_with_their_document() -> None:
    answer = ask("Is smoking allowed on the pier?", REPORT, OTHER)
    assert answer.outcome is Outcome.PASSAGES
    assert "the closest passages are on page 3 of test.pdf" in answer.text
    assert " of light.pdf" in answer.text


def test_nothing_names_up_to_three_documents() -> None:
    more = [document([(Kind.PARAGRAPH, "The pier.", 1, 0)], name=f"{name}.pdf") for name in "abcd"]
    question = "What did they say about the ferry to Reykjavik?"
    few, many = read(question, *more[:3]), read(question, *more)
    assert few.text == "Nothing in a.pdf, b.pdf, c.pdf (3 pages) matches “Reykjavik”."
    assert many.text == "Nothing in these 4 documents (4 pages) matches “Reykjavik”."


def test_text_without_pages_is_told_by_its_parts() -> None:
    answer = ask("Is smoking allowed on the pier?", without_pages(REPORT))
    assert "the closest passages are in part 3" in answer.text
    assert answer.passages[0].page_label == "part 3"


def test_the_same_page_is_named_once() -> None:
    run, evidence = searched("Is smoking allowed?", REPORT)
    passages = ExtractiveReader(least=1.0)(evidence, run).passages
    twice = passages_only("", evidence, [passages[0], passages[0]])
    assert twice.text == "The closest passages are on page 3; no short answer is sure."


def test_the_words_of_another_reader_are_told_in_their_place() -> None:
    _, evidence = searched("Is smoking allowed?", REPORT)
    answer = passages_only("why", evidence, (), "The model names no passage.", confidence=0.3)
    assert (answer.text, answer.outcome, answer.confidence) == ("The model names no passage.", Outcome.PASSAGES, 0.3)


def test_passages_are_added_only_where_a_reader_gave_none() -> None:
    run, evidence = searched("How many people does the company employ?", REPORT)
    bare = nothing(run.query.question, evidence)
    shown = shown_with(bare, run)
    assert "1,420" in shown.passages[0].text
    assert shown_with(shown, run) is shown
    assert shown_with(nothing("", evidence.on_pages([])), run).passages == ()


def test_the_least_chance_decides_what_is_sure() -> None:
    clear = "How many people does the company employ?"
    weak = "How many people swam to the harbour in winter from the sea?"
    assert read(clear, least=1.0).outcome is Outcome.PASSAGES
    assert read(clear, least=0.0).outcome is Outcome.ANSWER
    assert read(weak).outcome is Outcome.PASSAGES
    guess = read(weak, least=0.0)
    assert (guess.outcome, guess.text) == (Outcome.ANSWER, "1,420")
    assert guess.confidence < read(clear).confidence
    assert read("Is smoking allowed on the pier?", least=0.0).outcome is Outcome.PASSAGES


def test_whoever_asks_may_say_how_sure_an_answer_must_be() -> None:
    run, evidence = searched("How many people does the company employ?", REPORT)
    stated = ExtractiveReader()(evidence, run)
    assert stated.outcome is Outcome.ANSWER
    for sure, outcome in ((stated.confidence + 0.01, Outcome.PASSAGES), (0.0, Outcome.ANSWER)):
        run.sure = sure
        assert ExtractiveReader()(evidence, run).outcome is outcome


def test_what_was_not_sure_enough_is_told_by_the_confidence() -> None:
    clear = "How many people does the company employ?"
    assert read(clear, least=1.0).confidence == pytest.approx(read(clear).confidence, abs=0.001)


def test_two_values_that_disagree_are_both_shown_and_less_sure() -> None:
    rows: list[Row] = [
        (Kind.HEADING, "1 South pier", 1, 1),
        (Kind.PARAGRAPH, "The pier has 12 lamps. " + "It is old. " * 32, 1, 0),
        (Kind.HEADING, "2 North pier", 2, 1),
        (Kind.PARAGRAPH, "The pier has 19 lamps. " + "It is new. " * 32, 2, 0),
    ]
    one = ask("How many lamps does the pier have?", document(rows[:2]))
    two = ask("How many lamps does the pier have?", document(rows))
    assert two.confidence < one.confidence
    texts = [passage.text for passage in two.passages]
    assert all(any(lamps in text for text in texts) for lamps in ("12 lamps", "19 lamps"))


def test_reading_without_a_model_asks_none() -> None:
    answer = ask("How many people does the company employ?")
    assert (answer.usage.calls, answer.decided_by, answer.stopped) == (0, {"rule": 1}, None)

"""Which units fit a question: what answers stands above what only sounds alike, and what is shown is shown once."""

from __future__ import annotations

import dataclasses
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexed import run_over, searched
from octavo.operators.extractive.extractive_reader import best_passages
from octavo.operators.extractive.shown_passages import apart, chance, passage_around, without_gaps
from octavo.operators.extractive.unit_scores import FEATURES, ScoredUnit, best_of_passage, scored_units
from octavo.operators.extractive.units import MOST_WORDS, Span, stream_of
from octavo.question import understand
from octavo_documents.document import Document, Kind
from synthetic import Row, document, with_tables

STAFF: list[Row] = [
    (Kind.HEADING, "1 Staff", 1, 1),
    (Kind.PARAGRAPH, "People like the company of dogs on the pier. They walk there in May.", 1, 0),
    (Kind.HEADING, "2 Harbour", 2, 1),
    (Kind.PARAGRAPH, "The company employs 420 people in all. Two sisters founded it.", 2, 0),
    (Kind.HEADING, "3 Ferry", 3, 1),
    (Kind.PARAGRAPH, "The ferry runs when the weather allows it.", 3, 0),
]


def units(question: str, *sources: Document) -> list[ScoredUnit]:
    run, evidence = searched(question, *sources)
    return scored_units(understand(question), evidence, run)


def first(question: str, rows: list[Row]) -> str:
    return units(question, document(rows))[0].unit.shown


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many people does the company employ?", "The company employs 420 people in all."),
        ("Which sisters founded it?", "Two sisters founded it."),
        ("When does the ferry run?", "The ferry runs when the weather allows it."),
        ("Which animals do people like?", "People like the company of dogs on the pier."),
    ],
)
def test_a_sentence_that_answers_stands_above_those_that_share_a_word(question: str, text: str) -> None:
    assert first(question, STAFF) == text


def test_a_sentence_that_says_it_in_other_words_stands_above_one_that_shares_none() -> None:
    rows: list[Row] = [
        (Kind.PARAGRAPH, "The lighthouse is painted white every spring.", 1, 0),
        (Kind.PARAGRAPH, "Payments to workers rose by a tenth.", 1, 0),
    ]
    assert first("How much did staff wages increase?", rows) == rows[1][1]


def test_headings_above_a_sentence_speak_for_it() -> None:
    rows: list[Row] = [
        (Kind.HEADING, "South pier", 1, 1),
        (Kind.PARAGRAPH, "It is 94 metres long." + " Nobody knows why." * 18, 1, 0),
        (Kind.HEADING, "North pier", 1, 1),
        (Kind.PARAGRAPH, "It is 58 metres long." + " Nobody knows why." * 18, 1, 0),
    ]
    for name, length in (("south", "94"), ("north", "58")):
        assert length in first(f"How long is the {name} pier in metres?", rows)


def test_a_row_of_a_table_stands_above_the_text_about_the_table() -> None:
    rows: list[Row] = [(Kind.PARAGRAPH, "The table below tells about vessels.", 1, 0), (Kind.TABLE, "", 1, 0)]
    source = with_tables(document(rows), {1: [["", "2014", "2015"], ["Vessels", "17", "19"], ["Crews", "3", "4"]]})
    assert units("How many vessels were there in 2015?", source)[0].unit.shown == "Vessels | 17 | 19"


def test_features_are_shares_but_for_rounding() -> None:
    for one in units("How many people does the company employ?", document(STAFF)):
        assert one.features.shape == (len(FEATURES),)
        assert np.all(one.features[:4] >= 0)
        assert np.all(one.features <= 1 + 1e-6)


SOURCES: list[Row] = [
    (Kind.HEADING, "1 Boats", 1, 1),
    (Kind.PARAGRAPH, "Boats of oak last for a century or so.", 1, 0),
    (Kind.HEADING, "References", 1, 1),
    (Kind.PARAGRAPH, "A. Weiss. How long do boats of oak last? Harbour Press, 1998.", 1, 0),
]


def test_bibliographies_are_left_out_unless_they_are_asked_for() -> None:
    assert {one.unit.section for one in units("How long do boats of oak last?", document(SOURCES))} == {0}
    asked = units("Which reference tells how long boats of oak last?", document(SOURCES))
    assert 2 in {one.unit.section for one in asked}


def test_contents_lines_are_never_shown() -> None:
    rows: list[Row] = [(Kind.PARAGRAPH, "Boats of oak ............... 12", 1, 0), *SOURCES[:2]]
    run, evidence = searched("What of boats of oak?", document(rows))
    assert [one.text for one in best_passages("What of boats of oak?", evidence, run)] == [SOURCES[1][1]]


def test_an_empty_view_has_no_units() -> None:
    assert units("How many boats?", document([], pages=2)) == []
    run, evidence = searched("How many boats?", document(SOURCES))
    assert scored_units(understand("How many boats?"), evidence.on_pages([]), run) == []


def test_a_question_without_words_still_ranks() -> None:
    for question in ("", "?", "the of and"):
        run, evidence = searched("boats", document(SOURCES))
        assert scored_units(understand(question), evidence, run)


def test_ties_stay_in_reading_order() -> None:
    rows: list[Row] = [(Kind.PARAGRAPH, "Boats sink. Boats sink.\nBoats sink.", 1, 0) for _ in range(4)]
    found = units("Do boats sink?", document(rows))
    assert len({round(one.score, 6) for one in found}) < len(found)
    for before, after in pairwise(found):
        assert before.score > after.score or before.unit.key < after.unit.key


def test_passages_that_share_a_unit_are_shown_once() -> None:
    run, evidence = searched("How many people does the company employ?", document(STAFF))
    shown = best_passages("How many people does the company employ?", evidence, run)
    sentences = [text for _, text, _, _ in STAFF[1::2]]
    assert shown
    assert all(sum(sentence in one.text for one in shown) <= 1 for sentence in sentences)
    assert "420 people" in shown[0].text


def test_what_two_pages_share_is_shown_once() -> None:
    rows: list[Row] = [(Kind.PARAGRAPH, "Boats of oak", 1, 0), (Kind.PARAGRAPH, "last a century.", 2, 0)]
    run, evidence = searched("How long do boats of oak last?", document(rows))
    assert [one.text for one in best_passages("", evidence, run)] == ["Boats of oak\nlast a century."]


def test_at_most_as_many_passages_as_asked_for() -> None:
    rows: list[Row] = [(Kind.PARAGRAPH, f"Boats of oak number {at} " + "sail " * 90 + ".", 1, 0) for at in range(6)]
    run, evidence = searched("boats of oak", document(rows))
    assert [len(best_passages("boats of oak", evidence, run, count)) for count in (0, 1, 3, 9)] == [0, 1, 3, 6]


def test_a_better_unit_is_likelier_to_hold_the_answer() -> None:
    assert 0 < chance(-50) < chance(5) < chance(20) < 1


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), max_size=8), st.integers(0, 4))
def test_chosen_passages_are_the_first_that_lie_apart(spans: list[tuple[int, int]], count: int) -> None:
    run = run_over(document([(Kind.PARAGRAPH, "Boats. " * 8, 1, 0)]))
    stream = stream_of(run.view, 0)
    found = [
        ScoredUnit(stream, start, Span(start, start + more), 0, "", np.zeros(len(FEATURES))) for start, more in spans
    ]
    chosen = apart(found, count)
    held = [set(range(one.span.first, one.span.last + 1)) for one in chosen]
    assert sum(map(len, held)) == len(set().union(*held))
    assert len(chosen) <= count
    assert not found or not count or chosen[0] is found[0]
    left = [one for one in found if all(one is not kept for kept in chosen)]
    assert len(chosen) == count or all(any(one.span.overlaps(kept.span) for kept in chosen) for one in left)


def test_the_passage_around_a_quote_marks_the_unit_that_has_it() -> None:
    view = run_over(document(STAFF)).view
    passage = passage_around(view, 3, "two sisters founded")
    assert passage is not None
    assert [passage.text[start:stop] for start, stop in passage.emphasis] == ["Two sisters founded it."]
    assert passage.text.startswith("The company employs 420 people in all. Two sisters founded it.")
    assert len(passage.text.split()) <= MOST_WORDS
    bare = passage_around(view, 3)
    assert bare is not None
    assert dataclasses.replace(passage, emphasis=()) == bare


def test_a_block_without_words_has_no_passage_around_it() -> None:
    assert passage_around(run_over(document([(Kind.FIGURE, "", 1, 0)])).view, 0) is None


def test_nothing_goes_on_from_one_slide_to_the_next() -> None:
    rows: list[Row] = [(Kind.HEADING, "Riders", 1, 1), (Kind.PARAGRAPH, "Half of the riders are young.", 1, 0)]
    rows += [(Kind.PARAGRAPH, "Policies reduce trips by car.", 2, 0)]
    high, wide = document(rows), document(rows)
    wide = dataclasses.replace(
        wide, pages=dataclasses.replace(wide.pages, width=wide.pages.height, height=wide.pages.width)
    )
    for source, goes_on in ((high, True), (wide, False)):
        run, evidence = searched("How many riders are young?", source)
        shown = best_passages("How many riders are young?", evidence, run)[0].text
        assert ("Policies" in shown) is goes_on


LONG = " and that is told here at some length so that the passage has no room for what comes after it"


def test_the_sentence_that_parts_two_passages_is_shown_with_the_first() -> None:
    rows: list[Row] = [
        (Kind.HEADING, "1 Ferry", 1, 1),
        *((Kind.PARAGRAPH, f"Sentence {number} speaks of the ferry{LONG}.", 1, 0) for number in range(10)),
    ]
    view = run_over(document(rows)).view
    stream = stream_of(view, 0)
    first, last = (
        ScoredUnit(stream, at, span, 0, "", np.zeros(len(FEATURES))) for at, span in ((2, Span(1, 4)), (8, Span(6, 9)))
    )
    far = dataclasses.replace(last, span=Span(8, 9))
    assert [one.span for one in without_gaps(view, [first, last])] == [Span(1, 5), Span(6, 9)]
    assert [one.span for one in without_gaps(view, [last, first])] == [Span(6, 9), Span(1, 5)]
    assert [one.span for one in without_gaps(view, [first, far])] == [Span(1, 4), Span(8, 9)]  # too much is between


@pytest.mark.parametrize("answers", [None, 2.0])
def test_the_unit_of_a_passage_that_fits_best_is_marked(answers: float | None) -> None:
    rows: list[Row] = [
        (Kind.HEADING, "1 Ferry", 1, 1),
        (Kind.PARAGRAPH, "The ferry is painted white. It carries 420 people. Its whistle is loud.", 1, 0),
    ]
    run, evidence = searched("How many people does the ferry carry?", document(rows))
    question = understand("How many people does the ferry carry?")
    ranked = scored_units(question, evidence, run)
    worst = dataclasses.replace(next(one for one in ranked if "whistle" in one.unit.text), answers=answers)
    assert best_of_passage(question, evidence, worst, run).unit.text == "It carries 420 people."
    alone = dataclasses.replace(worst, span=Span(worst.at, worst.at))
    assert best_of_passage(question, evidence, alone, run) is alone

"""Words that are asked for by their looks: shown where they stand, and stated where they are the only ones."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from indexed import run_over
from octavo import systems
from octavo.evidence import Answer, Outcome, Query
from octavo_documents.document import Document, Kind, TextColumn
from octavo_documents.text.looks_words import colour_name, looks_said
from synthetic import document

ROWS = [
    (Kind.HEADING, "Moorings", 1, 1),
    (Kind.PARAGRAPH, "Owners pay the fee in advance, and keep the receipt.", 1, 0),
    (Kind.PARAGRAPH, "Nothing herein binds the owner of the quay.", 1, 0),
    (Kind.HEADING, "Dogs", 2, 1),
    (Kind.PARAGRAPH, "Dogs stay on a lead; the winter berth is free for all.", 2, 0),
    (Kind.PARAGRAPH, "The keeper closes the gate at nine.", 3, 0),
]
STYLES = ["", "u\tthe fee in advance", "i\tNothing herein binds", "", "u\ta lead\nh#ffff00\tthe winter berth", ""]


def rules(*styles: str) -> Document:
    source = document(ROWS, name="rules.pdf")
    column = TextColumn.of(styles or STYLES)
    return dataclasses.replace(source, blocks=dataclasses.replace(source.blocks, styled=column))


def ask(question: str, source: Document | None = None) -> Answer:
    return systems.run_ask(systems.get("auto"), Query(question, limit=4), run_over(source or rules()))


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Which term is highlighted in yellow?", "the winter berth"),
        ("Which words are underlined on page 1?", "the fee in advance"),
        ("Which words are underlined on the first page?", "the fee in advance"),
        ("What is underlined in the Dogs section?", "a lead"),
        ("What is written in italics?", "Nothing herein binds"),
        ("Which underlined words are about dogs?", "a lead"),
        ("Welche Wörter sind gelb markiert?", "the winter berth"),
        ("Was ist auf der ersten Seite unterstrichen?", "the fee in advance"),
        ("Quels mots sont en italique ?", "Nothing herein binds"),
        ("¿Qué palabras están en cursiva?", "Nothing herein binds"),
    ],
)
def test_the_only_words_of_a_look_are_stated_and_cited(question: str, words: str) -> None:
    answer = ask(question)
    assert (answer.outcome, answer.text) == (Outcome.ANSWER, words)
    assert answer.citations[0].quote == words
    shown = answer.passages[0]
    assert words in [shown.text[start:stop] for start, stop in shown.emphasis]


@pytest.mark.parametrize(
    ("question", "marked"),
    [
        ("Which words are underlined?", {"the fee in advance", "a lead"}),
        ("Is the fee underlined?", {"the fee in advance", "a lead"}),
        ("How many words are in italics?", {"Nothing herein binds"}),
        ("Where are the words in italics?", {"Nothing herein binds"}),
        ("What colour are the words in italics?", {"Nothing herein binds"}),
        ("Which words about the harbour master are in italics?", {"Nothing herein binds"}),
    ],
)
def test_what_else_is_asked_of_looks_gets_the_passages_that_have_them(question: str, marked: set[str]) -> None:
    answer = ask(question)
    assert answer.outcome is Outcome.PASSAGES
    assert {one.text[start:stop] for one in answer.passages for start, stop in one.emphasis} == marked


@pytest.mark.parametrize(
    "question",
    [
        "Which words are highlighted in green?",
        "What is underlined on page 3?",
        "Which danger was underlined by the keeper?",
        "Which bold keeper closes the gate?",
    ],
)
def test_where_no_such_words_are_known_none_are_stated(question: str) -> None:
    answer = ask(question)
    assert answer.outcome is not Outcome.ANSWER or answer.text not in {"a lead", "the fee in advance"}
    assert "stands" not in answer.lead


def test_nothing_is_stated_of_scanned_pages() -> None:
    source = rules()
    pages = dataclasses.replace(source.pages, is_scanned=np.array([False, False, True]))
    scanned = dataclasses.replace(source, pages=pages)
    assert ask("What is written in italics?", scanned).outcome is Outcome.PASSAGES
    assert ask("What is written in italics on page 1?", scanned).outcome is Outcome.ANSWER


def test_colours_are_told_by_their_hue() -> None:
    named = {0xFFFF00: "yellow", 0xFFE135: "yellow", 0x90EE90: "green", 0xFF0000: "red", 0x00BFFF: "blue", 0x808080: ""}
    assert {colour: colour_name(colour) for colour in named} == named


@pytest.mark.parametrize(
    ("text", "looks"),
    [
        ("Какие слова выделены жёлтым?", {"text", "marked", "yellow"}),
        ("Was ist auf der letzten Seite unterstrichen?", {"underlined", "last_page"}),
        ("下線が引かれている単語は？", {"underlined", "text"}),
        ("Wie viel Fett enthält die Milch?", set()),
        ("Quelles matières grasses ?", set()),
    ],
)
def test_words_for_looks_are_known_in_other_languages(text: str, looks: set[str]) -> None:
    assert {one.look for one in looks_said(text)} == looks

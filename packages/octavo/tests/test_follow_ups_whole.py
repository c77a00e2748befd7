"""Names with a numeral and identifiers are one thing in a follow-up, and notes beside a question are one pair."""

from __future__ import annotations

import pytest

from octavo.question import PastTurn, complete
from octavo.question.phrases import simple_phrases


def last_of(*asked: str) -> str:
    turns: list[PastTurn] = []
    for question in asked:
        found = complete(question, turns, ["rules.md"])
        turns.append(PastTurn(found.question if found else question, "", (), ("rules.md",)))
    return turns[-1].question


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("What does Title I require?", "Title I"),
        ("Who signs Annex IV of it?", "Annex IV"),
        ("What is kept in part B today?", "part B"),
        ("Does Phase 2 end?", "Phase 2"),
        ("Is Article 7 in force?", "Article 7"),
        ("Where was Anna B. Hall born?", "Anna B. Hall"),
        ("What does wrap_lines_after do?", "wrap_lines_after"),
        ("What is notes.txt for?", "notes.txt"),
        ("What does --port do?", "--port"),
    ],
)
def test_a_name_is_whole_with_what_numbers_it(text: str, phrase: str) -> None:
    assert phrase in [text[start:stop] for start, stop in simple_phrases(text)]


def test_i_is_no_numeral_after_a_small_word() -> None:
    assert simple_phrases("When can I go?") == []


@pytest.mark.parametrize(
    ("asked", "last"),
    [
        (("Who may enter hall B?", "and hall C?"), "Who may enter hall C?"),
        (("What does Title II require?", "and Title IV?", "Who pays for it?"), "Who pays for Title IV?"),
        (("When does Phase 2 end?", "and Phase 3?"), "When does Phase 3 end?"),
        (("What does wrap_at do?", "What is its default?"), "What is wrap_at’s default?"),
        (
            ("What talks must branches hold about Title I?", "Who has to be invited to it?"),
            "Who has to be invited to it? (talks must branches hold about Title I)",
        ),
        (("How long does the branch warden serve?", "and the clerk?"), "how long does the clerk serve?"),
        (
            ("How long does the branch warden serve?", "and the clerk?", "Who appoints her?"),
            "Who appoints the clerk?",
        ),
        (("When does the pump need oil?", "and the motor?", "and the fan?"), "When does the pump need oil? (the fan)"),
        (
            ("When does the pump need oil?", "and the motor?", "Who checks it?"),
            "Who checks it? (the pump need oil; the motor)",
        ),
        (
            ("What talks must branches hold about Title I?", "Who has to be invited to it?", "Why?"),
            "Why? (to be invited to it; talks must branches hold about Title I)",
        ),
    ],
)
def test_a_follow_up_keeps_things_whole_and_its_notes_flat(asked: tuple[str, ...], last: str) -> None:
    assert last_of(*asked).lower() == last.lower()


@pytest.mark.parametrize(
    ("first", "then", "whole"),
    [
        ("When was the Gannet Air accident?", "and the Tern Line one?", "When was the Tern Line accident?"),
        ("How long is the blue rope?", "and the red one?", "How long is the red rope?"),
        ("Who has the key of the east tower?", "what about the west one?", "Who has the key of the west tower?"),
        ("How many red buoys does the bay have?", "and green buoys?", "How many green buoys does the bay have?"),
    ],
)
def test_one_stands_for_the_only_thing_of_its_sort(first: str, then: str, whole: str) -> None:
    assert last_of(first, then) == whole

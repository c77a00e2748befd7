"""Combining answers: by what the question asks of the parts, and what a model's reply becomes."""

from __future__ import annotations

import json

import pytest

from octavo.decisions.combine_answers import COMBINE_ANSWERS, CombinedAnswer, CombineInput, PartAnswer
from octavo.decisions.engine.judge import Judge
from octavo.models.scripted import ScriptedModel

LONGER = "Which ferry is longer, the Storm Petrel or the Grey Heron?"


def combined(question: str, *parts: tuple[str, str], synthesis: tuple[str, ...] = ("?",)) -> CombinedAnswer:
    answers = tuple(PartAnswer(label, answer, bool(answer)) for label, answer in parts)
    return Judge().decide(COMBINE_ANSWERS, CombineInput(question, answers, synthesis)).output


@pytest.mark.parametrize(
    ("question", "parts", "answer"),
    [
        (
            LONGER,
            (("How long is the Storm Petrel?", "40 m"), ("How long is the Grey Heron?", "38 m")),
            "Storm Petrel",
        ),
        (
            "Which port opened first, Aske or Borg?",
            (("Aske: when did it open?", "in 1962"), ("Borg: when did it open?", "1955")),
            "Borg",
        ),
        (
            "How much longer is the Petrel than the Heron?",
            (("How long is the Petrel?", "40 m"), ("How long is the Heron?", "38 m")),
            "2 m",
        ),
        (
            "What is the difference between the revenue of 2015 and of 2014?",
            (("Revenue 2015?", "$3.1 billion"), ("Revenue 2014?", "2,900 million dollars")),
            "200000000",
        ),
        (
            "How many boats do Aske and Borg have together?",
            (("How many boats has Aske?", "12"), ("How many boats has Borg?", "seven")),
            "19",
        ),
        ("Are Aske and Borg both ports?", (("Aske: ports?", "Yes"), ("Borg: ports?", "Yes")), "Yes"),
        ("Are Aske and Borg both ports?", (("Aske: ports?", "Yes"), ("Borg: ports?", "No")), "No"),
        ("Do Aske and Borg lie in the same county?", (("Aske?", "Viken"), ("Borg?", "the Viken")), "Yes"),
        ("Do Aske and Borg lie in the same county?", (("Aske?", "Viken"), ("Borg?", "Oslo")), "No"),
        (
            "Who was mayor when the town with the oldest mill was flooded?",
            (("Which town has the oldest mill?", "Aske"), ("Who was mayor when the town was flooded?", "Ida Berg")),
            "Ida Berg",
        ),
        (
            "Who wrote the report, and when was it printed?",
            (("Who wrote the report?", "Ida Berg"), ("when was it printed?", "May 1962")),
            "Ida Berg; May 1962",
        ),
    ],
)
def test_parts_are_put_together_as_the_question_asks(
    question: str, parts: tuple[tuple[str, str], ...], answer: str
) -> None:
    assert combined(question, *parts).answer == answer


def test_a_part_without_an_answer_is_passed_over_where_the_others_suffice() -> None:
    question = "Who was mayor when the town with the oldest mill was flooded?"
    made = combined(question, ("Which town has the oldest mill?", ""), ("Who was mayor in the flood?", "Ida Berg"))
    assert (made.answerable, made.answer, made.used) == (True, "Ida Berg", [2])


@pytest.mark.parametrize(
    "question",
    [
        LONGER,
        "What is the difference in length between the Petrel and the Heron?",
        "How many boats do Aske and Borg have together?",
        "Do Aske and Borg lie in the same county?",
    ],
)
def test_what_needs_all_parts_is_not_answered_by_some(question: str) -> None:
    assert not combined(question, ("one?", "40 m"), ("other?", "")).answerable


def test_a_value_that_is_asked_for_is_not_answered_without_one() -> None:
    assert not combined("How many boats ran in the year the mill burnt?", ("In which year?", "Aske")).answerable


def test_parts_that_found_nothing_make_no_answer() -> None:
    assert combined(LONGER, ("text", ""), ("picture", "")) == CombinedAnswer(answerable=False)
    assert combined(LONGER) == CombinedAnswer(answerable=False)


def test_several_answers_to_one_question_give_the_one_most_agree_on_and_else_the_first() -> None:
    assert combined(LONGER, ("text", "Heron"), ("picture", "Storm Petrel"), synthesis=()).answer == "Heron"
    made = combined(LONGER, ("text", "Heron"), ("picture", "Petrel"), ("both", "the petrel"), synthesis=())
    assert (made.answer, made.used) == ("Petrel", [2, 3])


def model_says(reply: object, *answers: str) -> CombinedAnswer:
    parts = tuple(PartAnswer(f"part {at}", answer, bool(answer)) for at, answer in enumerate(answers))
    judge = Judge({"language": ScriptedModel([json.dumps(reply)])})
    return judge.decide(COMBINE_ANSWERS, CombineInput(LONGER, parts, (LONGER,))).output


def test_a_models_answer_stands_on_parts_that_have_one() -> None:
    made = model_says({"used": [2, 1, 7, 2], "answerable": True, "answer": " 40 m "}, "40 m", "")
    assert (made.answer, made.used) == ("40 m", [1])


def test_a_model_that_names_no_part_is_taken_to_have_used_all() -> None:
    assert model_says({"used": [], "answerable": True, "answer": "40 m"}, "40 m", "38 m").used == [1, 2]


def test_what_is_known_in_part_is_told_with_what_is_not_and_may_be_used() -> None:
    half = PartAnswer("How long?", "", answerable=False, known="40 m without the ramp", missing=("ramp", "bow"))
    asked = CombineInput(LONGER, (half, PartAnswer("Since when?", "", answerable=False)), (LONGER,))
    shown = COMBINE_ANSWERS.render(asked, 900).values["parts"]
    assert "How long?\nin part: 40 m without the ramp (not known: ramp; bow)\n" in shown
    assert "Since when?\n(no answer found)\n" in shown
    model = ScriptedModel([json.dumps({"used": [1, 2], "answerable": True, "answer": "over 40 m"})])
    made = Judge({"language": model}).decide(COMBINE_ANSWERS, asked).output
    assert (made.answerable, made.used) == (True, [1])
    assert not Judge().decide(COMBINE_ANSWERS, asked).output.answerable


def test_what_parts_come_to_is_kept_where_they_do_not_settle_the_question() -> None:
    made = model_says({"used": [1], "answerable": False, "answer": "one is 40 m"}, "40 m", "")
    assert (made.answerable, made.answer, made.used) == (False, "one is 40 m", [1])
    assert not model_says({"used": [1], "answerable": False, "answer": ""}, "40 m", "").used


def test_nothing_is_answered_out_of_no_answers_whatever_the_model_says() -> None:
    assert not model_says({"used": [1], "answerable": True, "answer": "40 m"}, "", "").answerable


def test_every_part_is_shown_and_long_ones_are_shortened() -> None:
    parts = (PartAnswer("short", "40 m"), PartAnswer("long", "word " * 5000))
    filled = COMBINE_ANSWERS.render(CombineInput(LONGER, parts, (LONGER,)), 600)
    assert "40 m" in filled.values["parts"]
    assert "words left out" in filled.values["parts"]
    assert filled.left_out == 1

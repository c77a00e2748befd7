"""The short value of an answer, as metrics compare it: by rule and from replies."""

from __future__ import annotations

import json

import pytest

from octavo.decisions.engine.judge import Judge
from octavo.models.scripted import ScriptedModel
from octavo_lab.decisions.extract_answer_value import EXTRACT_ANSWER_VALUE, AnswerInput, ExtractedAnswer


def judge(*replies: object) -> Judge:
    if not replies:
        return Judge()
    return Judge({"language": ScriptedModel([json.dumps(reply) for reply in replies])})


def value_of(question: str, answer: str, *replies: object) -> ExtractedAnswer:
    return judge(*replies).decide(EXTRACT_ANSWER_VALUE, AnswerInput(question, answer)).output


def test_the_rule_reads_the_value_that_the_question_wants() -> None:
    assert value_of("How many people crew it?", "It is crewed by 12 people.").answer == "12"
    assert value_of("Who crews it?", "The document does not mention it.").format == "None"
    assert value_of("Who crews it?", "").format == "None"


def test_a_value_that_the_answer_does_not_say_is_sent_back() -> None:
    question, answer = "How many people crew it?", "It is crewed by 12 people."
    assert (
        value_of(question, answer, {"format": "Int", "answer": "15"}, {"format": "Int", "answer": "12"}).answer == "12"
    )
    wrong = {"format": "Str", "answer": "fifteen sailors"}
    assert value_of(question, answer, wrong, {"format": "Str", "answer": "12 people"}).answer == "12 people"


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("Sales rose by 1,577.5 million.", {"format": "Float", "answer": "1577.5"}),
        ("About three of them.", {"format": "Int", "answer": "3"}),
        ("It is one ferry.", {"format": "Int", "answer": "1"}),
        ("It fell by 3%.", {"format": "Float", "answer": "-3%"}),
    ],
)
def test_a_value_may_be_written_plainer_than_in_the_answer(answer: str, value: dict[str, str]) -> None:
    assert value_of("What is it?", answer, value).model_dump() == value


@pytest.mark.parametrize("written", ["red; dark blue", '["red", "dark blue"]', "['red', 'dark blue']"])
def test_the_items_of_a_list_come_in_one_form(written: str) -> None:
    found = value_of("Which colours?", "They are red and dark blue.", {"format": "List", "answer": written})
    assert found.answer == "['red', 'dark blue']"


def test_signs_without_words_are_no_value() -> None:
    bare = {"format": "List", "answer": "["}
    assert value_of("Which colours?", "They are red and blue.", bare, bare).answer == "['They are red', 'blue']"


def test_that_there_is_no_answer_is_said_in_one_way() -> None:
    assert value_of("Who?", "It is not said.", {"format": "None", "answer": "nobody"}).answer == "Not answerable"

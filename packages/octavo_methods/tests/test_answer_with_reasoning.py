"""What a reply with its reasoning rests on: the passages on the pages that it names."""

from __future__ import annotations

import json

import pytest

from octavo.decisions.answer_from_evidence import Shown
from octavo.decisions.engine.judge import Judge
from octavo.models.scripted import ScriptedModel
from octavo_methods.mmrag.decisions.answer_with_reasoning import ANSWER_WITH_REASONING, Reasoned, ReasoningInput


def judge(*replies: object) -> Judge:
    if not replies:
        return Judge()
    return Judge({"language": ScriptedModel([json.dumps(reply) for reply in replies])})


def reasoned(**reply: object) -> Reasoned:
    tides = Shown(1, "page 2; Tides", "The harbour is 7 metres deep.")
    fees = Shown(2, "page 4; Fees", "Mooring costs 7 crowns.")
    full = {"analysis": "", "pages": [], "evidence": [], "format": "Int", "answer": "", **reply}
    value = ReasoningInput("How deep is the harbour?", (tides, fees), pages=(2, 4))
    nothing = Reasoned(format="None", analysis="by rule")
    return judge(full, full).decide(ANSWER_WITH_REASONING, value, rule=lambda _: nothing).output


def test_a_reply_that_names_the_page_alone_rests_on_the_passage_there_that_says_the_answer() -> None:
    assert [support.id for support in reasoned(pages=[4], answer="7 crowns").evidence] == [2]
    assert [support.id for support in reasoned(pages=[4, 9], answer="7").evidence] == [2]


@pytest.mark.parametrize("pages", [[9], []])
def test_a_reply_that_names_no_page_shown_rests_on_the_passage_that_says_the_answer(pages: list[int]) -> None:
    assert [support.id for support in reasoned(pages=pages, answer="7 crowns").evidence] == [2]


@pytest.mark.parametrize(("pages", "answer"), [([2], "7 crowns"), ([4], "12 crowns"), ([], "7")])
def test_an_answer_that_no_passage_on_its_pages_says_is_not_taken(pages: list[int], answer: str) -> None:
    assert reasoned(pages=pages, answer=answer).analysis == "by rule"


def test_an_answer_that_is_none_is_none_whatever_its_format() -> None:
    reply = reasoned(answer="None", pages=[2], evidence=[{"id": 1}])
    assert (reply.answerable, reply.answer, reply.analysis) == (False, "", "")

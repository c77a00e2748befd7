"""Knowing when there is no answer: what a question names, what documents know of it, and what comes nearest."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexed import FakeEmbedder, run_over, view_of
from octavo import systems
from octavo.decisions.judge import Judge
from octavo.decisions.rules.question import read_question
from octavo.document import Answer, Document, Evidence, Kind, Query
from octavo.models.scripted import ScriptedModel
from octavo.operators import Run
from octavo.operators.nearest import MOST_NEAREST, nearest_to, refusal
from octavo.operators.pages import RELEVANCE
from octavo.operators.reader.grounding import grounding
from octavo.operators.reader.named import named_in
from octavo.operators.reading.answerability import Signs, answerability, confidence
from octavo.operators.reading.candidate import Candidate, Quote
from synthetic import document

HARBOUR = document(
    [
        (Kind.TITLE, "Harbour report 2030", 1, 0),
        (Kind.HEADING, "1 Ferries", 1, 1),
        (Kind.PARAGRAPH, "The Storm Petrel carried 420 passengers in 2030. It was built in Callan.", 1, 0),
        (Kind.CAPTION, "Figure 2: Crossings by month", 1, 0),
        (Kind.HEADING, "2 Staff", 2, 1),
        (Kind.PARAGRAPH, "The winter crew has seven members. Clara Weiss leads the crew.", 2, 0),
    ],
    name="harbour.pdf",
)


def ask(question: str, *documents: Document, system: str = "hybrid") -> Answer:
    return systems.run_ask(systems.get(system), Query(question), run_over(*(documents or (HARBOUR,))))


# What a question names


@pytest.mark.parametrize(
    ("question", "names", "numbers"),
    [
        ("How many passengers did the Storm Petrel carry in 2030?", {"storm", "petrel"}, {"2030"}),
        ("Which crossings did Toronto lose in FY2031?", {"toronto"}, {"2031"}),
        ("What is shown in Figure 12 on page 40?", set(), set()),
        ("Who leads it? Please write the answer in Title Case, with 30 letters.", set(), set()),
        ("List the years. For example ['2001', '2002'].", set(), set()),
        ("HOW MANY BOATS SANK?", set(), set()),
        ("Who Is The Captain Of The Storm Petrel?", set(), set()),
        ("What is the EBITDA of Gannet?", {"gannet"}, set()),
        ("Give the number of boats over 12.5 metres and 3 sails.", set(), {"12.5"}),
    ],
)
def test_names_and_numbers_are_those_a_document_must_know(question: str, names: set[str], numbers: set[str]) -> None:
    found = named_in(question)
    assert set(found.names) == names
    assert set(found.numbers) == numbers


@given(st.text(max_size=200))
def test_any_text_can_be_read_for_names(text: str) -> None:
    found = named_in(text)
    assert all(found.names)
    assert all(found.numbers)


# What documents know


def known(question: str) -> tuple[float, float, float]:
    found = grounding(read_question(question), view_of(HARBOUR))
    return found.together, found.names, found.numbers


def test_what_is_there_is_known_and_what_is_not_is_not() -> None:
    assert known("How many passengers did the Storm Petrel carry in 2030?")[1:] == (1.0, 1.0)
    assert known("How many passengers did the Grey Heron carry in 2030?")[1] == 0.0
    assert known("How many passengers did the Storm Petrel carry in 2019?")[2] == 0.0


def test_another_spelling_of_a_name_is_known() -> None:
    assert known("Did the Petrels sail?")[1] == 1.0
    assert known("Did the Petrelian ferry sail?")[1] == 1.0


@pytest.mark.parametrize(
    ("question", "is_there"), [("What does Figure 2 show?", 1.0), ("What does Figure 9 show?", 0.0)]
)
def test_what_is_pointed_at_is_there_or_not(question: str, is_there: float) -> None:
    assert known(question)[2] == is_there


def test_a_page_past_the_last_is_not_there() -> None:
    assert known("What is said on page 80?")[2] == 0.0


def test_terms_on_one_page_are_together_and_those_on_two_are_not() -> None:
    assert known("Which ferry carried passengers?")[0] > known("Which ferry carried the crew of Clara?")[0]


def test_a_question_that_names_nothing_lacks_nothing() -> None:
    assert known("which is it?")[1:] == (1.0, 1.0)


# Chances

FIGURES = st.floats(0, 1)


@given(FIGURES, FIGURES, FIGURES, FIGURES, st.sampled_from([field.name for field in dataclasses.fields(Signs)]))
def test_each_sign_makes_an_answer_likelier(a: float, b: float, c: float, d: float, name: str) -> None:
    signs = Signs(a, b, c, d)
    assert 0 < answerability(dataclasses.replace(signs, **{name: 0.0})) <= answerability(signs) < 1


@given(FIGURES, FIGURES)
def test_an_answer_that_is_ahead_is_surer(lead: float, near: float) -> None:
    one, signs = Candidate("a", (Quote(0, "a"),), "a", 0.5, near, 0.5), Signs(near, 0.5, 1.0, 1.0)
    assert confidence(one, 0.0, signs, is_compared=False) <= confidence(one, lead, signs, is_compared=False)


# Refusing


@pytest.mark.parametrize(
    "question",
    [
        "How many passengers did the Grey Heron carry in Toronto?",
        "How many passengers did the Storm Petrel of Oslo carry in 2019?",
        "What does Figure 9 tell about the crew of Toronto?",
    ],
)
def test_a_question_that_names_what_is_nowhere_is_refused(question: str) -> None:
    assert not ask(question).answerable


def test_the_same_question_about_what_is_there_is_answered() -> None:
    assert ask("How many passengers did the Storm Petrel carry in 2030?").text == "420"


def test_a_refusal_names_page_section_and_words_of_what_comes_nearest() -> None:
    answer = ask("How many passengers did the Grey Heron carry in Toronto?")
    assert "page 1, 1 Ferries: “The Storm Petrel carried 420 passengers in 2030.”" in answer.text
    assert answer.citations == ()
    assert answer.passages[0].text in HARBOUR.blocks.text[2]
    assert answer.to_json()["passages"][0]["page"] == 1


def test_a_refusal_over_several_documents_names_the_nearest_one() -> None:
    other = document([(Kind.PARAGRAPH, "Trains run to Graz.", 1, 0)], name="trains.pdf")
    assert "page 1 of harbour.pdf" in ask("How many passengers did the Grey Heron carry?", HARBOUR, other).text


def test_an_answer_has_nothing_nearest() -> None:
    assert ask("How many members has the winter crew?").passages == ()


def test_what_says_nothing_of_a_question_is_not_near() -> None:
    view = view_of(HARBOUR)
    evidence = Evidence.of(view, [2, 5], **{RELEVANCE: [1.0, 0.5]})
    assert nearest_to("Which zebra won?", evidence) == ()
    assert refusal(evidence, "Which zebra won?").text == "Not answerable: the evidence found does not say."


def test_nearest_are_few_and_the_best_comes_first() -> None:
    view = view_of(HARBOUR)
    rows = list(range(len(HARBOUR.blocks.text)))
    evidence = Evidence.of(view, rows, **{RELEVANCE: [0.0] * len(rows)})
    found = nearest_to("Who leads the winter crew of the harbour?", evidence)
    assert found[0].quote.startswith("The winter crew") or found[0].quote.startswith("Clara Weiss")
    assert len(found) <= MOST_NEAREST


REPLIES = {
    "answer_from_evidence": {"evidence": [], "answerable": False, "answer": ""},
    "answer_with_reasoning": {"analysis": "", "pages": [], "evidence": [], "format": "None", "answer": ""},
    "judge_page_relevance": {"items": [{"id": 1, "relevance": 1.0}, {"id": 2, "relevance": 1.0}]},
}


@pytest.mark.parametrize("system", ["hybrid", "mmrag"])
def test_a_refusal_of_a_model_shows_what_comes_nearest_too(system: str) -> None:
    model = ScriptedModel(lambda request: json.dumps(REPLIES[request.decision]))
    run = Run(view_of(HARBOUR), embedder=FakeEmbedder, judge=Judge({"language": model}))
    whole = systems.get({"mmrag": "mmrag-no-summaries"}.get(system, system))
    answer = systems.run_ask(whole, Query("How many passengers did the Storm Petrel carry?"), run)
    assert model.calls
    assert not answer.answerable
    assert "420 passengers" in answer.passages[0].text

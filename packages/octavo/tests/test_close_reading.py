"""A small model reads the best passage alone; it states what it is sure of, and no more than stands there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from indexed import run_over
from octavo import systems
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Answer, Outcome, Query
from octavo.models.gateway import Budget, Caps
from octavo.models.language import FaultKind, ModelFault, Reply, Request
from octavo.models.scripted import ScriptedModel
from octavo.operators.read.close_reading import reads_closely
from octavo_documents.document import Kind
from synthetic import Row, document

METHODS = pytest.mark.needs("octavo_methods")

ROWS: list[Row] = [
    (Kind.TITLE, "Harbour report", 1, 0),
    (Kind.HEADING, "1 Staff", 1, 1),
    (Kind.PARAGRAPH, "The company employs 420 people. About 38% of the staff work at night.", 1, 0),
    (Kind.HEADING, "2 Ferry", 2, 1),
    (Kind.PARAGRAPH, "The ferry crosses within two hours. Its captain is Ada Brook.", 2, 0),
    (Kind.HEADING, "3 Safety", 3, 1),
    (Kind.PARAGRAPH, "Smoking is not allowed on the pier.", 3, 0),
]
STAFF = "How many people does the company employ?"


def ask(
    line: Reply | ModelFault | Callable[[Request], Reply | str],
    question: str = STAFF,
    *,
    system: str = "auto",
    is_small: bool = True,
    rows: list[Row] = ROWS,
) -> tuple[Answer, ScriptedModel]:
    model = ScriptedModel(line if callable(line) else lambda _request: line, is_small=is_small)
    run = run_over(document(rows))
    run.judge = Judge({"language": model}, budget=Budget(Caps()))
    return systems.run_ask(systems.get(system), Query(question), run), model


def said(text: str, chance: float | None = 0.9) -> Reply:
    return Reply(text, 200, 5, chance=chance)


def test_one_passage_is_read_in_plain_words_and_its_unit_is_cited() -> None:
    answer, model = ask(said("420 people"))
    (request,) = model.requests
    assert (request.decision, request.schema) == ("answer_from_passage", "")
    assert "employs 420 people" in request.turns[0].text
    assert "Smoking" not in request.turns[0].text
    assert (answer.outcome, answer.text, answer.confidence) == (Outcome.ANSWER, "420 people", 0.9)
    assert answer.citations[0].quote == "The company employs 420 people."
    assert answer.citations[0].page == 1
    assert answer.decided_by == {"model": 1}
    assert answer.passages


@pytest.mark.parametrize(
    "reply",
    [
        said("not stated"),
        said("Not stated in the text."),
        said("420 people", chance=0.4),
        said("97 people"),  # stands nowhere
        said("the company"),  # no more than the question
        said("38%"),  # a share
        said("vierhundertzwanzig Leute"),
    ],
)
def test_what_it_wavers_over_or_is_not_there_leaves_the_passages(reply: Reply) -> None:
    answer, model = ask(reply)
    assert (answer.outcome, answer.citations) == (Outcome.PASSAGES, ())
    assert "employs 420 people" in answer.passages[0].text
    assert model.calls == 1


def test_hours_are_no_days() -> None:
    answer, _ = ask(said("two hours"), "How many days does the ferry take to cross?")
    assert answer.outcome is Outcome.PASSAGES


def test_what_structure_tells_is_not_asked_of_it() -> None:
    answer, model = ask(said("three"), "How many pages does the document have?")
    assert (answer.value, model.calls) == (3, 0)


def test_names_that_occur_nowhere_are_not_asked_about() -> None:
    answer, model = ask(said("Ada Brook"), "When was Zanzibar founded?")
    assert (answer.outcome, model.calls) == (Outcome.NOTHING, 0)


def test_one_that_does_not_tell_how_likely_its_words_are_reads_as_others_do() -> None:
    def say(request: Request) -> Reply | str:
        return said("420 people", chance=None) if not request.schema else '{"evidence": [], "answerable": false}'

    _, model = ask(say)
    assert [request.decision for request in model.requests] == ["answer_from_passage", "answer_from_evidence"]


def test_a_model_that_is_not_small_is_shown_many_passages() -> None:
    _, model = ask(lambda _request: '{"evidence": [], "answerable": false}', is_small=False)
    assert {request.decision for request in model.requests} == {"answer_from_evidence"}


def test_one_that_cannot_be_asked_leaves_the_question_to_the_rule() -> None:
    answer, model = ask(ModelFault(FaultKind.REQUEST, "no such parameter"))
    assert (model.calls, answer.decided_by) == (1, {"rule": 1})
    assert answer.passages


@pytest.mark.parametrize(
    "reply",
    [
        said("The harbour is one of many along this coast. " * 12),
        Reply("420 people, and about", 200, 80, "length", 0.9),
    ],
)
def test_one_that_babbles_or_is_cut_off_is_not_asked_again(reply: Reply) -> None:
    answer, model = ask(reply)
    assert (model.calls, answer.outcome) == (1, Outcome.PASSAGES)


SMOKING = "Is smoking allowed on the pier?"


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ("No", Outcome.ANSWER),
        ("No, smoking is not allowed.", Outcome.ANSWER),
        ("Paris", Outcome.PASSAGES),
        ("Not specified", Outcome.PASSAGES),
        ("The text does not say.", Outcome.PASSAGES),
        ("It doesn't state this.", Outcome.PASSAGES),
        ("None", Outcome.PASSAGES),
    ],
)
def test_a_question_of_yes_or_no_is_answered_by_one_of_them(words: str, outcome: Outcome) -> None:
    assert ask(said(words), SMOKING)[0].outcome is outcome


def test_what_a_question_lets_one_choose_from_is_news() -> None:
    rows: list[Row] = [
        (Kind.TITLE, "Ports", 1, 0),
        (Kind.PARAGRAPH, "Harwich has nine quays and Dover has seven.", 1, 0),
    ]
    answer, _ = ask(said("Harwich"), "Which port has more quays, Harwich or Dover?", rows=rows)
    assert (answer.outcome, answer.text) == (Outcome.ANSWER, "Harwich")


def test_what_is_to_be_seen_is_left_to_a_model_that_sees() -> None:
    small, seeing = (
        ScriptedModel(lambda _request: said("not stated"), is_small=one, sees=not one) for one in (True, False)
    )
    run = run_over(document(ROWS))
    run.judge = Judge({"language": small, "vision": seeing}, budget=Budget(Caps()))
    run.query = Query("What colour is the bar in the chart?")
    assert not reads_closely(run)
    run.judge = Judge({"language": small}, budget=Budget(Caps()))
    assert reads_closely(run)


def test_what_it_said_before_is_not_overruled_when_it_fails_later() -> None:
    model = ScriptedModel([said("not stated"), ModelFault(FaultKind.REQUEST, "gone")], is_small=True)
    run = run_over(document(ROWS))
    run.judge = Judge({"language": model}, budget=Budget(Caps()))
    found = [systems.run_ask(systems.get("hybrid"), Query(one), run) for one in (STAFF, f"{STAFF} Now?")]
    assert [one.outcome for one in found] == [Outcome.PASSAGES] * 2


def test_a_small_model_that_is_named_for_a_decision_takes_it() -> None:
    small = ScriptedModel(lambda _request: said("420 people"), is_small=True)
    assert Judge({"language": small}).model_for("investigate") is None
    assert Judge({"language": small, "investigate": small}).model_for("investigate") is small
    assert Judge({"language": small}).model_for("summarize") is small


@pytest.mark.parametrize(
    "system",
    ["hybrid", *(pytest.param(name, marks=METHODS) for name in ("ladrag", "bookrag", "dmap", "mmrag", "rdr2"))],
)
def test_every_system_has_a_small_model_read_so(system: str) -> None:
    def say(request: Request) -> Reply | str:
        return said("420 people") if request.decision == "answer_from_passage" else "{}"

    answer, model = ask(say, system=system)
    assert "answer_from_passage" in {request.decision for request in model.requests}
    assert not {"answer_from_evidence", "answer_with_reasoning"} & {request.decision for request in model.requests}
    assert answer.text == "420 people"


def test_a_kept_reply_tells_the_same_again(tmp_path: object) -> None:
    import octavo
    from octavo.corpus.judges import ModelConfig

    model = ScriptedModel(lambda _request: said("1.2"), is_small=True)
    with octavo.open(f"{tmp_path}/library", models=ModelConfig(model)) as corpus:
        corpus.add("examples/handbook.pdf")
        first, second = (corpus.ask("What is the greatest swell height for landing at North Gut?") for _ in range(2))
    assert [(one.text, one.confidence) for one in (first, second)] == [("1.2", 0.9)] * 2
    assert model.calls == 1


def test_of_a_list_one_item_is_half_an_answer() -> None:
    question = "Which gauges does the harbour have?"
    rows: list[Row] = [
        (Kind.TITLE, "Gauges", 1, 0),
        (Kind.PARAGRAPH, "The harbour has gauges: tide, wind and rain.", 1, 0),
    ]
    for words, outcome in (("tide", Outcome.PASSAGES), ("tide, wind and rain", Outcome.ANSWER)):
        assert ask(said(words), question, rows=rows)[0].outcome is outcome


@pytest.mark.needs("octavo_methods")
def test_what_it_does_not_find_is_not_checked_again() -> None:
    model = ScriptedModel(lambda _request: said("not stated"), is_small=True)
    run = run_over(document(ROWS))
    run.judge = Judge({"language": model, "reflect": model}, budget=Budget(Caps()))
    systems.run_ask(systems.get("dmap"), Query(STAFF), run)
    assert {request.decision for request in model.requests} == {"answer_from_passage"}

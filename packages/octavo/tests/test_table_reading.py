"""Where a model reads it writes a query for a question over all rows of a long table, carried out over all of them."""

from __future__ import annotations

import json

import pytest

from indexed import searched
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Answer, Outcome
from octavo.models.language import FaultKind, ModelFault
from octavo.models.scripted import ScriptedModel
from octavo.operators.read.direct_reader import DirectReader
from octavo_documents.document import Kind
from synthetic import document, with_tables

LONG = [["Order", "City", "State"]]
LONG += [[str(10_000 + at), ("Oslo", "Bergen", "Lund")[at % 3], ("late", "shipped")[at % 2]] for at in range(60)]
HARD = "How many orders went anywhere but Oslo?"
"""No plain form: the rules leave it."""
PLAIN = "How many orders from Oslo are late?"
REFUSED: dict[str, object] = {"answerable": False, "missing": [], "why": "not stated"}
NOT_OSLO = {"column": "City", "comparison": "is not", "values": ["Oslo"]}


def query(operation: str, *where: object, column: str = "", shown: str = "") -> dict[str, object]:
    return {"fits": True, "operation": operation, "column": column, "shown": shown, "where": [*where]}


def ask(
    question: str, *replies: object, table: list[list[str]] = LONG, judge: Judge | None = None
) -> tuple[Answer, ScriptedModel]:
    source = with_tables(document([(Kind.HEADING, "Orders", 1, 1), (Kind.TABLE, "", 1, 0)]), {1: table})
    run, evidence = searched(question, source)
    model = ScriptedModel([reply if isinstance(reply, str | ModelFault) else json.dumps(reply) for reply in replies])
    run.judge = judge or Judge({"language": model})
    return DirectReader()(evidence, run), model


def test_the_query_of_a_model_is_carried_out_over_all_rows() -> None:
    answer, model = ask(HARD, query("count", NOT_OSLO))
    assert (answer.outcome, answer.value) == (Outcome.ANSWER, 40)
    assert answer.lead == "Counted 40 of 60 rows where City is not Oslo"
    assert len(answer.citations) == 40
    assert len(model.requests) == 1


def test_of_a_plain_question_the_model_writes_the_query_too_and_it_stands_against_the_rules() -> None:
    answer, model = ask(PLAIN, query("count", NOT_OSLO))
    assert answer.value == 40
    assert len(model.requests) == 1


def test_where_the_model_says_that_no_query_fits_a_plain_question_no_rule_answers_it() -> None:
    answer, model = ask(PLAIN, {"fits": False}, *[REFUSED] * 3)
    assert answer.outcome is not Outcome.ANSWER
    assert [request.decision for request in model.requests[:2]] == ["query_table", "answer_from_evidence"]


@pytest.mark.parametrize(
    "replies",
    [
        [ModelFault(FaultKind.REFUSED, "refused")],
        [ModelFault(FaultKind.CONTEXT, "too long")],
        ["no JSON at all", "again none"],
        [query("count", {"column": "Town", "comparison": "is", "values": ["Oslo"]})] * 2,
    ],
)
def test_where_the_model_fails_the_rules_answer_a_plain_question(replies: list[object]) -> None:
    answer, model = ask(PLAIN, *replies)
    assert (answer.outcome, answer.value) == (Outcome.ANSWER, 10)
    assert answer.lead == "Counted 10 of 60 rows where City is Oslo and State is late"
    assert {request.decision for request in model.requests} == {"query_table"}


def test_where_the_model_fails_and_rules_read_nothing_it_is_asked_to_read() -> None:
    _, model = ask(HARD, ModelFault(FaultKind.REFUSED, "refused"), *[REFUSED] * 3)
    assert model.requests[1].decision == "answer_from_evidence"


def test_without_a_model_the_rules_answer_a_plain_question() -> None:
    answer, model = ask(PLAIN, judge=Judge())
    assert (answer.outcome, answer.value) == (Outcome.ANSWER, 10)
    assert not model.requests


def test_a_column_that_is_not_there_is_told_to_the_model_once() -> None:
    wrong = query("count", {"column": "Town", "comparison": "is", "values": ["Oslo"]})
    answer, model = ask(HARD, wrong, query("count", NOT_OSLO))
    assert answer.value == 40
    assert "there is no column 'Town'" in str(model.requests[1])


@pytest.mark.parametrize("question", [HARD, "What is the state of order 10003?"])
def test_where_no_query_fits_or_none_is_asked_for_the_model_reads(question: str) -> None:
    _, model = ask(question, *([{"fits": False}] if question == HARD else []), REFUSED, REFUSED, REFUSED)
    assert "query over one table" not in str(model.requests[-1])


def test_a_short_table_is_read_as_it_is() -> None:
    _, model = ask(HARD, {"answerable": False, "why": "not stated"}, table=LONG[:9])
    assert all("query over one table" not in str(request) for request in model.requests)

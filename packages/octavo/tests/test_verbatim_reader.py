"""The verbatim reader shows a model the evidence as it was found, and takes its reply as it is said."""

from __future__ import annotations

import json
import re

import numpy as np

from indexed import run_over
from octavo import systems
from octavo.decisions.engine import DecisionRecord
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Answer, Evidence, Outcome, Query
from octavo.models.language import Request
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Run
from octavo.operators.keep import RELEVANCE
from octavo.operators.read.verbatim_reader import DOCUMENT_ORDER, VerbatimReader
from octavo.systems import BLIND, System
from octavo.systems.baselines import RANKED
from octavo_documents.document import Kind
from synthetic import Row, document

ROWS: list[Row] = [
    (Kind.HEADING, "1 Quays", 1, 1),
    (Kind.PARAGRAPH, "The north quay is 310 metres long.", 1, 0),
    (Kind.HEADING, "2 Cranes", 2, 1),
    (Kind.PARAGRAPH, "Four cranes stand on it.", 2, 0),
    (Kind.HEADING, "3 Tides", 3, 1),
    (Kind.PARAGRAPH, "Spring tides rise by 4.1 metres.", 3, 0),
]
NO = '{"evidence": [], "answerable": false}'


def read(script: list[str], reader: VerbatimReader, scores: dict[int, float]) -> tuple[Answer, Run, ScriptedModel]:
    """Return the answer over the rows that have a score, with its run and the model that was asked."""
    run = run_over(document(ROWS))
    model = ScriptedModel(list(script))
    run.judge, run.query = Judge({"language": model}), Query("How long is the north quay?")
    evidence = Evidence.of(run.view, list(scores), **{RELEVANCE: np.array(list(scores.values()))})
    return reader.apply(evidence, run), run, model


def shown(request: Request) -> list[str]:
    """Return the passages of a request in the order they stand in it."""
    return re.findall(r"<passage id=\d+>\n(.*?)\n</passage>", request.turns[0].text, re.DOTALL)


def test_evidence_is_shown_in_its_order_and_nothing_beside_it() -> None:
    _, _, model = read([NO], VerbatimReader(), {1: 0.2, 3: 0.9, 5: 0.5})
    texts = shown(model.requests[0])
    assert texts == [
        "Four cranes stand on it.",
        "Spring tides rise by 4.1 metres.",
        "The north quay is 310 metres long.",
    ]
    assert "<document" not in model.requests[0].turns[0].text


def test_document_order_is_an_order_too() -> None:
    _, _, model = read([NO], VerbatimReader(DOCUMENT_ORDER), {1: 0.2, 5: 0.9})
    assert shown(model.requests[0]) == ["The north quay is 310 metres long.", "Spring tides rise by 4.1 metres."]


def test_a_reply_stands_as_it_is_said_and_its_place_is_cited() -> None:
    said = {"evidence": [{"id": 1, "quote": ""}], "answerable": True, "answer": "It is 77 leagues.", "value": "77"}
    answer, run, _ = read([json.dumps(said)], VerbatimReader(), {1: 0.2})
    assert (answer.outcome, answer.text) == (Outcome.ANSWER, "It is 77 leagues.")
    assert [one.page for one in answer.citations] == [1]
    assert run.pages_read == {0}


def test_what_does_not_fit_is_left_out_from_the_end_and_is_not_read() -> None:
    long: list[Row] = [(Kind.PARAGRAPH, f"{page} " + "words of a page " * 300, page, 0) for page in (1, 2, 3)]
    run = run_over(document(long))
    model = ScriptedModel([NO], context_tokens=4_000)
    run.judge, run.query = Judge({"language": model}), Query("How long is the north quay?")
    found = Evidence.of(run.view, [0, 1, 2], **{RELEVANCE: np.array([0.1, 0.2, 0.9])})
    VerbatimReader().apply(found, run)
    assert [text[0] for text in shown(model.requests[0])] == ["3"]
    assert run.pages_read == {2}


def test_without_a_model_the_rule_reads() -> None:
    run = run_over(document(ROWS))
    run.query = Query("How long is the north quay?")
    found = Evidence.of(run.view, range(6), **{RELEVANCE: np.linspace(1, 0.1, 6)})
    answer = VerbatimReader().apply(found, run)
    assert answer.passages
    assert not run.pages_read


def test_an_answer_tells_the_pages_that_were_read_and_what_stands_for_the_papers_parts() -> None:
    run = run_over(document(ROWS))
    said = {"evidence": [{"id": 1, "quote": "310 metres"}], "answerable": True, "answer": "310 metres"}
    run.judge = Judge({"language": ScriptedModel([json.dumps(said)])})
    plan = System("own-paper", RANKED, RANKED >> VerbatimReader(), paper=(("model", "GPT-4o"),), looks=True)
    answer = systems.run_ask(plan, Query("How long is the north quay?"), run)
    assert [(one.document, one.page) for one in answer.pages_read] == [("test.pdf", page) for page in (1, 2, 3)]
    assert answer.to_json()["substitutes"] == [{"role": "model", "paper": "GPT-4o", "here": "scripted:test"}]
    assert answer.trace[0].step == BLIND


def test_decisions_that_are_another_models_are_told_with_what_stands_for_the_papers() -> None:
    run = run_over(document(ROWS))
    said = {"evidence": [{"id": 1, "quote": "310 metres"}], "answerable": True, "answer": "310 metres"}
    reader = ScriptedModel([json.dumps(said)])
    reader.id = "scripted:reader"
    run.judge = Judge({"language": None, "answer_from_evidence": reader})
    plan = System("own-paper", RANKED, RANKED >> VerbatimReader(), paper=(("model", "GPT-4o"),))
    answer = systems.run_ask(plan, Query("How long is the north quay?"), run)
    assert [one.here for one in answer.substitutes] == ["scripted:reader"]
    run.judge = Judge({"language": ScriptedModel([json.dumps(said)]), "choose_pictures": reader, "plan_question": None})
    run.judge.records += [DecisionRecord("choose_pictures", "model"), DecisionRecord("plan_question", "rule")]
    answer = systems.run_ask(plan, Query("How long is the north quay?"), run)
    told = "scripted:test; choose_pictures by scripted:reader; plan_question by rule"
    assert [one.here for one in answer.substitutes] == [told]

"""A reading that looks for what it lacks: when it searches, for what, what is read then, and what stands."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from indexed import run_over
from octavo import systems
from octavo.decisions.engine.judge import Judge
from octavo.errors import UsageError
from octavo.evidence import Answer, Outcome, Query
from octavo.models.gateway import Budget, Caps, Gateway, Limits, MemoryJournal
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.scripted import Line, ScriptedModel
from octavo.operators.read.direct_reader import DirectReader
from octavo.operators.search_agent.investigate import SearchFurther
from octavo_documents.document import Document, Kind
from synthetic import Row, document

QUESTION = "Who built the lighthouse, and who paints it?"
READ, TURN = "answer_from_evidence", "investigate"


def report() -> Document:
    """Sixty pages of which the first evidence is a part: the painter is told in other words than the question's."""
    rows: list[Row] = [(Kind.TITLE, "Coast report", 1, 0)]
    for page in range(1, 61):
        rows.append((Kind.HEADING, f"{page} Chapter", page, 1))
        rows.append((Kind.PARAGRAPH, f"The lighthouse, matter {page}: built and painted things. " * 3, page, 0))
    rows.append((Kind.PARAGRAPH, "Olga Lind built the lighthouse in 1871.", 3, 0))
    rows.append((Kind.PARAGRAPH, "Coats of lime are Per Dahl's task each spring.", 47, 0))
    return document(sorted(rows, key=lambda row: row[2]), name="coast.pdf")


REPORT = report()


def passage(request: Request, words: str) -> int:
    shown = re.findall(r"<passage id=(\d+)>\n(.*?)\n</passage>", request.turns[0].text, re.DOTALL)
    return next((int(number) for number, text in shown if words in text), 0)


def half(request: Request, *missing: str) -> str:
    evidence = [{"id": passage(request, "Olga Lind"), "quote": "Olga Lind built the lighthouse"}]
    said = {"answerable": False, "answer": "Olga Lind built it.", "value": "", "missing": list(missing)}
    return json.dumps({"evidence": evidence, **said})


def whole(request: Request) -> str:
    quotes = ("Olga Lind built", "Per Dahl's task")
    evidence = [{"id": passage(request, words), "quote": words} for words in quotes]
    said = {"answerable": True, "answer": "Olga Lind built it, Per Dahl paints it.", "value": "Olga Lind; Per Dahl"}
    return json.dumps({"evidence": evidence, **said, "missing": []})


def ends(request: Request, words: str = "Coats of lime") -> str:
    number = next((line.split("]")[0][1:] for line in request.turns[0].text.splitlines() if words in line), "")
    return json.dumps({"plan": "", "calls": [], "blocks": [number] if number else []})


def calls(*words: str) -> str:
    asked = [{"tool": "neuro_semantic_search", "query": one} for one in words]
    return json.dumps({"plan": "", "calls": asked, "blocks": []})


class Asked:
    """One question to `auto`: the script has a line, or a function of the request, for each request."""

    def __init__(
        self,
        *script: Any,
        caps: Caps | None = None,
        question: str = QUESTION,
        source: Document = REPORT,
        limit: int = 6,
    ):
        lines = iter(script)

        def say(request: Request) -> Line:
            line = next(lines)
            return line(request) if callable(line) else line

        self.model = ScriptedModel(say)
        run = run_over(source)
        gateway = Gateway(MemoryJournal(), limits=Limits(attempts=1), sleep=lambda _seconds: None)
        run.judge = Judge({"language": self.model}, gateway=gateway, budget=Budget(caps))
        self.answer: Answer = systems.run_ask(systems.get("auto"), Query(question, limit=limit), run)

    @property
    def decisions(self) -> list[str]:
        return [one.decision for one in self.model.requests]

    def prompt(self, at: int) -> str:
        return self.model.requests[at].turns[0].text


def lacking(request: Request) -> str:
    return half(request, "coats of lime, spring")


def test_what_is_settled_at_the_first_reading_takes_one_request() -> None:
    asked = Asked(
        lambda request: json.dumps(
            {
                "evidence": [{"id": passage(request, "Olga Lind"), "quote": "Olga Lind built"}],
                "answerable": True,
                "answer": "Olga Lind",
                "value": "Olga Lind",
                "missing": [],
            }
        ),
        question="Who built the lighthouse in 1871?",
    )
    assert (asked.decisions, asked.answer.text) == ([READ], "Olga Lind")


def test_the_agent_looks_for_what_is_missing_and_the_question_is_read_again_from_what_it_chose() -> None:
    asked = Asked(lacking, ends, whole)
    assert asked.decisions == [READ, TURN, READ]
    assert (asked.answer.outcome, asked.answer.value) == (Outcome.ANSWER, "Olga Lind; Per Dahl")
    assert "<missing>\ncoats of lime, spring\n</missing>" in asked.prompt(1)
    assert 'neuro_semantic_search {"query": "coats of lime, spring"' in asked.prompt(1)
    assert "Coats of lime are Per Dahl" not in asked.prompt(0)
    assert "Coats of lime are Per Dahl" in asked.prompt(2)
    assert "Olga Lind built the lighthouse" in asked.prompt(2)
    assert {citation.page for citation in asked.answer.citations} == {3, 47}


def test_the_search_is_a_step_of_the_trace_with_its_calls() -> None:
    asked = Asked(lacking, calls("lime"), ends, whole)
    step = next(step for step in asked.answer.trace if step.step == "Investigate")
    assert step.parameters == {"missing": ["coats of lime, spring"], "turns": 2, "ended": "listed"}
    assert step.calls == 2
    assert [step.step for step in asked.answer.trace].count("DirectReader") == 2


def test_turns_are_capped_and_then_what_was_seen_is_read() -> None:
    asked = Asked(lacking, calls("lime"), calls("painter"), calls("white"), whole)
    assert asked.decisions == [READ, TURN, TURN, TURN, READ]
    assert asked.answer.answerable


def test_an_agent_that_finds_nothing_leaves_what_is_known() -> None:
    asked = Asked(lacking, json.dumps({"plan": "not there", "calls": [], "blocks": []}))
    assert asked.decisions == [READ, TURN]
    assert (asked.answer.outcome, asked.answer.missing) == (Outcome.PASSAGES, ("coats of lime, spring",))
    assert asked.answer.text == "Known only in part: Olga Lind built it."


def test_nothing_is_searched_where_the_model_says_that_nothing_more_is_to_be_found() -> None:
    asked = Asked(json.dumps({"evidence": [], "answerable": False, "answer": "", "value": "", "missing": []}))
    assert (asked.decisions, asked.answer.outcome) == ([READ], Outcome.NOTHING)


def test_nothing_is_searched_where_all_there_is_was_read() -> None:
    source = document([(Kind.PARAGRAPH, "Olga Lind built the lighthouse.", 1, 0)])
    asked = Asked(lacking, source=source)
    assert asked.decisions == [READ]


FAULT = ModelFault(FaultKind.REFUSED, "no")
REFUSED = json.dumps({"evidence": [], "answerable": False, "answer": "", "missing": ["coats of lime"]})


@pytest.mark.parametrize("script", [(REFUSED, FAULT), (REFUSED, ends, FAULT), (REFUSED, ends, "{", "{")])
def test_a_refusal_stands_whatever_fails_later(script: tuple[Any, ...]) -> None:
    answer = Asked(*script).answer
    assert not answer.answerable
    assert answer.passages


@pytest.mark.parametrize("most", [1, 2])
def test_a_spent_budget_leaves_the_first_reading(most: int) -> None:
    asked = Asked(lacking, ends, whole, caps=Caps(calls=most))
    assert asked.answer.stopped == "max_calls"
    assert asked.answer.text == "Known only in part: Olga Lind built it."


def test_a_second_reading_that_knows_less_does_not_take_the_first_ones_place() -> None:
    asked = Asked(lacking, ends, json.dumps({"evidence": [], "answerable": False, "answer": "", "missing": []}))
    assert asked.answer.text == "Known only in part: Olga Lind built it."


def test_without_a_model_it_reads_once() -> None:
    run = run_over(REPORT)
    answer = systems.run_ask(systems.get("auto"), Query(QUESTION), run)
    assert [step.step for step in answer.trace].count("DirectReader") == 1
    assert "Investigate" not in [step.step for step in answer.trace]


def test_it_takes_a_tool_and_a_turn_at_least() -> None:
    with pytest.raises(UsageError, match="one tool"):
        SearchFurther(DirectReader(), ())


def test_auto_needs_no_layer_that_indexing_does_not_build_by_itself() -> None:
    assert systems.get("auto").needs() == {"passages", "terms", "vectors"}

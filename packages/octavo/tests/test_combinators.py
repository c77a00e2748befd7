"""Combinators: the first that finds, one for each question, one by reach; flat chains that read back as they print."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from indexed import run_over
from octavo import operators
from octavo.decisions.select_sections import SELECT_SECTIONS, SectionsInput
from octavo.evidence import Answer, Evidence, Query, Reach
from octavo.operators.core import ByReach, FirstFound, ForEach, Operator, QueryStep, Run, Step
from octavo.operators.keep import RankPages
from octavo.operators.score.refer import Refer
from octavo.operators.score.search import Search
from octavo.systems import SYSTEMS
from octavo_documents.document import Kind
from synthetic import document

REPORT = document([(Kind.PARAGRAPH, "Revenue rose in Graz.", 1, 0), (Kind.PARAGRAPH, "Staff fell in Wien.", 2, 0)])
NOTHING = Search("bm25")
"""Finds nothing for a question that shares no word with the report."""


@dataclasses.dataclass(frozen=True)
class Row(Step[Query, Evidence]):
    """One row."""

    number: int

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the row."""
        return Evidence.of(using.view, [self.number], source=f"row{self.number}")

    def needs(self) -> frozenset[str]:
        """Return a layer named after the row."""
        return frozenset({f"layer{self.number}"})


@dataclasses.dataclass(frozen=True)
class Understand(QueryStep):
    """Add an entity to the query."""

    def apply(self, value: Query, using: Run) -> Query:
        """Return the query with it."""
        using.judge.decide(SELECT_SECTIONS, SectionsInput(value.question, ()))
        return dataclasses.replace(value, entities=("Graz",))


@dataclasses.dataclass(frozen=True)
class Entities(Step[Query, tuple[str, ...]]):
    """Say what the run's query is about."""

    def apply(self, value: Query, using: Run) -> tuple[str, ...]:
        """Return the question the run is at, and its entities."""
        return (using.query.question, *using.query.entities)


def test_first_found_stops_at_the_first_that_has_a_row() -> None:
    run = run_over(REPORT)
    assert FirstFound((NOTHING, Row(1), Row(0)))(Query("zebra"), run).rows.tolist() == [1]
    assert [step.step for step in run.trace] == ["Search", "Row"]


def test_first_found_returns_the_last_ones_nothing_when_all_find_nothing() -> None:
    assert len(FirstFound((NOTHING, NOTHING))(Query("zebra"), run_over(REPORT))) == 0


def test_first_found_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="one operator or more"):
        FirstFound[Query](())


def test_what_a_step_understood_holds_for_all_later_steps() -> None:
    run = run_over(REPORT)
    assert (Understand() >> Entities())(Query("who?"), run) == ("who?", "Graz")
    assert run.query.entities == ("Graz",)


def test_for_each_answers_every_question_with_its_own_query_and_leaves_the_runs_alone() -> None:
    run = run_over(REPORT)
    run.query = Query("both")
    found = ForEach(Understand() >> Entities())((Query("a"), Query("b")), run)
    assert found == (("a", "Graz"), ("b", "Graz"))
    assert run.query == Query("both")


def test_for_each_shows_the_steps_of_each_question_inside_it_and_counts_its_decisions_once() -> None:
    run = run_over(REPORT)
    ForEach(Understand() >> Row(0))((Query("a"), Query("b")), run)
    assert [(step.step, step.parameters["question"], step.rows_out) for step in run.trace] == [
        ("ForEach", "a", 1),
        ("ForEach", "b", 1),
    ]
    assert [inner.step for inner in run.trace[0].steps] == ["Understand", "Row"]
    assert run.decided_by == {"rule": 2}


def test_for_each_of_nothing_is_nothing() -> None:
    assert ForEach(Row(0))((), run_over(REPORT)) == ()


@pytest.mark.parametrize(
    ("reach", "row"), [(None, 0), (Reach.SINGLE, 0), (Reach.MULTI, 1), (Reach.GLOBAL, -1)], ids=str
)
def test_by_reach_takes_the_operator_of_the_questions_reach(reach: Reach | None, row: int) -> None:
    chosen = ByReach(Row(0), Row(1), NOTHING)(Query("zebra", reach=reach), run_over(REPORT))
    assert chosen.rows.tolist() == ([] if row < 0 else [row])


def test_combinators_need_what_any_of_their_parts_needs() -> None:
    plan = FirstFound((Row(0), Row(1))) | ByReach(Row(2), Row(3), Row(4))
    assert plan.needs() == {f"layer{number}" for number in range(5)}
    assert ForEach(Row(5)).needs() == {"layer5"}


def test_chains_are_flat_however_they_were_put_together() -> None:
    first, second, third = Understand(), Understand(), Row(0)
    assert first >> (second >> third) == (first >> second) >> third
    one, two, three = Row(0), Row(1), Row(2)
    assert one | (two | three) == (one | two) | three


PLANS: list[Operator[Query, Evidence]] = [
    (Search("bm25") | Refer()) >> RankPages("bm25"),
    FirstFound((Refer(), Search("bm25") >> RankPages("bm25"))),
    ByReach(Search("bm25"), Search("bm25") | Refer(), FirstFound((Search("bm25"),))) >> RankPages("bm25", most=4),
    Search("bm25") >> RankPages("bm25") | Refer() >> RankPages("named"),
    *(system.retrieve for system in SYSTEMS.values()),
]


@pytest.mark.parametrize("plan", PLANS, ids=repr)
def test_a_plan_read_back_from_what_it_prints_is_the_same(plan: Operator[Query, Evidence]) -> None:
    known = {name: getattr(operators, name) for name in operators.OPERATORS} | {"Kind": Kind}
    assert eval(repr(plan), {"__builtins__": {}}, known) == plan


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_answers_by_an_expression_that_prints_on_one_line(name: str) -> None:
    answer: Operator[Query, Answer] = SYSTEMS[name].answer
    assert "\n" not in repr(answer)
    assert " object at " not in repr(answer)


def test_the_type_checker_refuses_wrong_compositions_and_no_right_ones() -> None:
    cases = (Path(__file__).parents[3] / "tests") / "typing_cases"
    here = ["--project", str(cases.parents[1]), "--pythonpath", sys.executable]
    checked = subprocess.run(
        [sys.executable, "-m", "basedpyright", *here, str(cases)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout
    assert "0 errors" in checked.stdout

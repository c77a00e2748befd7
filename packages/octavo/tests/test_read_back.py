"""Reading plans back: what systems print is what is read, and nothing else is carried out."""

from __future__ import annotations

import pytest

from octavo import systems
from octavo.errors import UsageError
from octavo.operators.keep import RankPages
from octavo.operators.plan_parser import LONGEST, read_back, read_plan
from octavo.operators.score.search import Search
from octavo.systems import ABLATIONS, SYSTEMS


@pytest.mark.parametrize("name", [*SYSTEMS, *ABLATIONS])
def test_the_expressions_of_every_system_read_back_as_they_print(name: str) -> None:
    system = systems.get(name)
    assert read_back(repr(system.retrieve)) == system.retrieve
    assert read_back(repr(system.answer)) == system.answer


def test_line_breaks_and_blanks_do_not_matter() -> None:
    assert read_back(" Search('bm25')\n  >> RankPages('bm25', most=3)\n") == Search("bm25") >> RankPages("bm25", most=3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "cannot be read"),
        ("Search('bm25') >>", "cannot be read"),
        ("__import__('os').system('true')", "no operator called"),
        ("(lambda: 1)()", "no operator called"),
        ("Search.__init__('x')", "no operator called"),
        ("Run(None)", "no operator called"),
        ("Operator()", "no operator called"),
        ("[Search('bm25') for _ in (1,)]", "not part of a plan"),
        ("Search(**{'kind': 'bm25'})", "one by one"),
        ("Search('bm25') + Refer()", "by >> and |"),
        ("Search('bm25') >> 3", "no operator"),
        ("Part('bm25', 0.5)", "no operator"),
        ("'Search'", "no operator"),
        ("Search('telepathy')", "no search called"),
        ("Search(7)", "no search called 7"),
        ("RankPages('bm25', most='much')", "cannot have most='much'"),
        ("RankPages('bm25', most=True)", "cannot have most=True"),
        pytest.param("Skyline('graph')", "cannot have ", marks=pytest.mark.needs("octavo_methods")),
        ("AddPageBonuses('fused', bonuses=(('listed',),))", "cannot have bonuses="),
        ("RankPages('bm25') >> Search('bm25')", "does not go on"),
        ("Search('bm25') >> RankPages('bm25') >> DirectReader() >> RankPages('bm25')", "does not go on"),
        ("RankPages()", "cannot be read"),
        ("(" * 3000, "cannot be read"),
        ("-" * 5000 + "1", "cannot be read"),
        ("9" * LONGEST + "9", "too long"),
    ],
)
def test_what_is_no_plan_is_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=r".") as refused:
        read_back(text)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text", ["DirectReader()", "Search('bm25') >> RankPages('bm25') >> DirectReader()", "RankPages('bm25')"]
)
def test_a_plan_goes_from_a_question_to_evidence(text: str) -> None:
    with pytest.raises(UsageError, match="from a question to evidence"):
        read_plan(text)

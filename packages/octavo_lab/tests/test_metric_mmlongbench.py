"""MMLongBench-Doc's rule, row by row: every branch and the edges where implementations drift apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo_lab.metrics import mmlongbench

ROWS = [
    # integers: both sides must be integers as Python reads them
    ("8", "8", "Int", 1.0),
    (8, "8", "Int", 1.0),
    ("8", "8.0", "Int", 1.0),
    ("8", "8.9", "Int", 1.0),  # the prediction is cut, not rounded
    ("8", "9", "Int", 0.0),
    ("8", "eight", "Int", 0.0),
    ("8", "8 pages", "Int", 0.0),
    ("1000", "1,000", "Int", 0.0),  # a separator makes it no number: extraction has to remove it
    ("1,000", "1000", "Int", 0.0),
    ("8", "", "Int", 0.0),
    ("8", "nan", "Int", 0.0),
    ("8", "inf", "Int", 0.0),
    ("8", "1e1", "Int", 0.0),
    ("10", "1e1", "Int", 1.0),
    ("8", "Not answerable", "Int", 0.0),
    ("8.5", "8", "Int", 0.0),
    # decimals: 1 %, rounding, and a percentage as a fraction, either way
    ("0.5", "0.5", "Float", 1.0),
    ("18.29%", "18.29", "Float", 1.0),
    ("18.29%", "0.1829", "Float", 1.0),
    ("0.01", "1", "Float", 1.0),
    ("1", "0.01", "Float", 1.0),
    ("1", "100", "Float", 1.0),
    ("0.01", "100", "Float", 0.0),
    ("100", "99.1", "Float", 1.0),
    ("100", "98.9", "Float", 0.0),
    ("3.14159", "3.14", "Float", 1.0),
    ("0.004", "0.00449", "Float", 1.0),  # the same at the fewer of both numbers' digits
    ("0.001", "0.004", "Float", 0.0),
    ("0.01", "0.02", "Float", 0.0),
    ("$12.5", "12.5", "Float", 1.0),
    ("12.5 (approximately)", "12.5", "Float", 1.0),
    ("0", "0", "Float", 1.0),
    ("1,000.5", "1000.5", "Float", 0.0),
    ("12.5", "Fail to answer", "Float", 0.0),
    ("twelve", "12", "Float", 0.0),
    ("-4.2", "4.2", "Float", 0.0),
    # texts: ANLS above one half, case, outer quotes, parentheses, "$" and "%" aside
    ("Berlin", "berlin", "Str", 1.0),
    ("Berlin", "'Berlin'", "Str", 1.0),
    ("Berlin (Germany)", "Berlin", "Str", 1.0),
    ("abcd", "abcx", "Str", 0.75),
    ("abcd", "abxy", "Str", 0.0),  # one half is not above one half
    ("Berlin", "", "Str", 0.0),
    ("", "", "Str", 1.0),
    ("10%", "10", "Str", 1.0),
    ("12 miles", "12", "Str", 0.0),  # units stay, as in the published rule
    # texts that must be met exactly
    ("https://w.wiki/6gb", "https://w.wiki/6gb", "Str", 1.0),
    ("https://w.wiki/6gb", "https://w.wiki/6ga", "Str", 0.0),
    ("train.py", "trains.py", "Str", 0.0),
    ("Map.ipynb", "Maps.ipynb", "Str", 0.0),
    ("page 12", "page 13", "Str", 0.0),
    ("9 a.m.", "8 a.m.", "Str", 0.0),
    ("9 p.m.", "9 p.m.", "Str", 1.0),
    ("2015", "2016", "Str", 0.0),
    ("555-1234", "555-1235", "Str", 0.0),
    ("2015-07-01", "2015-07-02", "Str", 0.0),
    ("2015-07", "2015-08", "Str", 0.0),
    ("someone@example.org", "someone@example.com", "Str", 0.0),
    # no answer
    ("Not answerable", "Not answerable", "None", 1.0),
    ("Not answerable", "not answerable", "None", 1.0),
    ("Not answerable", "Fail to answer", "None", 0.0),
    ("Not answerable", "12", "None", 0.0),
    # lists: order aside, the worst item counts, numbers and exact texts all or nothing
    ("['Circle', 'Rectangle']", "['rectangle', 'circle']", "List", 1.0),
    (["Circle", "Rectangle"], "['Circle', 'Rectangle']", "List", 1.0),
    ("['White', '10%']", "['White', '10']", "List", 1.0),
    ("['abcd', 'wxyz']", "['abcx', 'wxyz']", "List", 0.75),
    ("['abcd', 'wxyz']", "['abcd', 'other']", "List", 0.0),
    ("['a', 'b']", "['a', 'b', 'c']", "List", 0.0),
    ("['a', 'b']", "['a']", "List", 0.0),
    ("['3', '4']", "[3, 4]", "List", 1.0),
    ("['3', '4']", "['4', '3']", "List", 1.0),
    ("['3', '4']", "['3', '5']", "List", 0.0),
    ("[1500, 8000]", "[8000, 1500]", "List", 1.0),
    ("['Page 1', 'Page 5']", "['page 1', 'page 5']", "List", 1.0),
    ("['Page 1', 'Page 5']", "['page 1', 'page 6']", "List", 0.0),
    ("[]", "[]", "List", 1.0),
    ("[]", "['a']", "List", 0.0),
    ("['a']", "[]", "List", 0.0),
    ("0.66", "0.66", "List", 1.0),
    ("['Circle']", "Circle", "List", 1.0),  # a single text is a list of one
    ("['a', 'b']", "a, b", "List", 0.0),
    ("['a', 'b']", "['a', 'b'", "List", 0.0),  # a broken literal is a text
    ("['1']", "[1 + 0]", "List", 0.0),  # nothing is computed
    ("[{'a': 1}]", "[{'a': 1}]", "List", 1.0),
]


@pytest.mark.parametrize(("answer", "prediction", "answer_format", "expected"), ROWS)
def test_a_row_scores_as_published(answer: object, prediction: str, answer_format: str, expected: float) -> None:
    assert mmlongbench.score(answer, prediction, answer_format) == pytest.approx(expected)


def test_nothing_in_a_prediction_is_run() -> None:
    assert mmlongbench.score("['a']", "[__import__('os').system('true')]", "List") == 0.0


@pytest.mark.parametrize("text", ["[" * 5000, "[" * 5000 + "]" * 5000, "['" + "a" * 100_000 + "']"])
def test_a_hostile_literal_costs_nothing(text: str) -> None:
    assert mmlongbench.score("['a']", text, "List") == 0.0


@given(st.text(max_size=30), st.text(max_size=30), st.sampled_from(["Int", "Float", "Str", "None", "List"]))
def test_any_two_texts_have_a_score_between_0_and_1(answer: str, prediction: str, answer_format: str) -> None:
    assert 0.0 <= mmlongbench.score(answer, prediction, answer_format) <= 1.0


@given(st.text(max_size=30))
def test_a_text_scores_fully_against_itself(text: str) -> None:
    assert mmlongbench.score(text, text, "Str") == 1.0


@given(st.lists(st.text(min_size=1, max_size=8), max_size=5))
def test_the_order_of_a_list_does_not_matter(values: list[str]) -> None:
    assert mmlongbench.score(repr(values), repr(values[::-1]), "List") == 1.0


def test_f1_weighs_answerable_and_answered_questions() -> None:
    rows = [(1.0, "a", "a"), (0.0, "b", "Not answerable"), (0.0, "Not answerable", "c"), (1.0, *["Not answerable"] * 2)]
    parts = [mmlongbench.f1_parts(*row) for row in rows]
    recall, precision = 1 / 2, 1 / 2
    expected = 2 * recall * precision / (recall + precision)
    assert sum(part for part, _ in parts) / sum(weight for _, weight in parts) == pytest.approx(expected)

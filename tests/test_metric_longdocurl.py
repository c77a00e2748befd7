"""LongDocURL's rule, row by row."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.evaluation.metrics import longdocurl

ROWS = [
    (5, "5", "Integer", 1.0),
    ("96,395", "96395", "Integer", 1.0),
    ("96395", "96,395", "Integer", 1.0),
    ("1,000", "1000", "Int", 1.0),
    ("5", "5.0", "Integer", 0.0),
    ("5", "five", "Integer", 0.0),
    ("five", "5", "Integer", 0.0),
    ("12 miles", "12", "Integer", 1.0),
    ("3 million", "3", "Integer", 1.0),
    ("$7", "7", "Integer", 1.0),
    ("£7", "7", "Integer", 1.0),
    ("0.01", "1%", "Float", 1.0),
    ("1", "100", "Float", 1.0),
    ("12.34", "12.3", "Float", 1.0),
    ("1,577.5", "1577.5", "Float", 1.0),
    ("12.5", "no number", "Float", 0.0),
    ("none", "12.5", "Float", 0.0),
    ("Merger Transaction", "merger transaction", "String", 1.0),
    ("abcd", "abcx", "Str", 0.75),
    ("12 km", "12 k", "String", 1.0),  # units are stripped as letters
    ("page 3", "page 4", "String", 0.0),
    ("Not answerable", "Not answerable", "None", 1.0),
    ("Not answerable", "Fail to answer", "None", 0.0),
    (["a b c d", "e f g h"], "['e f g h', 'a b c d']", "List", 1.0),
    (["abcd"], "['abcd', 'zzzz', 'yyyy', 'xxxx']", "List", 0.5),  # the root of 1 / 4
    (["abcd", "wxyz"], "['abcd']", "List", 0.5),
    (["1", "2"], "[1, 2]", "List", 1.0),
    (["1", "2"], "[2, 1]", "List", 0.0),  # numbers in order
    ([{"name": "Table 1", "page": 3}], "[{'name': 'Table 1', 'page': 3}]", "List", 1.0),
    ([{"name": "Table 1", "page": 3}], "['Table 1-3']", "List", 1.0),
    ([], "[]", "List", 1.0),
    (["a"], "[]", "List", 0.0),
    ([], "['a']", "List", 0.0),
    ("abcd", "abcd", "List", 1.0),
]


@pytest.mark.parametrize(("answer", "prediction", "answer_format", "expected"), ROWS)
def test_a_row_scores_as_published(answer: object, prediction: str, answer_format: str, expected: float) -> None:
    assert longdocurl.score(answer, prediction, answer_format) == pytest.approx(expected)


def test_a_longer_prediction_costs_the_root_of_the_lengths() -> None:
    assert longdocurl.score(["aaaa", "bbbb"], "['aaaa', 'bbbb', 'cccc']", "List") == pytest.approx(math.sqrt(2 / 3))


@given(st.text(max_size=30), st.text(max_size=30), st.sampled_from(["Integer", "Float", "String", "None", "List"]))
def test_any_two_texts_have_a_score_between_0_and_1(answer: str, prediction: str, answer_format: str) -> None:
    assert 0.0 <= longdocurl.score(answer, prediction, answer_format) <= 1.0

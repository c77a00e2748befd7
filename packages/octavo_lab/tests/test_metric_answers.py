"""The general answer metrics, row by row."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo_lab.metrics.answer_correctness import is_complete
from octavo_lab.metrics.overlap import (
    anls,
    best_alignment,
    distance,
    exact_match,
    inclusion,
    rouge_l,
    string_em,
    string_hit,
    token_f1,
)
from octavo_lab.metrics.published import (
    longdocurl,
    m3docvqa,
    m3docvqa_em,
    qampari_f1,
    qampari_f1_5,
    qampari_precision,
    qampari_recall,
    qampari_recall_5,
    qasper,
)

ROWS = [
    (exact_match, "The Berlin School.", "berlin school", "Str", 1.0),
    (exact_match, "1000", "1,000", "Str", 1.0),
    (exact_match, "Berlin", "Berlin School", "Str", 0.0),
    (exact_match, ["Berlin", "Bonn"], "bonn", "Str", 1.0),
    (exact_match, "['a b', 'c']", "['C', 'A B']", "List", 1.0),
    (exact_match, "[]", "[]", "List", 1.0),
    (token_f1, "the red house", "a red car", "Str", 0.5),
    (token_f1, "red red", "red", "Str", 2 / 3),
    (token_f1, "", "", "Str", 1.0),
    (token_f1, "red", "", "Str", 0.0),
    (token_f1, ["blue", "red house"], "red house", "Str", 1.0),
    (inclusion, "12.5 million", "It was 12.5 million in 2015.", "Str", 1.0),
    (inclusion, "Bonn", "Berlin", "Str", 0.0),
    (inclusion, ["Bonn", "Berlin"], "in Berlin", "Str", 1.0),
    (inclusion, "['red', 'blue']", "blue and red", "List", 1.0),
    (inclusion, "['red', 'blue']", "red only", "List", 0.0),
    (inclusion, "the", "anything", "Str", 0.0),
    (anls, ["Berlin", "berlin school"], "BERLIN", "Str", 1.0),
    (anls, ["abcd"], "abxy", "Str", 0.0),
    (anls, ["abcd"], "abcx", "Str", 0.75),
    (anls, "Not answerable", "unanswerable", "None", 1.0),
    (anls, "Not answerable", "12", "None", 0.0),
    (anls, ["aaaa", "bbbb"], "['bbbb', 'aaaa']", "List", 1.0),
    (anls, ["aaaa", "bbbb"], "['bbbb']", "List", 0.5),
    (anls, [], "[]", "List", 1.0),
    (qasper, ["Unanswerable", "Unanswerable"], "Not answerable", "Str", 1.0),
    (qasper, ["Yes", "No"], "No", "Str", 1.0),
    (qasper, ["red house", "blue"], "red", "Str", 2 / 3),
    (m3docvqa, ["three"], "3", "List", 1.0),
    (m3docvqa, ["twenty-one dogs"], "21 dogs", "List", 0.0),  # words of a number are read one by one
    (m3docvqa, ["Ben Platt", "Jennifer Jones"], ["jennifer jones", "ben platt"], "List", 1.0),
    (m3docvqa, ["Ben Platt"], ["Ben"], "List", 0.67),
    (m3docvqa, ["5 dogs"], ["6 dogs"], "List", 0.0),  # different numbers match nothing
    (m3docvqa, ["a", "b"], ["b"], "List", 0.5),
    (m3docvqa, [], [], "List", 1.0),
    (m3docvqa_em, ["The Wall", "Godzilla"], ["godzilla", "wall"], "List", 1.0),
    (m3docvqa_em, ["a b"], ["a b", "a b"], "List", 0.0),
    (string_em, [["Paris", "Paname"], ["Lyon"]], "She left Paname [1] for Nice.", "", 0.5),
    (string_em, [], "Paris", "", 0.0),
    (string_hit, [["Paris"], ["Lyon"]], "From Lyon to Paris", "", 1.0),
    (string_hit, [["Paris"], ["Lyon"]], "From Lyon", "", 0.0),
    (qampari_precision, [["a b", "ab"], ["c"]], "ab, x.", "", 0.5),
    (qampari_f1, [["Ann"], ["Bob"], ["Cy"]], "Ann; Bob; Cy", "", 1.0),
    (qampari_f1, [["Ann"], ["Bob"], ["Cy"]], "Ann, Bob and Cy", "", 1.0),
    (qampari_f1, [["Ann"], ["Bob"], ["Cy"]], "Ann, Bob, and Cy.", "", 1.0),
    (qampari_f1, [["Ann"], ["Bob"], ["Cy"]], "They are:\n- Ann\n2. Bob\n* Cy", "", 1.0),
    (qampari_f1, [["Ann, Jr"], ["Bob"]], "Ann, Jr; Bob", "", 1.0),
    (qampari_f1, [["Trinidad and Tobago"], ["Cuba"]], "Cuba, Trinidad and Tobago", "", 1.0),
    (qampari_precision, [["Ann"], ["Bob"]], "Ann, Bob and Zoe", "", 2 / 3),
    (qampari_recall, [["a b", "ab"], ["c"]], "ab, x.", "", 0.5),
    (qampari_f1, [["a b", "ab"], ["c"]], "ab, x.", "", 0.5),
    (qampari_precision, [["c"]], "", "", 0.0),
    (qampari_recall_5, [[str(n)] for n in range(10)], "0, 1, 2, 3, 4", "", 1.0),
    (qampari_recall, [[str(n)] for n in range(10)], "0, 1, 2, 3, 4", "", 0.5),
    (qampari_f1_5, [[str(n)] for n in range(10)], "0, 1, 2, 3, 4", "", 1.0),
    (qampari_recall_5, [["b"], ["c"]], "['b']", "", 0.5),
    (rouge_l, "the cat sat on the mat", "the cat sat on the mat", "", 1.0),
    (rouge_l, "police killed the gunman", "police kill the gunman", "", 1.0),  # stemmed
    (rouge_l, "police killed the gunman", "the gunman kill police", "", 0.5),
    (rouge_l, ["nothing alike", "one two three"], "one two three", "", 1.0),
    (rouge_l, "words", "", "", 0.0),
]


@pytest.mark.parametrize(("score", "answer", "prediction", "answer_format", "expected"), ROWS)
def test_a_row_scores_as_defined(score, answer, prediction, answer_format, expected) -> None:
    assert score(answer, prediction, answer_format) == pytest.approx(expected)


@given(st.text(max_size=12), st.text(max_size=12))
def test_edit_distance_is_a_metric_within_its_bounds(left: str, right: str) -> None:
    found = distance(left, right)
    assert found == distance(right, left)
    assert abs(len(left) - len(right)) <= found <= max(len(left), len(right))
    assert (found == 0) == (left == right)


@given(st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=1, max_size=4))
def test_the_pairing_is_the_best_there_is(scores: list[list[float]]) -> None:
    rows, columns = len(scores), 3
    if rows <= columns:
        sums = [sum(scores[row][at[row]] for row in range(rows)) for at in itertools.permutations(range(columns), rows)]
    else:
        sums = [sum(scores[at[c]][c] for c in range(columns)) for at in itertools.permutations(range(rows), columns)]
    assert sum(best_alignment(scores)) == pytest.approx(max(sums))


def test_rouge_l_joins_subsequences_over_the_sentences_of_the_prediction() -> None:
    """The example of Lin 2004, section 3.2: w1 w2 w3 w4 w5 against w1 w2 w6 w7 w8 and w1 w3 w8 w9 w5."""
    answer = "w1 w2 w3 w4 w5."
    prediction = "w1 w2 w6 w7 w8. w1 w3 w8 w9 w5."
    hits, wanted, given_ = 4, 5, 10
    assert rouge_l(answer, prediction) == pytest.approx(2 * hits / (wanted + given_))


@pytest.mark.parametrize(
    ("answer", "response", "correct"),
    [
        ("Yes, margins rose from 36.8% to 39%", "They rose: 36.8 to 39.0", True),
        ("Yes, it rose", "No, it rose", False),
        ("$1577.00", "1.577 billion", True),
        ("$1577.00", "1.6 billion", False),
        ("Not answerable", "Not answerable", True),
        ("12", "Not answerable", False),
        ("the consumer segment", "consumer", True),
        ("the consumer segment of the firm", "industrial", False),
    ],
)
def test_the_coarse_rule_judges_by_polarity_numbers_and_words(answer: str, response: str, correct: bool) -> None:
    assert is_complete(answer, response) is correct


LONGDOCURL = [
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


@pytest.mark.parametrize(("answer", "prediction", "answer_format", "expected"), LONGDOCURL)
def test_longdocurl_scores_as_published(answer: object, prediction: str, answer_format: str, expected: float) -> None:
    assert longdocurl(answer, prediction, answer_format) == pytest.approx(expected)


def test_a_longer_prediction_costs_the_root_of_the_lengths() -> None:
    assert longdocurl(["aaaa", "bbbb"], "['aaaa', 'bbbb', 'cccc']", "List") == pytest.approx(math.sqrt(2 / 3))


@given(st.text(max_size=30), st.text(max_size=30), st.sampled_from(["Integer", "Float", "String", "None", "List"]))
def test_any_two_texts_have_a_score_between_0_and_1(answer: str, prediction: str, answer_format: str) -> None:
    assert 0.0 <= longdocurl(answer, prediction, answer_format) <= 1.0

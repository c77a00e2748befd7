"""The general answer metrics, row by row."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.evaluation.metrics import (
    anls,
    exact_match,
    inclusion,
    judged,
    list_f1,
    m3docvqa,
    qampari,
    qasper,
    rouge_l,
    string_match,
    token_f1,
)
from octavo.evaluation.metrics.alignment import best_alignment

ROWS = [
    (exact_match.score, "The Berlin School.", "berlin school", "Str", 1.0),
    (exact_match.score, "1000", "1,000", "Str", 1.0),
    (exact_match.score, "Berlin", "Berlin School", "Str", 0.0),
    (exact_match.score, ["Berlin", "Bonn"], "bonn", "Str", 1.0),
    (exact_match.score, "['a b', 'c']", "['C', 'A B']", "List", 1.0),
    (exact_match.score, "[]", "[]", "List", 1.0),
    (token_f1.score, "the red house", "a red car", "Str", 0.5),
    (token_f1.score, "red red", "red", "Str", 2 / 3),
    (token_f1.score, "", "", "Str", 1.0),
    (token_f1.score, "red", "", "Str", 0.0),
    (token_f1.score, ["blue", "red house"], "red house", "Str", 1.0),
    (list_f1.score, ["a", "b"], "['b', 'c']", "List", 0.5),
    (list_f1.score, [], "[]", "List", 1.0),
    (list_f1.score, ["a"], "[]", "List", 0.0),
    (inclusion.score, "12.5 million", "It was 12.5 million in 2015.", "Str", 1.0),
    (inclusion.score, "Bonn", "Berlin", "Str", 0.0),
    (inclusion.score, ["Bonn", "Berlin"], "in Berlin", "Str", 1.0),
    (inclusion.score, "['red', 'blue']", "blue and red", "List", 1.0),
    (inclusion.score, "['red', 'blue']", "red only", "List", 0.0),
    (inclusion.score, "the", "anything", "Str", 0.0),
    (anls.score, ["Berlin", "berlin school"], "BERLIN", "Str", 1.0),
    (anls.score, ["abcd"], "abxy", "Str", 0.0),
    (anls.score, ["abcd"], "abcx", "Str", 0.75),
    (anls.score, "Not answerable", "unanswerable", "None", 1.0),
    (anls.score, "Not answerable", "12", "None", 0.0),
    (anls.score, ["aaaa", "bbbb"], "['bbbb', 'aaaa']", "List", 1.0),
    (anls.score, ["aaaa", "bbbb"], "['bbbb']", "List", 0.5),
    (anls.score, [], "[]", "List", 1.0),
    (qasper.score, ["Unanswerable", "Unanswerable"], "Not answerable", "Str", 1.0),
    (qasper.score, ["Yes", "No"], "No", "Str", 1.0),
    (qasper.score, ["red house", "blue"], "red", "Str", 2 / 3),
    (m3docvqa.score, ["three"], "3", "List", 1.0),
    (m3docvqa.score, ["twenty-one dogs"], "21 dogs", "List", 0.0),  # words of a number are read one by one
    (m3docvqa.score, ["Ben Platt", "Jennifer Jones"], ["jennifer jones", "ben platt"], "List", 1.0),
    (m3docvqa.score, ["Ben Platt"], ["Ben"], "List", 0.67),
    (m3docvqa.score, ["5 dogs"], ["6 dogs"], "List", 0.0),  # different numbers match nothing
    (m3docvqa.score, ["a", "b"], ["b"], "List", 0.5),
    (m3docvqa.score, [], [], "List", 1.0),
    (m3docvqa.exact, ["The Wall", "Godzilla"], ["godzilla", "wall"], "List", 1.0),
    (m3docvqa.exact, ["a b"], ["a b", "a b"], "List", 0.0),
    (string_match.score, [["Paris", "Paname"], ["Lyon"]], "She left Paname [1] for Nice.", "", 0.5),
    (string_match.score, [], "Paris", "", 0.0),
    (string_match.hit, [["Paris"], ["Lyon"]], "From Lyon to Paris", "", 1.0),
    (string_match.hit, [["Paris"], ["Lyon"]], "From Lyon", "", 0.0),
    (qampari.precision, [["a b", "ab"], ["c"]], "ab, x.", "", 0.5),
    (qampari.recall, [["a b", "ab"], ["c"]], "ab, x.", "", 0.5),
    (qampari.f1, [["a b", "ab"], ["c"]], "ab, x.", "", 0.5),
    (qampari.precision, [["c"]], "", "", 0.0),
    (qampari.recall_5, [[str(n)] for n in range(10)], "0, 1, 2, 3, 4", "", 1.0),
    (qampari.recall, [[str(n)] for n in range(10)], "0, 1, 2, 3, 4", "", 0.5),
    (qampari.score, [[str(n)] for n in range(10)], "0, 1, 2, 3, 4", "", 1.0),
    (qampari.recall_5, [["b"], ["c"]], "['b']", "", 0.5),
    (rouge_l.score, "the cat sat on the mat", "the cat sat on the mat", "", 1.0),
    (rouge_l.score, "police killed the gunman", "police kill the gunman", "", 1.0),  # stemmed
    (rouge_l.score, "police killed the gunman", "the gunman kill police", "", 0.5),
    (rouge_l.score, ["nothing alike", "one two three"], "one two three", "", 1.0),
    (rouge_l.score, "words", "", "", 0.0),
    (judged.score, "Yes, margins rose from 36.8% to 39%", "They rose: 36.8 to 39.0", "", 1.0),
    (judged.score, "Yes, it rose", "No, it rose", "", 0.0),
    (judged.score, "$1577.00", "1.577 billion", "", 1.0),
    (judged.score, "$1577.00", "1.6 billion", "", 0.0),
    (judged.score, "Not answerable", "Not answerable", "", 1.0),
    (judged.score, "12", "Not answerable", "", 0.0),
    (judged.score, "the consumer segment", "consumer", "", 1.0),
    (judged.score, "the consumer segment of the firm", "industrial", "", 0.0),
]


@pytest.mark.parametrize(("score", "answer", "prediction", "answer_format", "expected"), ROWS)
def test_a_row_scores_as_defined(score, answer, prediction, answer_format, expected) -> None:
    assert score(answer, prediction, answer_format) == pytest.approx(expected)


@given(st.text(max_size=12), st.text(max_size=12))
def test_edit_distance_is_a_metric_within_its_bounds(left: str, right: str) -> None:
    found = anls.distance(left, right)
    assert found == anls.distance(right, left)
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
    assert rouge_l.score(answer, prediction) == pytest.approx(2 * hits / (wanted + given_))


def test_a_judge_of_ones_own_decides() -> None:
    assert judged.score("a", "b", question="q", judge=lambda *told: told == ("q", "a", "b")) == 1.0

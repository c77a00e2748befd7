"""A model's sentences are told apart by the quotes behind them; a number that no quote has takes them all away."""

from __future__ import annotations

import pytest

from octavo.evidence.claims import claims_of
from octavo.evidence.labels import labels_of

QUOTES = ["Swell height, m | 0.8 | 1.2 | none", "The monks built the chapel in 1643 and left it in 1790."]
ASKED = "What is the greatest swell height at North Gut?"


@pytest.mark.parametrize(
    ("sentence", "behind"),
    [
        ("The greatest swell height at North Gut is 1.2 m.", [1]),
        ("The greatest swell height at North Gut is 2.1 m.", []),
        ("The chapel was built by monks in 1643.", [2]),
        ("The chapel was built by monks in 1634.", []),
        ("Whales are seen from the cliffs in autumn.", []),
        ("The monks left the chapel in 1790, and the swell is 0.8 m.", [1, 2]),
        ("- Helipad: none [1]", [1]),
        ("North Gut: 1.2 [1]", [1]),
    ],
)
def test_a_sentence_has_the_quotes_behind_it_that_say_it(sentence: str, behind: list[int]) -> None:
    (claim,) = claims_of(sentence, ASKED, QUOTES)
    assert (sentence[claim["start"] : claim["stop"]], claim["citations"]) == (sentence, behind)


def test_sentences_are_told_one_by_one() -> None:
    text = "Yes. It is 1.2 m. The chapel of 1643 stands.\n- Nobody knows the whales\n\n"
    told = [(text[one["start"] : one["stop"]], one["citations"]) for one in claims_of(text, ASKED, QUOTES)]
    assert told == [
        ("It is 1.2 m.", [1]),
        ("The chapel of 1643 stands.", [2]),
        ("- Nobody knows the whales", []),
    ]
    assert claims_of("", ASKED, QUOTES) == []
    assert claims_of("Whales sing.", ASKED, []) == [{"start": 0, "stop": 12, "citations": []}]


def test_only_what_a_model_wrote_has_claims() -> None:
    answer = {"outcome": "answer", "answer": "It is 1.2 m.", "question": ASKED, "citations": [{"quote": QUOTES[0]}]}
    assert "claims" not in labels_of({**answer, "decided_by": {"rule": 1}})
    assert labels_of({**answer, "decided_by": {"cache": 1}}).get("claims") == [
        {"start": 0, "stop": 12, "citations": [1]}
    ]
    assert "claims" not in labels_of({**answer, "outcome": "passages", "decided_by": {"cache": 1}})

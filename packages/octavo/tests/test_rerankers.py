"""Rerankers: by rule, by a library that need not be there, and behind an endpoint."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from json_server import JsonServer
from octavo.errors import ModelError, UsageError
from octavo.models import embedders, endpoint_models, rerankers
from octavo.models.endpoint_models import EndpointReranker
from octavo.models.rerankers import RuleReranker, shared_words
from octavo.models.sentence_transformers_models import CrossEncoderReranker, logistic

TEXTS = [
    "Revenue of the company rose by 4% in 2015.",
    "The board met twice.",
    "Turnover grew in 2015, says the annual report.",
    "",
]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint_models.time, "sleep", lambda _seconds: None)


# By rule


def test_the_rule_puts_what_answers_first_and_what_only_means_the_same_second() -> None:
    scores = rerankers.reranker("rule").score("How much did revenue rise in 2015?", TEXTS)
    assert list(np.argsort(-scores)[:2]) == [0, 2]
    assert scores.dtype == np.float32
    assert 0 <= scores.min() <= scores.max() <= 1


def test_the_rule_is_named_by_its_embedding_model() -> None:
    reranker = rerankers.reranker()
    assert isinstance(reranker, RuleReranker)
    assert reranker.name == f"rule-1-{embedders.embedder().name}"
    assert reranker.score("x", []).shape == (0,)


@given(st.text(max_size=40), st.lists(st.text(max_size=60), min_size=1, max_size=6))
def test_shared_words_are_between_0_and_1_whatever_the_texts(question: str, texts: list[str]) -> None:
    scores = shared_words(question, texts)
    assert scores.shape == (len(texts),)
    assert np.isfinite(scores).all()
    assert 0 <= scores.min() <= scores.max() <= 1


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    common, rare = shared_words("water turbine", ["water flows", "turbine turns", "water rises", "water falls"])[:2]
    assert rare > common > 0


# Names


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("acme:r", "the providers are rule, cross-encoder, jina, cohere, endpoint"),
        ("endpoint:r", "needs its address"),
        ("best", "PROVIDER:NAME"),
    ],
)
def test_a_text_that_names_none_is_said_in_one_line(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        rerankers.reranker(text)


def test_the_key_of_a_provider_goes_to_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JINA_API_KEY", "sk-theirs")
    monkeypatch.delenv("OCTAVO_API_KEY", raising=False)
    monkeypatch.delenv("COHERE_API_KEY", raising=False)
    assert vars(rerankers.reranker("jina:r"))["_key"] == "sk-theirs"
    assert vars(rerankers.reranker("jina:r@http://127.0.0.1:9/v1"))["_key"] == ""
    with pytest.raises(ModelError, match="set the environment variable COHERE_API_KEY"):
        rerankers.reranker("cohere:r")


# An endpoint


def answering(*scores: float) -> Callable[[str, Any], tuple[int, Any]]:
    rows = [{"index": at, "relevance_score": score} for at, score in enumerate(scores)]
    return lambda _path, _body: (200, {"results": rows[::-1]})


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_an_endpoint_scores_every_text_in_order() -> None:
    with JsonServer(answering(0.1, 0.9)) as server:
        found = EndpointReranker("endpoint:r", "r", server.url, "sk-key").score("q", ["a", ""])
    assert found == pytest.approx([0.1, 0.9])
    path, body, headers = server.asked[0]
    assert (path, body) == ("/v1/rerank", {"model": "r", "query": "q", "documents": ["a", " "], "top_n": 2})
    assert headers["Authorization"] == "Bearer sk-key"


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_scores_without_bounds_become_shares_in_the_same_order() -> None:
    with JsonServer(answering(-3.0, 5.0, 0.0)) as server:
        found = EndpointReranker("endpoint:r", "r", server.url).score("q", ["a", "b", "c"])
    assert found == pytest.approx([1 / (1 + math.exp(3)), 1 / (1 + math.exp(-5)), 0.5], abs=1e-6)


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.parametrize("reply", [{}, {"results": []}, {"results": [{"index": 0, "relevance_score": None}]}, 3])
def test_a_reply_without_a_score_for_each_text_is_an_error(reply: Any) -> None:
    with (
        JsonServer(lambda _path, _body: (200, reply)) as server,
        pytest.raises(ModelError, match="one score for each text"),
    ):
        EndpointReranker("endpoint:r", "r", server.url).score("q", ["a"])


# A library


class CrossEncoder:
    """Stands in for the library's class: a text's score is its length less 2."""

    def __init__(self, name: str, *, trust_remote_code: bool) -> None:
        assert not trust_remote_code
        self.wide = name == "wide"

    def predict(self, pairs: Sequence[tuple[str, str]], *, show_progress_bar: bool, activation_fn: Any) -> Any:
        assert activation_fn == "identity"
        rows = np.array([len(text) - 2.0 for _, text in pairs])
        return np.stack([rows, rows], axis=1) if self.wide else rows


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = SimpleNamespace(nn=SimpleNamespace(Identity=lambda: "identity"))
    for name, module in {"sentence_transformers": SimpleNamespace(CrossEncoder=CrossEncoder), "torch": torch}.items():
        monkeypatch.setitem(sys.modules, name, module)  # pyright: ignore[reportArgumentType]


def test_a_cross_encoder_gives_shares(library: None) -> None:
    reranker = CrossEncoderReranker("small")
    assert reranker.score("q", ["", "ab", "abcd"]) == pytest.approx(logistic(np.array([-2.0, 0.0, 2.0])))
    assert reranker.score("q", []).shape == (0,)


def test_a_classifier_is_no_reranker(library: None) -> None:
    with pytest.raises(ModelError, match="choose a model made for reranking"):
        CrossEncoderReranker("wide").score("q", ["a"])


def test_the_logistic_function_does_not_overflow() -> None:
    assert logistic(np.array([-1e9, 0.0, 1e9])).tolist() == [0.0, 0.5, 1.0]

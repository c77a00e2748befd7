"""A price is the user's, else the list's, else unknown: never a guess."""

from __future__ import annotations

import pytest

from octavo.errors import UsageError
from octavo.models.gateway import Price, Prices

ONE, TWO, THREE, FOUR = (Price(number, 10 * number) for number in (1.0, 2.0, 3.0, 4.0))


@pytest.mark.parametrize(
    ("model", "price"),
    [
        ("openai:local@http://127.0.0.1:8089/v1", 1.0),
        ("openai:local@http://127.0.0.1:9000/v1", 2.0),
        ("openai:local", 2.0),
        ("groq:local", 3.0),
        ("openai:gpt-5-mini", 4.0),
        ("groq:gpt-5-mini", None),
        ("openai:gpt-5", 1.0),
    ],
)
def test_the_nearest_name_counts_and_a_longer_pattern_before_a_shorter(model: str, price: float | None) -> None:
    table = {
        "openai:*": ONE,
        "openai:gpt-5-*": FOUR,
        "local": THREE,
        "openai:local": TWO,
        "openai:local@http://127.0.0.1:8089/v1": ONE,
    }
    assert Prices(table, listed=lambda *_: None).cost(model, 1_000_000, 0) == price


def test_input_and_output_are_priced_by_the_million() -> None:
    assert Prices({"m": Price(0.5, 2.0)}).cost("x:m", 1000, 100) == pytest.approx(0.0007)


def test_free_is_a_price_the_user_may_state() -> None:
    assert Prices({"ollama:*": Price(0, 0)}).cost("ollama:qwen", 10**6, 10**6) == 0


def test_the_list_knows_the_models_of_large_providers() -> None:
    pytest.importorskip("genai_prices")
    assert (Prices().cost("openai:gpt-4o-mini", 10**6, 10**6) or 0) > 0.1


@pytest.mark.parametrize(
    "model",
    ["openai:gpt-4o-mini@http://127.0.0.1:8089/v1", "ollama:qwen2.5", "openai:no-such-model", "scripted:test", ""],
)
def test_what_is_not_on_the_list_has_no_price(model: str) -> None:
    assert Prices().cost(model, 1000, 1000) is None


@pytest.mark.parametrize("wrong", [-1.0, float("nan"), float("inf")])
def test_a_price_is_a_number_of_0_or_more(wrong: float) -> None:
    with pytest.raises(UsageError, match="input price needs a number"):
        Price(wrong, 1.0)

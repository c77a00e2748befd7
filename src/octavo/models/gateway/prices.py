"""What calls cost: the user's table first, then published list prices.

Owns how a model's price is found. Money is in the currency of the table; list prices are US dollars. A model nobody
knows the price of has none: never a guess, and never 0 because it runs on this machine.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any

from octavo.errors import UsageError

MILLION = 1_000_000


@dataclasses.dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens of input and of output cost."""

    input: float
    output: float

    def __post_init__(self) -> None:
        for name in ("input", "output"):
            if not 0 <= getattr(self, name) < math.inf:
                raise UsageError(f"the {name} price needs a number, 0 or more, not {getattr(self, name)!r}")


def list_cost(model: str, input_tokens: int, output_tokens: int) -> float | None:
    """Return what a call costs by the provider's list prices; None when they are not known.

    The list comes with the package genai-prices and is not fetched. A model at an endpoint of its own
    ("openai:NAME@URL") has no list price.
    """
    provider, _, name = model.partition(":")
    if not name or "@" in name:
        return None
    price = _listed(provider, name)
    if price is None:
        return None
    from genai_prices import Usage

    return float(price.calc_price(Usage(input_tokens=input_tokens, output_tokens=output_tokens))["total_price"])


@lru_cache(maxsize=64)
def _listed(provider: str, name: str) -> Any:
    """Return the list price of a model today; None when there is none, or no list."""
    try:
        from genai_prices import Usage, calc_price
    except ImportError:
        return None
    try:
        return calc_price(Usage(input_tokens=1, output_tokens=1), model_ref=name, provider_id=provider).model_price
    except (LookupError, ValueError):
        return None


class Prices:
    """Prices by model.

    Keys of the table are "provider:name@url", "provider:name", "name", or patterns of these with `*`; a name goes
    before a pattern, a longer pattern before a shorter one. `listed` is asked about models not in the table.
    """

    def __init__(
        self,
        table: Mapping[str, Price] | None = None,
        *,
        listed: Callable[[str, int, int], float | None] = list_cost,
    ) -> None:
        self._table = dict(table or {})
        self._listed = listed
        self._found: dict[str, Price | None] = {}

    def cost(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """Return what a call to a model (`LanguageModel.id`) costs; None when its price is not known."""
        if model not in self._found:
            self._found[model] = self._look_up(model)
        price = self._found[model]
        if price is None:
            return self._listed(model, input_tokens, output_tokens)
        return (input_tokens * price.input + output_tokens * price.output) / MILLION

    def _look_up(self, model: str) -> Price | None:
        short = model.partition("@")[0]
        names = tuple(dict.fromkeys((model, short, short.partition(":")[2])))
        for name in names:
            if name in self._table:
                return self._table[name]
        fitting = [key for key in self._table if any(fnmatchcase(name, key) for name in names if name)]
        return self._table[max(fitting, key=len)] if fitting else None

"""What a call may take at worst, what it did take, whatever the provider says, and what that costs.

Prices are the user's first, then published list prices. Money is in the currency of the table; list prices are US
dollars. A model nobody knows the price of has none: never a guess, and never 0 because it runs on this machine.
"""

from __future__ import annotations

import dataclasses
import math
import threading
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any

from octavo.errors import UsageError
from octavo.models.language import FaultKind, Reply, Request, estimate_tokens

PICTURE_TOKENS = 2_500
"""Tokens a picture is taken to have: more than the large providers charge for a page at the size they keep."""
_TURN_TOKENS = 8
"""Tokens that a provider puts around each turn, tool and schema."""
_BYTES_PER_TOKEN = 3
"""As `estimate_tokens` counts. No tokenizer makes more than one token of a byte: the estimate errs by this at most."""
_WRAPPING_TOKENS = 1_000
"""The most a provider is believed to add to a request in words of its own, about tools and schemas."""
_DIGITS = b"0123456789"
_LONG_TOKENS = 8
"""A count this many times under the estimate is not believed: that would be 24 bytes a token."""

_UNBILLED = frozenset(
    {
        FaultKind.RATE_LIMIT,
        FaultKind.OVERLOADED,
        FaultKind.CONTEXT,
        FaultKind.AUTH,
        FaultKind.REQUEST,
        FaultKind.UNKNOWN_MODEL,
    }
)


def is_unbilled(kind: FaultKind) -> bool:
    """Whether a call that ended so cost nothing for certain: the provider turned it away."""
    return kind in _UNBILLED


def input_tokens(request: Request) -> int:
    """Return the estimated tokens of a request: its texts and schemas, and 2,500 for each picture."""
    return _text_tokens(request) + PICTURE_TOKENS * sum(len(turn.pictures) for turn in request.turns)


def _text_tokens(request: Request) -> int:
    texts = [request.instructions, request.schema]
    texts += [turn.text for turn in request.turns]
    parts = 1 + len(request.turns) + bool(request.schema)
    return sum(map(_tokens, texts)) + _TURN_TOKENS * parts


def _tokens(text: str) -> int:
    """Return the estimate with each digit a token of its own, as some tokenizers have it."""
    data = text.encode("utf-8", "surrogatepass")
    others = len(data.translate(None, _DIGITS))
    return len(data) - others + -(-others // _BYTES_PER_TOKEN)


class Estimates:
    """Estimates that learn, by model, how far its tokenizer counts above them. Thread-safe.

    Scripts a tokenizer was not made for have up to 3 times the estimate.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._factors: dict[str, float] = {}

    def worst(self, model: str, request: Request) -> tuple[int, int]:
        """Return the most input and output tokens a call may have."""
        factor = self._factors.get(model, 1.0)
        return round(input_tokens(request) * factor), max(0, request.max_output_tokens)

    def believed(self, model: str, request: Request, reply: Reply) -> Reply:
        """Return the reply with token counts that can be true.

        A count that cannot is replaced: none, a negative one or far too few by the estimate, too many by the most
        there can be.
        """
        text, whole = _text_tokens(request), input_tokens(request)
        read = _number(reply.input_tokens)
        if read < text // _LONG_TOKENS:
            read = whole
        elif read <= whole * _BYTES_PER_TOKEN:
            self._learn(model, read / max(1, whole))
        read = min(read, whole * _BYTES_PER_TOKEN + _WRAPPING_TOKENS)
        shown = estimate_tokens(reply.text)
        written = _number(reply.output_tokens)
        if written < shown // _LONG_TOKENS or written <= 0:
            written = shown
        most = max(request.max_output_tokens, shown * _BYTES_PER_TOKEN)
        return dataclasses.replace(reply, input_tokens=read, output_tokens=min(written, most))

    def _learn(self, model: str, factor: float) -> None:
        with self._lock:
            self._factors[model] = max(self._factors.get(model, 1.0), factor)


def _number(reported: object) -> int:
    """Return a reported count, 0 for what is none: it came over the wire."""
    if isinstance(reported, float):
        return int(reported) if math.isfinite(reported) else 0
    return int(reported) if isinstance(reported, int) else 0


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

"""What work may take and what it takes: caps on calls, tokens, seconds and money that nothing here can break; prices.

Before each attempt the worst case is set aside, afterwards what was really spent is counted, whatever the provider
says, and the rest given back. What is counted never exceeds a cap, whatever is reported.

Prices are the user's first, then published list prices. Money is in the currency of the table; list prices are US
dollars. A model nobody knows the price of has none: never a guess, and never 0 because it runs on this machine.
"""

from __future__ import annotations

import dataclasses
import math
import numbers
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any

from octavo.errors import BudgetError, UsageError
from octavo.models.language import FaultKind, Reply, Request, estimate_tokens

_NANO = 10**9
"""Money is counted in whole billionths, so that sums are exact."""
_POLL_SECONDS = 0.05
"""Between two looks whether other calls have given back what they set aside."""


@dataclasses.dataclass(frozen=True, slots=True)
class Caps:
    """The most that work may take; None is no cap. `tokens` counts input and output, `cost` is in the prices' currency.

    `seconds` run from the making of the budget.
    """

    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    cost: float | None = None

    def __post_init__(self) -> None:
        for name in ("calls", "tokens", "seconds", "cost"):
            cap = getattr(self, name)
            is_number = isinstance(cap, numbers.Real) and not isinstance(cap, bool)
            if cap is not None and not (is_number and 0 <= float(cap) < math.inf):
                raise UsageError(f"max_{name} needs a number, 0 or more, not {cap!r}")


@dataclasses.dataclass(frozen=True, slots=True)
class Spend:
    """What calls took or may take. `cost` is None when a price is not known."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0

    def plus(self, other: Spend) -> Spend:
        """Return both together; one unknown price makes the whole unknown."""
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        read, written = self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens
        return Spend(self.calls + other.calls, read, written, cost)


_Amounts = tuple[int, int, int, int]
"""Calls, input tokens, output tokens, billionths of money."""
_NOTHING: _Amounts = (0, 0, 0, 0)


class Budget:
    """Caps and what is left of them. Thread-safe.

    A budget with a parent is a part of it: what is spent counts in both, and both must have room. The budget of a
    question has that of the job as its parent.
    """

    def __init__(
        self, caps: Caps | None = None, *, parent: Budget | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Start a budget; its seconds begin to run now."""
        self.caps = caps or Caps()
        self.parent = parent
        self._clock = clock
        self._started = clock()
        self._lock: threading.Lock = parent._lock if parent else threading.Lock()
        self._changed: threading.Condition = parent._changed if parent else threading.Condition(self._lock)
        self._spent = _NOTHING
        self._owed = _NOTHING
        self._held: weakref.WeakKeyDictionary[Reservation, _Amounts] = weakref.WeakKeyDictionary()
        self._has_unpriced = False
        self._stopped: str | None = None

    def __repr__(self) -> str:
        return f"Budget({self.caps}, spent={self.spent})"

    @property
    def spent(self) -> Spend:
        """What was spent so far; what is set aside for calls under way is not in it."""
        with self._lock:
            calls, read, written, money = self._spent
            return Spend(calls, read, written, None if self._has_unpriced else money / _NANO)

    @property
    def stopped(self) -> str | None:
        """The first cap that refused something, None when none did.

        One of "max_calls", "max_tokens", "max_seconds", "max_cost".
        """
        return self._stopped

    @property
    def needs_prices(self) -> bool:
        """Whether money is capped here or above."""
        return any(budget.caps.cost is not None for budget in self._chain())

    def remaining_seconds(self) -> float | None:
        """Return how much time is left, 0 or more, here and above; None without such a cap."""
        left = [budget._seconds_left() for budget in self._chain()]
        known = [seconds for seconds in left if seconds is not None]
        return min(known) if known else None

    def require_seconds(self, wait: float = 0.0, what: str = "") -> None:
        """Raise BudgetError unless there is time left after waiting `wait` seconds; `what` says what for."""
        for budget in self._chain():
            left = budget._seconds_left()
            if left is not None and left <= wait:
                self._stop_up_to(budget, "max_seconds")
                raise BudgetError(_no_time(budget.caps.seconds or 0, left, wait, what))

    def reserve(self, worst: Spend, tick: Callable[[], None] | None = None) -> Reservation:
        """Set aside what a call may take at worst.

        When only what is set aside for other calls stands in the way, waits for them; `tick` is called now and then
        meanwhile and may raise to end the wait. Raises BudgetError when the worst case does not fit into what is left.
        """
        reservation = Reservation(self)
        while not self._hold(reservation, worst):
            if tick:
                tick()
            with self._lock:
                self._changed.wait(_POLL_SECONDS)
        return reservation

    def _hold(self, reservation: Reservation, worst: Spend) -> bool:
        """Set amounts aside in the whole chain; False when they will fit only once other calls are settled."""
        self.require_seconds()
        if worst.cost is None and self.needs_prices:
            raise UsageError("money is capped (max_cost) but a price is not known: state it under [prices]")
        amounts = _amounts(worst)
        with self._lock:
            chain = self._chain()
            for budget in chain:
                cap = budget._first_exceeded(_plus(budget._spent, amounts))
                if cap:
                    self._stop_up_to(budget, f"max_{cap}")
                    raise BudgetError(budget._refusal(cap, amounts))
            if any(budget._first_exceeded(_plus(budget._taken(), amounts)) for budget in chain):
                return False
            for budget in chain:
                budget._held[reservation] = amounts
        return True

    def _taken(self) -> _Amounts:
        """Return what is spent or set aside."""
        taken = self._spent
        for amounts in list(self._held.values()):
            taken = _plus(taken, amounts)
        return taken

    def _free(self, reservation: Reservation, actual: Spend) -> None:
        """Turn what was set aside into what was spent, in every budget of the chain."""
        amounts = _amounts(actual)
        with self._lock:
            for budget in self._chain():
                budget._held.pop(reservation, None)
                budget._charge(amounts)
                budget._has_unpriced |= actual.cost is None
            self._changed.notify_all()

    def _charge(self, amounts: _Amounts) -> None:
        """Count amounts as far as there is room, and the rest as soon as there is: what was spent is not forgotten."""
        due = _plus(amounts, self._owed)
        counted = self._cut(due)
        self._spent = _plus(self._spent, counted)
        self._owed = (due[0] - counted[0], due[1] - counted[1], due[2] - counted[2], due[3] - counted[3])

    def _cut(self, actual: _Amounts) -> _Amounts:
        """Return the part of amounts that fits beside what is spent and set aside for others."""
        taken = self._taken()
        calls, read, written, money = actual
        calls = min(calls, _room(self.caps.calls, taken[0]))
        tokens = _room(self.caps.tokens, taken[1] + taken[2])
        read = min(read, tokens)
        return calls, read, min(written, tokens - read), min(money, _room(_money(self.caps.cost), taken[3]))

    def _first_exceeded(self, total: _Amounts) -> str:
        """Return the name of the first cap that amounts exceed, "" for none."""
        caps = (("calls", self.caps.calls), ("tokens", self.caps.tokens), ("cost", _money(self.caps.cost)))
        sums = (total[0], total[1] + total[2], total[3])
        return next((name for (name, cap), size in zip(caps, sums, strict=True) if cap is not None and size > cap), "")

    def _refusal(self, cap: str, wanted: _Amounts) -> str:
        """Say which cap stands in the way, and what to do about it."""
        limit, spent, needs = getattr(self.caps, cap), _of(cap, self._spent), _of(cap, wanted)
        if spent >= limit:
            return f"the budget of {_say(limit, cap)} is spent (max_{cap}): allow more to go on"
        return (
            f"the next call may take {_say(needs, cap)} and {_number(limit - spent, cap)} of {_number(limit, cap)} "
            f"are left (max_{cap}): allow more to go on"
        )

    def _seconds_left(self) -> float | None:
        if self.caps.seconds is None:
            return None
        return max(0.0, self.caps.seconds - (self._clock() - self._started))

    def _chain(self) -> tuple[Budget, ...]:
        return (self, *self.parent._chain()) if self.parent else (self,)

    def _stop_up_to(self, top: Budget, cap: str) -> None:
        """Remember what refused, from this budget up to the one whose cap it is."""
        for budget in self._chain():
            budget._stopped = budget._stopped or cap
            if budget is top:
                return


class Reservation:
    """The worst case of one call, set aside until it is known what the call took. The first word counts.

    One that is gone holds nothing: Ctrl-C at any point leaves nothing set aside.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._is_open = True

    def settle(self, actual: Spend) -> None:
        """Count what the call took and give back the rest.

        More than was set aside is counted as far as the caps have room for it, and the rest of it once what is set
        aside for other calls comes free; negative numbers count as 0.
        """
        if self._is_open:
            self._is_open = False
            self._budget._free(self, actual)  # pyright: ignore[reportPrivateUsage]

    def cancel(self) -> None:
        """Give everything back: the call did not happen, or cost nothing for certain."""
        self.settle(Spend())


def _amounts(spend: Spend) -> _Amounts:
    money = math.ceil(max(0.0, spend.cost or 0.0) * _NANO)
    return max(0, spend.calls), max(0, spend.input_tokens), max(0, spend.output_tokens), money


def _plus(left: _Amounts, right: _Amounts) -> _Amounts:
    return left[0] + right[0], left[1] + right[1], left[2] + right[2], left[3] + right[3]


def _room(cap: int | None, taken: int) -> int:
    return _ENDLESS if cap is None else max(0, cap - taken)


_ENDLESS = 1 << 62
"""More than anything that is counted."""


def _money(cap: float | None) -> int | None:
    """Return a cap in billionths, rounded down: also as a float the sum stays under it."""
    if cap is None:
        return None
    whole = math.floor(cap * _NANO)
    return whole - 1 if whole / _NANO > cap else whole


def _of(cap: str, amounts: _Amounts) -> float:
    """Return what a cap is about, in its unit."""
    calls, read, written, money = amounts
    return {"calls": calls, "tokens": read + written, "cost": money / _NANO}[cap]


def _number(amount: float, cap: str) -> str:
    return f"{amount:.4g}" if cap == "cost" else f"{amount:,}"


def _say(amount: float, cap: str) -> str:
    """Return "1 call", "2,000 tokens", "0.25" (money has no unit here)."""
    unit = "" if cap == "cost" else f" {cap if amount != 1 else cap.removesuffix('s')}"
    return _number(amount, cap) + unit


def _no_time(cap: float, left: float, wait: float, what: str) -> str:
    if left <= 0:
        return f"the budget of {cap:g} seconds is spent (max_seconds): allow more to go on"
    needed = f"{what or 'the next step'} takes {wait:,.1f} seconds and {left:,.1f} of {cap:g} are left"
    return f"{needed} (max_seconds): allow more to go on"


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
        read = _believed(reply.input_tokens)
        if read < text // _LONG_TOKENS:
            read = whole
        elif read <= whole * _BYTES_PER_TOKEN:
            self._learn(model, read / max(1, whole))
        read = min(read, whole * _BYTES_PER_TOKEN + _WRAPPING_TOKENS)
        shown = estimate_tokens(reply.text)
        written = _believed(reply.output_tokens)
        if written < shown // _LONG_TOKENS or written <= 0:
            written = shown
        most = max(request.max_output_tokens, shown * _BYTES_PER_TOKEN)
        return dataclasses.replace(reply, input_tokens=read, output_tokens=min(written, most))

    def _learn(self, model: str, factor: float) -> None:
        with self._lock:
            self._factors[model] = max(self._factors.get(model, 1.0), factor)


def _believed(reported: object) -> int:
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

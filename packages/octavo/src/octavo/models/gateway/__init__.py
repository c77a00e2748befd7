"""The one way to language and vision models: budgets, prices, retries, and the journal of paid replies.

A model is asked once, paid once, within the budget, and its reply kept. In this order: look into the journal, lease the
key, ask (with retries), keep the reply, and only then show it. Each call is a span (`octavo.models.spans`).
"""

from __future__ import annotations

import contextlib
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from random import random as uniform
from threading import Event, Lock
from typing import Any
from urllib.parse import urlsplit

from octavo.errors import OctavoError, UsageError
from octavo.models.gateway.attempts import (
    CallAttempt,
    Cancelled,
    Claim,
    Lane,
    Limits,
    Paid,
    Redactor,
    Resources,
    Waiting,
)
from octavo.models.gateway.budget import (
    PICTURE_TOKENS,
    Budget,
    Caps,
    Estimates,
    Price,
    Prices,
    Reservation,
    Spend,
    input_tokens,
)
from octavo.models.gateway.journal import Entry, Journal, MemoryJournal, SpareJournal, UsageRow, now
from octavo.models.language import LanguageModel, ModelFault, Reply, Request
from octavo.models.spans import span

__all__ = [
    "PICTURE_TOKENS",
    "Budget",
    "Cancelled",
    "Caps",
    "Entry",
    "Gateway",
    "Journal",
    "Limits",
    "MemoryJournal",
    "Price",
    "Prices",
    "Redactor",
    "Reservation",
    "Settled",
    "SpareJournal",
    "Spend",
    "UsageRow",
    "input_tokens",
]


_FIRST_POLL = 0.005
_LAST_POLL = 0.25
"""Seconds between two looks for the reply somebody else asks for: short at first, then longer."""


def _kind(error: BaseException) -> str:
    return error.kind.value if isinstance(error, ModelFault) else type(error).__name__


def describe(model: str, request: Request) -> dict[str, Any]:
    """Return the attributes known before the call. A `model` is written "provider:name@url", the url may be missing."""
    short, _, url = model.partition("@")
    provider, _, name = short.partition(":")
    attributes: dict[str, Any] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": name or short,
        "gen_ai.request.max_tokens": request.max_output_tokens,
        "gen_ai.request.temperature": 0.0,
        "gen_ai.output.type": "json" if request.schema else "text",
        "octavo.decision": request.decision,
        "octavo.decision.version": request.version,
    }
    return attributes | _server(url)


def _server(url: str) -> dict[str, Any]:
    address = urlsplit(url)
    known = {"server.address": address.hostname, "server.port": address.port}
    return {name: value for name, value in known.items() if value}


@dataclass(frozen=True, slots=True)
class Settled:
    """A reply and what it took. A reply from the journal took 0 attempts and cost 0.

    `seconds` is time the model worked, over all attempts; `cost` is None when the price is not known.
    """

    reply: Reply
    is_cached: bool
    seconds: float
    cost: float | None
    attempts: int


class Gateway:
    """Calls models and remembers what they replied. Thread-safe: many threads share one gateway."""

    def __init__(
        self,
        journal: Journal | None = None,
        *,
        prices: Prices | None = None,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        random: Callable[[], float] = uniform,
    ) -> None:
        """Make a gateway; `clock`, `sleep` and `random` (0..1) are there to be replaced by tests."""
        self.journal: Journal = journal or MemoryJournal()
        self.prices = prices or Prices()
        self.limits = limits or Limits()
        self._clock = clock
        self._sleep = sleep
        self._random = random
        self._estimates = Estimates()
        self._lock = Lock()
        self._lanes: dict[str, Lane] = {}
        self._redactors: dict[tuple[str, ...], Redactor] = {}

    def call(
        self,
        model: LanguageModel,
        request: Request,
        budget: Budget,
        *,
        on_text: Callable[[str], None] | None = None,
        cancel: Event | None = None,
        on_failed: Callable[[Spend], None] | None = None,
    ) -> Settled:
        """Return the reply to a request: the one in the journal, or a new one.

        Replies are kept and used again; when another thread or process is asking the same, waits for its reply. Failed
        calls are not kept.

        Args:
            model: Who is asked.
            request: What is asked.
            budget: What may be spent; the worst case is set aside before each attempt.
            on_text: Receives the text so far as it grows; after a failed attempt it begins anew.
            cancel: Ends the call before the next attempt or pause. An attempt under way is waited for and kept, unless
                it costs time alone.
            on_failed: Is told, however the call ends, what its attempts without a reply may have cost, at worst.

        Raises:
            BudgetError: The budget has no room, or less time than the provider asks to wait.
            ModelFault: The model did not reply after all attempts, or trying again makes no sense.
            Cancelled: `cancel` was set.
            UsageError: Money is capped and the model's price is not known.
        """
        waiting = Waiting(budget, cancel, self._clock, self._sleep)
        redactor = self._redactor(model.secrets)
        asking = CallAttempt(model, request, waiting, redactor, on_text and _redacted(on_text, redactor))
        try:
            described = describe(model.id, request)
            name = f"chat {described['gen_ai.request.model']}"
            with span(name, described, is_client=True, kind_of=_kind) as tell:
                settled = self._settled(asking)
                tell(_told(settled))
        finally:
            if asking.failed.calls:
                self._count_failed(asking, on_failed)
        return settled

    def _settled(self, asking: CallAttempt) -> Settled:
        """Answer from the journal, or ask and keep the reply."""
        request = asking.request
        token = uuid.uuid4().hex
        key = request.key(asking.model.id)
        claim = Claim(self.journal, key, token, self.limits.lease_seconds, self._clock)
        try:
            entry = self._found(claim, asking.waiting)
            if entry is not None:
                return _from_journal(entry, asking.on_text)
            paid = self._asked(asking, claim)
            self.journal.settle(key, token, _entry(asking, paid))
        except BaseException:
            with contextlib.suppress(OctavoError):  # a lease that cannot be given up ends with its time or process
                self.journal.release(key, token)
            raise
        return Settled(paid.reply, is_cached=False, seconds=paid.seconds, cost=paid.cost, attempts=paid.attempts)

    def _count_failed(self, asking: CallAttempt, on_failed: Callable[[Spend], None] | None) -> None:
        """Tell of attempts that brought nothing and may have been billed."""
        if on_failed:
            on_failed(asking.failed)
        with contextlib.suppress(OctavoError):  # how the call ended counts for more than this count
            self.journal.fail(asking.request.decision, asking.model.id, asking.failed)

    def _found(self, claim: Claim, waiting: Waiting) -> Entry | None:
        """Return the kept reply; None when the claim is ours. Waits while someone else asks the same."""
        poll = _FIRST_POLL
        while True:
            entry = self.journal.find(claim.key)
            if entry is not None or claim.take():
                return entry
            waiting.tick()
            self._sleep(poll)
            poll = min(_LAST_POLL, poll * 1.5)

    def _asked(self, asking: CallAttempt, claim: Claim) -> Paid:
        """Ask the model, once it is known that its calls can be counted."""
        name = asking.model.id
        if asking.waiting.budget.needs_prices and self.prices.cost(name, 1, 1) is None:
            raise UsageError(
                f"no price is known for {name} and money is capped (max_cost): "
                f'state one in octavo.toml under [prices], key "{name}", or cap tokens instead (max_tokens)'
            )
        asking.waiting.claim = claim
        return asking.run(Resources(self._lane(name), self._estimates, self.prices, self.limits, self._random))

    def _lane(self, model: str) -> Lane:
        with self._lock:
            if model not in self._lanes:
                self._lanes[model] = Lane(self.limits.concurrency, self._clock)
            return self._lanes[model]

    def _redactor(self, secrets: tuple[str, ...]) -> Redactor:
        with self._lock:
            if secrets not in self._redactors:
                self._redactors[secrets] = Redactor(secrets)
            return self._redactors[secrets]


def _entry(asking: CallAttempt, paid: Paid) -> Entry:
    request = asking.request
    return Entry(paid.reply, asking.model.id, request.decision, request.version, paid.seconds, paid.cost, now())


def _from_journal(entry: Entry, on_text: Callable[[str], None] | None) -> Settled:
    if on_text:
        on_text(entry.reply.text)
    return Settled(entry.reply, is_cached=True, seconds=0.0, cost=0.0, attempts=0)


def _redacted(on_text: Callable[[str], None], redactor: Redactor) -> Callable[[str], None]:
    return lambda text: on_text(redactor.growing(text))


def _told(settled: Settled) -> dict[str, str | int | float | bool | list[str]]:
    told: dict[str, str | int | float | bool | list[str]] = {
        "gen_ai.usage.input_tokens": settled.reply.input_tokens,
        "gen_ai.usage.output_tokens": settled.reply.output_tokens,
        "gen_ai.response.finish_reasons": [settled.reply.finish],
        "octavo.cached": settled.is_cached,
        "octavo.attempts": settled.attempts,
    }
    return told if settled.cost is None else {**told, "octavo.cost": settled.cost}

"""Asking a model until it replies: attempts, pauses between them, and what each of them counts.

Retries have full jitter, heed the provider's Retry-After, and end. Each attempt has its worst case set aside first; one
that failed counts it in full unless the provider turned it away.
"""

from __future__ import annotations

import base64
import dataclasses
import html
import json
import math
import re
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from threading import Event
from urllib.parse import quote, quote_plus

from octavo.errors import UsageError
from octavo.models.gateway.budget import Budget, Estimates, Prices, Reservation, Spend, is_unbilled
from octavo.models.gateway.journal import Journal
from octavo.models.language import FaultKind, LanguageModel, ModelFault, Reply, Request, costs_time_alone
from octavo_documents.text.lines import on_one_line

_POLL_SECONDS = 0.05
"""Between two looks for a free slot."""


class Lane:
    """Slots for calls to one model, shared by threads. After "too many requests" nobody calls until the pause ends."""

    def __init__(self, slots: int, clock: Callable[[], float]) -> None:
        self._slots = slots
        self._clock = clock
        self._closed_until = clock()
        self._inside: weakref.WeakSet[object] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._left = threading.Condition(self._lock)

    def close_for(self, seconds: float) -> None:
        """Let nobody call for some seconds; a longer pause that is under way stays."""
        with self._lock:
            self._closed_until = max(self._closed_until, self._clock() + seconds)

    def pause_left(self) -> float:
        """Return how many seconds nobody may call, 0 or less when one may."""
        return self._closed_until - self._clock()

    def enter(self, caller: object, tick: Callable[[], None]) -> None:
        """Take a slot; `tick` is called now and then while waiting and may raise to end the wait.

        A caller that is gone holds no slot: Ctrl-C at any point loses none.
        """
        while not self._admit(caller):
            tick()

    def leave(self, caller: object) -> None:
        """Give the slot back; nothing happens without one."""
        with self._lock:
            self._inside.discard(caller)
            self._left.notify()

    def _admit(self, caller: object) -> bool:
        """Take a slot that is free, or wait a moment for one."""
        with self._lock:
            if len(self._inside) >= self._slots:
                self._left.wait(_POLL_SECONDS)
            if len(self._inside) >= self._slots:
                return False
            self._inside.add(caller)
            return True


_SLICE_SECONDS = 0.1
"""A pause is slept in pieces of this length: a cancel is heard after one."""
_SHOWN_CHARACTERS = 300
"""Of what a provider says of a failure."""


class Cancelled(Exception):
    """The caller no longer wants the reply."""


@dataclasses.dataclass(frozen=True, slots=True)
class Limits:
    """How hard a model is tried. Seconds, and numbers of 1 or more.

    `timeout` is for one attempt, `concurrency` how many calls a model gets at once; the pause before the attempt after
    the n-th is up to `first_delay * 2**(n - 1)` and at most `longest_delay`. A provider that asks to wait more than
    `longest_wait` is not waited for.
    """

    timeout: float = 60.0
    attempts: int = 4
    concurrency: int = 4
    first_delay: float = 0.5
    longest_delay: float = 20.0
    longest_wait: float = 120.0

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            least = 1 if field.name in {"attempts", "concurrency"} else 0
            if not least <= getattr(self, field.name) < math.inf:
                raise UsageError(f"{field.name} needs a number, {least} or more, not {getattr(self, field.name)!r}")

    @property
    def lease_seconds(self) -> float:
        """How long a claim lasts without a sign of life: longer than an attempt."""
        return 2 * self.timeout + 60


class Claim:
    """The right to make one call, kept alive while it is made."""

    def __init__(self, journal: Journal, key: str, token: str, seconds: float, clock: Callable[[], float]) -> None:
        self.key = key
        self._journal = journal
        self._token = token
        self._seconds = seconds
        self._clock = clock
        self._renewed = clock()

    def take(self) -> bool:
        """Take the right; False when somebody else has it."""
        self._renewed = self._clock()
        return self._journal.lease(self.key, self._token, seconds=self._seconds)

    def keep(self) -> None:
        """Put off the end when a quarter of the time has gone: what is left is more than an attempt takes."""
        if self._clock() - self._renewed > self._seconds / 4:
            self._renewed = self._clock()
            self._journal.renew(self.key, self._token, seconds=self._seconds)


@dataclasses.dataclass
class Waiting:
    """What every wait in a call heeds: the budget's time, the caller's cancel, and the claim."""

    budget: Budget
    cancel: Event | None
    clock: Callable[[], float]
    sleep: Callable[[float], None]
    claim: Claim | None = None

    def tick(self) -> None:
        """Raise Cancelled or BudgetError when there is no point in waiting on; else keep the claim alive."""
        if self.cancel is not None and self.cancel.is_set():
            raise Cancelled
        self.budget.require_seconds()
        if self.claim:
            self.claim.keep()

    def pause(self, seconds: float) -> None:
        """Wait. Raises as `tick` does."""
        end = self.clock() + seconds
        self.tick()
        while (left := end - self.clock()) > 0:
            self.sleep(min(_SLICE_SECONDS, left))
            self.tick()


@dataclasses.dataclass(frozen=True, slots=True)
class Paid:
    """A reply as it came, cleaned, and what it took over all attempts."""

    reply: Reply
    seconds: float
    cost: float | None
    attempts: int


@dataclasses.dataclass(frozen=True, slots=True)
class Resources:
    """What attempts are made with. `random` returns 0..1."""

    lane: Lane
    estimates: Estimates
    prices: Prices
    limits: Limits
    random: Callable[[], float]


@dataclasses.dataclass
class CallAttempt:
    """One request to one model on its way.

    `seconds` counts the time the model worked, `failed` what attempts without a reply may have cost, at worst.
    """

    model: LanguageModel
    request: Request
    waiting: Waiting
    redactor: Redactor
    on_text: Callable[[str], None] | None
    seconds: float = 0.0
    failed: Spend = dataclasses.field(default_factory=Spend)

    def run(self, resources: Resources) -> Paid:
        """Ask until there is a reply. Raises as `Gateway.call` does."""
        attempt = 1
        while True:
            outcome = self._attempt(resources)
            if isinstance(outcome, Reply):
                cost = resources.prices.cost(self.model.id, outcome.input_tokens, outcome.output_tokens)
                return Paid(outcome, self.seconds, cost, attempt)
            self.waiting.budget.require_seconds()
            if attempt >= resources.limits.attempts or not outcome.kind.is_transient:
                raise self._given_up(outcome, attempt)
            self._pause(resources, outcome, attempt)
            attempt += 1

    def _attempt(self, resources: Resources) -> Reply | ModelFault:
        """Ask once; return the reply with believable numbers and without secrets, or the fault."""
        read, written = resources.estimates.worst(self.model.id, self.request)
        worst = Spend(1, read, written, resources.prices.cost(self.model.id, read, written))
        reservation = self.waiting.budget.reserve(worst, self.waiting.tick)
        try:
            resources.lane.enter(reservation, self.waiting.tick)
            self._wait_for(resources.lane)
            return self._generate(resources, reservation, worst)
        finally:
            resources.lane.leave(reservation)
            reservation.cancel()  # says nothing once it is settled

    def _wait_for(self, lane: Lane) -> None:
        """Wait until the model may be called."""
        self.waiting.tick()
        while (left := lane.pause_left()) > 0:
            self.waiting.budget.require_seconds(left, f"the pause that {self.model.id} asks for")
            self.waiting.pause(left)

    def _generate(self, resources: Resources, reservation: Reservation, worst: Spend) -> Reply | ModelFault:
        left = self.waiting.budget.remaining_seconds()
        timeout = resources.limits.timeout if left is None else min(resources.limits.timeout, left)
        is_free = costs_time_alone(self.model)
        # What ends otherwise than with a reply or a fault may have been billed.
        started, spent, is_answered = self.waiting.clock(), Spend() if is_free else worst, False
        try:
            on_text = self._while_wanted if is_free else self.on_text
            reply = self.model.generate(self.request, timeout=timeout, on_text=on_text)
            reply = resources.estimates.believed(self.model.id, self.request, reply)
            cost = resources.prices.cost(self.model.id, reply.input_tokens, reply.output_tokens)
            spent, is_answered = Spend(1, reply.input_tokens, reply.output_tokens, cost), True
            return dataclasses.replace(reply, text=self.redactor(reply.text))
        except ModelFault as fault:
            spent = worst if fault.is_sent and not is_unbilled(fault.kind) else Spend()
            return fault
        finally:
            self.seconds += self.waiting.clock() - started
            reservation.settle(spent)
            if not is_answered:
                self.failed = self.failed.plus(spent)

    def _while_wanted(self, text: str) -> None:
        """Pass the text on, or end the attempt (Cancelled, BudgetError): nothing that is paid for is lost with it."""
        self.waiting.tick()
        if text and self.on_text:
            self.on_text(text)

    def _pause(self, resources: Resources, fault: ModelFault, attempt: int) -> None:
        """Wait before the next attempt: a random while, after what the provider asks for."""
        limits, asked = resources.limits, _asked_wait(fault)
        if asked:
            self.waiting.budget.require_seconds(asked, f"the pause that {self.model.id} asks for")
            if asked > limits.longest_wait:
                raise self._given_up(fault, attempt, f" (it asks to wait {asked:,.0f} seconds: try again later)")
            resources.lane.close_for(asked)
        jitter = resources.random() * min(limits.longest_delay, limits.first_delay * 2 ** (attempt - 1))
        self.waiting.budget.require_seconds(asked + jitter, f"the next attempt to reach {self.model.id}")
        self.waiting.pause(asked + jitter)

    def _given_up(self, fault: ModelFault, attempts: int, more: str = "") -> ModelFault:
        """Return what the caller is told: one line, without secrets."""
        said = "".join(sign if sign.isprintable() else " " for sign in str(fault))
        said = self.redactor(on_one_line(said))[:_SHOWN_CHARACTERS]
        tried = "" if attempts == 1 else f" (after {attempts} attempts)"
        if fault.kind is FaultKind.TIMEOUT and not more:
            more = ": allow more seconds for an attempt (timeout)"
        said = f"{said or 'no reason given'}{tried}{more}"
        return ModelFault(fault.kind, said, retry_after=fault.retry_after, is_sent=fault.is_sent)


def _asked_wait(fault: ModelFault) -> float:
    """Return the seconds a provider asks to wait, 0 when it asks for none or for nonsense."""
    wait = fault.retry_after
    return wait if wait is not None and wait > 0 else 0.0


MARK = "[redacted]"
SHORTEST = 8
"""Characters of the shortest key that is taken out; "none" and "ollama" are words, not keys."""
_SHORTEST_PART = 6
"""Characters of the beginning of a key that are held back at the end of a text that grows."""


class Redactor:
    """Replaces secrets by a mark. Secrets under 8 characters are left alone."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        known = [secret for secret in secrets if len(secret) >= SHORTEST]
        self._forms = sorted({form for secret in known for form in _forms(secret)}, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, self._forms))) if self._forms else None

    def __repr__(self) -> str:
        return "Redactor()"

    def __call__(self, text: str) -> str:
        """Return the text with every secret replaced."""
        return self._pattern.sub(MARK, text) if self._pattern else text

    def growing(self, text: str) -> str:
        """Return a text that still grows with every secret replaced, and an end that may become one held back."""
        text = self(text)
        longest = max((_overlap(text, form) for form in self._forms), default=0)
        return text[:-longest] if longest else text


def _overlap(text: str, form: str) -> int:
    """Return the length of the longest end of the text that a form begins with, 0 when it is too short to matter."""
    for length in range(min(len(form) - 1, len(text)), _SHORTEST_PART - 1, -1):
        if text.endswith(form[:length]):
            return length
    return 0


def _forms(secret: str) -> Iterator[str]:
    yield secret
    for escaped in (json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]):
        yield escaped
        yield escaped.replace("/", r"\/")
    yield repr(secret)[1:-1]
    yield html.escape(secret)
    data = secret.encode("utf-8", "surrogatepass")
    for encoded in (quote(data, safe=""), quote(data), quote_plus(data)):
        yield encoded
        yield re.sub("%[0-9A-F]{2}", lambda found: found.group().lower(), encoded)
    yield data.hex()
    yield data.hex().upper()
    for offset in range(3):
        yield from _base64(data, offset)


def _base64(data: bytes, offset: int) -> Iterator[str]:
    """Yield the digits that data always gives when it starts `offset` bytes (modulo 3) into what is encoded."""
    first, end = -(-offset * 8 // 6), (offset + len(data)) * 8 // 6
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        yield encode(bytes(offset) + data).decode("ascii")[first:end]

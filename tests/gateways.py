"""What tests of the gateway share: a clock that moves when told to, requests, and models that misbehave."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from octavo.models.gateway import Gateway, Journal, Limits, Price, Prices
from octavo.models.language import FaultKind, ModelFault, Reply, Request, Turn

SECRET = "sk-live/4f+9 ünïcode&Qz81"
PRICES = Prices({"scripted:*": Price(input=1.0, output=10.0)}, listed=lambda *_: None)


class FakeClock:
    """Time that passes only by sleeping."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.naps: list[float] = []
        self.on_nap: Callable[[], object] = lambda: None
        self._lock = threading.Lock()

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self.now += seconds
            self.naps.append(seconds)
        time.sleep(0)
        self.on_nap()


def request(text: str = "What is it?", **given: object) -> Request:
    values = {"decision": "classify", "version": "1", "instructions": "Answer.", "turns": (Turn("user", text),)}
    return Request(**{**values, **given})  # type: ignore[arg-type]


def gateway(
    clock: FakeClock | None = None, journal: Journal | None = None, random: float = 0.5, **limits: float
) -> Gateway:
    time_ = clock or FakeClock()
    return Gateway(
        journal,
        prices=PRICES,
        limits=Limits(**limits),  # type: ignore[arg-type]
        clock=time_,
        sleep=time_.sleep,
        random=lambda: random,
    )


def fault(kind: FaultKind = FaultKind.SERVER, message: str = "no", retry_after: float | None = None) -> ModelFault:
    return ModelFault(kind, message, retry_after=retry_after)


class Model:
    """A model that does what a function does with each request; counts calls, and how many ran at once."""

    def __init__(
        self,
        reply: Callable[[Request, float], Reply] | None = None,
        name: str = "scripted:model",
        secrets: tuple[str, ...] = (),
    ) -> None:
        self.id = name
        self.context_tokens = 100_000
        self.sees = True
        self.secrets = secrets
        self.calls = 0
        self.most_at_once = 0
        self.timeouts: list[float] = []
        self._reply = reply or (lambda *_: Reply("fine", 10, 5))
        self._running = 0
        self._lock = threading.Lock()

    def generate(self, request: Request, *, timeout: float, on_text: Callable[[str], None] | None = None) -> Reply:
        with self._lock:
            self.calls += 1
            self._running += 1
            self.most_at_once = max(self.most_at_once, self._running)
            self.timeouts.append(timeout)
        try:
            reply = self._reply(request, timeout)
            if on_text:
                for end in range(1, len(reply.text) + 1):
                    on_text(reply.text[:end])
            return reply
        finally:
            with self._lock:
                self._running -= 1


def in_threads(count: int, work: Callable[[int], None]) -> list[BaseException]:
    """Run work in threads; return what they raised."""
    raised: list[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001
            raised.append(error)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads)
    return raised

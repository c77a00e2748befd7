"""A language model that replies from a script, for tests of whatever asks one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from octavo.models.language import ModelFault, Reply, Request, estimate_tokens

Line = str | Reply | ModelFault
"""What a script says to one request: a text, a whole reply, or the fault to raise."""
Script = Callable[[Request], Line] | Sequence[Line]
"""A function of the request, or what to say to one request after the other."""


class ScriptedModel:
    """A LanguageModel that says what its script says, and remembers what it was asked.

    A sequence that has run out is a mistake of the test: AssertionError. Thread-safe; a function is called by one
    thread at a time only when it locks itself.
    """

    def __init__(
        self,
        script: Script,
        id: str = "scripted:test",  # noqa: A002
        *,
        context_tokens: int = 100_000,
        sees: bool = False,
        secrets: tuple[str, ...] = (),
        is_small: bool = False,
    ) -> None:
        self.id = id
        self.context_tokens = context_tokens
        self.sees = sees
        self.secrets = secrets
        self.is_small = is_small
        self.requests: list[Request] = []
        """Every request, in the order they came."""
        self._script = script
        self._asking = threading.Lock()

    @property
    def calls(self) -> int:
        """How many requests there were."""
        return len(self.requests)

    def generate(self, request: Request, *, timeout: float, on_text: Callable[[str], None] | None = None) -> Reply:
        """Return what the script says; `timeout` is not looked at. A text grows word by word in `on_text`."""
        line = self._next(request)
        if isinstance(line, ModelFault):
            raise line
        reply = line if isinstance(line, Reply) else _reply(request, line)
        if on_text:
            _grow(reply.text, on_text)
        return reply

    def _next(self, request: Request) -> Line:
        with self._asking:
            self.requests.append(request)
            position = len(self.requests) - 1
        if callable(self._script):
            return self._script(request)
        if position >= len(self._script):
            raise AssertionError(f"the script ends after {len(self._script)} requests; {request.decision} asks more")
        return self._script[position]


def _reply(request: Request, text: str) -> Reply:
    asked = "\n".join([request.instructions, *(turn.text for turn in request.turns)])
    return Reply(text, input_tokens=estimate_tokens(asked), output_tokens=estimate_tokens(text))


def _grow(text: str, on_text: Callable[[str], None]) -> None:
    end = 0
    for word in text.split(" "):
        end += len(word) + (1 if end else 0)
        on_text(text[:end])

"""A causal language model in files on this machine, as "local:PATH": a folder, a GGUF file, or a trained adapter.

Owns one attempt at a request: prompt, generation token by token, its time limit. Knows nothing about retries and
budgets, which the gateway owns, nor about how files are loaded. Nothing is loaded before the first request.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from octavo.errors import ModelError, UsageError
from octavo.models.language import FaultKind, ModelFault, Reply, Request
from octavo.models.local_files import LocalFiles
from octavo.models.local_loading import Loaded, Message, library, load
from octavo.models.spec import LOCAL

SMALL_CONTEXT = 2048
"""Tokens of context of a model whose files do not say."""
_TELL_EVERY = 8
"""Tokens between two reports of a growing text."""


class LocalCausalModel:
    """A LanguageModel. Replies are the likeliest tokens, or drawn by the request's temperature.

    Threads take turns: one reply is written at a time, and waiting for the turn counts as the request's time.
    """

    def __init__(self, files: LocalFiles, *, context_tokens: int = 0, device: str = "auto") -> None:
        """Take the files, without loading them. `context_tokens` is a cap, 0 for
        none; what the files say holds in any case.

        Raises ModelError when a package is missing.
        """
        self._files, self._id = files, ""
        self._device = device
        self._turn = threading.Lock()
        self._loaded: Loaded | None = None
        known = self._files.context_tokens or context_tokens or SMALL_CONTEXT
        self.context_tokens = min(known, context_tokens or known)
        for name in ("torch", "transformers"):
            _installed(name)

    @property
    def id(self) -> str:
        """`local:NAME#` and a digest of the files, so that replies of one model are not taken for those of another."""
        if not self._id:
            self._id = f"{LOCAL}:{self._files.name}#{self._files.digest()}"
        return self._id

    @property
    def sees(self) -> bool:
        """Whether pictures may be sent: never."""
        return False

    @property
    def secrets(self) -> tuple[str, ...]:
        """None."""
        return ()

    def generate(self, request: Request, *, timeout: float, on_text: Callable[[str], None] | None = None) -> Reply:
        """Return the reply to a request, within `timeout` seconds. A reply under way ends after its next token."""
        until = time.monotonic() + timeout
        if not self._turn.acquire(timeout=timeout):
            raise ModelFault(FaultKind.TIMEOUT, f"{self.id}: no turn within {timeout:g} seconds", is_sent=False)
        try:
            return self._reply(self._opened(), request, until, on_text)
        finally:
            self._turn.release()

    def _opened(self) -> Loaded:
        if self._loaded is None:
            try:
                self._loaded = load(self._files, device=self._device)
            except (ModelError, UsageError) as error:
                raise ModelFault(FaultKind.UNKNOWN_MODEL, str(error), is_sent=False) from error
        return self._loaded

    def _reply(self, loaded: Loaded, request: Request, until: float, on_text: Callable[[str], None] | None) -> Reply:
        prompt = loaded.prompt(self._messages(request))
        if len(prompt) + request.max_output_tokens > self.context_tokens:
            wanted = f"{len(prompt)} tokens with {request.max_output_tokens} for the reply"
            raise ModelFault(FaultKind.CONTEXT, f"{self.id} takes {self.context_tokens} tokens, not {wanted}")
        tokens: list[int] = []
        ends, finish = loaded.ends, "length"
        try:
            for token in _tokens(loaded, prompt, request):
                if token in ends:
                    finish = "stop"
                    break
                tokens.append(token)
                if on_text and len(tokens) % _TELL_EVERY == 0:
                    on_text(_text(loaded, tokens))
                if time.monotonic() > until:
                    raise ModelFault(FaultKind.TIMEOUT, f"{self.id}: no whole reply in time ({len(tokens)} tokens)")
        except RuntimeError as error:
            # torch has one error for a full device and for all else that goes wrong in it.
            raise ModelFault(FaultKind.SERVER, f"{self.id}: {' '.join(str(error).split())[:200]}") from error
        text = _text(loaded, tokens)
        if on_text:
            on_text(text)
        return Reply(text, len(prompt), len(tokens), finish=finish)

    def _messages(self, request: Request) -> list[Message]:
        turns = [{"role": turn.role, "content": turn.text} for turn in request.turns if turn.role != "tool"]
        told = [{"role": "system", "content": request.instructions}] if self._files.sends_instructions else []
        return [*told, *turns]


def _installed(name: str) -> None:
    """Raise ModelError when a package is missing; it is not imported: that takes seconds."""
    from importlib.util import find_spec

    if find_spec(name) is None:
        library(name)


def _tokens(loaded: Loaded, prompt: list[int], request: Request) -> Iterator[int]:
    """Yield up to `max_output_tokens` tokens, the end of the reply among them."""
    torch = library("torch")
    given: Any = torch.tensor([prompt], device=loaded.device)
    past: Any = None
    last = loaded.last_logits(1)
    for _ in range(request.max_output_tokens):
        with torch.inference_mode():
            out = loaded.model(input_ids=given, past_key_values=past, use_cache=True, **last)
            past, scores = out.past_key_values, out.logits[0, -1].float()
            if request.temperature > 0:
                chosen = torch.multinomial(torch.softmax(scores / request.temperature, dim=-1), 1)[0]
            else:
                chosen = scores.argmax()
        token = int(chosen)
        yield token
        given = torch.tensor([[token]], device=loaded.device)


def _text(loaded: Loaded, tokens: list[int]) -> str:
    return str(loaded.tokenizer.decode(tokens, skip_special_tokens=True))

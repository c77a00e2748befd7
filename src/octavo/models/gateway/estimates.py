"""What a call may take at worst, and what it did take, whatever the provider says.

Owns the estimates of tokens and the judgement which reported numbers are believable. Knows nothing about budgets.
"""

from __future__ import annotations

import dataclasses
import math
import threading

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
    for tool in request.tools:
        texts += [tool.name, tool.description, tool.schema]
    for turn in request.turns:
        texts.append(turn.text)
        texts += [call.name + call.arguments for call in turn.tool_calls]
    parts = 1 + len(request.turns) + len(request.tools) + bool(request.schema)
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
        shown = estimate_tokens(reply.text) + sum(estimate_tokens(call.arguments) for call in reply.tool_calls)
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

"""A model run with torch, token by token: trained routers, and what they were trained from.

Owns generation. Knows nothing about requests beyond what is written from, nor about how files are loaded.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from importlib.util import find_spec
from typing import Any

from octavo.models.language import Request
from octavo.models.local_engine import Message, Written
from octavo.models.local_files import LocalFiles
from octavo.models.local_model import LocalModel
from octavo.models.torch_loading import Loaded, library, load


def torch_model(files: LocalFiles, *, context_tokens: int = 0, device: str = "auto") -> LocalModel:
    """Return the model in files, to be run with torch. Raises ModelError when a package is missing."""
    for name in ("torch", "transformers"):
        if find_spec(name) is None:  # not imported: that takes seconds
            library(name)
    return LocalModel(files, lambda: TorchEngine(load(files, device=device)), context_tokens=context_tokens)


class TorchEngine:
    """A LocalEngine over a model of transformers."""

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded

    def prompt(self, messages: Sequence[Message]) -> list[int]:
        """Return the tokens of a conversation, up to where the reply begins."""
        return self._loaded.prompt(messages)

    def write(self, prompt: list[int], request: Request) -> Generator[Written]:
        """Yield the reply after each token. Raises RuntimeError: torch has one error for all that goes wrong in it."""
        tokens: list[int] = []
        ends = self._loaded.ends
        for token in _tokens(self._loaded, prompt, request):
            if token in ends:
                yield Written(tokens, "stop")
                return
            tokens.append(token)
            yield Written(tokens)
        yield Written(tokens, "length")

    def text(self, tokens: Sequence[int]) -> str:
        """Return tokens as text, without those that steer the model."""
        return str(self._loaded.tokenizer.decode(list(tokens), skip_special_tokens=True))


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

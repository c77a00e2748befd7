"""A model loaded with transformers and run with torch, token by token: a trained router, or what it was trained from.

Code that comes with a model is not run.
"""

from __future__ import annotations

import copy
import importlib
import inspect
import math
import os
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from octavo.errors import ModelError, UsageError
from octavo.models.language import Request
from octavo.models.local_files import LocalFiles
from octavo.models.local_model import LocalModel, Message, Written, conversation
from octavo_documents.text.lines import on_one_line

EXTRA = "train"
DEVICES = ("auto", "cpu", "cuda", "mps")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model in memory with its tokenizer; both are transformers' own objects."""

    model: Any
    tokenizer: Any
    device: str

    @property
    def ends(self) -> frozenset[int]:
        """Ids of the tokens that end a reply."""
        configured: Any = getattr(self.model.generation_config, "eos_token_id", None)
        known = cast("list[Any]", configured if isinstance(configured, list) else [configured])
        return frozenset(int(one) for one in (*known, self.tokenizer.eos_token_id) if one is not None)

    def prompt(self, messages: Sequence[Message]) -> list[int]:
        """Return the tokens of a conversation, up to where the reply begins."""
        is_bare = self.tokenizer.chat_template is None
        text = conversation(messages, None if is_bare else self._templated, library("jinja2").exceptions.TemplateError)
        return list(self.tokenizer(text, add_special_tokens=is_bare)["input_ids"])

    def _templated(self, messages: list[Message]) -> str:
        return str(self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True))

    def last_logits(self, count: int) -> dict[str, int]:
        """Return the argument by which the model computes logits of the last `count` tokens alone.

        {} where it has none. Logits of a whole prompt take far more memory than the rest: a number for each word of
        the vocabulary and token.
        """
        base: Any = self.model.get_base_model() if hasattr(self.model, "get_base_model") else self.model
        return {"logits_to_keep": count} if "logits_to_keep" in inspect.signature(base.forward).parameters else {}


def library(name: str) -> Any:
    """Return a library of the extra. Raises ModelError that names the extra when it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ModelError(
            f"trained routers and training need {name}: run `pip install 'octavo[{EXTRA}]'` (where there is no GPU, "
            "install the CPU build of torch first)"
        ) from error


def chosen_device(wanted: str = "auto") -> str:
    """Return "cuda", "mps" or "cpu": the one wanted, or the best that is there. Raises UsageError and ModelError."""
    if wanted not in DEVICES:
        raise UsageError(f"--device: needs one of {', '.join(DEVICES)}, not {wanted!r}")
    torch = library("torch")
    there = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if wanted == "auto":
        return next(name for name in ("cuda", "mps", "cpu") if there[name])
    if not there[wanted]:
        raise UsageError(f"--device: there is no {wanted} here; auto takes what there is")
    return wanted


_AMPERE = (8, 0)
"""Capability of the first GPUs that compute with bfloat16; older ones emulate it, slowly."""


def number_format(device: str) -> Any:
    """Return torch's type for weights: bfloat16 where the device is faster with it, else float32.

    Processors are with AMX; with AVX-512 BF16 alone a step of training took 1.3 times as long as with float32.
    """
    torch = library("torch")
    if device == "cuda":
        return torch.bfloat16 if torch.cuda.get_device_capability() >= _AMPERE else torch.float32
    able: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict[str, Any])() if device == "cpu" else {}
    return torch.bfloat16 if able.get("amx_bf16") else torch.float32


def load(files: LocalFiles, *, device: str = "auto", may_download: bool = False) -> Loaded:
    """Return a model, its adapter on it, ready to generate. Raises ModelError when it cannot be loaded."""
    os.environ.setdefault("TQDM_DISABLE", "1")  # transformers draws bars of its own, into whatever is printed
    transformers = library("transformers")
    if files.gguf is not None:
        library("gguf")
    place = chosen_device(device)
    where, given = _source(files)
    given["local_files_only"] = not may_download
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(where, trust_remote_code=False, **given)
        model = transformers.AutoModelForCausalLM.from_pretrained(
            where, trust_remote_code=False, dtype=number_format(place), **given
        )
        if files.adapter is not None:
            model = library("peft").PeftModel.from_pretrained(model, str(files.adapter))
    except (OSError, ValueError, RuntimeError, KeyError, TypeError) as error:
        reason = on_one_line(str(error))[:200]
        raise ModelError(f"{files.adapter or files.base} cannot be loaded by transformers ({reason})") from error
    return Loaded(model.to(place).train(mode=False), tokenizer, place)


def _source(files: LocalFiles) -> tuple[str, dict[str, Any]]:
    """Return the folder or hub name transformers is given, and the file in it where there is one."""
    if files.gguf is not None:
        return str(Path(files.gguf).parent), {"gguf_file": files.gguf.name}
    return str(files.base), {}


def torch_model(files: LocalFiles, *, context_tokens: int = 0, device: str = "auto") -> LocalModel:
    """Return the model in files, to be run with torch. Raises ModelError when a package is missing."""
    for name in ("torch", "transformers"):
        if find_spec(name) is None:  # not imported: that takes seconds
            library(name)

    def engine() -> TorchEngine:
        return TorchEngine(load(files, device=device), weighs_from=files.weighs_from)

    return LocalModel(files, engine, context_tokens=context_tokens)


class TorchEngine:
    """A LocalEngine over a model of transformers."""

    def __init__(self, loaded: Loaded, *, weighs_from: float = 0.0) -> None:
        """Take a model; with `weighs_from` it weighs the lines of a request instead of writing some."""
        self._loaded, self._weighs_from = loaded, weighs_from

    def prompt(self, messages: Sequence[Message]) -> list[int]:
        """Return the tokens of a conversation, up to where the reply begins."""
        return self._loaded.prompt(messages)

    def write(self, prompt: list[int], request: Request) -> Generator[Written]:
        """Yield the reply after each token. Raises RuntimeError: torch has one error for all that goes wrong in it."""
        if request.lines and self._weighs_from:
            yield from self._weighed(prompt, request.lines)
            return
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

    def _weighed(self, prompt: list[int], lines: Sequence[str]) -> Generator[Written]:
        """Yield nothing while lines are weighed, then those that are likely enough, and at least the likeliest."""
        weights: list[float] = []
        for weight in _weights(self._loaded, prompt, lines):
            weights.append(weight)
            yield Written([])
        least = min(math.log(self._weighs_from), max(weights))
        order = sorted(range(len(lines)), key=lambda at: -weights[at])
        reply = "\n".join(lines[at] for at in order if weights[at] >= least)
        yield Written(list(self._loaded.tokenizer(reply, add_special_tokens=False)["input_ids"]), "stop")


def _tokens(loaded: Loaded, prompt: list[int], request: Request) -> Iterator[int]:
    """Yield up to `max_output_tokens` tokens, the end of the reply among them."""
    torch = library("torch")
    given: Any = torch.tensor([prompt], device=loaded.device)
    past: Any = None
    last = loaded.last_logits(1)
    for _ in range(request.max_output_tokens):
        with torch.inference_mode():
            out = loaded.model(input_ids=given, past_key_values=past, use_cache=True, **last)
        past, token = out.past_key_values, int(out.logits[0, -1].argmax())
        yield token
        given = torch.tensor([[token]], device=loaded.device)


_WEIGHED_TOKENS = 16_384
"""Tokens of prompts that are computed at once where lines are weighed: each has a copy of what the prompt came to."""


def _weights(loaded: Loaded, prompt: list[int], lines: Sequence[str]) -> Iterator[float]:
    """Yield for each line the logarithm of the probability that a reply begins with it."""
    torch = library("torch")
    words = [list(loaded.tokenizer(line, add_special_tokens=False)["input_ids"]) for line in lines]
    with torch.inference_mode():
        given = torch.tensor([prompt], device=loaded.device)
        out = loaded.model(input_ids=given, use_cache=True, **loaded.last_logits(1))
    past, first = out.past_key_values, out.logits[0, -1].float().log_softmax(dim=-1)
    together = max(1, _WEIGHED_TOKENS // len(prompt))
    for start in range(0, len(words), together):
        group = words[start : start + together]
        longest = max(map(len, group))
        given = torch.tensor([[*one, *[0] * (longest - len(one))] for one in group], device=loaded.device)
        known = copy.deepcopy(past)
        known.batch_repeat_interleave(len(group))
        with torch.inference_mode():
            after = loaded.model(input_ids=given, past_key_values=known).logits.float().log_softmax(dim=-1)
        for row, one in enumerate(group):
            yield float(first[one[0]]) + sum(float(after[row, at, token]) for at, token in enumerate(one[1:]))

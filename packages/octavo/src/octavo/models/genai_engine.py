# pyright: reportUnknownMemberType=false
"""A model run with OpenVINO GenAI on this machine: a GGUF file, or a folder converted for OpenVINO."""

from __future__ import annotations

import contextlib
import importlib
import itertools
from collections.abc import Generator, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from octavo.errors import ModelError
from octavo.models.engine_process import EngineProcess
from octavo.models.language import FaultKind, ModelFault, Request, probability
from octavo.models.local_files import OPENVINO, GgufHeader, LocalFiles, read_header
from octavo.models.local_model import LocalModel, Message, Written, conversation
from octavo_documents.models.openvino_engine import import_openvino
from octavo_documents.text.lines import on_one_line

_INSTALL = "run `pip install -U 'octavo[local]'`"
_SERVE = (
    "serve it with llama.cpp, LM Studio or Ollama and name that one, such as openai:NAME@http://127.0.0.1:8080/v1 "
    "or ollama:NAME"
)
_FAMILIES = ("llama", "qwen2", "qwen3")
"""Families of models that GenAI's reader of GGUF files knows."""
_WEIGHTS = ("F16", "Q4_0", "Q4_1", "Q4_K", "Q6_K", "Q8_0")
"""Kinds of weights that it turns into those of OpenVINO."""
_TOKENIZER = "gpt2"
_SEEING = "openvino_language_model.xml"
"""The part that speaks of a model that sees, in a folder converted for OpenVINO."""

_STEP_TOKENS = 64
"""Tokens of a prompt that are read in a step: as fast as more, and a step of a model of 1.5b takes 0.3 s on two cores,
after which the work can be ended."""
_PIECE = 2000
"""Characters turned into tokens at once. The tokenizer of a GGUF file cuts what has more than 8192 tokens without a
word; no character has more than 4."""
_DRAIN_STEPS = 8
"""Steps after which a cancelled request is gone; one is usual."""


def genai_model(files: LocalFiles, *, context_tokens: int = 0) -> LocalModel:
    """Return the model in files, to be run with OpenVINO GenAI. Loads nothing.

    Raises ModelError for files that it cannot run, and when the package is missing.
    """
    check_installed()
    check_files(files)
    return LocalModel(files, lambda: EngineProcess(Path(files.base)), context_tokens=context_tokens)


def check_installed() -> None:
    """Raise ModelError unless GenAI is here, in the version of OpenVINO: it is compiled against it."""
    if find_spec("openvino_genai") is None:
        raise ModelError(f"models in files need another package: {_INSTALL}")
    try:
        own, wanted = (version(name) for name in ("openvino-genai", "openvino"))
    except PackageNotFoundError:
        return
    if own.split(".")[:3] != wanted.split(".")[:3]:
        raise ModelError(f"openvino-genai {own} needs openvino of the same version, not {wanted}: {_INSTALL}")


def check_files(files: LocalFiles) -> None:
    """Raise ModelError for files that cannot be run; it says what to do with them."""
    if wrong := problem_with(files):
        raise ModelError(f"{files.base} {wrong}")


def problem_with(files: LocalFiles) -> str:
    """Return why files cannot be run and what to do about it, "" when they can. Raises ModelError for broken ones."""
    if files.gguf is not None:
        header = read_header(files.gguf)
        return _cut_off(files.gguf, header) or _refusal(header)
    if (Path(files.base) / _SEEING).is_file():
        return f"holds a model that sees, which does not run here: {_SERVE}"
    if not (Path(files.base) / OPENVINO).is_file():
        converted = f"convert it (`optimum-cli export openvino --model {files.base} FOLDER`)"
        return f"holds no model that runs here: {converted}, or {_SERVE}"
    return ""


def _refusal(header: GgufHeader) -> str:
    if header.family not in _FAMILIES:
        family = header.family or "unknown"
        return f"is of the family {family}, and only {_listed(_FAMILIES)} run here: {_SERVE}"
    if header.tokenizer != _TOKENIZER:
        kind = header.tokenizer or "unknown"
        return f"has a tokenizer of the kind {kind}, which does not run here: {_SERVE}"
    if others := sorted(header.weights.difference(_WEIGHTS)):
        kinds = _listed(_WEIGHTS, "or")
        return f"has weights of the kind {_listed(others)}, which do not run here: fetch {kinds}, or {_SERVE}"
    return ""


def _cut_off(path: Path, header: GgufHeader) -> str:
    # A file that is cut off would end the process while it is read, not raise.
    if (size := path.stat().st_size) < header.size:
        return f"is cut off: it has {size:,} of {header.size:,} bytes; fetch it again"
    if header.parts > 1:
        return f"is one of {header.parts} parts of a model: join them with llama-gguf-split --merge"
    return ""


def _listed(names: Sequence[str], word: str = "and") -> str:
    return f"{', '.join(names[:-1])} {word} {names[-1]}" if len(names) > 1 else "".join(names)


class GenaiEngine:
    """A LocalEngine. What prompts have in common at their beginning is computed once and kept."""

    def __init__(self, path: Path) -> None:
        """Load the model, which takes many seconds. Raises ModelError when that cannot be done."""
        self._openvino = import_openvino()
        self._genai = _imported()
        scheduling = self._genai.SchedulerConfig()
        scheduling.enable_prefix_caching = True
        scheduling.max_num_batched_tokens = _STEP_TOKENS
        try:
            self._pipeline = self._genai.ContinuousBatchingPipeline(str(path), scheduling, "CPU")
            self._tokenizer = self._pipeline.get_tokenizer()
            self._configured = self._pipeline.get_config()
            self._numbers = itertools.count()
            self._warm_up()
        except (RuntimeError, LookupError, ValueError, MemoryError) as error:
            raise ModelError(
                f"{path} cannot be loaded by OpenVINO GenAI ({_end_of(error)}): fetch it again, or {_SERVE}"
            ) from error

    def prompt(self, messages: Sequence[Message]) -> list[int]:
        """Return the tokens of a conversation, up to where the reply begins."""
        template = self._templated if self._tokenizer.chat_template else None
        text = conversation(messages, template, RuntimeError)
        tokens: list[int] = []
        for piece in _pieces(text):
            tokens += self._encoded(piece, is_bare=template is None and not tokens)
        return tokens

    def write(self, prompt: list[int], request: Request) -> Generator[Written]:
        """Yield the reply after each step: up to 64 tokens read, or one written. Raises RuntimeError and ModelFault."""
        if self._pipeline.has_non_finished_requests():
            raise RuntimeError("a request before this one could not be ended")
        number = next(self._numbers)
        tokens: list[int] = []
        chance: float | None = None
        finish = ""
        handle = self._pipeline.add_request(
            number, self._openvino.Tensor(np.array([prompt], dtype=np.int64)), self._config(request)
        )
        try:
            while self._pipeline.has_non_finished_requests():
                self._pipeline.step()
                while handle.can_read():
                    for output in handle.read().values():
                        tokens += output.generated_ids
                        if chance is None and output.generated_log_probs:
                            chance = probability(output.generated_log_probs[0])
                        finish = "length" if output.finish_reason.name == "LENGTH" else "stop"
                yield Written(tokens, chance=chance)
        except RuntimeError as error:
            if request.schema and not tokens:
                # What a schema asks is looked at in the first step.
                wrong = f"the schema of the reply is not understood ({_end_of(error)})"
                raise ModelFault(FaultKind.REQUEST, wrong) from error
            raise
        finally:
            self._end(handle)
        if handle.get_status().name != "FINISHED":
            raise RuntimeError("there was no memory left for a prompt of this length")
        yield Written(tokens, "length" if finish == "length" else "stop", chance)

    def text(self, tokens: Sequence[int]) -> str:
        """Return tokens as text, without those that steer the model."""
        return str(self._tokenizer.decode(list(tokens), skip_special_tokens=True)) if tokens else ""

    def _end(self, handle: Any) -> None:
        """End a request that is not finished: one that stayed would be gone on with beside the next."""
        with contextlib.suppress(RuntimeError):
            for _ in range(_DRAIN_STEPS):
                if not self._pipeline.has_non_finished_requests():
                    return
                handle.cancel()
                self._pipeline.step()

    def _warm_up(self) -> None:
        """Take the first step, which is slow and cannot be ended: weights are laid out in it."""
        for _ in self.write(self._encoded("a", is_bare=True), _FIRST):
            pass

    def _config(self, request: Request) -> Any:
        config = self._genai.GenerationConfig()
        # What ends a reply is the model's; how to choose words is not: the request says it.
        for name in ("eos_token_id", "stop_token_ids", "stop_strings"):
            setattr(config, name, getattr(self._configured, name))
        config.max_new_tokens = request.max_output_tokens
        if not request.schema:
            config.logprobs = 1
        if request.schema:
            config.structured_output_config = self._genai.StructuredOutputConfig(json_schema=request.schema)
        return config

    def _templated(self, messages: list[Message]) -> str:
        # Thoughts would take minutes here, and a reply that is held to a schema has no place for them.
        written = self._tokenizer.apply_chat_template(
            messages, add_generation_prompt=True, extra_context={"enable_thinking": False}
        )
        return str(written)

    def _encoded(self, text: str, *, is_bare: bool) -> list[int]:
        encoded = self._tokenizer.encode(text, add_special_tokens=is_bare)
        return [int(token) for token in np.asarray(encoded.input_ids.data)[0]]


_FIRST = Request("", "", "", (), max_output_tokens=1)


def _imported() -> Any:
    try:
        return importlib.import_module("openvino_genai")
    except ImportError as error:
        raise ModelError(f"OpenVINO GenAI cannot be imported: {_INSTALL} ({error})") from error


def _pieces(text: str) -> Iterator[str]:
    """Yield a text in pieces that end with a line, else before a blank, where there is one."""
    while len(text) > _PIECE:
        end = text.rfind("\n", 0, _PIECE) + 1 or text.rfind(" ", 1, _PIECE)
        end = end if end > 0 else _PIECE
        yield text[:end]
        text = text[end:]
    yield text


def _end_of(error: Exception) -> str:
    return on_one_line(str(error))[-200:]

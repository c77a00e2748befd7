"""A stand-in for the package openvino_genai that writes what a script says, one letter a step."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

NAME = "openvino_genai"
END = 0


class ScriptedGenai(ModuleType):
    """The module. Letters are tokens; a prompt is read in steps of what the scheduler says.

    `reply` is what is written to a prompt; `on_step` and `on_load` are called first and may raise.
    """

    def __init__(
        self,
        reply: Callable[[str], str] = lambda _prompt: "A crew of two",
        *,
        on_step: Callable[[], object] = lambda: None,
        on_load: Callable[[], object] = lambda: None,
        template: str = "roles",
    ) -> None:
        super().__init__(NAME)
        self.__spec__ = ModuleSpec(NAME, None)
        self.reply, self.on_step, self.on_load, self.template = reply, on_step, on_load, template
        self.pipelines: list[_Pipeline] = []
        self.encoded: list[str] = []
        self.most_at_once = 0
        self.SchedulerConfig = SimpleNamespace
        self.GenerationConfig = SimpleNamespace
        self.StructuredOutputConfig = SimpleNamespace
        self.ContinuousBatchingPipeline = self._load

    def _load(self, path: str, scheduling: Any, device: str) -> _Pipeline:
        self.on_load()
        self.pipelines.append(_Pipeline(self, path, scheduling, device))
        return self.pipelines[-1]

    @property
    def requests(self) -> list[_Handle]:
        """What was asked of all pipelines, without the letter that warms each up."""
        return [handle for pipeline in self.pipelines for handle in pipeline.handles[1:]]


class _Pipeline:
    def __init__(self, owner: ScriptedGenai, path: str, scheduling: Any, device: str) -> None:
        self.owner, self.path, self.scheduling, self.device = owner, path, scheduling, device
        self.handles: list[_Handle] = []
        self._inside = threading.Lock()

    def get_tokenizer(self) -> _Tokenizer:
        return _Tokenizer(self.owner)

    def get_config(self) -> Any:
        return SimpleNamespace(eos_token_id=END, stop_token_ids={END}, stop_strings=set[str]())

    def add_request(self, number: int, ids: Any, config: Any) -> _Handle:
        prompt = "".join(map(chr, np.asarray(ids.data)[0]))
        self.handles.append(_Handle(number, prompt, config, self.owner.reply(prompt) if self.handles else ""))
        return self.handles[-1]

    def has_non_finished_requests(self) -> bool:
        return any(handle.status == "RUNNING" for handle in self.handles)

    def step(self) -> None:
        if not self._inside.acquire(blocking=False):
            raise AssertionError("two threads at once")
        try:
            for handle in self.handles:
                if handle.status == "CANCEL":
                    handle.status = "IGNORED"
            running = [handle for handle in self.handles if handle.status == "RUNNING"]
            self.owner.most_at_once = max(self.owner.most_at_once, len(running))
            if len(self.handles) > 1 and running:
                self.owner.on_step()
            for handle in running:
                handle.advance(self.scheduling.max_num_batched_tokens)
        finally:
            self._inside.release()


class _Handle:
    def __init__(self, number: int, prompt: str, config: Any, reply: str) -> None:
        self.number, self.prompt, self.config = number, prompt, config
        self.status = "RUNNING"
        self.read_tokens = 0
        self._left = list(reply)
        self._new: list[tuple[int, str]] = []

    def advance(self, tokens: int) -> None:
        structured = getattr(self.config, "structured_output_config", None)
        if structured is not None and "strange" in structured.json_schema:
            raise RuntimeError('Unsupported type "strange"')
        self.read_tokens += tokens
        if self.read_tokens >= len(self.prompt):
            self._write()

    def _write(self) -> None:
        written = ord(self._left.pop(0)) if self._left else END
        self.config.max_new_tokens -= 1
        why = "STOP" if written == END else "LENGTH" if self.config.max_new_tokens == 0 else "NONE"
        self._new.append((written, why))
        if why != "NONE":
            self.status = "FINISHED"

    def can_read(self) -> bool:
        return bool(self._new)

    def read(self) -> Mapping[int, Any]:
        told, self._new = self._new, []
        reason = SimpleNamespace(name=told[-1][1])
        likely = [math.log(0.75)] * (len(told) if getattr(self.config, "logprobs", 0) else 0)
        ids = [token for token, _ in told]
        return {0: SimpleNamespace(generated_ids=ids, finish_reason=reason, generated_log_probs=likely)}

    def cancel(self) -> None:
        self.status = "CANCEL"

    def get_status(self) -> Any:
        return SimpleNamespace(name=self.status)


class _Tokenizer:
    def __init__(self, owner: ScriptedGenai) -> None:
        self._owner = owner
        self.chat_template = owner.template

    def apply_chat_template(
        self, messages: Sequence[Mapping[str, str]], *, add_generation_prompt: bool, extra_context: Mapping[str, Any]
    ) -> str:
        assert add_generation_prompt
        assert extra_context == {"enable_thinking": False}
        if self.chat_template == "no system" and messages[0]["role"] == "system":
            raise RuntimeError("the system role is not known")
        return "".join(f"{message['role']}: {message['content']}\n" for message in messages)

    def encode(self, text: str, *, add_special_tokens: bool) -> Any:
        del add_special_tokens
        self._owner.encoded.append(text)
        return SimpleNamespace(input_ids=SimpleNamespace(data=np.array([[ord(sign) for sign in text]])))

    def decode(self, tokens: Sequence[int], *, skip_special_tokens: bool) -> str:
        assert skip_special_tokens
        return "".join(chr(token) for token in tokens if token != END)

"""An engine in a process of its own: while it computes everybody else goes on, and what ends it ends one reply alone.

This is the side that asks; `engine_child` is the other. OpenVINO GenAI holds Python's lock for the whole of a step, a
tenth of a second and more: in this process a server would turn no page while a model reads. The two processes speak in
lines of JSON, each call with a number that its answer repeats, so that an answer nobody waits for any more is passed
over.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Generator, Sequence
from itertools import count
from pathlib import Path
from typing import IO, Any

from octavo.errors import ModelError
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.local_model import POLL_SECONDS, Message, Written

_END_SECONDS = 15.0
"""What a step may still take once a reply is not wanted any more; after that the process is ended."""
_CALL_SECONDS = 120.0
"""What turning text into tokens or back may take; a process that takes longer is ended."""
_KILL = 9
"""The signal by which a system that has no memory left ends a process."""


class EngineProcess:
    """A LocalEngine: the one of OpenVINO GenAI for a path, in a child process that ends with this one."""

    def __init__(self, path: Path) -> None:
        """Start the process and wait until it has loaded the model. Raises ModelError when it cannot."""
        self._path = path
        try:
            self._said = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the process)
            self._process = _started(path, self._said)
        except OSError as error:
            raise ModelError(f"no process can be started for {path}: {error}") from error
        self._end = weakref.finalize(self, _killed, self._process, self._said)
        _running.add(self)
        self._answers: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._numbers = count(1)
        assert self._process.stdout is not None
        listener = threading.Thread(
            target=_listen, args=(self._process.stdout, self._answers), name="octavo-engine", daemon=True
        )
        try:
            listener.start()
            self._answer(0)
        except ModelError:
            self._end()
            raise
        except RuntimeError as error:
            self._end()
            raise ModelError(f"{path} cannot be loaded: {error}") from error

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._end()

    def prompt(self, messages: Sequence[Message]) -> list[int]:
        """Return the tokens of a conversation, up to where the reply begins."""
        return [int(token) for token in self._call("prompt", list(messages))]

    def write(self, prompt: list[int], request: Request) -> Generator[Written]:
        """Yield the reply after each step, and as it is ten times a second. Raises RuntimeError and ModelFault."""
        tokens: list[int] = []
        chance: float | None = None
        is_over = False
        try:
            asked = {"schema": request.schema, "max_output_tokens": request.max_output_tokens}
            self._call("begin", {"prompt": prompt, **asked})
            while True:
                step = self._send("step")
                while (answer := self._waited(step)) is None:
                    yield Written(tokens, chance=chance)
                if answer["value"] is None:
                    raise RuntimeError("the reply ended before it was whole")
                new, finish, chance = answer["value"]
                tokens += new
                is_over = bool(finish)
                yield Written(tokens, finish, chance)
                if finish:
                    return
        except (RuntimeError, ModelFault):
            is_over = True
            raise
        finally:
            if not is_over:
                self._stop()

    def text(self, tokens: Sequence[int]) -> str:
        """Return tokens as text, without those that steer the model."""
        return str(self._call("text", list(tokens)))

    def _stop(self) -> None:
        """End the reply under way. A process that does not is ended: the next request finds that and has it loaded."""
        has_ended = False
        try:
            with contextlib.suppress(RuntimeError):
                self._answer(self._send("end"), _END_SECONDS)
                has_ended = True
        finally:
            if not has_ended:
                self._end()

    def _call(self, name: str, value: Any) -> Any:
        return self._answer(self._send(name, value), _CALL_SECONDS)

    def _send(self, name: str, value: Any = None) -> int:
        number = next(self._numbers)
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line_of([number, name, value]))
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise RuntimeError(self._ending()) from error
        except BaseException:
            self._end()  # half a line may have been sent
            raise
        return number

    def _answer(self, number: int, seconds: float = math.inf) -> Any:
        until = time.monotonic() + seconds
        while (answer := self._waited(number)) is None:
            if time.monotonic() > until:
                self._end()
                raise RuntimeError(f"the process that runs {self._path.name} does not answer")
        return answer["value"]

    def _waited(self, number: int) -> dict[str, Any] | None:
        """Return the answer to a call, None where there is none yet. Raises what went wrong with it."""
        try:
            answer = self._answers.get(timeout=POLL_SECONDS)
        except queue.Empty:
            return None
        if answer is None:
            self._answers.put(None)  # for whoever asks next
            raise RuntimeError(self._ending())
        if answer["number"] != number:
            return None
        if unfit := answer.get("unfit"):
            raise ModelError(unfit)
        if fault := answer.get("fault"):
            raise ModelFault(FaultKind(fault[0]), fault[1])
        if error := answer.get("error"):
            self._end()  # the next request gets a new one, and there is not always memory for two
            raise RuntimeError(error)
        return answer

    def _ending(self) -> str:
        """Return how the process ended, in words."""
        if not self._end.alive:
            return f"the process that ran {self._path.name} was ended: a reply nobody wanted any more went on"
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        status, said = self._process.returncode, _last_line(self._said)
        if status is not None and status < 0:
            how = f"by signal {-status}" + (": is there enough memory?" if status == -_KILL else "")
        else:
            how = f"with status {status}" + (f": {said}" if said else "")
        return f"the process that runs {self._path.name} ended {how}"


_running: weakref.WeakSet[EngineProcess] = weakref.WeakSet()


def end_all() -> None:
    """End the processes of all models, for a program that leaves at once.

    Left to themselves they would end after what they are doing, and to load a model may take half a minute.
    """
    for engine in list(_running):
        engine.end()


def _started(path: Path, said: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start the process. Ctrl-C at the terminal is for this one, which then ends what the other does.

    -P keeps modules that lie in the current folder, beside the documents, from being imported.
    """
    command = [sys.executable, "-P", "-m", "octavo.models.engine_child", str(path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(one for one in sys.path if one)}
    pipe = subprocess.PIPE
    if sys.platform == "win32":
        apart = subprocess.CREATE_NEW_PROCESS_GROUP
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=said, env=environment, creationflags=apart)
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=said, env=environment, process_group=0)


def _killed(process: subprocess.Popen[bytes], said: IO[bytes]) -> None:
    process.kill()
    process.wait()
    assert process.stdin is not None
    with said, contextlib.suppress(OSError):
        process.stdin.close()


def _last_line(said: IO[bytes]) -> str:
    with contextlib.suppress(OSError, ValueError):
        said.seek(0)
        return said.read()[-4096:].decode("utf-8", "replace").strip().rpartition("\n")[2][-200:]
    return ""


def _listen(lines: IO[bytes], answers: queue.SimpleQueue[dict[str, Any] | None]) -> None:
    """Pass on the answers of a process, and None when it has ended."""
    try:
        with lines, contextlib.suppress(ValueError):
            for line in lines:
                answers.put(json.loads(line))
    finally:
        answers.put(None)


def line_of(value: Any) -> bytes:
    """Return a call or an answer as it is sent."""
    return json.dumps(value).encode("ascii") + b"\n"

"""Starting worker processes: a warm fork server that forks them, or one process per job where there is no fork."""

from __future__ import annotations

import atexit
import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, ClassVar, Protocol
from weakref import WeakSet

from octavo_documents.parsing.fork_server import EXIT, ONCE

HAS_FORK = hasattr(os, "fork") and hasattr(socket, "send_fds")
_PATIENCE = 5.0
_IDLE_SECONDS = 60.0
"""How long a fork server waits for its next use: it holds some 60 MB meanwhile."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a process ended: `status` is its exit code or minus a signal, `memory` its peak in bytes (0: unknown)."""

    status: int
    memory: int


class Process(Protocol):
    """A process with one job."""

    @property
    def wire(self) -> socket.socket:
        """The parent's end of the conversation."""
        ...

    def end(self) -> Ending | None:
        """Kill the process unless it has ended, and return how it ended; None when nobody knows."""
        ...

    def ending(self) -> Ending | None:
        """Wait for a process that is ending by itself; the same as `end` when it does not."""
        ...


class Launcher(Protocol):
    """Starts processes; `launch` may be called by several threads."""

    def launch(self, number: int = 0) -> Process:
        """Start a process for one job, on a file of the format of this number where it has one."""
        ...

    def close(self) -> None:
        """End all processes; the next `launch` starts anew."""
        ...

    def complaint(self) -> str:
        """Return why no process can be started, or ""."""
        ...


class ForkedProcess:
    """A child of the fork server. Letting go of its lifeline ends it."""

    def __init__(self, wire: socket.socket, lifeline: socket.socket) -> None:
        self.wire, self._lifeline = wire, lifeline

    def kill(self) -> None:
        """Have it killed unless it has ended; may be called by another thread than the one that talks to it."""
        with contextlib.suppress(OSError):  # where the fork server or the lifeline has gone
            self._lifeline.shutdown(socket.SHUT_WR)

    def end(self) -> Ending | None:
        """Kill it unless it has ended; return how it ended."""
        self.wire.close()
        with self._lifeline, contextlib.suppress(OSError):  # where the fork server has gone too
            self._lifeline.shutdown(socket.SHUT_WR)
            return self._read()
        return None

    def ending(self) -> Ending | None:
        """Wait a little for it to end by itself, then kill it."""
        with contextlib.suppress(OSError):
            ended = self._read()
            self.end()
            return ended
        return self.end()

    def _read(self) -> Ending | None:
        self._lifeline.settimeout(_PATIENCE)
        data = self._lifeline.recv(EXIT.size)
        return Ending(*EXIT.unpack(data)) if len(data) == EXIT.size else None


class ForkLauncher:
    """Forks from a warm process, which all launchers of this program share that run the same entry."""

    def __init__(self, entry: str) -> None:
        self._entry = entry
        self._server: _ForkServer | None = None
        self._processes: WeakSet[ForkedProcess] = WeakSet()

    def launch(self, number: int = 0) -> ForkedProcess:
        """Have the fork server fork a child for one job; it loads what reads the format `number` before."""
        wire, child_wire = socket.socketpair()
        lifeline, child_lifeline = socket.socketpair()
        process = ForkedProcess(wire, lifeline)
        with child_wire, child_lifeline, _ForkServer.lock:
            self._server = self._server or _ForkServer.shared(self._entry)
            self._server.fork(number, [child_wire.fileno(), child_lifeline.fileno()])
            self._processes.add(process)
        return process

    def close(self) -> None:
        """End the children of this launcher; the fork server waits a while for whoever needs it next."""
        with _ForkServer.lock:
            for process in self._processes:
                process.kill()
            if self._server:
                self._server.let_go()
            self._server = None

    def complaint(self) -> str:
        """Return the last line the fork server wrote if it has died by itself, else ""."""
        with _ForkServer.lock:
            return self._server.last_words() if self._server else ""


class _ForkServer:
    """A warm process that forks, started at the first job and again should it have died.

    Importing what reads files takes longer than reading a small one: so it outlives those who use it for a while.
    """

    lock: ClassVar = threading.RLock()
    """Held by whoever calls anything here."""
    _known: ClassVar[dict[tuple[str, frozenset[tuple[str, str]]], _ForkServer]] = {}
    """By what they run and in which environment."""

    def __init__(self, entry: str, environment: Mapping[str, str]) -> None:
        self._entry, self._environment = entry, environment
        self._running: _RunningForkServer | None = None
        self._users = 0
        self._idle: threading.Timer | None = None

    @classmethod
    def shared(cls, entry: str) -> _ForkServer:
        """Return the one that runs an entry in the environment of now; `let_go` ends its use."""
        environment = _environment()
        server = cls._known.setdefault((entry, frozenset(environment.items())), cls(entry, environment))
        server._users += 1
        if server._idle:
            server._idle.cancel()
        return server

    def let_go(self) -> None:
        self._users -= 1
        if not self._users:
            self._idle = threading.Timer(_IDLE_SECONDS, self._end_unused)
            self._idle.daemon = True
            self._idle.start()

    def fork(self, number: int, descriptors: Sequence[int]) -> None:
        if self._running and self._running.process.poll() is not None:
            self.end()
        self._running = self._running or _RunningForkServer.start(self._entry, self._environment)
        socket.send_fds(self._running.control, [bytes((number,))], descriptors)

    def last_words(self) -> str:
        return self._running.last_words() if self._running else ""

    def end(self) -> None:
        if self._running:
            self._running.stop()
        self._running = None

    def _end_unused(self) -> None:
        with self.lock:
            if not self._users:
                self.end()

    @classmethod
    def end_all(cls) -> None:
        with cls.lock:
            for server in cls._known.values():
                server.end()

    @classmethod
    def forget(cls) -> None:
        """Let a process that was forked from this program have fork servers of its own."""
        cls.lock = threading.RLock()
        cls._known = {}


if HAS_FORK:
    atexit.register(_ForkServer.end_all)
    os.register_at_fork(after_in_child=_ForkServer.forget)


@dataclass(frozen=True, slots=True)
class _RunningForkServer:
    process: subprocess.Popen[bytes]
    control: socket.socket
    said: IO[bytes]

    @classmethod
    def start(cls, entry: str, environment: Mapping[str, str]) -> _RunningForkServer:
        control, theirs = socket.socketpair()
        said = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the fork server)
        with theirs:
            process = subprocess.Popen(
                _command(entry, str(theirs.fileno())),
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
                env=environment,
                process_group=0,  # Ctrl-C at the terminal is for the parent, which then ends the fork server
            )
        return cls(process, control, said)

    def last_words(self) -> str:
        try:
            self.process.wait(0.5)
        except subprocess.TimeoutExpired:
            return ""
        self.said.seek(0)
        lines = self.said.read(1 << 16).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"it ended with status {self.process.returncode}"

    def stop(self) -> None:
        self.control.close()
        try:
            self.process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.said.close()


class SpawnedProcess:
    """A process of its own."""

    def __init__(self, wire: socket.socket, process: subprocess.Popen[bytes]) -> None:
        self.wire, self.process = wire, process

    def end(self) -> Ending | None:
        """Kill it unless it has ended; return how it ended."""
        self.wire.close()
        if self.process.poll() is None:
            self.process.kill()
        return Ending(self.process.wait(), 0)

    def ending(self) -> Ending | None:
        """Wait a little for it to end by itself, then kill it."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_PATIENCE)
        return self.end()


class SpawnLauncher:
    """Starts an interpreter per job: slower, for systems without fork."""

    def __init__(self, entry: str) -> None:
        self._entry = entry
        self._lock = threading.Lock()
        self._spawned: list[SpawnedProcess] = []

    def launch(self, number: int = 0) -> SpawnedProcess:
        """Start a process for one job."""
        del number
        wire, theirs = socket.socketpair()
        with theirs:
            spawned = SpawnedProcess(wire, self._start(theirs))
        with self._lock:
            self._spawned = [*(item for item in self._spawned if item.process.poll() is None), spawned]
        return spawned

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            for item in self._spawned:
                if item.process.poll() is None:
                    item.process.kill()
            self._spawned.clear()

    def complaint(self) -> str:
        """Return "": a process of its own has an exit status of its own."""
        return ""

    def _start(self, theirs: socket.socket) -> subprocess.Popen[bytes]:
        environment = _environment()
        quiet = subprocess.DEVNULL
        if sys.platform == "win32":
            process = subprocess.Popen(
                _command(self._entry, ONCE, "-"), env=environment, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet
            )
            assert process.stdin is not None
            with process.stdin as given:
                given.write(theirs.share(process.pid))
            return process
        descriptor = theirs.fileno()
        return subprocess.Popen(
            _command(self._entry, ONCE, str(descriptor)),
            env=environment,
            pass_fds=(descriptor,),
            process_group=0,
            stdin=quiet,
            stdout=quiet,
            stderr=quiet,
        )


def launcher(entry: str) -> Launcher:
    """Return the best launcher this system has; `entry` is the module that workers run."""
    return ForkLauncher(entry) if HAS_FORK else SpawnLauncher(entry)


def _command(entry: str, *arguments: str) -> list[str]:
    """-P keeps modules that lie in the current folder, beside the documents, from being imported."""
    return [sys.executable, "-P", "-m", entry, *arguments]


_PASSED = frozenset({"PATH", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH", "SYSTEMROOT"})
"""What workers get of the environment, beside what begins with `LC_`, `PYTHON` and `DYLD_`."""


def _environment() -> dict[str, str]:
    """Return what workers know of this process.

    They find the packages that it found, and have one thread each, so that they can fork and be confined. Keys of
    models and passwords of stores, which stand in the environment, are kept from whatever a file may do to them.
    """
    passed = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in _PASSED or name.startswith(("LC_", "PYTHON", "DYLD_"))
    }
    return {
        **passed,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }

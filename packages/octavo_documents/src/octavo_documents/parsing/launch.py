"""Starting worker processes: a warm fork server that forks them, or one process per job where there is no fork."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from typing import IO, Protocol

from octavo_documents.parsing.fork_server import EXIT, ONCE

HAS_FORK = hasattr(os, "fork") and hasattr(socket, "send_fds")
_PATIENCE = 5.0


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
    """Forks from one warm process, started at the first job and again should it have died."""

    def __init__(self, entry: str) -> None:
        self._entry = entry
        self._lock = threading.Lock()
        self._server: _RunningForkServer | None = None

    def launch(self, number: int = 0) -> ForkedProcess:
        """Have the fork server fork a child for one job; it loads what reads the format `number` before."""
        wire, child_wire = socket.socketpair()
        lifeline, child_lifeline = socket.socketpair()
        with child_wire, child_lifeline:
            descriptors = [child_wire.fileno(), child_lifeline.fileno()]
            with self._lock:
                socket.send_fds(self._running().control, [bytes((number,))], descriptors)
        return ForkedProcess(wire, lifeline)

    def close(self) -> None:
        """End the fork server and its children."""
        with self._lock:
            if self._server:
                self._server.stop()
            self._server = None

    def complaint(self) -> str:
        """Return the last line the fork server wrote if it has died by itself, else ""."""
        with self._lock:
            return self._server.last_words() if self._server else ""

    def _running(self) -> _RunningForkServer:
        if self._server and self._server.process.poll() is not None:
            self._server.stop()
            self._server = None
        self._server = self._server or _RunningForkServer.start(self._entry)
        return self._server


@dataclass(frozen=True, slots=True)
class _RunningForkServer:
    process: subprocess.Popen[bytes]
    control: socket.socket
    said: IO[bytes]

    @classmethod
    def start(cls, entry: str) -> _RunningForkServer:
        control, theirs = socket.socketpair()
        said = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the fork server)
        with theirs:
            process = subprocess.Popen(
                _command(entry, str(theirs.fileno())),
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
                env=_environment(),
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


def _environment() -> dict[str, str]:
    """Let workers find the packages this process found; one thread each, so that they can fork and be confined."""
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }

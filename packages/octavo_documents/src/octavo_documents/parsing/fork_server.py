"""The process that stands ready with all parsers imported and forks one guarded child per job.

Per job the parent sends two sockets over the control socket: the wire, on which the child converses, and the lifeline.
The end of the lifeline kills the child; when the child has ended its exit is written there. Only this process, which
reaps the children, may kill them: a process id is never used after it was freed. It ends itself, and them, when the
control socket ends, and it never runs more than one thread.
"""

from __future__ import annotations

import contextlib
import gc
import os
import selectors
import signal
import socket
import struct
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from octavo_documents.errors import SourceError
from octavo_documents.models.ports import LayoutRegion, Raster, RecognizedLine
from octavo_documents.parsing import Limits
from octavo_documents.parsing.jail import confine, die_with_parent
from octavo_documents.parsing.messages import (
    LONGEST,
    MessageKind,
    Wire,
    WireError,
    pack_error,
    pack_page,
    pack_progress,
    pack_raster,
    unpack_lines,
    unpack_regions,
    unpack_request,
)

ONCE = "--once"
"""Argument of a worker that is to do one job on the given socket and end, where there is no fork."""

EXIT = struct.Struct("<iQ")
"""How a child ended: its exit code, or minus the signal that killed it; and the most memory it had, in bytes."""

OUT_OF_MEMORY, UNEXPECTED = "memory", "unexpected"
"""Reasons of errors that are not a SourceError's own; the parent puts them into words."""

_DONE, _FAILED = 0, 1
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024


class Caller:
    """The parent as a job sees it."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def progress(self, done: int, total: int) -> None:
        """Report progress; the time limit between two reports starts anew."""
        self._wire.send(MessageKind.PROGRESS, pack_progress(done, total))

    def figures(self, done: int, total: int) -> None:
        """Report how many figures were read as images, as `progress` does for pages."""
        self._wire.send(MessageKind.FIGURES, pack_progress(done, total))

    def opens(self) -> None:
        """Say that files in the file are opened from now on: what ends this process may be theirs."""
        self._wire.send(MessageKind.OPENS)

    def recognize(self, raster: Raster) -> tuple[RecognizedLine, ...]:
        """Have the parent read the text in a raster: its models are loaded once, and outside of the guarded child."""
        self._wire.send(MessageKind.RASTER, *pack_raster(raster))
        _, answer = self._wire.receive({MessageKind.LINES: LONGEST[MessageKind.LINES]})
        return unpack_lines(answer)

    def detect(self, raster: Raster, dpi: float) -> tuple[LayoutRegion, ...]:
        """Have the parent tell the regions of a page, as it reads text in pictures."""
        self._wire.send(MessageKind.PAGE, *pack_page(raster, dpi))
        _, answer = self._wire.receive({MessageKind.REGIONS: LONGEST[MessageKind.REGIONS]})
        return unpack_regions(answer)

    def give(self, batch: tuple[bytes, ...]) -> None:
        """Hand over a batch of articles, in pieces of bytes; waits while the parent is busy with those before."""
        self._wire.send(MessageKind.ARTICLES, *batch)

    def take(self) -> bytearray:
        """Return the batch of articles that the parent sends after its request."""
        return self._wire.receive({MessageKind.ARTICLES: LONGEST[MessageKind.ARTICLES]})[1]


Options = Mapping[str, Any]
"""The options of a request, JSON values. `limits` holds the fields of `Limits`."""

Job = Callable[[Options, Caller], "tuple[bytes | memoryview, ...]"]
"""A job returns its result as pieces of bytes, or raises SourceError."""


Load = Callable[[int], None]
"""Loads what children need that read files of some format, by its number from 1."""


def serve(jobs: Mapping[str, Job], arguments: list[str], load: Load | None = None) -> None:
    """Run a worker: `arguments` are those its parent started it with.

    `load` is called before the first child is forked for a format: what it imports, the children after that have too.
    """
    if arguments[0] == ONCE:
        sys.exit(_work(_inherited(arguments[1]), jobs))
    gc.collect()
    gc.freeze()
    _ForkServer(socket.socket(fileno=int(arguments[0])), jobs, load).run()


def _inherited(argument: str) -> socket.socket:
    if sys.platform == "win32":
        return socket.fromshare(sys.stdin.buffer.read())
    return socket.socket(fileno=int(argument))


@dataclass(frozen=True, slots=True)
class _Child:
    process: int
    lifeline: socket.socket


class _ForkServer:
    """The loop of the waiting process. Nothing in it trusts a child; everything in it trusts the parent."""

    def __init__(self, control: socket.socket, jobs: Mapping[str, Job], load: Load | None) -> None:
        self._control, self._jobs, self._process = control, jobs, os.getpid()
        self._load, self._loaded = load, {0}
        self._children: dict[int, _Child] = {}
        self._wakeup, self._alarm = socket.socketpair()
        self._selector = selectors.DefaultSelector()

    def run(self) -> None:
        """Serve until the control socket ends."""
        for end in (self._wakeup, self._alarm):
            end.settimeout(0)
        signal.set_wakeup_fd(self._alarm.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, _ignore)
        self._selector.register(self._control, selectors.EVENT_READ, self._on_request)
        self._selector.register(self._wakeup, selectors.EVENT_READ, self._on_death)
        while True:
            for key, _ in self._selector.select():
                key.data()

    def _on_request(self) -> None:
        data, sockets, _, _ = socket.recv_fds(self._control, 1, 2)
        if not data:
            self._end()
        wire, lifeline = (socket.socket(fileno=number) for number in sockets)
        self._prepare(data[0])
        try:
            process = os.fork()
        except OSError:  # no memory or processes left: the parent sees both sockets end
            wire.close()
            lifeline.close()
            return
        if not process:
            self._become_child(wire, lifeline)
        wire.close()
        self._children[process] = _Child(process, lifeline)
        self._selector.register(lifeline, selectors.EVENT_READ, lambda: self._kill(process))

    def _prepare(self, number: int) -> None:
        if self._load is None or number in self._loaded:
            return
        self._loaded.add(number)
        with contextlib.suppress(Exception):  # the child that needs it says what is wrong
            self._load(number)
        gc.freeze()

    def _become_child(self, wire: socket.socket, lifeline: socket.socket) -> None:
        """Let go of everything that is the fork server's, do one job, and end without returning."""
        status = _FAILED
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            siblings = (child.lifeline for child in self._children.values())
            for end in (lifeline, self._control, self._wakeup, self._alarm, *siblings):
                end.close()
            self._selector.close()
            _silence()
            die_with_parent(self._process)
            status = _work(wire, self._jobs)
        finally:
            os._exit(status)

    def _kill(self, process: int) -> None:
        """Kill a child whose lifeline was let go; it is in the table until it was reaped."""
        if process in self._children:
            self._selector.unregister(self._children[process].lifeline)
            os.kill(process, signal.SIGKILL)

    def _on_death(self) -> None:
        while self._wakeup_pending():
            pass
        for process in list(self._children):
            ended, status, usage = os.wait4(process, os.WNOHANG)
            if ended:
                self._reap(process, status, usage.ru_maxrss * _MAXRSS_UNIT)

    def _wakeup_pending(self) -> bool:
        try:
            return bool(self._wakeup.recv(4096))
        except BlockingIOError:
            return False

    def _reap(self, process: int, status: int, memory: int) -> None:
        lifeline = self._children.pop(process).lifeline
        if lifeline in self._selector.get_map():
            self._selector.unregister(lifeline)
        with lifeline, contextlib.suppress(OSError):  # the parent may no longer want to know
            lifeline.send(EXIT.pack(os.waitstatus_to_exitcode(status), memory))

    def _end(self) -> None:
        for process in self._children:
            os.kill(process, signal.SIGKILL)
        for process in self._children:
            os.waitpid(process, 0)
        os._exit(0)


def _ignore(number: int, frame: object) -> None:
    """Handle a signal by waking up the loop, which the wakeup descriptor does already."""


def _silence() -> None:
    """Keep what libraries print on their way down away from the user's terminal."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.close(nothing)


def _work(end: socket.socket, jobs: Mapping[str, Job]) -> int:
    """Read one request, do it within its limits and send its result or error; return the exit status."""
    gc.disable()  # one job: its end collects what is left, and millions of small objects are not walked again and again
    wire = Wire(end)
    try:
        _, data = wire.receive({MessageKind.REQUEST: LONGEST[MessageKind.REQUEST]})
        request = unpack_request(data)
        limits = Limits(**request.options["limits"])
        confine(limits)
        try:
            result = jobs[request.job](request.options, Caller(wire))
        except SourceError as error:
            wire.send(MessageKind.ERROR, pack_error(error.reason, str(error)))
        except WireError:
            raise
        except MemoryError:
            wire.send(MessageKind.ERROR, pack_error(OUT_OF_MEMORY, ""))
        except Exception as error:  # noqa: BLE001  (whatever it is, it is this one file's, and the parent says so)
            wire.send(MessageKind.ERROR, pack_error(UNEXPECTED, f"{type(error).__name__}: {error}"))
        else:
            wire.send(MessageKind.RESULT, *result)
    except WireError:
        return _FAILED  # the parent has gone: nobody is left to tell
    return _DONE

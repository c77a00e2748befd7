"""A worker with jobs that behave well and badly, for the tests of the guarded child processes."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
import time
from pathlib import Path

import numpy as np

from octavo.errors import SourceError
from octavo_documents.parsing.fork_server import Caller, Options, serve
from octavo_documents.parsing.messages import MessageKind, pack_raster


def parse(options: Options, caller: Caller) -> tuple[bytes]:
    """Behave as the name of the document says."""
    return (BEHAVIOURS[options["name"]](options, caller),)


def render(options: Options, caller: Caller) -> tuple[bytes, memoryview]:
    del caller
    return pack_raster(np.full((options["page"], 2, 3), 7, np.uint8))


def echo(options: Options, caller: Caller) -> bytes:
    caller.progress(1, 2)
    caller.progress(2, 2)
    caller.figures(0, 3)
    return f"{Path(options['path']).name} {options['digest']} {os.getppid()}".encode()


def process(options: Options, caller: Caller) -> bytes:
    return str(os.getpid()).encode()


def refuse(options: Options, caller: Caller) -> bytes:
    raise SourceError("damaged", "x.pdf is damaged\nin two lines")


def err(options: Options, caller: Caller) -> bytes:
    raise KeyError("a bug")


def abort(options: Options, caller: Caller) -> bytes:
    os.abort()


def vanish(options: Options, caller: Caller) -> bytes:
    os._exit(0)


def hang(options: Options, caller: Caller) -> bytes:
    signal.pause()
    return b""


def dawdle(options: Options, caller: Caller) -> bytes:
    for step in range(1000):
        time.sleep(0.05)
        caller.progress(step, 1000)
    return b""


def hoard(options: Options, caller: Caller) -> bytes:
    return bytes(len([bytearray(64 << 20) for _ in range(64)]))


def exhaust(options: Options, caller: Caller) -> bytes:
    """Have C code fail to get memory, after it took nearly all, and give up as PDFium does."""
    held = []
    try:
        while True:
            held.append(bytearray(os.urandom(1 << 20)) * 8)
    except MemoryError:
        os.abort()


def boast(options: Options, caller: Caller) -> bytes:
    caller._wire.send(MessageKind.RESULT, bytes(32 << 20))
    return b""


def babble(options: Options, caller: Caller) -> bytes:
    caller._wire._end.sendall(b"\xff" * 100)
    signal.pause()
    return b""


def lie(options: Options, caller: Caller) -> bytes:
    """Send a raster whose size is not that of its pixels."""
    caller._wire.send(MessageKind.RASTER, (1 << 31).to_bytes(4, "little") * 2, bytes(30))
    signal.pause()
    return b""


def read(options: Options, caller: Caller) -> bytes:
    lines = caller.recognize(np.arange(30, dtype=np.uint8).reshape(2, 5, 3))
    return repr([(line.text, line.box, line.confidence) for line in lines]).encode()


def write(options: Options, caller: Caller) -> bytes:
    """Try what a parser has no business doing, and report what worked."""
    worked = []
    try:
        target = Path(options["path"])
        target.write_text("harm")
        if target.read_text():
            worked.append("write")
    except OSError:
        pass
    try:
        with socket.create_connection(("127.0.0.1", 9), timeout=1):
            worked.append("connect")
    except PermissionError:
        pass
    except OSError:
        worked.append("connect")
    return " ".join(worked).encode()


def burn(options: Options, caller: Caller) -> bytes:
    ctypes.CDLL(None)
    while True:
        caller.progress(0, 1)


LOADED: list[int] = []


def load(number: int) -> None:
    """Note what the fork server loads before it forks; the first time something is missing."""
    LOADED.append(number)
    if len(LOADED) == 1:
        raise ImportError(number)


def loaded(options: Options, caller: Caller) -> bytes:
    return f"{LOADED} {os.getppid()}".encode()


BEHAVIOURS = {
    function.__name__: function
    for function in (
        echo,
        process,
        refuse,
        err,
        abort,
        vanish,
        hang,
        dawdle,
        hoard,
        exhaust,
        boast,
        babble,
        lie,
        read,
        write,
        burn,
        loaded,
    )
}

if __name__ == "__main__":
    serve({"parse": parse, "render": render}, sys.argv[1:], load)

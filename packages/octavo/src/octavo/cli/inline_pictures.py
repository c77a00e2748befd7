"""Pictures between the lines of a terminal, in whichever way it says that it can: kitty's, iTerm2's, or sixel.

The terminal is asked, so that neither a variable that a session inherited nor a multiplexer in between misleads.
"""

from __future__ import annotations

import base64
import contextlib
import io
import os
import re
import select
import sys
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from octavo.cli import terminal

if TYPE_CHECKING:
    from PIL.Image import Image

_ASKED = b"\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[>q\x1b[c"
"""Whether kitty's pictures are known, which program it is, and, what all answer, which features it has."""
_FEATURES = re.compile(rb"\x1b\[\?([\d;]*)c")
_KITTY = re.compile(rb"\x1b_Gi=31;OK")
_ITERM2 = re.compile(rb"\x1bP>\|(?:iTerm2|WezTerm|mintty)")
_SIXEL = b"4"
_PATIENCE = 1.0
"""Seconds in which a terminal answers, over a slow line too."""
_CHUNK = 4096
"""Bytes of base64 that kitty takes at once."""
_COLOURS = 64
_BAND = 6
"""Rows of pixels that one sign of sixel stands for."""
_WIDEST = 900
"""Pixels of a sixel picture, where the terminal does not say how many it has."""


def way_of() -> str:
    """Return how the terminal behind standard output takes pictures, "" for none and for what is no terminal."""
    if not terminal.is_terminal(sys.stdout) or os.name == "nt":
        return ""
    answer = _answer_of_terminal()
    features = _FEATURES.search(answer)
    if _KITTY.search(answer):
        return "kitty"
    if _ITERM2.search(answer):
        return "iterm2"
    return "sixel" if features and _SIXEL in features[1].split(b";")[1:] else ""


def show(picture: Image, way: str) -> None:
    """Write a picture to standard output, as wide as the terminal at most."""
    sys.stdout.flush()
    sys.stdout.buffer.write(_WAYS[way](picture) + b"\n")
    sys.stdout.buffer.flush()


def _answer_of_terminal() -> bytes:
    """Return what the terminal answers when it is asked what it can; b"" where nobody answers, or somebody types."""
    answer = b""
    with contextlib.suppress(OSError), _listening() as tty:
        os.write(tty, _ASKED)
        until = time.monotonic() + _PATIENCE
        while not _FEATURES.search(answer) and (left := until - time.monotonic()) > 0:
            if not select.select([tty], [], [], left)[0] or not (read := os.read(tty, 1024)):
                break
            answer += read
    return answer


@contextlib.contextmanager
def _listening() -> Generator[int]:
    """Open the terminal so that its answer is not echoed. Raises OSError where it is not ours to ask."""
    import termios
    import tty

    device = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
    try:
        if os.tcgetpgrp(device) != os.getpgrp():
            raise OSError("a job in the background does not ask")
        before = termios.tcgetattr(device)
        tty.setcbreak(device)
        try:
            yield device
        finally:
            termios.tcsetattr(device, termios.TCSADRAIN, before)
    except termios.error as error:
        raise OSError(str(error)) from error
    finally:
        os.close(device)


def _columns() -> int:
    return min(os.get_terminal_size(sys.stdout.fileno()).columns - 1, terminal.WIDEST)


def _png(picture: Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def _kitty(picture: Image) -> bytes:
    data = base64.standard_b64encode(_png(picture))
    parts = [data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK)]
    heads = [f"a=T,f=100,q=2,c={_columns()},".encode(), *[b""] * (len(parts) - 1)]
    more = [*[b"m=1"] * (len(parts) - 1), b"m=0"]
    return b"".join(
        b"\x1b_G" + head + on + b";" + part + b"\x1b\\" for head, on, part in zip(heads, more, parts, strict=True)
    )


def _iterm2(picture: Image) -> bytes:
    data = _png(picture)
    head = f"\x1b]1337;File=inline=1;size={len(data)};width={_columns()};preserveAspectRatio=1:"
    return head.encode() + base64.standard_b64encode(data) + b"\x07"


def _sixel(picture: Image) -> bytes:
    width = min(picture.width, _pixels())
    small = picture.resize((width, max(round(picture.height * width / picture.width), 1)))
    few = small.convert("RGB").quantize(_COLOURS)
    pixels, palette = np.asarray(few), few.getpalette() or []
    used = np.unique(pixels).tolist()
    colours = "".join(
        f"#{colour};2;" + ";".join(str(round(part / 2.55)) for part in palette[3 * colour : 3 * colour + 3])
        for colour in used
    )
    bands = (_band(pixels[top : top + _BAND]) for top in range(0, len(pixels), _BAND))
    height, wide = pixels.shape
    return f'\x1bP0;1q"1;1;{wide};{height}{colours}{"-".join(bands)}\x1b\\'.encode()


def _band(rows: np.ndarray) -> str:
    """Return six rows of pixels (or the last, fewer ones): a line of signs for each colour in them."""
    weights = (1 << np.arange(len(rows)))[:, None]
    lines = list[str]()
    for colour in np.unique(rows).tolist():
        signs = ((rows == colour) * weights).sum(axis=0)
        lines.append(f"#{colour}{''.join(_runs(signs))}")
    return "$".join(lines)


def _runs(signs: np.ndarray) -> Iterator[str]:
    """Yield signs of sixel, a run of the same as one with its length."""
    starts = np.flatnonzero(np.diff(signs, prepend=-1))
    for start, count in zip(starts.tolist(), np.diff(starts, append=len(signs)).tolist(), strict=True):
        sign = chr(63 + int(signs[start]))
        yield f"!{count}{sign}" if count > 3 else sign * count


def _pixels() -> int:
    """Return how many pixels a picture may be wide: as many as the terminal says that it has."""
    import fcntl
    import struct
    import termios

    size = fcntl.ioctl(sys.stdout.fileno(), termios.TIOCGWINSZ, bytes(8))
    _, columns, width, _ = struct.unpack("HHHH", size)
    return width * _columns() // columns if width and columns else _WIDEST


_WAYS: Mapping[str, Callable[[Image], bytes]] = MappingProxyType({"kitty": _kitty, "iterm2": _iterm2, "sixel": _sixel})

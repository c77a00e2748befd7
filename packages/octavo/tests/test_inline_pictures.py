"""Pictures in a terminal that says it takes them, in its way, and nowhere else: the test is the terminal."""

from __future__ import annotations

import base64
import contextlib
import io
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import octavo

fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")
HANDBOOK = Path(__file__).parents[3] / "examples" / "handbook.pdf"
ANSWERS = {
    "kitty": b"\x1b_Gi=31;OK\x1b\\\x1bP>|kitty(0.36.4)\x1b\\\x1b[?62;c",
    "iterm2": b"\x1bP>|iTerm2 3.5.4\x1b\\\x1b[?62;4c",
    "sixel": b"\x1bP>|foot(1.18.1)\x1b\\\x1b[?62;4;22c",
    "": b"\x1b_Gi=31;ENOTSUPPORTED\x1b\\\x1bP>|xterm(390)\x1b\\\x1b[?64;1;9;15;22c",
}
SHOW = """
from PIL import Image
from octavo.cli import inline_pictures
way = inline_pictures.way_of()
print("way", repr(way))
if way:
    picture = Image.new("RGB", (120, 50), (255, 255, 255))
    picture.paste((200, 30, 40), (10, 20, 60, 47))
    picture.paste((20, 60, 190), (70, 0, 120, 13))
    inline_pictures.show(picture, way)
"""


def in_terminal(command: list[str], answer: bytes, **environment: str) -> bytes:
    """Run a program whose terminal answers when it is asked; return all that it wrote there."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, np.array([40, 81, 810, 800], np.uint16).tobytes())

    def own() -> None:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    done = subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=own,
        env={**os.environ, "TERM": "xterm-256color", **environment},
    )
    os.close(theirs)
    errors = threading.Thread(target=lambda: told.append(done.stderr.read() if done.stderr else b""), daemon=True)
    told = list[bytes]()
    errors.start()
    written, is_asked = b"", False
    with contextlib.suppress(OSError):  # the other side has ended
        while read := os.read(ours, 1 << 16):
            written += read
            if not is_asked and b"\x1b[c" in written:
                is_asked = True
                os.write(ours, answer)
    os.close(ours)
    errors.join()
    assert done.wait() == 0, told
    return written


def picture_in(written: bytes, way: str) -> Image.Image:
    if way == "kitty":
        parts = re.findall(rb"\x1b_G([^;\x1b]*);([A-Za-z0-9+/=]+)\x1b\\", written.replace(b"\r\n", b"\n"))
        parts = [(keys, data) for keys, data in parts if b"a=q" not in keys]
        assert parts[0][0].startswith(b"a=T,f=100,q=2,c=80,")
        assert [keys.split(b",")[-1] for keys, _ in parts] == [*[b"m=1"] * (len(parts) - 1), b"m=0"]
        assert max(len(data) for _, data in parts) <= 4096
        return Image.open(io.BytesIO(base64.b64decode(b"".join(data for _, data in parts))))
    if way == "iterm2":
        (size, data) = re.findall(rb"\x1b\]1337;File=inline=1;size=(\d+);width=80;[^:]*:([^\x07]*)\x07", written)[0]
        assert len(base64.b64decode(data)) == int(size)
        return Image.open(io.BytesIO(base64.b64decode(data)))
    return unsixel(re.findall(rb"\x1bP0;1q(.*?)\x1b\\", written, re.DOTALL)[0].decode())


def unsixel(text: str) -> Image.Image:
    """Read a sixel picture as its terminals do."""
    head = re.match(r'"1;1;(\d+);(\d+)', text)
    assert head
    width, height = int(head[1]), int(head[2])
    pixels, palette = np.zeros((height + 6, width, 3), np.uint8), dict[int, tuple[int, ...]]()
    colour = x = y = 0
    for found in re.finditer(r"#(\d+);2;(\d+);(\d+);(\d+)|#(\d+)|!(\d+)([?-~])|([?-~])|([$-])", text[head.end() :]):
        if found[1]:
            palette[int(found[1])] = tuple(round(int(part) * 2.55) for part in found.group(2, 3, 4))
        elif found[5]:
            colour = int(found[5])
        elif found[9]:
            x, y = 0, y + (6 if found[9] == "-" else 0)
        else:
            count, sign = int(found[6] or 1), ord(found[7] or found[8]) - 63
            for bit in range(6):
                if sign >> bit & 1:
                    pixels[y + bit, x : x + count] = palette[colour]
            x += count
            assert x <= width
    return Image.fromarray(pixels[:height])


@pytest.mark.parametrize("way", ["kitty", "iterm2", "sixel"])
def test_a_picture_is_written_in_the_way_that_the_terminal_says(way: str) -> None:
    written = in_terminal([sys.executable, "-c", SHOW], ANSWERS[way])
    assert f"way '{way}'".encode() in written
    shown = np.asarray(picture_in(written, way).convert("RGB"), np.int16)
    assert shown.shape == (50, 120, 3)
    for (x, y), colour in {(30, 30): (200, 30, 40), (100, 5): (20, 60, 190), (5, 5): (255, 255, 255)}.items():
        assert abs(shown[y, x] - colour).max() <= 4


def test_a_terminal_that_says_it_cannot_is_shown_none(tmp_path: Path) -> None:
    written = in_terminal([sys.executable, "-c", SHOW], ANSWERS[""], KITTY_WINDOW_ID="1", TERM_PROGRAM="iTerm.app")
    assert written.replace(b"\r\n", b"\n").endswith(b"way ''\n")


def test_a_pipe_and_a_dumb_terminal_are_not_even_asked() -> None:
    piped = subprocess.run([sys.executable, "-c", SHOW], capture_output=True, check=True)
    assert piped.stdout == b"way ''\n"
    assert in_terminal([sys.executable, "-c", SHOW], b"", TERM="dumb") == b"way ''\r\n"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("inline") / "corpus"
    with octavo.open(path) as corpus:
        corpus.add(HANDBOOK)
    yield path


def test_ask_shows_the_marked_part_of_the_page_and_writes_the_page(library: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "octavo", "ask", "Who was the first observer?", "--corpus", str(library)]
    command += ["--pictures", str(tmp_path / "pages")]
    written = in_terminal(command, ANSWERS["iterm2"])
    (path,) = (tmp_path / "pages").iterdir()
    shown, whole = picture_in(written, "iterm2"), Image.open(path)
    assert shown.width == whole.width
    assert shown.height < whole.height / 2
    red, _, blue = np.moveaxis(np.asarray(shown.convert("RGB"), np.int16), 2, 0)
    assert ((red > 240) & (blue < 90)).any()
    piped = subprocess.run(command, capture_output=True, check=True)
    assert b"\x1b" not in piped.stdout + piped.stderr

"""Writing to the terminal: what is a terminal, how wide it is, and making any text safe to show on it.

Rich is loaded only when something is drawn with it.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import re
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TextIO, cast

from octavo_documents.text.lines import on_one_line
from octavo_documents.wording import translated

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

WIDEST = 100
"""Columns that prose is wrapped to at most, on any terminal."""

_BY = "octavo: "
"""What a line for a person begins with."""
_UNWRAPPED = 100_000
"""Columns of a pipe: nothing is wrapped there."""
_NUMBERS = re.compile(r"\[\n\s+((?:-?\d[\d.eE+-]*,?\s+)+)\]")
"""An array of numbers over several lines of JSON; no string has a line end in it."""
_CONTROLS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)


def prepare() -> None:
    """Make the streams able to write any text: a character that does not fit the encoding is written as an escape."""
    for stream in (sys.stdout, sys.stderr):
        _reconfigure(stream)


def _reconfigure(stream: TextIO, encoding: str | None = None) -> None:
    if isinstance(stream, io.TextIOWrapper):
        cast("io.TextIOWrapper[Any]", stream).reconfigure(encoding=encoding, errors="backslashreplace")


def as_utf8(stream: TextIO) -> None:
    """Make a stream write UTF-8 whatever the locale, for output that programs read."""
    _reconfigure(stream, encoding="utf-8")


def is_terminal(stream: TextIO) -> bool:
    """Return whether a person sees what the stream is given, as it comes."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def plain(text: str) -> str:
    """Return text of unknown origin without characters that steer a terminal or turn its reading direction."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def one_line(text: str) -> str:
    """Return text of unknown origin as one safe line."""
    return plain(on_one_line(text))


def shorten(text: str, length: int) -> str:
    """Return one line of at most `length` characters, cut between words, an ellipsis where something was cut."""
    line = one_line(text)
    if len(line) <= length:
        return line
    head = line[: length - 1]
    cut = head.rfind(" ")
    return (head[:cut] if cut >= length // 2 else head).rstrip(" ,;:") + "…"


def write(text: str = "") -> None:
    """Write a line to stdout."""
    sys.stdout.write(text + "\n")


def note(text: str) -> None:
    """Write a line to stderr, in the language of whoever reads it."""
    before, name, said = text.partition(_BY)
    sys.stderr.write((f"{before}{name}{translated(said)}" if name and not before.strip() else translated(text)) + "\n")
    sys.stderr.flush()


def write_json(value: Mapping[str, Any]) -> None:
    """Write one JSON object to stdout, as UTF-8 whatever the locale; what could steer a terminal is escaped."""
    as_utf8(sys.stdout)
    write(_json_text(value))


def write_json_line(value: Mapping[str, Any]) -> None:
    """Write one JSON object to stdout on a line of its own, at once, as `write_json` does."""
    as_utf8(sys.stdout)
    text = json.dumps(_finite(value), ensure_ascii=False, allow_nan=False)
    write(_CONTROLS.sub(lambda found: _escaped(found[0]), text))
    sys.stdout.flush()


def write_json_rows(name: str, rows: Iterable[dict[str, Any]]) -> None:
    """Write one JSON object whose only field is a list, each row as soon as it is there."""
    as_utf8(sys.stdout)
    start = f'{{\n  "{name}": ['
    before = start
    for row in rows:
        indented = _json_text(row).replace("\n", "\n    ")
        sys.stdout.write(f"{before}\n    {indented}")
        before = ","
    write(f"{start}]\n}}" if before == start else "\n  ]\n}")


def _json_text(value: Mapping[str, Any]) -> str:
    text = json.dumps(_finite(value), ensure_ascii=False, indent=2, allow_nan=False)
    text = _NUMBERS.sub(lambda found: f"[{on_one_line(found[1])}]", text)
    return _CONTROLS.sub(lambda found: _escaped(found[0]), text)


def _escaped(letter: str) -> str:
    """Return a character as JSON writes it in ASCII."""
    return json.dumps(letter)[1:-1]


def _finite(value: Any) -> Any:
    """Return the value with null for numbers that JSON has no word for."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def console(stream: TextIO | None = None) -> Console:
    """Return a console for stdout or another stream; one that is no terminal never wraps, cuts or colours."""
    from rich.console import Console

    target = stream or sys.stdout
    if is_terminal(target):
        return Console(file=target, highlight=False, markup=False, emoji=False)
    return Console(
        file=target, highlight=False, markup=False, emoji=False, width=_UNWRAPPED, force_terminal=False, no_color=True
    )


def prose_width(screen: Console) -> int:
    """Return the columns prose may take: all of a narrow terminal, WIDEST of a wide one, any number in a pipe."""
    return min(screen.width, WIDEST) if screen.is_terminal else screen.width


def draw(screen: Console, *renderables: RenderableType) -> None:
    """Draw on a console; lines keep no blanks at their end."""
    if screen.is_terminal:
        for item in renderables:
            screen.print(item)
        return
    with screen.capture() as captured:
        for item in renderables:
            screen.print(item)
    for line in captured.get().splitlines():
        screen.file.write(line.rstrip() + "\n")


def flush() -> None:
    """Hand over what is buffered for stdout now, so that a reader that has gone is noticed here."""
    sys.stdout.flush()


def show_cursor() -> None:
    """Give a terminal its cursor back when whoever hid it was not let finish."""
    if is_terminal(sys.stderr):
        sys.stderr.write("\x1b[?25h\n")


def settle() -> None:
    """Make sure that nothing is left to write when the process ends: what nobody takes goes nowhere."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)

"""How a command ends: every outcome becomes an exit status and at most one line on stderr.

Also what ends a command from outside: Ctrl-C, and the clock of `--max-seconds`, which stops it the way Ctrl-C does.
"""

from __future__ import annotations

import _thread
import contextlib
import errno
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Generator, Mapping
from typing import Any

import typer

from octavo.cli import terminal
from octavo.errors import BudgetError, OctavoError, UsageError
from octavo_documents.wording import t, translated

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses, as shells use them: 130 is 128 and the number of SIGINT."""

_CALL_ERROR = typer.BadParameter.__mro__[1]
"""Typer's own error for a wrong call: an unknown command or option, a value that is missing."""
_AGAIN_SECONDS = 0.02
"""Long enough to be out of the callback; where it is not, the interruption is swallowed and comes again."""


EXTRAS = {
    **dict.fromkeys(("starlette", "uvicorn", "jinja2"), "serve"),
    **dict.fromkeys(("psycopg", "obstore", "ray"), "cluster"),
    **dict.fromkeys(("torch", "transformers", "peft", "gguf", "safetensors"), "train"),
    "anthropic": "anthropic",
    "datasets": "datasets",
    "google": "google",
    "groq": "groq",
    "mcp": "mcp",
    "mistralai": "mistral",
    "openvino_genai": "local",
    "sentence_transformers": "sentence-transformers",
}
"""By package what installs it; Octavo itself needs none of them."""


class Stopped(BaseException):
    """The command was stopped from outside and says what was kept; `status` is its exit status.

    Like KeyboardInterrupt no Exception, so that nothing takes it for the failure of one file.
    """

    def __init__(self, message: str, status: int = INTERRUPTED) -> None:
        super().__init__(message)
        self.status = status


def run(command: Callable[[], int | None]) -> int:
    """Run a command and return the exit status of the process; never raise, never show a traceback unasked."""
    try:
        with _heard({KeyboardInterrupt: signal.SIGINT, Stopped: getattr(signal, "SIGALRM", None)}):
            return _run(command)
    except BrokenPipeError:
        return DONE
    except (KeyboardInterrupt, typer.Abort):
        return _say("interrupted; nothing was lost, run the same command again", INTERRUPTED)
    except Stopped as stopped:
        return _say(str(stopped), stopped.status)
    finally:
        terminal.settle()


def _run(command: Callable[[], int | None]) -> int:
    try:
        status = command()
        terminal.flush()
        return status or DONE
    except typer.Exit as leaving:
        return leaving.exit_code
    except BrokenPipeError:
        raise
    except Exception as wrong:  # noqa: BLE001 - the last place that can turn a failure into one line for people
        return _explain(wrong)


def _explain(wrong: Exception) -> int:
    if os.environ.get("OCTAVO_DEBUG"):
        traceback.print_exception(wrong)
    if isinstance(wrong, OctavoError):
        return _say(str(wrong), wrong.exit_status)
    if isinstance(wrong, _CALL_ERROR):
        return _say(_call_error(wrong), WRONG_USAGE)
    if isinstance(wrong, OSError) and wrong.strerror:
        where = f"{wrong.filename}: " if wrong.filename else ""
        mend = "; make room on the disk and try again" if wrong.errno == errno.ENOSPC else ""
        return _say(f"{where}{wrong.strerror}{mend}", FAILED)
    if isinstance(wrong, ModuleNotFoundError) and (extra := EXTRAS.get((wrong.name or "").partition(".")[0])):
        return _say(f"this needs the package {wrong.name}: pip install 'octavo[{extra}]'", FAILED)
    if isinstance(wrong, MemoryError):
        return _say("there is not enough memory; try fewer files at once (--workers 1)", FAILED)
    what = f"{type(wrong).__name__}: {wrong}".rstrip(": ")
    return _say(f"something went wrong that Octavo did not expect ({what}); OCTAVO_DEBUG=1 shows where", FAILED)


def _call_error(wrong: Any) -> str:
    message: str = wrong.format_message()
    context = wrong.ctx
    path = context.command_path if context is not None else "octavo"
    said = translated(message.rstrip("."))
    told = said if message.endswith("?") else f"{said};"
    return t("{said} see '{command}'", said=told, command=f"{path} --help")


def _say(message: str, status: int) -> int:
    terminal.note(f"octavo: {terminal.one_line(message)}")
    return status


@contextlib.contextmanager
def _heard(signals: Mapping[type[BaseException], signal.Signals | None]) -> Generator[None]:
    """Raise a signal again, a moment later, when the exception its handler raises was swallowed in the block.

    What a signal raises inside a callback of the garbage collector or of a weak reference is reported as unraisable and
    forgotten: Ctrl-C would print a complaint and the command go on, a cap on seconds would never end it.

    Args:
        signals: The signal by the type of exception that its handler raises; None for one that this
            system does not have. All else goes where unraisable exceptions went before.
    """
    before = sys.unraisablehook

    def hook(lost: Any) -> None:
        number = next((number for kind, number in signals.items() if issubclass(lost.exc_type, kind)), None)
        if number is None:
            before(lost)
            return
        again = threading.Timer(_AGAIN_SECONDS, _thread.interrupt_main, (number,))
        again.daemon = True
        again.start()

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before


@contextlib.contextmanager
def within(seconds: float | None, *, kept: str = "") -> Generator[None]:
    """Run the block for at most `seconds`; then raise Stopped with the exit status of a spent budget.

    Args:
        seconds: The cap; None for no cap.
        kept: What the message adds on what was kept, and how to go on.
    """
    if seconds is None:
        yield
        return
    if not hasattr(signal, "setitimer"):
        raise UsageError("max_seconds needs interval timers, which this system does not have; leave it out")

    def stop(_number: int, _frame: Any) -> None:
        unit = "second" if seconds == 1 else "seconds"
        raise Stopped(f"stopped after {seconds:g} {unit} (max_seconds){kept}", BudgetError.exit_status)

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

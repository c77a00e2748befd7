"""How a command ends: every outcome becomes an exit status and at most one line on stderr.

Owns the exit statuses and the wording of failures nobody planned for. Knows nothing about commands.
"""

from __future__ import annotations

import errno
import os
import signal
import traceback
from collections.abc import Callable
from typing import Any

import typer

from octavo.cli import interruption, terminal
from octavo.errors import OctavoError

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130

_CALL_ERROR = typer.BadParameter.__mro__[1]
"""Typer's own error for a wrong call: an unknown command or option, a value that is missing."""


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
        with interruption.heard({KeyboardInterrupt: signal.SIGINT, Stopped: getattr(signal, "SIGALRM", None)}):
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
    if isinstance(wrong, MemoryError):
        return _say("there is not enough memory; try fewer files at once (--workers 1)", FAILED)
    what = f"{type(wrong).__name__}: {wrong}".rstrip(": ")
    return _say(f"something went wrong that Octavo did not expect ({what}); OCTAVO_DEBUG=1 shows where", FAILED)


def _call_error(wrong: Any) -> str:
    message: str = wrong.format_message()
    context = wrong.ctx
    path = context.command_path if context is not None else "octavo"
    return f"{message.rstrip('.')}; see '{path} --help'"


def _say(message: str, status: int) -> int:
    terminal.note(f"octavo: {terminal.one_line(message)}")
    return status

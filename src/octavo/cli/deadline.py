"""A cap on seconds: stops the command from the outside, the way Ctrl-C does.

Owns the clock of `--max-seconds`. Knows nothing about what is stopped.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Generator
from typing import Any

from octavo.cli.guard import Stopped
from octavo.errors import BudgetError, UsageError


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

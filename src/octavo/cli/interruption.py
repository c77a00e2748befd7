"""Interruptions that Python swallows come once more.

What a signal raises inside a callback of the garbage collector or of a weak reference is reported as unraisable and
forgotten: Ctrl-C would print a complaint and the command go on, a cap on seconds would never end it.

Owns what is done about those. Knows nothing about commands.
"""

from __future__ import annotations

import _thread
import contextlib
import signal
import sys
import threading
from collections.abc import Generator, Mapping
from typing import Any

_AGAIN_SECONDS = 0.02
"""Long enough to be out of the callback; where it is not, the interruption is swallowed and comes again."""


@contextlib.contextmanager
def heard(signals: Mapping[type[BaseException], signal.Signals | None]) -> Generator[None]:
    """Raise a signal again, a moment later, when the exception its handler raises was swallowed in the block.

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

"""How far a training is: a bar on a terminal, silence in a pipe.

Owns what a person sees while a router is trained. Knows nothing about what the steps do.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from octavo.cli import terminal

if TYPE_CHECKING:
    from octavo.training.job import Watcher


class _Silent:
    """A watcher that shows nothing."""

    def begin(self, step: str, total: int) -> None:
        """Say nothing."""

    def advance(self, done: int, told: str = "") -> None:
        """Say nothing."""


class _Bar:
    """A watcher that draws a bar for the step in work."""

    def __init__(self, drawn: Any) -> None:
        self._drawn = drawn
        self._task = drawn.add_task("", total=None, told="")

    def begin(self, step: str, total: int) -> None:
        """Put a step in the place of the one before."""
        self._drawn.reset(self._task, description=step, total=total or None, told="")

    def advance(self, done: int, told: str = "") -> None:
        """Move the bar, with a word on what came of it."""
        self._drawn.update(self._task, completed=done, told=told)


@contextlib.contextmanager
def watching(*, quiet: bool) -> Generator[Watcher]:
    """Return a watcher that draws when stderr is a terminal and `quiet` is not asked for."""
    if quiet or not terminal.is_terminal(sys.stderr):
        yield _Silent()
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[told]}", markup=False),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=terminal.console(sys.stderr), transient=True) as drawn:
        yield _Bar(drawn)

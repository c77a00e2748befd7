"""How far an evaluation is: bars for files while they are indexed, then one for the questions, with the time left."""

from __future__ import annotations

import contextlib
from collections.abc import Generator

from octavo.cli import progress, terminal


class RunBars:
    """Shows how far indexing is and then, with the time left, the questions; counts these in any case."""

    def __init__(self, *, quiet: bool, step: str = "asking") -> None:
        """Take what the bar of the questions is called."""
        self._quiet = quiet
        self._step = step
        self._indexing = contextlib.ExitStack()
        self._bar = progress.StepBar(quiet=quiet)
        self.total = self.done = 0

    @contextlib.contextmanager
    def indexing(self) -> Generator[progress.Listener]:
        """Show indexing until the questions begin."""
        with self._bar, self._indexing:
            yield self._indexing.enter_context(progress.listener(quiet=self._quiet))

    def asking(self, total: int, known: int) -> None:
        """Put a bar for the questions in the place of those for files."""
        self._indexing.close()
        self.total, self.done = total, known
        self._bar.begin(self._step, total, known)

    def asked(self, system: str, failed: str | None) -> None:
        """Move the bar on; a failure is told at once."""
        self.done += 1
        if failed:
            terminal.note(f"octavo: {system}: {terminal.one_line(failed)}")
        self._bar.advance(self.done)

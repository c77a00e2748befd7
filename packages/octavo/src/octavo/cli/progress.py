"""How far a job is: bars on a terminal, silence in a pipe.

A `Listener` follows files that are indexed and keeps the counts a message after Ctrl-C needs; a `StepBar` follows a job
of steps, an evaluation or a training.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Generator, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from octavo.cli import terminal

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_VERBS = {
    "fetch": "fetching",
    "parse": "reading",
    "figures": "reading figures",
    "waiting": "waiting for another process",
}
_PAGE_STAGES = ("parse",)
"""Stages whose units are pages."""
_ARTICLE_STAGES = ("articles",)
"""Stages whose units are articles."""


_SOON = 3.0
"""Seconds before which nothing is said of the time that is left."""


class Listener:
    """Counts what is done; called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._done: dict[tuple[str, str], int] = {}
        self._begun = time.monotonic()
        self.finished = 0
        """Files that are done, whatever came of them."""
        self._sizes: dict[str, int] = {}
        """Bytes of the files that there are, and of those to come and those that were read by now."""
        self._to_come = self._read = 0

    def expect(self, sizes: Mapping[str, int]) -> None:
        """Note how large the files are that were found."""
        with self._lock:
            self._sizes = {**sizes}
            self._to_come = sum(sizes.values())

    def start(self, path: str, stage: str, total: int) -> None:
        """Begin a stage of `total` units on a file."""

    def advance(self, path: str, stage: str, done: int) -> None:
        """Note that `done` units of a stage are done by now."""
        with self._lock:
            self._done[path, stage] = done

    def finish(self, path: str, outcome: str) -> None:
        """Note that a file is done."""
        with self._lock:
            if outcome in ("layered", "again"):
                return
            self.finished += 1
            size = self._sizes.get(path, 0)
            self._to_come -= size
            self._read += 0 if outcome == "unchanged" else size

    @property
    def seconds(self) -> float:
        """Seconds since the listener was made."""
        return time.monotonic() - self._begun

    @property
    def pages(self) -> int:
        """Pages read so far."""
        return self._sum(_PAGE_STAGES)

    @property
    def articles(self) -> int:
        """Articles of files that hold many that are done so far."""
        return self._sum(_ARTICLE_STAGES)

    def summary(self) -> str:
        """Return how far the whole is: "2 of 9 files done, 1 page read, 0.4 pages/s, about 3 min left"."""
        from octavo.cli.show.prose import pace
        from octavo_documents.document import number_of

        noun, read = ("article", "") if self.articles else ("page", " read")
        count = self.articles or self.pages
        rate = f", {pace(count / max(self.seconds, 0.1))} {noun}s/s" if count else ""
        total, left = len(self._sizes), self._seconds_left()
        files = f"{self.finished:,} of {number_of(total, 'file')}" if total else number_of(self.finished, "file")
        return f"{files} done, {number_of(count, noun)}{read}{rate}{_left(left)}"

    def _seconds_left(self) -> float:
        """Return about how long what is to come takes, by its bytes and those that were read; 0 until that is told."""
        with self._lock:
            if not self._read or self._to_come <= 0 or self.seconds < _SOON:
                return 0.0
            return self.seconds * self._to_come / self._read

    def _sum(self, stages: tuple[str, ...]) -> int:
        with self._lock:
            return sum(done for (_, stage), done in self._done.items() if stage in stages)


def _left(seconds: float) -> str:
    if not seconds:
        return ""
    minutes = round(seconds / 60)
    if minutes < 2:
        return f", about {'a minute' if minutes else 'half a minute'} left"
    return f", about {minutes} min left" if minutes < 120 else f", about {minutes / 60:.0f} h left"


class Bars(Listener):
    """Draws a line for each file at work, with its stage, and one for the whole; nothing until a file is at work."""

    def __init__(self) -> None:
        super().__init__()
        self._drawn: Progress | None = None
        self._tasks: dict[str, TaskID] = {}
        self._totals: dict[str, int] = {}

    @property
    def _bars(self) -> Progress:
        if self._drawn is None:
            self._drawn = _bars()
            self._drawn.add_task("", total=None, count="")
            self._tell()
            self._drawn.start()
        return self._drawn

    def close(self) -> None:
        """Take everything away again."""
        with self._lock:
            if self._drawn is not None:
                self._drawn.stop()

    def start(self, path: str, stage: str, total: int) -> None:
        """Show the stage a file has come to."""
        with self._lock:
            room = min(max(self._bars.console.width // 2 - 12, 12), 40)
            what = f"{terminal.shorten(Path(path).name, room)}: {_VERBS.get(stage, stage)}"
            self._totals[path] = total
            task = self._tasks.get(path)
            if task is None:
                self._tasks[path] = self._bars.add_task(what, total=total or None, count="")
            else:
                self._bars.reset(task, total=total or None, description=what, count="")

    def advance(self, path: str, stage: str, done: int) -> None:
        """Move the bar of a file."""
        super().advance(path, stage, done)
        with self._lock:
            task, total = self._tasks.get(path), self._totals.get(path, 0)
            if task is not None:
                self._bars.update(task, completed=done, count=f"{done}/{total}" if total else str(done))
        self._tell()

    def finish(self, path: str, outcome: str) -> None:
        """Take the line of a file away."""
        super().finish(path, outcome)
        with self._lock:
            task = self._tasks.pop(path, None)
            if task is not None:
                self._bars.remove_task(task)
        self._tell()

    def _tell(self) -> None:
        if self._drawn is None:
            return
        self._drawn.update(self._drawn.task_ids[0], description=self.summary())


@contextlib.contextmanager
def listener(*, quiet: bool) -> Generator[Listener]:
    """Return a listener that draws when stderr is a terminal and `quiet` is not asked for."""
    if quiet or not terminal.is_terminal(sys.stderr):
        yield Listener()
        return
    bars = Bars()
    try:
        yield bars
    finally:
        bars.close()


class StepBar:
    """A bar for the step in work, when stderr is a terminal and `quiet` is not asked for. A context manager."""

    def __init__(self, *, quiet: bool) -> None:
        self._is_shown = not quiet and terminal.is_terminal(sys.stderr)
        self._drawn: Progress | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawn is not None:
            self._drawn.stop()

    def begin(self, step: str, total: int, done: int = 0) -> None:
        """Put a step of `total` units, 0 where that is not known, in the place of the one before."""
        if not self._is_shown:
            return
        if self._drawn is None:
            self._drawn = _step_bar()
            self._drawn.add_task("", total=None, told="")
            self._drawn.start()
        task = self._drawn.task_ids[0]
        self._drawn.reset(task, description=step, total=total or None, completed=done, told="")

    def advance(self, done: int, told: str = "") -> None:
        """Move the bar, with a word on what came of it."""
        if self._drawn is not None:
            self._drawn.update(self._drawn.task_ids[0], completed=done, told=told)


def _step_bar() -> Progress:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[told]}", markup=False),
        TimeRemainingColumn(compact=True, elapsed_when_finished=True),
    )
    return Progress(*columns, console=terminal.console(sys.stderr), transient=True)


def _bars() -> Progress:
    from rich.progress import BarColumn, Progress, SpinnerColumn, Task, TextColumn, TimeRemainingColumn

    class FileBar(BarColumn):
        """A bar for files; the line for the whole has no end to draw a bar to."""

        def render(self, task: Task) -> Any:
            return super().render(task) if task.id else ""

    class FileTime(TimeRemainingColumn):
        """The time a stage still takes, once it can be told."""

        def render(self, task: Task) -> Any:
            return super().render(task) if task.id and task.total else ""

    screen = terminal.console(sys.stderr)
    columns: list[Any] = [SpinnerColumn(), TextColumn("{task.description}", markup=False)]
    if screen.width >= 60:
        columns += [
            FileBar(bar_width=max(min(screen.width - 70, 30), 8)),
            TextColumn("{task.fields[count]}", markup=False),
        ]
    if screen.width >= 80:
        columns.append(FileTime(compact=True))
    return Progress(*columns, console=screen, transient=True)

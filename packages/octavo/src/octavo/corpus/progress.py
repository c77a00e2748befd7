"""How indexing tells what it is doing: the protocol that terminals and servers implement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

AGAIN = "again"
"""The outcome of a file that was told as finished before."""


class Progress(Protocol):
    """Receives the steps of indexing, from any thread. Must be quick and must not raise.

    `path` is the file as it was found. Stages: `parse` (pages, OCR included), `figures` (those read as images), one for
    each layer (`passages`, `terms`, `vectors`, in the layer's own units), and `waiting` while another process indexes
    the same file. A stage starts again, with the same name, when its total becomes known.
    """

    def start(self, path: str, stage: str, total: int) -> None:
        """A stage of a file begins; `total` is 0 when it is not known yet."""
        ...

    def advance(self, path: str, stage: str, done: int) -> None:
        """So much of a stage is done."""
        ...

    def finish(self, path: str, outcome: str) -> None:
        """A file is finished: `added`, `unchanged` or `failed`; `layered` when layers were built for it afterwards.

        `again` when workers of a shared corpus were done with it before: one died, or it was tried again.
        """
        ...


@runtime_checkable
class Expecting(Protocol):
    """What a `Progress` may offer besides: it is told what there is before the first file is read."""

    def expect(self, sizes: Mapping[str, int]) -> None:
        """These files were found, with their bytes, 0 where that is not known; some may be unchanged."""
        ...


class Silence:
    """A `Progress` that nobody watches."""

    def start(self, path: str, stage: str, total: int) -> None:
        """Ignore it."""

    def advance(self, path: str, stage: str, done: int) -> None:
        """Ignore it."""

    def finish(self, path: str, outcome: str) -> None:
        """Ignore it."""


class Once:
    """A `Progress` that passes each file on as finished once: what failed and is tried again is `again` then."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._failed = set[str]()
        self.start, self.advance = progress.start, progress.advance

    def finish(self, path: str, outcome: str) -> None:
        """Pass on that a file is finished."""
        self._progress.finish(path, AGAIN if path in self._failed else outcome)
        if outcome == "failed":
            self._failed.add(path)


class Reporter:
    """Turns a builder's (done, total) into steps of `Progress`."""

    def __init__(self, progress: Progress, path: str, stage: str) -> None:
        self._progress, self._path, self._stage, self._total = progress, path, stage, 0

    def __call__(self, done: int, total: int) -> None:
        """Pass on how much is done; a total not seen before starts the stage."""
        if total != self._total:
            self._total = total
            self._progress.start(self._path, self._stage, total)
        self._progress.advance(self._path, self._stage, done)

"""How indexing tells what it is doing.

Owns the protocol. Knows nothing about terminals or servers, which show it.
"""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Receives the steps of indexing, from any thread. Must be quick and must not raise.

    `path` is the file as it was found. Stages: `parse` (pages, OCR included), then one for each layer (`passages`,
    `terms`, `vectors`, in the layer's own units), and `waiting` while another process indexes the same file. A stage
    starts again, with the same name, when its total becomes known.
    """

    def start(self, path: str, stage: str, total: int) -> None:
        """A stage of a file begins; `total` is 0 when it is not known yet."""
        ...

    def advance(self, path: str, stage: str, done: int) -> None:
        """So much of a stage is done."""
        ...

    def finish(self, path: str, outcome: str) -> None:
        """A file is finished: `added`, `unchanged` or `failed`."""
        ...


class Silence:
    """A `Progress` that nobody watches."""

    def start(self, path: str, stage: str, total: int) -> None:
        """Ignore it."""

    def advance(self, path: str, stage: str, done: int) -> None:
        """Ignore it."""

    def finish(self, path: str, outcome: str) -> None:
        """Ignore it."""

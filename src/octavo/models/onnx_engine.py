# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false
"""Networks on onnxruntime: the engine for machines without OpenVINO wheels.

Knows nothing about what a network computes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from octavo.errors import ModelError
from octavo.models.engine import Feeds, NetworkFile, Output


class OnnxEngine:
    """A network loaded by onnxruntime, one batch after the other on all cores."""

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

"""Running a neural network on the processor: one small interface over two engines.

Owns the choice between OpenVINO (about twice as fast) and onnxruntime (has wheels for more machines).
Knows nothing about what a network computes.
"""

from __future__ import annotations

from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from octavo.errors import ModelError
from octavo.models.engine import Engine, NetworkFile

ENGINES = ("openvino", "onnxruntime")
"""Import names, best first."""

NO_ENGINE = "No engine to run models on: run `pip install openvino` or `pip install onnxruntime`"


def installed_engine() -> str | None:
    """Return the import name of the engine that would be used, without importing it."""
    return next((name for name in ENGINES if find_spec(name)), None)


def engine_version(name: str) -> str:
    """Return the installed version of an engine."""
    return metadata.version(name)


def open_engine(weights: NetworkFile, *, cache: Path | None = None, engine: str | None = None) -> Engine:
    """Load `weights`, from `cache` if this machine compiled them before. Raises ModelError.

    `engine` is one of ENGINES; by default the best one that is installed.
    """
    name = engine or installed_engine()
    if name == "openvino":
        from octavo.models.openvino_engine import OpenVinoEngine

        return OpenVinoEngine(weights, cache)
    if name == "onnxruntime":
        from octavo.models.onnx_engine import OnnxEngine

        return OnnxEngine(weights)
    raise ModelError(NO_ENGINE)

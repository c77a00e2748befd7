# pyright: reportUnknownMemberType=false
"""Networks on OpenVINO: compiling, keeping what was compiled, and running batches on all cores."""

from __future__ import annotations

import hashlib
import io
import os
import sys
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from octavo_documents.errors import ModelError
from octavo_documents.models.integer_products import REWRITING, with_float_products
from octavo_documents.models.networks import Feeds, NetworkFile, Output

if TYPE_CHECKING:
    import openvino as ov

SETTINGS: dict[str, Any] = {
    "PERFORMANCE_HINT": "THROUGHPUT",
    # Networks with weights in int8 round activations to int8 too, in groups of so many. It takes 0.7 of the time of
    # computing in bfloat16 (groups of 32, OpenVINO's own choice: 0.9). Over 284 passages the cosine with the vectors
    # before was 0.9994 on average and 0.9987 at least; rankings of 403 questions moved by one or two (docs/tried.md).
    "DYNAMIC_QUANTIZATION_GROUP_SIZE": "128",
}
_DIGEST_BYTES = 32
"""Of the SHA-256 that stands before a compiled network."""
_FEW_BATCHES = 8
"""Batches of a question at most, for which no request is made beyond the streams: one takes 23 ms to make."""
_CONVERTER = "openvino.tools.ovc"


class OpenVinoEngine:
    """A network compiled for this processor: one stream per core or so, bfloat16 where the processor computes it.

    Compiling takes 0.4 s; with a `cache` folder the compiled network is kept there and loads in 0.1 s.
    """

    def __init__(self, weights: NetworkFile, cache: Path | None = None) -> None:
        core = import_openvino().Core()
        kept = cache / f"{_identity(core, weights)}.blob" if cache else None
        self._network = (kept and _load(core, kept)) or _compile(core, weights, kept)
        # One more request than streams keeps every core busy while a finished batch is collected.
        self._requests = int(self._network.get_property("OPTIMAL_NUMBER_OF_INFER_REQUESTS")) + 1
        self._idle: list[ov.InferRequest] = []

    @property
    def inputs(self) -> frozenset[str]:
        """The names of the network's inputs."""
        return frozenset(name for port in self._network.inputs for name in port.names)

    def stream(self, batches: Iterable[Feeds]) -> Iterator[tuple[int, Output]]:
        """Yield (position of the batch, its first output), in order."""
        running: deque[tuple[int, ov.InferRequest]] = deque()
        try:
            for position, feeds in enumerate(batches):
                running.append((position, self._started(feeds)))
                if len(running) >= self._requests - (position < _FEW_BATCHES):
                    yield self._finished(*running.popleft())
            while running:
                yield self._finished(*running.popleft())
        finally:
            for _, request in running:
                request.wait()

    def _started(self, feeds: Feeds) -> ov.InferRequest:
        request = self._idle.pop() if self._idle else self._network.create_infer_request()
        request.start_async(dict(feeds))
        return request

    def _finished(self, position: int, request: ov.InferRequest) -> tuple[int, Output]:
        request.wait()
        output = np.array(request.get_output_tensor(0).data)
        self._idle.append(request)
        return position, output


def import_openvino() -> Any:
    """Import OpenVINO without its model converter, which it does without where it is missing. Raises ModelError.

    The converter tells OpenVINO's makers of each import, over the network, and takes as long to import as the rest.
    Whatever uses OpenVINO has to be imported after this.
    """
    modules: dict[str, Any] = sys.modules
    modules.setdefault(_CONVERTER, None)
    try:
        import openvino
    except ImportError as error:
        raise ModelError(f"OpenVINO cannot be imported: run `pip install -U openvino` ({error})") from error
    finally:
        if modules.get(_CONVERTER, ...) is None:
            del modules[_CONVERTER]
    return openvino


def _identity(core: ov.Core, weights: NetworkFile) -> str:
    """Name everything that what was compiled depends on: weights, settings, OpenVINO's build and the processor."""
    processor = [str(core.get_property("CPU", name)) for name in ("FULL_DEVICE_NAME", "OPTIMIZATION_CAPABILITIES")]
    build = core.get_versions("CPU")["CPU"].build_number
    parts = [weights.sha256, repr(sorted(SETTINGS.items())), str(REWRITING), build, str(os.cpu_count()), *processor]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]


def _load(core: ov.Core, kept: Path) -> ov.CompiledModel | None:
    """Return the kept network, or None when there is none or it is damaged.

    OpenVINO's own cache (CACHE_DIR) would load a file with flipped bits and return wrong vectors: hence a digest.
    """
    if not kept.is_file():
        return None
    try:
        content = np.fromfile(kept, dtype=np.uint8)
        body = content[_DIGEST_BYTES:]
        if hashlib.sha256(body.data).digest() != content[:_DIGEST_BYTES].tobytes():
            return None
        return core.import_model(import_openvino().Tensor(body), "CPU", SETTINGS)
    except (OSError, RuntimeError):
        return None


def _compile(core: ov.Core, weights: NetworkFile, kept: Path | None) -> ov.CompiledModel:
    path = weights.verified()
    try:
        network = core.compile_model(with_float_products(core.read_model(path)), "CPU", SETTINGS)
    except RuntimeError as error:
        reason = str(error).splitlines()[0]
        raise ModelError(f"OpenVINO cannot load {path}: run `pip install -U openvino` ({reason})") from error
    if kept:
        _keep(network, kept)
    return network


def _keep(network: ov.CompiledModel, kept: Path) -> None:
    """Write the compiled network in one step. A full or read-only disk costs the next start 0.3 s, nothing else."""
    buffer = io.BytesIO()
    network.export_model(buffer)
    body = buffer.getvalue()
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        for stale in kept.parent.glob("*.blob"):
            stale.unlink(missing_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent, ignore_cleanup_errors=True) as folder:
            part = Path(folder) / kept.name
            part.write_bytes(hashlib.sha256(body).digest() + body)
            part.replace(kept)
    except OSError:
        return

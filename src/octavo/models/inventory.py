"""What models there are and whether each can be used here, found out without loading one: for `octavo doctor`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError

from octavo.errors import ModelError
from octavo.models.inference import NO_ENGINE, engine_version, installed_engine


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model and its state. `detail` is a remark when it is usable, else what is wrong and how to mend it."""

    name: str
    role: str
    engine: str
    version: str
    usable: bool
    detail: str


def describe() -> list[ModelInfo]:
    """Return every model with its state. Reads and hashes their files (0.1 s), imports no engine."""
    from octavo.models import minilm, ocr

    engine = installed_engine() or ""
    return [
        _state(minilm.MiniLmEmbedder.name, "text embedding", engine, minilm.WEIGHTS.verified),
        _state("bert-base-uncased", "tokenizer", "tokenizers", minilm.tokenizer),
        _state(ocr.RapidRecognizer.name, "text detection (OCR)", engine, ocr.DETECTION.verified),
        _state(ocr.RapidRecognizer.name, "text recognition (OCR)", engine, ocr.RECOGNITION.verified),
    ]


def _state(name: str, role: str, engine: str, verify: Callable[[], object]) -> ModelInfo:
    version = _version(engine)
    if not engine:
        return ModelInfo(name, role, engine, version, usable=False, detail=NO_ENGINE)
    try:
        verify()
    except (ModelError, ImportError) as error:
        return ModelInfo(name, role, engine, version, usable=False, detail=str(error))
    return ModelInfo(name, role, engine, version, usable=True, detail=_remark(engine))


def _remark(engine: str) -> str:
    if engine == "onnxruntime":
        return "slower than OpenVINO: run `pip install openvino` where it has wheels"
    return "files verified"


def _version(package: str) -> str:
    try:
        return engine_version(package) if package else ""
    except PackageNotFoundError:
        return ""

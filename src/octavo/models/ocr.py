# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
"""Reading the text in images with the PP-OCR models that ship inside rapidocr.

Owns the settings of detection and recognition. Knows nothing about pages, paragraphs or how an image was rendered.
"""

from __future__ import annotations

import logging
import threading
from typing import Any

import numpy as np

from octavo.errors import ModelError
from octavo.models.inference import installed_engine
from octavo.models.ports import Raster, RecognizedLine

PREFERRED_LONG_SIDE = 1280
"""Pixels on the long side of a page that give the best text for the time; render to it."""


class RapidRecognizer:
    """A TextRecognizer. Loads its models at the first image; may be shared by threads, which take turns."""

    def __init__(self) -> None:
        self._reading = threading.Lock()
        self._engine: Any = None

    @property
    def name(self) -> str:
        """The library's version stands for the models inside it."""
        from importlib.metadata import version

        return f"rapidocr-{version('rapidocr')}"

    def read(self, raster: Raster) -> tuple[RecognizedLine, ...]:
        """Return the lines of text in an image. Raises ModelError when the models cannot be loaded."""
        with self._reading:
            if self._engine is None:
                self._engine = _open()
            found = self._engine(np.ascontiguousarray(raster[:, :, ::-1]))
        if found.boxes is None or found.txts is None:
            return ()
        return tuple(
            RecognizedLine(text, _bounds(corners), float(score))
            for corners, text, score in zip(found.boxes, found.txts, found.scores, strict=True)
        )


def _bounds(corners: Any) -> tuple[float, float, float, float]:
    x0, y0 = np.min(corners, axis=0).tolist()
    x1, y1 = np.max(corners, axis=0).tolist()
    return x0, y0, x1, y1


def _open() -> Any:
    engine = installed_engine()
    if engine is None:
        raise ModelError("No engine to run OCR on: run `pip install openvino` or `pip install onnxruntime`")
    try:
        from rapidocr import EngineType, RapidOCR
    except ImportError as error:
        raise ModelError(f"OCR cannot be loaded: run `pip install -U rapidocr` ({error})") from error
    kind = EngineType(engine)
    logging.getLogger("RapidOCR").setLevel(logging.ERROR)
    return RapidOCR(
        params={
            "Global.log_level": "error",
            "Global.use_cls": False,
            "Det.engine_type": kind,
            "Rec.engine_type": kind,
        }
    )

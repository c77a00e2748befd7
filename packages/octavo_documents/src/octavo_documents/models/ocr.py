# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
"""Reading the text in images with the PP-OCR models that ship inside rapidocr."""

from __future__ import annotations

import logging
import math
import re
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo_documents.errors import ModelError
from octavo_documents.models.inference import NO_ENGINE, installed_engine
from octavo_documents.models.networks import Weights
from octavo_documents.models.openvino_engine import import_openvino
from octavo_documents.models.ports import Raster, RecognizedLine

_REQUIREMENT = "rapidocr==3.10.0"
DETECTION = Weights(
    module="rapidocr",
    filename="models/PP-OCRv6_det_small.onnx",
    sha256="090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f",
    requirement=_REQUIREMENT,
)
RECOGNITION = Weights(
    module="rapidocr",
    filename="models/PP-OCRv6_rec_small.onnx",
    sha256="6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",
    requirement=_REQUIREMENT,
)
_SETTINGS: dict[str, object] = {
    "Global.log_level": "error",
    # Turning every line upside down helps photographs; pages are rendered the right way up.
    "Global.use_cls": False,
    # Weak readings are dropped here, after tall lines were read both ways.
    "Global.text_score": 0.0,
    # By default the shorter side would be enlarged to 736 pixels: slow on slides, and all of memory on a thin strip.
    "Det.limit_type": "max",
    "Det.limit_side_len": 960,
    # The least width to which a line is padded, of 320 by default: most lines on slides are shorter.
    "Rec.rec_img_shape": [3, 48, 64],
}
_FEWEST_PIXELS = 8
"""No letter is readable in an image lower or narrower than this."""
_SETTINGS_VERSION = 4
"""Part of the model's name and so of fingerprints; raised when settings change."""
_LEAST_CONFIDENCE = 0.5
"""Below this a line is left without a text: rapidocr's own `text_score`."""
_BATCH, _WIDTH = 6, 64
"""Lines that rapidocr reads at once, and the step in pixels of the widths they are padded to."""
_LEAN = 0.5
"""Share of its height that a line may rise or fall and be boxed by its height alone: detection leaves that margin."""
_LONG, _FEWEST_LONG = 8.0, 5
"""Width by height of lines that tell how much a page was scanned askew, and how many of them it takes."""
_FLATTEST, _STEEPEST, _STEADY = 0.003, 0.05, 0.004
"""Rise by run of a page that lies askew, at least and at most, and how far its lines differ: a sixth of a degree is
0.003, three degrees are 0.05."""
_TALL = 1.5
"""Height by width from which rapidocr takes a line to be turned."""

_UNREAD = "\u200b"
"""Stands for the text of a line of which nothing is read."""
_BULLET = re.compile(r"^([•●▪■◦])(?=\w)")
"""A bullet that is read together with the word after it, as it is on one processor and not on another."""


class RapidRecognizer:
    """A TextRecognizer. Loads its models at the first image; may be shared by threads, which take turns.

    Lines keep the spaces between their words. Text turned by 90 degrees, either way, is read too.
    """

    name = f"PP-OCRv6-small-{DETECTION.sha256[:4]}{RECOGNITION.sha256[:4]}-{_SETTINGS_VERSION}"

    def __init__(self, *, detection: Weights = DETECTION, recognition: Weights = RECOGNITION) -> None:
        self._weights = detection, recognition
        self._reading = threading.Lock()
        self._engine: Any = None

    def read(self, raster: Raster) -> tuple[RecognizedLine, ...]:
        """Return the lines of text in an image. Raises ModelError when the models cannot be loaded."""
        if min(raster.shape[:2]) < _FEWEST_PIXELS:
            return ()
        image = np.ascontiguousarray(raster[:, :, ::-1])
        with self._reading:
            if self._engine is None:
                self._engine = _open(*self._weights)
            found = _lines(self._engine(image, use_det=True))
            lines = [_either_way_up(self._engine, image, line) if line.text else line for line in found]
        return tuple(line if line.confidence >= _LEAST_CONFIDENCE else replace(line, text="") for line in lines)


def _lines(found: Any) -> list[RecognizedLine]:
    if found.boxes is None or found.txts is None:
        return []
    levelled = _levelled(np.asarray(found.boxes, np.float64))
    read = zip(levelled, found.txts, found.scores, strict=True)
    return [
        RecognizedLine(_BULLET.sub(r"\1 ", text), _bounds(corners), float(score))
        if text != _UNREAD
        else RecognizedLine("", _bounds(corners), 0.0)
        for corners, text, score in read
    ]


def _with_unread(recognize: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return rapidocr's step that reads lines, keeping those of which it reads nothing: it drops what has no text."""

    def kept(lines: Any) -> Any:
        found = recognize(lines)
        if found.txts:
            found.txts = tuple(text if text.strip() else _UNREAD for text in found.txts)
        return found

    return kept


def _levelled(boxes: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return (n, 4, 2) the corners of lines with each lying one moved up or down, so that those of one row are level.

    On a page that was scanned askew the cells of a row lie at different heights. Lines keep their slope and move by
    what the page's slope makes of their distance from its middle: by three points at the margins for half a degree.
    """
    across, down = boxes[:, 1] - boxes[:, 0], boxes[:, 3] - boxes[:, 0]
    width, height = np.hypot(*across.T), np.maximum(np.hypot(*down.T), 1.0)
    long = (width > _LONG * height) & (np.abs(across[:, 1]) < _STEEPEST * np.abs(across[:, 0]))
    if int(long.sum()) < _FEWEST_LONG:
        return boxes
    slopes = across[long, 1] / across[long, 0]
    slope = float(np.median(slopes))
    if abs(slope) < _FLATTEST or float(np.median(np.abs(slopes - slope))) > _STEADY:
        return boxes
    left, right = boxes[..., 0].min(), boxes[..., 0].max()
    middles = boxes[..., 0].mean(axis=1)
    moved = boxes.copy()
    moved[..., 1] -= np.where(width > height, slope * (middles - (left + right) / 2), 0.0)[:, None]
    return moved


def _either_way_up(engine: Any, image: Raster, line: RecognizedLine) -> RecognizedLine:
    """Return the better reading of a tall line: rapidocr takes it to run downwards, but axis labels run upwards."""
    x0, y0, x1, y1 = (round(value) for value in line.box)
    if y1 - y0 < _TALL * (x1 - x0) or x1 <= x0:
        return line
    turned = np.ascontiguousarray(np.rot90(image[y0:y1, x0:x1], k=-1))
    found = engine(turned, use_det=False)
    if not found.txts or found.txts[0] == _UNREAD or float(found.scores[0]) <= line.confidence:
        return line
    return RecognizedLine(found.txts[0], line.box, float(found.scores[0]))


def _bounds(corners: Any) -> tuple[float, float, float, float]:
    """Return the box of a line by its four corners, from the top left clockwise, in pixels.

    On a page that was scanned a little askew long lines would get boxes much higher than short ones, as if their type
    were larger. Such a line is boxed as high as it is across itself: its ends reach into the margin around its letters.
    """
    x0, y0 = np.min(corners, axis=0).tolist()
    x1, y1 = np.max(corners, axis=0).tolist()
    across = math.dist(corners[0], corners[3])
    height = max(across, y1 - y0 - _LEAN * across)
    if x1 - x0 < y1 - y0 or height >= y1 - y0:
        return x0, y0, x1, y1
    middle = (y0 + y1) / 2
    return x0, middle - height / 2, x1, middle + height / 2


def _open(detection: Weights, recognition: Weights) -> Any:
    """Return rapidocr's engine over verified files: given paths, it looks for no others and downloads none."""
    engine = installed_engine()
    if engine is None:
        raise ModelError(NO_ENGINE)
    if engine == "openvino":
        import_openvino()
    paths = {"Det.model_path": str(detection.verified()), "Rec.model_path": str(recognition.verified())}
    try:
        from rapidocr import EngineType, RapidOCR
    except ImportError as error:
        raise ModelError(f"OCR cannot be loaded: run `pip install -U {_REQUIREMENT}` ({error})") from error
    kind = EngineType(engine)
    # It reports an image without text as a warning, on stderr.
    logging.getLogger("RapidOCR").setLevel(logging.ERROR)
    reader: Any = RapidOCR(params={**_SETTINGS, **paths, "Det.engine_type": kind, "Rec.engine_type": kind})
    reader.recognize_txt = _with_unread(reader.recognize_txt)
    recognition_step = reader._load_rec_model()
    recognition_step.session = _FewShapes(recognition_step.session)
    return reader


class _FewShapes:
    """A recognition network that is only ever given a few shapes of input.

    Every new shape compiles kernels that stay in memory: without this 10 MB a page, for ever, and a sixth more time.
    """

    def __init__(self, session: Any) -> None:
        self._session = session

    def __call__(self, lines: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the network's output for (n, 3, height, width) lines of text."""
        count, *sides, width = lines.shape
        padded = np.zeros((1 if count == 1 else max(count, _BATCH), *sides, -(-width // _WIDTH) * _WIDTH), lines.dtype)
        padded[:count, ..., :width] = lines
        return self._session(padded)[:count]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

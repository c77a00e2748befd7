"""A layout model of one's own: an ONNX detector, and the card beside it that says how to use it.

`layout.onnx` has its card in `layout.toml`:

    labels = ["heading", "paragraph", "", "figure", "table"]  # by class number; kinds of block, "" for none of them
    width = 1024                                              # pixels of the input
    height = 1024
    dpi = 100.0                                               # at which pages are drawn before they are fitted in
    input = "images"                                          # name of the input
    least_score = 0.3

The network has one input, (1, 3, height, width) float32, RGB from 0 to 1: the page scaled to fit, at the top left,
the rest grey. Its first output is (n, 6) or (1, n, 6) float32: x0, y0, x1, y1 in pixels of the input, score (0..1),
class number. That is what detectors which need no suppression of doubles afterwards are exported to.
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo_documents.document import KIND_BY_LABEL, Kind
from octavo_documents.errors import ModelError
from octavo_documents.models.inference import LazyEngine, open_engine
from octavo_documents.models.networks import Engine, own_file
from octavo_documents.models.ports import LayoutRegion, Raster

_GREY = 114 / 255
"""Of the rest of the input: what YOLO detectors, and those exported like them, are trained with (letterbox padding)."""
_POINTS_PER_INCH = 72.0
_COLUMNS = 6
"""Numbers of a box in the output: corners, score, class."""
_MOST_PIXELS = 4096
"""Of a side of the input that a card may name."""
_MOST_DPI = 400.0
"""That a card may ask for: a page of A4 has 15 million pixels then."""
_VERSION = 1
"""Of what is made of the output; part of the model's name and so of fingerprints."""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """How to use a network; see the module."""

    labels: tuple[Kind | None, ...]
    width: int = 1024
    height: int = 1024
    dpi: float = 100.0
    input: str = "images"
    least_score: float = 0.3


class OnnxLayoutModel:
    """A LayoutModel. Reads card and file at once, loads the network at the first page; may be shared by threads."""

    def __init__(self, path: Path, *, cache: Path | None = None, engine: Engine | None = None) -> None:
        """Take the ONNX file at `path`. Raises ModelError when it or its card cannot be used.

        `engine` is a loaded network to use instead.
        """
        card = path.with_suffix(".toml")
        self._card = read_card(card)
        self._file = own_file(path)
        self._network = LazyEngine(lambda: engine or open_engine(self._file, cache=cache))
        self.dpi = self._card.dpi
        self.name = f"{path.stem}-{self._file.sha256[:12]}-{own_file(card).sha256[:12]}-{_VERSION}"

    def detect(self, raster: Raster, dpi: float) -> tuple[LayoutRegion, ...]:
        """Return the regions of a page drawn at `dpi`. Raises ModelError."""
        card = self._card
        scale = min(card.width / raster.shape[1], card.height / raster.shape[0])
        feeds = {card.input: fitted(raster, scale, width=card.width, height=card.height)}
        ((_, output),) = self._network.loaded().stream([feeds])
        return self._regions(output, points=_POINTS_PER_INCH / (dpi * scale))

    def _regions(self, output: npt.NDArray[np.float32], *, points: float) -> tuple[LayoutRegion, ...]:
        """Turn rows of numbers into regions; `points` is the size of a pixel."""
        if output.shape[-1:] != (_COLUMNS,):
            raise ModelError(
                f"{self._file.path} answers {'x'.join(map(str, output.shape))} numbers, not n rows of {_COLUMNS}: "
                "export it with boxes, score and class in one output"
            )
        rows = output.reshape(-1, _COLUMNS)
        rows = rows[np.isfinite(rows).all(axis=1) & (rows[:, 4] >= self._card.least_score)]
        labels = self._card.labels
        found: list[LayoutRegion] = []
        for x0, y0, x1, y1, score, number in rows.tolist():
            kind = labels[int(number)] if 0 <= number < len(labels) else None
            if kind is not None:
                found.append(LayoutRegion(kind, (x0 * points, y0 * points, x1 * points, y1 * points), score))
        return tuple(found)


def fitted(raster: Raster, scale: float, *, width: int, height: int) -> npt.NDArray[np.float32]:
    """Return a picture scaled into (1, 3, height, width) float32 from 0 to 1, at the top left, the rest grey."""
    from PIL import Image

    size = (max(1, min(width, round(raster.shape[1] * scale))), max(1, min(height, round(raster.shape[0] * scale))))
    small = np.asarray(Image.fromarray(raster).resize(size, Image.Resampling.BILINEAR), np.float32) / 255
    filled = np.full((1, 3, height, width), _GREY, np.float32)
    filled[0, :, : size[1], : size[0]] = small.transpose(2, 0, 1)
    return filled


def read_card(path: Path) -> ModelCard:
    """Read the card of a network. Raises ModelError that names the key and what it needs."""
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ModelError(f"{path} cannot be read ({error.strerror}): a layout model needs a card beside it") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ModelError(f"{path} is not valid TOML: {error}") from error
    unknown = values.keys() - {field.name for field in fields(ModelCard)}
    if unknown:
        raise ModelError(f"{path}: there is no key {sorted(unknown)[0]!r}")
    return ModelCard(**{key: _value(path, key, value) for key, value in {"labels": None, **values}.items()})


def _value(path: Path, key: str, value: Any) -> Any:
    if key == "labels":
        return _labels(path, value)
    if key == "input":
        is_good, needs = isinstance(value, str) and bool(value), "a name"
    elif key in ("width", "height"):
        is_good, needs = _is_number(value, _MOST_PIXELS) and value == int(value), f"1 to {_MOST_PIXELS} pixels"
    elif key == "dpi":
        is_good, needs = _is_number(value, _MOST_DPI), f"a number up to {_MOST_DPI:.0f}"
    else:
        is_good, needs = _is_number(value, 1.0), "a number up to 1"
    if not is_good:
        raise ModelError(f"{path}: {key} needs {needs}, not {value!r}")
    return value


def _is_number(value: Any, most: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and 0 < value <= most


def _labels(path: Path, value: Any) -> tuple[Kind | None, ...]:
    """Read the kinds by class number; "" stands for classes that say nothing."""
    needs = f"{path}: labels needs a list of {', '.join(KIND_BY_LABEL)} or ''"
    if not isinstance(value, list) or not value:
        raise ModelError(needs)
    names: list[Any] = list(value)  # pyright: ignore[reportUnknownArgumentType]
    wrong = next((name for name in names if name != "" and name not in KIND_BY_LABEL), None)
    if wrong is not None:
        raise ModelError(f"{needs}, not {wrong!r}")
    return tuple(KIND_BY_LABEL.get(name) for name in names)

"""What reading a document asks of models: OCR and layout, one protocol each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from octavo_documents.document import Kind

Raster = npt.NDArray[np.uint8]
"""(height, width, 3) uint8, RGB."""


@dataclass(frozen=True, slots=True)
class RecognizedLine:
    """A line of text found in a raster: `box` is x0, y0, x1, y1 in pixels, `confidence` is 0..1.

    The text is empty where a line was found and could not be read.
    """

    text: str
    box: tuple[float, float, float, float]
    confidence: float


OCR_SCRIPTS = "Latin letters, Chinese and Japanese"
"""What the recogniser that comes with the extra `ocr` reads; of Greek and Vietnamese letters with accents it loses."""


class TextRecognizer(Protocol):
    """Reads the text in an image (OCR)."""

    @property
    def name(self) -> str:
        """Names the engine and its models; part of the fingerprint of every document read with it."""
        ...

    def read(self, raster: Raster) -> tuple[RecognizedLine, ...]:
        """Return the lines in the order the detector found them; no order is promised."""
        ...


@dataclass(frozen=True, slots=True)
class LayoutRegion:
    """A part of a page that is one thing.

    `kind` is that of the blocks it becomes; PARAGRAPH stands for running text of any sort. `box` is x0, y0, x1, y1 in
    points from the top left of the page as displayed, `score` is 0..1.
    """

    kind: Kind
    box: tuple[float, float, float, float]
    score: float


class LayoutModel(Protocol):
    """Finds the parts of a page in its picture."""

    @property
    def name(self) -> str:
        """Names the model and its weights; part of the fingerprint of every document read with it."""
        ...

    @property
    def dpi(self) -> float:
        """Dots per inch at which it wants pages drawn; a page too large for that is drawn more coarsely."""
        ...

    def detect(self, raster: Raster, dpi: float) -> tuple[LayoutRegion, ...]:
        """Return the regions of a page drawn at `dpi`, in any order.

        What it does not find is left to the rules. Regions may overlap: see `structuring.layout_model_regions`. Those
        off the page, not finite or of an unknown kind are dropped by whoever asks.
        """
        ...

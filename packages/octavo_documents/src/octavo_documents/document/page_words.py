"""The words of a page with their boxes, and boxes on pages.

Boxes are left, top, right, bottom in points, from the top left of the page as displayed; pages count from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

import numpy as np
import numpy.typing as npt

from octavo_documents.document.columns import Rows, TextColumn, pack, unpack

Boxes: TypeAlias = npt.NDArray[np.float32]
"""(n, 4) float32: x0, y0, x1, y1."""
Source: TypeAlias = Literal["text", "ocr"]
"""Where words come from: the text layer of the page, or OCR (of a picture on it, beside any text layer)."""


@dataclass(frozen=True, slots=True, eq=False)
class PageWords:
    """The words of a page, line after line; none for flowing text, which has no pages to look at.

    A box is as wide as the word's ink and as high as its line, so that it marks the word as a highlighter does.
    """

    texts: tuple[str, ...]
    boxes: Boxes
    """(n, 4) float32 points from the top left of the page as displayed."""
    lines: npt.NDArray[np.int32]
    """(n,) int32 number of the line of print a word stands in; lines part at the gaps between columns and cells."""
    rotation: int = 0
    """Degrees clockwise that the page is turned by when it is displayed; boxes are turned already."""
    source: Source = "text"

    def __len__(self) -> int:
        return len(self.texts)

    def take(self, rows: Rows) -> PageWords:
        """Return some of the words, in the order of `rows`; the numbers of their lines stay."""
        places: list[int] = rows.tolist()
        texts = tuple(self.texts[row] for row in places)
        return PageWords(texts, self.boxes[rows], self.lines[rows], self.rotation, self.source)

    @classmethod
    def of(
        cls, words: Sequence[tuple[str, Sequence[float], int]], *, rotation: int = 0, source: Source = "text"
    ) -> PageWords:
        """Return words given as (text, box, line)."""
        boxes = np.array([word[1] for word in words], np.float32).reshape(-1, 4)
        lines = np.array([word[2] for word in words], np.int32)
        return cls(tuple(word[0] for word in words), boxes, lines, rotation, source)

    def to_bytes(self) -> bytes:
        """Pack the words; `from_bytes` gives the same."""
        texts = TextColumn.of(self.texts)
        arrays = {"text": texts.data, "offsets": texts.offsets, "boxes": self.boxes, "lines": self.lines}
        return pack(arrays, {"rotation": self.rotation, "source": self.source})

    @classmethod
    def from_bytes(cls, data: bytes) -> PageWords:
        """Unpack words. Raises ValueError or CorpusError when the bytes are none."""
        arrays, header = unpack(data)
        try:
            texts = TextColumn(arrays["text"].astype(np.uint8), arrays["offsets"].astype(np.int64))
            boxes, lines = arrays["boxes"].astype(np.float32), arrays["lines"].astype(np.int32)
            rotation, source = int(header["rotation"]), header["source"]
        except (KeyError, TypeError) as wrong:
            raise ValueError(f"words without {wrong}") from None
        texts.check()
        is_sound = boxes.shape == (len(texts), 4) and lines.shape == (len(texts),) and bool(np.isfinite(boxes).all())
        if not is_sound or source not in get_args(Source) or rotation not in (0, 90, 180, 270):
            raise ValueError("words and boxes that do not fit each other")
        return cls(tuple(texts), boxes, lines, rotation, cast("Source", source))


Box: TypeAlias = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points, x0 <= x1 and y0 <= y1."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A box on a page."""

    page: int
    box: Box

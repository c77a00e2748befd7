"""The words in the pictures of flowing text, read by OCR, as text of their figures.

A picture without words and without a description is left out, as nothing can be said of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from octavo_documents.document import Kind
from octavo_documents.errors import SourceError
from octavo_documents.models.ports import Raster
from octavo_documents.parsing import Limits, images
from octavo_documents.parsing.content import TextLine
from octavo_documents.parsing.flow import CarriedFile, FlowBlock, FlowContent
from octavo_documents.parsing.held_file import HeldFile
from octavo_documents.parsing.left_out import LeftOutCounter
from octavo_documents.parsing.recognition import Recognize, is_blank, recognized_lines
from octavo_documents.structuring.figures.figure_words import say_enough, written

_LEAST_WIDTH, _LEAST_HEIGHT = 60, 16
"""Pixels: in less there is room for an icon and not for words."""


class PictureReader:
    """Reads the words in the pictures of a file and of those in it, each picture once; `recognize` may be none."""

    def __init__(self, recognize: Recognize | None, limits: Limits) -> None:
        self._recognize, self._limits = recognize, limits
        self._known: dict[bytes, tuple[str, float]] = {}

    def with_words(self, content: FlowContent) -> tuple[FlowContent, tuple[str, ...]]:
        """Return flowing text with the words of its pictures, and a line that says how many are left out."""
        left_out = LeftOutCounter()
        blocks = _without_bare_slides(tuple(self._blocks(content.blocks, left_out)))
        return replace(content, blocks=blocks), left_out.warnings()

    def _blocks(self, blocks: Sequence[FlowBlock], left_out: LeftOutCounter) -> Iterator[FlowBlock]:
        for block in blocks:
            if block.file is None or block.kind != Kind.FIGURE:
                yield block
                continue
            text, confidence = self._words(block.file)
            if block.text or text:
                yield replace(block, text="\n".join(filter(None, (block.text, text))), confidence=confidence, file=None)
            else:
                left_out.count("picture without words or a description" if self._recognize else _UNSAID)

    def _words(self, file: CarriedFile) -> tuple[str, float]:
        """Return the words in a picture, one line under the other, and how sure they are."""
        if self._recognize is None or not file.data:
            return "", 1.0
        key = hashlib.sha256(file.data).digest()
        if key not in self._known:
            if len(self._known) >= self._limits.pictures:
                return "", 1.0
            lines = self._lines(file, self._recognize)
            sure = float(np.mean([line.confidence for line in lines])) if lines else 1.0
            self._known[key] = (written(lines), sure) if lines else ("", 1.0)
        return self._known[key]

    def _lines(self, file: CarriedFile, recognize: Recognize) -> Sequence[TextLine]:
        raster = self._raster(file)
        if raster is None:
            return ()
        lines = [one for one in recognized_lines(recognize(raster), scale=1.0) if any(map(str.isalnum, one.text))]
        return lines if say_enough(lines) else ()

    def _raster(self, file: CarriedFile) -> Raster | None:
        """Return a picture as OCR is to see it; None for one that has no words, or cannot be read."""
        try:
            raster = images.to_read(HeldFile(file.name, file.data), self._limits)
        except SourceError:
            return None
        height, width = raster.shape[:2]
        return None if width < _LEAST_WIDTH or height < _LEAST_HEIGHT or is_blank(raster) else raster


def _without_bare_slides(blocks: Sequence[FlowBlock]) -> tuple[FlowBlock, ...]:
    """Return blocks without headings of slides that have no title and, without their pictures, nothing else."""
    after = (*blocks[1:], FlowBlock(Kind.PARAGRAPH, "", part="end"))
    return tuple(
        one
        for one, following in zip(blocks, after, strict=False)
        if not (one.part and one.text == one.part.capitalize() and one.part.startswith("slide ") and following.part)
    )


_UNSAID = "picture without a description"

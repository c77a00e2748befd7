"""Pictures of a document's elements, as layers show them to a model that sees."""

from __future__ import annotations

from octavo.errors import SourceError
from octavo.evidence import framed
from octavo.layers.base import LayerInputs
from octavo.models.language import Box, Picture, around, dots_per_inch, encoded, pixels_of
from octavo_documents.document import Document

BATCH = 16
"""Crops that are held at once."""
_PIXELS_PER_TOKEN = 750
_LEAST_PICTURE_TOKENS = 85


def crop(inputs: LayerInputs, row: int) -> Picture | None:
    """Return the picture of the block of a row, None where the file cannot be drawn or no call is left for it.

    Not for several threads at once: a page may only be drawn by one.
    """
    if inputs.render is None or inputs.judge.stopped:
        return None
    try:
        box = crop_of(inputs.document, row)
        return encoded(inputs.render(int(inputs.document.blocks.page[row]), box, dots_per_inch(box)))
    except SourceError:
        return None


def crop_of(document: Document, row: int) -> Box:
    """Return the box that is drawn for the block of a row, with its caption and title, (x0, y0, x1, y1) in points."""
    page = int(document.blocks.page[row])
    box = framed(document.blocks, document.links.captions(), (row,), document.on_page(page))
    return around(box, float(document.pages.width[page - 1]), float(document.pages.height[page - 1]))


def picture_tokens(box: Box) -> int:
    """Return what a crop takes, as large providers count it."""
    return max(_LEAST_PICTURE_TOKENS, round(pixels_of(box) / _PIXELS_PER_TOKEN))

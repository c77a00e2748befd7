"""What a parser yields: pages of text lines with geometry and fonts, before any layout analysis.

All coordinates are points (1/72 inch), origin at the top left of the page as displayed (rotation applied), x to the
right, y down.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from octavo.document import number_of
from octavo.document.places import Box, Spot
from octavo.models.ports import LayoutRegion

__all__ = [
    "Annotation",
    "Box",
    "Graphic",
    "OutlineEntry",
    "PageContent",
    "SourceContent",
    "Span",
    "Spot",
    "TextLine",
]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one line in one font.

    `start` and `stop` are offsets into the line's text; `size` is in points, `color` is 0xRRGGBB.
    """

    start: int
    stop: int
    box: Box
    font: str
    size: float
    bold: bool
    italic: bool
    color: int
    monospace: bool = False


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of text inside one column or cell: never joined over a gap wider than a word space would explain.

    `angle` is the direction of writing in degrees (0 left to right, 90 bottom to top). `confidence` is 1.0 for a text
    layer and the recogniser's score (0..1) for OCR. Spans cover the text in order; font properties of the line are
    those of its longest span.
    """

    text: str
    box: Box
    spans: tuple[Span, ...]
    confidence: float = 1.0
    angle: int = 0


@dataclass(frozen=True, slots=True)
class Graphic:
    """A raster image or a vector path on the page. `kind` is `image`, `fill`, `stroke` or `line` (thin, straight)."""

    kind: str
    box: Box
    color: int = 0
    is_photographic: bool = False
    """An image packed as photographs are, with many bytes for a pixel."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A link annotation: `box` points to physical page `page` (1-based; 0 when it leads outside) at `x` and `y`."""

    box: Box
    page: int
    y: float | None = None
    uri: str = ""
    x: float | None = None
    """Told only together with `y`."""


@dataclass(frozen=True, slots=True)
class PageContent:
    """One physical page. `number` is 1-based, `label` is the printed label ("iv", "A-3") or its number as text."""

    number: int
    label: str
    width: float
    height: float
    lines: tuple[TextLine, ...]
    graphics: tuple[Graphic, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    is_scanned: bool = False
    """True when the text came from OCR, or would have had OCR been allowed."""
    regions: tuple[LayoutRegion, ...] = ()
    """What a layout model sees on the page, checked; best first."""


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark of the file's own outline. `level` starts at 1; `page` is 1-based, 0 when unknown; `y` in points."""

    title: str
    level: int
    page: int
    y: float | None = None


@dataclass(frozen=True, slots=True)
class SourceContent:
    """A whole source file as read; `damage` says what of a damaged one could be, as `saved_pages` has it."""

    pages: tuple[PageContent, ...]
    outline: tuple[OutlineEntry, ...] = ()
    title: str = ""
    author: str = ""
    created: str = ""
    warnings: tuple[str, ...] = field(default=())
    damage: str = ""


def saved_pages(saved: int, pages: int) -> str:
    """Return what could be read of a damaged file, "2 of 23 pages could be read"; "" where no page is lost."""
    return f"{saved:,} of {number_of(pages, 'page')} could be read" if pages > saved else ""

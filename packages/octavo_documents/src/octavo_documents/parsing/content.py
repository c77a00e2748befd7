"""What a parser yields: pages of text lines with geometry and fonts, before any layout analysis.

All coordinates are points (1/72 inch), origin at the top left of the page as displayed (rotation applied), x to the
right, y down. Characters that stand for others are replaced: ligatures, soft hyphens, symbol-font bullets, combining
marks, forms of letters by their place in a word.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from octavo_documents.document import number_of
from octavo_documents.document.page_words import Box, Spot
from octavo_documents.lazy import lazy_regex
from octavo_documents.models.ports import LayoutRegion

SPECIAL = lazy_regex(
    "[\x00-\x1f\x7f-\x9f\xad\u0300-\u036f\u200b-\u200f\u2060\ud800-\udfff\ue000-\uf8ff\ufb00-\ufb06"
    "\ufb1d-\ufdff\ufe10-\ufe19\ufe30-\ufe44\ufe70-\ufeff\ufffe\uffff]"
)
"""Finds text that `normalise` would change."""

_FORMS = (*range(0xFB1D, 0xFDFE), *range(0xFE10, 0xFE1A), *range(0xFE30, 0xFE45), *range(0xFE70, 0xFEFD))
"""Letters as they stand in their words, and signs as they stand in vertical lines."""
_REPLACEMENTS: dict[int, str] = {
    **dict.fromkeys(range(0x20), ""),
    **dict.fromkeys(range(0x7F, 0xA0), ""),
    **dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF, 0xFFFE, 0xFFFF), ""),
    **dict.fromkeys(range(0xD800, 0xE000), ""),
    **dict.fromkeys(range(0xE000, 0xF900), ""),
    # Bullets of the Symbol and Wingdings fonts, which have no Unicode mapping of their own.
    **dict.fromkeys((0xF0B7, 0xF0A7, 0xF0D8, 0xF076, 0xF06C, 0xF06E, 0xF071, 0xF0A8, 0xF0E0, 0xF0D7), "•"),
    **dict.fromkeys((0xF0FC, 0xF0FE), "✓"),
    # Figures and small capitals as the fonts of before OpenType have them.
    **{0xF730 + digit: str(digit) for digit in range(10)},
    **{code: chr(code - 0xF700) for code in range(0xF761, 0xF77B)},
    0xE0F0: "ft",
    0xE0F1: "ti",
    0xE0F2: "tt",
    0xE0F3: "tti",
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
    **{code: unicodedata.normalize("NFKC", chr(code)) for code in _FORMS},
}


def normalise(text: str) -> str:
    """Return `text` with ligatures spelled out, accents composed, and control and unmapped characters removed."""
    return unicodedata.normalize("NFC", text.translate(_REPLACEMENTS))


MIRRORED = 360
"""What the angle of mirrored writing has more: the foot of its letters is where the head of others is."""

__all__ = [
    "MIRRORED",
    "Annotation",
    "Box",
    "Comment",
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
    underlined: bool = False
    ground: int = -1
    """The colour that it is highlighted in, 0xRRGGBB; -1 where it is not."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of text inside one column or cell: never joined over a gap wider than a word space would explain.

    `angle` is the direction of writing in degrees (0 left to right, 90 bottom to top), with `MIRRORED` added where it
    is so. `confidence` is 1.0 for a text layer and the recogniser's score (0..1) for OCR. Spans cover the text in
    order; font properties of the line are those of its longest span.
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
class Comment:
    """What is written on a page and is no part of its text: the comment of a reader, values of a form by their names.

    `is_printed` says that the words themselves are seen on the page.
    """

    text: str
    box: Box
    is_printed: bool = False


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
    comments: tuple[Comment, ...] = ()


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


_NAMED = 10
"""Pages that are named in a warning."""


def named_pages(numbers: Sequence[int]) -> str:
    """Return numbers of pages in order as a warning names them: "page 3", "pages 1, 2 and 14 more"."""
    named = ", ".join(f"{number}" for number in numbers[:_NAMED])
    more = f" and {len(numbers) - _NAMED} more" if len(numbers) > _NAMED else ""
    return f"{'page' if len(numbers) == 1 else 'pages'} {named}{more}"

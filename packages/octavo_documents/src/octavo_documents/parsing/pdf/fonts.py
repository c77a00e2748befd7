"""The looks of text objects of a PDF page: their fonts, colours and styles."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from octavo_documents.parsing.pdf import pdfium

Integers = npt.NDArray[np.int64]

_FIXED_PITCH, _ITALIC, _FORCE_BOLD = 1 << 0, 1 << 6, 1 << 18
_BOLD_WEIGHT = 600
_BOLD = re.compile(
    r"bold|black|heavy|semibd|demi|cmbx|cmssbx|-bd|nimbus\w+-medi|(?:^|[-,_ ])(?:bd|b|bi|z)$", re.IGNORECASE
)
_UPRIGHT = re.compile(r"-(?:regular|roman|book)$|^cm[a-z]{1,4}\d", re.IGNORECASE)
"""Names that say that a font is not bold, whatever PDFium guesses of its weight from its stems."""
_ITALICS = re.compile(r"ital|obliq|slant|cmti|cmmi|cmsl|(?:^|[-,_ ])(?:it|i|bi)$", re.IGNORECASE)
_MONOSPACE = re.compile(r"mono|courier|consol|menlo|typewriter|cmtt|sftt|inconsolata|fixed|terminal", re.IGNORECASE)
_SUBSET = re.compile(r"^[A-Z]{6}\+")


@dataclass(frozen=True, slots=True)
class Font:
    """A font by its looks. `ascent` and `descent` (below the baseline: negative) are in ems; 0 where it states none."""

    name: str
    bold: bool
    italic: bool
    monospace: bool
    ascent: float
    descent: float


@dataclass(frozen=True, slots=True)
class Style:
    """What characters of one look share. `color` is 0xRRGGBB, `size` in points as displayed."""

    font: Font
    size: float
    color: int


@dataclass(frozen=True, slots=True)
class ObjectLooks:
    """The looks of the text objects of a page: `font` indexes `fonts`, `color` is 0xRRGGBB; one entry per object."""

    fonts: tuple[Font, ...]
    font: Integers
    color: Integers

    def extents(self) -> npt.NDArray[np.float64]:
        """Return (n, 2) ascent and descent of each object's font, in ems."""
        return np.array([(font.ascent, font.descent) for font in self.fonts], np.float64)[self.font]

    def styles(self, sizes: npt.NDArray[np.float64]) -> tuple[Integers, tuple[Style, ...]]:
        """Return each object's index into the distinct styles, and these; `sizes` has one entry per object."""
        # 10.95 is a common size: away from the edge of rounding.
        tenths = np.clip(np.rint(sizes * 10 + 0.04), 0, 65535).astype(np.int64)
        _, first, inverse = np.unique(
            (self.font << 40) | (self.color << 16) | tenths, return_index=True, return_inverse=True
        )
        rows: list[list[int]] = np.stack((self.font, tenths, self.color), axis=1)[first].tolist()
        styles = tuple(Style(self.fonts[font], tenth / 10, color) for font, tenth, color in rows)
        return inverse, styles


def read_fonts(objects: Sequence[pdfium.Handle]) -> tuple[tuple[Font, ...], Integers]:
    """Return the fonts of text objects (handles), and for each object the index of its own."""
    handles: list[pdfium.Handle] = list(map(pdfium.text_font, objects))
    # A font may be embedded in several subsets; where they look the same they are one.
    known: dict[Font, int] = {}
    looks = {handle: known.setdefault(_read_font(handle), len(known)) for handle in sorted({*handles})}
    return tuple(known), np.array([looks[handle] for handle in handles], np.int64)


def read_colors(objects: Sequence[pdfium.Handle]) -> tuple[Integers, Integers]:
    """Return the fill colours (0xRRGGBB) of text objects (handles), and how opaque they are (0..255)."""
    channels = np.zeros((len(objects), 4), np.uint32)
    pdfium.fill_fields(pdfium.fill_color, objects, channels)
    red, green, blue = (channels[:, column].astype(np.int64) & 255 for column in range(3))
    return (red << 16) | (green << 8) | blue, channels[:, 3].astype(np.int64)


def is_invisible(objects: Sequence[pdfium.Handle]) -> npt.NDArray[np.bool_]:
    """Return which text objects (handles) are drawn without ink."""
    modes = np.fromiter(map(pdfium.text_mode, objects), np.int64, len(objects))
    none, clip = pdfium.INVISIBLE_TEXT
    return (modes == none) | (modes == clip)


def _read_font(font: pdfium.Handle) -> Font:
    name = _SUBSET.sub("", _font_name(font))
    flags, weight = int(pdfium.font_flags(font)), int(pdfium.font_weight(font))
    flags = max(flags, 0)
    numbers = np.zeros(3, np.float32)
    address = numbers.ctypes.data
    pdfium.font_ascent(font, 1000.0, address)
    pdfium.font_descent(font, 1000.0, address + 4)
    return Font(
        name=name,
        bold=is_bold(name, flags, weight),
        italic=bool(flags & _ITALIC) or bool(_ITALICS.search(name)),
        monospace=bool(flags & _FIXED_PITCH) or bool(_MONOSPACE.search(name)),
        ascent=float(numbers[0]) / 1000,
        descent=float(numbers[1]) / 1000,
    )


def is_bold(name: str, flags: int, weight: int) -> bool:
    """Return whether a font is bold by its name without subset prefix, its flags, and its weight (400 is regular)."""
    if _BOLD.search(name) or flags & _FORCE_BOLD:
        return True
    return weight >= _BOLD_WEIGHT and not _UPRIGHT.search(name)


def _font_name(font: pdfium.Handle) -> str:
    buffer = ctypes.create_string_buffer(256)
    pdfium.font_name(font, ctypes.addressof(buffer), len(buffer))
    return buffer.value.decode("utf-8", "replace")

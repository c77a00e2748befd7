"""Digits that a wrong map of a font's glyphs has exchanged, told by their outlines: an 8 has two holes, a 7 has none.

Letters that are exchanged make words of no language; of numbers nothing tells but how they look. Of 287 fonts in 375
pages at hand none is told wrongly. What is exchanged for a digit with as many holes, such as 1 for 7, is not told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np

from octavo_documents.parsing.pdf import pdfium
from octavo_documents.parsing.pdf.characters import Characters

DigitShapes: TypeAlias = dict[tuple[str, int], bool]
"""Whether the outline of a digit (0 to 9) in a font, by its name, is that of another one."""
_STROKES: tuple[tuple[int, ...], ...] = ((2, 3), (1,), (1,), (1,), (1, 2), (1,), (1, 2), (1,), (3,), (1, 2))
"""Closed strokes of each digit: its outline and its holes. A zero may have a stroke in it; 4, 6 and 9 may be open."""
_ZERO, _NINE = 0x30, 0x39
_FEWEST = 2
"""Digits whose outlines are those of others, from which a font is told: a 2 may have a loop. An 8 is enough."""
_EIGHT = 8
_SIZE = 100.0


def exchanged_digits(characters: Characters, known: DigitShapes) -> frozenset[str]:
    """Return the names of the fonts of a page whose digits have the outlines of others; what is `known` grows."""
    rows = np.flatnonzero((characters.codes >= _ZERO) & (characters.codes <= _NINE))
    if not len(rows):
        return frozenset()
    pairs = characters.style[rows].astype(np.int64) * 10 + (characters.codes[rows] - _ZERO)
    found, first = np.unique(pairs, return_index=True)
    fonts: dict[str, int] = {}
    styled: list[int] = found.tolist()
    placed: list[int] = rows[first].tolist()
    for pair, row in zip(styled, placed, strict=True):
        name, digit = characters.styles[pair // 10].font.name, pair % 10
        if (name, digit) not in known:
            known[name, digit] = _is_other(int(characters.handles[characters.object[row]]), digit)
        fonts[name] = 0
    for name, digit in (key for key, is_other in known.items() if is_other and key[0] in fonts):
        fonts[name] += _FEWEST if digit == _EIGHT else 1
    return frozenset(name for name, count in fonts.items() if count >= _FEWEST)


def _is_other(text: pdfium.Handle, digit: int) -> bool:
    """Return whether the outline of a digit in the font of a text object is that of no such digit."""
    font = pdfium.text_font(text)
    path = pdfium.glyph_path(font, _ZERO + digit, _SIZE) if font else None
    strokes = sum(_begins(path)) if path else 0
    return 0 < strokes <= max(map(max, _STROKES)) and strokes not in _STROKES[digit]


def _begins(path: pdfium.Handle) -> Iterator[bool]:
    """Yield for each segment of an outline whether a stroke begins with it."""
    for at in range(pdfium.count_glyph_segments(path)):
        yield pdfium.segment_type(pdfium.glyph_segment(path, at)) == pdfium.MOVE_TO

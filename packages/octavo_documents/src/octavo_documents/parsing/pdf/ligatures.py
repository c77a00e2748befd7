"""Ligatures that a font does not map to their letters: to none, to a sign of private use or to another letter."""

from __future__ import annotations

from itertools import repeat

import numpy as np
import numpy.typing as npt

from octavo_documents.parsing.pdf import pdfium

Integers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

LOST = 0xFFFE
"""PDFium's code for a character that is mapped to none, and for a hyphen at the end of a line."""
_SOFT_HYPHEN = 0xAD
_LAID_OUT = (0, 2, 9, 10, 13)
"""Control characters that PDFium puts between lines and words."""
_CLOSE = 0.3
"""Ems between a letter and the next of its word, at most."""
_NARROWEST, _LONG = 0.42, 0.72
"""Ems that a ligature is wider than, and one of three letters."""
_FI, _FL, _FFI, _FFL = 0xFB01, 0xFB02, 0xFB03, 0xFB04
FT, TI, TT, TTI = 0xE0F0, 0xE0F1, 0xE0F2, 0xE0F3
"""Signs of private use that stand for these letters until a line is put together."""
_TAKEN_FOR = {0x014C: FT, 0x019F: TI, 0x01A9: TT, 0x01AB: TTI}
"""What Word's fonts map ligatures to: letters that stand within words of small letters in no language."""
_STANDARD = {0xF001: _FI, 0xF002: _FL}


def with_ligatures(text: pdfium.Handle, codes: Integers) -> Integers:
    """Return the codes of a page's characters with those of ligatures for what stands for one."""
    codes = _as_spelt(codes)
    ahead = codes[:-1]
    is_control = (ahead < 0x20) & ~np.isin(ahead, _LAID_OUT)
    is_private = (ahead >= 0xE000) & (ahead <= 0xF8FF) & ~np.isin(ahead, [FT, TI, TT, TTI])
    is_other = is_control | is_private | (ahead == _SOFT_HYPHEN)
    lost = np.flatnonzero((ahead == LOST) | (is_other & _is_letter(codes[1:])))
    if not len(lost):
        return codes
    found = codes.copy()
    found[lost] = _ligatures(text, codes, lost)
    return found


def _as_spelt(codes: Integers) -> Integers:
    """Return codes with the letters that fonts of Word give for ligatures exchanged, within words of small letters."""
    at = np.flatnonzero((codes >= min(_TAKEN_FOR)) & (codes <= max(_TAKEN_FOR)))
    at = at[np.isin(codes[at], [*_TAKEN_FOR])]
    if not len(at):
        return codes
    is_small = np.concatenate(([False], (codes >= 0x61) & (codes <= 0x7A), [False]))
    begins = np.isin(codes[at], [0x019F, 0x01AB])
    held = at[is_small[at] | (begins & is_small[at + 2])]
    spelt = codes.copy()
    spelt[held] = [_TAKEN_FOR[code] for code in codes[held].tolist()]
    return spelt


def _ligatures(text: pdfium.Handle, codes: Integers, lost: Integers) -> Integers:
    """Return the codes for characters that a font maps to no letter: ligatures, where letters follow close by.

    Which one is told by its width, and whether a vowel follows, as it does on "fl"; "fi" is the commonest. A sign in
    another font than what follows is no part of the word.
    """
    following, own = codes[lost + 1], codes[lost]
    boxes = pdfium.fill_indexed(pdfium.character_loose_box, text, lost.tolist())
    sizes = np.abs(np.fromiter(map(pdfium.character_size, repeat(text), lost.tolist()), np.float64, len(lost)))
    width = boxes[:, 2] - boxes[:, 0]
    is_vowel = np.isin(following | 0x20, [ord(letter) for letter in "aeou"])
    found = np.where(width > _LONG * sizes, np.where(is_vowel, _FFL, _FFI), np.where(is_vowel, _FL, _FI))
    for code, meant in _STANDARD.items():
        found[own == code] = meant
    after = pdfium.fill_indexed(pdfium.character_loose_box, text, (lost + 1).tolist())
    apart = np.maximum(after[:, (0, 3)] - boxes[:, (2, 1)], boxes[:, (0, 3)] - after[:, (2, 1)]).max(axis=1)
    is_one = _is_letter(following) & (apart < _CLOSE * sizes)
    for at in np.flatnonzero(is_one & (own != LOST)).tolist():
        place = int(lost[at])
        is_one[at] = width[at] > _NARROWEST * sizes[at] and _font_of(text, place) == _font_of(text, place + 1)
    return np.where(is_one, found, own)


def _is_letter(codes: Integers) -> Mask:
    letter = codes | 0x20
    return ((letter >= 0x61) & (letter <= 0x7A)) | ((codes >= 0xC0) & (codes < 0x250))


def _font_of(text: pdfium.Handle, place: int) -> pdfium.Handle:
    owner = pdfium.character_object(text, place)
    return pdfium.text_font(owner) if owner else 0

"""Where words end in the characters of a line: spaces of the file, and gaps that stand for one."""

from __future__ import annotations

import itertools
import re
from collections.abc import Set
from dataclasses import dataclass

import numpy as np

from octavo_documents.parsing.pdf.characters import Integers, Mask, Numbers

UNSPACED = 0.3
"""Ems from which on a gap is a space although the file has no white space there."""
_NO_GAP = 0.02
_BACK = -0.15
_REACHES_ON, _REACHES_BACK = frozenset(map(ord, "f")), frozenset(map(ord, "fgjpy"))
"""Letters whose strokes reach over the space after or before them where they are slanted."""
_INSIDE_WORDS, _BETWEEN_WORDS = 0.095, 0.12
_FEWEST_GAPS = 12
_COMMON = frozenset(("and", "are", "by", "for", "from", "of", "that", "the", "to", "was", "with"))
"""Words any text has that hardly end or begin others."""
_WORD = re.compile(r"[^\W\d_]+")
TIGHT = 0.145
"""Ems from which on a gap at the end of what was drawn at once is seldom kerning."""
_TIGHTER = 0.09
_LONGEST_WORDS = 16
_FEWEST_LETTERS, _FEWEST_SMALL = 4, 5
_MOSTLY_SINGLE = 0.7
_EVEN = 0.12
_WORD_GAP = 1.5


@dataclass(frozen=True, slots=True)
class Gaps:
    """The characters of lines one after the other: parallel arrays. `gap` (ems) is what lies in front of each.

    `spaced` says that the file has white space in front, `object` numbers the text objects.
    """

    codes: Integers
    gap: Numbers
    spaced: Mask
    object: Integers


def word_spaces(gaps: Gaps, starts: Integers) -> Mask:
    """Return before which characters a space is written; `starts` are the first characters of the lines."""
    is_start = np.zeros(len(gaps.gap), bool)
    is_start[starts] = True
    spaces = (gaps.spaced | (gaps.gap > UNSPACED)) & (gaps.gap > _NO_GAP) & ~is_start
    spaces |= _covered_spaces(gaps) & ~is_start
    spaces |= _tight_spaces(gaps, starts, spaces | is_start)
    spaces |= _grouped_spaces(gaps, starts, spaces | is_start)
    return spaces & ~_letter_spaces(gaps, starts, spaces)


def _tight_spaces(gaps: Gaps, starts: Integers, taken: Mask) -> Mask:
    """Return the narrow gaps between words that were drawn word by word, without white space in the file.

    Inside an object of several letters there are no gaps, so one at its end is seldom kerning. Where a line has hardly
    any spaces, narrower gaps are enough.
    """
    gap = gaps.gap
    inside, is_drawn_long = _drawn(gaps)
    found = (gap > _TIGHTER) & ~inside & is_drawn_long & ~taken
    places = np.flatnonzero(found)
    if not len(places):
        return found
    found[places] = [_are_words(gaps.codes, at) for at in places.tolist()]
    length = np.diff(np.append(starts, len(gap)))
    is_unspaced = length > _LONGEST_WORDS * np.add.reduceat(taken, starts)
    is_unspaced &= np.add.reduceat(found, starts) > 1
    return found & ((gap > TIGHT) | np.repeat(is_unspaced, length))


def _drawn(gaps: Gaps) -> tuple[Mask, Mask]:
    """Return the gaps inside a text object, and those at the start or end of one of several characters."""
    inside = np.concatenate(([False], gaps.object[1:] == gaps.object[:-1]))
    return inside, np.concatenate(([False], inside[:-1])) | np.concatenate((inside[1:], [False]))


def _covered_spaces(gaps: Gaps) -> Mask:
    """Return the white space in the file that slanted letters reach over ("of judea"): no gap is left of it.

    Between letters that were drawn one by one there is white space that nobody wrote.
    """
    inside, is_drawn_long = _drawn(gaps)
    found = gaps.spaced & (gaps.gap > _BACK) & (gaps.gap <= _NO_GAP) & (inside | is_drawn_long)
    for at in np.flatnonzero(found).tolist():
        before, after = int(gaps.codes[at - 1]), int(gaps.codes[at])
        reaches = before in _REACHES_ON or after in _REACHES_BACK
        found[at] = at > 0 and reaches and chr(before).isalpha() and chr(after).isalpha()
    return found


def _grouped_spaces(gaps: Gaps, starts: Integers, taken: Mask) -> Mask:
    """Return narrow gaps that part a line's gaps in two groups, where the page has the words they part.

    Inside words nothing comes near them; what is narrower still may be the kerning of a word.
    """
    found = np.zeros(len(taken), bool)
    inner = np.where(taken, 0.0, gaps.gap)
    length = np.diff(np.append(starts, len(taken)))
    unsure = np.add.reduceat(((inner > _INSIDE_WORDS) & (inner <= _BETWEEN_WORDS)).astype(np.int64), starts)
    lines = (unsure == 0) & (length > _FEWEST_GAPS) & (np.maximum.reduceat(inner, starts) > _BETWEEN_WORDS)
    if not lines.any():
        return found
    words = _split(gaps.codes, np.flatnonzero(taken))
    known = {word for _, word in words}
    wide = np.flatnonzero((inner > _BETWEEN_WORDS) & np.repeat(lines, length))
    for start, word in words:
        places = wide[(wide > start) & (wide < start + len(word))]
        if len(places):
            pieces = [piece for _, piece in _split(gaps.codes, places, start, start + len(word))]
            found[places] = all(_may_part(a, b, known) for a, b in itertools.pairwise(pieces))
    return found


def _may_part(before: str, after: str, known: Set[str]) -> bool:
    """Return whether two words are of the page, or one is all around and the other long enough to be a word."""
    if before in known and after in known:
        return True
    return (before in _COMMON and len(after) >= _FEWEST_LETTERS) or (
        after in _COMMON and len(before) >= _FEWEST_LETTERS
    )


def _split(codes: Integers, places: Integers, start: int = 0, stop: int | None = None) -> list[tuple[int, str]]:
    """Return the runs of letters between places, each with where it starts, in small letters."""
    text = "".join(map(chr, codes[start:stop].tolist()))
    borders = [0, *(places - start).tolist(), len(text)]
    return [
        (start + border + match.start(), match[0].lower())
        for border, end in itertools.pairwise(borders)
        for match in _WORD.finditer(text[border:end])
    ]


def _are_words(codes: Integers, at: int) -> bool:
    """Return whether a word may end before character `at`: letters or digits on both sides, not digits on both."""
    before, after = chr(int(codes[at - 1])), chr(int(codes[at]))
    return before.isalnum() and after.isalnum() and (before.isalpha() or after.isalpha())


def _letter_spaces(gaps: Gaps, starts: Integers, spaces: Mask) -> Mask:
    """Return the spaces that only set the letters of words apart ("N E W S")."""
    found = np.zeros(len(spaces), bool)
    length = np.diff(np.append(starts, len(spaces)))
    count = np.add.reduceat(spaces, starts)
    suspected = (length >= _FEWEST_LETTERS) & (count >= _MOSTLY_SINGLE * (length - 1))
    for line in np.flatnonzero(suspected).tolist():
        start, stop = int(starts[line]), int(starts[line] + length[line])
        places = start + np.flatnonzero(spaces[start:stop])
        text = "".join(map(chr, gaps.codes[start:stop].tolist()))
        widths = gaps.gap[places]
        between_letters = widths < _WORD_GAP * np.median(widths)
        if _is_letter_spaced(text, widths[between_letters]):
            found[places[between_letters]] = True
    return found


def _is_letter_spaced(text: str, widths: Numbers) -> bool:
    """Return whether letters are set apart evenly; labels of a row stand unevenly, or count on (A B C D)."""
    fewest = _FEWEST_LETTERS if text.isupper() else _FEWEST_SMALL
    most = max(map(text.count, set(text)), default=0)
    if len(text) < fewest or not text.isalpha() or 2 * most > len(text) or float(np.ptp(widths)) > _EVEN:
        return False
    return any(ord(after) - ord(before) != 1 for before, after in itertools.pairwise(text))

"""The words of a line that OCR read, each with its box.

OCR gives the box of a line and its text. The line is cut into words where its picture has columns without ink: the gaps
between words are those nearest to where words should end by their numbers of characters, wide gaps before narrow ones.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from octavo_documents.models.ports import Raster, RecognizedLine
from octavo_documents.parsing.content import Box, normalise
from octavo_documents.parsing.recognition import FAINTEST
from octavo_documents.text.struck import without_signs

_DARK = 0.4
"""Share of the strongest difference from the background that counts as ink."""
"""The least difference (0..255) that is ink."""
_MARGIN = 0.2
"""Heights of the line that its first and last letters may reach beyond the box of OCR."""
_WIDE_GAP = 2.0
"""How much more the width of a gap counts than its place, by the widest gap and by the length of a word."""
_NARROW, _WIDE = frozenset("iljtfrI1.,;:'|!()[]-"), frozenset("mwMW@%")
_WIDTHS = 0.5, 1.0, 1.5
"""Widths of narrow, common and wide characters, roughly as in most type."""
_SPACE = 0.6
_MOST = 400
"""Gaps of a line that are looked at."""
Runs = npt.NDArray[np.int64]
"""(n, 2) int64: [start, stop) of columns."""
Word = tuple[str, list[float], int]
"""Text, box in points as displayed, number of its line."""


def words_read(raster: Raster, line: RecognizedLine, scale: float, number: int) -> Iterator[Word]:
    """Yield the words of a line that OCR read, as they are kept; `scale` is pixels a point."""
    for word, box in words_in_line(raster, line):
        cleaned = without_signs(normalise(word))
        if cleaned:
            yield cleaned, [round(side / scale, 2) for side in box], number


def words_in_line(raster: Raster, line: RecognizedLine) -> Iterator[tuple[str, Box]]:
    """Yield the words of a line and their boxes in pixels: as high as the line's, as wide as their ink.

    Upright lines, and those whose ink has too few gaps, are cut in proportion to their characters.
    """
    words = line.text.split()
    x0, y0, x1, y1 = line.box
    if y1 - y0 > 2 * (x1 - x0) and len(line.text) > 2:
        for word, (low, high) in zip(words, _proportional(words, y0, y1), strict=True):
            yield word, (x0, low, x1, high)
        return
    margin = _MARGIN * (y1 - y0)
    left = max(int(x0 - margin), 0)
    ink = _inked(raster[max(int(y0), 0) : int(np.ceil(y1)), left : int(np.ceil(x1 + margin))])
    places = _cut(_within(ink, x0 - left, x1 - left), words) if len(words) else None
    spans = _proportional(words, x0, x1) if places is None else [(left + a, left + b) for a, b in places]
    for word, (start, stop) in zip(words, spans, strict=True):
        yield word, (start, y0, stop, y1)


def _proportional(words: list[str], start: float, stop: float) -> list[tuple[float, float]]:
    """Return where words start and stop if their characters are as wide as in most type."""
    widths = [sum(map(_width, word)) for word in words]
    ends = np.cumsum([width + _SPACE for width in widths]) - _SPACE
    step = (stop - start) / float(ends[-1]) if words else 0.0
    return [
        (start + (end - width) * step, start + end * step) for end, width in zip(ends.tolist(), widths, strict=True)
    ]


def _width(character: str) -> float:
    narrow, common, wide = _WIDTHS
    return narrow if character in _NARROW else wide if character in _WIDE else common


def _inked(picture: Raster) -> npt.NDArray[np.bool_]:
    """Return the columns of a picture that have ink: pixels unlike the background, its most common grey."""
    if not picture.size:
        return np.zeros(0, np.bool_)
    grey = picture.mean(axis=2)
    background = float(np.bincount((grey / 4).astype(np.int64).ravel(), minlength=64).argmax()) * 4 + 2
    difference = np.abs(grey - background)
    strongest = float(np.percentile(difference, 99))
    return (difference > max(_DARK * strongest, FAINTEST)).any(axis=0)


def _within(ink: npt.NDArray[np.bool_], start: float, stop: float) -> npt.NDArray[np.bool_]:
    """Return the ink of letters that stand between two columns, at least in part."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], ink.astype(np.int8), [0])))).reshape(-1, 2)
    kept = np.zeros_like(ink)
    for first, last in edges[(edges[:, 1] > start) & (edges[:, 0] < stop)].tolist():
        kept[first:last] = True
    return kept


def _cut(ink: npt.NDArray[np.bool_], words: list[str]) -> list[tuple[int, int]] | None:
    """Return the columns [start, stop) of each word; None where there are fewer gaps than words."""
    inked = np.flatnonzero(ink)
    if not len(inked):
        return None
    first, last = int(inked[0]), int(inked[-1]) + 1
    gaps = _gaps(ink, first, last)
    if len(gaps) < len(words) - 1:
        return None
    chosen = _best(gaps, [stop for _, stop in _proportional(words, first, last)][:-1], last - first)
    starts = [first, *(int(gaps[at][1]) for at in chosen)]
    stops = [*(int(gaps[at][0]) for at in chosen), last]
    return [*zip(starts, stops, strict=True)]


def _gaps(ink: npt.NDArray[np.bool_], first: int, last: int) -> Runs:
    """Return the stretches of columns without ink between the first ink and the last, the widest ones of many."""
    edges = np.flatnonzero(np.diff(ink[first:last].astype(np.int8))) + first + 1
    gaps = edges.reshape(-1, 2)
    if len(gaps) > _MOST:
        widest = np.argsort(gaps[:, 0] - gaps[:, 1], kind="stable")[:_MOST]
        gaps = gaps[np.sort(widest)]
    return gaps


def _best(gaps: Runs, expected: list[float], width: int) -> list[int]:
    """Return one gap for each expected end of a word, in order: wide, and near to it (dynamic programming)."""
    widths, middles = gaps[:, 1] - gaps[:, 0], gaps.mean(axis=1)
    widest = max(float(widths.max(initial=1)), 1.0)
    reach = max(width / (len(expected) + 1), 1.0)
    best = np.zeros(len(gaps) + 1)
    steps: list[npt.NDArray[np.int64]] = []
    for at, place in enumerate(expected):
        value = _WIDE_GAP * widths / widest - np.abs(middles - place) / reach
        ended = best[:-1] + value
        ended[:at] = -np.inf
        higher = np.maximum.accumulate(ended)
        is_new = ended >= higher
        steps.append(np.maximum.accumulate(np.where(is_new, np.arange(len(gaps)), 0)))
        best = np.concatenate(([-np.inf], higher))
    chosen: list[int] = []
    stop = len(gaps)
    for last in reversed(steps):
        stop = int(last[stop - 1])
        chosen.append(stop)
    return chosen[::-1]

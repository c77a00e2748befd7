"""Finding which characters of a PDF page are raised, by their baseline; `text.raised` says how they are written.

Characters are raised where their baseline stands over that of the character before, and they are smaller than it, or a
short mark of the same size. What the page has notes for decides what could be a mark as well as a power.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from octavo_documents.parsing.content import normalise
from octavo_documents.parsing.pdf.characters import DESCENT, Integers, Mask, Numbers
from octavo_documents.parsing.pdf.pdfium import Boxes
from octavo_documents.text.raised import HAS_SUPERSCRIPT, is_unsure, plain_mark, sure_marks, written
from octavo_documents.text.struck import TILDE


class _Raised:
    """What raised characters are found by, in ems of the character before; chosen by hand."""

    SMALLER = 0.87  # size of type
    LEAST_RISE, SAME_SIZE_RISE = 0.15, 0.22
    LEAST_RISE_OF_FIGURES, SAME_SIZE_RISE_OF_FIGURES = 0.08, 0.12  # right after other figures
    MOST_RISE = 1.0
    LEVEL = 0.12  # how far baselines of one run, or of what goes on after it, may differ
    LONGEST = 12  # characters
    GAP = 0.3  # widest gap before it that is no space
    SMALL_PRINT = 0.96  # size of a note's type, by that of the text which bears its mark


_SHORT = re.compile(r"[-−–+]?\d{1,3}(?:[,–-]\d{1,2})*|[a-h*†‡§]")
"""What type of the same size as the text may be raised."""
_TYPED = tuple(map(ord, "²³⁴⁵⁶⁷⁸⁹"))
_NOTE = re.compile(r"\(?(\d{1,3}|[a-z]|[A-Z](?=[\s.:)])|[*†‡§¶#]{1,3})[).:]?\s?(?=[^\W\d_]|[\"“(\[$])")


@dataclass(frozen=True, slots=True)
class Lines:
    """Characters of lines one after the other: parallel arrays; `starts` are the first characters of the lines."""

    boxes: Boxes
    size: Numbers
    starts: Integers
    codes: Integers

    @property
    def stops(self) -> Integers:
        """Return where the lines end."""
        return np.append(self.starts[1:], len(self.size))


Run = tuple[int, int, int]
"""First character, the one after the last, and the line."""


def raised_runs(lines: Lines) -> list[Run]:
    """Return the runs of raised characters, in order; none at the start of a line."""
    size, baseline = lines.size, lines.boxes[:, 3] - DESCENT * lines.size
    rise = baseline[:-1] - baseline[1:]
    base = size[:-1]
    is_smaller = size[1:] <= _Raised.SMALLER * base
    least = np.where(is_smaller, _Raised.LEAST_RISE, _Raised.SAME_SIZE_RISE)
    of_figures = np.where(is_smaller, _Raised.LEAST_RISE_OF_FIGURES, _Raised.SAME_SIZE_RISE_OF_FIGURES)
    is_raised = (rise >= np.where(_are_figures(lines), of_figures, least) * base) & (rise <= _Raised.MOST_RISE * base)
    is_raised &= size[1:] <= 1.02 * base
    is_first = np.zeros(len(size), bool)
    is_first[lines.starts] = True
    found = np.flatnonzero(is_raised & ~is_first[1:]) + 1
    if not len(found):
        return []
    line = np.searchsorted(lines.starts, found, side="right") - 1
    stops = lines.stops
    runs = (
        (start, _stop(start, int(stops[at]), size, baseline), at)
        for start, at in zip(found.tolist(), line.tolist(), strict=True)
    )
    return [run for run in runs if run[1] > run[0] and _is_on_line(lines, run, baseline)]


def _are_figures(lines: Lines) -> Mask:
    """Return which characters but the last are figures that another one follows without a gap."""
    is_figure = (lines.codes >= ord("0")) & (lines.codes <= ord("9"))
    gap = lines.boxes[1:, 0] - lines.boxes[:-1, 2]
    return is_figure[:-1] & is_figure[1:] & (gap < _Raised.GAP * lines.size[:-1])


def _stop(start: int, end: int, size: Numbers, baseline: Numbers) -> int:
    """Return where a run of raised characters ends; its start where none does."""
    level = _Raised.LEVEL * float(size[start - 1])
    stop = start + 1
    while stop < end and abs(baseline[stop] - baseline[start]) < level and size[stop] < size[start] / _Raised.SMALLER:
        stop += 1
    is_back = stop == end or baseline[stop] > baseline[start - 1] - level
    return stop if is_back and stop - start <= _Raised.LONGEST else start


def _is_on_line(lines: Lines, run: Run, baseline: Numbers) -> bool:
    """Return whether type of the same size stands over most of its line, and not over a lowered sign before it."""
    start, _, line = run
    base = float(lines.size[start - 1])
    if lines.size[start] <= _Raised.SMALLER * base:
        return True
    most = float(np.median(baseline[lines.starts[line] : lines.stops[line]]))
    return abs(most - float(baseline[start - 1])) < _Raised.LEVEL * base


def closed_up(spaced: Mask, lines: Lines, firsts: Iterable[int]) -> Mask:
    """Return before which characters spaces stand, without those before runs right after their word."""
    kept = spaced.copy()
    for start in firsts:
        kept[start] &= not _is_close(lines, start)
    return kept


def _is_close(lines: Lines, start: int) -> bool:
    gap = float(lines.boxes[start, 0] - lines.boxes[start - 1, 2])
    return gap < _Raised.GAP * float(lines.size[start - 1])


@dataclass(frozen=True, slots=True)
class Printed:
    """The text of lines: one string for all, and for each character its place in it."""

    page: str
    places: Integers

    def between(self, start: int, stop: int) -> str:
        """Return the text of characters [start, stop), with the spaces between them."""
        if start >= stop:
            return ""
        return self.page[int(self.places[start]) : int(self.places[stop - 1]) + 1]


def printed_text(codes: Integers, is_spaced: Mask) -> Printed:
    """Return the text of characters by their codes and before which of them spaces stand.

    Tildes beside each other are written otherwise: two would read as the sign of struck-out text.
    """
    places = np.cumsum(is_spaced) + np.arange(len(codes))
    is_tilde = codes == ord("~")
    if is_tilde.any():
        is_pair = is_tilde[1:] & is_tilde[:-1] & ~is_spaced[1:]
        codes = np.where(np.append(is_pair, False) | np.append(False, is_pair), ord(TILDE), codes)
    points = np.full(int(places[-1]) + 1, 32, np.uint32)
    points[places] = codes
    return Printed(points.tobytes().decode("utf-32-le", "replace"), places)


def written_runs(printed: Printed, lines: Lines, runs: Sequence[Run]) -> dict[int, str]:
    """Return what runs are written as, by their first characters; those that stay as they are left out."""
    if not runs:
        return {}
    raised_runs = [_raised_run(printed, lines, run) for run in runs]
    open_marks = _open_marks(printed, lines, raised_runs)
    known = _known_marks(printed, lines, raised_runs)
    found: dict[int, str] = {}
    for (start, stop, _), one in zip(runs, raised_runs, strict=True):
        if one.is_typed and not one.is_unsure:
            continue
        is_note = one.raised in open_marks or (one.is_unsure and one.raised in known)
        text = one.as_note if is_note else one.text
        if text != printed.between(start, stop):
            found[start] = text
    return found


@dataclass(frozen=True, slots=True)
class _RaisedRun:
    """A run: its characters, and what it is written as where nothing is known of notes, and where it is a mark."""

    raised: str
    text: str
    as_note: str
    size: float
    """Type size of the text before it."""
    is_unsure: bool = False
    """Whether it follows a number and may as well be an exponent as the mark of a note."""
    is_typed: bool = False
    """Whether it is a superscript character that stands on the line."""


def typed_runs(lines: Lines) -> list[Run]:
    """Return the superscript characters on the line right after a figure, each a run, in order."""
    if not np.isin(lines.codes, _TYPED).any():
        return []
    is_figure = (lines.codes >= ord("0")) & (lines.codes <= ord("9"))
    found = np.flatnonzero(np.isin(lines.codes[1:], _TYPED) & is_figure[:-1]) + 1
    line = np.searchsorted(lines.starts, found, side="right") - 1
    runs = zip(found.tolist(), line.tolist(), strict=True)
    return [(at, at + 1, own) for at, own in runs if lines.starts[own] != at]


def _raised_run(printed: Printed, lines: Lines, run: Run) -> _RaisedRun:
    start, stop, line = run
    raised = normalise(printed.between(start, stop))
    before = normalise(printed.between(int(lines.starts[line]), start))
    after = printed.page[int(printed.places[stop - 1]) + 1 :][:20] if stop < lines.stops[line] else ""
    if printed.page[int(printed.places[start]) - 1] == " " and not _is_close(lines, start):
        before += " "
    is_same_size = lines.size[start] > _Raised.SMALLER * lines.size[start - 1]
    is_typed = int(lines.codes[start]) in _TYPED
    raised = plain_mark(raised) if is_typed else raised
    if is_same_size and not _SHORT.fullmatch(raised):
        return _RaisedRun(raised, raised, raised, 0.0)
    as_note = written(before, raised, after, is_note=True)
    text, size = written(before, raised, after), float(lines.size[start - 1])
    return _RaisedRun(raised, text, as_note, size, is_unsure(before, raised, after), is_typed)


def _known_marks(printed: Printed, lines: Lines, raised_runs: Sequence[_RaisedRun]) -> set[str]:
    """Return the marks that what is unsure may be: those that the page has notes for or surely uses elsewhere."""
    unsure = [one.size for one in raised_runs if one.is_unsure]
    if not unsure:
        return set()
    sure = {one.raised for one in raised_runs if one.text == one.as_note and HAS_SUPERSCRIPT.match(one.text)}
    sure |= {*sure_marks(printed.page)}
    return sure | {mark for mark, size in _notes(printed, lines) if size < _Raised.SMALL_PRINT * max(unsure)}


def _open_marks(printed: Printed, lines: Lines, raised_runs: Sequence[_RaisedRun]) -> set[str]:
    """Return the marks that the page has a note for and no run that is surely one, but one that could be."""
    sure = {one.raised for one in raised_runs if one.text == one.as_note}
    count = Counter(one.raised for one in raised_runs)
    unsure = {one.raised: one.size for one in raised_runs if one.text != one.as_note and count[one.raised] == 1}
    unsure = {mark: size for mark, size in unsure.items() if mark not in sure}
    notes = _notes(printed, lines) if unsure else ()
    return {mark for mark, size in notes if size < _Raised.SMALL_PRINT * unsure.get(mark, 0.0)}


def _notes(printed: Printed, lines: Lines) -> Iterator[tuple[str, float]]:
    """Yield the marks that lines start with and the type size of what follows; 0 after a mark that is raised itself."""
    stops = lines.stops
    for start, stop in zip(lines.starts.tolist(), stops.tolist(), strict=True):
        first = printed.between(start, min(stop, start + 8))
        found = _NOTE.match(plain_mark(first))
        if not found:
            continue
        last = min(start + len(found[1]), stop - 1)
        is_raised = lines.size[start] <= _Raised.SMALLER * lines.size[last] or HAS_SUPERSCRIPT.match(first)
        yield found[1], 0.0 if is_raised else float(lines.size[last])

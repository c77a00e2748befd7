"""Right-to-left writing in a PDF: characters as they stand on the page, then the lines of them as they are read.

Files hold such text in any order: as it is read, as it stands, word by word. PDFium puts some of it in order and some
out of it. So characters are taken by where they stand, and each line is put in order by itself (`text.bidirectional`).
Where its characters then lie along it tells gaps as in any line; what is shown are their boxes on the page.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from octavo_documents.parsing.pdf.characters import Characters, Integers, Mask, Numbers, is_right_to_left
from octavo_documents.parsing.pdf.pdfium import Boxes
from octavo_documents.text.bidirectional import (
    kind,
    levels,
    mirrored,
    mostly_right_to_left,
    pairs_up,
    reads_rightwards,
    runs_left,
    turned_runs,
)

_LEVEL, _STRICT_LEVEL = 0.5, 0.2
"""Ems between baselines that are two: letters stand above theirs, and marks that bear the text of their letter."""
_TALLEST = 1.6
"""Ems that letters of one line are apart in height at most; else columns stand beside each other at many heights."""
_WORD_GAP, _SURE_GAP = 0.145, 0.17
"""Ems of a gap between two words where PDFium sees two, and where it sees one: joined letters leave hardly any."""
_NARROW, _FEWEST_WORDS = 0.55, 5
"""Of the usual gap of a line of so many words, else of the page: what is wider parts words where lines are tight."""
_HARDLY = 0.08
"""Ems of the gaps after letters that do not join the next, within words."""
_WIDEST = 2.0
"""Ems that letters of one word lie apart, or over each other, at most."""
_SIGN_GAP = 0.2
"""Ems beside a sign up to which there is no space where the gap on its other side is twice as wide."""
_MOST_PAIRS = 40_000_000
"""Bounds the time on a hostile page, of which marks are left out."""
_SAME_PLACE = 0.01
_REACH = 1.3
"""Ems between the baseline of a letter and that of its mark."""
_ENDINGS, _AFTER_ENDING = (0x64B, 0x64C, 0x64D), (0x627, 0x649, 0x60C, 0x61B, 0x61F)
"""Marks of indefinite endings, and what may stand after one without a space: silent letters, commas and the like."""
_LAM, _NAME = 0x644, "الله"


@dataclass(frozen=True, slots=True)
class Standing:
    """Characters from left to right, line after line, without the marks of letters; `rows` index the page's.

    `boxes`, `spaced` are theirs. `marks` are the rows of the marks of each letter, by its row.
    """

    rows: Integers
    boxes: Boxes
    spaced: Mask
    marks: dict[int, list[int]]


def any_right_to_left(codes: Integers) -> bool:
    """Whether characters may be letters that are written from right to left."""
    return bool(is_right_to_left(codes).any())


def standing(characters: Characters, rows: Integers) -> Standing:
    """Return the characters of one direction as they stand on the page."""
    codes = characters.codes[rows]
    is_mark = np.array([_is_mark(code) for code in codes.tolist()], np.bool_)
    marks = _marks(characters, rows[~is_mark], rows[is_mark])
    rows = rows[~is_mark]
    boxes = characters.boxes[rows].copy()
    line = _levelled(boxes, characters.sizes[rows], is_right_to_left(characters.codes[rows]))
    order = _ligatures_in_order(characters, rows, np.lexsort((boxes[:, 0], line)))
    rows = rows[order]
    boxes = _shared_out(boxes[order], characters.sizes[rows])
    spaced = _spaced(characters, rows, boxes, line[order]) & ~_follows_raised(characters, rows, marks)
    spaced |= _follow_ends(characters, rows, line[order], marks)
    return Standing(rows, _without_gaps(characters, rows, boxes, spaced), spaced, marks)


def _levelled(boxes: Boxes, sizes: Numbers, is_letter: Mask) -> Numbers:
    """Return the line of each character, numbered downwards, and set right-to-left letters on its baseline.

    In some hands letters come down to it from high above in the course of a word.
    """
    line = _lines(boxes, sizes, _LEVEL)
    by_line = np.argsort(line, kind="stable")
    for own in np.split(by_line, np.flatnonzero(np.diff(line[by_line])) + 1):
        if len(own) and np.ptp(boxes[own, 3]) > _TALLEST * float(np.median(sizes[own])):
            line[own] += _lines(boxes[own], sizes[own], _STRICT_LEVEL) / (len(line) + 1)
    order = np.lexsort((boxes[:, 0], line))
    is_apart = (line[order[1:]] != line[order[:-1]]) | (boxes[order[1:], 0] - boxes[order[:-1], 2] > sizes[order[1:]])
    for held in np.split(order, np.flatnonzero(is_apart) + 1):
        letters = held[is_letter[held]]
        if len(letters) and np.ptp(boxes[letters, 3]) > 0:
            values, counts = np.unique(boxes[letters, 3].round(1), return_counts=True)
            moved = float(values[np.argmax(counts)]) - boxes[letters, 3]
            boxes[letters, 1] += moved
            boxes[letters, 3] += moved
    return line


def _lines(boxes: Boxes, sizes: Numbers, level: float) -> Numbers:
    """Return which baseline characters stand on, where two are at least so many ems apart."""
    by_height = np.argsort(boxes[:, 3], kind="stable")
    ordered = sizes[by_height]
    is_next = np.diff(boxes[by_height, 3]) > level * np.minimum(ordered[1:], ordered[:-1])
    line = np.zeros(len(boxes), np.float64)
    line[by_height] = np.concatenate(([0], np.cumsum(is_next)))
    return line


def _is_mark(code: int) -> bool:
    return 0x590 < code < 0x900 and unicodedata.combining(chr(code)) > 0


def _marks(characters: Characters, bases: Integers, marks: Integers) -> dict[int, list[int]]:
    """Return the marks of letters by the row of the letter that each stands at, in the order of the file."""
    found: dict[int, list[int]] = defaultdict(list)
    letters = bases[is_right_to_left(characters.codes[bases])]
    if not len(letters) or not len(marks) or len(letters) * len(marks) > _MOST_PAIRS:
        return found
    boxes = characters.boxes[letters]
    left, right = boxes[:, 0], boxes[:, 2]
    for row in marks.tolist():
        x0, _, x1, foot = characters.boxes[row].tolist()
        middle, size = (x0 + x1) / 2, float(characters.sizes[row])
        beside = np.maximum(np.maximum(left - middle, middle - right), 0.0)
        far = beside + np.abs(boxes[:, 3] - foot) + 0.1 * np.abs((left + right) / 2 - middle)
        nearest = int(np.argmin(far))
        if far[nearest] < _REACH * size:
            found[int(letters[nearest])].append(row)
    return found


def _ligatures_in_order(characters: Characters, rows: Integers, order: Integers) -> Integers:
    """Return an order with the letters of each ligature, which stand at one place, from left to right."""
    left, sizes = characters.boxes[rows[order], 0], characters.sizes[rows[order]]
    is_same = np.abs(np.diff(left)) < _SAME_PLACE * sizes[1:]
    found = order.copy()
    for start, stop in _stretches(is_same):
        held = order[start:stop].tolist()
        codes = [int(characters.codes[rows[at]]) for at in held]
        if all(kind(chr(code)) == "R" for code in codes):
            places = [_place_in_ligature(codes, int(rows[at]), code) for at, code in zip(held, codes, strict=True)]
            held = [at for _, at in sorted(zip(places, held, strict=True))]
            found[start:stop] = held
    return found


def _place_in_ligature(codes: Sequence[int], row: int, code: int) -> tuple[bool, int]:
    """Return what letters of a ligature are sorted by, the last read first: PDFium gives them the wrong way round.

    It does not where it has taken a form of Unicode's apart, which are those of lam, that comes first, and of a name.
    """
    return (code == _LAM and len(codes) == 2, -row if len(codes) == len(_NAME) else row)


def _stretches(is_same: Mask) -> Iterator[tuple[int, int]]:
    """Yield [start, stop) of what is the same as the one before."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], is_same.astype(np.int8), [0])))).reshape(-1, 2)
    return ((start, stop + 1) for start, stop in edges.tolist())


def _shared_out(boxes: Boxes, sizes: Numbers) -> Boxes:
    """Return boxes with those that begin at one place each having a share of the room."""
    is_same = np.abs(np.diff(boxes[:, 0])) < _SAME_PLACE * sizes[1:]
    if not is_same.any():
        return boxes
    shared = boxes.copy()
    for start, stop in _stretches(is_same):
        edges: Numbers = np.linspace(float(boxes[start, 0]), float(boxes[start:stop, 2].max()), stop - start + 1)
        shared[start:stop, 0], shared[start:stop, 2] = edges[:-1], edges[1:]
    return shared


def _spaced(characters: Characters, rows: Integers, boxes: Boxes, shown: Numbers) -> Mask:
    """Return before which characters white space stands: by gaps, and by what PDFium takes for words.

    It may shuffle the letters of words, and it takes marks that stand high for other lines. `shown` numbers the lines
    that are there.
    """
    word, line = np.cumsum(characters.spaced)[rows], characters.line[rows]
    are_words = (word[1:] != word[:-1]) & (line[1:] == line[:-1])
    gap = np.concatenate(([0.0], (boxes[1:, 0] - boxes[:-1, 2]) / characters.sizes[rows][1:]))
    is_letter = np.array([kind(chr(code)) == "R" for code in characters.codes[rows].tolist()], np.bool_)
    may_part = are_words | (word[1:] != word[:-1]) | is_letter[1:] | is_letter[:-1]
    least = _least_gaps(gap[1:], are_words, shown[1:])
    spaced = np.concatenate(([False], may_part & (gap[1:] > np.where(are_words, least, _SURE_GAP))))
    is_sign = np.array([not chr(code).isalnum() for code in characters.codes[rows].tolist()], np.bool_)
    after = np.append(gap[1:], np.inf)
    spaced &= ~(is_sign & (gap < _SIGN_GAP) & (after > 2 * gap))
    spaced[1:] &= ~(is_sign[:-1] & (gap[1:] < _SIGN_GAP) & (gap[:-1] > 2 * gap[1:]))
    return spaced


def _least_gaps(gap: Numbers, are_words: Mask, shown: Numbers) -> Numbers:
    """Return the gap that parts words before each character where PDFium sees two, narrower in lines set tightly."""
    least = np.full(len(gap), _least_gap(gap[are_words], _WORD_GAP))
    for held in np.split(np.arange(len(gap)), np.flatnonzero(np.diff(shown)) + 1):
        least[held] = _least_gap(gap[held][are_words[held]], least[held].max(initial=0.0))
    return least


def _least_gap(gaps: Numbers, otherwise: float) -> float:
    """Return which of the gaps where PDFium sees two words part words, if they are enough to tell."""
    gaps = gaps[gaps > _HARDLY]
    return min(_WORD_GAP, _NARROW * float(np.median(gaps))) if len(gaps) >= _FEWEST_WORDS else otherwise


def _follows_raised(characters: Characters, rows: Integers, marks: dict[int, list[int]]) -> Mask:
    """Return which characters stand right of a letter that the file has at its mark: it ends their word."""
    found = np.zeros(len(rows), np.bool_)
    boxes, sizes = characters.boxes, characters.sizes
    for at, (row, after) in enumerate(pairwise(rows.tolist()), start=1):
        near = _SAME_PLACE * sizes[row]
        endings = [mark for mark in marks.get(row, ()) if int(characters.codes[mark]) in _ENDINGS]
        is_at_mark = any((np.abs(boxes[mark, :2] - boxes[row, :2]) < near).all() for mark in endings)
        found[at] = is_at_mark and abs(boxes[row, 3] - boxes[after, 3]) > near
    return found & is_right_to_left(characters.codes[rows])


def _follow_ends(characters: Characters, rows: Integers, line: Numbers, marks: dict[int, list[int]]) -> Mask:
    """Return which characters have the mark of an indefinite ending, which ends a word, with a letter left of them."""
    ended = {row for row, held in marks.items() if any(int(characters.codes[mark]) in _ENDINGS for mark in held)}
    found = np.array([row in ended for row in rows.tolist()], np.bool_)
    codes = characters.codes[rows]
    found[1:] &= is_right_to_left(codes[:-1]) & ~np.isin(codes[:-1], _AFTER_ENDING) & (line[1:] == line[:-1])
    return found


def _without_gaps(characters: Characters, rows: Integers, boxes: Boxes, spaced: Mask) -> Boxes:
    """Return boxes with letters of a word beside each other and words apart, for strokes do not keep to their room."""
    kept, sizes = boxes.copy(), characters.sizes[rows]
    is_letter = is_right_to_left(characters.codes[rows])
    room = boxes[1:, 0] - boxes[:-1, 2]
    is_inside = ~spaced[1:] & is_letter[1:] & is_letter[:-1]
    is_inside &= (room < _WIDEST * sizes[1:]) & (boxes[1:, 0] > boxes[:-1, 0]) & (room > -_WIDEST * sizes[1:])
    kept[:-1, 2] = np.where(is_inside, boxes[1:, 0], boxes[:-1, 2])
    is_tight = spaced[1:] & (room < _WORD_GAP * sizes[1:]) & is_letter[1:] & is_letter[:-1]
    kept[:-1, 2] = np.where(is_tight, np.maximum(boxes[:-1, 0], boxes[1:, 0] - _WORD_GAP * sizes[1:]), kept[:-1, 2])
    return kept


@dataclass(frozen=True, slots=True)
class Shown:
    """Lines as they stand: the row, code and box of each character, before which a space is, where lines begin."""

    rows: Integers
    codes: Integers
    boxes: Boxes
    is_spaced: Mask
    starts: Integers

    def lines(self) -> Iterator[tuple[int, int]]:
        """Yield where each line begins and ends."""
        return zip(self.starts.tolist(), [*self.starts[1:].tolist(), len(self.rows)], strict=True)

    def text(self, start: int, stop: int) -> tuple[str, list[int]]:
        """Return the text of a line, and where in it each character stands."""
        spaces = np.cumsum(self.is_spaced[start:stop])
        places = (spaces - spaces[0] + np.arange(stop - start)).tolist()
        points = [" "] * (places[-1] + 1)
        for place, code in zip(places, self.codes[start:stop].tolist(), strict=True):
            points[place] = chr(code)
        return "".join(points), places


@dataclass(frozen=True, slots=True)
class Read:
    """Lines as they are read: which characters of `Shown` follow each other, their codes and boxes along the line."""

    order: Integers
    codes: Integers
    boxes: Boxes
    is_spaced: Mask


_Placed = tuple[int, float, float]
"""A character of `Shown`, -1 for a space, and where it begins and ends along its line."""


def read(shown: Shown) -> Read:
    """Return lines in the order they are read in, their boxes laid from left to right in that order."""
    placed: list[_Placed] = []
    is_spaced = np.zeros(len(shown.rows), np.bool_)
    brackets: list[list[int]] = []
    lines = [(start, stop, *shown.text(start, stop)) for start, stop in shown.lines()]
    is_usual = mostly_right_to_left(text for _, _, text, _ in lines)
    is_in_order = is_usual and reads_rightwards(text for _, _, text, _ in lines)
    for start, stop, text, places in lines:
        found = [0] * len(text) if is_in_order else levels(text, runs_left=runs_left(text, is_usual=is_usual))
        held: list[int] = []
        follows_space = False
        for one in _as_read(shown, (start, stop), places, found):
            if one[0] >= 0:
                is_spaced[len(placed)] = follows_space
                if found[places[one[0] - start]] == 1 and chr(int(shown.codes[one[0]])) in _BRACKETS:
                    held.append(len(placed))
                placed.append(one)
            follows_space = one[0] < 0
        brackets.append(held)
    order = np.array([at for at, _, _ in placed], np.int64)
    boxes, codes = shown.boxes[order], shown.codes[order]
    boxes[:, (0, 2)] = np.array([edges for _, *edges in placed], np.float64)
    _set_brackets(codes, brackets)
    return Read(order, codes, boxes, is_spaced)


_BRACKETS = frozenset("()[]{}«»‹›")


def _as_read(shown: Shown, line: tuple[int, int], places: Sequence[int], levels: Sequence[int]) -> list[_Placed]:
    """Return the characters and spaces of a line in reading order, where each lies along the line.

    What stood last in a run that is turned round comes first, as far from the run's beginning as it was from its end.
    """
    start, stop = line
    placed: list[_Placed] = [(-1, 0.0, 0.0)] * len(levels)
    for place, at, (x0, x1) in zip(places, range(start, stop), shown.boxes[start:stop, (0, 2)].tolist(), strict=True):
        placed[place] = (at, x0, x1)
    for first, last in turned_runs(levels):
        run = placed[first:last][::-1]
        inked = [one for one in run if one[0] >= 0]
        edges = min(x0 for _, x0, _ in inked) + max(x1 for _, _, x1 in inked)
        placed[first:last] = [(at, edges - x1, edges - x0) if at >= 0 else (at, x0, x1) for at, x0, x1 in run]
    return placed


def _set_brackets(codes: Integers, lines: Sequence[Sequence[int]]) -> None:
    """Mirror the brackets of right-to-left runs, unless more of them open before they close as they are drawn.

    Some files say which bracket is read, and not which is drawn.
    """
    texts = ["".join(chr(int(codes[at])) for at in line) for line in lines]
    if sum(map(pairs_up, texts)) <= 0:
        for line, text in zip(lines, texts, strict=True):
            codes[[*line]] = [ord(mirrored(one)) for one in text]


def with_marks(rows: Integers, marks: dict[int, list[int]]) -> Iterator[tuple[int, int]]:
    """Yield each row with its place in `rows`, that of a mark right after its letter's with the place of the letter."""
    for at, row in enumerate(rows.tolist()):
        yield at, row
        for mark in marks.get(row, ()):
            yield at, mark

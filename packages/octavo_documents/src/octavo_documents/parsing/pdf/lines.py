"""Characters to lines of text, cut where cells and columns end.

Lines keep the order of the content stream (that of their first character): the layout step sorts.

A line is first a run: characters that follow each other in the content stream on one baseline. Runs beside each other
on one baseline are then joined when their gap is a word space, since some producers place every word or glyph alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from octavo_documents.parsing.content import TextLine
from octavo_documents.parsing.pdf.characters import Characters, Integers, Mask, Numbers, unturned
from octavo_documents.parsing.pdf.frame import Frame
from octavo_documents.parsing.pdf.marked_characters import CharacterMarks, of_words
from octavo_documents.parsing.pdf.pdfium import Boxes
from octavo_documents.parsing.pdf.raised_characters import (
    Lines,
    Printed,
    Run,
    closed_up,
    printed_text,
    raised_runs,
    typed_runs,
    written_runs,
)
from octavo_documents.parsing.pdf.right_to_left import Shown, any_right_to_left, read, standing, with_marks
from octavo_documents.parsing.pdf.spans import Pieces, spans_of
from octavo_documents.parsing.pdf.word_spaces import TIGHT, UNSPACED, Gaps, word_spaces

_SAME_BASELINE = 0.45
_BACKWARDS = -0.6
_OVERPRINT = 0.35
_LARGEST_STEP = 3.0
_INITIAL = 2.2
"""A letter alone and so much larger than what follows begins a paragraph of several lines, not this line."""
_WIDEST = 1.0
_WIDEST_JUSTIFIED = 1.8
_NARROWEST_CELL_GAP = 0.62
_CELL_GAP_RATIO = 2.2
_JUSTIFIED_RATIO = 1.6
_WIDEST_AFTER_MARKER = 2.6
_STRETCHED = 0.85
_WIDE_SPACE = 0.36
_WIDER = 1.25
_FEW_SPACES = 3
_LONGEST_LABEL = 5
_LONGEST_MARKER = 10
_MOST_PAIRS = 4_000_000
"""Bounds memory on a hostile page, where every glyph is a run at one height."""
_MARKER = re.compile(
    r"(?:[•◦●○■□▪▫‣⁃–—*§¶►➢✓✔\uf0b7\uf0a7\uf0d8-]|\d{1,2}|\(?\d{1,3}(?:\.\d{1,3}){0,5}[.):]|\d{1,3}(?:\.\d{1,3}){1,5}"
    r"|\(?[A-Za-z][.)]|[A-Z](?:\.\d{1,3}){1,5}\.?|\(?[ivxIVX]{1,5}[.)]|(?:[A-Za-z]+ )?\d{1,3}[.:])"
)
"""A number of three figures without a point or bracket is a cell of its own, no list number."""


@dataclass(frozen=True, slots=True)
class LineText:
    """Characters of one direction in reading order: parallel arrays, plus the row of each in the page's characters.

    `boxes` say where they are along their line as it is read; on the page those of right-to-left writing lie elsewhere.
    """

    row: Integers
    codes: Integers
    boxes: Boxes
    size: Numbers
    spaced: Mask


def text_lines(characters: Characters, frame: Frame, marks: CharacterMarks) -> tuple[tuple[TextLine, ...], int]:
    """Return the lines of a page in content order, and how many words stand off the page and were left out.

    `marks` say how characters are marked.
    """
    lines: list[tuple[int, TextLine]] = []
    for angle in characters.angles:
        rows = np.flatnonzero(characters.angle == angle)
        text, starts = arranged(characters, rows)
        lines.extend(_build(characters, frame, text, starts, angle, marks))
    lines.sort(key=lambda entry: entry[0])
    off = sum(line.text.count(" ") + 1 for _, line in lines if not frame.holds(line.box))
    return tuple(line for _, line in lines if not off or frame.holds(line.box)), off


def arranged(characters: Characters, rows: Integers) -> tuple[LineText, Integers]:
    """Return characters of one direction (their rows) line after line, and where in that order the lines start."""
    codes = characters.codes[rows]
    if any_right_to_left(codes):
        return _arranged_from_right(characters, rows)
    text = LineText(rows, codes, characters.boxes[rows], characters.sizes[rows], characters.spaced[rows])
    return _in_lines(characters, text)


def _arranged_from_right(characters: Characters, rows: Integers) -> tuple[LineText, Integers]:
    """Return the same where some of it is written from right to left."""
    held = standing(characters, rows)
    text = LineText(held.rows, characters.codes[held.rows], held.boxes, characters.sizes[held.rows], held.spaced)
    text, starts = _in_lines(characters, text)
    is_spaced = word_spaces(gaps_of(characters, text), starts)
    found = read(Shown(text.row, text.codes, text.boxes, is_spaced, starts))
    row = text.row[found.order]
    places, rows = (np.array(one, np.int64) for one in zip(*with_marks(row, held.marks), strict=True))
    is_mark = rows != row[places]
    boxes = found.boxes[places]
    boxes[is_mark, 0] = boxes[is_mark, 2]  # no room of their own
    starts = np.searchsorted(places, starts)
    spaced = found.is_spaced[places] & ~is_mark
    codes = np.where(is_mark, characters.codes[rows], found.codes[places])
    return LineText(rows, codes, boxes, text.size[found.order][places], spaced), starts


def _in_lines(characters: Characters, text: LineText) -> tuple[LineText, Integers]:
    text = _keep(text, ~_overprinted(text, characters.object[text.row]))
    starts = _run_starts(text)
    order, line_starts = _joined(text, starts)
    text = _keep(text, order)
    return text, _split_at_gaps(text, line_starts)


def _keep(text: LineText, at: Integers | Mask) -> LineText:
    return LineText(text.row[at], text.codes[at], text.boxes[at], text.size[at], text.spaced[at])


def _overprinted(text: LineText, objects: Integers) -> Mask:
    """Return characters printed again on top of the one before (bold made by printing twice)."""
    repeated = np.zeros(len(text.row), bool)
    near = np.abs(text.boxes[1:, :2] - text.boxes[:-1, :2]).max(axis=1, initial=0.0) < _OVERPRINT * np.minimum(
        text.size[1:], np.maximum(text.boxes[1:, 2] - text.boxes[1:, 0], 0.1)
    )
    repeated[1:] = near & (text.codes[1:] == text.codes[:-1]) & (objects[1:] != objects[:-1])
    return repeated


def _run_starts(text: LineText) -> Integers:
    """Return where a character does not go on from the one before: other baseline, backwards, or far away."""
    boxes, size = text.boxes, text.size
    smaller, larger = np.minimum(size[1:], size[:-1]), np.maximum(size[1:], size[:-1])
    overlap = np.minimum(boxes[1:, 3], boxes[:-1, 3]) - np.maximum(boxes[1:, 1], boxes[:-1, 1])
    gap = boxes[1:, 0] - boxes[:-1, 2]
    goes_on = (overlap > _SAME_BASELINE * smaller) & (larger < _LARGEST_STEP * smaller)
    goes_on &= (gap > _BACKWARDS * larger) & (gap < _WIDEST_AFTER_MARKER * larger)
    # A glyph wider than its advance (accents, script capitals) may start left of the one before, never a word.
    goes_on &= boxes[1:, 2] > boxes[:-1, 0]
    is_alone = np.concatenate(([True], ~goes_on[:-1]))
    goes_on &= ~(is_alone & (size[:-1] > _INITIAL * size[1:]))
    return np.concatenate(([0], np.flatnonzero(~goes_on) + 1))


def _joined(text: LineText, starts: Integers) -> tuple[Integers, Integers]:
    """Join runs that continue each other on one baseline; return the new order of characters and the line starts."""
    stops = np.append(starts[1:], len(text.row))
    following, dropped = _links(text, starts, stops)
    has_previous = set(following.values())
    rows = np.arange(len(text.row), dtype=np.int64)
    order: list[Integers] = []
    line_starts: list[int] = []
    length = 0
    for run in range(len(starts)):
        if run in has_previous or run in dropped:
            continue
        line_starts.append(length)
        current: int | None = run
        while current is not None:
            order.append(rows[starts[current] : stops[current]])
            length += int(stops[current] - starts[current])
            current = following.get(current)
    return np.concatenate(order), np.array(line_starts, np.int64)


def _links(text: LineText, starts: Integers, stops: Integers) -> tuple[dict[int, int], set[int]]:
    """Return which run follows which on its line, and the runs that lie on top of another of the same length."""
    boxes = hulls(text.boxes, starts)
    size = np.maximum.reduceat(text.size, starts)
    left, right = _neighbours(boxes, size)
    on_top = (np.abs(boxes[left] - boxes[right]).max(axis=1, initial=0.0) < _OVERPRINT * size[left]) & (
        (stops - starts)[left] == (stops - starts)[right]
    )
    dropped = {max(pair) for pair in zip(left[on_top].tolist(), right[on_top].tolist(), strict=True)}
    gap = boxes[right, 0] - boxes[left, 2]
    larger = np.maximum(size[left], size[right])
    beside = (gap > -0.2 * larger) & (gap < _WIDEST * larger) & ~on_top
    beside &= larger < _LARGEST_STEP * np.minimum(size[left], size[right])
    beside &= ~((stops - starts == 1)[left] & (size[left] > _INITIAL * size[right]))
    candidates = sorted(zip(np.abs(gap[beside]).tolist(), left[beside].tolist(), right[beside].tolist(), strict=True))
    following: dict[int, int] = {}
    taken: set[int] = set()
    for _, before, after in candidates:
        if before not in following and after not in taken and not {before, after} & dropped:
            following[before] = after
            taken.add(after)
    return following, dropped


def hulls(boxes: Boxes, starts: Integers) -> Boxes:
    """Return the boxes around the boxes from each start to the next."""
    return np.stack(
        (
            np.minimum.reduceat(boxes[:, 0], starts),
            np.minimum.reduceat(boxes[:, 1], starts),
            np.maximum.reduceat(boxes[:, 2], starts),
            np.maximum.reduceat(boxes[:, 3], starts),
        ),
        axis=1,
    )


def _neighbours(boxes: Boxes, size: Numbers) -> tuple[Integers, Integers]:
    """Return all pairs (left, right) of runs at about one height, `right` starting no further left."""
    middle = (boxes[:, 1] + boxes[:, 3]) / 2
    by_height = np.argsort(middle, kind="stable")
    heights = middle[by_height]
    reach = 0.4 * size[by_height]
    stop = np.searchsorted(heights, heights + reach, side="right")
    counts = np.minimum(stop - np.arange(len(heights)) - 1, _MOST_PAIRS // len(heights))
    first = np.repeat(np.arange(len(heights)), counts)
    offset = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
    one, other = by_height[first], by_height[first + 1 + offset]
    swap = (boxes[one, 0] > boxes[other, 0]) | ((boxes[one, 0] == boxes[other, 0]) & (one > other))
    left, right = np.where(swap, other, one), np.where(swap, one, other)
    overlap = np.minimum(boxes[left, 3], boxes[right, 3]) - np.maximum(boxes[left, 1], boxes[right, 1])
    on_line = overlap > 0.6 * np.minimum(size[left], size[right])
    return left[on_line], right[on_line]


def _split_at_gaps(text: LineText, starts: Integers) -> Integers:
    """Add a start after every gap that is no word space: too wide for the type size, or for the line's other gaps."""
    size = np.maximum(text.size[1:], text.size[:-1])
    gap = np.concatenate(([0.0], (text.boxes[1:, 0] - text.boxes[:-1, 2]) / size))
    gap[starts] = 0.0
    wide = np.flatnonzero(gap > _NARROWEST_CELL_GAP)
    if not len(wide):
        return starts
    stops = np.append(starts[1:], len(gap))
    added: list[int] = []
    lines = np.searchsorted(starts, wide, side="right") - 1
    for line in np.unique(lines).tolist():
        start, stop = int(starts[line]), int(stops[line])
        added.extend(_breaks_of(gap, text, start, stop))
    return np.union1d(starts, np.array(added, np.int64))


def _breaks_of(gap: Numbers, text: LineText, start: int, stop: int) -> list[int]:
    """Return the places in one line (as absolute positions) where a gap ends a cell or column."""
    own = slice(start, stop)
    gaps, spaced, codes = gap[own], text.spaced[own], text.codes[own]
    if not any_right_to_left(codes):
        return [start + place for place in _breaks(gaps, spaced, codes)]
    # A list number stands at the right end: the line is looked at from there.
    gaps, spaced = (np.concatenate((one[:1], one[:0:-1])) for one in (gaps, spaced))
    return sorted(stop - place for place in _breaks(gaps, spaced, codes[::-1]))


def _breaks(gaps: Numbers, spaced: Mask, codes: Integers) -> list[int]:
    """Return the places in one line where a gap ends a cell or column."""
    is_space = (gaps > 0.12) & (spaced | (gaps > UNSPACED))
    spaces = np.sort(gaps[is_space])
    typical = float(spaces[(len(spaces) - 1) // 2]) if len(spaces) else 0.25
    is_justified = len(spaces) >= 3 and float(spaces[(3 * len(spaces)) // 4]) < _JUSTIFIED_RATIO * typical
    words = np.diff(np.concatenate(([0], np.flatnonzero(is_space), [len(gaps)])))
    if typical > _STRETCHED and int(words.max()) <= _LONGEST_LABEL:
        is_justified = False  # labels of an axis, not words of a line spread to its column
    widest = min(_WIDEST_JUSTIFIED, max(_WIDEST, _JUSTIFIED_RATIO * typical)) if is_justified else _WIDEST
    if len(spaces) >= 3:
        widest = min(widest, max(_NARROWEST_CELL_GAP, _CELL_GAP_RATIO * typical))
    places = np.flatnonzero(gaps > widest).tolist()
    if places and places[0] <= _LONGEST_MARKER and gaps[places[0]] < _WIDEST_AFTER_MARKER:
        marker = "".join(map(chr, codes[: places[0]].tolist()))
        if _MARKER.fullmatch(marker) and chr(int(codes[places[0]])).isalpha():
            del places[0]
    return places


def _build(
    characters: Characters, frame: Frame, text: LineText, starts: Integers, angle: int, marks: CharacterMarks
) -> list[tuple[int, TextLine]]:
    """Make the lines: one string for all of them, cut at lines and at changes of style."""
    is_start = np.zeros(len(text.row), bool)
    is_start[starts] = True
    typeset = typeset_lines(characters, text, starts)
    printed = typeset.printed
    style = characters.style[text.row]
    is_other = np.concatenate(([True], style[1:] != style[:-1]))
    is_other |= _after_wide_space(text, starts, typeset.is_spaced, style)
    for first, last, _ in typeset.runs:  # a span of its own, whatever fonts its signs are of
        is_other[first : last + 1] = False
        is_other[[first, min(last, len(is_other) - 1)]] = True
    begins = is_start | typeset.is_spaced
    crossed = marks.struck[text.row]
    if crossed.any():
        crossed = _whole(crossed, begins, printed)
        is_other[1:] |= crossed[1:] != crossed[:-1]
    underlined, ground = marks.underlined[text.row], marks.ground[text.row]
    if underlined.any():
        underlined = of_words(underlined, begins)
        is_other[1:] |= underlined[1:] != underlined[:-1]
    is_other[1:] |= ground[1:] != ground[:-1]
    span_starts = np.flatnonzero(is_start | is_other)
    places, on_page = printed.places, characters.boxes[text.row]
    pieces = Pieces(
        page=printed.page,
        looks=[characters.styles[index] for index in style[span_starts].tolist()],
        places=places[span_starts].tolist(),
        boxes=shown(hulls(on_page, span_starts), frame, angle).round(2).tolist(),
        written={int(np.searchsorted(span_starts, start)): words for start, words in typeset.written.items()},
        struck=crossed[span_starts].tolist(),
        underlined=underlined[span_starts].tolist(),
        ground=ground[span_starts].tolist(),
    )
    ends = np.append(places[starts[1:] - 1], places[-1]) + 1
    counts = np.diff(np.append(np.searchsorted(span_starts, starts), len(span_starts)))
    boxes = shown(hulls(on_page, starts), frame, angle).round(2).tolist()
    lines: list[tuple[int, TextLine]] = []
    first = 0
    for row, count, end, box in zip(text.row[starts].tolist(), counts.tolist(), ends.tolist(), boxes, strict=True):
        spans = spans_of(pieces, first, first + count, end)
        first += count
        if spans:
            words = "".join(piece for piece, _ in spans)
            lines.append((row, TextLine(words, tuple(box), tuple(span for _, span in spans), angle=angle)))
    return lines


def _whole(crossed: Mask, begins: Mask, printed: Printed) -> Mask:
    """Return which characters are struck out, without single letters inside of words: those are of crossed type."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], crossed.astype(np.int8), [0])))).reshape(-1, 2)
    kept = crossed.copy()
    for start, stop in edges[edges[:, 1] - edges[:, 0] == 1].tolist():
        goes_on = stop < len(begins) and not begins[stop] and printed.between(stop, stop + 1).isalnum()
        if goes_on or (not begins[start] and printed.between(start - 1, start).isalnum()):
            kept[start] = False
    return kept


@dataclass(frozen=True, slots=True)
class Typeset:
    """Lines as text: their string, before which characters it has spaces, and what raised characters are written as."""

    printed: Printed
    is_spaced: Mask
    runs: list[Run]
    """Of raised characters."""
    written: dict[int, str]
    """By the first character of a run."""

    def pieces(self) -> list[str]:
        """Return what each character is written as; a run that is written otherwise stands at its first."""
        pieces = [self.printed.page[place] for place in self.printed.places.tolist()]
        for start, stop, _ in self.runs:
            if start in self.written:
                pieces[start:stop] = [self.written[start], *[""] * (stop - start - 1)]
        return pieces


def typeset_lines(characters: Characters, text: LineText, starts: Integers) -> Typeset:
    """Return lines as text."""
    is_spaced = word_spaces(gaps_of(characters, text), starts)
    lines = Lines(text.boxes, text.size, starts, text.codes)
    runs = raised_runs(lines)
    typed = [one for one in typed_runs(lines) if not any(start <= one[0] < stop for start, stop, _ in runs)]
    runs = sorted([*runs, *typed]) if typed else runs
    printed = printed_text(text.codes, is_spaced)
    written = written_runs(printed, lines, runs)
    if written:
        is_spaced = closed_up(is_spaced, lines, written)
        printed = printed_text(text.codes, is_spaced)
    return Typeset(printed, is_spaced, runs, written)


def _after_wide_space(text: LineText, starts: Integers, is_spaced: Mask, style: Integers) -> Mask:
    """Return characters after a space wider than the narrowest of its line, or of its type when the line has few.

    Their spans say where cells may part. A line spread to its column has wide spaces too, but all alike.
    """
    gap = np.concatenate(([0.0], text.boxes[1:, 0] - text.boxes[:-1, 2]))
    ratio = np.where(is_spaced, gap / np.maximum(text.size, 0.1), np.inf)
    is_wide = is_spaced & (ratio > _WIDE_SPACE)
    if is_wide.any():
        lengths = np.diff(np.append(starts, len(ratio)))
        of_line = np.repeat(np.minimum.reduceat(ratio, starts), lengths)
        spaces = np.repeat(np.add.reduceat(is_spaced.astype(np.int64), starts), lengths)
        of_style = np.full(int(style.max()) + 1, np.inf)
        np.minimum.at(of_style, style, ratio)
        is_wide &= ratio > _WIDER * np.where(spaces > _FEW_SPACES, of_line, of_style[style])
    return is_wide


def gaps_of(characters: Characters, text: LineText) -> Gaps:
    """Return the characters of lines and the gaps in front of each.

    PDFium ends the line after many a letter of turned text: where no gap shows, that is no white space.
    """
    gap = np.concatenate(([0.0], (text.boxes[1:, 0] - text.boxes[:-1, 2]) / text.size[1:]))
    line = characters.line[text.row]
    is_cut = np.concatenate(([False], line[1:] != line[:-1])) & (characters.angle[text.row] != 0)
    return Gaps(text.codes, gap, text.spaced & ~(is_cut & (gap < TIGHT)), characters.object[text.row])


def shown(boxes: Boxes, frame: Frame, angle: int) -> Boxes:
    """Return boxes of the reading frame of `angle` as displayed on the page."""
    return boxes if angle == 0 else frame.boxes(unturned(boxes, angle + 90 * frame.turns))

"""Lines of text that hold several cells, parted: at wide spaces, between numbers, before a sign, after leaders."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from octavo.structuring.lines import Gap, PageLines
from octavo.structuring.tables.rows import is_number

_NARROW = frozenset("iljtfrI.,:;|!()[]'\" -")
_WIDE = frozenset("mwMWQO@%&")
_OPENING = ("$", "€", "£", "¥", "₹", "(")
_NUMERIC = re.compile(r"[-$€£¥₹%.,()–—+*\d\s]*\d[-$€£¥₹%.,()–—+*\d\s]*")
_TOKEN = re.compile(
    r"[$€£¥₹]?\s?[(–—+-]{0,2}\s?[$€£¥₹]?\s?\d[\d.,]*(?:\s?[)%])*\*{0,2}|[$€£¥₹]?\s?[–—-]+(?:\s?[)%])?|[$€£¥₹]"
)
_NUMBER = re.compile(r"\(?\d{1,3}(?:\.\d{1,3}){0,5}[.):]?")
_THOUSANDS = re.compile(r"\d{1,3}(?: \d{3})+")
_LED = re.compile(r"(.*?[^\s.·…_])\s*(?:[.·…_]\s?){4,}\s*([$€£¥₹]?)")
_CLOSING = ")%* "
_HANGING = re.compile(r"[)%]|(?:\([\da-z]{1,2}\),?\s?)+$")


class _Split:
    """Where a line holds several cells, chosen by hand."""

    FAR = 0.6  # type sizes between a number and what follows it in another cell
    CROSSED = 0.3  # texts across a gap, by the rows it parts
    FEW_SPACES = 3  # spaces in a line of numbers that is one cell
    LONGEST = 120  # characters of a line that is looked at for numbers


Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Part:
    """Text in a line that is a cell of its own, from `x0` to `x1` in points."""

    text: str
    x0: float
    x1: float


@dataclass(frozen=True, slots=True)
class Value:
    """A number in a line: its box in points; `right` is where its figures end, for brackets and % hang over."""

    line: int
    x0: float
    y0: float
    x1: float
    y1: float
    right: float


def parts_of(page: PageLines, rows: Sequence[Sequence[int]]) -> dict[int, list[Part]]:
    """Return the cells in each line; `rows` are the lines of a table in rows, left to right."""
    tried = {line: _at_gaps(page, line, page.gaps.get(line, ())) for row in rows for line in row}
    if any(len(parts) > 1 for parts in tried.values()):
        placed = [[part for line in row for part in tried[line]] for row in rows]
        for line in [line for line, parts in tried.items() if len(parts) > 1]:
            gaps = [gap for gap in page.gaps[line] if _parts_cells(page, line, gap, placed)]
            tried[line] = _at_gaps(page, line, gaps)
    return {line: [piece for part in parts for piece in _pieces(page, line, part)] for line, parts in tried.items()}


def stretches_of(page: PageLines, line: int) -> list[Part]:
    """Return what stands between the wide spaces of a line."""
    return _at_gaps(page, line, page.gaps.get(line, ()))


def values_in(page: PageLines, line: int) -> Iterator[Value]:
    """Yield the numbers in a line, left to right; where words are in it, only those apart from them."""
    text = page.texts[line]
    if len(text) > _Split.LONGEST or not (line in page.gaps or _NUMERIC.fullmatch(text)):
        return
    y0, y1 = float(page.places[line, 1]), float(page.places[line, 3])
    parts = stretches_of(page, line)
    # A number before words counts or marks them.
    for part in parts if _NUMERIC.fullmatch(text) else parts[1:]:
        for piece in _pieces(page, line, part) if _NUMERIC.fullmatch(part.text) else ():
            if is_number(piece.text) and any(map(str.isdigit, piece.text)):
                figures = len(piece.text.rstrip(_CLOSING))
                right = letter_places(piece.text, piece.x0, piece.x1)[figures]
                yield Value(line, piece.x0, y0, piece.x1, y1, right)


def _at_gaps(page: PageLines, line: int, gaps: Sequence[Gap]) -> list[Part]:
    text = page.texts[line]
    if not gaps:
        return [Part(text, float(page.places[line, 0]), float(page.places[line, 2]))] if text else []
    offsets = [0, *(gap.offset for gap in gaps), len(text)]
    edges = [float(page.places[line, 0]), *(x for gap in gaps for x in (gap.x0, gap.x1)), float(page.places[line, 2])]
    parts: list[Part] = []
    for (start, stop), x0, x1 in zip(itertools.pairwise(offsets), edges[::2], edges[1::2], strict=True):
        piece = text[start:stop].strip()
        if parts and (parts[-1].text in _OPENING or _HANGING.match(piece)):
            parts[-1] = Part(f"{parts[-1].text} {piece}", parts[-1].x0, x1)
        elif piece:
            parts.append(Part(piece, x0, x1))
    return parts


def _parts_cells(page: PageLines, line: int, gap: Gap, rows: Sequence[Sequence[Part]]) -> bool:
    """Tell a gap where other rows part too, and few run on; or one far after a number.

    In prose a number before words would be a list item, and so the two are one line.
    """
    before, after = page.texts[line][: gap.offset].strip(), page.texts[line][gap.offset :].strip()
    if before.endswith(_OPENING) or _HANGING.match(after):
        return False
    if _NUMBER.fullmatch(before) and gap.x1 - gap.x0 > _Split.FAR * page.looks[line].size:
        return True
    middle = (gap.x0 + gap.x1) / 2
    crossing = sum(part.x0 < middle < part.x1 for row in rows for part in row)
    apart = sum(any(part.x1 <= middle for part in row) and any(part.x0 >= middle for part in row) for row in rows)
    return apart > 1 and crossing <= _Split.CROSSED * apart


def _pieces(page: PageLines, line: int, part: Part) -> list[Part]:
    """Part numbers from each other, and a label from its leaders and the sign of the next column."""
    text = part.text
    led = _LED.fullmatch(text)
    if led:
        return _without_leaders(led, part)
    if " " not in text or not _NUMERIC.fullmatch(text) or _THOUSANDS.fullmatch(text):
        return [part]
    is_known = page.confidences[line] == 1.0 and text.count(" ") <= _Split.FEW_SPACES and text == page.texts[line]
    tokens = list(_TOKEN.finditer(text))
    if sum(len(token[0].replace(" ", "")) for token in tokens) != len(text.replace(" ", "")):
        return [part]
    if is_known and line not in page.gaps and tokens[-1][0].strip() not in _OPENING:
        return [part]
    places = letter_places(text, part.x0, part.x1)
    return [Part(token[0].strip(), places[token.start()], places[token.end()]) for token in tokens]


def _without_leaders(led: re.Match[str], part: Part) -> list[Part]:
    places = letter_places(part.text, part.x0, part.x1)
    label = Part(led[1], part.x0, places[led.end(1)])
    return [label, Part(led[2], places[led.start(2)], part.x1)] if led[2] else [label]


def space_near(text: str, span: Interval, x: float) -> tuple[int, float]:
    """Return the offset and x of the space nearest to `x`, (-1, 0) when there is none; letters are estimated."""
    places = letter_places(text, *span)
    best, found = -1, 0.0
    for at, letter in enumerate(text):
        middle = (places[at] + places[at + 1]) / 2
        if letter == " " and text[at - 1] not in _OPENING and (best < 0 or abs(middle - x) < abs(found - x)):
            best, found = at, middle
    return best, found


def letter_places(text: str, x0: float, x1: float) -> list[float]:
    """Return about where each letter of a text starts, and where the last ends, in points."""
    widths = list(itertools.accumulate((_width(letter) for letter in text), initial=0.0))
    scale = (x1 - x0) / max(widths[-1], 0.1)
    return [x0 + width * scale for width in widths]


def _width(letter: str) -> float:
    """Return about how wide a letter is, in ems."""
    if letter in _NARROW:
        return 0.29
    if letter in _WIDE:
        return 0.83
    return 0.67 if letter.isupper() else 0.53

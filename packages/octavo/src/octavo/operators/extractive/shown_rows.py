"""Rows of tables as they are shown where nobody reads them whole: wide ones by what is asked, long cells in part.

Nothing in them is written anew: heads, cells and stretches of cells stand in the document, "…" for what is left out.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from octavo.operators.extractive.units import LONGEST_CELL, MOST_WORDS, Unit
from octavo_documents.text.analyzer import Span, analyze, sentence_spans
from octavo_documents.text.cell_values import day_in, number_in
from octavo_documents.text.segmentation import word_count, word_spans
from octavo_documents.wording import translated

_MOST_NAMED = 8
"""Columns of a wide table that are shown because of what is asked."""
_NAME_WITHIN = 4
"""Columns among the first of which is the one that a row is called by."""
_LEAD = 6
"""Words shown before the first that is asked for."""
_BETWEEN = " | "


@dataclasses.dataclass(frozen=True, slots=True)
class AskedOfRow:
    """What is looked for in a row: terms with what each counts, and words that an answer stands on."""

    weights: Mapping[str, float]
    said_as: Mapping[str, str]
    """The term of `weights` by each term that says the same."""
    words: str = ""

    @classmethod
    def of(cls, text: str, code: str, words: str = "") -> AskedOfRow:
        """Return a text's terms in a language, each as good as the others."""
        terms = analyze(text, code)
        return cls(dict.fromkeys(terms, 1.0), dict(zip(terms, terms, strict=True)), words)

    def held(self, text: str, code: str) -> frozenset[str]:
        """Return which terms a text has; parts of a name in one word count ("goods_producing")."""
        terms = analyze(text.replace("_", " "), code)
        return frozenset(self.said_as[term] for term in terms if term in self.said_as)

    def worth(self, terms: frozenset[str]) -> float:
        """Return what terms count together."""
        return sum(self.weights.get(term, 0.0) for term in terms)


@dataclasses.dataclass(frozen=True, slots=True)
class ShownRow:
    """A row as it is shown, and [start, stop) of the characters in it that matter, in order."""

    text: str
    marks: tuple[Span, ...]


def shown_row(unit: Unit, asked: AskedOfRow | None = None) -> ShownRow:
    """Return how a unit is shown: as it is, but for the rows of wide tables and those with long cells.

    Of a wide table that are the cells that say what the row is and those in the columns that are asked for, each with
    its head; where no column is, as many as are read at a glance. Of a long cell it is the part that has most of what
    is asked.
    """
    if unit.columns:
        return _wide(unit, asked)
    if not unit.has_long_cell:
        return ShownRow(unit.shown, ((0, len(unit.shown)),))
    text = _BETWEEN.join(part_of(cell, asked, unit.language) for cell in unit.cells).rstrip(" |")
    return ShownRow(text, ((0, len(text)),))


def more_of(count: int, noun: str) -> str:
    """Return "… 10 more rows" for what is left out; "" for none."""
    return f"… {count:,} more {noun}{'' if count == 1 else 's'}" if count > 0 else ""


def whole_row(unit: Unit, text: str) -> str:
    """Return a row as it stands in its table where a passage's text shows it in part; "" where all of it is there."""
    return unit.shown if unit.is_table_row and unit.shown not in text else ""


def _wide(unit: Unit, asked: AskedOfRow | None) -> ShownRow:
    filled = [at for at, cell in enumerate(unit.cells) if cell]
    marked = _asked_columns(unit, asked) if asked is not None else []
    chosen = (
        sorted({*_called(unit, filled), *marked, *_telling(unit, asked)}) if asked is not None and marked else filled
    )
    pieces: list[str] = []
    marks: list[Span] = []
    start, room = 0, MOST_WORDS
    for count, at in enumerate(chosen):
        cell = part_of(unit.cells[at], asked, unit.language)
        head = unit.columns[at].rstrip(":")
        piece = f"{head}: {cell}" if head and head != cell else cell
        room -= word_count(piece)
        if room < 0 and count:
            break
        if at in marked:
            marks.append((start + len(piece) - len(cell), start + len(piece)))
        pieces.append(piece)
        start += len(piece) + len(_BETWEEN)
    if more := len(filled) - len(pieces):
        pieces.append(translated(more_of(more, "column")))
    text = _BETWEEN.join(pieces)
    return ShownRow(text, tuple(marks) or ((0, len(text)),))


def _called(unit: Unit, filled: Sequence[int]) -> Iterator[int]:
    """Yield the columns that say what a row is called: the first one, and the first with words where that is a code."""
    yield from filled[:1]
    if filled and not any(map(str.isalpha, unit.cells[filled[0]])):
        named = (at for at in filled[1:_NAME_WITHIN] if any(map(str.isalpha, _numberless(unit.cells[at]))))
        yield from (at for at, _ in zip(named, range(1), strict=False))


def _numberless(cell: str) -> str:
    """Return a cell, "" where it is a number or a day, whatever unit it has."""
    return cell if number_in(cell) != number_in(cell) and day_in(cell) != day_in(cell) else ""


def _asked_columns(unit: Unit, asked: AskedOfRow) -> list[int]:
    """Return the columns that are asked for: those an answer is in, else for each term the one it says most of."""
    held = [asked.held(head, unit.language) for head in unit.columns]
    worth = {at: (asked.worth(terms), -_unsaid(unit, at, terms)) for at, terms in enumerate(held) if terms}
    named = {max((at for at in worth if term in held[at]), key=lambda at: (worth[at], -at)) for term in _all(held)}
    told = [at for at, cell in enumerate(unit.cells) if cell and cell == asked.words]
    best = [at for at in told if at in named] or told[:1] or sorted(named, key=lambda at: worth[at])[-_MOST_NAMED:]
    return [at for at in best if unit.cells[at]]


def _all(held: Sequence[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*held)


def _unsaid(unit: Unit, at: int, terms: frozenset[str]) -> int:
    """Return how many words of a head nothing asks for."""
    return word_count(unit.columns[at].replace("_", " ")) - len(terms)


def _telling(unit: Unit, asked: AskedOfRow) -> Iterator[int]:
    """Yield the columns, a few, that have words of what is asked in their heads or cells: which row it is."""
    found = 0
    for at, cell in enumerate(unit.cells):
        said = f"{unit.columns[at]} {cell[:LONGEST_CELL]}"
        if found < _MOST_NAMED and cell and asked.held(said, unit.language):
            found += 1
            yield at


def part_of(cell: str, asked: AskedOfRow | None, code: str) -> str:
    """Return a cell, of a long one the sentences around the one that has most of what is asked, about 300 characters.

    "…" stands for what is left out. A sentence that is longer itself is cut between words, around what is asked.
    """
    if len(cell) <= LONGEST_CELL:
        return cell
    start, stop = _best(cell, sentence_spans(cell), asked, code)
    if stop - start > LONGEST_CELL:
        start, stop = _window(cell, start, stop, asked, code)
    start, stop = _wider(cell, start, stop)
    said = cell[start:stop].strip()
    return f"{'…' if cell[:start].strip() else ''}{said}{'…' if cell[stop:].strip() else ''}"


def _best(cell: str, spans: Sequence[Span], asked: AskedOfRow | None, code: str) -> Span:
    """Return the span with most of what is asked, of equals the first."""
    if asked is None:
        return spans[0]
    return max(spans, key=lambda span: (asked.worth(asked.held(cell[slice(*span)], code)), -span[0]))


def _window(cell: str, start: int, stop: int, asked: AskedOfRow | None, code: str) -> Span:
    """Return the words of a long sentence, as many as are shown, among which most of what is asked is."""
    spans = [(start + first, start + last) for first, last in word_spans(cell[start:stop])]
    held = [asked.held(cell[first:last], code) if asked is not None else frozenset[str]() for first, last in spans]
    starts = [spans[max(at - _LEAD, 0)][0] for at, terms in enumerate(held) if terms] or [start]
    windows = [(first, _fitting(cell, first, stop)) for first in starts]

    def worth(window: Span) -> float:
        inside = (terms for (first, _), terms in zip(spans, held, strict=True) if window[0] <= first < window[1])
        return asked.worth(frozenset[str]().union(*inside)) if asked is not None else 0.0

    return max(windows, key=worth)


def _fitting(cell: str, start: int, stop: int) -> int:
    """Return where the words from `start` on, to `stop` at most, no longer fit."""
    ends = [start + end for _, end in word_spans(cell[start : start + LONGEST_CELL + 1])]
    fits = [end for end in ends if end <= min(start + LONGEST_CELL, stop)]
    return fits[-1] if fits else min(start + LONGEST_CELL, stop)


def _wider(cell: str, start: int, stop: int) -> Span:
    """Return a span with the sentences beside it for which there is room, those before it first."""
    spans = sentence_spans(cell)
    for first, _ in reversed([span for span in spans if span[1] <= start]):
        if stop - first > LONGEST_CELL:
            break
        start = first
    for _, last in (span for span in spans if span[0] >= stop):
        if last - start > LONGEST_CELL:
            break
        stop = last
    return start, stop

"""Texts of documents as pages print them: in parts, with the words that matter marked and what is struck out."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

from octavo.evidence.own_words import page_told
from octavo_documents.document import is_no_page
from octavo_documents.wording import t

_NUMBER = re.compile(r"[-+−–~<>≤≥$€£(]*\d[\d.,:\s]*(?:\^[-−]?\d+)?\s?[%)a-zA-Z°²³¹⁰-⁾ᵃ-ᶿ*†‡]{0,5}$")
_STRUCK = re.compile(r"(?<!~)~~(?=[^\s~])([^\n]*?[^\s~])~~(?!~)")
"""What is struck out in the document: "a ticket costs ~~4~~ 5 euros"."""
_SIGN = len("~~")
_CELLS = " | "
_MOST_BETWEEN = 2
"""Lines in a row that name parts of a table."""
_LONGEST_PART = 80
_HEADS = 2
"""Rows that may be heads."""


@dataclasses.dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text: whether it is marked, and whether it is struck out in the document."""

    text: str
    is_marked: bool = False
    is_struck: bool = False


def unstruck(text: str) -> str:
    """Return a text without the signs around what is struck out, for where it cannot be shown as such."""
    return _STRUCK.sub(r"\1", text)


def spans(text: str) -> tuple[Span, ...]:
    """Return a text of a document in spans, those apart that are struck out."""
    return _spans(text, 0, len(text), ())


def runs(spans: Iterable[Span]) -> list[tuple[bool, list[Span]]]:
    """Return spans that follow each other as one where all are marked, or none is."""
    return [(is_marked, [*run]) for is_marked, run in itertools.groupby(spans, key=lambda one: one.is_marked)]


def standing(page: int, pages: int, label: str) -> str:
    """Return where a page is among those of its document: "page 3 of 44", "sheet Costs (2 of 3)"."""
    name = page_told(page, label if is_no_page(label) else "")
    if not is_no_page(label) or label.rpartition(" ")[2].isdigit():
        return t("{place} of {n}", place=name, n=str(pages))
    return t("{place} ({page} of {n})", place=name, page=str(page), n=str(pages))


@dataclasses.dataclass(frozen=True, slots=True)
class PrintedCell:
    """A table cell; `is_number` says that it stands to the right."""

    spans: tuple[Span, ...]
    is_number: bool


@dataclasses.dataclass(frozen=True, slots=True)
class Part:
    """A paragraph (`spans`) or a table (`rows`, the first of them its head; a row of one cell names a part)."""

    spans: tuple[Span, ...] = ()
    rows: tuple[tuple[PrintedCell, ...], ...] = ()


def parts(text: str, emphasis: Iterable[Sequence[int]] = ()) -> list[Part]:
    """Return a passage's text as paragraphs and tables; `emphasis` is [start, stop) in characters, apart, in order.

    Two or more lines of cells between bars ("a | b") are a table; a short line or two among them names a part of it.
    """
    marked = [(int(start), int(stop)) for start, stop in emphasis]
    found: list[Part] = []
    for is_table, lines in _grouped(text):
        if is_table:
            found.append(Part(rows=_table(text, lines, marked)))
        else:
            found.extend(Part(spans=_spans(text, start, stop, marked)) for start, stop in lines if start < stop)
    return found


def _grouped(text: str) -> Iterator[tuple[bool, list[tuple[int, int]]]]:
    """Yield stretches of lines, and whether they are a table."""
    group: list[tuple[int, int]] = []
    between: list[tuple[int, int]] = []
    at = 0
    for line in text.split("\n"):
        place = (at, at + len(line))
        at += len(line) + 1
        if _CELLS in line:
            group, between = [*group, *between, place], []
        elif group and len(between) < _MOST_BETWEEN and len(line) <= _LONGEST_PART and not line.endswith("."):
            between.append(place)
        else:
            yield len(group) > 1, group
            yield False, [*between, place]
            group, between = [], []
    yield len(group) > 1, group
    yield False, between


def _table(
    text: str, lines: Sequence[tuple[int, int]], marked: Sequence[tuple[int, int]]
) -> tuple[tuple[PrintedCell, ...], ...]:
    """Return the rows of a table, all of one width but those that name a part; heads that are short begin later."""
    rows = [tuple(_cells(text, start, stop, marked)) for start, stop in lines]
    width = max(map(len, rows))
    empty = PrintedCell((), is_number=False)
    found: list[tuple[PrintedCell, ...]] = []
    for at, row in enumerate(rows):
        fill = (empty,) * (width - len(row) if len(row) > 1 else 0)
        found.append((*fill, *row) if at < _HEADS else (*row, *fill))
    return tuple(found)


def _cells(text: str, start: int, stop: int, marked: Sequence[tuple[int, int]]) -> Iterator[PrintedCell]:
    at = start
    for cell in text[start:stop].split(_CELLS):
        yield PrintedCell(_spans(text, at, at + len(cell), marked), _NUMBER.match(unstruck(cell).strip()) is not None)
        at += len(cell) + len(_CELLS)


def _spans(text: str, start: int, stop: int, marked: Sequence[tuple[int, int]]) -> tuple[Span, ...]:
    found: list[Span] = []
    at = start
    for left, right in marked:
        left, right = max(left, at), min(right, stop)
        if left >= right:
            continue
        found += [*_struck_in(text, at, left), *_struck_in(text, left, right, is_marked=True)]
        at = right
    return (*found, *_struck_in(text, at, stop))


def _struck_in(text: str, start: int, stop: int, *, is_marked: bool = False) -> list[Span]:
    """Return a stretch in spans; the signs around what is struck out are left out, which may stand beyond it."""
    found: list[Span] = []
    at = start
    for one in _STRUCK.finditer(text):
        left, right = one.span()
        if right <= at or left >= stop:
            continue
        found.append(Span(text[at:left], is_marked))
        found.append(Span(text[max(at, left + _SIGN) : min(stop, right - _SIGN)], is_marked, is_struck=True))
        at = min(stop, right)
    return [one for one in (*found, Span(text[at:stop], is_marked)) if one.text]

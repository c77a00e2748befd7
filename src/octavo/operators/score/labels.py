"""Labels as they are printed: "Table A.2: Tides", "3.1 Results", "Chapter IV", and page numbers in headers and footers.

Of the numbers in headers and footers those are page numbers that go up from page to page, by one, or by two where a
page of the file shows two of the paper; the file itself may count otherwise.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np

from octavo.document import FURNITURE, BlockTable, Document, Kind
from octavo.text.things import NAMES, NUMBER, canonical, named, number_value

Label = tuple[str, str]
"""What it is and its number: ("figure", "3"), ("appendix", "b")."""
_OPENING = re.compile(rf"\s*({'|'.join(NAMES.values())})[\s-]*({NUMBER})", re.I)
_NUMBER_OPENING = re.compile(r"\s*([A-Z]?\d+(?:\.\d+)*|[A-Z])[.)]?\s")
_TITLES = (Kind.CAPTION, Kind.HEADING, Kind.TITLE)
_NUMBERED_HEADINGS = ("section", "chapter", "appendix")
_NEAR = (1, 2)
"""Pages between two numbers of one count: a page without a number may lie between them."""
_STEPS = (1, 2)
"""What the number goes up by from page to page: a page of the file may show two of the paper."""


def labels_opening(text: str, *, is_heading: bool = False) -> set[Label]:
    """Return the labels a block opens with; a heading "3.1 Results" is section, chapter and appendix 3.1."""
    found = _OPENING.match(text)
    if found:
        return set(spellings(named(found[1]), found[2]))
    numbered = _NUMBER_OPENING.match(text) if is_heading else None
    return {(name, canonical(numbered[1])) for name in _NUMBERED_HEADINGS} if numbered else set()


def spellings(what: str, number: str) -> Iterator[Label]:
    """Yield a label as printed, and with a Roman number in figures: Chapter IV is also chapter 4."""
    plain = canonical(number)
    yield what, plain
    value = number_value(plain)
    if value is not None and len(plain) > 1 and not plain.isdigit():
        yield what, str(value)


def rows_with(blocks: BlockTable, wanted: Iterable[Label]) -> list[int]:
    """Return the rows that open with a wanted label: captions and headings where there are any, else other blocks."""
    wanted = set(wanted)
    if not wanted:
        return []
    found: dict[Label, list[int]] = {}
    for row, text in enumerate(blocks.text):
        for name in labels_opening(text, is_heading=blocks.kind[row] == Kind.HEADING) & wanted:
            found.setdefault(name, []).append(row)
    return [row for rows in found.values() for row in _best(blocks, rows)]


def _best(blocks: BlockTable, rows: list[int]) -> list[int]:
    titles = [row for row in rows if blocks.kind[row] in _TITLES]
    return titles or [row for row in rows if blocks.kind[row] not in FURNITURE]


# Page numbers


def printed_pages(document: Document) -> dict[str, list[int]]:
    """Return the pages (1-based) on which each number is printed as a page number, in the form of `canonical`."""
    said = _printed_numbers(document)
    found: defaultdict[str, list[int]] = defaultdict(list)
    for page, numbers in said.items():
        for number in numbers:
            if _is_counted(page, number, said):
                found[number].append(page)
    return dict(found)


def _printed_numbers(document: Document) -> dict[int, set[str]]:
    """Return the numbers at either end of the headers and footers of each page."""
    said: defaultdict[int, set[str]] = defaultdict(set)
    blocks = document.blocks
    for row in np.flatnonzero(np.isin(blocks.kind, FURNITURE)).tolist():
        words = blocks.text[row].split()
        said[int(blocks.page[row])].update(_numbers(words[:1] + words[-1:]))
    return said


def _numbers(words: list[str]) -> Iterator[str]:
    for word in words:
        plain = canonical(word.strip("|-–—()[]"))
        if number_value(plain) is not None:
            yield plain


def _is_counted(page: int, number: str, said: dict[int, set[str]]) -> bool:
    """Tell whether a page near by has the number that a count with this one would have there."""
    value = number_value(number) or 0
    return any(
        _value_in(said.get(page + away, set()), value + step * away, is_plain=number.isdigit())
        for near in _NEAR
        for away in (near, -near)
        for step in _STEPS
    )


def _value_in(numbers: set[str], value: int, *, is_plain: bool) -> bool:
    return any(number.isdigit() == is_plain and number_value(number) == value for number in numbers)

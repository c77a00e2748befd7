"""Page numbers as they are printed in headers and footers, where the file itself may count otherwise.

Owns which numbers there are page numbers: those that go up from page to page, by one, or by two where a page of the
file shows two of the paper. Knows nothing about questions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from octavo.document import FURNITURE, Document
from octavo.text.things import canonical, number_value

_NEAR = (1, 2)
"""Pages between two numbers of one count: a page without a number may lie between them."""
_STEPS = (1, 2)


def printed_pages(document: Document) -> dict[str, list[int]]:
    """Return the pages (1-based) on which each number is printed as a page number, in the form of `canonical`."""
    said = _said(document)
    found: defaultdict[str, list[int]] = defaultdict(list)
    for page, numbers in said.items():
        for number in numbers:
            if _is_counted(page, number, said):
                found[number].append(page)
    return dict(found)


def _said(document: Document) -> dict[int, set[str]]:
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

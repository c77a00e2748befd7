"""Labels that captions and headings open with: "Table A.2: Tides", "3.1 Results", "Chapter IV".

Owns finding the blocks a label names. Knows nothing about questions or pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from octavo.document import FURNITURE, BlockTable, Kind
from octavo.text.things import NAMES, NUMBER, canonical, named, number_value

Label = tuple[str, str]
"""What it is and its number: ("figure", "3"), ("appendix", "b")."""

_OPENING = re.compile(rf"\s*({'|'.join(NAMES.values())})[\s-]*({NUMBER})", re.I)
_NUMBER_OPENING = re.compile(r"\s*([A-Z]?\d+(?:\.\d+)*|[A-Z])[.)]?\s")
_AFTER_LABEL = " \t\n.:;|()[]–—-"
_TITLES = (Kind.CAPTION, Kind.HEADING, Kind.TITLE)
_NUMBERED_HEADINGS = ("section", "chapter", "appendix")


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

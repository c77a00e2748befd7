"""Rows of pieces that line up and are no table: contents, an index, forms, authors, captions under icons.

Owns what their texts give away. Knows nothing about where they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from octavo.structuring.lines import PageLines

_ENTRY = re.compile(r"[^\W\d_][^\d]*,\s*\d{1,4}(?:[,–-]\s*\d{1,4})*")
_PAGE_NUMBER = re.compile(r"\d{1,4}")


class _Alike:
    """What is no table, chosen by hand."""

    MOST = 0.6  # share of cells that are labels of a form, or entries of an index
    FEWEST_ENTRIES = 5  # rows of contents
    FEWEST_WORDY_ROWS = 4  # rows of a table of words without a header


def is_lookalike(page: PageLines, rows: Sequence[Sequence[int]]) -> bool:
    """Tell rows of lines, each of several, that are no table."""
    texts = [[page.texts[line] for line in row] for row in rows]
    cells = [text for row in texts for text in row]
    if _share(text.endswith(":") for text in cells) > _Alike.MOST or _share(map(_is_entry, cells)) > _Alike.MOST:
        return True
    if sum("@" in text for text in cells) > 1 and len(rows) <= _Alike.FEWEST_ENTRIES:
        return True
    has_numbers = any(letter.isdigit() for text in cells for letter in text)
    is_headed = all(page.looks[line].bold for line in rows[0]) and not all(page.looks[line].bold for line in rows[-1])
    if len(rows) < _Alike.FEWEST_WORDY_ROWS and not has_numbers and not is_headed:
        return True
    return _is_contents(texts)


def _share(claims: Iterable[bool]) -> float:
    held = list(claims)
    return sum(held) / max(len(held), 1)


def _is_entry(text: str) -> bool:
    return bool(_ENTRY.fullmatch(text))


def _is_contents(rows: Sequence[Sequence[str]]) -> bool:
    """Tell titles with page numbers that never fall, from the first row on."""
    if len(rows) < _Alike.FEWEST_ENTRIES or any(len(row) != 2 or not _PAGE_NUMBER.fullmatch(row[1]) for row in rows):
        return False
    pages = [int(row[1]) for row in rows]
    return pages == sorted(pages) and pages[0] < pages[-1] and all(_has_word(row[0]) for row in rows)


def _has_word(text: str) -> bool:
    return any(letter.isalpha() for letter in text)

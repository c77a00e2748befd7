"""Where a text stands in documents as it is typed: a part of a word will do, and case and accents do not count.

A text and what it is looked for in are folded character by character, so that a place in one is a place in the other.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, islice
from typing import TYPE_CHECKING

from octavo.errors import UsageError
from octavo.evidence import Citation
from octavo.evidence.places import DocumentFinds, Finds, Occurrence

if TYPE_CHECKING:
    from octavo.evidence import View

MOST_CHARACTERS = 200
"""Of a text that is looked for."""
MOST_PLACES = 500
"""Places of a document that are told at once."""
MOST_READ, MOST_PAGES = 1_000, 20_000
"""Documents, and their pages, whose text is read for one search."""
_MOST_COUNTED = 10_000
"""Places of a document that are counted."""
_SHORT = 2
"""Letters of a text so short that it begins a word: inside of words "b" stands everywhere."""
_BEFORE, _AFTER = 50, 110
"""Characters that a snippet has before and after the words."""
_BETWEEN = "\x00"
"""Stands between blocks; no text has it, and nothing that is looked for reaches over it."""
_SIGNS = {
    **dict.fromkeys("\u2018\u2019\u201a\u2032\u00b4`", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb\u2033", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
}
_FIRST_WITHOUT_SPACES = "\u0e00"
"""From this character on are the scripts without spaces between words."""


class _Folding(dict[int, str]):
    """A table for `str.translate` that has one character for each, which it works out when a text first has it."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        plain = unicodedata.normalize("NFKD", _SIGNS.get(letter, letter)).lower()
        found = plain[0] if len(plain) == 1 or all(map(unicodedata.combining, plain[1:])) else letter.lower()
        self[code] = found if len(found) == 1 else letter
        return self[code]


_FOLDING = _Folding({0: " "})


def _folded(text: str) -> str:
    """Return a text with as many characters, without case, accents and typography."""
    return text.lower() if text.isascii() and _BETWEEN not in text else text.translate(_FOLDING)


def checked_text(text: str) -> str:
    """Return a text with its white space set right. Raises UsageError where nothing is left, or too much."""
    wanted = " ".join(text.split())
    if not wanted:
        raise UsageError("there is nothing to find: give a word or a part of one")
    if len(wanted) > MOST_CHARACTERS:
        raise UsageError(f"at most {MOST_CHARACTERS} characters are looked for, not {len(wanted):,}")
    return wanted


def _pattern(wanted: str) -> re.Pattern[str]:
    parts = [re.escape(part) for part in _folded(wanted).split()]
    is_short = len(wanted) <= _SHORT and wanted[0].isalnum() and wanted[0] < _FIRST_WITHOUT_SPACES
    return re.compile((r"\b" if is_short else "") + r"[\s|]+".join(parts))


class FoundText:
    """The text of one document, folded; headers and footers apart, which say the same on each page."""

    def __init__(self, view: View) -> None:
        """Take a view of the document alone."""
        texts: list[str] = [*view.blocks.text]
        is_content: list[bool] = view.is_content.tolist()
        self._body = _Folded([row for row, is_body in enumerate(is_content) if is_body], texts)
        self._margins = _Folded([row for row, is_body in enumerate(is_content) if not is_body], texts)
        self.title: str = view.documents[0].title

    def places(self, pattern: re.Pattern[str], wanted: slice) -> tuple[int, list[tuple[int, int, int]]]:
        """Return how many places there are, and the row, start and stop of some.

        Those in headers and footers count where there are no others.
        """
        count, found = self._body.places(pattern, wanted)
        return (count, found) if count else self._margins.places(pattern, wanted)


class _Folded:
    """Some blocks as one folded text, and where each begins in it."""

    def __init__(self, rows: Sequence[int], texts: Sequence[str]) -> None:
        self._rows = rows
        folded = [_folded(texts[row]) for row in rows]
        self._starts = [0, *accumulate(len(text) + 1 for text in folded)]
        self._whole = _BETWEEN.join(folded)

    def places(self, pattern: re.Pattern[str], wanted: slice) -> tuple[int, list[tuple[int, int, int]]]:
        spans = [found.span() for found in islice(pattern.finditer(self._whole), _MOST_COUNTED)]
        return len(spans), [self._located(start, stop) for start, stop in spans[wanted]]

    def _located(self, start: int, stop: int) -> tuple[int, int, int]:
        at = bisect_right(self._starts, start) - 1
        return self._rows[at], start - self._starts[at], stop - self._starts[at]


def found_in(view: View, text: str, *, limit: int, start: int, is_complete: bool) -> Finds:
    """Look for a text in the titles, names and words of the documents of a view: see `Corpus.find`."""
    if not 1 <= limit <= MOST_PLACES:
        raise UsageError(f"limit is 1 to {MOST_PLACES}, not {limit}")
    pattern = _pattern(text)
    found = [
        one
        for at, held in enumerate(view.each(FoundText))
        if (one := _of_document(view, at, held, pattern, slice(start, start + limit))) is not None
    ]
    found.sort(key=lambda one: (not (one.in_title or one.in_name), -one.total))
    return Finds(text, tuple(found), sum(one.total for one in found), len(view.documents), is_complete)


def _of_document(view: View, at: int, held: FoundText, pattern: re.Pattern[str], wanted: slice) -> DocumentFinds | None:
    name, document = view.names[at], view.documents[at]
    in_title, in_name = (tuple(one.span() for one in pattern.finditer(_folded(text))) for text in (held.title, name))
    count, places = held.places(pattern, wanted)
    if not (count or in_title or in_name):
        return None
    first = int(view.row_starts[at])
    shown = tuple(_occurrence(view, first + row, start, stop) for row, start, stop in places)
    return DocumentFinds(document.id, name, held.title, in_title, in_name, count, shown)


def _occurrence(view: View, row: int, start: int, stop: int) -> Occurrence:
    """Return a place with the words around it, cut between words."""
    text: str = view.blocks.text[row]
    first, last = max(0, start - _BEFORE), min(len(text), stop + _AFTER)
    if first:
        first = next((at + 1 for at in range(first, start) if text[at].isspace()), first)
    if last < len(text):
        last = next((at for at in range(last, stop, -1) if text[at].isspace()), last)
    before, after = "…" if first else "", "…" if last < len(text) else ""
    shift = len(before) - first
    snippet = f"{before}{text[first:last]}{after}"
    return Occurrence(Citation.between(view, row, start, stop), snippet, start + shift, stop + shift)

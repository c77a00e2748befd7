"""References in a question: "on page 5", "the last slide", "Table 2", "section 3.1".

Owns what such words point to. Knows nothing about search.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator

import numpy as np

from octavo.document import FURNITURE, Document, Evidence, Kind, Query, View
from octavo.operators.base import Step
from octavo.operators.run import Run

NAMED = "named"
"""The column of blocks the question names: 1 for a page it names, 0.5 for the page of a figure, table or section."""

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_PAGE = r"(?:pages?|slides?)"
_NUMBERED = re.compile(rf"\b{_PAGE}\s*(?:numbers?|no\.?|#)?\s*(\d{{1,4}})(?:\s*(-|–|to|and|&)\s*(\d{{1,4}}))?", re.I)
_ORDINAL = re.compile(rf"\b({'|'.join(_ORDINALS)})\s+{_PAGE}\b", re.I)
_LAST = re.compile(rf"\b(?:last|final)\s+{_PAGE}\b", re.I)
_LAST_BUT_ONE = re.compile(
    rf"\b(?:second[\s-]+(?:to[\s-]+)?last|last but one|penultimate)\s+{_PAGE}\b|\b{_PAGE} at the second last\b", re.I
)
_FRONT = re.compile(rf"\b(?:cover|title|front)\s+{_PAGE}\b", re.I)
_WIDEST_RANGE = 20
"""Pages; a longer range is read as its two ends."""

_NAMES = {"figure": "fig", "fig": "fig", "table": "tab", "tab": "tab", "exhibit": "exh", "chart": "cha"}
_PLACES = {"appendix": "app", "section": "sec", "chapter": "cha", "part": "par", "unit": "uni", "step": "ste"}
_WORD = {**_NAMES, **_PLACES, "box": "box", "note": "not", "item": "ite", "equation": "equ", "question": "que"}
_NUMBER = r"((?:(?-i:[A-Z])\.?)?\d+(?:[.-]\d+)*(?-i:[a-z])?|(?-i:[A-Z])|(?-i:[IVX]{1,5}))(?![\w-])"
_LABEL = re.compile(rf"\b({'|'.join(_WORD)})\.?\s*{_NUMBER}", re.I)
_LABEL_OPENING = re.compile(rf"\s*({'|'.join(_WORD)})\.?\s*{_NUMBER}", re.I)
_NUMBER_OPENING = re.compile(r"\s*([A-Z]?\d+(?:\.\d+)*|[A-Z])[.)]?\s")


@dataclasses.dataclass(frozen=True)
class Refer(Step[Query, Evidence]):
    """Find the blocks on pages that the question names by number, place or label; none when it names none."""

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return content blocks of the named pages with the column `named`."""
        view = using.view
        score = np.zeros(int(view.page_starts[-1]))
        for row in _labelled(view, set(_labels(value.question))):
            score[view.page_index[row]] = 0.5
        for at, document in enumerate(view.documents):
            for page in named_pages(value.question, document):
                score[view.page_starts[at] + page - 1] = 1.0
        rows = np.flatnonzero((score[view.page_index] > 0) & view.is_content)
        return Evidence.of(view, rows, source=NAMED, **{NAMED: score[view.page_index[rows]]})


def named_pages(question: str, document: Document) -> list[int]:
    """Return the physical pages (1-based, ascending) a question names, by number, printed label or place."""
    count = len(document.pages)
    numbers = {str(number) for number in _numbers(question)}
    printed = {page for page, label in enumerate(document.pages.label, 1) if label in numbers}
    physical = {int(number) for number in numbers} | set(_by_place(question, count))
    return sorted(page for page in printed | physical if 1 <= page <= count)


def _numbers(question: str) -> Iterator[int]:
    for found in _NUMBERED.finditer(question):
        first = int(found[1])
        last = int(found[3]) if found[3] else first
        is_range = found[2] in ("-", "–", "to") and first <= last <= first + _WIDEST_RANGE
        yield from range(first, last + 1) if is_range else (first, last)


def _by_place(question: str, count: int) -> Iterator[int]:
    if _LAST_BUT_ONE.search(question):
        yield count - 1
    elif _LAST.search(question):
        yield count
    if _FRONT.search(question):
        yield 1
    yield from (_ORDINALS.index(found[1].lower()) + 1 for found in _ORDINAL.finditer(question))


def _labels(text: str) -> Iterator[tuple[str, str]]:
    """Yield what a question calls by label: "Figure 3" gives ("fig", "3")."""
    for found in _LABEL.finditer(text):
        yield _WORD[found[1].lower()], found[2].lower()


def _labelled(view: View, wanted: Iterable[tuple[str, str]]) -> Iterator[int]:
    """Yield the rows that open with a wanted label: captions and headings where there are any, else other blocks."""
    blocks = view.blocks
    wanted = set(wanted)
    if not wanted:
        return
    found: dict[tuple[str, str], list[int]] = {}
    for row, text in enumerate(blocks.text):
        label = _opening(text, is_heading=blocks.kind[row] == Kind.HEADING)
        for name in label & wanted:
            found.setdefault(name, []).append(row)
    for rows in found.values():
        titles = [row for row in rows if blocks.kind[row] in (Kind.CAPTION, Kind.HEADING, Kind.TITLE)]
        yield from titles or [row for row in rows if blocks.kind[row] not in FURNITURE]


def rows_labelled(view: View, question: str) -> list[int]:
    """Return the rows that open with a label the question has, such as "Figure 3"."""
    return list(_labelled(view, set(_labels(question))))


def labels_opening(text: str) -> set[tuple[str, str]]:
    """Return the labels a caption or heading opens with: "Table A.2: Tides" gives ("tab", "a.2")."""
    return _opening(text, is_heading=False)


def _opening(text: str, *, is_heading: bool) -> set[tuple[str, str]]:
    """Return the labels a block opens with; a heading "3.1 Results" is section 3.1 and chapter 3.1."""
    found = _LABEL_OPENING.match(text)
    if found:
        return {(_WORD[found[1].lower()], found[2].lower())}
    numbered = _NUMBER_OPENING.match(text) if is_heading else None
    return {(name, numbered[1].lower()) for name in ("sec", "cha", "app")} if numbered else set()

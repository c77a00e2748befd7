"""A group of lines to a block of running text: paragraph, list item, caption, code.

Owns what a group's first characters and type say about its kind. Knows nothing about other blocks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from octavo.document import Kind
from octavo.structuring import markers
from octavo.structuring.breaks import Words
from octavo.structuring.drafts import Draft, draft
from octavo.structuring.lines import PageLines


class _Formula:
    """What a displayed formula is told by, chosen by hand, and how code is indented."""

    CODE_WIDTH = 0.6  # width of a letter of code in ems; a typographic convention
    LONGEST_FORMULA = 120  # characters
    SHORT_FORMULA = 40  # characters of a formula without a symbol besides its relation


_RELATION = re.compile(r"\S\s*[=≈≤≥∝≡→]\s*\S")
_SYMBOL = re.compile(r"[Α-Ωα-ω∑∏∫√∞±×·∂∇∈½⅓¼^|/+−]")
_PLACE = re.compile(r"https?:|www\.|\w@\w")
_LED = re.compile(r"(?:[.·…_]\s?){4,}\s*(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]-?\d{1,3})?\s*\Z")
"""The end of a line of contents: a list of figures has labels, and is no caption."""
_WORD = re.compile(r"[^\W\d_]{4,}")


def running_text(page: PageLines, lines: Sequence[int], words: Words, *, column: int) -> Draft:
    """Return the draft of one group of lines in reading order."""
    block = draft(Kind.PARAGRAPH, page, lines, words, column=column)
    if block.look.monospace and " " in block.text:
        block.kind = Kind.CODE
        block.text = _indented(page, lines)
    elif _is_formula(block.text):
        block.kind = Kind.FORMULA
    elif markers.caption(block.text) and not _LED.search(block.text):
        block.kind = Kind.CAPTION
    elif markers.bullet(block.text) or markers.enumeration(block.text) or markers.caption(block.text):
        block.kind, block.level = Kind.LIST_ITEM, 1
    return block


def _is_formula(text: str) -> bool:
    """Tell a displayed formula: short, with a relation, and hardly any words."""
    if len(text) > _Formula.LONGEST_FORMULA or not _RELATION.search(text) or _PLACE.search(text):
        return False
    words = _WORD.findall(text)
    return len(words) <= 1 and bool(_SYMBOL.search(text) or len(text) < _Formula.SHORT_FORMULA)


def _indented(page: PageLines, lines: Sequence[int]) -> str:
    """Return lines of code with their indentation in spaces, from where they stand."""
    left = min(float(page.places[row, 0]) for row in lines)
    width = _Formula.CODE_WIDTH * max(page.looks[lines[0]].size, 1.0)
    return "\n".join(" " * round((float(page.places[row, 0]) - left) / width) + page.texts[row] for row in lines)

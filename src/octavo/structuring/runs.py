"""A group of lines to a block of running text: paragraph, list item, caption, code.

Owns what a group's first characters and type say about its kind. Knows nothing about other blocks.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.document import Kind
from octavo.structuring import markers
from octavo.structuring.breaks import Words
from octavo.structuring.drafts import Draft, draft
from octavo.structuring.lines import PageLines

_CODE_WIDTH = 0.6


def running_text(page: PageLines, lines: Sequence[int], words: Words, *, column: int) -> Draft:
    """Return the draft of one group of lines in reading order."""
    block = draft(Kind.PARAGRAPH, page, lines, words, column=column)
    if block.look.monospace and " " in block.text:
        block.kind = Kind.CODE
        block.text = _indented(page, lines)
    elif markers.caption(block.text):
        block.kind = Kind.CAPTION
    elif markers.bullet(block.text) or markers.enumeration(block.text):
        block.kind, block.level = Kind.LIST_ITEM, 1
    return block


def _indented(page: PageLines, lines: Sequence[int]) -> str:
    """Return lines of code with their indentation in spaces, from where they stand."""
    left = min(float(page.places[row, 0]) for row in lines)
    width = _CODE_WIDTH * max(page.looks[lines[0]].size, 1.0)
    return "\n".join(" " * round((float(page.places[row, 0]) - left) / width) + page.texts[row] for row in lines)

"""Headings and their levels over a whole document.

Owns the cascade: the file's own outline, then numbering and type. Knows nothing about layout.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from octavo.document import Kind
from octavo.parsing.content import SourceContent
from octavo.structuring import markers
from octavo.structuring.drafts import Draft

_LONGEST = 160
_LARGER = 1.12


@dataclass(frozen=True, slots=True)
class Style:
    """A look coarse enough that headings of one level share it."""

    size: float
    bold: bool
    caps: bool


def set_headings(pages: Sequence[list[Draft]], content: SourceContent, body: float) -> None:
    """Turn the drafts that are headings into headings with levels."""
    drafts = [item for page in pages for item in page]
    weights: Counter[bool] = Counter()
    for item in drafts:
        if item.kind == Kind.PARAGRAPH and abs(item.look.size - body) < 0.6:
            weights[item.look.bold] += len(item.text)
    body_bold = weights[True] > weights[False]
    found = [item for item in drafts if _is_candidate(item, body, body_bold)]
    styles = sorted({_style(item) for item in found}, key=lambda style: (-style.size, not style.bold, not style.caps))
    ranks = {style: min(rank + 1, 6) for rank, style in enumerate(styles)}
    for item in found:
        number = markers.numbering(item.text)
        item.kind = Kind.HEADING
        item.level = number.depth if number and number.scheme == "arabic" else ranks[_style(item)]


def _style(item: Draft) -> Style:
    return Style(round(item.look.size), item.look.bold, item.text.isupper())


def _is_candidate(item: Draft, body: float, body_bold: bool) -> bool:  # noqa: FBT001
    if item.kind not in (Kind.PARAGRAPH, Kind.LIST_ITEM) or len(item.text) > _LONGEST or markers.bullet(item.text):
        return False
    if not re.search(r"[^\W\d_]{2}", item.text) or (item.text.endswith((".", ",", ";")) and len(item.text) > 40):
        return False
    return item.look.size >= _LARGER * body or (item.look.bold and not body_bold and item.look.size > 0.9 * body)

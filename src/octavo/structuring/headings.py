"""Headings and their levels over a whole document.

Owns the cascade: the file's own outline, then titles of slides, then numbering and type. Knows nothing about layout.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.document import Kind
from octavo.parsing.content import SourceContent
from octavo.structuring.candidates import Candidate, body_of, candidates
from octavo.structuring.contents import contents_entries
from octavo.structuring.drafts import Draft
from octavo.structuring.levels import levels

_FURNITURE = (Kind.PAGE_HEADER, Kind.PAGE_FOOTER)


def set_headings(pages: Sequence[list[Draft]], content: SourceContent) -> None:
    """Turn the drafts that are headings into headings with levels, and that of the document's title into a title."""
    drafts = [item for page in pages for item in page]
    body = body_of(drafts)
    entries, titles = contents_entries(pages)
    for item in drafts:
        if id(item) in entries and item.kind == Kind.PARAGRAPH:
            item.kind, item.level = Kind.LIST_ITEM, 1
    found = candidates([item for item in drafts if id(item) not in entries], body, titles)
    found = _without_title(found, pages)
    for candidate, level in zip(found, levels(found), strict=True):
        candidate.item.kind, candidate.item.level = Kind.HEADING, level


def _without_title(found: list[Candidate], pages: Sequence[list[Draft]]) -> list[Candidate]:
    """Make the largest heading of the first page the document's title when no other is as large; return the rest."""
    first = [candidate for candidate in found if candidate.item.page == 0]
    if not first:
        return found
    largest = max(first, key=lambda candidate: candidate.style.size)
    later = [candidate.style.size for candidate in found if candidate.item.page > 0]
    alone = sum(1 for candidate in first if candidate.style.size == largest.style.size) == 1
    if largest.number is None and alone and largest.style.size >= max(later, default=0.0):
        largest.item.kind, largest.item.level = Kind.TITLE, 0
        return [candidate for candidate in found if candidate is not largest]
    return found

"""The file's own outline, matched with the blocks of its pages.

Owns the tolerant match of bookmark titles with text. Knows nothing about type or numbering.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from functools import lru_cache

from octavo.document import FURNITURE, Kind
from octavo.parsing.content import OutlineEntry, SourceContent
from octavo.structuring import markers
from octavo.structuring.drafts import Draft
from octavo.structuring.headings.contents import plain
from octavo.structuring.headings.cut_and_join import cut, title_inside


class _Match:
    """When a text is an entry's title, chosen by hand."""

    LIKE = 0.85  # likeness (0..1)
    SHORTEST = 3  # letters of a title inside another


_NOT_TITLES = (*FURNITURE, Kind.FIGURE, Kind.CHART)


def matched(
    outline: Sequence[OutlineEntry], pages: Sequence[list[Draft]], content: SourceContent, listed: set[int]
) -> dict[int, int]:
    """Return the outline's level for each draft (by id) that is the heading of an entry; `listed` are left out.

    An entry is looked for on its page, then on the next and the one before. Each draft serves one entry. A title that
    stands inside a block is cut out of it, so the lists in `pages` may get longer.
    """
    found: dict[int, int] = {}
    missing: list[OutlineEntry] = []
    for entry in outline:
        best = _whole(entry, pages, listed | found.keys())
        if best is not None:
            found[id(best)] = entry.level
        elif plain(entry.title):
            missing.append(entry)
    running = Counter(plain(item.text) for page in pages for item in page if item.kind in FURNITURE)
    for entry in missing:
        inner = _inner(entry, pages, listed | found.keys(), content) or _at_edge(entry, pages, running)
        if inner is not None:
            found[id(inner)] = entry.level
    return found


def _near(entry: OutlineEntry, pages: Sequence[list[Draft]]) -> list[int]:
    """Return indices of the pages on which the words of an entry may stand, the likeliest first."""
    return [number - 1 for number in (entry.page, entry.page + 1, entry.page - 1) if 1 <= number <= len(pages)]


def _whole(entry: OutlineEntry, pages: Sequence[list[Draft]], taken: Set[int]) -> Draft | None:
    title = plain(entry.title)
    if not title:
        return None
    for at in _near(entry, pages):
        free = [item for item in pages[at] if item.kind not in _NOT_TITLES and id(item) not in taken]
        best = _best(_unnumbered(entry.title), entry, free) or _best(title, entry, free)
        if best is not None:
            return best
    return None


def _inner(entry: OutlineEntry, pages: Sequence[list[Draft]], taken: Set[int], content: SourceContent) -> Draft | None:
    """Return the title of an entry cut out of the block it stands in, None when no block has it."""
    for at in _near(entry, pages):
        for item in pages[at]:
            if id(item) in taken:
                continue
            source = content.pages[at]
            for title in (plain(entry.title), _unnumbered(entry.title)):
                place = title_inside(title, item, source)
                if place is not None:
                    return cut(pages[at], item, *place, source)
    return None


def _at_edge(entry: OutlineEntry, pages: Sequence[list[Draft]], running: Counter[str]) -> Draft | None:
    """Return the header or footer on an entry's own page that is its title, when no other page repeats it."""
    if not 1 <= entry.page <= len(pages):
        return None
    lone = [item for item in pages[entry.page - 1] if item.kind in FURNITURE and running[plain(item.text)] == 1]
    return _best(_unnumbered(entry.title), entry, lone)


def _unnumbered(title: str) -> str:
    number = markers.numbering(title)
    return plain(number.title) if number else plain(title)


def _best(title: str, entry: OutlineEntry, drafts: Sequence[Draft]) -> Draft | None:
    """Return the draft that reads most like the title; the nearest to the entry's height among equals."""
    rated = [(_likeness(title, item.text), -_distance(entry, item), -at) for at, item in enumerate(drafts)]
    if not rated:
        return None
    likeness, _, at = max(rated)
    return drafts[-at] if likeness >= _Match.LIKE else None


def _distance(entry: OutlineEntry, item: Draft) -> float:
    return abs(entry.y - item.box[1]) if entry.y is not None else 0.0


def _likeness(title: str, text: str) -> float:
    """Return 0..1: 1 for the same letters, numbers aside; less when one is the start of the other."""
    if len(text) > 3 * len(title) + 40:
        return 0.0
    return max(_ratio(title, form) for form in _forms(text))


@lru_cache(maxsize=4096)
def _forms(text: str) -> tuple[str, str]:
    """Return the letters of a text, with its number and without; entries are compared with all blocks of a page."""
    number = markers.numbering(text)
    return plain(text), plain(number.title) if number else ""


def _ratio(title: str, form: str) -> float:
    if title == form:
        return 1.0
    short, long = sorted((title, form), key=len)
    if len(short) < _Match.SHORTEST or short not in long:
        return 0.0
    return len(short) / len(long)

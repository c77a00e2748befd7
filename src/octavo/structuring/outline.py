"""The file's own outline, matched with the blocks of its pages.

Owns the tolerant match of bookmark titles with text. Knows nothing about type or numbering.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.document import FURNITURE, Kind
from octavo.parsing.content import OutlineEntry
from octavo.structuring import markers
from octavo.structuring.contents import plain
from octavo.structuring.drafts import Draft

_LIKE = 0.85
_SHORTEST = 3
_NOT_TITLES = (*FURNITURE, Kind.FIGURE, Kind.CHART)


def matched(outline: Sequence[OutlineEntry], pages: Sequence[Sequence[Draft]], listed: set[int]) -> dict[int, int]:
    """Return the outline's level for each draft (by id) that is the heading of an entry; `listed` are left out.

    An entry is looked for on its page, then on the next and the one before. Each draft serves one entry.
    """
    found: dict[int, int] = {}
    for entry in outline:
        title = plain(entry.title)
        if not title:
            continue
        for number in (entry.page, entry.page + 1, entry.page - 1):
            if not 1 <= number <= len(pages):
                continue
            free = [
                item
                for item in pages[number - 1]
                if item.kind not in _NOT_TITLES and id(item) not in found and id(item) not in listed
            ]
            best = _best(_unnumbered(entry.title), entry, free) or _best(title, entry, free)
            if best is not None:
                found[id(best)] = entry.level
                break
    return found


def _unnumbered(title: str) -> str:
    number = markers.numbering(title)
    return plain(number.title) if number else plain(title)


def _best(title: str, entry: OutlineEntry, drafts: Sequence[Draft]) -> Draft | None:
    """Return the draft that reads most like the title; the nearest to the entry's height among equals."""
    rated = [(_likeness(title, item.text), -_distance(entry, item), -at) for at, item in enumerate(drafts)]
    if not rated:
        return None
    likeness, _, at = max(rated)
    return drafts[-at] if likeness >= _LIKE else None


def _distance(entry: OutlineEntry, item: Draft) -> float:
    return abs(entry.y - item.box[1]) if entry.y is not None else 0.0


def _likeness(title: str, text: str) -> float:
    """Return 0..1: 1 for the same letters, numbers aside; less when one is the start of the other."""
    if len(text) > 3 * len(title) + 40:
        return 0.0
    number = markers.numbering(text)
    forms = (plain(text), plain(number.title) if number else "")
    return max(_ratio(title, form) for form in forms)


def _ratio(title: str, form: str) -> float:
    if title == form:
        return 1.0
    short, long = sorted((title, form), key=len)
    if len(short) < _SHORTEST or short not in long:
        return 0.0
    return len(short) / len(long)

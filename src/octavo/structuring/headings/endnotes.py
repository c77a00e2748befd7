"""Numbered notes to accounts ("Note 3. Inventories") as sections: where they belong, and what belongs to them.

Owns how levels shift there. Knows nothing about type or other numbering.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from octavo.structuring.headings.candidates import Candidate

_HEAD = re.compile(r"(?:\d+\.?\s+)?notes? (?:to|on|forming) .*(?:statements?|accounts?)\b.*", re.I)
_FEWEST = 3


def with_notes(found: Sequence[Candidate], levels: Sequence[int]) -> list[int]:
    """Return the levels with those of notes, and of what stands in a note, put under what they belong to.

    Notes go under the heading "Notes to ...", else under the items of a filing, else stay where their type puts them.
    Until a higher section starts, what is set less prominently than notes or has a letter goes under the note.
    """
    notes = {at for at, candidate in enumerate(found) if _word(candidate) == "note"}
    if len(notes) < _FEWEST:
        return list(levels)
    own = _level(found, levels, notes)
    chosen: list[int] = []
    note: Candidate | None = None
    for at, (candidate, level) in enumerate(zip(found, levels, strict=True)):
        if at in notes:
            note = candidate
            chosen.append(own)
        elif note is not None and _is_inside(candidate, note):
            chosen.append(max(level, own + 1))
        else:
            note = None
            chosen.append(level)
    return chosen


def _word(candidate: Candidate) -> str:
    return candidate.number.word if candidate.number else ""


def _level(found: Sequence[Candidate], levels: Sequence[int], notes: set[int]) -> int:
    first = min(notes)
    heads = [levels[at] for at in range(first) if _HEAD.fullmatch(found[at].item.text)]
    if heads:
        return heads[-1] + 1
    items = [level for candidate, level in zip(found, levels, strict=True) if _word(candidate) == "item"]
    return max(items, default=levels[first] - 1) + 1


def _is_inside(candidate: Candidate, note: Candidate) -> bool:
    if candidate.number is not None:
        return not candidate.number.word and candidate.number.scheme == "letter"
    return candidate.style.prominence < note.style.prominence

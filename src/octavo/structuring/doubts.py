"""Which candidates are no headings after all, judged by what stands around them and by each other.

Owns these doubts. Knows nothing about levels or outlines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from octavo.document import Kind
from octavo.structuring.candidates import ENOUGH, Body, Candidate, Style, style_of
from octavo.structuring.contents import plain
from octavo.structuring.drafts import Draft

_FEWEST_IN_SEQUENCE = 3
_FEWEST_LISTED = 3


def without_doubtful(found: Sequence[Candidate], drafts: Sequence[Draft], body: Body) -> list[Candidate]:
    """Return the candidates that stand as headings stand; `drafts` are all blocks in order."""
    return _consistent(_in_sequence(_alone(_not_listed(found, drafts), drafts)), drafts, body)


def _not_listed(found: Sequence[Candidate], drafts: Sequence[Draft]) -> list[Candidate]:
    """Drop runs of candidates with nothing between them that come again later: a chapter's own list of sections."""
    place = {id(item): at for at, item in enumerate(drafts)}
    last = {plain(candidate.item.text): at for at, candidate in enumerate(found)}
    runs: list[list[int]] = []
    for at, candidate in enumerate(found):
        follows = runs and place[id(candidate.item)] == place[id(found[at - 1].item)] + 1
        if follows:
            runs[-1].append(at)
        else:
            runs.append([at])
    listed: set[int] = set()
    for run in runs:
        again = [at for at in run if last[plain(found[at].item.text)] > at]
        if len(again) >= _FEWEST_LISTED and len(again) >= 0.5 * len(run):
            listed.update(again)
    return [candidate for at, candidate in enumerate(found) if at not in listed]


def _alone(found: list[Candidate], drafts: Sequence[Draft]) -> list[Candidate]:
    """Drop candidates that have another block of their column beside them, as heads of table columns have."""
    columns: dict[tuple[int, int], list[Draft]] = {}
    for item in drafts:
        columns.setdefault((item.page, item.column), []).append(item)
    return [
        candidate
        for candidate in found
        if not any(_is_beside(candidate.item, other) for other in columns[candidate.item.page, candidate.item.column])
    ]


def _is_beside(item: Draft, other: Draft) -> bool:
    a, b = item.box, other.box
    overlap = min(a[3], b[3]) - max(a[1], b[1])
    return item is not other and overlap > 0.5 * min(a[3] - a[1], b[3] - b[1]) and (b[0] >= a[2] or a[0] >= b[2])


def _in_sequence(found: list[Candidate]) -> list[Candidate]:
    """Drop weak numbered candidates unless several of their style count on from each other."""
    followed: Counter[tuple[Style, str]] = Counter()
    last: dict[tuple[Style, str], int] = {}
    for candidate in found:
        if candidate.number:
            key = candidate.style, candidate.number.scheme
            value = candidate.number.last
            followed[key] += value in (1, last.get(key, 0) + 1)
            last[key] = value
    return [
        candidate
        for candidate in found
        if candidate.score >= ENOUGH
        or (candidate.number and followed[candidate.style, candidate.number.scheme] >= _FEWEST_IN_SEQUENCE)
    ]


def _consistent(found: list[Candidate], drafts: Sequence[Draft], body: Body) -> list[Candidate]:
    """Drop candidates whose style mostly sets running text, as in a box or a quotation."""
    inside: Counter[Style] = Counter()
    outside: Counter[Style] = Counter()
    chosen = {id(candidate.item) for candidate in found}
    for item in drafts:
        if item.kind in (Kind.PARAGRAPH, Kind.LIST_ITEM):
            (inside if id(item) in chosen else outside)[style_of(item, body)] += len(item.text)
    return [
        candidate
        for candidate in found
        if candidate.number or outside[candidate.style] <= 2.5 * inside[candidate.style] or candidate.score >= 4.5
    ]

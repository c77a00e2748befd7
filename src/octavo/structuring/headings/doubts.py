"""Which candidates are no headings after all, judged by what stands around them and by each other.

Owns these doubts. Knows nothing about levels or outlines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from octavo.document import Kind
from octavo.structuring.drafts import Draft
from octavo.structuring.headings.candidates import ENOUGH, Body, Candidate, Style, is_section_name, style_of
from octavo.structuring.headings.contents import plain

_FEWEST_IN_SEQUENCE = 3
_FEWEST_LISTED = 3
_FEWEST_IN_RUN = 4
_FEWEST_LATER = 8
_FEWEST_NUMBERED = 8
_MOSTLY_NUMBERED = 0.4
_OWED_TO_NUMBER = 1.5


def without_doubtful(found: Sequence[Candidate], drafts: Sequence[Draft], body: Body) -> list[Candidate]:
    """Return the candidates that stand as headings stand; `drafts` are all blocks in order."""
    found = _alone(_apart(_not_listed(found, drafts), drafts), drafts)
    return _consistent(_of_a_kind(_not_of_cover(_in_sequence(_counting(found)))), drafts, body)


def _not_of_cover(found: list[Candidate]) -> list[Candidate]:
    """Drop what stands on the first page in a style that no later heading of a long document has."""
    later = Counter(candidate.style for candidate in found if candidate.item.page > 0)
    if later.total() < _FEWEST_LATER:
        return found
    return [
        candidate
        for candidate in found
        if candidate.item.page > 0
        or candidate.number
        or later[candidate.style]
        or is_section_name(candidate.item.text)
        or candidate.vouched
    ]


def _apart(found: Sequence[Candidate], drafts: Sequence[Draft]) -> list[Candidate]:
    """Drop runs of unnumbered candidates of one style with nothing between them: lists of names, labels in a figure."""
    place = {id(item): at for at, item in enumerate(drafts)}
    runs: list[list[Candidate]] = []
    for candidate in found:
        before = runs[-1][-1] if runs else None
        goes_on = (
            before is not None
            and place[id(before.item)] + 1 == place[id(candidate.item)]
            and before.style == candidate.style
            and before.item.page == candidate.item.page
            and before.number is None
            and candidate.number is None
        )
        if goes_on:
            runs[-1].append(candidate)
        else:
            runs.append([candidate])
    return [candidate for run in runs for candidate in run if len(run) < _FEWEST_IN_RUN]


def _counting(found: Sequence[Candidate]) -> list[Candidate]:
    """Drop candidates that live by a number of several parts which follows no other ("85.9 tons")."""
    numbers = {candidate.number.parts for candidate in found if candidate.number}
    kept: list[Candidate] = []
    for candidate in found:
        number = candidate.number
        if number and number.depth > 1 and not number.word and candidate.score < ENOUGH + _OWED_TO_NUMBER:
            before = (*number.parts[:-1], str(number.last - 1))
            if number.last > 1 and before not in numbers and number.parts[:-1] not in numbers:
                continue
        kept.append(candidate)
    return kept


def _of_a_kind(found: list[Candidate]) -> list[Candidate]:
    """Where sections are numbered, drop what stands between them in a style few headings have: text in figures."""
    places = [at for at, candidate in enumerate(found) if candidate.number and candidate.score >= ENOUGH]
    if len(places) < _FEWEST_NUMBERED or len(places) < _MOSTLY_NUMBERED * len(found):
        return found
    styles = Counter(candidate.style for candidate in found)
    numbered = {found[at].style for at in places}
    return [
        candidate
        for at, candidate in enumerate(found)
        if candidate.number
        or not places[0] < at < places[-1]
        or candidate.style in numbered
        or styles[candidate.style] >= _FEWEST_IN_SEQUENCE
        or is_section_name(candidate.item.text)
    ]


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

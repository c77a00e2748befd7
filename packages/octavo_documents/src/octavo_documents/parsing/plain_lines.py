"""Lines of plain text that are no words of its author: running heads of printed pages, signatures of encryption."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

_ARMOUR = re.compile(r"-{5}BEGIN PGP ([A-Z ]+)-{5}\s*")
_SIGNED = "SIGNED MESSAGE"
_NUMBER = re.compile(r"\d+")
_LEAST = 3
"""Times that a line is printed, at least."""
_SHORTEST_PAGE, _LONGEST_PAGE = 20, 120
"""Lines from one to the next."""
_WIDE = re.compile(r"\S\s{3,}\S")
_PARTS = 0.15
"""Share of them that stand in the middle of a sentence."""
_REGULAR = 0.8
"""Share of them that are as far apart as most are, give or take two lines."""


def without_armour(lines: Sequence[str]) -> list[str]:
    """Return lines without the signatures and keys of OpenPGP in them, and without the lines around signed words."""
    kept: list[str] = []
    at = 0
    while at < len(lines):
        found = _ARMOUR.fullmatch(lines[at])
        stop = _armour_end(lines, at, found[1]) if found else at
        if stop == at:
            kept.append(lines[at])
        at = max(stop, at + 1)
    return kept


def _armour_end(lines: Sequence[str], at: int, what: str) -> int:
    """Return the line after what is no text, `at` itself where its end is missing."""
    if what == _SIGNED:
        return next((end + 1 for end in range(at + 1, min(at + 6, len(lines))) if not lines[end].strip()), at)
    end = f"-----END PGP {what}-----"
    return next((last + 1 for last in range(at + 1, len(lines)) if lines[last].strip() == end), at)


def without_running_lines(lines: Sequence[str]) -> list[str]:
    """Return lines without the heads and feet of printed pages, and without the blank lines around these.

    Such a line stands alone, again and again as far apart as a page is long, the same but for the number of the page,
    which goes up. It has parts that stand wide apart, or parts sentences. These are together again.
    """
    regular = [group for group in _repeated(lines) if _is_regular(lines, group)]
    all_rows = frozenset(row for group in regular for row in group)
    rows = sorted({row for group in regular if _is_running(lines, group, all_rows) for row in group})
    if not rows:
        return [*lines]
    kept: list[str] = []
    at = 0
    for first, last in _runs(lines, rows):
        kept.extend(_trimmed(lines[at:first]))
        goes_on = bool(kept) and _goes_on(kept[-1], next((line for line in lines[last:] if line.strip()), ""))
        kept.extend([] if goes_on else [""])
        at = last
        while at < len(lines) and not lines[at].strip():
            at += 1
    return [*kept, *lines[at:]]


def _repeated(lines: Sequence[str]) -> list[list[int]]:
    """Return the rows of lines that stand alone and are the same but for numbers and white space."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for row, line in enumerate(lines):
        beside = (*lines[max(row - 1, 0) : row], *lines[row + 1 : row + 2])
        if line.strip() and not any(map(str.strip, beside)):
            groups[_NUMBER.sub("0", " ".join(line.split()))].append(row)
    return [rows for rows in groups.values() if len(rows) >= _LEAST]


def _is_regular(lines: Sequence[str], rows: Sequence[int]) -> bool:
    apart = [after - before for before, after in pairwise(rows)]
    usual = Counter(apart).most_common(1)[0][0]
    near = sum(abs(one - usual) <= 2 for one in apart)
    if not (_SHORTEST_PAGE <= usual <= _LONGEST_PAGE and near >= _REGULAR * len(apart)):
        return False
    numbers = [[int(found) for found in _NUMBER.findall(lines[row])[:8]] for row in rows]
    columns = [*zip(*numbers, strict=False)]
    return all(len({*column}) == 1 or all(after > before for before, after in pairwise(column)) for column in columns)


def _is_running(lines: Sequence[str], rows: Sequence[int], others: frozenset[int]) -> bool:
    """Return whether regular lines are of pages, not of records; `others` are all rows that may be such lines."""
    if _WIDE.search(lines[rows[0]].strip()):
        return True
    texts = [row for row, line in enumerate(lines) if line.strip() and row not in others]
    places = (bisect(texts, row) for row in rows)
    parted = sum(_goes_on(lines[texts[at - 1]], lines[texts[at]]) for at in places if 0 < at < len(texts))
    return parted >= _PARTS * len(rows)


def _runs(lines: Sequence[str], rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield [first, stop) of running lines with nothing but blank lines between them: a foot and the next head."""
    first = last = rows[0]
    for row in rows[1:]:
        if any(line.strip() for line in lines[last + 1 : row]):
            yield first, last + 1
            first = row
        last = row
    yield first, last + 1


def _trimmed(lines: Sequence[str]) -> Sequence[str]:
    stop = len(lines)
    while stop and not lines[stop - 1].strip():
        stop -= 1
    return lines[:stop]


def _goes_on(before: str, after: str) -> bool:
    """Return whether a sentence goes on from one line to another."""
    return bool(before.strip()) and before.rstrip()[-1] not in ".!?:;" and after.lstrip()[:1].islower()

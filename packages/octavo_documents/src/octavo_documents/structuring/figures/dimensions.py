"""Drawings whose numbers are lengths of what is drawn: "60" over a line that ends at a mark on either side, "R30"."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from octavo_documents.parsing.content import Box, Graphic

_LENGTH = re.compile(r"(?:\d+\s?[x×]\s?)?[RMrØ⌀∅]\s?\d{1,4}(?:[.,]\d+)?")
"""The radius of a corner, the width of a hole, a thread."""
_UNIT = re.compile(
    r"\b(?:dimensions?|measurements?|abmessungen|maße|cotes|medidas|quote)\b.{0,30}\b(?:mm|cm|inch(?:es)?|millimet(?:re|er)s?)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_FEWEST = 2
"""Lines with a mark at either end, or lengths that say so."""
_FEWEST_STEPS = 4
"""Numbers in even steps, which are those of an axis."""
_EVEN = 0.02
"""Difference between such steps, by their size."""
_AT = 2.0
"""Points between the end of a line and its mark."""
_LEAST_MARK = 1.0
"""Points that a mark stands out on either side of its line."""
_MOST_RULES = 400
"""Rules that are looked at: bounds the time on a hostile page."""


def is_dimensioned(rules: Sequence[Graphic], texts: Sequence[str]) -> bool:
    """Return whether numbers are lengths: their texts say so, or `rules` with marks at both ends and nowhere else.

    Numbers in even steps are those of an axis, whatever stands beside them.
    """
    if _has_steps(texts):
        return False
    if any(map(_UNIT.search, texts)) or sum(bool(_LENGTH.fullmatch(text.strip())) for text in texts) >= _FEWEST:
        return True
    boxes = [item.box for item in rules[:_MOST_RULES]]
    return sum(1 for _ in _measured(boxes)) >= _FEWEST


def _has_steps(texts: Sequence[str]) -> bool:
    found = (_NUMBER.fullmatch(text.strip().rstrip("%")) for text in texts)
    values = sorted({float(one[0].replace(",", ".")) for one in found if one})
    steps = [after - before for before, after in itertools.pairwise(values)]
    run = longest = 1
    for before, after in itertools.pairwise(steps):
        run = run + 1 if abs(after - before) <= _EVEN * before else 1
        longest = max(longest, run)
    return longest + 1 >= _FEWEST_STEPS


def _measured(boxes: Sequence[Box]) -> Iterator[Box]:
    """Yield the lines that a mark crosses at either end and none between."""
    for flat in (True, False):
        lines = [box for box in boxes if (box[2] - box[0] > box[3] - box[1]) == flat]
        marks = [box for box in boxes if (box[2] - box[0] > box[3] - box[1]) != flat]
        for line in lines:
            x0, y0, x1, y1 = line if flat else (line[1], line[0], line[3], line[2])
            crossed = [place for mark in marks if (place := _crossing(mark, (y0 + y1) / 2, flat=flat)) is not None]
            inside = [place for place in crossed if x0 - _AT < place < x1 + _AT]
            ends = [place for place in inside if min(abs(place - x0), abs(place - x1)) < _AT]
            if len(inside) == len(ends) and {abs(place - x0) < _AT for place in ends} == {True, False}:
                yield line


def _crossing(mark: Box, height: float, *, flat: bool) -> float | None:
    """Return where a mark crosses a line that lies at a height, None where it does not."""
    x0, y0, x1, y1 = mark if flat else (mark[1], mark[0], mark[3], mark[2])
    return (x0 + x1) / 2 if y0 + _LEAST_MARK < height < y1 - _LEAST_MARK else None

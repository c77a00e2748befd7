"""Dates and quantities in running text: "March 2018", "$4.1 billion", "45 GHz".

Owns which printed values are entities, and when two are one. Knows nothing about names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from octavo.document import Kind
from octavo.layers.entities.extraction import DATE, QUANTITY
from octavo.layers.entities.words import BlockWords
from octavo.text.values import ValueKind, values_in, with_unit

_FISCAL = re.compile(r"(?:fiscal(?:\s+year)?|FY|Q[1-4]|[1-4]Q)\s?'?$")
_CLOCK = re.compile(r"\d{1,2}:\d\d")
_RUNNING = frozenset({Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.CAPTION, Kind.FOOTNOTE})
_PLAIN = re.compile(r"[\s,]+")


def values_of(block: BlockWords) -> Iterator[tuple[int, int, str]]:
    """Yield (start, stop, type) of the dates and of the numbers with units in a block of running text."""
    if block.kind not in _RUNNING or block.apart or not any(map(str.isdigit, block.text)):
        return
    for value in values_in(block.text):
        start, stop = value.start, value.stop
        if value.kind in (ValueKind.YEAR, ValueKind.DATE):
            if not _CLOCK.match(value.text):
                fiscal = _FISCAL.search(block.text, max(0, start - 14), start)
                yield (fiscal.start() if fiscal else start), stop, DATE
        elif value.kind is not ValueKind.NUMBER:
            yield start, stop, QUANTITY
        elif value.text[:1].isdigit() and (printed := with_unit(block.text, value)) != value.text:
            yield start, start + len(printed), QUANTITY


def value_key(name: str) -> str:
    """Return what is equal for a date or quantity printed in two ways: "1,200 km", "1200 km"."""
    return _PLAIN.sub("", name.lower()).replace("percent", "%").replace("–", "-").replace("−", "-")

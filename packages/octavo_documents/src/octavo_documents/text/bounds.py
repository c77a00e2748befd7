"""Words that make a value a bound: "up to 8" and "fewer than 8" are not eight."""

from __future__ import annotations

import re
from functools import cache

from octavo_documents.text.languages import ENGLISH, language, pattern_of

_BEFORE = 40
"""Characters before a value in which the words of its bound stand."""
_BEHIND = re.compile(r"\s+(?:[^\W\d_]+\s+)?or\s+(?:more|less|fewer)\b", re.IGNORECASE)
_OVER = re.compile(
    r"(?:^|\b(?:is|are|was|were|has|have|had|of|with|by|employs?|costs?|counts?|holds?|serves?|takes?)\s+)((?:over|under)\s+)$",
    re.IGNORECASE,
)
"""English words that bound a value, and elsewhere say where something is: "spread over 3 floors"."""
_WHEN = re.compile(
    r"(?:^|[,;:.]\s+|\b(?:and|or|but)\s+)(?:\d{1,3}[.)]\s+)?"
    r"(?:when|whenever|once|as soon as|until|while|where)\b[^,;]*$",
    re.IGNORECASE,
)
"""A clause that a value stands in, up to the value, which says when something holds."""


def bounded_span(text: str, start: int, stop: int, code: str = ENGLISH) -> tuple[int, int]:
    """Return where a value at [start, stop) of a text in a language stands with the words that make it a bound.

    >>> text = "The fleet counts more than 40 boats, of which 5 boats or fewer sail."
    >>> [text[slice(*bounded_span(text, text.index(one), text.index(one) + len(one)))] for one in ("40", "5", "sail")]
    ['more than 40', '5 boats or fewer', 'sail']
    """
    before = text[max(0, start - _BEFORE) : start]
    found = _before(code).search(before)
    if code != ENGLISH:
        return start - len(before) + found.start() if found else start, stop
    over = None if found else _OVER.search(text[:start])
    behind = _BEHIND.match(text, stop)
    begins = start - len(before) + found.start() if found else over.start(1) if over else start
    return begins, behind.end() if behind else stop


def is_bound_of_condition(text: str, start: int, stop: int) -> bool:
    """Return whether a value of an English text only bounds when something holds.

    >>> text = "When there are fewer than 8 members, 2 are added."
    >>> [is_bound_of_condition(text, text.index(one), text.index(one) + 1) for one in "82"]
    [True, False]
    """
    span = bounded_span(text, start, stop)
    return span != (start, stop) and _WHEN.search(text[: span[0]]) is not None


@cache
def _before(code: str) -> re.Pattern[str]:
    spoken = language(code)
    return re.compile(pattern_of(spoken.bounds, spoken) + r"\s+$", re.IGNORECASE)

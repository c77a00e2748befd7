"""Conditions: what a sentence, or a question, says to hold only if something else does."""

from __future__ import annotations

import re

_CONDITION = re.compile(
    r"\b(?:if|unless|provided(?: that)?|in case|in the event|as long as|otherwise)\b[^,;]*", re.IGNORECASE
)


def condition_in(text: str) -> tuple[int, int] | None:
    """Return where the first condition of a text stands, up to the next comma; None where there is none.

    >>> condition_in("The fee is 5 euros if it rains, else 4")
    (19, 30)
    """
    found = _CONDITION.search(text)
    return found.span() if found else None

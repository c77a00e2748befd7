"""Conditions: what a sentence, or a question, says to hold only if something else does."""

from __future__ import annotations

import re

_PROVIDED = (
    r"(?<!\bhas )(?<!\bhave )(?<!\bhad )(?<!\bbeen )(?<!\bbe )(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )"
    r"provided(?: that)?(?!\s+(?:as|at|by|for|from|in|on|to|under|with)\b)"
)
"""What has been provided, or is provided by somebody, is no condition."""
_CONDITION = re.compile(
    rf"\b(?:if|unless|{_PROVIDED}|in case|in the event|as long as|otherwise)\b[^,;]*", re.IGNORECASE
)


def condition_in(text: str) -> tuple[int, int] | None:
    """Return where the first condition of a text stands, up to the next comma; None where there is none.

    >>> condition_in("The fee is 5 euros if it rains, else 4")
    (19, 30)
    >>> condition_in("They had only been provided once a day for five weeks")
    """
    found = _CONDITION.search(text)
    return found.span() if found else None

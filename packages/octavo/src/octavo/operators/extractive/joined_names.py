"""Whether a name is joined to something else by "and" or "or", of which it is one part alone.

"Ian Murdock, and his wife, Debra" answers as a whole, and "the server, the port and Station Name" lists what a window
shows: neither part is an answer by itself. "Built by Ada Lee and restored in 1990" goes on with another predicate.
"""

from __future__ import annotations

from octavo_documents.lazy import lazy_regex

_WORD = r"[^\W\d_][\w'’.-]*"
_OPENS = r"(?:(?:the|an?|his|her|their|its|our|both|also)\s+)?"
_NAME = r"[A-Z][\w'’.&-]*(?:\s[A-Z][\w'’.&-]*){0,4}"
_LEADING_NAME = lazy_regex(_NAME)
_JOINING = r"(?:and|or|&|as well as|together with|along with)"
_PREDICATE = lazy_regex(
    r"(?:\w+ly\s+|later\s+|then\s+|also\s+|now\s+|still\s+|since\s+|in\s+|on\s+|at\s+|by\s+|from\s+|to\s+|for\s+|with\s+"
    r"|is\b|are\b|was\b|were\b|be\b|has\b|have\b|had\b|does\b|do\b|did\b|will\b|would\b|can\b|could\b|may\b|must\b|shall\b"
    r"|should\b|that\b|which\b|who\b|it\b|he\b|she\b|they\b|we\b|you\b|there\b|[a-z]{2,}ed\b)"
)
"""How what is no name or thing goes on after "and"."""
_AFTER = lazy_regex(rf"(?:\s*,?\s+{_JOINING}|\s*&)\s+{_OPENS}")
_SERIES = lazy_regex(rf"(?:,\s+{_OPENS}{_NAME}){{1,8}},?\s+{_JOINING}\s+{_OPENS}(?=[A-Z])")
_BEFORE = lazy_regex(rf"{_WORD}(?:\s*,?\s+{_JOINING}|\s*&)\s+{_OPENS}$")
_OWN_CLAUSE = lazy_regex(r"\s+(?!(?:of|in|at|for|from|and|or|on|to|by|with)\b)[a-z]")
"""A name with a verb right after it begins a clause: "... and Smith came"."""


def is_joined(text: str, start: int, stop: int) -> bool:
    """Return whether the name at characters `[start, stop)` of a sentence is one part of what "and" or "or" joins."""
    return _goes_on(text, stop) or _went_before(text, start, stop)


def _goes_on(text: str, stop: int) -> bool:
    found = _AFTER.match(text, stop) or _SERIES.match(text, stop)
    if found is None or _PREDICATE.match(text, found.end()):
        return False
    other = _LEADING_NAME.match(text, found.end())
    return other is None or not _OWN_CLAUSE.match(text, other.end())


def _went_before(text: str, start: int, stop: int) -> bool:
    return bool(_BEFORE.search(text, 0, start)) and not _OWN_CLAUSE.match(text, stop)

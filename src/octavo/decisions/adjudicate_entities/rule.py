"""A match by letters alone: the one candidate that the name is surely a misspelling or short form of, else none."""

from __future__ import annotations

from collections.abc import Sequence

from octavo.decisions.rules.names import likeness

_SURE = 0.85
_AHEAD = 0.05
"""By how much the best candidate must be more alike than the next."""


def match(name: str, candidates: Sequence[str]) -> int:
    """Return the number, from 1, of the candidate that is the same name; 0 when none is or more than one may be."""
    scores = [likeness(name, candidate) for candidate in candidates]
    ranked = sorted(range(len(scores)), key=lambda at: (-scores[at], at))
    if not ranked or scores[ranked[0]] < _SURE:
        return 0
    is_alone = len(ranked) == 1 or scores[ranked[0]] - scores[ranked[1]] >= _AHEAD
    return ranked[0] + 1 if is_alone else 0

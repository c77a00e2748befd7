"""A match by letters alone: the candidate that is surely the same name, or one of a family that all are; else none."""

from __future__ import annotations

from collections.abc import Sequence

from octavo.decisions.rules.names import likeness

_LIKE = 0.5
"""Candidates less alike than this are no rivals of the best."""
_KIN = 0.75
"""Names this alike, each to the others, are one family: any of them stands for all."""


def match(name: str, candidates: Sequence[str]) -> int:
    """Return the number, from 1, of the candidate that is the same name; 0 when none is or different ones may be."""
    scores = [likeness(name, candidate) for candidate in candidates]
    ranked = sorted(range(len(scores)), key=lambda at: (-scores[at], at))
    if not ranked or scores[ranked[0]] < _KIN:
        return 0
    best = ranked[0]
    rivals = [at for at in ranked[1:] if scores[at] >= _LIKE]
    is_family = all(scores[at] >= _KIN and likeness(candidates[best], candidates[at]) >= _KIN for at in rivals)
    return best + 1 if is_family else 0

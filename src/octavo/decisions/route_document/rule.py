"""Routing without a model: by what retrieval gave each line, and by the words of headings.

Owns when a line is strong enough, which heading to open, and when to give a document up. Knows nothing about documents
or how scores are made.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.decisions.route_document.actions import Actions
from octavo.decisions.route_document.lines import RouteLine, Routing, paths
from octavo.decisions.rules.overlap import coverages, terms_of

_MARGIN = 0.7
"""A line answers that has so much of the strength of the strongest."""
_REFUSED = 0.5
"""A document whose strongest line has less than this is given up: 1 is the best of all documents."""
_TITLES = 0.2
"""What the words of a heading's titles count for beside what stands under it."""
_MOST_EXPANDED = 2


def route(value: Routing) -> Actions:
    """Return what to do: answer with the strong lines, and open headings that promise more than these."""
    strengths = _strengths(value)
    answers, best = _answers(value, strengths)
    promising = [(strengths[at], at) for at, line in enumerate(value.lines) if line.can_expand and line.is_heading]
    opened = sorted(
        ((one, at) for one, at in promising if one > max(best, _REFUSED)), key=lambda pair: (-pair[0], pair[1])
    )
    expand = [value.lines[at].id for _, at in opened[:_MOST_EXPANDED]]
    if answers or expand or value.can_refuse:
        return Actions(answer=answers, expand=expand, refuse=not answers and not expand)
    return _forced(value, strengths)


def _answers(value: Routing, strengths: Sequence[float]) -> tuple[list[int], float]:
    """Return the ids of the lines near the strongest one, none where that is weak, and its strength."""
    visible = [(strengths[at], line.id) for at, line in enumerate(value.lines) if not line.is_heading]
    best = max((strength for strength, _ in visible), default=0.0)
    if best < _REFUSED:
        return [], best
    return [one for strength, one in visible if strength >= _MARGIN * best], best


def _forced(value: Routing, strengths: Sequence[float]) -> Actions:
    """Return the one best action where the document may not be given up."""
    ranked = sorted(range(len(value.lines)), key=lambda at: (-strengths[at], at))
    for at in ranked:
        line = value.lines[at]
        if not line.is_heading:
            return Actions(answer=[line.id])
        if line.can_expand:
            return Actions(expand=[line.id])
    return Actions(refuse=True)


def _strengths(value: Routing) -> list[float]:
    """Return how strong each line is, 0 to about 1: by retrieval where it was asked, else by the words it shares."""
    wanted = terms_of(value.question)
    above = paths(value.lines)
    shares = coverages(
        wanted, [f"{value.document}\n{path}\n{line.text}" for path, line in zip(above, value.lines, strict=True)]
    )
    return [_strength(line, share) for line, share in zip(value.lines, shares, strict=True)]


def _strength(line: RouteLine, share: float) -> float:
    if line.score is None:
        return share
    return line.score + _TITLES * share if line.is_heading else line.score

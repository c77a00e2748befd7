"""Routing without a model: by how good each line is, beside the best of all documents.

Owns when a line is good enough, which heading to open, and when to give a document up. Knows nothing about documents
or how scores are made.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.decisions.route_document.actions import Actions
from octavo.decisions.route_document.lines import Routing, paths
from octavo.decisions.rules.overlap import coverages, terms_of

_ENOUGH = 0.78
"""A line is strong that has so much of the strength of the best: of all documents, where retrieval was asked."""
_NEAR_BEST = 0.97
"""In a document that has no such line, those are strong that have so much of the strength of its own best."""
_REFUSED = 0.3
"""A document whose best line has less than this is given up."""
_MOST_EXPANDED = 3


def route(value: Routing) -> Actions:
    """Return what to do: answer with the strong lines, open headings that hide such, else refuse."""
    strengths = _strengths(value)
    usable = [at for at, line in enumerate(value.lines) if line.can_expand or not line.is_heading]
    best = max((strengths[at] for at in usable), default=0.0)
    bound = min(_ENOUGH, _NEAR_BEST * best) if best >= _REFUSED else _ENOUGH
    strong = [at for at in usable if strengths[at] >= bound]
    answer = [value.lines[at].id for at in strong if not value.lines[at].is_heading]
    closed = [at for at in strong if value.lines[at].is_heading]
    closed.sort(key=lambda at: (-strengths[at], at))
    expand = [value.lines[at].id for at in closed[:_MOST_EXPANDED]]
    if answer or expand or value.can_refuse:
        return Actions(answer=answer, expand=expand, refuse=not answer and not expand)
    return _best(value, strengths)


def _best(value: Routing, strengths: Sequence[float]) -> Actions:
    """Return the one best action where the document may not be given up."""
    for at in sorted(range(len(strengths)), key=lambda at: (-strengths[at], at)):
        line = value.lines[at]
        if not line.is_heading:
            return Actions(answer=[line.id])
        if line.can_expand:
            return Actions(expand=[line.id])
    return Actions(refuse=True)


def _strengths(value: Routing) -> list[float]:
    """Return how strong each line is: its score, and where there is none the words it shares with the question.

    Words are those of the line and of the headings above it, beside those of the line that has most of them.
    """
    wanted = terms_of(value.question)
    texts = [f"{path}\n{line.text}" for path, line in zip(paths(value.lines), value.lines, strict=True)]
    shares = coverages(wanted, texts)
    most = max(shares, default=0.0) or 1.0
    return [share / most if line.score is None else line.score for line, share in zip(value.lines, shares, strict=True)]

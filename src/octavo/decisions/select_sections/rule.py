"""Sections by the words their titles share with the question, those above counting less, and by their scores.

Knows nothing about documents or models.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.decisions.rules.overlap import coverages, terms_of
from octavo.decisions.rules.references import references
from octavo.decisions.select_sections.section import OutlineLine, SectionsInput
from octavo.models.analyzer import analyze

_ABOVE = 0.3
"""What the titles above a section count for."""
_NAMED = 2.0
"""What a section the question names outright is worth: more than any overlap."""


def select(value: SectionsInput) -> list[int]:
    """Return ids, most promising first; where nothing speaks for any, the first ones of the highest level."""
    scores = promise(value)
    ranked = sorted(range(len(scores)), key=lambda at: (-scores[at], at))
    chosen = [value.outline[at].id for at in ranked if scores[at] > 0][: value.limit]
    if chosen or not value.outline:
        return chosen
    top = min(line.depth for line in value.outline)
    return [line.id for line in value.outline if line.depth == top][: value.limit]


def promise(value: SectionsInput) -> list[float]:
    """Return how promising each section is, 0 for not at all."""
    wanted = terms_of(value.question)
    own = coverages(wanted, [line.title for line in value.outline])
    above = coverages(wanted, paths(value.outline))
    named = _named(value)
    return [
        max(own[at], 0.0) + _ABOVE * above[at] + (line.score or 0.0) + (_NAMED if at in named else 0.0)
        for at, line in enumerate(value.outline)
    ]


def paths(outline: Sequence[OutlineLine]) -> list[str]:
    """Return the titles above each line, outermost first, as one text each."""
    open_lines: list[OutlineLine] = []
    above: list[str] = []
    for line in outline:
        while open_lines and open_lines[-1].depth >= line.depth:
            open_lines.pop()
        above.append(" > ".join(one.title for one in open_lines))
        open_lines.append(line)
    return above


def _named(value: SectionsInput) -> set[int]:
    """Return the positions of sections that the question names by number or title."""
    named = [one for one in references(value.question) if one.what in ("section", "chapter", "appendix")]
    numbers = {number for one in named for number in one.numbers()}
    titles = [set(analyze(one.title)) for one in named if one.title]
    return {
        at
        for at, line in enumerate(value.outline)
        if _number_of(line.title) & numbers or any(title and title <= set(analyze(line.title)) for title in titles)
    }


def _number_of(title: str) -> set[str]:
    """Return the number a title opens with, "Chapter 3" and "3.1 Results" alike."""
    words = title.lower().split()
    if words and words[0] in ("section", "chapter", "appendix", "annex"):
        words = words[1:]
    return {words[0].rstrip(".:)")} if words else set()

"""A document as its router sees it: all headings, and the content that is visible so far, a line each.

Owns the input of the decision. Knows nothing about blocks, views or where lines come from.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence


@dataclasses.dataclass(frozen=True, slots=True)
class RouteLine:
    """A visible node of a document's structure: a heading, or a block of content under one.

    `id` is the node's number in the whole document, `depth` 0 at the top. `can_expand` is true for a heading that has
    content and none of it visible. `score` is how good the line is for the question by retrieval and by the headings
    over it, 1.0 for the best of all documents; for a heading that can be expanded, the best of what it hides; None
    where nobody scored. A model does not see it.
    """

    id: int
    depth: int
    is_heading: bool
    text: str
    can_expand: bool
    score: float | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Routing:
    """A question, the name of a document, and its visible lines in document order.

    `can_refuse` is false where the router must answer or expand something.
    """

    question: str
    document: str
    lines: tuple[RouteLine, ...]
    can_refuse: bool = True


def paths(lines: Sequence[RouteLine]) -> list[str]:
    """Return the texts of the headings above each line, outermost first, as one text each."""
    open_headings: list[RouteLine] = []
    above: list[str] = []
    for line in lines:
        while open_headings and open_headings[-1].depth >= line.depth:
            open_headings.pop()
        above.append(" > ".join(one.text for one in open_headings))
        if line.is_heading:
            open_headings.append(line)
    return above

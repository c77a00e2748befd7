"""Examples of routing for tests: a small document in which things are hidden under headings."""

from __future__ import annotations

from octavo_lab.training.example import Example
from octavo_methods.rdr2.decisions.route_document import Actions, RouteLine, Routing

LINES = (
    RouteLine(0, 0, is_heading=True, text="Introduction", can_expand=True),
    RouteLine(2, 0, is_heading=True, text="Moorings", can_expand=False),
    RouteLine(3, 1, is_heading=False, text="The east quay has nine moorings.", can_expand=False, score=1.0),
    RouteLine(4, 1, is_heading=False, text="The west quay has none since the storm.", can_expand=False, score=0.4),
    RouteLine(5, 0, is_heading=True, text="Records", can_expand=True),
)


def routing(question: str = "How many moorings are there?", document: str = "Harbour") -> Routing:
    return Routing(question, document, LINES)


def example(
    answer: tuple[int, ...] = (), expand: tuple[int, ...] = (), *, question_id: str = "q1", document_id: str = "d1"
) -> Example:
    actions = Actions(answer=list(answer), expand=list(expand), refuse=not answer and not expand)
    return Example(routing(), actions, question_id, document_id)

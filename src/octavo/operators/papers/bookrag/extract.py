"""Extraction: what a question is about, linked to entities of the graph by normal form, acronym and vectors.

BookRAG equation 3.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from octavo.decisions.extract_question_entities import EXTRACT_QUESTION_ENTITIES, EntitiesInput
from octavo.document import Query
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.papers.bookrag.named_graph import RESOLVED, NamedGraph
from octavo.text.names import is_short_for, normal_form


@dataclasses.dataclass(frozen=True)
class Extract(Step[Query, Query]):
    """Link the entities of the plan, else those a decision extracts, to entities of the graph.

    A name is linked to the entities that have it, else to those it is short for or that are short for it. What a
    question says without naming it is caught by the `nearest` entities to the question itself, whose vectors have a
    cosine of `least` or more with it. `names` is which graph: see `named_graph`.
    """

    nearest: int = 3
    least: float = 0.3
    names: str = RESOLVED

    def needs(self) -> frozenset[str]:
        """Return the layers of the graph."""
        return frozenset({"entities", "entity_vectors"})

    def apply(self, value: Query, using: Run) -> Query:
        """Return the query with its entities, and the rows of those found in the graph."""
        graph = NamedGraph.of(using.view, self.names)
        if not len(graph.graph):
            return dataclasses.replace(value, linked=())
        names = value.entities or _entities_in(value.question, using)
        rows = [
            *(row for name in names for row in entities_named(graph, name)),
            *self._near(graph, value.question, using),
        ]
        return dataclasses.replace(value, entities=tuple(names), linked=tuple(dict.fromkeys(rows)))

    def told(self, result: Query, using: Run) -> Mapping[str, Any]:
        """Return the names of the entities that were found."""
        names = NamedGraph.of(using.view, self.names).graph.entities.name
        return {"found": [names[row] for row in result.linked]}

    def _near(self, graph: NamedGraph, question: str, using: Run) -> list[int]:
        cosines = using.view.vectors("entity_vectors")[graph.origin] @ using.vectors([question])[0]
        best = np.argsort(-cosines, kind="stable")[: self.nearest]
        return [int(row) for row in best if cosines[row] >= self.least]


def entities_named(graph: NamedGraph, name: str) -> list[int]:
    """Return the entities that have a name: equal normal forms, else an acronym and what it is short for."""
    exact = graph.by_form.get(normal_form(name), [])
    return exact or list(_by_initials(graph, name))


def _by_initials(graph: NamedGraph, name: str) -> Iterator[int]:
    """Yield the entities that a name in capitals is short for, or that are short for a name of several words."""
    letter = name[:1].casefold()
    if " " in name:
        yield from (row for row, other in graph.shorts.get(letter, ()) if is_short_for(other, name))
    elif name.isupper() and len(name) > 1:
        yield from (row for row, other in graph.longs.get(letter, ()) if is_short_for(name, other))


def _entities_in(question: str, using: Run) -> tuple[str, ...]:
    return using.judge.decide(EXTRACT_QUESTION_ENTITIES, EntitiesInput(question)).output.all

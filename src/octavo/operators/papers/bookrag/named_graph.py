"""The graph of a view, ready to be asked: its names by their normal forms, its matrices, and its plain counterpart.

Owns what is worked out of the graph once for a view. Knows nothing about questions.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from octavo.document import Graph, Rows, View
from octavo.errors import UsageError
from octavo.operators.papers.bookrag.exact_names import split_by_name
from octavo.operators.papers.bookrag.graph_matrices import mention_matrix, relation_matrix
from octavo.text.names import normal_form

RESOLVED, EXACT = "resolved", "exact"
"""Graphs: entities as resolution united them, or one for each name as it is written."""


@dataclasses.dataclass(frozen=True)
class NamedGraph:
    """A graph with its names and matrices; `origin` is the entity of the stored graph that each entity is part of."""

    graph: Graph
    origin: Rows
    n_blocks: int

    @classmethod
    def of(cls, view: View, names: str = RESOLVED) -> NamedGraph:
        """Return the view's graph with entities by `names`: resolved, or exact; raise UsageError for other words."""
        if names not in (RESOLVED, EXACT):
            raise UsageError(f"There is no graph called {names!r}: choose {RESOLVED} or {EXACT}")
        return view.derived(f"graph by {names} names", lambda: _made(view, names))

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """Every name of each entity, the one that is shown first."""
        rows = zip(self.graph.entities.name, self.graph.entities.aliases, strict=True)
        return tuple((name, *filter(None, aliases.split("\n"))) for name, aliases in rows)

    @cached_property
    def by_form(self) -> dict[str, list[int]]:
        """The entities that have a name of each normal form."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for row, names in enumerate(self.names):
            for form in dict.fromkeys(normal_form(name) for name in names):
                found[form].append(row)
        return dict(found)

    @cached_property
    def shorts(self) -> dict[str, list[tuple[int, str]]]:
        """The entities with their names in capitals of one word, such as acronyms, by first letter in small."""
        return self._by_letter(lambda name: " " not in name and sum(map(str.isupper, name)) > 1)

    @cached_property
    def longs(self) -> dict[str, list[tuple[int, str]]]:
        """The entities with their names of several words, by first letter in small."""
        return self._by_letter(lambda name: " " in name)

    def _by_letter(self, chosen: Callable[[str], bool]) -> dict[str, list[tuple[int, str]]]:
        found: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        for row, names in enumerate(self.names):
            for name in filter(chosen, names):
                found[name[:1].casefold()].append((row, name))
        return dict(found)

    @cached_property
    def mentions(self) -> Any:
        """M, (n_entities, n_blocks) float32 in CSR: 1 where a block mentions an entity, however often."""
        return mention_matrix(self.graph, self.n_blocks).sign()

    @cached_property
    def relations(self) -> Any:
        """(n_entities, n_entities) float32 in CSR, symmetric: the strongest relation of each pair, in (0, 1]."""
        return relation_matrix(self.graph)

    def blocks_of(self, entities: Rows) -> Rows:
        """Return the rows of the view that mention any of some entities, ascending."""
        return np.unique(self.mentions[entities].indices).astype(np.int64)


def _made(view: View, names: str) -> NamedGraph:
    graph = view.graph
    if names == RESOLVED:
        return NamedGraph(graph, np.arange(len(graph)), len(view))
    return NamedGraph(*split_by_name(graph, view.blocks.text), len(view))

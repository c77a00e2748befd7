"""The knowledge graph of a view, ready to be asked: names by normal form, matrices, entities resolved or not.

Without entity resolution (BookRAG, "basic ER") only mentions written the same are one entity: those of a resolved graph
keep their places in the text, and so the words they are written in.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from octavo.document import EntityTable, Graph, MentionTable, RelationTable, Rows, TextColumn, View
from octavo.errors import UsageError
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


# The graph as sparse matrices (BookRAG section 5.2)


def mention_matrix(graph: Graph, n_blocks: int) -> Any:
    """Return M, (n_entities, n_blocks) float32 in CSR: how often each block mentions each entity.

    The importance of blocks is that of entities times M: `scores @ M`.
    """
    from scipy import sparse

    entity, block, times = graph.links()
    return sparse.csr_array((times, (entity, block)), shape=(len(graph), n_blocks))


def relation_matrix(graph: Graph) -> Any:
    """Return (n_entities, n_entities) float32 in CSR, symmetric: the strongest relation of each pair, in (0, 1]."""
    from scipy import sparse

    source, target, weight = graph.edges()
    return sparse.csr_array((weight, (source, target)), shape=(len(graph), len(graph)))


# The graph without entity resolution


def split_by_name(graph: Graph, texts: Sequence[str]) -> tuple[Graph, Rows]:
    """Return the graph with an entity for each name as written, and the entity of `graph` that each was part of.

    A mention without a place counts for its entity's own name. A relation is of the names that the block which states
    it has; entities are numbered in the order of their first mention, those that are never mentioned last.
    """
    numbers: dict[tuple[int, str], int] = {}
    mentioned = np.zeros(len(graph.mentions), np.int32)
    in_block: dict[tuple[int, int], int] = {}
    for at, (entity, block, start, stop) in enumerate(_rows(graph.mentions)):
        written = " ".join(texts[block][start:stop].split()) if start >= 0 else graph.entities.name[entity]
        mentioned[at] = numbers.setdefault((entity, written), len(numbers))
        in_block.setdefault((entity, block), int(mentioned[at]))
    own = {entity: number for (entity, _), number in reversed(numbers.items())}
    for entity in range(len(graph)):
        if entity not in own:
            own[entity] = numbers.setdefault((entity, graph.entities.name[entity]), len(numbers))
    origin = np.array([entity for entity, _ in numbers], np.int64)
    split = Graph(
        _entities(graph, [(entity, name) for entity, name in numbers]),
        MentionTable(mentioned, graph.mentions.block, graph.mentions.start, graph.mentions.stop),
        _relations(graph.relations, in_block, own),
    )
    return split, origin


def _rows(mentions: MentionTable) -> list[tuple[int, int, int, int]]:
    columns = (mentions.entity, mentions.block, mentions.start, mentions.stop)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def _entities(graph: Graph, written: Sequence[tuple[int, str]]) -> EntityTable:
    rows = [entity for entity, _ in written]
    return EntityTable(
        name=TextColumn.of(name for _, name in written),
        type=TextColumn.of(graph.entities.type.take(rows)),
        description=TextColumn.of(graph.entities.description.take(rows)),
        aliases=TextColumn.of([""] * len(rows)),
    )


def _relations(relations: RelationTable, in_block: dict[tuple[int, int], int], own: dict[int, int]) -> RelationTable:
    ends = [
        np.array(
            [in_block.get((entity, block), own[entity]) for entity, block in zip(column.tolist(), blocks, strict=True)],
            np.int32,
        )
        for column, blocks in (
            (relations.source, relations.block.tolist()),
            (relations.target, relations.block.tolist()),
        )
    ]
    return RelationTable(ends[0], ends[1], relations.type, relations.description, relations.weight, relations.block)

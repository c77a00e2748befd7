"""A graph as it is without entity resolution: only mentions written the same are one entity (BookRAG, "basic ER").

Owns the way back from a resolved graph: its mentions keep their places, and so the words they are written in. Knows
nothing about questions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from octavo.document import EntityTable, Graph, MentionTable, RelationTable, Rows, TextColumn


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

"""The knowledge graph: entities, their mentions in blocks, and relations between them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from octavo.document.columns import Rows, Table, TextColumn, column, damaged, pack, text_column, unpack


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class EntityTable(Table):
    """Entities of a document, one row each after resolution."""

    row_space: ClassVar[str] = "entity"

    name: TextColumn = text_column()
    type: TextColumn = text_column()
    description: TextColumn = text_column()
    aliases: TextColumn = text_column()
    """Its other names, one a line, those that stand most often first."""


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class MentionTable(Table):
    """Where entities stand: the links between graph and blocks (BookRAG's GT-Link M)."""

    entity: npt.NDArray[np.int32] = column("<i4", rows_of="entity")
    block: npt.NDArray[np.int32] = column("<i4", rows_of="block")
    start: npt.NDArray[np.int32] = column("<i4")
    """Offset of the mention in the block's text, in characters; -1 when it is not verbatim."""
    stop: npt.NDArray[np.int32] = column("<i4")


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class RelationTable(Table):
    """Typed, directed, weighted relations between entities; several between the same two are kept."""

    source: npt.NDArray[np.int32] = column("<i4", rows_of="entity")
    target: npt.NDArray[np.int32] = column("<i4", rows_of="entity")
    type: TextColumn = text_column()
    description: TextColumn = text_column()
    weight: npt.NDArray[np.float32] = column("<f4")
    """In (0, 1]."""
    block: npt.NDArray[np.int32] = column("<i4", rows_of="block")
    """The block that states it."""


@dataclasses.dataclass(frozen=True)
class Graph:
    """Entities with their mentions and relations; the mentions are the links M between graph and blocks (BookRAG)."""

    entities: EntityTable
    mentions: MentionTable
    relations: RelationTable
    statistics: Mapping[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    """How the graph of one document was made and what it came to: counts by name; empty for joined graphs."""

    def __len__(self) -> int:
        return len(self.entities)

    @classmethod
    def empty(cls) -> Self:
        """Return a graph without entities."""
        return cls(EntityTable.empty(), MentionTable.empty(), RelationTable.empty())

    @classmethod
    def join(cls, graphs: Sequence[Self], block_shifts: Sequence[int]) -> Self:
        """Return the graphs of several documents as one; `block_shifts[i]` is the first row of document i's blocks."""
        if len(graphs) == 1 and block_shifts[0] == 0:
            return graphs[0]
        starts = np.cumsum([0, *(len(graph.entities) for graph in graphs)])[:-1].tolist()
        shifts = {"block": block_shifts, "entity": starts}
        return cls(
            EntityTable.join([graph.entities for graph in graphs]),
            MentionTable.join([graph.mentions for graph in graphs], shifts),
            RelationTable.join([graph.relations for graph in graphs], shifts),
        )

    def links(self) -> tuple[Rows, Rows, npt.NDArray[np.float32]]:
        """Return M by its entries: (entity rows, block rows, times mentioned), each pair once, in order of entity."""
        span = int(self.mentions.block.max(initial=0)) + 1
        keys = self.mentions.entity.astype(np.int64) * span + self.mentions.block
        distinct, counts = np.unique(keys, return_counts=True)
        return distinct // span, distinct % span, counts.astype(np.float32)

    def edges(self) -> tuple[Rows, Rows, npt.NDArray[np.float32]]:
        """Return the relations for a walk over entities: (source, target, weight), both ways, each pair once.

        The weight of a pair is the most that any of its relations has, in (0, 1].
        """
        known = self.relations.source != self.relations.target
        source, target = (column[known].astype(np.int64) for column in (self.relations.source, self.relations.target))
        weight = self.relations.weight[known]
        span = max(1, len(self.entities))
        keys = np.concatenate([source * span + target, target * span + source])
        distinct, inverse = np.unique(keys, return_inverse=True)
        strongest = np.zeros(len(distinct), np.float32)
        np.maximum.at(strongest, inverse, np.concatenate([weight, weight]))
        return distinct // span, distinct % span, strongest

    def to_bytes(self) -> bytes:
        """Pack the graph; `from_bytes` gives an equal one."""
        arrays = self.entities.arrays("entities") | self.mentions.arrays("mentions")
        return pack(arrays | self.relations.arrays("relations"), {"statistics": dict(self.statistics)})

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Unpack a graph; raise CorpusError (`damaged`) when the bytes are not one."""
        arrays, header = unpack(data)
        try:
            graph = cls(
                EntityTable.of_arrays(arrays, "entities"),
                MentionTable.of_arrays(arrays, "mentions"),
                RelationTable.of_arrays(arrays, "relations"),
                dict(header.get("statistics", {})),
            )
            graph.check()
        except (ValueError, TypeError, KeyError) as wrong:
            raise damaged(str(wrong)) from wrong
        return graph

    def check(self) -> None:
        """Raise ValueError unless mentions and relations are of entities that there are, with weights in (0, 1]."""
        for rows in (self.mentions.entity, self.relations.source, self.relations.target):
            if len(rows) and not (rows.min() >= 0 and rows.max() < len(self.entities)):
                raise ValueError("a mention or relation is of an entity that does not exist")
        weight = self.relations.weight
        if not bool(((weight > 0) & (weight <= 1)).all()):
            raise ValueError("a relation's weight is not in (0, 1]")

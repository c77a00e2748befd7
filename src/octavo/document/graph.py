"""The knowledge graph: entities, their mentions in blocks, and relations between them.

Owns the three tables. Knows nothing about extraction or resolution.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from octavo.document.columns import Table, TextColumn, column, text_column


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class EntityTable(Table):
    """Entities of a document, one row each after resolution."""

    row_space: ClassVar[str] = "entity"

    name: TextColumn = text_column()
    type: TextColumn = text_column()
    description: TextColumn = text_column()


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

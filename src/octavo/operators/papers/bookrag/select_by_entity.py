"""Selection by entity: the sections that mention what a question is about.

Owns the way from entities over their mentions to whole sections (BookRAG equation 5). Knows nothing about how entities
are found or rows are scored.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.document import BlockTable, Evidence, Kind, Query, Rows
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.papers.bookrag.named_graph import RESOLVED, NamedGraph

SELECTED = "selected"
"""Source: rows that a selector let through."""


@dataclasses.dataclass(frozen=True)
class SelectByEntity(Step[Query, Evidence]):
    """Select the subtrees of the sections that mention the linked entities; none when nothing is linked.

    The section of a block is its nearest section, or, for a `depth` of 1 or more, the one at that depth above it,
    counted in sections from the outside. Blocks in no section stand for themselves.
    """

    depth: int = 0
    names: str = RESOLVED

    def needs(self) -> frozenset[str]:
        """Return the layer of the graph."""
        return frozenset({"entities"})

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the content blocks of the sections."""
        view = using.view
        linked = np.array(value.linked, np.int64)
        mentioned = NamedGraph.of(view, self.names).blocks_of(linked) if len(linked) else linked
        roots = section_of(view.blocks, mentioned, self.depth)
        return Evidence.where(view, view.within(roots.tolist()) & view.is_content, source=SELECTED)


def section_of(blocks: BlockTable, rows: Rows, depth: int = 0) -> Rows:
    """Return the distinct sections that rows stand in, ascending.

    For a depth of 1 or more it is the ancestor at that depth, or the nearest section where that is higher up.
    """
    nearest = np.unique(nearest_sections(blocks, rows))
    if depth < 1:
        return nearest
    paths = ([*blocks.ancestors(row), row] for row in nearest.tolist())
    return np.unique(np.array([path[min(depth, len(path)) - 1] for path in paths], np.int64))


def nearest_sections(blocks: BlockTable, rows: Rows) -> Rows:
    """Return (n,) the heading over each row, a heading's own row, and the row itself where it is in no section."""
    above = blocks.parent[rows].astype(np.int64)
    return np.where((blocks.kind[rows] == Kind.HEADING) | (above < 0), rows, above)

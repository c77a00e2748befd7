"""Contextualize: what belongs together with blocks that were found (LAD-RAG section 2.2, tool 3).

Owns what a block's unit is, the choice between unit, community and neighbours, their order and their paging. Knows
nothing about agents or how the blocks were found.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from octavo.decisions.investigate import ToolCall, ToolName
from octavo.document import Evidence, Kind, LinkKind, LinkTable, View
from octavo.document.columns import Mask, Rows
from octavo.operators.run import Run
from octavo.operators.symbolic.execute import distances
from octavo.operators.tools.base import Called, Refused, Tool

CONTEXTUAL = "contextual"
"""The column of blocks around others: 1 in the same unit, else less with each link and at most 0.5."""
_FAR = 8
"""Links that are counted; what is farther is ordered by rows between."""


@dataclasses.dataclass(frozen=True)
class Contextualize(Tool):
    """Widen blocks to their unit, their communities and what is at most `hops` links away, nearest first.

    At most `cap` blocks are one part of the list. The unit is the whole that a block is cut out of: its innermost
    section, where that has at most `pages` pages, and what continues from or on its page.
    """

    hops: int = 1
    cap: int = 40
    pages: int = 5
    name: ClassVar[ToolName] = "contextualize"
    column: ClassVar[str] = CONTEXTUAL

    def needs(self) -> frozenset[str]:
        """Return the layers of links and communities."""
        return frozenset({"links", "communities"})

    def call(self, call: ToolCall, rows: Rows, using: Run) -> Called:
        """Return the blocks of one part with the column `contextual`; raise Refused when no block is named."""
        if not len(rows):
            raise Refused("ids: name blocks that were shown, such as b12 or r1")
        found, left = around(using.view, rows, hops=self.hops, cap=self.cap, pages=self.pages, part=call.part)
        shown = found.rows[np.argsort(-found.scores[CONTEXTUAL], kind="stable")]
        note = f"{len(found)} blocks, nearest first" + (f"; {left} more: ask for part {call.part + 1}" if left else "")
        return Called(found, shown, note=note, asked=list(call.ids))


def around(view: View, rows: Rows, *, hops: int, cap: int, pages: int, part: int = 1) -> tuple[Evidence, int]:
    """Return one part of the context of some rows, with its nearness, and how many blocks later parts have.

    The rows themselves are left out. Order: the unit, then by links between, then by rows between.
    """
    start = np.zeros(len(view), np.bool_)
    start[rows] = True
    unit = unit_of(view, rows, view.link_graph, pages=pages)
    away = distances(view, start, tuple(LinkKind), hops=_FAR)
    wanted = np.unique(view.communities[rows])
    member = np.isin(view.communities, wanted[wanted >= 0])
    found = np.flatnonzero((unit | member | (away <= hops)) & ~start & view.is_content)
    near = np.where(unit[found], 1.0, 1.0 / (1.0 + np.maximum(away[found], 1)))
    order = np.lexsort((found, _between(rows, found), away[found], ~unit[found]))[cap * (part - 1) :]
    kept = order[:cap]
    evidence = Evidence.of(view, found[kept], source=CONTEXTUAL, **{CONTEXTUAL: near[kept]})
    return evidence, len(order) - len(kept)


def unit_of(view: View, rows: Rows, links: LinkTable, *, pages: int) -> Mask:
    """Return (n_rows,) bool: innermost sections of at most `pages` pages, and what goes on from or to the pages."""
    unit = view.within(head for head in _heads(view, rows) if _pages_of(view, head) <= pages)
    page = view.page_index
    goes_on = links.kind == LinkKind.CONTINUES
    source, target = links.source[goes_on], links.target[goes_on]
    held = np.isin(page, page[rows])
    unit[target[held[source]]] = True
    unit[source[held[target]]] = True
    return unit


def _heads(view: View, rows: Rows) -> list[int]:
    """Return the headings of the sections that rows stand in; a heading is its own."""
    blocks = view.blocks
    heads = [row if blocks.kind[row] == Kind.HEADING else int(blocks.parent[row]) for row in rows.tolist()]
    return [head for head in dict.fromkeys(heads) if head >= 0]


def _pages_of(view: View, head: int) -> int:
    return len(np.unique(view.page_index[view.subtree(head)]))


def _between(rows: Rows, found: Rows) -> npt.NDArray[np.int64]:
    """Return (n_found,) how many rows lie between each and the nearest of `rows`, which ascend."""
    at = np.searchsorted(rows, found)
    before = np.abs(found - rows[np.maximum(at - 1, 0)])
    after = np.abs(rows[np.minimum(at, len(rows) - 1)] - found)
    return np.minimum(before, after)

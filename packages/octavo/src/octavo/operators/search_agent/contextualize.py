"""Contextualize: what belongs together with blocks that were found (LAD-RAG section 2.2, tool 3)."""

from __future__ import annotations

import dataclasses
from collections.abc import Set
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from octavo.decisions.agent_tools import ToolName
from octavo.evidence import Evidence, View
from octavo.evidence.layer_tables import COMMUNITIES_TABLE
from octavo.operators.core import Run
from octavo.operators.keep import CONTEXTUAL, SAME_UNIT
from octavo.operators.search_agent.links_followed import distances
from octavo.operators.search_agent.tools import Called, Refused, Tool, layers_of, links_of
from octavo_documents.document import Kind, LinkKind, LinkTable
from octavo_documents.document.columns import Mask, Rows

if TYPE_CHECKING:
    from octavo.decisions.investigate import ToolCall

_MOST_SHOWN = 20
_NEIGHBOURS = 2
"""Blocks before and after one that are its direct neighbours."""
_FAR = 8
"""Links that are counted; what is farther is ordered by rows between."""


@dataclasses.dataclass(frozen=True)
class Contextualize(Tool):
    """Widen blocks to their unit, their communities and what is at most `hops` links away, nearest first.

    At most `cap` blocks are one part of the list. The unit is the whole that a block is cut out of: its innermost
    section, where that has at most `pages` pages, and what continues from or on its page. With `layers` false it knows
    only the links that parsing leaves, and no communities.
    """

    hops: int = 1
    cap: int = 40
    pages: int = 5
    layers: bool = True
    seen: bool = False
    name: ClassVar[ToolName] = "contextualize"
    column: ClassVar[str] = CONTEXTUAL

    def needs(self) -> frozenset[str]:
        """Return the layers of links and communities."""
        return frozenset[str]({"links", "communities"} if self.layers else ()) | layers_of(seen=self.seen)

    def columns(self) -> Set[str]:
        """Return nearness, and what completes a unit."""
        return {CONTEXTUAL, SAME_UNIT}

    def call(self, call: ToolCall, rows: Rows, using: Run) -> Called:
        """Return the blocks of one part with their nearness and unit; raise Refused when no block is named."""
        if not len(rows):
            raise Refused("ids: name blocks that were shown, such as b12 or r1")
        view = using.view
        member = members(view, rows) if self.layers else np.zeros(len(view), np.bool_)
        links = links_of(view, layers=self.layers, seen=self.seen)
        reach = ContextReach(links, member, self.hops, self.pages)
        found, _ = around(view, rows, reach, cap=self.cap, part=call.part)
        # Without a model nobody reads the list.
        is_read = using.judge.has_model("investigate")
        near = nearest_first(view, rows, reach) if is_read else found.ranked(CONTEXTUAL)
        start = _MOST_SHOWN * (call.part - 1)
        told = near[start : start + _MOST_SHOWN]
        note = f"{len(near)} blocks, nearest first"
        note += f"; {start + 1} to {start + len(told)} shown" if len(told) < len(near) else ""
        note += f", more with part {call.part + 1}" if start + len(told) < len(near) else ""
        return Called(found, told, note=note, asked=list(call.ids), rows=near)


@dataclasses.dataclass(frozen=True)
class ContextReach:
    """How far context goes: over which links and how many, `member` (n_rows,) of a group, and pages of a section."""

    links: LinkTable
    member: Mask
    hops: int = 1
    pages: int = 5


def members(view: View, rows: Rows) -> Mask:
    """Return (n_rows,) bool, true for blocks of the communities of some rows."""
    wanted = np.unique(view.layer(COMMUNITIES_TABLE)[rows])
    return np.isin(view.layer(COMMUNITIES_TABLE), wanted[wanted >= 0])


def around(view: View, rows: Rows, reach: ContextReach, *, cap: int, part: int = 1) -> tuple[Evidence, int]:
    """Return one part of the context of some rows, with its nearness, and how many blocks later parts have.

    The rows themselves are left out. Order: the unit, then by links between, then by rows between.
    """
    start = np.zeros(len(view), np.bool_)
    start[rows] = True
    unit = unit_of(view, rows, reach.links, pages=reach.pages)
    away = distances(reach.links, start, tuple(LinkKind), hops=_FAR)
    found = np.flatnonzero((unit | reach.member | (away <= reach.hops)) & ~start & view.is_content)
    is_unit = unit[found]
    near = np.where(is_unit, 1.0, 1.0 / (1.0 + np.maximum(away[found], 1)))
    order = np.lexsort((found, _between(rows, found), away[found], ~unit[found]))[cap * (part - 1) :]
    kept = order[:cap]
    columns = {CONTEXTUAL: near[kept], SAME_UNIT: np.where(is_unit, 1.0, np.nan)[kept]}
    return Evidence.of(view, found[kept], source=CONTEXTUAL, **columns), len(order) - len(kept)


def nearest_first(view: View, rows: Rows, reach: ContextReach) -> Rows:
    """Return the context of some rows as it is read: direct neighbours on both sides, across pages too, then the rest.

    The rest are what links lead to, the headings over the rows, and what stands in the same section, by rows between.
    """
    whole, _ = around(view, rows, reach, cap=len(view))
    content = np.flatnonzero(view.is_content)
    at = np.searchsorted(content, rows)
    steps = np.arange(-_NEIGHBOURS, _NEIGHBOURS + 1)
    beside = content[np.unique(np.clip(at[:, None] + steps, 0, max(len(content) - 1, 0)))] if len(content) else content
    beside = np.setdiff1d(beside[np.isin(view.document[beside], view.document[rows])], rows)
    found = np.union1d(whole.rows, beside)
    away = distances(reach.links, np.isin(np.arange(len(view)), rows), tuple(LinkKind), hops=_FAR)[found]
    is_head = np.isin(found, _heads(view, rows))
    return found[np.lexsort((found, _between(rows, found), ~is_head, away > reach.hops, ~np.isin(found, beside)))]


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
    heads = [row if blocks.kind_of(row) == Kind.HEADING else int(blocks.parent[row]) for row in rows.tolist()]
    return [head for head in dict.fromkeys(heads) if head >= 0]


def _pages_of(view: View, head: int) -> int:
    return len(np.unique(view.page_index[view.subtree(head)]))


def _between(rows: Rows, found: Rows) -> npt.NDArray[np.int64]:
    """Return (n_found,) how many rows lie between each and the nearest of `rows`, which ascend."""
    at = np.searchsorted(rows, found)
    before = np.abs(found - rows[np.maximum(at - 1, 0)])
    after = np.abs(rows[np.minimum(at, len(rows) - 1)] - found)
    return np.minimum(before, after)

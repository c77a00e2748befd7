"""A symbolic query answered: conditions as masks, links followed, the result counted and grouped.

Owns the order and the time it may take. Knows nothing about who asks.
"""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from octavo.document import LinkKind, LinkTable, View
from octavo.document.columns import Mask, Rows
from octavo.operators.read.packing import page_told
from octavo.operators.search_agent.symbolic.conditions import Deadline, matching
from octavo.operators.search_agent.symbolic.query import InvalidQuery, SymbolicQuery, Ways

SECONDS = 0.6
"""What a query may take; a longer one is given up."""


@dataclasses.dataclass(frozen=True)
class Found:
    """The blocks of a query: `rows` in reading order, at most its limit; `count` of them without the limit.

    `groups` are pairs of a page or section and how many blocks it has, in reading order.
    """

    rows: Rows
    count: int
    groups: tuple[tuple[str, int], ...] = ()


def execute(
    view: View,
    query: SymbolicQuery,
    *,
    links: LinkTable | None = None,
    seconds: float = SECONDS,
    clock: Callable[[], float] = time.perf_counter,
) -> Found:
    """Return what a query finds; raise InvalidQuery for a pattern that is none and when it takes too long.

    `links` are those that are followed: those of layer `links` where none are given.
    """
    check = deadline(seconds, clock)
    mask = matching(view, query, check)
    check()
    if query.hops:
        followed = view.link_graph if links is None else links
        mask = reached(followed, mask, query.links, hops=query.hops, direction=query.direction) & view.is_content
        mask &= view.of_kind(*query.reached_kinds)
    rows = np.flatnonzero(mask)
    return Found(rows[: query.limit], len(rows), _groups(view, rows, query.group_by))


def deadline(seconds: float, clock: Callable[[], float]) -> Deadline:
    """Return what raises InvalidQuery once `seconds` have gone by."""
    ends = clock() + seconds

    def check() -> None:
        if clock() > ends:
            raise InvalidQuery(f"the query takes longer than {seconds} s: ask for fewer pages, sections or words")

    return check


def reached(links: LinkTable, mask: Mask, kinds: tuple[LinkKind, ...], *, hops: int, direction: Ways) -> Mask:
    """Return (n_rows,) bool, true for the rows of the mask and those that at most `hops` links lead to."""
    return distances(links, mask, kinds, hops=hops, direction=direction) <= hops


def distances(
    links: LinkTable, mask: Mask, kinds: tuple[LinkKind, ...], *, hops: int, direction: Ways = "both"
) -> npt.NDArray[np.int64]:
    """Return (n_rows,) how many links each row is from those of the mask; `hops` + 1 for one that is farther."""
    chosen = np.isin(links.kind, kinds)
    source, target = links.source[chosen], links.target[chosen]
    away = np.where(mask, 0, hops + 1)
    for hop in range(1, hops + 1):
        met = away < hop
        ends = [target[met[source]]] if direction != "in" else []
        ends += [source[met[target]]] if direction != "out" else []
        for rows in ends:
            away[rows] = np.minimum(away[rows], hop)
    return away


def _groups(view: View, rows: Rows, by: str) -> tuple[tuple[str, int], ...]:
    if not by:
        return ()
    name = _page if by == "page" else _section
    return tuple(Counter(name(view, row) for row in rows.tolist()).items())


def _page(view: View, row: int) -> str:
    return page_told(view, row)


def _section(view: View, row: int) -> str:
    return " > ".join(view.blocks.section_path(row)) or "(no section)"

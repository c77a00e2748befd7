"""Contextualize: what belongs together with blocks that were found (LAD-RAG section 2.2, tool 3).

Owns the choice between community and neighbours, their order and their paging. Knows nothing about scores or agents.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.document import LinkKind, View
from octavo.document.columns import Rows
from octavo.operators.symbolic.execute import distances

BINDING = tuple(kind for kind in LinkKind if kind not in (LinkKind.NEXT, LinkKind.PART_OF))
"""Links that say more than the order and nesting of blocks."""
_FAR = 8
"""Links counted when the members of a community are ordered; farther ones come after them by rows between."""


@dataclasses.dataclass(frozen=True)
class Context:
    """Blocks around others, nearest first; `left` more are on later pages of the same list."""

    rows: Rows
    left: int = 0


def contextualized(view: View, rows: Rows, *, hops: int = 1, cap: int = 40, page: int = 1) -> Context:
    """Return the communities of some rows and what is at most `hops` links from them, themselves left out.

    Nearest come first: by links from the rows, then by rows between. At most `cap` rows are one page of the list.
    """
    if not len(rows):
        return Context(rows)
    start = np.zeros(len(view), np.bool_)
    start[rows] = True
    away = distances(view, start, tuple(LinkKind), hops=_FAR)
    communities = view.communities
    wanted = np.unique(communities[rows])
    member = np.isin(communities, wanted[wanted >= 0])
    found = np.flatnonzero((member | (away <= hops)) & ~start & view.is_content)
    ordered = found[np.lexsort((found, _between(rows, found), away[found]))]
    first = cap * (max(page, 1) - 1)
    return Context(ordered[first : first + cap], max(0, len(ordered) - first - cap))


def _between(rows: Rows, found: Rows) -> Rows:
    """Return (n_found,) how many rows lie between each and the nearest of `rows`, which ascend."""
    at = np.searchsorted(rows, found)
    before = np.abs(found - rows[np.maximum(at - 1, 0)])
    after = np.abs(rows[np.minimum(at, len(rows) - 1)] - found)
    return np.minimum(before, after)

"""Links between blocks followed: what a few of them lead to, and how far every block is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from octavo_documents.document import LinkKind, LinkTable
from octavo_documents.document.columns import Mask

if TYPE_CHECKING:
    from octavo.operators.search_agent.symbolic_query import Ways


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

"""Breakdowns of what was measured: groups of questions by what they are about, and by what a system made of them.

Those of `summary.GROUPS` are the same for every system. By the reach that was planned, the depth of the documents'
trees and the number of their pictures they differ from system to system.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from octavo.corpus import DocumentInfo
from octavo_lab.metrics.traced import planned_reach
from octavo_lab.question import ScoredResponse
from octavo_lab.summary import GROUPS

RowGroup = Callable[[ScoredResponse], Sequence[str]]
_DEPTHS = ((2.0, "depth 1 to 2"), (4.0, "depth 2 to 4"), (7.0, "depth 4 to 7"))
"""RDR2's Table 13: upper bounds, each included."""
_PICTURES = ((0, "no picture"), (5, "1 to 5 pictures"), (20, "6 to 20 pictures"))


def _reach(row: ScoredResponse) -> Sequence[str]:
    reach = planned_reach(row)
    return (reach,) if reach else ()


def _depth(row: ScoredResponse) -> Sequence[str]:
    depth = row.facts.depth if row.facts is not None else None
    if depth is None:
        return ()
    return (next((name for bound, name in _DEPTHS if depth <= bound), "depth over 7"),)


def _pictures(row: ScoredResponse) -> Sequence[str]:
    count = row.facts.pictures if row.facts is not None else None
    if count is None:
        return ()
    return (next((name for bound, name in _PICTURES if count <= bound), "more than 20 pictures"),)


BY_RESPONSE: Mapping[str, tuple[str, RowGroup]] = {
    "reach": ("planned reach", _reach),
    "depth": ("depth of the documents' trees", _depth),
    "pictures": ("pictures of the document", _pictures),
}
"""Title and function by key; the last two need `Options.facts`."""
NEED_FACTS = frozenset({"depth", "pictures"})


def groups_of(key: str, row: ScoredResponse, documents: Mapping[str, DocumentInfo]) -> Sequence[str]:
    """Return the groups of one question, and of what a system made of it."""
    if key in BY_RESPONSE:
        return BY_RESPONSE[key][1](row)
    names = row.question.documents
    return GROUPS[key][1](row.question, documents.get(names[0]) if len(names) == 1 else None)

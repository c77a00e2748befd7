"""Selection by scent: the sections whose text promises most for a question, whatever the graph says.

Owns the way from scored blocks to whole sections. Knows nothing about how blocks are scored.
"""

from __future__ import annotations

import dataclasses

from octavo.document import Evidence, Query, TraceStep
from octavo.operators.core.base import Operator
from octavo.operators.core.run import Run
from octavo.operators.papers.bookrag.select_by_entity import SELECTED, nearest_sections
from octavo.operators.score.fuse import FUSED

_MOST_LOOKED_AT = 400
"""Blocks from which sections are taken: what scores lower promises nothing."""


@dataclasses.dataclass(frozen=True)
class SelectByScent(Operator[Query, Evidence]):
    """Select the subtrees of the `count` sections in which the best blocks of a search stand, by the column `by`."""

    search: Operator[Query, Evidence]
    count: int = 16
    by: str = FUSED

    def needs(self) -> frozenset[str]:
        """Return what the search needs."""
        return self.search.needs()

    def __call__(self, value: Query, using: Run) -> Evidence:
        """Return the content blocks of the sections; the search is inside this step in the trace."""
        started = using.clock()
        inner = dataclasses.replace(using, trace=[], on_step=None)
        view, found = using.view, self.search(value, inner)
        best = found.rows[found.ranking(self.by)[:_MOST_LOOKED_AT]] if len(found) else found.rows
        sections = list(dict.fromkeys(nearest_sections(view.blocks, best).tolist()))[: self.count]
        selected = view.within(sections) & view.is_content
        evidence = Evidence.where(view, selected, source=SELECTED)
        using.note(
            TraceStep(
                step="SelectByScent",
                parameters={"count": self.count, "by": self.by},
                rows_in=len(view),
                rows_out=len(evidence),
                seconds=round(using.clock() - started, 6),
                steps=tuple(inner.trace),
            )
        )
        return evidence

"""Selection by section: the sections of the outline in which an answer most likely stands.

Owns what of the outline is shown to the decision and what its choice selects. Knows nothing about how sections are
chosen.
"""

from __future__ import annotations

import dataclasses

from octavo.decisions.select_sections import SELECT_SECTIONS, OutlineLine, SectionsInput
from octavo.document import Evidence, Query, View
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.papers.bookrag.select_by_entity import SELECTED


@dataclasses.dataclass(frozen=True)
class SelectBySection(Step[Query, Evidence]):
    """Select the subtrees of the sections, `limit` at most, that a decision chooses; everything without an outline."""

    limit: int = 5

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the content blocks of the chosen sections, or of the whole view."""
        view = using.view
        outline = outline_of(view)
        if not outline:
            return Evidence.where(view, view.is_content, source=SELECTED)
        chosen = using.judge.decide(SELECT_SECTIONS, SectionsInput(value.question, outline, self.limit)).output.sections
        return Evidence.where(view, view.within(chosen) & view.is_content, source=SELECTED)


def outline_of(view: View) -> tuple[OutlineLine, ...]:
    """Return every section of the view with its row as id, its depth counted in sections, and its pages."""
    blocks, depths, lines = view.blocks, dict[int, int](), list[OutlineLine]()
    for row in view.sections().tolist():
        depths[row] = depths.get(int(blocks.parent[row]), 0) + 1
        last = int(blocks.page[int(blocks.end[row]) - 1])
        title = " ".join(blocks.text[row].split())
        lines.append(OutlineLine(row, title, depths[row], int(blocks.page[row]), last))
    return tuple(lines)

"""One document being routed: what is visible, what was seen, what was chosen, and which headings are still to open.

Owns the routing state of RDR2 equations 2 to 4. Knows nothing about who decides, or about other documents.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from octavo.decisions.route_document import Actions, Legal, RouteLine, Routing, legal
from octavo.document import Kind, Mask, Rows, View
from octavo.operators.papers.rdr2.structure_tree import INTRODUCTION, StructureTree, sized

Floats = npt.NDArray[np.float64]

_MOST_HEADINGS = 120
"""More headings than these are not shown: those over visible content stay, then the highest, then the first."""


@dataclasses.dataclass(frozen=True)
class RoutingContext:
    """What all documents of a question are routed on.

    `scores` is (n_rows,) how good each row is, 1.0 for the best of all.
    `has_headings` is false where the router sees content alone.
    """

    tree: StructureTree
    scores: Floats
    tokens: int
    has_headings: bool = True
    can_refuse: bool = True


def _told(view: View, node: int) -> str:
    """Return the text of a node in one line; the rows of a table stay apart."""
    text = view.blocks.text[node]
    return " / ".join(text.splitlines()) if view.blocks.kind[node] == Kind.TABLE else text


class DocumentRouting:
    """The way of a router through one document."""

    def __init__(self, ground: RoutingContext, document: int, visible: Rows) -> None:
        """Begin with some visible content."""
        self._ground = ground
        self.document = document
        self.visible = visible
        self.seen: Mask = np.zeros(len(ground.tree.view), np.bool_)
        self.seen[visible] = True
        self.chosen: list[int] = []
        self.pending: list[int] = []
        self.is_open = True

    def routing(self, question: str) -> Routing:
        """Return what the router is asked at this point."""
        name = self._ground.tree.view.documents[self.document].name
        return Routing(question, name, self._lines(), self._ground.can_refuse)

    # What the router sees

    def _lines(self) -> tuple[RouteLine, ...]:
        """Return the visible nodes in document order; the Introduction comes first."""
        headings = self._headings() if self._ground.has_headings else []
        nodes = sorted([*headings, *self.visible.tolist()])
        return tuple(self._line(node) for node in nodes)

    def _line(self, node: int) -> RouteLine:
        tree = self._ground.tree
        is_heading = node < 0 or not tree.is_content[node]
        hidden = self._hidden(node) if is_heading else np.zeros(0, np.int64)
        scored = hidden if is_heading else np.array([node])
        return RouteLine(
            id=self._id(node),
            depth=int(tree.depth[node]) if node >= 0 and self._ground.has_headings else 0,
            is_heading=is_heading,
            text=_told(tree.view, node) if node >= 0 else INTRODUCTION,
            can_expand=len(hidden) > 0,
            score=self._score(scored) if len(scored) else None,
        )

    def _score(self, rows: Rows) -> float:
        return round(float(self._ground.scores[rows].max()), 4)

    def _hidden(self, section: int) -> Rows:
        """Return what expanding a heading would show: what was not seen of its content, none while any is visible."""
        own = self._ground.tree.own(section)
        if np.isin(own, self.visible).any():
            return own[:0]
        return own[~self.seen[own]]

    def _headings(self) -> list[int]:
        """Return the sections that are shown."""
        tree = self._ground.tree
        found = tree.sections_of(self.document)
        if len(found) <= _MOST_HEADINGS:
            return found
        needed = {
            one for row in self.visible.tolist() for one in (*tree.view.blocks.ancestors(row), int(tree.section[row]))
        }
        order = sorted(found, key=lambda one: (one not in needed, int(tree.depth[one]) if one >= 0 else 0))
        return order[:_MOST_HEADINGS]

    # Numbers of nodes: those of rows in the document, from 1; the Introduction has 0

    def _id(self, node: int) -> int:
        return 0 if node < 0 else node - int(self._ground.tree.view.row_starts[self.document]) + 1

    def _node(self, number: int) -> int:
        return -1 - self.document if number == 0 else number + int(self._ground.tree.view.row_starts[self.document]) - 1

    # What the router does

    def take(self, actions: Actions) -> Legal:
        """Choose what answers, and note what is to be opened; return what of the actions was legal."""
        found = legal(actions, self._lines())
        self.chosen += [self._node(one) for one in found.answer]
        opened = [self._node(one) for one in found.expand]
        self.pending = [] if found.refuse else [*opened, *(one for one in self.pending if one not in opened)]
        return found

    def expand(self) -> bool:
        """Show the content of the most promising heading in the place of what is visible; False where there is none."""
        while self.pending:
            section = self.pending.pop(0)
            hidden = self._hidden(section)
            if len(hidden):
                self.visible = sized(self._ground.tree.view, hidden, hidden[:1], self._ground.tokens)
                self.seen[self.visible] = True
                return True
        self.is_open = False
        return False

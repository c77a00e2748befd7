"""The way of a router through documents, round after round: RDR2 equations 2 to 5 over the trees of `trees`.

All documents are decided at once in each round; `DocumentRouting` is the state of one of them. Its content is lit in
portions. A heading that the router expands is lit next, in the place of what was lit before; what was retrieved under
another heading waits its turn. Refusing ends what is lit, and nothing that waits.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from octavo.decisions.engine import Decided, Decision
from octavo.evidence import Evidence, TraceStep, View
from octavo.operators.core import Run
from octavo.operators.keep import ROUTED
from octavo_documents.document import Kind, Mask, Rows
from octavo_methods.rdr2.decisions.route_document import (
    ROUTE_DOCUMENT,
    Actions,
    Legal,
    RouteLine,
    Routing,
    legal,
    route_by_scores,
)
from octavo_methods.rdr2.trees import INTRODUCTION, RETRIEVED, StructureTree, retrieved_rows, sized

Floats = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class RoutingContext:
    """What all documents of a question are routed on, and how.

    `scores` is (n_rows,) how good each row is, 1.0 for the best of all. A heading that is expanded shows about `tokens`
    of its content, None: all of it. At most `iterations` headings are expanded in a document, `opens` of them in a
    round. `most_headings` are shown at most, None: all.
    """

    tree: StructureTree
    scores: Floats
    iterations: int
    tokens: int | None = None
    most_headings: int | None = None
    decision: Decision[Routing, Actions] = ROUTE_DOCUMENT
    opens: int = 1
    has_headings: bool = True
    """False where the router sees content alone."""
    can_refuse: bool = True
    can_expand: bool = True
    rule_mends: bool = False
    """Whether the rule acts where a reply names nothing that can be done; else the step passes without effect."""
    tells: bool = False
    """Whether the router is told in later rounds what was marked in all documents, sees what was lit before, may open
    the rest of what is shown in part, and may end the routing."""
    looks: bool = False
    """Whether the router is told that whoever answers sees the pictures."""


def route(walks: Sequence[DocumentRouting], context: RoutingContext, using: Run) -> list[TraceStep]:
    """Let the router act until no document is left in which anything waits; return a step for each round."""
    rounds: list[TraceStep] = []
    active = list(walks)
    while active:
        rounds.append(_round(len(rounds), active, _marked(walks) if context.tells else (), context, using))
        if any(walk.settles for walk in active):
            break
        active = [walk for walk in active if walk.go_on()]
    return rounds


def _round(
    number: int, walks: Sequence[DocumentRouting], found: tuple[str, ...], context: RoutingContext, using: Run
) -> TraceStep:
    """Decide about all documents at once (equation 2), and return the step."""
    timer = using.timer()
    routings = [walk.routing(using.query.question, found) for walk in walks]
    decided = using.judge.decide_many(context.decision, routings)
    done = [_act(*one, context) for one in zip(walks, routings, decided, strict=True)]
    told = {"iteration": number, "documents": len(walks), **_counted(done)}
    rows = (sum(len(one.lines) for one in routings), sum(len(one.answer) for one in done))
    return timer.step("Round", told, rows, timer.decisions())


def _act(walk: DocumentRouting, routing: Routing, decided: Decided[Actions], context: RoutingContext) -> Legal:
    """Return what was legal of what was decided about a document."""
    found = walk.take(decided.output)
    walk.settles = context.tells and decided.output.done and bool(found.answer or routing.found)
    if walk.settles:
        return dataclasses.replace(found, collapsed=False)
    if found.collapsed and context.rule_mends:
        acted = walk.take(route_by_scores(routing))
        return dataclasses.replace(acted, dropped=found.dropped, collapsed=True)
    return found


def _marked(walks: Sequence[DocumentRouting]) -> tuple[str, ...]:
    """Return the content that was chosen so far, a line each after the name of its document."""
    return tuple(line for walk in walks for line in walk.marked())


def _counted(done: Sequence[Legal]) -> dict[str, int]:
    return {
        "routed": sum(len(one.answer) for one in done),
        "expanded": sum(len(one.expand) for one in done),
        "refused": sum(one.refuse for one in done),
        "dropped": sum(one.dropped for one in done),
        "collapsed": sum(one.collapsed for one in done),
    }


def routed(evidence: Evidence, walks: Sequence[DocumentRouting]) -> Evidence:
    """Return the evidence with what each walk chose (equation 5): 1 for its first, less for each later one."""
    column = np.full(len(evidence.view), np.nan)
    for walk in walks:
        chosen = list(dict.fromkeys(walk.chosen))
        column[chosen] = 1.0 - np.arange(len(chosen)) / max(len(chosen), 1)
    return evidence.with_score(ROUTED, column[evidence.rows])


def documents_in_order(evidence: Evidence) -> list[int]:
    """Return the documents of retrieved rows, the one with the best passage first; ties go by place in the view."""
    view, rows = evidence.view, retrieved_rows(evidence)
    best = np.full(len(view.documents), -np.inf)
    scores = np.nan_to_num(evidence.scores[RETRIEVED]) if RETRIEVED in evidence.scores else np.zeros(len(evidence))
    np.maximum.at(best, view.document[rows], scores[np.isin(evidence.rows, rows)])
    order = np.argsort(-best, kind="stable")
    return order[np.isfinite(best[order])].tolist()


def _on_one_line(view: View, node: int) -> str:
    """Return the text of a node in one line; the rows of a table stay apart."""
    text = view.blocks.text[node]
    return " / ".join(text.splitlines()) if view.blocks.kind_of(node) == Kind.TABLE else text


class DocumentRouting:
    """The way of a router through one document."""

    def __init__(self, context: RoutingContext, document: int, visible: Rows, waiting: Sequence[Rows] = ()) -> None:
        """Begin with some visible content; other content that was retrieved is lit in turn."""
        self._context = context
        self.document = document
        self.visible = visible
        self.seen: Mask = np.zeros(len(context.tree.view), np.bool_)
        self.seen[visible] = True
        self.chosen: list[int] = []
        self.pending: list[int] = []
        """Headings that the router named and that were not expanded yet, the next first."""
        self._waiting = list(waiting)
        self._left = context.iterations
        self.settles = False
        """Whether the router said of the last step that the question is settled."""

    def routing(self, question: str, found: tuple[str, ...] = ()) -> Routing:
        """Return what the router is asked at this point."""
        context = self._context
        left = self._left if context.tells else None
        return Routing(
            question, self._name, self._lines(), context.can_refuse, found, left, context.opens, looks=context.looks
        )

    def marked(self) -> list[str]:
        """Return the content that was chosen so far, each after the name of the document."""
        view = self._context.tree.view
        return [f"{self._name}: {_on_one_line(view, row)}" for row in dict.fromkeys(self.chosen)]

    @property
    def _name(self) -> str:
        return self._context.tree.view.documents[self.document].called

    # What the router sees

    def _lines(self) -> tuple[RouteLine, ...]:
        """Return the visible nodes in document order; the Introduction comes first."""
        headings = self._headings() if self._context.has_headings else []
        nodes = sorted([*headings, *self.visible.tolist()])
        return tuple(self._line(node) for node in nodes)

    def _line(self, node: int) -> RouteLine:
        tree = self._context.tree
        is_heading = node < 0 or not tree.is_content[node]
        hidden = self._hidden(node) if is_heading else np.zeros(0, np.int64)
        scored = hidden if is_heading else np.array([node])
        return RouteLine(
            id=self._id(node),
            depth=int(tree.depth[node]) if node >= 0 and self._context.has_headings else 0,
            is_heading=is_heading,
            text=_on_one_line(tree.view, node) if node >= 0 else INTRODUCTION,
            can_expand=self._context.can_expand and len(hidden) > 0,
            score=self._score(scored) if len(scored) else None,
        )

    def _score(self, rows: Rows) -> float:
        return round(float(self._context.scores[rows].max()), 4)

    def _hidden(self, section: int) -> Rows:
        """Return what expanding a heading would show: what was not seen of its content, none while any is visible.

        Where what was lit stays, that would be none for ever: of a heading that is shown in part the rest is next.
        """
        own = self._context.tree.own(section)
        if np.isin(own, self.visible).any() and not self._context.tells:
            return own[:0]
        return own[~self.seen[own]]

    def _near(self, section: int, hidden: Rows) -> Rows:
        """Return what is next to that which an expansion shows first: what is visible under the heading, or its begin.

        So the table comes whose caption was retrieved.
        """
        own = self._context.tree.own(section)
        beside = own[np.isin(own, self.visible)]
        return beside if len(beside) else hidden[:1]

    def _headings(self) -> list[int]:
        """Return the sections that are shown."""
        tree = self._context.tree
        found = tree.sections_of(self.document)
        most = self._context.most_headings
        if most is None or len(found) <= most:
            return found
        needed = {
            one for row in self.visible.tolist() for one in (*tree.view.blocks.ancestors(row), int(tree.section[row]))
        }
        order = sorted(found, key=lambda one: (one not in needed, int(tree.depth[one]) if one >= 0 else 0))
        return order[:most]

    # Numbers of nodes: those of rows in the document, from 1; the Introduction has 0

    def _id(self, node: int) -> int:
        return 0 if node < 0 else node - int(self._context.tree.view.row_starts[self.document]) + 1

    def _node(self, number: int) -> int:
        return (
            -1 - self.document if number == 0 else number + int(self._context.tree.view.row_starts[self.document]) - 1
        )

    # What the router does

    def take(self, actions: Actions) -> Legal:
        """Choose what answers, and note what is to be opened; return what of the actions was legal."""
        found = legal(actions, self._lines())
        self.chosen += [self._node(one) for one in found.answer]
        opened = [self._node(one) for one in found.expand]
        self.pending = [*opened, *(one for one in self.pending if one not in opened)]
        return found

    def go_on(self) -> bool:
        """Light what comes next (equations 3 and 4); False where nothing is left.

        That is the content of the heading that was named last, the most promising first, in the place of what was
        visible; and where no heading waits, or no expansion is left, what was retrieved elsewhere and not seen yet.
        """
        opened: list[tuple[Rows, Rows]] = []
        while self.pending and self._left and len(opened) < self._context.opens:
            section = self.pending.pop(0)
            hidden = self._hidden(section)
            if len(hidden):
                opened.append((hidden, self._near(section, hidden)))
                self._left -= 1
        if opened:
            self._light(*map(np.concatenate, zip(*opened, strict=True)))
            return True
        while self._waiting:
            unseen = self._waiting.pop(0)
            unseen = unseen[~self.seen[unseen]]
            if len(unseen):
                self.visible = unseen
                self.seen[unseen] = True
                return True
        return False

    def _light(self, rows: Rows, near: Rows) -> None:
        """Make rows visible, those nearest to some others first."""
        view, tokens = self._context.tree.view, self._context.tokens
        lit = sized(view, np.sort(rows), np.sort(near), tokens)
        self.seen[lit] = True
        if self._context.tells and tokens is not None:
            lit = sized(view, np.union1d(self.visible, lit), lit, 2 * tokens)
        self.visible = lit

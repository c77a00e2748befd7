"""Document routing: who reads on how, in every document that was retrieved, until nothing is left to open.

Owns the rounds (RDR2 equations 2 to 5), in each of which all documents are decided at once, and their trace. Knows
nothing about how content became visible.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from octavo.decisions.engine.base import Decided
from octavo.decisions.route_document import ROUTE_DOCUMENT, Actions, Legal, Routing, route_by_scores
from octavo.document import Evidence, TraceStep
from octavo.errors import UsageError
from octavo.operators.core.base import Operator, decisions_of
from octavo.operators.core.run import Run
from octavo.operators.papers.rdr2.document_routing import DocumentRouting, RoutingContext
from octavo.operators.papers.rdr2.node_scores import node_scores
from octavo.operators.papers.rdr2.retrieve_passages import RETRIEVED
from octavo.operators.papers.rdr2.structure_tree import StructureTree
from octavo.operators.papers.rdr2.subtree import CONTENT_TOKENS, VISIBLE, retrieved_rows
from octavo.operators.score.fuse import FUSED

ROUTED = "routed"
"""The column of chosen content: 1 for the first that was chosen in its document, less for later ones; nan elsewhere."""


@dataclasses.dataclass(frozen=True)
class Route(Operator[Evidence, Evidence]):
    """Let the router answer, expand or refuse in each document, and expand at most `iterations` headings in each.

    Content in the column `visible` is seen with all headings; without that column the retrieved content alone is. The
    rule goes by the column `by` and, with headings, by `titles` times what these promise. An expanded heading shows
    about `tokens` of its content. What is not legal is dropped; where nothing is left the document is decided by the
    rule. `refuses` says whether the router may give a document up. Each round is a step of the trace.
    """

    by: str = FUSED
    iterations: int = 5
    titles: float = 0.7
    tokens: int = CONTENT_TOKENS
    refuses: bool = True

    def __post_init__(self) -> None:
        if self.iterations < 0 or self.tokens < 1:
            raise UsageError("Route takes 0 iterations or more, and 1 token or more")

    def __call__(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with the column `routed`."""
        started, before = using.clock(), len(using.judge.records)
        walks, rounds = self._walks(value, using), list[TraceStep]()
        for number in range(self.iterations + 1):
            active = [walk for walk in walks if walk.is_open and (number == 0 or walk.expand())]
            if not active:
                break
            rounds.append(self._round(number, active, using))
        routed = _routed(value, walks)
        using.note(
            TraceStep(
                step="Route",
                parameters={"documents": len(walks), **dataclasses.asdict(self)},
                rows_in=len(value),
                rows_out=int(np.isfinite(routed.scores[ROUTED]).sum()),
                seconds=round(using.clock() - started, 6),
                steps=tuple(rounds),
            ).taking(using.judge.usage(before))
        )
        return routed

    def _walks(self, value: Evidence, using: Run) -> list[DocumentRouting]:
        """Return a walk for each document, the one with the best passage first."""
        tree, documents = StructureTree.of(value.view), documents_in_order(value)
        has_headings = VISIBLE in value.scores
        visible = value.rows[~np.isnan(value.scores[VISIBLE])] if has_headings else retrieved_rows(value)
        visible = visible[tree.is_content[visible]]
        scores = node_scores(value, self.by, documents, using, titles=self.titles if has_headings else 0.0)
        ground = RoutingContext(tree, scores, self.tokens, has_headings, self.refuses)
        owner = value.view.document[visible]
        return [DocumentRouting(ground, document, visible[owner == document]) for document in documents]

    def _round(self, number: int, walks: Sequence[DocumentRouting], using: Run) -> TraceStep:
        """Decide about all documents at once, and return the step."""
        started, before = using.clock(), len(using.judge.records)
        routings = [walk.routing(using.query.question) for walk in walks]
        decided = using.judge.decide_many(ROUTE_DOCUMENT, routings)
        done = [_taken(*one) for one in zip(walks, routings, decided, strict=True)]
        return TraceStep(
            step="Round",
            parameters={"iteration": number, "documents": len(walks), **_counted(done)},
            rows_in=sum(len(one.lines) for one in routings),
            rows_out=sum(len(one.answer) for one in done),
            seconds=round(using.clock() - started, 6),
            steps=decisions_of(using.judge.records[before:]),
        ).taking(using.judge.usage(before))


def documents_in_order(evidence: Evidence) -> list[int]:
    """Return the documents of retrieved rows, the one with the best passage first; ties go by place in the view."""
    view, rows = evidence.view, retrieved_rows(evidence)
    best = np.full(len(view.documents), -np.inf)
    scores = np.nan_to_num(evidence.scores[RETRIEVED]) if RETRIEVED in evidence.scores else np.zeros(len(evidence))
    np.maximum.at(best, view.document[rows], scores[np.isin(evidence.rows, rows)])
    order = np.argsort(-best, kind="stable")
    return order[np.isfinite(best[order])].tolist()


def _taken(walk: DocumentRouting, routing: Routing, decided: Decided[Actions]) -> Legal:
    """Return what was legal of what was decided about a document; the rule acts where nothing was."""
    found = walk.take(decided.output)
    if found.collapsed:
        acted = walk.take(route_by_scores(routing))
        return dataclasses.replace(acted, dropped=found.dropped, collapsed=True)
    return found


def _counted(done: Sequence[Legal]) -> dict[str, int]:
    return {
        "routed": sum(len(one.answer) for one in done),
        "expanded": sum(len(one.expand) for one in done),
        "refused": sum(one.refuse for one in done),
        "dropped": sum(one.dropped for one in done),
        "collapsed": sum(one.collapsed for one in done),
    }


def _routed(evidence: Evidence, walks: Sequence[DocumentRouting]) -> Evidence:
    """Return the evidence with the content each walk chose, 1 for its first and less for each later one."""
    column = np.full(len(evidence.view), np.nan)
    for walk in walks:
        chosen = list(dict.fromkeys(walk.chosen))
        column[chosen] = 1.0 - np.arange(len(chosen)) / max(len(chosen), 1)
    return evidence.with_score(ROUTED, column[evidence.rows])

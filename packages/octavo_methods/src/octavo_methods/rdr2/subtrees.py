"""The document route of RDR2 as its paper prints it (section 3.1, equations 2 to 6), and what of it is ablated.

A router is shown one retrieval subtree at a time: all headings of the document, and content under a single one of them
(section 3.2). What was retrieved under several headings makes several subtrees, in the order of the document, as in the
case study (appendix D): an expanded heading comes first, then what was retrieved under the next. Nothing is cut to a
size, and nothing of what other documents said is told.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from octavo.errors import UsageError
from octavo.evidence import Evidence
from octavo.operators.columns import Columns
from octavo.operators.core import Operator, Run, Step
from octavo.operators.keep import RELEVANCE, ROUTED, on_pages, ranked_pages
from octavo.operators.score.fuse import MENTIONED
from octavo_documents.document import Rows
from octavo_methods.rdr2.chunks import NEAREST, portions
from octavo_methods.rdr2.decisions.route_subtree import ROUTE_SUBTREE
from octavo_methods.rdr2.trees import RETRIEVED, VISIBLE, StructureTree, node_scores, retrieved_rows
from octavo_methods.rdr2.walk import DocumentRouting, RoutingContext, documents_in_order, route, routed


@dataclasses.dataclass(frozen=True)
class RouteSubtrees(Operator[Evidence, Evidence]):
    """Let the router answer, expand or refuse on one subtree after the other, at most `iterations` expansions each.

    RDR2 equations 2 to 5. `iterations` is the paper's expand-iter, counted in each document; with 0 the router may not
    expand: routing is single-turn (Table 9, iter-0). With `refuses` false each step has to answer or to expand. Without
    the column `visible` there is no structure: each retrieved block is taken or refused by itself.

    What is not legal is dropped and counted; a step of which nothing is left passes without effect. Without a model the
    rule of `route_document` decides, by the column `by` and by `titles` times what headings promise.
    """

    by: str = NEAREST
    iterations: int = 5
    refuses: bool = True
    titles: float = 0.7

    def __post_init__(self) -> None:
        if self.iterations < 0:
            raise UsageError("RouteSubtrees takes 0 iterations or more")

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(uses={self.by, MENTIONED, RETRIEVED, VISIBLE}, writes={ROUTED})

    def __call__(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with the column `routed`."""
        timer, tree = using.timer(), StructureTree.of(value.view)
        documents, has_headings = documents_in_order(value), VISIBLE in value.scores
        context = RoutingContext(
            tree,
            node_scores(value, self.by, documents, using, titles=self.titles if has_headings else 0.0),
            self.iterations,
            decision=ROUTE_SUBTREE,
            has_headings=has_headings,
            can_refuse=self.refuses,
            can_expand=self.iterations > 0,
        )
        walks: list[DocumentRouting] = []
        for document in documents:
            first, *later = self._subtrees(value, tree, document) or [np.zeros(0, np.int64)]
            walks.append(DocumentRouting(context, document, first, later))
        rounds = route(walks, context, using)
        found = routed(value, walks)
        rows = (len(value), int(np.isfinite(found.scores[ROUTED]).sum()))
        using.note(timer.step("RouteSubtrees", {"documents": len(walks), **dataclasses.asdict(self)}, rows, rounds))
        return found

    def _subtrees(self, value: Evidence, tree: StructureTree, document: int) -> list[Rows]:
        """Return the content that is lit first in a document, and what waits, in the order of the document."""
        if VISIBLE not in value.scores:
            rows = np.sort(retrieved_rows(value))
            return [np.array([row]) for row in rows[value.view.document[rows] == document].tolist()]
        rows = np.sort(value.rows[~np.isnan(value.scores[VISIBLE])])
        return portions(tree, rows[value.view.document[rows] == document])


@dataclasses.dataclass(frozen=True)
class RoutedContent(Step[Evidence, Evidence]):
    """Keep what the router chose and nothing else: documents as they were retrieved, content in its own order.

    RDR2 equations 5 and 6. Where every document was refused nothing is kept. The pages are those of the question's
    limit.
    """

    declares: ClassVar[Columns] = Columns(reads={ROUTED}, uses={RETRIEVED}, writes={RELEVANCE})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the chosen rows with the column `relevance`, which ranks them in this order."""
        kept = value.keep(np.isfinite(value.scores[ROUTED]))
        place = {document: at for at, document in enumerate(documents_in_order(value))}
        documents = kept.view.document[kept.rows].tolist()
        order = sorted(range(len(kept)), key=lambda at: (place[documents[at]], int(kept.rows[at])))
        relevance = np.zeros(len(kept))
        relevance[order] = 1.0 - np.arange(len(kept)) / max(len(kept), 1)
        ranked = kept.with_score(RELEVANCE, relevance)
        return on_pages(ranked, ranked_pages(ranked)[1][: max(using.query.limit, 0)])

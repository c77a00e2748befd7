"""What a router sees first: the passages retrieved, and the subtrees of their documents (RDR2 section 3.2).

Retrieval is equation 1, the subtree Algorithm 1. Two other ways to begin leave out what retrieval found (Table 2):
content under a heading drawn by lot, or headings alone.
"""

from __future__ import annotations

import dataclasses
import hashlib

import numpy as np

from octavo.document import Evidence, Mask, Rows
from octavo.errors import UsageError
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import passage_scores
from octavo.operators.papers.rdr2.structure_tree import StructureTree, sized
from octavo.operators.score.fuse import MENTIONED

RETRIEVED = "retrieved"
"""The column of a retrieved block: the score of its best passage, nan for blocks of no retrieved one."""
VISIBLE = "visible"
"""The column of a subtree: 1 for content that is visible, nan for what is hidden. Its headings are visible always."""
CONTENT_TOKENS = 900
"""About how many tokens of content a document's subtree shows at once, chosen by hand."""


@dataclasses.dataclass(frozen=True)
class RetrievePassages(Step[Evidence, Evidence]):
    """Mark the blocks of the best `count` passages by the column `by`, and keep the documents they stand in.

    A passage scores as its best block does; one whose blocks all stand in better passages is not counted. Those of
    documents that the best one mentions (`Mentioned`) come on top: they must not take the place of what is found.
    """

    by: str
    count: int = 5

    def __post_init__(self) -> None:
        if self.count < 0:
            raise UsageError("RetrievePassages takes 0 passages or more")

    def needs(self) -> frozenset[str]:
        """Return the layer of passages."""
        return frozenset({"passages"})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows of these documents with the column `retrieved`; ties go to the first in the view."""
        view = value.view
        passages, scores = view.passages, passage_scores(view, value, self.by)
        retrieved, taken = np.full(len(view), np.nan), 0
        raised = np.zeros(len(view), np.bool_)
        raised[value.rows[value.sources.get(MENTIONED, np.zeros(len(value), np.bool_))]] = True
        for at in np.argsort(-scores, kind="stable").tolist():
            if taken == self.count or scores[at] == -np.inf:
                break
            rows = slice(passages.start[at], passages.stop[at])
            span = retrieved[rows]
            taken += bool(np.isnan(span).any()) and not raised[rows].any()
            span[:] = np.fmax(span, scores[at])
        marked = value.with_score(RETRIEVED, retrieved[value.rows])
        documents = np.unique(view.document[value.rows[~np.isnan(marked.scores[RETRIEVED])]])
        return marked.keep(np.isin(view.document[value.rows], documents))

    def told(self, result: Evidence, using: Run) -> dict[str, int]:
        """Return from how many documents the passages come."""
        return {"documents": len(np.unique(result.view.document[result.rows]))}


# Subtrees


class _Subtree(Step[Evidence, Evidence]):
    """What all ways to begin tell in a trace."""

    def told(self, result: Evidence, using: Run) -> dict[str, int]:
        """Return how many headings and blocks of content are visible."""
        headings = np.isin(result.rows, result.view.sections())
        return {"headings": int(headings.sum()), "visible": int(np.nansum(result.scores[VISIBLE]))}


@dataclasses.dataclass(frozen=True)
class RetrievalSubtree(_Subtree):
    """Make visible the retrieved content, its siblings, what it is nested in up to the heading, and what nests in it.

    A document shows about `tokens` of content: the retrieved first, then what stands nearest to it.
    """

    tokens: int = CONTENT_TOKENS

    def __post_init__(self) -> None:
        if self.tokens < 1:
            raise UsageError("RetrievalSubtree takes 1 token or more")

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the nodes of the documents in the evidence, with its columns and `visible`."""
        view, tree = value.view, StructureTree.of(value.view)
        retrieved = retrieved_rows(value)
        retrieved = retrieved[tree.is_content[retrieved]]
        around, visible = tree.around(retrieved), np.zeros(len(view), np.bool_)
        for document in np.unique(view.document[retrieved]).tolist():
            kept = retrieved[view.document[retrieved] == document]
            visible[sized(view, around[view.document[around] == document], kept, self.tokens)] = True
        return _shown(value, visible)


@dataclasses.dataclass(frozen=True)
class RandomSubtree(_Subtree):
    """Make visible what stands under one heading of each document, drawn by lot, and forget what retrieval scored.

    The lot falls on the same heading for the same question and document, whatever else is in the view.
    """

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the nodes of the documents in the evidence, with `retrieved` and `visible` as their only columns."""
        view, tree = value.view, StructureTree.of(value.view)
        visible = np.zeros(len(view), np.bool_)
        for document in np.unique(view.document[value.rows]).tolist():
            filled = [own for one in tree.sections_of(document) if len(own := tree.own(one))]
            if filled:
                own = filled[_drawn(f"{using.query.question}\n{view.documents[int(document)].id}", len(filled))]
                visible[sized(view, own, own[:1], CONTENT_TOKENS)] = True
        return _without_scores(_shown(value, visible))


@dataclasses.dataclass(frozen=True)
class HeadingsOnly(_Subtree):
    """Make no content visible, and forget what retrieval scored."""

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the nodes of the documents in the evidence, with `retrieved` and `visible` as their only columns."""
        return _without_scores(_shown(value, np.zeros(len(value.view), np.bool_)))


def retrieved_rows(evidence: Evidence) -> Rows:
    """Return the rows of the retrieved passages; all rows where none is marked."""
    if RETRIEVED not in evidence.scores:
        return evidence.rows
    return evidence.rows[~np.isnan(evidence.scores[RETRIEVED])]


def _shown(evidence: Evidence, visible: Mask) -> Evidence:
    """Return all nodes of the documents in the evidence, those of the (n_rows,) mask visible."""
    view = evidence.view
    inside = np.isin(view.document, np.unique(view.document[evidence.rows])) & view.is_content
    nodes = evidence | Evidence.where(view, inside)
    return nodes.with_score(VISIBLE, np.where(visible[nodes.rows], 1.0, np.nan))


def _without_scores(evidence: Evidence) -> Evidence:
    kept = {name: values for name, values in evidence.scores.items() if name in (RETRIEVED, VISIBLE)}
    return dataclasses.replace(evidence, scores=kept)


def _drawn(text: str, count: int) -> int:
    """Return a number below `count`, the same for the same text on every machine."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % count

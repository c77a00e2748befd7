"""How good each node of some documents is for a question: by retrieval, and by what the headings over it promise.

What stands under a telling heading need not be worded like the question: "Who runs it now?" and "The board has been
chaired by ..." share nothing, but a heading "Management" is near the question in meaning.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence, Rows, View
from octavo.operators.core.run import Run
from octavo.operators.papers.rdr2.structure_tree import INTRODUCTION, StructureTree
from octavo.operators.score.fuse import MENTIONED
from octavo.question import understand
from octavo.text.analyzer import analyze, coverages

Floats = npt.NDArray[np.float64]

_MOST_COMPARED = 24
"""Sections whose titles are compared with the question: embedding a short one takes about a millisecond."""


def node_scores(evidence: Evidence, by: str, documents: Sequence[int], using: Run, *, titles: float) -> Floats:
    """Return (n_rows,) the score of the content of some documents, 1.0 for the best of all, 0 elsewhere.

    It is the share of the best score in the column `by` plus `titles` times the cosine of the question with the titles
    over the row. Without that column the share of the question's words takes its place.
    """
    tree = StructureTree.of(evidence.view)
    rows = np.flatnonzero(tree.is_content & np.isin(evidence.view.document, documents))
    own = _retrieved(evidence, by)[rows] if by in evidence.scores else _worded(evidence, rows, using)
    scores = np.zeros(len(evidence.view))
    scores[rows] = own + (titles * _promised(tree, rows, own, using) if titles else 0.0)
    return np.maximum(0.0, scores) / max(float(scores.max(initial=0.0)), 1e-9)


def _retrieved(evidence: Evidence, by: str) -> Floats:
    """Return (n_rows,) the share of the best score; what a block gained since its document is mentioned is no merit."""
    scores, own = np.zeros(len(evidence.view)), np.nan_to_num(evidence.scores[by])
    gained = np.nan_to_num(evidence.scores[MENTIONED]) if MENTIONED in evidence.scores else 0.0
    scores[evidence.rows] = np.maximum(0.0, own - gained)
    return scores / max(float(scores.max(initial=0.0)), 1e-9)


def _worded(evidence: Evidence, rows: Rows, using: Run) -> Floats:
    """Return (n,) the share of the question's words that rows have, 0..1; those that name a document do not count."""
    view, terms = evidence.view, understand(using.query.question).terms
    names = {name for document in np.unique(view.document[rows]).tolist() for name in _named(view, document)}
    wanted = tuple(term for term in terms if term not in names) or terms
    return np.array(coverages(wanted, view.blocks.text.take(rows.tolist())), np.float64)


def _promised(tree: StructureTree, rows: Rows, own: Floats, using: Run) -> Floats:
    """Return (n,) the cosine of the question with the titles over each row; 0 for sections too weak to be compared."""
    promised = np.zeros(len(rows))
    sections, at = np.unique(tree.section[rows], return_inverse=True)
    best = np.zeros(len(sections))
    np.maximum.at(best, at, own)
    compared = np.argsort(-best, kind="stable")[:_MOST_COMPARED]
    paths = [_path(tree, int(section)) for section in sections[compared]]
    asked = [_without_name(using.query.question, tree, int(row)) for row in rows[_first_of(at, compared)]]
    if not paths:
        return promised
    cosines = np.zeros(len(sections))
    cosines[compared] = np.einsum("ij,ij->i", using.vectors(paths), using.vectors(asked))
    return cosines[at]


def _first_of(groups: Rows, wanted: Rows) -> Rows:
    """Return the position of the first member of each wanted group."""
    _, first = np.unique(groups, return_index=True)
    return first[wanted]


def _path(tree: StructureTree, section: int) -> str:
    return " > ".join(tree.view.blocks.section_path(section)) if section >= 0 else INTRODUCTION


def _without_name(question: str, tree: StructureTree, row: int) -> str:
    """Return the question without the words of its document's name and title, which all headings are alike far from."""
    name = _named(tree.view, int(tree.view.document[row]))
    kept = [word for word in question.split() if not (terms := set(analyze(word))) or not terms <= name]
    return " ".join(kept) or question


def _named(view: View, document: int) -> set[str]:
    """Return the terms of a document's name and title."""
    named = view.documents[int(document)]
    return set(analyze(f"{named.name} {named.metadata.title}"))

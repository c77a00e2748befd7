"""The structure trees of a view's documents, how good their nodes are, and what of them a router sees first (RDR2 3.2).

Trees are headings, and content that nests under them, as columns over the rows of the view. A section is named by the
row of its heading; the content before the first heading of document d has a synthetic one, the Introduction, whose name
is -1 - d. Retrieval is equation 1, the subtree Algorithm 1. Two other ways to begin leave out what retrieval found
(Table 2): content under a heading drawn by lot, or headings alone.

A node is scored by retrieval, and by what the headings over it promise: what stands under a telling heading need not be
worded like the question. "Who runs it now?" and "The board has been chaired by ..." share nothing, but a heading
"Management" is near the question in meaning.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from octavo.errors import UsageError
from octavo.evidence import Evidence, View
from octavo.operators.columns import Columns
from octavo.operators.core import Run, Step
from octavo.operators.keep import passage_scores
from octavo.operators.score.fuse import MENTIONED
from octavo.operators.sentence_forms import Sentence, always, silent
from octavo.question import understand
from octavo_documents.document import FURNITURE, Kind, Mask, Rows
from octavo_documents.text.analyzer import analyze, coverages

INTRODUCTION = "Introduction"
"""What the heading over a document's first content is called."""
_NO_CONTENT = (*FURNITURE, Kind.TITLE, Kind.HEADING)
"""Kinds that are no content nodes; a title stands for the document itself."""
_BYTES_PER_TOKEN = 4
"""UTF-8 bytes of a token, a usual rough figure for English."""
RETRIEVED = "retrieved"
"""The column of a retrieved block: the score of its best passage, nan for blocks of no retrieved one."""
VISIBLE = "visible"
"""The column of a subtree: 1 for content that is visible, nan for what is hidden. Its headings are visible always."""
CONTENT_TOKENS = 900
"""About how many tokens of content a document's subtree shows at once, chosen by hand."""


class StructureTree:
    """The nodes of all documents of a view, and how they hang together."""

    def __init__(self, view: View) -> None:
        """Take the view."""
        self.view = view

    @classmethod
    def of(cls, view: View) -> StructureTree:
        """Return the trees of a view, made once."""
        return view.derived(cls)

    @cached_property
    def is_content(self) -> Mask:
        """(n_rows,) bool, true for content nodes: blocks with text that are no heading, title or page furniture."""
        blocks = self.view.blocks
        return ~np.isin(blocks.kind, _NO_CONTENT) & (blocks.text.lengths() > 0)

    @cached_property
    def section(self) -> Rows:
        """(n_rows,) int64 section each row stands in; a heading stands in the one above it."""
        parent = self.view.blocks.parent.astype(np.int64)
        return np.where(parent >= 0, parent, -1 - self.view.document.astype(np.int64))

    @cached_property
    def above(self) -> Rows:
        """(n_rows,) int64 parent of each content node: the list item it is nested in, else its section."""
        above, level = self.section.copy(), self.view.blocks.level
        contents = np.flatnonzero(self.is_content)
        is_item = self.view.blocks.kind[contents] == Kind.LIST_ITEM
        if not (level[contents][is_item] > 1).any():
            return above
        open_items: list[int] = []
        for row, goes_on in zip(contents.tolist(), is_item.tolist(), strict=True):
            if not goes_on or (open_items and self.section[open_items[0]] != self.section[row]):
                open_items.clear()
            if goes_on:
                while open_items and level[open_items[-1]] >= level[row]:
                    open_items.pop()
                above[row] = open_items[-1] if open_items else above[row]
                open_items.append(row)
        return above

    @cached_property
    def depth(self) -> Rows:
        """(n_rows,) int64 depth of each node, 0 at the top; the Introduction is at the top."""
        parent = self.view.blocks.parent
        depth = np.zeros(len(self.view), np.int64)
        for row in self.view.sections().tolist():
            depth[row] = depth[parent[row]] + 1 if parent[row] >= 0 else 0
        contents = np.flatnonzero(self.is_content)
        in_section = self.section[contents]
        depth[contents] = 1 + np.where(in_section >= 0, depth[in_section], 0)
        for row in contents[self.above[contents] != in_section].tolist():
            depth[row] = depth[self.above[row]] + 1
        return depth

    def headings_of(self, document: int) -> Rows:
        """Return the rows of the headings of a document, in order."""
        headings, rows = self.view.sections(), self.view.rows_of(document)
        return headings[slice(*np.searchsorted(headings, [rows.start, rows.stop]))]

    def sections_of(self, document: int) -> list[int]:
        """Return the sections of a document in order, its Introduction first where it has content."""
        first = [-1 - document] if len(self.own(-1 - document)) else []
        return first + self.headings_of(document).tolist()

    def own(self, section: int) -> Rows:
        """Return the content of a section that stands under no deeper heading."""
        headings = self.view.sections()
        document = int(self.view.document[section]) if section >= 0 else -1 - section
        span = self.view.rows_of(document)
        start = section + 1 if section >= 0 else span.start
        later = headings[np.searchsorted(headings, start) :]
        stop = min(int(later[0]), span.stop) if len(later) else span.stop
        return start + np.flatnonzero(self.is_content[start:stop])

    def around(self, rows: Rows) -> Rows:
        """Return some content with its siblings, the content above it up to the heading, and that nested in it.

        RDR2, Algorithm 1. Rows that are no content are left out.
        """
        given = rows[self.is_content[rows]]
        found = self.is_content & np.isin(self.above, self.above[given])
        found |= self._above(given) | self._below(given)
        return np.flatnonzero(found)

    def _above(self, rows: Rows) -> Mask:
        """Return (n_rows,) bool, true for the content that some rows are nested in."""
        found = np.zeros(len(self.view), np.bool_)
        while len(rows):
            above = self.above[rows]
            rows = np.unique(above[(above >= 0) & self._nests[above]])
            found[rows] = True
        return found

    def _below(self, rows: Rows) -> Mask:
        """Return (n_rows,) bool, true for the content nested in some rows, and for these."""
        found = np.zeros(len(self.view), np.bool_)
        while len(rows):
            found[rows] = True
            rows = np.flatnonzero(self.is_content & np.isin(self.above, rows))
        return found

    @cached_property
    def _nests(self) -> Mask:
        """(n_rows,) bool, true for content that other content can be nested in."""
        return self.is_content & (self.view.blocks.kind == Kind.LIST_ITEM)


def sized(view: View, rows: Rows, kept: Rows, tokens: int | None) -> Rows:
    """Return the content that fits into about so many tokens: `kept` first, then what stands nearest to it.

    Ties go to the first in the document; the first of `kept` is there however long it is. None: all of it fits.
    """
    if not len(rows) or tokens is None:
        return rows
    distance = np.abs(rows[:, None] - kept[None, :]).min(axis=1) if len(kept) else np.arange(len(rows))
    order = np.argsort(distance, kind="stable")
    sizes = view.blocks.text.lengths()[rows[order]] // _BYTES_PER_TOKEN + 1
    fits = np.cumsum(sizes) <= tokens
    fits[0] = True
    return np.sort(rows[order[fits]])


@dataclasses.dataclass(frozen=True)
class RetrievePassages(Step[Evidence, Evidence]):
    """Mark the blocks of the best `count` passages by the column `by`, and keep the documents they stand in.

    A passage scores as its best block does; one whose blocks all stand in better passages is not counted. Those of
    documents that the best one mentions (`BoostMentionedDocuments`) come on top: they must not take the place of what
    is found.
    """

    sentence: ClassVar[Sentence] = always("Chose the passages to begin with")

    by: str
    count: int = 5

    def __post_init__(self) -> None:
        if self.count < 0:
            raise UsageError("RetrievePassages takes 0 passages or more")

    def needs(self) -> frozenset[str]:
        """Return the layer of passages."""
        return frozenset({"passages"})

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(reads={self.by}, writes={RETRIEVED})

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

    def details(self, result: Evidence, using: Run) -> dict[str, int]:
        """Return from how many documents the passages come."""
        return {"documents": len(np.unique(result.view.document[result.rows]))}


# Subtrees


class _Subtree(Step[Evidence, Evidence]):
    """What all ways to begin tell in a trace."""

    def details(self, result: Evidence, using: Run) -> dict[str, int]:
        """Return how many headings and blocks of content are visible."""
        headings = np.isin(result.rows, result.view.sections())
        return {"headings": int(headings.sum()), "visible": int(np.nansum(result.scores[VISIBLE]))}


@dataclasses.dataclass(frozen=True)
class RetrievalSubtree(_Subtree):
    """Make visible the retrieved content, its siblings, what it is nested in up to the heading, and what nests in it.

    RDR2, Algorithm 1. A document shows about `tokens` of content: the retrieved first, then what stands nearest to it;
    None, as in the paper: all of it.
    """

    declares: ClassVar[Columns] = Columns(uses={RETRIEVED}, writes={VISIBLE})
    sentence: ClassVar[Sentence] = always("Took the headings that these passages stand under")

    tokens: int | None = CONTENT_TOKENS

    def __post_init__(self) -> None:
        if self.tokens is not None and self.tokens < 1:
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

    The lot falls on the same heading for the same question and document, whatever else is in the view. About `tokens`
    of that content are visible; None: all.
    """

    declares: ClassVar[Columns] = Columns(writes={VISIBLE}, keeps={RETRIEVED})

    tokens: int | None = CONTENT_TOKENS

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the nodes of the documents in the evidence, with `retrieved` and `visible` as their only columns."""
        view, tree = value.view, StructureTree.of(value.view)
        visible = np.zeros(len(view), np.bool_)
        for document in np.unique(view.document[value.rows]).tolist():
            filled = [own for one in tree.sections_of(document) if len(own := tree.own(one))]
            if filled:
                own = filled[_drawn(f"{using.query.question}\n{view.documents[int(document)].id}", len(filled))]
                visible[sized(view, own, own[:1], self.tokens)] = True
        return _without_scores(_shown(value, visible))


@dataclasses.dataclass(frozen=True)
class HeadingsOnly(_Subtree):
    """Make no content visible, and forget what retrieval scored."""

    declares: ClassVar[Columns] = Columns(writes={VISIBLE}, keeps={RETRIEVED})
    sentence: ClassVar[Sentence] = silent

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
    named = view.documents[int(document)]
    return set(analyze(f"{named.name} {named.metadata.title}"))

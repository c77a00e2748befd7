"""Search: from a question to the blocks of the passages that match it, by words or by vectors.

The search over the cross-page tree goes to the blocks behind its best nodes, whatever their level; visual search to the
pages and elements that look like the question (DMAP equation 8).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence, Query, Rows, TraceStep, View
from octavo.document.columns import damaged
from octavo.errors import CorpusError, ModelError, UsageError
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.score.lexical import bm25, idf, terms_of
from octavo.text.analyzer import analyze

Floats = npt.NDArray[np.float64]


def _bm25(query: Query, using: Run) -> Floats:
    """Return (n_passages,) BM25 scores, nan where no term matches."""
    scores = bm25(terms_of(using.view), analyze(query.question))
    return np.where(scores > 0, scores, np.nan)


def _bm25_page(query: Query, using: Run) -> Floats:
    """Return (n_passages,) BM25 scores of the passages' pages as wholes, nan where no term matches."""
    view = using.view
    page = view.page_index[view.passages.start]
    scores = bm25(terms_of(view), analyze(query.question), units=page)[page]
    return np.where(scores > 0, scores, np.nan)


def _dense(query: Query, using: Run) -> Floats:
    """Return (n_passages,) cosines with the question."""
    return using.view.cosines("vectors", using.vectors([query.question])[0])


def _dense_page(query: Query, using: Run) -> Floats:
    """Return (n_passages,) mean cosine with the question of the passages on each one's page."""
    page = using.view.page_index[using.view.passages.start]
    totals, counts = np.bincount(page, weights=_dense(query, using)), np.bincount(page)
    return (totals / np.maximum(counts, 1))[page]


def _coverage(query: Query, using: Run) -> Floats:
    """Return (n_passages,) share of the question's terms in each passage, weighed by idf, 0..1; nan for none."""
    index = terms_of(using.view)
    held, total = np.zeros(len(index)), 0.0
    for term in dict.fromkeys(analyze(query.question)):
        weight = idf(index, term)
        held[index.postings(term)[0]] += weight
        total += weight
    return np.where(held > 0, held / total if total else 0.0, np.nan)


@dataclasses.dataclass(frozen=True)
class _Kind:
    score: Callable[[Query, Run], Floats]
    needs: frozenset[str]


KINDS: dict[str, _Kind] = {
    "bm25": _Kind(_bm25, frozenset({"passages", "terms"})),
    "bm25_page": _Kind(_bm25_page, frozenset({"passages", "terms"})),
    "coverage": _Kind(_coverage, frozenset({"passages", "terms"})),
    "dense": _Kind(_dense, frozenset({"passages", "vectors"})),
    "dense_page": _Kind(_dense_page, frozenset({"passages", "vectors"})),
}


@dataclasses.dataclass(frozen=True)
class Search(Step[Query, Evidence]):
    """Score every passage against the question; a block takes the score of its best passage, in the column `kind`.

    Kinds: `bm25` (passages), `bm25_page` (their pages as wholes), `coverage` (share of the question's terms), `dense`
    (cosine of vectors), `dense_page` (mean over the passages of a page).
    """

    kind: str

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"There is no search called {self.kind!r}: choose one of {', '.join(KINDS)}")

    def needs(self) -> frozenset[str]:
        """Return the layers this kind of search reads."""
        return KINDS[self.kind].needs

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the blocks of all passages that have a score."""
        return spread(using.view, self.kind, KINDS[self.kind].score(value, using))


def spread(view: View, name: str, scores: Floats) -> Evidence:
    """Return the content blocks of passages with their best score, in column `name`; nan scores are left out."""
    passages = view.passages
    if len(scores) != len(passages):
        raise damaged(f"{len(scores)} scores for {len(passages)} passages")
    chosen = np.flatnonzero(~np.isnan(scores))
    start, stop = passages.start[chosen].astype(np.int64), passages.stop[chosen].astype(np.int64)
    sizes = stop - start
    # Row numbers of every passage one after the other: each run counts up from its own start.
    rows = np.repeat(start - np.cumsum(sizes) + sizes, sizes) + np.arange(int(sizes.sum()))
    inside = view.is_content[rows]
    return Evidence.of(view, rows[inside], source=name, **{name: np.repeat(scores[chosen], sizes)[inside]})


TREE = "tree"
"""The column of blocks: the cosine of the best node that has the block."""
LEAVES, SUMMARIES = "leaves", "summaries"
"""Sources: which nodes brought a block, those of level 0, those above, or both."""
_OWN = 1e-3
"""What a block's own leaf adds: enough to order the blocks of one summary, too little to change places of nodes."""


@dataclasses.dataclass(frozen=True)
class SearchTree(Step[Query, Evidence]):
    """Rank the nodes of all levels at once by cosine with the question ("collapsed tree", RAPTOR section 3).

    The best `count` nodes from `least_level` up bring the blocks that stand behind them, those of a summary on all of
    its pages; None takes every node, which ranks all blocks. `SearchTree(10, least_level=1)` is the search for
    summaries of MMRAG-DocQA (section 3.3).
    """

    count: int | None = None
    least_level: int = 0

    def __post_init__(self) -> None:
        if (self.count is not None and self.count < 0) or self.least_level < 0:
            raise UsageError("SearchTree takes a count and a least level of 0 or more")

    def needs(self) -> frozenset[str]:
        """Return the layers of the tree."""
        return frozenset({"topology", "topology_vectors"})

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the blocks of the nodes with the column `tree`; sources say whether leaves or summaries have them."""
        cosines = node_cosines(value, using)
        chosen = best_nodes(using.view, cosines, count=self.count, least_level=self.least_level)
        return _blocks(using.view, cosines, chosen)


def node_cosines(query: Query, using: Run) -> Floats:
    """Return (n_nodes,) the cosine of every node of the tree with the question."""
    vectors = using.view.vectors("topology_vectors")
    if len(vectors) != len(using.view.topology):
        raise damaged(f"{len(vectors)} vectors for a tree of {len(using.view.topology)} nodes")
    if not len(vectors):
        return np.zeros(0)
    return (vectors @ using.vectors([query.question])[0]).astype(np.float64)


def best_nodes(view: View, cosines: Floats, *, count: int | None, least_level: int = 0) -> Rows:
    """Return the nodes of a level or above with the highest cosines, best first; ties go to the first in the tree.

    Their texts, to be shown to a reader, are `view.topology.nodes.text`.
    """
    nodes = np.flatnonzero(view.topology.nodes.level >= least_level)
    return nodes[np.argsort(-cosines[nodes], kind="stable")][:count]


def _blocks(view: View, cosines: Floats, chosen: Rows) -> Evidence:
    places, level = view.topology.places, view.topology.nodes.level
    best, own = (np.full(len(view), -np.inf) for _ in range(2))
    leaf = level[places.node] == 0
    np.maximum.at(own, places.block[leaf], cosines[places.node[leaf]])
    is_chosen = np.zeros(len(level), np.bool_)
    is_chosen[chosen] = True
    taken = is_chosen[places.node]
    np.maximum.at(best, places.block[taken], cosines[places.node[taken]])
    rows = np.flatnonzero((best > -np.inf) & view.is_content)
    return Evidence(
        view,
        rows,
        {TREE: best[rows] + _OWN * np.maximum(own[rows], -1.0)},
        {
            name: _marked(view, places.block[taken & whose])[rows]
            for name, whose in ((LEAVES, leaf), (SUMMARIES, ~leaf))
        },
    )


def _marked(view: View, rows: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    marked = np.zeros(len(view), np.bool_)
    marked[rows] = True
    return marked


VISUAL = "visual"
"""The column of blocks on pages that look like the question: the cosine of the page, or of its best element."""
SEEN = "seen"
"""The source of the figures, charts and tables that were found themselves, and not as parts of their page."""


@dataclasses.dataclass(frozen=True)
class VisualSearch(Step[Evidence, Evidence]):
    """Find the `count` pages that, or elements of which, come nearest to the question in an image-text model's space.

    Without such a model, or where pictures were not embedded with it, nothing is found; a step "skipped" says why.
    """

    count: int = 4

    def __post_init__(self) -> None:
        if self.count < 1:
            raise UsageError("VisualSearch takes a count of one or more")

    def needs(self) -> frozenset[str]:
        """Return the layer of pictures' vectors, which is only there where an image-text model is named."""
        return frozenset({"visual_vectors"})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the content blocks of these pages with the column `visual`, and the columns they came with."""
        view = value.view
        cosines = _cosines(view, using)
        pages, elements = view.visuals if len(cosines) else (np.zeros(0, np.int64),) * 2
        best = np.full(int(view.page_starts[-1]), -np.inf)
        seen: list[int] = []
        for at in np.argsort(-cosines, kind="stable").tolist():
            page = int(pages[at])
            is_new = not np.isfinite(best[page])
            if np.isnan(cosines[at]) or (is_new and np.count_nonzero(np.isfinite(best)) == self.count):
                break
            best[page] = max(best[page], cosines[at])
            seen += [int(elements[at])] if elements[at] >= 0 else []
        return _evidence(value, best, seen)


def _evidence(value: Evidence, best: npt.NDArray[np.float64], seen: list[int]) -> Evidence:
    view = value.view
    rows = np.flatnonzero(np.isfinite(best[view.page_index]) & view.is_content)
    found = Evidence.of(view, rows, source=VISUAL, **{VISUAL: best[view.page_index[rows]]})
    found = dataclasses.replace(found, sources={**found.sources, SEEN: np.isin(rows, seen)})
    return found | value.keep(np.isin(value.rows, rows))


def _cosines(view: View, using: Run) -> npt.NDArray[np.float64]:
    """Return (n,) the cosine of each of `View.visuals` with the question, nan for what was not drawn; or none."""
    if using.image_text is None:
        return _skipped(using, "no image-text model is configured")
    try:
        vectors = view.vectors("visual_vectors")
        question = using.image_text().embed_texts([using.query.question])[0]
    except (CorpusError, ModelError) as fault:
        return _skipped(using, str(fault))
    if vectors.shape != (len(view.visuals[0]), len(question)):
        return _skipped(using, "the pictures were embedded with another model: index the documents again")
    return np.where(np.any(vectors != 0, axis=1), (vectors @ question).astype(np.float64), np.nan)


def _skipped(using: Run, why: str) -> npt.NDArray[np.float64]:
    using.note(TraceStep(step="skipped", parameters={"why": why}, rows_in=0, rows_out=0, seconds=0.0))
    return np.zeros(0)
